"""Pull points of a curve: an angle, a place, an orientation, a distance."""

from __future__ import annotations

from typing import ClassVar, Literal

from .._options import option
from ..figure import Motion
from ._base import Edit


class Curve(Edit):
    """Let a quantity of the take have other values at a few frames; the poses follow, smoothly."""

    op: ClassVar[str] = "curve"
    summary: ClassVar[str] = "edit a signal by pulling points of its curve"

    of: str = option(
        ...,
        "whose curve: a channel (LeftArm.x), a coordinate of a point (left_hand.y), a distance "
        "(distance(left_hand, head)), an orientation (orientation(left_foot, x)), an angle of a role "
        "(angle(left_knee, x))",
        example="left_hand.y",
    )
    points: dict[int, float] = option(
        ...,
        "values at frames that are pulled: degrees or metres",
        example={40: 1.2, 60: 1.35},
        harm="far from what was there, in few frames, movement becomes hasty",
    )
    hold: list[int] = option([], "frames at which nothing changes", unit="frames", example=[20, 90])
    smooth: int = option(
        16,
        "how long the take runs into the first point and out of the last, where no frame is held",
        unit="frames",
        least=1,
        example=30,
    )
    tension: float = option(
        0.0, "angles only: 1 is tight and slow through points, -1 slack", least=-1, most=1, example=0.5
    )
    continuity: float = option(
        0.0, "angles only: -1 turns points into corners", least=-1, most=1, example=-0.5
    )
    bias: float = option(
        0.0, "angles only: 1 overshoots points, -1 turns before them", least=-1, most=1, example=0.5
    )
    solver: Literal[
        "full_body", "cyclic", "hybrid", "limb", "penalty", "damped", "prioritized", "transpose"
    ] = option("full_body", "what finds poses for places, orientations and distances", example="cyclic")
    best_effort: bool = option(
        False, "come as near as it goes to values that cannot be reached", example=True
    )

    def apply(self, motion: Motion) -> Motion:
        """The motion with the curve pulled."""
        from ..constraints import pull

        return pull(
            motion,
            self.of,
            self.points,
            hold=self.hold,
            smooth=self.smooth,
            tension=self.tension,
            continuity=self.continuity,
            bias=self.bias,
            solver=self.solver,
            best_effort=self.best_effort,
        )
