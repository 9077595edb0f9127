"""Knocking at a door: the hand goes up, strikes with its knuckles, and sinks while one listens.

Each knock is a strike in sequence, from the trunk outwards: shoulder, elbow, and the hand last, laid
back until just before it hits (Putnam 1993). It draws back slowly, hits fast, rests on the door for
a few hundredths of a second and springs off. The slow bands of such a take hold the raising and
lowering of the arm, the middle and high ones the knocks (BW95, L97).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._options import option
from ..figure import FloatArray, Motion
from ._body import Body, sign
from ._curves import pulse, rounded, step
from ._led import Led, Side, hand_point, hand_turn, hang, lead, mirrored, other_side, wrist_for
from ._take import Take, TakeOptions
from ._upright import AHEAD, Touch, feet, upright
from ._variation import Variation, breath

KNUCKLES = (0.088, 0.022, 0.004)  # metres, on the back of the left hand, in its frame
_BEFORE, _UP, _DOWN, _AFTER = 0.35, 0.7, 0.9, 0.6  # seconds
_REST = 0.036  # seconds that the knuckles rest on the door
_BRAKE = 0.028  # seconds in which they are stopped


class KnockOptions(TakeOptions):
    """The door stands straight ahead; the point `knuckles`, on the back of the hand, meets it."""

    hand: Side = option("right", "which hand knocks", example="left")
    repeats: int = option(3, "how many knocks", least=1, most=20)
    force: float = option(
        1.0,
        "how far the hand draws back and how hard it hits: 0.4 is timid, 1.4 impatient",
        least=0.4,
        most=1.4,
    )
    door: float = option(0.44, "how far ahead of the ankles the door is", unit="m", least=0.4, most=0.54)
    height: float = option(1.5, "how high it is struck", unit="m", least=1.46, most=1.6)


@dataclass(frozen=True)
class _Knock:
    options: KnockOptions
    v: Variation

    @cached_property
    def side(self) -> str:
        return self.options.hand

    @cached_property
    def hits(self) -> list[float]:
        """The times at which the knuckles come to rest on the door."""
        first = _BEFORE + _UP + 0.26
        period = (0.31 - 0.03 * self.options.force) * self.v.scale("period", 0.05)
        return [
            first + k * period + 0.012 * self.v.normal(f"hit {k}", 0.5) for k in range(self.options.repeats)
        ]

    @cached_property
    def away(self) -> float:
        """When the hand begins to sink."""
        return self.hits[-1] + _REST + 0.16

    @cached_property
    def seconds(self) -> float:
        return self.away + _DOWN + _AFTER

    # ---- the hand

    def up(self, t: FloatArray, lag: float = 0.0) -> FloatArray:
        """(F,) how far the arm is up."""
        return pulse(t - lag, _BEFORE, _BEFORE + _UP, self.away, self.away + _DOWN)

    def drawn(self, t: FloatArray) -> FloatArray:
        """(F,) metres that the knuckles are before the door."""
        return rounded(self._drawn, t, _BRAKE)

    def _drawn(self, t: FloatArray) -> FloatArray:
        # the corner of each stop lies half the rounding before the rest
        o, half = self.options, 0.5 * _BRAKE
        far = 0.05 + 0.045 * o.force
        out = np.zeros_like(t)
        last = len(self.hits) - 1
        for k, hit in enumerate(self.hits):
            start = self.hits[k - 1] + _REST + half if k else -1.0
            end = hit - half
            back = end - (0.115 if k else 0.13)
            size = far * self.v.scale(f"far {k}", 0.08) * (1.0 if k else 1.15)
            draw = size if k == 0 else size * step(t, start, back + 0.02)
            fall = np.clip((t - back) / (end - back), 0.0, 1.0)
            out += np.where((t > start) & (t < end), draw * (1.0 - fall**1.9), 0.0)
        leave = self.hits[last] + _REST + half
        return np.asarray(out + 1.3 * far * step(t, leave, leave + 0.3))

    def laid_back(self, t: FloatArray) -> FloatArray:
        """(F,) from 0, as the hand hits, to about 1: it follows the knuckles a little later."""
        far = 0.05 + 0.045 * self.options.force
        return rounded(lambda s: self._drawn(s - 0.018), t, 0.07) / far

    # ---- the body

    def weight(self, t: FloatArray) -> FloatArray:
        s, f = sign(self.side), self.options.force
        early = self.up(t, -0.12)
        x = -0.022 * s * early + 0.004 * self.v.unrest("x", t, self.seconds)
        z = AHEAD + (0.012 + 0.010 * f) * early + 0.004 * self.v.unrest("z", t, self.seconds)
        return np.stack([x, z], axis=1)

    def hips(self, t: FloatArray) -> FloatArray:
        s, up = sign(self.side), self.up(t, -0.06)
        strike = self.laid_back(t + 0.03) * up
        turn = -s * (4.0 * up - 1.0 * self.options.force * strike)
        return np.stack([turn, -s * 1.5 * up, 2.0 + (1.0 + 20.0 * self._near) * up], axis=1)

    @cached_property
    def _near(self) -> float:
        """Metres that the trunk must help the arm."""
        return max(0.0, self.options.door - 0.43)

    def upper(self, body: Body, t: FloatArray) -> None:
        o, v, s = self.options, self.v, sign(self.side)
        up, air = self.up(t, -0.02), breath(t, self.seconds, 0.26)
        strike = self.laid_back(t + 0.022) * up
        body.spine(
            bend=np.radians(1.5 + (2.0 + 60.0 * self._near - 2.0 * o.force * strike) * up - 0.6 * air),
            lean=np.radians(s * -1.0 * up),
            turn=np.radians(-s * (6.0 * up - 3.0 * o.force * strike)),
        )
        # at the end an ear to the door
        hear = step(t, self.away + 0.35, self.away + 0.95)
        body.gaze(
            heading=np.radians(1.0 * v.unrest("look", t, self.seconds) - s * 9.0 * hear),
            nod=np.radians(
                3.0 + 3.0 * self.up(t, -0.2) - 1.6 * o.force * self.laid_back(t - 0.02) * up + 3.0 * hear
            ),
            tip=np.radians(s * 5.0 * hear),
        )
        hang(
            body,
            other_side(self.side),
            flexion=2.0 - 2.0 * self.up(t, 0.15) - 0.8 * o.force * self.laid_back(t - 0.05) * up,
            elbow=16.0 + 4.0 * self.up(t, 0.15),
        )
        settle = pulse(t, self.away + 0.5, self.away + 0.8, self.away + 0.85, self.away + _DOWN + 0.4)
        hang(body, self.side, flexion=2.0 - 5.0 * settle)
        lead(body, self.side, self._led(t), forward=6.0 * up - 5.0 * o.force * strike)

    def _led(self, t: FloatArray) -> Led:
        o, up = self.options, self.up(t)
        drawn = self.drawn(t)
        # the fingers lean away from the door, further as the hand is laid back
        lean = np.radians(3.0 + 11.0 * o.force**0.7 * self.laid_back(t))
        inward = np.full_like(t, -0.12)
        fingers = np.stack([sign(self.side) * inward, np.cos(lean), -np.sin(lean)], axis=1)
        palm = np.stack([-0.34 * sign(self.side) * np.ones_like(t), -np.sin(lean), -np.cos(lean)], axis=1)
        turn = hand_turn(self.side, fingers, palm)
        place = np.stack(
            [np.full_like(t, sign(self.side) * 0.13), o.height - 0.35 * drawn, o.door - drawn], axis=1
        )
        wrist = wrist_for(place, turn, mirrored(self.side, KNUCKLES))
        wrist = wrist + np.outer(2.0 * up * (1.0 - up), mirrored(self.side, (0.05, 0.0, -0.06)))
        pole = mirrored(self.side, (0.12, -1.0, -0.1))
        return Led(up, wrist, turn, self.up(t, 0.02), np.tile(pole, (len(t), 1)))


def _knock(options: KnockOptions) -> Motion:
    take = _Knock(options, Variation(options.seed))
    figure = upright(take, feet(0.22, 10.0, 0.03))
    return figure.motion(
        "knock",
        options.frame_rate,
        touches=[Touch(take.side, "door", hit, hit + _REST) for hit in take.hits],
        points=[hand_point("knuckles", take.side, KNUCKLES)],
    )


knock = Take("knock", KnockOptions, _knock, "knocking at a door")
