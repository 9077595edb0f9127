"""What rules ask of a motion, frame by frame: where each holds, what it misses, where it wants points.

A rule becomes demands on one point or joint each. A demand knows at which frames it must hold, its
bound at each of them, and how to bring a place or an orientation to where it holds with the least
change: the nearest point of a plane, a sphere or a line (L97 5.3.3, fig. 5.14).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .. import kernels
from ..figure import FloatArray, Motion, Point
from ..figure._arrays import BoolArray, IntArray
from ..figure.rotations import about, angle_between, from_euler, inverse, multiply, rotate
from ..figure.skeleton import AXES
from ..kinematics import Distance, Goal, Position
from ..kinematics.goals import Relation

EQUAL, AT_LEAST, AT_MOST = 0, 1, -1
_RELATIONS: dict[int, Relation] = {EQUAL: "equal", AT_LEAST: "at_least", AT_MOST: "at_most"}
_VAST = 1e5  # metres; over 10 cm it bends away from its plane by a twentieth of a micrometre
_ROUNDS = 200  # of projecting onto several demands of one point in turn


class World:
    """A motion's places and orientations, worked out once."""

    def __init__(self, motion: Motion, frames: IntArray | None = None) -> None:
        self.motion = motion
        self.frames = np.arange(len(motion)) if frames is None else frames
        """(F,) which frames of the whole take these are."""
        self.places, self.turns = motion.world()
        self._angles: dict[int, FloatArray] = {}

    def at(self, point: Point) -> FloatArray:
        """(F, 3) where a point is, metres."""
        here = self.places[:, point.joint]
        if point.offset == (0.0, 0.0, 0.0):
            return here
        return np.asarray(here + rotate(self.turns[:, point.joint], np.array(point.offset)))

    def angles(self, joint: int) -> FloatArray:
        """(F, n) a joint's channels that turn, degrees, as `Motion.channels` has them."""
        found = self._angles.get(joint)
        if found is None:
            found = self._angles[joint] = joint_angles(self.motion, joint)
        return found


def joint_angles(motion: Motion, joint: int) -> FloatArray:
    """(F, n) one joint's channels that turn, degrees: as all channels have them, in less time."""
    skeleton = motion.skeleton
    order = skeleton.order(joint)
    rotations = np.ascontiguousarray(motion.rotations[:, joint : joint + 1])
    if skeleton.channel_axes is not None:
        axes = skeleton.channel_axes[joint]
        rotations = multiply(inverse(axes), multiply(rotations, axes))
    letters = np.array([[AXES.index(c) for c in order] + [-1] * (3 - len(order))], dtype=np.int64)
    columns = np.array([[0, 1, 2]], dtype=np.int64)
    values = np.zeros((len(motion), 3))
    kernels.euler.columns_from_quaternions(rotations, letters, columns, np.zeros((1, 3)), values)
    return values[:, : len(order)]


def joint_turns(motion: Motion, joint: int, angles: FloatArray) -> FloatArray:
    """(N, 4) rotations of one joint with channels (N, n), degrees."""
    turns = from_euler(np.radians(angles), motion.skeleton.order(joint))
    if motion.skeleton.channel_axes is None:
        return turns
    axes = motion.skeleton.channel_axes[joint]
    return multiply(axes, multiply(turns, inverse(axes)))


Reading = Callable[[World], FloatArray]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Demand:
    """One thing that must hold at some frames."""

    label: str
    """What reports call it."""
    rule: int
    """Which of the rules it comes from; -1 for what mending itself wants to keep."""
    point: Point
    """The point that gives way, or the joint that turns."""
    held: BoolArray
    """(F,) where it must hold."""
    bound: Reading
    """What the data is compared with: (F,), or (F, 3) for places, (F, 4) for turns."""
    relation: int = EQUAL
    ignored: float = 0.0
    """Metres or radians that do not count; degrees for angles."""
    unit: str = "m"
    inside: float = 0.0
    """How far inside a bound that is not an equality mending aims, so that it holds to the last digit."""

    @property
    def turns(self) -> bool:
        """Whether a joint's orientation is meant."""
        return False

    def off(self, world: World) -> FloatArray:
        """(F,) how far the data is from holding, signed where there is one number; 0 where it holds."""
        raise NotImplementedError

    def value_of(self, world: World) -> FloatArray:
        """(F,) the data, where it is one number."""
        raise NotImplementedError

    def misses(self, world: World) -> FloatArray:
        """(F,) how far it is from holding where it must hold."""
        return np.asarray(np.where(self.held, np.abs(self.off(world)), 0.0))

    def _one_sided(self, difference: FloatArray) -> FloatArray:
        """(F,) of bound - value, what is missing."""
        if self.relation == AT_LEAST:
            return np.asarray(np.maximum(difference, 0.0))
        if self.relation == AT_MOST:
            return np.asarray(np.minimum(difference, 0.0))
        return difference


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Along(Demand):
    """Some of a point's coordinates."""

    axes: tuple[int, ...]

    def value_of(self, world: World) -> FloatArray:
        return world.at(self.point)[:, self.axes[0]]

    def off(self, world: World) -> FloatArray:
        value = world.at(self.point)[:, self.axes]
        bound = self.bound(world).reshape(len(value), -1)
        if len(self.axes) == 1:
            return self._one_sided((bound - value)[:, 0])
        return np.asarray(np.linalg.norm(bound - value, axis=1))

    def goals(self, world: World) -> list[Goal]:
        """What a solver is to meet, the other coordinates being free: a plane is a sphere of vast radius."""
        places, bound = world.at(self.point), self.bound(world).reshape(len(world.places), -1)
        if len(self.axes) == 3:
            return [Position(point=self.point, to=bound)]
        found: list[Goal] = []
        for k, axis in enumerate(self.axes):
            centre = np.array(places)
            centre[:, axis] = bound[:, k] + self.relation * self.inside - _VAST
            found.append(Distance(a=self.point, b=centre, metres=_VAST, relation=_RELATIONS[self.relation]))
        return found

    def nearest(self, places: FloatArray, world: World) -> FloatArray:
        """(N, 3) the nearest places at which it holds."""
        out = places.copy()
        bound = self.bound(world).reshape(len(places), -1)
        for k, axis in enumerate(self.axes):
            want = bound[:, k] + self.relation * self.inside
            if self.relation == AT_LEAST:
                out[:, axis] = np.maximum(out[:, axis], want)
            elif self.relation == AT_MOST:
                out[:, axis] = np.minimum(out[:, axis], want)
            else:
                out[:, axis] = want
        return out


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Apart(Demand):
    """How far a point is from another."""

    other: Reading

    def value_of(self, world: World) -> FloatArray:
        return np.asarray(np.linalg.norm(world.at(self.point) - self.other(world), axis=1))

    def off(self, world: World) -> FloatArray:
        return self._one_sided(self.bound(world) - self.value_of(world))

    def goals(self, world: World) -> list[Goal]:
        """What a solver is to meet."""
        metres = np.maximum(self.bound(world) + self.relation * self.inside, 0.0)
        centre = np.ascontiguousarray(self.other(world))
        return [Distance(a=self.point, b=centre, metres=metres, relation=_RELATIONS[self.relation])]

    def nearest(self, places: FloatArray, world: World) -> FloatArray:
        """(N, 3) the nearest places at which it holds: on a sphere (L97 fig. 5.14)."""
        centre = self.other(world)
        want = np.maximum(self.bound(world) + self.relation * self.inside, 0.0)
        way = places - centre
        length = np.linalg.norm(way, axis=1)
        # from the centre itself every way out is as short; straight up is one of them
        way = np.where((length < 1e-9)[:, None], [0.0, 1.0, 0.0], way / np.maximum(length, 1e-9)[:, None])
        if self.relation == AT_LEAST:
            want = np.maximum(want, length)
        elif self.relation == AT_MOST:
            want = np.minimum(want, length)
        return np.asarray(centre + want[:, None] * way)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Turned(Demand):
    """A joint's turn about an axis of the world, radians."""

    axis: int
    unit: str = "rad"

    @property
    def turns(self) -> bool:
        return True

    def off(self, world: World) -> FloatArray:
        return self._one_sided(
            _wrapped(self.bound(world) - twist(world.turns[:, self.point.joint], self.axis))
        )

    def turned(self, turns: FloatArray, world: World) -> FloatArray:
        """(N, 4) orientations at which it holds, by a turn about that axis alone."""
        want = self.bound(world) + self.relation * self.inside
        missing = self._one_sided(_wrapped(want - twist(turns, self.axis)))
        return multiply(about(np.eye(3)[self.axis], missing), turns)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Oriented(Demand):
    """A joint's whole orientation in the world."""

    unit: str = "rad"

    @property
    def turns(self) -> bool:
        return True

    def off(self, world: World) -> FloatArray:
        return angle_between(self.bound(world), world.turns[:, self.point.joint])

    def turned(self, turns: FloatArray, world: World) -> FloatArray:
        """(N, 4) the orientation that is wanted."""
        return self.bound(world)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Bent(Demand):
    """A channel of a joint, degrees; of the root's path, metres."""

    index: int
    """Which of the joint's turning channels; of the root's path, which axis."""
    unit: str = "deg"
    by_limits: bool = False
    """Whether the limits that solvers hold keep it as well."""

    def value_of(self, world: World) -> FloatArray:
        if self.unit == "m":
            return world.motion.root[:, self.index]
        return world.angles(self.point.joint)[:, self.index]

    def off(self, world: World) -> FloatArray:
        return self._one_sided(self.bound(world) - self.value_of(world))

    def value(self, world: World, frames: IntArray) -> FloatArray:
        """(N,) values of the channel at which it holds."""
        now = self.value_of(world)[frames]
        want = self.bound(world)[frames] + self.relation * self.inside
        return np.asarray(now + self._one_sided(want - now))


@dataclass(slots=True, eq=False)
class Wanted:
    """What all demands on one point, or on one joint's orientation, ask for together."""

    point: Point
    demands: list[int] = field(default_factory=list)
    places: FloatArray | None = None
    """(N, 3) metres"""
    turns: FloatArray | None = None
    """(N, 4)"""
    alone: list[Goal] = field(default_factory=list)
    """What must hold of a place, and nothing else."""


def wanted(demands: dict[int, Demand], world: World) -> list[Wanted]:
    """Places and orientations, for every frame of `world`, that meet the demands with the least change.

    Several demands on one point are met together by projecting onto each in turn, which ends in a
    place that meets all where there is one, and between them where there is none.
    """
    at: dict[tuple[Point, bool], Wanted] = {}
    for number, demand in demands.items():
        if not isinstance(demand, Bent):
            key = (demand.point, demand.turns)
            at.setdefault(key, Wanted(demand.point)).demands.append(number)
    for (point, turning), want in at.items():
        group = [demands[n] for n in want.demands]
        if turning:
            turns = world.turns[:, point.joint]
            for demand in group:
                turns = demand.turned(turns, world)  # type: ignore[attr-defined]  # by its kind
            want.turns = turns
        else:
            places = world.at(point)
            for _ in range(_ROUNDS if len(group) > 1 else 1):
                before = places
                for demand in group:
                    places = demand.nearest(places, world)  # type: ignore[attr-defined]  # by its kind
                if np.abs(places - before).max() < 1e-9:
                    break
            want.places = places
            want.alone = [goal for demand in group for goal in demand.goals(world)]  # type: ignore[attr-defined]
    return list(at.values())


def twist(turns: FloatArray, axis: int) -> FloatArray:
    """(N,) radians by which orientations (N, 4) turn about an axis of the world."""
    return _wrapped(2.0 * np.arctan2(turns[:, 1 + axis], turns[:, 0]))


def _wrapped(angle: FloatArray) -> FloatArray:
    """Radians from -pi to pi."""
    return np.asarray((angle + np.pi) % (2.0 * np.pi) - np.pi)
