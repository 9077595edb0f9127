"""Takes one after another, with feet that stay."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import BeforeValidator

from .._options import option
from ..errors import InputError
from ..figure import Motion
from ._base import Edit
from ._takes import listed
from .concatenate import NextTake
from .lock_feet import noted


class Transition(Edit):
    """Let takes run into one another at one pace, and hold planted feet in their places: clips become one."""

    op: ClassVar[str] = "transition"
    summary: ClassVar[str] = "pass from take to take with feet that do not slide"

    takes: Annotated[list[NextTake], BeforeValidator(listed("overlap"))] = option(
        ...,
        "the takes that come next: files, files with seconds of overlap such as run.bvh=0.5, or maps of "
        "file, at, into and overlap; what is left out is found and said",
        example=["run.bvh"],
        harm="takes that differ much in pose give steps that nobody makes",
    )
    warp: bool = option(
        True, "bring both to one pace while they overlap, so that their steps coincide", example=False
    )
    key: str = option("legs", "what moments that belong together are found by", example="left_leg")
    feet: bool = option(True, "hold planted feet in their places", example=False)
    bandwise: bool = option(
        False,
        "let slow bands go over in the whole overlap and quick ones in a shorter time about its middle",
        example=True,
    )
    align: bool = option(
        True, "turn and shift each take over the ground to where the last one is going", example=False
    )
    search: float = option(
        1.5,
        "how far from the end of a take, and from the start of the next, they may meet; what lies "
        "beyond is left out",
        unit="seconds",
        least=0,
        most=3600,
        example=3,
    )

    def apply(self, motion: Motion) -> Motion:
        """The motion and the takes after it; its notes say where they meet."""
        from ..fitting import lock_feet
        from ..signals import Next, transition

        if not self.takes:
            raise InputError("takes must name at least one take that comes next, such as run.bvh")
        made = transition(
            motion,
            [Next(t.file.motion(), t.at, t.into, t.overlap) for t in self.takes],
            warp=self.warp,
            key=self.key,
            bandwise=self.bandwise,
            align=self.align,
            search=self.search,
        )
        said = [f"passed to {take.file}: {join}" for take, join in zip(self.takes, made.joins, strict=True)]
        if not self.feet or not made.motion.rig.soles:
            return noted(made.motion, *said)
        held = lock_feet(made.motion)
        return noted(held.motion, *said, str(held), *held.unmet)
