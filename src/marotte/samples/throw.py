"""Throwing overarm: weight back, a step towards the target, hips, trunk and arm one after the other.

Times and angles follow pitchers as Fleisig and others (1999) and Dillman and others (1993) measured
them, at the speed of somebody who throws a ball across a yard: the foot lands with the arm half
cocked, hips turn before shoulders, the upper arm stays square to the trunk, is turned out to some
165° with what the trunk adds, and turns in as the elbow stretches. The point `ball` stays in the hand:
it is let go where it is fastest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from .._options import option
from ..figure import FloatArray, Motion, Point
from ._body import SIDES, Body, FootPath, sign
from ._curves import keyed
from ._feet import Stance, Swing, Way, carried, foot_contacts, foot_path, foot_shape
from ._hurl import Fling, flung, held, point_speed
from ._stand import ALWAYS, standing, until
from ._take import Take, TakeOptions
from ._variation import Variation, breath

BALL = 0.037  # metres: the radius of a baseball
_FINE = 240.0  # frames a second at which the speed of the ball is measured


class ThrowOptions(TakeOptions):
    """Throw a ball overarm."""

    speed: float = option(
        16.0,
        "of the ball as it is let go: the arm is quicker, the step longer",
        unit="m/s",
        least=14,
        most=19,
    )
    direction: float = option(
        0.0, "of the target, to the left of straight ahead", unit="deg", least=-20, most=20
    )
    hand: Literal["left", "right"] = option("right", "the hand that throws", example="left")


@dataclass(frozen=True, slots=True)
class _Throw:
    options: ThrowOptions
    v: Variation
    whip: float  # seconds from the foot's landing to the ball's leaving

    @property
    def s(self) -> float:
        """1 when the left hand throws, −1 when the right does."""
        return sign(self.options.hand)

    @property
    def other(self) -> str:
        return "right" if self.options.hand == "left" else "left"

    @property
    def far(self) -> float:
        """0 for the softest throw, 1 for the hardest."""
        return (self.options.speed - 14.0) / 5.0

    @property
    def way(self) -> float:
        return math.radians(self.options.direction)

    @property
    def lifted(self) -> float:
        """When the stepping foot leaves the ground, seconds."""
        return 0.62 * self.v.scale("windup", 0.05)

    @property
    def planted(self) -> float:
        """When it lands."""
        return self.lifted + 0.62 * self.v.scale("stride", 0.04)

    @property
    def released(self) -> float:
        return self.planted + self.whip

    @property
    def over(self) -> float:
        return self.released + 1.15

    @property
    def seconds(self) -> float:
        return self.over + 0.45

    # ---- the ground

    def placed(self, aside: float, ahead: float) -> tuple[float, float]:
        """x and z of a place seen from the target's direction: towards the throwing hand, ahead."""
        c, n = math.cos(self.way), math.sin(self.way)
        left = self.s * aside
        return left * c + ahead * n, -left * n + ahead * c

    def stances(self, side: str) -> list[Stance]:
        s, stride = self.s, 0.56 + 0.12 * self.far
        if side == self.other:
            x, z = self.placed(-0.07, stride)
            return [
                until(standing(side, width=0.26, toe_out=4.0, ahead=0.10), self.lifted,
                      lift=0.20, push=-34.0, push_speed=-260.0, toe_push=-8.0),
                Stance(on=self.planted, off=ALWAYS[1], x=x, z=z, heading=self.way + 0.06 * s,
                       flat=0.07, strike=13.0, strike_speed=-260.0),
            ]  # fmt: skip
        x, z = self.placed(0.19, stride + 0.02)
        left, out = self.released + 0.10, s * math.radians(29.0) + 0.8 * self.way
        return [
            until(replace(standing(side, width=0.26, ahead=-0.13), heading=out), left,
                  lift=left - self.planted + 0.06, push=-66.0, push_speed=-260.0, toe_push=-30.0),
            Stance(on=left + 0.46, off=ALWAYS[1], x=x, z=z, heading=self.way + s * math.radians(8.0),
                   flat=0.09, strike=-12.0, strike_speed=120.0),
        ]  # fmt: skip

    def feet(self, t: FloatArray, body: Body) -> dict[str, FootPath]:
        shape, out = foot_shape(body.skeleton), {}
        for side in SIDES:
            if side == self.other:
                ways = (Way(0.30, 0.10, 0.20, -30.0), Way(0.66, 0.55, 0.16, -8.0))
            else:
                ways = (Way(0.34, 0.30, 0.15, -52.0), Way(0.70, 0.78, 0.08, -20.0))
            out[side] = foot_path(self.stances(side), t, shape, carried(Swing(ways=ways, toes=6.0), side))
        return out

    # ---- the body

    def hips(self, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Place (F, 3), heading, tilt and list, radians."""
        d, s, go, lift, end = self.options.direction, self.s, self.planted, self.lifted, self.over
        far = 0.56 + 0.12 * self.far
        let = self.released

        def at(aside: float, ahead: float, up: float) -> np.ndarray:
            x, z = self.placed(aside, ahead)
            return np.array([x, up, z])

        place = keyed(t, [
            (0.15, at(0.0, -0.015, 0.938)), (lift - 0.02, at(0.075, -0.085, 0.918)),
            (lift + 0.24, at(0.08, -0.06, 0.912)), (go, at(0.03, 0.42 * far, 0.842)),
            (let, at(-0.01, 0.60 * far, 0.826)), (let + 0.22, at(-0.03, 0.85 * far, 0.862)),
            (let + 0.62, at(0.0, far - 0.03, 0.905)), (end, at(0.055, far - 0.01, 0.938)),
        ], 0.22)  # fmt: skip
        turn = keyed(t, [
            (0.15, s * 14.0), (lift, s * 42.0), (lift + 0.28, d + s * 66.0), (go - 0.10, d + s * 58.0),
            (go + 0.6 * self.whip, d - s * 2.0), (let + 0.24, d - s * 16.0), (let + 0.45, d - s * 16.0),
            (end - 0.1, d),
        ], 0.14)  # fmt: skip
        tilt = keyed(t, [
            (0.2, 3.0), (lift + 0.2, -2.0), (go, 5.0), (let, 16.0), (let + 0.26, 30.0), (end - 0.1, 4.0),
        ], 0.16)  # fmt: skip
        list_ = keyed(t, [
            (0.2, 0.0), (lift + 0.15, -6.0), (go, 3.0), (let, 5.0), (let + 0.3, 3.0), (end, 0.0),
        ], 0.16)  # fmt: skip
        return place, np.radians(turn), np.radians(tilt), np.radians(-s * list_)

    def pose(self, t: FloatArray) -> tuple[Body, Point]:
        body = Body(len(t))
        place, turn, tilt, list_ = self.hips(t)
        body.hips(place, heading=turn, tilt=tilt, list_=list_)
        for side, path in self.feet(t, body).items():
            body.leg(side, path)
        self._trunk(body, turn, tilt, list_, t)
        self._throwing_arm(body, t)
        self._other_arm(body, t)
        return body, held(body, self.options.hand, "ball", BALL)

    def _trunk(
        self, body: Body, turn: FloatArray, tilt: FloatArray, list_: FloatArray, t: FloatArray
    ) -> None:
        d, s, go, lift, let, end = (
            self.options.direction, self.s, self.planted, self.lifted, self.released, self.over,
        )  # fmt: skip
        chest = keyed(t, [
            (0.15, s * 14.0), (lift, s * 54.0), (lift + 0.3, d + s * 88.0),
            (go + 0.1 * self.whip, d + s * 84.0),
            (let, d - s * 16.0), (let + 0.24, d - s * 56.0), (let + 0.45, d - s * 54.0), (end, d),
        ], 0.11)  # fmt: skip
        bend = keyed(t, [
            (0.2, 2.0), (lift + 0.2, -3.0), (go + 0.3 * self.whip, -20.0), (let, 4.0), (let + 0.22, 34.0),
            (let + 0.4, 34.0), (end, 2.0),
        ], 0.13)  # fmt: skip
        lean = keyed(t, [
            (0.2, 0.0), (lift + 0.25, -5.0), (go, -6.0), (let, 24.0), (let + 0.25, 14.0), (end - 0.1, 0.0),
        ], 0.14)  # fmt: skip
        air = breath(t, self.seconds, 0.3)
        body.spine(
            bend=np.radians(bend - 0.6 * air), lean=-s * np.radians(lean) - 0.5 * list_,
            turn=np.radians(chest) - turn,
        )  # fmt: skip
        look = keyed(t, [(0.25, 0.0), (lift + 0.1, d + s * 22.0), (go, d), (end, d)], 0.25)
        nod = keyed(t, [(0.2, 3.0), (go, 0.0), (let + 0.1, 8.0), (let + 0.4, 4.0), (end, 3.0)], 0.2)
        drift = 0.8 * self.v.unrest("head", t, self.seconds)
        body.gaze(heading=np.radians(look + drift), nod=np.radians(nod), tip=-s * 0.3 * np.radians(lean))

    def _throwing_arm(self, body: Body, t: FloatArray) -> None:
        go, lift, let, end, w = self.planted, self.lifted, self.released, self.over, self.whip
        wide = self.v.normal("slot", 4.0)
        cocked = let - 0.26 * w
        fling = Fling(
            across=((0.2, 36.0), (lift, 62.0), (lift + 0.26, 22.0), (go - 0.05, -18.0), (cocked, 2.0),
                    (let, 12.0), (let + 0.14, 62.0), (let + 0.30, 78.0), (let + 0.5, 74.0), (end, 20.0)),
            raised=((0.2, -76.0), (lift, -58.0), (lift + 0.26, -62.0), (go - 0.12, -10.0),
                    (go, 2.0 + wide), (let, 6.0 + wide), (let + 0.16, -26.0), (let + 0.34, -52.0),
                    (let + 0.6, -62.0), (end, -78.0)),
            outward=((0.2, -10.0), (lift, -4.0), (lift + 0.28, -14.0), (go - 0.1, 40.0), (go + 0.1 * w, 78.0),
                     (cocked, 150.0), (let + 0.02, 84.0), (let + 0.12, 12.0), (let + 0.3, -4.0), (end, -8.0)),
            elbow=((0.2, 64.0), (lift, 86.0), (lift + 0.24, 40.0), (go - 0.05, 86.0), (cocked - 0.02, 96.0),
                   (let + 0.012, 22.0), (let + 0.16, 20.0), (let + 0.36, 46.0), (end, 20.0)),
            wrist=((0.2, 10.0), (lift + 0.3, 6.0), (cocked, -42.0), (let + 0.03, 16.0), (let + 0.15, 34.0),
                   (end, 8.0)),
            turned=((0.2, 30.0), (go, 10.0), (let, 0.0), (let + 0.12, 44.0), (end, 10.0)),
            forward=((0.2, 4.0), (go, -14.0), (let + 0.05, 8.0), (let + 0.25, 16.0), (end, 2.0)),
        )  # fmt: skip
        flung(body, self.options.hand, fling, t)

    def _other_arm(self, body: Body, t: FloatArray) -> None:
        go, lift, let, end = self.planted, self.lifted, self.released, self.over
        fling = Fling(
            across=((0.2, 36.0), (lift, 66.0), (lift + 0.3, 30.0), (go - 0.06, 26.0), (go + 0.14, 14.0),
                    (let + 0.12, -22.0), (let + 0.5, 4.0), (end, 18.0)),
            raised=((0.2, -76.0), (lift, -50.0), (lift + 0.32, -16.0), (go - 0.06, -4.0), (let, -50.0),
                    (let + 0.3, -62.0), (end, -78.0)),
            outward=((0.2, -8.0), (lift + 0.3, -24.0), (go, -20.0), (let, 20.0), (let + 0.3, 10.0),
                     (end, -8.0)),
            elbow=((0.2, 66.0), (lift, 84.0), (lift + 0.32, 30.0), (go, 28.0), (let, 106.0),
                   (let + 0.3, 96.0),
                   (end, 20.0)),
            wrist=((0.2, 10.0), (go, -6.0), (let, 18.0), (end, 8.0)),
            turned=((0.2, 30.0), (go, 16.0), (end, 10.0)),
            rounding=0.14,
        )  # fmt: skip
        flung(body, self.other, fling, t)


def _throw(options: ThrowOptions) -> Motion:
    throw = _Throw(options, Variation(options.seed), whip=0.2)
    # the whip that gives the ball its speed: the quicker the less time it has
    for _ in range(10):
        t = np.arange(throw.planted, throw.released + 0.1, 1.0 / _FINE)
        body, ball = throw.pose(t)
        fastest = float(point_speed(body, ball, _FINE).max())
        throw = replace(throw, whip=float(np.clip(throw.whip * (fastest / options.speed) ** 1.3, 0.12, 0.45)))
    frames = math.floor(throw.seconds * options.frame_rate)
    body, ball = throw.pose(np.arange(frames + 1) / options.frame_rate)
    contacts = [c for s in SIDES for c in foot_contacts(throw.stances(s), s, body.frames, options.frame_rate)]
    return body.motion("throw", options.frame_rate, contacts=contacts, points=[ball])


throw = Take("throw", ThrowOptions, _throw, "an overarm throw with a step towards the target")
