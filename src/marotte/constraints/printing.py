"""Rules written as text that reads back as the same rules, in either syntax."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Literal

from ..errors import InputError
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

Syntax = Literal["plain", "paper"]
AnyRule = LinearRule | NonlinearRule | LockRule
_PLAIN_NAME = re.compile(r"[*?]*[^\W\d][\w*?]*(?::[\w*?]+)*")
_SOME = re.compile(r"[\w*?:]*[^\W\d][\w*?:]*")
_RESERVED = re.compile(
    r"(?i)(rule|frames?|when|always|use|null|nil|within|noise|angle|orientation|position|distance|lock|path|"
    r"turn|joint|and|at|with|(above|below|equal)_(given|another)|(global|local)_(min|max)(imum)?|"
    r"cmp_(angle|pos|position|distance|dist|ornt|orientation))"
)
_BOUNDS = {">": ">=", "<": "<=", "=": "="}
_DATA_TYPES = {
    "angle": "CMP_ANGLE",
    "position": "CMP_POS",
    "orientation": "CMP_ORNT",
    "distance": "CMP_DISTANCE",
}


def rule_text(rule: AnyRule, *, syntax: Syntax = "plain") -> str:
    """A rule as text: `left_toes.y >= 0.005 m`, or the thesis's own form with `syntax="paper"`.

    Locks have no form in the thesis; they read alike in both.
    """
    if syntax not in ("plain", "paper"):
        raise InputError(f"syntax must be 'plain' or 'paper', but is {syntax!r}")
    body = _lock(rule, syntax) if isinstance(rule, LockRule) else (
        _linear(rule, syntax) if isinstance(rule, LinearRule) else _nonlinear(rule, syntax)
    )  # fmt: skip
    label = f"rule {_quoted(rule.name)}: " if rule.name else ""
    frames = "" if rule.frames is None else f" frames {rule.frames[0]}..{rule.frames[1]}"
    return f"{label}{body}{frames}"


def rules_text(rules: Iterable[AnyRule], *, syntax: Syntax = "plain") -> str:
    """Rules as the text of a file, a line each."""
    return "".join(rule_text(rule, syntax=syntax) + "\n" for rule in rules)


def _linear(rule: LinearRule, syntax: Syntax) -> str:
    unit = " m" if rule.angle.joint == PHANTOM else " deg"
    within = f" within {_number(rule.ignored_error)}{unit}" if rule.ignored_error else ""
    paper = syntax == "paper"
    tail = "" if paper else unit
    goal = _paper_angle(rule.angle) if paper else _angle(rule.angle)
    sign = rule.compare if paper else _BOUNDS[rule.compare]
    if rule.other is None:
        if not paper and _dotted(rule.angle):
            goal = f"{_joint(rule.angle.joint)}.{rule.angle.axis}"
        return f"{goal} {sign} {_number(rule.constant)}{tail}{within}"
    other = _paper_angle(rule.other) if paper else _angle(rule.other)
    factor = "" if rule.coefficient == 1.0 else f"{_number(rule.coefficient)} * "
    return f"{goal} {sign} {factor}{other}{_added(rule.constant, tail)}{within}"


def _nonlinear(rule: NonlinearRule, syntax: Syntax) -> str:
    if syntax == "paper":
        condition = " and ".join(_paper_unit(unit) for unit in rule.when) or "null"
        return f"{condition} --> {_paper_unit(rule.body)}"
    body = _comparison(rule.body)
    if rule.when:
        return f"{_when(rule.when, syntax)}{body}"
    return f"always: {body}" if isinstance(rule.body.data, Angle) else body


def _when(units: Iterable[Any], syntax: Syntax) -> str:
    said = [
        _paper_unit(u) if syntax == "paper" else _extremum(u) if isinstance(u, Extremum) else _comparison(u)
        for u in units
    ]
    return f"when {' and '.join(said)}: "


def _lock(rule: LockRule, syntax: Syntax) -> str:
    when = _when(rule.when, syntax) if rule.when else ""
    point = _place(rule.point)
    if rule.axes != "xyz":
        point = (f"({point})" if any(rule.point.offset) else point) + f".{rule.axes}"
    text = f"{when}lock {point}"
    if isinstance(rule.to, Path):
        text += " at path " + ", ".join(f"{key.frame} {_vector(key.at)}" for key in rule.to.keys)
    elif rule.to is not None:
        text += f" at {_place(rule.to)}"
    if rule.turn:
        text += " with turn"
    if rule.ignored_error:
        text += f" within {_number(rule.ignored_error)} m"
    if rule.ignored_turn:
        text += f" within {_number(rule.ignored_turn)} deg"
    return text


def _comparison(unit: Comparison) -> str:
    degrees = isinstance(unit.data, Orientation) or (
        isinstance(unit.data, Angle) and unit.data.joint != PHANTOM
    )
    tail = " deg" if degrees else " m"
    within = f" within {_number(unit.ignored_error)}{tail}" if unit.ignored_error else ""
    data = unit.data
    if isinstance(data, Distance) and unit.type == "EQUAL_GIVEN" and unit.given_value == 0:
        return f"{_place(data.point)} at {_place(data.to)}{within}"
    sign = _BOUNDS[unit.compare]
    if unit.reference is None:
        goal = _quantity(data)
        if isinstance(data, Angle) and _dotted(data):
            goal = f"{_joint(data.joint)}.{data.axis}"
        return f"{goal} {sign} {_number(unit.given_value)}{tail}{within}"
    return f"{_quantity(data)} {sign} {_quantity(unit.reference)}{_added(unit.given_value, tail)}{within}"


def _extremum(unit: Extremum) -> str:
    text = f"{unit.type.lower()} {_quantity(unit.data)}"
    if unit.noise_width:
        text += f" noise {unit.noise_width}"
    if unit.ignored_error:
        degrees = isinstance(unit.data, (Angle, Orientation))
        text += f" within {_number(unit.ignored_error)} {'deg' if degrees else 'm'}"
    return text


def _quantity(data: Angle | Position | Orientation | Distance) -> str:
    if isinstance(data, Angle):
        return _angle(data)
    if isinstance(data, Orientation):
        return f"orientation({_joint(data.joint)}, {data.axis})"
    if isinstance(data, Distance):
        return f"distance({_place(data.point)}, {_place(data.to)})"
    point = _place(data.point)
    return (
        f"({point})" if data.point.joint is not None and any(data.point.offset) else point
    ) + f".{data.axis}"


def _dotted(angle: Angle) -> bool:
    """Whether `Joint.x` says this angle, once a number in degrees stands beside it."""
    return angle.joint != PHANTOM


def _angle(angle: Angle) -> str:
    return f"angle({_joint(angle.joint)}, {angle.axis})"


def _place(place: Place) -> str:
    if place.joint is None:
        return _vector(place.offset)
    joint = _joint(place.joint)
    return f"{joint} + {_vector(place.offset)}" if any(place.offset) else joint


def _joint(joint: str | int) -> str:
    return f"joint({joint})" if isinstance(joint, int) else _name(joint)


def _name(name: str) -> str:
    return name if _PLAIN_NAME.fullmatch(name) and not _RESERVED.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    escaped = re.sub(r"([\\\"])", r"\\\1", text)
    return f'"{escaped}"'


def _vector(vector: Vector) -> str:
    return f"({', '.join(_number(v) for v in vector)})"


def _added(value: float, unit: str) -> str:
    if not value:
        return ""
    return f" {'-' if value < 0 else '+'} {_number(abs(value))}{unit}"


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e9 else repr(value)


# ---- the thesis's form


def _paper_unit(unit: Any) -> str:
    kind = unit.data.kind
    parts = [unit.type, _DATA_TYPES[kind], *_paper_data(unit.data)]
    if isinstance(unit, Extremum):
        parts.append(_number(unit.ignored_error))
        if unit.local:
            parts.append(str(unit.noise_width))
    else:
        if unit.reference is not None:
            parts += _paper_data(unit.reference)
        parts += [_number(unit.ignored_error), _number(unit.given_value)]
    return f"({', '.join(parts)})"


def _paper_data(data: Angle | Position | Orientation | Distance) -> list[str]:
    if isinstance(data, Position):
        return [f"({_paper_place(data.point)}, {data.axis})"]
    if isinstance(data, Distance):
        return [f"({_paper_place(place)})" for place in (data.point, data.to)]
    return [_paper_angle(data)]


def _paper_angle(data: Angle | Orientation) -> str:
    return f"({_paper_joint(data.joint)}, {data.axis})"


def _paper_place(place: Place) -> str:
    joint = "-1" if place.joint is None else _paper_joint(place.joint)
    return f"{joint}, {_vector(place.offset)}"


def _paper_joint(joint: str | int) -> str:
    return str(joint) if isinstance(joint, int) else _name(joint)
