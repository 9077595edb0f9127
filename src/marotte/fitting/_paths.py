"""Paths that ends of limbs are led along, and the closed form that brings them there.

A path is smooth and given at every frame. So is what follows from it: no frame is solved without
its neighbours having had the same kind of goal, and nothing has to be filtered afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..figure import FloatArray, Motion, Scene, Skeleton
from ..figure._arrays import owned
from ..figure.rotations import exp, from_euler, inverse, multiply, rotate, swing_twist, to_euler
from ..kinematics import JointLimits, Place, Position, solve
from ..kinematics.joint_limits import Which

_AXES = np.eye(3)
# Sines of the bends between which a limb's plane comes to count for how its upper part is turned.
_STRAIGHT = (0.4, 0.9)
_HAND = 0.2  # of the height, more than any hand is long
_SOFT = 0.0012  # of the height, over which toes begin to bend


@dataclass(frozen=True, slots=True, eq=False)
class Led:
    """A joint that is led: where to, how much it bears, how much of the way it is led."""

    joint: int
    place: FloatArray
    """(F, 3) world, metres."""
    turned: FloatArray | None
    """(F, 4) world orientation, or None where it does not matter."""
    bears: FloatArray
    """(F,) 1 where the part rests, 0 where it is free."""
    leads: FloatArray
    """(F,) 1 where it must be at its place, 0 where it may be anywhere."""


def lead_limbs(
    motion: Motion, led: Sequence[Led], *, limits: Which | JointLimits = "none", spared: Sequence[int] = ()
) -> Motion:
    """The motion with every limb's end at its place, in closed form (LS99 eq. 7).

    Limbs that are not led keep their ends where they are, if their joints can; `spared` ends are
    left alone.
    """
    ends = {part.joint: part for part in led}
    positions, orientations = motion.world()
    goals: list[Place | Position] = []
    for limb in motion.rig.limbs:
        if limb.end in spared:
            continue
        part = ends.get(limb.end)
        place = positions[:, limb.end] if part is None else part.place
        turned = orientations[:, limb.end] if part is None or part.turned is None else part.turned
        goals.append(Place(point=limb.end, to=place, turned=turned))
    if not goals or not len(motion):
        return motion
    return solve(motion, goals, solver="limb", limits=limits).motion


def within_freedoms(rotations: FloatArray, skeleton: Skeleton) -> FloatArray:
    """(F, J, 4) local rotations, of joints with one or two channels only what these can say.

    What such a joint cannot say its children take over, so that parts below stand as before.
    """
    few = [j for j in range(1, len(skeleton)) if 0 < len(set(skeleton.order(j))) < 3]
    if not few:
        return rotations
    out = np.array(rotations)
    for j in few:
        before = np.array(out[:, j])
        out[:, j] = _held(before, skeleton, j)
        left = multiply(inverse(out[:, j]), before)
        for child in skeleton.children(j):
            out[:, child] = multiply(left, out[:, child])
    return np.asarray(out / np.linalg.norm(out, axis=-1, keepdims=True))


def _held(turn: FloatArray, skeleton: Skeleton, joint: int) -> FloatArray:
    """(F, 4) the nearest turn about the joint's own axes."""
    letters = list(dict.fromkeys(skeleton.order(joint)))
    frame = None if skeleton.channel_axes is None else skeleton.channel_axes[joint]
    if len(letters) == 1:
        axis = _AXES["XYZ".index(letters[0])]
        return swing_twist(turn, axis if frame is None else rotate(frame, axis))[1]
    if frame is not None:
        turn = multiply(multiply(inverse(frame), turn), frame)
    order = "".join(letters) + next(a for a in "XYZ" if a not in letters)
    angles = to_euler(turn, order)
    angles[..., 2] = 0.0
    turn = from_euler(angles, order)
    return turn if frame is None else multiply(multiply(frame, turn), inverse(frame))


def hinged(motion: Motion) -> FloatArray:
    """(F, J, 4) rotations with limbs bent at hinges that have one channel, elbow and hand where they were.

    The upper part turns about its own length until the hinge lies square to the limb's plane, the more
    so the more the limb is bent; what the lower part was turned about its length goes to its end.
    """
    skeleton = motion.skeleton
    out = np.array(motion.rotations)
    positions, orientations = motion.world()
    for limb in motion.rig.limbs:
        if len(set(skeleton.order(limb.hinge))) != 1 or int(skeleton.parents[limb.hinge]) != limb.root:
            continue
        upper = _unit(positions[:, limb.hinge] - positions[:, limb.root])
        lower = _unit(positions[:, limb.end] - positions[:, limb.hinge])
        square = np.cross(upper, lower)
        bent = np.linalg.norm(square, axis=1)
        axis = rotate(orientations[:, limb.root], np.array(limb.hinge_axis))
        axis = _unit(axis - (axis * upper).sum(axis=1, keepdims=True) * upper)
        angle = np.arctan2((np.cross(axis, square) * upper).sum(axis=1), (axis * square).sum(axis=1))
        share = np.clip((bent - _STRAIGHT[0]) / (_STRAIGHT[1] - _STRAIGHT[0]), 0.0, 1.0)
        turn = about_each(upper, angle * share * share * (3.0 - 2.0 * share))
        above = int(skeleton.parents[limb.root])
        turned = multiply(turn, orientations[:, limb.root])
        out[:, limb.root] = turned if above < 0 else multiply(inverse(orientations[:, above]), turned)
        out[:, limb.hinge] = multiply(inverse(turned), orientations[:, limb.hinge])
    return np.asarray(out / np.linalg.norm(out, axis=-1, keepdims=True))


def toes_up(motion: Motion, *, scene: Scene | None, level: float) -> Motion:
    """The motion with toes that have joints of their own bent up where their tips sink, softly."""
    soles = [s for s in motion.rig.soles if s.joints[-1] != s.joints[0]]
    if not soles:
        return motion
    positions, orientations = motion.world()
    rotations = np.array(motion.rotations)
    up = np.array([0.0, 1.0, 0.0])
    for sole in soles:
        toe = sole.joints[-1]
        tip = rotate(orientations[:, toe], np.array(sole.points[-1]))
        length = float(np.linalg.norm(sole.points[-1]))
        if length < 1e-6:
            continue
        point = positions[:, toe] + tip
        floor = np.full(len(point), level) if scene is None else scene.ground_height(point)
        sunk = np.where(np.isfinite(floor), floor, -np.inf) - point[:, 1]
        rise = np.minimum(softly(sunk, _SOFT * motion.skeleton.height), 0.9 * length - tip[:, 1])
        angle = np.arcsin(np.clip((tip[:, 1] + rise) / length, -1, 1)) - np.arcsin(
            np.clip(tip[:, 1] / length, -1, 1)
        )
        turned = multiply(about_each(_unit(np.cross(tip, up)), np.maximum(angle, 0.0)), orientations[:, toe])
        rotations[:, toe] = multiply(inverse(orientations[:, int(motion.skeleton.parents[toe])]), turned)
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    return motion.with_(rotations=owned(rotations))


def about_each(axes: FloatArray, angles: FloatArray) -> FloatArray:
    """(F, 4) turns about unit axes (F, 3) by angles (F,), radians."""
    return exp(axes * angles[:, None])


def softly(over: FloatArray, soft: float | FloatArray) -> FloatArray:
    """max(over, 0), rounded: 0 well below, half of `soft` at 0, never less than what is over."""
    rounded = 0.5 * (over + np.hypot(over, soft)) - 0.5 * (np.hypot(8.0, 1.0) - 8.0) * soft
    return np.asarray(np.maximum(np.maximum(rounded, over), 0.0))


def smoothed(values: FloatArray, frames: float) -> FloatArray:
    """values (F, …) smoothed over time by a Gaussian of that deviation; the ends are held."""
    from scipy.ndimage import gaussian_filter1d

    if frames < 0.3 or len(values) < 2:
        return np.array(values)
    return np.asarray(gaussian_filter1d(values, frames, axis=0, mode="nearest"))


def _unit(v: FloatArray) -> FloatArray:
    return np.asarray(v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-12))


def hand_tip(motion: Motion, joint: int) -> FloatArray:
    """(3,) the furthest thing that hangs on a hand, from its joint; what is no hand's length is no hand."""
    skeleton = motion.skeleton
    rest, below = skeleton.rest_positions(), skeleton.descendants(joint)
    tips = [rest[j] - rest[joint] for j in below]
    tips += [rest[e.joint] + e.offset - rest[joint] for e in skeleton.ends if e.joint in below]
    longest = _HAND * skeleton.height
    return max(
        (t for t in tips if float(np.linalg.norm(t)) < longest),
        key=lambda t: float(t @ t),
        default=np.zeros(3),
    )


def limb_lengths(motion: Motion) -> FloatArray:
    """(L,) of the limbs of a rig, metres: along their bones."""
    lengths = []
    for limb in motion.rig.limbs:
        at, length = limb.end, 0.0
        while at != limb.root and at >= 0:
            length += float(np.linalg.norm(motion.skeleton.offsets[at]))
            at = int(motion.skeleton.parents[at])
        lengths.append(length)
    return np.array(lengths)


def end_errors(motion: Motion, led: Sequence[Led]) -> FloatArray:
    """(F, N) metres by which led joints miss their places, where they must be there."""
    positions = motion.positions()
    if not led:
        return np.zeros((len(motion), 0))
    return owned(
        np.stack(
            [p.leads * np.linalg.norm(positions[:, p.joint] - p.place, axis=1) for p in led], axis=1
        ).reshape(len(motion), len(led))
    )
