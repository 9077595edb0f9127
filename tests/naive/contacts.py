"""Resting points, frame by frame and in plain words."""

from __future__ import annotations

from typing import Any

import numpy as np


def track(points: Any, half: int, rate: float) -> tuple[Any, Any]:
    """Places and speeds: the straight lines that NumPy fits to the frames around each one."""
    frames, count, _ = points.shape
    places, speeds = np.array(points, float), np.zeros((frames, count))
    for f in range(frames):
        reach = min(half, f, frames - 1 - f)
        around = list(range(f - reach, f + reach + 1))
        if reach == 0:  # an end: from there to its neighbour
            around = sorted({max(f - 1, 0), f, min(f + 1, frames - 1)} - ({f + 1} if f else {f - 1}))
        for s in range(count):
            if len(around) > 1:
                lines = [np.polyfit(around, points[around, s, a], 1) for a in range(3)]
                speeds[f, s] = rate * np.linalg.norm([line[0] for line in lines])
            if reach:
                places[f, s] = points[around, s].mean(axis=0)
    return places, speeds


def low_and_slow(heights: Any, speeds: Any, begin: tuple[float, float], end: tuple[float, float]) -> Any:
    """True in every stretch of frames below the thresholds of the end that holds one below those of the
    begin."""
    begins = (heights < begin[0]) & (speeds < begin[1])
    stays = (heights < end[0]) & (speeds < end[1])
    out = np.zeros(heights.shape, bool)
    for s in range(heights.shape[1]):
        for f in np.flatnonzero(begins[:, s]):
            a = b = int(f)
            while a > 0 and stays[a - 1, s]:
                a -= 1
            while b < len(out) - 1 and stays[b + 1, s]:
                b += 1
            out[a : b + 1, s] = True
    return out
