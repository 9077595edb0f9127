"""Uniform cubic B-splines by the textbook: Cox and de Boor's recursion, and LS99 eq. 2 datum by datum."""

from __future__ import annotations

import math


def basis(k: int, degree: int, t: float) -> float:
    """The B-spline of a degree whose support begins at knot k, at t."""
    if degree == 0:
        return 1.0 if k <= t < k + 1 else 0.0
    left = (t - k) / degree * basis(k, degree - 1, t)
    right = (k + degree + 1 - t) / degree * basis(k + 1, degree - 1, t)
    return left + right


def curve(control: list[float], spacing: float, frame: float) -> float:
    """The curve whose first control point's spline begins three knots before frame 0."""
    t = frame / spacing
    return sum(c * basis(j - 3, 3, t) for j, c in enumerate(control))


def fit(times: list[float], values: list[float], spacing: float, count: int) -> list[float]:
    """Control points by local least squares (LS99 eq. 2, with the square it lacks)."""
    control = []
    for j in range(count):
        above = below = 0.0
        for time, value in zip(times, values, strict=True):
            t = time / spacing
            own = basis(j - 3, 3, t)
            every = sum(basis(math.floor(t) - 3 + k, 3, t) ** 2 for k in range(4))
            above += own**2 * (own * value / every)
            below += own**2
        control.append(above / below if below > 0 else 0.0)
    return control
