"""Poses carried from figure to figure by what joints mean, whatever they are called and however they rest.

Every part of the one figure stands in the world as the same part of the other does: an upper arm
points where the other's points, and bends in the same plane. Nothing is solved; hands and feet end
up where the figure's own proportions put them. Retargeting begins with this and then holds what
must be held.

What one figure has and the other lacks:

- spines and necks of other counts share the turns evenly; the ends of a spine are exact;
- what the source lacks (a neck, collar bones, toes, fingers) keeps to the part above it;
- what the target lacks loses nothing, for parts stand in the world and not on each other;
- twist joints inside a forearm take their share of the hand's twist, so that skin wrings evenly;
- joints without a meaning keep their rotations where the source has joints of the same name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import kernels
from ..errors import InputError
from ._arrays import FloatArray, IntArray, owned
from ._names import is_helper
from .motion import Motion
from .recognise import recognise
from .rest import ROLE_ABOVE, RestAlignment, align_rest
from .rig import SIDES, Rig
from .rotations import about, between, inverse, multiply, rotate, swing_twist
from .skeleton import Skeleton

_NECK = ("neck", "head")


def carry(motion: Motion, onto: Skeleton | Motion, *, rig: Rig | None = None) -> Motion:
    """A motion put onto another figure: the same pose of every part, the hips' path scaled.

    `onto` is a skeleton, or a motion whose skeleton and rig are meant, which is the better choice for
    a file whose zero pose is no pose; `rig` is the rig of that
    skeleton, recognised where left out. The path of the hips is scaled by the ratio of the leg
    lengths. Contacts come along; named points and stretched bones do not.
    """
    target = onto.skeleton if isinstance(onto, Motion) else onto
    if rig is None:
        rig = onto.rig if isinstance(onto, Motion) else recognise(target)
    poses = onto.poses if isinstance(onto, Motion) else None
    source = align_rest(motion.skeleton, motion.rig, motion.poses)
    return Carrier(source, align_rest(target, rig, poses)).motion(motion)


@dataclass(frozen=True, slots=True)
class _Plan:
    """For every joint of the target, what it takes from the source: see kernels/carry.py."""

    first: IntArray
    second: IntArray
    share: FloatArray
    before: FloatArray
    after: FloatArray


@dataclass(frozen=True, slots=True)
class _Twist:
    """A joint inside a forearm that takes a share of its hand's twist."""

    joint: int
    lower: int
    hand: int
    share: float
    axis: FloatArray  # (3,) of the bone, at rest


class Carrier:
    """Everything about two figures that carrying a pose between them needs, worked out once."""

    def __init__(self, source: RestAlignment, target: RestAlignment) -> None:
        if source.rig.is_empty or target.rig.is_empty:
            which = "source" if source.rig.is_empty else "target"
            raise InputError(
                f"both figures must have roles that correspond, but the {which} has none; "
                "say what its joints mean (a .rig.yaml beside its file)"
            )
        self.source = source
        self.target = target
        self.scale = _scale(source, target)
        self._plan = self._planned()
        self._twists = tuple(t for t in _twists(target) if self._plan.first[t.joint] < 0)
        self._insides = tuple(_insides(source, target.skeleton))

    def motion(self, motion: Motion) -> Motion:
        """A motion of the source on the target."""
        rotations = self.rotations(motion)
        root = self.root(motion, rotations)
        same = _equal(motion.skeleton, self.target.skeleton)
        return Motion(
            self.target.skeleton,
            owned(root),
            owned(rotations),
            motion.frame_rate,
            translations=motion.translations if same else None,
            name=motion.name,
            contacts=motion.contacts,
            points=motion.points if same else (),
            source=motion.source if same else type(motion.source)(),
            rig=self.target.rig,
        )

    def rotations(self, motion: Motion) -> FloatArray:
        """(F, T, 4) local rotations of the target."""
        plan, skeleton = self._plan, self.target.skeleton
        orientations = self._orientations(motion)
        world = np.empty((len(motion), len(skeleton), 4))
        kernels.carry.carry_frames(
            skeleton.parents, plan.first, plan.second, plan.share, plan.before, plan.after,
            np.ascontiguousarray(orientations), motion.rotations, world,
        )  # fmt: skip
        self._wring(world)
        out = np.empty_like(world)
        kernels.forward.local_from_world(skeleton.parents, world, out)
        return np.asarray(out / np.linalg.norm(out, axis=-1, keepdims=True))

    def root(self, motion: Motion, rotations: FloatArray) -> FloatArray:
        """(F, 3) path of the target's root, from that of the source's hips."""
        source, target = self.source, self.target
        hips = source.rig.get("hips")
        path = motion.root if not hips else motion.positions()[:, hips]
        ours = target.rig.get("hips")
        if not ours:
            return np.array(path * self.scale)
        still = Motion(
            target.skeleton, np.zeros_like(motion.root), rotations, motion.frame_rate, rig=target.rig
        )
        return np.asarray(path * self.scale - still.positions()[:, ours])

    def _orientations(self, motion: Motion) -> FloatArray:
        """(F, S, 4) of the source, where a limb's role speaks for all joints inside it."""
        positions, orientations = motion.world()
        if not self._insides:
            return orientations
        rest = motion.skeleton.rest_positions()
        found = np.array(orientations)
        for role, last, below in self._insides:
            turned = orientations[:, last]
            along = rotate(turned, rest[below] - rest[role])
            found[:, role] = multiply(between(along, positions[:, below] - positions[:, role]), turned)
        return found

    def _wring(self, world: FloatArray) -> None:
        """Let joints inside forearms take their share of the hands' twist, in place."""
        for twist in self._twists:
            lower, hand = world[:, twist.lower], world[:, twist.hand]
            _, turned = swing_twist(multiply(inverse(lower), hand), twist.axis)
            angle = 2.0 * np.arctan2(turned[:, 1:] @ twist.axis, turned[:, 0])
            angle = np.remainder(angle + np.pi, 2.0 * np.pi) - np.pi
            world[:, twist.joint] = multiply(lower, about(twist.axis, twist.share * angle))

    def _planned(self) -> _Plan:
        count = len(self.target.skeleton)
        plan = _Plan(
            np.full(count, -1), np.full(count, -1), np.zeros(count), _identities(count), _identities(count)
        )
        self._same_names(plan)
        for role, joint in self.target.rig.roles.items():
            self._role(plan, role, joint)
        self._chain(plan, *_spine_knots(self.source.rig), *_spine_knots(self.target.rig))
        self._chain(plan, *_neck_knots(self.source), *_neck_knots(self.target))
        self._hub(plan)
        return plan

    def _set(
        self, plan: _Plan, joint: int, first: int, second: int | None = None, share: float = 0.0
    ) -> None:
        """Let a joint stand in the world as joints of the source do."""
        source, target = self.source.joints, self.target.joints
        plan.first[joint], plan.second[joint] = first, first if second is None else second
        plan.share[joint] = share
        plan.after[joint] = multiply(inverse(source[first]), target[joint])
        if second is not None:
            plan.before[joint] = multiply(inverse(source[second]), target[joint])

    def _same_names(self, plan: _Plan) -> None:
        """Joints without a meaning turn against their parents as those of the same name do."""
        source, target = self.source, self.target
        meant = set(source.rig.roles.values()) | set(source.rig.spine)
        for j, name in enumerate(target.skeleton.names):
            if name in source.skeleton and (k := source.skeleton.index(name)) not in meant:
                turn = multiply(inverse(target.joints[j]), source.joints[k])
                plan.first[j], plan.before[j], plan.after[j] = k, turn, inverse(turn)

    def _role(self, plan: _Plan, role: str, joint: int) -> None:
        """A role stands as the source's does, or keeps to the part above it where that has none."""
        known: str | None = role
        while known is not None and known not in self.source.rig:
            known = ROLE_ABOVE.get(known)
        if known is not None:
            self._set(plan, joint, self.source.rig[known])

    def _chain(
        self, plan: _Plan, joints: list[int], knots: list[float], ours: list[int], our_knots: list[float]
    ) -> None:
        """Spread a chain's turns over another of any count, by where its joints are along it."""
        if len(joints) < 2 or not ours:
            return
        for joint, at in zip(ours, our_knots, strict=True):
            i = int(np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2))
            share = (at - knots[i]) / (knots[i + 1] - knots[i])
            if share < 1e-9:
                self._set(plan, joint, joints[i])
            elif share > 1 - 1e-9:
                self._set(plan, joint, joints[i + 1])
            else:
                self._set(plan, joint, joints[i], joints[i + 1], share)

    def _hub(self, plan: _Plan) -> None:
        """Where hips and spine hang beside each other, the joint that carries both turns with the hips."""
        rig, skeleton = self.target.rig, self.target.skeleton
        if "hips" not in rig or "hips" not in self.source.rig or self.source.skeleton.same_joints(skeleton):
            return
        hips = rig["hips"]
        above = set(skeleton.ancestors(hips))
        beside = [j for j in rig.spine[:1] if hips not in skeleton.ancestors(j)]
        for joint in beside:
            for j in skeleton.ancestors(joint):
                if j in above:
                    self._set(plan, j, self.source.rig["hips"])
                    break


def _identities(count: int) -> FloatArray:
    out = np.zeros((count, 4))
    out[:, 0] = 1.0
    return out


def _spine_knots(rig: Rig) -> tuple[list[int], list[float]]:
    """The hips and the spine, and how far up each is: the last joint is all the way."""
    joints = [rig["hips"], *rig.spine] if "hips" in rig else list(rig.spine)
    return joints, [i / max(1, len(joints) - 1) for i in range(len(joints))]


def _neck_knots(aligned: RestAlignment) -> tuple[list[int], list[float]]:
    """The top of the trunk, the joints of the neck and the head, and how far up each is."""
    rig, skeleton = aligned.rig, aligned.skeleton
    if "head" not in rig:
        return [], []
    base = rig.spine[-1] if rig.spine else rig.get("hips")
    chain = [rig["head"]]
    if "neck" in rig and rig["neck"] in skeleton.ancestors(rig["head"]):
        while chain[-1] != rig["neck"]:
            chain.append(int(skeleton.parents[chain[-1]]))
    joints = chain[::-1] if base is None else [base, *chain[::-1]]
    return joints, [i / max(1, len(joints) - 1) for i in range(len(joints))]


def _insides(aligned: RestAlignment, target: Skeleton) -> list[tuple[int, int, int]]:
    """Limb parts with joints inside them: the role's joint, the last inside, and the next role's."""
    found = []
    for limb in aligned.rig.limbs:
        for top, below in ((limb.root, limb.hinge), (limb.hinge, limb.end)):
            inside = _between(aligned.skeleton, top, below)
            # joints of the same names carry their own turns
            if inside and not all(aligned.skeleton.names[j] in target for j in inside):
                found.append((top, inside[-1], below))
    return found


def _between(skeleton: Skeleton, top: int, below: int) -> list[int]:
    """The joints on the way from one to another below it, both left out; none where it is not below."""
    above = skeleton.ancestors(below)
    return list(above[: above.index(top)])[::-1] if top in above else []


def _twists(aligned: RestAlignment) -> list[_Twist]:
    """Joints inside forearms: on the way to the hand, or beside it and called twist or roll."""
    found = []
    skeleton, rig = aligned.skeleton, aligned.rig
    rest = skeleton.rest_positions()
    for side in SIDES:
        limb = rig.limb(f"{side}_arm")
        if limb is None:
            continue
        bone = rest[limb.end] - rest[limb.hinge]
        size = float(bone @ bone)
        if size <= 0:
            continue
        inside = _between(skeleton, limb.hinge, limb.end)
        beside = [
            j
            for j in skeleton.children(limb.hinge)
            if not skeleton.children(j) and is_helper(skeleton.names[j])
        ]
        for joint in (*inside, *beside):
            share = float(np.clip((rest[joint] - rest[limb.hinge]) @ bone / size, 0.0, 1.0)) or 0.5
            axis = rest[limb.end] - rest[joint] if joint in inside else bone
            length = float(np.linalg.norm(axis))
            if length > 1e-9:
                found.append(_Twist(joint, limb.hinge, limb.end, share, axis / length))
    return found


def _scale(source: RestAlignment, target: RestAlignment) -> float:
    """How much longer the target's legs are, or how much taller it is where one has none."""
    lengths = [_legs(a) or a.skeleton.height for a in (source, target)]
    if not (_legs(source) and _legs(target)):
        lengths = [a.skeleton.height for a in (source, target)]
    return lengths[1] / lengths[0] if lengths[0] > 0 and lengths[1] > 0 else 1.0


def _legs(aligned: RestAlignment) -> float:
    """The mean length of thigh and shin, metres; 0 without legs."""
    rest = aligned.skeleton.rest_positions()
    legs = [limb for limb in aligned.rig.limbs if limb.name.endswith("leg")]
    sizes = [
        float(np.linalg.norm(rest[a] - rest[b]))
        for limb in legs
        for a, b in ((limb.root, limb.hinge), (limb.hinge, limb.end))
    ]
    return sum(sizes) / max(1, len(legs))


def _equal(a: Skeleton, b: Skeleton) -> bool:
    return a is b or (a.same_joints(b) and bool(np.array_equal(a.offsets, b.offsets)))
