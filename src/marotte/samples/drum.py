"""Drumming with two hands in turn on a tall hand drum.

A stroke is a lift, a fall and a rebound: the elbow lifts the hand, and the fingers come down last.
Players lift higher for what shall sound louder (Dahl 2004), and where the beat leaves less time
less high. A hand is on the skin for a few hundredths of a second and leaves it at once; a slow beat
is waited for half-way up. The trunk turns a little with the hands, and the head keeps time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._options import option
from ..figure import FloatArray, Motion
from ._body import SIDES, Body, sign
from ._curves import pulse, rounded, step
from ._led import Led, hand_point, hand_turn, hang, lead, mirrored, wrist_for
from ._take import Take, TakeOptions
from ._upright import AHEAD, Touch, feet, upright
from ._variation import Variation, breath

PALM = (0.105, -0.018, 0.0)  # metres, below the fingers' roots of the left hand, in its frame
_BEFORE, _UP, _DOWN, _AFTER = 0.3, 0.7, 0.8, 0.45  # seconds
_SKIN = 0.98  # metres: the height of the drum's skin
_AHEAD, _ASIDE = 0.42, 0.085  # metres: where the hands strike it
_REST = 0.034  # seconds that a hand rests on it
_BRAKE = 0.040  # seconds in which it is stopped


class DrumOptions(TakeOptions):
    """`left_palm` and `right_palm` are what strikes it. The skin is 0.98 m high and its middle 0.42 m
    ahead of the ankles."""

    seconds: float = option(4.0, "how long it is played", unit="s", least=1.0, most=300)
    tempo: float = option(
        150.0,
        "strokes a minute of both hands together, left and right in turn",
        unit="1/min",
        least=70,
        most=300,
    )
    force: float = option(1.0, "how high the hands are lifted and how hard they strike", least=0.4, most=1.4)
    accent: int = option(4, "every so many strokes one is stronger; 1: all alike", least=1, most=8)


@dataclass(frozen=True)
class _Drum:
    options: DrumOptions
    v: Variation

    @cached_property
    def period(self) -> float:
        return 60.0 / self.options.tempo

    @cached_property
    def strokes(self) -> list[tuple[float, float]]:
        """When each stroke rests on the skin, and how strong it is."""
        first = _BEFORE + _UP + 0.3
        count = max(2, int(self.options.seconds / self.period) + 1)
        found = []
        for k in range(count):
            late = 0.012 * self.v.normal(f"stroke {k}", 0.5)
            strong = 1.25 if self.options.accent > 1 and k % self.options.accent == 0 else 0.9
            found.append((first + k * self.period + late, strong * self.v.scale(f"strong {k}", 0.05)))
        return found

    def own(self, side: str) -> list[tuple[float, float]]:
        """The strokes of one hand; the right one begins."""
        return self.strokes[0 if side == "right" else 1 :: 2]

    @cached_property
    def away(self) -> float:
        return self.strokes[-1][0] + _REST + 0.2

    @cached_property
    def seconds(self) -> float:
        return self.away + _DOWN + _AFTER

    # ---- the hands

    def up(self, t: FloatArray, lag: float = 0.0) -> FloatArray:
        """(F,) how far the hands are over the drum."""
        return pulse(t - lag, _BEFORE, _BEFORE + _UP, self.away, self.away + _DOWN)

    @cached_property
    def _lift(self) -> float:
        """Metres that a stroke of strength 1 is lifted: what force and tempo leave time for."""
        between = 2.0 * self.period - _REST
        return float(min(0.045 + 0.062 * self.options.force, 0.30 * between**1.2))

    def height(self, side: str, t: FloatArray) -> FloatArray:
        """(F,) metres of a palm above the skin."""
        return rounded(lambda at: self._height(side, at), t, _BRAKE)

    def _height(self, side: str, t: FloatArray) -> FloatArray:
        half, wait = 0.5 * _BRAKE, 0.5 * self._lift
        hits = np.array([hit for hit, _ in self.own(side)])
        sizes = self._lift * np.array([strong for _, strong in self.own(side)])
        leaves = hits + _REST + half
        k = np.searchsorted(leaves, t)  # the stroke that comes, or comes no more
        over, k = k == len(hits), np.minimum(k, len(hits) - 1)
        end, size, first = hits[k] - half, sizes[k], k == 0
        start = np.where(first, end - 0.6, leaves[np.maximum(k - 1, 0)])
        fall = np.minimum(0.20, 0.45 * (end - start))
        back = end - fall
        # off the skin at once, then a wait that is longer the slower the beat, then up
        off = start + np.minimum(0.24, 0.6 * (back - start))
        on = back - np.minimum(0.3, 0.8 * (back - start))
        begun = np.where(first, wait, 0.5 * size * step(t, start, off))
        rise = begun + np.where(first, size - wait, 0.5 * size) * step(t, on, back + 0.04)
        down = np.clip((t - back) / fall, 0.0, 1.0)
        coming = np.where(t < end, rise * (1.0 - down**1.8), 0.0)
        return np.asarray(np.where(over, wait * step(t, leaves[-1], leaves[-1] + 0.35), coming))

    def lifted(self, side: str, t: FloatArray, lag: float) -> FloatArray:
        """(F,) the same, softer and later, as a share of a lift of strength 1."""
        return rounded(lambda at: self._height(side, at - lag), t, 0.1) / self._lift

    # ---- the body

    def turn(self, t: FloatArray, lag: float = 0.0) -> FloatArray:
        """(F,) from −1 to 1: towards the hand that is lifted less."""
        size = min(1.0, self._lift / 0.107)
        return size * (self.lifted("right", t, lag) - self.lifted("left", t, lag))

    def weight(self, t: FloatArray) -> FloatArray:
        up = self.up(t, -0.1)
        x = 0.006 * self.turn(t, 0.06) + 0.004 * self.v.unrest("x", t, self.seconds)
        return np.stack([x, AHEAD + 0.012 * up + 0.004 * self.v.unrest("z", t, self.seconds)], axis=1)

    def hips(self, t: FloatArray) -> FloatArray:
        up, turn = self.up(t, -0.06), self.turn(t, 0.04)
        return np.stack([1.5 * turn, 1.0 * turn, 2.0 + 3.5 * up], axis=1)

    def knees(self, t: FloatArray) -> FloatArray:
        both = self.lifted("left", t, 0.05) + self.lifted("right", t, 0.05)
        return 6.0 + (9.0 - 2.0 * both) * self.up(t, -0.06)

    def upper(self, body: Body, t: FloatArray) -> None:
        f = self.options.force
        up, air = self.up(t, -0.03), breath(t, self.seconds, 0.3)
        turn = self.turn(t, 0.0)
        body.spine(
            bend=np.radians(2.0 + 6.0 * up - 0.6 * air),
            lean=np.radians(-2.0 * f * self.turn(t, 0.02)),
            turn=np.radians(-4.0 * f * turn),
        )
        # the head nods with the beat, a little behind it
        both = self.lifted("left", t, 0.06) + self.lifted("right", t, 0.06)
        body.gaze(
            heading=np.radians(3.0 * self.v.unrest("look", t, self.seconds) - 1.5 * f * self.turn(t, 0.08)),
            nod=np.radians(3.0 + 13.0 * self.up(t, -0.2) + 4.0 * f * (1.0 - both) * up),
            tip=np.radians(1.5 * f * self.turn(t, 0.08)),
        )
        for side in SIDES:
            hang(body, side)
            lift = self.lifted(side, t, -0.02)
            lead(body, side, self._led(side, t), shrug=2.5 * f * lift * up)

    def _led(self, side: str, t: FloatArray) -> Led:
        s, up = sign(side), self.up(t)
        high = self.height(side, t)
        # the fingers hang behind as the hand is lifted and as it falls: its lag is what whips
        late = self.lifted(side, t, 0.03)
        slope = np.radians(-3.0 + 26.0 * min(1.0, self._lift / 0.107) * late)
        yaw = np.full_like(t, math.radians(22.0))
        level = np.stack([-s * np.sin(yaw), np.zeros_like(t), np.cos(yaw)], axis=1)
        rise = np.array([0.0, 1.0, 0.0])
        fingers = level * np.cos(slope)[:, None] + np.outer(np.sin(slope), rise)
        turn = hand_turn(side, fingers, -rise)
        place = np.stack([np.full_like(t, s * _ASIDE), _SKIN + high, _AHEAD - 0.22 * high], axis=1)
        wrist = wrist_for(place, turn, mirrored(side, PALM))
        wrist = wrist + np.outer(2.0 * up * (1.0 - up), mirrored(side, (0.04, 0.12, -0.02)))
        pole = mirrored(side, (0.6, -0.6, -0.8))
        return Led(up, wrist, turn, self.up(t, 0.0), np.tile(pole, (len(t), 1)))


def _drum(options: DrumOptions) -> Motion:
    take = _Drum(options, Variation(options.seed))
    figure = upright(take, feet(0.26, 12.0, 0.04), take.knees)
    points = [hand_point(f"{side}_palm", side, PALM) for side in SIDES]
    touches = [Touch(side, "drum", hit, hit + _REST) for side in SIDES for hit, _ in take.own(side)]
    return figure.motion("drum", options.frame_rate, touches=touches, points=points)


drum = Take("drum", DrumOptions, _drum, "two hands in turn on a drum")
