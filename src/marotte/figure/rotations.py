"""Rotations on arrays of any leading shape: quaternions (w, x, y, z), Hamilton, unit.

q and -q are the same rotation everywhere. Leading axes of the arguments broadcast.
"""

from __future__ import annotations

import itertools
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from .. import kernels
from ..errors import InputError
from ._arrays import FloatArray

IDENTITY = (1.0, 0.0, 0.0, 0.0)


def _rows(name: str, value: ArrayLike, width: int) -> FloatArray:
    array = np.asarray(value, dtype=np.float64)
    if array.ndim == 0 or array.shape[-1] != width:
        raise InputError(f"{name} must have shape (…, {width}), but has {array.shape}")
    return array


def _flat(array: FloatArray, shape: tuple[int, ...], *tail: int) -> FloatArray:
    full = np.broadcast_to(array, (*shape, *tail))
    return np.ascontiguousarray(full).reshape(-1, *tail)


def _each(run: Any, left: FloatArray, right: FloatArray, width: int) -> FloatArray:
    shape = np.broadcast_shapes(left.shape[:-1], right.shape[:-1])
    out = np.empty((int(np.prod(shape)), width))
    run(_flat(left, shape, left.shape[-1]), _flat(right, shape, right.shape[-1]), out)
    return out.reshape(*shape, width)


def multiply(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """The product a b (…, 4): turning first by b, then by a."""
    return _each(kernels.quaternions.multiply_each, _rows("a", a, 4), _rows("b", b, 4), 4)


def inverse(q: ArrayLike) -> FloatArray:
    """The rotation (…, 4) that undoes q; q must be unit."""
    return np.asarray(_rows("q", q, 4) * np.array([1.0, -1.0, -1.0, -1.0]))


def rotate(q: ArrayLike, v: ArrayLike) -> FloatArray:
    """The vectors v (…, 3) turned by q (…, 4)."""
    return _each(kernels.quaternions.rotate_each, _rows("q", q, 4), _rows("v", v, 3), 3)


def exp(v: ArrayLike) -> FloatArray:
    """The quaternion (…, 4) of a rotation vector v (…, 3): |v| radians about v (LS99 eq. 1)."""
    rows = _rows("v", v, 3)
    out = np.empty((rows.size // 3, 4))
    kernels.quaternions.exp_each(_flat(rows, rows.shape[:-1], 3), out)
    return out.reshape(*rows.shape[:-1], 4)


def log(q: ArrayLike) -> FloatArray:
    """The rotation vector (…, 3), at most pi long, of a unit quaternion q (…, 4)."""
    rows = _rows("q", q, 4)
    out = np.empty((rows.size // 4, 3))
    kernels.quaternions.log_each(_flat(rows, rows.shape[:-1], 4), out)
    return out.reshape(*rows.shape[:-1], 3)


def slerp(a: ArrayLike, b: ArrayLike, t: ArrayLike) -> FloatArray:
    """From a (t = 0) to b (t = 1), both (…, 4), along the shorter arc at constant speed."""
    left, right = _rows("a", a, 4), _rows("b", b, 4)
    at = np.asarray(t, dtype=np.float64)
    shape = np.broadcast_shapes(left.shape[:-1], right.shape[:-1], at.shape)
    out = np.empty((int(np.prod(shape)), 4))
    kernels.quaternions.slerp_each(_flat(left, shape, 4), _flat(right, shape, 4), _flat(at, shape), out)
    return out.reshape(*shape, 4)


def unroll(q: ArrayLike) -> FloatArray:
    """q (F, …, 4) with signs chosen so that neighbours in time lie in one hemisphere."""
    rows = _rows("q", q, 4)
    flat = np.ascontiguousarray(rows).reshape(rows.shape[0], rows[0].size // 4 if len(rows) else 0, 4)
    out = np.empty_like(flat)
    kernels.quaternions.unroll(flat, out)
    return out.reshape(rows.shape)


def normalised(q: ArrayLike) -> FloatArray:
    """q (…, 4) scaled to unit length; a zero quaternion becomes no rotation."""
    rows = _rows("q", q, 4)
    flat = np.ascontiguousarray(rows).reshape(1, -1, 4)
    out = np.empty_like(flat)
    kernels.quaternions.normalise(flat, out, 1e-12)
    return out.reshape(rows.shape)


def to_matrix(q: ArrayLike) -> FloatArray:
    """Rotation matrices (…, 3, 3) for column vectors."""
    rows = _rows("q", q, 4)
    out = np.empty((rows.size // 4, 3, 3))
    kernels.quaternions.to_matrix_each(_flat(rows, rows.shape[:-1], 4), out)
    return out.reshape(*rows.shape[:-1], 3, 3)


def from_matrix(m: ArrayLike) -> FloatArray:
    """Quaternions (…, 4), w >= 0, of rotation matrices m (…, 3, 3)."""
    array = np.asarray(m, dtype=np.float64)
    if array.shape[-2:] != (3, 3):
        raise InputError(f"m must have shape (…, 3, 3), but has {array.shape}")
    out = np.empty((array.size // 9, 4))
    kernels.quaternions.from_matrix_each(np.ascontiguousarray(array).reshape(-1, 3, 3), out)
    return out.reshape(*array.shape[:-2], 4)


def swing_twist(q: ArrayLike, axis: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """q (…, 4) = swing · twist, where the twist turns about the unit axis (…, 3)."""
    rows, axes = _rows("q", q, 4), _rows("axis", axis, 3)
    shape = np.broadcast_shapes(rows.shape[:-1], axes.shape[:-1])
    swing = np.empty((int(np.prod(shape)), 4))
    twist = np.empty_like(swing)
    kernels.quaternions.swing_twist_each(_flat(rows, shape, 4), _flat(axes, shape, 3), swing, twist)
    return swing.reshape(*shape, 4), twist.reshape(*shape, 4)


def about(axis: ArrayLike, angle: ArrayLike) -> FloatArray:
    """The quaternion (…, 4) of a turn by `angle` radians about the unit axis (…, 3)."""
    return exp(_rows("axis", axis, 3) * np.asarray(angle, dtype=np.float64)[..., None])


def between(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """The smallest rotation (…, 4) that turns direction a onto direction b, both (…, 3).

    Where one of them has no length there is nothing to turn; opposite directions turn half a
    circle about an axis square to both.
    """
    u, v = np.broadcast_arrays(_rows("a", a, 3), _rows("b", b, 3))
    lengths = np.linalg.norm(u, axis=-1) * np.linalg.norm(v, axis=-1)
    safe = np.where(lengths > 0, lengths, 1.0)
    cosine = np.where(lengths > 0, (u * v).sum(-1) / safe, 1.0)
    q = np.concatenate([1.0 + cosine[..., None], np.cross(u, v) / safe[..., None]], axis=-1)
    opposite = (1.0 + cosine < 1e-9) & (lengths > 0)
    if opposite.any():
        smallest = np.eye(3)[np.argmin(np.abs(u), axis=-1)]
        square = np.cross(u, smallest)
        half = np.concatenate([np.zeros((*square.shape[:-1], 1)), square], axis=-1)
        q = np.where(opposite[..., None], half, q)
    q = np.where((lengths > 0)[..., None], q, np.array(IDENTITY))
    return cast(FloatArray, q / np.linalg.norm(q, axis=-1, keepdims=True))


def angle_between(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Radians (…) of the smallest turn from a to b, both (…, 4); at most pi."""
    d = multiply(inverse(a), b)
    return np.asarray(2.0 * np.arctan2(np.linalg.norm(d[..., 1:], axis=-1), np.abs(d[..., 0])))


def from_euler(angles: ArrayLike, order: str) -> FloatArray:
    """Quaternions (…, 4) of intrinsic turns (…, n) in radians about the n letters of `order`."""
    _check_order(order)
    rows = _rows("angles", angles, len(order))
    flat = np.ascontiguousarray(np.degrees(rows)).reshape(-1, len(order))
    out = np.empty((len(flat), 1, 4))
    kernels.euler.quaternions_from_columns(flat, _axes(order), _columns(order), out, 0)
    return out.reshape(*rows.shape[:-1], 4)


def to_euler(q: ArrayLike, order: str) -> FloatArray:
    """Intrinsic angles (…, 3), radians, about the letters of `order`, continuous in time.

    Time runs along the first axis of q (F, …, 4); a single (4,) is one frame.
    """
    _check_order(order)
    if len(order) != 3:
        raise InputError(f"order must name three axes, but is {order!r}")
    rows = _rows("q", q, 4)
    frames = rows.reshape(1, 1, 4) if rows.ndim == 1 else rows.reshape(rows.shape[0], -1, 4)
    joints = frames.shape[1]
    axes = np.ascontiguousarray(np.repeat(_axes(order), joints, axis=0))
    columns = np.arange(3 * joints).reshape(joints, 3)
    values = np.empty((len(frames), 3 * joints))
    kernels.euler.columns_from_quaternions(
        np.ascontiguousarray(frames), axes, columns, np.zeros((joints, 3)), values
    )
    return np.radians(values).reshape(*rows.shape[:-1], 3)


def _check_order(order: str) -> None:
    if (
        not 1 <= len(order) <= 3
        or set(order) - set("XYZ")
        or any(a == b for a, b in itertools.pairwise(order))
    ):
        raise InputError(f"order must be one to three of XYZ, no two alike in a row, but is {order!r}")


def _axes(order: str) -> Any:
    padded = [("XYZ".index(c)) for c in order] + [-1] * (3 - len(order))
    return np.array([padded], dtype=np.int64)


def _columns(order: str) -> Any:
    return np.array([[*range(len(order)), *([0] * (3 - len(order)))]], dtype=np.int64)
