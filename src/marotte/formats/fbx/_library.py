"""The FBX library, in a process of its own, and what can be said of a file before it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from ...errors import FileError
from ...figure import FloatArray
from .._apart import Apart
from .._open import kind_of, open_file

TEXT_MARK, BINARY_MARK = b"; FBX", b"Kaydara FBX Binary"
BINARY_END = bytes.fromhex("f85a8c6adef5d97eece90ce3758f290b")

FRAMES_AT_ONCE = 64  # in one block of the worker
NUMBERS = 10  # of a node in a frame: translation, rotation (x, y, z, w), scale

_TOO_MUCH = "asks for more memory than any motion needs"
_BREAKS_OFF = "breaks off in the middle; the download or the copy was not finished"
_REFUSALS = {
    "EmptyFileError": "is empty",
    "TruncatedFileError": _BREAKS_OFF,
    "UnrecognizedFileFormatError": "is no FBX",
    "UnsupportedVersionError": "is an FBX of a version that is not read; export it as FBX 2014 or newer",
    "OutOfMemoryError": _TOO_MUCH,
    "AllocationLimitError": _TOO_MUCH,
    "MemoryLimitError": _TOO_MUCH,
    "NodeDepthLimitError": "nests its nodes too deeply to be meant",
}


class Library(Apart):
    """One file, opened by ufbx."""

    what = "FBX"
    backend = Path(__file__).with_name("_backend.py")
    packages = ("ufbx",)
    how_to_get = "FBX files are read with ufbx, which is not installed: pip install ufbx"

    def __init__(self, path: Path) -> None:
        self.whole = _check_kind(path)
        """Whether the file ends as an FBX does; text may break off in the middle unnoticed."""
        super().__init__(path)

    def refused(self, name: str, message: str) -> FileError:
        if name not in _REFUSALS and self.whole:
            return super().refused(name, message)
        return FileError(_REFUSALS.get(name, _BREAKS_OFF), path=self.path)

    def frames(
        self, *, stack: int | None, nodes: list[int], begin: float, rate: float, frames: int
    ) -> Iterator[FloatArray]:
        """Blocks (n, N, 10) of the nodes' local transforms: translation, rotation xyzw, scale."""
        self.ask({"stack": stack, "nodes": nodes, "begin": begin, "rate": rate, "frames": frames})
        for first in range(0, frames, FRAMES_AT_ONCE):
            count = min(FRAMES_AT_ONCE, frames - first)
            data = self.read(count * len(nodes) * NUMBERS * 8)
            block = np.frombuffer(data, dtype="<f8").reshape(count, len(nodes), NUMBERS)
            if not np.isfinite(block).all():
                raise FileError("must move its nodes by finite numbers, but some are not", path=self.path)
            yield block


def _check_kind(path: Path) -> bool:
    """Whether a file that begins as an FBX does, whatever its name says, ends as one; others are errors."""
    with open_file(path) as file:
        head = file.read(4096)
        if not head.strip():
            raise FileError("must be an FBX, but the file is empty", path=path)
        if head.startswith(BINARY_MARK):
            file.seek(0, 2)
            file.seek(max(0, file.tell() - len(BINARY_END)))
            return file.read() == BINARY_END
        if not head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(TEXT_MARK):
            kind = kind_of(head)
            if kind is not None and not kind.startswith("an FBX"):  # one whose first bytes are damaged
                raise FileError(f"must be an FBX, but is {kind}", path=path)
            # a text may begin with any comment, or with none
            if b"FBXHeaderExtension" not in head and b"FBXVersion" not in head:
                raise FileError("must be an FBX, but begins like none", path=path)
        return _braces_close(file)


def _braces_close(file: BinaryIO) -> bool:
    """Whether as many braces close as open in a text: a piece of it hardly ever has as many."""
    file.seek(0)
    depth = 0
    while chunk := file.read(1 << 20):
        depth += chunk.count(b"{") - chunk.count(b"}")
    return depth <= 0
