"""Smooth curves by dense least squares: every squared difference is a row, nothing is banded."""

from __future__ import annotations

import numpy as np
from scipy.optimize import lsq_linear


def difference_rows(frames, weights):
    """Rows whose squares are the weighted squared differences; weights by order."""
    rows = []
    for order, weight in weights.items():
        if frames > order:
            rows.append(np.sqrt(weight) * np.diff(np.eye(frames), order, axis=0))
    return np.concatenate(rows)


def carried(values, known, reach):
    """One column through what is known: the unknowns are solved for with the known ones moved right."""
    rows = difference_rows(len(values), {1: 1.0, 2: reach**2, 3: (0.35 * reach) ** 4})
    out = np.array(values)
    out[~known] = np.linalg.lstsq(rows[:, ~known], -rows[:, known] @ values[known], rcond=None)[0]
    return out


def above(bound, reach):
    """The least and smoothest curve above a bound, by a general solver of bounded least squares."""
    frames = len(bound)
    rows = np.concatenate(
        [
            np.eye(frames),
            difference_rows(frames, {1: 2 * reach**2, 2: reach**4, 3: (0.5 * reach) ** 6}),
        ]
    )
    found = lsq_linear(rows, np.zeros(len(rows)), (bound, np.full(frames, np.inf)), tol=1e-12)
    return found.x
