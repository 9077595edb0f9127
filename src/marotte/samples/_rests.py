"""Hands, knees and feet that rest, are lifted and rest again: where they are, and when.

What rests does not move at all. On its way to the next rest it starts and stops without a jump in
speed or acceleration, so that whatever hangs on it is as smooth as what carries it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..figure import Contact, FloatArray
from ._curves import step

_HAIR = 1e-6  # frames: a frame this near a contact's end belongs to it


@dataclass(frozen=True, slots=True)
class Rest:
    """One contact: from `on` to `off`, seconds, at a place in the world, metres."""

    on: float
    off: float
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    heading: float = 0.0  # radians


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """Where something is that rests and is carried, one value a frame."""

    place: FloatArray  # (F, 3) world, metres, on the straight way between its rests
    heading: FloatArray  # (F,) radians
    air: FloatArray  # (F,) 0 while it rests; on its way up to 1 and back


def carried(rests: Sequence[Rest], t: FloatArray) -> Carried:
    """A path through rests in order of time. Before the first and after the last it rests there."""
    places = np.array([[r.x, r.y, r.z, r.heading] for r in rests])
    out = np.tile(places[0], (len(t), 1))
    air = np.zeros_like(t)
    for k, (a, b) in enumerate(itertools.pairwise(rests)):
        out += step(t, a.off, b.on)[:, None] * (places[k + 1] - places[k])
        air += bump(t, a.off, b.on)
    return Carried(out[:, :3], out[:, 3], air)


def bump(t: FloatArray, start: float, end: float) -> FloatArray:
    """(F,) 0 outside, 1 in the middle, with continuous acceleration."""
    u = np.clip((t - start) / max(end - start, 1e-9), 0.0, 1.0)
    return np.asarray((4.0 * u * (1.0 - u)) ** 3)


def rest_contacts(
    rests: Sequence[Rest], role: str, frames: int, frame_rate: float, on: str = ""
) -> list[Contact]:
    """The rests as frames, both ends included; `on` names what they rest on, if not the ground."""
    found = []
    for rest in rests:
        first = max(0, math.ceil(max(rest.on, -1.0) * frame_rate - _HAIR))
        last = min(frames - 1, math.floor(min(rest.off, 1e6) * frame_rate + _HAIR))
        if first <= last:
            found.append(Contact(role, first, last, on))
    return found
