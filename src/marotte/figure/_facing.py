"""Which of two limbs is the left one: by names, by feet and bends at rest or in motion, by custom.

Everything about a body but its feet, its face and the bend of its knees and elbows is the same
seen in a mirror, so that these are what tells its sides apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ._arrays import FloatArray
from ._by_name import Names
from ._by_shape import Shape
from ._pairs import Pair
from ._tree import Tree

# Shares of the limb's length; feet are about 0.2 legs long, knees bend by 0.1 in a walk.
_FEET, _KNEES, _ELBOWS, _FACE = 1.0, 2.0, 0.6, 0.25
_CLEAR = 0.05  # of evidence: tanh(score / _CLEAR) is how sure it makes
_CUSTOM = 0.012  # what the custom that figures face along Z weighs
_STANDING = -0.5  # legs point away from the trunk by a cosine below this


@dataclass(frozen=True, slots=True)
class Poses:
    """Some frames of a motion: where joints are, and how they are turned."""

    positions: FloatArray
    """(n, J, 3) world positions, in the skeleton's unit."""
    turns: FloatArray
    """(n, J, 3, 3) world_from_joint."""


PosesOf = Callable[[], "Poses | None"]


@dataclass(frozen=True, slots=True)
class Sides:
    """Which limb of each pair is the left one."""

    legs_in_order: bool
    """Whether the first leg of the pair is the left one."""
    arms_in_order: bool
    certainty: float
    why: str


def tell_sides(tree: Tree, shape: Shape, names: Names, poses: PosesOf | None) -> Sides:
    """Left and right of a shape, by the surest evidence there is."""
    legs, arms = _named(names, shape.legs), _named(names, shape.arms)
    if legs is not None and (arms is not None or shape.arms is None):
        return Sides(legs, bool(arms), 1.0, "sides by name")
    rest = tree.rest
    standing = is_standing(rest, shape)
    score, why = 0.0, ""
    if standing:
        score, why = _score(tree, shape, rest), "sides by the feet and bends of the rest pose"
    if abs(score) < _CLEAR and poses is not None and (found := poses()) is not None and len(found.positions):
        values = [_score(tree, shape, p, joints_only=True) for p in found.positions]
        moving = float(np.mean(values))
        if abs(moving) > abs(score):
            score, why = moving, "sides by the feet and bends of the first frames"
            if not standing:
                return _ordered(legs, arms, shape, found.positions, score, why)
    certainty = math.tanh(abs(score) / _CLEAR)
    if certainty < 0.35:
        score += _custom(tree, shape, standing)
        certainty = max(certainty, 0.35)
        why = "sides only by custom: taken to face forward along Z"
    first = score > 0 if legs is None else legs
    if standing:
        return _ordered(first, arms, shape, rest[None], score, why, certainty)
    return Sides(first, _custom_arms(tree, shape, first) if arms is None else arms, certainty, why)


def _named(names: Names, pair: Pair | None) -> bool | None:
    """Whether the first of a pair is the left one by name; None where names do not say."""
    if pair is None:
        return None
    first, second = (names.side_of(top) for top in pair.tops)
    if first == second or {first, second} == {""}:
        return None
    return first == "left" or second == "right"


def is_standing(points: FloatArray, shape: Shape) -> bool:
    """Whether the legs point away from the trunk, as they do in a pose that a body can hold."""
    legs = _leg_direction(points, shape)
    up = _up(points, shape)
    size = math.sqrt(float(legs @ legs) * float(up @ up))
    return size > 0 and float(legs @ up) < _STANDING * size


def _leg_direction(points: FloatArray, shape: Shape) -> FloatArray:
    cut, legs = shape.leg, shape.legs
    down = points[legs.first[cut.hinge]] + points[legs.second[cut.hinge]]
    return np.asarray(down - points[legs.first[cut.root]] - points[legs.second[cut.root]])


def _up(points: FloatArray, shape: Shape) -> FloatArray:
    """From the hips to the top of the trunk, or against the legs where there is none."""
    top = shape.arms.hub if shape.arms else shape.head
    if top is not None and top != shape.hips:
        return np.asarray(points[top] - points[shape.hips])
    return -_leg_direction(points, shape)


def _score(tree: Tree, shape: Shape, points: FloatArray, *, joints_only: bool = False) -> float:
    """Above 0 when the first leg is the left one: how far feet, knees, elbows and face say so."""
    legs, cut = shape.legs, shape.leg
    lateral = points[legs.first[cut.root]] - points[legs.second[cut.root]]
    forward = np.cross(lateral, _up(points, shape))
    size = math.sqrt(float(forward @ forward))
    if size < 1e-12:
        return 0.0
    forward = forward / size
    total = 0.0
    for chain in (legs.first, legs.second):
        hip, knee, ankle = (chain[i] for i in (cut.root, cut.hinge, cut.end))
        if joints_only and ankle >= tree.joints:
            continue
        length = max(_distance(points, hip, knee) + _distance(points, knee, ankle), 1e-12)
        total += 0.5 * _KNEES * _bow(points, forward, hip, knee, ankle) / length
        below = [n for n in tree.below(ankle) if n < tree.joints or not joints_only]
        if below:
            ahead = [float((points[n] - points[ankle]) @ forward) for n in below]
            total += (
                0.5 * _FEET * (max(ahead) + min(0.0, *ahead)) / length
                if len(ahead) > 1
                else (0.5 * _FEET * ahead[0] / length)
            )
    if shape.arms is not None and shape.arm is not None:
        arm = shape.arm
        for chain in (shape.arms.first, shape.arms.second):
            shoulder, elbow, wrist = (chain[i] for i in (arm.root, arm.hinge, arm.end))
            if joints_only and wrist >= tree.joints:
                continue
            length = max(_distance(points, shoulder, elbow) + _distance(points, elbow, wrist), 1e-12)
            total -= 0.5 * _ELBOWS * _bow(points, forward, shoulder, elbow, wrist) / length
    if shape.head is not None and not joints_only:
        face = tree.below(shape.head)
        if face:
            reach = max(max(_distance(points, n, shape.head) for n in face), 1e-12)
            ahead = [float((points[n] - points[shape.head]) @ forward) for n in face]
            total += _FACE * sum(ahead) / len(ahead) / reach
    return total


def _distance(points: FloatArray, a: int, b: int) -> float:
    d = points[a] - points[b]
    return math.sqrt(float(d @ d))


def _bow(points: FloatArray, forward: FloatArray, root: int, hinge: int, end: int) -> float:
    """How far a hinge lies before the straight line between a limb's root and its end."""
    a, b = points[hinge] - points[root], points[end] - points[root]
    size = float(b @ b)
    off = a - b * (float(a @ b) / size) if size > 0 else a
    return float(off @ forward)


def _ordered(
    legs: bool | None, arms: bool | None, shape: Shape, points: FloatArray, score: float, why: str,
    certainty: float | None = None,
) -> Sides:  # fmt: skip
    """The arms beside the legs: the arm over the left leg is the left one."""
    first = score > 0 if legs is None else legs
    if arms is None and shape.arms is not None and shape.arm is not None:
        lateral = points[:, shape.legs.first[shape.leg.root]] - points[:, shape.legs.second[shape.leg.root]]
        first_arm, second_arm, cut = shape.arms.first, shape.arms.second, shape.arm
        across = points[:, first_arm[cut.root]] - points[:, second_arm[cut.root]]
        if not (across * lateral).any():
            across = points[:, first_arm[cut.hinge]] - points[:, second_arm[cut.hinge]]
        arms = first == (float((lateral * across).sum()) > 0)
    sure = math.tanh(abs(score) / _CLEAR) if certainty is None else certainty
    return Sides(first, bool(arms), sure, why)


def _local_up(tree: Tree, shape: Shape) -> FloatArray:
    """Up in the frame of the hips: where the spine begins."""
    for node in shape.spine:
        up = tree.rest[node] - tree.rest[shape.hips]
        if float(up @ up) > 0:
            return np.asarray(up)
    return -_leg_direction(tree.rest, shape)


def _custom(tree: Tree, shape: Shape, standing: bool) -> float:
    """Figures stand along Y and face Z, or stand along Z and face -Y: so do most files."""
    legs, cut = shape.legs, shape.leg
    up = _up(tree.rest, shape) if standing else _local_up(tree, shape)
    forward = np.cross(tree.rest[legs.first[cut.root]] - tree.rest[legs.second[cut.root]], up)
    size = max(math.sqrt(float(forward @ forward)), 1e-12)
    wanted = -forward[1] if abs(up[2]) > abs(up[1]) else forward[2]
    return math.copysign(_CUSTOM, float(wanted)) if abs(wanted) > 0.2 * size else 0.0


def _custom_arms(tree: Tree, shape: Shape, legs_in_order: bool) -> bool:
    """Sides of arms in a rest pose that is no pose: the chest faces where the hips face."""
    if shape.arms is None or shape.arm is None:
        return True
    rest, legs, cut = tree.rest, shape.legs, shape.leg
    lateral = rest[legs.first[cut.root]] - rest[legs.second[cut.root]]
    forward = np.cross(lateral if legs_in_order else -lateral, _local_up(tree, shape))
    hub = shape.arms.hub
    above = tree.parents[hub]
    while above > 0 and tree.lengths[hub] == 0:
        hub, above = above, tree.parents[above]
    chest_up = rest[hub] - rest[above] if above >= 0 else _local_up(tree, shape)
    left = np.cross(chest_up, forward)
    across = rest[shape.arms.first[shape.arm.root]] - rest[shape.arms.second[shape.arm.root]]
    return float(across @ left) > 0
