"""Finding the correspondence of two takes by a key (BW95 3.2, L97 5.1.2)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import overload

import numpy as np

from ..errors import InputError
from ..figure import FloatArray, Motion, select_joints
from .correspondence import Correspondence, Pin
from .dynamic import Limits, Weights, curves, path_cost, path_through
from .keys import key_signals

Key = str | Mapping[str, str]
"""A key for the whole body, or one for each part of it."""

# Where nobody says, one take may stand for two frames in a row: time runs at a third to three times
# its speed, or more where the lengths differ much; where they differ by more than this, at any.
STAND, MOST_RATIO = 2, 8.0


@overload
def correspond(
    motion: Motion,
    to: Motion,
    *,
    key: str = ...,
    slope: int | None = ...,
    window: float | None = ...,
    pins: Sequence[Pin] = ...,
    weights: Weights | None = ...,
) -> Correspondence: ...
@overload
def correspond(
    motion: Motion,
    to: Motion,
    *,
    key: Mapping[str, str],
    slope: int | None = ...,
    window: float | None = ...,
    pins: Sequence[Pin] = ...,
    weights: Weights | None = ...,
) -> dict[str, Correspondence]: ...
@overload
def correspond(
    motion: Motion,
    to: Motion,
    *,
    key: Key,
    slope: int | None = ...,
    window: float | None = ...,
    pins: Sequence[Pin] = ...,
    weights: Weights | None = ...,
) -> Correspondence | dict[str, Correspondence]: ...
def correspond(
    motion: Motion,
    to: Motion,
    *,
    key: Key = "body",
    slope: int | None = None,
    window: float | None = None,
    pins: Sequence[Pin] = (),
    weights: Weights | None = None,
) -> Correspondence | dict[str, Correspondence]:
    """Which moments of the take and the other belong together, by a key (`signals.keys` lists them).

    A map of parts and keys finds one correspondence for each part (L97's consistent warp). `slope` is
    how many times faster or slower, at most, time may run anywhere (a whole number from 2; 0: no limit);
    left out it is 3, or twice as much as the lengths differ. `window` keeps the two takes within so
    many seconds of each other, after their lengths are made equal. `pins` are pairs of frames that
    must meet. Takes about 2 ns a pair of frames for a channel, 4 ns for a pose of 60 channels.
    """
    if isinstance(key, Mapping):
        if not key:
            raise InputError("key must name at least one part and its key, but is empty")
        for part in key:
            select_joints(motion.skeleton, motion.rig, part)
        return {
            part: correspond(motion, to, key=one, slope=slope, window=window, pins=pins, weights=weights)
            for part, one in key.items()
        }
    own, other = key_signals(motion, to, key)
    rate = motion.frame_rate
    other = _at_rate(other, to.frame_rate, rate)
    n, m = len(own), len(other)
    limits = Limits(_stand(slope, n, m), _band(window, rate))
    a, b = curves(own, other, weights)
    # pins are checked by the value that holds them; here they count in frames of one rate
    scale = (m - 1) / max(1, len(to) - 1)
    inner = sorted((round(p), round(q * scale)) for p, q in pins if 0 < p < len(motion) - 1)
    ends = [(0, 0), *inner, (n - 1, m - 1)] if inner else []
    for (i, j), (later, other_later) in itertools.pairwise(ends):
        if later <= i or other_later <= j:
            raise InputError(f"pins must rise in both takes and lie inside them, but are {list(pins)}")
    path = path_through(a, b, inner, limits)
    return Correspondence(
        path, (len(motion), len(to)), (rate, to.frame_rate), key, path_cost(a, b, path), tuple(pins)
    )


def _at_rate(values: FloatArray, rate: float, wanted: float) -> FloatArray:
    """Signals (G, C) read at another rate, from the first frame to the last."""
    count = round((len(values) - 1) / rate * wanted) + 1 if len(values) > 1 else 1
    count = max(count, min(2, len(values)))
    if count == len(values):
        return values
    at = np.linspace(0.0, len(values) - 1.0, count)
    return np.column_stack([np.interp(at, np.arange(len(values)), column) for column in values.T])


def _stand(slope: int | None, n: int, m: int) -> int:
    ratio = max(n - 1, m - 1, 1) / max(1, min(n - 1, m - 1))
    if slope is None:
        free = min(n, m) < 3 or ratio > MOST_RATIO
        return 0 if free else max(STAND, math.ceil(2.0 * ratio) - 1)
    if slope == 1 or slope < 0 or slope != int(slope):
        raise InputError(f"slope must be 0, for any, or a whole number from 2, but is {slope}")
    if 0 < slope < ratio:
        raise InputError(
            f"slope must be at least {math.ceil(ratio)}, because one take is {ratio:.2f} times as long as "
            f"the other, but is {slope}"
        )
    return max(0, int(slope) - 1)


def _band(window: float | None, rate: float) -> float:
    if window is None:
        return math.inf
    if not (math.isfinite(window) and window > 0):
        raise InputError(f"window must be a time in seconds above 0, but is {window}")
    return window * rate
