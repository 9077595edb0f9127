"""Splines through keys of numbers and vectors: Kochanek and Bartels' for hands, a monotone one for limits.

Both are cubics between neighbouring keys, given by the keys' values and by the velocities with
which the curve comes to each key and leaves it. All channels are worked through together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..figure import FloatArray, IntArray
from ..figure._arrays import check_finite, frozen_floats, owned

End = Literal["natural", "still"]
ENDS: dict[End, str] = {
    "natural": "without a bend at the end: straight where there is nothing to turn for",
    "still": "at rest at the end",
}
"""How a spline begins at its first key and ends at its last."""

Beyond = Literal["hold", "straight"]
BEYOND: dict[Beyond, str] = {
    "hold": "the end's value stays",
    "straight": "the curve goes on with the end's velocity",
}
"""What a spline is before its first key and after its last."""

STEEPEST = 3.0
"""A cubic rises or falls throughout where no end is steeper than this many times the mean slope
(Fritsch and Carlson 1980)."""


@dataclass(frozen=True, slots=True, eq=False)
class Spline:
    """A piecewise cubic curve through keys."""

    times: FloatArray
    """(K,) strictly increasing; any unit: seconds, frames, or a signal's own value."""
    values: FloatArray
    """(K, …) what is interpolated."""
    arriving: FloatArray
    """(K, …) velocity with which the curve comes to each key, per unit of time."""
    leaving: FloatArray
    """(K, …) velocity with which it leaves; the same where the curve is smooth."""

    def __call__(self, at: ArrayLike, *, beyond: Beyond = "hold") -> FloatArray:
        """(N, …) the curve at times (N,); at the keys it is their values, bit by bit."""
        near, u, h, out = self._place(at, beyond)
        rise = u * u * (3.0 - 2.0 * u)
        value = (1.0 - rise) * self.values[near] + rise * self.values[near + self._step]
        bend = u * (1.0 - u) * h
        value += bend * ((1.0 - u) * self.leaving[near] - u * self.arriving[near + self._step])
        if beyond == "straight":
            last = np.asarray(at, np.float64).reshape(-1) > self.times[-1]
            slope = np.where(_tall(last, value), self.arriving[-1], self.leaving[0])
            value += out * slope
        return np.asarray(value)

    def velocity(self, at: ArrayLike, *, beyond: Beyond = "hold") -> FloatArray:
        """(N, …) the curve's velocity at times (N,); at a corner that with which it leaves."""
        near, u, h, out = self._place(at, beyond)
        if self._step == 0:
            return np.zeros_like(self.values[near])
        change = (self.values[near + 1] - self.values[near]) / h
        value = 6.0 * u * (1.0 - u) * change
        value += (1.0 - u) * (1.0 - 3.0 * u) * self.leaving[near] + u * (3.0 * u - 2.0) * self.arriving[
            near + 1
        ]
        return np.asarray(np.where(out != 0.0, 0.0, value) if beyond == "hold" else value)

    @property
    def _step(self) -> int:
        return min(1, len(self.times) - 1)

    def _place(self, at: ArrayLike, beyond: str) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
        """For each time: its segment, how far along it (0 to 1), its length, the time outside of all."""
        if beyond not in BEYOND:
            raise InputError(f"beyond must be one of {', '.join(BEYOND)}, but is {beyond!r}")
        near, u, h, out = located(self.times, at)
        return near, _tall(u, self.values), _tall(h, self.values), _tall(out, self.values)


def kochanek_bartels(
    times: ArrayLike,
    values: ArrayLike,
    *,
    tension: ArrayLike = 0.0,
    continuity: ArrayLike = 0.0,
    bias: ArrayLike = 0.0,
    ends: End | tuple[End, End] = "natural",
) -> Spline:
    """The spline of Kochanek and Bartels (1984) through values (K, …) at times (K,).

    Tension (1: straight and slow through the key, -1: slack), continuity (-1: a corner, 1: the
    corner turned inside out) and bias (-1: undershoots the key, 1: overshoots it) are one number
    or one a key, each from -1 to 1. All zero is Catmull and Rom's spline. Keys may be unevenly
    spaced: velocities are per unit of time, so that a key with continuity 0 has no jump of speed.
    """
    at = checked_times(times)
    keys = _values(values, len(at))
    arriving, leaving = kochanek_velocities(
        np.diff(keys, axis=0), np.diff(at), tension=tension, continuity=continuity, bias=bias, ends=ends
    )
    return Spline(at, keys, owned(arriving), owned(leaving))


def kochanek_velocities(
    chords: FloatArray,
    steps: FloatArray,
    *,
    tension: ArrayLike = 0.0,
    continuity: ArrayLike = 0.0,
    bias: ArrayLike = 0.0,
    ends: End | tuple[End, End] = "natural",
) -> tuple[FloatArray, FloatArray]:
    """Velocities (K, …) arriving at and leaving K keys, from the ways between them (K - 1, …).

    `steps` (K - 1,) are the times between. The ways may be rotation vectors as well.
    """
    count = len(steps) + 1
    t, c, b = (_parameter(n, p, count) for n, p in _named(tension, continuity, bias))
    first, last = _both_ends(ends)
    arriving = np.zeros((count, *chords.shape[1:]))
    leaving = np.zeros_like(arriving)
    if count == 1:
        return arriving, leaving
    if count > 2:
        left, right = chords[:-1], chords[1:]
        ti, ci, bi = (_tall(p[1:-1], chords) for p in (t, c, b))
        # Kochanek and Bartels' tangents, with their adjustment for uneven keys written as velocities:
        # both sides' tangents over one and the same time, that of both segments together
        over = (1.0 - ti) / _tall(steps[:-1] + steps[1:], chords)
        arriving[1:-1] = over * ((1 - ci) * (1 + bi) * left + (1 + ci) * (1 - bi) * right)
        leaving[1:-1] = over * ((1 + ci) * (1 + bi) * left + (1 - ci) * (1 - bi) * right)
    start, end = chords[0] / steps[0], chords[-1] / steps[-1]
    if count == 2:  # nothing to bend for: the mean velocity, unless one end is still
        before = start if last == "natural" else np.zeros_like(start)
        after = end if first == "natural" else np.zeros_like(end)
    else:
        before, after = arriving[1], leaving[-2]
    if first == "natural":
        leaving[0] = (1.0 - t[0]) * 0.5 * (3.0 * start - before)
    if last == "natural":
        arriving[-1] = (1.0 - t[-1]) * 0.5 * (3.0 * end - after)
    arriving[0], leaving[-1] = leaving[0], arriving[-1]
    return arriving, leaving


def monotone(
    times: ArrayLike,
    values: ArrayLike,
    *,
    start: ArrayLike | None = None,
    end: ArrayLike | None = None,
) -> Spline:
    """A smooth spline through values (K, …) that never leaves the span of neighbouring keys.

    Each channel rises only where its keys rise, and is level at their peaks (Fritsch and
    Butland's slopes, as in SciPy's PCHIP). `start` and `end` are velocities wanted at the ends,
    0 for rest; they are kept as far as the span allows. Left out, they follow the nearest keys.
    """
    at = checked_times(times)
    keys = _values(values, len(at))
    slopes = np.zeros_like(keys)
    if len(at) > 1:
        h = np.diff(at)
        mean = np.diff(keys, axis=0) / _tall(h, keys)
        slopes[1:-1] = harmonic_mean(mean[:-1], mean[1:], _tall(h[:-1], keys), _tall(h[1:], keys))
        wanted = [start, end]
        for side, (key, near, far) in enumerate(((0, 0, 1), (-1, -1, -2))):
            velocity = wanted[side]
            if velocity is None:
                value = mean[near] if len(h) == 1 else end_velocity(mean[near], mean[far], h[near], h[far])
            else:
                value = np.broadcast_to(np.asarray(velocity, np.float64), keys.shape[1:])
                check_finite("start" if side == 0 else "end", value)
            most = STEEPEST * mean[near]
            slopes[key] = np.clip(value, np.minimum(most, 0.0), np.maximum(most, 0.0))
    return Spline(at, keys, owned(slopes), slopes)


def harmonic_mean(left: FloatArray, right: FloatArray, before: FloatArray, after: FloatArray) -> FloatArray:
    """Slopes between two mean slopes, over times `before` and `after`; 0 where they disagree in sign."""
    first, second = 2.0 * after + before, after + 2.0 * before
    agree = left * right > 0.0
    safe_left, safe_right = np.where(agree, left, 1.0), np.where(agree, right, 1.0)
    return np.asarray(np.where(agree, (first + second) / (first / safe_left + second / safe_right), 0.0))


def end_velocity(near: FloatArray, far: FloatArray, h_near: float, h_far: float) -> FloatArray:
    """The velocity at an end of a parabola through three keys, from the mean velocities between them."""
    return np.asarray(((2.0 * h_near + h_far) * near - h_near * far) / (h_near + h_far))


def located(times: FloatArray, at: ArrayLike) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
    """Where times (N,) lie among keys (K,): segment, share of it, its length, time outside of all."""
    when = np.asarray(at, dtype=np.float64).reshape(-1)
    check_finite("at", when)
    inside = np.clip(when, times[0], times[-1])
    near = np.clip(np.searchsorted(times, inside, side="right") - 1, 0, max(0, len(times) - 2))
    h = times[near + 1] - times[near] if len(times) > 1 else np.ones(len(when))
    return near, (inside - times[near]) / h, h, when - inside


def checked_times(times: ArrayLike) -> FloatArray:
    """(K,) strictly increasing finite times, at least one."""
    at = frozen_floats("times", times, (None,))
    if len(at) == 0:
        raise InputError("a spline needs at least one key, but has none")
    check_finite("times", at)
    wrong = np.flatnonzero(np.diff(at) <= 0.0)
    if len(wrong):
        i = int(wrong[0])
        raise InputError(f"times must increase from key to key, but {at[i]:g} is followed by {at[i + 1]:g}")
    return at


def _values(values: ArrayLike, count: int) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 0 or len(array) != count:
        raise InputError(f"values must be one a key ({count}), but have shape {array.shape}")
    keys = frozen_floats("values", array, array.shape)
    check_finite("values", keys)
    return keys


def _named(
    tension: ArrayLike, continuity: ArrayLike, bias: ArrayLike
) -> tuple[tuple[str, ArrayLike], tuple[str, ArrayLike], tuple[str, ArrayLike]]:
    return ("tension", tension), ("continuity", continuity), ("bias", bias)


def _parameter(name: str, given: ArrayLike, count: int) -> FloatArray:
    """(K,) a parameter of each key, from one number or one a key."""
    array = np.asarray(given, dtype=np.float64)
    if array.shape not in ((), (count,)):
        raise InputError(f"{name} must be one number or one a key ({count}), but has shape {array.shape}")
    if not (np.abs(array) <= 1.0).all():
        raise InputError(f"{name} must be from -1 to 1, but is {array.tolist()}")
    return np.broadcast_to(array, (count,))


def _both_ends(ends: End | tuple[End, End]) -> tuple[End, End]:
    pair = (ends, ends) if isinstance(ends, str) else tuple(ends)
    if len(pair) != 2 or any(e not in ENDS for e in pair):
        raise InputError(f"ends must be one or two of {', '.join(ENDS)}, but are {ends!r}")
    return pair


def _tall(column: FloatArray, like: FloatArray) -> FloatArray:
    """(N,) as (N, 1, …), to multiply arrays (N, …) as `like` has them."""
    return np.asarray(column).reshape(-1, *([1] * (like.ndim - 1)))
