"""Make the end run into the beginning."""

from __future__ import annotations

from typing import ClassVar, Literal

from .._options import option
from ..figure import Motion, loop
from ._base import Edit


class Loop(Edit):
    """The end runs into the beginning with no jump and no kink, as often as wanted."""

    op: ClassVar[str] = "loop"
    summary: ClassVar[str] = "make the end run into the beginning"

    times: int = option(1, "how many rounds", unit="rounds", least=1, most=1000, example=3)
    blend: float = option(
        0.5,
        "how far from the seam, to either side, frames may change",
        unit="seconds",
        least=0,
        most=60,
        example=0.3,
        harm="short blends mend quickly and may look hasty; long ones change more of the take",
    )
    root: Literal["travel", "return"] = option(
        "travel",
        "whether each round goes on from where the last one ended, or the figure comes back",
        example="return",
    )

    def apply(self, motion: Motion) -> Motion:
        """The looped motion."""
        return loop(motion, times=self.times, blend=self.blend, travel=self.root == "travel")
