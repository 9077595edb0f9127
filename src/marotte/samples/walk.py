"""Walking: normal, tired, brisk, sneaking, and anything between by its options."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .._options import option
from ..errors import InputError
from ..figure import FloatArray, Motion
from ..figure.rotations import from_euler
from ._body import SIDES, Body, sign
from ._curves import wave
from ._feet import Stance
from ._gait import Gait, Path, finished, stride_frames
from ._swing import LegSwing
from ._take import Take, TakeOptions
from ._variation import Variation, breath
from .characters import character

Style = Literal["normal", "tired", "brisk", "sneak"]


class WalkOptions(TakeOptions):
    """Walk straight on or along an arc, at constant speed."""

    style: Style = option("normal", "posture, rhythm and how the feet roll", example="tired")
    seconds: float = option(4.0, "how long the take is", unit="s", least=0.2, most=600)
    cycles: int | None = option(
        None,
        "whole strides instead of seconds: the last pose is the first, further on, and the take "
        "loops without a seam",
        least=1,
        most=600,
        example=2,
    )
    speed: float | None = option(
        None, "ground speed; left out, the style's own; steps get longer and quicker with it",
        unit="m/s", least=0.2, most=2.4,
    )  # fmt: skip
    turn: float = option(0.0, "turning to the left (negative: right)", unit="deg/s", least=-60, most=60)


@dataclass(frozen=True, slots=True)
class _Style:
    """A manner of walking. Lengths in metres, angles in degrees."""

    speed: float
    slowest: float
    fastest: float
    ratio: float  # step length over cadence, m per step/min
    duty: float
    width: float
    toe_out: float
    bend: float  # least bend of a knee
    bounce: float  # half the rise and fall of the hips, as a share of the compass gait's
    sway: float  # half the side-to-side path of the hips
    tilt: float  # forward tilt of the hips
    stoop: float  # forward bend of the trunk
    chin: float  # nod of the head, positive down
    swing: float  # half the range of the upper arms
    arm: float  # mean flexion of the upper arms
    out: float  # abduction of the arms
    elbow: float
    elbow_swing: float
    hips_turn: float  # half the turning of the hips
    chest_turn: float
    list_: float  # half the listing of the hips
    lead: float  # metres that the feet land further ahead than half a step
    stance: Stance
    swing_path: LegSwing
    lean: float = 1.2  # half the leaning of the trunk over the standing leg
    nod: float = 0.0  # half the dipping of the head with every step


# Degrees of knee bend at landing for every metre a second beyond 1.
_GIVE = 7.0


def _roll(**values: float) -> Stance:
    return Stance(on=0.0, off=0.0, x=0.0, z=0.0, **values)


_STYLES: dict[str, _Style] = {
    "normal": _Style(
        speed=1.3, slowest=0.3, fastest=2.2, ratio=0.0063, duty=0.62, width=0.10, toe_out=6.0,
        lead=-0.035, bend=8.0, bounce=0.42, sway=0.018, tilt=3.0, stoop=1.0, chin=2.0,
        swing=17.0, arm=-3.0, out=11.0, elbow=22.0, elbow_swing=9.0, hips_turn=5.0,
        chest_turn=4.5, list_=3.5,
        stance=_roll(flat=0.08, lift=0.37, strike=18.0, strike_speed=-300.0, push=-66.0,
                     push_speed=-460.0, toe_push=-32.0),
        swing_path=LegSwing(
            knee=((0.3, 61.0), (0.6, 39.0), (0.88, 11.0)), turn=((0.3, 0.12), (0.6, 0.66))
        ),
    ),
    "tired": _Style(
        speed=0.75, slowest=0.3, fastest=1.2, ratio=0.0066, duty=0.655, width=0.13, toe_out=10.0,
        lead=-0.02, bend=13.0, bounce=0.55, sway=0.028, tilt=8.0, stoop=20.0, chin=24.0,
        swing=8.0, arm=23.0, out=7.0, elbow=15.0, elbow_swing=4.0, hips_turn=4.0, chest_turn=5.0,
        list_=4.0, lean=3.0, nod=3.0,
        stance=_roll(flat=0.07, lift=0.33, strike=8.0, strike_speed=-120.0, push=-50.0,
                     push_speed=-330.0, toe_push=-18.0),
        swing_path=LegSwing(
            knee=((0.3, 53.0), (0.6, 40.0), (0.88, 17.0)), turn=((0.3, 0.14), (0.6, 0.66)),
            pitch=((0.42, -24.0), (0.7, -8.0), (0.9, 4.0)), clearance=0.008,
        ),
    ),
    "brisk": _Style(
        speed=1.85, slowest=0.8, fastest=2.4, ratio=0.0064, duty=0.60, width=0.08, toe_out=5.0,
        lead=-0.05, bend=9.0, bounce=0.40, sway=0.013, tilt=5.0, stoop=0.0, chin=-1.0,
        swing=27.0, arm=-3.0, out=11.0, elbow=42.0, elbow_swing=17.0, hips_turn=8.0,
        chest_turn=8.0, list_=3.5,
        stance=_roll(flat=0.08, lift=0.37, strike=23.0, strike_speed=-380.0, push=-70.0,
                     push_speed=-500.0, toe_push=-36.0),
        swing_path=LegSwing(
            knee=((0.3, 64.0), (0.6, 42.0), (0.88, 12.0)), turn=((0.3, 0.12), (0.6, 0.66))
        ),
    ),
    "sneak": _Style(
        speed=0.55, slowest=0.2, fastest=0.85, ratio=0.0130, duty=0.62, width=0.12, toe_out=4.0,
        lead=0.03, bend=42.0, bounce=-0.35, sway=0.030, tilt=20.0, stoop=26.0, chin=4.0,
        swing=11.0, arm=38.0, out=16.0, elbow=82.0, elbow_swing=-10.0, hips_turn=6.0,
        chest_turn=7.0, list_=-2.0, lean=3.0,
        stance=_roll(flat=0.17, lift=0.22, strike=-26.0, strike_speed=40.0, push=-42.0,
                     push_speed=-260.0, toe_push=-12.0),
        swing_path=LegSwing(
            knee=((0.28, 92.0), (0.55, 96.0), (0.82, 62.0)), turn=((0.3, 0.28), (0.6, 0.78)),
            pitch=((0.35, -40.0), (0.62, -22.0)), toes=10.0, clearance=0.03,
        ),
    ),
}  # fmt: skip


def _walk(options: WalkOptions) -> Motion:
    style = _STYLES[options.style]
    v = Variation(options.seed)
    speed = _speed_of(options, style)
    cadence = math.sqrt(60.0 * speed / (style.ratio * v.scale("ratio", 0.03)))  # steps a minute
    stride = 120.0 / cadence
    if options.cycles is not None:
        frames, stride = stride_frames(stride, options.cycles, options.frame_rate)
    else:
        frames = max(1, round(options.seconds * options.frame_rate))
    t = np.arange(frames + 1) / options.frame_rate
    pace = speed / style.speed
    length = 0.5 * speed * stride
    path = Path(speed, math.radians(options.turn))
    curve = _Hips(style, path, stride, pace)
    gait = Gait(
        path=path,
        stride=stride,
        duty=style.duty - 0.045 * (speed - style.speed),
        width=style.width,
        lead=0.5 * length + style.lead,
        toe_out=style.toe_out,
        stance=style.stance,
        swing=style.swing_path,
        hips=curve,
        skeleton=character("performer"),
    )
    # the faster the foot comes down, the more the knee is bent already: it could not give way else
    bend = style.bend + _GIVE * max(0.0, speed - 1.0)
    lift = gait.hips_height(math.radians(bend))
    feet = gait.feet(t, lift)
    body = Body(len(t))
    place, turned = curve(t)
    body.hips_at(place + np.array([0.0, lift, 0.0]), turned)
    for side in SIDES:
        body.leg(side, feet[side][0])
    _trunk(body, style, v, curve, t)
    _arms(body, style, v, t / stride, pace)
    return finished(body, feet, f"walk {options.style}", options.frame_rate)


def _speed_of(options: WalkOptions, style: _Style) -> float:
    if options.speed is None:
        return style.speed
    if not style.slowest <= options.speed <= style.fastest:
        able = [name for name, s in _STYLES.items() if s.slowest <= options.speed <= s.fastest]
        raise InputError(
            f"walk: speed must be between {style.slowest:g} and {style.fastest:g} m/s in style "
            f"{options.style!r}, but is {options.speed:g}; styles that go at it: {', '.join(able)}"
        )
    return options.speed


@dataclass(frozen=True, slots=True)
class _Hips:
    """The hips' path and turning over the stride."""

    style: _Style
    path: Path
    stride: float
    pace: float

    def __call__(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        p = t / self.stride
        length = 0.5 * self.path.speed * self.stride
        # a stiff-legged figure would rise and fall by length² / 8 leg lengths
        rise = self.style.bounce * length * length / (16.0 * 0.86)
        ahead = wave(p, (0.0, 0.0), (0.012 * length / 0.7, 0.13))
        place = self.path.place(t, ahead, self.style.sway * wave(p, (1.0, 0.32)))
        place[:, 1] = 0.93 + wave(p, (0.0, 0.0), (rise, 0.265))
        turn, list_, tilt = self.angles(p)
        angles = np.stack([self.path.heading(t) + turn, list_, tilt], axis=-1)
        return place, from_euler(angles, "YZX")

    def angles(self, p: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Turning, listing and tilt, radians, at phases p."""
        style = self.style
        turn = math.radians(style.hips_turn) * self.pace * wave(p, (-1.0, 0.0))
        list_ = math.radians(style.list_) * wave(p, (1.0, 0.15), (0.2, 0.1))
        tilt = math.radians(style.tilt) + math.radians(1.2) * wave(p, (0.0, 0.0), (1.0, 0.05))
        return turn, list_, tilt


def _trunk(body: Body, style: _Style, v: Variation, hips: _Hips, t: FloatArray) -> None:
    p, seconds = t / hips.stride, float(t[-1])
    turn, list_, tilt = hips.angles(p)
    air = breath(t, seconds, 0.28, closed=True)
    chest = math.radians(style.chest_turn) * hips.pace * wave(p, (1.0, 0.03))
    body.spine(
        bend=math.radians(style.stoop) - 0.7 * (tilt - math.radians(style.tilt)) - math.radians(0.5) * air,
        lean=-0.85 * list_ + math.radians(style.lean) * wave(p, (1.0, 0.28)),
        turn=chest - turn,
    )
    drift = np.radians(0.8) * v.unrest("head", t, seconds, closed=True)
    heading = hips.path.heading(t) + drift
    nod = np.radians(style.chin + style.nod * wave(p, (0.0, 0.0), (1.0, 0.09)))
    body.gaze(heading=heading, nod=nod, tip=0.15 * chest)


def _arms(body: Body, style: _Style, v: Variation, p: FloatArray, pace: float) -> None:
    for side in SIDES:
        s = sign(side)
        # an arm is furthest forward a little after the other foot has landed
        ahead = 0.54 if side == "left" else 0.04
        own = p - ahead
        swing = style.swing * math.sqrt(pace) * v.scale(f"swing {side}", 0.12) * (1.0 + 0.05 * s)
        flexion = style.arm + swing * (wave(own, (1.0, 0.0), (0.08, 0.02)))
        elbow = style.elbow + style.elbow_swing * wave(own, (1.0, 0.06), (0.12, 0.1))
        body.arm(
            side,
            flexion=np.radians(flexion),
            abduction=np.radians(style.out - 1.5 * wave(own, (1.0, 0.0))),
            inward=np.radians(18.0 - 0.15 * style.elbow + 5.0 * wave(own, (1.0, 0.05))),
            elbow=np.radians(elbow),
            pronation=np.radians(12.0),
            wrist=np.radians(6.0 - 4.0 * wave(own, (1.0, 0.16))),
        )


walk = Take("walk", WalkOptions, _walk, "walking straight on or along an arc, in four manners")
