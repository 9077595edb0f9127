"""Arrays out of an archive that anybody may have written.

Nothing is unpickled, nothing is read that was not asked for, and nothing may grow to more memory
than a file of its size could need. Whatever is wrong is a FileError that names the array.
"""

from __future__ import annotations

import os
import struct
import sys
import tokenize
import zipfile
import zlib
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import numpy as np

from ...errors import FileError
from ...figure import FloatArray
from .._decimals import LARGEST_NUMBER
from .._open import kind_of, open_file
from .._rates import WANTED, is_rate

LEAST_ROOM = 1 << 28  # bytes that any file may become in memory
ROOM_PER_BYTE = 40  # and what it may for each of its own
MOST_ARRAYS = 4096
MOST_DIMENSIONS = 8
LONGEST = 1 << 40
ANY_NUMBER = sys.float_info.max

_READABLE = "biufSU"  # kinds of numbers and texts; no objects
_BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, NotImplementedError,
    ValueError, OverflowError,
)  # fmt: skip


class Archive:
    """The arrays of a file by name."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stack = ExitStack()
        with ExitStack() as opening:
            file = opening.enter_context(open_file(path))
            self.size = os.fstat(file.fileno()).st_size
            self.room = LEAST_ROOM + ROOM_PER_BYTE * self.size
            _check_kind(file.read(4096), path)
            try:
                self._zip = opening.enter_context(zipfile.ZipFile(file))
            except _BROKEN as problem:
                raise self.error(f"is no whole NPZ archive: {problem}; was it cut short?") from None
            self._stack = opening.pop_all()
        found = [i for i in self._zip.infolist() if i.filename.endswith(".npy")]
        if len(found) > MOST_ARRAYS:
            self.close()
            raise self.error(f"an archive may have {MOST_ARRAYS:,} arrays at most, but has {len(found):,}")
        self._members = {info.filename.removesuffix(".npy"): info for info in found}
        self._heads: dict[str, tuple[tuple[int, ...], bool, np.dtype[Any]]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._stack.close()

    def __contains__(self, name: object) -> bool:
        return name in self._members

    @property
    def names(self) -> tuple[str, ...]:
        """Of all arrays."""
        return tuple(self._members)

    def error(self, message: str) -> FileError:
        """To be raised."""
        return FileError(message, path=self.path)

    def shape(self, name: str) -> tuple[int, ...]:
        """Of an array, which is not read."""
        return self._head(name)[0]

    def is_pickle(self, name: str) -> bool:
        """Whether an array holds Python's objects, which may run any program when they are read."""
        return self._head(name)[2].hasobject

    def array(self, name: str) -> np.ndarray[Any, Any]:
        """An array as it stands."""
        shape, fortran, kind = self._head(name)
        if kind.hasobject:
            raise self.error(
                f"array {name!r} holds pickled Python objects, which may run any program when they are "
                "opened and are therefore refused; open it where you trust it and save it as plain numbers"
            )
        if kind.kind not in _READABLE or kind.subdtype is not None:
            raise self.error(f"array {name!r} must hold numbers or text, but holds {kind}")
        count = 1
        for length in shape:
            count *= length
        wanted = count * kind.itemsize
        if wanted > self.room:
            raise self.error(
                f"array {name!r} of shape {shape} would take {wanted / 1e9:.1f} GB, but a file of this size "
                f"may become at most {self.room / 1e9:.1f} GB"
            )
        try:
            with self._zip.open(self._members[name]) as stream:
                _read_head(stream)
                data = bytearray(wanted)
                held = _fill(stream, data)
                more = bool(stream.read(1)) if held == wanted else False
        except _BROKEN as problem:
            raise self.error(f"array {name!r} cannot be read: {problem}") from None
        if held < wanted or more:
            rest = "holds more" if more else f"holds {held:,}"
            raise self.error(f"array {name!r} of shape {shape} must have {wanted:,} bytes, but {rest}")
        self.room -= wanted
        if not count:
            return np.zeros(shape, dtype=kind)
        return np.frombuffer(data, dtype=kind).reshape(shape, order="F" if fortran else "C")

    def numbers(self, name: str, *shape: int | None, most: float = LARGEST_NUMBER) -> FloatArray:
        """A finite array of doubles in C order; None in the shape is any length."""
        given = self.shape(name)
        agrees = len(given) == len(shape)
        agrees = agrees and all(w in (None, g) for w, g in zip(shape, given, strict=True))
        if not agrees:
            text = ", ".join("any" if n is None else str(n) for n in shape)
            raise self.error(f"array {name!r} must have shape ({text}), but has {given}")
        return self.floats(name, most)

    def floats(self, name: str, most: float = LARGEST_NUMBER) -> FloatArray:
        """A finite array of doubles in C order, of any shape."""
        raw = self.array(name)
        if raw.dtype.kind not in "biuf" or raw.dtype.itemsize > 8:
            raise self.error(f"array {name!r} must hold numbers, but holds {raw.dtype}")
        self._take(raw.size * 8)
        out = np.array(raw, dtype=np.float64, order="C")
        good = np.abs(out) <= most
        if not good.all():
            at = np.unravel_index(int(np.argmin(good)), out.shape)
            where = tuple(int(i) for i in at)
            raise self.error(
                f"array {name!r} must hold finite numbers of at most {most:g}, "
                f"but holds {out[where]} at {where}"
            )
        return out

    def number(self, name: str) -> float:
        """An array of a single number."""
        values = self.floats(name).reshape(-1)
        if len(values) != 1:
            raise self.error(f"array {name!r} must hold one number, but has shape {self.shape(name)}")
        return float(values[0])

    def rate(self, name: str) -> float:
        """An array of one number that is frames a second."""
        rate = self.number(name)
        if not is_rate(rate):
            raise self.error(f"array {name!r} must be {WANTED}, but is {rate:g}")
        return rate

    def text(self, name: str) -> str | None:
        """An array of one text; None where it is no text, or cannot be read without unpickling."""
        if self.is_pickle(name):
            return None
        values = self.array(name).reshape(-1)
        if len(values) != 1 or values.dtype.kind not in "SU":
            return None
        value = values[0]
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)

    def _take(self, count: int) -> None:
        self.room -= count
        if self.room < 0:
            raise self.error(
                "the arrays would take more memory than a file of this size may: "
                f"{(LEAST_ROOM + ROOM_PER_BYTE * self.size) / 1e9:.1f} GB"
            )

    def _head(self, name: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
        if name not in self._heads:
            try:
                with self._zip.open(self._members[name]) as stream:
                    head = _read_head(stream)
            except (*_BROKEN, SyntaxError, TypeError, RecursionError, tokenize.TokenError) as problem:
                said = str(problem).split("\n")[0]
                raise self.error(f"array {name!r} has no head that NumPy understands: {said}") from None
            if len(head[0]) > MOST_DIMENSIONS or not all(0 <= length <= LONGEST for length in head[0]):
                raise self.error(f"array {name!r} has a shape that no motion has: {str(head[0])[:80]}")
            self._heads[name] = head
        return self._heads[name]


def _check_kind(data: bytes, path: Path) -> None:
    if data.startswith(b"PK"):
        return
    if not data:
        raise FileError("must be an NPZ archive of arrays, but the file is empty", path=path)
    kind = kind_of(data) or "none: archives begin with the letters PK"
    raise FileError(f"must be an NPZ archive of arrays, but is {kind}", path=path)


def _read_head(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        return np.lib.format.read_array_header_1_0(stream)
    if version == (2, 0):
        return np.lib.format.read_array_header_2_0(stream)
    raise ValueError(f"version {version[0]}.{version[1]} of the array format is not known")


def _fill(stream: IO[bytes], data: bytearray) -> int:
    """Read into all of `data`; how many bytes there were."""
    view, at = memoryview(data), 0
    while at < len(data):
        piece = stream.read(min(1 << 20, len(data) - at))
        if not piece:
            break
        view[at : at + len(piece)] = piece
        at += len(piece)
    return at
