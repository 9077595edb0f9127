"""The T-pose of a figure: upright, legs straight down, arms straight out, looking along +Z."""

from __future__ import annotations

import itertools

import numpy as np

from ...figure import FloatArray, Rig, Skeleton
from ...figure.rig import SIDES, Vector
from ...figure.rotations import between, from_matrix, multiply, rotate

_DOWN = (0.0, -1.0, 0.0)
_AHEAD = (0.0, 0.0, 1.0)
_OUT = {"left": (1.0, 0.0, 0.0), "right": (-1.0, 0.0, 0.0)}
# A collar bone or a foot that points this near (cosine) to where it should is right as it rests.
_LIKELY = 0.5


def t_pose(skeleton: Skeleton, rig: Rig) -> FloatArray:
    """(J, 4) orientations in the world that bring the rest pose into the T-pose.

    Each bone of a limb is swung the shortest way, so that palms that look to the thighs look down.
    Collar bones and feet are as they rest, level, unless the rest pose is no pose of a body; all
    else follows its parent.
    """
    upright = from_matrix(np.array([rig.lateral, rig.up, np.cross(rig.lateral, rig.up)]))
    rest = skeleton.rest_positions()
    aims: dict[int, tuple[FloatArray, Vector]] = {}
    for side in SIDES:
        for chain, aim in (
            (("upper_arm", "lower_arm", "hand"), _OUT[side]),
            (("upper_leg", "lower_leg", "foot"), _DOWN),
        ):
            joints = [rig.get(f"{side}_{part}") for part in chain]
            for joint, after in itertools.pairwise(joints):
                if joint is not None and after is not None:
                    aims[joint] = rest[after] - rest[joint], aim
    likely = {}
    level = set()
    for side in SIDES:
        collar, arm = rig.get(f"{side}_shoulder"), rig.get(f"{side}_upper_arm")
        if collar is not None and arm is not None:
            likely[collar] = rest[arm] - rest[collar], _OUT[side]
        foot = rig.get(f"{side}_foot")
        if foot is not None:
            level.add(foot)
            likely[foot] = _reach(skeleton, foot), _AHEAD
    for joint, (bone, aim) in likely.items():
        length = float(np.linalg.norm(bone))
        if length > 0 and float(rotate(upright, bone) @ np.array(aim)) < _LIKELY * length:
            aims[joint] = bone, aim
    world = np.empty((len(skeleton), 4))
    for j, parent in enumerate(skeleton.parents.tolist()):
        world[j] = upright if parent < 0 or j in level else world[parent]
        if j in aims:
            bone, aim = aims[j]
            world[j] = multiply(between(rotate(world[j], bone), np.array(aim)), world[j])
    return world


def _reach(skeleton: Skeleton, foot: int) -> FloatArray:
    """(3,) where a foot points in the rest pose: to the toes, or to its tip."""
    children = skeleton.children(foot)
    if children:
        return np.array(skeleton.offsets[children[0]])
    return np.array(next((end.offset for end in skeleton.ends if end.joint == foot), (0.0, 0.0, 0.0)))
