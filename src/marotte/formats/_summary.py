"""What is in a file, told without reading all of it."""

from __future__ import annotations

from dataclasses import dataclass

from ..figure import Rig, Skeleton


@dataclass(frozen=True, slots=True)
class Summary:
    """A file's header and what follows from it; its rows are counted, not parsed."""

    path: str
    format: str
    size: int
    """Bytes."""
    skeleton: Skeleton
    """In metres, Y up."""
    rig: Rig
    frames: int
    """Whole frames that the file has."""
    declared_frames: int | None
    """Frames that the file says it has; None where it does not say."""
    frame_rate: float
    """Frames a second."""
    unit: str
    """The name of the file's unit of length, guessed or given."""
    metres_per_unit: float
    up: str
    """The file's axis that points up."""
    encoding: str
    warnings: tuple[str, ...]
    """What is odd about the file."""
    guesses: tuple[str, ...]
    """What was settled that the file does not say."""

    @property
    def seconds(self) -> float:
        """From the first frame to the last."""
        return max(0, self.frames - 1) / self.frame_rate
