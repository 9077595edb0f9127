"""Numbers as text: how many places they need, and the fewest letters that keep them.

What is written may move no joint by more than a millionth of the figure's height.
"""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np

from ..errors import InputError
from ..figure import FloatArray, IntArray, Skeleton

LARGEST_NUMBER = 1e12
"""Lengths and angles beyond this are refused: no figure has them, and rounding would eat the rest."""
MOST_DECIMALS = 15

# Decimals of angles (degrees) that keep every joint within a millionth of the figure's height:
# each of a chain's joints may add half a last place about three axes, with a lever of the height.
_ANGLE_DECIMALS = ((100, 7), (1_000, 8), (10_000, 9))  # (joints in the longest chain, decimals)
# Positions are written to this share of the figure's height, or a little finer.
_PLACE_SHARE = 1e-8


def places(skeleton: Skeleton, metres: float, decimals: int | None) -> tuple[int, int]:
    """Decimals of angles in degrees, and of positions in a unit of so many metres."""
    if decimals is not None:
        if not 0 <= decimals <= MOST_DECIMALS:
            raise InputError(f"decimals must be from 0 to {MOST_DECIMALS}, but is {decimals}")
        return decimals, decimals
    depth = np.ones(len(skeleton), dtype=np.int64)
    for j in range(1, len(skeleton)):
        depth[j] = depth[skeleton.parents[j]] + 1
    angles = next((d for most, d in _ANGLE_DECIMALS if depth.max() <= most), 10)
    height = skeleton.height / metres
    needed = math.ceil(-math.log10(height * _PLACE_SHARE)) if height > 0 else 9
    return angles, min(max(needed, 2), MOST_DECIMALS)


def fitting_places(values: FloatArray, wanted: IntArray, form: str) -> IntArray:
    """Decimals (C,) with which every number of values (N, C) fits a double's integers; large ones
    get fewer."""
    if not values.size:
        return wanted
    largest = np.abs(values).max(axis=0)
    if not (largest <= LARGEST_NUMBER).all():
        raise InputError(
            f"numbers of {form} must be at most {LARGEST_NUMBER:g} in size, "
            f"but one would be {float(largest.max()):g}; is the unit too small?"
        )
    with np.errstate(divide="ignore"):
        room = np.floor(15.0 - np.maximum(np.ceil(np.log10(largest)), 0.0))
    return np.asarray(np.minimum(wanted, room), dtype=np.int64)


def decimal_text(value: float, digits: int) -> str:
    """A number with so many significant digits, never with an exponent, which some readers lack."""
    if value == 0:
        return "0"
    text = f"{Decimal(f'{value:.{digits - 1}e}'):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
