"""A figure brought to where its feet shall be: the root follows smoothly, the legs exactly.

The root goes where the feet go, by the mean of what they are moved (LS99 4.5), smoothed. Where a
planted foot would then be out of reach the hips are lowered, as little and as gently as that can be
done. The legs are closed form (LS99 5.3), so that feet are where they shall be to rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..figure import Contact, FloatArray, Motion
from ..figure._arrays import owned
from ..figure.rotations import angle_between, slerp
from ..kinematics import Goal, Place, Position, solve
from .feet import Led, share_at
from .tension import above, near

FOLLOW = 0.2  # seconds: the root does not follow what is quicker
LOWER = 0.15  # seconds: nor is it lowered more quickly, where legs are too short
SWING = 0.05  # how much a swinging foot counts for the root, a planted one being 1
EASE = 0.2  # seconds in which hands that rest part from how they rested, before and after
_STRETCH = (0.985, 0.9995)  # of a leg's length: as far as it may be straightened, and as it may ever
_KNEES = ("left_lower_leg", "right_lower_leg")
_FOOT = 0.1  # of the height, from an ankle to the tips of the toes, about
_STIFF = 300.0  # what turning the trunk costs where legs have no closed form


@dataclass(frozen=True, slots=True, eq=False)
class Stood:
    """What came out."""

    motion: Motion
    worst: float
    """Metres that a planted part is off at most, heel and toes included."""
    lowered: float
    """Metres by which the hips are lowered at most."""
    unmet: tuple[str, ...]
    """Contacts that cannot be met, each with where it is worst and by how much."""


def stand(
    motion: Motion,
    feet: Sequence[Led],
    contacts: Sequence[Contact] = (),
    *,
    offset: FloatArray | None = None,
    rise: Callable[[FloatArray], FloatArray] | None = None,
) -> Stood:
    """The motion with its feet on their paths; other parts that rest, by `contacts`, stay where they do.

    `offset` (F, 3) is added to the root's way, metres. `rise` says how far the ground under places
    (F, 3) is lifted, and with it what rests there. Trunk and head keep their rotations, the knees bend
    their own way only. It costs 30 µs a frame.
    """
    moved, lowered = _root(motion, feet, offset)
    held = [*feet, *_others(motion, moved, contacts, feet, rise)]
    goals = [_goal(part) for part in held]
    ends = {limb.end for limb in motion.rig.limbs}
    if all(part.joint in ends for part in held):
        done = solve(moved, goals, solver="limb")
    else:
        limbs = {j for limb in motion.rig.limbs for j in (limb.root, limb.hinge, limb.end)}
        stiff: dict[str | int, float] = {
            name: _STIFF for j, name in enumerate(motion.skeleton.names) if j not in limbs
        }
        done = solve(moved, goals, rigidity={**stiff, "root": _STIFF})
    made = moved.with_(root=done.motion.root, rotations=done.motion.rotations)
    worst, unmet = _judged(made, held)
    return Stood(made, worst, lowered, unmet)


def _root(motion: Motion, feet: Sequence[Led], offset: FloatArray | None) -> tuple[Motion, float]:
    """The motion with its root moved along, and by how many metres it had to be lowered at most."""
    frames, rate = len(motion), motion.frame_rate
    positions = motion.positions()
    weight, way = np.zeros(frames), np.zeros((frames, 3))
    for foot in feet:
        own = np.maximum(foot.share, SWING)
        weight += own
        way += own[:, None] * (foot.place - positions[:, foot.joint])
    mean = way / np.maximum(weight, 1e-12)[:, None]
    shift = near(mean, weight, reach=FOLLOW * rate)
    if offset is not None:
        shift += offset
    need = np.full(frames, -1.0)
    for foot in feet:
        limb = next((limb for limb in motion.rig.limbs if limb.end == foot.joint), None)
        if limb is None:
            continue
        leg = positions[:, limb.root] - positions[:, limb.end]
        bones = motion.skeleton.bone_lengths()
        most = float(bones[limb.hinge] + bones[limb.end])
        reach = most * np.clip(np.linalg.norm(leg, axis=1) / most, *_STRETCH)
        to = positions[:, limb.root] + shift - foot.place
        level = reach**2 - to[:, 0] ** 2 - to[:, 2] ** 2
        too_high = to[:, 1] - np.sqrt(np.maximum(level, 0.0))
        need = np.where(foot.share >= 1.0, np.maximum(need, too_high), need)
    lower = above(need, reach=LOWER * rate)
    root = motion.root + shift
    root[:, 1] -= lower
    return motion.with_(root=owned(root)), float(lower.max(initial=0.0))


def _others(
    motion: Motion,
    moved: Motion,
    contacts: Sequence[Contact],
    feet: Sequence[Led],
    rise: Callable[[FloatArray], FloatArray] | None,
) -> Iterator[Led]:
    """Hands and knees that rest: then they go where they went, and in between along with the body."""
    own = {foot.role for foot in feet}
    (was, was_turned), (now, now_turned) = motion.world(), moved.world()
    for role in sorted({c.role for c in contacts} - own):
        joint = motion.rig.get(role)
        if joint is None:
            continue
        rests = tuple(c for c in contacts if c.role == role)
        share = share_at(rests, len(motion), EASE * motion.frame_rate)
        there = np.array(was[:, joint])
        if rise is not None:
            there[:, 1] += rise(there)
        place = now[:, joint] + share[:, None] * (there - now[:, joint])
        turned = None if role in _KNEES else slerp(now_turned[:, joint], was_turned[:, joint], share)
        yield Led(role, joint, owned(place), None if turned is None else owned(turned), owned(share), rests)


def _goal(part: Led) -> Goal:
    """Feet are led at all times; what else rests, while it does, and a little before and after."""
    weight: ArrayLike = 1.0 if part.role.endswith("_foot") else (part.share > 0.0).astype(np.float64)
    if part.turned is None:
        return Position(point=part.joint, to=part.place, weight=weight)
    return Place(point=part.joint, to=part.place, turned=part.turned, weight=weight)


def _judged(motion: Motion, held: Sequence[Led]) -> tuple[float, tuple[str, ...]]:
    """How far planted parts are off at most, and those contacts that are off by a hundredth of the height."""
    positions, orientations = motion.world()
    height = motion.skeleton.height
    worst, unmet = 0.0, []
    for part in held:
        off = np.linalg.norm(positions[:, part.joint] - part.place, axis=1)
        if part.turned is not None:  # what is turned wrongly moves heel and toes
            off = off + _FOOT * height * angle_between(orientations[:, part.joint], part.turned)
        for contact in part.contacts:
            span = off[contact.first : contact.last + 1]
            if not len(span):
                continue
            worst = max(worst, float(span.max()))
            if span.max() > 0.01 * height:
                unmet.append(
                    f"{part.role} is off by {100 * span.max():.1f} cm at frame "
                    f"{contact.first + int(span.argmax())}, beyond what its limb can do"
                )
    return worst, tuple(unmet)
