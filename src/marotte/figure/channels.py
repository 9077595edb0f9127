"""Channels: a motion as named signals, in the file's own terms.

A channel is named `Joint.tx` (position, metres) or `Joint.x` (angle, degrees), in the order of
the file. Where a joint turns about one axis twice, the second turn is `Joint.z2`. Angles are
unwrapped: a spinning joint's curve goes on past 180 degrees instead of jumping.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from .. import kernels
from ..errors import InputError, UnknownNameError
from ._arrays import FloatArray, IntArray, check_finite, frozen_floats
from .motion import Motion
from .rotations import inverse, multiply
from .skeleton import AXES, Skeleton


@dataclass(frozen=True, slots=True, eq=False)
class Channels:
    """Named signals over time."""

    names: tuple[str, ...]
    values: FloatArray
    """(F, C) degrees for angles, metres for positions."""
    units: tuple[str, ...]
    """(C,) `deg` or `m`."""
    frame_rate: float

    def __post_init__(self) -> None:
        values = frozen_floats("values", self.values, (None, len(self.names)))
        object.__setattr__(self, "values", values)

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """The column of a channel."""
        try:
            return self.names.index(name)
        except ValueError:
            raise UnknownNameError("channel", name, self.names) from None

    def __getitem__(self, name: str) -> FloatArray:
        """(F,) one signal."""
        return self.values[:, self.index(name)]

    def with_values(self, values: ArrayLike) -> Self:
        """The same channels with other values (F, C)."""
        return type(self)(self.names, np.asarray(values, np.float64), self.units, self.frame_rate)

    def with_channel(self, name: str, signal: ArrayLike) -> Self:
        """A copy in which one signal (F,) is replaced."""
        values = self.values.copy()
        values[:, self.index(name)] = signal
        return self.with_values(values)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Which column of a frame's row holds what: the shape that compiled kernels want."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    axes: IntArray  # (J, 3) 0, 1, 2 for the axes turned about, outermost first; -1 for none
    columns: IntArray  # (J, 3) where in the row each of those angles stands
    position_columns: IntArray  # (J, 3) where x, y, z stand; -1 for none


def layout(skeleton: Skeleton) -> Layout:
    """The columns of a skeleton's channels, joint after joint."""
    count = len(skeleton)
    axes = np.full((count, 3), -1, dtype=np.int64)
    columns = np.zeros((count, 3), dtype=np.int64)
    moved = np.full((count, 3), -1, dtype=np.int64)
    names: list[str] = []
    units: list[str] = []
    for j, (joint, letters) in enumerate(zip(skeleton.names, skeleton.channels, strict=True)):
        turns = 0
        for at, letter in enumerate(letters):
            if letter.islower():
                moved[j, "xyz".index(letter)] = len(names)
                names.append(f"{joint}.t{letter}")
                units.append("m")
            else:
                axes[j, turns] = AXES.index(letter)
                columns[j, turns] = len(names)
                again = "2" if letter in letters[:at] else ""
                names.append(f"{joint}.{letter.lower()}{again}")
                units.append("deg")
                turns += 1
    return Layout(tuple(names), tuple(units), axes, columns, moved)


def channels(motion: Motion) -> Channels:
    """All channels of the motion's skeleton.

    The first frame's angles are those of least size; every later frame is the nearest to the one
    before it among all equivalent angles, through gimbal lock as well.
    """
    where = layout(motion.skeleton)
    values = np.zeros((len(motion), len(where.names)))
    joints = len(motion.skeleton)
    rotations = motion.rotations
    if motion.skeleton.channel_axes is not None:
        axes = motion.skeleton.channel_axes
        rotations = multiply(inverse(axes), multiply(rotations, axes))
    kernels.euler.columns_from_quaternions(
        rotations, where.axes, where.columns, np.zeros((joints, 3)), values
    )
    for j, k in np.argwhere(where.position_columns >= 0):
        values[:, where.position_columns[j, k]] = positions_of(motion, int(j), int(k))
    return Channels(where.names, values, where.units, motion.frame_rate)


def positions_of(motion: Motion, joint: int, axis: int) -> FloatArray:
    """(F,) a joint's position along an axis of its parent, metres, as a file states it."""
    if joint == 0:
        return motion.root[:, axis]
    offset = motion.skeleton.offsets[joint, axis]
    if motion.translations is None:
        return np.full(len(motion), offset)
    return np.asarray(offset + motion.translations[:, joint, axis])


def rotations_from_columns(skeleton: Skeleton, values: FloatArray) -> FloatArray:
    """Rotations (F, J, 4) of rows (F, C) with degrees in the columns of the skeleton's channels."""
    where = layout(skeleton)
    rotations = np.empty((len(values), len(skeleton), 4))
    kernels.euler.quaternions_from_columns(values, where.axes, where.columns, rotations, 0)
    if skeleton.channel_axes is not None:
        axes = skeleton.channel_axes
        rotations = multiply(axes, multiply(rotations, inverse(axes)))
    return rotations


def with_channels(motion: Motion, signals: Channels) -> Motion:
    """The motion that the signals describe; what no channel says stays as it was.

    The frame count may differ from the motion's; then what no channel says is held from the
    motion's first frame.
    """
    where = layout(motion.skeleton)
    if signals.names != where.names:
        odd = next((n for n in signals.names if n not in where.names), None)
        if odd is not None:
            raise UnknownNameError("channel", odd, where.names)
        raise InputError(
            f"channels must be all {len(where.names)} of the skeleton in its order, "
            f"but there are {len(signals.names)}"
        )
    check_finite("channels", signals.values)
    frames = len(signals.values)
    same = frames == len(motion)
    if not same and len(motion) == 0:
        raise InputError("a motion without frames has nothing to hold for new channels")
    rotations = rotations_from_columns(motion.skeleton, signals.values)
    silent = where.axes[:, 0] < 0
    rotations[:, silent] = motion.rotations[:, silent] if same else motion.rotations[:1, silent]
    root = np.array(motion.root) if same else np.tile(motion.root[:1], (frames, 1))
    moved: FloatArray | None = None
    if motion.translations is not None or (where.position_columns[1:] >= 0).any():
        moved = np.zeros((frames, len(motion.skeleton), 3))
        if motion.translations is not None:
            moved[:] = motion.translations if same else motion.translations[:1]
    for j, k in np.argwhere(where.position_columns >= 0):
        signal = signals.values[:, where.position_columns[j, k]]
        if j == 0:
            root[:, k] = signal
        elif moved is not None:
            moved[:, j, k] = signal - motion.skeleton.offsets[j, k]
    return motion.with_(root=root, rotations=rotations, translations=moved, frame_rate=signals.frame_rate)
