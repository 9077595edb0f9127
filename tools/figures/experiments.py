"""The experiments of L97 chapters 5 and 6 on built-in takes: what breaks a take, and the rules that mend it.

The takes are ours, so gains and heights are; what is asked is what the thesis asks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import marotte as mt
from marotte.constraints import Mended, constrain
from marotte.figure import Motion


@dataclass(frozen=True, slots=True, eq=False)
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

    def mended(self, **others: Any) -> Mended:
        """What constrain makes of it."""
        return constrain(self.broken, self.rules, **{**self.options, **others})


DRINK = """
rule "not beyond": cup.z >= mouth.z frames 110..320
rule "reaches": when global_min distance(cup, mouth): distance(cup, mouth) = 0 within 1 mm
"""
RAISED = "left_foot.y >= 16 cm"
TOES = f"when {RAISED}: right_toes.y <= 2 cm within 5 mm"
ANKLE = f"when {RAISED}: right_foot.y <= 7 cm within 5 mm"
LEVEL = f"when {RAISED}: orientation(right_foot, x) <= 10 deg within 1 deg"
KNEES = "right_knee.x <= 60; left_knee.x <= 60"
OTHER = "when right_foot.y >= 16 cm: left_toes.y <= 2 cm within 5 mm"
FLOOR = "; ".join(f"{side}_{part}.y >= 0" for side in ("left", "right") for part in ("heel", "ball", "tip"))


def _equalized(motion: Motion, parts: str | list[str] = "body", **gains: float) -> Motion:
    return mt.Equalize(gains=gains, parts=parts).apply(motion)


def drinks() -> list[Experiment]:
    """Fig. 5.17: the cup goes beyond the mouth, or does not reach it."""
    take, arm = mt.samples.drink(), "right_arm"
    beyond, short = _equalized(take, arm, low=1.25), _equalized(take, arm, low=0.75)
    options = {"smooth": 24, "order": "sequence"}
    return [
        Experiment("5.17 a", "low bands up: the cup goes beyond the mouth", take, beyond, DRINK, options),
        Experiment("5.17 b", "low bands down: the cup stays short", take, short, DRINK, options),
    ]


def strides() -> list[Experiment]:
    """Fig. 6.2 b to f: a walk of emphasised middle bands, whose feet do not hit the floor."""
    take = mt.samples.walk(seconds=4)
    broken = _equalized(take, middle=1.5)
    asked = {
        "6.2 b": ("toes down while the other foot is up", TOES, {}),
        "6.2 c": ("the ankle down instead", ANKLE, {}),
        "6.2 d": ("and the foot level", f"{ANKLE}; {LEVEL}", {}),
        "6.2 e": ("toes down, and knees within 60 degrees", f"{TOES}; {KNEES}", {}),
        "6.2 f": ("both feet, one after the other", f"{TOES}; {OTHER}", {"order": "sequence"}),
    }
    return [
        Experiment(figure, about, take, broken, rules, {"smooth": 12, **options})
        for figure, (about, rules, options) in asked.items()
    ]


def floors() -> list[Experiment]:
    """Fig. 6.3: low bands down, so that feet sink into the floor."""
    take = mt.samples.walk(seconds=4)
    return [
        Experiment("6.3", "feet stay above the floor", take, _equalized(take, low=0.4), FLOOR, {"smooth": 8})
    ]


def locks() -> list[Experiment]:
    """Fig. 6.4: feet that never leave the floor, and do."""
    take = mt.samples.sway()
    broken = _equalized(take, low=1.6, middle=1.6)
    return [Experiment("6.4", "toes stay where they are", take, broken, "lock left_toes; lock right_toes")]


def puts() -> list[Experiment]:
    """Fig. 6.5 and 6.6: a shot-put whose right foot may be lifted, but not while the shot is to the right."""
    take = mt.samples.shot_put()
    broken = _equalized(take, parts="all", low=2.0, middle=1.6)
    condition = "when shot.x <= hips.x: right_toes.y <= 3.5 cm"
    return [
        Experiment("6.6 b", "the right foot down while the shot is to the right", take, broken, condition,
                   {"smooth": 12}),
        Experiment("6.6 c", "the same, for frames that a person chose", take, broken,
                   "right_toes.y <= 3.5 cm frames 20..90", {"smooth": 12}),
    ]  # fmt: skip


EXPERIMENTS: dict[str, Callable[[], list[Experiment]]] = {
    "drink": drinks, "stride": strides, "floor": floors, "lock": locks, "put": puts
}  # fmt: skip


@cache
def all_experiments() -> dict[str, Experiment]:
    """Every experiment by the thesis's figure."""
    return {e.figure: e for made in EXPERIMENTS.values() for e in made()}


def jump() -> tuple[Motion, Motion, Motion]:
    """Fig. 6.1: a jump, its middle bands up so that a knee bends too far, and limited to 150 degrees."""
    take = mt.samples.jump()
    broken = _equalized(take, middle=2.0)
    return take, broken, mt.Limit(rules="right_knee.x < 150; left_knee.x < 150").apply(broken)


def handstands() -> tuple[Motion, Motion, Motion]:
    """Fig. 6.7: a gymnast with low bands up, the body's orientation with them, and masked."""
    take = mt.samples.handstand()
    return take, _equalized(take, ["body", "hips"], low=1.5), _equalized(take, "body", low=1.5)
