"""Standing on two feet: where they are, what they leave, and where the weight is between them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ..figure import FloatArray
from ._feet import Stance

ALWAYS = (-10.0, 1e6)  # seconds: from before any take to after it


def standing(
    side: str,
    *,
    width: float = 0.24,
    toe_out: float = 10.0,
    ahead: float = 0.0,
    heading: float = 0.0,
    at: tuple[float, float] = (0.0, 0.0),
) -> Stance:
    """A flat foot `width` from the other, `ahead` of the middle, metres; toes out, degrees.

    `at` is the middle between the feet, `heading` where the figure faces, radians.
    """
    s = 1.0 if side == "left" else -1.0
    left, c, si = 0.5 * s * width, math.cos(heading), math.sin(heading)
    return Stance(
        on=ALWAYS[0],
        off=ALWAYS[1],
        x=at[0] + left * c + ahead * si,
        z=at[1] - left * si + ahead * c,
        heading=heading + s * math.radians(toe_out),
    )


def until(stance: Stance, off: float, **roll: float) -> Stance:
    """The stance, left at a time."""
    return replace(stance, off=off, **roll)


def since(stance: Stance, on: float, **roll: float) -> Stance:
    """The stance, taken at a time."""
    return replace(stance, on=on, **roll)


def moved(stance: Stance, x: float = 0.0, z: float = 0.0, turn: float = 0.0) -> Stance:
    """The stance elsewhere: metres, radians."""
    return replace(stance, x=stance.x + x, z=stance.z + z, heading=stance.heading + turn)


def weight(t: FloatArray, left: Stance, right: Stance, share: FloatArray, forward: float) -> FloatArray:
    """(F, 2) x and z of a point between the feet: share 0 over the left, 1 over the right one,
    `forward` of the ankles, metres."""
    ends = []
    for stance in (left, right):
        c, s = math.cos(stance.heading), math.sin(stance.heading)
        ends.append(np.array([stance.x + forward * s, stance.z + forward * c]))
    return np.asarray(ends[0] + share[:, None] * (ends[1] - ends[0])) + np.zeros((len(t), 2))
