"""A jump out of a walk: steps, a take-off from one foot, a flight, a landing on the other, steps on.

Every take has the same steps in the same order, whatever its options, so that many of them make one
family of motions. The step before last is a little quicker and lets the body sink, the take-off
foot lands ahead of the body, which rises over it while the other knee drives up (Hay 1993, on the
last strides of jumpers). What is measured of such jumps is their order; the angles here are chosen by eye
within what `_spring.py` says of knees.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from .._options import option
from ..figure import FloatArray, Motion
from ..figure.rotations import from_euler, rotate
from ._balance import Guess, PathCurve, balanced, hips_from
from ._body import SIDES, Body, FootPath, sign
from ._curves import State, keyed, pulse, through, wave
from ._feet import Carry, Stance, foot_contacts, foot_path, foot_shape, lowest, state, stencil
from ._spring import Knee, LegFlight, flown, rolled, too_low
from ._swing import LegSpace
from ._take import Take, TakeOptions
from ._variation import Variation, breath

GRAVITY = 9.81
_REST = 0.975  # metres: about where the centre of mass is over a nearly straight leg
_WALK = LegFlight(
    knee=(63.0, 12.0),
    folds=((0.43, 72.0),),
    pitch=(-70.0, 18.0),
    rolls=((0.56, -7.0),),
    turn=((0.3, 0.18), (0.6, 0.80), (0.85, 1.05)),
)
_BEND = 13.0  # degrees that a knee keeps bent on the ground
_CLEAR, _FOLDING = 0.006, 900.0  # metres above the ground; degrees of knee for every metre missing
_BEFORE, _AFTER = 2.7, 2.3  # steps


class WalkingJumpOptions(TakeOptions):
    """Walk, jump off one foot onto the other, walk on."""

    length: float = option(
        0.85, "from the footprint it leaves to the one it lands on", unit="m", least=0.6, most=1.0
    )
    height: float = option(
        0.12, "how far the centre of mass rises in flight", unit="m", least=0.11, most=0.19
    )
    speed: float = option(1.3, "of the walk before and after", unit="m/s", least=1.2, most=1.4)
    foot: Literal["left", "right"] = option("left", "the foot it takes off from", example="right")


@dataclass(frozen=True, slots=True)
class _Plan:
    """Times, seconds, and places along the way, metres."""

    pace: float  # seconds of a walking step
    take: float  # the take-off foot lands
    leave: float
    land: float
    on: float  # the take-off foot lands again
    speed: float  # m/s in flight
    z_take: float  # the take-off footprint
    ahead: float  # of it the centre of mass leaves
    behind: float  # of the landing footprint it lands
    z_on: float  # the centre of mass at `on`

    @property
    def seconds(self) -> float:
        return self.on + _AFTER * self.pace


def _plan(options: WalkingJumpOptions, v: Variation, fold: float) -> _Plan:
    """The plan of a jump that lands `fold` metres lower than it leaves."""
    o = options
    pace = 0.54 * (o.speed / 1.3) ** -0.5 * v.scale("pace", 0.03)
    take = _BEFORE * pace
    rise = math.sqrt(2.0 * o.height / GRAVITY)
    fall = math.sqrt(2.0 * max(o.height + fold, 0.4 * o.height) / GRAVITY)
    ahead = 0.05 + 0.23 * o.length * v.scale("ahead", 0.04)
    behind = 0.03 + 0.13 * o.length * v.scale("behind", 0.04)
    speed = (o.length - ahead - behind) / (rise + fall)
    lead = 0.24 + 0.03 * o.length + 0.1 * o.height
    z_take = o.speed * take + lead
    leave = take + (lead + ahead) / (0.5 * (o.speed + speed))
    land = leave + rise + fall
    on = land + (0.40 + behind) / (0.5 * (speed + o.speed)) * v.scale("recovery", 0.03)
    z_on = z_take + o.length - behind + 0.5 * (speed + o.speed) * (on - land)
    return _Plan(pace, take, leave, land, on, speed, z_take, ahead, behind, z_on)


@dataclass(frozen=True, slots=True)
class _Ends:
    """What turns out as the legs need it."""

    plan: _Plan
    base: float = 0.0  # metres that the walking body is lower than at rest
    stretch: float = 0.0  # that it leaves higher
    fold: float = 0.03  # that it lands lower than it left
    push_speed: float = -400.0  # degrees a second
    strike_speed: float = -200.0
    higher: float = 0.0  # degrees that knees fold further while they swing, to clear the ground


def _walking_jump(options: WalkingJumpOptions) -> Motion:
    v = Variation(options.seed)
    jump = _Jump(options, v, _Ends(_plan(options, v, 0.03)))
    guess: Guess = np.array([0.0, -0.03, -0.02])
    for _ in range(5):
        curve = balanced(jump.pose, jump.centre, jump.ends.plan.seconds, guess, rounds=3)
        guess = hips_from(curve, jump.centre)
        jump = jump.fitted(curve)
    seconds = jump.ends.plan.seconds
    curve = balanced(jump.pose, jump.centre, seconds, guess)
    t = np.arange(math.floor(seconds * options.frame_rate) + 1) / options.frame_rate
    body = jump.pose(curve, t)
    contacts = [c for s in SIDES for c in foot_contacts(jump.stances(s), s, body.frames, options.frame_rate)]
    return body.motion("walking jump", options.frame_rate, contacts=contacts)


@dataclass(frozen=True, slots=True)
class _Jump:
    options: WalkingJumpOptions
    v: Variation
    ends: _Ends

    # ---- the feet

    def takes_off(self, side: str) -> bool:
        return side == self.options.foot

    def landings(self) -> list[tuple[int, float]]:
        """Steps, 0 the take-off and 1 the landing, even ones of the take-off foot, and when."""
        k = self.ends.plan
        before = [(-n, k.take - n * k.pace) for n in (5, 4, 3, 2, 1)]
        after = [(n, k.on + (n - 2) * k.pace) for n in (2, 3, 4, 5, 6)]
        return [*before, (0, k.take), (1, k.land), *after]

    def stances(self, side: str) -> list[Stance]:
        o, k, s = self.options, self.ends.plan, sign(side)
        stride, high, found = 2.0 * k.pace, math.sqrt(o.height / 0.14), []
        lead = 0.5 * o.speed * k.pace - 0.06
        for n, on in self.landings():
            if (n % 2 == 0) != self.takes_off(side):
                continue
            z = (o.speed * on if n < 0 else k.z_on + o.speed * (on - k.on)) + lead
            stance = Stance(
                on=on, off=on + 1.23 * k.pace, x=0.05 * s, z=z, heading=s * math.radians(6.0),
                flat=0.08 * stride, lift=0.36 * stride, strike=18.0, strike_speed=-300.0 / stride,
                push=-64.0, push_speed=-430.0 / stride, toe_push=-30.0,
            )  # fmt: skip
            if n == 0:
                stance = replace(
                    stance, off=k.leave, z=k.z_take, x=0.045 * s, flat=0.09, strike=11.0, strike_speed=-160.0,
                    lift=min(0.24, 0.62 * (k.leave - k.take)), push=-52.0, push_speed=self.ends.push_speed,
                    toe_push=-16.0,
                )  # fmt: skip
            elif n == 1:
                stance = replace(
                    stance, off=k.on + 0.2 * k.pace, z=k.z_take + o.length, x=0.045 * s, flat=0.075,
                    strike=-19.0 - 5.0 * high, strike_speed=self.ends.strike_speed,
                )  # fmt: skip
            elif n == -1:
                stance = replace(stance, off=k.take + 0.17 * k.pace)
            found.append(stance)
        return found

    def carries(self, body: Body, side: str, curve: PathCurve) -> list[Carry]:
        """How a foot gets from each of its stances to the next."""
        space, stances = self.space(body, side, curve), self.stances(side)
        high = math.sqrt(self.options.height / 0.14)
        extra = self.ends.higher
        sinking = replace(
            _WALK, knee=(_WALK.knee[0], 19.0 + 0.4 * extra)
        )  # the body comes down before it lands
        walk = flown(replace(_WALK, folds=tuple((time, fold + extra) for time, fold in _WALK.folds)), space)
        found: list[Carry] = []
        for a, b in itertools.pairwise(stances):
            if self.takes_off(side) and a.off == self.ends.plan.leave:
                # it trails, folds, and comes through under a body that is already landing
                flight = LegFlight(
                    knee=(14.0, 36.0 + 0.5 * extra), pitch=(-61.0, 19.0),
                    folds=((0.68, 98.0 + 8.0 * high + 0.5 * extra),),
                    rolls=((0.62, -6.0),),
                    turn=((0.2, -0.03), (0.62, 0.62), (0.85, 1.10)),
                )  # fmt: skip
                found.append(flown(flight, space))
            elif not self.takes_off(side) and b.on == self.ends.plan.land:
                # it drives up while the other leg pushes, and reaches out for the ground
                flight = LegFlight(
                    knee=(78.0 + 14.0 * high, 10.0), pitch=(-34.0, b.strike - 8.0),
                    folds=((0.42, 74.0 + 14.0 * high),),
                    turn=((0.28, 0.42), (0.55, 1.12), (0.8, 1.2)),
                )  # fmt: skip
                found.append(flown(flight, space))
            elif b.on == self.ends.plan.take:
                found.append(flown(replace(sinking, folds=((0.43, 72.0 + extra),)), space))
            else:
                found.append(walk)
        return found

    def path(self, body: Body, side: str, curve: PathCurve, t: FloatArray) -> FootPath:
        return foot_path(self.stances(side), t, foot_shape(body.skeleton), self.carries(body, side, curve))

    def space(self, body: Body, side: str, curve: PathCurve) -> LegSpace:
        offset = body.skeleton.offsets[body.rig[f"{side}_upper_leg"]]

        def hip(at: FloatArray) -> FloatArray:
            return np.asarray(curve(at) + rotate(self.turned(at), offset))

        return LegSpace(hip, np.zeros_like, body.limbs[f"{side}_leg"], sign(side))

    def fitted(self, curve: PathCurve) -> _Jump:
        """The jump as its legs need it, seen from a path of the hips."""
        e, o = self.ends, self.options
        t = np.arange(0.0, e.plan.seconds, 1.0 / 60.0)
        body = Body(len(t))
        body.hips_at(curve(t), self.turned(t))
        shape = foot_shape(body.skeleton)
        need, deepest = -math.inf, 0.0
        hard = math.sqrt(o.height / 0.14)
        leave, land = Knee(22.0 + 4.0 * hard, -430.0 * hard), Knee(25.0 + 3.0 * hard, 380.0 * hard)
        up = down = push = strike = 0.0
        for side in SIDES:
            path, space = self.path(body, side, curve, t), self.space(body, side, curve)
            short = body.leg_need(side, path, math.radians(_BEND))
            swung = np.ones(len(t), dtype=bool)
            for stance in self.stances(side):
                swung &= (t < stance.on - 0.06) | (t > stance.off + 0.06)
            deepest = max(deepest, float((_CLEAR - lowest(path, shape))[swung].max()))
            for stance in self.stances(side):
                if stance.on == e.plan.land:
                    down = too_low(stance, "strike", land, space, shape)
                    strike = rolled(stance, "strike", land, space, shape).strike_speed
                elif stance.off == e.plan.leave:
                    up = too_low(stance, "push", leave, space, shape)
                    push = rolled(stance, "push", leave, space, shape).push_speed
                else:
                    here = (t >= stance.on) & (t <= stance.off) & ((t < e.plan.take) | (t > e.plan.on))
                    need = max(need, float(short[here].max(initial=-1.0)))
        fold = float(np.clip(e.fold + up - down, -0.05, 0.16))
        higher = min(e.higher + _FOLDING * deepest, 30.0)
        plan = _plan(o, self.v, fold)
        return replace(self, ends=_Ends(plan, e.base + need, e.stretch + up, fold, push, strike, higher))

    # ---- the body

    def phase(self, t: FloatArray) -> FloatArray:
        """(F,) of the walk: whole where the take-off foot lands, a half more where the other does."""
        steps = [(on, 0.5 * n) for n, on in self.landings()]
        return keyed(t, steps, 0.25)

    @property
    def hand(self) -> float:
        """1 when the left foot takes off, −1 when the right does."""
        return sign(self.options.foot)

    def jumping(self, t: FloatArray) -> FloatArray:
        """(F,) 0 in the walk, 1 in the jump."""
        k = self.ends.plan
        return pulse(t, k.take - 0.3 * k.pace, k.leave - 0.1, k.land, k.on)

    def centre(self, t: FloatArray) -> FloatArray:
        """Where the centre of mass goes."""
        o, e, k = self.options, self.ends, self.ends.plan

        def walked(at: FloatArray) -> FloatArray:
            """(F, 2) height and way of the walk, before or after."""
            y = _REST - e.base + 0.018 * wave(self.phase(at), (0.0, 0.0), (1.0, 0.265))
            z = np.where(at < k.leave, o.speed * at, k.z_on + o.speed * (at - k.on))
            return np.stack([y, z], axis=1)

        up = math.sqrt(2.0 * GRAVITY * o.height)
        air = t - k.leave
        off = _REST + e.stretch
        flight = np.stack(
            [off + up * air - 0.5 * GRAVITY * air**2, k.z_take + k.ahead + k.speed * air], axis=1
        )
        pull = np.array([-GRAVITY, 0.0])
        leave: State = np.array([off, k.z_take + k.ahead]), np.array([up, k.speed]), pull
        long = k.land - k.leave
        landing = off + up * long - 0.5 * GRAVITY * long**2
        land: State = (
            np.array([landing, k.z_take + o.length - k.behind]),
            np.array([up - GRAVITY * long, k.speed]), pull,
        )  # fmt: skip
        begin, end = k.take - 0.45 * k.pace, k.on + 0.12 * k.pace
        first, last = state(walked(stencil(begin))), state(walked(stencil(end)))
        sunk = _REST - e.base - 0.030 - 0.16 * o.height
        soft = landing - 0.10 - 0.22 * o.height
        before = np.stack([
            through(t, (begin, _part(first, 0)), (k.leave, _part(leave, 0)),
                    [(k.take + 0.34 * (k.leave - k.take), np.array([sunk]))])[:, 0],
            through(t, (begin, _part(first, 1)), (k.leave, _part(leave, 1)),
                    [(k.take, np.array([o.speed * k.take]))])[:, 0],
        ], axis=1)  # fmt: skip
        after = np.stack([
            through(t, (k.land, _part(land, 0)), (end, _part(last, 0)),
                    [(k.land + 0.40 * (k.on - k.land), np.array([soft]))])[:, 0],
            through(t, (k.land, _part(land, 1)), (end, _part(last, 1)),
                    [(k.on, np.array([k.z_on]))])[:, 0],
        ], axis=1)  # fmt: skip
        way = walked(t)
        for inside, part in (
            ((t >= begin) & (t < k.leave), before),
            ((t >= k.leave) & (t <= k.land), flight),
            ((t > k.land) & (t <= end), after),
        ):
            way = np.where(inside[:, None], part, way)
        sway = 0.020 * self.hand * wave(self.phase(t), (1.0, 0.32)) * (1.0 - self.jumping(t))
        return np.stack([sway, way[:, 0], way[:, 1]], axis=1)

    def angles(self, t: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Turning, listing and tilt of the hips, radians."""
        k, p, jump = self.ends.plan, self.phase(t), self.jumping(t)
        far = self.options.length
        turn = self.hand * (5.0 + 4.0 * far * jump) * wave(p, (-1.0, 0.0))
        list_ = self.hand * (3.5 * (1.0 - jump) * wave(p, (1.0, 0.15), (0.2, 0.1)) - 5.0 * self._drive(t))
        tilt = 3.0 + keyed(t, [
            (k.take - 0.8 * k.pace, 0.0), (k.take + 0.1, 5.0), (k.leave, -3.0),
            (k.leave + 0.5 * (k.land - k.leave), 4.0), (k.land, 6.0), (k.land + 0.17, 11.0),
            (k.on + 0.3, 0.0),
        ], 0.16)  # fmt: skip
        return np.radians(turn), np.radians(list_), np.radians(tilt)

    def _drive(self, t: FloatArray) -> FloatArray:
        """(F,) 1 while the leading knee is up."""
        k = self.ends.plan
        return pulse(t, k.take + 0.3 * (k.leave - k.take), k.leave, k.leave + 0.1, k.land + 0.05)

    def turned(self, t: FloatArray) -> FloatArray:
        """(F, 4) orientation of the hips."""
        return from_euler(np.stack(self.angles(t), axis=-1), "YZX")

    def pose(self, curve: PathCurve, t: FloatArray) -> Body:
        body = Body(len(t))
        body.hips_at(curve(t), self.turned(t))
        for side in SIDES:
            body.leg(side, self.path(body, side, curve, t))
        self._trunk(body, t)
        for side in SIDES:
            self._arm(body, side, t)
        return body

    def _trunk(self, body: Body, t: FloatArray) -> None:
        k, p = self.ends.plan, self.phase(t)
        turn, list_, tilt = self.angles(t)
        chest = np.radians(self.hand * (4.5 + 5.0 * self.jumping(t))) * wave(p, (1.0, 0.03))
        bend = keyed(t, [
            (k.take - 0.5 * k.pace, 1.0), (k.take + 0.12, 8.0), (k.leave, -4.0),
            (k.leave + 0.5 * (k.land - k.leave), 5.0), (k.land, 6.0), (k.land + 0.2, 15.0),
            (k.on + 0.35, 1.0),
        ], 0.18)  # fmt: skip
        air = breath(t, k.seconds, 0.3)
        body.spine(
            bend=np.radians(bend - 0.5 * air) - 0.5 * (tilt - math.radians(3.0)),
            lean=-0.85 * list_ + self.hand * np.radians(1.2) * wave(p, (1.0, 0.28)),
            turn=chest - turn,
        )
        # eyes on the place to land before the jump, ahead again after it
        nod = keyed(t, [
            (k.take - 1.6 * k.pace, 3.0), (k.take - 0.7 * k.pace, 17.0), (k.leave - 0.05, 12.0),
            (k.leave + 0.4 * (k.land - k.leave), 15.0), (k.land + 0.1, 13.0), (k.on + 0.3, 3.0),
        ], 0.25)  # fmt: skip
        drift = np.radians(0.8) * self.v.unrest("head", t, k.seconds)
        body.gaze(heading=drift, nod=np.radians(nod), tip=0.15 * chest)

    def _arm(self, body: Body, side: str, t: FloatArray) -> None:
        k, o = self.ends.plan, self.options
        high = math.sqrt(o.height / 0.14)
        own = self.takes_off(side)
        # furthest forward a little after the other foot has landed
        p = self.phase(t) - (0.54 if own else 0.04)
        walk = 17.0 * self.v.scale(f"swing {side}", 0.12) * wave(p, (1.0, 0.0), (0.08, 0.02))
        # both are drawn back while the body sinks, swing up with the leading knee, the one opposite
        # to it higher, and come down with the landing
        back, top = (-30.0, 74.0) if own else (-34.0, 34.0)
        lag = 0.0 if own else 0.03
        middle = k.leave + 0.45 * (k.land - k.leave)
        leap = keyed(t - lag, [
            (k.take - 0.75 * k.pace, 0.0), (k.take + 0.04, back), (k.leave - 0.01, top * high),
            (middle, 0.9 * top * high), (k.land + 0.03, 0.35 * top), (k.land + 0.24, 4.0), (k.on + 0.3, 0.0),
        ], 0.16)  # fmt: skip
        share = pulse(t, k.take - 0.75 * k.pace, k.take, k.land + 0.1, k.on + 0.2)
        flexion = -3.0 + walk * (1.0 - 0.8 * share) + leap
        elbow = keyed(t - lag, [
            (k.take - 0.6 * k.pace, 0.0), (k.take + 0.1, 10.0), (k.leave, 44.0), (middle, 30.0),
            (k.land + 0.15, 26.0), (k.on + 0.3, 0.0),
        ], 0.16)  # fmt: skip
        out = keyed(t - lag, [
            (k.take - 0.3, 0.0), (k.leave, 16.0), (middle, 27.0), (k.land + 0.08, 21.0), (k.on + 0.25, 0.0),
        ], 0.2)  # fmt: skip
        body.arm(
            side,
            flexion=np.radians(flexion),
            abduction=np.radians(11.0 + out * (0.8 if own else 1.15) - 1.5 * wave(p, (1.0, 0.0))),
            inward=np.radians(14.0 - 0.25 * out + 4.0 * wave(p, (1.0, 0.05))),
            elbow=np.radians(22.0 + elbow + 8.0 * wave(p, (1.0, 0.06))),
            pronation=np.radians(12.0),
            wrist=np.radians(6.0 - 4.0 * wave(p, (1.0, 0.16))),
        )


def _part(whole: State, k: int) -> State:
    """One number of a state."""
    place, velocity, acceleration = whole
    return place[k : k + 1], velocity[k : k + 1], None if acceleration is None else acceleration[k : k + 1]


walking_jump = Take(
    "walking_jump", WalkingJumpOptions, _walking_jump, "a walk with a jump from one foot onto the other in it"
)
