"""Where a motion breaks rules: conditions joined, stretches of broken frames, and the worst of each.

For a rule without a condition the stretch is where the body is broken (L97 fig. 5.12). Where a
condition, or the frames asked for, cut such a stretch, its ends say so (fig. 5.13): the body is
still broken beyond them, and mending needs goals at the ends as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..figure import FloatArray, Motion
from ..figure.rotations import inverse, multiply
from .bases import base, rules_beside
from .data import load_rules, names_file, rules_from_data
from .extrema import SLOPE_SHARE, extrema
from .gathering import Signals, path_points, wrapped
from .language import parse_rules
from .resolving import Resolved, resolve
from .rules import Angle, Comparison, Extremum, LinearRule, LockRule, NonlinearRule, Orientation, Path
from .violations import Violation, Violations

AnyRule = LinearRule | NonlinearRule | LockRule
Rules: TypeAlias = "str | FilePath | AnyRule | Iterable[AnyRule | str]"
"""Rules as text, as a file of them (a path, or a text such as `feet.rules`), as models, or a list."""
ROUNDING = 1e-6
"""Metres or degrees: what is broken by less is rounding, whatever the rule ignores."""

ALIKE = 1e-9
"""Metres or degrees: frames whose excess differs by less are equally bad; the first of them counts."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A resolved rule over the frames of a motion."""

    resolved: Resolved
    index: int
    """Which of the resolved rules."""
    checked: NDArray[np.bool_]
    """(F,) where the conditions hold, within the frames that are checked."""
    excess: FloatArray
    """(F,) how far the body is from holding, in `unit`; 0 or less where it holds."""
    ignored: float
    """What of it does not count."""
    unit: str
    """`m` or `deg`."""

    @property
    def broken(self) -> NDArray[np.bool_]:
        """(F,) where the body does not hold, whatever the conditions say."""
        return np.asarray(self.excess > self.ignored + ROUNDING)


def find_violations(
    motion: Motion, rules: Rules | None = None, *, slope_share: float = SLOPE_SHARE
) -> Violations:
    """Every stretch of frames at which the motion breaks a rule, in the order of their worst frames.

    `rules` are text, a file, models, or a list of models and texts; left out, the rules that stand
    beside the file of the motion. `slope_share` is how flat, against the mean slope, both sides of
    a local extremum may be before it counts as none (0 to 1).

    >>> mt.find_violations(walk, "left_toes.y >= 0.005")  # doctest: +SKIP
    """
    readings = measure(motion, rules, slope_share=slope_share)
    found = [violation for reading in readings for violation in _stretches(reading)]
    return Violations(tuple(sorted(found, key=lambda v: (v.frame, v.index, v.begin))))


def measure(
    motion: Motion, rules: Rules | None = None, *, slope_share: float = SLOPE_SHARE
) -> tuple[Reading, ...]:
    """How far every rule is from holding at every frame; a lock with a turn gives two readings."""
    if not 0.0 <= slope_share <= 1.0:
        raise InputError(f"slope_share must be from 0 to 1, but is {slope_share}")
    resolved = resolve(motion, as_rules(rules, motion))
    signals = Signals(motion, resolved)
    found: list[Reading] = []
    for index, one in enumerate(resolved):
        checked = _checked(one, signals, slope_share)
        for excess, ignored, unit in _excess(one, signals, checked):
            found.append(Reading(one, index, checked, excess, ignored, unit))
    return tuple(found)


def as_rules(rules: Rules | None, motion: Motion | None = None) -> tuple[AnyRule, ...]:
    """Rules as models, from any way of giving them."""
    if rules is None:
        found = () if motion is None else rules_beside(motion.source.path)
        if not found:
            raise InputError(
                "rules must be given: no file of rules stands beside the take; "
                "say some, such as 'left_toes.y >= 0', or take a base, such as 'use walking'"
            )
        return found
    if isinstance(rules, str):
        return load_rules(rules.strip()) if names_file(rules) else parse_rules(rules)
    if isinstance(rules, FilePath):
        return load_rules(rules)
    if isinstance(rules, (LinearRule, NonlinearRule, LockRule)):
        return (rules,)
    return rules_from_data(list(rules))


# ---- conditions


def _checked(one: Resolved, signals: Signals, slope_share: float) -> NDArray[np.bool_]:
    """(F,) where the rule is asked to hold: extrema are those of the frames that are checked."""
    checked = np.zeros(len(signals.motion), dtype=np.bool_)
    within = slice(one.first, one.last + 1)
    checked[within] = True
    if isinstance(one.exact, LinearRule):
        return checked
    for unit in one.exact.when:
        if isinstance(unit, Extremum):
            checked[within] &= extrema(
                signals.value(unit.data)[within],
                greatest=unit.greatest,
                local=unit.local,
                noise_width=unit.noise_width,
                ignored_error=unit.ignored_error,
                slope_share=slope_share,
            )
        else:
            checked &= _missed(unit, signals) <= unit.ignored_error + ROUNDING
    return checked


def _missed(unit: Comparison, signals: Signals) -> FloatArray:
    """(F,) how far a comparison is from holding."""
    goal = signals.value(unit.data)
    turns = isinstance(unit.data, Orientation)
    if unit.reference is not None:
        goal = goal - signals.value(unit.reference)
        if turns:
            goal = wrapped(goal)
    if unit.compare == "=":
        apart = goal - unit.given_value
        return np.abs(wrapped(apart) if turns else apart)
    return np.asarray(unit.given_value - goal if unit.compare == ">" else goal - unit.given_value)


# ---- bodies


def _excess(
    one: Resolved, signals: Signals, checked: NDArray[np.bool_]
) -> Iterator[tuple[FloatArray, float, str]]:
    """How far the body is from holding, what of it does not count, and its unit."""
    rule = one.exact
    if isinstance(rule, LinearRule):
        yield _linear(rule, signals), rule.ignored_error, unit_of(rule.angle, signals.motion)
    elif isinstance(rule, NonlinearRule):
        yield _missed(rule.body, signals), rule.body.ignored_error, unit_of(rule.body.data, signals.motion)
    else:
        yield _lock_misses(rule, signals, checked), rule.ignored_error, "m"
        if rule.turn:
            yield _lock_turns(rule, signals, checked), rule.ignored_turn, "deg"


def _linear(rule: LinearRule, signals: Signals) -> FloatArray:
    """(F,) of angle - k · other against the constant (L97 eq. 5.4)."""
    value = signals.value(rule.angle)
    if rule.other is not None:
        value = value - rule.coefficient * signals.value(rule.other)
    if rule.compare == "=":
        return np.abs(value - rule.constant)
    return np.asarray(rule.constant - value if rule.compare == ">" else value - rule.constant)


def lock_places(rule: LockRule, signals: Signals, checked: NDArray[np.bool_]) -> FloatArray:
    """(F, 3) where a resolved lock wants its point at every frame; where it is, off the checked frames."""
    here = signals.point(rule.point)
    if isinstance(rule.to, Path):
        return path_points(rule.to, len(here))
    if rule.to is not None:
        return np.broadcast_to(signals.point(rule.to), here.shape)
    return np.asarray(here[_stretch_starts(checked)])


def _lock_misses(rule: LockRule, signals: Signals, checked: NDArray[np.bool_]) -> FloatArray:
    held = ["xyz".index(axis) for axis in rule.axes]
    apart = (signals.point(rule.point) - lock_places(rule, signals, checked))[:, held]
    return np.asarray(np.sqrt(np.einsum("fk,fk->f", apart, apart)))


def _lock_turns(rule: LockRule, signals: Signals, checked: NDArray[np.bool_]) -> FloatArray:
    joint = rule.point.joint
    if not isinstance(joint, int) or joint == len(signals.motion.skeleton):
        raise InputError("a lock with turn needs a joint, which the phantom is not")
    turns = signals.turn(joint)
    by = multiply(inverse(turns[_stretch_starts(checked)]), turns)
    return np.asarray(np.degrees(2.0 * np.arctan2(np.linalg.norm(by[:, 1:], axis=1), np.abs(by[:, 0]))))


def _stretch_starts(checked: NDArray[np.bool_]) -> NDArray[np.intp]:
    """(F,) the first frame of the stretch that each checked frame is in; itself where none is."""
    frames = np.arange(len(checked))
    begins = checked.copy()
    begins[1:] &= ~checked[:-1]
    return np.where(checked, np.maximum.accumulate(np.where(begins, frames, 0)), frames)


def unit_of(data: object, motion: Motion) -> str:
    """`deg` or `m`."""
    if isinstance(data, Angle):
        return "m" if data.joint == len(motion.skeleton) else "deg"
    return "deg" if isinstance(data, Orientation) else "m"


# ---- stretches


def _stretches(reading: Reading) -> Iterator[Violation]:
    broken = reading.broken
    bad = broken & reading.checked
    if not bad.any():
        return
    edges = np.flatnonzero(np.diff(np.concatenate([[False], bad, [False]]).astype(np.int8)))
    begins, afters = edges[::2], edges[1::2]
    excess = reading.excess[bad]
    lengths = afters - begins
    starts = np.cumsum(lengths) - lengths  # where each stretch begins among the broken frames
    which = np.repeat(np.arange(len(begins)), lengths)
    at_worst = np.flatnonzero(excess >= np.maximum.reduceat(excess, starts)[which] - ALIKE)
    _, first = np.unique(which[at_worst], return_index=True)
    frames = np.flatnonzero(bad)[at_worst[first]]
    for begin, after, worst in zip(begins.tolist(), afters.tolist(), frames.tolist(), strict=True):
        yield Violation(
            rule=reading.resolved.rule,
            where=reading.resolved.where,
            index=reading.index,
            begin=begin,
            end=after - 1,
            frame=worst,
            amount=float(reading.excess[worst]),
            unit=reading.unit,
            cut_begin=begin > 0 and bool(broken[begin - 1]),
            cut_end=after < len(bad) and bool(broken[after]),
        )


__all__ = ["Reading", "Rules", "as_rules", "base", "find_violations", "lock_places", "measure", "unit_of"]
