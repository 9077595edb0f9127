"""Kochanek and Bartels' spline, segment by segment from the textbook's Hermite form."""

from __future__ import annotations

import math

import numpy as np

from tests.naive.rotations import quaternion_product


def hermite(u: float, x0: float, x1: float, tangent0: float, tangent1: float) -> float:
    """The cubic over 0 <= u <= 1 with these values and tangents at its ends."""
    return (
        (2 * u**3 - 3 * u**2 + 1) * x0
        + (u**3 - 2 * u**2 + u) * tangent0
        + (-2 * u**3 + 3 * u**2) * x1
        + (u**3 - u**2) * tangent1
    )


def source(x: list[float], t: list[float], i: int, tension: float, continuity: float, bias: float) -> float:
    """The tangent with which the curve arrives at an inner key, per segment before it."""
    left = (1 - tension) * (1 - continuity) * (1 + bias) / 2 * (x[i] - x[i - 1])
    right = (1 - tension) * (1 + continuity) * (1 - bias) / 2 * (x[i + 1] - x[i])
    return (left + right) * 2 * (t[i] - t[i - 1]) / (t[i + 1] - t[i - 1])


def destination(
    x: list[float], t: list[float], i: int, tension: float, continuity: float, bias: float
) -> float:
    """The tangent with which it leaves an inner key, per segment after it."""
    left = (1 - tension) * (1 + continuity) * (1 + bias) / 2 * (x[i] - x[i - 1])
    right = (1 - tension) * (1 - continuity) * (1 - bias) / 2 * (x[i + 1] - x[i])
    return (left + right) * 2 * (t[i + 1] - t[i]) / (t[i + 1] - t[i - 1])


def kochanek_bartels(
    t: list[float], x: list[float], at: float, tension: float, continuity: float, bias: float
) -> float:
    """The curve at one time between the second key and the last but one."""
    i = max(k for k in range(1, len(t) - 2) if t[k] <= at)
    u = (at - t[i]) / (t[i + 1] - t[i])
    return hermite(
        u,
        x[i],
        x[i + 1],
        destination(x, t, i, tension, continuity, bias),
        source(x, t, i + 1, tension, continuity, bias),
    )


def slerp(a: np.ndarray, b: np.ndarray, u: float) -> np.ndarray:
    """Along the great circle of these two, by sines of the angle between them; never by -b."""
    angle = math.acos(max(-1.0, min(1.0, float(a @ b))))
    if angle < 1e-9:
        return a
    return (math.sin((1 - u) * angle) * a + math.sin(u * angle) * b) / math.sin(angle)


def logarithm(q: np.ndarray) -> np.ndarray:
    """Half the rotation vector of a quaternion: Shoemake's log."""
    angle = math.acos(max(-1.0, min(1.0, float(q[0]))))
    length = float(np.linalg.norm(q[1:]))
    return q[1:] * (angle / length) if length > 1e-12 else np.zeros(3)


def exponential(v: np.ndarray) -> np.ndarray:
    angle = float(np.linalg.norm(v))
    return np.concatenate([[math.cos(angle)], v * (math.sin(angle) / angle if angle > 1e-12 else 1.0)])


def squad(keys: list[np.ndarray], i: int, u: float) -> np.ndarray:
    """Shoemake's curve (1987) between inner keys i and i + 1 of evenly spaced ones in one hemisphere."""
    conjugate = np.array([1, -1, -1, -1])

    def inner(k: int) -> np.ndarray:
        back = logarithm(quaternion_product(keys[k] * conjugate, keys[k - 1]))
        ahead = logarithm(quaternion_product(keys[k] * conjugate, keys[k + 1]))
        return quaternion_product(keys[k], exponential(-(back + ahead) / 4))

    return slerp(slerp(keys[i], keys[i + 1], u), slerp(inner(i), inner(i + 1), u), 2 * u * (1 - u))
