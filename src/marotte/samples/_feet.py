"""Feet that stand, roll and swing: footprints first, the body follows.

A foot on the ground is a chain of two rigid parts, heel to ball and ball to tip. It touches down
on its heel (or on its ball), comes flat, lifts its heel about the ball while the toes stay flat,
and leaves over the tip. Whichever point it turns about stays exactly where it is, so that nothing
can slide. Between two stances the ankle follows a polynomial that takes over place, velocity and
acceleration from one stance and hands them to the next.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..figure import Contact, FloatArray, Skeleton, recognise
from ..figure.rotations import about, from_euler, multiply, rotate
from ._body import FootPath, sign
from ._curves import State, through

_DELTA = 1e-3  # seconds: half the stencil of numerical derivatives; the curves are polynomials


@dataclass(frozen=True, slots=True)
class FootShape:
    """Side view of a foot, metres from the point below the ankle, forward and up."""

    ankle: float  # height
    heel: float  # how far behind
    ball: float  # how far ahead
    tip: float


def foot_shape(skeleton: Skeleton) -> FootShape:
    """The side view of a figure's left foot."""
    rig = recognise(skeleton)
    rest = skeleton.rest_positions()
    ankle = rest[rig["left_foot"]]
    heel, ball, tip = (
        rest[j] + np.array(p) - ankle for j, p in zip(rig.soles[0].joints, rig.soles[0].points, strict=True)
    )
    return FootShape(float(-heel[1]), float(-heel[2]), float(ball[2]), float(tip[2]))


@dataclass(frozen=True, slots=True)
class Stance:
    """One contact of a foot. Times are seconds; pitch is degrees, positive with the toes up."""

    on: float  # touches down
    off: float  # leaves
    x: float  # below the ankle of the flat foot, metres
    z: float
    heading: float = 0.0  # radians
    flat: float = 0.0  # seconds from touching down to flat
    lift: float = 0.0  # seconds from the heel's lifting to leaving; 0 leaves flat
    strike: float = 0.0  # pitch at touchdown: positive on the heel, negative on the ball
    strike_speed: float = 0.0  # degrees a second
    push: float = 0.0  # pitch at leaving, negative
    push_speed: float = 0.0  # degrees a second, negative
    toe_push: float = 0.0  # pitch of the toes at leaving, negative
    y: float = 0.0  # height of the ground there
    slope: float = 0.0  # of the ground along the foot, degrees, positive uphill
    bank: float = 0.0  # of the ground across the foot, degrees, positive: higher on the left


@dataclass(frozen=True, slots=True)
class Way:
    """A place a swinging foot passes: share of the swing's time and of its way, the clearance of
    its lowest point above the ground, metres, and its pitch, degrees."""

    time: float
    along: float
    clearance: float
    pitch: float
    out: float = 0.0  # metres sideways, away from the other foot


@dataclass(frozen=True, slots=True)
class Swing:
    """How a foot travels between two stances along a path in the world.

    For steps that matter for where they go: onto a thing, aside, up from a crouch. Walking legs
    swing by their joints instead (`_swing.py`).
    """

    ways: tuple[Way, ...] = (Way(0.5, 0.5, 0.04, -8.0),)
    toes: float = 4.0  # degrees the toes are held up on the way


@dataclass(frozen=True, slots=True, eq=False)
class _Pose:
    """Arrays (F,) of a foot in its own vertical plane."""

    forward: FloatArray  # of the ankle from the footprint, metres
    up: FloatArray
    pitch: FloatArray  # degrees
    toes: FloatArray  # degrees of toe extension relative to the foot


def _ease(u: FloatArray, value: float, slope: float) -> FloatArray:
    """From 0 at u = 0, at rest and without acceleration, to `value` with `slope` at u = 1, where
    the acceleration is none again."""
    return np.asarray(
        value * u**3 * (10.0 - 15.0 * u + 6.0 * u * u) + slope * u**3 * (-4.0 + 7.0 * u - 3.0 * u * u)
    )


def stance_pose(stance: Stance, shape: FootShape, t: FloatArray) -> _Pose:
    pitch = np.zeros_like(t)
    toe_pitch = np.zeros_like(t)
    if stance.flat > 0.0:
        u = (stance.on + stance.flat - t) / stance.flat
        early = _ease(np.maximum(u, 0.0), stance.strike, -stance.strike_speed * stance.flat)
        pitch += early
    if stance.lift > 0.0:
        u = (t - (stance.off - stance.lift)) / stance.lift
        pitch += _ease(np.maximum(u, 0.0), stance.push, stance.push_speed * stance.lift)
        if stance.toe_push:
            # the tips leave last: the toes tip over in the last part of the push
            v = np.maximum((u - 0.55) / 0.45, 0.0)
            toe_pitch += _ease(v, stance.toe_push, 2.2 * stance.toe_push)
    heel = np.radians(np.maximum(pitch, 0.0))
    fore = np.radians(np.minimum(pitch, 0.0))
    tips = np.radians(toe_pitch)
    # about the tip, then about the ball, or about the heel
    c, s = np.cos(-tips), np.sin(-tips)
    toe = shape.tip - shape.ball
    ball_forward, ball_up = shape.tip - toe * c, toe * s
    back, height = shape.ball, shape.ankle
    c, s = np.cos(-fore), np.sin(-fore)
    forward = ball_forward - back * c + height * s
    up = ball_up + back * s + height * c
    c, s = np.cos(heel), np.sin(heel)
    forward = forward + (-shape.heel + shape.heel * c - height * s) * (heel > 0.0)
    up = np.where(heel > 0.0, shape.heel * s + height * c, up)
    return _Pose(np.asarray(forward), np.asarray(up), pitch, np.where(pitch < 0, toe_pitch - pitch, 0.0))


FootPose = tuple[FloatArray, FloatArray, FloatArray]
"""Ankle (F, 3), world orientation (F, 4), and toe angle (F,) about x, radians."""

Carry = Callable[[Stance, Stance, FootShape, FloatArray], FootPose]
"""How a foot gets from one stance to the next, at times (F,) between them."""


def ground_turn(stance: Stance) -> FloatArray:
    """(4,) how a flat foot lies there."""
    angles = [stance.heading, -math.radians(stance.slope), math.radians(stance.bank)]
    return from_euler(np.array(angles), "YXZ")


def ground_between(a: Stance, b: Stance, t: FloatArray) -> FloatArray:
    """(F, 4) from how a foot lies in one stance to how it lies in the next."""
    u = np.clip((t - a.off) / (b.on - a.off), 0.0, 1.0)
    share = u**3 * (10.0 - 15.0 * u + 6.0 * u * u)

    def between(x: float, y: float) -> FloatArray:
        return np.asarray(x + share * (y - x))

    heading = between(a.heading, b.heading)
    slope = np.radians(between(-a.slope, -b.slope))
    return from_euler(np.stack([heading, slope, np.radians(between(a.bank, b.bank))], axis=-1), "YXZ")


def foot_turn(ground: FloatArray, pitch: FloatArray) -> FloatArray:
    """(F, 4) world orientation of a foot pitched so many degrees on its ground."""
    return multiply(ground, about(_X, -np.radians(pitch)))


def ankle_at(stance: Stance, shape: FootShape, t: FloatArray) -> FloatArray:
    """(F, 3) where the ankle is at times within a stance, or just beyond, world."""
    pose = stance_pose(stance, shape, t)
    flat = np.stack([np.zeros_like(t), pose.up, pose.forward], axis=1)
    return np.asarray(np.array([stance.x, stance.y, stance.z]) + rotate(ground_turn(stance), flat))


def state(values: FloatArray) -> State:
    """Place, velocity and acceleration from values at the three times of a stencil."""
    before, at, after = values
    return at, (after - before) / (2.0 * _DELTA), (after - 2.0 * at + before) / _DELTA**2


def stencil(t: float) -> FloatArray:
    """Three times around t."""
    return np.array([t - _DELTA, t, t + _DELTA])


def lowest_below_ankle(shape: FootShape, pitch: float, toes: float) -> float:
    """How far a pitched foot's lowest point lies below its ankle, metres; degrees in."""
    p, e = math.radians(pitch), math.radians(pitch + toes)
    height = shape.ankle * math.cos(p)
    heel = height + shape.heel * math.sin(p)
    ball = height - shape.ball * math.sin(p)
    tip = ball - (shape.tip - shape.ball) * math.sin(e)
    return max(heel, ball, tip)


def lowest(path: FootPath, shape: FootShape) -> FloatArray:
    """(F,) height of a foot's lowest point, metres."""
    toe = shape.tip - shape.ball
    forward = np.stack([np.zeros_like(path.toes), -np.sin(path.toes), np.cos(path.toes)], axis=1)
    ball = np.array([0.0, -shape.ankle, shape.ball])
    heel = rotate(path.orientation, np.array([0.0, -shape.ankle, -shape.heel]))
    front = rotate(path.orientation, ball)
    tip = rotate(path.orientation, ball + toe * forward)
    return np.asarray(path.ankle[:, 1] + np.min([heel[:, 1], front[:, 1], tip[:, 1]], axis=0))


def foot_path(
    stances: Sequence[Stance], t: FloatArray, shape: FootShape, carry: Carry | Sequence[Carry]
) -> FootPath:
    """The path of a foot through its stances, in order of time, at times t (F,).

    `carry` leads it over all gaps between stances, or there is one for each gap. Before the first
    stance and after the last the foot stays as it is there.
    """
    frames = len(t)
    ankle = np.empty((frames, 3))
    turn = np.empty((frames, 4))
    toes = np.empty(frames)
    for i, stance in enumerate(stances):
        first, last = i == 0, i == len(stances) - 1
        here = ((t >= stance.on - _HAIR) | first) & ((t <= stance.off + _HAIR) | last)
        if not first:
            here &= t > stances[i - 1].off + _HAIR
        if here.any():
            inside = np.clip(t[here], stance.on, stance.off)
            pose = stance_pose(stance, shape, inside)
            ankle[here] = ankle_at(stance, shape, inside)
            turn[here] = foot_turn(ground_turn(stance), pose.pitch)
            toes[here] = -np.radians(pose.toes)
        if not last:
            gap = (t > stance.off + _HAIR) & (t < stances[i + 1].on - _HAIR)
            if gap.any():
                lead = carry if callable(carry) else carry[i]
                ankle[gap], turn[gap], toes[gap] = lead(stance, stances[i + 1], shape, t[gap])
    return FootPath(ankle, turn, toes)


def carried(swing: Swing, side: str) -> Carry:
    """A foot led along a path in the world."""

    def carry(a: Stance, b: Stance, shape: FootShape, t: FloatArray) -> FootPose:
        span = b.on - a.off
        leave, land = (stance_pose(s, shape, stencil(at)) for s, at in ((a, a.off), (b, b.on)))
        times = [a.off + w.time * span for w in swing.ways]

        def path(start: FloatArray, end: FloatArray, way: list[FloatArray]) -> FloatArray:
            places = list(zip(times, way, strict=True))
            return through(t, (a.off, state(start)), (b.on, state(end)), places)

        pitches = [np.array([w.pitch]) for w in swing.ways]
        held = [np.array([swing.toes]) for _ in swing.ways]
        pitch = path(leave.pitch[:, None], land.pitch[:, None], pitches)[:, 0]
        toes = path(leave.toes[:, None], land.toes[:, None], held)[:, 0]
        start, end = ankle_at(a, shape, stencil(a.off)), ankle_at(b, shape, stencil(b.on))
        far = math.hypot(b.x - a.x, b.z - a.z) > 0.05
        travel = math.atan2(b.x - a.x, b.z - a.z) if far else b.heading
        outward = sign(side) * np.array([math.cos(travel), 0.0, -math.sin(travel)])
        way = []
        for w in swing.ways:
            place = start[1] + w.along * (end[1] - start[1]) + w.out * outward
            ground = a.y + w.along * (b.y - a.y)
            place[1] = ground + w.clearance + lowest_below_ankle(shape, w.pitch, swing.toes)
            way.append(place)
        ankle = path(start, end, way)
        return ankle, foot_turn(ground_between(a, b, t), pitch), -np.radians(toes)

    return carry


_X = np.array([1.0, 0.0, 0.0])
_HAIR = 1e-9  # seconds: a frame this near a contact's end belongs to it


def foot_contacts(stances: Sequence[Stance], side: str, frames: int, frame_rate: float) -> list[Contact]:
    """The stances as frames, both ends included."""
    found = []
    for stance in stances:
        first = max(0, math.ceil(max(stance.on, -1.0) * frame_rate - 1e-6))
        last = min(frames - 1, math.floor(min(stance.off, 1e6) * frame_rate + 1e-6))
        if first <= last:
            found.append(Contact(f"{side}_foot", first, last))
    return found
