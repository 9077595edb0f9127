"""What can be asked for at a frame of a displaced motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..figure import Pose
from ..figure.signals import PointLike


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DisplacementKey:
    """What all keys have in common."""

    frame: int
    """Counted from 0; negative from the end."""
    tension: float | None = None
    """-1 to 1; None for what all keys have. So are the next two."""
    continuity: float | None = None
    bias: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TurnKey(DisplacementKey):
    """A joint turns on from where it is."""

    joint: str | int
    turn: ArrayLike
    """(3,) rotation vector in the joint's own frame, radians; any length."""

    def __post_init__(self) -> None:
        _check_vector("turn", self.turn)


@dataclass(frozen=True, slots=True, eq=False)
class MoveKey(DisplacementKey):
    """The whole figure moves."""

    move: ArrayLike
    """(3,) world, metres."""

    def __post_init__(self) -> None:
        _check_vector("move", self.move)


@dataclass(frozen=True, slots=True, eq=False)
class ChannelKey(DisplacementKey):
    """One of the file's channels is set to a value or changed by one."""

    channel: str
    """Such as `LeftArm.z` or `Hips.ty`."""
    set: float | None = None
    """Degrees or metres. Of equal angles the nearest is meant."""
    change: float | None = None
    """Degrees or metres, as many as wanted."""

    def __post_init__(self) -> None:
        given = [v for v in (self.set, self.change) if v is not None]
        if len(given) != 1 or not np.isfinite(given).all():
            raise InputError(f"a key for channel {self.channel!r} must say set or change, a finite number")


@dataclass(frozen=True, slots=True, eq=False)
class PoseKey(DisplacementKey):
    """Joints take the rotations of a pose."""

    pose: Pose
    parts: str | Sequence[str] = "body"
    """Which joints: words as in `select_joints`. With the root goes its orientation."""
    path: bool = False
    """Whether the root goes to the pose's place as well, where `parts` name the root."""


@dataclass(frozen=True, slots=True, eq=False)
class ReachKey(DisplacementKey):
    """A point of the figure is brought to a place, by the joints above it."""

    point: PointLike
    """A joint, a role, a named point, or (joint, offset in metres)."""
    to: ArrayLike
    """(3,) world, metres."""
    parts: str | Sequence[str] | None = None
    """The joints that may turn. Left out: the limb that the point is on, and where that does not
    reach, the trunk as well."""

    def __post_init__(self) -> None:
        _check_vector("to", self.to)


def _check_vector(name: str, given: ArrayLike) -> None:
    try:
        array = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape != (3,) or not np.isfinite(array).all():
        raise InputError(f"{name} must be three finite numbers, but is {given!r}")
