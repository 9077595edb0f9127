"""Where the joints stand in every frame, from the local transforms of all that moves them."""

from __future__ import annotations

import numpy as np

from ...figure import FloatArray
from .._clips import Sampling
from .._notes import Progress
from ._joints import Joints
from ._library import Library
from ._scene import Nodes
from ._space import Space
from ._world import place_joints

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
