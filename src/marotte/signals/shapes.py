"""Shaping functions: what becomes of a signal's value, on the range -1 to 1 (BW95 4).

A shape is a few control points and how the curve goes through them. Beyond its outermost points
it goes straight on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..curves.splines import kochanek_bartels, monotone
from ..errors import InputError
from ..figure import FloatArray
from ..figure._arrays import check_finite, frozen_floats

Interpolation = Literal["kochanek", "cubic", "monotone", "linear", "steps"]
INTERPOLATIONS: dict[Interpolation, str] = {
    "kochanek": "smooth, each point's neighbours alone count (Kochanek and Bartels)",
    "cubic": "as smooth as a cubic can be; every point reaches everywhere",
    "monotone": "smooth, and never beyond neighbouring points",
    "linear": "straight lines",
    "steps": "each point's value holds until the next",
}
"""How a shape goes through its points."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A shaping function. Rules: two points or more, x increasing from -1 up to 1 at most."""

    points: ArrayLike
    """(K, 2) x, from -1 to 1, and the value that it becomes; kept as a read-only array."""
    interpolation: Interpolation = "kochanek"
    tension: float = 0.0
    """Of every point, -1 to 1; for kochanek alone, as are the next two."""
    continuity: float = 0.0
    bias: float = 0.0
    about: str = ""
    """What it does, for a person."""

    def __post_init__(self) -> None:
        try:
            given = np.asarray(self.points, dtype=np.float64)
        except (TypeError, ValueError):
            given = np.empty(0)
        if given.ndim != 2 or given.shape[1] != 2 or len(given) < 2:
            raise InputError(
                "a shape needs two points [x, y] or more, such as [[-1, -1], [0, 0.2], [1, 1]], "
                f"but has {self.points!r}"
            )
        check_finite("a shape's points", given)
        x = given[:, 0]
        if not (np.diff(x) > 0.0).all() or x[0] < -1.0 or x[-1] > 1.0:
            raise InputError(f"a shape's points must have x increasing from -1 to 1, but have {x.tolist()}")
        if self.interpolation not in INTERPOLATIONS:
            raise InputError(
                f"interpolation must be one of {', '.join(INTERPOLATIONS)}, but is {self.interpolation!r}"
            )
        for name in ("tension", "continuity", "bias"):
            if not -1.0 <= getattr(self, name) <= 1.0:
                raise InputError(f"a shape's {name} must be from -1 to 1, but is {getattr(self, name)}")
        object.__setattr__(self, "points", frozen_floats("points", given, (None, 2)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Shape)
            and np.array_equal(np.asarray(self.points), np.asarray(other.points))
            and (self.interpolation, self.tension, self.continuity, self.bias)
            == (other.interpolation, other.tension, other.continuity, other.bias)
        )

    @property
    def x(self) -> FloatArray:
        """(K,) where the points are."""
        return np.asarray(self.points, dtype=np.float64)[:, 0]

    @property
    def y(self) -> FloatArray:
        """(K,) what values there become."""
        return np.asarray(self.points, dtype=np.float64)[:, 1]

    @property
    def is_identity(self) -> bool:
        """Whether it changes nothing."""
        smooth = self.interpolation != "steps" and self.tension == self.continuity == self.bias == 0.0
        return smooth and bool(np.array_equal(self.x, self.y))

    def __call__(self, x: ArrayLike) -> FloatArray:
        """(…) what values (…) become; -1 to 1 is the range that it is made for."""
        given = np.asarray(x, dtype=np.float64)
        if self.is_identity:
            return given
        flat = given.reshape(-1)
        at, values = self.x, self.y
        if self.interpolation == "steps":
            return np.asarray(
                values[np.clip(np.searchsorted(at, flat, "right") - 1, 0, None)].reshape(given.shape)
            )
        if self.interpolation == "linear":
            made = np.interp(flat, at, values)
            ends = (values[1] - values[0]) / (at[1] - at[0]), (values[-1] - values[-2]) / (at[-1] - at[-2])
            made += (np.minimum(flat - at[0], 0.0)) * ends[0] + np.maximum(flat - at[-1], 0.0) * ends[1]
        elif self.interpolation == "cubic":
            made = _cubic(at, values, flat)
        elif self.interpolation == "monotone":
            made = monotone(at, values)(flat, beyond="straight")
        else:
            made = kochanek_bartels(
                at, values, tension=self.tension, continuity=self.continuity, bias=self.bias
            )(flat, beyond="straight")
        return np.asarray(made).reshape(given.shape)


ShapeLike: TypeAlias = Shape | str | Sequence[Sequence[float]]
"""A shape, the name of one, or its points."""


def _cubic(at: FloatArray, values: FloatArray, x: FloatArray) -> FloatArray:
    from scipy.interpolate import CubicSpline  # here: its import takes longer than `marotte info`

    curve = CubicSpline(at, values, bc_type="natural")
    inside = np.clip(x, at[0], at[-1])
    return np.asarray(curve(inside) + (x - inside) * curve(inside, 1))
