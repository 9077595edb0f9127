"""The flesh on the bones: round cones fixed to joints, for drawing and for collisions.

With a rig the shapes have a human's proportions; without one every bone becomes a tapered limb,
as wide as its length and the figure's size suggest.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ._arrays import FloatArray
from ._posture import stands
from .recognise import recognise
from .rig import SIDES, Rig, Vector
from .skeleton import EndSite, Skeleton

Kind = Literal["torso", "limb", "head", "hand", "foot", "prop"]

# Radii as fractions of the figure's height, at the upper and the lower end of each bone: body
# breadths of standing adults (about half of upper-arm, fore-arm, thigh and calf diameters).
_RADII: dict[str, tuple[float, float]] = {
    "upper_arm": (0.032, 0.023),
    "lower_arm": (0.024, 0.016),
    "upper_leg": (0.05, 0.032),
    "lower_leg": (0.034, 0.021),
    "shoulder": (0.028, 0.031),
}


@dataclass(frozen=True, slots=True)
class BodyShape:
    """A round cone between two points of one joint's frame, perhaps wider along one axis."""

    joint: int
    kind: Kind
    start: Vector  # centre of the first cap, metres, in the joint's frame
    end: Vector
    radius_start: float  # metres
    radius_end: float
    wide: Vector | None = None  # unit axis along which the cross-section is stretched
    stretch: float = 1.0


def body_shapes(skeleton: Skeleton, rig: Rig | None = None) -> tuple[BodyShape, ...]:
    """The shapes of a figure, by its rig where it has one."""
    known = recognise(skeleton) if rig is None else rig
    if stands(skeleton.rest_positions(), known.roles):
        return _shapes(skeleton, known)
    return _laid_shapes(skeleton, known)


def _laid_shapes(skeleton: Skeleton, rig: Rig) -> tuple[BodyShape, ...]:
    """Of a figure whose zero pose is no pose: modelled in the reference pose, and taken back."""
    from .rest import align_rest
    from .rotations import inverse, rotate

    turns = align_rest(skeleton, rig).joints
    ends = []
    for end in skeleton.ends:
        ends.append(EndSite(end.joint, _vector(rotate(turns[end.joint], end.offset)), end.name))
    offsets = np.array(skeleton.offsets)
    offsets[1:] = rotate(turns[skeleton.parents[1:]], offsets[1:])
    soles = [
        replace(
            s, points=tuple(_vector(rotate(turns[j], p)) for j, p in zip(s.joints, s.points, strict=True))
        )
        for s in rig.soles
    ]
    x, y, z = np.eye(3)
    posed = replace(rig, soles=tuple(soles), lateral=_vector(x), up=_vector(y), forward=_vector(z))
    found = []
    for shape in _shapes(skeleton.with_(offsets=offsets, ends=ends), posed):
        back = inverse(turns[shape.joint])
        found.append(
            replace(
                shape,
                start=_vector(rotate(back, shape.start)),
                end=_vector(rotate(back, shape.end)),
                wide=None if shape.wide is None else _vector(rotate(back, shape.wide)),
            )
        )
    return tuple(found)


def _shapes(skeleton: Skeleton, known: Rig) -> tuple[BodyShape, ...]:
    """The shapes of a figure that stands in its rest pose."""
    builder = _Builder(skeleton, known)
    if "hips" in known and known.spine:
        builder.human()
    builder.remaining()
    return tuple(builder.shapes)


class _Builder:
    def __init__(self, skeleton: Skeleton, rig: Rig) -> None:
        self.skeleton = skeleton
        self.rig = rig
        self.rest = skeleton.rest_positions()
        self.height = self._height()
        self.lateral = np.array(rig.lateral)
        self.up = np.array(rig.up)
        self.forward = np.array(rig.forward)
        self.shapes: list[BodyShape] = []
        self.done: set[int] = set()  # joints whose bone from the parent is drawn

    def _height(self) -> float:
        """Standing height: legs count where they are known, so that long arms do not fatten."""
        rig, rest = self.rig, self.rest
        if "head" in rig and rig.soles:
            up = np.array(rig.up)
            head = float(rest[rig["head"]] @ up)
            sole = min(
                float((rest[j] + np.array(p)) @ up)
                for s in rig.soles
                for j, p in zip(s.joints, s.points, strict=True)
            )
            if head - sole > 0:
                return (head - sole) / 0.9
        return self.skeleton.height

    def add(
        self,
        joint: int,
        kind: Kind,
        start: FloatArray,
        end: FloatArray,
        radii: tuple[float, float],
        wide: FloatArray | None = None,
        stretch: float = 1.0,
    ) -> None:
        """A shape from world rest points, put into the joint's frame."""
        at = self.rest[joint]
        self.shapes.append(
            BodyShape(
                joint,
                kind,
                _vector(start - at),
                _vector(end - at),
                float(radii[0]),
                float(radii[1]),
                None if wide is None else _vector(wide),
                stretch,
            )
        )

    def human(self) -> None:
        self.torso()
        for side in SIDES:
            self.arm(side)
            self.leg(side)
        self.head()

    def torso(self) -> None:
        """From the crotch to the base of the neck in short pieces, so that its outline is smooth."""
        rig, rest, h = self.rig, self.rest, self.height
        hips = rig["hips"]
        legs = [rest[rig[f"{s}_upper_leg"]] for s in SIDES if f"{s}_upper_leg" in rig]
        arms = [rest[rig[f"{s}_upper_arm"]] for s in SIDES if f"{s}_upper_arm" in rig]
        hip_half = _half_span(legs, self.lateral, 0.052 * h) + 0.047 * h
        chest_half = max(_half_span(arms, self.lateral, 0.1 * h) - 0.012 * h, 0.06 * h)
        chain = [hips, *rig.spine]
        neck = rig.get("neck") if "neck" in rig else rig.get("head")
        top = rest[neck] if neck is not None else rest[chain[-1]] + self.up * 0.1 * h
        if arms:  # the base of the neck lies above the shoulders, whatever a file's neck joint does
            rise = float((np.mean(arms, axis=0) - top) @ self.up) + 0.022 * h
            top = top + self.up * max(0.0, rise)
        low = (np.mean(legs, axis=0) if legs else rest[hips]) - self.up * 0.004 * h
        whole = max(float((top - low) @ self.up), 1e-9)
        ends = [*(rest[j] for j in chain[1:]), top]
        self.done.update(chain)
        if 2.0 * chest_half > 0.8 * whole:  # as broad as it is tall: a ball, not a trunk
            radius = 0.5 * whole + 0.02 * h
            centre = low + self.up * 0.5 * whole
            stretch = float(np.clip(chest_half / radius, 1.0, 1.5))
            self.add(chain[-1], "torso", centre, centre, (radius, radius), self.lateral, stretch)
            return
        for i, joint in enumerate(chain):
            start, end = (low if i == 0 else rest[joint]), ends[i]
            length = float(np.linalg.norm(end - start))
            if length < 0.004 * h:
                continue
            pieces = max(1, round(length / (0.055 * h)))
            for k in range(pieces):
                a, b = start + (end - start) * k / pieces, start + (end - start) * (k + 1) / pieces
                heights = [float(np.clip((p - low) @ self.up / whole, 0, 1)) for p in (a, b)]
                depths = [_trunk_depth(t) * h for t in heights]
                breadths = [_trunk_breadth(t, hip_half, chest_half, 0.036 * h) for t in heights]
                stretch = float(np.clip(sum(breadths) / sum(depths), 1.0, 2.6))
                self.add(joint, "torso", a, b, (depths[0], depths[1]), self.lateral, stretch)
        if neck is not None:
            head = rig.get("head")
            tip = rest[head] if head is not None and head != neck else top + self.up * 0.05 * h
            self.add(neck, "limb", top - self.up * 0.01 * h, tip, (0.033 * h, 0.03 * h))
            self.done.add(neck)

    def head(self) -> None:
        rig, h = self.rig, self.height
        if "head" not in rig:
            return
        head = rig["head"]
        tops = [np.array(e.offset) for e in self.skeleton.ends if e.joint == head]
        size = float(max((t @ self.up for t in tops), default=0.0))
        size = float(np.clip(size, 0.10 * h, 0.15 * h))
        radius = 0.40 * size if size > 0.13 * h else 0.05 * h
        centre = self.rest[head] + self.up * 0.52 * size + self.forward * 0.012 * h
        self.add(
            head,
            "head",
            centre - self.up * 0.018 * h - self.forward * 0.004 * h,
            centre + self.up * 0.028 * h,
            (radius * 0.9, radius * 1.02),
        )
        self.done.add(head)
        self.done.update(self.skeleton.descendants(head))

    def arm(self, side: str) -> None:
        rig, h = self.rig, self.height
        for upper, lower in (("shoulder", "upper_arm"), ("upper_arm", "lower_arm"), ("lower_arm", "hand")):
            self.bone(f"{side}_{upper}", f"{side}_{lower}", _RADII[upper])
        hand = rig.get(f"{side}_hand")
        if hand is None:
            return
        below = self.skeleton.descendants(hand)
        tips = [self.rest[j] for j in below[1:]]
        tips += [self.rest[e.joint] + e.offset for e in self.skeleton.ends if e.joint in below]
        spread = [t for t in tips if np.linalg.norm(t - self.rest[hand]) > 0.02 * h]
        arm = self.rest[hand] - self.rest[int(self.skeleton.parents[hand])]
        size = np.linalg.norm(arm)
        along = arm / size if size > 1e-9 else -self.up
        if spread:
            mean = np.mean(spread, axis=0) - self.rest[hand]
            along = mean / np.linalg.norm(mean)
        palm = self.rest[hand] + along * 0.062 * h
        across = np.cross(along, self.up if abs(along @ self.up) < 0.8 else self.lateral)
        across = across / np.linalg.norm(across)
        fingers = any(f"{side}_{f}_proximal" in rig for f in ("index", "middle", "ring"))
        end = palm - along * (0.026 * h if fingers else 0.0)
        self.add(
            hand, "hand", self.rest[hand] + along * 0.012 * h, end, (0.0145 * h, 0.013 * h), across, 1.75
        )
        for j in below[1:]:
            parent = int(self.skeleton.parents[j])
            if fingers and parent != hand:
                self.add(parent, "hand", self.rest[parent], self.rest[j], (0.006 * h, 0.005 * h))
            self.done.add(j)
        for e in self.skeleton.ends:
            if fingers and e.joint in below[1:]:
                tip = self.rest[e.joint] + e.offset
                self.add(e.joint, "hand", self.rest[e.joint], tip, (0.005 * h, 0.0045 * h))

    def leg(self, side: str) -> None:
        rig, h = self.rig, self.height
        for upper, lower in (("upper_leg", "lower_leg"), ("lower_leg", "foot")):
            self.bone(f"{side}_{upper}", f"{side}_{lower}", _RADII[upper])
        foot = rig.get(f"{side}_foot")
        sole = next((s for s in rig.soles if s.foot == f"{side}_foot"), None)
        if foot is None or sole is None or len(sole.points) < 3:
            return
        heel, ball, tip = (self.rest[j] + np.array(p) for j, p in zip(sole.joints, sole.points, strict=True))
        low = min(float(p @ self.up) for p in (heel, ball, tip))
        rise = float(self.rest[foot] @ self.up) - low
        back = float(np.clip(0.45 * rise, 0.013 * h, 0.023 * h))
        front, nail = 0.8 * back, 0.6 * back
        heel_at, ball_at = heel + self.up * back, ball + self.up * front
        self.add(foot, "foot", heel_at, ball_at, (back, front), self.lateral, 1.4)
        # the instep: from the ankle down to the middle of the foot
        middle = 0.4 * heel + 0.6 * ball + self.up * back
        self.add(foot, "foot", self.rest[foot], middle, (0.023 * h, back), self.lateral, 1.15)
        self.add(foot, "foot", self.rest[foot], heel_at, (0.021 * h, back))
        toe = sole.joints[2]
        reach = max(float((tip - ball) @ self.forward) - nail, 0.4 * front)
        self.add(
            toe, "foot", ball_at, ball + self.forward * reach + self.up * nail, (front, nail),
            self.lateral, 1.65,
        )  # fmt: skip
        self.done.update(self.skeleton.descendants(foot))

    def bone(self, upper: str, lower: str, radii: tuple[float, float]) -> None:
        if upper not in self.rig or lower not in self.rig:
            return
        a, b = self.rig[upper], self.rig[lower]
        h = self.height
        # joints between the two roles (twist bones) carry their own part of the limb
        chain = [b]
        while chain[-1] != a and int(self.skeleton.parents[chain[-1]]) >= 0:
            chain.append(int(self.skeleton.parents[chain[-1]]))
        chain.reverse()
        whole = float(np.linalg.norm(self.rest[b] - self.rest[a]))
        thick = min(1.0, 4.0 * whole / h) if whole > 0 else 0.0
        for p, j in itertools.pairwise(chain):
            self.done.add(j)
            if np.linalg.norm(self.rest[j] - self.rest[p]) < 1e-6 or whole <= 0:
                continue
            t0, t1 = (float(np.linalg.norm(self.rest[q] - self.rest[a])) / whole for q in (p, j))
            r0, r1 = ((radii[0] + (radii[1] - radii[0]) * t) * h * thick for t in (t0, t1))
            self.add(p, "limb", self.rest[p], self.rest[j], (r0, r1))
        self.done.add(b)

    def remaining(self) -> None:
        """Bones that no role explains: tapered limbs."""
        skeleton, h = self.skeleton, self.height
        inside = self.trunk()
        for j in range(1, len(skeleton)):
            parent = int(skeleton.parents[j])
            length = float(np.linalg.norm(skeleton.offsets[j]))
            if j in self.done or length < 0.002 * h or (parent in inside and j in inside):
                continue
            r = float(np.clip(0.12 * length, 0.004 * h, 0.03 * h))
            self.add(parent, "limb", self.rest[parent], self.rest[j], (r, 0.7 * r))
        for e in skeleton.ends:
            length = float(np.linalg.norm(e.offset))
            if e.joint in self.done or length < 0.002 * h:
                continue
            r = float(np.clip(0.1 * length, 0.004 * h, 0.024 * h))
            self.add(e.joint, "limb", self.rest[e.joint], self.rest[e.joint] + e.offset, (r, 0.5 * r))

    def trunk(self) -> set[int]:
        """Joints that lie inside the drawn trunk: what links hips, spine, collar bones and thighs."""
        roles = ("hips", "spine", "chest", "upper_chest", "neck")
        found = {self.rig[r] for r in roles if r in self.rig} | set(self.rig.spine)
        for side in SIDES:
            for role in (f"{side}_upper_leg", f"{side}_shoulder", f"{side}_upper_arm"):
                joint = self.rig.get(role)
                while joint is not None and joint >= 0 and joint not in found:
                    found.add(joint)
                    joint = int(self.skeleton.parents[joint])
        return found if "hips" in self.rig and self.rig.spine else set()


def _half_span(points: list[FloatArray], lateral: FloatArray, default: float) -> float:
    if len(points) != 2:
        return default
    return 0.5 * abs(float((points[0] - points[1]) @ lateral))


def _trunk_depth(t: float) -> float:
    """Half the depth of the trunk, of height 1, from the crotch (t = 0) to the neck (t = 1)."""
    at = [0.0, 0.1, 0.25, 0.42, 0.65, 0.82, 0.93, 1.0]
    return float(np.interp(t, at, [0.046, 0.058, 0.060, 0.053, 0.062, 0.058, 0.044, 0.033]))


def _trunk_breadth(t: float, hips: float, chest: float, neck: float) -> float:
    """Half the breadth: hips, waist, chest, and the slope of the shoulders to the neck."""
    waist = 0.8 * min(hips, chest)
    at = [0.0, 0.1, 0.22, 0.42, 0.65, 0.82, 0.92, 1.0]
    sizes = [0.82 * hips, hips, 0.97 * hips, waist, 0.95 * chest, chest, 0.72 * chest, neck]
    return float(np.interp(t, at, sizes))


def _vector(v: FloatArray) -> Vector:
    return float(v[0]), float(v[1]), float(v[2])
