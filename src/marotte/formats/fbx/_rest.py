"""The rest pose: where a skin was bound to the figure, or the best that a file without one has."""

from __future__ import annotations

import numpy as np

from ...figure import FloatArray
from .._notes import Notes
from .._posed import Rest
from .._space import Space
from .._turns import product, undone
from ._frames import place_joints
from ._joints import Joints
from ._scene import Nodes, Scene

# Where at least this share of the joints has an orientation of its own, that is the rest pose, as in
# files of Maya and MotionBuilder; the angles on top of it are the pose that was shown at the export.
_ORIENTED = 0.5


def rest_of(scene: Scene, joints: Joints, space: Space, notes: Notes) -> Rest:
    """Where the joints rest."""
    nodes = scene.nodes
    bound = [node for node in joints.nodes if node in scene.binds]
    oriented = [node for node in joints.nodes if nodes.before[node].any()]
    neutral = False
    if bound:
        loose = len(joints.nodes) - len(bound)
        rest = f"; joints that it leaves out ({loose}) rest as they stand without animation" if loose else ""
        notes.guess(f"the rest pose is that in which the skin was bound{rest}")
    elif len(oriented) >= _ORIENTED * len(joints.nodes):
        neutral = True
        notes.guess(
            "nothing is bound to the figure; the orientations of its joints are taken as the rest pose"
        )
    else:
        notes.guess("nothing is bound to the figure; it is taken to rest as it stands without animation")
    mine = set(joints.nodes)
    places = nodes.places[joints.needed]
    if neutral:
        for k, node in enumerate(joints.needed):
            if node in mine:
                places[k, [6, 3, 4, 5]] = _neutral(nodes, node)
    fixed = {node: scene.binds[node] for node in bound}
    positions, turns = place_joints(nodes, joints, places[None], fixed)
    return Rest(space.axes.vectors(positions[0]) * space.metres, space.axes.rotations(turns[0]))


def _neutral(nodes: Nodes, node: int) -> FloatArray:
    """(4,) a node's rotation with the angles taken out: what is fixed before and behind them."""
    behind = _euler(nodes.behind[node], "ZYX")
    angles = _euler(nodes.angles[node], nodes.orders[node])
    # the whole is before · angles · behind⁻¹
    before = product(nodes.places[node][[6, 3, 4, 5]], product(behind, undone(angles)))
    return product(before, undone(behind))


def _euler(degrees: FloatArray, order: str) -> FloatArray:
    """(4,) turns about axes that turn along, the first named outermost."""
    total = np.array([1.0, 0.0, 0.0, 0.0])
    for letter in order:
        axis = "XYZ".index(letter)
        half = np.radians(degrees[axis]) / 2
        turn = np.zeros(4)
        turn[0], turn[1 + axis] = np.cos(half), np.sin(half)
        total = product(total, turn)
    return total
