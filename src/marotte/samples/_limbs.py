"""Two-bone limbs in closed form, whole clips at a time: thigh and shin, upper arm and forearm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..figure import FloatArray, Limb, Skeleton
from ..figure.rotations import about, from_matrix, multiply

# A limb is never straightened further than this part of its length: beyond it the angle of the
# hinge changes so fast with distance that the smallest unevenness would show as a snap.
FULL_REACH = 0.9985


@dataclass(frozen=True, slots=True, eq=False)
class TwoBone:
    """Lengths and rest directions of a limb whose hinge stands square to both bones."""

    upper: float  # metres
    lower: float
    bone: FloatArray  # (3,) unit, from the root joint to the hinge, in the rest pose
    hinge: FloatArray  # (3,) unit; turning positively about it bends the limb

    @property
    def reach(self) -> float:
        """The furthest that the limb is stretched, metres."""
        return FULL_REACH * (self.upper + self.lower)


def two_bone(skeleton: Skeleton, limb: Limb) -> TwoBone:
    """The lengths of a straight limb."""
    first, second = skeleton.offsets[limb.hinge], skeleton.offsets[limb.end]
    upper, lower = float(np.linalg.norm(first)), float(np.linalg.norm(second))
    return TwoBone(upper, lower, np.asarray(first / upper), np.array(limb.hinge_axis))


def solve(
    limb: TwoBone, root: FloatArray, target: FloatArray, pole: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Bend a limb so that its end meets the target: (F, 4) world orientation of the upper bone
    and (F,) angle of the hinge, radians.

    The hinge lies on the side of `pole` (F, 3), a direction. Beyond reach the limb points at the
    target, stretched as far as FULL_REACH allows.
    """
    arm = target - root
    distance = np.linalg.norm(arm, axis=-1)
    toward = arm / np.maximum(distance, 1e-9)[:, None]
    a, b = limb.upper, limb.lower
    d = np.clip(distance, abs(a - b) + 1e-6, limb.reach)
    side = pole - (pole * toward).sum(-1, keepdims=True) * toward
    side /= np.maximum(np.linalg.norm(side, axis=-1, keepdims=True), 1e-12)
    at_root = np.arccos(np.clip((a * a + d * d - b * b) / (2.0 * a * d), -1.0, 1.0))[:, None]
    at_hinge = np.arccos(np.clip((a * a + b * b - d * d) / (2.0 * a * b), -1.0, 1.0))
    bone = toward * np.cos(at_root) + side * np.sin(at_root)
    hinge = np.cross(side, toward)
    turned = np.stack([bone, hinge, np.cross(bone, hinge)], axis=-1)
    rest = np.stack([limb.bone, limb.hinge, np.cross(limb.bone, limb.hinge)], axis=-1)
    return from_matrix(turned @ rest.T), np.pi - at_hinge


def bend(limb: TwoBone, angle: FloatArray) -> FloatArray:
    """(F, 4) local rotation of the hinge joint."""
    return about(limb.hinge, angle)


def distance_at(limb: TwoBone, flexion: float) -> float:
    """How far the end is from the root when the hinge is bent by so many radians."""
    a, b = limb.upper, limb.lower
    return float(np.sqrt(a * a + b * b + 2.0 * a * b * np.cos(flexion)))


def local(parent: FloatArray, child: FloatArray) -> FloatArray:
    """The rotation relative to the parent of two world orientations (F, 4)."""
    return multiply(parent * np.array([1.0, -1.0, -1.0, -1.0]), child)
