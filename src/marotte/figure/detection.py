"""Finding contacts: when feet, hands and knees of a motion rest, and which part of a foot does.

A point of the body (heel, ball and tip of a sole, wrist and fingertips, a knee) rests where it is
both low and slow, with hysteresis: two thresholds each, so that noise near one value does not make
it flicker. It also rests, at whatever height, where it stays in one place while the limb's upper end
moves on: the foot on a step, the hand on a rope. The begin and the end of each rest are then the
moments at which the point most likely stops and starts, given how noisy it is.

What this cannot see: a touch that lasts no time (a knock), a thing that moves with the hand that
holds it, and a hand at rest on something beside a body at rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .. import kernels
from ..errors import InputError
from ._arrays import BoolArray, FloatArray, IntArray
from .contacts import SOMETHING, Contact, ground_height, intervals, without_short_runs
from .rig import SIDES
from .rotations import rotate

if TYPE_CHECKING:
    from .motion import Motion
    from .scene import Scene

Vector = tuple[float, float, float]

_SOLE = ("heel", "ball", "tip")


@dataclass(frozen=True, slots=True)
class ContactThresholds:
    """When a point counts as resting. Values for a figure 1.7 m tall; lengths and speeds scale with
    its height. What noise adds to speeds is added to the thresholds, too."""

    begin_height: float = 0.035  # metres above ground: lower and slower begins a contact of a sole
    end_height: float = 0.06
    begin_speed: float = 0.25  # metres a second, horizontal and vertical together
    end_speed: float = 0.5
    shortest: float = 0.05  # seconds; briefer touches and gaps are noise
    reference_height: float = 1.7  # metres
    hand_height: float = 0.04  # metres that wrists, and
    knee_height: float = 0.05  # that knees are higher than soles when they rest
    still_speed: float = 0.25  # m/s: what is slower, and
    still_spread: float = 0.02  # stays within so many metres, may rest at any height,
    still_ratio: float = 5.0  # if its limb's upper end moves by so many times as far as itself
    still_foot: float = 0.12  # seconds that a foot must stay so,
    still_hand: float = 0.4  # and a hand: hands of walkers stand still for a moment, too

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if not math.isfinite(value) or value < 0 or (value == 0 and name == "reference_height"):
                raise InputError(f"{name} must be a positive number, but is {value}")


@dataclass(frozen=True, slots=True, order=True)
class Phase:
    """One point of the body rests in one place from the first to the last frame, both included.

    A foot that strikes with the heel and leaves over the toes is one contact of three phases that
    overlap. Whoever pins feet pins each of these points where it rests.
    """

    role: str
    part: str
    """heel, ball, tip or ankle of a foot, wrist or fingers of a hand, knee."""
    first: int
    last: int
    on: str = ""
    """As of the contact that it is part of."""
    joint: int = -1
    """The joint that carries the point."""
    offset: Vector = (0.0, 0.0, 0.0)
    """Metres, the point in the joint's frame."""
    place: Vector = (0.0, 0.0, 0.0)
    """Metres, where in the world it rests: the median over its frames."""


def detect_contacts(
    motion: Motion, *, scene: Scene | None = None, thresholds: ContactThresholds | None = None
) -> tuple[Contact, ...]:
    """Find when feet, hands and knees rest on something.

    Without a scene the ground is flat, and its height is where the soles rest most: real takes
    seldom have their floor at exactly zero. Feet on steps and slopes, and hands in the air, are found
    by their staying behind; such a hand rests on SOMETHING. With a scene, a contact names the object
    that is nearest, unless that is ground. A figure without feet, hands and knees has no contacts.
    """
    limits = thresholds or ContactThresholds()
    found: list[Contact] = []
    for limb in _limbs(motion, scene, limits):
        rests = np.asarray(limb.rests.any(axis=1))
        mask = without_short_runs(rests, round(limits.shortest * motion.frame_rate))
        found += [
            Contact(run.role, run.first, run.last, limb.on(run.first, run.last))
            for run in intervals(limb.role, mask)
        ]
    return tuple(sorted(found, key=lambda c: (c.first, c.role)))


def contact_phases(
    motion: Motion,
    *,
    contacts: Sequence[Contact] | None = None,
    scene: Scene | None = None,
    thresholds: ContactThresholds | None = None,
) -> tuple[Phase, ...]:
    """Which point of each foot, hand and knee rests when, within its contacts.

    The contacts are those given, else the motion's own, else what `detect_contacts` finds. In every
    frame of a contact at least one point rests: where the motion shows none, the lowest does. Points
    of a part that the figure has no joint for are left out.
    """
    limits = thresholds or ContactThresholds()
    if contacts is None:
        contacts = motion.contacts
    if contacts is None:
        contacts = detect_contacts(motion, scene=scene, thresholds=limits)
    frames = len(motion)
    shortest = max(1, round(limits.shortest * motion.frame_rate))
    found: list[Phase] = []
    for limb in _limbs(motion, scene, limits):
        for contact in contacts:
            if contact.role != limb.role or contact.first >= frames:
                continue
            span = slice(contact.first, min(contact.last, frames - 1) + 1)
            rests = np.array(limb.rests[span])
            for k in range(rests.shape[1]):
                rests[:, k] = without_short_runs(rests[:, k], shortest)
            none = ~rests.any(axis=1)
            rests[none, limb.places[span, :, 1][none].argmin(axis=1)] = True
            for k, part in enumerate(limb.parts):
                for run in intervals(limb.role, rests[:, k]):
                    there = limb.points[span][run.first : run.last + 1, k]
                    x, y, z = (float(v) for v in np.median(there, axis=0))
                    first, last = contact.first + run.first, contact.first + run.last
                    joint, offset = limb.joints[k], limb.offsets[k]
                    found.append(Phase(limb.role, part, first, last, contact.on, joint, offset, (x, y, z)))
    return tuple(sorted(found, key=lambda p: (p.first, p.role, p.last, p.part)))


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the body that may rest."""

    role: str
    parts: tuple[str, ...]
    joints: tuple[int, ...]
    offsets: tuple[Vector, ...]
    anchor: int | None  # the joint at the limb's upper end; None for parts that must be low to rest
    height: float  # metres above ground at rest, at the height of reference
    still: float  # seconds


@dataclass(slots=True)
class _Limb:
    """The same in a motion: F frames, S points."""

    role: str
    parts: tuple[str, ...]
    joints: tuple[int, ...]
    offsets: tuple[Vector, ...]
    points: FloatArray  # (F, S, 3) world, metres
    places: FloatArray  # (F, S, 3) the same without noise
    rests: BoolArray  # (F, S)
    heights: FloatArray  # (F, S) above what is below, metres
    high: float  # metres: what rests higher rests on something that nobody told of
    under: IntArray | None  # (F, S) number of the nearest object of the scene
    names: tuple[str, ...]  # of the scene's objects, nothing for ground

    def on(self, first: int, last: int) -> str:
        """What it rests on in these frames."""
        if self.under is None and not self.role.endswith("hand"):
            return ""
        rests = self.rests[first : last + 1]
        heights = np.where(rests, self.heights[first : last + 1], np.nan)
        usual = float(np.nanmedian(heights)) if rests.any() else 0.0
        if usual > self.high:
            return SOMETHING
        if self.under is None or not rests.any():
            return ""
        near = self.under[first : last + 1][rests]
        return self.names[int(np.bincount(near[near >= 0]).argmax())] if (near >= 0).any() else ""


def _parts(motion: Motion, limits: ContactThresholds) -> Iterator[_Part]:
    rig, skeleton = motion.rig, motion.skeleton
    for sole in rig.soles:
        names = _SOLE if len(sole.joints) == len(_SOLE) else tuple("ankle" for _ in sole.joints)
        upper = rig.get(sole.foot.replace("foot", "upper_leg"))
        yield _Part(sole.foot, names, sole.joints, sole.points, upper, 0.0, limits.still_foot)
    for side in SIDES:
        hand = rig.get(f"{side}_hand")
        if hand is not None:
            joint, offset = _fingertips(motion, hand)
            yield _Part(
                f"{side}_hand", ("wrist", "fingers"), (hand, joint), ((0.0, 0.0, 0.0), offset),
                rig.get(f"{side}_upper_arm"), limits.hand_height, limits.still_hand,
            )  # fmt: skip
        knee = rig.get(f"{side}_lower_leg")
        if knee is not None and skeleton.children(knee):
            yield _Part(
                f"{side}_lower_leg", ("knee",), (knee,), ((0.0, 0.0, 0.0),), None, limits.knee_height, 0.0
            )


def _fingertips(motion: Motion, hand: int) -> tuple[int, Vector]:
    """The point of a hand that is farthest from the wrist in the rest pose: its joint and offset."""
    skeleton = motion.skeleton
    rest = skeleton.rest_positions()
    inside = {hand, *skeleton.descendants(hand)}
    best: tuple[float, int, Vector] = (0.0, hand, (0.0, 0.0, 0.0))
    for joint in sorted(inside):
        away = float(np.linalg.norm(rest[joint] - rest[hand]))
        best = max(best, (away, joint, (0.0, 0.0, 0.0)))
    for end in skeleton.ends:
        if end.joint in inside:
            x, y, z = (float(v) for v in end.offset)
            away = float(np.linalg.norm(rest[end.joint] + np.array(end.offset) - rest[hand]))
            best = max(best, (away, end.joint, (x, y, z)))
    return best[1], best[2]


def _limbs(motion: Motion, scene: Scene | None, limits: ContactThresholds) -> Iterator[_Limb]:
    """Every part of the figure that may rest, and in which frames its points do."""
    frames, rate = len(motion), motion.frame_rate
    parts = list(_parts(motion, limits))
    if frames == 0 or not parts:
        return
    scale = motion.skeleton.height / limits.reference_height
    if scale <= 0.0:
        return
    positions, orientations = motion.world()
    where = [
        np.ascontiguousarray(
            positions[:, list(p.joints)] + rotate(orientations[:, list(p.joints)], np.array(p.offsets))
        )
        for p in parts
    ]
    soles = [w for w, p in zip(where, parts, strict=True) if p.role.endswith("foot")]
    level = ground_height(soles or where)
    scene = None if scene is None else scene.at_rate(rate)
    names = () if scene is None else tuple(scene.ground_names())
    stands = np.zeros(frames, dtype=np.int64)  # on a foot; feet come first
    for part, points in zip(parts, where, strict=True):
        noise = _noise(points)
        half = _half(noise / scale, rate)
        blur = 1.0 / math.sqrt(2.0 * sum(k * k for k in range(1, half + 1)))
        doubt, slack = noise * rate * blur, 4.0 * noise / math.sqrt(2 * half + 1)
        places, speeds = np.empty_like(points), np.empty(points.shape[:2])
        kernels.contacts.track(points, half, rate, places, speeds)
        under: IntArray | None = None
        if scene is None:
            floor = level
            if part.role.endswith("foot"):  # rest poses put soles a little too high or too low
                own = ground_height([points])
                floor = own if abs(own - level) < limits.end_height * scale else level
            heights = places[..., 1] - floor
        else:
            heights, under = scene.nearest(places, np.arange(frames)[:, None])
        above = np.ascontiguousarray(heights - part.height * scale)
        # what moves slowly all the time must be slower to rest
        fast = 0.3 * float(
            np.partition(speeds.ravel(), int(0.9 * (speeds.size - 1)))[int(0.9 * (speeds.size - 1))]
        )
        end = min(max(fast, 0.4 * limits.end_speed * scale), limits.end_speed * scale)
        begin = min(limits.begin_speed * scale, 0.5 * end + 0.2 * limits.begin_speed * scale)
        rests = np.zeros(points.shape[:2], dtype=np.int64)
        kernels.contacts.low_and_slow(
            above, speeds, limits.begin_height * scale, limits.end_height * scale,
            begin + 1.5 * doubt, end + 2.0 * doubt, rests,
        )  # fmt: skip
        if part.anchor is not None:
            anchor = np.empty((frames, 1, 3))
            kernels.contacts.track(
                np.ascontiguousarray(positions[:, [part.anchor]]), half, rate, anchor, np.empty((frames, 1))
            )
            hand = part.role.endswith("hand")
            kernels.contacts.stay_behind(
                places, speeds, anchor[:, 0], stands, limits.still_speed * scale + 3.0 * doubt,
                end + 2.0 * doubt, limits.still_spread * scale,
                scale * (_LEAST_HAND if hand else _LEAST_FOOT),
                scale * (_LEAST_HANGING if hand else _LEAST_FOOT),
                limits.still_ratio, slack, max(2, round(part.still * rate)), rests,
            )  # fmt: skip
        kernels.contacts.refine(
            points, max(3, round(_INNER * rate)), max(1, round(_OUTER * rate)),
            max(noise, _FINEST * scale), _LOOSE * rate, rests,
        )  # fmt: skip
        if part.role.endswith("foot"):
            stands |= ((rests == 1) & (above < limits.end_height * scale)).any(axis=1)
        yield _Limb(
            part.role, part.parts, part.joints, part.offsets, points, places, rests.astype(np.bool_),
            above, limits.end_height * scale, under, names,
        )  # fmt: skip


# Metres, for a figure 1.7 m tall, by which a limb's upper end must at least move while its end stays
# behind. A body that no foot carries must hang on its raised hands, if these stay at all.
_LEAST_FOOT, _LEAST_HAND, _LEAST_HANGING = 0.04, 0.05, 0.003
_INNER, _OUTER = 0.12, 0.05  # seconds that ends of rests are looked for inside and outside
_LOOSE = 0.02  # seconds: how far such ends usually are from where thresholds put them
_FINEST = 0.0004  # metres: no motion is less noisy than this
_WIDEST = 0.07  # seconds to either side over which speeds are taken, at most
_SURE = 0.07  # m/s of noise that speeds may have


def _noise(points: FloatArray) -> float:
    """The deviation of white noise in one coordinate of points (F, S, 3), metres.

    Third differences of a body's motion are small, those of noise √20 times the noise; the quietest
    fifth of the frames tells the most. It is the length of three coordinates, hence the 1.003.
    """
    if len(points) < 8:
        return 0.0
    sizes = np.linalg.norm(np.diff(points, 3, axis=0), axis=-1).ravel()
    fifth = int(0.2 * (len(sizes) - 1))
    return float(np.partition(sizes, fifth)[fifth] / (1.003 * math.sqrt(20.0)))


def _half(noise: float, rate: float) -> int:
    """Over how many frames to either side speeds are taken, so that noise leaves them sure enough."""
    half, squares = 1, 1
    while (half + 1) / rate <= _WIDEST and noise * rate > _SURE * math.sqrt(2.0 * squares):
        half += 1
        squares += half * half
    return half
