"""Comparisons of sums, brought to the one form that rules have: goal R coefficient · reference + constant.

`left_toes.y` alone does not say whether a place or an angle is meant. What it is compared with
does: a unit, the other side, or the size of the number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from ..errors import InputError
from .rules import Angle, Axis, Compare, Distance, Orientation, Place, Position

AnyQuantity: TypeAlias = Angle | Position | Orientation | Distance
METRES_TO = 3.0  # a bare number up to here is metres: a figure's reach and more
DEGREES_FROM = 20.0  # and from here on degrees; between, the unit must be said
_SIGNS: dict[str, Compare] = {
    ">": ">",
    ">=": ">",
    "≥": ">",
    "<": "<",
    "<=": "<",
    "≤": "<",
    "=": "=",
    "==": "=",
}
_TURNED: dict[Compare, Compare] = {">": "<", "<": ">", "=": "="}
_TYPES = {">": "ABOVE", "<": "BELOW", "=": "EQUAL"}


@dataclass(frozen=True, slots=True)
class Number:
    """A value in metres or degrees, and which of the two was said: `m`, `deg` or nothing."""

    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Coordinate:
    """`left_toes.y`: a place's coordinate or a joint's angle, which is not settled yet."""

    place: Place
    axis: str


@dataclass(frozen=True, slots=True)
class Sum:
    """coefficient · quantity + numbers."""

    quantity: AnyQuantity | Coordinate | None
    coefficient: float
    numbers: tuple[Number, ...]
    multiplied: bool = False

    def plus(self, number: Number) -> Sum:
        if len(self.numbers) > 0:
            raise InputError("one number can be added; add the numbers up")
        return replace(self, numbers=(*self.numbers, number))

    @property
    def constant(self) -> float:
        return sum(n.value for n in self.numbers)


@dataclass(frozen=True, slots=True)
class Claim:
    """goal R coefficient · reference + constant."""

    goal: AnyQuantity
    compare: Compare
    coefficient: float
    reference: AnyQuantity | None
    constant: float
    ignored_error: float = 0.0

    @property
    def unit_of(self) -> str:
        return _unit(self.goal)

    def within(self, error: float) -> Claim:
        return replace(self, ignored_error=error)

    def unit(self) -> dict[str, Any]:
        """As the fields of a Comparison."""
        kind = "GIVEN" if self.reference is None else "ANOTHER"
        return {
            "type": f"{_TYPES[self.compare]}_{kind}",
            "data": self.goal,
            "reference": self.reference,
            "given_value": self.constant,
            "ignored_error": self.ignored_error,
        }


def claims(sums: Sequence[Sum], signs: Sequence[str]) -> list[Claim]:
    """a R b, or a R b R c, as claims; InputError where it makes no sense."""
    kind = _kind(sums)
    made = [replace(s, quantity=None if s.quantity is None else settled(s.quantity, kind)) for s in sums]
    if len(made) == 3 and made[1].quantity is None:
        raise InputError("between two comparisons there must be what is compared, such as 0 <= knee.x <= 150")
    if len(made) == 3 and _SIGNS[signs[0]] != _SIGNS[signs[1]]:
        raise InputError("two comparisons in one rule must point the same way, such as 0 <= knee.x <= 150")
    pairs = zip(made, made[1:], signs, strict=False)
    return [_claim(left, right, _SIGNS[sign]) for left, right, sign in pairs]


def settled(quantity: AnyQuantity | Coordinate, kind: str = "position") -> AnyQuantity:
    """A coordinate as what it turned out to be: a place's, unless something says angle."""
    if not isinstance(quantity, Coordinate):
        return quantity
    place = quantity.place
    axis: Axis = quantity.axis  # type: ignore[assignment]  # the grammar has only three
    if kind != "angle":
        return Position(point=place, axis=axis)
    if place.joint is None or any(place.offset):
        raise InputError("an angle belongs to a joint, not to a point beside it or in the world")
    return Angle(joint=place.joint, axis=axis)


def _kind(sums: Sequence[Sum]) -> str:
    """What coordinates in these sums are: angle or position."""
    said = {
        _unit(s.quantity) for s in sums if s.quantity is not None and not isinstance(s.quantity, Coordinate)
    }
    said |= {n.unit for s in sums for n in s.numbers if n.unit}
    if any(s.multiplied and isinstance(s.quantity, Coordinate) for s in sums):
        said.add("deg")
    if "m" in said and "deg" in said:
        raise InputError("metres and degrees cannot be compared; angles are degrees, places metres")
    if said:
        return "angle" if "deg" in said else "position"
    largest = max((abs(n.value) for s in sums for n in s.numbers), default=0.0)
    if METRES_TO < largest < DEGREES_FROM and any(isinstance(s.quantity, Coordinate) for s in sums):
        raise InputError(f"say {largest:g} m for a place or {largest:g} deg for a joint's angle")
    return "angle" if largest >= DEGREES_FROM else "position"


def _unit(quantity: AnyQuantity | Coordinate | None) -> str:
    if isinstance(quantity, Angle) and quantity.joint == "phantom":
        return "m"
    return "deg" if isinstance(quantity, (Angle, Orientation)) else "m"


def _claim(left: Sum, right: Sum, compare: Compare) -> Claim:
    if left.quantity is None:
        left, right, compare = right, left, _TURNED[compare]
    goal = left.quantity
    if goal is None:
        raise InputError("one side must be what is compared, such as left_toes.y, but both are numbers")
    if isinstance(goal, Coordinate) or isinstance(right.quantity, Coordinate):
        raise AssertionError("coordinates are settled before")
    if left.multiplied:
        raise InputError("a coefficient stands on the right, as in (30, x) < 2 * (31, y) + 20")
    if right.multiplied and not isinstance(right.quantity, Angle):
        raise InputError("only angles can be multiplied")
    if right.quantity is not None and right.quantity.kind != goal.kind:
        raise InputError(
            f"two of one kind can be compared, but these are {goal.kind} and {right.quantity.kind}"
        )
    constant = right.constant - left.constant
    return Claim(goal, compare, right.coefficient, right.quantity, constant)
