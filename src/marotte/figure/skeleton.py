"""The skeleton: joints in parent-first order, their rest offsets and degrees of freedom."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError, UnknownNameError
from ._arrays import FloatArray, IntArray, check_finite, frozen_floats

AXES = "XYZ"


@dataclass(frozen=True, slots=True)
class EndSite:
    """The tip of a leaf bone: a point that has no rotation of its own."""

    joint: int
    offset: tuple[float, float, float]  # metres, in the joint's frame
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Skeleton:
    """Joints and bones of a figure.

    Rules that always hold: there is exactly one root and it comes first; every other joint's
    parent comes before it; names are unique and not empty; all numbers are finite.

    In the rest pose all local rotations are zero, so that offsets alone draw the figure.
    """

    names: tuple[str, ...]
    parents: IntArray
    """(J,) index of the parent joint, -1 for the root."""
    offsets: FloatArray
    """(J, 3) rest position in the parent's frame, metres; the root's is in the world."""
    channels: tuple[str, ...] = ()
    """(J,) a file's free channels in its own order: `xyz` for positions, `XYZ` for rotations.

    `xyzZYX` is a position followed by turns about Z, then Y, then X, each about the axes that
    the turns before it have moved (intrinsic). A joint may have none.
    """
    ends: tuple[EndSite, ...] = ()
    limits: FloatArray | None = None
    """(J, 3, 2) least and greatest angle about x, y, z in the joint's own order, radians;
    infinite where free; None where nothing is known."""
    channel_axes: FloatArray | None = None
    """(J, 4) the axes that a joint's channels turn about and its limits are measured by, as a
    rotation from the joint's own frame; None where they are the frame's own. A hinge that lies
    askew in the rest pose keeps its one angle by them."""
    _index: dict[str, int] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        names = tuple(str(n) for n in self.names)
        count = len(names)
        if count == 0:
            raise InputError("a skeleton needs at least one joint")
        index: dict[str, int] = {}
        for j, name in enumerate(names):
            if not name:
                raise InputError(f"joint names must not be empty, but joint {j} has no name")
            if name in index:
                raise InputError(f"joint names must be unique, but {name!r} stands twice")
            index[name] = j
        parents = np.array(self.parents, dtype=np.int64)
        if parents.shape != (count,):
            raise InputError(f"parents must have shape ({count},), but has {parents.shape}")
        for j, p in enumerate(parents.tolist()):
            if (p != -1) if j == 0 else not 0 <= p < j:
                raise InputError(
                    f"joints must come after their parents, the one root (-1) first, "
                    f"but joint {j} ({names[j]!r}) has parent {p}"
                )
        parents.flags.writeable = False
        channels = tuple(self.channels) or ("xyzZXY",) + ("ZXY",) * (count - 1)
        if len(channels) != count:
            raise InputError(f"channels must name {count} joints, but names {len(channels)}")
        for name, letters in zip(names, channels, strict=True):
            _check_channels(name, letters)
        offsets = frozen_floats("offsets", self.offsets, (count, 3))
        check_finite("offsets", offsets)
        for end in self.ends:
            if not 0 <= end.joint < count or not all(np.isfinite(end.offset)):
                raise InputError(f"an end site must sit on a joint with a finite offset: {end}")
        limits = self.limits
        if limits is not None:
            limits = frozen_floats("limits", limits, (count, 3, 2))
            if np.isnan(limits).any() or (limits[..., 0] > limits[..., 1]).any():
                raise InputError("limits must be pairs of (least, greatest) angles, in radians")
        axes = self.channel_axes
        if axes is not None:
            axes = frozen_floats("channel_axes", axes, (count, 4))
            off = np.abs(np.linalg.norm(axes, axis=1) - 1.0)
            if not (off < 1e-6).all():
                raise InputError("channel_axes must be unit quaternions (w, x, y, z), one a joint")
        set_ = object.__setattr__
        set_(self, "names", names)
        set_(self, "parents", parents)
        set_(self, "channels", channels)
        set_(self, "offsets", offsets)
        set_(self, "limits", limits)
        set_(self, "channel_axes", axes)
        set_(self, "ends", tuple(self.ends))
        set_(self, "_index", index)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __repr__(self) -> str:
        return f"<Skeleton of {len(self)} joints, root {self.names[0]!r}, {self.height:.3g} m tall>"

    def index(self, joint: str | int) -> int:
        """The index of a joint given by name or index."""
        if isinstance(joint, (int, np.integer)):
            if not -len(self) <= joint < len(self):
                raise InputError(f"joint index must be below {len(self)}, but is {joint}")
            return int(joint) % len(self)
        try:
            return self._index[joint]
        except KeyError:
            raise UnknownNameError("joint", joint, self.names) from None

    def order(self, joint: str | int) -> str:
        """The axes a joint turns about, outermost first: `ZYX`, `X`, or nothing."""
        return "".join(c for c in self.channels[self.index(joint)] if c.isupper())

    def children(self, joint: str | int) -> tuple[int, ...]:
        """The joints that hang directly on this one."""
        return tuple(np.flatnonzero(self.parents == self.index(joint)).tolist())

    def ancestors(self, joint: str | int) -> tuple[int, ...]:
        """The joints from this one's parent up to the root."""
        found = []
        j = int(self.parents[self.index(joint)])
        while j >= 0:
            found.append(j)
            j = int(self.parents[j])
        return tuple(found)

    def descendants(self, joint: str | int) -> tuple[int, ...]:
        """This joint and everything that hangs on it, in order."""
        inside = {self.index(joint)}
        for j in range(len(self)):
            if int(self.parents[j]) in inside:
                inside.add(j)
        return tuple(sorted(inside))

    @property
    def degrees_of_freedom(self) -> int:
        """How many numbers a frame of the file holds."""
        return sum(len(c) for c in self.channels)

    def rest_positions(self) -> FloatArray:
        """(J, 3) joints in the rest pose, metres, the root at its offset."""
        world = np.array(self.offsets)
        for j in range(1, len(self)):
            world[j] += world[self.parents[j]]
        return world

    def rest_ends(self) -> FloatArray:
        """(E, 3) end sites in the rest pose, metres."""
        world = self.rest_positions()
        return np.array([world[e.joint] + e.offset for e in self.ends]).reshape(-1, 3)

    @property
    def height(self) -> float:
        """The largest extent of the rest pose along any axis, ends included, metres.

        For a standing figure this is its height (or its span in a T-pose, which is close to it);
        it is the length that tolerances and weights are measured against.
        """
        points = np.concatenate([self.rest_positions(), self.rest_ends()])
        return float(np.ptp(points, axis=0).max())

    def bone_lengths(self) -> FloatArray:
        """(J,) length of each joint's offset, metres; the root's is 0."""
        lengths = np.linalg.norm(self.offsets, axis=1)
        lengths[0] = 0.0
        return np.asarray(lengths, dtype=np.float64)

    def scaled(self, factor: float) -> Self:
        """The same figure, larger or smaller."""
        if not np.isfinite(factor) or factor <= 0:
            raise InputError(f"a scale must be a positive number, but is {factor}")
        ends = tuple(
            EndSite(e.joint, (e.offset[0] * factor, e.offset[1] * factor, e.offset[2] * factor), e.name)
            for e in self.ends
        )
        return self.with_(offsets=self.offsets * factor, ends=ends)

    def with_(
        self,
        *,
        names: Sequence[str] | None = None,
        offsets: ArrayLike | None = None,
        channels: Sequence[str] | None = None,
        ends: Sequence[EndSite] | None = None,
        limits: ArrayLike | None = None,
        channel_axes: ArrayLike | None = None,
    ) -> Self:
        """A copy with some fields replaced."""
        given = {
            "names": names,
            "offsets": offsets,
            "channels": channels,
            "ends": ends,
            "limits": limits,
            "channel_axes": channel_axes,
        }
        return replace(self, **{k: v for k, v in given.items() if v is not None})  # type: ignore[arg-type]  # sequences are made tuples and arrays on entry

    def same_joints(self, other: Skeleton) -> bool:
        """Whether the other has the same names and the same tree."""
        return self.names == other.names and bool(np.array_equal(self.parents, other.parents))


def _check_channels(name: str, letters: str) -> None:
    turns = [c for c in letters if c.isupper()]
    moves = [c for c in letters if c.islower()]
    if (
        any(c not in "xyzXYZ" for c in letters)
        or len(set(moves)) != len(moves)
        or len(turns) > 3
        or any(a == b for a, b in itertools.pairwise(turns))
    ):
        raise InputError(
            f"channels of joint {name!r} must be letters of xyz (positions, each once) and XYZ "
            f"(up to three turns, no two alike in a row), but are {letters!r}"
        )
