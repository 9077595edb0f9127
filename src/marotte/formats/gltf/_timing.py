"""Time: which frames an animation is read at, from the times of its keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import FileError, InputError
from ...figure import FloatArray
from .._notes import Notes
from ._container import Document

DEFAULT_RATE = 30.0
BYTES_PER_JOINT = 160  # and frame: its place, turn and matrix while they are worked out
SLOWEST_OWN, FASTEST_OWN = 10.0, 1000.0  # key rates that are taken for frame rates
# Rates on whose frames keys that are far apart are looked for, the likeliest first.
_COMMON = (30.0, 24.0, 60.0, 25.0, 50.0, 48.0, 120.0, 100.0)
_NEAR_WHOLE = 2e-5  # relative: what float32 key times blur a rate by
_OFF_GRID = 0.02  # of a frame: keys off the grid by more are no frames
_NTSC = 1000.0 / 1001.0


@dataclass(frozen=True, slots=True)
class Timing:
    """The frames that tracks are read at."""

    start: float
    """Seconds of the first key: frame 0."""
    rate: float
    frames: int

    @property
    def near(self) -> float:
        """Seconds within which a key counts as met."""
        return 1e-3 / self.rate

    def times(self) -> FloatArray:
        """(F,) seconds of the frames, in the file's own time."""
        return np.asarray(self.start + np.arange(self.frames) / self.rate)


def settle_timing(
    keys: Sequence[FloatArray], rate: float | None, declared: float | None, notes: Notes
) -> Timing:
    """Which frames to read: from the first key to the last, at a rate that is asked for or found.

    `keys` are the key times (K,) of all tracks; `declared` is a rate that the file itself names.
    """
    if not keys:
        return Timing(0.0, rate or declared or DEFAULT_RATE, 1)
    start = min(float(k.min()) for k in keys)
    end = max(float(k.max()) for k in keys)
    if rate is None:
        rate = declared
        own = own_rate(keys)
        if own is not None and (rate is None or abs(own / rate - 1.0) > 1e-3):
            rate = own
        if rate is None and end > start:
            rate = common_rate(keys)
            why = "all keys lie on its frames"
            if rate is None:
                rate, why = DEFAULT_RATE, "the keys lie on the frames of no usual rate"
            notes.guess(f"read at {rate:g} frames a second, for {why} (set it with frame_rate)")
        if rate is None:
            rate = DEFAULT_RATE
    frames = int((end - start) * rate + 1e-3) + 1
    if start > 1e-3 / rate:
        notes.guess(f"the first key is at {start:.4g} s; that is frame 0")
    return Timing(start, rate, frames)


def own_rate(keys: Sequence[FloatArray]) -> float | None:
    """Frames a second of keys (K,) that lie on one even grid, by their usual spacing; else None."""
    steps = np.concatenate([np.diff(k) for k in keys])
    if not len(steps):
        return None
    usual = _mode(steps)
    if usual <= 0:
        return None
    every = np.unique(np.concatenate(list(keys)))
    places = np.round((every - every[0]) / usual)
    if places[-1] <= 0:
        return None
    # the spacing that fits all keys best: single ones are blurred by their float32
    spacing = float(places @ (every - every[0]) / (places @ places))
    blur = 4e-7 * float(np.abs(every).max())
    off = np.abs(every - every[0] - places * spacing)
    if float(off.max()) > _OFF_GRID * spacing + blur:
        return None
    rate = 1.0 / spacing
    if not SLOWEST_OWN * 0.999 <= rate <= FASTEST_OWN * 1.001:
        return None
    tolerance = max(_NEAR_WHOLE, blur / float(every[-1] - every[0]))
    for nominal in (round(rate), round(rate / _NTSC) * _NTSC):
        if abs(rate / nominal - 1.0) < tolerance:
            return float(nominal)
    return rate


def common_rate(keys: Sequence[FloatArray]) -> float | None:
    """The likeliest usual rate on whose frames all keys (K,) lie; None where there is no such."""
    every = np.unique(np.concatenate(list(keys)))
    since = every - every[0]
    blur = 4e-7 * float(np.abs(every).max())
    for rate in _COMMON:
        off = np.abs(since - np.round(since * rate) / rate)
        if float(off.max()) <= 1e-3 / rate + blur:
            return rate
    return None


def _mode(steps: FloatArray) -> float:
    """The spacing that most neighbours have, give or take a hundredth."""
    ordered = np.sort(steps[steps > 0])
    if not len(ordered):
        return 0.0
    ends = np.searchsorted(ordered, ordered * 1.02, side="right")
    most = int(np.argmax(ends - np.arange(len(ordered))))
    return float(np.median(ordered[most : ends[most]]))


def check_rate(rate: float | None) -> None:
    """Raise InputError unless a rate that was asked for makes sense."""
    if rate is not None and not (np.isfinite(rate) and 0 < rate <= 1e6):
        raise InputError(f"frame_rate must be a positive number of frames a second, but is {rate}")


def check_room(timing: Timing, joints: int, document: Document, rate_given: bool) -> None:
    """Raise FileError where frames and joints would take more memory than a motion may."""
    wanted = timing.frames * joints * BYTES_PER_JOINT
    most = document.most_bytes
    if wanted > most:
        hint = "ask for a lower rate" if rate_given else "set a lower one with frame_rate"
        raise FileError(
            f"{timing.frames:,} frames of {joints:,} joints, at {timing.rate:g} a second, would take "
            f"{wanted / 1e9:.1f} GB, but may take {most / 1e9:.1f} GB at most; {hint}",
            path=document.path,
        )
