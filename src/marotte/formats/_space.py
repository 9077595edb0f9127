"""The unit and the axes of a file that states them, and what is told of a file by them."""

from __future__ import annotations

from dataclasses import dataclass

from ..figure import Skeleton, Source, recognise
from ._clips import Sampling
from ._notes import Notes
from ._rig_file import rig_beside
from ._summary import Summary
from .axes import Axes
from .units import unit_name

# Figures that would be lower or taller than this, in metres, are worth a word about the unit.
_LOWEST, _TALLEST = 0.3, 6.0
_LIKELY = 1.7


@dataclass(frozen=True, slots=True)
class Space:
    """How a file's numbers become ours."""

    metres: float
    """In one unit of the file."""
    axes: Axes


def doubt_unit(height: float, space: Space, notes: Notes) -> None:
    """Say so where the unit makes a figure that hardly is one."""
    if height > 0 and not _LOWEST <= height <= _TALLEST:
        likely = space.metres * _LIKELY / height
        notes.guess(
            f"the figure measures {height:.3g} m by the file's own unit; if that is not meant, set it "
            f"with unit ({likely:.3g} would make it {_LIKELY} m)"
        )


def source_of(notes: Notes, form: str, space: Space) -> Source:
    """Where a motion came from."""
    return Source(
        path=str(notes.path),
        format=form,
        metres_per_unit=space.metres,
        up=space.axes.up,
        notes=notes.texts(),
    )


def summary_of(notes: Notes, form: str, space: Space, skeleton: Skeleton, sampling: Sampling) -> Summary:
    """What `marotte info` says."""
    return Summary(
        path=str(notes.path),
        format=form,
        size=notes.path.stat().st_size,
        skeleton=skeleton,
        rig=rig_beside(notes.path, skeleton) or recognise(skeleton),
        frames=sampling.frames,
        declared_frames=None,
        frame_rate=sampling.nominal,
        unit=unit_name(space.metres),
        metres_per_unit=space.metres,
        up=space.axes.up,
        encoding="utf-8",
        warnings=tuple(notes.warnings),
        guesses=tuple(notes.guesses),
    )
