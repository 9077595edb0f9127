"""Bands of signals (BW95 2.1, L97 4.1): octaves from the finest to the slowest, and a residue.

A signal is smoothed again and again, each time over twice the distance; what one smoothing takes
away is a band. All bands and the last, smoothest level add up to the signal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from .. import kernels
from ..errors import InputError
from ..figure import FloatArray
from ..figure._arrays import check_finite

Edges = Literal["reflect", "hold"]
EDGES: dict[Edges, str] = {
    "reflect": "mirrored at the first and the last frame, which are not repeated",
    "hold": "at rest before the first frame and after the last",
}
"""What a signal is taken to be beyond its ends (BW95 2.1.1, footnote 2)."""

# The kernel's response is cos⁴(π f / rate); it has fallen to half at this share of the rate.
_HALF = float(np.arccos(0.5**0.25) / np.pi)


def band_count(frames: int) -> int:
    """How many bands a signal of so many frames has: n for 2^n <= frames < 2^(n+1) (L97 eq. 4.1)."""
    return max(0, int(frames).bit_length() - 1)


def band_edges(frames: int, rate: float) -> FloatArray:
    """(B, 2) the lowest and the highest frequency of each band, Hz, where it has half its strength."""
    highest = rate * _HALF / 2.0 ** np.arange(-1, band_count(frames) - 1)
    bounds = np.stack([highest / 2.0, highest], axis=-1)
    if len(bounds):
        bounds[0, 1] = rate / 2.0
    return bounds


@dataclass(frozen=True, slots=True, eq=False)
class Bands:
    """A signal's levels and bands; arrays are C-contiguous."""

    levels: FloatArray
    """(B + 1, C, F) G_0, the signals themselves, to G_B, the smoothest."""

    @property
    def bands(self) -> FloatArray:
        """(B, C, F) L_k = G_k - G_k+1 (BW95 step 2)."""
        return np.asarray(self.levels[:-1] - self.levels[1:])

    @property
    def residue(self) -> FloatArray:
        """(C, F) G_B, what remains when all bands are taken away: nearly a constant."""
        return np.asarray(self.levels[-1])


def decompose(signals: ArrayLike, *, edges: Edges = "reflect", bands: int | None = None) -> Bands:
    """All levels of signals (F, C); `bands` limits how many bands are made."""
    columns = _columns(signals)
    count = _limited(bands, columns.shape[1])
    levels = np.empty((count + 1, *columns.shape))
    kernels.bands.lowpass(columns, _reflects(edges), _scratch(count, columns.shape[1]), levels)
    return Bands(levels)


def equalized(
    signals: ArrayLike,
    gains: ArrayLike,
    *,
    dc: float | ArrayLike = 1.0,
    edges: Edges = "reflect",
) -> FloatArray:
    """Signals (F, C) with each band multiplied by its gain, and summed again (BW95 steps 3 and 5).

    `gains` is (B,) for all signals or (C, B) for each, finest first; gains that are left out at
    the slow end are 1. `dc`, one number or (C,), multiplies the smoothest level. Gains of 1 give
    the signals back bit by bit. Takes about 0.5 ns a sample and band.
    """
    columns = _columns(signals)
    count, frames = columns.shape
    bands = band_count(frames)
    each = np.atleast_2d(np.asarray(gains, dtype=np.float64))
    if each.ndim != 2 or each.shape[0] not in (1, count):
        raise InputError(f"gains must be (B,) or ({count}, B), but have shape {np.shape(gains)}")
    check_finite("gains", each)
    full = np.ones((count, bands + 1))
    full[:, : min(bands, each.shape[1])] = each[:, :bands]
    full[:, bands] = np.broadcast_to(np.asarray(dc, dtype=np.float64), (count,))
    check_finite("dc", full[:, bands])
    # the sum of g_k (G_k - G_k+1) and of dc G_B, ordered by levels: one product a level, and
    # nothing but the signal itself where all gains are one
    weights = np.diff(full, axis=1, prepend=0.0)
    out = np.empty_like(columns)
    kernels.bands.equalize(columns, weights, _reflects(edges), _scratch(bands, frames), out, 0, count)
    return np.ascontiguousarray(out.T)


def _columns(signals: ArrayLike) -> FloatArray:
    """(C, F) of (F, C), checked."""
    array = np.asarray(signals, dtype=np.float64)
    if array.ndim != 2 or array.shape[0] == 0:
        raise InputError(f"signals must have shape (F, C) with frames in it, but have {array.shape}")
    check_finite("signals", array)
    return np.ascontiguousarray(array.T)


def _limited(bands: int | None, frames: int) -> int:
    most = band_count(frames)
    if bands is not None and not 0 <= bands <= most:
        raise InputError(f"{frames} frames have up to {most} bands, but {bands} are wanted")
    return most if bands is None else bands


def _reflects(edges: str) -> bool:
    if edges not in EDGES:
        raise InputError(f"edges must be one of {', '.join(EDGES)}, but is {edges!r}")
    return edges == "reflect"


def _scratch(bands: int, frames: int) -> FloatArray:
    reach = 0 if bands == 0 else 2 << (bands - 1)
    return np.empty((2, frames + 2 * reach))
