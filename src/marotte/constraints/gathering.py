"""The numbers that rules are about, for all frames at once, each computed once (L97 5.3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from .. import kernels
from ..errors import InputError
from ..figure import FloatArray, IntArray, Motion
from ..figure.rotations import inverse, multiply, rotate
from ..figure.skeleton import AXES
from .resolving import Resolved
from .rules import (
    Angle,
    Comparison,
    Distance,
    Extremum,
    LinearRule,
    LockRule,
    NonlinearRule,
    Orientation,
    Path,
    Place,
    Position,
)

AnyQuantity = Angle | Position | Orientation | Distance


class Signals:
    """Quantities of resolved rules over the frames of a motion, kept once they are computed."""

    def __init__(self, motion: Motion, rules: Iterable[Resolved] = ()) -> None:
        self.motion = motion
        self._world: tuple[FloatArray, FloatArray] | None = None
        self._points: dict[Place, FloatArray] = {}
        self._values: dict[AnyQuantity, FloatArray] = {}
        self._angles: dict[int, FloatArray] = {}
        joints = {q.joint for r in rules for q in _quantities(r.exact) if isinstance(q, Angle)}
        self._compute_angles(sorted(j for j in joints if isinstance(j, int) and j < len(motion.skeleton)))

    def value(self, quantity: AnyQuantity) -> FloatArray:
        """(F,) metres or degrees."""
        found = self._values.get(quantity)
        if found is None:
            found = self._values[quantity] = self._value(quantity)
        return found

    def point(self, place: Place) -> FloatArray:
        """(F, 3) where a place is in the world, metres; (1, 3) for one that does not move."""
        found = self._points.get(place)
        if found is None:
            found = self._points[place] = self._point(place)
        return found

    def turn(self, joint: int) -> FloatArray:
        """(F, 4) world orientation of a joint."""
        return self.world[1][:, joint]

    @property
    def world(self) -> tuple[FloatArray, FloatArray]:
        if self._world is None:
            self._world = self.motion.world()
        return self._world

    def _value(self, quantity: AnyQuantity) -> FloatArray:
        if isinstance(quantity, Position):
            column = self.point(quantity.point)[:, "xyz".index(quantity.axis)]
            return np.broadcast_to(column, (len(self.motion),))
        if isinstance(quantity, Distance):
            apart = self.point(quantity.point) - self.point(quantity.to)
            lengths = np.sqrt(np.einsum("fk,fk->f", apart, apart))
            return np.broadcast_to(lengths, (len(self.motion),))
        joint = _index(quantity.joint)
        if isinstance(quantity, Orientation):
            # the twist about a world axis since the rest pose, whose world orientations are none
            q = self.turn(joint)
            half = np.arctan2(q[:, 1 + "xyz".index(quantity.axis)], q[:, 0])
            return wrapped(np.degrees(2.0 * half))
        if joint == len(self.motion.skeleton):
            return self.motion.root[:, "xyz".index(quantity.axis)]
        if joint not in self._angles:
            self._compute_angles([joint])
        order = self.motion.skeleton.order(joint)
        return self._angles[joint][:, order.index(quantity.axis.upper())]

    def _point(self, place: Place) -> FloatArray:
        offset = np.array(place.offset)
        if place.joint is None:
            return offset[None]
        joint = _index(place.joint)
        if joint == len(self.motion.skeleton):
            return np.asarray(self.motion.root + offset)
        positions, orientations = self.world
        if not offset.any():
            return positions[:, joint]
        return np.asarray(positions[:, joint] + rotate(orientations[:, joint], offset))

    def _compute_angles(self, joints: list[int]) -> None:
        """The channels of some joints, as `Motion.channels` has them, and no others."""
        if not joints:
            return
        skeleton = self.motion.skeleton
        axes = np.full((len(joints), 3), -1, dtype=np.int64)
        for row, joint in enumerate(joints):
            order = [AXES.index(letter) for letter in skeleton.order(joint)]
            axes[row, : len(order)] = order
        columns: IntArray = np.arange(3 * len(joints), dtype=np.int64).reshape(-1, 3)
        rotations = np.ascontiguousarray(self.motion.rotations[:, joints])
        if skeleton.channel_axes is not None:
            lean = skeleton.channel_axes[joints]
            rotations = multiply(inverse(lean), multiply(rotations, lean))
        values = np.zeros((len(rotations), 3 * len(joints)))
        kernels.euler.columns_from_quaternions(rotations, axes, columns, np.zeros((len(joints), 3)), values)
        for row, joint in enumerate(joints):
            self._angles[joint] = values[:, 3 * row : 3 * row + 3]


def path_points(path: Path, frames: int) -> FloatArray:
    """(F, 3) a path at every frame: through its keys without overshoot, held before and after them."""
    at = np.array([key.frame for key in path.keys], dtype=np.float64)
    places = np.array([key.at for key in path.keys])
    if len(at) == 1:
        return np.repeat(places, frames, axis=0)
    from scipy.interpolate import PchipInterpolator  # slow to import

    return np.asarray(PchipInterpolator(at, places)(np.clip(np.arange(frames), at[0], at[-1])))


def wrapped(degrees: FloatArray) -> FloatArray:
    """Angles brought to (-180, 180]."""
    return np.asarray(180.0 - np.mod(180.0 - degrees, 360.0))


def _index(joint: str | int | None) -> int:
    if not isinstance(joint, int):
        raise InputError(f"rules must be resolved before they are measured, but {joint!r} is a name")
    return joint


def _quantities(value: Any) -> Iterator[AnyQuantity]:
    if isinstance(value, (Angle, Position, Orientation, Distance)):
        yield value
    elif isinstance(value, LinearRule):
        yield value.angle
        if value.other is not None:
            yield value.other
    elif isinstance(value, (NonlinearRule, LockRule)):
        for unit in value.when:
            yield from _quantities(unit)
        if isinstance(value, NonlinearRule):
            yield from _quantities(value.body)
    elif isinstance(value, (Comparison, Extremum)):
        yield value.data
        if isinstance(value, Comparison) and value.reference is not None:
            yield value.reference
