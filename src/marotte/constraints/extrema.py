"""Extrema that an animator means: neither noise nor ripples on what is nearly level (L97 5.3.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.signal import find_peaks, peak_prominences, peak_widths

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
    - the slopes to both of them are under `slope_share` of the mean slope between turning points;
    - it stands out by `ignored_error` or less from the higher of the two valleys around it.

    Widths between neighbouring turning points, as one may read L97, would let noise on a slope
    pass and take real extrema that have a dent at their top.
    """
    found = np.zeros(len(values), dtype=np.bool_)
    if not len(values):
        return found
    signal = np.asarray(values if greatest else -values, dtype=np.float64)
    if not local:
        found[int(np.argmax(signal >= signal.max() - ROUNDING))] = True
        return found
    peaks, _ = find_peaks(signal)
    if not len(peaks):
        return found
    valleys, _ = find_peaks(-signal)
    turns = np.unique(np.concatenate([[0], peaks, valleys, [len(signal) - 1]]))
    slopes = np.abs(np.diff(signal[turns]) / np.diff(turns))
    at = np.searchsorted(turns, peaks)
    flat = slope_share * float(slopes.mean())
    prominences = peak_prominences(signal, peaks)
    wide = peak_widths(signal, peaks, rel_height=1.0, prominence_data=prominences)[0] >= noise_width - 1e-6
    steep = (slopes[at - 1] >= flat) | (slopes[at] >= flat)
    stands_out = prominences[0] > max(ignored_error, ROUNDING)
    found[peaks[wide & steep & stands_out]] = True
    return found
