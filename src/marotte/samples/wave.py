"""Waving a hand: up it goes, the forearm sways from side to side, and down again.

The upper arm stays while the forearm turns about it and the hand is left behind at each turn. The
trunk leans away from the raised arm, the weight goes to the other leg before the arm is up (the
anticipation that Bouisset and Zattara 1987 measured), and the head tips towards it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._options import option
from ..figure import FloatArray, Motion
from ..figure.rotations import about, rotate
from ._body import Body, Z, sign
from ._curves import TAU, pulse
from ._led import Led, Side, Vector, hand_turn, hang, lead, mirrored, other_side
from ._take import Take, TakeOptions
from ._upright import AHEAD, feet, upright
from ._variation import Variation, breath

_BEFORE, _UP, _DOWN, _AFTER = 0.35, 0.75, 0.95, 0.45  # seconds


class WaveOptions(TakeOptions):
    """The forearm sways beside the head, the hand lags, the trunk leans against them."""

    hand: Side = option("right", "which hand waves", example="left")
    repeats: int = option(4, "how often it goes to and fro", least=1, most=30)
    energy: float = option(
        1.0, "how wide, quick and high: a shy wave is near 0.3, one across a street 1.5", least=0.3, most=1.5
    )


@dataclass(frozen=True, slots=True)
class _Wave:
    options: WaveOptions
    v: Variation

    @property
    def rate(self) -> float:
        """To and fro, times a second."""
        return (1.55 + 0.5 * self.options.energy) * self.v.scale("rate", 0.05)

    @property
    def start(self) -> float:
        return _BEFORE + 0.75 * _UP

    @property
    def stop(self) -> float:
        return self.start + self.options.repeats / self.rate

    @property
    def seconds(self) -> float:
        return self.stop + _DOWN + _AFTER

    def up(self, t: FloatArray, lag: float = 0.0) -> FloatArray:
        """(F,) how far the arm is up."""
        top, down = _BEFORE + _UP, self.stop - 0.05
        return pulse(t - lag, _BEFORE, top, down, down + _DOWN)

    def to_and_fro(self, t: FloatArray, lag: float = 0.0) -> FloatArray:
        """(F,) from 1, away from the body, to −1, and none outside the wave."""
        there = pulse(t - lag, self.start - 0.15, self.start + 0.2, self.stop - 0.25, self.stop + 0.1)
        return np.asarray(there * np.sin(TAU * self.rate * (t - lag - self.start)))

    def weight(self, t: FloatArray) -> FloatArray:
        s, e = sign(self.options.hand), min(1.2, self.options.energy)
        early = self.up(t, -0.12)
        x = -s * 0.035 * e * early - s * 0.004 * e * self.to_and_fro(t, 0.1)
        x += 0.004 * self.v.unrest("x", t, self.seconds)
        z = AHEAD + 0.004 * self.v.unrest("z", t, self.seconds)
        return np.stack([x, z], axis=1)

    def hips(self, t: FloatArray) -> FloatArray:
        s, e = sign(self.options.hand), min(1.2, self.options.energy)
        up = self.up(t, -0.08)
        list_ = -s * (2.6 * e * up + 0.5 * e * self.to_and_fro(t, 0.05))
        return np.stack([-s * 2.0 * e * up, list_, 2.0 - 0.6 * up], axis=1)

    def upper(self, body: Body, t: FloatArray) -> None:
        o, v, e = self.options, self.v, self.options.energy
        s = sign(o.hand)
        up, air = self.up(t, 0.02), breath(t, self.seconds, 0.25)
        sway = self.to_and_fro(t, 0.06)
        body.spine(
            bend=np.radians(1.5 - 1.5 * up - 0.6 * air),
            lean=np.radians(-s * (2.6 * e * self.up(t, -0.05) + 2.2 * e * up) - s * 1.2 * e * sway),
            turn=np.radians(s * (3.0 * up - 1.0 * e * sway)),
        )
        body.gaze(
            heading=np.radians(1.5 * v.unrest("look", t, self.seconds)),
            nod=np.radians(1.0 - 3.0 * self.up(t, -0.25)),
            tip=np.radians(s * (3.5 * min(e, 1.2) * self.up(t, 0.08) - 0.8 * e * sway)),
        )
        self._waving(body, t)
        hang(
            body,
            other_side(o.hand),
            flexion=2.0 + 1.5 * self.up(t, 0.2),
            abduction=8.0
            + 4.0 * min(e, 1.2) * self.up(t, 0.12)
            + 0.8 * e * self.to_and_fro(t, 0.22)
            + 0.6 * air,
            elbow=17.0 + 3.0 * self.up(t, 0.2),
        )

    def _waving(self, body: Body, t: FloatArray) -> None:
        side, e = self.options.hand, self.options.energy
        high = min(1.0, (e - 0.3) / 0.9)
        hang(body, side)
        wide = np.radians((11.0 + 13.0 * e) * self.v.scale("wide", 0.06))
        swing, late = wide * self.to_and_fro(t), wide * self.to_and_fro(t, 0.05)
        # the elbow gives way a little to the forearm, which turns about it, and the hand lags
        upper = _outward(side, (0.42 + 0.44 * high, -0.80 + 0.62 * high, 0.46), -0.10 * swing)
        fore = _outward(side, (0.16, 0.95, 0.26), swing)
        fingers = _outward(side, (0.10, 0.97, 0.20 - 0.1 * high), 1.1 * late)
        limb = body.limbs[f"{side}_arm"]
        elbow = body.world(f"{side}_upper_arm")[0] + limb.upper * upper
        wrist = elbow + limb.lower * fore
        up = self.up(t)
        wrist = wrist + np.outer(up * (1.0 - up), mirrored(side, (0.30, 0.0, 0.55)))
        led = Led(
            share=up,
            wrist=wrist,
            turn=hand_turn(side, fingers, mirrored(side, (-0.15, 0.1, 1.0))),
            turned=self.up(t, 0.10),
            pole=upper - fore,
        )
        lead(body, side, led, shrug=3.0 * e * up)


def _outward(side: str, direction: Vector, angle: FloatArray) -> FloatArray:
    """(F, 3) a direction given for the left, turned by so many radians away from the body."""
    way = mirrored(side, direction) / np.linalg.norm(direction)
    return rotate(about(Z, -sign(side) * angle), way)


def _wave(options: WaveOptions) -> Motion:
    take = _Wave(options, Variation(options.seed))
    figure = upright(take, feet(0.22, 10.0, 0.02))
    return figure.motion("wave", options.frame_rate)


wave = Take("wave", WaveOptions, _wave, "waving with one hand")
