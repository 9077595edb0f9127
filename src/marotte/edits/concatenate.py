"""Takes one after another."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator

from .._options import Options, option
from ..errors import InputError
from ..figure import Motion
from ._base import Edit
from ._others import OtherTake
from ._takes import listed
from .lock_feet import noted, with_feet


class NextTake(Options):
    """A take that comes next, and where it is joined if that should not be found."""

    KIND: ClassVar[str] = "take"

    file: OtherTake = option(..., "the take", example="run.bvh")
    at: int | None = option(
        None,
        "frame of the take before at which the overlap begins; negative counts from its end",
        unit="frames",
        example=90,
    )
    into: int | None = option(
        None, "frame of this take that meets it; negative counts from its end", unit="frames", example=12
    )
    overlap: float | None = option(
        None, "how long both overlap", unit="seconds", least=0, most=60, example=0.5
    )


class Concatenate(Edit):
    """Put takes one after another: each runs into the next where both are most alike."""

    op: ClassVar[str] = "concatenate"
    summary: ClassVar[str] = "let takes run into one another"

    takes: Annotated[list[NextTake], BeforeValidator(listed("overlap"))] = option(
        ...,
        "the takes that come next: files, files with seconds of overlap such as run.bvh=0.5, or maps of "
        "file, at, into and overlap; what is left out is found and said",
        example=["run.bvh"],
        harm="long overlaps of takes that differ in rhythm make the feet slide",
    )
    bandwise: bool = option(
        False,
        "let slow bands go over in the whole overlap and quick ones in a shorter time about its middle",
        example=True,
    )
    align: bool = option(
        True, "turn and shift each take over the ground to where the last one is going", example=False
    )
    feet: Literal["leave", "keep"] = option(
        "leave", "keep: hold planted feet in their places afterwards, as lock_feet does", example="keep"
    )
    search: float = option(
        1.5,
        "how far from the end of a take, and from the start of the next, they may be joined; what lies "
        "beyond the join is left out",
        unit="seconds",
        least=0,
        most=3600,
        example=3,
    )

    def apply(self, motion: Motion) -> Motion:
        """The motion and the takes after it; its notes say how they were joined."""
        from ..signals import Next, concatenate

        if not self.takes:
            raise InputError("takes must name at least one take that comes next, such as run.bvh")
        given = [Next(t.file.motion(), t.at, t.into, t.overlap) for t in self.takes]
        joined = concatenate(motion, given, bandwise=self.bandwise, align=self.align, search=self.search)
        said = [f"joined {take.file}: {join}" for take, join in zip(self.takes, joined.joins, strict=True)]
        return with_feet(noted(joined.motion, *said), self.feet)
