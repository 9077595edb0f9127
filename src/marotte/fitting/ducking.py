"""Ducking: where a doorway is too low, knees and trunk bend until everything is below its lintel.

A third of what is lacking the knees give, the rest the trunk, which leans forward while the hips go
back and the head stays up. It begins before the doorway and ends behind it, as gently as the time allows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..figure import FloatArray, Motion
from ..figure._arrays import owned
from ..figure.rotations import about, inverse, multiply, rotate
from ..figure.scene import Doorway
from .tension import above

MARGIN = 0.03  # metres that are left below a lintel
DEEP = 0.15  # metres before and behind the middle of a doorway that belong to it
EASE = 0.18  # seconds: ducking is no quicker
CROUCH = 0.3  # the knees' share: ankles of walkers that crouch deeper come to their limits
LOWEST = 0.45  # of the height: nobody who walks ducks by more
_BACK = 0.3  # of what the trunk leans forward, the hips go back
_LOOK = 0.6  # of what the trunk leans, the head is lifted again
_MOST = math.radians(75.0)  # a trunk leans no further


def lintels(motion: Motion, doors: Sequence[Doorway]) -> FloatArray:
    """(F,) metres by which the figure is too high for the doorways that it is in; negative inside
    and low enough, minus infinity outside."""
    points = motion.positions()
    if motion.skeleton.ends:
        points = np.concatenate([points, motion.end_positions()], axis=1)
    out = np.full(len(motion), -np.inf)
    for door in doors:
        facing = np.asarray(door.facing) * [1.0, 0.0, 1.0]
        facing /= max(float(np.linalg.norm(facing)), 1e-9)
        from_sill = points - np.asarray(door.position)
        along = from_sill @ facing
        across = from_sill @ np.array([facing[2], 0.0, -facing[0]])
        inside = (np.abs(along) <= DEEP) & (np.abs(across) <= 0.5 * door.width)
        over = np.where(inside, from_sill[..., 1] - (door.height - MARGIN), -np.inf)
        out = np.maximum(out, over.max(axis=1))
    return out


def bent(motion: Motion, lower: FloatArray) -> tuple[Motion, FloatArray]:
    """The motion with its trunk bent to be lower by its share of `lower` (F,), and the way (F, 3) that
    the hips are moved besides."""
    rig, offset = motion.rig, np.zeros((len(motion), 3))
    spine = [j for j in rig.spine if j != rig.get("hips")] or [
        rig.roles[r] for r in ("spine", "chest", "upper_chest") if r in rig.roles
    ]
    head = rig.get("head")
    if head is None or not spine:
        offset[:, 1] = -lower
        return motion, offset
    positions, orientations = motion.world()
    trunk = positions[:, head] - positions[:, spine[0]]
    length = np.maximum(np.linalg.norm(trunk, axis=1), 1e-6)
    upright = np.clip(trunk[:, 1] / length, -1.0, 1.0)
    wanted = np.clip(upright - (1.0 - CROUCH) * lower / length, math.cos(_MOST), 1.0)
    lean = np.where(lower > 0.0, np.maximum(np.arccos(wanted) - np.arccos(upright), 0.0), 0.0)
    forward = rotate(orientations[:, 0], np.asarray(rig.forward)) * np.array([1.0, 0.0, 1.0])
    forward /= np.maximum(np.linalg.norm(forward, axis=1, keepdims=True), 1e-9)
    axis = np.stack([forward[:, 2], np.zeros(len(motion)), -forward[:, 0]], axis=1)
    rotations = np.array(motion.rotations)
    neck = rig.get("neck") or head
    turns = [(j, lean / len(spine)) for j in spine if j != neck] + [(neck, -_LOOK * lean)]
    for joint, angle in turns:
        parent = int(motion.skeleton.parents[joint])
        own = rotate(inverse(orientations[:, parent]), axis)  # the same axis for all, in its parent's frame
        rotations[:, joint] = multiply(about(own, angle), rotations[:, joint])
    given = length * (upright - np.cos(np.arccos(upright) + lean))
    offset = -_BACK * (length * np.sin(lean))[:, None] * forward
    offset[:, 1] = -np.maximum(lower - given, 0.0)
    return motion.with_(rotations=owned(rotations)), offset


def smooth_need(need: FloatArray, rate: float) -> FloatArray:
    """(F,) how much lower to be at every frame, so that it is enough wherever it is needed."""
    return above(np.where(np.isfinite(need), need, -1.0), reach=EASE * rate)
