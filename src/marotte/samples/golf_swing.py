"""A golf swing with an iron, on level or sloping ground: address, back, down, impact, finish.

The body turns in the order that golf laboratories find (Cheetham; Meister and others 2011; Steele
and others 2018): hips turn back down first, while the shoulders still wind up, then shoulders, arms
and last the club, which overtakes the hands at the ball.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from .._options import option
from ..figure import FloatArray, Motion, Point
from ..figure.rotations import about, exp, from_euler, log, multiply, rotate
from . import _club
from ._balance import PathCurve, balanced
from ._body import SIDES, Body, FootPath
from ._curves import keyed, step, through
from ._feet import Stance, foot_contacts, foot_path, foot_shape
from ._limbs import local
from ._stand import standing, until, weight
from ._take import Take, TakeOptions
from ._variation import Variation

_BALL = 0.0213  # metres: a golf ball's radius
_WIDTH = 0.38  # metres between the ankles
_ARM = (0.526, 0.547)  # metres from shoulder to wrist of the leading arm, nearly straight
_SPINE = (0.30, 0.34, 0.36)  # shares of the trunk's turn, from the lowest joint


class GolfOptions(TakeOptions):
    """A full swing with a seven iron by a right-handed golfer, who plays to the left."""

    slope: float = option(
        0.0, "how much the ground rises towards where the ball goes (negative: falls)",
        unit="deg", least=-8.0, most=8.0, example=5,
    )  # fmt: skip
    across: float = option(
        0.0, "how much the ground rises from the feet to the ball (negative: falls)",
        unit="deg", least=-2.0, most=2.0,
    )  # fmt: skip
    tempo: float = option(
        1.0, "how fast the swing is: at 1 it takes 0.88 s back and 0.27 s down",
        least=0.7, most=1.1,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """A sloping plane through the origin."""

    rise: tuple[float, float]  # metres a metre along +X and +Z

    @property
    def frame(self) -> FloatArray:
        """(3, 3) columns: along the target line, up from the ground, from the feet to the ball."""
        x = np.array([1.0, self.rise[0], 0.0])
        y = np.array([-self.rise[0], 1.0, -self.rise[1]])
        x, y = x / np.linalg.norm(x), y / np.linalg.norm(y)
        return np.stack([x, y, np.cross(x, y)], axis=1)

    def height(self, x: FloatArray | float, z: FloatArray | float) -> FloatArray:
        return np.asarray(self.rise[0] * x + self.rise[1] * z)

    def under(self, stance: Stance) -> Stance:
        """The stance, flat on this ground."""
        c, s = math.cos(stance.heading), math.sin(stance.heading)
        ahead, left = self.rise[0] * s + self.rise[1] * c, self.rise[0] * c - self.rise[1] * s
        slope = math.atan(ahead)
        bank = math.atan(left * math.cos(slope))
        y = float(self.height(stance.x, stance.z))
        return replace(stance, y=y, slope=math.degrees(slope), bank=math.degrees(bank))


def _golf(options: GolfOptions) -> Motion:
    v = Variation(options.seed)
    back = 0.42
    hit = back + (0.88 * v.scale("back", 0.04) + 0.27) / options.tempo
    ground = _Ground((math.tan(math.radians(options.slope)), math.tan(math.radians(options.across))))
    hit = round(60.0 * hit) / 60.0  # in a frame, at the rates that are common
    swing = _Swing(options, v, ground, back, hit)
    seconds = hit + 0.72 / options.tempo + 0.35
    frames = round(seconds * options.frame_rate)
    t = np.arange(frames + 1) / options.frame_rate
    curve = balanced(swing.pose, swing.centre, seconds, np.array([0.0, -0.03, -0.08]))
    body = swing.pose(curve, t)
    contacts = [
        c for s in SIDES for c in foot_contacts([swing.planted(s)], s, body.frames, options.frame_rate)
    ]
    return body.motion("golf swing", options.frame_rate, contacts=contacts, points=swing.points(body))


@dataclass(frozen=True, slots=True, eq=False)
class _Aim:
    """The leading wrist seen from its shoulder, and the shaft: (n,) each, radians and metres."""

    arm: tuple[FloatArray, FloatArray]  # angle in the swing's plane, from down; out of the plane
    length: FloatArray
    shaft: tuple[FloatArray, FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class _Swing:
    options: GolfOptions
    v: Variation
    ground: _Ground
    back: float  # seconds: the club leaves its place
    hit: float  # and meets the ball

    def at(self, before: float) -> float:
        """The time so many seconds of a swing at tempo 1 from the hit."""
        return self.hit + before / self.options.tempo

    def keys(self, t: FloatArray, keys: list[tuple[float, float]], rounding: float = 0.07) -> FloatArray:
        """(F,) through (seconds from the hit, value), after the value held at address."""
        first, *rest = keys
        timed = [(self.back, first[1]), *((self.at(time), value) for time, value in rest)]
        return keyed(t, [(self.back - 0.2, first[1]), *timed], rounding / self.options.tempo)

    # ---- feet

    def planted(self, side: str) -> Stance:
        # uphill the foot below points a little to where the body will turn
        out = 26.0 if side == "left" else 4.0 - 1.5 * max(self.options.slope, 0.0)
        return self.ground.under(standing(side, width=_WIDTH, toe_out=out))

    def foot(self, side: str, t: FloatArray, body: Body) -> FootPath:
        """Where a foot is: the left one stays, the right one comes up onto its tip and turns."""
        shape, stance = foot_shape(body.skeleton), self.planted(side)
        if side == "left":
            return foot_path([stance], t, shape, ())
        begin, end = self.at(-0.06), self.at(0.50)
        path = foot_path([until(stance, end, lift=end - begin, push=-48.0)], t, shape, ())
        up = self.ground.frame[:, 1]
        flat = foot_path([stance], t[:1], shape, ()).orientation[0]
        tip = np.array([stance.x, stance.y, stance.z]) + rotate(flat, np.array([0.0, 0.0, shape.tip]))
        over = np.radians(20.0) * step(t, self.at(-0.05), self.at(0.38))
        turn = np.radians(86.0 + 2.5 * max(self.options.slope, 0.0)) * step(t, self.at(0.0), self.at(0.27))
        tipped = multiply(about(up, turn), about(rotate(flat, np.array([1.0, 0.0, 0.0])), over))
        return FootPath(
            np.asarray(tip + rotate(tipped, path.ankle - tip)), multiply(tipped, path.orientation), path.toes
        )

    # ---- the body

    def centre(self, t: FloatArray) -> FloatArray:
        """Where the centre of mass goes: to the right foot, and to the left one before the arms come."""
        share = self.keys(
            t,
            [(-9, 0.5), (-0.75, 0.60), (-0.42, 0.66), (-0.16, 0.44), (0.0, 0.27), (0.4, 0.10), (0.7, 0.09)],
            0.16,
        )  # fmt: skip
        high = self.keys(
            t,
            [
                (-9, 0.882),
                (-0.4, 0.882),
                (-0.15, 0.845),
                (0.0, 0.848),
                (0.12, 0.872),
                (0.5, 0.980),
                (0.7, 0.982),
            ],
            0.16,
        )
        # uphill the right leg is left far below
        up = max(self.options.slope, 0.0) * step(t, self.at(-0.06), self.at(0.38))
        high, share = high - 0.0145 * up, share + 0.012 * up
        place = weight(t, self.planted("left"), self.planted("right"), share, 0.055)
        rise = self.ground.height(place[:, 0], place[:, 1]) + 0.004 * self.options.across
        return np.stack([place[:, 0], high + rise, place[:, 1]], axis=1)

    def _turned(self, lean: FloatArray, incline: FloatArray, turn: FloatArray, share: float) -> FloatArray:
        """(F, 4) turned about an axis that leans away from the target and inclines to the ball."""
        lean = lean + share * self.options.slope
        incline = incline - 1.0 * share * self.options.across
        return from_euler(np.radians(np.stack([lean, incline, turn], axis=-1)), "ZXY")

    def hips(self, t: FloatArray) -> FloatArray:
        turn = self.keys(t, [(-9, 1.0), (-0.31, -45.0), (0.0, 38.0), (0.14, 62.0), (0.55, 84.0)])
        lean = self.keys(t, [(-9, 1.0), (-0.34, 3.0), (0.0, 5.0), (0.2, 1.0), (0.6, 1.5)])
        incline = self.keys(t, [(-9, 30.0), (-0.3, 29.0), (0.0, 24.0), (0.2, 12.0), (0.55, 0.0)])
        return self._turned(lean, incline, turn * self.v.scale("hips", 0.02), 0.3)

    def chest(self, t: FloatArray) -> FloatArray:
        turn = self.keys(
            t,
            [
                (-9, 0.0),
                (-0.9, -11.0),
                (-0.62, -46.0),
                (-0.26, -92.0),
                (0.0, 26.0),
                (0.14, 80.0),
                (0.6, 110.0),
            ],
        )
        lean = self.keys(t, [(-9, 8.0), (-0.27, 5.0), (0.0, 8.0), (0.2, 15.0), (0.65, 3.0)])
        incline = self.keys(t, [(-9, 45.0), (-0.27, 46.0), (0.0, 51.0), (0.25, 28.0), (0.65, 2.0)])
        return self._turned(lean, incline, turn * self.v.scale("chest", 0.015), 0.7)

    def trunk(self, curve: PathCurve, t: FloatArray) -> Body:
        """Hips, trunk and head."""
        body = Body(len(t))
        hips = self.hips(t)
        body.hips_at(curve(t), hips)
        way = log(local(hips, self.chest(t)))
        for joint, share in zip(body.rig.spine, _SPINE, strict=True):
            body.rotations[:, joint] = exp(share * way)
        # the eyes stay on the ball until it is gone
        heading = self.keys(t, [(-9, 0.0), (-0.3, -16.0), (0.06, -6.0), (0.22, 40.0), (0.55, 84.0)], 0.12)
        nod = self.keys(t, [(-9, 50.0), (-0.3, 48.0), (0.08, 48.0), (0.3, 14.0), (0.6, 2.0)], 0.12)
        tip = self.keys(t, [(-9, 0.0), (0.0, 4.0), (0.25, 14.0), (0.6, 0.0)], 0.12)
        body.gaze(heading=np.radians(heading), nod=np.radians(nod), tip=-np.radians(tip))
        return body

    def pose(self, curve: PathCurve, t: FloatArray) -> Body:
        body = self.trunk(curve, t)
        after = step(t, self.at(-0.2), self.at(0.2)) - 0.5 * step(t, self.at(0.2), self.at(0.6))
        for side in SIDES:
            out = 3.0 + 9.0 * after if side == "right" else 3.0
            body.leg(side, self.foot(side, t, body), out=np.radians(out))
        self._swing_club(body, t, self._aims(curve, t))
        return body

    # ---- the club

    @property
    def ball(self) -> FloatArray:
        """(3,) the middle of the ball, metres; uphill it is played from further ahead."""
        o = self.options
        return np.asarray(
            self.ground.frame
            @ np.array([0.10 + 0.008 * o.slope, _BALL, 0.725 + 0.01 * o.across - 0.002 * max(o.slope, 0.0)])
        )

    def directions(self, angle: FloatArray, out: FloatArray) -> FloatArray:
        """(F, 3) unit directions by their angles in the swing's plane and out of it, radians."""
        x, up, ahead = self.ground.frame.T
        tilt = math.radians(31.0)
        down = -math.cos(tilt) * up + math.sin(tilt) * ahead
        normal = math.sin(tilt) * up + math.cos(tilt) * ahead
        within = np.cos(angle)[:, None] * down + np.sin(angle)[:, None] * x
        return np.asarray(np.cos(out)[:, None] * within + np.sin(out)[:, None] * normal)

    def angles(self, way: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The angles of directions (F, 3)."""
        axes = [self.directions(np.array([a]), np.array([o]))[0] for a, o in _AXES]
        down, x, normal = (way @ axis for axis in axes)
        return np.arctan2(x, down), np.arcsin(np.clip(normal, -1.0, 1.0))

    def _shoulder(self, body: Body) -> FloatArray:
        """(F, 3) where the left arm hangs from, its collar bone at rest."""
        collar = body.rig["left_shoulder"]
        rest = body.skeleton.offsets[collar] + body.skeleton.offsets[body.rig["left_upper_arm"]]
        return body.at(int(body.skeleton.parents[collar]), rest)

    def _meeting(self, curve: PathCurve) -> _Aim:
        """Wrist and shaft at address and at the hit, so that the head is where it must be."""
        t = np.array([self.back, self.hit])
        body = self.trunk(curve, t)
        shoulder = self._shoulder(body)
        behind = self.ground.frame @ np.array([-0.035, -0.004, 0.0])
        head = np.stack([self.ball + behind, self.ball])
        # hands below the line from shoulder to ball, at the hit ahead of it
        pole = (self.ground.frame @ np.array([[-0.45, -1.0, -0.45], [0.45, -1.0, -0.45]]).T).T
        wrist = _club.between_links(shoulder, head, np.array(_ARM), pole)
        shaft = _club.towards(head - wrist, self._aside(_club.unit(wrist - shoulder)))
        way = wrist - shoulder
        length = np.linalg.norm(way, axis=1)
        return _Aim(self.angles(way / length[:, None]), length, self.angles(shaft))

    def _aims(self, curve: PathCurve, t: FloatArray) -> _Aim:
        """The whole swing of arm and club: between the two that are met, positions that golfers go
        through (degrees in the plane of the swing, seconds from the hit)."""
        met = self._meeting(curve)
        deg = math.radians

        def way(
            met: FloatArray, back: list[tuple[float, float]], on: list[tuple[float, float]]
        ) -> FloatArray:
            start, hit = float(met[0]), float(met[1])
            places = [*back, (0.0, hit), *on[:-1]]
            zero = np.zeros(1)
            return through(
                t,
                (self.back, (np.array([start]), zero, zero)),
                (self.at(on[-1][0]), (np.array([on[-1][1]]), zero, zero)),
                [(self.at(time), np.array([value])) for time, value in places],
            )[:, 0]

        full = 0.534
        return _Aim(
            (
                way(met.arm[0], [(-0.9, deg(-21)), (-0.62, deg(-63)), (-0.26, deg(-128)), (-0.10, deg(-68))],
                    [(0.12, deg(60)), (0.30, deg(122)), (0.6, deg(153))]),
                way(met.arm[1], [(-0.62, deg(-6)), (-0.26, deg(2)), (-0.12, deg(-8))],
                    [(0.12, deg(10)), (0.30, deg(14)), (0.6, deg(6))]),
            ),
            way(met.length, [(-0.62, 1.02 * full), (-0.26, 1.085 * full), (-0.12, 1.06 * full)],
                [(0.12, 0.975 * full), (0.30, 0.77 * full), (0.6, 0.61 * full)]),
            (
                way(met.shaft[0],
                    [(-0.9, deg(-29)), (-0.62, deg(-97)), (-0.24, deg(-222)), (-0.12, deg(-165)),
                     (-0.05, deg(-98))],
                    [(0.05, deg(74)), (0.12, deg(146)), (0.28, deg(236)), (0.6, deg(286))]),
                way(met.shaft[1], [(-0.62, deg(6)), (-0.24, deg(0)), (-0.12, deg(0))],
                    [(0.12, deg(8)), (0.30, deg(8)), (0.6, deg(0))]),
            ),
        )  # fmt: skip

    def _aside(self, arm: FloatArray) -> FloatArray:
        """(F, 3) which side of the shaft the left hand lies on: where the arm comes from, and where
        both are in line, below the plane of the swing."""
        return np.asarray(arm - 0.4 * self.directions(np.zeros(1), np.full(1, 0.5 * math.pi)))

    def _swing_club(self, body: Body, t: FloatArray, aim: _Aim) -> None:
        shaft, arm = self.directions(*aim.shaft), self.directions(*aim.arm)
        wrist = self._shoulder(body) + aim.length[:, None] * arm
        aside = self._aside(arm)
        turn, to_grip = _club.on_shaft("left", shaft, aside)
        self._arm(body, "left", t, wrist, turn)
        # the right hand lies on the other side of the shaft
        over = about(shaft, np.radians(_ROLL))
        square = aside - (aside * shaft).sum(-1, keepdims=True) * shaft
        grip = wrist + to_grip + _club.APART * shaft
        turn, to_grip = _club.on_shaft("right", shaft, rotate(over, square))
        self._arm(body, "right", t, grip - to_grip, turn)

    def _arm(self, body: Body, side: str, t: FloatArray, wrist: FloatArray, hand: FloatArray) -> None:
        """An arm to its place on the club; its elbow turns about the line from shoulder to wrist,
        from pointing down and back from the chest, by angles that shoulder and wrist are free at."""
        roll, forward = (np.radians(self.keys(t, keys[side], 0.06)) for keys in (_ELBOWS, _FORWARD))
        chest = body.world(body.rig.spine[-1])[1]
        shoulder = body.world(f"{side}_upper_arm")[0]
        base = rotate(chest, np.array([0.0, -0.7, -0.7]))
        pole = rotate(about(_club.unit(wrist - shoulder), roll), base)
        body.reach(side, wrist, pole, hand=hand, forward=forward)

    def points(self, body: Body) -> list[Point]:
        """The head of the club, the end of its grip, where the right hand holds it, and where the
        ball lies, which the left foot, standing still, carries."""
        place, turned = body.world("left_foot")
        lies = rotate(turned[0] * np.array([1.0, -1.0, -1.0, -1.0]), self.ball - place[0])
        hand, foot = body.rig["left_hand"], body.rig["left_foot"]
        return [
            Point("club_head", hand, _triple(_club.shaft_in_hand("left", _club.LENGTH))),
            Point("grip_end", hand, _triple(_club.shaft_in_hand("left", -0.06))),
            Point("left_grip", hand, _triple(_club.shaft_in_hand("left", _club.APART))),
            Point("right_grip", body.rig["right_hand"], _triple(_club.shaft_in_hand("right", 0.0))),
            Point("ball", foot, _triple(lies)),
        ]


_ROLL = 30.0  # degrees about the shaft from the left hand to the right one
_ELBOWS = {
    "left": [
        (-9.0, 70.0), (-0.75, 86.0), (-0.62, 98.0), (-0.4, 95.0), (-0.15, 76.0), (-0.07, 59.0),
        (0.0, 68.0), (0.06, 40.0), (0.17, 30.0), (0.3, 0.0), (0.4, -40.0), (0.5, -80.0), (0.7, -110.0),
    ],
    "right": [
        (-9.0, 5.0), (-0.62, 15.0), (-0.3, 32.0), (0.06, 32.0), (0.12, 16.0), (0.17, 0.0),
        (0.22, -25.0), (0.3, -80.0), (0.4, -125.0), (0.7, -145.0),
    ],
}  # fmt: skip
_FORWARD = {
    "left": [(-9.0, 4.0), (-0.3, 26.0), (-0.08, 26.0), (0.1, 6.0), (0.3, 0.0)],
    "right": [(-9.0, 26.0), (-0.8, 30.0), (-0.3, -4.0), (0.0, 31.0), (0.14, 32.0), (0.6, 22.0)],
}
_AXES = ((0.0, 0.0), (0.5 * math.pi, 0.0), (0.0, 0.5 * math.pi))  # down, along, out of the plane


def _triple(v: FloatArray) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])


golf_swing = Take(
    "golf_swing", GolfOptions, _golf, "a golf swing on level or sloping ground, from address to finish"
)
