"""The unit and the axes of a file that states them."""

from __future__ import annotations

from dataclasses import dataclass

from ._notes import Notes
from .axes import Axes

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
