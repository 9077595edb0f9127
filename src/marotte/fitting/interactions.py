"""What hands are near, kept near; and hands kept out of the trunk and the ground.

Near another hand, the head, the trunk or the front of a thigh, a hand keeps its place against that
part: as far from its surface, in the same direction, at the same height along it. How much it does
grows smoothly as the performer's hand comes nearer, so that nothing has to be marked (SLSG01 4 does
the same for live figures). A hand that is in the air is left to its arm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..figure import FloatArray, Motion, Scene, body_shapes
from ..figure._arrays import owned
from ..figure.contacts import sole_points
from ..figure.rest import RestAlignment
from ..figure.rig import SIDES
from ..figure.rotations import inverse, multiply, rotate, slerp
from ._paths import Led, hand_tip, smoothed, softly

# Metres between surfaces for a figure of 1.75 m: nearer than the first a place is kept, farther
# than the second it is not.
HAND = (0.06, 0.16)  # between palms, which are not points
BODY = (0.02, 0.07)
SLOW = 0.2  # metres a second against a part; twice as fast passes it by
_LASTING = 0.08  # seconds over which nearness is smoothed
_SIZE = 1.75
_SOFT = 0.004  # metres, at that size, over which what pushes sets in
_CLEAR = 0.004  # metres that free soles and hands keep above the ground
_SAMPLES = 12


def hands_led(
    source: Motion,
    placed: Motion,
    led: Sequence[Led],
    rests: tuple[RestAlignment, RestAlignment],
    *,
    scene: Scene | None,
    level: float,
) -> list[Led]:
    """The led parts, with hands led to what the performer's are near, and above the ground.

    `placed` has its root placed already; `level` is the floor's where there is no scene.
    """
    if len(source) < 2:  # one pose has no speeds to tell a touch from a passing by
        return list(led)
    sides = [s for s in SIDES if f"{s}_hand" in source.rig and f"{s}_hand" in placed.rig]
    if not sides:
        return list(led)
    ours, theirs = _Body(source, rests[0]), _Body(placed, rests[1])
    ratio = theirs.size / ours.size
    palms = {s: (ours.palm(s), theirs.palm(s)) for s in sides}
    pull = {s: np.zeros((len(placed), 3)) for s in sides}
    total = {s: np.zeros(len(placed)) for s in sides}
    if len(sides) == 2:
        between = palms["right"][0] - palms["left"][0]
        near = _near(np.linalg.norm(between, axis=1) / (ours.size / _SIZE), HAND)
        near = smoothed(near, 0.5 * _LASTING * source.frame_rate)
        middle = 0.5 * (palms["left"][1] + palms["right"][1])
        for side, half in (("left", -0.5), ("right", 0.5)):
            pull[side] += near[:, None] * (middle + half * ratio * between - palms[side][1])
            total[side] += near
    for side in sides:
        for part in ours.parts:
            if part in theirs.parts and not part.startswith(side):
                goal, near = _kept(ours, theirs, part, palms[side], ratio)
                pull[side] += near[:, None] * (goal - palms[side][1])
                total[side] += near
    out = {part.joint: part for part in led}
    positions = placed.positions()
    for side in sides:
        # several wishes are met on the mean, a faint one faintly
        move = pull[side] / np.maximum(total[side], 1.0)[:, None]
        joint = placed.rig[f"{side}_hand"]
        free = 1.0 - out[joint].leads if joint in out else np.ones(len(placed))
        move = move + _pushed_out(ours, theirs, palms[side][0], palms[side][1] + move, ratio)
        move = move + _lifted_hand(theirs, joint, move, scene, level)
        if not (np.abs(move) > 1e-5).any():
            continue
        place = positions[:, joint] + free[:, None] * move
        if joint in out:
            held = out[joint]
            place = place + held.leads[:, None] * (held.place - positions[:, joint])
            bears, turned = held.bears, held.turned
        else:
            bears, turned = np.zeros(len(placed)), None
        out[joint] = Led(joint, owned(place), turned, bears, np.ones(len(placed)))
    return list(out.values())


def lifted(placed: Motion, led: Sequence[Led], *, scene: Scene | None, level: float) -> list[Led]:
    """The led parts with feet led all the way, above the ground: a sole that would sink goes over it.

    `placed` has its root placed already; a foot that is not led there stays as it is posed.
    """
    positions, orientations = placed.world()
    out = {part.joint: part for part in led}
    soft = _SOFT * placed.skeleton.height / _SIZE
    for sole in placed.rig.soles:
        joint = placed.rig[sole.foot]
        if joint not in out:
            continue
        part = out[joint]
        reach = sole_points(placed, sole) - positions[:, joint][:, None]
        if part.turned is not None:
            turn = multiply(part.turned, inverse(orientations[:, joint]))
            reach = rotate(turn[:, None], reach)
        at = positions[:, joint]
        place = at + part.leads[:, None] * (part.place - at)
        points = place[:, None] + reach
        sunk = _below(points, scene, level).max(axis=1)
        lift = softly(sunk, soft * (1.0 - part.bears))
        place[:, 1] += lift
        out[joint] = replace(part, place=owned(place), leads=np.ones(len(place)))
    return list(out.values())


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A part of the body: an axis in motion, and how far its surface is from it."""

    start: FloatArray  # (F, 3)
    end: FloatArray
    frame: tuple[FloatArray, FloatArray]  # (F, 4) world_from_reference at the start and at the end
    depth: FloatArray  # (_SAMPLES,) half the extent to the front, along the axis
    breadth: FloatArray  # to the side


class _Body:
    """A figure's parts that hands may touch."""

    def __init__(self, motion: Motion, rest: RestAlignment) -> None:
        self.motion = motion
        self.positions, self.orientations = motion.world()
        self.rest = rest
        self.size = _stature(motion)
        self.parts = self._found()

    def palm(self, side: str) -> FloatArray:
        """(F, 3) the middle of the hand."""
        joint = self.motion.rig[f"{side}_hand"]
        return np.asarray(
            self.positions[:, joint] + rotate(self.orientations[:, joint], 0.5 * hand_tip(self.motion, joint))
        )

    def turned(self, joint: int) -> FloatArray:
        """(F, 4) how a joint's part is turned against the reference pose."""
        return multiply(self.orientations[:, joint], inverse(self.rest.joints[joint]))

    def _found(self) -> dict[str, _Part]:
        rig, skeleton = self.motion.rig, self.motion.skeleton
        found: dict[str, _Part] = {}
        hips, chest = rig["hips"], rig.spine[-1] if rig.spine else None
        neck = rig.get("neck") if "neck" in rig else rig.get("head")
        if chest is not None and neck is not None:
            depth, breadth = self._girth("torso", hips, neck)
            found["torso"] = _Part(
                self.positions[:, hips], self.positions[:, neck],
                (self.turned(hips), self.turned(chest)), depth, breadth,
            )  # fmt: skip
        ends = [e.offset for e in skeleton.ends if e.joint == rig.get("head")]
        if "head" in rig and ends:
            head = rig["head"]
            top = self.positions[:, head] + rotate(self.orientations[:, head], np.array(ends[0]))
            turned, radius = self.turned(head), np.full(_SAMPLES, 0.055 * self.size)
            found["head"] = _Part(self.positions[:, head], top, (turned, turned), radius, radius)
        for side in SIDES:
            upper, lower = rig.get(f"{side}_upper_leg"), rig.get(f"{side}_lower_leg")
            if upper is not None and lower is not None:
                turned, radius = self.turned(upper), np.linspace(0.05, 0.032, _SAMPLES) * self.size
                found[f"thigh_{side}"] = _Part(
                    self.positions[:, upper], self.positions[:, lower], (turned, turned), radius, radius
                )
        return found

    def _girth(self, kind: str, low: int, high: int) -> tuple[FloatArray, FloatArray]:
        """Half the depth and half the breadth of the trunk along its axis, from its shapes."""
        skeleton = self.motion.skeleton
        rest = skeleton.rest_positions()
        axis = rest[high] - rest[low]
        at, depth, breadth = [], [], []
        for shape in body_shapes(skeleton, self.motion.rig):
            if shape.kind == kind:
                middle = rest[shape.joint] + 0.5 * (np.array(shape.start) + np.array(shape.end))
                at.append(float((middle - rest[low]) @ axis / max(float(axis @ axis), 1e-12)))
                depth.append(0.5 * (shape.radius_start + shape.radius_end))
                breadth.append(depth[-1] * shape.stretch)
        if not at:
            return np.full(_SAMPLES, 0.06 * self.size), np.full(_SAMPLES, 0.09 * self.size)
        order, samples = np.argsort(at), np.linspace(0.0, 1.0, _SAMPLES)
        known = np.array(at)[order]
        return (
            np.interp(samples, known, np.array(depth)[order]),
            np.interp(samples, known, np.array(breadth)[order]),
        )

    def nearest(self, name: str, points: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """How far along the part's axis (F,), which way from it (F, 3), how far from its surface (F,),
        and how far to the front (F,)."""
        part = self.parts[name]
        axis = part.end - part.start
        size = np.maximum((axis * axis).sum(axis=1), 1e-12)
        along = np.clip(((points - part.start) * axis).sum(axis=1) / size, 0.0, 1.0)
        way = points - part.start - along[:, None] * axis
        away = np.linalg.norm(way, axis=1)
        way = way / np.maximum(away, 1e-9)[:, None]
        return along, way, away - self.surface(name, along, way), self._front(name, along, way)

    def surface(self, name: str, along: FloatArray, way: FloatArray) -> FloatArray:
        """(F,) how far the part's surface is from its axis, some way along and in a direction."""
        part, samples = self.parts[name], np.linspace(0.0, 1.0, _SAMPLES)
        depth, breadth = np.interp(along, samples, part.depth), np.interp(along, samples, part.breadth)
        side, front = self._sides(name, along, way)
        spread = np.hypot(side, front)
        side, front = side / np.maximum(spread, 1e-9), front / np.maximum(spread, 1e-9)
        return np.asarray(depth * breadth / np.hypot(depth * side, breadth * front))

    def axis_point(self, name: str, along: FloatArray) -> FloatArray:
        part = self.parts[name]
        return np.asarray(part.start + along[:, None] * (part.end - part.start))

    def _sides(self, name: str, along: FloatArray, way: FloatArray) -> tuple[FloatArray, FloatArray]:
        low, high = self.parts[name].frame
        local = rotate(inverse(slerp(low, high, along)), way)
        return local[:, 0], local[:, 2]

    def _front(self, name: str, along: FloatArray, way: FloatArray) -> FloatArray:
        return self._sides(name, along, way)[1]


def _kept(
    ours: _Body, theirs: _Body, part: str, palms: tuple[FloatArray, FloatArray], ratio: float
) -> tuple[FloatArray, FloatArray]:
    """(F, 3) where the palm keeps its place against a part, and (F,) how much it should."""
    along, way, gap, front = ours.nearest(part, palms[0])
    near = _near(gap / (ours.size / _SIZE), BODY)
    if part == "torso":  # nor beside hips
        near = near * _step((along - 0.05) / 0.15)
    if part.startswith("thigh"):  # arms hang beside thighs without meaning anything by it
        near = near * _step((front - 0.4) / 0.4)
    near = _lasting(near, palms[0] - ours.axis_point(part, along), ours, SLOW)
    away = theirs.surface(part, along, way) + ratio * gap
    return theirs.axis_point(part, along) + away[:, None] * way, near


def _lasting(near: FloatArray, way: FloatArray, ours: _Body, slow: float) -> FloatArray:
    """(F,) nearness of what does not only pass by: a hand that touches is slow against what it touches."""
    rate = ours.motion.frame_rate
    speed = np.linalg.norm(np.gradient(way, axis=0), axis=1) * rate / (ours.size / _SIZE)
    return smoothed(near * (1.0 - _step((speed - slow) / slow)), _LASTING * rate)


def _pushed_out(ours: _Body, theirs: _Body, before: FloatArray, palm: FloatArray, ratio: float) -> FloatArray:
    """(F, 3) what keeps a palm out of the trunk: no deeper in it than the performer's is."""
    if "torso" not in theirs.parts or "torso" not in ours.parts:
        return np.zeros_like(palm)
    allowed = np.minimum(ratio * ours.nearest("torso", before)[2], 0.0)
    _, way, gap, _ = theirs.nearest("torso", palm)
    soft = _SOFT * theirs.size / _SIZE
    push = softly(allowed - gap, soft)
    return np.asarray(push[:, None] * way)


def _lifted_hand(
    theirs: _Body, joint: int, move: FloatArray, scene: Scene | None, level: float
) -> FloatArray:
    """(F, 3) what keeps a hand above the ground, moved as it is so far."""
    wrist = theirs.positions[:, joint] + move
    tip = wrist + rotate(theirs.orientations[:, joint], hand_tip(theirs.motion, joint))
    sunk = np.stack([_below(wrist, scene, level), _below(tip, scene, level)]).max(axis=0)
    lift = np.zeros_like(move)
    lift[:, 1] = softly(sunk, _SOFT * theirs.size / _SIZE)
    return lift


def _below(points: FloatArray, scene: Scene | None, level: float) -> FloatArray:
    """(…,) how far points (…, 3) are below the ground; minus infinity where there is none."""
    if scene is None:
        return np.asarray(level - points[..., 1])
    return np.asarray(scene.ground_height(points) - points[..., 1])


def _stature(motion: Motion) -> float:
    """About how tall a person of such a trunk is, metres: legs and arms may be of any length."""
    rig, rest = motion.rig, motion.skeleton.rest_positions()
    neck = rig.get("neck") if "neck" in rig else rig.get("head")
    if neck is None:
        return motion.skeleton.height
    trunk = float(np.linalg.norm(rest[neck] - rest[rig["hips"]]))
    return trunk / 0.295 if trunk > 0 else motion.skeleton.height


def _near(distance: FloatArray, between: tuple[float, float]) -> FloatArray:
    """From 1 at the first distance or nearer to 0 at the second."""
    return 1.0 - _step((distance - between[0]) / (between[1] - between[0]))


def _step(t: FloatArray) -> FloatArray:
    t = np.clip(t, 0.0, 1.0)
    return np.asarray(t * t * t * (10.0 + t * (6.0 * t - 15.0)))
