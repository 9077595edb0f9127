"""Units of length in files that do not name theirs: what they are called, and how to guess.

The guess asks how tall the figure would stand. Bone lengths say so whatever pose the rest pose
is; the thigh and the shin of a grown person measure 0.491 of the stature together, the upper arm
and the forearm 0.332 (Drillis and Contini 1966, in Winter's table).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..errors import InputError, suggest
from ..figure import FloatArray, Rig, Skeleton
from ..figure.rig import SIDES

UNITS: dict[str, float] = {
    "m": 1.0,
    "dm": 0.1,
    "cm": 0.01,
    "mm": 0.001,
    "inch": 0.0254,
    "ft": 0.3048,
    "cmu": 0.056444,
}
"""Metres in one unit. `cmu` is that of the BVH files made from the CMU library: 0.0254 / 0.45."""

_SPELLINGS = {
    "metre": "m", "meter": "m", "metres": "m", "meters": "m",
    "decimetre": "dm", "decimeter": "dm", "decimetres": "dm", "decimeters": "dm",
    "centimetre": "cm", "centimeter": "cm", "centimetres": "cm", "centimeters": "cm",
    "millimetre": "mm", "millimeter": "mm", "millimetres": "mm", "millimeters": "mm",
    "in": "inch", "inches": "inch", "foot": "ft", "feet": "ft",
}  # fmt: skip

# Statures in metres that a unit must give to be believed. The units that most files are in come
# first and get the wider range, so that children and giants count too; no two of the ranges of
# the first line meet, nor do those of the second.
_USUAL = {"m": (0.9, 2.4), "cm": (0.9, 2.4), "mm": (0.9, 2.4)}
_RARE = {"dm": (1.2, 2.1), "cmu": (1.2, 2.2), "inch": (1.2, 2.2)}
_LIKELY = 1.7  # metres: what a stature that no unit makes likely should come near to

_LEG = ("upper_leg", "lower_leg", "foot", 0.491)
_ARM = ("upper_arm", "lower_arm", "hand", 0.332)


@dataclass(frozen=True, slots=True)
class UnitGuess:
    """What a file's lengths are taken to be in, and why."""

    name: str
    metres: float
    reason: str


def unit_factor(unit: str | float) -> float:
    """Metres in one unit, given by name or as that number itself."""
    if isinstance(unit, str):
        name = unit.strip().lower()
        name = _SPELLINGS.get(name, name)
        if name in UNITS:
            return UNITS[name]
        try:
            factor = float(name)
        except ValueError:
            near = suggest(unit, [*UNITS, *_SPELLINGS])
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            raise InputError(
                f"unit must be one of {', '.join(UNITS)} or the metres in one unit, but is {unit!r}{hint}"
            ) from None
    else:
        factor = float(unit)
    if not math.isfinite(factor) or not 1e-9 <= factor <= 1e9:
        raise InputError(f"unit must be a positive number of metres from 1e-9 to 1e9, but is {unit}")
    return factor


def unit_name(metres: float) -> str:
    """The name of a factor, or the factor itself in words."""
    for name, factor in UNITS.items():
        if math.isclose(metres, factor, rel_tol=1e-9):
            return name
    return f"{metres:g} m"


def guess_unit(skeleton: Skeleton, rig: Rig, bones: FloatArray, extent: Callable[[], float]) -> UnitGuess:
    """The unit that makes the figure as tall as people are.

    `bones` (J,) are the lengths of the joints' offsets and `extent()` is the figure's largest
    extent, both in the file's unit; it is asked for where limbs do not settle the matter, as with
    a cartoon's.
    """
    limbs = [
        (stature, how)
        for limb, how in ((_LEG, "by the length of its legs"), (_ARM, "by the length of its arms"))
        if (stature := _stature(skeleton, rig, bones, limb)) > 0
    ]
    for stature, how in limbs:
        if found := _believed(stature, _USUAL):
            return _guess(found, f"a figure {stature * UNITS[found]:.2f} m tall, {how}")
    size = extent()
    if not limbs:
        if not 0 < size < math.inf:
            return _guess("cm", "for the figure has no size")
        name = _nearest(size, tuple(_USUAL))
        return _guess(
            name, f"which is uncertain: a figure of no known kind, {size * UNITS[name]:.3g} m large"
        )
    if found := _believed(size, _USUAL):
        return _guess(found, f"a figure {size * UNITS[found]:.2f} m large")
    for stature, how in limbs:
        if found := _believed(stature, _RARE):
            return _guess(found, f"a figure {stature * UNITS[found]:.2f} m tall, {how}")
    stature, how = limbs[0]
    name = _nearest(stature, (*_USUAL, *_RARE))
    return _guess(name, f"which is uncertain: the figure would be {stature * UNITS[name]:.3g} m tall, {how}")


def _guess(name: str, reason: str) -> UnitGuess:
    return UnitGuess(name, UNITS[name], f"lengths are taken as {name}, {reason}")


def _believed(stature: float, ranges: Mapping[str, tuple[float, float]]) -> str:
    """The unit in which this many make a likely stature, or nothing."""
    for name, (least, greatest) in ranges.items():
        if least <= stature * UNITS[name] <= greatest:
            return name
    return ""


def _nearest(stature: float, names: Sequence[str]) -> str:
    return min(names, key=lambda name: abs(math.log(stature * UNITS[name] / _LIKELY)))


def _stature(skeleton: Skeleton, rig: Rig, bones: FloatArray, limb: tuple[str, str, str, float]) -> float:
    """How tall a person with such limbs is, in the file's unit; 0 where there are none."""
    upper, lower, end, share = limb
    longest = 0.0
    for side in SIDES:
        top, tip = rig.get(f"{side}_{upper}"), rig.get(f"{side}_{end}")
        if top is None or tip is None or f"{side}_{lower}" not in rig:
            continue
        j, length = tip, 0.0
        while j not in (top, -1):
            length += float(bones[j])
            j = int(skeleton.parents[j])
        if j == top:
            longest = max(longest, length)
    return longest / share
