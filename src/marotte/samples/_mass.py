"""Where the mass of a body lies: segments' shares and centres after de Leva (1996), men."""

from __future__ import annotations

from functools import cache

import numpy as np

from ..figure import FloatArray, Motion, Rig, Skeleton, recognise
from ..figure.rotations import rotate
from ._body import SIDES, Body

# Shares of the whole mass; where a segment's centre lies between its two ends.
_LIMBS = {
    "upper_arm": ("lower_arm", 0.0271, 0.577),
    "lower_arm": ("hand", 0.0162, 0.457),
    "upper_leg": ("lower_leg", 0.1416, 0.410),
    "lower_leg": ("foot", 0.0433, 0.446),
}
_HAND, _FOOT, _HEAD = 0.0061, 0.0137, 0.0694
_TRUNK = (0.1117, 0.1633, 0.1596)  # pelvis, abdomen, thorax


@cache
def _segments(skeleton: Skeleton) -> tuple[list[int], FloatArray, FloatArray]:
    """Joints (S), centres in their frames (S, 3), and shares (S, 1) of the mass."""
    rig: Rig = recognise(skeleton)
    rest = skeleton.rest_positions()
    joints: list[int] = []
    centres: list[FloatArray] = []
    shares: list[float] = []

    def add(joint: int, place: FloatArray, share: float) -> None:
        joints.append(joint)
        centres.append(place - rest[joint])
        shares.append(share)

    tips = {e.joint: np.array(e.offset) for e in skeleton.ends}
    for side in SIDES:
        for upper, (lower, share, along) in _LIMBS.items():
            a, b = rig[f"{side}_{upper}"], rig[f"{side}_{lower}"]
            add(a, rest[a] + along * (rest[b] - rest[a]), share)
        hand, foot, toes = (rig[f"{side}_{part}"] for part in ("hand", "foot", "toes"))
        add(hand, rest[hand] + 0.4 * tips.get(hand, np.zeros(3)), _HAND)
        add(foot, 0.55 * rest[foot] + 0.45 * rest[toes], _FOOT)
    head = rig["head"]
    add(head, rest[head] + 0.5 * tips.get(head, np.zeros(3)), _HEAD)
    trunk = (rig["hips"], rig.spine[0], rig.spine[-1])
    tops = (rest[rig.spine[0]], rest[rig.spine[-1]], rest[rig["neck"]])
    for joint, top, share in zip(trunk, tops, _TRUNK, strict=True):
        add(joint, 0.5 * (rest[joint] + top), share)
    weights = np.array(shares)[:, None]
    return joints, np.array(centres), weights / weights.sum()


def centre_of_mass(figure: Motion | Body) -> FloatArray:
    """(F, 3) the centre of mass, world, metres."""
    joints, centres, shares = _segments(figure.skeleton)
    motion = figure if isinstance(figure, Motion) else figure.motion("", 1.0)
    places, turned = motion.world()
    return np.asarray((shares * (places[:, joints] + rotate(turned[:, joints], centres))).sum(axis=1))
