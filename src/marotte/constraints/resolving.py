"""Rules meet a figure: names, roles, patterns and indices become joints.

A name is looked for among the take's named points, the joints, the rig's roles, the points of its
soles (`left_heel`, `left_ball`, `left_tip`), everyday words for roles (`left_knee`, `right wrist`)
and `ground`; the first that has it wins. A pattern makes one rule for each joint that it fits.
"""

from __future__ import annotations

import fnmatch
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import InputError, UnknownNameError
from ..figure import Motion
from ..figure.contacts import ground_height, sole_points
from .printing import AnyRule, rule_text
from .rules import (
    PHANTOM,
    Angle,
    Comparison,
    Distance,
    Extremum,
    LinearRule,
    LockRule,
    NonlinearRule,
    Orientation,
    Path,
    Place,
    Position,
    Vector,
)

GROUND = "ground"
"""The place under the figure: at the height where its soles rest most, or 0 without soles."""
SOLE_POINTS = ("heel", "ball", "tip")
WORDS = {
    "toe": "toes", "ankle": "foot", "knee": "lower_leg", "shin": "lower_leg", "thigh": "upper_leg",
    "hip": "upper_leg", "wrist": "hand", "elbow": "lower_arm", "forearm": "lower_arm",
    "collar": "shoulder", "pelvis": "hips", "cervical_1": "head",
}  # fmt: skip
"""Everyday words for roles, sides left out."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """One rule for one figure."""

    rule: AnyRule
    """As it was given."""
    where: str
    """As text, patterns spelled out."""
    exact: AnyRule
    """With indices for all joints (the phantom's is the number of joints), and offsets summed up."""
    first: int
    """First frame that is checked."""
    last: int
    """Last frame that is checked, included."""


@dataclass(frozen=True, slots=True)
class _Spot:
    joint: int | None
    offset: Vector = (0.0, 0.0, 0.0)


def resolve(motion: Motion, rules: Iterable[AnyRule]) -> tuple[Resolved, ...]:
    """Every rule with the joints of this motion's figure; patterns give several for one."""
    finder = _Finder(motion)
    return tuple(found for rule in rules for found in _spelled(rule, finder))


def _spelled(rule: AnyRule, finder: _Finder) -> Iterator[Resolved]:
    label = rule.name or rule_text(rule)
    try:
        first, last = _frames(rule, len(finder.motion))
        patterns = sorted({n for n in _names(rule) if isinstance(n, str) and finder.is_pattern(n)})
        fitting = [finder.fitting(p) for p in patterns]
        for chosen in itertools.product(*fitting):
            named = dict(zip(patterns, chosen, strict=True))
            plain = _with(rule, lambda n, named=named: named.get(n, n)) if patterns else rule
            exact = _with(plain, lambda n: n, finder)
            _check_units(exact, len(finder.skeleton))
            yield Resolved(rule, rule_text(plain), exact, first, last)
    except UnknownNameError as problem:
        raise UnknownNameError(
            problem.kind, problem.given, problem.known, f"(in the rule {label!r})"
        ) from None
    except InputError as problem:
        raise InputError(f"rule {label!r}: {problem}") from None


def _frames(rule: AnyRule, count: int) -> tuple[int, int]:
    if rule.frames is None:
        return 0, count - 1
    first, last = (f + count if f < 0 else f for f in rule.frames)
    if count and (first >= count or last < 0 or last < first):
        raise InputError(
            f"frames {rule.frames[0]}..{rule.frames[1]} must lie in the take, with frames 0 to {count - 1}"
        )
    return max(first, 0), min(last, count - 1)


def _check_units(exact: AnyRule, phantom: int) -> None:
    """Angles are not compared with the phantom's place, which an index may name too."""
    pairs = [(u.data, u.reference) for u in getattr(exact, "when", ()) if isinstance(u, Comparison)]
    if isinstance(exact, LinearRule):
        pairs.append((exact.angle, exact.other))
    elif isinstance(exact, NonlinearRule):
        pairs.append((exact.body.data, exact.body.reference))
    for one, other in pairs:
        joints = {data.joint for data in (one, other) if isinstance(data, Angle)}
        if len(joints) == 2 and phantom in joints:
            raise InputError("the phantom's place cannot be compared with an angle")


def _names(value: Any) -> Iterator[str | int]:
    """Every reference to a joint in a rule."""
    if isinstance(value, (Place, Angle, Orientation)):
        if value.joint is not None:
            yield value.joint
    elif isinstance(value, tuple):
        for item in value:
            yield from _names(item)
    else:
        for field in _INSIDE.get(type(value), ()):
            yield from _names(getattr(value, field))


_INSIDE: dict[type, tuple[str, ...]] = {
    LinearRule: ("angle", "other"),
    NonlinearRule: ("body", "when"),
    LockRule: ("point", "to", "when"),
    Comparison: ("data", "reference"),
    Extremum: ("data",),
    Position: ("point",),
    Distance: ("point", "to"),
}


def _with(value: Any, rename: Any, finder: _Finder | None = None) -> Any:
    """A rule with other references: renamed, or, with a finder, looked up."""
    if isinstance(value, tuple):
        return tuple(_with(item, rename, finder) for item in value)
    if isinstance(value, Place):
        if value.joint is None:
            return value
        if finder is None:
            return value.model_copy(update={"joint": rename(value.joint)})
        spot = finder.spot(value.joint)
        x, y, z = (a + b for a, b in zip(spot.offset, value.offset, strict=True))
        return Place.model_construct(joint=spot.joint, offset=(x, y, z))
    if isinstance(value, (Angle, Orientation)):
        joint = rename(value.joint) if finder is None else finder.turning(value)
        return value.model_copy(update={"joint": joint})
    inside = _INSIDE.get(type(value), ())
    if not inside or isinstance(value, Path):
        return value
    changes = {field: _with(getattr(value, field), rename, finder) for field in inside}
    return value.model_copy(update=changes)


class _Finder:
    """Looks names up in one motion."""

    def __init__(self, motion: Motion) -> None:
        self.motion = motion
        self.skeleton = motion.skeleton
        self.rig = motion.rig
        self.known: dict[str | int, _Spot] = {}

    def spot(self, name: str | int) -> _Spot:
        found = self.known.get(name)
        if found is None:
            found = self.known[name] = self._spot(name)
        return found

    def turning(self, data: Angle | Orientation) -> int:
        """The joint of an angle or an orientation, which must be able to have it."""
        spot = self.spot(data.joint)
        if spot.joint is None or any(spot.offset):
            raise InputError(f"{data.kind} needs a joint, but {data.joint!r} is a point")
        joint = spot.joint
        if joint == len(self.skeleton):
            if isinstance(data, Orientation):
                raise InputError("the phantom is a place and has no orientation; name the root joint")
            return joint
        if isinstance(data, Angle) and data.axis.upper() not in self.skeleton.channels[joint]:
            turns = [c.lower() for c in self.skeleton.channels[joint] if c.isupper()]
            has = f"turns about {', '.join(turns)}" if turns else "does not turn"
            raise InputError(f"joint {self.skeleton.names[joint]!r} has no angle {data.axis}; it {has}")
        return joint

    def is_pattern(self, name: str) -> bool:
        return ("*" in name or "?" in name) and name not in self.skeleton

    def fitting(self, pattern: str) -> list[str]:
        """Names that fit: of joints, else of roles, else of points."""
        points = [p.name for p in self.motion.points]
        for names in (self.skeleton.names, tuple(self.rig.roles), (*points, *self._soles())):
            hits = [name for name in names if fnmatch.fnmatchcase(name, pattern)]
            if hits:
                return hits
        raise UnknownNameError("pattern", pattern, (*self.skeleton.names, *self.rig.roles))

    def _spot(self, name: str | int) -> _Spot:
        joints = len(self.skeleton)
        if isinstance(name, int):
            if not 0 <= name <= joints:
                raise InputError(
                    f"joint index must be from 0 to {joints - 1}, or {joints} for the phantom, but is {name}"
                )
            return _Spot(name)
        for point in self.motion.points:
            if point.name == name:
                return _Spot(point.joint, point.offset)
        if name in self.skeleton:
            return _Spot(self.skeleton.index(name))
        if name == PHANTOM:
            return _Spot(joints)
        return self._by_word(name, re.sub(r"[\s_-]+", "_", name.lower()))

    def _by_word(self, name: str, word: str) -> _Spot:
        soles = self._soles()
        side, _, part = word.partition("_")
        if side not in ("left", "right"):
            side, part = "", word
        role = "_".join(filter(None, (side, WORDS.get(part, part))))
        if role in self.rig:
            return _Spot(self.rig[role])
        if word in soles:
            return soles[word]
        if word == GROUND:
            return _Spot(None, (0.0, self._ground(), 0.0))
        known = (
            *self.skeleton.names, *self.rig.roles, *(p.name for p in self.motion.points), *soles,
            PHANTOM, GROUND,
        )  # fmt: skip
        raise UnknownNameError("joint, role or point", name, known)

    def _soles(self) -> dict[str, _Spot]:
        return {
            f"{sole.foot.split('_')[0]}_{part}": _Spot(joint, point)
            for sole in self.rig.soles
            for part, joint, point in zip(SOLE_POINTS, sole.joints, sole.points, strict=False)
        }

    def _ground(self) -> float:
        if not len(self.motion) or not self.rig.soles:
            return 0.0
        return ground_height([sole_points(self.motion, sole) for sole in self.rig.soles])
