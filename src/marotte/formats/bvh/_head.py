"""The beginning of a BVH file: enough bytes to know its header and its first frames."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from ...errors import FileError
from ...figure import FloatArray
from .._decimals import LARGEST_NUMBER
from .._notes import Notes
from .._numbers import NUMBER
from .._open import kind_of
from ._words import BLANKS, EndOfText, Words, decode
from .header import Header, parse_header, parse_motion

FIRST_READ = 1 << 16
LARGEST_HEADER = 1 << 26  # bytes; ten thousand joints with long names need a twentieth of it
SAMPLE_FRAMES = 8  # how many of the first frames unit and up axis are guessed from
MOST_SAMPLES = 20_000  # numbers; fewer frames of very large figures

_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Head:
    """What the beginning of a file says."""

    header: Header
    encoding: str
    begin: int
    """Where the rows begin, bytes from the beginning of the file."""
    size: int
    """Of the whole file, bytes."""
    row_text: bytes
    """The text of the first rows."""

    def sample(self) -> FloatArray:
        """(n, C) the first frames, in the file's unit and degrees.

        There are fewer than SAMPLE_FRAMES where something odd stands in them, perhaps none.
        """
        columns = self.header.columns
        text = self.row_text.decode("ascii", "replace")
        numbers: list[float] = []
        at, most = 0, columns * max(1, min(SAMPLE_FRAMES, MOST_SAMPLES // max(1, columns)))
        while len(numbers) < most:
            while at < len(text) and text[at] in BLANKS:
                at += 1
            match = NUMBER.match(text, at)
            if match is None or match.end() == len(text) or not abs(float(match[0])) <= LARGEST_NUMBER:
                break
            numbers.append(float(match[0]))
            at = match.end()
        whole = len(numbers) // columns if columns else 0
        return np.array(numbers[: whole * columns]).reshape(whole, columns)


def read_head(file: BinaryIO, notes: Notes) -> Head:
    """Parse the header, reading no more of the file than it needs."""
    path = notes.path
    size = os.fstat(file.fileno()).st_size
    want = FIRST_READ
    data = b""
    while True:
        data += file.read(want - len(data))
        whole = len(data) < want
        if len(data) <= FIRST_READ:
            _refuse_others(data, path)
        mark = len(_BOM) if data.startswith(_BOM) else 0
        end = len(data) if whole else _last_blank(data)
        text, encoding = decode(data[mark:end])
        attempt = Notes(path, strict=notes.strict)
        words = Words(text, attempt)
        header = _parse(words, whole)
        if header is not None:
            break
        if want >= LARGEST_HEADER:
            raise FileError(
                f"the hierarchy must end within {LARGEST_HEADER >> 20} MB, but goes on", path=path
            )
        want = min(want * 8, LARGEST_HEADER)
    if encoding != "utf-8":
        attempt.guess(f"names are no UTF-8; they are read as {encoding}")
    notes.warnings += attempt.warnings
    notes.guesses += attempt.guesses
    begin = mark + len(text[: header.rows_at].encode(encoding))
    want = max(FIRST_READ, header.columns * 40)
    row_text = data[begin : begin + want]
    if header.has_motion and len(row_text) < want:
        row_text += file.read(want - len(row_text))
    return Head(header, encoding, begin, size, row_text)


def _parse(words: Words, whole: bool) -> Header | None:
    """The header, or None where more of the file has to be read."""
    header = None
    try:
        header = parse_header(words)
        if words.peek():
            parse_motion(words, header)
        elif whole:
            words.warn("the file ends after the hierarchy; there is no MOTION", words.at)
        if not whole and not words.peek():
            return None
        return header
    except EndOfText:
        if not whole:
            return None
    if header is None:
        message = "the file ends inside the hierarchy; the rest of it is missing"
    else:
        message = "the file ends inside MOTION's declarations; the rest of it is missing"
    raise words.error(message, len(words.text))


def _refuse_others(data: bytes, path: Path) -> None:
    """Raise a FileError that says what the file is, if it is no BVH."""
    if not data.strip(BLANKS.encode()):
        raise FileError(
            "a BVH must begin with the word HIERARCHY, but the file is empty", path=path, line=1, column=1
        )
    words = Words(decode(data.removeprefix(_BOM)[:4096])[0], Notes(path, strict=False))
    first = words.peek()
    if first.upper() in ("HIERARCHY", "ROOT") or not first:
        return
    kind = kind_of(data)
    if kind is not None:
        raise FileError(f"the file must be a BVH, but is {kind}", path=path, line=1, column=1)
    what = "binary" if b"\0" in data[:4096] else repr(first if len(first) <= 40 else first[:37] + "…")
    raise words.error(f"a BVH must begin with the word HIERARCHY, but this file begins with {what}", words.at)


def _last_blank(data: bytes) -> int:
    """The index behind the last blank, so that no word is cut in two."""
    return max(data.rfind(blank) for blank in (b" ", b"\n", b"\t", b"\r")) + 1 or len(data)
