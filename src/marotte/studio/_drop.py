"""Reading what was dropped into the page: files that came together lie together while they are read.

An AMC finds its ASF that way, a glTF its buffers, any file its `.rig.yaml`. Names come from a browser,
so that nothing in them may lead out of the folder in which the files stand for that moment.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import BinaryIO, NamedTuple

from .. import formats
from ..errors import FileError, MarotteError
from ..figure import Motion

# A skeleton that came with its motions is no take of its own.
SKELETON_OF = {".asf": ".amc"}


class Dropped(NamedTuple):
    """One file as it arrived."""

    name: str
    content: BinaryIO


def readable(names: Iterable[Path]) -> list[Path]:
    """Those that are takes, by their extensions."""
    given = list(names)
    known = {e for f in formats.FORMATS if f.reader for e in f.extensions}
    folders = {(p.parent, p.suffix.lower()) for p in given}
    return [
        p
        for p in given
        if p.suffix.lower() in known and (p.parent, SKELETON_OF.get(p.suffix.lower())) not in folders
    ]


def read_dropped(files: Sequence[Dropped]) -> tuple[list[tuple[str, Motion]], list[str]]:
    """The takes among these files with their names, and what is wrong with those that are none."""
    found: list[tuple[str, Motion]] = []
    problems: list[str] = []
    with TemporaryDirectory(prefix="marotte-") as folder:
        base = Path(folder)
        places = {base / place_of(file.name): file.name for file in files}
        try:
            for file, path in zip(files, [base / place_of(file.name) for file in files], strict=True):
                _keep(file, path)
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or problem
            return [], [f"what was dropped cannot be kept while it is read: {reason}"]
        takes = readable(places)
        for path in takes or places:  # where nothing is a take, each is told why
            try:
                found.append((places[path], _read(path, places[path])))
            except FileError as problem:
                problems.append(_as_dropped(problem, base))
            except MarotteError as problem:
                problems.append(f"{places[path]}: {problem}")
    return found, problems


def place_of(name: str) -> PurePosixPath:
    """Where a file of that name may stand: below the folder, whatever its name says."""
    parts = [re.sub(r"[\x00-\x1f\x7f:]", "_", part) for part in name.replace("\\", "/").split("/")]
    kept = [part for part in parts if part not in ("", ".", "..")]
    return PurePosixPath(*kept[-8:]) if kept else PurePosixPath("dropped")


def _keep(file: Dropped, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as out:
        while chunk := file.content.read(2**20):
            out.write(chunk)


def _read(path: Path, name: str) -> Motion:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", formats.FileWarning)  # the notes say the same, and are shown
        motion = formats.load(path)
    return motion.with_(name=motion.name or path.stem, source=replace(motion.source, path=name))


def _as_dropped(problem: FileError, base: Path) -> str:
    """The error without the folder that nobody knows of."""
    path = Path(problem.path)
    shown = path.relative_to(base).as_posix() if path.is_relative_to(base) else problem.path
    message = problem.message.replace(f"{base}/", "")
    return str(FileError(message, path=shown, line=problem.line, column=problem.column))
