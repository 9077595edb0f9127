"""One signal and the bounds it must keep: bound mapping, compression, cutting off (L97 5.2)."""

from __future__ import annotations

import itertools
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..curves import Limits
from ..errors import InputError
from ..figure import FloatArray, IntArray
from ..figure._arrays import check_finite

Method = Literal["compress", "map", "clip"]
METHODS: dict[Method, str] = {
    "compress": "values near a bound and beyond bend, so that the greatest comes to lie at the bound",
    "map": "what peaks miss by is taken away from the signal, smoothly from peak to peak",
    "clip": "values beyond a bound are at the bound; motion stands still for that time",
}
"""How a signal is brought within its bounds."""

_MOST_ROUNDS = 30  # of bound mapping; each takes away what is left at the peaks


def bounded(
    signal: ArrayLike,
    *,
    low: float | None = None,
    high: float | None = None,
    method: Method = "compress",
    knee: float = 0.8,
) -> FloatArray:
    """A signal (F,) within its bounds; bit by bit as it was where it keeps them throughout.

    No value is beyond a bound afterwards. `knee` is for compress alone: the share of the way to the
    bound from which values bend.
    """
    values = np.asarray(signal, dtype=np.float64)
    if values.ndim != 1:
        raise InputError(f"signal must have shape (F,), but has {values.shape}")
    check_finite("signal", values)
    if method not in METHODS:
        raise InputError(f"method must be one of {', '.join(METHODS)}, but is {method!r}")
    limits = Limits(low, high, "soft" if method == "compress" else "hard", knee)
    if not _beyond(values, low, high).any():
        return values
    if method == "map":
        return _mapped(values, low, high)
    # the bend comes to the bound to rounding; no value may be beyond it by a bit
    return np.asarray(np.clip(limits(values), low, high))


def displacement_points(
    values: FloatArray, low: float | None, high: float | None
) -> tuple[IntArray, FloatArray]:
    """Frames (K,) and displacements (K,) of bound mapping (L97 5.2.2, fig. 5.5).

    The first and the last frame, and every peak beyond a bound. Between two neighbours that are
    displaced the same way the opposite peak is held where it is, so that what lies between them is
    not pulled along; unless it is beyond the bound itself, and then it is brought to it.
    """
    beyond = _beyond(values, low, high)
    chosen = [0, *(f for f in _peaks(values) if beyond[f] != 0.0), len(values) - 1]
    frames = [chosen[0]]
    for f in chosen[1:]:
        before = frames[-1]
        if f == before:
            continue
        sign = beyond[f]
        if sign * beyond[before] > 0.0 and f - before > 1:
            inside = values[before + 1 : f]
            opposite = before + 1 + int(inside.argmin() if sign > 0.0 else inside.argmax())
            frames.append(opposite)
        frames.append(f)
    at = np.array(frames, dtype=np.int64)
    return at, -beyond[at]


def _mapped(values: FloatArray, low: float | None, high: float | None) -> FloatArray:
    """Bound mapping until nothing is beyond; the thesis stops after once, which rarely leaves anything."""
    out = values
    for _ in range(_MOST_ROUNDS):
        beyond = _beyond(out, low, high)
        if np.abs(beyond).max() <= 1e-12 * max(1.0, float(np.abs(values).max())):
            break
        frames, shifts = displacement_points(out, low, high)
        out = out + level_spline(frames, shifts, len(out))
    return np.asarray(np.clip(out, low, high))


def level_spline(frames: IntArray, values: FloatArray, count: int) -> FloatArray:
    """(count,) the cubics that join values (K,) at frames (K,), level at each of them."""
    at = np.arange(count, dtype=np.float64)
    if len(frames) == 1:
        return np.full(count, values[0])
    near = np.clip(np.searchsorted(frames, at, side="right") - 1, 0, len(frames) - 2)
    u = np.clip((at - frames[near]) / (frames[near + 1] - frames[near]), 0.0, 1.0)
    return np.asarray(values[near] + (values[near + 1] - values[near]) * (u * u * (3.0 - 2.0 * u)))


def _beyond(values: FloatArray, low: float | None, high: float | None) -> FloatArray:
    """(F,) how far values are beyond a bound: positive above the upper, negative below the lower."""
    out = np.zeros(len(values))
    if high is not None:
        out = np.maximum(values - high, 0.0)
    if low is not None:
        out = np.where(values < low, values - low, out)
    return np.asarray(out)


def _peaks(values: FloatArray) -> list[int]:
    """Frames of all local maxima and minima; of a level stretch, its middle."""
    change = np.diff(values)
    moving = np.flatnonzero(change != 0.0)
    found: list[int] = []
    for a, b in itertools.pairwise(moving.tolist()):
        if change[a] * change[b] < 0.0:
            found.append((a + 1 + b) // 2)
    return found
