"""Find the rig of a skeleton: from the names of its joints, and from its shape where they say nothing.

What names propose, the tree must confirm; what they leave open, lengths and symmetry settle. Every
role carries how sure it is and why. A skeleton that is like no body gets few roles or none, with
little confidence, which everything that needs none accepts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ._arrays import FloatArray
from ._by_name import Names, finger_roles
from ._by_shape import Cut, Shape, find_shape, stands_on_four
from ._facing import Poses, PosesOf, Sides, tell_sides
from ._pairs import Pair
from ._posture import PARTS, body_axes, laid_sole, limb, sole, stands, vector
from ._tree import Tree
from .rig import LIMBS, SIDES, Evidence, Limb, Rig, Sole
from .skeleton import Skeleton

__all__ = ["Poses", "corrected", "recognise"]

_MAIN = ("hips", "head", *(f"{s}_{r}" for s in SIDES for kind in PARTS.values() for r in kind))
_SPINE = ("spine", "chest", "upper_chest")
_NAMED, _GIVEN, _ON_THE_WAY = "by name", "given", "on the way from hips to head"
_LIKE_A_PERSON = 0.6  # a shape less likely than this does not overrule names that are incomplete
_FEW = 3  # roles that were given are told one by one up to this many


def recognise(
    skeleton: Skeleton,
    overrides: Mapping[str, str | int | None] | None = None,
    *,
    poses: PosesOf | None = None,
) -> Rig:
    """The rig of a skeleton; `overrides` sets single roles to joints by name or index, None to none.

    `poses()` gives some frames of a motion. It is asked only where the rest pose leaves open which
    side is left or how limbs bend. Takes one or two milliseconds for 60 joints.
    """
    finder = _Finder(skeleton, poses)
    finder.find()
    finder.correct(overrides or {}, "given")
    return finder.rig()


def corrected(
    rig: Rig, skeleton: Skeleton, overrides: Mapping[str, str | int | None], why: str = "given"
) -> Rig:
    """A rig with single roles set to other joints, or None to none; `why` says who knows."""
    finder = _Finder(skeleton, None)
    finder.take(rig)
    finder.correct(overrides, why)
    found = finder.rig()
    known = {(limb.name, limb.root, limb.hinge, limb.end): limb for limb in rig.limbs}
    limbs = tuple(known.get((limb.name, limb.root, limb.hinge, limb.end), limb) for limb in found.limbs)
    same = {(s.foot, s.joints): s for s in rig.soles}
    return replace(found, limbs=limbs, soles=tuple(same.get((s.foot, s.joints), s) for s in found.soles))


class _Finder:
    """Names first, shape for what is missing, then what was given; the reasons along the way."""

    def __init__(self, skeleton: Skeleton, poses: PosesOf | None) -> None:
        self.tree = Tree(skeleton)
        self.names = Names(self.tree)
        self.poses = poses
        self.roles: dict[str, int] = {}
        self.evidence: dict[str, Evidence] = {}
        self.reasons: list[str] = []
        self.spine: tuple[int, ...] = ()
        self.doubt = 1.0
        self.denied: dict[str, bool] = {}  # roles that were said to be no joint

    def find(self) -> None:
        """What names and shape say."""
        self._by_name()
        if any(r not in self.roles for r in _MAIN):
            self._by_shape()

    def take(self, rig: Rig) -> None:
        """What a rig says already; what its spine was called follows again from its ends."""
        for role, joint in rig.roles.items():
            found = rig.evidence.get(role, Evidence(1.0, _GIVEN))
            if role not in _SPINE or found.why != _ON_THE_WAY:
                self._set(role, joint, found.confidence, found.why)

    def rig(self) -> Rig:
        """Everything together."""
        self._spine()
        self._fingers()
        self._check()
        rest, roles = self.tree.rest, self.roles
        lateral, up, forward = body_axes(rest, roles, self.spine)
        if self._feet_point_back(forward):
            self.doubt *= 0.6
            self.reasons.append(
                "its feet point backwards: left and right are swapped, or the file is left-handed"
            )
        found = [limb(rest, roles, name, forward, self.poses) for name in LIMBS]
        limbs = {each.name: each for each in found if each is not None}
        soles = [self._sole(side, limbs.get(f"{side}_leg"), up, forward) for side in SIDES]
        confidence = self.doubt * sum(self.evidence[r].confidence for r in _MAIN if r in roles) / len(_MAIN)
        return Rig(
            roles=roles,
            spine=self.spine,
            limbs=tuple(limbs.values()),
            soles=tuple(each for each in soles if each is not None),
            lateral=vector(lateral),
            up=vector(up),
            forward=vector(forward),
            confidence=min(1.0, confidence),
            reasons=tuple(self._told()),
            evidence={r: Evidence(e.confidence * self.doubt, e.why) for r, e in self.evidence.items()},
        )

    def _sole(self, side: str, leg: Limb | None, up: FloatArray, forward: FloatArray) -> Sole | None:
        laid = None
        if leg is not None and not stands(self.tree.rest, self.roles):
            frames = self.poses() if self.poses is not None else None
            laid = laid_sole(self.tree, self.roles, side, leg.hinge_axis, frames)
        return laid or sole(self.tree, self.roles, side, up, forward)

    def _set(self, role: str, joint: int | None, confidence: float, why: str) -> None:
        if joint is not None and joint < self.tree.joints:
            self.roles[role] = joint
            self.evidence[role] = Evidence(confidence, why)

    def _by_name(self) -> None:
        for role, joint in self.names.roles().items():
            self._set(role, joint, 1.0, _NAMED)

    def _by_shape(self) -> None:
        shape = find_shape(self.tree)
        if shape is None:
            return
        sides = tell_sides(self.tree, shape, self.names, self.poses)
        before = set(self.roles)
        self._pair("leg", shape.legs, shape.leg, sides.legs_in_order, shape, sides)
        if shape.arms is not None and shape.arm is not None:
            self._pair("arm", shape.arms, shape.arm, sides.arms_in_order, shape, sides)
        sure = 0.95 * shape.likeness
        if "hips" not in self.roles or self.evidence["hips"].confidence < 1.0:
            self._set("hips", shape.hips, sure, "by shape: legs hang on it")
        if "head" not in self.roles:
            if "neck" not in self.roles:
                self._set("neck", shape.neck, sure, "by shape: it follows the spine")
            if shape.head != self.roles.get("neck"):
                self._set("head", shape.head, sure, "by shape: it ends the spine")
        elif "neck" not in self.roles and shape.head == self.roles["head"]:
            self._set("neck", shape.neck, sure, "by shape: it follows the spine")
        if not self.spine and "hips" in self.roles and self.roles["hips"] == shape.hips:
            self.spine = tuple(j for j in shape.spine if j not in self.roles.values())
        if set(self.roles) - before:
            self.reasons.append(sides.why)
            self.reasons.extend(shape.doubts)

    def _pair(self, kind: str, pair: Pair, cut: Cut, in_order: bool, shape: Shape, sides: Sides) -> None:
        """The roles of two limbs, where their names gave fewer."""
        first, second = (pair.first, pair.second) if in_order else (pair.second, pair.first)
        sure = 0.95 * shape.likeness * (0.4 + 0.6 * sides.certainty)
        for side, chain in zip(SIDES, (first, second), strict=True):
            ends = (chain[i] for i in (cut.root, cut.hinge, cut.end))
            found = {f"{side}_{r}": n for r, n in zip(PARTS[kind], ends, strict=True) if n < self.tree.joints}
            named = [f"{side}_{r}" for r in PARTS[kind] if f"{side}_{r}" in self.roles]
            contrary = any(self.roles.get(r, joint) != joint for r, joint in found.items())
            if len(named) >= len(found) or (contrary and shape.likeness < _LIKE_A_PERSON):
                continue
            for role, joint in found.items():
                self._set(role, joint, sure, "by shape: limbs alike")
            if kind == "leg":
                after = [n for n in chain[cut.end + 1 :] if n < self.tree.joints and self.tree.kids[n]]
                toes = next((n for n in after if self.tree.lengths[n] > 0), None)
                if toes is None and cut.end + 1 < len(chain) and not self.tree.skeleton.ends:
                    toes = chain[cut.end + 1]  # a file without end sites
                self._set(f"{side}_toes", toes, sure, "by shape: it follows the ankle")
            elif cut.root > 0:
                collar = next((n for n in reversed(chain[: cut.root])), None)
                self._set(f"{side}_shoulder", collar, sure, "by shape: it carries the arm")

    def correct(self, overrides: Mapping[str, str | int | None], why: str) -> None:
        """What somebody says who knows."""
        for role, joint in overrides.items():
            if joint is None:
                self.roles.pop(role, None)
                self.evidence.pop(role, None)
            else:
                self._set(role, self.tree.skeleton.index(joint), 1.0, why)
            self.denied[role] = joint is None
        if why == _GIVEN and len(overrides) <= _FEW:
            self.reasons += [f"{role} was given" for role in overrides]
        elif overrides:
            self.reasons.append(f"{len(overrides)} roles are {why}")

    def _spine(self) -> None:
        hips, top = self.roles.get("hips"), self.roles.get("neck", self.roles.get("head"))
        if hips is not None and top is not None:
            self.spine = self._trunk(hips, top)
        picks = _spread(self.spine)
        for role, joint in zip(_SPINE, picks, strict=False):
            if role not in self.roles and not self.denied.get(role):
                self._set(role, joint, self.evidence["hips"].confidence, _ON_THE_WAY)

    def _trunk(self, hips: int, top: int) -> tuple[int, ...]:
        """The joints between, also where hips and spine hang beside each other on a root."""
        tree = self.tree
        if tree.is_below(top, hips):
            return tuple(tree.way(hips, top)[1:-1])
        shared = tree.shared([hips, top])
        return () if shared is None else tuple(tree.way(shared, top)[1:-1])

    def _fingers(self) -> None:
        for side in SIDES:
            hand = self.roles.get(f"{side}_hand")
            if hand is not None:
                sure = self.evidence[f"{side}_hand"].confidence
                for role, joint in finger_roles(self.tree, self.names, side, hand).items():
                    if role not in self.roles and not self.denied.get(role):
                        self._set(role, joint, sure, _NAMED)

    def _check(self) -> None:
        """Doubt what stands on four legs, whatever its joints are called."""
        roles, rest = self.roles, self.tree.rest
        needed = [f"{s}_{r}" for s in SIDES for r in ("upper_leg", "foot", "upper_arm", "hand")]
        if not self.spine or any(r not in roles for r in needed) or not self.evidence:
            return
        if any("four-legged" in r for r in self.reasons):
            return  # its shape says so already
        legs, arms = (
            sum(rest[roles[f"{s}_{b}"]] - rest[roles[f"{s}_{a}"]] for s in SIDES)
            for a, b in (("upper_leg", "foot"), ("upper_arm", "hand"))
        )
        trunk = rest[self.spine[-1]] - rest[roles["hips"]]
        if stands_on_four(np.asarray(legs), np.asarray(arms), trunk):
            self.doubt = 0.35
            self.reasons.append("its arms stand beside its legs, as those of four-legged animals do")

    def _feet_point_back(self, forward: FloatArray) -> bool:
        """Whether the sides that were found face the figure against its feet, as in a mirror."""
        tree, rest = self.tree, self.tree.rest
        feet = [self.roles[f"{side}_foot"] for side in SIDES if f"{side}_foot" in self.roles]
        if len(feet) != 2 or not stands(rest, self.roles):
            return False
        ahead = behind = 0.0
        for foot in feet:
            along = [float((rest[n] - rest[foot]) @ forward) for n in tree.below(foot)]
            ahead, behind = max([ahead, *along]), min([behind, *along])
        shin = max(tree.lengths[foot] for foot in feet)
        return -behind > max(3.0 * ahead, 0.1 * shin)

    def _told(self) -> list[str]:
        """The reasons, the sum of them first."""
        main = [r for r in _MAIN if r in self.roles]
        named = sum(self.evidence[r].why == _NAMED for r in main)
        shaped = sum(self.evidence[r].why.startswith("by shape") for r in main)
        if not main and not self.roles:
            return ["the names of the joints say nothing that is known, and neither does their shape"]
        how = [f"{n} {how}" for n, how in ((named, _NAMED), (shaped, "by shape")) if n]
        told = [f"{len(main)} of {len(_MAIN)} main roles found ({', '.join(how) or 'as given'})"]
        told += self.reasons
        missing = [r for r in _MAIN if r not in self.roles]
        if missing:
            told.append("not found: " + ", ".join(missing))
        if not stands(self.tree.rest, self.roles):
            told.append("its zero pose is no pose of a body")
        return told


def _spread(spine: tuple[int, ...]) -> tuple[int, ...]:
    """First, middle and last of the spine: more joints than roles keep their place between."""
    if len(spine) <= 3:
        return spine
    return spine[0], spine[len(spine) // 2], spine[-1]
