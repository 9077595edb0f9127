"""Closest points of surfaces, looked for rather than worked out: every face of a solid, every piece of
heights, and the best of them."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
from scipy.interpolate import BSpline
from scipy.optimize import minimize

Vector = Any


def on_segment(p: Vector, a: Vector, b: Vector) -> Vector:
    """The point of a line from a to b that is nearest to p."""
    way = b - a
    square = float(way @ way)
    share = 0.0 if square == 0.0 else min(max(float((p - a) @ way) / square, 0.0), 1.0)
    return a + share * way


def on_rectangle(p: Vector, corner: Vector, first: Vector, second: Vector) -> Vector:
    """The point of a rectangle, spanned from a corner by two edges, that is nearest to p."""
    out = np.array(corner, float)
    for edge in (first, second):
        share = min(max(float((p - corner) @ edge) / float(edge @ edge), 0.0), 1.0)
        out = out + share * edge
    return out


def block_faces(low: Vector, high: Vector) -> list[tuple[Vector, Vector, Vector]]:
    """The six faces of an upright block."""
    faces = []
    for axis in range(3):
        one, two = (k for k in range(3) if k != axis)
        first, second = np.zeros(3), np.zeros(3)
        first[one], second[two] = high[one] - low[one], high[two] - low[two]
        for end in (low, high):
            corner = np.array(low, float)
            corner[axis] = end[axis]
            faces.append((corner, first, second))
    return faces


def box(p: Vector, half: Vector) -> tuple[float, Vector]:
    """Signed distance and closest point of a box about the origin."""
    best = min(
        (on_rectangle(p, *f) for f in block_faces(-half, half)), key=lambda c: float(np.linalg.norm(p - c))
    )
    away = float(np.linalg.norm(p - best))
    return (-away if bool(np.all(np.abs(p) < half)) else away), best


def door_frame(
    p: Vector, width: float, height: float, frame: float, thickness: float
) -> tuple[float, Vector]:
    """Signed distance and closest point of two posts and a lintel, the sill's middle at the origin."""
    w, t = 0.5 * width, 0.5 * thickness
    out, top = w + frame, height + frame
    x, y, z = np.eye(3)
    sides = []
    for s in (-1.0, 1.0):
        at = np.array([s * w, 0.0, -t])
        sides.append((at, height * y, 2 * t * z))  # of the opening
        sides.append((np.array([s * out, 0.0, -t]), top * y, 2 * t * z))  # outer
        sides.append((at, s * frame * x, 2 * t * z))  # below the posts
        front = np.array([0.0, 0.0, s * t])
        sides.append((front + np.array([-out, 0, 0]), frame * x, top * y))
        sides.append((front + np.array([w, 0, 0]), frame * x, top * y))
        sides.append((front + np.array([-w, height, 0]), width * x, frame * y))
    sides.append((np.array([-w, height, -t]), width * x, 2 * t * z))  # below the lintel
    sides.append((np.array([-out, top, -t]), 2 * out * x, 2 * t * z))  # on top
    best = min((on_rectangle(p, *f) for f in sides), key=lambda c: float(np.linalg.norm(p - c)))
    away = float(np.linalg.norm(p - best))
    solid = abs(p[2]) < t and 0 < p[1] < top and abs(p[0]) < out and not (abs(p[0]) < w and p[1] < height)
    return (-away if solid else away), best


class Heights:
    """Heights over a grid, by SciPy's splines or by the four corners of a square."""

    def __init__(self, grid: Vector, spacing: float, origin: tuple[float, float], surface: str) -> None:
        self.grid, self.spacing, self.origin, self.surface = np.asarray(grid), spacing, origin, surface

    def __call__(self, x: float, z: float) -> float:
        places = []
        for value, start, count in zip((x, z), self.origin, self.grid.shape, strict=True):
            places.append(min(max((value - start) / self.spacing, 0.0), count - 1.0))
        if self.surface == "linear":
            (i, s), (k, t) = ((min(int(u), n - 2), u) for u, n in zip(places, self.grid.shape, strict=True))
            s, t = s - i, t - k
            g = self.grid
            return float(
                (1 - s) * ((1 - t) * g[i, k] + t * g[i, k + 1])
                + s * ((1 - t) * g[i + 1, k] + t * g[i + 1, k + 1])
            )
        weights = []
        for u, n in zip(places, self.grid.shape, strict=True):
            knots = np.concatenate([[0] * 3, np.linspace(0, n - 1, n - 2), [n - 1] * 3])
            weights.append(np.array([float(BSpline(knots, row, 3)(u)) for row in np.eye(n)]))
        return float(weights[0] @ self.grid @ weights[1])

    def closest(self, p: Vector, steps: int = 14) -> tuple[float, Vector]:
        """Signed distance and closest point: the best of many starts, each followed downhill."""
        reach = abs(p[1] - self(p[0], p[2])) + 1e-9
        ticks = np.linspace(-reach, reach, steps)

        def away(place: Vector) -> float:
            return math.dist(p, (place[0], self(place[0], place[1]), place[1]))

        starts = sorted(((p[0] + a, p[2] + b) for a, b in itertools.product(ticks, ticks)), key=away)
        starts = [(p[0], p[2]), *starts[:4]]
        found = [
            minimize(away, s, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}).x for s in starts
        ]
        best = min([*found, *starts], key=away)
        size = away(best)
        sign = 1.0 if p[1] >= self(p[0], p[2]) else -1.0
        return sign * size, np.array([best[0], self(best[0], best[1]), best[1]])
