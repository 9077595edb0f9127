"""Picking a thing up from the floor: down to it, hold of it, and up again with its weight."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from .._options import option
from ..figure import Contact, FloatArray, Motion, Point
from ..figure.rotations import from_euler, from_matrix, rotate
from ._balance import PathCurve, balanced, path_curve
from ._body import SIDES, Body, sign
from ._curves import keyed, pulse, step
from ._feet import Stance, foot_contacts, foot_path, foot_shape
from ._mass import centre_of_mass
from ._stand import standing, weight
from ._take import Take, TakeOptions
from ._variation import Variation, breath

MASS = 75.0  # kilograms of the performer
_REST = 0.975  # metres: the centre of mass of the standing performer, knees easy
_GRIP = np.array([0.085, -0.02, 0.0])  # metres from the wrist into a left hand that holds something
_STRETCH = 0.95  # share of its length to which an arm is stretched when it takes hold


class PickUpOptions(TakeOptions):
    """Bend, take a thing from the floor with one hand or both, and stand up with it."""

    hands: Literal["both", "left", "right"] = option(
        "both", "what it is taken with: both hands take a box by its sides, one hand a can", example="right"
    )
    ahead: float = option(
        0.38, "how far it lies ahead of the ankles", unit="m", least=0.3, most=0.48,
        harm="far things are heavy on the back",
    )  # fmt: skip
    aside: float = option(0.0, "how far it lies to the left", unit="m", least=-0.2, most=0.2)
    height: float = option(
        0.12, "how high above the floor the hands take hold", unit="m", least=0.08, most=0.6
    )
    weight: float = option(
        3.0, "what it weighs: heavy things are lifted slowly, with the legs, and close to the body",
        unit="kg", least=0.0, most=20.0,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Times:
    """Seconds of the moments."""

    still: float  # the eyes go down, then the body
    hold: float  # the hands are on it
    lift: float  # it leaves the floor
    up: float
    end: float


def _pick_up(options: PickUpOptions) -> Motion:
    v = Variation(options.seed)
    fold = 1.0 - options.height  # about how far one has to go down
    still, heavy = 0.35, options.weight / 20.0
    hold = still + (0.75 + 0.35 * fold + 0.25 * heavy) * v.scale("down", 0.06)
    lift = hold + 0.16 + 0.28 * heavy
    up = lift + (0.80 + 0.30 * fold + 0.85 * heavy) * v.scale("up", 0.06)
    times = _Times(still, hold, lift, up, up + 0.6)
    take = _Bend(options, v, times, 1.0).reaching()
    frames = round(times.end * options.frame_rate)
    t = np.arange(frames + 1) / options.frame_rate
    curve = balanced(take.pose, take.centre, times.end, np.array([0.0, -0.03, -0.02]))
    body = take.pose(curve, t)
    contacts = [c for s in SIDES for c in foot_contacts([take.stance(s)], s, body.frames, options.frame_rate)]
    first, last = (
        math.ceil(times.hold * options.frame_rate - 1e-6),
        math.floor(times.lift * options.frame_rate + 1e-6),
    )
    if first <= last:
        contacts += [Contact(f"{s}_hand", first, last, "object") for s in take.hands]
    return body.motion("pick up", options.frame_rate, contacts=contacts, points=take.points(body))


@dataclass(frozen=True, slots=True)
class _Bend:
    options: PickUpOptions
    v: Variation
    times: _Times
    fold: float  # how deep the body bends, 1 about to the floor

    @property
    def hands(self) -> tuple[str, ...]:
        """The sides that take hold."""
        return SIDES if self.options.hands == "both" else (self.options.hands,)

    @property
    def heavy(self) -> float:
        """0 for what weighs nothing, 1 for what takes the whole body."""
        return min(1.0, self.options.weight / 12.0)

    @property
    def half(self) -> float:
        """Metres from the middle of the thing to the palms."""
        return 0.17 if len(self.hands) == 2 else 0.033

    def reaching(self) -> _Bend:
        """Bent as deep as it takes for the arms to come to the thing nearly stretched."""
        low, high = 0.0, 1.5
        for _ in range(14):
            middle = 0.5 * (low + high)
            bent = replace(self, fold=middle)
            # with the load's weight the body leans back before it leaves the floor
            near = bent.reaches(self.times.hold) and bent.reaches(self.times.lift)
            low, high = (low, middle) if near else (middle, high)
        return replace(self, fold=high)

    def reaches(self, time: float) -> bool:
        """Whether, standing bent and balanced, the arms come to the thing."""
        at = np.array([time])
        centre = self.centre(at)[0]
        hips = centre + np.array([0.0, -0.03, -0.02])
        for _ in range(12):
            body = self.pose(path_curve(0.0, 1.0, np.stack([hips, hips])), at)
            hips = hips + centre - centre_of_mass(body)[0]
        far = 0.0
        for side in self.hands:
            shoulder = body.world(f"{side}_upper_arm")[0]
            gap = self.wrist(side, self.thing(at), self.pitch(at)) - shoulder
            far = max(far, float(np.linalg.norm(gap)) / body.limbs[f"{side}_arm"].reach)
        return far <= _STRETCH

    # ---- curves

    def down(self, t: FloatArray, late: float = 0.0) -> FloatArray:
        """(F,) how far the body is on its way down to the thing, 0 to 1."""
        k = self.times
        # a heavy thing is pulled at before it comes: the body is on its way before the hands are
        begin = k.lift - 0.03 - 0.03 * self.heavy
        return pulse(t, k.still + late, k.hold + 0.01 + 0.3 * late, begin + 0.5 * late, k.up + late)

    def stance(self, side: str) -> Stance:
        wide = 0.28 + 0.06 * self.heavy
        other = 0.5 * (sign("left" if self.options.hands == "right" else "right"))
        back = 0.05 if self.options.hands == "both" else 0.09
        return standing(side, width=wide, toe_out=14.0, ahead=back * sign(side) * other)

    def centre(self, t: FloatArray) -> FloatArray:
        """Where the centre of mass goes: with the load it stays above the middle of the feet."""
        k, o = self.times, self.options
        squat = 0.36 - 0.02 * self.heavy
        loaded = step(t, k.hold + 0.05, k.lift + 0.15)
        far = self.thing(t) - np.array([0.0, 0.0, 0.06])
        lever = o.weight / MASS * loaded
        share = 0.5 - 0.30 * o.aside * self.down(t) - 0.9 * np.clip(lever * far[:, 0], -0.12, 0.12)
        back = np.clip(lever * far[:, 2], -0.01, 0.05)
        # the seat goes back before the hands go forward
        settle = 0.012 * pulse(t, k.still - 0.1, k.still + 0.18, k.still + 0.25, k.hold)
        place = weight(t, self.stance("left"), self.stance("right"), share, 0.052)
        drift = 0.003 * self.v.unrest("sway", t, k.end)
        rise = 0.006 * pulse(t, k.up - 0.25, k.up + 0.05, k.up + 0.1, k.up + 0.45)
        high = _REST - squat * self.fold * self.down(t) + rise
        return np.stack([place[:, 0] + drift, high, place[:, 1] - back - settle], axis=1)

    def thing(self, t: FloatArray) -> FloatArray:
        """(F, 3) where the middle of the thing is, on the floor and then carried."""
        o, k = self.options, self.times
        floor = np.array([o.aside, o.height, o.ahead])
        if len(self.hands) == 2:
            carried = np.array([0.0, 1.0 - 0.05 * self.heavy, 0.36 - 0.11 * self.heavy])
        else:
            s = sign(self.hands[0])
            light, hanging = np.array([0.17 * s, 1.06, 0.36]), np.array([0.27 * s, 0.70, 0.10])
            carried = light + self.heavy * (hanging - light)
        up = step(t, k.lift, k.up)
        # near the body before high: loads are drawn in
        near = step(t, k.lift, k.lift + 0.72 * (k.up - k.lift))
        share = np.stack([near, up, near], axis=1)
        settle = 0.014 * (1.0 + self.heavy) * pulse(t, k.up - 0.3, k.up - 0.02, k.up, k.up + 0.4)
        return np.asarray(floor + share * (carried - floor) - settle[:, None] * np.array([0.0, 1.0, 0.0]))

    def pitch(self, t: FloatArray) -> FloatArray:
        """(F,) how far the fingers point down, radians."""
        k = self.times
        hold = min(64.0, math.degrees(math.asin(min(1.0, (self.options.height - 0.01) / 0.10))))
        carry = 15.0 if len(self.hands) == 2 else 8.0 + 72.0 * self.heavy
        turn = 84.0 + (hold - 84.0) * step(t, k.still + 0.1, k.hold - 0.02)
        return np.radians(turn + (carry - hold) * step(t, k.lift + 0.05, k.up))

    # ---- the body

    def pose(self, curve: PathCurve, t: FloatArray) -> Body:
        body = self.middle(curve, t)
        shape = foot_shape(body.skeleton)
        for side in SIDES:
            path = foot_path([self.stance(side)], t, shape, ())
            body.leg(side, path, out=np.radians(4.0 + 9.0 * self.fold * self.down(t)))
        self.arms(body, t)
        return body

    def middle(self, curve: PathCurve, t: FloatArray) -> Body:
        """Hips, trunk and head."""
        k, o = self.times, self.options
        body = Body(len(t))
        body.hips_at(curve(t), self._hips(t))
        air = breath(t, k.end, 0.3)
        # down: hips, then back, the head has gone before; up: legs first, the back follows
        late = self.down(t, 0.07)
        aside = 0.0 if len(self.hands) == 2 else -sign(self.hands[0]) * self.heavy
        carried = step(t, k.lift, k.up)
        body.spine(
            bend=np.radians(2.0 + (46.0 - 6.0 * self.heavy) * self.fold * late - 0.6 * air
                            - 5.0 * self.heavy * carried),
            lean=np.radians(6.0 * aside * carried + 20.0 * o.aside * late),
            turn=np.radians(0.8 * self.v.unrest("turn", t, k.end) + self._turned() * 0.7 * late),
        )  # fmt: skip
        look = keyed(
            t,
            [(k.still - 0.3, 3.0), (k.still + 0.05, 26.0), (k.still + 0.25, 34.0),
             (k.hold - 0.1, 50.0), (k.lift, 48.0), (0.5 * (k.lift + k.up), 22.0), (k.up + 0.05, 9.0),
             (k.end, 5.0)],
            0.2,
        )  # fmt: skip
        body.gaze(heading=np.arctan2(o.aside, o.ahead + 0.3) * self.down(t, -0.1), nod=np.radians(look))
        return body

    def _turned(self) -> float:
        """Degrees that the body turns to bring its shoulder to a thing on the other side."""
        if len(self.hands) == 2:
            return 40.0 * self.options.aside
        return 40.0 * self.options.aside - 16.0 * sign(self.hands[0])

    def _hips(self, t: FloatArray) -> FloatArray:
        k = self.times
        down = self.down(t)
        tilt = (36.0 - 4.0 * self.heavy) * self.fold * down
        # the seat leads: hips unfold a little before the legs have done their part
        tilt = 2.0 + tilt - 3.0 * pulse(t, k.up - 0.3, k.up, k.up + 0.02, k.end)
        turn = 0.5 * self._turned() * down
        return from_euler(np.radians(np.stack([turn, np.zeros_like(t), tilt], axis=-1)), "YZX")

    def arms(self, body: Body, t: FloatArray) -> None:
        k = self.times
        thing, pitch = self.thing(t), self.pitch(t)
        for side in SIDES:
            s = sign(side)
            hanging = self._hanging(body, side)
            if side in self.hands:
                come = step(t, k.still + 0.12, k.hold)[:, None]
                goal = hanging + come * (self.wrist(side, thing, pitch) - hanging)
                # hands open to the sides of what they come to
                open_ = pulse(t, k.still + 0.2, k.hold - 0.28, k.hold - 0.25, k.hold)
                goal = goal + 0.05 * s * open_[:, None] * np.array([1.0, 0.0, 0.0])
                self._reach(body, side, goal, _held(side, pitch))
            else:
                self._free_arm(body, side, t, hanging)

    def _hanging(self, body: Body, side: str) -> FloatArray:
        """(F, 3) where the wrist of a hanging arm is."""
        collar, arm = (body.rig[f"{side}_{part}"] for part in ("shoulder", "upper_arm"))
        rest = body.skeleton.offsets[collar] + body.skeleton.offsets[arm]
        chest = int(body.skeleton.parents[collar])
        return np.asarray(body.at(chest, rest) + np.array([0.05 * sign(side), -0.512, 0.065]))

    def _free_arm(self, body: Body, side: str, t: FloatArray, hanging: FloatArray) -> None:
        """The other arm goes out and back, to balance the body and then the load."""
        s, deep = sign(side), min(1.0, self.fold) * self.down(t, 0.05)
        out = 0.10 * self.heavy * step(t, self.times.lift, self.times.up)
        goal = hanging + deep[:, None] * np.array([0.20 * s, 0.20, -0.30])
        goal = goal + out[:, None] * np.array([s, 0.35, 0.0])
        turn = _held(side, np.radians(84.0 - 30.0 * deep))
        self._reach(body, side, goal, turn)

    def _reach(self, body: Body, side: str, goal: FloatArray, hand: FloatArray) -> None:
        """An arm that comes near what it cannot reach yet without snapping straight."""
        pole = np.array([0.55 * sign(side), -0.25, -1.0])
        body.reach(side, goal, pole)
        shoulder, full = body.world(f"{side}_upper_arm")[0], body.limbs[f"{side}_arm"].reach
        way = goal - shoulder
        far = np.linalg.norm(way, axis=-1, keepdims=True)
        near, room = 0.968 * full, 0.027 * full
        held = near + room * np.tanh(np.maximum(far - near, 0.0) / room)
        body.reach(side, shoulder + way * np.where(far > near, held / far, 1.0), pole, hand=hand)

    # ---- the thing

    def wrist(self, side: str, thing: FloatArray, pitch: FloatArray) -> FloatArray:
        """(F, 3) where the wrist must be for the palm to lie against the thing."""
        return np.asarray(thing - rotate(_held(side, pitch), self._to_thing(side)))

    def _to_thing(self, side: str) -> FloatArray:
        """(3,) the middle of the thing in the frame of a hand that holds it."""
        grip = _GRIP * np.array([sign(side), 1.0, 1.0])
        return np.asarray(grip - np.array([0.0, self.half, 0.0]))

    def points(self, body: Body) -> list[Point]:
        """The thing, and where each hand holds it."""
        holder = self.hands[-1]
        found = [Point("object", body.rig[f"{holder}_hand"], _triple(self._to_thing(holder)))]
        for side in self.hands:
            grip = _GRIP * np.array([sign(side), 1.0, 1.0])
            found.append(Point(f"{side}_grip", body.rig[f"{side}_hand"], _triple(grip)))
        return found


def _triple(v: FloatArray) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])


def _held(side: str, pitch: FloatArray) -> FloatArray:
    """(F, 4) a hand with its palm inward, its thumb up and its fingers pointing down by `pitch`."""
    s, zero = sign(side), np.zeros_like(pitch)
    fingers = np.stack([zero, -np.sin(pitch), np.cos(pitch)], axis=-1)
    back = np.stack([zero + s, zero, zero], axis=-1)
    return from_matrix(np.stack([s * fingers, back, np.cross(s * fingers, back)], axis=-1))


pick_up = Take(
    "pick_up",
    PickUpOptions,
    _pick_up,
    "picking a thing up from the floor, with one hand or both, light or heavy",
)
