"""Keep a part of a take."""

from __future__ import annotations

from typing import ClassVar

from .._options import option
from ..errors import InputError
from ..figure import Motion
from ._base import Edit


class Crop(Edit):
    """Keep the frames from start to end, both included; the rest is gone."""

    op: ClassVar[str] = "crop"
    summary: ClassVar[str] = "keep the frames from start to end"

    start: int = option(0, "first frame that stays; negative counts from the end", unit="frames", example=10)
    end: int | None = option(
        None,
        "last frame that stays; negative counts from the end, left out is the last one",
        unit="frames",
        example=90,
    )

    def apply(self, motion: Motion) -> Motion:
        """The part from start to end."""
        count = len(motion)
        start = self.start + count if self.start < 0 else self.start
        end = count - 1 if self.end is None else self.end + count if self.end < 0 else self.end
        for name, given, frame in (("start", self.start, start), ("end", self.end, end)):
            if given is not None and not 0 <= frame < count:
                raise InputError(
                    f"{name} must be a frame of the take, 0 to {count - 1}, but is {given}"
                    if count
                    else f"{name} must be a frame of the take, but the take has none"
                )
        if end < start:
            raise InputError(f"end must not come before start, but {self.end} comes before {self.start}")
        return motion[start : end + 1]
