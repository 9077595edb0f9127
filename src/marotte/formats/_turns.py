"""A little algebra of rotations in plain NumPy, so that `marotte info` needs no compiled code."""

from __future__ import annotations

import math

import numpy as np

from ..figure import FloatArray
from .axes import Axes


def product(a: FloatArray, b: FloatArray) -> FloatArray:
    """The quaternion (4,) that turns by b, then by a: `rotations.multiply` without the compiler."""
    w, v = a[0] * b[0] - a[1:] @ b[1:], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return np.array([w, *v])


def world_turn(axes: Axes) -> FloatArray:
    """(4,) the turn of the world that a change of axes is."""
    m = axes.vectors(np.eye(3)).T
    w = math.sqrt(max(0.0, 1.0 + float(np.trace(m)))) / 2
    if w > 1e-6:
        return np.array([w, m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]) * [1, *[0.25 / w] * 3]
    v = np.sqrt(np.maximum(0.0, (1.0 + np.diag(m)) / 2))
    return np.array([0.0, *v])  # half a turn about an axis: all of ours have one sign alone
