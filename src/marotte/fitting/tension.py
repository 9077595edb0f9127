"""Smooth curves over the frames of a take: through what is known, near what is wanted, above a bound.

All three are the least of a sum of squared differences, which is one banded system of equations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ..errors import InputError
from ..figure import FloatArray
from ..figure._arrays import BoolArray

_HARD = 1e7  # how much more a known value, or a bound, weighs than a difference
# How far accelerations count against speeds: those of captured feet are noise, and noise that is carried
# on swings far out.
_BEND = 0.35
_EXCHANGES, _ROUNDS = 12, 60  # rounds in which bounds come and go, and all rounds
_DIFFERENCES = {
    1: np.array([-1.0, 1.0]),
    2: np.array([1.0, -2.0, 1.0]),
    3: np.array([-1.0, 3.0, -3.0, 1.0]),
}


def carried(
    values: FloatArray,
    known: BoolArray,
    *,
    reach: float,
    least: FloatArray | None = None,
    gain: float = math.inf,
    calm: float = 0.0,
) -> FloatArray:
    """values (F, D) at `known` frames (F,), and smoothly between and beyond them.

    A curve in tension: first differences draw it straight, so that it does not swing out, and the
    others let it leave and reach what is known with its speed, and nearly its acceleration, within
    about `reach` frames. Beyond the outermost known frames a curve stays as it is there.

    `least` (F,) is a bound that the first column keeps above where it is not known; n frames from what
    is known it lifts by no more than `gain` n², so that no jump comes of it. With `calm`, speeds are
    taken from what is known smoothed over about so many frames: those of noise swing far out.
    """
    frames = len(values)
    if known.shape != (frames,) or not (np.isfinite(reach) and reach > 0):
        raise InputError(f"known must be ({frames},) and reach positive, but are {known.shape} and {reach}")
    if known.all() or not frames:
        return np.array(values)
    band = differences(frames, {1: 1.0, 2: reach**2, 3: (_BEND * reach) ** 4})
    hard = _HARD * float(band[-1].max())
    band[-1] += np.where(known, hard, 1e-9)
    given = np.where(known[:, None], values, 0.0)
    smoothed = near(given, known.astype(np.float64), reach=calm) if calm > 0 else given
    out = _solved(band, hard * np.where(known[:, None], smoothed, 0.0))
    if calm > 0 and known.any():  # the noise where it ends fades away
        out += _faded(given - smoothed, known, 2.0 * calm)
    out = np.where(known[:, None], values, out)
    if least is not None:
        out[:, 0] += _lifted(out[:, 0], known, least, reach, gain)
    return out


def near(values: FloatArray, weight: FloatArray, *, reach: float) -> FloatArray:
    """A curve near values (F, D), each frame as much as its weight (F,), that ripples no faster than
    about 2π `reach` frames."""
    band = differences(len(values), {k: reach ** (2 * k) for k in (2, 3)})
    band[-1] += weight + 1e-9
    return _solved(band, weight[:, None] * values)


def above(bound: FloatArray, *, reach: float) -> FloatArray:
    """(F,) the least and smoothest curve that is nowhere below a bound (F,), and 0 where that asks for
    nothing; it rises and falls within a few `reach` frames."""
    if not (bound > 0.0).any():
        return np.zeros(len(bound))
    # 1 and 2 damp critically, so that the curve does not swing beyond what is asked
    band = differences(len(bound), {1: 2.0 * reach**2, 2: reach**4, 3: (0.5 * reach) ** 6})
    band[-1] += 1.0
    return _pressed(band, np.zeros(len(bound)), bound, _HARD * float(band[-1].max()))


def differences(frames: int, orders: Mapping[int, float]) -> FloatArray:
    """(4, F) upper band of the matrix of squared differences, each order with its weight."""
    band = np.zeros((4, frames))
    for order, scale in orders.items():
        line, count = _DIFFERENCES[order], frames - order
        if count <= 0:
            continue
        for a in range(order + 1):
            for b in range(a, order + 1):
                # element (i + a, i + b) of an upper band stands in row 3 − (b − a), column i + b
                band[3 - (b - a), b : b + count] += scale * line[a] * line[b]
    return band


def _solved(band: FloatArray, right: FloatArray) -> FloatArray:
    from scipy.linalg import solveh_banded

    return np.asarray(solveh_banded(band, right, check_finite=False))


def _pressed(band: FloatArray, right: FloatArray, bound: FloatArray, hard: float) -> FloatArray:
    """The solution held up where it would fall below a bound: frames are exchanged until none falls.

    After some rounds frames only join, which ends for sure, a little above the least.
    """
    bounded = np.isfinite(bound)
    out, pressing = _solved(band, right), np.zeros(len(bound), dtype=np.bool_)
    for k in range(_ROUNDS):
        below = bounded & (out < bound - 1e-9)
        pushed = pressing & (hard * (bound - out) > 0.0)
        now = np.where(pressing, pushed, below) if k < _EXCHANGES else pressing | below
        if (now == pressing).all():
            break
        pressing = now
        held = band.copy()
        held[-1] += np.where(pressing, hard, 0.0)
        out = _solved(held, right + np.where(pressing, hard * np.where(bounded, bound, 0.0), 0.0))
    return out


def _lifted(start: FloatArray, known: BoolArray, least: FloatArray, reach: float, gain: float) -> FloatArray:
    """(F,) what to add for a curve to be above a bound: nothing where it is known, nor where it is above.

    Less stiff than the curve itself: what is bent hard, and pressed, springs back.
    """
    bound = np.where(known, 0.0, np.minimum(least - start, _room(known, gain)))
    if not (bound > 0.0).any():
        return np.zeros(len(start))
    band = differences(len(start), {1: 1.0, 2: reach**2})
    hard = _HARD * float(band[-1].max())
    band[-1] += np.where(known, hard, 1e-9)
    lift = _pressed(band, np.zeros(len(start)), np.where(known, -np.inf, np.maximum(bound, 0.0)), hard)
    return np.where(known, 0.0, lift)


def _faded(rest: FloatArray, known: BoolArray, over: float) -> FloatArray:
    """(F, D) what is left at the ends of known stretches, fading to nothing beyond them."""
    at = np.flatnonzero(known)
    every = np.arange(len(known))
    after = np.clip(np.searchsorted(at, every), 0, len(at) - 1)
    out = np.zeros_like(rest)
    for edge in (at[np.maximum(after - 1, 0)], at[after]):
        u = np.clip(1.0 - np.abs(every - edge) / (over + 1.0), 0.0, 1.0)
        share = np.where(known, 0.0, u * u * (3.0 - 2.0 * u))
        out += share[:, None] * rest[edge]
    return out


def _room(known: BoolArray, gain: float) -> FloatArray:
    """(F,) how far a bound may lift a curve, by the frames to what is known."""
    at = np.flatnonzero(known)
    if not len(at) or not math.isfinite(gain):
        return np.full(len(known), np.inf)
    every = np.arange(len(known))
    after = np.clip(np.searchsorted(at, every), 0, len(at) - 1)
    away = np.minimum(np.abs(at[after] - every), np.abs(every - at[np.maximum(after - 1, 0)]))
    return np.asarray(gain * away**2)
