"""Where a search begins: limbs that are exactly straight are bent a little.

From a straight limb no slope tells which way to bend: to shorten it, every direction is as bad as
its opposite. Solvers that go by slopes would stay there for ever.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .. import kernels
from ..figure import FloatArray
from ..figure._arrays import IntArray
from ..figure.rotations import exp, multiply, rotate
from ._work import Work

# Straight: the hinge off the line from root to end by less than this angle, radians.
STRAIGHT = 0.02
BENT = 0.15


def bend_straight_limbs(work: Work) -> None:
    """Bend, in the first guess, straight limbs whose ends or what hangs on them are not at their goals."""
    p = work.problem
    frames = p.frames[work.first : work.stop]
    if not len(frames) or not work.rig.limbs:
        return
    positions, orientations = place(work, frames, work.root, work.rotations)
    for limb in work.rig.limbs:
        asked = _asked(work, frames, positions, orientations, limb.hinge)
        back = positions[:, limb.root] - positions[:, limb.hinge]
        ahead = positions[:, limb.end] - positions[:, limb.hinge]
        sizes = np.linalg.norm(back, axis=1) * np.linalg.norm(ahead, axis=1)
        sine = np.linalg.norm(np.cross(back, ahead), axis=1)
        straight = (sine < math.sin(STRAIGHT) * sizes) & ((back * ahead).sum(axis=1) < 0.0)
        chosen = frames[asked & straight]
        if len(chosen):
            bend = exp(BENT * np.array(limb.hinge_axis))
            work.rotations[chosen, limb.hinge] = multiply(work.rotations[chosen, limb.hinge], bend)


def place(
    work: Work, frames: IntArray, root: FloatArray, rotations: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Places (N, J, 3) and orientations (N, J, 4) in the world of some frames."""
    skeleton = work.skeleton
    joints = len(skeleton)
    positions, orientations = np.empty((len(frames), joints, 3)), np.empty((len(frames), joints, 4))
    kernels.forward.place_frames(
        skeleton.parents, skeleton.offsets, root[frames], rotations[frames], positions, orientations, 0,
        len(frames),
    )  # fmt: skip
    return positions, orientations


def _asked(
    work: Work, frames: IntArray, positions: FloatArray, orientations: FloatArray, hinge: int
) -> NDArray[np.bool_]:
    """(N,) where a goal of place on the hinge or below it is not met."""
    goals, parents = work.problem.goals, work.skeleton.parents
    found = np.zeros(len(frames), dtype=bool)
    for g in range(len(goals.kind)):
        top = j = int(goals.joint[g])
        while top > hinge:
            top = int(parents[top])
        if goals.kind[g] != 0 or top != hinge:
            continue
        there = positions[:, j] + rotate(orientations[:, j], np.array(goals.offset[g]))
        off = np.linalg.norm(there - goals.target[frames, g, :3], axis=1)
        found |= (goals.weight[frames, g] > 0.0) & (off > 1e-6 * work.problem.height)
    return found
