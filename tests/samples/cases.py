"""What each built-in take may do that others may not, and which of its options the tests try.

A new take needs one line in CASES; `test_takes.py` then asks everything of it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_args

from marotte import samples
from marotte._options import Options, describe
from marotte.figure import Motion

from .judge import Ground, level

# Degrees a second, and degrees a second squared, seen at 120 Hz. People who walk or work with
# their hands stay below the first line: knees swing at 400°/s and 8,000°/s² in normal walking
# (Winter), heads turn at 300°/s, hands wave, knock and drum at 600 to 900°/s. Runners' and
# jumpers' knees reach 1,000 to 1,300°/s and are braked within 20 to 30 ms, which is 60,000°/s²;
# a pitcher's elbow reaches 2,300°/s and his shoulder 7,000°/s (Fleisig).
Bound = tuple[float, float]
CALM: Mapping[str, Bound] = {
    "trunk": (200.0, 6_000.0), "head": (300.0, 8_000.0), "arm": (700.0, 25_000.0),
    "leg": (450.0, 15_000.0), "toes": (500.0, 25_000.0),
}  # fmt: skip
LIVELY: Mapping[str, Bound] = {
    "trunk": (350.0, 12_000.0), "head": (400.0, 15_000.0), "arm": (1_000.0, 40_000.0),
    "leg": (800.0, 55_000.0), "toes": (800.0, 40_000.0),
}  # fmt: skip
FAST: Mapping[str, Bound] = {
    "trunk": (600.0, 30_000.0), "head": (600.0, 30_000.0), "arm": (2_400.0, 80_000.0),
    "leg": (1_500.0, 62_000.0), "toes": (1_300.0, 70_000.0),
}  # fmt: skip


def hillside(options: Mapping[str, Any]) -> Ground:
    """The ground of a golf swing: level, or rising along the target line, across it, or both."""
    rise = [math.tan(math.radians(options.get(name, 0.0))) for name in ("slope", "across")]
    return (lambda points: rise[0] * points[..., 0] + rise[1] * points[..., 2]) if any(rise) else level


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One take."""

    bounds: Mapping[str, Bound] = field(default_factory=lambda: CALM)
    balanced: bool = False  # the centre of mass stays above the feet all the time
    f1: float = 0.95  # agreement of found and true contacts of the feet, at least
    touch: Mapping[str, str] = field(default_factory=dict)  # hand: the named point that rests
    meet: Mapping[str, str] = field(default_factory=dict)  # hand: the named point that meets a thing
    hold: Mapping[str, str] = field(default_factory=dict)  # hand or foot: its point on the rope
    rope: tuple[float, float] = (0.0, 0.0)  # x and z where an upright rope hangs, metres
    handstand: bool = False  # balanced on straight arms while only hands rest
    held: bool = False  # something rests on the ground or holds the rope in every frame
    ground: Callable[[Mapping[str, Any]], Ground] = lambda options: level  # below, for these options
    upright: bool = True  # feet carry it: without feet on the ground it flies
    short: Mapping[str, Any] = field(default_factory=dict)  # options that keep the tests quick
    longest: Mapping[str, float] = field(default_factory=lambda: {"seconds": 6.0, "cycles": 3})
    extra: tuple[Mapping[str, Any], ...] = ()  # more combinations worth trying
    alone: frozenset[str] = frozenset()  # options that only `extra` tries: not every mixture is taken


# The slowest and fastest of every manner.
_WALKS = (
    ("tired", 0.3), ("tired", 1.2), ("brisk", 0.8), ("brisk", 2.4), ("sneak", 0.2), ("sneak", 0.85),
)  # fmt: skip

# Places for the right hand, the ends of what it reaches without a step: low, high, far ahead, far
# aside, across the body, near.
REACHES = (
    (-0.1, 0.5, 0.4), (-0.2, 2.0, 0.25), (-0.1, 1.1, 0.85), (-0.7, 1.3, 0.3), (-0.7, 1.0, -0.05),
    (0.5, 1.2, 0.55), (0.3, 0.65, 0.3), (0.3, 1.8, 0.3), (-0.15, 1.25, 0.25), (-0.5, 0.65, 0.25),
)  # fmt: skip

CASES: dict[str, Case] = {
    "walk": Case(
        bounds=LIVELY,
        short={"seconds": 2.5},
        extra=(
            *({"style": s, "turn": t} for s in ("tired", "brisk", "sneak") for t in (0.0, 45.0)),
            *({"speed": s} for s in (0.3, 0.8, 2.2)),
            *({"style": s, "speed": v} for s, v in _WALKS),
        ),
        alone=frozenset({"speed"}),
    ),
    "run": Case(
        bounds=FAST,
        f1=0.93,
        short={"seconds": 1.6},
        extra=(
            {"speed": 6.5, "turn": -15.0},
            {"speed": 2.0, "turn": 51.0},
            {"speed": 2.0},
            {"speed": 6.5},
            {"speed": 4.0},
        ),
        alone=frozenset({"speed", "turn"}),
    ),
    "crawl": Case(
        bounds=LIVELY,
        f1=0.93,
        touch={"left_hand": "left_fingers", "right_hand": "right_fingers"},
        short={"seconds": 2.5},
        extra=(
            *(
                {"gait": gait, "speed": speed, "turn": turn}
                for gait in ("diagonal", "lateral")
                for speed, turn in ((0.15, 6.7), (0.8, -36.0), (0.8, 0.0))
            ),
            {"speed": 0.15, "seconds": 5.0},
        ),
        alone=frozenset({"speed", "turn"}),
        held=True,
    ),
    # a quick climber's elbow stretches at 780°/s as the hand flies up, like hands that knock or drum
    "rope_climb": Case(
        bounds={**CALM, "arm": LIVELY["arm"]},
        upright=False,
        held=True,
        hold={
            "left_hand": "left_grip",
            "right_hand": "right_grip",
            "left_foot": "left_clamp",
            "right_foot": "right_clamp",
        },
        rope=(0.0, 0.22),
        short={"pulls": 2},
        longest={"pulls": 3},
        extra=({"pulls": 1, "speed": 0.27}, {"pulls": 3, "speed": 0.11}, {"speed": 0.27, "seed": 11}),
    ),
    "handstand": Case(
        held=True,
        handstand=True,
        touch={"left_hand": "left_fingers", "right_hand": "right_fingers"},
        short={"hold": 1.0},
        longest={"hold": 5.0},
        extra=({"hold": 5.0, "sway": 2.0, "seed": 9}, {"hold": 5.0, "sway": 2.0}),
    ),
    "sway": Case(balanced=True, short={"seconds": 8.0}, longest={"seconds": 12.0}),
    "wave": Case(
        balanced=True,
        longest={"repeats": 5},
        extra=({"hand": "left", "energy": 1.5}, {"energy": 0.3, "repeats": 1}, {"energy": 1.5, "repeats": 1}),
    ),
    "knock": Case(
        # a forearm that meets a door at 350°/s is stopped within 25 ms, like a runner's knee
        bounds={**CALM, "arm": (700.0, 40_000.0)},
        balanced=True,
        meet={"left_hand": "knuckles", "right_hand": "knuckles"},
        longest={"repeats": 6},
        extra=(
            {"force": 1.4, "door": 0.54, "height": 1.6, "hand": "left"},
            {"force": 1.4, "door": 0.4, "height": 1.46},
            {"force": 0.4, "door": 0.54, "height": 1.46, "repeats": 1},
        ),
    ),
    "drum": Case(
        bounds={**CALM, "arm": (700.0, 40_000.0)},  # hands stopped by the skin as by a door
        balanced=True,
        meet={"left_hand": "left_palm", "right_hand": "right_palm"},
        short={"seconds": 2.0},
        longest={"seconds": 4.0},
        extra=({"force": 1.4, "tempo": 70.0}, {"force": 1.4, "tempo": 300.0}, {"force": 1.4, "accent": 3}),
    ),
    "drink": Case(
        balanced=True,
        meet={"left_hand": "cup", "right_hand": "cup"},
        longest={"sips": 3},
        extra=({"hand": "left", "tilt": 75.0, "pace": 1.4}, {"table": False, "tilt": 15.0, "pace": 0.7}),
    ),
    "reach": Case(
        balanced=True,
        meet={"left_hand": "palm", "right_hand": "palm"},
        longest={"seconds": 3.0},
        extra=(
            *({"target": target, "seconds": 1.6} for target in REACHES),
            *({"target": (-x, y, z), "hand": "left"} for x, y, z in REACHES),
        ),
        alone=frozenset({"target"}),
    ),
    "dance": Case(
        bounds=LIVELY,
        f1=0.93,
        short={"bars": 4},
        longest={"bars": 5},
        extra=(
            *({"tempo": b, "energy": e} for b in (90.0, 124.0) for e in (0.2, 1.0)),
            {"bars": 5, "energy": 1.0, "tempo": 124.0, "seed": 4},
        ),
    ),
    "golf_swing": Case(
        bounds=FAST,
        balanced=True,
        ground=hillside,
        extra=(
            *({"slope": s} for s in (0.5, 5.0, 7.0)),
            *({"slope": s, "across": a} for s in (-8.0, 8.0) for a in (-2.0, 2.0)),
            {"slope": 8.0, "tempo": 1.1},
        ),
    ),
    "pick_up": Case(
        balanced=True,
        extra=(
            *({"hands": h, "weight": 20.0} for h in ("left", "right")),
            *({"hands": h, "aside": a} for h in ("left", "right") for a in (-0.2, 0.2)),
            {"ahead": 0.48, "height": 0.08, "weight": 20.0},
            {"ahead": 0.3, "height": 0.08},
        ),
    ),
    "jump": Case(bounds=FAST),
    "walking_jump": Case(bounds=FAST),
    "throw": Case(bounds=FAST),
    "shot_put": Case(bounds=FAST),
}


def case(name: str) -> Case:
    """What is asked of a take; every registered one has its line."""
    assert name in CASES, f"tests/samples/cases.py has no line for the take {name!r}"
    return CASES[name]


Variant = tuple[tuple[str, Any], ...]


def variants() -> list[tuple[str, Variant]]:
    """Every take with its default options, each option at its ends, and a few mixtures."""
    found: list[tuple[str, Variant]] = []
    for name in samples.names():
        own = CASES.get(name, Case())
        model = samples.options(name)
        seen: dict[Variant, None] = {}
        for given in _variants(model, own):
            merged = {**own.short, **given}
            variant = tuple(sorted(merged.items()))
            seen[variant] = None
        found += [(name, variant) for variant in seen]
    return found


def _variants(model: type[Options], own: Case) -> Iterator[dict[str, Any]]:
    yield {}
    yield {"seed": 7}
    yield from (dict(extra) for extra in own.extra)
    ends = {
        name: _ends(model, name, own)
        for name in model.model_fields
        if name not in {"frame_rate", "seed"} | own.alone
    }
    for name, values in ends.items():
        for value in values:
            yield {name: value}
    draw = random.Random(model.__name__)
    for seed in (1, 2, 3):
        mixed = {name: _between(draw, values) for name, values in ends.items() if draw.random() < 0.7}
        yield {**mixed, "seed": seed}


def _ends(model: type[Options], name: str, own: Case) -> list[Any]:
    field_ = model.model_fields[name]
    info = next(i for i in describe(model) if i.name == name)
    if info.choices:
        return list(info.choices)
    if bool in (field_.annotation, *get_args(field_.annotation)):
        return [False, True]
    bounds = [getattr(rule, end, None) for end in ("ge", "le") for rule in field_.metadata]
    values = [b for b in bounds if b is not None]
    if name in own.longest:
        values = [min(v, own.longest[name]) for v in values]
    return values


def _between(draw: random.Random, values: list[Any]) -> Any:
    if len(values) == 2 and all(type(v) in (int, float) for v in values):
        low, high = values
        whole = isinstance(low, int) and isinstance(high, int)
        return draw.randint(low, high) if whole else round(draw.uniform(low, high), 4)
    return draw.choice(values) if values else None


@cache
def made(name: str, variant: Variant, frame_rate: float = 120.0) -> Motion:
    """The take, made once for all tests that look at it."""
    return samples.make(name, **dict(variant), frame_rate=frame_rate)
