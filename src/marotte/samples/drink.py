"""Drinking: the cup is taken from a table, or held from the first, brought to the mouth and tilted.

The phases are those of the drinking task as it is measured in clinics (Alt Murphy, Willén and
Sunnerhagen 2011): reaching, forward transport, drinking, back transport, returning. Reaching and
transport have the speed of the minimum-jerk curve. The cup stays level on its way and turns about
its rim at the lips; the head comes a little towards it and goes back as it is emptied, and the
upper arm is lifted along.

`cup` is the point of the rim that is drunk from, `mouth` the place between the lips: the distance
between them is zero while the figure drinks (the experiment of L97).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._options import option
from ..figure import FloatArray, Motion, Point, recognise
from ..figure.rotations import about, multiply
from ._body import Body, X, sign
from ._curves import pulse
from ._led import Led, Side, hand_point, hand_turn, hang, lead, mirrored, other_side, wrist_for
from ._take import Take, TakeOptions
from ._upright import AHEAD, Touch, feet, upright
from ._variation import Variation, breath
from .characters import character

MOUTH = (0.0, -0.004, 0.108)  # metres, in the head's frame
# The rim that is drunk from, in the left hand's frame: the cup's middle lies off the palm, and the
# rim above it (the thumb's side) and towards the drinker.
CUP = (0.070, -0.088, 0.050)
# Where the rim is for the left hand: on a tall table, 1.02 m high, its edge 0.37 m ahead.
_PLACE = (0.17, 1.13, 0.40)
_HELD = (0.13, 1.13, 0.27)  # where it is held
_REST = 0.12  # seconds that the hand holds the cup before it lifts it


class DrinkOptions(TakeOptions):
    """The point `cup`, where the rim is drunk from, is on the hand and meets `mouth` on the head. The
    table is 1.02 m high and begins 0.37 m ahead of the ankles."""

    hand: Side = option("right", "which hand takes the cup", example="left")
    table: bool = option(True, "take the cup from a table and put it back; else it is in the hand all along")
    sips: int = option(1, "how often it is tilted", least=1, most=6)
    tilt: float = option(50.0, "how far it is tilted, and the head with it", unit="deg", least=15, most=75)
    pace: float = option(1.0, "how quick all is", least=0.7, most=1.4)


@dataclass(frozen=True)
class _Drink:
    options: DrinkOptions
    v: Variation

    @cached_property
    def side(self) -> str:
        return self.options.hand

    # ---- time

    def _takes(self, name: str, seconds: float) -> float:
        return seconds / self.options.pace * self.v.scale(name, 0.06)

    @cached_property
    def reach(self) -> tuple[float, float]:
        """When the hand leaves for the cup, and is there."""
        start = 0.35
        return start, start + (self._takes("reach", 1.0) if self.options.table else 0.0)

    @cached_property
    def lift(self) -> tuple[float, float]:
        """When the cup leaves its place, and is at the mouth."""
        start = self.reach[1] + _REST
        return start, start + self._takes("lift", 1.1)

    @cached_property
    def sips(self) -> list[tuple[float, float, float, float]]:
        """When each tilt begins, is there, goes back, and is over."""
        at, found = self.lift[1] + 0.05, []
        for k in range(self.options.sips):
            up, stay, down = (
                self._takes(f"sip {k} {p}", s) for p, s in (("a", 0.7), ("b", 0.6), ("c", 0.55))
            )
            found.append((at, at + up, at + up + stay, at + up + stay + down))
            at = found[-1][3] + 0.15
        return found

    @cached_property
    def lower(self) -> tuple[float, float]:
        """When the cup leaves the mouth, and is at its place again."""
        start = self.sips[-1][3] + 0.05
        return start, start + self._takes("lower", 1.1)

    @cached_property
    def back(self) -> tuple[float, float]:
        """When the hand leaves the cup, and hangs again."""
        start = self.lower[1] + _REST
        return start, start + (self._takes("back", 1.0) if self.options.table else 0.0)

    @cached_property
    def seconds(self) -> float:
        return self.back[1] + 0.4

    def led(self, t: FloatArray, lag: float = 0.0) -> FloatArray:
        """(F,) how far the hand is led from where it hangs."""
        if not self.options.table:
            return np.ones_like(t)
        return pulse(t - lag, *self.reach, *self.back)

    def raised(self, t: FloatArray, lag: float = 0.0) -> FloatArray:
        """(F,) from 0, the cup at its place, to 1, at the mouth."""
        return pulse(t - lag, *self.lift, *self.lower)

    def tilted(self, t: FloatArray, lag: float = 0.0) -> FloatArray:
        """(F,) from 0, the cup level at the lips, to 1."""
        out = np.zeros_like(t)
        for k, sip in enumerate(self.sips):
            # each sip needs a little more
            out += pulse(t - lag, *sip) * (0.85 + 0.15 * (k + 1) / len(self.sips))
        return out

    # ---- the body

    def weight(self, t: FloatArray) -> FloatArray:
        s = sign(self.side)
        out, up = self.led(t, -0.1), self.raised(t, -0.1)
        x = 0.012 * s * out * (1.0 - up) - 0.015 * s * up + 0.004 * self.v.unrest("x", t, self.seconds)
        z = AHEAD + 0.015 * out * (1.0 - up) - 0.006 * self.tilted(t)
        return np.stack([x, z + 0.004 * self.v.unrest("z", t, self.seconds)], axis=1)

    def hips(self, t: FloatArray) -> FloatArray:
        s = sign(self.side)
        out, up = self.led(t, -0.06), self.raised(t, -0.04)
        go = out * (1.0 - up)
        return np.stack([-s * 3.0 * go, -s * 1.2 * up, 2.0 + 3.0 * go - 1.0 * self.tilted(t)], axis=1)

    def upper(self, body: Body, t: FloatArray) -> None:
        o, v, s = self.options, self.v, sign(self.side)
        air = breath(t, self.seconds, 0.22)
        out, up, tilt = self.led(t, -0.03), self.raised(t, 0.0), self.tilted(t, 0.03)
        full = o.tilt / 50.0
        go = out * (1.0 - up)
        body.spine(
            bend=np.radians(2.0 + 8.0 * go * o.table + 1.5 * up - 4.0 * full * tilt - 0.5 * air * (1.0 - up)),
            lean=np.radians(-s * 1.5 * up),
            turn=np.radians(-s * 5.0 * go),
        )
        # eyes on the cup, then ahead over its rim; the head comes to meet it and goes back with it
        look = (1.0 if o.table else 0.35) * self.led(t, -0.22) * (1.0 - self.raised(t, -0.1))
        meet = pulse(t, self.lift[1] - 0.45, self.lift[1], self.lower[0], self.lower[0] + 0.6)
        body.gaze(
            heading=np.radians(s * 16.0 * look + 1.0 * v.unrest("look", t, self.seconds) * (1.0 - meet)),
            nod=np.radians(3.0 + 24.0 * look + 7.0 * meet - (6.0 + 20.0 * full) * tilt),
            tip=np.radians(s * 1.5 * meet),
        )
        hang(
            body,
            other_side(self.side),
            flexion=2.0 - 1.5 * self.led(t, 0.1),
            abduction=8.0 + 2.0 * self.raised(t, 0.1),
            elbow=16.0 + 4.0 * self.raised(t, 0.12),
        )
        hang(body, self.side)
        lead(body, self.side, self._led(body, t), shrug=3.0 * up + 2.0 * full * tilt, forward=5.0 * go)

    def _led(self, body: Body, t: FloatArray) -> Led:
        o, s = self.options, sign(self.side)
        share, up, tilt = self.led(t), self.raised(t), self.tilted(t)
        mouth = body.at("head", MOUTH)
        start = np.array(mirrored(self.side, _PLACE if o.table else _HELD))
        place = start + up[:, None] * (mouth - start)
        # up and out in front, over the table's edge
        place = place + np.outer(2.0 * up * (1.0 - up), [0.03 * s, 0.04, 0.09])
        # from beside the cup to across in front of the mouth
        yaw = np.radians(12.0 + 60.0 * up)
        flat = np.zeros_like(t)
        fingers = np.stack([-s * np.sin(yaw), flat + 0.16, np.cos(yaw)], axis=1)
        palm = np.stack([-s * np.cos(yaw), flat, -np.sin(yaw)], axis=1)
        level = hand_turn(self.side, fingers, palm)
        turn = multiply(about(X, -np.radians(8.0 * up + o.tilt * tilt)), level)
        wrist = wrist_for(place, turn, mirrored(self.side, CUP))
        # it comes to the cup from the side and from above the table
        wrist = wrist + np.outer(2.0 * share * (1.0 - share), mirrored(self.side, (0.12, 0.34, -0.26)))
        side = 0.35 + 0.85 * up + 0.45 * tilt * o.tilt / 50.0
        pole = np.stack([s * side, -np.ones_like(t), -0.5 * (1.0 - up)], axis=1)
        return Led(share, wrist, turn, self.led(t, -0.05 if o.table else 0.0), pole)


def _drink(options: DrinkOptions) -> Motion:
    take = _Drink(options, Variation(options.seed))
    figure = upright(take, feet(0.22, 10.0, 0.03))
    head = recognise(character("performer"))["head"]
    points = [hand_point("cup", take.side, CUP), Point("mouth", head, MOUTH)]
    touches = []
    if options.table:  # the hand rests on the cup, which stands on the table
        touches = [
            Touch(take.side, "cup", take.reach[1], take.lift[0]),
            Touch(take.side, "cup", take.lower[1], take.back[0]),
        ]
    return figure.motion("drink", options.frame_rate, touches=touches, points=points)


drink = Take("drink", DrinkOptions, _drink, "drinking from a cup")
