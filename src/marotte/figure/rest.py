"""Rest poses brought to one reference, so that a role's rotation means the same on any figure.

The reference is a T-pose that faces along Z with Y up and X to its left: arms straight to the
sides, palms down, legs straight down, feet forward. It is the pose that `human_limits` measures
from. For every joint `reference_from_rest` is the turn, about the axes of the world, that takes
the joint's part of the rest pose to its place in the reference. A part that stands in the world as
w (its rest being no turn) is then turned by w · reference_from_rest⁻¹ against the reference, and
that turn means the same on every figure: T-pose, A-pose, or a zero pose with all bones laid along
one axis.

What is a pose and what is build:

- **Upper and lower arms and legs** are aligned exactly, their bones with the reference's and their
  hinges with the hinges of elbows and knees.
- **Hips, spine, neck, head and collar bones** of a rest pose that stands are aligned as one: how a
  spine curves and how a collar bone slopes, if by less than 60 degrees, is the figure's build.
- **Feet** that stand are aligned by their heading; how far the ankle is above the ball is build.
  Under legs that are spread they lean as the shins do, as in the zero pose of the CMU library.
- **Hands** are aligned with their forearms, and by their fingers where these point elsewhere.
- In a zero pose that is no pose (`Rig.reasons` says so) every bone is aligned; how parts are turned
  about their bones is taken from some frames, and follows the part above where there are none.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ._arrays import FloatArray, owned
from ._facing import PosesOf
from ._posture import PARTS, foot_slope, stands
from .rig import FINGERS, PHALANGES, SIDES, Rig
from .rotations import between, from_matrix, inverse, multiply, rotate
from .skeleton import Skeleton

X, Y, Z = np.eye(3)
# A hand or a foot that points further from its usual place than this (cosine) is posed, not built so.
_POSED = math.cos(math.radians(35))
_FLAT = 0.5  # a foot whose bone has a cosine above this with forward stands flat
_UPRIGHT = math.cos(math.radians(12))  # a leg that leans further takes its foot with it
_SLOPING = 0.5  # a collar bone further from level than this (cosine) is posed
_QUARTERS = [
    np.array([[s if j == p[i] else 0.0 for j in range(3)] for i, s in enumerate(signs)])
    for p in itertools.permutations(range(3))
    for signs in itertools.product((1.0, -1.0), repeat=3)
]
_QUARTERS = [quarter for quarter in _QUARTERS if np.linalg.det(quarter) > 0]
"""The 24 rotations by quarter turns."""
_TRUNK = ("hips", "spine", "chest", "upper_chest", "neck", "head")

ROLE_ABOVE: Mapping[str, str] = MappingProxyType(
    {
        "spine": "hips", "chest": "spine", "upper_chest": "chest", "neck": "upper_chest", "head": "neck",
        "jaw": "head",
        **{
            f"{side}_{role}": above if above in _TRUNK else f"{side}_{above}"
            for side in SIDES
            for role, above in (
                ("shoulder", "upper_chest"), ("upper_arm", "shoulder"), ("lower_arm", "upper_arm"),
                ("hand", "lower_arm"), ("upper_leg", "hips"), ("lower_leg", "upper_leg"),
                ("foot", "lower_leg"), ("toes", "foot"), ("eye", "head"),
                *((f"{f}_{b}", f"{f}_{a}") for f in FINGERS[1:] for a, b in itertools.pairwise(PHALANGES)),
                *((f"{f}_proximal", "hand") for f in FINGERS[1:]),
                ("thumb_metacarpal", "hand"), ("thumb_proximal", "thumb_metacarpal"),
                ("thumb_distal", "thumb_proximal"),
            )
        },
    }
)  # fmt: skip
"""The role that each role hangs on; where a figure lacks that one, the next above it counts."""


@dataclass(frozen=True, slots=True, eq=False)
class RestAlignment:
    """The turns from a figure's rest pose to the reference pose."""

    skeleton: Skeleton
    rig: Rig
    joints: FloatArray
    """(J, 4) reference_from_rest of every joint: its role's, or that of the nearest joint above."""

    def __getitem__(self, role: str) -> FloatArray:
        """(4,) reference_from_rest of a role."""
        return np.asarray(self.joints[self.rig[role]])

    def role_turns(self, orientations: FloatArray) -> dict[str, FloatArray]:
        """By role (…, 4): how a part is turned against the reference pose, about the world's axes.

        `orientations` (…, J, 4) are world orientations, as of `Motion.orientations()`.
        """
        return {
            role: multiply(orientations[..., joint, :], inverse(self.joints[joint]))
            for role, joint in self.rig.roles.items()
        }

    def reference_pose(self) -> FloatArray:
        """(J, 4) local rotations that put the figure into the reference pose.

        Joints without a role keep to their parents.
        """
        out = np.zeros((len(self.skeleton), 4))
        for j, parent in enumerate(self.skeleton.parents):
            above = np.array([1.0, 0.0, 0.0, 0.0]) if parent < 0 else self.joints[parent]
            out[j] = multiply(inverse(above), self.joints[j])
        return out


def align_rest(skeleton: Skeleton, rig: Rig, poses: PosesOf | None = None) -> RestAlignment:
    """How a figure's rest pose is brought to the reference pose; no turn where nothing is known.

    `poses()` gives some frames of a motion of it, such as `Motion.poses`. They are asked how head,
    feet and collar bones are held where the rest pose is no pose.
    """
    turns = _Aligner(skeleton, rig, poses).turns()
    joints = np.zeros((len(skeleton), 4))
    joints[:, 0] = 1.0
    by_joint = {rig[role]: turn for role, turn in reversed(turns.items())}
    spine = _spine_turns(skeleton, rig, turns)
    root = turns.get("hips", joints[0])
    above_hips = {0, *(skeleton.ancestors(rig["hips"]) if "hips" in rig else ())}
    for j, parent in enumerate(skeleton.parents):
        if j in by_joint:
            joints[j] = by_joint[j]
        elif j in spine:
            joints[j] = spine[j]
        elif j in above_hips:
            joints[j] = root
        else:
            joints[j] = joints[parent]
    return RestAlignment(skeleton, rig, owned(joints))


def _spine_turns(skeleton: Skeleton, rig: Rig, turns: Mapping[str, FloatArray]) -> dict[int, FloatArray]:
    """Of spine joints that have no role: as of the role below them on the spine."""
    named = {rig[r]: turns[r] for r in ("spine", "chest", "upper_chest") if r in turns}
    found: dict[int, FloatArray] = {}
    current = turns.get("hips")
    for joint in rig.spine:
        current = named.get(joint, current)
        if current is not None:
            found[joint] = current
    return found


class _Aligner:
    """The turns of roles, from the hips outwards."""

    def __init__(self, skeleton: Skeleton, rig: Rig, poses: PosesOf | None) -> None:
        self.rig = rig
        self.skeleton = skeleton
        self.rest = skeleton.rest_positions()
        self.standing = stands(self.rest, rig.roles)
        self.frames = poses() if poses is not None and not self.standing else None
        self.found: dict[str, FloatArray] = {}
        self.upright = _turn((np.array(rig.lateral), np.array(rig.up)), (X, Y))

    def turns(self) -> dict[str, FloatArray]:
        """reference_from_rest (4,) by role."""
        rig = self.rig
        for role in _TRUNK:
            if role in rig:
                self.found[role] = self._trunk(role)
        for side in SIDES:
            if f"{side}_shoulder" in rig:
                self.found[f"{side}_shoulder"] = self._collar(side)
            self._limb(side, "arm", X if side == "left" else -X, -Y if side == "left" else Y)
            self._limb(side, "leg", -Y, X)
            if f"{side}_hand" in rig:
                self.found[f"{side}_hand"] = self._hand(side)
            for role in ("foot", "toes"):
                if f"{side}_{role}" in rig:
                    self.found[f"{side}_{role}"] = self._foot(side, role)
        for role in rig.roles:
            if role not in self.found:
                self.found[role] = self.above(role)
        return self.found

    def above(self, role: str) -> FloatArray:
        """The turn of the nearest role above that the figure has."""
        while role in ROLE_ABOVE:
            role = ROLE_ABOVE[role]
            if role in self.found:
                return self.found[role]
        return self.found.get("hips", self.upright)

    def bone(self, role: str) -> FloatArray:
        """Along a role's bone at rest: to the next role, or to its joint's children or tip."""
        rig, rest = self.rig, self.rest
        below = [r for r, above in ROLE_ABOVE.items() if above == role and r in rig]
        if role == "hips" or role in _TRUNK:
            below = [r for r in below if r in _TRUNK]
        joint = rig[role]
        targets = [rest[rig[r]] for r in below]
        if not targets:
            targets = [rest[k] for k in self.skeleton.children(joint)]
            targets += [rest[joint] + e.offset for e in self.skeleton.ends if e.joint == joint]
        if not targets:
            return np.zeros(3)
        return np.asarray(np.mean(targets, axis=0) - rest[joint])

    def _trunk(self, role: str) -> FloatArray:
        if self.standing or role == "hips":
            return self.upright
        if role == "head" and self.frames is not None:
            return self.held(role)  # its tip may lie anywhere
        return _swung(self.held(role), self.bone(role), Y)

    def held(self, role: str) -> FloatArray:
        """The turn of the part above, and on as the part is held against it in the frames there are.

        In quarter turns: how the frames of joints lie to each other, not how a pose has them.
        """
        above = self.above(role)
        parent = int(self.skeleton.parents[self.rig[role]])
        if self.frames is None or parent < 0:
            return above
        turns = self.frames.turns
        apart = np.einsum("fba,fbc->ac", turns[:, parent], turns[:, self.rig[role]])
        nearest = max(_QUARTERS, key=lambda quarter: float((quarter * apart).sum()))
        return multiply(above, from_matrix(nearest))

    def _collar(self, side: str) -> FloatArray:
        above, along = self.above(f"{side}_shoulder"), X if side == "left" else -X
        bone = self.bone(f"{side}_shoulder")
        if self.standing and _cosine(rotate(above, bone), along) > _SLOPING:
            return above
        return _swung(above if self.standing else self.held(f"{side}_shoulder"), bone, along)

    def _limb(self, side: str, kind: str, along: FloatArray, hinge: FloatArray) -> None:
        upper, lower, _ = (f"{side}_{part}" for part in PARTS[kind])
        limb = self.rig.limb(f"{side}_{kind}")
        for role in (upper, lower):
            if role not in self.rig:
                continue
            if limb is None:
                self.found[role] = _swung(self.above(role), self.bone(role), along)
                continue
            nearer = limb.hinge if role == upper else limb.end
            bone = self.rest[nearer] - self.rest[self.rig[role]]
            self.found[role] = _turn((bone, np.array(limb.hinge_axis)), (along, hinge))

    def _hand(self, side: str) -> FloatArray:
        above = self.above(f"{side}_hand")
        knuckles = [f"{side}_{finger}_proximal" for finger in ("middle", "index", "ring")]
        known = [self.rest[self.rig[r]] for r in knuckles if r in self.rig]
        bone = known[0] - self.rest[self.rig[f"{side}_hand"]] if known else self.bone(f"{side}_hand")
        along = X if side == "left" else -X
        return _swung(above, bone, along) if _cosine(rotate(above, bone), along) < _POSED else above

    def _foot(self, side: str, role: str) -> FloatArray:
        above = self.above(f"{side}_{role}")
        bone = self.bone(f"{side}_{role}")
        stood = rotate(self.upright, bone)
        if self.standing:
            if role == "toes":
                return above
            leg = f"{side}_lower_leg"
            shin = rotate(self.upright, self.bone(leg)) if leg in self.rig else -Y
            if _cosine(stood, Z) > _FLAT and _cosine(shin, -Y) > _UPRIGHT:
                return _headed(self.upright, bone)
            return _headed(above, bone)
        return _swung(self.held(f"{side}_{role}"), bone, self._fall(side, bone) if role == "foot" else Z)

    def _fall(self, side: str, bone: FloatArray) -> FloatArray:
        """(3,) from ankle to ball of a foot that stands."""
        foot, toes = self.rig[f"{side}_foot"], self.rig.get(f"{side}_toes")
        toe = np.zeros(3) if toes is None else self.bone(f"{side}_toes")
        slope = foot_slope(bone, toe, self.frames, foot, foot if toes is None else toes)
        return np.array([0.0, -math.sin(slope), math.cos(slope)])


def _turn(rest: tuple[FloatArray, FloatArray], reference: tuple[FloatArray, FloatArray]) -> FloatArray:
    """(4,) that takes a direction to another, and a second one as near as that allows."""
    a, b = _frame(*rest), _frame(*reference)
    if a is None or b is None:
        return between(rest[0], reference[0])
    return from_matrix(b @ a.T)


def _frame(first: FloatArray, second: FloatArray) -> FloatArray | None:
    """(3, 3) columns: a direction, the part of another square to it, and what is square to both."""
    size = float(np.linalg.norm(first))
    if size < 1e-12:
        return None
    x = first / size
    y = second - x * float(x @ second)
    size = float(np.linalg.norm(y))
    if size < 1e-6:
        return None
    y = y / size
    return np.stack([x, y, np.cross(x, y)], axis=1)


def _headed(above: FloatArray, bone: FloatArray) -> FloatArray:
    """The turn of the part above, and on about the vertical until a foot points forward, if it lies."""
    stood = rotate(above, bone)
    heading = np.array([stood[0], 0.0, stood[2]])
    return multiply(between(heading, Z), above) if _cosine(stood, Z) > _FLAT else above


def _swung(above: FloatArray, bone: FloatArray, along: FloatArray) -> FloatArray:
    """The turn of the part above, and on by as little as brings the bone to its place."""
    return multiply(between(rotate(above, bone), along), above)


def _cosine(a: FloatArray, b: FloatArray) -> float:
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / size if size > 1e-12 else 1.0
