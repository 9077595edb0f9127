"""Walking and running: footprints along a path, and a body carried over them.

A gait is periodic: everything is a function of the phase of the left foot's stride (0 where the
left foot lands, 0.5 where the right does) and of the way gone. Speed, step length and cadence
obey the walk ratio; the shares of stance and swing follow speed as published for level walking
(Perry; Winter; Sekiya on the walk ratio; Novacheck on running).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..errors import InputError
from ..figure import FloatArray, Motion, Skeleton, recognise
from ..figure.rotations import rotate
from ._body import SIDES, Body, FootPath, sign
from ._feet import Stance, foot_contacts, foot_path, foot_shape
from ._limbs import two_bone
from ._swing import LegSpace, LegSwing, cleared, leg_carry

# Strides planned before the first and after the last frame, so that every frame lies inside one.
_SPARE = 2


@dataclass(frozen=True, slots=True)
class Path:
    """A level way of constant curvature, gone at constant speed, from the origin along +Z."""

    speed: float  # m/s
    turn: float  # rad/s, positive to the left

    def heading(self, t: FloatArray) -> FloatArray:
        """(F,) radians."""
        return np.asarray(self.turn * t)

    def place(
        self, t: FloatArray, ahead: FloatArray | float = 0.0, left: FloatArray | float = 0.0
    ) -> FloatArray:
        """(F, 3) the place at time t, moved ahead and to the left of where the path leads then."""
        a = self.heading(t)
        if abs(self.turn) > 1e-9:
            radius = self.speed / self.turn
            x, z = radius * (1.0 - np.cos(a)), radius * np.sin(a)
        else:
            x, z = np.zeros_like(t), self.speed * t
        s, c = np.sin(a), np.cos(a)
        return np.stack([x + ahead * s + left * c, np.zeros_like(x), z + ahead * c - left * s], axis=-1)


HipsCurve = Callable[[FloatArray], tuple[FloatArray, FloatArray]]
"""Times (F,) to place (F, 3) and world orientation (F, 4) of the hips."""


@dataclass(frozen=True, slots=True)
class Gait:
    """Times and places of the feet in one stride, and the hips that they carry."""

    path: Path
    stride: float  # seconds from one landing of a foot to its next
    duty: float  # share of the stride that a foot is on the ground
    width: float  # metres between the lines of the two feet
    lead: float  # metres that a flat foot lands ahead of the hips
    toe_out: float  # degrees
    stance: Stance  # how it rolls, its times in strides; places are filled in
    swing: LegSwing
    hips: HipsCurve  # up to a height that is found from the reach of the legs
    skeleton: Skeleton

    def stances(self, side: str, start: float, end: float) -> list[Stance]:
        """The stances of a foot that reach from before `start` to after `end`, seconds."""
        offset = 0.0 if side == "left" else 0.5
        first = math.floor(start / self.stride - offset) - _SPARE
        last = math.ceil(end / self.stride - offset) + _SPARE
        roll = in_seconds(self.stance, self.stride)
        found = []
        for k in range(first, last + 1):
            on = (k + offset) * self.stride
            # where the path is, by the time that the hips are over the foot
            over = np.array([on + self.lead / max(self.path.speed, 1e-6)])
            s = sign(side)
            place = self.path.place(over, 0.0, s * 0.5 * self.width)[0]
            heading = float(self.path.heading(over)[0]) + s * math.radians(self.toe_out)
            x, z = float(place[0]), float(place[2])
            off = on + self.duty * self.stride
            found.append(replace(roll, on=on, off=off, x=x, z=z, heading=heading))
        return found

    def hips_height(self, least_bend: float) -> float:
        """What to add to the hips' height so that the straighter knee of a stance, at its
        straightest, is still bent by `least_bend` radians."""
        t = np.linspace(0.0, self.stride, 241)
        body = Body(len(t), self.skeleton)
        body.hips_at(*self.hips(t))
        shape = foot_shape(self.skeleton)
        drop = -math.inf
        for side in SIDES:
            stances = self.stances(side, 0.0, self.stride)
            planted = [s for s in stances if s.off > 0.0 and s.on < self.stride]
            for stance in planted:
                here = (t >= stance.on) & (t <= stance.off)
                path = foot_path([stance], t, shape, ())
                drop = max(drop, float(body.leg_need(side, path, least_bend)[here].max()))
        return -drop

    def feet(self, t: FloatArray, lift: float) -> dict[str, tuple[FootPath, list[Stance]]]:
        """Both feet at times t (F,) under hips lifted by `lift`, and the stances they came from."""
        out = {}
        shape = foot_shape(self.skeleton)
        rig = recognise(self.skeleton)
        for side in SIDES:
            limb = rig.limb(f"{side}_leg")
            if limb is None:
                raise InputError(f"a gait needs a figure with two legs, but this one has no {side} leg")
            offset = self.skeleton.offsets[limb.root]

            def hip(at: FloatArray, offset: FloatArray = offset) -> FloatArray:
                place, turned = self.hips(at)
                return np.asarray(place + np.array([0.0, lift, 0.0]) + rotate(turned, offset))

            space = LegSpace(hip, self.path.heading, two_bone(self.skeleton, limb), sign(side))
            stances = self.stances(side, float(t[0]), float(t[-1]))
            swing = cleared(stances[0], stances[1], self.swing, space, shape)
            out[side] = foot_path(stances, t, shape, leg_carry(swing, space)), stances
        return out


def in_seconds(stance: Stance, stride: float) -> Stance:
    """A stance whose times are shares of the stride, in seconds."""
    return replace(
        stance,
        flat=stance.flat * stride,
        lift=stance.lift * stride,
        strike_speed=stance.strike_speed / stride,
        push_speed=stance.push_speed / stride,
    )


def stride_frames(stride: float, cycles: int, frame_rate: float) -> tuple[int, float]:
    """Frames of so many whole strides, and the stride that makes the number whole, seconds."""
    frames = max(2, round(cycles * stride * frame_rate))
    return frames, frames / frame_rate / cycles


def finished(
    body: Body, feet: dict[str, tuple[FootPath, list[Stance]]], name: str, frame_rate: float
) -> Motion:
    """The take, with its feet's contacts."""
    contacts = [
        contact for side in SIDES for contact in foot_contacts(feet[side][1], side, body.frames, frame_rate)
    ]
    return body.motion(name, frame_rate, contacts=contacts)
