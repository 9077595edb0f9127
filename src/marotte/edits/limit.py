"""Keep angles within limits."""

from __future__ import annotations

from typing import ClassVar, Literal

from .._options import option
from ..figure import Motion
from ._base import Edit
from ._rules import RulesText


class Limit(Edit):
    """Keep every joint within its limits, and angles to rules, over the whole take."""

    op: ClassVar[str] = "limit"
    summary: ClassVar[str] = "keep angles within limits, over the whole take"

    rules: RulesText = option(
        "",
        "rules about angles: limits ('left_knee.x < 150 deg'), relations of two angles ('(LeftLeg, x) > "
        "(RightLeg, x) + 5'; the left-hand angle gives way), locks ('Neck.y = 0 deg'); text, a file of it, "
        "or a list",
        example="left_knee.x < 150 deg",
    )
    defaults: Literal["own", "human", "none"] = option(
        "own",
        "limits that joints have without a rule: the file's own, a human body's where the file has none, "
        "or none; a rule takes the place of the default for its angle",
        example="human",
        harm="human limits are those of healthy adults: acrobats go beyond them",
    )
    method: Literal["compress", "map", "clip"] = option(
        "compress",
        "compress bends values near a limit, so that the greatest comes to lie at it; map takes away what "
        "peaks miss by, smoothly from peak to peak; clip holds what is beyond at the limit",
        example="map",
        harm="clip lets joints stand still; map changes almost every frame a little",
    )
    knee: float = option(
        0.8,
        "compress: the share of the way to a limit from which values bend",
        least=0,
        most=0.99,
        example=0.6,
    )
    space: Literal["joint", "euler"] = option(
        "joint",
        "in which numbers joints keep their limits: swing and twist, free of gimbal lock, or each of the "
        "file's angles by itself",
        example="euler",
        harm="near gimbal lock the file's angles jump, and so does what limits them",
    )

    def apply(self, motion: Motion) -> Motion:
        """The limited motion."""
        from ..constraints import limit

        return limit(
            motion,
            self.rules,
            defaults=self.defaults,
            method=self.method,
            knee=self.knee,
            space=self.space,
        )
