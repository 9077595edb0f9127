"""Where the mass of a body lies: segments' shares and centres after de Leva (1996), men."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ._arrays import FloatArray, owned
from .motion import Motion
from .rig import SIDES, Rig
from .rotations import rotate
from .skeleton import Skeleton

# Shares of the whole mass; where a segment's centre lies between its two ends.
_LIMBS = {
    "upper_arm": ("lower_arm", 0.0271, 0.577),
    "lower_arm": ("hand", 0.0162, 0.457),
    "upper_leg": ("lower_leg", 0.1416, 0.410),
    "lower_leg": ("foot", 0.0433, 0.446),
}
_HAND, _FOOT, _HEAD = 0.0061, 0.0137, 0.0694
_TRUNK = (0.1117, 0.1633, 0.1596)  # pelvis, abdomen, thorax


@dataclass(frozen=True, slots=True, eq=False)
class BodyMass:
    """How the mass of a figure is spread over its joints."""

    shares: FloatArray
    """(J,) of the whole mass; they add up to 1."""
    centres: FloatArray
    """(J, 3) where that mass lies, in the joint's frame, metres."""


def body_mass(skeleton: Skeleton, rig: Rig) -> BodyMass:
    """The mass of a person of that build where the rig says what its joints are; of any other
    figure, that of rods of even thickness."""
    rest = skeleton.rest_positions()
    shares, moments = np.zeros(len(skeleton)), np.zeros((len(skeleton), 3))

    def add(joint: int, place: FloatArray, share: float) -> None:
        shares[joint] += share
        moments[joint] += share * (place - rest[joint])

    if _is_person(rig):
        _person(skeleton, rig, add)
    else:
        for j in range(1, len(skeleton)):
            parent = int(skeleton.parents[j])
            add(parent, 0.5 * (rest[parent] + rest[j]), float(np.linalg.norm(rest[j] - rest[parent])))
        for end in skeleton.ends:
            tip = np.array(end.offset)
            add(end.joint, rest[end.joint] + 0.5 * tip, float(np.linalg.norm(tip)))
        if shares.sum() <= 0.0:  # a single point
            shares[0] = 1.0
    centres = moments / np.where(shares > 0.0, shares, 1.0)[:, None]
    return BodyMass(owned(shares / shares.sum()), owned(centres))


def _is_person(rig: Rig) -> bool:
    needed = [f"{side}_{part}" for side in SIDES for pair in _LIMBS.items() for part in (pair[0], pair[1][0])]
    return "hips" in rig and "head" in rig and len(rig.spine) > 0 and all(role in rig for role in needed)


def _person(skeleton: Skeleton, rig: Rig, add: Callable[[int, FloatArray, float], None]) -> None:
    rest = skeleton.rest_positions()
    tips = {e.joint: np.array(e.offset) for e in skeleton.ends}
    for side in SIDES:
        for upper, (lower, share, along) in _LIMBS.items():
            a, b = rig[f"{side}_{upper}"], rig[f"{side}_{lower}"]
            add(a, rest[a] + along * (rest[b] - rest[a]), share)
        hand, foot, toes = rig[f"{side}_hand"], rig[f"{side}_foot"], rig.get(f"{side}_toes")
        add(hand, rest[hand] + 0.4 * tips.get(hand, np.zeros(3)), _HAND)
        ahead = rest[toes] if toes is not None else rest[foot] + tips.get(foot, np.zeros(3))
        add(foot, 0.55 * rest[foot] + 0.45 * ahead, _FOOT)
    head = rig["head"]
    add(head, rest[head] + 0.5 * tips.get(head, np.zeros(3)), _HEAD)
    above = rig.get("neck")
    neck = head if above is None else above
    trunk = (rig["hips"], rig.spine[0], rig.spine[-1])
    tops = (rest[rig.spine[0]], rest[rig.spine[-1]], rest[neck])
    for joint, top, share in zip(trunk, tops, _TRUNK, strict=True):
        add(joint, 0.5 * (rest[joint] + top), share)


def centre_of_mass(motion: Motion, mass: BodyMass | None = None) -> FloatArray:
    """(F, 3) the centre of mass, world, metres."""
    mass = body_mass(motion.skeleton, motion.rig) if mass is None else mass
    held = np.flatnonzero(mass.shares)
    places, turned = motion.world()
    carried = places[:, held] + rotate(turned[:, held], mass.centres[held])
    return np.asarray((mass.shares[held, None] * carried).sum(axis=1))
