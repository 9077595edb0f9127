"""A displaced joint, frame by frame: a curve through rotation vectors, pinned at both ends."""

from __future__ import annotations

import math

import numpy as np

from tests.naive.rotations import quaternion_product
from tests.naive.splines import destination, hermite, source


def pinned(keys: dict[int, list[float]], frames: int, t: float, c: float, b: float) -> list[list[float]]:
    """Vectors (F, 3) through keys at frames; zero and at rest at the first and the last frame."""
    at = [0, *sorted(keys), frames - 1]
    rows = [[0.0] * 3, *(keys[f] for f in sorted(keys)), [0.0] * 3]
    out = []
    for frame in range(frames):
        i = max(k for k in range(len(at) - 1) if at[k] <= frame)
        vector = []
        for axis in range(3):
            x = [row[axis] for row in rows]
            times = [float(f) for f in at]
            leave = 0.0 if i == 0 else destination(x, times, i, t, c, b)
            arrive = 0.0 if i + 2 == len(at) else source(x, times, i + 1, t, c, b)
            u = (frame - at[i]) / (at[i + 1] - at[i])
            vector.append(hermite(u, x[i], x[i + 1], leave, arrive))
        out.append(vector)
    return out


def displaced(rotations: list[np.ndarray], vectors: list[list[float]]) -> list[np.ndarray]:
    """q exp(v) at each frame."""
    out = []
    for q, v in zip(rotations, vectors, strict=True):
        angle = math.sqrt(sum(x * x for x in v))
        axis = [x / angle for x in v] if angle else [0.0, 0.0, 0.0]
        turn = np.array([math.cos(angle / 2), *(math.sin(angle / 2) * x for x in axis)])
        out.append(quaternion_product(q, turn))
    return out
