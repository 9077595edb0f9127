"""Multilevel B-splines: a smooth curve near scattered data, coarse first, then finer (LS99 3.2).

Every level is a uniform cubic B-spline that fits, locally and in closed form, what the levels
before it left over. At spacing s a datum moves frames up to nearly 4 s away.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from .. import kernels
from ..errors import InputError
from ..figure import FloatArray
from ..figure._arrays import check_finite, frozen_floats, owned


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """One uniform cubic B-spline over the frames of a take."""

    spacing: float
    """Frames between knots."""
    control: FloatArray
    """(K, D) control points."""

    def __post_init__(self) -> None:
        if not (np.isfinite(self.spacing) and self.spacing > 0):
            raise InputError(f"spacing must be a positive number of frames, but is {self.spacing}")
        object.__setattr__(self, "control", frozen_floats("control", self.control, (None, None)))
        if len(self.control) < 4:
            raise InputError(f"a level needs four control points or more, but has {len(self.control)}")

    def __call__(self, times: ArrayLike) -> FloatArray:
        """(N, D) at times (N,) in frames; held beyond the ends."""
        at = np.ascontiguousarray(times, dtype=np.float64)
        out = np.empty((len(at), self.control.shape[1]))
        kernels.bsplines.evaluate(self.control, float(self.spacing), at, out)
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Multilevel:
    """The sum of levels, each kept, so that one can be shown, edited or taken away."""

    levels: tuple[Level, ...]
    frames: int
    """How many frames the take has."""

    def __call__(self, times: ArrayLike) -> FloatArray:
        """(N, D) at times (N,) in frames."""
        return np.asarray(sum(level(times) for level in self.levels))

    def without(self, level: int) -> Multilevel:
        """All levels but one; 0 is the coarsest."""
        kept = tuple(own for k, own in enumerate(self.levels) if k != level % len(self.levels))
        if not kept:
            raise InputError("the last level cannot be taken away")
        return replace(self, levels=kept)


def basis(u: FloatArray) -> FloatArray:
    """(4, N) the four basis functions at u (N,), how far times are past their knots, 0 to 1."""
    v = 1.0 - u
    return np.stack([v**3, 3 * u**3 - 6 * u**2 + 4, 3 * v**3 - 6 * v**2 + 4, u**3]) / 6.0


def control_count(frames: int, spacing: float) -> int:
    """How many control points frames 0 to frames - 1 need."""
    return int(np.floor(max(0, frames - 1) / spacing)) + 4


def fit_level(times: FloatArray, values: FloatArray, *, frames: int, spacing: float) -> Level:
    """One level through values (N, D) at rising times (N,), in frames."""
    count = control_count(frames, spacing)
    control = np.empty((count, values.shape[1]))
    kernels.bsplines.fit_level(times, values, float(spacing), 0, count, np.empty(count), control)
    return Level(spacing, owned(control))


def fit_levels(
    times: ArrayLike, values: ArrayLike, *, frames: int, spacing: float = 16, levels: int = 4
) -> Multilevel:
    """A curve near data: values (N, D) at rising times (N,), in frames, from 0 to frames - 1.

    The first level has a knot every `spacing` frames, each further one twice as many. More levels
    come nearer to the data and are less smooth; finer than one knot a frame gains nothing.
    """
    at, data = _checked(times, values, frames)
    _check_levels(spacing, levels)
    made: list[Level] = []
    rest = data
    for k in range(levels):
        level = fit_level(at, rest, frames=frames, spacing=spacing / 2**k)
        made.append(level)
        rest = owned(rest - level(at))
    return Multilevel(tuple(made), frames)


def refit(
    before: Multilevel, times: ArrayLike, values: ArrayLike, *, changed: tuple[float, float]
) -> Multilevel:
    """The curve after data between two times, in frames, have changed, came or went; the others are
    as they were. What the change does not reach is not worked out again: a drag costs as much as
    its reach, not as the take."""
    at, data = _checked(times, values, before.frames)
    low, high = float(changed[0]), float(changed[1])
    if not low <= high:
        raise InputError(f"changed must be the first and the last time, but is {changed}")
    made: list[Level] = []
    for level in before.levels:
        s, count = float(level.spacing), len(level.control)
        first = max(0, int(np.floor(low / s)))
        stop = min(count, int(np.floor(high / s)) + 4)
        # control points first to stop feel data from four knots before to four after
        near = slice(*np.searchsorted(at, [(first - 4) * s, (stop + 1) * s]))
        rest = np.array(data[near])
        for earlier in made:
            rest -= earlier(at[near])
        control = np.array(level.control)
        kernels.bsplines.fit_level(
            np.ascontiguousarray(at[near]), rest, s, first, stop, np.empty(count), control
        )
        made.append(Level(s, owned(control)))
        low, high = min(low, (first - 3) * s), max(high, stop * s)
    return Multilevel(tuple(made), before.frames)


def _check_levels(spacing: float, levels: int) -> None:
    if not (np.isfinite(spacing) and spacing >= 1):
        raise InputError(f"spacing must be 1 frame or more, but is {spacing}")
    if not 1 <= levels <= 16:
        raise InputError(f"levels must be from 1 to 16, but is {levels}")


def _checked(times: ArrayLike, values: ArrayLike, frames: int) -> tuple[FloatArray, FloatArray]:
    at = np.ascontiguousarray(times, dtype=np.float64)
    data = np.asarray(values, dtype=np.float64)
    data = np.ascontiguousarray(data[:, None] if data.ndim == 1 else data)
    if frames < 1:
        raise InputError("a curve needs one frame or more")
    if at.ndim != 1 or data.ndim != 2 or len(at) != len(data):
        raise InputError(f"times (N,) and values (N, D) must fit, but are {at.shape} and {data.shape}")
    check_finite("times", at)
    check_finite("values", data)
    if len(at) and not ((np.diff(at) >= 0).all() and at[0] >= 0 and at[-1] <= frames - 1):
        raise InputError(f"times must rise from 0 up to {frames - 1}")
    return at, data
