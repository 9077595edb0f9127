"""What writers of rows of angles share: the unit and axes they write in, and angles that go on
smoothly from one stretch of frames to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from .. import kernels
from ..figure import FloatArray, Motion
from ..figure.channels import Layout
from .axes import Axes, axes_of
from .units import unit_factor

NUMBERS_AT_ONCE = 1 << 15  # that are written together: they stay in the processor's cache
BYTES_PER_NUMBER = 22  # what kernels.text.format_rows wants


def unit_and_axes(
    motion: Motion,
    formats: tuple[str, ...],
    unit: str | float | None,
    up: str | None,
    *,
    metres: float,
    usual_up: str = "y",
) -> tuple[float, Axes]:
    """Metres in a unit of the file, and its axes: as asked, as in the file of one of these formats that
    the motion came from, or as usual."""
    source = motion.source
    kept = source.format in formats
    if unit is not None:
        metres = unit_factor(unit)
    elif kept and source.metres_per_unit is not None:
        metres = source.metres_per_unit
    return metres, axes_of(up if up is not None else source.up if kept else usual_up)


def left_out(motion: Motion, form: str) -> list[str]:
    """What a format of rows has no place for, in words."""
    if motion.contacts or motion.points:
        return [f"{form} has no place for contacts and named points; they are left out"]
    return []


def angle_blocks(
    frames: int, numbers: int, where: Layout, rotations_of: Callable[[slice], FloatArray]
) -> Iterator[tuple[slice, FloatArray]]:
    """Stretches of frames and their channels (n, C), of which the angles, degrees, are filled in.

    `rotations_of` gives the rotations (n, J, 4) of a stretch, in the layout's joints; `numbers` is
    how many a frame will have when it is written.
    """
    step = frames_at_once(numbers)
    start = np.zeros((len(where.axes), 3))
    turns = where.axes >= 0
    for first in range(0, frames, step):
        part = slice(first, min(first + step, frames))
        rotations = np.ascontiguousarray(rotations_of(part))
        values = np.zeros((len(rotations), len(where.names)))
        kernels.euler.columns_from_quaternions(rotations, where.axes, where.columns, start, values)
        start[turns] = values[-1, where.columns[turns]]
        yield part, values


def frames_at_once(numbers: int) -> int:
    """How many frames of so many numbers are written together."""
    return max(1, NUMBERS_AT_ONCE // max(1, numbers))


def room_for_rows(numbers: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Where the text of such a stretch fits."""
    return np.empty(frames_at_once(numbers) * (numbers * BYTES_PER_NUMBER + 1), dtype=np.uint8)
