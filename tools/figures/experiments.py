"""The experiments of L97 chapters 5 and 6 on built-in takes: what breaks a take, and the rules that mend it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import marotte as mt
from marotte.figure import Motion


@dataclass(frozen=True, slots=True)
class Experiment:
    """A take that an edit broke, and what is to be imposed on it."""

    figure: str
    """Of the thesis."""
    about: str
    original: Motion
    broken: Motion
    rules: str
    options: dict[str, Any] = field(default_factory=dict)
    """Of constrain."""


def _equalized(motion: Motion, gains: Any, parts: str | list[str] = "body") -> Motion:
    return mt.Equalize(gains=gains, parts=parts).apply(motion)


DRINK = """\
cup.z >= mouth.z within 1 cm
when global_min distance(cup, mouth): distance(cup, mouth) = 0 within 1 mm
"""
FLOOR = "left_heel.y >= 0; left_ball.y >= 0; left_tip.y >= 0; right_heel.y >= 0; right_ball.y >= 0; right_tip.y >= 0"


def drink() -> list[Experiment]:
    """Fig. 5.17: the cup goes beyond the mouth, or does not reach it."""
    take = mt.samples.drink()
    return [
        Experiment("5.17 a", "low bands up: the cup goes beyond the mouth", take,
                   _equalized(take, {"low": 1.25}, "right_arm"), DRINK, {"smooth": 24}),
        Experiment("5.17 b", "low bands down: the cup does not reach the mouth", take,
                   _equalized(take, {"low": 0.75}, "right_arm"), DRINK, {"smooth": 24}),
    ]  # fmt: skip


def _striding() -> tuple[Motion, Motion]:
    take = mt.samples.walk(seconds=4)
    return take, _equalized(take, {"middle": 1.6})
