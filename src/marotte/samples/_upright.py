"""Standing figures: planted feet, the weight carried over them, and hips and knees that give way.

A take says where the centre of mass goes, how the hips turn, and what trunk, head and arms do. The
hips then go wherever they must for the mass to be there: they move back when the trunk bends and
the arms reach forward, as people's do (Alexandrov and others 1998), and they come down as far as
the straighter leg asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..figure import Contact, FloatArray, Motion, Point
from ..figure.rotations import from_euler
from ._balance import balanced
from ._body import SIDES, Body
from ._feet import Stance, foot_contacts, foot_path, foot_shape
from ._stand import standing

Curve = Callable[[FloatArray], FloatArray]

AHEAD = 0.045  # metres: the centre of mass ahead of the ankles in quiet standing
EASY = 5.0  # degrees: the least that a knee is bent when nothing asks for more
_CORNER = 0.006  # metres: over which the hips' height goes over from one leg's to the other's


@dataclass(frozen=True, slots=True)
class Touch:
    """A hand that touches a thing, seconds."""

    side: str
    thing: str
    on: float
    off: float


@dataclass(frozen=True, slots=True)
class Upright:
    """What a figure on two planted feet does."""

    seconds: float
    feet: Mapping[str, Stance]
    weight: Curve  # (F, 2): the centre of mass above the ground, x and z, metres
    hips: Curve  # (F, 3): heading, list (positive: left side up) and forward tilt, degrees
    upper: Callable[[Body, FloatArray], None]  # poses trunk, head and arms at times (F,)
    knees: Curve  # (F,): the least bend of the straighter knee, degrees

    def motion(
        self,
        name: str,
        frame_rate: float,
        *,
        touches: Iterable[Touch] = (),
        points: Sequence[Point] = (),
    ) -> Motion:
        """The take."""
        frames = round(self.seconds * frame_rate)
        t = np.arange(frames + 1) / frame_rate
        curve = balanced(self.pose, self._centre, self.seconds, np.zeros(3), level=True)
        contacts = [c for s in SIDES for c in foot_contacts([self.feet[s]], s, frames + 1, frame_rate)]
        contacts += hand_contacts(touches, frames + 1, frame_rate)
        return self.pose(curve, t).motion(name, frame_rate, contacts=contacts, points=points)

    def _centre(self, t: FloatArray) -> FloatArray:
        x, z = self.weight(t).T
        return np.stack([x, np.ones_like(x), z], axis=1)

    def pose(self, curve: Curve, t: FloatArray) -> Body:
        """The body at times (F,), its hips above a path (F, 3)."""
        body = Body(len(t))
        body.hips_at(curve(t), from_euler(np.radians(self.hips(t)), "YZX"))
        shape, least = foot_shape(body.skeleton), np.radians(self.knees(t))
        paths = {side: foot_path([self.feet[side]], t, shape, ()) for side in SIDES}
        left, right = (body.leg_need(side, paths[side], least) for side in SIDES)
        body.root[:, 1] -= 0.5 * (left + right + np.hypot(left - right, _CORNER))
        for side in SIDES:
            body.leg(side, paths[side])
        self.upper(body, t)
        return body


class Standing(Protocol):
    """A take that is asked for its curves."""

    @property
    def seconds(self) -> float: ...
    def weight(self, t: FloatArray, /) -> FloatArray: ...
    def hips(self, t: FloatArray, /) -> FloatArray: ...
    def upper(self, body: Body, t: FloatArray, /) -> None: ...


def easy(t: FloatArray) -> FloatArray:
    """Knees of which nothing is asked."""
    return np.full_like(t, EASY)


def upright(take: Standing, stances: Mapping[str, Stance], knees: Curve = easy) -> Upright:
    """The figure of a take, on these feet."""
    return Upright(take.seconds, stances, take.weight, take.hips, take.upper, knees)


def feet(width: float = 0.24, toe_out: float = 10.0, stride: float = 0.0) -> dict[str, Stance]:
    """Both feet planted, the left one `stride` metres further ahead."""
    return {
        side: standing(side, width=width, toe_out=toe_out, ahead=ahead)
        for side, ahead in (("left", 0.5 * stride), ("right", -0.5 * stride))
    }


def hand_contacts(touches: Iterable[Touch], frames: int, frame_rate: float) -> list[Contact]:
    """The touches as frames, both ends included; one too short to be sampled is not seen."""
    found = []
    for touch in touches:
        first = max(0, int(np.ceil(touch.on * frame_rate - 1e-6)))
        last = min(frames - 1, int(np.floor(touch.off * frame_rate + 1e-6)))
        if first <= last:
            found.append(Contact(f"{touch.side}_hand", first, last, touch.thing))
    return found
