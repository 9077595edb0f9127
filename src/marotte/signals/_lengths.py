"""Takes brought to one frame rate and one length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from ..errors import InputError
from ..figure import Motion, resample
from ..figure.contacts import sliced
from ..figure.time import at_frames

Length = Literal["first", "longest", "shortest", "mean"]
LENGTHS: tuple[Length, ...] = ("first", "longest", "shortest", "mean")
Fit = Literal["stretch", "hold"]
FITS: dict[Fit, str] = {
    "stretch": "every take runs slower or faster until it is as long",
    "hold": "takes keep their speed; longer ones are cut, shorter ones stand still at their end",
}


def at_rate(take: Motion, rate: float) -> Motion:
    """The take at a frame rate; one that has it stays as it is."""
    return take if take.frame_rate == rate else resample(take, rate)


def common_length(takes: Sequence[Motion], length: Length) -> int:
    """Frames that all of them will have."""
    if length not in LENGTHS:
        raise InputError(f"length must be one of {', '.join(LENGTHS)}, but is {length!r}")
    counts = [len(take) for take in takes]
    if length == "first":
        return counts[0]
    if length == "mean":
        return round(sum(counts) / len(counts))
    return max(counts) if length == "longest" else min(counts)


def fitted(take: Motion, frames: int, fit: Fit) -> Motion:
    """The take with so many frames; contacts go along."""
    if fit not in FITS:
        raise InputError(f"fit must be one of {', '.join(FITS)}, but is {fit!r}")
    count = len(take)
    if count == frames:
        return take
    if fit == "hold":
        return _held(take, frames)
    step = float(count - 1) / max(1, frames - 1)
    out = at_frames(take, np.arange(frames, dtype=np.float64) * step)
    contacts = None
    if take.contacts is not None:
        if step == 0.0:  # one frame, standing still
            return out.with_(contacts=[replace(c, first=0, last=frames - 1) for c in take.contacts])
        bounds = (
            (c, math.ceil(c.first / step - 1e-9), math.floor(c.last / step + 1e-9)) for c in take.contacts
        )
        contacts = [replace(c, first=a, last=min(b, frames - 1)) for c, a, b in bounds if a <= b]
    return out.with_(contacts=contacts)


def _held(take: Motion, frames: int) -> Motion:
    last = len(take) - 1
    if frames <= last:
        return take[:frames]
    out = at_frames(take, np.arange(frames, dtype=np.float64))
    contacts = sliced(take.contacts, 0, last)
    if contacts is not None:
        contacts = tuple(replace(c, last=frames - 1) if c.last == last else c for c in contacts)
    return out.with_(contacts=contacts)
