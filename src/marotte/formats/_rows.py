"""The rows of numbers in a text file, a chunk at a time, whatever the size of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from .. import kernels
from ..errors import FileError
from ..figure import FloatArray
from ._decimals import LARGEST_NUMBER
from ._notes import Notes, Progress
from ._numbers import NUMBER, no_number, too_large

CHUNK = 1 << 20  # bytes read at once
NUMBERS_AT_ONCE = 1 << 15  # that are handed on together: they stay in the processor's cache

_END_MARKS = b"\x00\x1a"  # what old programs and broken downloads leave behind the last row
_BLANKS = b" \t\r\n\f\v"
_CUT_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.?\d*)(?:[eE][-+]?)?")


class RowReader:
    """Rows of a file from the byte `begin` on.

    Rows are told apart by counting, so that one may be wrapped over several lines or share its
    line with others. But a line that has a number too many or too few is an error: it would shift
    everything after it.
    """

    def __init__(
        self,
        file: BinaryIO,
        notes: Notes,
        *,
        begin: int,
        size: int,
        columns: int,
        declared: int | None,
        progress: Progress | None = None,
        each: str = "channel",
    ) -> None:
        text = kernels.text
        self.file = file
        self.each = each
        self.notes = notes
        self.begin = begin
        self.size = size
        self.columns = columns
        self.declared = declared
        self.progress = progress
        self.rows = 0
        """How many whole rows were read."""
        self._state = np.zeros(text.STATE_SIZE, dtype=np.int64)
        self._state[[text.LINE_AT, text.ROW_AT]] = begin
        self._values = np.empty(max(1, NUMBERS_AT_ONCE // columns) * columns)
        self._bytes = np.empty(CHUNK, dtype=np.uint8)
        self._view = self._bytes.data
        self._base = begin  # where the chunk begins in the file
        self._filled = self._stop = 0  # how much of it there is, and is to be parsed now
        self._ended = False

    def __iter__(self) -> Iterator[FloatArray]:
        """Arrays (n, C) of the next rows. They lie in the same memory each time: use them at once."""
        text = kernels.text
        self.file.seek(self.begin)
        while not self._ended:
            self._fill()
            again = True
            while again:
                again = self._parse()
                whole = int(self._state[text.COUNT]) // self.columns
                if whole:
                    self.rows += whole
                    used = whole * self.columns
                    yield self._values[:used].reshape(whole, self.columns)
                    left = int(self._state[text.COUNT]) - used
                    self._values[:left] = self._values[used : used + left].copy()
                    self._state[text.COUNT] = left
            if self.progress is not None:
                self.progress(
                    min(1.0, (self._base + self._stop - self.begin) / max(1, self.size - self.begin))
                )

    def check(self) -> None:
        """After the last row: warn of, or refuse, what lines and counts do not agree about."""
        text, state, columns = kernels.text, self._state, self.columns
        rest = int(state[text.COUNT])
        if state[text.GLUED]:
            line, column = place_of(self.notes.path, int(state[text.GLUED_AT]))
            many = int(state[text.GLUED])
            numbers = "two numbers" if many == 1 else f"two numbers, here and {many - 1:,} times more"
            self.notes.warn(
                f"a blank is missing before the sign; this is read as {numbers}", line=line, column=column
            )
        if state[text.RAGGED]:
            self._check_ragged(rest)
        if rest:
            line, _ = place_of(self.notes.path, int(state[text.ROW_AT]))
            self.notes.warn(
                f"the last frame is cut short, with {rest:,} of its {columns:,} numbers; it is left out",
                line=line,
            )
        if self.declared is not None and self.declared != self.rows:
            self.notes.warn(f"the file declares {self.declared:,} frames, but has {self.rows:,}")

    def _check_ragged(self, rest: int) -> None:
        text, state, columns = kernels.text, self._state, self.columns
        carried, count = int(state[text.RAGGED_CARRIED]), int(state[text.RAGGED_COUNT])
        at = int(state[text.RAGGED_ROW_AT] if carried else state[text.RAGGED_AT])
        line, _ = place_of(self.notes.path, at)
        if rest == 0 and self.declared == self.rows:
            self.notes.warn("lines break in the middle of frames; numbers are counted instead", line=line)
            return
        has = f"the frame that begins here has {carried:,}" if carried else f"this line has {count:,}"
        raise FileError(
            f"each frame must have {columns:,} numbers, one a {self.each}, but {has}",
            path=self.notes.path,
            line=line,
        )

    def _fill(self) -> None:
        """Read the next chunk behind what was left of the last one."""
        kept = self._filled - self._stop
        self._bytes[:kept] = self._bytes[self._stop : self._filled].copy()
        self._base += self._stop
        fresh = self.file.readinto(self._view[kept:])  # type: ignore[attr-defined]  # typing's BinaryIO forgot it
        self._filled = kept + fresh
        self._ended = fresh == 0
        self._stop = self._filled if self._ended else self._whole_words()
        self._state[kernels.text.AT] = 0

    def _whole_words(self) -> int:
        """How much of the chunk ends with a blank, so that no number is cut in two."""
        for step in (256, self._filled):
            begin = max(0, self._filled - step)
            blanks = np.flatnonzero(
                np.isin(self._bytes[begin : self._filled], np.frombuffer(_BLANKS, np.uint8))
            )
            if len(blanks):
                return begin + int(blanks[-1]) + 1
        if self._filled == len(self._bytes):
            raise self._error("words must be shorter than a megabyte, but this is longer", 0)
        return 0

    def _parse(self) -> bool:
        """Parse on in the chunk; whether there is more of it."""
        text, state = kernels.text, self._state
        text.parse_numbers(self._bytes, self._stop, self._base, self.columns, self._values, state)
        problem = int(state[text.PROBLEM])
        if problem == text.NOTHING:
            return False
        if problem == text.HARD:
            match = NUMBER.match(self._word().decode("ascii", "replace"))
            self._take(match[0] if match else "")
        elif problem == text.NOT_A_NUMBER:
            self._end_at_odd_word()
            return False
        return True

    def _word(self) -> bytes:
        """What stands between the place where parsing stopped and the next blank."""
        at = int(self._state[kernels.text.AT])
        return bytes(self._view[at : self._stop]).split(None, 1)[0]

    def _take(self, number: str) -> None:
        """Put the number that begins where parsing stopped among the values."""
        text, state = kernels.text, self._state
        value = float(number)
        if not abs(value) <= LARGEST_NUMBER:
            raise self._error(too_large(number), int(state[text.AT]))
        self._values[state[text.COUNT]] = value
        state[text.AT] += len(number)
        state[[text.COUNT, text.LINE_COUNT]] += 1

    def _end_at_odd_word(self) -> None:
        """End the rows at a word that is no number, if that makes sense; else raise."""
        text, state = kernels.text, self._state
        at, word = int(state[text.AT]), self._word()
        bare = word.rstrip(_END_MARKS)
        if bare != word and self._rest_is(at + len(word), _BLANKS + _END_MARKS):
            self.notes.warn("the file ends with bytes that are no text; they are left out")
            if NUMBER.fullmatch(bare.decode("ascii", "replace")):
                self._take(bare.decode("ascii"))
            elif bare:
                raise self._error(no_number(word.decode("latin-1"), "values of frames"), at)
        elif _CUT_NUMBER.fullmatch(word) and self._rest_is(at + len(word), b""):
            pass  # the file is cut in the middle of a number, and of a row
        elif self.declared is not None and self.rows + int(state[text.COUNT]) / self.columns >= self.declared:
            line, column = self._place(at)
            self.notes.warn("what follows the last frame is left out", line=line, column=column)
            # numbers before the odd word are part of what follows
            state[text.COUNT] -= state[text.COUNT] % self.columns
        else:
            raise self._error(no_number(word.decode("utf-8", "replace"), "values of frames"), at)
        self._ended = True

    def _rest_is(self, at: int, allowed: bytes) -> bool:
        """Whether nothing but such bytes follows in the file."""
        if bytes(self._view[at : self._filled]).strip(allowed):
            return False
        while more := self.file.read(CHUNK):
            if more.strip(allowed):
                return False
        return True

    def _place(self, at: int) -> tuple[int, int]:
        return place_of(self.notes.path, self._base + at)

    def _error(self, message: str, at: int) -> FileError:
        line, column = self._place(at)
        return FileError(message, path=self.notes.path, line=line, column=column)


def place_of(path: Path, at: int) -> tuple[int, int]:
    """Line and column, from 1, of a byte in a file. It reads the file again: errors are rare."""
    line, line_at, base, before = 1, 0, 0, b""
    with open(path, "rb") as file:
        while base < at and (chunk := file.read(min(CHUNK, at - base))):
            # a CR ends a line, and so does an LF that no CR precedes
            for match in re.finditer(rb"\r\n?|\n", chunk):
                if match.start() == 0 and before == b"\r" and match[0] == b"\n":
                    line_at = base + 1
                    continue
                line += 1
                line_at = base + match.end()
            before = chunk[-1:]
            base += len(chunk)
    return line, at - line_at + 1
