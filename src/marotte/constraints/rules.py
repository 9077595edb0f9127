"""Rules as values: what a text, a form and a YAML file all say.

A rule is one of three:

    LinearRule      angle  R  k · other angle + constant            L97 eq. 5.1
    NonlinearRule   conditions  -->  goal data  R  reference + given value    L97 eq. 5.2, 5.3
    LockRule        conditions  -->  a point stays where it is, or follows another or a path

R is greater, less or equal. Joints are named by name, index, role, named point or pattern; which
joints of which figure they are is settled when a rule meets a motion (`resolving`). Lengths are
metres, angles degrees of the file's channels, orientations degrees.
"""

from __future__ import annotations

import itertools
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, model_validator

from .._options import Options, option

PHANTOM = "phantom"
"""The joint that stands for the location of the whole figure (the place of its root)."""
NOWHERE = ("non", "none", "world")
"""Words for no joint: the offset is then a point of the world."""

Axis: TypeAlias = Literal["x", "y", "z"]
Vector: TypeAlias = tuple[float, float, float]
Compare: TypeAlias = Literal[">", "<", "="]
ComparisonType: TypeAlias = Literal[
    "ABOVE_GIVEN", "BELOW_GIVEN", "EQUAL_GIVEN", "ABOVE_ANOTHER", "BELOW_ANOTHER", "EQUAL_ANOTHER"
]
ExtremumType: TypeAlias = Literal["GLOBAL_MIN", "GLOBAL_MAX", "LOCAL_MIN", "LOCAL_MAX"]


def _joint(value: Any) -> Any:
    """A reference to a joint; words and numbers for none become None."""
    if isinstance(value, bool) or (isinstance(value, int) and value < -1):
        raise ValueError("must be a joint's name, role, pattern or index from 0")
    if value == -1:
        return None
    if isinstance(value, str):
        text = value.strip()
        if not text:
            raise ValueError("must be a joint's name, role, pattern or index, but is empty")
        if any(not c.isprintable() for c in text):
            raise ValueError("must be made of printable characters")
        if text.lower() in NOWHERE:
            return None
        return PHANTOM if text.lower() == PHANTOM else text
    return value


JointName: TypeAlias = Annotated[str | int, BeforeValidator(_joint)]
"""A joint's name, role (`left_foot`), named point, pattern (`*Toe*`), index, or `phantom`.

An index counts the joints of the skeleton from 0; the one behind the last is the phantom.
"""


class Place(Options):
    """A point: on a joint, with an offset in the joint's frame, or in the world."""

    joint: Annotated[str | int | None, BeforeValidator(_joint)] = option(
        None,
        "joint, role, named point, pattern or index; none for a point of the world",
        example="right_hand",
    )
    offset: Vector = option(
        (0.0, 0.0, 0.0),
        "from the joint, along the joint's own axes (the world's for the phantom); a place of the world "
        "where there is no joint",
        unit="m",
        example=[0, -0.19, 0],
    )


class Angle(Options):
    """The angle of one of a joint's channels, degrees (CMP_ANGLE); the phantom's are metres."""

    kind: Literal["angle"] = option("angle", "an angle of a joint")
    joint: JointName = option(..., "joint whose channel it is", example="LeftLeg")
    axis: Axis = option(..., "the axis that the channel turns about", example="x")


class Position(Options):
    """One coordinate of a point in the world, metres (CMP_POS)."""

    kind: Literal["position"] = option("position", "a coordinate of a point")
    point: Place = option(..., "the point")
    axis: Axis = option(..., "the world's axis", example="y")


class Orientation(Options):
    """A joint's turn about an axis of the world since its rest pose, degrees (CMP_ORNT).

    The twist of the joint's world orientation, relative to its orientation at rest, about that
    axis; from -180 to 180.
    """

    kind: Literal["orientation"] = option("orientation", "the turn of a joint about an axis of the world")
    joint: JointName = option(..., "the joint that turns", example="left_foot")
    axis: Axis = option(..., "the world's axis", example="x")


class Distance(Options):
    """How far two points are from each other, metres (CMP_DISTANCE). Mending moves `point`."""

    kind: Literal["distance"] = option("distance", "the distance between two points")
    point: Place = option(..., "the point that gives way")
    to: Place = option(..., "the point that stays where it is")


Quantity: TypeAlias = Annotated[Angle | Position | Orientation | Distance, Field(discriminator="kind")]
"""A number for every frame of a motion."""


def places(quantity: Angle | Position | Orientation | Distance) -> tuple[Place, ...]:
    """The points that a quantity is made of: one, two, or none for angles and orientations."""
    if isinstance(quantity, Position):
        return (quantity.point,)
    if isinstance(quantity, Distance):
        return (quantity.point, quantity.to)
    return ()


class Comparison(Options):
    """A constraint unit that compares: goal data against a number, or against other data plus one.

    ABOVE wants goal > given (or reference + given), BELOW less, EQUAL equal. It is broken where the
    goal data misses that by more than `ignored_error`.
    """

    type: ComparisonType = option(..., "what is compared with what", example="ABOVE_GIVEN")
    data: Quantity = option(..., "the goal data: what is changed when the unit must be mended")
    reference: Quantity | None = option(None, "for ..._ANOTHER, the data that stays as it is")
    given_value: float = option(
        0.0, "the bound, or what is added to the reference", unit="m or degrees", example=0.005
    )
    ignored_error: float = option(
        0.0, "the greatest error that does not count", unit="m or degrees", least=0, example=0.01
    )

    @model_validator(mode="after")
    def _fits(self) -> Comparison:
        _goal(self.type, self.data)
        if self.another and self.reference is None:
            raise ValueError(f"unit {self.type} needs reference data")
        if not self.another and self.reference is not None:
            raise ValueError(
                f"unit {self.type} has no reference data; {self.type[:6].rstrip('_')}_ANOTHER has"
            )
        if self.reference is not None and self.reference.kind != self.data.kind:
            raise ValueError(
                f"goal and reference data must be of one type, but are {self.data.kind} and "
                f"{self.reference.kind}"
            )
        _alike(self.data, self.reference)
        return self

    @property
    def compare(self) -> Compare:
        """`>`, `<` or `=`."""
        return _SIGNS[self.type.split("_")[0]]

    @property
    def another(self) -> bool:
        """Whether it compares with reference data."""
        return self.type.endswith("_ANOTHER")


class Extremum(Options):
    """A unit for conditions: valid at the frames where its data is greatest or least."""

    type: ExtremumType = option(..., "which extremum, and whether of all frames or of its neighbours")
    data: Quantity = option(..., "the data whose extrema are looked for")
    ignored_error: float = option(
        0.0, "how far from the global extremum other frames still count", unit="m or degrees", least=0
    )
    noise_width: int = option(
        0, "local extrema narrower than this are noise", unit="frames", least=0, example=6
    )

    @model_validator(mode="after")
    def _fits(self) -> Extremum:
        _goal(self.type, self.data)
        if self.noise_width and not self.local:
            raise ValueError(f"unit {self.type} has no noise width; LOCAL_MIN and LOCAL_MAX have")
        return self

    @property
    def local(self) -> bool:
        """Whether neighbours decide, or the whole of the checked frames."""
        return self.type.startswith("LOCAL")

    @property
    def greatest(self) -> bool:
        """Whether maxima are meant."""
        return self.type.endswith("MAX")


Unit: TypeAlias = Annotated[Comparison | Extremum, Field(discriminator="type")]
"""What conditions are made of."""
Frames: TypeAlias = tuple[int, int] | None
"""First and last frame, both included; negative ones count from the end. None for all."""


class LinearRule(Options):
    """angle R coefficient · other + constant: a limit, or a relation of two angles (L97 eq. 5.1).

    `=` locks the angle. Mending changes `angle`, never `other`.
    """

    kind: Literal["linear"] = option("linear", "a rule about angles of channels")
    angle: Angle = option(..., "the angle that gives way")
    compare: Compare = option(..., "what it must be: greater, less or equal", example="<")
    coefficient: float = option(1.0, "what the other angle is multiplied by")
    other: Angle | None = option(None, "the angle it is compared with; none for a limit")
    constant: float = option(0.0, "the limit, or what is added", unit="degrees", example=150)
    ignored_error: float = option(0.0, "the greatest error that does not count", unit="degrees", least=0)
    frames: Frames = option(None, "first and last frame that are checked", unit="frames")
    name: str = option("", "what reports call it; its text where it has none")

    @model_validator(mode="after")
    def _fits(self) -> LinearRule:
        if self.other is None and self.coefficient != 1.0:
            raise ValueError("coefficient must be 1 where there is no other angle")
        _alike(self.angle, self.other)
        _named(self)
        return self


class NonlinearRule(Options):
    """Where all conditions hold (everywhere without any), the body must hold (L97 eq. 5.3)."""

    kind: Literal["nonlinear"] = option("nonlinear", "a condition and what must hold where it does")
    body: Comparison = option(..., "what must hold")
    when: tuple[Unit, ...] = option((), "conditions, all of which must hold; none for always")
    frames: Frames = option(None, "first and last frame that are checked", unit="frames")
    name: str = option("", "what reports call it; its text where it has none")

    @model_validator(mode="after")
    def _fits(self) -> NonlinearRule:
        _named(self)
        return self

    @property
    def ignored_error(self) -> float:
        """The body's."""
        return self.body.ignored_error


class PathKey(Options):
    """Where a path is at one frame."""

    frame: int = option(..., "the frame", unit="frames", least=0)
    at: Vector = option(..., "the place in the world", unit="m", example=[0, 1, 0.3])


class Path(Options):
    """A way through the world: smooth between keys, without overshoot, held before and after them."""

    keys: tuple[PathKey, ...] = option(..., "places at frames that grow")

    @model_validator(mode="after")
    def _grows(self) -> Path:
        frames = [key.frame for key in self.keys]
        if not frames or any(b <= a for a, b in itertools.pairwise(frames)):
            raise ValueError("a path must have keys, each at a later frame than the one before")
        return self


class LockRule(Options):
    """A point that stays: where it is, at a place, at another point, or on a path.

    Without `to` the point is held where it is at the first frame of each stretch of frames at which
    the conditions hold. With `turn` its joint keeps the orientation of that first frame as well.
    """

    kind: Literal["lock"] = option("lock", "a point that must stay")
    point: Place = option(..., "the point that is held")
    to: Place | Path | None = option(None, "where to: a point, a path, or where it is")
    axes: str = option("xyz", "which of the world's coordinates are held", example="xz")
    turn: bool = option(False, "whether the joint's orientation is held too")
    when: tuple[Unit, ...] = option((), "conditions, all of which must hold; none for always")
    ignored_error: float = option(
        0.0, "the greatest error that does not count", unit="m", least=0, example=0.01
    )
    ignored_turn: float = option(
        0.0, "with turn, the greatest turn that does not count", unit="degrees", least=0, example=2
    )
    frames: Frames = option(None, "first and last frame that are checked", unit="frames")
    name: str = option("", "what reports call it; its text where it has none")

    @model_validator(mode="after")
    def _fits(self) -> LockRule:
        if self.point.joint is None:
            raise ValueError("lock must name a joint; a point of the world does not move")
        if self.ignored_turn and not self.turn:
            raise ValueError("ignored_turn needs turn")
        if not self.axes or "".join(a for a in "xyz" if a in self.axes) != self.axes:
            raise ValueError("axes must be some of xyz, in this order")
        _named(self)
        return self


Rule: TypeAlias = Annotated[LinearRule | NonlinearRule | LockRule, Field(discriminator="kind")]
"""Any rule."""

_SIGNS: dict[str, Compare] = {"ABOVE": ">", "BELOW": "<", "EQUAL": "="}


def _goal(what: str, data: Angle | Position | Orientation | Distance) -> None:
    """Goal data sits on the figure: only the figure can give way."""
    points = places(data)
    if points and points[0].joint is None:
        raise ValueError(f"the first point of {what} must be on a joint, but is a point of the world")


def _alike(one: object, other: object) -> None:
    """The phantom's place, in metres, is not compared with angles."""
    joints = {data.joint for data in (one, other) if isinstance(data, Angle)}
    if len(joints) == 2 and PHANTOM in joints:
        raise ValueError("the phantom's place cannot be compared with an angle")


def _named(rule: LinearRule | NonlinearRule | LockRule) -> None:
    if any(not c.isprintable() for c in rule.name):
        raise ValueError("name must be made of printable characters, on one line")
    if rule.frames is not None:
        first, last = rule.frames
        if (first < 0) == (last < 0) and last < first:
            raise ValueError(f"the last frame must not come before the first, but is {last}, before {first}")
