"""What `marotte info` says about a USD: its figure and the length of the clip, without its frames."""

from __future__ import annotations

from pathlib import Path

from .._notes import Notes
from .._space import summary_of
from .._summary import Summary
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
        return summary_of(notes, "usd", found.space, skeleton, found.sampling)
