"""Let a figure grow and shrink while it moves."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator

from .._options import Options, option
from ..errors import InputError
from ..figure import Motion
from ._base import Edit


class Growth(Options):
    """How long parts are at a moment, as many times as at rest."""

    KIND: ClassVar[str] = "proportion"

    frame: int | None = option(None, "when, as a frame; negative counts from the end", unit="frames")
    at: float | None = option(None, "when, as a time", unit="seconds", least=0)
    legs: float | None = option(None, "length of the legs", unit="times", least=0.1, most=10, example=1.6)
    arms: float | None = option(None, "length of the arms", unit="times", least=0.1, most=10, example=0.7)
    spine: float | None = option(None, "length of the trunk", unit="times", least=0.1, most=10, example=0.8)


def _listed(value: Any) -> Any:
    """One map of proportions is a list of one."""
    return [value] if isinstance(value, dict) else value


class Morph(Edit):
    """A figure whose proportions change over time; its feet keep their steps."""

    op: ClassVar[str] = "morph"
    summary: ClassVar[str] = "let limbs and trunk grow or shrink over time, the stride kept"

    to: Annotated[list[Growth] | dict[str, float], BeforeValidator(_listed)] = option(
        ...,
        "lengths of legs, arms and spine: one map, which is reached at the end, or several with frame or "
        "at; between them the figure changes smoothly",
        example={"legs": 1.6, "spine": 0.8},
        harm="legs much shorter than the stride make the figure squat to reach its steps",
    )

    def apply(self, motion: Motion) -> Motion:
        """The morphing figure."""
        from ..fitting import Proportions, morph

        keys = []
        for key in self.to:
            assert isinstance(key, Growth)  # a map has become a list of one
            if key.frame is not None and key.at is not None:
                raise InputError("a proportion must have a frame or a time (at), but has both")
            last = len(motion) - 1
            frame = last if key.frame is None else key.frame
            if key.at is not None:
                frame = round(key.at * motion.frame_rate)
            frame = frame + len(motion) if frame < 0 else frame
            keys.append(Proportions(frame=frame, legs=key.legs, arms=key.arms, spine=key.spine))
        return morph(motion, keys)
