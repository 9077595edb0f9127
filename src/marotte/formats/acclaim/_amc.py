"""The rows of an AMC: frame after frame, a line with the numbers of each bone.

Nearly all files say the same bones in the same order in every frame. Those are read megabytes at a
time by compiled code, which first looks whether names stand where names have to. Whatever is
otherwise in a stretch of the file makes it be read line by line, where every problem has its place.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from ... import kernels
from ...errors import FileError, UnknownNameError
from ...figure import FloatArray
from .._decimals import LARGEST_NUMBER
from .._notes import Notes, Progress
from .._open import refuse_others
from .._rates import WANTED, asked_rate, is_rate
from ._asf import Asf

CHUNK = 1 << 21
LONGEST_FRAME = 4 * CHUNK  # ten thousand bones with six long numbers each need a third of it
LEAST_ROOM = 1 << 28  # bytes that any file may become in memory
ROOM_PER_BYTE = 40  # and what it may for each of its own
MOST_DIGITS = 15  # of a frame's number

USUAL_RATE = 120.0
"""Frames a second where a file does not say, as AMC files do not: that of the CMU library."""

_NUMBER_ALONE = re.compile(rb"[ \t]*[0-9]+[ \t]*(?:#[^\n]*)?")
_NEW_FRAME = re.compile(rb"\n[ \t]*[0-9]+[ \t]*(?:#[^\n]*)?(?=\n)")
_COMMENT = re.compile(rb"#[^\n]*")
_RATE = b":samples-per-second"


@dataclass(slots=True)
class AmcHead:
    """What stands before the first frame."""

    degrees: bool | None
    """None where the file does not say."""
    frame_rate: float | None
    begin: int
    """Where the first frame begins, bytes from the beginning."""
    line: int
    """The line, from 1, in which it begins."""


def read_amc_head(file: BinaryIO, path: Path) -> AmcHead:
    """Parse what stands before the first frame."""
    data = file.read(1 << 16)
    refuse_others(data, path, "Acclaim motion (AMC)", b":FULLY-SPECIFIED")
    mark = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    head = AmcHead(None, None, mark, 1)
    for row in re.finditer(rb"([^\r\n]*)(\r\n|\r|\n|$)", data[mark:]):
        words = row[1].split(b"#", 1)[0].split()
        if words and not words[0].startswith(b":"):
            if len(words) == 1 and words[0].isdigit():
                head.begin = mark + row.start()
                return head
            raise FileError(
                "an AMC must begin with lines such as :DEGREES, then the number of a frame, "
                f"but here stands {row[1][:40].decode('latin-1').strip()!r}",
                path=path,
                line=head.line,
            )
        remark = re.match(rb"\s*#\s*marotte\s+frame_rate\s*:\s*(\S+)", row[1])
        if remark:
            head.frame_rate = _rate(remark[1], path, head.line)
        elif words:
            key = words[0].lower()
            if key in (b":degrees", b":radians"):
                head.degrees = key == b":degrees"
            elif key == _RATE and len(words) > 1:
                head.frame_rate = _rate(words[1], path, head.line)
        head.begin = mark + row.end()
        head.line += bool(row[2])
    if len(data) == 1 << 16:
        raise FileError("the first frame of an AMC must begin within 64 kB, but none does", path=path)
    return head


def _rate(word: bytes, path: Path, line: int) -> float:
    try:
        rate = float(word)
    except ValueError:
        rate = 0.0
    if not is_rate(rate):
        raise FileError(
            f"the frame rate must be {WANTED}, but is {word.decode('latin-1')!r}",
            path=path,
            line=line,
        )
    return rate


def settle_rate(declared: float | None, asked: float | None, notes: Notes) -> float:
    """Frames a second: as asked, as the file says, or as usual."""
    if asked is not None:
        return asked_rate(asked)
    if declared is not None:
        return declared
    notes.guess(
        f"an AMC does not say its frame rate; {USUAL_RATE:g} frames a second are taken"
        " (set it with frame_rate)"
    )
    return USUAL_RATE


def count_frames(file: BinaryIO, begin: int) -> int:
    """How many frames there are from a byte on: a last one that says less than the first is cut."""
    file.seek(begin)
    counted, frame = 0, b""
    first: int | None = None
    while fresh := file.read(CHUNK):
        if fresh.endswith(b"\r"):
            fresh += file.read(1)
        known = len(frame)
        frame += _with_line_feeds(fresh)
        marks = _new_frames(frame, known)
        if marks:
            first = _words(frame[: marks[0]]) if first is None else first
            counted += len(marks)
            frame = frame[marks[-1] :]
        if len(frame) > LONGEST_FRAME:
            break  # the reader says so
    last = frame.rsplit(b"\n", 1)[-1]
    if counted and _NUMBER_ALONE.fullmatch(last) and len(last) < len(frame):
        return counted + 1  # the number of a frame that has nothing else
    return counted + bool(frame.strip() and (first is None or _words(frame) >= first))


def _with_line_feeds(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _new_frames(data: bytes, known: int) -> list[int]:
    """Where further frames begin in data that begins with one and was looked through up to `known`.

    A number at the very end may go on.
    """
    begin = max(0, data.rfind(b"\n", 0, known))
    return [m.start() + 1 for m in _NEW_FRAME.finditer(data, begin)]


def _words(frame: bytes) -> int:
    return len(_COMMENT.sub(b"", frame).split())


class AmcReader:
    """Frames of a file from its first one on."""

    def __init__(
        self, file: BinaryIO, notes: Notes, asf: Asf, head: AmcHead, progress: Progress | None = None
    ) -> None:
        self.file = file
        self.notes = notes
        self.asf = asf
        self.begin = head.begin
        self.line = head.line
        self.progress = progress
        self.size = os.fstat(file.fileno()).st_size
        self.columns: dict[bytes, slice] = {}
        at = 0
        for bone in asf.bones:
            self.columns[bone.name.encode(asf.encoding)] = slice(at, at + len(bone.dof))
            at += len(bone.dof)
        self.count = at
        self.most_frames = (LEAST_ROOM + ROOM_PER_BYTE * self.size) // max(32 * len(asf.bones), 8 * at)
        self.frames = 0
        self.numbered: int | None = None  # the last frame's number
        self.gaps = 0
        self.held: dict[str, int] = {}  # bones that frames leave out
        self.template: list[
            tuple[bytes, int]
        ] = []  # bones of the first frame in its order, with their counts
        self.unsaid: list[str] = []  # bones that it leaves out
        self.last = np.zeros(self.count)
        self.cut = ""

    def read(self) -> FloatArray:
        """(F, N) the numbers, in the order of the skeleton's bones and of their degrees of freedom."""
        blocks: list[FloatArray] = []
        for data, is_last in self._stretches():
            block = self._whole(data) if self.template and not is_last else None
            if block is None:
                block = self._lines(data, is_last)
            self._check_room(len(block))
            self.frames += len(block)
            if len(block):
                self.last = block[-1]
                blocks.append(block)
            self.line += data.count(b"\n")
        self._report()
        return np.concatenate(blocks) if blocks else np.empty((0, self.count))

    def _stretches(self) -> Iterator[tuple[bytes, bool]]:
        """Pieces of the file that end where a frame ends, the first of one frame alone."""
        self.file.seek(self.begin)
        frame, first, done = b"", True, self.begin
        while fresh := self.file.read(CHUNK):
            if fresh.endswith(b"\r"):
                fresh += self.file.read(1)
            done += len(fresh)
            known = len(frame)
            frame += _with_line_feeds(fresh)
            marks = _new_frames(frame, known)
            if marks and first:
                yield frame[: marks[0]], False
                if len(marks) > 1:
                    yield frame[marks[0] : marks[-1]], False
                first = False
            elif marks:
                yield frame[: marks[-1]], False
            frame = frame[marks[-1] :] if marks else frame
            if len(frame) > LONGEST_FRAME:
                raise self._error(f"a frame must be shorter than {LONGEST_FRAME >> 20} MB", self.line)
            if self.progress is not None:
                self.progress(done / max(1, self.size))
        yield frame, True

    def _check_room(self, more: int) -> None:
        if self.frames + more > self.most_frames:
            raise FileError(
                f"frames must say more of their {len(self.asf.bones):,} bones: as these stand, a file of "
                f"this size may have at most {self.most_frames:,}",
                path=self.notes.path,
            )

    def _whole(self, data: bytes) -> FloatArray | None:
        """The frames of a stretch in which each is like the first of the file; None where one is not."""
        if b"#" in data or b":" in data:
            return None
        names = b"".join(name for name, _ in self.template)
        ends = np.cumsum([len(name) for name, _ in self.template])
        counts = np.array([count for _, count in self.template])
        letters = np.frombuffer(bytearray(data), dtype=np.uint8)
        text = kernels.text
        frames = text.blank_names(letters, len(letters), np.frombuffer(names, np.uint8), ends, counts)
        if frames < 1:
            return None
        columns = 1 + int(counts.sum())
        values, state = np.empty((frames, columns)), np.zeros(text.STATE_SIZE, dtype=np.int64)
        text.parse_numbers(letters, len(letters), 0, columns, values.reshape(-1), state)
        if state[text.PROBLEM] != text.NOTHING or state[text.GLUED] or state[text.COUNT] != values.size:
            return None
        numbers = values[:, 0]
        before = numbers[0] - 1 if self.numbered is None else self.numbered
        self.gaps += int(np.count_nonzero(np.diff(numbers, prepend=before) != 1))
        self.numbered = int(numbers[-1])
        block = np.empty((frames, self.count))
        block[:] = self.last
        at = 1
        for name, count in self.template:
            block[:, self.columns[name]] = values[:, at : at + count]
            at += count
        for bone in self.unsaid:
            self.held[bone] = self.held.get(bone, 0) + frames
        return block

    def _count(self, number: int) -> None:
        self.gaps += self.numbered is not None and number != self.numbered + 1
        self.numbered = number

    def _lines(self, data: bytes, is_last: bool) -> FloatArray:
        """The frames of a stretch, line by line."""
        rows: list[FloatArray] = []
        said: dict[bytes, int] = {}
        lines = data.split(b"\n")
        end = len(lines) - 1
        while end > 0 and not lines[end].strip():
            end -= 1
        for number, line in enumerate(lines, self.line):
            words = line.split(b"#", 1)[0].split()
            if not words:
                continue
            if len(words) == 1 and words[0].isdigit():
                if rows:
                    self._close(said)
                said = {}
                self._check_room(len(rows))
                if len(words[0]) > MOST_DIGITS:
                    raise self._error(f"the number of a frame must have at most {MOST_DIGITS} digits", number)
                self._count(int(words[0]))
                rows.append(rows[-1].copy() if rows else self.last.copy())
                continue
            final = is_last and number - self.line == end
            if words[0].startswith(b":"):
                raise self._error(f"{words[0].decode('latin-1')} must stand before the first frame", number)
            if final and not self._fits(words):
                self.cut = f"the last frame is cut short in line {number:,}; it is left out"
                rows.pop()
                break
            self._bone(rows[-1], words, said, number)
        if rows and not self.cut:
            usual = {name for name, _ in self.template}
            if is_last and usual - set(said):
                self.cut = (
                    f"the last frame has {len(said)} of {len(usual)} bones; it is cut short and left out"
                )
                rows.pop()
            else:
                self._close(said)
                if not self.template:
                    self.template = list(said.items())
                    self.unsaid = list(self.held)
        return np.array(rows).reshape(-1, self.count)

    def _fits(self, words: list[bytes]) -> bool:
        """Whether a line is whole, as the last of a file that was cut may not be: its name or its numbers
        end early. What is wrong before the cut is an error all the same."""
        columns = self.columns.get(words[0])
        wanted: int = 1 if columns is None else columns.stop - columns.start
        return len(words) > wanted

    def _bone(self, row: FloatArray, words: list[bytes], said: dict[bytes, int], line: int) -> None:
        name = words[0]
        columns = self.columns.get(name)
        if columns is None:
            bones = [bone.name for bone in self.asf.bones]
            hint = UnknownNameError("bone", name.decode(self.asf.encoding, "replace"), bones)
            raise self._error(f"a frame must name bones of {self.asf.path}, but: {hint}", line)
        shown = name.decode(self.asf.encoding, "replace")
        if name in said:
            raise self._error(f"a frame must name each bone once, but {shown!r} stands twice", line)
        count = columns.stop - columns.start
        if len(words) - 1 != count:
            dof = next(bone.dof for bone in self.asf.bones if bone.name == shown)
            wanted = f"{count} numbers ({' '.join(dof)})" if count else "no numbers"
            raise self._error(
                f"bone {shown!r} must have {wanted}, as in {self.asf.path}, but has {len(words) - 1}", line
            )
        for k, word in enumerate(words[1:]):
            try:
                value = float(word)
            except ValueError:
                value = float("nan")
            if not abs(value) <= LARGEST_NUMBER or b"_" in word:
                raise self._error(
                    f"numbers of a frame must be finite and at most {LARGEST_NUMBER:g}, "
                    f"but bone {shown!r} has {word[:40].decode('latin-1')!r}",
                    line,
                )
            row[columns.start + k] = value
        said[name] = count

    def _close(self, said: dict[bytes, int]) -> None:
        """Count the bones that a frame did not speak of."""
        for bone in self.asf.bones:
            if bone.dof and bone.name.encode(self.asf.encoding) not in said:
                self.held[bone.name] = self.held.get(bone.name, 0) + 1

    def _report(self) -> None:
        if self.cut:
            self.notes.warn(self.cut)
        silent = [name for name, count in self.held.items() if count >= self.frames]
        partly = [name for name, count in self.held.items() if count < self.frames]
        if silent:
            self.notes.warn(f"no frame speaks of {_few(silent)}; there they are as at rest")
        if partly:
            self.notes.warn(
                f"some frames do not speak of {_few(partly)}; there they are as in the frame before"
            )
        if self.gaps:
            self.notes.warn(
                f"the numbers of frames do not go up by one in {self.gaps:,} places;"
                " frames are taken as they come"
            )

    def _error(self, message: str, line: int) -> FileError:
        return FileError(message, path=self.notes.path, line=line)


def _few(names: list[str]) -> str:
    shown = ", ".join(names[:5])
    return shown + (f" and {len(names) - 5} more" if len(names) > 5 else "")
