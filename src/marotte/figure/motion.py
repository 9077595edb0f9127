"""Motion: a figure's path and rotations over time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np
from numpy.typing import ArrayLike

from .. import kernels
from ..errors import InputError
from ._arrays import BLOCK, FloatArray, check_finite, frozen_floats, owned
from .contacts import Contact, sliced
from .recognise import Poses, recognise
from .rig import Rig
from .skeleton import Skeleton

if TYPE_CHECKING:
    from .channels import Channels

POSES = 24  # frames that recognition looks at where a rest pose leaves something open
UNIT_TOLERANCE = 1e-6  # how far from 1 a quaternion's length may be before it is an error


@dataclass(frozen=True, slots=True)
class Source:
    """Where a take came from, so that it can be saved the way it was."""

    path: str = ""
    format: str = ""
    metres_per_unit: float | None = None
    """Of the file's lengths; None for takes that never were in a file."""
    up: str = "y"
    """The file's axis that points up: x, y or z, with a minus where its other end does."""
    encoding: str = "utf-8"
    """Of the file's text, in Python's name for it."""
    notes: tuple[str, ...] = ()
    """What was guessed, mended or found on the way, for a person."""


@dataclass(frozen=True, slots=True)
class Point:
    """A named point that rides on a joint: a cup, a mouth, a club's head."""

    name: str
    joint: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)  # metres, in the joint's frame


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """One frame: the root's place and every joint's rotation."""

    root: FloatArray
    """(3,) world position of the root joint, metres."""
    rotations: FloatArray
    """(J, 4) local rotations, unit quaternions (w, x, y, z)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", frozen_floats("root", self.root, (3,)))
        object.__setattr__(self, "rotations", frozen_floats("rotations", self.rotations, (None, 4)))


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """A skeleton in motion. A value: every edit gives a new one.

    Rules that always hold: arrays agree with the skeleton in shape, are finite and read-only;
    rotations are unit quaternions; the frame rate is positive. Zero frames are a valid motion.
    """

    skeleton: Skeleton
    root: FloatArray
    """(F, 3) world position of the root joint, metres, Y up."""
    rotations: FloatArray
    """(F, J, 4) rotation relative to the parent (the root's: to the world)."""
    frame_rate: float
    """Frames a second."""
    translations: FloatArray | None = None
    """(F, J, 3) added to the joints' rest offsets, metres; None where bones keep their length."""
    name: str = ""
    contacts: tuple[Contact, ...] | None = None
    """When feet and hands rest on something; None where nobody knows, () for never."""
    points: tuple[Point, ...] = ()
    source: Source = field(default_factory=Source)
    rig: Rig = field(default=None)  # type: ignore[assignment]  # recognised below where not given

    def __post_init__(self) -> None:
        joints = len(self.skeleton)
        root = frozen_floats("root", self.root, (None, 3))
        rotations = frozen_floats("rotations", self.rotations, (len(root), joints, 4))
        check_finite("root", root)
        _check_rotations(rotations, self.skeleton)
        rate = float(self.frame_rate)
        if not math.isfinite(rate) or rate <= 0:
            raise InputError(f"frame_rate must be a positive number of frames a second, but is {rate}")
        set_ = object.__setattr__
        if self.translations is not None:
            moved = frozen_floats("translations", self.translations, (len(root), joints, 3))
            check_finite("translations", moved)
            set_(self, "translations", moved)
        for point in self.points:
            if not 0 <= point.joint < joints:
                raise InputError(f"point {point.name!r} must sit on a joint, but names index {point.joint}")
        if self.contacts is not None:
            set_(self, "contacts", tuple(self.contacts))
        set_(self, "root", root)
        set_(self, "rotations", rotations)
        set_(self, "frame_rate", rate)
        set_(self, "points", tuple(self.points))
        if self.rig is None:
            set_(self, "rig", recognise(self.skeleton, poses=self.poses))

    def __len__(self) -> int:
        return len(self.root)

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        return (
            f"<Motion {name}{len(self)} frames at {self.frame_rate:g} Hz ({self.seconds:.2f} s), "
            f"{len(self.skeleton)} joints>"
        )

    @property
    def frames(self) -> int:
        """How many frames there are."""
        return len(self.root)

    @property
    def seconds(self) -> float:
        """From the first frame to the last."""
        return max(0, len(self) - 1) / self.frame_rate

    @property
    def times(self) -> FloatArray:
        """(F,) seconds of each frame, from 0."""
        return np.arange(len(self)) / self.frame_rate

    def world(self) -> tuple[FloatArray, FloatArray]:
        """World positions (F, J, 3), metres, and orientations (F, J, 4) of all joints."""
        frames, joints = self.rotations.shape[:2]
        positions = np.empty((frames, joints, 3))
        orientations = np.empty((frames, joints, 4))
        skeleton = self.skeleton
        if self.translations is None:
            kernels.forward.place_frames(
                skeleton.parents, skeleton.offsets, self.root, self.rotations,
                positions, orientations, 0, frames,
            )  # fmt: skip
        else:
            kernels.forward.place_frames_stretched(
                skeleton.parents, skeleton.offsets, self.translations, self.root, self.rotations,
                positions, orientations, 0, frames,
            )  # fmt: skip
        return positions, orientations

    def positions(self) -> FloatArray:
        """(F, J, 3) world positions of all joints, metres."""
        return self.world()[0]

    def orientations(self) -> FloatArray:
        """(F, J, 4) world orientations of all joints."""
        return self.world()[1]

    def end_positions(self) -> FloatArray:
        """(F, E, 3) world positions of the end sites, metres."""
        from .rotations import rotate

        positions, orientations = self.world()
        joints = [e.joint for e in self.skeleton.ends]
        offsets = np.array([e.offset for e in self.skeleton.ends]).reshape(-1, 3)
        return positions[:, joints] + rotate(orientations[:, joints], offsets)

    def poses(self, count: int = POSES) -> Poses | None:
        """Some frames, spread over the motion, for recognition to look at; None without frames."""
        if not len(self):
            return None
        from .rotations import to_matrix

        some = np.unique(np.linspace(0, len(self) - 1, min(count, len(self))).astype(int))
        skeleton, rotations = self.skeleton, np.ascontiguousarray(self.rotations[some])
        positions, orientations = np.empty((*rotations.shape[:2], 3)), np.empty_like(rotations)
        kernels.forward.place_frames(
            skeleton.parents, skeleton.offsets, np.ascontiguousarray(self.root[some]), rotations,
            positions, orientations, 0, len(some),
        )  # fmt: skip
        return Poses(positions, to_matrix(orientations))

    def pose(self, frame: int) -> Pose:
        """One frame; negative ones count from the end."""
        if not -len(self) <= frame < len(self):
            raise InputError(f"frame must be below {len(self)}, but is {frame}")
        return Pose(self.root[frame], self.rotations[frame])

    def channels(self) -> Channels:
        """All of the file's channels as named signals, degrees and metres, unwrapped."""
        from .channels import channels

        return channels(self)

    @overload
    def __getitem__(self, key: slice) -> Self: ...
    @overload
    def __getitem__(self, key: int) -> Pose: ...
    def __getitem__(self, key: slice | int) -> Self | Pose:
        """`motion[10:90]` is the part of it, `motion[10]` a pose. A stride divides the rate."""
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step < 1:
                raise InputError("a motion's slice must go forward; marotte.figure.reverse turns it")
            taken = slice(start, max(start, stop), step)
            return self.with_(
                root=self.root[taken],
                rotations=self.rotations[taken],
                translations=None if self.translations is None else self.translations[taken],
                frame_rate=self.frame_rate / step,
                contacts=sliced(self.contacts, start, max(start, stop) - 1, step),
            )
        return self.pose(int(key))

    def with_(
        self,
        *,
        skeleton: Skeleton | None = None,
        root: ArrayLike | None = None,
        rotations: ArrayLike | None = None,
        translations: ArrayLike | Any | None = ...,
        frame_rate: float | None = None,
        name: str | None = None,
        contacts: Sequence[Contact] | Any | None = ...,
        points: Sequence[Point] | None = None,
        source: Source | None = None,
        rig: Rig | None = None,
    ) -> Self:
        """A copy with some fields replaced. A new skeleton brings a newly recognised rig."""
        changes: dict[str, Any] = {
            key: value
            for key, value in (
                ("skeleton", skeleton),
                ("root", root),
                ("rotations", rotations),
                ("frame_rate", frame_rate),
                ("name", name),
                ("points", points),
                ("source", source),
                ("rig", rig),
            )
            if value is not None
        }
        if translations is not ...:
            changes["translations"] = translations
        if contacts is not ...:
            changes["contacts"] = contacts
        if skeleton is not None and rig is None and skeleton is not self.skeleton:
            changes["rig"] = None
        return replace(self, **changes)

    @classmethod
    def at_rest(cls, skeleton: Skeleton, frames: int = 1, frame_rate: float = 30.0) -> Self:
        """The rest pose, held."""
        rotations = np.zeros((frames, len(skeleton), 4))
        rotations[..., 0] = 1.0
        root = np.tile(skeleton.offsets[0], (frames, 1))
        return cls(skeleton, owned(root), owned(rotations), frame_rate)


def _check_rotations(rotations: FloatArray, skeleton: Skeleton) -> None:
    """Raise InputError unless all are finite and of unit length."""
    check_finite("rotations", rotations)
    flat = rotations.reshape(-1, 4)
    for first in range(0, len(flat), BLOCK // 4):
        block = flat[first : first + BLOCK // 4]
        lengths = np.einsum("nk,nk->n", block, block)
        off = np.abs(lengths - 1.0) > 2.0 * UNIT_TOLERANCE
        if off.any():
            at = int(np.argmax(off))
            f, j = divmod(first + at, len(skeleton))
            raise InputError(
                f"rotations must be unit quaternions, but that of joint {skeleton.names[j]!r} "
                f"at frame {f} has length {math.sqrt(lengths[at]):.6g}"
            )
