"""Running: from a jog to a sprint, along a line or an arc, with true flight between the steps."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from .._options import option
from ..errors import InputError
from ..figure import FloatArray, Motion
from ..figure.rotations import from_euler
from ._body import SIDES, Body, FootPath
from ._curves import wave
from ._feet import Stance
from ._gait import Gait, Path, finished, stride_frames
from ._mass import centre_of_mass
from ._swing import LegSwing
from ._take import Take, TakeOptions
from ._variation import Variation, breath
from .characters import character

GRAVITY = 9.81
_SIDEWAYS = 1.8  # m/s²: who turns harder would fly off the arc between two steps, visibly


class RunOptions(TakeOptions):
    """Run straight on or along an arc, at constant speed."""

    seconds: float = option(3.0, "how long the take is", unit="s", least=0.2, most=600)
    cycles: int | None = option(
        None, "whole strides instead of seconds, which loop without a seam", least=1, most=600
    )
    speed: float = option(
        3.2, "ground speed: steps get longer, contacts shorter, knees higher",
        unit="m/s", least=2.0, most=6.5,
    )  # fmt: skip
    turn: float = option(
        0.0,
        "turning to the left (negative: right); at most 1.8 m/s² sideways",
        unit="deg/s",
        least=-60,
        most=60,
    )


@dataclass(frozen=True, slots=True)
class _Hips:
    """The hips' path over the stride; `sag` takes the centre of mass onto its parabola."""

    path: Path
    stride: float
    contact: float  # seconds
    sag: tuple[tuple[float, float], ...] = ()

    def height(self, t: FloatArray) -> FloatArray:
        """(F,) of the centre of mass above where it leaves the ground, metres."""
        half = 0.5 * self.stride
        flight = half - self.contact
        leave = 0.5 * GRAVITY * flight
        since = np.mod(t, half)
        air = since - self.contact
        up = leave * air - 0.5 * GRAVITY * air * air
        # on the ground an even polynomial takes over speed and acceleration of both flights
        reach = 0.5 * self.contact
        s = since / reach - 1.0
        first, second = leave * reach, -GRAVITY * reach * reach
        matrix = np.array([[1.0, 1.0, 1.0], [0.0, 2.0, 4.0], [0.0, 2.0, 12.0]])
        a, b, c = np.linalg.solve(matrix, [0.0, first, second])
        down = a + b * s**2 + c * s**4
        return np.where(since < self.contact, down, up)

    def __call__(self, t: FloatArray) -> tuple[FloatArray, FloatArray]:
        p = t / self.stride
        middle = 0.5 * self.contact / self.stride
        place = self.path.place(t, 0.0, 0.010 * wave(p, (1.0, middle)))
        place[:, 1] = 0.93 + self.height(t) - wave(2.0 * p, *self.sag)
        turn, list_, tilt = self.angles(p)
        angles = np.stack([self.path.heading(t) + turn, list_ + self.bank, tilt], axis=-1)
        return place, from_euler(angles, "YZX")

    @property
    def bank(self) -> float:
        """How far the body leans into the turn, radians; a right lean is positive."""
        return -0.5 * math.atan(self.path.speed * self.path.turn / GRAVITY)

    def angles(self, p: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        turn = math.radians(7.0) * wave(p, (-1.0, 0.95))
        list_ = math.radians(4.0) * wave(p, (1.0, 0.14))
        tilt = math.radians(9.0) + math.radians(2.0) * wave(p, (0.0, 0.0), (1.0, 0.3))
        return turn, list_, tilt


def _run(options: RunOptions) -> Motion:
    v = Variation(options.seed)
    speed = options.speed
    sharpest = math.degrees(_SIDEWAYS / speed)
    if abs(options.turn) > sharpest:
        raise InputError(
            f"run: at {speed:g} m/s it turns by at most {sharpest:.0f} deg/s, but turn is "
            f"{options.turn:g}; run slower or turn less"
        )
    cadence = (148.0 + 6.5 * speed) * v.scale("cadence", 0.02)
    stride = 120.0 / cadence
    if options.cycles is not None:
        frames, stride = stride_frames(stride, options.cycles, options.frame_rate)
    else:
        frames = max(1, round(options.seconds * options.frame_rate))
    t = np.arange(frames + 1) / options.frame_rate
    contact = min(0.62 / (speed + 0.15) ** 0.78, 0.42 * stride)
    curve = _Hips(Path(speed, math.radians(options.turn)), stride, contact)
    for _ in range(3):
        curve = replace(curve, sag=_sag(options, v, curve))
    body, feet = _posed(options, v, curve, t)
    return finished(body, feet, "run", options.frame_rate)


def _sag(options: RunOptions, v: Variation, curve: _Hips) -> tuple[tuple[float, float], ...]:
    """How the centre of mass moves against the hips over a step, as (amplitude, peak) of waves."""
    count = 48
    grid = np.asarray(np.arange(count) * (0.5 * curve.stride / count), dtype=np.float64)
    body, _ = _posed(options, v, curve, grid)
    offset = centre_of_mass(body)[:, 1] - body.root[:, 1]
    spectrum = np.fft.rfft(offset)[1:8] / (0.5 * count)
    return tuple(
        (float(abs(z)), float(-np.angle(z) / (2.0 * math.pi * k))) for k, z in enumerate(spectrum, 1)
    )


def _posed(
    options: RunOptions, v: Variation, curve: _Hips, t: FloatArray
) -> tuple[Body, dict[str, tuple[FootPath, list[Stance]]]]:
    speed, stride = options.speed, curve.stride
    effort = (speed - 2.0) / 4.5  # 0 a jog, 1 a sprint
    gait = Gait(
        path=curve.path,
        stride=stride,
        duty=curve.contact / stride,
        width=0.04,
        lead=speed * curve.contact * (0.26 - 0.02 * effort),
        toe_out=5.0,
        stance=Stance(
            on=0.0,
            off=0.0,
            x=0.0,
            z=0.0,
            flat=0.05,
            lift=(0.62 + 0.1 * effort) * curve.contact / stride,
            strike=8.0 - 6.0 * effort,
            strike_speed=-160.0,
            push=-64.0,
            push_speed=-480.0 - 400.0 * effort,
            toe_push=-24.0 - 10.0 * effort,
        ),
        swing=LegSwing(
            knee=((0.2, 68.0), (0.42, 96.0 + 28.0 * effort), (0.66, 82.0 + 12.0 * effort), (0.88, 26.0)),
            turn=((0.2, 0.06), (0.42, 0.44), (0.66, 0.92), (0.86, 1.12)),
            pitch=((0.2, -88.0 - 15.0 * effort), (0.45, -62.0), (0.72, -8.0), (0.9, 8.0)),
            clearance=0.03,
        ),
        hips=curve,
        skeleton=character("performer"),
    )
    lift = gait.hips_height(math.radians(21.0 + 12.0 * effort))
    feet = gait.feet(t, lift)
    body = Body(len(t))
    place, turned = curve(t)
    body.hips_at(place + np.array([0.0, lift, 0.0]), turned)
    for side in SIDES:
        body.leg(side, feet[side][0])
    _upper(body, v, curve, t, effort)
    return body, feet


def _upper(body: Body, v: Variation, curve: _Hips, t: FloatArray, effort: float) -> None:
    p, seconds = t / curve.stride, float(t[-1])
    turn, list_, tilt = curve.angles(p)
    chest = math.radians(9.0 + 4.0 * effort) * wave(p, (1.0, 0.0))
    air = breath(t, seconds, 0.7, closed=True)
    body.spine(
        bend=math.radians(3.0 + 3.0 * effort) - 0.8 * (tilt - math.radians(9.0)) - math.radians(0.6) * air,
        lean=-0.9 * list_ - curve.bank,
        turn=chest - turn,
    )
    body.gaze(heading=curve.path.heading(t), nod=math.radians(3.0), tip=-0.5 * curve.bank)
    for side in SIDES:
        own = p - (0.55 if side == "left" else 0.05)
        swing = (26.0 + 20.0 * effort) * v.scale(f"swing {side}", 0.1)
        forward = wave(own, (1.0, 0.0))
        body.arm(
            side,
            flexion=np.radians(-4.0 + 8.0 * effort + swing * forward),
            abduction=np.radians(15.0 - 5.0 * forward),
            inward=np.radians(14.0 + 8.0 * forward),
            elbow=np.radians(88.0 + 14.0 * wave(own, (1.0, 0.02), (0.3, 0.25))),
            pronation=np.radians(4.0),
            wrist=np.radians(10.0),
        )


run = Take("run", RunOptions, _run, "running, from a jog to a sprint, straight on or along an arc")
