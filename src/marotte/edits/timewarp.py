"""Give a take the timing of another one."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator

from .._options import option
from ..figure import Motion
from ._base import Edit
from ._others import OtherFile, OtherTake


def _key(value: Any) -> Any:
    """A key as it is, or one sentence on what it must be."""
    words = value.values() if isinstance(value, dict) else [value]
    if not all(isinstance(word, str) for word in words):
        raise ValueError("must be a name, or names by part, such as {legs: left_lower_leg}")
    return value


Key = Annotated[str | dict[str, str], BeforeValidator(_key)]


class Timewarp(Edit):
    """The take at another take's timing, wholly or partly; its own movement, or some of the other's."""

    op: ClassVar[str] = "timewarp"
    summary: ClassVar[str] = "give a take the timing of another one"

    to: OtherTake = option(
        ..., "the take whose timing is taken; it begins and ends at the same point of the movement",
        example="march.bvh",
    )  # fmt: skip
    key: Key = option(
        "body",
        "what the takes are matched by: a channel, a joint, a role, a part, or keys of their own for parts",
        example="left_lower_leg",
        harm="a key that says little, such as a joint at rest, matches moments that do not belong together",
    )
    amount: float = option(
        1.0,
        "0 keeps the take's own timing and length, 1 takes the other's, between they are mixed; beyond, "
        "it goes on as long as time runs forward",
        least=-10,
        most=10,
        example=0.5,
    )
    amplitude: float = option(
        0.0,
        "how much of the other take's movement: 0 none, 1 all of it; independent of amount",
        least=-10,
        most=10,
        example=0.3,
        harm="feet slide where the takes step differently; mend with constraints afterwards",
    )
    spread: Literal["bspline", "gaussian"] = option(
        "bspline", "how steps of time are smoothed: a cubic B-spline or a Gaussian", example="gaussian"
    )
    over: float = option(
        0.15,
        "how far each step of time is spread",
        unit="seconds",
        least=0,
        most=10,
        example=0.05,
        harm="short ones limp from frame to frame, long ones miss quick changes of pace",
    )
    slope: int | None = option(
        None,
        "how many times faster or slower time may run at most, 0 for any; left out it is 3, or more where "
        "the lengths differ much",
        unit="times",
        least=0,
        most=1000,
        example=2,
    )
    window: float | None = option(
        None,
        "how far apart the takes may drift, once they are as long as each other; left out any",
        unit="seconds",
        above=0,
        example=0.5,
    )
    path: OtherFile | None = option(
        None,
        "a saved correspondence to use, instead of finding one by key, slope and window",
        example="pace.yaml",
    )

    def apply(self, motion: Motion) -> Motion:
        """The warped motion."""
        from ..signals import load_correspondences, timewarp

        return timewarp(
            motion,
            self.to.motion(),
            key=self.key,
            amount=self.amount,
            amplitude=self.amplitude,
            spread=self.spread,
            over=self.over,
            slope=self.slope,
            window=self.window,
            correspondence=None if self.path is None else load_correspondences(str(self.path)),
        )
