"""Jumping off both feet: down, up, a flight that obeys gravity, and a landing that gives way.

Depth and times of the crouch follow Bobbert and others (1996: 0.3 m, half a second down, 0.3 s up);
knees leave and land as `_spring.py` says. Long jumps lean forward into the take-off (Wakai and
Linthorne 2005) and land on heels ahead of the body.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from .._options import option
from ..figure import FloatArray, Motion
from ..figure.rotations import from_euler, rotate
from ._balance import Guess, PathCurve, balanced, hips_from
from ._body import SIDES, Body, sign
from ._curves import keyed, step, through
from ._feet import Stance, foot_contacts, foot_path, foot_shape
from ._spring import Knee, LegFlight, flown, rolled, too_low
from ._stand import since, standing, until
from ._swing import LegSpace
from ._take import Take, TakeOptions
from ._variation import Variation, breath

GRAVITY = 9.81
_HEELS = 0.9  # metres: jumps that carry further land on the heels
_REST = 0.985  # metres: the centre of mass of the standing performer, knees easy


class JumpOptions(TakeOptions):
    """A jump from both feet onto both feet."""

    height: float = option(
        0.30, "how far the centre of mass rises in flight", unit="m", least=0.08, most=0.45
    )
    length: float = option(0.0, "how far it carries forward", unit="m", least=0.0, most=1.3)
    depth: float = option(
        0.30, "how deep the knees bend before", unit="m", least=0.12, most=0.36,
        harm="nobody jumps higher from too deep a crouch",
    )  # fmt: skip
    arms: float = option(1.0, "how much the arms swing along", least=0.2, most=1.3)


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


def _times(options: JumpOptions, v: Variation, fold: float) -> _Times:
    """The moments of a jump that lands `fold` metres lower than it left."""
    down = (0.34 + 0.55 * options.depth) * v.scale("down", 0.06)
    up = 0.17 + 0.42 * options.depth
    rise = math.sqrt(2.0 * options.height / GRAVITY)
    fall = math.sqrt(2.0 * max(options.height + fold, 0.5 * options.height) / GRAVITY)
    still = 0.35
    leave = still + down + up
    land = leave + rise + fall
    return _Times(still, still + down, leave, land, land + 0.20 + 0.10 * options.height, land + 1.15)


def _ahead(options: JumpOptions) -> float:
    """How far the body leans over its feet when it leaves, metres."""
    return min(0.42, 0.30 * options.length)


def _jump(options: JumpOptions) -> Motion:
    v = Variation(options.seed)
    jump = _Jump(options, v, _Ends(_times(options, v, 0.0)))
    guess: Guess = np.array([0.0, -0.03, -0.02])
    for _ in range(5):
        curve = balanced(jump.pose, jump.centre, jump.seconds, guess, rounds=4)
        guess = hips_from(curve, jump.centre)
        jump = jump.sprung(curve)
    curve = balanced(jump.pose, jump.centre, jump.seconds, guess)
    t = np.arange(round(jump.seconds * options.frame_rate) + 1) / options.frame_rate
    body = jump.pose(curve, t)
    contacts = [c for s in SIDES for c in foot_contacts(jump.stances(s), s, body.frames, options.frame_rate)]
    return body.motion("jump", options.frame_rate, contacts=contacts)


@dataclass(frozen=True, slots=True)
class _Ends:
    """What take-off and landing turn out to be for the knees to be as they must."""

    times: _Times
    stretch: float = 0.05  # metres that the centre of mass is above standing when it leaves
    fold: float = 0.05  # metres that it is lower when it lands
    push_speed: tuple[float, float] = (-500.0, -500.0)  # degrees a second, left and right
    strike_speed: tuple[float, float] = (500.0, 500.0)


def _pair(values: list[float]) -> tuple[float, float]:
    return values[0], values[1]


@dataclass(frozen=True, slots=True)
class _Jump:
    options: JumpOptions
    v: Variation
    ends: _Ends

    @property
    def times(self) -> _Times:
        return self.ends.times

    @property
    def seconds(self) -> float:
        return self.times.over + 0.35

    @property
    def far(self) -> float:
        """0 straight up, 1 for a standing long jump."""
        return min(1.0, self.options.length / 1.2)

    @property
    def brisk(self) -> float:
        """How fast it leaves the ground, 1 for a jump of 0.3 m."""
        return min(1.0, math.sqrt(self.options.height / 0.3))

    def stances(self, side: str) -> list[Stance]:
        k, far, brisk = self.times, self.options.length, self.brisk
        s, i = sign(side), SIDES.index(side)
        # nobody stands quite evenly, nor leaves and lands on both feet at once
        start = standing(side, width=0.23, toe_out=9.0 + 1.5 * s, ahead=0.012 * s)
        end = standing(side, width=0.26, toe_out=9.0 - 2.0 * s, ahead=-0.014 * s, at=(0.0, far))
        # far jumps land on the heels, others on the balls: a flat foot would have no way to give
        strike = 15.0 if far > _HEELS else -(14.0 + 18.0 * brisk) * (1.0 - 0.35 * self.far)
        late = 0.005 * s * self.v.scale("feet", 0.5)
        # leaning far from a deep crouch, the heels rise early: ankles bend no further
        lift = 0.15 + (0.20 + 0.6 * max(0.0, self.options.depth - 0.25)) * self.far
        return [
            until(start, k.leave + 0.003 * s, lift=lift,
                  push=-30.0 - 14.0 * brisk - 10.0 * self.far, push_speed=self.ends.push_speed[i],
                  toe_push=-10.0),
            since(end, k.land + late, flat=0.07 + 0.01 * self.far, strike=strike,
                  strike_speed=self.ends.strike_speed[i]),
        ]  # fmt: skip

    def sprung(self, curve: PathCurve) -> _Jump:
        """The jump with its ends as the knees ask for, seen from a path of the hips."""
        hard = math.sqrt(self.options.height / 0.3)  # speed of leaving and landing, 1 at 0.3 m
        leave = Knee(17.0 + 10.0 * hard, -700.0 * hard)
        land = Knee(19.0 + 10.0 * hard + 6.0 * self.far, (620.0 - 250.0 * self.far) * hard)
        higher, push, strike = [], [], []
        for side in SIDES:
            space, (a, b) = self.space(side, curve), self.stances(side)
            shape = foot_shape(self._body.skeleton)
            higher.append((too_low(a, "push", leave, space, shape), too_low(b, "strike", land, space, shape)))
            push.append(rolled(a, "push", leave, space, shape).push_speed)
            strike.append(rolled(b, "strike", land, space, shape).strike_speed)
        up, down = np.min(higher, axis=0)
        stretch = self.ends.stretch + float(up)
        fold = self.ends.fold + float(up - down)
        ends = _Ends(_times(self.options, self.v, fold), stretch, fold, _pair(push), _pair(strike))
        return replace(self, ends=ends)

    def centre(self, t: FloatArray) -> FloatArray:
        """Where the centre of mass goes."""
        o, k = self.options, self.times
        up = math.sqrt(2.0 * GRAVITY * o.height)
        ahead = _ahead(o)
        off = _REST + self.ends.stretch
        # off balance forward at leaving, behind the feet at landing, by what the way asks for
        behind = min(0.34, 0.24 * o.length)
        speed = (o.length - ahead - behind) / k.flight
        base = 0.045
        air = t - k.leave
        height = off + up * air - 0.5 * GRAVITY * air * air
        flight = np.stack([np.zeros_like(t), height, base + ahead + speed * air], axis=1)
        falling = up - GRAVITY * k.flight
        landing = off + up * k.flight - 0.5 * GRAVITY * k.flight**2
        zero = np.zeros(3)
        pull = np.array([0.0, -GRAVITY, 0.0])
        rest = (np.array([0.0, _REST, base]), zero, zero)
        low = np.array([0.0, _REST - o.depth, base + 0.02 * o.arms - 0.01 + 0.08 * ahead])
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

    def space(self, side: str, curve: PathCurve) -> LegSpace:
        """What a leg's swing is seen from."""
        body = self._body
        offset = body.skeleton.offsets[body.rig[f"{side}_upper_leg"]]

        def hip(at: FloatArray) -> FloatArray:
            return np.asarray(curve(at) + rotate(self.turned(at), offset))

        return LegSpace(hip, np.zeros_like, body.limbs[f"{side}_leg"], sign(side))

    @property
    def _body(self) -> Body:
        return Body(1)

    def _leg(self, body: Body, side: str, curve: PathCurve, t: FloatArray) -> None:
        far, brisk, s = self.far, self.brisk, sign(side)
        low = 6.0 * (1.0 - brisk)  # a low hop has no time to stretch the legs
        tuck = 24.0 + 38.0 * far + 25.0 * max(0.0, self.options.height - 0.3) - 6.0 * (1.0 - brisk)
        stances, shape = self.stances(side), foot_shape(body.skeleton)
        strike = stances[1].strike
        flight = LegFlight(
            knee=(10.0 + low, 9.5 + 0.7 * low + 3.0 * far),
            folds=((0.5, tuck + 3.0 * s),),
            pitch=(stances[0].push - 14.0 * brisk, strike + (5.0 if strike > 0.0 else -14.0 * brisk)),
        )
        path = foot_path(stances, t, shape, flown(flight, self.space(side, curve)))
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
            lag = 0.016 * sign(side)
            swing = (1.0 + 0.03 * sign(side)) * keyed(
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
                abduction=np.radians(9.0 + 7.0 * np.hypot(swing, 12.0) / 60.0),
                inward=np.radians(16.0 - 0.09 * (swing + np.hypot(swing, 25.0))),
                elbow=np.radians(elbow),
                pronation=np.radians(10.0),
                wrist=np.radians(8.0),
            )


jump = Take("jump", JumpOptions, _jump, "a jump off both feet, up or forward, with its crouch and landing")
