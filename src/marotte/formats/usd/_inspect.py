"""What `marotte info` says about a USD: its figure and the length of the clip, without its frames."""

from __future__ import annotations

from pathlib import Path

from ...figure import recognise
from .._notes import Notes
from .._rig_file import rig_beside
from .._summary import Summary
from ..units import unit_name
from ._settle import settled


def inspect_usd(
    path: str | Path,
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    clip: str | int | None = None,
    frame_rate: float | None = None,
) -> Summary:
    """A file's skeleton, rig, unit and number of frames. Whether joints slide only frames can tell."""
    notes = Notes(Path(path), strict=strict)
    with settled(notes, unit, up, clip, frame_rate) as found:
        skeleton = found.skeleton(set())
    return Summary(
        path=str(path),
        format="usd",
        size=notes.path.stat().st_size,
        skeleton=skeleton,
        rig=rig_beside(notes.path, skeleton) or recognise(skeleton),
        frames=found.sampling.frames,
        declared_frames=None,
        frame_rate=found.sampling.nominal,
        unit=unit_name(found.space.metres),
        metres_per_unit=found.space.metres,
        up=found.space.axes.up,
        encoding="utf-8",
        warnings=tuple(notes.warnings),
        guesses=tuple(notes.guesses),
    )
