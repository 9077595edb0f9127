"""The USD library, in a process of its own, and what can be said of a file before it is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np

from ...errors import FileError
from ...figure import FloatArray
from .._apart import Apart
from .._open import kind_of, open_file

HOW_TO_GET = 'USD files need usd-core, which is not installed: pip install "marotte[usd]"'

FRAMES_AT_ONCE = 64
NUMBERS = 10  # of a joint in a frame: translation, rotation (w, x, y, z), scale

_TEXT, _BINARY, _ARCHIVE = b"#usda", b"PXR-USDC", b"PK\x03\x04"
_BEGINNINGS = {
    ".usda": (_TEXT,),
    ".usdc": (_BINARY,),
    ".usd": (_TEXT, _BINARY),
    ".usdz": (_ARCHIVE,),
}
_PLACE = re.compile(r"'?[^']*?:(\d+):(\d+): (.*)", re.DOTALL)


class Library(Apart):
    """One stage, opened by usd-core."""

    what = "USD"
    backend = Path(__file__).with_name("_backend.py")
    packages = ("pxr", "numpy")
    how_to_get = HOW_TO_GET
    # one thread: what is read is small, and every further one reserves memory that it may not have
    surroundings: ClassVar = {
        "PXR_WORK_THREAD_LIMIT": "1",
        "MALLOC_ARENA_MAX": "2",
        "OPENBLAS_NUM_THREADS": "1",
    }

    def __init__(self, path: Path) -> None:
        _check_kind(path)
        super().__init__(path)

    def refused(self, name: str, message: str) -> FileError:
        found = _PLACE.match(message)
        if found is not None:
            line, column = int(found[1]), int(found[2])
            return FileError(f"is broken: {found[3].strip()}", path=self.path, line=line, column=column)
        return super().refused(name, message.partition("\n")[0].replace(str(self.path.absolute()), "it"))

    def frames(
        self, *, skeleton: str, animation: str, joints: int, codes: list[float], moving: bool
    ) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Blocks: what the animation says of its joints (n, J, 10), NaN where nothing, and the
        skeleton's own place (n, 3, 4) in the world."""
        width = joints * NUMBERS + 16
        for first in range(0, len(codes), FRAMES_AT_ONCE):
            part = codes[first : first + FRAMES_AT_ONCE]
            request = {"skeleton": skeleton, "animation": animation, "joints": joints, "codes": part}
            self.ask(request | {"moving": moving})
            rows = np.frombuffer(self.read(len(part) * width * 8), dtype="<f8").reshape(len(part), width)
            if np.isinf(rows).any() or not np.isfinite(rows[:, -16:]).all():
                raise FileError("must move its joints by finite numbers, but some are not", path=self.path)
            yield rows[:, :-16].reshape(len(part), joints, NUMBERS), columns(rows[:, -16:])


def columns(rows: FloatArray) -> FloatArray:
    """Matrices (n, 3, 4) for vectors that stand on the right, of sixteen numbers (n, 16) for the left."""
    return np.ascontiguousarray(np.swapaxes(rows.reshape(-1, 4, 4)[:, :, :3], 1, 2))


def _check_kind(path: Path) -> None:
    """A file that begins as its extension says; others are errors."""
    with open_file(path) as file:
        head = file.read(4096)
    if not head.strip():
        raise FileError("must be a USD, but the file is empty", path=path)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    wanted = _BEGINNINGS.get(path.suffix.lower(), (_TEXT, _BINARY))
    if start.startswith(wanted):
        return
    kind = kind_of(head)
    if start.startswith((_TEXT, _BINARY)) and path.suffix.lower() != ".usdz":
        raise FileError(f"must be what its name says, but is {kind} (or .usd)", path=path)
    raise FileError(f"must be a USD, but {f'is {kind}' if kind else 'begins like none'}", path=path)
