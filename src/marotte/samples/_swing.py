"""A leg's swing as the leg sees it: bending and stretching its knee while it turns about the hip.

Feet that are led along a path in the world make knees that jerk, because near full stretch a
centimetre of way is fifteen degrees of knee. Here the knee's angle and the leg's angle are the
curves, as gait laboratories measure them, and the foot's path follows from them. Both curves take
over place, velocity and acceleration from the stances before and after.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..figure import FloatArray
from ._curves import State, through
from ._feet import (
    Carry,
    FootPose,
    FootShape,
    Stance,
    ankle_at,
    foot_turn,
    ground_between,
    lowest_below_ankle,
    stance_pose,
    state,
    stencil,
)
from ._limbs import TwoBone

# Radians that a knee keeps bent while it swings.
_STRAIGHTEST = math.radians(7.2)

Hip = Callable[[FloatArray], FloatArray]
Heading = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True)
class LegSwing:
    """How a leg is carried forward. Times are shares of the swing, angles degrees."""

    knee: tuple[tuple[float, float], ...] = ((0.32, 62.0),)  # time, flexion
    turn: tuple[tuple[float, float], ...] = ()  # time, share of the leg's turn about the hip
    pitch: tuple[tuple[float, float], ...] = ((0.42, -26.0), (0.7, 0.0), (0.9, 15.0))  # time, foot's pitch
    toes: float = 4.0  # extension on the way
    clearance: float = 0.012  # metres that the foot keeps above the ground in the middle
    out: float = 0.0  # metres that the foot is led around, away from the other leg


@dataclass(frozen=True, slots=True)
class LegSpace:
    """What a leg's swing is seen from."""

    hip: Hip  # (F,) seconds to (F, 3), where the thigh hangs, world
    heading: Heading  # (F,) seconds to (F,) radians
    limb: TwoBone
    side: float  # 1 left, −1 right


def to_leg(space: LegSpace, t: FloatArray, ankle: FloatArray) -> FloatArray:
    """(F, 3) one minus the cosine of the knee's flexion, angle of the leg forward of straight down,
    radians, and metres to the left.

    The cosine, because the angle itself has no bounded derivative where the leg is straight.
    """
    arm = ankle - space.hip(t)
    a = space.heading(t)
    forward = arm[:, 0] * np.sin(a) + arm[:, 2] * np.cos(a)
    left = arm[:, 0] * np.cos(a) - arm[:, 2] * np.sin(a)
    length = np.linalg.norm(arm, axis=1)
    p, q = space.limb.upper, space.limb.lower
    knee = 1.0 - (length**2 - p * p - q * q) / (2.0 * p * q)
    return np.stack([knee, np.arctan2(forward, -arm[:, 1]), left], axis=1)


def from_leg(space: LegSpace, t: FloatArray, leg: FloatArray) -> FloatArray:
    """(F, 3) world places of the ankle of what `to_leg` gives."""
    p, q = space.limb.upper, space.limb.lower
    square = p * p + q * q + 2.0 * p * q * (1.0 - leg[:, 0])
    inside = np.sqrt(np.maximum(square - leg[:, 2] ** 2, 1e-6))
    forward, down, left = inside * np.sin(leg[:, 1]), inside * np.cos(leg[:, 1]), leg[:, 2]
    a = space.heading(t)
    offset = [forward * np.sin(a) + left * np.cos(a), -down, forward * np.cos(a) - left * np.sin(a)]
    return np.asarray(space.hip(t) + np.stack(offset, axis=1))


def swing_leg(
    a: Stance, b: Stance, swing: LegSwing, space: LegSpace, shape: FootShape, t: FloatArray
) -> FootPose:
    """A foot between two stances."""
    span = b.on - a.off
    ends = []
    for stance, time in ((a, a.off), (b, b.on)):
        at = stencil(time)
        pose = stance_pose(stance, shape, at)
        leg = to_leg(space, at, ankle_at(stance, shape, at))
        ends.append((time, state(leg), state(pose.pitch[:, None]), state(pose.toes[:, None])))
    (t0, leg0, pitch0, toes0), (t1, leg1, pitch1, toes1) = ends

    def path(first: State, last: State, way: Sequence[tuple[float, float]]) -> FloatArray:
        places = [(t0 + time * span, np.array([value])) for time, value in way]
        return through(t, (t0, first), (t1, last), places)[:, 0]

    def column(states: State, k: int) -> State:
        place, velocity, acceleration = states
        return (
            place[k : k + 1],
            velocity[k : k + 1],
            None if acceleration is None else acceleration[k : k + 1],
        )

    pitch = path(pitch0, _speed(pitch1), swing.pitch)
    toes = path(toes0, _speed(toes1), [(time, swing.toes) for time, _ in swing.pitch if time > 0.3])
    bends = tuple((time, 1.0 - math.cos(math.radians(v))) for time, v in swing.knee)
    begin, finish = float(leg0[0][1]), float(leg1[0][1])
    turns = tuple((time, begin + share * (finish - begin)) for time, share in swing.turn)
    middle = 0.5 * float(leg0[0][2] + leg1[0][2]) + space.side * swing.out
    ways = ((0.5, middle),) if swing.out else ()
    leaving, landing = _kept_bent(t0, t1, column(leg0, 0), _speed(column(leg1, 0)), bends)
    leg = np.stack(
        [
            path(leaving, landing, bends),
            path(column(leg0, 1), _speed(column(leg1, 1)), turns),
            path(column(leg0, 2), _speed(column(leg1, 2)), ways),
        ],
        axis=1,
    )
    return from_leg(space, t, leg), foot_turn(ground_between(a, b, t), pitch), -np.radians(toes)


def _kept_bent(
    t0: float, t1: float, leave: State, land: State, bends: Sequence[tuple[float, float]]
) -> tuple[State, State]:
    """Leaving and landing with no more speed than a nearly straight leg can have.

    A knee that gives way fast from nearly straight would have to come from beyond straight, and
    one that stretches fast would have to go there.
    """
    grid = np.linspace(t0, t1, 65)
    places = [(t0 + time * (t1 - t0), np.array([value])) for time, value in bends]
    least = 1.0 - math.cos(_STRAIGHTEST)

    def lowest(leave: State, land: State) -> tuple[float, float]:
        values = through(grid, (t0, leave), (t1, land), places)[:, 0]
        return float(values[:33].min()), float(values[32:].min())

    def slowed(state: State, share: float) -> State:
        return state[0], share * state[1], None

    if lowest(leave, land)[0] < least:
        leave = slowed(leave, _largest(lambda share: lowest(slowed(leave, share), land)[0] >= least))
    if lowest(leave, land)[1] < least:
        land = slowed(land, _largest(lambda share: lowest(leave, slowed(land, share))[1] >= least))
    return leave, land


def _largest(good: Callable[[float], bool]) -> float:
    """The largest share of 0 to 1 that is good, when all smaller ones are."""
    low, high = 0.0, 1.0
    for _ in range(18):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if good(middle) else (low, middle)
    return low


def _speed(landing: State) -> State:
    """A state without its acceleration: landing is an impact, where only speeds go over."""
    return landing[0], landing[1], None


def leg_carry(swing: LegSwing, space: LegSpace) -> Carry:
    """A foot carried by its leg."""

    def carry(a: Stance, b: Stance, shape: FootShape, t: FloatArray) -> FootPose:
        return swing_leg(a, b, swing, space, shape, t)

    return carry


def cleared(a: Stance, b: Stance, swing: LegSwing, space: LegSpace, shape: FootShape) -> LegSwing:
    """The swing, its knee bent so much further that the foot clears the ground in the middle."""
    u = np.linspace(0.25, 0.85, 25)
    t = a.off + u * (b.on - a.off)
    for _ in range(12):
        ankle, _, _ = swing_leg(a, b, swing, space, shape, t)
        pitch = _pitch_of(a, b, swing, shape, t)
        low = ankle[:, 1] - [lowest_below_ankle(shape, float(p), swing.toes) for p in pitch]
        low -= a.y + u * (b.y - a.y)
        if float(low.min()) >= swing.clearance:
            break
        worst = float(u[np.argmin(low)])
        swing = replace(
            swing,
            knee=tuple((k, v + 4.0 * math.exp(-(((k - worst) / 0.2) ** 2))) for k, v in swing.knee),
        )
    return swing


def _pitch_of(a: Stance, b: Stance, swing: LegSwing, shape: FootShape, t: FloatArray) -> FloatArray:
    span = b.on - a.off
    first = state(stance_pose(a, shape, stencil(a.off)).pitch[:, None])
    last = state(stance_pose(b, shape, stencil(b.on)).pitch[:, None])
    places = [(a.off + time * span, np.array([value])) for time, value in swing.pitch]
    return through(t, (a.off, first), (b.on, _speed(last)), places)[:, 0]
