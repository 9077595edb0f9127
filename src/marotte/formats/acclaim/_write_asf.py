"""A skeleton as the text of an ASF.

A bone of an ASF begins at the tail of its parent. Where children of a joint sit in different
places, or the root's anywhere but on it, a bone without degrees of freedom leads to each: a
connector. Comments that begin with `# marotte` name them, and say what the format has no word for
(the unit, the axis that points up, the root's own name), so that reading gives the skeleton again.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from ...errors import InputError
from ...figure import EndSite, FloatArray, Skeleton
from ...figure.rotations import inverse, multiply, to_euler
from .._decimals import decimal_text
from .._names import unique_names
from .._tree import depth_first
from .._turns import world_turn
from ..axes import Axes
from ._asf import MOST_BONES, MOVES, ROOT, TURNS
from ._figure import INCH

_DIGITS = 15  # as many as a double keeps for sure, so that a file's own numbers come back
_ANGLE_DIGITS = 13  # angles come out of a quaternion: the last digits are rounding
_BAD_IN_NAMES = re.compile("[\\s\x00-\x1f\x7f#:(),\ud800-\udfff]")
_BAD_IN_LINES = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(slots=True)
class _Segment:
    """A bone as it is written; `joint` is -1 for connectors."""

    name: str
    joint: int
    tail: FloatArray  # (3,) in the file's unit and axes


def asf_text(
    skeleton: Skeleton, channels: tuple[str, ...], metres: float, axes: Axes, degrees: bool, title: str
) -> tuple[str, tuple[str, ...]]:
    """The text, and what had to be changed in names, in words.

    `channels` (J,) are what the motion needs, which may be more than the skeleton has.
    """
    return _Writer(skeleton, channels, metres, axes, degrees).text(title)


class _Writer:
    def __init__(
        self, skeleton: Skeleton, channels: tuple[str, ...], metres: float, axes: Axes, degrees: bool
    ) -> None:
        self.skeleton = skeleton
        self.channels = channels
        self.metres = metres
        self.axes = axes
        self.degrees = degrees
        self.order = depth_first(skeleton).tolist()
        self.names, self.changes = _file_names(skeleton)
        self.offsets = axes.file_vectors(skeleton.offsets) / metres
        self.segments: list[_Segment] = []
        self.lines: list[tuple[str, list[str]]] = []  # of the hierarchy
        self.connectors: list[str] = []
        self.ends: list[str] = []
        self.taken = {*self.names, ROOT}
        self._lay_out()

    def text(self, title: str) -> tuple[str, tuple[str, ...]]:
        """The whole file."""
        lines = [
            "# Comments that begin with the word marotte are read again.",
            f"# marotte metres_per_unit: {self.metres!r}",
            f"# marotte up: {self.axes.up}",
        ]
        root = _BAD_IN_LINES.sub("_", self.skeleton.names[0]).strip()
        if root not in (ROOT, ""):
            lines.append(f"# marotte root: {root}")
        place = self._position()
        if (place != self.offsets[0]).any():
            lines.append(f"# marotte rest: {_vector(self.offsets[0])}")
        for what, named in (("connectors", self.connectors), ("ends", self.ends)):
            if named:
                lines.append(f"# marotte {what}: {' '.join(named)}")
        lines += [
            ":version 1.10",
            f":name {_BAD_IN_NAMES.sub('_', title) or 'marotte'}",
            ":units",
            "  mass 1.0",
            f"  length {decimal_text(INCH / self.metres, _DIGITS)}",
            f"  angle {'deg' if self.degrees else 'rad'}",
            ":documentation",
            "   written by Marotte",
            ":root",
            " ".join(["  order", *(t.upper() for t in self._root_order())]),
            "  axis XYZ",
            f"  position {_vector(place)}",
            f"  orientation {self._axis(0)}",
            ":bonedata",
        ]
        for number, segment in enumerate(self.segments, 1):
            lines += self._bone(number, segment)
        lines += [":hierarchy", "  begin"]
        lines += [f"    {' '.join([parent, *children])}" for parent, children in self.lines if children]
        lines += ["  end", ""]
        return "\n".join(lines), tuple(self.changes)

    def _lay_out(self) -> None:
        """Decide where bones end, and which connectors they need."""
        skeleton = self.skeleton
        children: list[list[int]] = [[] for _ in skeleton.names]
        for j in range(1, len(skeleton)):
            children[int(skeleton.parents[j])].append(j)
        ends: list[list[EndSite]] = [[] for _ in skeleton.names]
        for end in skeleton.ends:
            ends[end.joint].append(end)
        for j in self.order:
            tips = [self.axes.file_vectors(np.array(end.offset)) / self.metres for end in ends[j]]
            tail = self._tail(j, children[j], tips)
            below: list[str] = []
            hanging: list[_Segment] = []
            for child in children[j]:
                gap = self.offsets[child] - tail
                if gap.any():
                    hanging.append(self._connector(f"to_{self.names[child]}", gap, self.connectors))
                    below.append(hanging[-1].name)
                    self.lines.append((hanging[-1].name, [self.names[child]]))
                else:
                    below.append(self.names[child])
            if not (len(tips) == 1 and not children[j] and j != 0 and tips[0].any()):
                for tip in tips:
                    hanging.append(self._connector(f"tip_of_{self.names[j]}", tip - tail, self.ends))
                    below.append(hanging[-1].name)
            if j != 0:
                self.segments.append(_Segment(self.names[j], j, tail))
            self.segments += hanging
            self.lines.append((self.names[j], below))
        if len(self.segments) > MOST_BONES:
            raise InputError(
                f"an ASF must have at most {MOST_BONES:,} bones, but needs {len(self.segments):,}"
            )

    def _tail(self, joint: int, children: list[int], tips: list[FloatArray]) -> FloatArray:
        """Where the bone of a joint ends: where most of its children sit."""
        if joint == 0:
            return np.zeros(3)  # the root is a point
        if not children:
            return tips[0] if len(tips) == 1 else np.zeros(3)
        places = [tuple(self.offsets[child].tolist()) for child in children]
        return np.array(max(places, key=places.count))

    def _connector(self, name: str, tail: FloatArray, named: list[str]) -> _Segment:
        number, unique = 2, name
        while unique in self.taken:
            number, unique = number + 1, f"{name}_{number}"
        self.taken.add(unique)
        named.append(unique)
        return _Segment(unique, -1, tail)

    def _bone(self, number: int, segment: _Segment) -> list[str]:
        length = float(np.linalg.norm(segment.tail))
        direction = segment.tail / length if length > 0 else np.array([0.0, 0.0, 1.0])
        joint = segment.joint
        axis = "0 0 0" if joint < 0 else self._axis(joint)
        lines = [
            "  begin",
            f"     id {number}",
            f"     name {segment.name}",
            f"     direction {_vector(direction)}",
            f"     length {decimal_text(length, _DIGITS)}",
            f"     axis {axis}  XYZ",
        ]
        dof = () if joint < 0 else dof_of(self.channels[joint])
        if dof:
            lines.append(f"    dof {' '.join(dof)}")
            limits = None if self.skeleton.limits is None else self.skeleton.limits[joint]
            if limits is not None and np.isfinite(limits[[TURNS.index(t) for t in dof if t in TURNS]]).any():
                pairs = [limits[TURNS.index(t)] if t in TURNS else (-math.inf, math.inf) for t in dof]
                shown = [f"({self._angle(a)} {self._angle(b)})" for a, b in pairs]
                lines.append(f"    limits {shown[0]}")
                lines += [f"           {pair}" for pair in shown[1:]]
        return [*lines, "  end"]

    def _root_order(self) -> tuple[str, ...]:
        letters = self.channels[0]
        moves = [f"t{c}" for c in self.axes.file_letters("".join(c for c in letters if c.islower()))]
        turns = [t for t in dof_of(letters) if t in TURNS]
        return tuple([*turns, *moves] if letters[:1].isupper() else [*moves, *turns])

    def _position(self) -> FloatArray:
        """(3,) what AMC files add to where the root is. Many programs ignore it, so that it is nothing
        wherever the root can move."""
        moves = self._root_order()
        return np.array([0.0 if t in moves else v for t, v in zip(MOVES, self.offsets[0], strict=True)])

    def _axis(self, joint: int) -> str:
        """The angles of the frame that a joint turns in, about the file's fixed axes X, Y, Z."""
        ours = np.array([1.0, 0.0, 0.0, 0.0])
        if self.skeleton.channel_axes is not None:
            ours = self.skeleton.channel_axes[joint]
        frame = multiply(inverse(world_turn(self.axes)), ours)
        z, y, x = to_euler(frame, "ZYX").tolist()
        return " ".join(self._angle(angle) for angle in (x, y, z))

    def _angle(self, radians: float) -> str:
        if math.isinf(radians):
            return "inf" if radians > 0 else "-inf"
        angle = math.degrees(radians) if self.degrees else radians
        return decimal_text(angle if abs(angle) > 1e-12 else 0.0, _ANGLE_DIGITS)


def dof_of(channels: str) -> tuple[str, ...]:
    """What an AMC says of a bone with these channels: all moves or none, the innermost turn first."""
    moves = MOVES if any(c.islower() for c in channels) else ()
    return (*moves, *(f"r{c.lower()}" for c in reversed(channels) if c.isupper()))


def _file_names(skeleton: Skeleton) -> tuple[list[str], list[str]]:
    """Names of one word each; the root's is always `root`."""
    clean = [_BAD_IN_NAMES.sub("_", name) for name in skeleton.names[1:]]
    mended = unique_names([ROOT, *clean])
    changed = [(a, b) for a, b in zip(skeleton.names[1:], mended[1:], strict=True) if a != b]
    if not changed:
        return mended, []
    old, new = changed[0]
    more = f", and {len(changed) - 1} more" if len(changed) > 1 else ""
    return mended, [f"names of bones must be single words; {old!r} became {new!r}{more}"]


def _vector(values: FloatArray) -> str:
    return " ".join(decimal_text(float(v), _DIGITS) for v in values)
