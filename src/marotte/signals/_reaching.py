"""The pose at one frame that brings points of the figure to places."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from ..figure import FloatArray, Motion, select_joints
from ..figure.signals import path, resolve_point
from ..kinematics import Goal, Place, Position, joint_limits, solve
from .displacement_keys import ReachKey

_LIMBS = ("left_arm", "right_arm", "left_leg", "right_leg", "head")


def reached(
    motion: Motion, frame: int, keys: Sequence[ReachKey], fixed: Collection[int]
) -> tuple[FloatArray, set[int]]:
    """Rotations (J, 4) at a frame that meet the keys, and the joints that their points hang on.

    The limbs of the points turn first; where they do not reach, the trunk helps, and hands that
    rest on something stay there. The root never moves, nor do joints that are `fixed`. What
    cannot be reached is come near to, with a warning.
    """
    still = _one_frame(motion, frame)
    points = [resolve_point(motion, key.point) for key in keys]
    above = set().union(*(_above(motion, point.joint) for point in points))
    goals: list[Goal] = [Position(point=key.point, to=np.asarray(key.to, dtype=np.float64)) for key in keys]
    near = 1e-4 * motion.skeleton.height
    if all(_miss(still, key) <= near for key in keys):
        return motion.rotations[frame], above
    said = [select_joints(motion.skeleton, motion.rig, key.parts) for key in keys if key.parts is not None]
    limbs = {
        j for key, p in zip(keys, points, strict=True) if key.parts is None for j in _limb(motion, p.joint)
    }
    limbs |= {j for mask in said for j in np.flatnonzero(mask).tolist()}
    stages = [(limbs & above, list(goals))]
    if any(key.parts is None for key in keys):
        held = _held(motion, still, frame, above)
        free = limbs | above if not said else limbs
        for joint, goal in held:
            free = free | _above(motion, joint)
            above |= _above(motion, joint)
            goals.append(goal)
        stages.append((free, goals))
    found = still
    for free, wanted in stages:
        free = free - {0} - set(fixed)
        if not free:
            continue
        found = _solved(still, wanted, free)
        if all(_miss(found, key) <= near for key in keys):
            return found.rotations[0], above
    for key in keys:
        miss = _miss(found, key)
        if miss > near:
            warnings.warn(
                f"{key.point!r} stays {100.0 * miss:.1f} cm from its place at frame {frame}: "
                "it is beyond reach; move the figure, or let more parts turn",
                stacklevel=2,
            )
    return found.rotations[0], above


def _solved(still: Motion, goals: Sequence[Goal], free: Collection[int]) -> Motion:
    """The least change of the free joints that meets the goals."""
    skeleton = still.skeleton
    letters = [
        c if j in free else "".join(x for x in c if x.islower()) for j, c in enumerate(skeleton.channels)
    ]
    stiff = still.with_(skeleton=replace(skeleton, channels=tuple(letters)), rig=still.rig)
    limits = joint_limits(skeleton, "own", still.rig)
    answer = solve(stiff, goals, limits=limits, root_moves=False, threads=1)
    kept = np.array(still.rotations)
    chosen = sorted(free)
    kept[:, chosen] = answer.motion.rotations[:, chosen]
    return still.with_(rotations=kept)


def _one_frame(motion: Motion, frame: int) -> Motion:
    """One frame; bones that a file stretches are that long from the start."""
    one = motion[frame : frame + 1].with_(contacts=None)
    if one.translations is None:
        return one
    offsets = motion.skeleton.offsets + one.translations[0]
    offsets[0] = motion.skeleton.offsets[0]
    skeleton = replace(motion.skeleton, offsets=offsets)
    return one.with_(skeleton=skeleton, rig=motion.rig, translations=None)


def _above(motion: Motion, joint: int) -> set[int]:
    """A joint and all that it hangs on."""
    found = set()
    while joint >= 0:
        found.add(joint)
        joint = int(motion.skeleton.parents[joint])
    return found


def _limb(motion: Motion, joint: int) -> set[int]:
    """The limb that a joint belongs to, or all that it hangs on where it belongs to none."""
    for part in _LIMBS:
        try:
            mask = select_joints(motion.skeleton, motion.rig, part)
        except ValueError:  # a figure without roles has no such part
            continue
        if mask[joint]:
            return set(np.flatnonzero(mask).tolist())
    return _above(motion, joint)


def _held(motion: Motion, still: Motion, frame: int, above: Collection[int]) -> list[tuple[int, Goal]]:
    """Goals for parts that rest on something and would be moved along with the joints above."""
    found: list[tuple[int, Goal]] = []
    places, turns = still.world()
    for contact in motion.contacts or ():
        joint = motion.rig.get(contact.role)
        if joint is None or joint in above or not contact.first <= frame <= contact.last:
            continue
        if any(joint == other for other, _ in found) or not (_above(motion, joint) - {0}) & set(above):
            continue
        found.append((joint, Place(point=joint, to=places[0, joint], turned=turns[0, joint])))
    return found


def _miss(still: Motion, key: ReachKey) -> float:
    """Metres between the point and its place."""
    return float(np.linalg.norm(path(still, key.point)[0] - np.asarray(key.to, dtype=np.float64)))
