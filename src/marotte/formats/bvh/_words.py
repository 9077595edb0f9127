"""A BVH file's header as words with places: decoding, blanks, comments, names, numbers."""

from __future__ import annotations

import bisect
import math
import re

from ...errors import FileError
from .._decimals import LARGEST_NUMBER
from .._notes import Notes
from .._numbers import NUMBER, no_number, too_large

BLANKS = " \t\r\n\f\v"  # other spaces of Unicode are letters of a name
_BLANKS = re.compile(r"(?:[ \t\r\n\f\v]+|#[^\r\n]*|//[^\r\n]*)*")
_WORD = re.compile(r"[{}]|[^ \t\r\n\f\v{}]+")
_NAME = re.compile(r"([^\r\n{}]*)([\r\n{}])")
_REST = re.compile(r"[^\r\n]*")
_LINE_END = re.compile(r"\r\n|\r|\n")
_KANA = re.compile("[\u3041-\u30ff]")


class EndOfText(Exception):
    """The text ends where something has to come; there may be more of it in the file."""


def decode(data: bytes) -> tuple[str, str]:
    """The text of a header and the encoding it is in.

    Names that are no UTF-8 come from older programs: those with kana in them from Japanese ones,
    all others count as Western. Every byte has a meaning in Latin-1, so that this never fails.
    """
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("cp932")
        if _KANA.search(text):
            return text, "cp932"
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252"), "cp1252"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"


class Words:
    """Reads a text word by word, and knows the line and column of everything."""

    def __init__(self, text: str, notes: Notes) -> None:
        self.text = text
        self.notes = notes
        self.at = 0
        self._line_starts: list[int] = []

    def place(self, at: int) -> tuple[int, int]:
        """Line and column, from 1, of an index into the text."""
        if not self._line_starts:
            self._line_starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        line = bisect.bisect_right(self._line_starts, at)
        return line, at - self._line_starts[line - 1] + 1

    def error(self, message: str, at: int) -> FileError:
        """An error at a place, to be raised."""
        line, column = self.place(at)
        return FileError(message, path=self.notes.path, line=line, column=column)

    def warn(self, message: str, at: int) -> None:
        """A warning at a place."""
        line, column = self.place(at)
        self.notes.warn(message, line=line, column=column)

    def peek(self) -> str:
        """The next word, or nothing at the end of the text. Braces are words of their own."""
        blanks = _BLANKS.match(self.text, self.at)
        self.at = blanks.end() if blanks else self.at
        word = _WORD.match(self.text, self.at)
        return word[0] if word else ""

    def next(self) -> tuple[str, int]:
        """The next word and where it begins."""
        word = self.peek()
        if not word:
            raise EndOfText
        start = self.at
        self.at += len(word)
        return word, start

    def name(self) -> str:
        """What stands between here and the brace or the end of the line, outer blanks removed."""
        match = _NAME.match(self.text, self.at)
        if match is None:
            raise EndOfText
        self.at = match.end(1)
        return match[1].strip(BLANKS)

    def rest_of_line(self) -> str:
        """What stands between here and the end of the line."""
        match = _REST.match(self.text, self.at)
        found = match[0] if match else ""
        self.at += len(found)
        return found

    def number(self, what: str) -> float:
        """The next word as a number; one that ends at a sign leaves the rest for the next."""
        word = self.peek()
        if not word:
            raise EndOfText
        start = self.at
        match = NUMBER.match(self.text, start)
        end = start + len(word)
        if match is None or (match.end() < end and self.text[match.end()] not in "-+"):
            raise self.error(no_number(word, what), start)
        value = float(match[0])
        if not abs(value) <= LARGEST_NUMBER:
            raise self.error(too_large(match[0]), start)
        self.at = match.end()
        if match.end() < end:
            self.warn(f"a blank is missing in {word!r}; it is read as two numbers", start)
        return value


def is_finite_rate(seconds: float) -> bool:
    """Whether frames of this duration have a frame rate that can be computed with."""
    return math.isfinite(seconds) and 1e-6 <= seconds <= 1e6
