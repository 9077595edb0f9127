"""What `marotte info` says about a BVH file: its header, and how many frames it really has."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import numpy as np

from .._notes import Notes
from .._open import open_file
from .._rig_file import rig_beside
from .._summary import Summary
from ..units import unit_name
from ._guesses import settle
from ._head import Head, read_head

CHUNK = 1 << 20


def inspect_bvh(
    path: str | Path, *, unit: str | float | None = None, up: str | None = None, strict: bool = False
) -> Summary:
    """A file's header, skeleton, rig, unit and number of frames.

    The words of the rows are counted and not parsed: `read_bvh` is the one to find what is wrong
    in them. Memory and time stay small for files of any size.
    """
    notes = Notes(Path(path), strict=strict)
    with open_file(notes.path) as file:
        head = read_head(file, notes)
        settled = settle(head, notes, unit, up)
        frames = _count_frames(file, head, notes)
    return Summary(
        path=str(path),
        format="bvh",
        size=head.size,
        skeleton=settled.skeleton,
        rig=rig_beside(notes.path, settled.skeleton, settled.rig) or settled.rig,
        frames=frames,
        declared_frames=head.header.declared,
        frame_rate=head.header.frame_rate,
        unit=unit_name(settled.metres),
        metres_per_unit=settled.metres,
        up=settled.axes.up,
        encoding=head.encoding,
        warnings=tuple(notes.warnings),
        guesses=tuple(notes.guesses),
    )


def _count_frames(file: BinaryIO, head: Head, notes: Notes) -> int:
    """Whole frames that the rows have words for."""
    header = head.header
    if not header.has_motion:
        return 0
    if header.columns == 0:
        return header.declared or 0
    words = _count_words(file, head.begin)
    frames, rest = divmod(words, header.columns)
    if rest:
        notes.warn(
            f"the rows hold {words:,} numbers, which is no multiple of the {header.columns:,} of a frame"
        )
    if header.declared is not None and header.declared != frames:
        notes.warn(f"the file declares {header.declared:,} frames, but has {frames:,}")
    return frames


def _count_words(file: BinaryIO, begin: int) -> int:
    """Words from a byte on, with one more for every sign right behind a digit."""
    file.seek(begin)
    buffer = np.empty(CHUNK + 1, dtype=np.uint8)
    buffer[0] = 32  # what came before the chunk
    view = buffer[1:].data
    words = 0
    while filled := file.readinto(view):  # type: ignore[attr-defined]  # typing's BinaryIO forgot it
        now, before = buffer[1 : filled + 1], buffer[:filled]
        begins = (now > 32) & (before <= 32)
        glued = ((now == 45) | (now == 43)) & (((before >= 48) & (before <= 57)) | (before == 46))
        words += int(np.count_nonzero(begins)) + int(np.count_nonzero(glued))
        buffer[0] = buffer[filled]
    return words
