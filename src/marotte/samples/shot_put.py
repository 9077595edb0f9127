"""Putting the shot from a stand: coiled over the back leg, hips first, the hand last.

The order is that of the power position and delivery of putters (Zatsiorsky, Lanka and Shalmanov
1981): the weight over a bent back knee, shoulders turned away further than the hips, then legs, hips,
trunk and arm one after the other. Champions let go at 35 to 40° and 13 m/s (Linthorne 2001); this one
is a beginner's put without a glide or a reverse, at about 30° and 6 m/s, and both feet stay where they
are. The shot stays in the hand, as the ball of a throw does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .._options import option
from ..figure import FloatArray, Motion, Point
from ..figure.rotations import rotate
from ._body import SIDES, Body, FootPath, sign
from ._curves import keyed, step
from ._feet import Stance, Swing, carried, foot_contacts, foot_path, foot_shape
from ._hurl import Fling, flung
from ._stand import ALWAYS
from ._take import Take, TakeOptions
from ._variation import Variation, breath

SHOT = 0.06  # metres: the radius of a shot of 7.26 kg


class ShotPutOptions(TakeOptions):
    """Put the shot from a stand, sideways to the throw."""

    power: float = option(
        1.0, "how deep the coil, how quick the delivery, how high the heels rise", least=0.6, most=1.25
    )
    hand: Literal["left", "right"] = option("right", "the hand that puts", example="left")


@dataclass(frozen=True, slots=True)
class _Put:
    options: ShotPutOptions
    v: Variation

    @property
    def s(self) -> float:
        """1 when the left hand puts, −1 when the right does."""
        return sign(self.options.hand)

    @property
    def other(self) -> str:
        return "right" if self.options.hand == "left" else "left"

    @property
    def coil(self) -> float:
        """When the coiling begins, seconds."""
        return 0.45

    @property
    def low(self) -> float:
        """When it is deepest."""
        return self.coil + 0.78 * self.v.scale("coil", 0.05)

    @property
    def drive(self) -> float:
        """When the legs begin to push."""
        return self.low + 0.22

    @property
    def leave(self) -> float:
        """When the shot leaves the hand."""
        return self.drive + 0.50 * math.pow(self.options.power, -0.6) * self.v.scale("drive", 0.04)

    @property
    def seconds(self) -> float:
        return self.leave + 1.7

    # ---- the ground: feet apart along the throw, which goes to the side of the other hand

    def stances(self, side: str) -> list[Stance]:
        s, power = self.s, self.options.power
        if side == self.other:  # in front, its toes a little to the throw
            return [Stance(on=ALWAYS[0], off=ALWAYS[1], x=-s * 0.37, z=0.05, heading=-s * math.radians(32.0))]
        heel = self.leave + 0.42
        back = Stance(on=ALWAYS[0], off=ALWAYS[1], x=s * 0.37, z=-0.03, heading=-s * math.radians(16.0))
        return [
            _rolling(back, ALWAYS[0], heel, lift=heel - self.drive - 0.05, push=-(24.0 + 22.0 * power)),
            _falling(back, heel, strike=-(24.0 + 22.0 * power)),
        ]

    def foot(self, side: str, t: FloatArray, body: Body) -> FootPath:
        return foot_path(self.stances(side), t, foot_shape(body.skeleton), carried(Swing(), side))

    # ---- the body

    def pose(self, t: FloatArray) -> tuple[Body, Point]:
        body = Body(len(t))
        s, p = self.s, self.options.power
        coil, low, drive, leave, end = self.coil, self.low, self.drive, self.leave, self.seconds - 0.35
        span = leave - drive

        def at(ahead: float, up: float, z: float = 0.0) -> FloatArray:
            return np.array([-s * ahead, up, z])

        deep = 0.72 + 0.30 * p
        place = keyed(t, [
            (0.2, at(0.0, 0.872)), (coil, at(0.02, 0.874)),
            (low, at(-0.15 * deep, 0.895 - 0.115 * deep, -0.03)),
            (drive, at(-0.15 * deep, 0.893 - 0.115 * deep, -0.03)),
            (drive + 0.55 * span, at(0.07, 0.835, 0.0)), (leave, at(0.14, 0.872, 0.02)),
            (leave + 0.24, at(0.175, 0.858, 0.03)), (leave + 0.6, at(0.14, 0.852, 0.02)),
            (end, at(0.0, 0.872)),
        ], 0.18)  # fmt: skip
        hips = keyed(t, [
            (coil, 0.0), (low, 22.0 * deep), (drive, 20.0 * deep), (drive + 0.55 * span, -34.0),
            (leave, -50.0), (leave + 0.3, -53.0), (leave + 0.65, -42.0), (end, 0.0),
        ], 0.14)  # fmt: skip
        tilt = keyed(t, [
            (coil, 3.0), (low, 22.0 * deep), (drive, 20.0 * deep), (drive + 0.6 * span, 6.0), (leave, -2.0),
            (leave + 0.3, 9.0), (leave + 0.7, 8.0), (end, 3.0),
        ], 0.16)  # fmt: skip
        list_ = keyed(t, [
            (coil, 0.0), (low, 9.0 * deep), (drive, 8.0), (drive + 0.6 * span, -3.0), (leave, -5.0),
            (leave + 0.4, -2.0),
            (end, 0.0),
        ], 0.16)  # fmt: skip
        heading = np.radians(s * hips)
        body.hips(place, heading=heading, tilt=np.radians(tilt), list_=np.radians(-s * list_))
        for side in SIDES:
            body.leg(side, self.foot(side, t, body))
        self._trunk(body, heading, t)
        self._pushing_arm(body, t)
        self._other_arm(body, t)
        hand = body.rig[f"{self.options.hand}_hand"]
        return body, Point("shot", hand, (sign(self.options.hand) * 0.10, -0.02 - SHOT, 0.0))

    def _trunk(self, body: Body, heading: FloatArray, t: FloatArray) -> None:
        s, p = self.s, self.options.power
        coil, low, drive, leave, end = self.coil, self.low, self.drive, self.leave, self.seconds - 0.35
        span, deep = leave - drive, 0.72 + 0.30 * p
        chest = keyed(t, [
            (coil, 0.0), (low, 58.0 * deep), (drive + 0.15 * span, 60.0 * deep), (leave - 0.16 * span, -52.0),
            (leave, -80.0), (leave + 0.22, -92.0), (leave + 0.6, -68.0), (end, 0.0),
        ], 0.12)  # fmt: skip
        bend = keyed(t, [
            (coil, 3.0), (low, 18.0 * deep), (drive, 18.0 * deep), (leave - 0.35 * span, -12.0),
            (leave, -8.0),
            (leave + 0.28, 14.0), (leave + 0.7, 12.0), (end, 3.0),
        ], 0.14)  # fmt: skip
        lean = keyed(t, [
            (coil, 0.0), (low, -16.0 * deep), (drive, -15.0), (leave - 0.3 * span, -4.0), (leave, 12.0),
            (leave + 0.3, 8.0), (end, 0.0),
        ], 0.14)  # fmt: skip
        air = breath(t, self.seconds, 0.3)
        body.spine(
            bend=np.radians(bend - 0.7 * air), lean=-s * np.radians(lean),
            turn=np.radians(s * chest) - heading,
        )  # fmt: skip
        look = keyed(t, [
            (coil - 0.1, -10.0), (low, 42.0), (drive + 0.2 * span, 34.0), (leave - 0.1, -62.0),
            (leave + 0.5, -74.0),
            (end, -10.0),
        ], 0.2)  # fmt: skip
        nod = keyed(
            t,
            [(coil, 3.0), (low, 20.0), (drive, 18.0), (leave, -20.0), (leave + 0.35, -6.0), (end, 3.0)],
            0.2,
        )
        drift = 0.8 * self.v.unrest("head", t, self.seconds)
        body.gaze(heading=np.radians(s * look + drift), nod=np.radians(nod), tip=0.2 * s * np.radians(lean))

    def _pushing_arm(self, body: Body, t: FloatArray) -> None:
        """The hand, led: held to the neck, then straight out along the throw, then let down."""
        side, s = self.options.hand, self.s
        drive, leave, end = self.drive, self.leave, self.seconds - 0.35
        push = leave - 0.36 * (leave - drive)
        chest = body.rig.spine[-1]
        turned = body.world(chest)[1]
        hold = rotate(turned, np.array([0.03 * s, 0.15, 0.135]))  # of the wrist from the shoulder
        up, out = math.radians(50.0), np.array([-s, 0.0, 0.12])
        far = 0.53 * np.array([out[0] * math.cos(up), math.sin(up), out[2] * math.cos(up)])
        after = keyed(t, [
            (leave, far), (leave + 0.10, far), (leave + 0.42, np.array([-0.40 * s, -0.24, 0.16])),
            (leave + 0.8, np.array([-0.14 * s, -0.47, 0.14])), (end, np.array([0.10 * s, -0.50, 0.07])),
        ], 0.16)  # fmt: skip
        share = step(t, push, leave + 0.03)[:, None]
        pole = keyed(t, [
            (push, np.array([0.75 * s, -0.55, -0.2])), (leave, np.array([0.8 * s, -0.2, -0.4])),
            (leave + 0.5, np.array([0.6 * s, 0.1, -0.7])), (end, np.array([0.25 * s, 0.0, -1.0])),
        ], 0.16)  # fmt: skip
        rest = body.skeleton.offsets
        collar, arm = (body.rig[f"{side}_{part}"] for part in ("shoulder", "upper_arm"))
        shoulder = body.at(chest, rest[collar] + rest[arm])
        wrist = shoulder + (1.0 - share) * hold + share * after
        forward = keyed(t, [(drive, -6.0), (leave, 18.0), (leave + 0.4, 8.0), (end, 0.0)], 0.12)
        body.reach(side, wrist, rotate(turned, pole), forward=np.radians(forward))
        bent = keyed(
            t,
            [(push, -60.0), (leave - 0.02, -30.0), (leave + 0.07, 34.0), (leave + 0.4, 12.0), (end, 8.0)],
            0.08,
        )
        thumb = keyed(t, [(push, 0.0), (leave + 0.08, 30.0), (end, 10.0)], 0.12)
        body.hand(side, pronation=np.radians(thumb), wrist=np.radians(bent))

    def _other_arm(self, body: Body, t: FloatArray) -> None:
        coil, low, drive, leave, end = self.coil, self.low, self.drive, self.leave, self.seconds - 0.35
        span = leave - drive
        fling = Fling(
            across=((0.1, 30.0), (coil, 34.0), (low, 74.0), (drive, 74.0), (drive + 0.6 * span, 0.0),
                    (leave, -18.0),
                    (leave + 0.3, -4.0), (end, 24.0)),
            raised=((0.1, -46.0), (coil, -20.0), (low, -16.0), (drive, -14.0), (drive + 0.55 * span, 8.0),
                    (leave, -44.0),
                    (leave + 0.4, -56.0), (end, -74.0)),
            outward=((0.1, -10.0), (low, -6.0), (drive + 0.5 * span, 10.0), (leave, 24.0), (end, -6.0)),
            elbow=((0.1, 40.0), (coil, 34.0), (low, 48.0), (drive, 46.0), (drive + 0.5 * span, 34.0),
                   (leave, 104.0),
                   (leave + 0.4, 84.0), (end, 22.0)),
            wrist=((0.1, 6.0), (end, 6.0)),
            turned=((0.1, 14.0), (end, 10.0)),
            rounding=0.14,
        )  # fmt: skip
        flung(body, self.other, fling, t)


def _rolling(stance: Stance, on: float, off: float, *, lift: float, push: float) -> Stance:
    """The stance, whose heel has risen when it ends, to rest there."""
    return Stance(
        on=on, off=off, x=stance.x, z=stance.z, heading=stance.heading, lift=lift, push=push, push_speed=0.0
    )


def _falling(stance: Stance, on: float, *, strike: float) -> Stance:
    """The stance again, whose heel comes down."""
    return Stance(
        on=on, off=ALWAYS[1], x=stance.x, z=stance.z, heading=stance.heading, flat=0.6, strike=strike
    )


def _shot_put(options: ShotPutOptions) -> Motion:
    put = _Put(options, Variation(options.seed))
    frames = math.floor(put.seconds * options.frame_rate)
    body, shot = put.pose(np.arange(frames + 1) / options.frame_rate)
    contacts = [
        contact for side in SIDES
        for contact in foot_contacts([_whole(put.stances(side))], side, body.frames, options.frame_rate)
    ]  # fmt: skip
    return body.motion("shot put", options.frame_rate, contacts=contacts, points=[shot])


def _whole(stances: list[Stance]) -> Stance:
    """One contact: what lies between its stances is the turn from rising to falling on one ball."""
    return Stance(on=stances[0].on, off=stances[-1].off, x=stances[0].x, z=stances[0].z)


shot_put = Take(
    "shot_put", ShotPutOptions, _shot_put, "putting the shot from a stand, both feet on the ground"
)
