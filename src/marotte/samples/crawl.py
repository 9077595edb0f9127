"""Crawling on hands and knees: diagonal limbs together, or one limb after the other.

Adults and infants move diagonal limbs together, or at low speeds all four evenly spaced in time,
and always keep some limb on the ground (Patrick, Noah and Yang 2009); evenly spaced, a hand follows
the knee of its own side. Hands land well ahead of the shoulders, elbows stay nearly stiff while
they bear weight, and the spine bends sideways with the limbs (Righetti and others 2015, of infants;
steps are scaled to an adult's limbs here).

A shin that bears weight lies on the ground and does not move, so the hip rides on a sphere about
the knee: heights of both hips, and with them rise, fall and listing of the pelvis, follow from
where the knees are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .._options import option
from ..errors import InputError
from ..figure import FloatArray, Motion, Skeleton
from ..figure.rotations import about, from_euler, multiply, rotate
from ._body import SIDES, Body, X, Y, sign
from ._curves import TAU, wave
from ._feet import foot_shape
from ._gait import Path, stride_frames
from ._hands import FLAT, hand_on, pad, pads, wrist_over
from ._limbs import bend, local, solve
from ._rests import Carried, Rest, bump, carried, rest_contacts
from ._take import Take, TakeOptions
from ._variation import Variation, breath

Gait = Literal["diagonal", "lateral"]

# When each limb lands, as a share of the stride: first the left knee, then the left hand; the
# right ones half a stride later.
_HAND_AFTER: dict[Gait, float] = {"diagonal": 0.47, "lateral": 0.25}
_KNEE = 0.058  # metres from the ground to the middle of a knee that kneels
_KNEES, _HANDS = 0.20, 0.37  # metres between the two
_SHOULDERS = 0.455  # metres that the shoulders are ahead of the hips' joint
_SHARPEST = 45.0  # degrees a metre: on a tighter arc hands and knees would cross


class CrawlOptions(TakeOptions):
    """Crawl straight on or along an arc, at constant speed."""

    gait: Gait = option(
        "diagonal",
        "diagonal: a hand lands with the other side's knee; lateral: the four limbs one after the "
        "other, each hand after the knee of its side",
        example="lateral",
    )
    seconds: float = option(4.0, "how long the take is", unit="s", least=0.2, most=600)
    cycles: int | None = option(
        None, "whole strides instead of seconds, which loop without a seam", least=1, most=600
    )
    speed: float = option(
        0.45, "ground speed: strides get longer and quicker with it", unit="m/s", least=0.15, most=0.8
    )
    turn: float = option(
        0.0,
        "turning to the left (negative: right); at most 45 degrees for every metre of the way",
        unit="deg/s",
        least=-36,
        most=36,
    )


@dataclass(frozen=True, slots=True)
class _Crawl:
    gait: Gait
    path: Path
    stride: float  # seconds
    v: Variation

    @property
    def duty(self) -> float:
        """Share of the stride that a limb is on the ground."""
        return 0.75 - 0.2 * self.path.speed

    def rests(self, side: str, after: float, ahead: float, width: float, t: FloatArray) -> list[Rest]:
        """Of a limb that lands `after` the left knee, strides; in the middle of its rest it is
        `ahead` on the path of the hips' place then, metres."""
        offset = after + (0.0 if side == "left" else 0.5)
        first = math.floor(float(t[0]) / self.stride - offset) - 2
        last = math.ceil(float(t[-1]) / self.stride - offset) + 1
        found = []
        for k in range(first, last + 1):
            on = (k + offset) * self.stride
            there = np.array([on + 0.5 * self.duty * self.stride + ahead / self.path.speed])
            x, _, z = (float(c) for c in self.path.place(there, 0.0, sign(side) * 0.5 * width)[0])
            heading = float(self.path.heading(there)[0])
            found.append(Rest(on, on + self.duty * self.stride, x, 0.0, z, heading))
        return found


def _crawl(options: CrawlOptions) -> Motion:
    v = Variation(options.seed)
    speed = options.speed
    if abs(options.turn) > _SHARPEST * speed:
        raise InputError(
            f"crawl: turn must be at most {_SHARPEST * speed:g} deg/s at {speed:g} m/s, "
            f"{_SHARPEST:g} degrees a metre, but is {options.turn:g}; crawl faster or turn less"
        )
    stride = (0.39 + 0.24 * speed) * v.scale("stride", 0.03) / speed
    if options.cycles is not None:
        frames, stride = stride_frames(stride, options.cycles, options.frame_rate)
    else:
        frames = max(1, round(options.seconds * options.frame_rate))
    t = np.arange(frames + 1) / options.frame_rate
    plan = _Crawl(options.gait, Path(speed, math.radians(options.turn)), stride, v)
    hand_width = _HANDS * v.scale("hands", 0.03)
    knees = {s: plan.rests(s, 0.0, -0.045, _KNEES, t) for s in SIDES}
    after = _HAND_AFTER[options.gait]
    hands = {s: plan.rests(s, after, _SHOULDERS + 0.145, hand_width, t) for s in SIDES}
    body = Body(len(t))
    at = {s: carried(knees[s], t) for s in SIDES}
    knee_at = {s: at[s].place + (_KNEE + 0.016 * at[s].air)[:, None] * Y for s in SIDES}
    _middle(body, plan, knee_at, t)
    for side in SIDES:
        _leg(body, side, at[side], knee_at[side])
        _arm(body, plan, side, hands[side], t)
    _head(body, plan, t)
    contacts = []
    for side in SIDES:
        for role, rests in (("hand", hands), ("lower_leg", knees), ("foot", knees)):
            contacts += rest_contacts(rests[side], f"{side}_{role}", len(t), options.frame_rate)
    return body.motion(
        f"crawl {options.gait}", options.frame_rate, contacts=contacts, points=pads(body.skeleton)
    )


def _middle(body: Body, plan: _Crawl, knee_at: dict[str, FloatArray], t: FloatArray) -> None:
    """Hips and trunk: both hips a thigh's length from their knees, the shoulders at their height."""
    p = t / plan.stride
    after = _HAND_AFTER[plan.gait]
    thigh = body.limbs["left_leg"].upper
    half = float(body.skeleton.offsets[body.rig["left_upper_leg"]][0])
    below = float(body.skeleton.offsets[body.rig["left_upper_leg"]][1])
    # pelvis and shoulders turn towards the knee and the hand that reach out
    turn = math.radians(5.0) * wave(p, (-1.0, 0.03))
    girdle = math.radians(4.0) * wave(p, (-1.0, after + 0.03))
    heading = plan.path.heading(t) + turn
    place = plan.path.place(t, 0.006 * wave(p, (0.0, 0.0), (1.0, 0.1)), 0.012 * wave(p, (1.0, 0.36)))
    # the shoulders are highest where the arms stand upright, half way between two hands' landing
    rise = 0.5 * plan.duty
    reach = 0.55 * (0.39 + 0.24 * plan.path.speed) * plan.duty
    # and lower on an arc, where the outer arm reaches further
    bob = 0.11 * reach**2
    lower = 0.020 * abs(plan.path.turn) / plan.path.speed
    level = 0.560 - lower + bob * wave(p, (0.0, 0.0), (1.0, after + rise - 0.02))
    tilt = np.full_like(t, math.radians(80.0))
    twist, list_, height = np.zeros_like(t), np.zeros_like(t), np.full_like(t, 0.5)
    # the trunk bends along the arc
    arc = 0.8 * _SHOULDERS * plan.path.turn / plan.path.speed
    air = breath(t, float(t[-1]), 0.35, closed=True)
    for _ in range(8):
        turned = from_euler(np.stack([heading, list_, tilt], axis=-1), "YZX")
        place[:, 1] = height
        body.hips_at(place, turned)
        body.spine(bend=math.radians(9.0) - math.radians(0.8) * air, lean=arc + girdle - turn, turn=twist)
        left, right = (body.at(body.rig.spine[-1], body.shoulder_rest(side))[:, 1] for side in SIDES)
        tilt = tilt + (0.5 * (left + right) - level) / 0.46
        twist = twist - (left - right) / 0.35
        tops = {}
        for side in SIDES:
            hip = body.at("hips", [sign(side) * half, below, 0.0])
            off = hip - knee_at[side]
            across = off[:, 0] ** 2 + off[:, 2] ** 2
            tops[side] = knee_at[side][:, 1] + np.sqrt(thigh**2 - across)
        list_ = np.arcsin((tops["left"] - tops["right"]) / (2.0 * half))
        height = 0.5 * (tops["left"] + tops["right"]) - below * np.cos(tilt) * np.cos(list_)


def _leg(body: Body, side: str, at: Carried, knee: FloatArray) -> None:
    """A shin that lies on the ground, or is drawn forward with the foot trailing just above it."""
    limb = body.limbs[f"{side}_leg"]
    up = math.radians(3.5) * at.air
    yaw = about(Y, at.heading + sign(side) * math.radians(-2.0))
    shin = multiply(yaw, about(X, 0.5 * math.pi + up))
    ankle = knee + rotate(shin, -limb.lower * Y)
    hip = body.world(f"{side}_upper_leg")[0]
    thigh, angle = solve(limb, hip, ankle, knee - hip)
    body.rotations[:, body.rig[f"{side}_upper_leg"]] = local(body.world("hips")[1], thigh)
    body.rotations[:, body.rig[f"{side}_lower_leg"]] = bend(limb, angle)
    foot = multiply(yaw, about(X, 0.5 * math.pi + _stretched(body.skeleton) + 0.6 * up))
    body.rotations[:, body.rig[f"{side}_foot"]] = local(body.world(f"{side}_lower_leg")[1], foot)


def _stretched(skeleton: Skeleton) -> float:
    """Radians that an ankle is stretched when the shin lies level and the tips of the toes rest."""
    shape = foot_shape(skeleton)
    # tip · cos(angle) − ankle · sin(angle) is how far the tips lie below the ankle
    return math.acos(_KNEE / math.hypot(shape.tip, shape.ankle)) - math.atan2(shape.ankle, shape.tip)


def _arm(body: Body, plan: _Crawl, side: str, rests: list[Rest], t: FloatArray) -> None:
    at = carried(rests, t)
    p = t / plan.stride - _HAND_AFTER[plan.gait] - (0.0 if side == "left" else 0.5)
    # the heel of the hand lifts before the fingers do
    peel = np.zeros_like(t)
    for rest in rests:
        swing = (1.0 - plan.duty) * plan.stride
        peel += bump(t, rest.off - 0.55 * swing, rest.off + 0.95 * swing)
    pitch = FLAT + math.radians(34.0) * peel
    hand = hand_on(side, at.heading - sign(side) * math.radians(6.0), pitch)
    fingers = at.place + 0.045 * at.air[:, None] * Y
    wrist = wrist_over(fingers, hand, pad(body.skeleton, side))
    c, s = np.cos(at.heading), np.sin(at.heading)
    back = np.stack([-s, np.zeros_like(t), -c], axis=1)
    out = sign(side) * np.stack([c, np.zeros_like(t), -s], axis=1)
    reaching = np.cos(TAU * (p - 0.06))
    body.reach(
        side,
        wrist,
        back + 0.55 * out,
        hand=hand,
        shrug=np.radians(-6.0 + 7.0 * reaching),
        forward=math.radians(5.0),
    )


def _head(body: Body, plan: _Crawl, t: FloatArray) -> None:
    p, seconds = t / plan.stride, float(t[-1])
    drift = np.radians(2.0) * plan.v.unrest("head", t, seconds, closed=True)
    nod = math.radians(46.0) + math.radians(2.0) * wave(p, (0.0, 0.0), (1.0, 0.15))
    ahead = plan.path.heading(t + 0.7 / plan.path.speed)
    body.gaze(heading=ahead + drift, nod=nod)


crawl = Take("crawl", CrawlOptions, _crawl, "crawling on hands and knees, straight on or along an arc")
