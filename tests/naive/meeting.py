"""How far two poses are from one another when one of them may be moved over the ground: by trying."""

from __future__ import annotations

import math

import numpy as np


def distance(
    a: np.ndarray, a_speed: np.ndarray, b: np.ndarray, b_speed: np.ndarray, weights: np.ndarray, time: float
) -> float:
    """Metres between joints (J, 3) with velocities (J, 3), m/s, that count as lengths over `time`."""
    best = math.inf
    for degrees in np.arange(0.0, 360.0, 0.05):
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        apart = a - b @ turn.T
        shift = weights @ apart
        shift[1] = 0.0
        apart = apart - shift
        faster = (a_speed - b_speed @ turn.T) * time
        best = min(best, float(weights @ ((apart**2).sum(axis=1) + (faster**2).sum(axis=1))))
    return math.sqrt(best)
