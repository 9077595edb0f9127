"""Reading a file as tests of odd ones do."""

from __future__ import annotations

import warnings
from pathlib import Path

from marotte import formats
from marotte.figure import Motion


def read(path: Path, **options) -> tuple[Motion, list[str]]:
    """The motion and what Python's warnings said; `info` must agree about the number of frames."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        motion = formats.load(path, **options)
        summary = formats.inspect(path)
    assert summary.frames == len(motion)
    assert summary.skeleton.names == motion.skeleton.names
    said = [str(w.message) for w in caught if w.category is formats.FileWarning]
    assert [s.removeprefix(f"{path}: ") for s in said] == list(motion.source.notes[: len(said)])
    return motion, said
