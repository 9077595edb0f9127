"""Reaching for a place with one hand, holding it, and coming back.

The hand goes along an almost straight path with the speed of the minimum-jerk curve (Flash and Hogan
1985). Eyes and head are there first (Abrams, Meyer and Kornblum 1990). Beyond what the arm does with
ease the trunk bends, leans and turns along and the knees give way, shared by what costs least, as
trunk and arm were seen to share a reach (Kaminski, Bock and Gentile 1995); the hips go back against
it. Timing does not depend on the place, so that takes for many places are one family: equal in
length, and each frame of one means what it means in the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._options import option
from ..errors import InputError
from ..figure import FloatArray, Motion
from ._body import Body, sign
from ._curves import pulse
from ._led import Led, Side, hand_point, hand_turn, hang, lead, mirrored, other_side, wrist_for
from ._mass import centre_of_mass
from ._take import Take, TakeOptions
from ._upright import AHEAD, EASY, Curve, Touch, Upright, feet
from ._variation import Variation, breath

Place = tuple[float, float, float]

PALM = (0.09, -0.025, 0.0)  # metres, the middle of the left palm in the hand's frame
# Shares of the take at which the hand leaves, is there, leaves again and hangs again.
_LEAVE, _THERE, _BACK, _HOME = 0.09, 0.45, 0.58, 0.94
_EASE = 0.48  # metres from shoulder to wrist that the arm reaches with ease
_REST = np.array([0.0, 2.0, 0.0, 0.0])  # degrees: turn, bend, lean and knees, standing
# Degrees of each that cost as much: turning and bending are cheap, leaning and crouching dear.
_CHEAP = np.array([20.0, 17.0, 9.0, 15.0])
_LEAST = np.array([-40.0, -6.0, -20.0, 0.0])
_MORE = 0.032  # metres beyond ease that the arm still gives
_ROUNDS = 30
_MOST = np.array([40.0, 52.0, 20.0, 55.0])


class ReachOptions(TakeOptions):
    """The point `palm` of the hand meets the target, at the same time wherever it is. For a family
    of 50-frame reaches take `seconds=49 / 30, frame_rate=30` and many targets."""

    hand: Side = option("right", "which hand reaches", example="left")
    target: Place | None = option(
        None,
        "where to, as x (left), y (up), z (ahead); left out, in front of the hand at the chest's height",
        unit="m",
        example=(-0.3, 1.4, 0.5),
    )
    seconds: float = option(2.4, "how long the whole take is", unit="s", least=1.6, most=8)


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """What is held at the target."""

    angles: FloatArray  # (4,) turn, bend, lean and knees, degrees
    turn: FloatArray  # (4,) world orientation of the hand


@dataclass(frozen=True)
class _Reach:
    options: ReachOptions
    v: Variation

    @cached_property
    def side(self) -> str:
        return self.options.hand

    @cached_property
    def target(self) -> FloatArray:
        given = self.options.target
        return np.array((sign(self.side) * 0.16, 1.22, 0.52) if given is None else given)

    @cached_property
    def palm(self) -> FloatArray:
        return mirrored(self.side, PALM)

    # ---- time

    def go(self, t: FloatArray, lag: float = 0.0) -> FloatArray:
        """(F,) from 0, hanging, to 1, at the target; `lag` in shares of the take."""
        u = t / self.options.seconds - lag
        return pulse(u, _LEAVE, _THERE, _BACK, _HOME)

    def early(self, t: FloatArray, by: float) -> FloatArray:
        """The same, beginning earlier and ending earlier, but there while the hand is."""
        u = t / self.options.seconds
        return pulse(u, _LEAVE - by, _THERE - by, _BACK - 0.5 * by, _HOME - by)

    # ---- the body

    def weight(self, t: FloatArray) -> FloatArray:
        x, z = self._over
        early = self.early(t, 0.03)
        rest = self.v.unrest("x", t, self.options.seconds), self.v.unrest("z", t, self.options.seconds)
        return np.stack([x * early + 0.003 * rest[0], AHEAD + z * early + 0.003 * rest[1]], axis=1)

    @cached_property
    def _over(self) -> tuple[float, float]:
        """How far the centre of mass goes along, metres."""
        x, _, z = self.target
        return float(np.clip(0.12 * x, -0.06, 0.06)), float(np.clip(0.05 * (z - 0.2), -0.02, 0.035))

    def _angles(self, t: FloatArray) -> FloatArray:
        go = self.early(t, 0.015)[:, None]
        # a breath before it bends, the trunk goes the other way
        u = t / self.options.seconds
        back = pulse(u, _LEAVE - 0.08, _LEAVE + 0.01, _LEAVE + 0.01, _LEAVE + 0.12)[:, None]
        aim = self.held.angles - _REST
        return np.asarray(_REST + go * aim - 0.05 * back * aim * np.array([1.0, 1.0, 1.0, 0.0]))

    def hips(self, t: FloatArray) -> FloatArray:
        return _hips(self._angles(t))

    def knees(self, t: FloatArray) -> FloatArray:
        return EASY + self._angles(t)[:, 3]

    def upper(self, body: Body, t: FloatArray) -> None:
        air = breath(t, self.options.seconds, 0.3)
        angles = self._angles(t)
        self._trunk(body, angles, 0.5 * air)
        self._head(body, t)
        settle = self._settle(t)
        self._other(body, self.go(t, 0.03))
        hang(body, self.side, flexion=2.0 + settle, elbow=16.0 - 0.6 * settle)
        lead(
            body,
            self.side,
            self._led(self.go(t), self.early(t, 0.03), self.held.turn),
            forward=10.0 * self.go(t, -0.01),
        )

    def _other(self, body: Body, go: FloatArray) -> None:
        """The other arm keeps hanging from the trunk, and goes a little aside."""
        hang(
            body,
            other_side(self.side),
            abduction=8.0 + 5.0 * go,
            elbow=16.0 + 8.0 * go,
        )

    def _settle(self, t: FloatArray) -> FloatArray:
        """(F,) degrees that the arm swings past where it hangs when it is back."""
        u = t / self.options.seconds
        return -5.0 * pulse(u, _BACK, _HOME - 0.05, _HOME - 0.05, 1.0 + 0.04)

    def _trunk(self, body: Body, angles: FloatArray, air: FloatArray | float) -> None:
        turn, bend, lean, _ = angles.T
        body.spine(
            bend=np.radians(0.6 * bend - air),
            lean=np.radians(lean),
            turn=np.radians(0.6 * turn),
        )

    def _head(self, body: Body, t: FloatArray) -> None:
        # from where the eyes are when it is there; the eyes do the rest of the way
        eyes = np.array([0.0, 1.62, 0.08])
        x, y, z = self.target - eyes
        heading = float(np.clip(math.degrees(math.atan2(x, max(z, 0.15))), -60.0, 60.0))
        nod = float(np.clip(-math.degrees(math.atan2(y, math.hypot(x, max(z, 0.25)))), -35.0, 45.0))
        look = self.early(t, 0.055)
        seen = self.early(t, 0.035)
        body.gaze(
            heading=np.radians(0.75 * heading * look + 0.8 * self.v.unrest("look", t, self.options.seconds)),
            nod=np.radians(2.0 + 0.7 * nod * seen),
        )

    def _led(self, share: FloatArray, turned: FloatArray, turn: FloatArray) -> Led:
        count = len(share)
        wrist = np.tile(wrist_for(self.target, turn, self.palm), (count, 1))
        # around the body, and ahead of it on the way up
        x, y, _ = self.target
        across = max(0.0, -sign(self.side) * x)
        ahead = 0.10 + 0.5 * across + 0.8 * max(0.0, y - 1.2)
        rise = -0.05 + 1.0 * max(0.0, 0.75 - y)  # the trunk comes down late
        bow = mirrored(self.side, (0.08 + 0.1 * across, rise, ahead)) * self.v.scale("bow", 0.15)
        wrist = wrist + np.outer(2.0 * share * (1.0 - share), bow)
        return Led(share, wrist, np.tile(turn, (count, 1)), turned, np.tile(self.pole, (count, 1)))

    def _aimed(self, elbow: FloatArray) -> FloatArray:
        """(4,) world orientation of the hand at the target: on from the forearm, the palm inward
        and a little down."""
        s = sign(self.side)
        fore = self.target - elbow
        out = self.target - np.array([s * 0.17, 1.40, -0.12])
        fingers = 0.75 * fore / np.linalg.norm(fore) + 0.25 * out / np.linalg.norm(out)
        up = np.array([0.0, 1.0, -0.35 - max(0.0, self.target[1] - 1.4)])
        return hand_turn(self.side, fingers, -s * np.cross(up, fingers) + np.array([0.0, -0.6, 0.0]))

    @cached_property
    def pole(self) -> FloatArray:
        """(3,) where the elbow lies: behind and out for low targets, below for those across, and
        ahead for those above the head."""
        x, y, _ = self.target
        high = float(np.clip((y - 1.0) / 0.8, 0.0, 1.2))
        across = max(0.0, -sign(self.side) * x)
        return mirrored(self.side, (0.5 + 0.3 * high - 1.2 * across, -0.85, -0.7 + 1.0 * high))

    # ---- how the body helps

    @cached_property
    def held(self) -> _Held:
        """The least that trunk and knees do for the arm to be at ease at the target.

        The distance from shoulder to wrist is made right by the cheapest turn of all, found again
        and again where the last one led; the hips are moved under the centre of mass along with it.
        The first frame of the body is the posture, the others try each angle.
        """
        base: FloatArray = _REST + np.array(
            [-7.0 * sign(self.side) + 12.0 * math.atan2(self.target[0], 1.0), 1.5, 0.0, 0.0]
        )
        angles: FloatArray = base
        place, elbow = np.zeros(3), np.array([sign(self.side) * 0.25, 1.1, 0.0])
        tries = np.vstack([np.zeros(4), np.eye(4)])
        over, turn = np.zeros(len(tries)), self._aimed(elbow)
        for _ in range(_ROUNDS):
            turn = self._aimed(elbow)
            body = self._tried(angles + tries, place, turn)
            off = np.array([self._over[0], 0.0, AHEAD + self._over[1]]) - centre_of_mass(body)[0]
            place = place + off * np.array([1.0, 0.0, 1.0])
            start = body.world(f"{self.side}_upper_arm")[0]
            elbow = elbow + 0.6 * (body.world(f"{self.side}_lower_arm")[0][0] - elbow)
            goal = wrist_for(self.target, turn, self.palm)
            over = np.linalg.norm(goal - start, axis=-1) - _EASE
            slope = over[1:] - over[0]
            angles = angles + 0.6 * (
                _cheapest(base, slope, float(over[0] + slope @ (base - angles))) - angles
            )
        if over[0] > _MORE:
            raise InputError(
                f"reach: the {self.side} hand must get to the target without a step, but it stays "
                f"{over[0] - _MORE:.2f} m short of {_told(self.target)}; bring it nearer"
            )
        return _Held(angles, turn)

    def _tried(self, angles: FloatArray, place: FloatArray, turn: FloatArray) -> Body:
        """The body at the target, a frame for each row of angles."""
        count = len(angles)
        one = np.ones(count)

        def upper(body: Body, t: FloatArray) -> None:
            self._trunk(body, angles, 0.0)
            self._other(body, one)
            hang(body, self.side)
            lead(body, self.side, self._led(one, one, turn), forward=10.0)

        figure = self._figure(lambda t: _hips(angles), lambda t: EASY + angles[:, 3], upper)
        return figure.pose(lambda t: np.tile(place, (count, 1)), one)

    def _figure(self, hips: Curve, knees: Curve, upper: Callable[[Body, FloatArray], None]) -> Upright:
        return Upright(self.options.seconds, feet(0.24, 10.0), self.weight, hips, upper, knees)

    def motion(self) -> Motion:
        there, back = (share * self.options.seconds for share in (_THERE, _BACK))
        return self._figure(self.hips, self.knees, self.upper).motion(
            "reach",
            self.options.frame_rate,
            touches=[Touch(self.side, "target", there, back)],
            points=[hand_point("palm", self.side, PALM)],
        )


def _hips(angles: FloatArray) -> FloatArray:
    turn, bend, lean, _ = angles.T
    return np.stack([0.4 * turn, -0.3 * lean, 0.4 * bend + 1.2], axis=1)


def _cheapest(base: FloatArray, slope: FloatArray, over: float) -> FloatArray:
    """(4,) the angles nearest to `base`, by what they cost, that bring the shoulder `over` nearer;
    those that come to their end leave the rest to the others."""
    angles, free = base, np.ones(4)
    for _ in range(3):
        weight = free * _CHEAP**2
        left = over + slope @ ((1.0 - free) * (angles - base))
        angles = angles * (1.0 - free) + free * base
        angles = np.asarray(
            angles - weight * slope * max(left, 0.0) / max(float(slope @ (weight * slope)), 1e-12)
        )
        inside = (angles > _LEAST) & (angles < _MOST)
        angles = np.clip(angles, _LEAST, _MOST)
        free = free * inside
    return angles


def _told(place: FloatArray) -> str:
    return "(" + ", ".join(f"{v:g}" for v in place) + ")"


def _reach(options: ReachOptions) -> Motion:
    reach = _Reach(options, Variation(options.seed))
    x, y, z = reach.target
    beside = sign(options.hand) * x
    if not (0.45 <= y <= 2.0 and (z >= 0.22 or (beside >= 0.35 and z >= -0.1))):
        raise InputError(
            "reach: the target must be 0.45 to 2 m high and at least 0.22 m ahead of the ankles, or "
            f"0.35 m to the {options.hand} of the middle, but is {_told(reach.target)}"
        )
    return reach.motion()


reach = Take("reach", ReachOptions, _reach, "one hand reaches for a target, holds it and comes back")
