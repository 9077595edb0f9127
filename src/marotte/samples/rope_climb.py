"""Climbing a rope hand over hand, the feet clamping it: knees up, clamp, stand up, reach.

The way that is taught for ropes without knots: hanging from both hands the climber draws the knees
up, clamps the rope between the feet, stands up on them, and while legs and one hand carry, each hand
in turn goes over the other. A pull gains what the legs stretch, about 0.4 m. Its timing is a choice:
no measured one of this technique was found. On a figure of other limbs hands and feet would slip
along the rope, which is why Lee and Shin (1999) retarget such a climb of 275 frames; here it is known
when they hold the rope, and where.

The rope hangs at x = 0, z = ROPE, and stays straight: a slack one would give way towards the climber,
whose centre of mass is 0.14 to 0.2 m behind it. The points `left_grip`, `right_clamp` and so on lie
on its middle while that hand or foot holds it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .._options import option
from ..figure import Contact, FloatArray, Motion
from ..figure.rotations import about, from_euler, multiply, rotate
from ._body import SIDES, Body, FootPath, X, Z, sign
from ._curves import step
from ._hands import point
from ._mass import centre_of_mass
from ._rests import Rest, bump, carried, rest_contacts
from ._take import Take, TakeOptions
from ._variation import Variation, breath

ROPE = 0.22  # metres ahead of where the climber stands
_GAIN = 0.40  # metres of one pull
_HANG = 0.95  # height of the hips before the first pull
_CLAMP = 0.52  # metres that the feet clamp below the drawn-up hips
_GRIPS = {"left": 1.81, "right": 1.99}  # metres, heights of the first grips
_PALM = (0.085, -0.034)  # from the wrist to the rope's middle: along the hand, and out of its palm
_ARCH = (-0.056, -0.034, 0.065)  # from a left ankle to the rope's middle, in the foot's frame
_STAND = 0.10  # metres that the ankles stand from the middle
_TILT = 20.0  # degrees that a hand on the rope is tilted forward from upright
_LEAN = 28.0  # degrees that it leans over the rope
_ELBOW = (0.9, -0.55, 0.15)  # where the left elbow points: out, down, a little ahead
_AWAY = 0.20  # metres that the centre of mass hangs behind the rope with the legs stretched
_SOLE = 16.0  # degrees that the soles turn towards each other on the rope


class RopeClimbOptions(TakeOptions):
    """From standing, up a rope that hangs 0.22 m ahead."""

    pulls: int = option(3, "how often the knees are drawn up; 0.4 m each", least=1, most=12)
    speed: float = option(
        0.18,
        "how fast it goes up",
        unit="m/s",
        least=0.11,
        most=0.27,
        harm="few people climb faster with their feet on the rope",
    )


@dataclass(frozen=True, slots=True)
class _Climb:
    """When everything happens, seconds."""

    pulls: int
    begin: float  # the first pull
    pull: float  # seconds of one
    v: Variation

    @property
    def end(self) -> float:
        return self.begin + self.pulls * self.pull + 0.8

    def at(self, k: int, share: float) -> float:
        """A moment of the k-th pull."""
        return self.begin + (k + share) * self.pull

    def hands(self, side: str) -> list[Rest]:
        """A hand's grips, the first one where it hangs beside the thigh."""
        first, last = (0.26, 0.86) if side == "right" else (0.62, 1.2)
        leave, hold = (0.75, 0.97) if side == "right" else (0.50, 0.72)
        rests = []
        on, height = last, _GRIPS[side] + self.v.normal(f"grip {side}", 0.006)
        for k in range(self.pulls):
            rests.append(Rest(on, self.at(k, leave), 0.0, height, ROPE))
            on, height = self.at(k, hold), height + _GAIN
        rests.append(Rest(on, 1e6, 0.0, height, ROPE))
        return [Rest(-10.0, first), *rests]

    def feet(self, side: str) -> list[Rest]:
        """On the ground, then the clamps."""
        height = _HANG - _CLAMP
        rests = [Rest(-10.0, self.at(0, 0.04))]
        for k in range(self.pulls):
            last = k == self.pulls - 1
            late = 0.012 * sign(side)
            off = 1e6 if last else self.at(k + 1, 0.04 + late)
            rests.append(Rest(self.at(k, 0.37 + late), off, 0.0, height + k * _GAIN, ROPE))
        return rests

    def risen(self, t: FloatArray) -> FloatArray:
        """(F,) metres that the hips have come up."""
        up = [step(t, self.at(k, 0.34), self.at(k, 0.90)) for k in range(self.pulls)]
        return np.asarray(_GAIN * np.sum(up, axis=0))

    def tucked(self, t: FloatArray) -> FloatArray:
        """(F,) 0 with the legs stretched, 1 with the knees drawn up."""
        up = [
            step(t, self.at(k, 0.0), self.at(k, 0.36)) - step(t, self.at(k, 0.36), self.at(k, 0.86))
            for k in range(self.pulls)
        ]
        return np.asarray(np.sum(up, axis=0))


def _rope_climb(options: RopeClimbOptions) -> Motion:
    v = Variation(options.seed)
    climb = _Climb(options.pulls, 1.35, _GAIN / options.speed * v.scale("pull", 0.04), v)
    frames = round(climb.end * options.frame_rate)
    t = np.arange(frames + 1) / options.frame_rate
    # who hangs hangs near below the grips
    hanging = step(t, climb.at(0, 0.0), climb.at(0, 0.36))
    behind = np.zeros_like(t)
    body = _posed(climb, t, behind)
    stood = centre_of_mass(body)[:, 2]
    target = stood + hanging * (ROPE - _AWAY + 0.06 * climb.tucked(t) - stood)
    for _ in range(10):
        behind = behind + target - centre_of_mass(body)[:, 2]
        body = _posed(climb, t, behind)
    contacts: list[Contact] = []
    for side in SIDES:
        grips, clamps = climb.hands(side)[1:], climb.feet(side)
        contacts += rest_contacts(grips, f"{side}_hand", len(t), options.frame_rate, "rope")
        contacts += rest_contacts(clamps[:1], f"{side}_foot", len(t), options.frame_rate)
        contacts += rest_contacts(clamps[1:], f"{side}_foot", len(t), options.frame_rate, "rope")
    points = [
        point(f"{s}_{name}", body.rig[f"{s}_{role}"], offset(s))
        for s in SIDES
        for name, role, offset in (("grip", "hand", _grip), ("clamp", "foot", _clamp))
    ]
    return body.motion("rope climb", options.frame_rate, contacts=contacts, points=points)


def _grip(side: str) -> FloatArray:
    return np.array([sign(side) * _PALM[0], _PALM[1], 0.0])


def _clamp(side: str) -> FloatArray:
    return np.array([sign(side) * _ARCH[0], _ARCH[1], _ARCH[2]])


def _posed(climb: _Climb, t: FloatArray, behind: FloatArray) -> Body:
    body = Body(len(t))
    tuck = climb.tucked(t)
    v, end = climb.v, climb.end
    sway = 0.004 * v.unrest("sway", t, end) * step(t, 0.0, climb.begin)
    place = np.stack([sway, _HANG + climb.risen(t), behind], axis=1)
    body.hips(place, tilt=np.radians(2.0 - 18.0 * tuck))
    reaching = {s: carried(climb.hands(s)[1:], t).air for s in SIDES}
    lean = reaching["left"] - reaching["right"]
    body.spine(
        bend=np.radians(2.0 + 24.0 * tuck - 0.8 * breath(t, end, 0.4)),
        lean=np.radians(-7.0 * lean + 0.8 * v.unrest("lean", t, end)),
        turn=np.radians(-6.0 * lean),
    )
    up = step(t, 0.1, 0.7)
    body.gaze(
        heading=np.radians(2.0 * v.unrest("look", t, end)),
        nod=np.radians(4.0 - up * (24.0 - 16.0 * tuck)),
    )
    for side in SIDES:
        _leg(body, climb, side, t, tuck)
        _arm(body, climb, side, t, tuck)
    return body


def _leg(body: Body, climb: _Climb, side: str, t: FloatArray, tuck: FloatArray) -> None:
    s = sign(side)
    rests = climb.feet(side)
    at = carried(rests[1:], t)
    clamped = step(t, rests[0].off, rests[1].on)
    loose = at.air + bump(t, rests[0].off, rests[1].on)
    # on the ground flat, toes a little out; on the rope the soles turn towards each other
    heading = s * np.radians(8.0 * (1.0 - clamped))
    roll = s * np.radians(_SOLE * clamped - 8.0 * at.air)
    pitch = np.radians(26.0 * clamped - 6.0 * at.air)
    turned = from_euler(np.stack([heading, pitch, roll], axis=-1), "YXZ")
    ground = np.array([s * _STAND, body.skeleton.rest_positions()[body.rig["left_foot"], 1], 0.0])
    clamp = at.place - rotate(turned, np.broadcast_to(_clamp(side), at.place.shape))
    ankle = ground + clamped[:, None] * (clamp - ground)
    ankle += loose[:, None] * np.array([s * 0.05, 0.0, -0.03])
    body.leg(side, FootPath(ankle, turned, np.zeros_like(t)), out=np.radians(4.0 + 14.0 * tuck))


def _arm(body: Body, climb: _Climb, side: str, t: FloatArray, tuck: FloatArray) -> None:
    s = sign(side)
    rests = climb.hands(side)
    held = carried(rests[1:], t)
    lift = step(t, rests[0].off, rests[1].on)
    raising = bump(t, rests[0].off, rests[1].on)
    turned = _hand(side, 8.0 + (172.0 - _TILT) * lift - 14.0 * held.air, lift)
    wrist = held.place - rotate(turned, np.broadcast_to(_grip(side), held.place.shape))
    hanging = np.array([s * 0.24, 0.90, 0.04])
    wrist = hanging + lift[:, None] * (wrist - hanging)
    wrist += held.air[:, None] * np.array([s * 0.06, 0.0, -0.05])
    wrist += raising[:, None] * np.array([s * 0.05, 0.0, 0.20])
    first, then = np.array([s * 0.4, 0.0, -1.0]), np.array([s * _ELBOW[0], _ELBOW[1], _ELBOW[2]])
    body.reach(
        side,
        wrist,
        first + lift[:, None] * (then - first),
        hand=turned,
        shrug=np.radians(7.0 * tuck + 6.0 * held.air),
    )


def _hand(side: str, raised: FloatArray, hold: FloatArray) -> FloatArray:
    """(F, 4) a hand raised forward from hanging by so many degrees, its palm to the middle; the
    more it holds the rope, the more it leans over it."""
    hanging = from_euler(np.array([-sign(side) * 0.5 * math.pi]), "Z")
    lean = about(Z, sign(side) * math.radians(_LEAN) * hold)
    return multiply(lean, multiply(about(X, -np.radians(raised)), hanging))


rope_climb = Take(
    "rope_climb", RopeClimbOptions, _rope_climb, "climbing a rope hand over hand, the feet clamping it"
)
