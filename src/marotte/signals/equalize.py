"""The equalizer: gains for bands of a motion, for all of it or for parts of the body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from ..errors import InputError, UnknownNameError
from ..figure import FloatArray, Motion
from .bands import Edges, band_count, equalized
from .spaces import Space, signals_of

Gains: TypeAlias = (
    float | Sequence[float] | Mapping[str, float] | Mapping[int, float] | Mapping[str | int, float]
)
"""One gain for all bands; a list, finest first; or gains by band and by name."""

NAMES: dict[str, str] = {
    "high": "above about 2.7 Hz: detail, twitches, and the noise of capture",
    "middle": "from about 0.34 to 2.7 Hz: steps, swings, gestures",
    "low": "below about 0.34 Hz: posture and where the motion goes",
}
"""What groups of bands are called. At 30 frames a second: bands 0 and 1; 2, 3 and 4; the rest."""

PRESETS: dict[str, dict[str | int, float]] = {
    "tone_down": {"high": 0.5, "middle": 0.6},
    "exaggerate": {"middle": 1.7},
    "nervous": {"high": 2.5},
    "anticipate": {"low": -0.6, "middle": 1.2},
}
"""Gains with a name, after the uses that BW95 (section 6) names."""


def named_bands(frames: int, rate: float) -> dict[str, range]:
    """Which bands each name of NAMES means for a take of so many frames at this rate.

    A name means the same frequencies at every rate: at twice 30 Hz, each band is one further on.
    A name whose frequencies a short take does not reach has no bands.
    """
    bands = band_count(frames)
    shift = max(0, round(float(np.log2(rate / 30.0))))
    first, second = min(2 + shift, bands), min(5 + shift, bands)
    return {"high": range(first), "middle": range(first, second), "low": range(second, bands)}


def gains_of(given: Gains, frames: int, rate: float) -> FloatArray:
    """(B,) a gain for every band of a take; those not spoken of are 1."""
    bands = band_count(frames)
    out = np.ones(bands)
    if isinstance(given, Mapping):
        groups = named_bands(frames, rate)
        for key, gain in given.items():
            if isinstance(key, str) and key in groups:
                out[list(groups[key])] = gain
        for key, gain in given.items():  # a band by its number wins over its name
            if isinstance(key, str) and key in groups:
                continue
            band = _number(key)
            if band is None:
                raise UnknownNameError("band", str(key), (*groups, *map(str, range(bands))))
            if band < bands:
                out[band] = gain
    elif isinstance(given, (int, float)):
        out[:] = given
    else:
        listed = np.asarray(given, dtype=np.float64).reshape(-1)[:bands]
        out[: len(listed)] = listed
    if not np.isfinite(out).all():
        raise InputError("gains must be finite numbers")
    return out


def _number(key: str | int) -> int | None:
    if isinstance(key, int):
        return key if key >= 0 else None
    return int(key) if key.isdigit() else None


def equalize(
    motion: Motion,
    gains: Gains,
    *,
    dc: float = 1.0,
    parts: str | Sequence[str] = "body",
    masks: Mapping[str, Gains] | None = None,
    space: Space = "rotvec",
    offset: bool = True,
    edges: Edges = "reflect",
) -> Motion:
    """The motion with bands of its signals strengthened, weakened or turned round (BW95 2.1).

    `parts` says which joints: words as in `select_joints`. `masks` gives parts, joints or single
    channels gains of their own, later ones over earlier ones; a mask also reaches what `parts`
    leaves out. With `offset` the signals are what changes since the first frame, which stays as
    it is where all gains are alike; `dc` scales the smoothest level.

    Contacts stay as they were: they say when feet should rest, which the edit may have moved.
    """
    frames, rate = len(motion), motion.frame_rate
    signals = signals_of(motion, space, offset=offset)
    each = np.ones((len(signals), band_count(frames)))
    level = np.ones(len(signals))
    reached = signals.reached(parts)
    each[reached] = gains_of(gains, frames, rate)
    level[reached] = dc
    for word, own in (masks or {}).items():
        named = signals.chosen(word)
        each[named] = gains_of(own, frames, rate)
        level[named & ~reached] = 1.0
        reached |= named
    changed = (each != 1.0).any(axis=1) | (level != 1.0)
    if not changed.any():
        return motion
    values = signals.values
    values[:, changed] = equalized(values[:, changed], each[changed], dc=level[changed], edges=edges)
    return signals.to_motion(values, changed)
