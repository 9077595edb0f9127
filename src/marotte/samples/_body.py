"""A body being posed over a whole clip: hips, then trunk, head, arms and legs, then a Motion.

Angles are radians and read as an anatomist would say them, the same way on both sides: flexion
forward, abduction away from the body, rotation inward, bending towards the left, turning to the
left. Every argument is a number or one value a frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..figure import Contact, FloatArray, Motion, Point, Rig, Skeleton, recognise
from ..figure.rotations import about, exp, from_euler, log, multiply, normalised, rotate, unroll
from ._limbs import TwoBone, bend, local, solve, two_bone
from .characters import character

X, Y, Z = (np.eye(3)[i] for i in range(3))
SIDES = ("left", "right")
# How the trunk's joints share its bending, from the lowest: the lumbar spine bends forward most,
# the thoracic spine turns most.
_BEND = (0.42, 0.33, 0.25)
_LEAN = (0.38, 0.34, 0.28)
_TURN = (0.20, 0.32, 0.48)
# Raising the arm lifts the collar bone: about a third of the elevation beyond the first part.
_COLLAR_FROM, _COLLAR_SHARE = np.radians(40.0), 0.24


def sign(side: str) -> float:
    """1 for the left, −1 for the right."""
    return 1.0 if side == "left" else -1.0


@dataclass(frozen=True, slots=True, eq=False)
class FootPath:
    """Where a foot is: what the planner gives and the leg meets."""

    ankle: FloatArray  # (F, 3) world, metres
    orientation: FloatArray  # (F, 4) world
    toes: FloatArray  # (F,) toe joint's angle about x, radians; negative lifts the tips


class Body:
    """A figure to be posed, F frames at once. Set the hips first, then from the middle outwards."""

    def __init__(self, frames: int, skeleton: Skeleton | None = None) -> None:
        self.skeleton = character("performer") if skeleton is None else skeleton
        self.rig: Rig = recognise(self.skeleton)
        self.frames = frames
        self.root = np.tile(self.skeleton.offsets[0], (frames, 1))
        self.rotations = np.zeros((frames, len(self.skeleton), 4))
        self.rotations[..., 0] = 1.0
        self.limbs: dict[str, TwoBone] = {limb.name: two_bone(self.skeleton, limb) for limb in self.rig.limbs}

    def spread(self, value: ArrayLike) -> FloatArray:
        """(F,) of a number or of one value a frame."""
        return np.broadcast_to(np.asarray(value, dtype=np.float64), (self.frames,))

    def points(self, value: ArrayLike) -> FloatArray:
        """(F, 3) of one vector or of one a frame."""
        return np.broadcast_to(np.asarray(value, dtype=np.float64), (self.frames, 3))

    def euler(self, order: str, *angles: ArrayLike) -> FloatArray:
        """(F, 4) of intrinsic turns, radians."""
        return from_euler(np.stack([self.spread(a) for a in angles], axis=-1), order)

    # ---- the middle

    def hips(
        self, place: ArrayLike, *, heading: ArrayLike = 0.0, tilt: ArrayLike = 0.0, list_: ArrayLike = 0.0
    ) -> None:
        """The hips' place, their heading, forward tilt, and list (positive: the left side up)."""
        self.hips_at(place, self.euler("YZX", heading, list_, tilt))

    def hips_at(self, place: ArrayLike, orientation: FloatArray) -> None:
        """The hips' place and world orientation (F, 4)."""
        self.root = np.array(self.points(place))
        self.rotations[:, 0] = orientation

    def spine(self, *, bend: ArrayLike = 0.0, lean: ArrayLike = 0.0, turn: ArrayLike = 0.0) -> None:
        """Bend forward, lean to the left, turn to the left, shared by the spine's joints."""
        for joint, down, aside, round_ in zip(self.rig.spine, _BEND, _LEAN, _TURN, strict=True):
            angles = -self.spread(lean) * aside, self.spread(bend) * down, self.spread(turn) * round_
            self.rotations[:, joint] = self.euler("ZXY", *angles)

    def gaze(self, *, heading: ArrayLike = 0.0, nod: ArrayLike = 0.0, tip: ArrayLike = 0.0) -> None:
        """The head's world heading, nod (positive: down) and tip to the left; neck and head share
        the way there."""
        self.gaze_at(self.euler("YXZ", heading, nod, -self.spread(tip)))

    def gaze_at(self, orientation: FloatArray, share: float = 0.45) -> None:
        """The head's world orientation (F, 4), of which the neck takes a share of the turn."""
        neck, head = self.rig["neck"], self.rig["head"]
        chest = self.world(self.rig.spine[-1])[1]
        turn = log(local(chest, orientation))
        self.rotations[:, neck] = exp(turn * share)
        self.rotations[:, head] = exp(turn * (1.0 - share))

    def nod(self, *, nod: ArrayLike = 0.0, tip: ArrayLike = 0.0, turn: ArrayLike = 0.0) -> None:
        """Neck and head relative to the chest: down, to the left shoulder, to the left."""
        whole = self.euler("YXZ", turn, nod, -self.spread(tip))
        half = exp(0.5 * log(whole))
        self.rotations[:, self.rig["neck"]] = half
        self.rotations[:, self.rig["head"]] = half

    # ---- places

    def world(self, joint: int | str) -> tuple[FloatArray, FloatArray]:
        """World place (F, 3) and orientation (F, 4) of a joint, as posed so far."""
        j = self.rig[joint] if isinstance(joint, str) else joint
        chain = [j, *self.skeleton.ancestors(j)][::-1]
        place, turned = self.root, self.rotations[:, 0]
        for k in chain[1:]:
            place = place + rotate(turned, self.skeleton.offsets[k])
            turned = multiply(turned, self.rotations[:, k])
        return place, turned

    def at(self, joint: int | str, offset: ArrayLike) -> FloatArray:
        """(F, 3) world place of a point in a joint's frame."""
        place, turned = self.world(joint)
        return np.asarray(place + rotate(turned, self.points(offset)))

    # ---- arms

    def collar(self, side: str, *, lift: ArrayLike = 0.0, forward: ArrayLike = 0.0) -> None:
        """The collar bone: shoulder up, shoulder forward."""
        s = sign(side)
        angles = s * self.spread(lift), -s * self.spread(forward)
        self.rotations[:, self.rig[f"{side}_shoulder"]] = self.euler("ZY", *angles)

    def arm(
        self,
        side: str,
        *,
        flexion: ArrayLike = 0.0,
        abduction: ArrayLike = 0.0,
        inward: ArrayLike = 0.0,
        elbow: ArrayLike = 0.0,
        pronation: ArrayLike = 0.0,
        wrist: ArrayLike = 0.0,
        shrug: ArrayLike = 0.0,
        forward: ArrayLike = 0.0,
    ) -> None:
        """An arm by its angles, from hanging straight down with the palm to the thigh.

        The arm is first turned inward about its length, then lifted sideways by `abduction`, then
        swung forward by `flexion`. `wrist` bends the palm inwards.
        """
        s = sign(side)
        lift = -self.spread(np.pi / 2) + self.spread(abduction)
        # cosine of the angle between the hanging and the lifted arm
        down = np.cos(self.spread(flexion)) * np.cos(self.spread(abduction))
        rise = _soft(np.arccos(np.clip(down, -1.0, 1.0)) - _COLLAR_FROM) * _COLLAR_SHARE
        self.collar(side, lift=self.spread(shrug) + rise, forward=forward)
        self.rotations[:, self.rig[f"{side}_upper_arm"]] = self.euler(
            "XZX", -self.spread(flexion), s * (lift - rise), inward
        )
        limb = self.limbs[f"{side}_arm"]
        self.rotations[:, self.rig[f"{side}_lower_arm"]] = bend(limb, self.spread(elbow))
        self.hand(side, pronation=pronation, wrist=wrist)

    def hand(
        self, side: str, *, pronation: ArrayLike = 0.0, wrist: ArrayLike = 0.0, toward: ArrayLike = 0.0
    ) -> None:
        """The hand on its forearm: thumb inward by `pronation`, palm bent by `wrist`, and turned
        in its own plane towards the thumb by `toward`."""
        s = sign(side)
        angles = self.spread(pronation), -s * self.spread(toward), -s * self.spread(wrist)
        self.rotations[:, self.rig[f"{side}_hand"]] = self.euler("XYZ", *angles)

    def reach(
        self,
        side: str,
        wrist: ArrayLike,
        pole: ArrayLike,
        *,
        hand: FloatArray | None = None,
        shrug: ArrayLike = 0.0,
        forward: ArrayLike = 0.0,
        ease: float | None = None,
    ) -> FloatArray:
        """An arm whose wrist goes to a place; the elbow lies on the side of `pole`, a direction.

        `hand` is the hand's world orientation; without one it goes on straight from the forearm.
        Beyond the share `ease` of the arm's length the wrist is held back smoothly, so that the
        arm does not snap straight.
        Returns (F,) how far the wrist stays short of its place, metres: 0 within reach.
        """
        goal = self.points(wrist)
        chest_at, chest = self.world(int(self.skeleton.parents[self.rig[f"{side}_shoulder"]]))
        shoulder = chest_at + rotate(chest, self.shoulder_rest(side))
        toward = goal - shoulder
        up = rotate(chest, Y)
        down = -(toward * up).sum(-1) / np.maximum(np.linalg.norm(toward, axis=-1), 1e-9)
        rise = _soft(np.arccos(np.clip(down, -1.0, 1.0)) - _COLLAR_FROM) * _COLLAR_SHARE
        self.collar(side, lift=self.spread(shrug) + rise, forward=forward)
        limb = self.limbs[f"{side}_arm"]
        start = self.world(f"{side}_upper_arm")[0]
        parent = self.world(f"{side}_shoulder")[1]
        short = np.linalg.norm(goal - start, axis=-1) - limb.reach
        if ease is not None:
            goal = _held_back(limb, start, goal, ease)
        upper, angle = solve(limb, start, goal, self.points(pole))
        self.rotations[:, self.rig[f"{side}_upper_arm"]] = local(parent, upper)
        self.rotations[:, self.rig[f"{side}_lower_arm"]] = bend(limb, angle)
        if hand is not None:
            fore = self.world(f"{side}_lower_arm")[1]
            self.rotations[:, self.rig[f"{side}_hand"]] = local(fore, hand)
        return np.asarray(np.maximum(short, 0.0))

    def shoulder_rest(self, side: str) -> FloatArray:
        """(3,) the shoulder joint in the chest's frame while the collar bone is at rest, metres."""
        offsets = self.skeleton.offsets
        return np.asarray(offsets[self.rig[f"{side}_shoulder"]] + offsets[self.rig[f"{side}_upper_arm"]])

    # ---- legs

    def leg(self, side: str, foot: FootPath, *, out: ArrayLike = 0.0) -> FloatArray:
        """A leg that carries its foot where it shall be; the knee points where hips and foot point
        between them, and outward by `out` more.

        Returns (F,) how far the foot would be out of reach, metres: 0 where it is met.
        """
        hips = self.rotations[:, 0]
        limb = self.limbs[f"{side}_leg"]
        start = self.world(f"{side}_upper_leg")[0]
        # the knee's plane is held by the sideways axes of foot and hips, which stay well away from
        # the leg's own direction whether it hangs, kneels or is lifted high
        across = 0.6 * rotate(foot.orientation, X) + 0.4 * rotate(hips, X)
        toward = foot.ankle - start
        pole = np.cross(across, toward)
        turn = about(toward / np.linalg.norm(toward, axis=-1, keepdims=True), -sign(side) * self.spread(out))
        thigh, angle = solve(limb, start, foot.ankle, -rotate(turn, pole))
        self.rotations[:, self.rig[f"{side}_upper_leg"]] = local(hips, thigh)
        self.rotations[:, self.rig[f"{side}_lower_leg"]] = bend(limb, angle)
        shin = self.world(f"{side}_lower_leg")[1]
        self.rotations[:, self.rig[f"{side}_foot"]] = local(shin, foot.orientation)
        self.rotations[:, self.rig[f"{side}_toes"]] = about(X, foot.toes)
        return np.asarray(np.maximum(np.linalg.norm(toward, axis=-1) - limb.reach, 0.0))

    def leg_need(self, side: str, foot: FootPath, least_bend: ArrayLike) -> FloatArray:
        """(F,) how far the hips must come down for the knee to keep `least_bend` radians."""
        limb = self.limbs[f"{side}_leg"]
        a, b = limb.upper, limb.lower
        length = np.sqrt(a * a + b * b + 2.0 * a * b * np.cos(least_bend))
        start = self.world(f"{side}_upper_leg")[0]
        gap = start - foot.ankle
        level = np.hypot(gap[:, 0], gap[:, 2])
        return np.asarray(gap[:, 1] - np.sqrt(np.maximum(length * length - level * level, 1e-6)))

    # ---- the result

    def motion(
        self,
        name: str,
        frame_rate: float,
        *,
        contacts: Iterable[Contact] = (),
        points: Sequence[Point] = (),
    ) -> Motion:
        """What has been posed, as a take."""
        return Motion(
            self.skeleton,
            self.root,
            unroll(normalised(self.rotations)),
            frame_rate,
            name=name,
            contacts=tuple(sorted(contacts, key=lambda c: (c.first, c.role))),
            points=tuple(points),
            rig=self.rig,
        )


def _held_back(limb: TwoBone, start: FloatArray, goal: FloatArray, ease: float) -> FloatArray:
    """(F, 3) the goal, drawn towards the shoulder where it is further than a share of the limb."""
    free = ease * (limb.upper + limb.lower)
    way = goal - start
    far = np.linalg.norm(way, axis=-1, keepdims=True)
    over = np.maximum(far - free, 0.0) / (limb.reach - free)
    held = (free + (limb.reach - free) * np.tanh(over)) / np.maximum(far, 1e-9)
    return np.asarray(start + way * np.where(over > 0.0, held, 1.0))


def _soft(x: FloatArray, width: float = 0.5) -> FloatArray:
    """max(x, 0) with the corner rounded over `width` radians."""
    return np.asarray(0.5 * (x + np.sqrt(x * x + 0.25 * width * width)))
