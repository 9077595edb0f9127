"""From rules to demands: what each rule asks at every frame of one motion."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import UnknownNameError
from ..figure import FloatArray, Motion, Point
from ..figure._arrays import BoolArray
from ..figure.channels import layout
from ..figure.signals import resolve_joint, resolve_point
from .demands import (
    AT_LEAST,
    AT_MOST,
    EQUAL,
    Along,
    Apart,
    Bent,
    Demand,
    Oriented,
    Reading,
    Turned,
    World,
    twist,
)
from .detection import Reading as RuleReading
from .fading import runs
from .gathering import path_points
from .rules import (
    PHANTOM,
    Angle,
    Distance,
    LinearRule,
    LockRule,
    NonlinearRule,
    Orientation,
    Path,
    Place,
    Position,
)

RELATIONS = {">": AT_LEAST, "<": AT_MOST, "=": EQUAL}
# How far inside a bound mending aims where the rule ignores no error: as a share of the height, radians
# and degrees. More than solvers leave, less than anybody sees.
_INSIDE, _INSIDE_TURN, _INSIDE_ANGLE = 1e-4, 1e-3, 1e-6


def demands_of(motion: Motion, readings: Iterable[RuleReading]) -> list[Demand]:
    """Demands of rules that were measured on a motion: what they ask, at the frames where they hold there."""
    found: list[Demand] = []
    for one in {r.index: r for r in readings}.values():
        rule, number, where = one.resolved.exact, one.index, one.checked
        label = one.resolved.rule.name or one.resolved.where
        if isinstance(rule, LinearRule):
            found.append(_linear(motion, number, rule, label, where))
        elif isinstance(rule, LockRule):
            found += _lock(motion, number, rule, label, where)
        else:
            found.append(_nonlinear(motion, number, rule, label, where))
    return found


def demand_of(
    motion: Motion,
    rule: LinearRule | NonlinearRule,
    values: FloatArray | None = None,
    frames: Sequence[int] | None = None,
) -> Demand:
    """One rule of resolved joints as a demand at some frames, all where left out.

    With values (F,), degrees or metres, its bound is theirs instead of the rule's.
    """
    held = np.ones(len(motion), dtype=np.bool_)
    if frames is not None:
        held[:] = False
        held[list(frames)] = True
    if isinstance(rule, LinearRule):
        demand = _linear(motion, 0, rule, "", held)
    else:
        demand = _nonlinear(motion, 0, rule, "", held)
    if values is None:
        return demand
    scale = math.radians(1.0) if isinstance(demand, Turned) else 1.0
    zero = demand.bound
    return replace(demand, bound=lambda world: zero(world) + scale * values[world.frames])


def column_of(motion: Motion, angle: Angle) -> tuple[int, int, str]:
    """The column of a channel, its joint, and its unit."""
    joint = _joint(motion, angle.joint)
    where = layout(motion.skeleton)
    if _is_phantom(motion, angle.joint):
        name = f"{motion.skeleton.names[0]}.t{angle.axis}"
    else:
        name = f"{motion.skeleton.names[joint]}.{angle.axis}"
    if name not in where.names:
        own = [n for n in where.names if n.rpartition(".")[0] == motion.skeleton.names[joint]]
        raise UnknownNameError("channel", name, own or where.names)
    column = where.names.index(name)
    return column, joint, where.units[column]


def channel_of(motion: Motion, angle: Angle) -> tuple[int, int, str]:
    """A channel: its joint, which of its turns it is (of the root's path, the axis), its unit."""
    column, joint, unit = column_of(motion, angle)
    if unit == "m":
        return joint, "xyz".index(angle.axis), unit
    return joint, int(np.flatnonzero(layout(motion.skeleton).columns[joint] == column)[0]), unit


def angle_reading(motion: Motion, angle: Angle) -> Reading:
    """What gives a channel, (F,) degrees, or metres of the root's path."""
    joint, index, unit = channel_of(motion, angle)
    if unit == "m":
        return lambda world: world.motion.root[:, index]
    return lambda world: world.angles(joint)[:, index]


def reading(motion: Motion, quantity: Angle | Position | Orientation | Distance) -> Reading:
    """What gives the quantity, (F,) metres, radians of orientations, degrees of angles."""
    if isinstance(quantity, Angle):
        return angle_reading(motion, quantity)
    if isinstance(quantity, Orientation):
        joint, axis = _joint(motion, quantity.joint), "xyz".index(quantity.axis)
        return lambda world: twist(world.turns[:, joint], axis)
    if isinstance(quantity, Distance):
        a, b = place_reading(motion, quantity.point), place_reading(motion, quantity.to)
        return lambda world: np.asarray(np.linalg.norm(a(world) - b(world), axis=1))
    at, axis = place_reading(motion, quantity.point), "xyz".index(quantity.axis)
    return lambda world: at(world)[:, axis]


def place_reading(motion: Motion, place: Place) -> Reading:
    """What gives a point's places (F, 3)."""
    if place.joint is None:
        fixed = np.array(place.offset)
        return lambda world: np.broadcast_to(fixed, (len(world.places), 3))
    if _is_phantom(motion, place.joint):
        beside = np.array(place.offset)
        return lambda world: world.places[:, 0] + beside
    point, _ = point_of(motion, place)
    return lambda world: world.at(point)


def point_of(motion: Motion, place: Place) -> tuple[Point, FloatArray]:
    """The point of the figure, and metres (3,) beside it along the world's axes, as the phantom has them."""
    assert place.joint is not None
    x, y, z = (float(v) for v in place.offset)
    if _is_phantom(motion, place.joint):
        return Point("", 0), np.array((x, y, z))
    at = resolve_point(motion, place.joint)
    a, b, c = at.offset
    return Point(at.name, at.joint, (a + x, b + y, c + z)), np.zeros(3)


def _always(value: float) -> Reading:
    """The same number at every frame."""
    return lambda world: np.full(len(world.places), value)


def _changed(other: Reading, factor: float, more: float) -> Reading:
    """Another reading, times a factor, and more."""
    return lambda world: factor * other(world) + more


def _along(other: Reading, beside: FloatArray, axes: tuple[int, ...]) -> Reading:
    """Some axes of places that another reading gives, less what the point is beside its joint."""
    return lambda world: (other(world) - beside)[:, axes]


def _nonlinear(motion: Motion, number: int, rule: NonlinearRule, label: str, held: BoolArray) -> Demand:
    body, data = rule.body, rule.body.data
    relation = RELATIONS[body.compare]
    scale = math.radians(1.0) if isinstance(data, Orientation) else 1.0
    given = body.given_value * scale
    if body.reference is None:
        bound = _always(given)
    else:
        other = reading(motion, body.reference)
        bound = _changed(other, 1.0, given)
    common: dict[str, Any] = {
        "label": label, "rule": number, "held": held, "bound": bound, "relation": relation,
        "ignored": body.ignored_error * scale,
    }  # fmt: skip
    error = body.ignored_error
    if isinstance(data, Angle):
        joint, index, unit = channel_of(motion, data)
        inside = _aim(error, _INSIDE_ANGLE)
        return Bent(point=Point("", joint), index=index, unit=unit, inside=inside, **common)
    if isinstance(data, Orientation):
        joint, inside = _joint(motion, data.joint), _aim(error * scale, _INSIDE_TURN)
        return Turned(point=Point("", joint), axis="xyz".index(data.axis), inside=inside, **common)
    inside = _aim(error, _INSIDE * motion.skeleton.height)
    point, beside = point_of(motion, data.point)
    if isinstance(data, Distance):
        away = place_reading(motion, data.to)
        return Apart(point=point, other=lambda world: away(world) - beside, inside=inside, **common)
    axis = "xyz".index(data.axis)
    common["bound"] = lambda world: bound(world) - beside[axis]
    return Along(point=point, axes=(axis,), inside=inside, **common)


def _linear(motion: Motion, number: int, rule: LinearRule, label: str, held: BoolArray) -> Demand:
    joint, index, unit = channel_of(motion, rule.angle)
    if rule.other is None:
        bound = _always(rule.constant)
    else:
        other = angle_reading(motion, rule.other)
        bound = _changed(other, rule.coefficient, rule.constant)
    return Bent(
        label=label, rule=number, point=Point("", joint), held=held, bound=bound, index=index, unit=unit,
        relation=RELATIONS[rule.compare], ignored=rule.ignored_error,
        inside=_aim(rule.ignored_error, _INSIDE_ANGLE),
    )  # fmt: skip


def _lock(motion: Motion, number: int, rule: LockRule, label: str, held: BoolArray) -> list[Demand]:
    point, beside = point_of(motion, rule.point)
    axes = tuple("xyz".index(a) for a in rule.axes)
    world = World(motion)
    if rule.to is None:
        bound = _of_frames(_first_of_each(world.at(point), held)[:, axes])
    elif isinstance(rule.to, Path):
        bound = _of_frames((path_points(rule.to, len(motion)) - beside)[:, axes])
    else:
        other = place_reading(motion, rule.to)
        bound = _along(other, beside, axes)
    common: dict[str, Any] = {"label": label, "rule": number, "held": held}
    found: list[Demand] = [Along(point=point, bound=bound, axes=axes, ignored=rule.ignored_error, **common)]
    if rule.turn:
        first = _first_of_each(world.turns[:, point.joint], held)
        ignored = math.radians(rule.ignored_turn)
        still = _of_frames(first)
        found.append(Oriented(point=Point("", point.joint), bound=still, ignored=ignored, **common))
    return found


def _first_of_each(values: FloatArray, held: BoolArray) -> FloatArray:
    """(F, …) in every stretch of `held` the value of its first frame."""
    out = np.array(values)
    for begin, end in runs(held):
        out[begin : end + 1] = values[begin]
    return out


def _of_frames(values: FloatArray) -> Reading:
    return lambda world: values[world.frames]


def _aim(ignored: float, inside: float) -> float:
    """How far inside a bound to aim: not at all where the rule ignores more than that."""
    return inside if ignored < inside else 0.0


def _is_phantom(motion: Motion, joint: str | int | None) -> bool:
    return joint in (PHANTOM, len(motion.skeleton))


def _joint(motion: Motion, joint: str | int) -> int:
    if _is_phantom(motion, joint):
        return 0
    return resolve_joint(motion, joint)
