"""Rotations as 3 × 3 matrices for column vectors, built from definitions."""

from __future__ import annotations

import math

import numpy as np


def matrix_about(axis: int, radians: float) -> np.ndarray:
    """A right-handed turn about x (0), y (1) or z (2)."""
    c, s = math.cos(radians), math.sin(radians)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m = np.eye(3)
    m[i, i] = m[j, j] = c
    m[i, j], m[j, i] = -s, s
    return m


def matrix_of_euler(angles: list[float], order: str) -> np.ndarray:
    """Intrinsic turns: each about an axis that the turns before it have moved."""
    m = np.eye(3)
    for angle, letter in zip(angles, order, strict=True):
        m = m @ matrix_about("XYZ".index(letter), angle)
    return m


def matrix_of_vector(v: np.ndarray) -> np.ndarray:
    """exp of a rotation vector by Taylor's series of the cross-product matrix."""
    k = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]], dtype=np.float64)
    # scaling and squaring keeps the series short for long vectors
    halvings = max(0, math.ceil(math.log2(max(float(np.linalg.norm(v)), 1e-300))) + 1)
    term = total = np.eye(3)
    for n in range(1, 20):
        term = term @ (k / 2**halvings) / n
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total


def matrix_of_quaternion(q: np.ndarray) -> np.ndarray:
    """Column by column: what q p q* does to the three axes."""
    return np.column_stack([quaternion_sandwich(q, e) for e in np.eye(3)])


def quaternion_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Hamilton's product from the table of i, j, k."""
    table = {  # (left unit, right unit) -> (sign, unit)
        (0, 0): (1, 0), (0, 1): (1, 1), (0, 2): (1, 2), (0, 3): (1, 3),
        (1, 0): (1, 1), (1, 1): (-1, 0), (1, 2): (1, 3), (1, 3): (-1, 2),
        (2, 0): (1, 2), (2, 1): (-1, 3), (2, 2): (-1, 0), (2, 3): (1, 1),
        (3, 0): (1, 3), (3, 1): (1, 2), (3, 2): (-1, 1), (3, 3): (-1, 0),
    }  # fmt: skip
    out = np.zeros(4)
    for (m, n), (sign, unit) in table.items():
        out[unit] += sign * a[m] * b[n]
    return out


def quaternion_sandwich(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """q v q* for a vector."""
    conjugate = q * np.array([1, -1, -1, -1])
    return quaternion_product(quaternion_product(q, np.concatenate([[0.0], v])), conjugate)[1:]


def angle_of_matrix(m: np.ndarray) -> float:
    """Radians of the turn a rotation matrix makes."""
    skew = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    return math.atan2(float(np.linalg.norm(skew)), float(np.trace(m)) - 1.0)
