"""A little algebra of rotations in plain NumPy, so that `marotte info` needs no compiled code.

Quaternions (..., 4) are (w, x, y, z) and unit; leading axes broadcast.
"""

from __future__ import annotations

import math

import numpy as np

from ..figure import FloatArray
from .axes import Axes

IDENTITY = (1.0, 0.0, 0.0, 0.0)
_CLOSE = 1e-4  # radians: below this the arc and its chord are one


def product(a: FloatArray, b: FloatArray) -> FloatArray:
    """Turning first by b, then by a."""
    aw, ax, ay, az = np.moveaxis(a, -1, 0)
    bw, bx, by, bz = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def undone(q: FloatArray) -> FloatArray:
    """The rotations back."""
    return np.asarray(q * np.array([1.0, -1.0, -1.0, -1.0]))


def turned(q: FloatArray, v: FloatArray) -> FloatArray:
    """Vectors v (..., 3) turned by q."""
    w, axis = q[..., :1], q[..., 1:]
    t = 2.0 * np.cross(axis, v)
    return np.asarray(v + w * t + np.cross(axis, t))


def unit(q: FloatArray) -> FloatArray:
    """Quaternions scaled to unit length; one of no length becomes no rotation."""
    lengths = np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(lengths > 1e-12, q / np.where(lengths > 1e-12, lengths, 1.0), np.array(IDENTITY))


def matrices(q: FloatArray) -> FloatArray:
    """Rotation matrices (..., 3, 3) for column vectors."""
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(m: FloatArray) -> FloatArray:
    """The quaternion (4,), w >= 0, of one rotation matrix (3, 3)."""
    (a, b, c), trace = np.diag(m), np.trace(m)
    squares = np.array([1 + trace, 1 + 2 * a - trace, 1 + 2 * b - trace, 1 + 2 * c - trace])
    parts = np.array(
        [
            [squares[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
            [m[2, 1] - m[1, 2], squares[1], m[1, 0] + m[0, 1], m[0, 2] + m[2, 0]],
            [m[0, 2] - m[2, 0], m[1, 0] + m[0, 1], squares[2], m[2, 1] + m[1, 2]],
            [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[2, 1] + m[1, 2], squares[3]],
        ]
    )
    q = unit(parts[int(np.argmax(squares))])  # from its largest component: accurate everywhere
    return -q if q[0] < 0 else q


def angle(a: FloatArray, b: FloatArray) -> FloatArray:
    """Radians between two orientations, at most pi."""
    d = product(undone(a), b)
    return np.asarray(2.0 * np.arctan2(np.linalg.norm(d[..., 1:], axis=-1), np.abs(d[..., 0])))


def slerp(a: FloatArray, b: FloatArray, t: FloatArray) -> FloatArray:
    """From a (t = 0) to b (t = 1) along the shorter arc at constant speed."""
    b = np.where((a * b).sum(-1, keepdims=True) < 0, -b, b)
    # the chord is exact where the cosine is not: for small arcs
    arc = 2.0 * np.arcsin(np.minimum(1.0, 0.5 * np.linalg.norm(b - a, axis=-1, keepdims=True)))
    share = t[..., None]
    with np.errstate(invalid="ignore", divide="ignore"):
        u, v = np.sin((1.0 - share) * arc) / np.sin(arc), np.sin(share * arc) / np.sin(arc)
    near = arc < _CLOSE
    return unit(np.where(near, 1.0 - share, u) * a + np.where(near, share, v) * b)


def world_turn(axes: Axes) -> FloatArray:
    """(4,) the turn of the world that a change of axes is."""
    m = axes.vectors(np.eye(3)).T
    w = math.sqrt(max(0.0, 1.0 + float(np.trace(m)))) / 2
    if w > 1e-6:
        return np.array([w, m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]) * [1, *[0.25 / w] * 3]
    v = np.sqrt(np.maximum(0.0, (1.0 + np.diag(m)) / 2))
    return np.array([0.0, *v])  # half a turn about an axis: all of ours have one sign alone
