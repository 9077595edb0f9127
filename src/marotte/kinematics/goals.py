"""What can be asked of a pose: places, orientations, looks, distances, balance, angles.

Every goal names points of the figure as all of Marotte does: a joint or role, a named point of the
take, or (joint, offset in metres). What it asks for is one value, or one a frame.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..figure import FloatArray
from ..figure.signals import PointLike

Relation: TypeAlias = Literal["equal", "at_least", "at_most"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Goal:
    """What all goals have in common."""

    weight: ArrayLike = 1.0
    """How much it counts against goals that cannot be met together with it, any unit: one number, or
    one a frame (F,)."""
    priority: int = 1
    """1 is served first; only the prioritized solver tells layers apart."""
    tolerance: float | None = None
    """Metres or radians within which it counts as met; None for a ten-thousandth of the height,
    or a thousandth of a radian."""
    frames: tuple[int, int] | None = None
    """First and last frame at which it holds, both included; None for all."""

    def __post_init__(self) -> None:
        weight = np.asarray(self.weight, dtype=np.float64)
        if weight.ndim > 1 or not np.isfinite(weight).all() or (weight < 0).any():
            raise InputError(
                f"a goal's weight must be a finite number from 0 up, or one a frame, but is {self.weight}"
            )
        if self.priority < 1:
            raise InputError(f"a goal's priority must be 1 or more, but is {self.priority}")
        if self.tolerance is not None and not self.tolerance >= 0:
            raise InputError(f"a goal's tolerance must be 0 or more, but is {self.tolerance}")
        if self.frames is not None and not 0 <= self.frames[0] <= self.frames[1]:
            raise InputError(
                f"a goal's frames must be (first, last) with 0 <= first <= last, but are {self.frames}"
            )


@dataclass(frozen=True, slots=True, eq=False)
class Position(Goal):
    """A point of the figure is at a place."""

    point: PointLike
    to: ArrayLike
    """(3,) or (F, 3) world, metres."""


@dataclass(frozen=True, slots=True, eq=False)
class Orientation(Goal):
    """A joint is turned in the world in a certain way."""

    joint: str | int
    to: ArrayLike
    """(4,) or (F, 4) world orientation, unit quaternion (w, x, y, z)."""


@dataclass(frozen=True, slots=True, eq=False)
class Place(Goal):
    """A point is at a place and its joint turned in a certain way: a hand on a door, a foot on a step."""

    point: PointLike
    to: ArrayLike
    """(3,) or (F, 3) world, metres."""
    turned: ArrayLike
    """(4,) or (F, 4) world orientation of the joint, unit quaternion (w, x, y, z)."""


@dataclass(frozen=True, slots=True, eq=False)
class Look(Goal):
    """A direction that rides on a joint points at a place."""

    point: PointLike
    at: ArrayLike
    """(3,) or (F, 3) world, metres."""
    along: ArrayLike = field(default=(0.0, 0.0, 1.0))
    """(3,) the direction, in the joint's frame."""


@dataclass(frozen=True, slots=True, eq=False)
class Distance(Goal):
    """Two points of the figure, or a point and a place in the world, keep a distance."""

    a: PointLike
    b: PointLike | FloatArray
    """Another point, or an array (3,) or (F, 3): places in the world, metres."""
    metres: ArrayLike
    """One number or (F,)."""
    relation: Relation = field(default="equal")


@dataclass(frozen=True, slots=True, eq=False)
class Balance(Goal):
    """The centre of mass stays above an area."""

    support: ArrayLike | None = None
    """(K, 2) or (F, K, 2) corners (x, z), metres, in any order; None for the feet's soles where
    the reference has them."""


@dataclass(frozen=True, slots=True, eq=False)
class Angle(Goal):
    """A joint is turned about an axis of its own by a certain angle."""

    joint: str | int
    axis: ArrayLike
    """(3,) in the joint's frame."""
    radians: ArrayLike
    """One number or (F,): the twist of its local rotation about that axis."""
    relation: Relation = field(default="equal")
