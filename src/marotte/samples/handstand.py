"""A handstand: a step, hands down, one leg kicks and the other follows, a hold, and back.

Balance in a handstand is kept at the wrists, with help from shoulders and hips: the centre of mass
wanders a centimetre or two over the fingers' side of the hands (Kerwin and Trewartha 2001; Yeadon
and Trewartha 2003). Elbows stay straight, so that from the hands' touching down the shoulders ride
on a sphere about the wrists; the rest of the body hangs on them, upside down.

Everything is drawn over one scale of time that runs forward while going up and backward while
coming down, where the leg that pushed off last lands first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .._options import option
from ..figure import Contact, FloatArray, Motion
from ..figure.rotations import about, multiply
from ._body import SIDES, Body, FootPath, X, sign
from ._curves import keyed, step, through
from ._feet import Stance, Swing, Way, carried, foot_path, foot_shape, state, stencil
from ._hands import FLAT, hand_on, pad, pads, wrist_over
from ._limbs import distance_at
from ._mass import centre_of_mass
from ._rests import Rest, rest_contacts
from ._stand import since, standing, until
from ._take import Take, TakeOptions
from ._variation import Variation

# Moments of going up, seconds: the left foot steps, the right one leaves, the hands touch down, the
# left foot leaves, all is upright.
_STEP, _LAND, _BACK, _TOUCH, _PUSH, _UP = 0.16, 0.66, 0.88, 1.42, 1.50, 2.55
_STRIDE = 0.52  # metres of the step
_HANDS = 0.98  # metres that the pads of the fingers touch down ahead of the left foot
_WIDTH = 0.34  # metres between the hands
_STILL = 0.4  # seconds before and after
_BACKWARD = 0.88  # coming down is that much slower
_OVER = 0.052  # metres from the wrists to the centre of mass, towards the fingers
_ELBOW = math.radians(10.0)  # how straight arms are
_ROUNDS = 6  # of hanging the body on its arms and tipping it until it balances
_KNEE = math.radians(8.0)  # how straight knees are up there
_STRIDE_SWING = Swing((Way(0.5, 0.5, 0.05, -12.0),))
# A leg in the air: moments, and there its knee, its angle forward of straight down, degrees, and the
# share of its way to the middle.
_AIR = {
    "left": ((1.70, 30.0, -66.0, 0.2), (1.98, 26.0, -128.0, 0.6), (2.42, 8.0, -180.0, 1.0)),
    "right": ((1.10, 34.0, -76.0, 0.2), (1.38, 17.0, -134.0, 0.6), (1.90, 8.0, -180.0, 1.0)),
}
_STENCIL = stencil(0.0)


class HandstandOptions(TakeOptions):
    """From standing, up into a handstand, hold it, and step down."""

    hold: float = option(3.0, "how long it is held", unit="s", least=0.5, most=60)
    sway: float = option(1.0, "how much balancing it takes", least=0.0, most=2.0)


@dataclass(frozen=True, slots=True)
class _Handstand:
    options: HandstandOptions
    v: Variation

    @property
    def pace(self) -> float:
        """How fast it goes up, of what the moments above say."""
        return self.v.scale("pace", 0.03)

    @property
    def top(self) -> float:
        """Seconds at which all is upright."""
        return _STILL + _UP / self.pace

    @property
    def leave(self) -> float:
        """Seconds at which coming down begins."""
        return self.top + self.options.hold

    @property
    def end(self) -> float:
        return self.leave + _UP / (_BACKWARD * self.pace) + _STILL

    def moments(self, t: FloatArray) -> FloatArray:
        """(F,) the time of going up that each frame shows."""
        back = _UP - (t - self.leave) * _BACKWARD * self.pace
        return np.asarray(np.clip(np.minimum((t - _STILL) * self.pace, back), 0.0, _UP))

    def seconds(self, moment: float) -> tuple[float, float]:
        """When a moment of going up is passed, up and down."""
        return _STILL + moment / self.pace, self.leave + (_UP - moment) / (_BACKWARD * self.pace)

    @property
    def pads(self) -> float:
        """z of the pads of the fingers, metres."""
        return _STRIDE + _HANDS

    def stances(self, side: str) -> list[Stance]:
        start = standing(side, width=0.19, toe_out=6.0)
        if side == "right":
            return [until(start, _BACK, lift=0.46, push=-56.0)]
        ahead = standing(side, width=0.19, toe_out=6.0, at=(0.0, _STRIDE))
        return [
            until(start, _STEP, lift=0.1, push=-14.0, push_speed=-200.0),
            until(
                since(ahead, _LAND, flat=0.08, strike=10.0, strike_speed=-180.0),
                _PUSH, lift=0.28, push=-48.0,
            ),
        ]  # fmt: skip


def _handstand(options: HandstandOptions) -> Motion:
    stand = _Handstand(options, Variation(options.seed))
    frames = round(stand.end * options.frame_rate)
    t = np.arange(frames + 1) / options.frame_rate
    # beyond the last frame come the moments at which feet leave, whose speeds the legs take over
    leaves = [stand.seconds(stand.stances(side)[-1].off)[0] for side in SIDES]
    body = _posed(stand, np.concatenate([t, *(moment + _STENCIL / stand.pace for moment in leaves)]))
    body.root, body.rotations = body.root[: len(t)], body.rotations[: len(t)]
    contacts: list[Contact] = []
    for side in SIDES:
        contacts += rest_contacts([Rest(*stand.seconds(_TOUCH))], f"{side}_hand", len(t), options.frame_rate)
        rests = []
        for stance in stand.stances(side):
            (on, back), (off, again) = stand.seconds(max(stance.on, -9.0)), stand.seconds(stance.off)
            rests += [Rest(on, off), Rest(again, back)]
        contacts += rest_contacts(rests, f"{side}_foot", len(t), options.frame_rate)
    return body.motion("handstand", options.frame_rate, contacts=contacts, points=pads(body.skeleton))


def _keys(u: FloatArray, *keys: tuple[float, float], rounding: float = 0.16) -> FloatArray:
    return keyed(u, keys, rounding)


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """What is drawn by hand, one value a frame; the rest follows."""

    u: FloatArray  # the moment of going up
    up: FloatArray  # 0 to 1: how much the body balances
    tilt: FloatArray  # of the hips, degrees forward: 180 upside down
    bend: FloatArray  # of the spine, degrees
    nod: FloatArray  # of neck and head, degrees
    lean: FloatArray  # radians that straight arms lean forward of upright
    ground: FloatArray  # (F, 3) the hips while the feet carry them
    hanging: FloatArray  # (F, 1) 0 while the feet carry the hips, 1 once they hang on the arms
    kick: FloatArray  # radians that the legs give way to keep the balance
    over: FloatArray  # metres from the wrists to the centre of mass, towards the fingers


def _plan(stand: _Handstand, t: FloatArray) -> _Plan:
    u = stand.moments(t)

    def unrest(name: str, quick: float) -> FloatArray:
        return stand.v.unrest(name, quick * t, stand.end)

    up = step(u, _UP - 0.7, _UP)  # balancing begins where the legs come together
    sway = stand.options.sway * up
    wander = 0.7 * sway * unrest("wander", 1.9)
    tilt = _keys(u, (0.1, 2.0), (0.4, 4.0), (0.7, 18.0), (1.0, 58.0), (_TOUCH, 102.0), (1.62, 130.0),
                 (1.85, 157.0), (2.15, 179.0), (2.4, 184.0))  # fmt: skip
    bend = _keys(u, (0.2, 2.0), (0.7, 10.0), (1.05, 28.0), (_TOUCH, 38.0), (1.65, 26.0), (1.95, 8.0),
                 (2.2, -4.0))  # fmt: skip
    lean = _keys(u, (1.1, -21.0), (_TOUCH, -21.0), (1.75, -7.0), (2.3, 2.0))
    aside = -0.05 * (step(u, 0.0, 0.16) - step(u, 0.35, 0.8))  # onto the right foot while the left steps
    height = _keys(u, (0.05, 0.945), (0.4, 0.93), (0.7, 0.90), (1.0, 0.87), (1.3, 0.83))
    ahead = _keys(u, (0.05, 0.0), (0.4, 0.16), (0.7, 0.36), (1.0, 0.52), (1.3, 0.60))
    return _Plan(
        u=u,
        up=up,
        tilt=tilt,
        bend=bend + 1.2 * sway * unrest("hips", 1.4),
        nod=_keys(u, (0.2, 2.0), (1.0, -34.0), (_TOUCH, -46.0), (2.2, -34.0)),
        lean=np.radians(lean + 0.7 * wander),
        ground=np.stack([aside, height, ahead], axis=1),
        hanging=step(u, 1.05, _TOUCH)[:, None],
        kick=np.radians(2.4 * sway * unrest("legs", 1.6)),
        over=_OVER + 0.011 * wander,
    )


def _posed(stand: _Handstand, t: FloatArray) -> Body:
    body = Body(len(t))
    plan = _plan(stand, t)
    u = plan.u
    # before they touch down, hands are thought further away than arms are long
    length = distance_at(body.limbs["left_arm"], _ELBOW) * (1.7 - 0.7 * step(u, 1.0, _TOUCH))
    upright = np.stack([np.zeros_like(u), np.cos(plan.lean), np.sin(plan.lean)], axis=1)
    root, tip, target = plan.ground, np.zeros_like(u), None
    for turn in range(_ROUNDS):
        for _ in range(2 if turn else 5):
            body.hips(root, tilt=np.radians(plan.tilt) + tip)
            body.spine(bend=np.radians(plan.bend))
            wrist, shoulder = _arms(stand, body, u)
            # straight arms carry the shoulders
            high = np.sqrt(length**2 - (wrist[:, 0] - shoulder[:, 0]) ** 2)
            hung = wrist + high[:, None] * upright - (shoulder - root)
            hung[:, 0] = 0.0
            root = plan.ground + plan.hanging * (hung - plan.ground)
        body.nod(nod=np.radians(plan.nod))
        for side in SIDES:
            _leg(stand, body, side, u, tip + plan.kick)
        centre = centre_of_mass(body)[:, 2]
        if target is None:  # from where the legs' swing leaves it to where it balances
            target = centre + plan.up * (wrist[:, 2] + plan.over - centre)
        tip = tip + (target - centre) / 0.45
    return body


def _arms(stand: _Handstand, body: Body, u: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Both arms raised, reaching down, and planted: (F, 3) where the left wrist is on the ground,
    and where the left shoulder is, world."""
    down = step(u, 1.05, _TOUCH)
    # from the shoulder, forward of straight up: 180 hangs, 0 is overhead
    toward = np.radians(_keys(u, (0.1, 176.0), (0.62, 34.0), (1.0, 92.0), (_TOUCH, 150.0), (2.2, 180.0)))
    aligned = toward - 0.5 * math.pi
    twist = about(X, np.radians(-80.0) * (1.0 - step(u, 0.2, 0.9)))
    way = np.stack([np.zeros_like(u), np.cos(toward), np.sin(toward)], axis=1)
    straighten = step(u, 1.2, _TOUCH)
    found = []
    for side in SIDES:
        s = sign(side)
        heading = np.full_like(u, -s * math.radians(5.0))
        hand = multiply(hand_on(side, heading * down, aligned + down * (FLAT - aligned)), twist)
        flat = hand_on(side, heading, np.full_like(u, FLAT))
        pads_at = np.broadcast_to(np.array([s * 0.5 * _WIDTH, 0.0, stand.pads]), (len(u), 3))
        planted = wrist_over(pads_at, flat, pad(body.skeleton, side))
        straight = distance_at(body.limbs[f"{side}_arm"], _ELBOW)
        length = 0.975 * straight
        across = np.stack([np.full_like(u, 0.5 * s), -np.sin(toward), np.cos(toward)], axis=1)
        shoulder = body.at(body.rig.spine[-1], body.shoulder_rest(side))
        for _ in range(3):  # a raised arm raises its shoulder
            free = shoulder + length * way
            free[:, 0] = s * (0.21 + 0.03 * np.sin(toward))
            arm = free + down[:, None] * (planted - free) - shoulder
            far = np.linalg.norm(arm, axis=-1)
            held = np.where(u < _TOUCH, length + straighten * (straight - length), far)
            arm *= (held / far)[:, None]
            body.reach(side, shoulder + arm, across, hand=hand)
            shoulder = body.world(f"{side}_upper_arm")[0]
        found += [planted, shoulder]
    return found[0], found[1]


def _leg(stand: _Handstand, body: Body, side: str, u: FloatArray, tip: FloatArray) -> None:
    """A leg that stands, steps or pushes, and then swings up by the angles of its hip and knee."""
    s = sign(side)
    stances, shape = stand.stances(side), foot_shape(body.skeleton)
    foot = foot_path(stances, u, shape, carried(_STRIDE_SWING, side))
    off = stances[-1].off
    limb = body.limbs[f"{side}_leg"]
    hip = body.world(f"{side}_upper_leg")[0]
    arm = foot.ankle - hip
    p, q = limb.upper, limb.lower
    # one minus the cosine of the knee, the leg's angle forward of straight down, metres to the left
    straight = 1.0 - ((arm**2).sum(-1) - p * p - q * q) / (2.0 * p * q)
    leg = np.stack([straight, np.arctan2(arm[:, 2], -arm[:, 1]), arm[:, 0]], axis=1)
    first = -2 * len(_STENCIL) if side == "left" else -len(_STENCIL)
    leaving = state(leg[first : first + 3 or None])
    way = _AIR[side]
    end, rest = way[-1][0], np.array([1.0 - math.cos(_KNEE), -math.pi, -0.04 * s])
    places = [
        (time, np.array([1.0 - math.cos(math.radians(knee)), math.radians(angle), share * rest[2]]))
        for time, knee, angle, share in way[:-1]
    ]
    air = through(u, (off, leaving), (end, (rest, np.zeros(3), np.zeros(3))), places)
    air[:, 1] -= step(u, off, end) * tip
    leg = np.where((u > off)[:, None], air, leg)
    inside = np.sqrt(p * p + q * q + 2.0 * p * q * (1.0 - leg[:, 0]) - leg[:, 2] ** 2)
    swung = np.stack([leg[:, 2], -inside * np.cos(leg[:, 1]), inside * np.sin(leg[:, 1])], axis=1)
    # in the air the foot is pointed, so many degrees beyond square to the leg
    pointed = about(X, math.radians(46.0) - leg[:, 1])
    free = step(u, off, off + 0.5)
    turned = _between(foot.orientation, pointed, free)
    body.leg(side, FootPath(hip + swung, turned, foot.toes * (1.0 - free)))


def _between(a: FloatArray, b: FloatArray, share: FloatArray) -> FloatArray:
    """(F, 4) from a to b the way that pitches the toes down, however far."""
    turn = multiply(a * np.array([1.0, -1.0, -1.0, -1.0]), b)
    turn = np.where((turn[:, 1] < 0.0)[:, None], -turn, turn)
    half = np.arctan2(np.linalg.norm(turn[:, 1:], axis=-1), turn[:, 0])
    axis = turn[:, 1:] / np.maximum(np.linalg.norm(turn[:, 1:], axis=-1, keepdims=True), 1e-12)
    return multiply(a, about(axis, 2.0 * half * share))


handstand = Take(
    "handstand", HandstandOptions, _handstand, "kicking up into a handstand, holding it, stepping down"
)
