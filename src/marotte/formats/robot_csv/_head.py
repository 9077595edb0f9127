"""What stands above the numbers: remarks, which begin with #, and the line that names the columns."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np

from ...errors import FileError, InputError
from ...figure import EndSite, Skeleton
from .._decimals import LARGEST_NUMBER
from .._numbers import NUMBER
from .._open import refuse_others, text_of
from .._values import value_of

CHUNK = 1 << 20
LARGEST_HEAD = 1 << 24  # bytes
MOST_COLUMNS = 100_000
DELIMITERS = ",;\t"

_REMARK = re.compile(r"#\s*(\w+)\s*:\s*(.*?)\s*")
KEYS = ("marotte_csv", "frame_rate", "quaternion", "angles", "up", "metres_per_unit", "skeleton")


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint of the skeleton that a file brings along, in the file's unit and axes."""

    name: str
    parent: int
    offset: tuple[float, float, float]
    channels: str
    axes: tuple[float, float, float, float] | None = None
    """The frame that its channels turn in, a quaternion (w, x, y, z)."""
    limits: tuple[tuple[float | None, float | None], ...] | None = None
    """Least and greatest angles about x, y, z, radians; None where there is no end."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The skeleton that a file brings along."""

    joints: tuple[Joint, ...]
    ends: tuple[EndSite, ...] = ()

    def skeleton(self) -> Skeleton:
        """As a skeleton, still in the file's unit and axes."""
        axes = [joint.axes for joint in self.joints]
        limits = [joint.limits for joint in self.joints]
        identity, free = (1.0, 0.0, 0.0, 0.0), ((None, None),) * 3
        return Skeleton(
            names=tuple(joint.name for joint in self.joints),
            parents=np.array([joint.parent for joint in self.joints]),
            offsets=np.array([joint.offset for joint in self.joints], dtype=np.float64).reshape(-1, 3),
            channels=tuple(joint.channels for joint in self.joints),
            ends=self.ends,
            limits=np.array([[_bounds(pair) for pair in b or free] for b in limits]) if any(limits) else None,
            channel_axes=np.array([a or identity for a in axes]) if any(axes) else None,
        )


def _bounds(pair: tuple[float | None, float | None]) -> tuple[float, float]:
    least, greatest = pair
    return -np.inf if least is None else least, np.inf if greatest is None else greatest


@dataclass(slots=True)
class Head:
    """What a file says of itself."""

    path: Path
    remarks: dict[str, tuple[str, int]] = field(default_factory=dict)
    """What it says, and in which line."""
    names: list[str] = field(default_factory=list)
    names_line: int = 0
    delimiter: str = ","
    begin: int = 0
    """Where the numbers begin, bytes from the beginning."""
    line: int = 1
    """The line, from 1, where they begin."""
    encoding: str = "utf-8"

    def said(self, key: str) -> str | None:
        """A remark."""
        return self.remarks[key][0] if key in self.remarks else None

    def error(self, message: str, key: str | None = None) -> FileError:
        """To be raised, at a remark or at the names."""
        line = self.remarks[key][1] if key in self.remarks else self.names_line or None
        return FileError(message, path=self.path, line=line)

    def number(self, key: str) -> float | None:
        """A remark that is a number."""
        said = self.said(key)
        if said is None:
            return None
        if not NUMBER.fullmatch(said) or not abs(float(said)) <= LARGEST_NUMBER:
            raise self.error(f"{key} must be a number, but is {said[:40]!r}", key)
        return float(said)

    def one_of(self, key: str, choices: tuple[str, ...]) -> str | None:
        """A remark that is one of a few words."""
        said = self.said(key)
        if said is not None and said not in choices:
            raise self.error(f"{key} must be one of {', '.join(choices)}, but is {said[:40]!r}", key)
        return said

    def figure(self) -> Skeleton | None:
        """The skeleton that the file brings along."""
        said = self.said("skeleton")
        if said is None:
            return None
        try:
            figure: Figure = value_of(Figure, json.loads(said), "skeleton")
            found = figure.skeleton()
        except RecursionError:
            raise self.error("the skeleton nests too deeply", "skeleton") from None
        except (ValueError, TypeError, OverflowError) as problem:  # JSON's, ours, and InputError
            raise self.error(f"the skeleton is wrong: {problem}", "skeleton") from None
        if not (np.abs(found.offsets) <= LARGEST_NUMBER).all():
            raise self.error(f"offsets must be at most {LARGEST_NUMBER:g}", "skeleton")
        return found


def read_head(file: BinaryIO, path: Path) -> Head:
    """Parse what stands above the numbers."""
    refuse_others(file.read(4096), path, "a CSV of robot motion")
    file.seek(0)
    data = file.read(LARGEST_HEAD)
    mark = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    head = Head(path)
    for row in re.finditer(rb"([^\r\n]*)(\r\n|\r|\n|$)", data[mark:]):
        text, head.encoding = text_of(row[1])
        text = text.strip()
        if text.startswith("#"):
            remark = _REMARK.fullmatch(text)
            if remark and remark[1].lower() in KEYS:
                head.remarks[remark[1].lower()] = (remark[2], head.line)
        elif text:
            head.names_line = head.line
            _read_names(head, text)
        head.begin = mark + row.end()
        head.line += bool(row[2])
        if head.names:
            return head
    if len(data) == LARGEST_HEAD:
        raise FileError(f"the names of columns must stand within {LARGEST_HEAD >> 20} MB", path=path)
    raise FileError("must have a line that names its columns, but ends before it", path=path, line=head.line)


def _read_names(head: Head, text: str) -> None:
    head.delimiter = "," if "marotte_csv" in head.remarks else max(DELIMITERS, key=text.count)
    try:
        names = next(csv.reader([text], delimiter=head.delimiter, strict=True))
    except csv.Error as problem:
        raise head.error(f"the names of columns cannot be read: {problem}") from None
    if len(names) > MOST_COLUMNS:
        raise head.error(f"there must be at most {MOST_COLUMNS:,} columns, but there are {len(names):,}")
    if len(names) > 1 and not names[-1].strip():
        names.pop()  # each line ends with a delimiter
    if all(NUMBER.fullmatch(name.strip()) for name in names):
        raise head.error(
            "the first line must name the columns, but has numbers; add a line such as "
            "'root_pos_x,root_pos_y,root_pos_z,root_quat_w,root_quat_x,root_quat_y,root_quat_z,left_knee,…' "
            "that says what they are"
        )
    head.names = names


def _lines(file: BinaryIO, head: Head) -> Iterator[tuple[int, bytes]]:
    """Lines with numbers, whatever ends them, and where they stand."""
    file.seek(head.begin)
    rest, number = b"", head.line - 1
    while fresh := file.read(CHUNK):
        if fresh.endswith(b"\r"):
            fresh += file.read(1)
        *whole, rest = (rest + fresh.replace(b"\r\n", b"\n").replace(b"\r", b"\n")).split(b"\n")
        for line in whole:
            number += 1
            if (bare := line.strip()) and not bare.startswith(b"#"):
                yield number, bare
        if len(rest) > LARGEST_HEAD:
            raise FileError(f"a line must be shorter than {LARGEST_HEAD >> 20} MB", path=head.path)
    if (bare := rest.strip()) and not bare.startswith(b"#"):
        yield number + 1, bare


def count_frames(file: BinaryIO, head: Head) -> int:
    """Lines of numbers, which must have as many as there are names; a last one that has less is cut
    short and does not count."""
    count, short, mark = 0, 0, head.delimiter.encode()
    for number, line in _lines(file, head):
        cells = line.removesuffix(mark).count(mark) + 1
        if short or cells > len(head.names):
            cells = short or cells
            raise FileError(
                f"each frame must have {len(head.names)} numbers, one a column, but this line has {cells}",
                path=head.path,
                line=number - 1 if short else number,
            )
        if cells < len(head.names):
            short = cells
        else:
            count += 1
    return count


class Separated:
    """A file whose delimiters are read as blanks."""

    def __init__(self, file: BinaryIO, delimiter: str) -> None:
        self._file = file
        self._delimiter = ord(delimiter)

    def seek(self, place: int, whence: int = os.SEEK_SET) -> int:
        """As a file's."""
        return self._file.seek(place, whence)

    def read(self, size: int = -1) -> bytes:
        """As a file's."""
        return self._file.read(size).replace(bytes([self._delimiter]), b" ")

    def readinto(self, buffer: memoryview) -> int:
        """As a file's."""
        count: int = self._file.readinto(buffer)  # type: ignore[attr-defined]  # typing's BinaryIO forgot it
        there = np.frombuffer(buffer[:count], dtype=np.uint8)
        there[there == self._delimiter] = 32
        return count


def check_choice(name: str, value: str | None, choices: tuple[str, ...]) -> None:
    """Raise InputError unless an option is one of a few words."""
    if value is not None and value not in choices:
        raise InputError(f"{name} must be one of {', '.join(choices)}, but is {value!r}")
