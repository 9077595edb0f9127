"""Bending values under a limit, where cutting them off would make motion stand still."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class Limits:
    """Between what a signal must stay: degrees for angles, metres for the root's path."""

    low: float | None = None
    high: float | None = None
    kind: Literal["hard", "soft"] = "hard"
    """hard: values beyond a limit are at the limit. soft: values beyond the knee bend, so that the
    signal's greatest value is at the limit (L97 5.2.3)."""
    knee: float = 0.8
    """Where a soft limit begins to bend: this share of the way to it from the middle between both
    limits, or from the signal's other extreme where there is one limit only."""

    def __post_init__(self) -> None:
        bounds = [b for b in (self.low, self.high) if b is not None]
        if not bounds:
            raise InputError("limits must say low, high or both, such as {high: 60}")
        if not np.isfinite(bounds).all():
            raise InputError(f"limits must be finite numbers, but are {bounds}")
        if len(bounds) == 2 and not bounds[0] < bounds[1]:
            raise InputError(
                f"the limit low must lie below high, but they are {bounds[0]:g} and {bounds[1]:g}"
            )
        if self.kind not in ("hard", "soft"):
            raise InputError(f"a limit's kind must be hard or soft, but is {self.kind!r}")
        if not 0.0 <= self.knee < 1.0:
            raise InputError(f"a limit's knee must be from 0 to below 1, but is {self.knee}")

    def __call__(self, values: FloatArray) -> FloatArray:
        """(F,) the signal within its limits; bit by bit as it was where it kept them."""
        if self.kind == "hard":
            return np.asarray(np.clip(values, self.low, self.high))
        least, greatest = float(values.min()), float(values.max())
        out = values
        if self.high is not None and greatest > self.high:
            out = _bent(out, self.high, greatest, self._knee(self.high, self.low, least, greatest))
        if self.low is not None and least < self.low:
            out = -_bent(-out, -self.low, -least, -self._knee(self.low, self.high, greatest, least))
        return np.asarray(out)

    def _knee(self, limit: float, other: float | None, opposite: float, extreme: float) -> float:
        """Where the bend towards a limit begins, on the side of it that is allowed."""
        start = 0.5 * (limit + other) if other is not None else opposite
        if (start - limit) * (extreme - limit) >= 0.0:  # all of the signal lies beyond the limit
            start = limit - np.sign(extreme - limit) * max(abs(extreme - opposite), abs(extreme - limit))
        return float(limit - (1.0 - self.knee) * (limit - start))


def _bent(values: FloatArray, limit: float, most: float, knee: float) -> FloatArray:
    return soft_limited(values, knee=knee, limit=limit, most=most)
