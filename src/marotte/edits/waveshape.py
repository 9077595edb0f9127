"""Give the values of a motion's angles another shape, or limits."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator

from .._options import option
from ..figure import Motion
from ._base import Edit


def _curve(value: Any) -> Any:
    """A shape by its name or its points, or one sentence on what it must be."""
    pairs = isinstance(value, list) and all(
        isinstance(p, (list, tuple)) and len(p) == 2 and all(_is_number(n) for n in p) for p in value
    )
    if not isinstance(value, str) and not pairs:
        raise ValueError("must be the name of a shape or points [x, y], such as [[-1, -1], [0, 0.2], [1, 1]]")
    return value


def _limits(value: Any) -> Any:
    """Limits as a map, or one sentence on what they must be."""
    known = ("low", "high", "kind", "knee")
    fine = isinstance(value, dict) and set(value) <= set(known)
    if not fine or not all(_is_number(v) for k, v in value.items() if k != "kind"):
        raise ValueError(f"must be a map of {', '.join(known)}, such as {{low: -20, high: 60, kind: soft}}")
    return value


def _range(value: Any) -> Any:
    """A range by its name or its two ends, or one sentence on what it must be."""
    if isinstance(value, str) and "," in value:  # from the command line
        with suppress(ValueError):
            value = [float(word) for word in value.split(",")]
    two = isinstance(value, (list, tuple)) and len(value) == 2 and all(_is_number(n) for n in value)
    if value not in ("own", "first", "mean") and not two:
        raise ValueError("must be 'own', 'first' or 'mean', or two numbers, such as [-90, 90]")
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


Curve = Annotated[str | list[list[float]], BeforeValidator(_curve)]


class Waveshape(Edit):
    """Let every value of a joint's angle become another: limit it, exaggerate it, make it waver."""

    op: ClassVar[str] = "waveshape"
    summary: ClassVar[str] = "reshape or limit the values of angles"

    curve: Curve = option(
        "identity",
        "what values become, on the range -1 to 1: the name of a shape (marotte shapes lists them), or "
        "its points [x, y]",
        example="undulate",
        harm="steep curves make motion jerk; steps make it jump",
    )
    interpolation: Literal["kochanek", "cubic", "monotone", "linear", "steps"] = option(
        "kochanek", "how a curve goes through points that are given here", example="linear"
    )
    parts: str | list[str] = option(
        "body",
        "joints it works on: parts, roles, names or patterns, or single channels; ! before a word takes away",
        example="right_arm",
    )
    masks: dict[str, Curve] = option(
        {}, "curves of their own for parts, joints or channels", example={"RightForeArm": "cap"}
    )
    limits: Annotated[dict[str, float | str], BeforeValidator(_limits)] = option(
        {},
        "between what the values stay afterwards: low, high or both, in degrees (metres for the root's "
        "path); kind hard or soft; knee, the share of the way to a soft limit from which it bends (0.8)",
        example={"high": 60, "kind": "soft"},
        harm="what a hard limit holds stands still for that time",
    )
    range: Annotated[Literal["own", "first", "mean"] | list[float], BeforeValidator(_range)] = option(
        "own",
        "what -1 and 1 are: a signal's own extremes in the take; the greatest distance from its first "
        "value, or from its mean; or two numbers in degrees",
        example=[-90, 90],
    )
    space: Literal["euler", "rotvec"] = option(
        "euler",
        "numbers that are shaped: the file's own angles, each by itself, or rotation vectors about the "
        "first pose, which have no gimbal lock",
        example="rotvec",
    )

    def apply(self, motion: Motion) -> Motion:
        """The reshaped motion."""
        from ..signals import Limits, Shape, waveshape

        def shape(curve: str | list[list[float]]) -> Any:
            return curve if isinstance(curve, str) else Shape(curve, self.interpolation)

        limits: dict[str, Any] = dict(self.limits)
        span = self.range
        return waveshape(
            motion,
            shape(self.curve),
            parts=self.parts,
            masks={word: shape(curve) for word, curve in self.masks.items()},
            limits=Limits(**limits) if limits else None,
            range=span if isinstance(span, str) else (span[0], span[1]),
            space=self.space,
        )
