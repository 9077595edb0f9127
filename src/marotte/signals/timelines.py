"""Smooth time maps from correspondences: at which moment of each take every output frame is.

A path climbs in steps. Played as it is, a figure would limp: stand for a frame, then hurry. BW95
spreads an inserted sample with a cubic B-spline around it, L97 with a Gaussian; here that spreading
acts on the path itself. Both takes' times are functions of one parameter, the sum of the two, and
how far the path lies off the straight line is smoothed along it. Time cannot run backwards then, the
ends stay where they are, a path that is straight stays as it is, and the map of B to A is that of A to
B turned round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..errors import InputError
from ..figure import FloatArray
from .correspondence import Correspondence

Spread = Literal["bspline", "gaussian"]
SPREADS: dict[Spread, str] = {
    "bspline": "a cubic B-spline (BW95)",
    "gaussian": "a Gaussian (L97)",
}
LEAST_SPEED = 1e-3  # of the output's time against the path's parameter: below, time stands or turns back


@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """Moments that belong together, finely sampled."""

    own: FloatArray
    """(S,) seconds of the take; never falling."""
    other: FloatArray
    """(S,) seconds of the other take; never falling."""

    def output(self, amount: float) -> FloatArray:
        """(S,) seconds of the output: those of the take at amount 0, those of the other at 1."""
        low, high = self.range()
        if not low <= amount <= high:
            wanted = (
                f"{low:.2f} to {high:.2f}"
                if np.isfinite([low, high]).all()
                else f"at least {low:.2f}"
                if np.isfinite(low)
                else f"at most {high:.2f}"
            )
            raise InputError(
                f"amount must be {wanted} for these takes, because time would run backwards beyond, "
                f"but is {amount:g}"
            )
        return np.asarray((1.0 - amount) * self.own + amount * self.other)

    def range(self) -> tuple[float, float]:
        """The least and the largest amount with which time runs forward everywhere; 0 to 1 always do."""
        if len(self.own) < 2:
            return -np.inf, np.inf
        share = np.diff(self.own) / np.diff(self.own + self.other)
        least, most = float(share.min()), float(share.max())
        # the output's speed, a + p (1 - 2 a) of an amount a where the take's share of time is p, is
        # linear in both: only the least and the largest shares count
        low = (LEAST_SPEED - least) / (1.0 - 2.0 * least) if least < 0.5 - 1e-6 else -np.inf
        high = (most - LEAST_SPEED) / (2.0 * most - 1.0) if most > 0.5 + 1e-6 else np.inf
        return min(low, 0.0), max(high, 1.0)


def timeline(found: Correspondence, *, spread: Spread = "bspline", over: float = 0.15) -> Timeline:
    """The smooth map of a correspondence; `over` is how far a step of the path is spread, seconds."""
    if spread not in SPREADS:
        raise InputError(f"spread must be one of {', '.join(SPREADS)}, but is {spread!r}")
    if not (np.isfinite(over) and over >= 0):
        raise InputError(f"over must be a time in seconds, 0 or more, but is {over}")
    times = found.times()
    along = times.sum(axis=1)
    whole = float(along[-1])
    if whole <= 0:
        return Timeline(np.zeros(1), np.zeros(1))
    step = 0.25 / max(found.rates)
    count = max(2, int(np.ceil(whole / step)) + 1)
    at = np.linspace(0.0, whole, count)
    apart = np.interp(at, along, times[:, 0] - times[:, 1])
    straight = np.linspace(apart[0], apart[-1], count)
    off = _smoothed(apart - straight, 2.0 * over / (at[1] - at[0]), spread)
    if found.pins and over > 0:  # smoothing cuts the corners that pins make; go through them again
        from scipy.interpolate import PchipInterpolator

        pins = np.array([(0.0, 0.0), *found.pins, (found.frames[0] - 1, found.frames[1] - 1)])
        pins = pins / np.array(found.rates)
        where = pins.sum(axis=1)
        missed = (pins[:, 0] - pins[:, 1]) - np.interp(where, at, straight + off)
        off = off + PchipInterpolator(where, missed)(at)
    apart = straight + off
    own, other = 0.5 * (at + apart), 0.5 * (at - apart)
    return Timeline(np.maximum.accumulate(own), np.maximum.accumulate(other))


def _smoothed(off: FloatArray, width: float, spread: Spread) -> FloatArray:
    """off (S,), 0 at both ends, spread over knots `width` samples apart; odd beyond the ends."""
    count = len(off)
    width = min(width, (count - 1) / 4.0)
    if width < 0.5 or not off.any():
        return off
    half = int(np.ceil((2.0 if spread == "bspline" else 2.5) * width))
    half = min(half, count - 1)
    x = np.abs(np.arange(-half, half + 1)) / width
    if spread == "bspline":
        kernel = np.where(x < 1, 2 / 3 - x**2 + x**3 / 2, np.clip(2 - x, 0, None) ** 3 / 6)
    else:  # as wide as the B-spline, whose variance is a third
        kernel = np.exp(-1.5 * x**2)
    beyond = np.concatenate([-off[half:0:-1], off, -off[-2 : -half - 2 : -1]])
    return np.convolve(beyond, kernel / kernel.sum(), mode="valid")


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """For every output frame, where in both takes it is."""

    own: FloatArray
    """(N,) seconds of the take."""
    other: FloatArray
    """(N,) seconds of the other take."""
    output: FloatArray
    """(N,) seconds of the output."""


def placed(line: Timeline, amount: float, count: int) -> Placed:
    """`count` frames evenly over the output, from its first moment to its last."""
    made = line.output(amount)
    at = np.linspace(made[0], made[-1], count)
    # where output time stands while one take goes on, the later moment counts: nothing is shown twice
    return Placed(_read(made, line.own, at), _read(made, line.other, at), at)


def _read(output: FloatArray, values: FloatArray, at: FloatArray) -> FloatArray:
    keep = np.concatenate([np.diff(output) > 0, [True]]) if len(output) > 1 else np.array([True])
    keep[0] = True
    return np.asarray(np.interp(at, output[keep], values[keep]))
