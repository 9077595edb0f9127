"""Bending values under a limit, where cutting them off would make motion stand still."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..figure import FloatArray


def soft_limited(values: ArrayLike, *, knee: float, limit: float, most: float) -> FloatArray:
    """Values above the knee bent so that `most`, the largest of them, comes to lie at the limit.

    The curve has slope 1 at (knee, knee) and slope 0 at (most, limit) as L97 5.2.3 wants, rises
    throughout and never lies above the values themselves. The thesis's cubic does so only where
    (limit - knee) is a third of (most - knee), where it is this very curve: with more room it
    lifts values, with less it goes beyond the limit. Values are as they were where none exceeds
    the limit.
    """
    x = np.asarray(values, dtype=np.float64)
    if not knee < limit:
        raise InputError(f"the knee must lie below the limit, but {knee:g} is not below {limit:g}")
    if most <= limit:
        return x
    power = (most - knee) / (limit - knee)
    left = np.clip((most - x) / (most - knee), 0.0, 1.0)
    return np.asarray(np.where(x <= knee, x, limit - (limit - knee) * left**power))
