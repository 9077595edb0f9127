"""Smooth curves in time: what every take is drawn with.

All of them have continuous acceleration, or differ from that by less than can be seen, and none
needs more than NumPy: a walk is made before a larger library would have been loaded.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..figure import FloatArray

TAU = 2.0 * np.pi
# Seconds over which a path gives up the acceleration that it began with: longer ones swing out far.
_HANDOVER = 0.08


def step(t: FloatArray, start: FloatArray | float, end: FloatArray | float) -> FloatArray:
    """0 before start, 1 after end, between them the minimum-jerk curve."""
    u = np.clip((t - start) / np.maximum(np.subtract(end, start), 1e-9), 0.0, 1.0)
    return np.asarray(u * u * u * (10.0 + u * (6.0 * u - 15.0)))


def pulse(
    t: FloatArray,
    start: FloatArray | float,
    top: FloatArray | float,
    down: FloatArray | float,
    end: FloatArray | float,
) -> FloatArray:
    """0, rising to 1 between start and top, falling back between down and end."""
    return step(t, start, top) - step(t, down, end)


def wave(phase: FloatArray, *terms: tuple[float, float]) -> FloatArray:
    """Sum of amplitude · cos(2π k (phase − peak)); the k-th term is (amplitude, peak)."""
    out = np.zeros_like(phase)
    for k, (amplitude, peak) in enumerate(terms, start=1):
        out += amplitude * np.cos(TAU * k * (phase - peak))
    return out


def periodic(phase: FloatArray, points: Sequence[tuple[float, float]]) -> FloatArray:
    """A smooth closed curve through points (phase, value), phases rising within one period of 1.

    A periodic cubic spline: continuous acceleration, also across the seam.
    """
    x = np.array([p for p, _ in points])
    y = np.array([v for _, v in points])
    n = len(x)
    h = np.diff(np.append(x, x[0] + 1.0))
    slope = np.diff(np.append(y, y[0])) / h
    matrix = np.zeros((n, n))
    right = np.empty(n)
    for k in range(n):
        before = h[k - 1]
        matrix[k, k - 1] += h[k]
        matrix[k, k] += 2.0 * (before + h[k])
        matrix[k, (k + 1) % n] += before
        right[k] = 3.0 * (h[k] * slope[k - 1] + before * slope[k])
    speed = np.linalg.solve(matrix, right)
    at = x[0] + np.mod(phase - x[0], 1.0)
    i = np.clip(np.searchsorted(x, at, side="right") - 1, 0, n - 1)
    j = (i + 1) % n
    return _hermite((at - x[i]) / h[i], h[i], y[i], y[j], speed[i], speed[j])


def _hermite(
    u: FloatArray, h: FloatArray, y0: FloatArray, y1: FloatArray, m0: FloatArray, m1: FloatArray
) -> FloatArray:
    w = 1.0 - u
    return np.asarray(
        w * w * (1.0 + 2.0 * u) * y0 + u * u * (3.0 - 2.0 * u) * y1 + h * u * w * (w * m0 - u * m1)
    )


def keyed(t: FloatArray, keys: Sequence[tuple[float, ArrayLike]], rounding: float = 0.08) -> FloatArray:
    """Through keys (time, value) without overshoot, corners rounded over `rounding` seconds.

    Values are numbers or vectors; the result is (F,) or (F, n). Between keys of equal value it
    stands still; before the first and after the last it holds. A shape-preserving cubic is
    averaged over a short window, so that a key that is not held is passed near, not through.
    """
    times = np.array([k for k, _ in keys], dtype=np.float64)
    values = np.array([np.asarray(v, dtype=np.float64) for _, v in keys])
    flat = values.reshape(len(times), -1)
    if rounding <= 0.0:
        out = _monotone(t, times, flat)
    else:
        out = rounded(lambda at: _monotone(at, times, flat), t, rounding)
    return out.reshape(len(t), *values.shape[1:])


def rounded(curve: Callable[[FloatArray], FloatArray], t: FloatArray, width: float) -> FloatArray:
    """A curve averaged over a window of `width` seconds, which rounds its corners."""
    nodes = np.linspace(-1.0, 1.0, 25)[1:-1]
    weights = (1.0 - nodes * nodes) ** 3
    weights /= weights.sum()
    shifted = (weight * curve(t + 0.5 * width * node) for node, weight in zip(nodes, weights, strict=True))
    return np.asarray(sum(shifted))


def _monotone(t: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """The piecewise cubic of Fritsch and Butland through x (K,), y (K, n), held at the ends."""
    if len(x) == 1:
        return np.tile(y[0], (len(t), 1))
    h = np.diff(x)[:, None]
    slope = np.diff(y, axis=0) / h
    speed = np.zeros_like(y)
    if len(x) > 2:
        a, b = slope[:-1], slope[1:]
        w1, w2 = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
        same = a * b > 0.0
        bottom = np.where(same, w1 * b + w2 * a, 1.0)
        speed[1:-1] = np.where(same, (w1 + w2) * a * b / bottom, 0.0)
    at = np.clip(t, x[0], x[-1])
    i = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    u = ((at - x[i]) / h[i, 0])[:, None]
    return _hermite(u, h[i], y[i], y[i + 1], speed[i], speed[i + 1])


State = tuple[FloatArray, FloatArray, FloatArray | None]
"""Place, velocity and acceleration, each (n,); without an acceleration any will do."""


def through(
    t: FloatArray,
    start: tuple[float, State],
    end: tuple[float, State],
    way: Sequence[tuple[float, FloatArray]] = (),
) -> FloatArray:
    """(F, n): from one state to another, through the places on the way (time, place).

    A cubic spline with the given velocities at its ends, and near each end as much more curving
    as the acceleration there asks for.
    """
    x = np.array([start[0], *(time for time, _ in way), end[0]])
    y = np.array([start[1][0], *(place for _, place in way), end[1][0]])
    h = np.diff(x)
    n = len(x)
    matrix = np.eye(n)
    right = np.zeros_like(y)
    right[0], right[-1] = start[1][1], end[1][1]
    slope = np.diff(y, axis=0) / h[:, None]
    for k in range(1, n - 1):
        matrix[k, k - 1 : k + 2] = h[k], 2.0 * (h[k - 1] + h[k]), h[k - 1]
        right[k] = 3.0 * (h[k] * slope[k - 1] + h[k - 1] * slope[k])
    m = np.linalg.solve(matrix, right)
    at = np.clip(t, x[0], x[-1])
    i = np.clip(np.searchsorted(x, at, side="right") - 1, 0, n - 2)
    u, step_ = ((at - x[i]) / h[i])[:, None], h[i][:, None]
    out = _hermite(u, step_, y[i], y[i + 1], m[i], m[i + 1])
    reach = min(0.4 * (x[-1] - x[0]), _HANDOVER)
    bent = 6.0 * slope[0] / h[0] - (4.0 * m[0] + 2.0 * m[1]) / h[0]
    if start[1][2] is not None:
        out += _curving(at - x[0], reach)[:, None] * (start[1][2] - bent)
    bent = -6.0 * slope[-1] / h[-1] + (4.0 * m[-1] + 2.0 * m[-2]) / h[-1]
    if end[1][2] is not None:
        out += _curving(x[-1] - at, reach)[:, None] * (end[1][2] - bent)
    return out


# In which `braked` comes to its first rest: least and most seconds, share of the whole, and the
# seconds to turn back to a rest that lies behind.
_BRAKE, _LONGEST, _BRAKE_SHARE, _TURN = 0.03, 0.07, 0.28, 0.07


def braked(
    t: FloatArray,
    start: tuple[float, float, float],
    end: tuple[float, float, float],
    rests: Sequence[tuple[float | None, float]],
) -> FloatArray:
    """(F,) from one (time, value, speed) to another by way of places where it rests, (time, value).

    The first and the last rest have no time: the speed at that end is braked, as evenly as it can
    be, just so long as the way to the rest asks for.
    """
    (t0, y0, v0), (t1, y1, v1) = start, end
    span = t1 - t0

    def time_to(rest: float, y: float, v: float) -> float:
        longest = min(_BRAKE_SHARE * span, _LONGEST)
        needed = 2.2 * (rest - y) / v if (rest - y) * v > 0.0 else _TURN
        return float(np.clip(needed, min(_BRAKE, longest), longest))

    first, last = rests[0][1], rests[-1][1]
    begin, finish = t0 + time_to(first, y0, v0), t1 - time_to(last, y1, -v1)
    between = [(time, value) for time, value in rests[1:-1] if time is not None]
    places = [(begin, first), *between, (finish, last)]
    out = np.full_like(t, first)
    for (a, low), (b, high) in itertools.pairwise(places):
        out += (high - low) * step(t, a, b)

    def hermite(a: float, b: float, y: tuple[float, float], v: tuple[float, float]) -> FloatArray:
        h, one = np.full_like(t, b - a), np.ones_like(t)
        u = np.clip((t - a) / (b - a), 0.0, 1.0)
        return _hermite(u, h, y[0] * one, y[1] * one, v[0] * one, v[1] * one)

    out = np.where(t < begin, hermite(t0, begin, (y0, first), (v0, 0.0)), out)
    return np.where(t > finish, hermite(finish, t1, (last, y1), (0.0, v1)), out)


def _curving(distance: FloatArray, reach: float) -> FloatArray:
    """A bump with second derivative 1 at its beginning and nothing else there or beyond reach."""
    s = np.clip(distance / reach, 0.0, 1.0)
    return np.asarray(0.5 * reach * reach * s * s * (1.0 - s) ** 3)


def cover(need: FloatArray, reach: int) -> FloatArray:
    """A smooth curve (F,) nowhere below `need` (F,): its running maximum, then averaged, over
    `reach` frames either side."""
    if reach < 1 or not need.any():
        return np.maximum(need, 0.0)
    padded = np.pad(np.maximum(need, 0.0), 2 * reach, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1)
    highest = windows.max(axis=1)
    bump = np.sin(np.linspace(0.0, np.pi, 2 * reach + 3)[1:-1]) ** 4
    return np.asarray(np.convolve(highest, bump / bump.sum(), mode="valid"))
