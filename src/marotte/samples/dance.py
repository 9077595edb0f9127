"""A dance phrase in four-four time: side steps, a travelling step there and back, and a turn.

Feet land on the beat and the weight is on them a little later; hips, chest, arms and head follow one
another, each a little later than what carries it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._options import option
from ..figure import FloatArray, Motion
from ..figure.rotations import from_euler
from ._balance import PathCurve, balanced
from ._body import SIDES, Body, sign
from ._curves import TAU, keyed, step
from ._feet import Stance, Swing, Way, carried, foot_contacts, foot_path, foot_shape
from ._stand import ALWAYS
from ._take import Take, TakeOptions
from ._variation import Variation

Key = tuple[float, ArrayLike]  # a beat and what is reached by then
_HALF = 0.105  # metres from the middle of the body to each foot
_COUNT = 2.0  # beats before the first step


class DanceOptions(TakeOptions):
    """A phrase of four bars, begun again as often as there are bars."""

    tempo: float = option(
        112.0, "beats a minute; a foot moves on every beat", unit="1/min", least=90.0, most=124.0
    )
    bars: int = option(4, "bars of four beats", least=1, most=16, example=8)
    energy: float = option(
        0.7, "how far the steps go, how deep the knees give and how wide the arms swing",
        least=0.2, most=1.0,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Step:
    """A foot that lands on a beat. Places in metres, headings in radians."""

    beat: float
    side: str
    x: float  # where the middle of the body goes
    turn: float = 0.0  # where it faces
    bears: bool = True  # takes the weight; otherwise it only touches
    spins: bool = False  # a step of a turn on the spot

    def place(self) -> tuple[float, float]:
        """x and z of the foot; a foot that only touches comes nearer, and ahead, and in a turn feet
        keep out of each other's way."""
        half, ahead = (_HALF, 0.0) if self.bears else (0.075, 0.045)
        if self.spins:
            home = abs(math.remainder(self.turn, TAU)) < 0.1
            half, ahead = (0.12, -0.02) if home else (0.15, -0.12)
        aside = sign(self.side) * half
        c, s = math.cos(self.turn), math.sin(self.turn)
        return self.x + aside * c + ahead * s, -aside * s + ahead * c


def _steps(bars: int, far: float) -> list[_Step]:
    """The feet of the whole dance, in order of time."""
    found: list[_Step] = []
    for bar in range(bars):
        turn = -TAU * (bar // 4)
        moves: list[tuple[str, float, float, bool]] = [
            [("right", -far, 0.0, True), ("left", -far, 0.0, False),
             ("left", 0.0, 0.0, True), ("right", 0.0, 0.0, False)],
            [("right", -far, 0.0, True), ("left", -far, 0.0, True),
             ("right", -2.0 * far, 0.0, True), ("left", -2.0 * far, 0.0, False)],
            [("left", -far, 0.0, True), ("right", -far, 0.0, True),
             ("left", 0.0, 0.0, True), ("right", 0.0, 0.0, False)],
            [(side, 0.0, -0.25 * TAU * (k + 1), True)
             for k, side in enumerate(("right", "left", "right", "left"))],
        ][bar % 4]  # fmt: skip
        for k, (side, x, more, bears) in enumerate(moves):
            found.append(_Step(_COUNT + 4.0 * bar + k, side, x, turn + more, bears, bar % 4 == 3))
    # on the next beat the foot that is not home yet closes
    last = found[-1]
    side = {"left": "right", "right": "left"}[last.side] if last.bears else last.side
    return [*found, _Step(last.beat + 1.0, side, last.x, last.turn)]


def _dance(options: DanceOptions) -> Motion:
    v = Variation(options.seed)
    beat = 60.0 / options.tempo
    far = (0.14 + 0.16 * options.energy) * v.scale("far", 0.05)
    dance = _Dance(options, v, beat, tuple(_steps(options.bars, far)))
    seconds = (_COUNT + 4.0 * options.bars + 2.5) * beat
    frames = round(seconds * options.frame_rate)
    t = np.arange(frames + 1) / options.frame_rate
    curve = balanced(dance.pose, dance.centre, seconds, np.array([0.0, -0.03, -0.02]))
    body = dance.pose(curve, t)
    contacts = [c for s in SIDES for c in foot_contacts(dance.stances(s), s, body.frames, options.frame_rate)]
    return body.motion("dance", options.frame_rate, contacts=contacts)


@dataclass(frozen=True, slots=True, eq=False)
class _Dance:
    options: DanceOptions
    v: Variation
    beat: float  # seconds
    steps: tuple[_Step, ...]

    def keys(self, t: FloatArray, keys: list[Key], rounding: float = 0.3) -> FloatArray:
        """Through (beat, value), corners rounded over so many beats."""
        return keyed(t / self.beat, keys, rounding)

    # ---- feet

    def stances(self, side: str) -> list[Stance]:
        """One foot's contacts: from the start, and from every step until it leaves for the next."""
        own = [s for s in self.steps if s.side == side]
        places = [(ALWAYS[0], (sign(side) * _HALF, 0.0), 0.0), *((s.beat, s.place(), s.turn) for s in own)]
        out = math.radians(9.0) * sign(side)
        found = []
        for k, (on, (x, z), turn) in enumerate(places):
            off = ALWAYS[1]
            if k < len(own):
                share = 0.60 if abs(own[k].turn - turn) < 1.0 else 0.72
                off = (own[k].beat - share) * self.beat
            first, last = k == 0, k == len(own)
            start = on if first else on * self.beat
            # balls land first and leave last
            long = off - start
            found.append(
                Stance(
                    on=start,
                    off=off,
                    x=x,
                    z=z,
                    heading=turn + out,
                    flat=0.0 if first else min(0.10, 0.4 * long),
                    strike=0.0 if first else -16.0,
                    strike_speed=0.0 if first else 90.0,
                    lift=0.0 if last else min(0.16, 0.5 * long),
                    push=0.0 if last else -30.0,
                    push_speed=0.0 if last else -220.0,
                )
            )
        return found

    def feet(self, side: str, t: FloatArray, body: Body) -> None:
        clear = 0.025 + 0.03 * self.options.energy
        swing = Swing(ways=(Way(0.5, 0.5, clear, -20.0),), toes=6.0)
        path = foot_path(self.stances(side), t, foot_shape(body.skeleton), carried(swing, side))
        body.leg(side, path, out=np.radians(5.0))

    # ---- weight

    def bearing(self) -> list[tuple[float, float, _Step]]:
        """The steps that take the weight, from when they have it until it goes on, in beats."""
        own = [s for s in self.steps if s.bears]
        leaves = [s.beat - 0.56 for s in own[1:]] + [own[-1].beat + 0.6]
        return [(s.beat + 0.22, leave, s) for s, leave in zip(own, leaves, strict=True)]

    def centre(self, t: FloatArray) -> FloatArray:
        """Where the centre of mass goes: onto each foot just after it has landed, down on the beat."""
        e = self.options.energy
        left = 0.62 * _HALF
        keys: list[Key] = [(0.0, (0.0, 0.045)), (0.9, (left, 0.045)), (1.3, (left, 0.045))]
        for has, leaves, s in self.bearing():
            (x, z), c, si = s.place(), math.cos(s.turn), math.sin(s.turn)
            inward = 0.30
            x, z = x + inward * (s.x - x) + 0.045 * si, z - inward * z + 0.045 * c
            keys += [(has, (x, z)), (leaves, (x, z))]
        last = self.steps[-1]
        end = last.beat + 1.6
        keys.append((end, (last.x, 0.045)))
        place = self.keys(t, keys, 0.5)
        p = t / self.beat
        going = step(p, 0.2, 1.5) - step(p, last.beat + 0.6, end)
        dip = (0.014 + 0.034 * e) * going * (0.5 + 0.5 * np.cos(TAU * (p - 0.10)))
        high = 0.957 - 0.018 * e * going - dip
        return np.stack([place[:, 0], high, place[:, 1]], axis=1)

    def side(self, t: FloatArray, late: float = 0.0) -> FloatArray:
        """(F,) which foot bears the weight: 1 the left, −1 the right, 0 both."""
        keys: list[Key] = [(0.0, 0.0), (1.0, 0.8), (1.5, 0.8)]
        for has, leaves, s in self.bearing():
            keys += [(has, sign(s.side)), (leaves, sign(s.side))]
        keys.append((self.steps[-1].beat + 1.6, 0.0))
        return self.keys(t - late * self.beat, keys, 0.5)

    def heading(self, t: FloatArray, late: float = 0.0) -> FloatArray:
        """(F,) where the body faces: between its feet, radians."""
        keys: list[Key] = [(0.0, 0.0)]
        facing, held = {"left": 0.0, "right": 0.0}, 0.0
        for s in self.steps:
            before = held
            facing[s.side] = s.turn
            held = 0.5 * (facing["left"] + facing["right"])
            if before != held:
                keys += [(s.beat - 0.88, before)] if keys[-1][0] < s.beat - 0.9 else []
                keys.append((s.beat + 0.12, held))
        keys.append((self.steps[-1].beat + 1.5, self.steps[-1].turn))
        return self.keys(t - late * self.beat, keys, 0.9)

    def wound(self, t: FloatArray) -> FloatArray:
        """(F,) how far the chest is turned against a turn that is about to begin, then along it."""
        keys: list[Key] = [(0.0, 0.0)]
        for s in self.steps:
            if s.spins and s.side == "right" and s.turn % TAU > 0.7 * TAU:
                keys += [(s.beat - 1.8, 0.0), (s.beat - 0.8, 1.0), (s.beat + 0.3, -0.7), (s.beat + 2.0, -0.5)]
                keys.append((s.beat + 3.6, 0.0))
        return self.keys(t, keys, 0.4)

    # ---- the body

    def pose(self, curve: PathCurve, t: FloatArray) -> Body:
        e, p = self.options.energy, t / self.beat
        body = Body(len(t))
        going = step(p, 0.0, 1.5) - step(p, self.steps[-1].beat + 0.5, self.steps[-1].beat + 1.5)
        side, later = self.side(t), self.side(t, 0.14)
        sway = e * self.v.scale("sway", 0.1)
        # the hip over the standing leg goes up and back
        hips = np.stack(
            [self.heading(t) + np.radians(9.0 * sway) * side, np.radians(9.0 * sway) * side,
             np.radians(4.0 + 3.0 * e * going * np.cos(TAU * (p - 0.15)))],
            axis=-1,
        )  # fmt: skip
        body.hips_at(curve(t), from_euler(hips, "YZX"))
        for name in SIDES:
            self.feet(name, t, body)
        body.spine(
            bend=np.radians(2.0 + 4.0 * e * going * np.cos(TAU * (p - 0.24))),
            lean=np.radians(13.0 * sway) * later,
            turn=-np.radians(20.0 * sway) * later + np.radians(24.0 * e) * self.wound(t),
        )
        nod = 3.0 + (2.0 + 5.0 * e) * going * np.cos(TAU * (p - 0.30))
        # in the turn the eyes are there first
        body.gaze(
            heading=self.heading(t, -0.22),
            nod=np.radians(nod),
            tip=np.radians(5.0 * sway) * self.side(t, 0.22),
        )
        self._arms(body, t)
        return body

    def _arms(self, body: Body, t: FloatArray) -> None:
        e, v = self.options.energy, self.v
        wide = (0.55 + 0.55 * e) * v.scale("arms", 0.06)
        for side in SIDES:
            keys = self._arm_keys(side)

            def of(late: float, keys: list[Key] = keys) -> FloatArray:
                return self.keys(t - late * self.beat, keys, 0.55)

            upper, fore, hand = of(0.06), of(0.14), of(0.26)
            flexion, abduction, inward = (_REST[k] + wide * (upper[:, k] - _REST[k]) for k in range(3))
            body.arm(
                side,
                flexion=np.radians(flexion),
                abduction=np.radians(abduction),
                inward=np.radians(inward),
                elbow=np.radians(_REST[3] + wide * (fore[:, 3] - _REST[3])),
                pronation=np.radians(_REST[4] + wide * (fore[:, 4] - _REST[4])),
                wrist=np.radians(_REST[5] + wide * (hand[:, 5] - _REST[5])),
            )

    def _arm_keys(self, side: str) -> list[Key]:
        """Beats and poses of an arm through all bars."""
        mirrored = side == "right"
        keys: list[Key] = [(0.0, _REST), (1.0, _REST)]
        for bar in range(self.options.bars):
            for k, pose in enumerate(_ARMS[bar % 4]):
                left, right = pose
                keys.append((_COUNT + 4.0 * bar + k, _POSES[right if mirrored else left]))
        keys.append((self.steps[-1].beat + 1.5, _REST))
        return keys


# Flexion, abduction, inward, elbow, pronation, wrist: degrees.
_Pose = tuple[float, float, float, float, float, float]
_REST: _Pose = (2.0, 10.0, 16.0, 18.0, 10.0, 8.0)
_POSES: dict[str, _Pose] = {
    "down": (4.0, 14.0, 18.0, 34.0, 10.0, 8.0),
    "front": (42.0, 16.0, 34.0, 84.0, 14.0, 14.0),  # the hand before the chest
    "back": (-26.0, 20.0, 12.0, 36.0, 10.0, 2.0),
    "out": (14.0, 78.0, 4.0, 26.0, 24.0, -14.0),
    "half": (20.0, 44.0, 20.0, 62.0, 16.0, 8.0),
    "up": (128.0, 22.0, 6.0, 26.0, 16.0, -10.0),
    "chest": (34.0, 34.0, 46.0, 112.0, 20.0, 10.0),
}
# For every bar and beat: the left arm, the right arm.
_ARMS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("front", "back"), ("down", "half"), ("back", "front"), ("half", "down")),
    (("chest", "out"), ("half", "half"), ("out", "up"), ("chest", "half")),
    (("out", "chest"), ("half", "half"), ("up", "out"), ("half", "chest")),
    (("chest", "out"), ("out", "chest"), ("up", "half"), ("out", "out")),
)

dance = Take(
    "dance", DanceOptions, _dance, "a dance phrase to a beat: side steps, a travelling step and a turn"
)
