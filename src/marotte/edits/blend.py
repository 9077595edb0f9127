"""Blend takes into one."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator

from .._options import Options, option
from ..errors import InputError
from ..figure import Motion
from ._base import Edit
from ._others import OtherTake
from ._takes import WeightOption, listed
from .equalize import Gains
from .lock_feet import with_feet


class BlendedTake(Options):
    """A take in a blend: a file or a motion, with what it counts."""

    KIND: ClassVar[str] = "take"

    file: OtherTake = option(..., "the take", example="wave.bvh")
    weight: WeightOption = option(1.0, "how much of it there is", example=0.4)
    gains: Gains = option({}, "gains of its bands, as in equalize", example={"low": 0})
    dc: float = option(1.0, "gain of what is slower than all bands", least=-100, most=100, example=0.5)


class Blend(Edit):
    """Mix takes: the same figure, each with a weight, over time, by parts of the body or by bands."""

    op: ClassVar[str] = "blend"
    summary: ClassVar[str] = "mix takes by weights, parts and bands"

    takes: Annotated[list[BlendedTake], BeforeValidator(listed("weight"))] = option(
        ...,
        "the other takes: files, files with weights such as wave.bvh=0.4, or maps of file, weight, gains "
        "and dc",
        example={"wave.bvh": 0.4},
        harm="takes whose steps do not coincide give a walk that is none: use warp",
    )
    weight: WeightOption = option(
        1.0,
        "how much of the first take there is: a number, weights by frame, or weights by part, joint or "
        "channel, each of them a number or by frame; parts left out have that of all, or 1",
        example=0.6,
    )
    gains: Gains = option({}, "gains of the first take's bands, as in equalize", example={"high": 0})
    dc: float = option(
        1.0,
        "gain of what is slower than all bands of the first take",
        least=-100,
        most=100,
        example=0.5,
    )
    normalize: bool = option(
        True,
        "count weights as shares of the whole; without, movements are multiplied by them and added",
        example=False,
        harm="without, weights that sum to more than 1 exaggerate",
    )
    warp: str | dict[str, str] = option(
        "",
        "bring the takes to the first one's timing first, by this part or channel, or by one for each part",
        example="left_leg",
    )
    length: Literal["first", "longest", "shortest", "mean"] = option(
        "first", "how long the blend is", example="longest"
    )
    fit: Literal["stretch", "hold"] = option(
        "stretch",
        "how takes of other lengths get there: slower or faster, or cut and standing still at the end",
        example="hold",
    )
    align: Literal["start", "none"] = option(
        "start", "bring all takes to the first one's place and heading, or leave them", example="none"
    )
    path: Literal["auto", "places", "steps"] = option(
        "auto",
        "where the root goes: to the mean of places, or on by the mean of steps, which does not slide "
        "when weights change; auto takes steps where they do",
        example="steps",
    )
    space: Literal["rotvec", "euler", "position"] = option(
        "rotvec",
        "numbers that are blended, as in equalize",
        example="euler",
        harm="places make bones stretch",
    )
    offset: bool = option(
        True,
        "multiply what changes since the first frames, not the poses themselves",
        example=False,
        harm="without, and without normalize, ankles of 90° add up to 180°",
    )
    start: Literal["mean", "first"] = option(
        "mean",
        "what movement is added to where weights are no shares: the mean of the takes' first frames, or "
        "the first take's first frame, for gestures laid on top of it",
        example="first",
    )
    edges: Literal["reflect", "hold"] = option(
        "reflect", "what bands take to lie beyond the ends", example="hold"
    )
    feet: Literal["leave", "keep"] = option(
        "leave", "keep: hold planted feet in their places afterwards, as lock_feet does", example="keep"
    )

    def apply(self, motion: Motion) -> Motion:
        """The blend of the motion with the other takes."""
        from ..signals import BlendTake, blend

        if not self.takes:
            raise InputError("takes must name at least one other take, such as wave.bvh=0.4")
        others = [BlendTake(t.file.motion(), t.weight, t.gains, t.dc) for t in self.takes]
        made = blend(
            BlendTake(motion, self.weight, self.gains, self.dc),
            others,
            normalize=self.normalize,
            warp=self.warp or None,
            length=self.length,
            fit=self.fit,
            align=self.align,
            path=self.path,
            space=self.space,
            offset=self.offset,
            start=self.start,
            edges=self.edges,
        )
        return with_feet(made, self.feet)
