"""Strengthen or weaken bands of a motion's frequencies."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator

from .._options import option
from ..figure import Motion
from ._base import Edit


def _gains(value: Any) -> Any:
    """Gains as they are, or one sentence on what they must be."""
    numbers = value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]
    if not all(isinstance(n, (int, float)) and not isinstance(n, bool) for n in numbers):
        raise ValueError(
            "must be a number, a list of numbers, or numbers by band or name, such as {middle: 2, 0: 0.5}"
        )
    return value


Gains = Annotated[float | list[float] | dict[str | int, float], BeforeValidator(_gains)]


class Equalize(Edit):
    """Make slow, middling or quick movement stronger or weaker, as an equalizer does with sound."""

    op: ClassVar[str] = "equalize"
    summary: ClassVar[str] = "strengthen or weaken bands of frequencies"

    gains: Gains = option(
        {},
        "how strong each band becomes: a list, finest band first, or gains by band or by the names "
        "high (above 2.7 Hz), middle (0.34 to 2.7 Hz) and low; bands left out keep gain 1",
        example={"middle": 2},
        harm="knees turn over and feet leave their place; mend with constraints afterwards",
    )
    preset: Literal["none", "tone_down", "exaggerate", "nervous", "anticipate"] = option(
        "none", "gains with a name, under those that are given", example="exaggerate"
    )
    dc: float = option(1.0, "gain of what is slower than all bands", least=-100, most=100, example=1.1)
    parts: str | list[str] = option(
        "body",
        "joints it works on: parts, roles, names or patterns, ! before a word takes away",
        example="upper_body",
    )
    masks: dict[str, Gains] = option(
        {}, "gains of their own for parts, joints or channels", example={"legs": 1}
    )
    space: Literal["rotvec", "euler", "position"] = option(
        "rotvec",
        "numbers that are filtered: rotation vectors, the file's own angles, or joints' places",
        example="euler",
        harm="places make bones stretch",
    )
    offset: bool = option(
        True, "filter what changes since the first frame, not the pose itself", example=False
    )
    edges: Literal["reflect", "hold"] = option(
        "reflect", "what is taken to lie beyond the ends: the motion mirrored, or stillness", example="hold"
    )

    def apply(self, motion: Motion) -> Motion:
        """The equalized motion."""
        from ..signals import PRESETS, equalize

        gains = self.gains
        if self.preset != "none":
            gains = {**PRESETS[self.preset], **_by_band(gains)}
        return equalize(
            motion,
            gains,
            dc=self.dc,
            parts=self.parts,
            masks=self.masks,
            space=self.space,
            offset=self.offset,
            edges=self.edges,
        )


def _by_band(gains: Gains) -> dict[str | int, float]:
    if isinstance(gains, dict):
        return gains
    if isinstance(gains, list):
        return dict(enumerate(gains))
    return {"high": gains, "middle": gains, "low": gains}
