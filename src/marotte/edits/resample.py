"""Change the frame rate."""

from __future__ import annotations

from typing import ClassVar, Literal

from .._options import option
from ..figure import Motion, resample
from ._base import Edit


class Resample(Edit):
    """The same motion, as long as before, at another frame rate."""

    op: ClassVar[str] = "resample"
    summary: ClassVar[str] = "change the frame rate, not the speed"

    rate: float = option(..., "frames a second", unit="Hz", above=0, most=10000, example=30)
    method: Literal["slerp", "spline"] = option(
        "slerp",
        "how to read between frames: straight from one to the next, or smoothly through them, "
        "which slow motion wants",
        example="spline",
    )

    def apply(self, motion: Motion) -> Motion:
        """The motion at the new rate."""
        return resample(motion, self.rate, method=self.method)
