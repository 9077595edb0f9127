"""What follows from roles: the way a figure stands at rest, its limbs' hinges, its soles."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ..errors import InputError
from ._arrays import FloatArray
from ._facing import Poses, PosesOf
from ._tree import Tree
from .rig import Limb, Sole, Vector

# Rest bones bent less than this (radians) tell nothing about their hinge: use the anatomy.
_STRAIGHT = 0.12
# A rest bend whose axis lies further from the anatomy's (cosine) is a bow leg, not a hinge.
_LIKE_ANATOMY = 0.85
# Legs that point away from the trunk by a cosine below this belong to a pose that a body can hold.
_STANDING = -0.5
_FALL, _STEEPEST = math.radians(30), math.radians(65)  # of a foot's bone, usually and at most
PARTS = {"arm": ("upper_arm", "lower_arm", "hand"), "leg": ("upper_leg", "lower_leg", "foot")}


def stands(rest: FloatArray, roles: Mapping[str, int]) -> bool:
    """Whether the rest pose is one of a body: legs away from the trunk, wherever that points.

    Some files lay all bones along one axis; their zero pose draws nothing that means anything.
    """
    hips, top = roles.get("hips"), roles.get("neck", roles.get("head"))
    if hips is None or top is None:
        return True
    up = rest[top] - rest[hips]
    legs = [
        rest[roles[f"{s}_lower_leg"]] - rest[roles[f"{s}_upper_leg"]]
        for s in ("left", "right")
        if f"{s}_upper_leg" in roles and f"{s}_lower_leg" in roles
    ]
    size = float(np.linalg.norm(up)) * float(np.linalg.norm(sum(legs))) if legs else 0.0
    return size <= 0 or float(up @ sum(legs)) < _STANDING * size


def body_axes(
    rest: FloatArray, roles: Mapping[str, int], spine: tuple[int, ...] = ()
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Left, up and forward of the hips in the rest pose, unit vectors; Y up, Z forward where unknown."""
    standing = stands(rest, roles)
    lateral = np.zeros(3)
    for part in ("upper_leg", "upper_arm", "foot", "hand"):
        left, right = roles.get(f"left_{part}"), roles.get(f"right_{part}")
        if left is not None and right is not None:
            gap = rest[left] - rest[right]
            if np.linalg.norm(gap) > 1e-6:
                lateral = gap / np.linalg.norm(gap)
                break
    up = np.zeros(3)
    hips, head = roles.get("hips"), roles.get("head", roles.get("neck"))
    if hips is not None and not standing:  # up in the frame of the hips: where the spine begins
        up = next((rest[j] - rest[hips] for j in spine if np.linalg.norm(rest[j] - rest[hips]) > 1e-6), up)
    if hips is not None and head is not None and not up.any():
        up = rest[head] - rest[hips]
    if np.linalg.norm(up) < 1e-6:
        up = np.array([0.0, 1.0, 0.0])
    up = _snapped(up / np.linalg.norm(up))
    if np.linalg.norm(lateral) < 0.5:
        lateral = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 0.0, 1.0])
    lateral = lateral - up * (lateral @ up)
    size = np.linalg.norm(lateral)
    if size > 1e-3:
        lateral = _snapped(lateral / size)
    else:  # a zero pose that is no pose, with bones along one axis: any direction square to up
        lateral = np.eye(3)[np.argmin(np.abs(up))]
    lateral = lateral - up * (lateral @ up)
    lateral = lateral / np.linalg.norm(lateral)
    forward = np.cross(lateral, up)
    return lateral, up, forward / np.linalg.norm(forward)


def _snapped(v: FloatArray) -> FloatArray:
    """The world axis that v lies within 20 degrees of, or v itself."""
    axis = int(np.argmax(np.abs(v)))
    if abs(v[axis]) > 0.94:
        out = np.zeros(3)
        out[axis] = np.sign(v[axis])
        return out
    return v


def limb(
    rest: FloatArray, roles: Mapping[str, int], name: str, forward: FloatArray, poses: PosesOf | None
) -> Limb | None:
    """A limb and its hinge: by its rest bend, by anatomy, or by the bends of some frames."""
    side, kind = name.split("_")
    try:
        a, b, c = (roles[f"{side}_{part}"] for part in PARTS[kind])
    except KeyError:
        return None
    first, second = rest[b] - rest[a], rest[c] - rest[b]
    axis = np.cross(first, second)
    size = np.linalg.norm(first) * np.linalg.norm(second)
    # a knee bends its shin backwards, an elbow its forearm forwards
    anatomy = np.cross(first, forward if kind == "arm" else -forward)
    if np.linalg.norm(anatomy) < 1e-9 * max(float(np.linalg.norm(first)), 1e-12):
        anatomy = np.cross(forward, first)
    bent = size > 0 and np.linalg.norm(axis) / size > np.sin(_STRAIGHT)
    likeness = axis @ anatomy / max(float(np.linalg.norm(axis) * np.linalg.norm(anatomy)), 1e-12)
    if not bent or likeness < _LIKE_ANATOMY:
        axis = anatomy
    if not stands(rest, roles):
        found = poses() if poses is not None else None
        moving = None if found is None else _bending(found, a, b, c)
        if moving is not None:
            axis = moving
    length = np.linalg.norm(axis)
    if length < 1e-9:
        return None
    return Limb(name, a, b, c, roles.get(f"{side}_toes"), vector(axis / length))


def _bending(poses: Poses, a: int, b: int, c: int) -> FloatArray | None:
    """The axis that a limb bends about in some frames, in its hinge's frame; None where it does not.

    A knee and an elbow bend one way only, so that the bend itself says which end is positive.
    """
    upper = poses.positions[:, b] - poses.positions[:, a]
    lower = poses.positions[:, c] - poses.positions[:, b]
    size = np.linalg.norm(upper, axis=1) * np.linalg.norm(lower, axis=1)
    good = size > 0
    if not good.any():
        return None
    world = np.cross(upper[good], lower[good]) / size[good, None]
    local = np.einsum("fba,fb->fa", poses.turns[good, b], world)
    mean = local.mean(axis=0)
    return np.asarray(mean) if np.linalg.norm(mean) > math.sin(_STRAIGHT) else None


def sole(tree: Tree, roles: Mapping[str, int], side: str, up: FloatArray, forward: FloatArray) -> Sole | None:
    """Heel, ball and tip of a foot: its rest points, let down to the lowest of them.

    The heel lies straight below the ankle and a quarter of the foot's length behind it.
    """
    ankle = roles.get(f"{side}_foot")
    if ankle is None:
        return None
    rest = tree.rest
    toes = roles.get(f"{side}_toes")
    below = tree.below(ankle)
    if not below:
        return Sole(f"{side}_foot", (ankle,), ((0.0, 0.0, 0.0),))
    points = rest[below]
    floor = min(float((points @ up).min()), float(rest[ankle] @ up))
    along = (points - rest[ankle]) @ forward
    tip = points[int(np.argmax(along))]
    length = max(float(along.max()), 0.0)
    heel = rest[ankle] - forward * 0.25 * length
    ball_joint = toes if toes is not None and toes in below else ankle
    ball = rest[toes] if toes is not None and toes in below else rest[ankle] + forward * 0.65 * length

    def dropped(point: FloatArray, joint: int) -> Vector:
        return vector(point + up * (floor - point @ up) - rest[joint])

    return Sole(
        f"{side}_foot",
        (ankle, ankle, ball_joint),
        (dropped(heel, ankle), dropped(ball, ankle), dropped(tip, ball_joint)),
    )


def foot_slope(bone: FloatArray, toe: FloatArray, poses: Poses | None, ankle: int, ball: int) -> float:
    """How far a foot's bone falls from the ankle to the ball, radians, while its toes lie level.

    `bone` and `toe` (3,) are the foot's and the toes' bones in the frames of their joints. Frames
    show it as the usual angle between them; 30 degrees where there are none, or toes that never bend.
    """
    if poses is None or not bone.any() or not toe.any():
        return _FALL
    a, b = poses.turns[:, ankle] @ bone, poses.turns[:, ball] @ toe
    cosines = (a * b).sum(axis=1) / (np.linalg.norm(bone) * np.linalg.norm(toe))
    angle = float(np.median(np.arccos(np.clip(cosines, -1.0, 1.0))))
    return min(angle, _STEEPEST) if angle > _STRAIGHT else _FALL


def laid_sole(
    tree: Tree, roles: Mapping[str, int], side: str, hinge: Vector, poses: Poses | None
) -> Sole | None:
    """A foot's sole where the zero pose is no pose: of the foot as it stands in the reference pose.

    There its bone falls to the ball, and its toes lie on the ground; `hinge` is the knee's axis, to
    the left.
    """
    ankle, toes = roles.get(f"{side}_foot"), roles.get(f"{side}_toes")
    below = [] if ankle is None else tree.kids[ankle]
    if ankle is None or not below:
        return None
    rest = tree.rest
    ball = toes if toes is not None and toes in below else max(below, key=lambda n: tree.lengths[n])
    bone = rest[ball] - rest[ankle]
    length = float(np.linalg.norm(bone))
    if length < 1e-9:
        return None
    along = bone / length
    across = np.cross(np.array(hinge), along)
    tips = [rest[n] - rest[ball] for n in tree.kids[ball]]
    tip = max(tips, key=lambda t: float(t @ t), default=np.zeros(3))
    slope = foot_slope(bone, tip, poses if ball < tree.joints else None, ankle, ball)
    falls, goes = math.sin(slope), math.cos(slope)
    up, forward = -falls * along - goes * across, goes * along - falls * across
    floor = -falls * length * up
    heel = floor - 0.25 * goes * length * forward
    if ball >= tree.joints:  # the foot's own tip
        return Sole(
            f"{side}_foot", (ankle,) * 3, tuple(vector(p) for p in (heel, 0.65 * bone + 0.35 * floor, bone))
        )
    return Sole(f"{side}_foot", (ankle, ankle, ball), (vector(heel), vector(bone), vector(tip)))


def vector(v: FloatArray) -> Vector:
    """A direction as plain numbers."""
    if not np.isfinite(v).all():
        raise InputError(f"a direction must be finite, but is {v}")
    return float(v[0]), float(v[1]), float(v[2])
