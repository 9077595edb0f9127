"""What is measured, and exactly how. Every number has one unit and one definition: this file's.

A measure of nothing (no contacts, no limits, too few frames) is NaN, never zero: zero would claim
that something was found to be perfect.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..figure import FloatArray, Motion, Scene, detect_contacts
from ..figure.channels import layout
from ..figure.contacts import contact_mask, ground_height, sole_points
from ..figure.rotations import angle_between

SKATE_SPEED = 0.01  # m/s: a planted foot that moves faster skates
DEEP = 0.01  # metres: below ground by more is penetration that one sees
NEAR_GROUND = 0.02  # metres above a foot's lowest sole point, at a height of 1.7 m


@dataclass(frozen=True, slots=True)
class FootSkate:
    """How much planted feet slide."""

    mean_speed: float
    """m/s along the ground, mean over all steps between neighbouring frames of one contact."""
    fraction: float
    """Share of those steps faster than 1 cm/s."""
    steps: int
    """How many steps were judged."""


@dataclass(frozen=True, slots=True)
class Penetration:
    """How far the figure sinks into the ground."""

    deepest: float
    """Metres below ground of the deepest joint, end site or sole point; 0 when none is below."""
    fraction: float
    """Share of frames in which something is more than 1 cm below."""


@dataclass(frozen=True, slots=True)
class Jerk:
    """How abruptly acceleration changes: third differences of the joints' world positions."""

    rms: float
    """m/s³, root of the mean square over frames and joints."""
    greatest: float
    """m/s³, the greatest of any joint at any frame."""


@dataclass(frozen=True, slots=True)
class BoneChange:
    """How much bones stretch."""

    greatest: float
    """Greatest change of any bone's length relative to its rest length (0.1 is 10 %)."""
    joint: str
    """The joint at the end of that bone."""


@dataclass(frozen=True, slots=True)
class PoseChange:
    """How far one motion is from another of the same figure, frame by frame."""

    rotation: float
    """Degrees, mean over frames and joints of the turn between local rotations."""
    position: float
    """Metres, mean over frames and joints of the distance in the world."""


@dataclass(frozen=True, slots=True)
class LimitViolations:
    """How far joints turn past their limits."""

    fraction: float
    """Share of frames in which any joint is more than 0.1 degrees outside."""
    greatest: float
    """Degrees of the greatest excess."""
    joint: str
    """The joint it belongs to; nothing where all are inside."""


def foot_skate(motion: Motion, *, scene: Scene | None = None) -> FootSkate:
    """Horizontal speed of the part of each planted foot that stays most.

    Within a contact, and for every two neighbouring frames, the slowest sole point of those that
    are near the ground in both counts: a foot may roll over heel and ball without skating.
    Contacts with the ground are the take's own, or detected where it has none.
    """
    contacts = motion.contacts
    if contacts is None:
        contacts = detect_contacts(motion, scene=scene)
    frames = len(motion)
    near = NEAR_GROUND * motion.skeleton.height / 1.7
    speeds: list[FloatArray] = []
    for sole in motion.rig.soles:
        planted = contact_mask(contacts, sole.foot, frames, on="")
        both = planted[:-1] & planted[1:]
        if not both.any():
            continue
        points = sole_points(motion, sole)
        low = points[..., 1] - points[..., 1].min(axis=1, keepdims=True) <= near
        moved = _level_speed(points, motion.frame_rate)
        moved = np.where(low[:-1] & low[1:], moved, np.inf).min(axis=1)
        # a foot that rocks from heel to toe within one frame has no shared point: its lowest counts
        lowest = points[np.arange(frames), points[..., 1].argmin(axis=1)]
        jump = _level_speed(lowest, motion.frame_rate)
        speeds.append(np.where(np.isfinite(moved), moved, jump)[both])
    if not speeds:
        return FootSkate(math.nan, math.nan, 0)
    every = np.concatenate(speeds)
    return FootSkate(float(every.mean()), float((every > SKATE_SPEED).mean()), len(every))


def _level_speed(points: FloatArray, rate: float) -> FloatArray:
    """(F - 1, …) horizontal speed of points (F, …, 3) from frame to frame, m/s."""
    step = np.diff(points, axis=0)
    return np.asarray(np.hypot(step[..., 0], step[..., 2]) * rate)


def penetration(motion: Motion, *, scene: Scene | None = None) -> Penetration:
    """Depth of joints, end sites and soles below the ground.

    Without a scene the ground is level, at the height where the soles rest most, or at zero for
    figures without feet.
    """
    if len(motion) == 0:
        return Penetration(math.nan, math.nan)
    groups = [motion.positions()]
    if motion.skeleton.ends:
        groups.append(motion.end_positions())
    soles = [sole_points(motion, sole) for sole in motion.rig.soles]
    points = np.concatenate([*groups, *soles], axis=1)
    if scene is None:
        level = ground_height(soles) if soles else 0.0
        depth = level - points[..., 1]
    else:
        depth = scene.ground_height(points) - points[..., 1]
    worst = depth.max(axis=1)
    return Penetration(max(0.0, float(worst.max())), float((worst > DEEP).mean()))


def jerk(motion: Motion) -> Jerk:
    """Third differences of world positions, times the frame rate cubed.

    Finite differences see only up to the frame rate: compare motions of one rate.
    """
    if len(motion) < 4:
        return Jerk(math.nan, math.nan)
    third = np.diff(motion.positions(), 3, axis=0) * motion.frame_rate**3
    sizes = np.linalg.norm(third, axis=-1)
    return Jerk(float(np.sqrt((sizes**2).mean())), float(sizes.max()))


def bone_change(motion: Motion) -> BoneChange:
    """Change of bone lengths against the rest pose; bones without length do not count."""
    rest = motion.skeleton.bone_lengths()
    bones = np.flatnonzero(rest > 1e-6)
    if len(motion) == 0 or len(bones) == 0:
        return BoneChange(math.nan, "")
    if motion.translations is None:
        return BoneChange(0.0, "")
    lengths = np.linalg.norm(motion.skeleton.offsets + motion.translations, axis=-1)
    change = np.abs(lengths[:, bones] / rest[bones] - 1.0).max(axis=0)
    worst = int(change.argmax())
    return BoneChange(float(change[worst]), motion.skeleton.names[int(bones[worst])])


def pose_change(before: Motion, after: Motion) -> PoseChange:
    """Mean turn and mean distance between two motions of one skeleton and length."""
    if not before.skeleton.same_joints(after.skeleton):
        raise InputError("a pose change compares motions with the same joints")
    if len(before) != len(after):
        raise InputError(
            f"a pose change compares frame by frame, but there are {len(before)} and {len(after)} frames"
        )
    if len(before) == 0:
        return PoseChange(math.nan, math.nan)
    turn = np.degrees(angle_between(before.rotations, after.rotations)).mean()
    distance = np.linalg.norm(before.positions() - after.positions(), axis=-1).mean()
    return PoseChange(float(turn), float(distance))


def limit_violations(motion: Motion) -> LimitViolations:
    """Angles outside the skeleton's limits, in each joint's own axes and order."""
    skeleton = motion.skeleton
    if skeleton.limits is None or not np.isfinite(skeleton.limits).any() or len(motion) == 0:
        return LimitViolations(math.nan, math.nan, "")
    values = motion.channels().values
    where = layout(skeleton)
    excess = np.zeros((len(motion), len(skeleton)))
    for j, k in np.argwhere(where.axes >= 0):
        low, high = np.degrees(skeleton.limits[j, where.axes[j, k]])
        angle = values[:, where.columns[j, k]]
        outside = np.maximum(np.maximum(low - angle, angle - high), 0.0)
        # the same turn said with whole turns more or less may lie inside
        for whole in (-360.0, 360.0):
            other = np.maximum(np.maximum(low - angle - whole, angle + whole - high), 0.0)
            outside = np.minimum(outside, other)
        excess[:, j] = np.maximum(excess[:, j], outside)
    worst = int(excess.max(axis=0).argmax())
    greatest = float(excess[:, worst].max())
    return LimitViolations(
        float((excess > 0.1).any(axis=1).mean()), greatest, skeleton.names[worst] if greatest > 0.1 else ""
    )
