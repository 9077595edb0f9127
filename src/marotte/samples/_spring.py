"""Leaving the ground and meeting it again as a leg can.

Near full stretch a knee lengthens the leg by little for much turning, so that a body that leaves
the ground at metres a second would snap its knees. Jumpers leave with the knee still bent and
extending, and let ankle and toes do the rest (Bobbert and van Ingen Schenau 1988); they land the
same way round, the knee some 20 to 30° bent at touchdown (Devita and Skelly 1992). Here the knee's
angle and speed at those moments are given, and what follows from them is found: how high the body
is then, and how fast the foot rolls.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..figure import FloatArray
from ._curves import State, braked, through
from ._feet import (
    Carry,
    FootPose,
    FootShape,
    Stance,
    ankle_at,
    foot_turn,
    ground_between,
    stance_pose,
    state,
    stencil,
)
from ._limbs import distance_at
from ._swing import LegSpace, from_leg, to_leg

End = Literal["push", "strike"]


@dataclass(frozen=True, slots=True)
class Knee:
    """A knee at the moment that its foot leaves or lands."""

    bent: float  # degrees
    speed: float  # degrees a second, negative while it stretches


# Degrees a second that a foot rolls at most, and what of its mean speed: more would overshoot.
_FASTEST, _STEEPEST = 850.0, 2.4


def rolled(stance: Stance, end: End, knee: Knee, space: LegSpace, shape: FootShape) -> Stance:
    """The stance whose foot rolls, as it leaves (push) or lands (strike), so fast that the knee has
    its speed, as far as a foot can."""
    time = stance.off if end == "push" else stance.on
    field = f"{end}_speed"
    at = stencil(time)
    hip = state(space.hip(at))

    def stretching(speed: float) -> float:
        """Metres a second by which hip and ankle part."""
        ankle = state(ankle_at(replace(stance, **{field: speed}), shape, at))
        apart = hip[0] - ankle[0]
        return float((hip[1] - ankle[1]) @ apart / np.linalg.norm(apart))

    angle = math.radians(knee.bent)
    p, q = space.limb.upper, space.limb.lower
    wanted = -p * q * math.sin(angle) / distance_at(space.limb, angle) * math.radians(knee.speed)
    still, rolling = stretching(0.0), stretching(100.0)
    if abs(rolling - still) < 1e-6:
        return stance
    speed = 100.0 * (wanted - still) / (rolling - still)
    # a heel comes down and a foot pushes off: neither rolls the other way
    pitch, seconds = (stance.push, stance.lift) if end == "push" else (stance.strike, stance.flat)
    most = min(_FASTEST, _STEEPEST * abs(pitch) / seconds)
    backward = end == "push" or stance.strike > 0.0
    low, high = (-most, 0.0) if backward else (0.0, most)
    return replace(stance, **{field: float(np.clip(speed, low, high))})


def too_low(stance: Stance, end: End, knee: Knee, space: LegSpace, shape: FootShape) -> float:
    """Metres that the hip must be higher, as the foot leaves or lands, for the knee to be so bent."""
    time = np.array([stance.off if end == "push" else stance.on])
    apart = (space.hip(time) - ankle_at(stance, shape, time))[0]
    length = distance_at(space.limb, math.radians(knee.bent))
    level = float(np.hypot(apart[0], apart[2]))
    return math.sqrt(max(length * length - level * level, 1e-4)) - float(apart[1])


@dataclass(frozen=True, slots=True)
class LegFlight:
    """How a leg goes through the air, degrees: each curve comes to rest at its first value after
    leaving, and goes to its landing from its last."""

    knee: tuple[float, float]
    pitch: tuple[float, float]  # of the foot
    folds: tuple[tuple[float, float], ...] = ()  # of the knee on the way: time, angle; it rests there
    rolls: tuple[tuple[float, float], ...] = ()  # of the foot, likewise
    turn: tuple[tuple[float, float], ...] = ()  # time, share of the leg's turn about the hip
    toes: float = 6.0  # extension on the way


def flown(flight: LegFlight, space: LegSpace) -> Carry:
    """A foot carried through the air by its leg, its knee braked after leaving as knees are."""

    def carry(a: Stance, b: Stance, shape: FootShape, t: FloatArray) -> FootPose:
        t0, t1 = a.off, b.on
        leg0, knee0, pitch0, toes0 = _seen(a, t0, space, shape)
        leg1, knee1, pitch1, toes1 = _seen(b, t1, space, shape)
        span = t1 - t0
        folds = [(t0 + time * span, angle) for time, angle in flight.folds]

        def led(first: State, last: State, rests: Sequence[tuple[float | None, float]]) -> FloatArray:
            start, end = ((time, float(s[0][0]), float(s[1][0])) for time, s in ((t0, first), (t1, last)))
            return braked(t, start, end, rests)

        knee = led(knee0, knee1, [(None, flight.knee[0]), *folds, (None, flight.knee[1])])
        rolls = [(t0 + time * span, angle) for time, angle in flight.rolls]
        pitch = led(pitch0, pitch1, [(None, flight.pitch[0]), *rolls, (None, flight.pitch[1])])
        toes = led(toes0, toes1, [(None, flight.toes), (None, flight.toes)])
        first, last = state(leg0[:, 1:2]), state(leg1[:, 1:2])
        turns = [(t0 + time * span, first[0] + share * (last[0] - first[0])) for time, share in flight.turn]
        angle = through(t, (t0, _gentle(first)), (t1, _gentle(last)), turns)
        aside = through(t, (t0, _gentle(state(leg0[:, 2:]))), (t1, _gentle(state(leg1[:, 2:]))))
        leg = np.concatenate([1.0 - np.cos(np.radians(knee))[:, None], angle, aside], axis=1)
        turn = foot_turn(ground_between(a, b, t), pitch)
        return from_leg(space, t, leg), turn, -np.radians(toes)

    return carry


def _seen(
    stance: Stance, time: float, space: LegSpace, shape: FootShape
) -> tuple[FloatArray, State, State, State]:
    """Around a time: the leg (3, 3), and its knee, the foot's pitch and the toes, degrees."""
    at = stencil(time)
    pose, leg = stance_pose(stance, shape, at), to_leg(space, at, ankle_at(stance, shape, at))
    knee = np.degrees(np.arccos(np.clip(1.0 - leg[:, 0], -1.0, 1.0)))
    return leg, state(knee[:, None]), state(pose.pitch[:, None]), state(pose.toes[:, None])


def _gentle(state: State) -> State:
    """Without its acceleration: what the ground does to a foot ends with the ground."""
    return state[0], state[1], None
