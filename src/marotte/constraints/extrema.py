"""Extrema that an animator means: neither noise nor ripples on what is nearly level (L97 5.3.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..figure import FloatArray

SLOPE_SHARE = 0.1
"""p of L97: where both sides of an extremum are flatter than this share of the mean slope, it is none."""
ROUNDING = 1e-9  # metres or degrees: what stands out less is rounding


def extrema(
    values: FloatArray,
    *,
    greatest: bool,
    local: bool,
    noise_width: int = 0,
    ignored_error: float = 0.0,
    slope_share: float = SLOPE_SHARE,
) -> NDArray[np.bool_]:
    """(F,) at which frames the values (F,) have the extremum asked for.

    Globally that is one frame: the first, where several are equal but for rounding. A local
    extremum is the middle of its plateau, and never the first or last frame. It does not count when

    - it is narrower than `noise_width` frames at its foot, the level where it begins to stand out;
    - the slopes to the turning points on both sides are under `slope_share` of the mean such slope;
    - it stands out by `ignored_error` or less from the higher of the two valleys around it.

    Widths between neighbouring turning points, as one may read L97, would let noise on a slope
    pass and drop real extrema that have a dent at their top.
    """
    found = np.zeros(len(values), dtype=np.bool_)
    if not len(values):
        return found
    signal = np.asarray(values if greatest else -values, dtype=np.float64)
    if not local:
        found[int(np.argmax(signal >= signal.max() - ROUNDING))] = True
        return found
    from scipy.signal import find_peaks, peak_prominences, peak_widths  # slow to import

    peaks, _ = find_peaks(signal)
    if not len(peaks):
        return found
    valleys, _ = find_peaks(-signal)
    turns = np.unique(np.concatenate([[0], peaks, valleys, [len(signal) - 1]]))
    slopes = np.abs(np.diff(signal[turns]) / np.diff(turns))
    flat = slope_share * float(slopes.mean())
    prominences, left, right = peak_prominences(signal, peaks)
    stands_out = prominences > max(ignored_error, ROUNDING)
    peaks, left, right = peaks[stands_out], left[stands_out], right[stands_out]
    # a hair above the foot: where two valleys are equally deep, rounding must not choose between them
    above_foot = (prominences[stands_out] - 1e-12, left, right)
    wide = peak_widths(signal, peaks, rel_height=1.0, prominence_data=above_foot)[0] >= noise_width - 1e-6
    at = np.searchsorted(turns, peaks)
    steep = (slopes[at - 1] >= flat) | (slopes[at] >= flat)
    found[peaks[wide & steep]] = True
    return found
