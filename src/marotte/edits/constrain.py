"""Mend what breaks rules, and nothing else."""

from __future__ import annotations

from typing import ClassVar, Literal

from .._options import option
from ..errors import UnmetRulesError
from ..figure import Motion
from ._base import Edit
from ._rules import RulesText


class Constrain(Edit):
    """Change a take as little as it takes for rules to hold, smoothly, where they are broken."""

    op: ClassVar[str] = "constrain"
    summary: ClassVar[str] = "mend the frames that break rules"

    rules: RulesText = option(
        "",
        "what must hold: text ('left_toes.y >= 0.005'), a file of it, or a list; left out, the rules that "
        "stand beside the take's file",
        example="left_toes.y >= 0.005",
    )
    smooth: int = option(
        8,
        "how long before and after a broken stretch the take runs into the change; everything beyond stays "
        "as it was",
        unit="frames",
        least=0,
        example=16,
        harm="few frames make a hasty movement, many change more than they must",
    )
    start: Literal["current", "neighbour"] = option(
        "current",
        "where the search for a pose begins: at the pose of the frame itself, or of the nearest frames that "
        "are not touched",
        example="neighbour",
        harm="neighbour loses what the frame itself did",
    )
    solver: Literal[
        "full_body", "cyclic", "hybrid", "limb", "penalty", "damped", "prioritized", "transpose"
    ] = option(
        "full_body",
        "what finds poses: full_body takes the least change, cyclic goes joint after joint (the thesis)",
        example="cyclic",
        harm="cyclic and transpose let movement tremble where frame after frame must be solved",
    )
    order: Literal["together", "sequence"] = option(
        "together",
        "all rules at once, or one after another, each looked at on what the one before it made",
        example="sequence",
    )
    limits: Literal["own", "human", "none"] = option(
        "own",
        "limits that joints keep while they are adjusted: the file's own, a human body's where the file has "
        "none, or none",
        example="human",
    )
    best_effort: bool = option(
        False,
        "rules that cannot hold: mend as far as it goes, instead of leaving the take as it was and saying so",
        example=True,
        harm="what contradicts itself makes a take tremble",
    )

    def apply(self, motion: Motion) -> Motion:
        """The mended motion."""
        from ..constraints import constrain

        made = constrain(
            motion,
            self.rules or None,
            smooth=self.smooth,
            start=self.start,
            solver=self.solver,
            order=self.order,
            limits=self.limits,
            best_effort=self.best_effort,
        )
        if not made.met and not self.best_effort:
            raise UnmetRulesError(
                f"rules that cannot hold: {made.in_words()}; change them, impose them in sequence, or take "
                "best_effort"
            )
        return made.motion
