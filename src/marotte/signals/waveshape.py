"""Waveshaping: every value of a signal becomes another, whatever comes before or after it (BW95 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np

from ..curves import Limits
from ..errors import InputError
from ..figure import FloatArray, Motion
from ..figure._arrays import BoolArray
from ..figure.staying import still_in_contact
from .shape_library import shape_of
from .shapes import Shape, ShapeLike
from .spaces import Signals, Space, signals_of

Range: TypeAlias = Literal["own", "first", "mean"] | tuple[float, float]
RANGES: dict[str, str] = {
    "own": "-1 and 1 are the least and the greatest value that the signal has in the take",
    "first": "0 is the value at the first frame, 1 the greatest distance from it",
    "mean": "0 is the signal's mean, 1 the greatest distance from it",
}
"""What a signal's range from -1 to 1 is; or two numbers, in the signal's unit."""


def shaped(
    signals: FloatArray, shape: Shape, *, range: Range | None = None, floor: float = 0.0
) -> FloatArray:
    """Signals (F, C), each through the shape on its own range; by default the take's own (RANGES).

    Signals that change by less than `floor` in all have no range of their own, and stay.
    """
    values = np.asarray(signals, dtype=np.float64)
    if values.ndim != 2 or len(values) == 0:
        raise InputError(f"signals must have shape (F, C) with frames in it, but have {values.shape}")
    middle, half = _range(values, "own" if range is None else range)
    moving = half > 0.5 * floor
    x = (values - middle) / np.where(moving, half, 1.0)
    # what the shape adds, so that a shape that adds nothing changes no bit
    return np.asarray(np.where(moving, values + half * (shape(x) - x), values))


def waveshape(
    motion: Motion,
    curve: ShapeLike = "identity",
    *,
    parts: str | Sequence[str] = "body",
    masks: Mapping[str, ShapeLike] | None = None,
    limits: Limits | None = None,
    range: Range | None = None,
    space: Space = "euler",
) -> Motion:
    """The motion with the values of its signals reshaped, and then limited (BW95 4).

    `parts` says which joints, or single channels such as `LeftArm.z`: words as in
    `select_joints`. `masks` gives parts, joints or channels shapes of their own, later ones over
    earlier ones. `range` says what -1 and 1 are for each signal (RANGES). In the space of the
    file's angles each angle is shaped by itself; rotation vectors are about the first frame's
    pose, and count in degrees here.
    """
    if space not in ("euler", "rotvec"):
        raise InputError(f"space must be euler or rotvec, but is {space!r}")
    signals = signals_of(motion, space, offset=space == "rotvec")
    reached = signals.reached(parts)
    chosen: list[tuple[BoolArray, Shape]] = [(reached, shape_of(curve))]
    for word, own in (masks or {}).items():
        named = signals.chosen(word)
        chosen = [(mask & ~named, shape) for mask, shape in chosen]
        chosen.append((named, shape_of(own)))
        reached = reached | named
    unit = _units(signals)
    before = signals.values * unit
    after = before.copy()
    for mask, shape in chosen:
        if mask.any() and not shape.is_identity:
            after[:, mask] = shaped(before[:, mask], shape, range=range, floor=STILL)
    if limits is not None:
        for c in np.flatnonzero(reached):
            after[:, c] = limits(after[:, c])
    changed = reached & (after != before).any(axis=0)
    if not changed.any():
        return motion
    made = signals.to_motion(after / unit, changed)
    return made.with_(contacts=still_in_contact(motion, made))


STILL = 1e-6
"""Degrees or metres; a signal that changes by less in the whole take is at rest, and has no range."""


def _units(signals: Signals) -> FloatArray:
    """(C,) what makes each signal degrees or metres."""
    if signals.space == "euler":
        return np.ones(len(signals))
    return np.array(
        [1.0 if name.rpartition(".")[2].startswith("t") else 180.0 / np.pi for name in signals.names]
    )


def _range(values: FloatArray, range: Range) -> tuple[FloatArray, FloatArray]:
    """(C,) the middle of each signal's range, and half of it."""
    if isinstance(range, str):
        if range not in RANGES:
            raise InputError(f"range must be one of {', '.join(RANGES)}, or two numbers, but is {range!r}")
        least, greatest = values.min(axis=0), values.max(axis=0)
        if range == "own":
            return 0.5 * (least + greatest), 0.5 * (greatest - least)
        middle = values[0] if range == "first" else values.mean(axis=0)
        return middle, np.maximum(greatest - middle, middle - least)
    bounds = np.asarray(range, dtype=np.float64)
    if bounds.shape != (2,) or not np.isfinite(bounds).all() or not bounds[0] < bounds[1]:
        raise InputError(f"range must be two numbers, the lower first, but is {range!r}")
    ones = np.ones(values.shape[1])
    return 0.5 * (bounds[0] + bounds[1]) * ones, 0.5 * (bounds[1] - bounds[0]) * ones
