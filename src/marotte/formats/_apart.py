"""Libraries that read foreign files, in processes of their own: started, asked, watched, ended.

They are written in C, and a file that they do not survive must not end the user's process. What runs
there, and how it is talked to, stands in `_worker.py`.
"""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

from ..errors import FileError, MissingPartError

WORKER = Path(__file__).with_name("_worker.py")
REFUSED_LATE = 3  # exit code of the worker
SECONDS_TO_OPEN = 120.0
BYTES_A_SECOND = 2_000_000  # more time for larger files; libraries take a hundredth of it
SECONDS_A_BLOCK = 120.0
LARGEST_ANSWER = 1 << 30
MOST_MEMORY = 6 << 30
"""Bytes of address space that a worker may have, where the system can hold it to that."""

# Without these a process does not start, or does not find the system's own libraries.
_NEEDED = ("SYSTEMROOT", "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")


class Apart:
    """A worker with one file open. A context: leaving it ends the process."""

    what = ""
    """What it reads: `FBX`."""
    backend: Path
    """What is asked of the library (see `_worker.py`)."""
    packages: tuple[str, ...] = ()
    """What it imports besides Python's own modules."""
    how_to_get = ""
    """What to do where these are not installed."""
    surroundings: ClassVar[Mapping[str, str]] = {}
    """Environment that it is started in, besides what every process needs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        folders = [_folder_of(package, self.how_to_get) for package in self.packages]
        if not sys.executable:
            raise MissingPartError(
                f"{self.what} files are read by a second Python, but this one does not know where it stands"
            )
        self._late = False
        try:
            self._process = subprocess.Popen(
                # alone: neither the user's folder nor the environment decides what it imports
                [sys.executable, "-I", "-S", str(WORKER), str(self.backend)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={name: os.environ[name] for name in _NEEDED if name in os.environ}
                | dict(self.surroundings),
            )
        except OSError as problem:
            raise MissingPartError(
                f"{self.what} files are read by a second Python, but {sys.executable} "
                f"does not start: {problem}"
            ) from None
        try:
            self.ask({"path": os.fspath(path.absolute()), "folders": folders, "memory": MOST_MEMORY})
            self.description = self._answer(SECONDS_TO_OPEN + path.stat().st_size / BYTES_A_SECOND)
            """What it has found in the file."""
        except BaseException:  # Ctrl-C too: nobody else would end the process; it is raised again
            self._end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def ask(self, request: dict[str, Any]) -> None:
        """Send a request."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._failed() from None

    def read(self, length: int, seconds: float = SECONDS_A_BLOCK) -> bytes:
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

    def refused(self, name: str, message: str) -> FileError:
        """What a person is told when the library refuses the file, by its name for it."""
        return FileError(f"is broken: the {self.what} library says {message or name!r}", path=self.path)

    def _answer(self, seconds: float) -> dict[str, Any]:
        (length,) = struct.unpack("<q", self.read(8, seconds))
        if not 0 <= length <= LARGEST_ANSWER:
            raise self._failed()
        found: dict[str, Any] = json.loads(self.read(length, seconds))
        if "missing" in found:
            raise MissingPartError(f"{self.how_to_get} ({found['missing']})")
        if "refused" in found:
            raise self.refused(found["refused"], found["message"])
        return found

    def _stop(self) -> None:
        self._late = True
        self._process.kill()

    def _failed(self) -> FileError:
        """Why nothing more comes."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)  # its own end, if it has come to one
        self._process.kill()
        code = self._process.wait()
        if self._late:
            return FileError(
                f"takes the {self.what} library longer than any file should; it was stopped", path=self.path
            )
        if code == REFUSED_LATE:
            return FileError(f"is broken: the {self.what} library cannot read its frames", path=self.path)
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return FileError(
            f"is broken, or a kind of {self.what} that its library does not survive ({how}); "
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


def _folder_of(package: str, how_to_get: str) -> str:
    """The folder that a package is imported from; it is not imported here."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingPartError(how_to_get)
    return os.fspath(Path(next(iter(spec.submodule_search_locations))).parent)
