"""The rest pose: where joints stand and how they are turned when nothing moves them.

A skin says where its joints were when it was bound: `inverse bind matrices` take the mesh to each
joint, so that their inverses place the joints in the mesh's space. Where that space lies in the
world the file does not say; it is found by what the joints' places in the file agree with best.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...figure import FloatArray
from .._notes import Notes
from . import _turns
from ._accessors import read_accessor
from ._container import Document
from ._figure import Figure
from ._nodes import Nodes, World, split_linear

# A place of a joint that is off by less than this share of the figure's height is the same place.
SAME = 1e-4
# A turn that is off by less (radians) is the same turn.
SAME_TURN = 2e-6
# A space of the mesh that fits only because it was made to fit must fit better by this (radians).
_MADE_TO_FIT = 0.8
_HEADING = 0.1  # what a radian of another heading weighs, beside one of tilt
# Of the figure's size as it stands: what a bound figure must have at least, and at most.
_LEAST_SIZE, _MOST_SIZE = 0.2, 5.0


@dataclass(frozen=True, slots=True)
class Rest:
    """The rest pose in the file's lengths and axes."""

    positions: FloatArray
    """(J, 3) in the world."""
    orientations: FloatArray
    """(J, 4) in the world."""

    def offsets(self, parents: Iterable[int]) -> FloatArray:
        """(J, 3) from each parent, along the world's axes; the root's is its place."""
        return np.array(
            [
                place if parent < 0 else place - self.positions[parent]
                for place, parent in zip(self.positions, parents, strict=True)
            ]
        )


def rest_pose(document: Document, nodes: Nodes, figure: Figure, world: World, notes: Notes) -> Rest:
    """The bind pose of the figure's skins, or how its nodes stand where no skin says."""
    standing = _standing(figure, world)
    bound = _bound(document, nodes, figure, world)
    if not bound:
        return standing
    rest = _filled(figure, standing, bound)
    size, usual = _size(rest), _size(standing)
    if not (_LEAST_SIZE * usual <= size <= _MOST_SIZE * usual or usual == 0.0):
        notes.guess("the matrices of the skin place no figure; the rest pose is that of the nodes themselves")
        return standing
    return _snapped(nodes, figure, world, rest)


def node_pose(figure: Figure, world: World) -> Rest:
    """The pose of the nodes as they stand in the file, which VRM wants to be the rest pose."""
    return _standing(figure, world)


def _standing(figure: Figure, world: World) -> Rest:
    return Rest(
        np.array([world.positions[node] for node in figure.joints]),
        np.array([world.orientations[node] for node in figure.joints]),
    )


def _size(rest: Rest) -> float:
    return float(np.ptp(rest.positions, axis=0).max())


def _bound(
    document: Document, nodes: Nodes, figure: Figure, world: World
) -> dict[int, tuple[FloatArray, FloatArray]]:
    """Position (3,) and orientation (4,) of the joints that skins place."""
    found: dict[int, tuple[FloatArray, FloatArray]] = {}
    place = {node: j for j, node in enumerate(figure.joints)}
    for number in figure.skins:
        skin = document.item("skins", number)
        if "inverseBindMatrices" not in skin:
            continue
        matrices = read_accessor(document, skin.whole("inverseBindMatrices"), ("MAT4",))
        joints = [joint.as_whole() for joint in skin.array("joints")]
        if len(matrices) < len(joints):
            raise skin.error(f"{len(joints)} joints need as many inverse bind matrices, not {len(matrices)}")
        inverse = matrices[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1).copy()
        inverse[:, 3] = [0.0, 0.0, 0.0, 1.0]  # as the format wants it
        inside = [(place[node], node, m) for node, m in zip(joints, inverse, strict=True) if node in place]
        good = [(j, node, m) for j, node, m in inside if 1e-30 < abs(np.linalg.det(m[:3, :3])) < 1e30]
        if not good:
            continue
        mesh = _mesh_space(nodes, figure, world, [(node, m) for _, node, m in good])
        for j, _, m in good:
            at = mesh @ np.linalg.inv(m)
            if j not in found and np.isfinite(at).all():
                found[j] = at[:3, 3], split_linear(at[:3, :3])[0]
    return found


def _mesh_space(
    nodes: Nodes, figure: Figure, world: World, joints: list[tuple[int, FloatArray]]
) -> FloatArray:
    """(4, 4) what takes the bound mesh to the world.

    Joints that stand as they were bound all say the same. Where they do not, it is the world
    itself, or the space that the figure's top hangs in, whichever is less tilted against most
    joints (a figure may face anywhere, but mostly stands); and else what its first joint says.
    """
    said = [world.matrix(node) @ inverse for node, inverse in joints]
    turns = np.array([split_linear(m[:3, :3])[0] for m in said])
    sizes = np.array([_log_size(m) for m in said])
    above = world.matrix(figure.above[-1]) if figure.above else np.eye(4)
    best, least = said[0], np.inf
    for matrix, penalty in ((np.eye(4), 0.0), (above, 0.0), (said[0], _MADE_TO_FIT)):
        turn, _, _ = split_linear(matrix[:3, :3])
        between = _turns.product(turns, _turns.undone(turn))
        tilt = np.arccos(np.clip(_turns.turned(between, np.array([0.0, 1.0, 0.0]))[:, 1], -1.0, 1.0))
        off = float(np.median(tilt)) + float(np.median(abs(sizes - _log_size(matrix))))
        off += _HEADING * float(np.median(_turns.angle(turns, turn)))
        if off + penalty < least - 1e-6:
            best, least = matrix, off + penalty
    return best


def _log_size(matrix: FloatArray) -> float:
    return float(np.log(max(abs(np.linalg.det(matrix[:3, :3])), 1e-300))) / 3.0


def _filled(figure: Figure, standing: Rest, bound: dict[int, tuple[FloatArray, FloatArray]]) -> Rest:
    """The bound joints, with those that no skin places hanging on them as they do in the file."""
    positions, orientations = standing.positions.copy(), standing.orientations.copy()
    for j, parent in enumerate(figure.parents.tolist()):
        if j in bound:
            positions[j], orientations[j] = bound[j]
        elif parent >= 0:
            back = _turns.product(orientations[parent], _turns.undone(standing.orientations[parent]))
            orientations[j] = _turns.product(back, standing.orientations[j])
            positions[j] = positions[parent] + _turns.turned(
                back, standing.positions[j] - standing.positions[parent]
            )
    return Rest(positions, orientations)


def _snapped(nodes: Nodes, figure: Figure, world: World, rest: Rest) -> Rest:
    """The rest pose with the nodes' own lengths and turns, where the bound ones differ by rounding."""
    offsets = rest.offsets(figure.parents)
    near = SAME * _size(rest)
    positions, orientations = rest.positions.copy(), rest.orientations.copy()
    for j, (node, parent) in enumerate(zip(figure.joints, figure.parents.tolist(), strict=True)):
        if parent < 0:
            own, own_turn = offsets[j], world.orientations[node]
        else:
            own = node_offset(nodes, figure, world, rest, j)
            own_turn = _turns.product(orientations[parent], nodes.rotation[node])
            positions[j] = positions[parent] + (offsets[j] if np.abs(own - offsets[j]).max() > near else own)
        if float(_turns.angle(own_turn, orientations[j])) < SAME_TURN:
            orientations[j] = own_turn
    return Rest(positions, orientations)


def node_offset(nodes: Nodes, figure: Figure, world: World, rest: Rest, joint: int) -> FloatArray:
    """(3,) a node's own translation as it lies in the rest pose, along the world's axes."""
    node, parent = figure.joints[joint], int(figure.parents[joint])
    above = figure.joints[parent]
    here = world.linear[above] @ nodes.translation[node]
    back = _turns.product(rest.orientations[parent], _turns.undone(world.orientations[above]))
    return np.asarray(_turns.turned(back, here))
