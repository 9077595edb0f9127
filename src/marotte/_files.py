"""Writing files so that nothing is ever half written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from .errors import FileError


@contextmanager
def atomic_write(path: str | Path) -> Iterator[BinaryIO]:
    """A binary stream whose bytes appear at `path` all at once, when the block ends well.

    They go to a temporary file in the same folder first, are forced to disk and then renamed.
    When the block fails, whatever stood at `path` before stands there still.
    """
    path = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as problem:
        raise FileError(f"cannot be written: {problem.strerror or problem}", path=path) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except OSError as problem:
        raise FileError(f"cannot be written: {problem.strerror or problem}", path=path) from None
    finally:
        with suppress(OSError):  # it is gone when all went well
            os.unlink(temporary)


def atomic_write_text(path: str | Path, text: str) -> None:
    """Write a text as UTF-8, all at once."""
    with atomic_write(path) as stream:
        stream.write(text.encode("utf-8"))


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced, or those that a new file gets."""
    with suppress(OSError):
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
