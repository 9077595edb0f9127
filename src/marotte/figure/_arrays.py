"""Array types, and the door through which arrays enter frozen values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

BLOCK = 1 << 16  # numbers that checks look at together; they stay in the processor's cache


def frozen_floats(name: str, value: ArrayLike, shape: tuple[int | None, ...]) -> FloatArray:
    """A read-only, C-contiguous float64 array of that shape (None: any length).

    An array that is read-only already is taken as it is; a writable one is copied, so that no
    caller can change a frozen value afterwards.
    """
    array = np.asarray(value, dtype=np.float64)
    check_shape(name, array.shape, shape)
    if array.flags.writeable or not array.flags.c_contiguous:
        array = np.array(array, dtype=np.float64, order="C")
        array.flags.writeable = False
    return array


def owned(array: FloatArray) -> FloatArray:
    """Mark a fresh array as read-only, which spares the copy on the way into a frozen value."""
    array.flags.writeable = False
    return array


def check_shape(name: str, given: tuple[int, ...], wanted: tuple[int | None, ...]) -> None:
    """Raise InputError unless the shapes agree."""
    if len(given) != len(wanted) or any(w is not None and g != w for g, w in zip(given, wanted, strict=True)):
        text = ", ".join("any" if n is None else str(n) for n in wanted)
        raise InputError(f"{name} must have shape ({text}), but has {given}")


def check_finite(name: str, array: FloatArray) -> None:
    """Raise InputError naming the first place that is NaN or infinite."""
    flat = array.reshape(-1)
    for first in range(0, flat.size, BLOCK):  # large motions are checked without copies of their size
        good = np.isfinite(flat[first : first + BLOCK])
        if not good.all():
            at = np.unravel_index(first + int(np.argmin(good)), array.shape)
            where = tuple(int(i) for i in at)
            raise InputError(f"{name} must be finite, but holds {array[where]} at index {where}")
