"""Jumping off both feet: down, up, a flight that obeys gravity, and a landing that gives way."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .._options import option
from ..figure import FloatArray, Motion
from ..figure.rotations import from_euler, rotate
from ._balance import PathCurve, balanced
from ._body import SIDES, Body, sign
from ._curves import keyed, step, through
from ._feet import Stance, foot_contacts, foot_path, foot_shape
from ._stand import since, standing, until
from ._swing import LegSpace, LegSwing, cleared, leg_carry
from ._take import Take, TakeOptions
from ._variation import Variation, breath

GRAVITY = 9.81
_REST = 0.985  # metres: the centre of mass of the standing performer, knees easy


class JumpOptions(TakeOptions):
    """A jump from both feet onto both feet."""

    height: float = option(
        0.30, "how far the centre of mass rises in flight", unit="m", least=0.08, most=0.55
    )
    length: float = option(0.0, "how far it carries forward", unit="m", least=0.0, most=1.6)
    depth: float = option(
        0.30, "how deep the knees bend before", unit="m", least=0.12, most=0.45,
        harm="nobody jumps higher from too deep a crouch",
    )  # fmt: skip
    arms: float = option(1.0, "how much the arms swing along", least=0.0, most=1.3)


@dataclass(frozen=True, slots=True)
class _Times:
    """Seconds of the jump's moments."""

    still: float  # the crouch begins
    bottom: float
    leave: float
    land: float
    deepest: float
    over: float

    @property
    def flight(self) -> float:
        return self.land - self.leave


def _times(options: JumpOptions, v: Variation) -> _Times:
    down = (0.34 + 0.55 * options.depth) * v.scale("down", 0.06)
    up = 0.17 + 0.42 * options.depth
    # the body lands a little more folded than it left, hence a little lower
    rise = math.sqrt(2.0 * options.height / GRAVITY)
    fall = math.sqrt(2.0 * (options.height + _fold(options)) / GRAVITY)
    still = 0.35
    leave = still + down + up
    land = leave + rise + fall
    return _Times(still, still + down, leave, land, land + 0.20 + 0.10 * options.height, land + 1.15)


def _stretch(options: JumpOptions) -> float:
    """How high above standing the centre of mass is at leaving, metres: on the toes, arms up."""
    return 0.045 + 0.05 * min(1.0, math.sqrt(options.height / 0.3))


def _ahead(options: JumpOptions) -> float:
    """How far the body leans over its feet when it leaves, metres."""
    return min(0.42, 0.30 * options.length)


def _fold(options: JumpOptions) -> float:
    """How much lower the centre of mass is at landing than at leaving, metres."""
    return 0.055 + 0.16 * min(options.length, 1.8) - 0.45 * _ahead(options) ** 2


def _jump(options: JumpOptions) -> Motion:
    v = Variation(options.seed)
    times = _times(options, v)
    seconds = times.over + 0.35
    frames = round(seconds * options.frame_rate)
    t = np.arange(frames + 1) / options.frame_rate
    jump = _Jump(options, v, times)
    curve = balanced(jump.pose, jump.centre, seconds, np.array([0.0, -0.03, -0.02]))
    body = jump.pose(curve, t)
    contacts = [c for s in SIDES for c in foot_contacts(jump.stances(s), s, body.frames, options.frame_rate)]
    return body.motion("jump", options.frame_rate, contacts=contacts)


@dataclass(frozen=True, slots=True)
class _Jump:
    options: JumpOptions
    v: Variation
    times: _Times

    def stances(self, side: str) -> list[Stance]:
        k, far = self.times, self.options.length
        reach, brisk = min(1.0, far / 1.2), min(1.0, math.sqrt(self.options.height / 0.3))
        start = standing(side, width=0.22, toe_out=8.0)
        end = standing(side, width=0.25, toe_out=8.0, at=(0.0, far))
        late = 0.012 * sign(side) * self.v.scale("feet", 0.5)  # nobody lands on both feet at once
        return [
            until(start, k.leave, lift=0.13 + 0.20 * reach, push=-46.0 - 8.0 * reach,
                  push_speed=-(860.0 - 640.0 * reach) * brisk**2, toe_push=-10.0),
            since(end, k.land + late * 0.5, flat=0.055, strike=-29.0 * brisk + 44.0 * reach,
                  strike_speed=860.0 * brisk - 1050.0 * reach),
        ]  # fmt: skip

    def centre(self, t: FloatArray) -> FloatArray:
        """Where the centre of mass goes."""
        o, k = self.options, self.times
        up = math.sqrt(2.0 * GRAVITY * o.height)
        ahead = _ahead(o)
        off = _REST + _stretch(o) - 0.5 * ahead * ahead  # leaning forward takes height
        # off balance forward at leaving, behind the feet at landing, by what the way asks for
        behind = min(0.34, 0.24 * o.length)
        speed = (o.length - ahead - behind) / k.flight
        base = 0.045
        air = t - k.leave
        flight = np.stack(
            [
                np.zeros_like(t),
                off + up * air - 0.5 * GRAVITY * air * air,
                base + ahead + speed * air,
            ],
            axis=1,
        )
        falling = up - GRAVITY * k.flight
        landing = off + up * k.flight - 0.5 * GRAVITY * k.flight**2
        zero = np.zeros(3)
        pull = np.array([0.0, -GRAVITY, 0.0])
        rest = (np.array([0.0, _REST, base]), zero, zero)
        low = np.array([0.0, _REST - o.depth, base + 0.015 + 0.12 * ahead])
        leave = (np.array([0.0, off, base + ahead]), np.array([0.0, up, speed]), pull)
        land = (
            np.array([0.0, landing, base + o.length - behind]),
            np.array([0.0, falling, speed]),
            pull,
        )
        give = 0.09 + 0.30 * o.height + 0.09 * min(o.length, 1.5)
        soft = np.array([0.0, _REST - give, base + o.length - 0.12 * behind])
        rising = np.array([0.0, _REST - 0.5 * give, base + o.length])
        end = (np.array([0.0, _REST, base + o.length]), zero, zero)
        before = through(t, (k.still, rest), (k.leave, leave), [(k.bottom, low)])
        after = through(
            t, (k.land, land), (k.over, end), [(k.deepest, soft), (0.52 * k.deepest + 0.48 * k.over, rising)]
        )
        out = np.where((t < k.leave)[:, None], before, np.where((t > k.land)[:, None], after, flight))
        sway = 0.004 * self.v.unrest("sway", t, k.over)
        out[:, 0] += sway * (step(-t, -k.still, 0.0) + step(t, k.over - 0.2, k.over + 0.3))
        return out

    def turned(self, t: FloatArray) -> FloatArray:
        """(F, 4) orientation of the hips."""
        k, deep = self.times, self.options.depth / 0.30
        far = min(1.0, self.options.length / 1.2)
        keys = [
            (k.still, 3.0),
            (k.bottom - 0.03, 29.0 * deep**0.7),
            (k.leave - 0.02, 3.0 + 14.0 * far),
            (k.leave + 0.45 * k.flight, 6.0 + 2.0 * far),
            (k.land, 14.0 + 10.0 * far),
            (k.deepest, 22.0 + 6.0 * far),
            (k.over - 0.15, 3.0),
        ]
        tilt = np.radians(keyed(t, keys, 0.16))
        zero = np.zeros_like(tilt)
        return from_euler(np.stack([zero, zero, tilt], axis=-1), "YZX")

    def pose(self, curve: PathCurve, t: FloatArray) -> Body:
        body = Body(len(t))
        body.hips_at(curve(t), self.turned(t))
        for side in SIDES:
            self._leg(body, side, curve, t)
        self._trunk(body, t)
        return body

    def _leg(self, body: Body, side: str, curve: PathCurve, t: FloatArray) -> None:
        offset = body.skeleton.offsets[body.rig[f"{side}_upper_leg"]]

        def hip(at: FloatArray) -> FloatArray:
            return np.asarray(curve(at) + rotate(self.turned(at), offset))

        far, brisk = min(1.0, self.options.length / 1.2), min(1.0, math.sqrt(self.options.height / 0.3))
        low = 40.0 * (1.0 - brisk**2)  # a low hop has no time to stretch the legs
        bent = 22.0 + 40.0 * far + 25.0 * max(0.0, self.options.height - 0.3)
        swing = LegSwing(
            knee=(
                (0.12, 10.0 + 8.0 * far + low),
                (0.2, 12.0 + 16.0 * far + low),
                (0.5, bent + 0.8 * low),
                (0.87, 15.0 + 0.5 * bent * far + 0.8 * low),
            ),
            pitch=(
                (0.1, -46.0 - 8.0 * brisk**2),
                (0.4, (-46.0 + 16.0 * far) * brisk),
                (0.75, (-40.0 + 40.0 * far) * brisk),
            ),
            toes=6.0,
            clearance=0.004,
        )
        space = LegSpace(hip, np.zeros_like, body.limbs[f"{side}_leg"], sign(side))
        stances, shape = self.stances(side), foot_shape(body.skeleton)
        swing = cleared(stances[0], stances[1], swing, space, shape)
        path = foot_path(stances, t, shape, leg_carry(swing, space))
        deep = step(t, self.times.still, self.times.bottom) - step(t, self.times.bottom, self.times.leave)
        body.leg(side, path, out=np.radians(6.0 * deep))

    def _trunk(self, body: Body, t: FloatArray) -> None:
        k, o = self.times, self.options
        deep = o.depth / 0.30
        bend = keyed(
            t,
            [(k.still, 2.0), (k.bottom - 0.02, 21.0 * deep), (k.leave, -8.0),
             (k.leave + 0.5 * k.flight, 4.0), (k.land, 8.0), (k.deepest, 20.0), (k.over - 0.1, 2.0)],
            0.14,
        )  # fmt: skip
        air = breath(t, k.over, 0.3)
        body.spine(bend=np.radians(bend - 0.6 * air), turn=np.radians(0.8) * self.v.unrest("turn", t, k.over))
        nod = keyed(t, [(k.still, 2.0), (k.bottom, 16.0), (k.leave, -8.0), (k.land, 18.0),
                        (k.deepest, 16.0), (k.over, 2.0)], 0.2)  # fmt: skip
        body.gaze(nod=np.radians(nod))
        for side in SIDES:
            lag = 0.012 * sign(side)
            swing = keyed(
                t - lag,
                [(k.still - 0.1, 2.0), (k.bottom - 0.08, -42.0), (k.leave - 0.02, 128.0),
                 (k.leave + 0.45 * k.flight, 112.0), (k.land, 58.0), (k.deepest + 0.08, 20.0),
                 (k.over, 2.0)],
                0.12,
            )  # fmt: skip
            elbow = keyed(
                t - lag,
                [(k.still, 16.0), (k.bottom - 0.08, 18.0), (k.leave - 0.1, 62.0), (k.leave + 0.1, 44.0),
                 (k.land, 38.0), (k.deepest, 40.0), (k.over, 16.0)],
                0.12,
            )  # fmt: skip
            body.arm(
                side,
                flexion=np.radians(2.0 + o.arms * (swing - 2.0) * self.v.scale("arms", 0.06)),
                abduction=np.radians(9.0 + 7.0 * np.abs(swing) / 60.0),
                inward=np.radians(16.0 - 0.2 * np.maximum(swing, 0.0)),
                elbow=np.radians(elbow),
                pronation=np.radians(10.0),
                wrist=np.radians(8.0),
            )


jump = Take("jump", JumpOptions, _jump, "a jump off both feet, up or forward, with its crouch and landing")
