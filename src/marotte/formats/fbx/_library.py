"""The library's process from our side: started, asked, watched, and ended whatever happens."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import numpy as np

from ...errors import FileError, MissingPartError
from ...figure import FloatArray
from .._open import kind_of, open_file

WORKER = Path(__file__).with_name("_worker.py")
TEXT_MARK, BINARY_MARK = b"; FBX", b"Kaydara FBX Binary"
BINARY_END = bytes.fromhex("f85a8c6adef5d97eece90ce3758f290b")

SECONDS_TO_OPEN = 60.0
BYTES_A_SECOND = 2_000_000  # more time for larger files; the library takes a hundredth of it
SECONDS_A_BLOCK = 60.0
LARGEST_ANSWER = 1 << 30
FRAMES_AT_ONCE = 64  # in one block of the worker
NUMBERS = 10  # of a node in a frame: translation, rotation (x, y, z, w), scale

_HOW_TO_GET = "FBX files are read with ufbx, which is not installed: pip install ufbx"
_REFUSALS = {
    "EmptyFileError": "is empty",
    "TruncatedFileError": "breaks off in the middle; the download or the copy was not finished",
    "UnrecognizedFileFormatError": "is no FBX",
    "UnsupportedVersionError": "is an FBX of a version that is not read; export it as FBX 2014 or newer",
    "OutOfMemoryError": "asks for more memory than any motion needs",
    "AllocationLimitError": "asks for more memory than any motion needs",
    "MemoryLimitError": "asks for more memory than any motion needs",
    "NodeDepthLimitError": "nests its nodes too deeply to be meant",
}


class Library:
    """One file, opened by ufbx in a process of its own. A context: leaving it ends the process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        size, self._whole = _check_kind(path)
        folder = _library_folder()
        if not sys.executable:
            raise MissingPartError(
                "FBX files are read by a second Python, but this one does not know its own"
            )
        self._late = False
        try:
            self._process = subprocess.Popen(
                # alone: neither the user's folder nor the environment decides what it imports
                [sys.executable, "-I", "-S", str(WORKER)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env=_environment(),
            )  # fmt: skip
        except OSError as problem:
            raise MissingPartError(
                f"FBX files are read by a second Python, but {sys.executable} does not start: {problem}"
            ) from None
        try:
            self._ask({"path": os.fspath(path.absolute()), "folder": folder})
            self.description = self._answer(SECONDS_TO_OPEN + size / BYTES_A_SECOND)
        except BaseException:
            self._end()
            raise

    @property
    def whole(self) -> bool:
        """Whether the file ends as an FBX does; text breaks off in the middle unnoticed."""
        return self._whole

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def frames(
        self, *, stack: int | None, nodes: list[int], begin: float, rate: float, frames: int
    ) -> Iterator[FloatArray]:
        """Blocks (n, N, 10) of the nodes' local transforms: translation, rotation xyzw, scale."""
        self._ask({"stack": stack, "nodes": nodes, "begin": begin, "rate": rate, "frames": frames})
        for first in range(0, frames, FRAMES_AT_ONCE):
            count = min(FRAMES_AT_ONCE, frames - first)
            data = self._read(count * len(nodes) * NUMBERS * 8, SECONDS_A_BLOCK)
            block = np.frombuffer(data, dtype="<f8").reshape(count, len(nodes), NUMBERS)
            if not np.isfinite(block).all():
                raise FileError("must move its nodes by finite numbers, but some are not", path=self.path)
            yield block

    def _ask(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._failed() from None

    def _answer(self, seconds: float) -> dict[str, Any]:
        (length,) = struct.unpack("<q", self._read(8, seconds))
        if not 0 <= length <= LARGEST_ANSWER:
            raise self._failed()
        found: dict[str, Any] = json.loads(self._read(length, seconds))
        if "missing" in found:
            raise MissingPartError(f"{_HOW_TO_GET} ({found['missing']})")
        if "refused" in found:
            reason = _REFUSALS.get(found["refused"])
            if reason is None and not self._whole:
                reason = _REFUSALS["TruncatedFileError"]
            raise FileError(
                reason or f"is broken: the FBX library says {found['message'] or found['refused']!r}",
                path=self.path,
            )
        return found

    def _read(self, length: int, seconds: float) -> bytes:
        """So many bytes, or an error when the process ends or takes too long."""
        assert self._process.stdout is not None
        watch = threading.Timer(seconds, self._stop)
        watch.daemon = True
        watch.start()
        try:
            data = self._process.stdout.read(length)
        finally:
            watch.cancel()
        if len(data) < length:
            raise self._failed()
        return data

    def _stop(self) -> None:
        self._late = True
        self._process.kill()

    def _failed(self) -> FileError:
        """Why nothing more comes."""
        self._process.kill()
        code = self._process.wait()
        if self._late:
            return FileError(
                "takes the FBX library longer than any file should; it was stopped", path=self.path
            )
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return FileError(
            f"is broken, or a kind of FBX that its library does not survive ({how}); "
            "opening it in Blender and exporting it again may help",
            path=self.path,
        )

    def _end(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self._process.kill()
        self._process.wait()


def _check_kind(path: Path) -> tuple[int, bool]:
    """The size of a file that begins as an FBX does, whatever its name says, and whether it ends as one."""
    with open_file(path) as file:
        head = file.read(4096)
        size = os.fstat(file.fileno()).st_size
        if head.startswith(BINARY_MARK):
            file.seek(max(0, size - len(BINARY_END)))
            whole = file.read() == BINARY_END
        else:
            whole = _braces_close(file)
    if not head.strip():
        raise FileError("must be an FBX, but the file is empty", path=path)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text.startswith((TEXT_MARK, BINARY_MARK)):
        kind = kind_of(head)
        if kind is not None and not kind.startswith("an FBX"):
            raise FileError(f"must be an FBX, but is {kind}", path=path)
        # a text FBX may begin with any comment, or with none
        if b"FBXHeaderExtension" not in head and b"FBXVersion" not in head:
            raise FileError("must be an FBX, but begins like none", path=path)
    return size, whole


def _braces_close(file: BinaryIO) -> bool:
    """Whether as many braces close as open in a text: a piece of it hardly ever has as many."""
    file.seek(0)
    depth = 0
    while chunk := file.read(1 << 20):
        depth += chunk.count(b"{") - chunk.count(b"}")
    return depth <= 0


def _library_folder() -> str:
    """The folder that ufbx is imported from; it is not imported here."""
    spec = find_spec("ufbx")
    if spec is None or spec.origin is None:
        raise MissingPartError(_HOW_TO_GET)
    return os.fspath(Path(spec.origin).parent.parent)


def _environment() -> dict[str, str]:
    """What a process needs to start; Windows does not without its system folder."""
    return {
        name: os.environ[name] for name in ("SYSTEMROOT", "PATH", "LD_LIBRARY_PATH") if name in os.environ
    }
