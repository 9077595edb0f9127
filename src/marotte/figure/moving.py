"""Objects that move: a rope that swings, a cup in a hand, a platform that goes up and down."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ..errors import InputError
from ._arrays import FloatArray, check_finite, frozen_floats
from .rotations import normalised, unroll
from .scene import Box, Capsule, Doorway, Sphere

if TYPE_CHECKING:
    from .motion import Motion

Solid = Box | Sphere | Capsule | Doorway


@dataclass(frozen=True, slots=True, eq=False)
class Moving:
    """A shape that is carried along a path. Before its first frame and after its last it stands still."""

    shape: Solid
    """Its measures in the frame that is carried, metres."""
    places: FloatArray
    """(F, 3) where that frame's origin is, world, metres."""
    turns: FloatArray
    """(F, 4) how it is turned, unit quaternions (w, x, y, z)."""
    frame_rate: float
    """Frames a second."""

    def __post_init__(self) -> None:
        if not isinstance(self.shape, Solid):
            raise InputError(
                f"what moves must be a box, sphere, capsule or doorway, but is a "
                f"{type(self.shape).__name__}; ground stays where it is"
            )
        places = frozen_floats("places", self.places, (None, 3))
        if len(places) == 0:
            raise InputError("a moving object must have at least one frame, but its path is empty")
        turns: Any = np.asarray(self.turns, dtype=np.float64)
        if turns.shape != (len(places), 4):
            raise InputError(f"turns must have shape ({len(places)}, 4), but has {turns.shape}")
        check_finite("places", places)
        check_finite("turns", turns)
        if (np.linalg.norm(turns, axis=-1) < 1e-6).any():
            raise InputError("turns must be quaternions of some length, but one is zero")
        if not math.isfinite(self.frame_rate) or self.frame_rate <= 0:
            raise InputError(f"frame_rate must be a positive number, but is {self.frame_rate}")
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "turns", frozen_floats("turns", normalised(turns), (None, 4)))

    @classmethod
    def along(cls, shape: Solid, places: FloatArray, *, frame_rate: float) -> Self:
        """A shape that is carried along places (F, 3) without turning."""
        turns = np.tile([1.0, 0.0, 0.0, 0.0], (len(places), 1))
        return cls(shape, places, turns, frame_rate)

    @classmethod
    def following(cls, shape: Solid, motion: Motion, point: str | int) -> Self:
        """A shape that hangs on a joint of a motion (a name, a role or an index) or on a named point."""
        from .rotations import rotate
        from .signals import resolve_point

        found = resolve_point(motion, point)
        positions, orientations = motion.world()
        turns = orientations[:, found.joint]
        places = positions[:, found.joint] + rotate(turns, np.array(found.offset))
        return cls(shape, places, turns, motion.frame_rate)

    def __len__(self) -> int:
        return len(self.places)

    def at_rate(self, frame_rate: float) -> Self:
        """The same path sampled at another frame rate: straight between places, by the shorter arc
        between turns."""
        if frame_rate == self.frame_rate or len(self) == 1:
            return type(self)(self.shape, self.places, self.turns, frame_rate)
        seconds = (len(self) - 1) / self.frame_rate
        count = math.floor(seconds * frame_rate + 1e-9) + 1
        at = np.minimum(np.arange(count) / frame_rate * self.frame_rate, len(self) - 1)
        low = np.minimum(at.astype(np.int64), len(self) - 2)
        share = (at - low)[:, None]
        turns = unroll(self.turns[:, None])[:, 0]
        return type(self)(
            self.shape,
            self.places[low] * (1.0 - share) + self.places[low + 1] * share,
            turns[low] * (1.0 - share) + turns[low + 1] * share,
            frame_rate,
        )
