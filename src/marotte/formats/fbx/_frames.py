"""Where the joints stand in every frame, from the local transforms of all that moves them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...figure import FloatArray
from .._clips import Sampling
from .._notes import Progress
from .._space import Space
from .._world import World
from ._joints import Joints
from ._library import Library
from ._scene import Nodes

MOST_PLACES = 20_000_000
"""Nodes times frames that are read: 90 joints for half an hour at 120 frames a second."""


def read_frames(
    library: Library,
    nodes: Nodes,
    joints: Joints,
    stack: int | None,
    sampling: Sampling,
    space: Space,
    progress: Progress | None,
) -> tuple[FloatArray, FloatArray]:
    """Positions (F, J, 3) in metres and orientations (F, J, 4) of the joints' frames, Y up."""
    count = len(joints.nodes)
    positions = np.empty((sampling.frames, count, 3))
    orientations = np.empty((sampling.frames, count, 4))
    blocks = library.frames(
        stack=stack, nodes=joints.needed, begin=sampling.begin, rate=sampling.rate, frames=sampling.frames
    )
    done = 0
    for block in blocks:
        placed, turned = place_joints(nodes, joints, block)
        positions[done : done + len(block)] = placed
        orientations[done : done + len(block)] = turned
        done += len(block)
        if progress is not None:
            progress(done / sampling.frames)
    return space.axes.vectors(positions) * space.metres, space.axes.rotations(orientations)


def place_joints(
    nodes: Nodes, joints: Joints, block: FloatArray, fixed: Mapping[int, FloatArray] | None = None
) -> tuple[FloatArray, FloatArray]:
    """Positions (n, J, 3) and orientations (n, J, 4) of the joints, from local transforms (n, N, 10).

    Nodes that are `fixed` stand where those matrices (3, 4) say, whatever their parents do.
    """
    world = World(nodes.parents, nodes.inherit)
    for k, node in enumerate(joints.needed):
        local = block[:, k]
        if fixed is not None and node in fixed:
            world.fix(node, np.tile(fixed[node], (len(block), 1, 1)), local[:, 7:10])
        else:
            world.add(node, local[:, :3], local[:, [6, 3, 4, 5]], local[:, 7:10])
    return world.placed(joints.nodes)
