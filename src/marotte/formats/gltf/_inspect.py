"""What `marotte info` says about a glTF file: its figure and its animations' times."""

from __future__ import annotations

from pathlib import Path

from .._notes import Notes
from .._rig_file import rig_beside
from .._summary import Summary
from ..units import unit_name
from ._container import open_document
from ._timing import check_rate
from .reader import find_take


def inspect_gltf(
    path: str | Path,
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    frame_rate: float | None = None,
    clip: str | int | None = None,
) -> Summary:
    """A file's figure, rig, frames and rate. Of the keys only the times are read."""
    notes = Notes(Path(path), strict=strict)
    check_rate(frame_rate)
    with open_document(notes.path, notes) as document:
        take = find_take(document, notes, unit=unit, up=up, frame_rate=frame_rate, clip=clip)
        size = document.size
    settled = take.settled
    return Summary(
        path=str(path),
        format="gltf",
        size=size,
        skeleton=settled.skeleton,
        rig=rig_beside(notes.path, settled.skeleton, settled.rig) or settled.rig,
        frames=take.timing.frames,
        declared_frames=None,
        frame_rate=take.timing.rate,
        unit=unit_name(settled.metres),
        metres_per_unit=settled.metres,
        up=settled.up,
        encoding="utf-8",
        warnings=tuple(notes.warnings),
        guesses=tuple(notes.guesses),
    )
