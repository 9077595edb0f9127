"""Writing BVH: a Motion becomes a file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ... import kernels
from ..._files import atomic_write
from ...figure import FloatArray, IntArray, Motion, Skeleton
from ...figure.channels import layout, positions_of
from .._channels import needed_channels
from .._decimals import decimal_text, fitting_places, places
from .._names import unique_names
from .._notes import Progress
from .._tree import depth_first
from .._written import angle_blocks, left_out, room_for_rows, unit_and_axes
from ..axes import Axes
from ..units import UNITS
from ._words import BLANKS
from .header import nominal_rate

NEW_FILE_UNIT = UNITS["cm"]

_DEEPEST_INDENT = 64  # tabs; a chain of thousands would be written in tabs alone
_OFFSET_DIGITS = 15  # as many as a double keeps for sure, so that a file's own digits come back

_BAD_IN_NAMES = re.compile("[\x00-\x1f\x7f{}\ud800-\udfff]")


def write_bvh(
    motion: Motion,
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    decimals: int | None = None,
    progress: Progress | None = None,
) -> tuple[str, ...]:
    """Write a motion as BVH, whole or not at all; returns what had to be changed, in words.

    A motion that came from a BVH keeps the unit, the up axis, names, orders and offsets of that
    file; others are written in centimetres with Y up. `unit` and `up` set them. `decimals` is how
    many places numbers have at most; left out, there are as many as keep every joint within a
    millionth of the figure's height.
    """
    metres, axes = unit_and_axes(motion, ("bvh",), unit, up, metres=NEW_FILE_UNIT)
    changes: list[str] = []
    channels, widened = needed_channels(motion)
    changes += widened
    changes += left_out(motion, "a BVH")
    names = _file_names(motion.skeleton.names, changes)
    order = depth_first(motion.skeleton)
    skeleton = motion.skeleton.with_(channels=channels) if widened else motion.skeleton
    header = _header(skeleton, names, order, metres, axes)
    rate = frame_time(motion.frame_rate)
    text = f"{header}MOTION\nFrames: {len(motion)}\nFrame Time: {rate}\n"
    encoding = motion.source.encoding if motion.source.format == "bvh" else "utf-8"
    try:
        data = text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        data = text.encode("utf-8")
        changes.append(f"names cannot be written as {encoding}; the file is UTF-8")
    target = Path(path)
    if target.is_symlink():
        target = target.resolve()
    rows = _Rows(motion, skeleton, order, metres, axes, decimals)
    with atomic_write(target) as stream:
        stream.write(data)
        for chunk, done in rows:
            stream.write(chunk)
            if progress is not None:
                progress(done)
    return tuple(changes)


class _Rows:
    """The frames as text, a chunk at a time."""

    def __init__(
        self,
        motion: Motion,
        skeleton: Skeleton,
        order: IntArray,
        metres: float,
        axes: Axes,
        decimals: int | None,
    ) -> None:
        self.motion = motion
        self.order = order
        channels = [skeleton.channels[j] for j in order]
        # the columns of the file: joints in its order
        self.straight = bool((order == np.arange(len(order))).all())
        self.where = layout(skeleton if self.straight else _reordered(skeleton, order))
        self.count = len(self.where.names)
        self.scale = np.array(
            [
                s * (1.0 if c.isupper() else metres)
                for t in channels
                for s, c in zip(axes.signs(t), t, strict=True)
            ]
        )
        angle_places, place_places = places(skeleton, metres, decimals)
        self.places = np.array(
            [angle_places if c.isupper() else place_places for t in channels for c in t], dtype=np.int64
        )

    def __iter__(self) -> Iterator[tuple[memoryview, float]]:
        """Text of the next frames, and the share that is done with them."""
        motion, total = self.motion, len(self.motion)
        buffer = room_for_rows(self.count)
        positions = [
            (int(column), positions_of(motion, int(self.order[j]), int(k)))
            for (j, k), column in np.ndenumerate(self.where.position_columns)
            if column >= 0
        ]
        for part, values in angle_blocks(total, self.count, self.where, self._rotations):
            for column, signal in positions:
                values[:, column] = signal[part]
            values /= self.scale
            used = kernels.text.format_rows(values, fitting_places(values, self.places, "a BVH"), buffer)
            yield buffer[:used].data, part.stop / total

    def _rotations(self, part: slice) -> FloatArray:
        rotations = self.motion.rotations[part]
        return rotations if self.straight else rotations[:, self.order]


def frame_time(rate: float) -> str:
    """The duration of a frame as few digits as give the rate back."""
    for digits in (7, 10, 13):
        text = decimal_text(1.0 / rate, digits)
        if nominal_rate(text, float(text)) == rate:
            return text
    return decimal_text(1.0 / rate, 17)


def _file_names(names: tuple[str, ...], changes: list[str]) -> list[str]:
    """Names that a line can hold, each once."""
    clean = [_BAD_IN_NAMES.sub("_", name).strip(BLANKS) or "joint" for name in names]
    mended = unique_names(clean)
    changed = [(a, b) for a, b in zip(names, mended, strict=True) if a != b]
    if changed:
        old, new = changed[0]
        more = f", and {len(changed) - 1} more" if len(changed) > 1 else ""
        changes.append(f"names must fit on a line without braces; {old!r} became {new!r}{more}")
    return mended


def _reordered(skeleton: Skeleton, order: IntArray) -> Skeleton:
    """The same joints in another order, without end sites."""
    place = {int(j): at for at, j in enumerate(order)}
    parents = [-1 if skeleton.parents[j] < 0 else place[int(skeleton.parents[j])] for j in order]
    return Skeleton(
        names=tuple(skeleton.names[j] for j in order),
        parents=np.array(parents),
        offsets=skeleton.offsets[order],
        channels=tuple(skeleton.channels[j] for j in order),
    )


def _header(skeleton: Skeleton, names: list[str], order: IntArray, metres: float, axes: Axes) -> str:
    """HIERARCHY, up to its last brace."""
    offsets = axes.file_vectors(skeleton.offsets) / metres
    ends: dict[int, list[int]] = {}
    for at, end in enumerate(skeleton.ends):
        ends.setdefault(end.joint, []).append(at)
    lines = ["HIERARCHY"]
    open_joints: list[int] = []

    def indent(depth: int) -> str:
        return "\t" * min(depth, _DEEPEST_INDENT)

    def close(until: int) -> None:
        while open_joints and open_joints[-1] != until:
            joint = open_joints.pop()
            tabs = indent(len(open_joints) + 1)
            for at in ends.get(joint, ()):
                end = skeleton.ends[at]
                name = _BAD_IN_NAMES.sub("_", end.name).strip(BLANKS)
                offset = axes.file_vectors(np.array(end.offset)) / metres
                lines.extend(
                    (
                        f"{tabs}End Site {name}".rstrip(),
                        f"{tabs}{{",
                        f"{tabs}\tOFFSET {_vector(offset)}",
                        f"{tabs}}}",
                    )
                )
            lines.append(indent(len(open_joints)) + "}")

    for j in order.tolist():
        close(int(skeleton.parents[j]))
        tabs = indent(len(open_joints))
        letters = axes.file_letters(skeleton.channels[j])
        words = [c.upper() + ("rotation" if c.isupper() else "position") for c in letters]
        lines += [
            f"{tabs}{'JOINT' if open_joints else 'ROOT'} {names[j]}",
            f"{tabs}{{",
            f"{tabs}\tOFFSET {_vector(offsets[j])}",
            " ".join([f"{tabs}\tCHANNELS {len(words)}", *words]),
        ]
        open_joints.append(j)
    close(-1)
    return "\n".join(lines) + "\n"


def _vector(values: FloatArray) -> str:
    return " ".join(decimal_text(float(v), _OFFSET_DIGITS) for v in values)
