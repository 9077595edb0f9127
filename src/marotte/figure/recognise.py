"""Find the rig of a skeleton from the names of its joints, checked against its shape.

What names propose, the tree must confirm: a knee hangs below a hip, a hand below an elbow, and
the spine is whatever leads from the hips to the head. A skeleton whose names say nothing gets an
empty rig, which everything that needs none accepts.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..errors import InputError
from ._arrays import FloatArray
from ._names import MIDDLE_WORDS, SIDED_WORDS, split_name
from .rig import FINGERS, LIMBS, PHALANGES, SIDES, Limb, Rig, Sole, Vector
from .skeleton import Skeleton

_CHAINS = (
    ("shoulder", "upper_arm", "lower_arm", "hand"),
    ("upper_leg", "lower_leg", "foot", "toes"),
)
# Rest bones bent less than this (radians) tell nothing about their hinge: use the anatomy.
_STRAIGHT = 0.12
# A rest bend whose axis lies further from the anatomy's (cosine) is a bow leg, not a hinge.
_LIKE_ANATOMY = 0.85


def recognise(skeleton: Skeleton, overrides: Mapping[str, str | int] | None = None) -> Rig:
    """The rig of a skeleton; `overrides` sets single roles to joints by name or index."""
    words = [split_name(name) for name in skeleton.names]
    roles: dict[str, int] = {}
    reasons: list[str] = []
    for side in SIDES:
        for chain in _CHAINS:
            roles.update(_chain(skeleton, words, side, chain))
        _fingers(skeleton, words, side, roles)
        eye = _first(words, side, SIDED_WORDS["eye"])
        if eye is not None:
            roles[f"{side}_eye"] = eye
    _middle(skeleton, words, roles)
    for role, joint in (overrides or {}).items():
        roles[role] = skeleton.index(joint)
        reasons.append(f"{role} was given")
    spine = _spine(skeleton, roles)
    for role, joint in zip(_spine_roles(len(spine)), _spine_picks(spine), strict=True):
        roles.setdefault(role, joint)
    lateral, up, forward = body_axes(skeleton, roles)
    limbs = tuple(limb for name in LIMBS if (limb := _limb(skeleton, roles, name, forward)) is not None)
    soles = tuple(sole for side in SIDES if (sole := _sole(skeleton, roles, side, up, forward)) is not None)
    wanted = ["hips", "head", *(f"{s}_{r}" for s in SIDES for c in _CHAINS for r in c[-3:])]
    wanted = [r for r in wanted if not r.endswith("toes")]
    missing = [r for r in wanted if r not in roles]
    found = len(wanted) - len(missing)
    if found:
        reasons.insert(0, f"{found} of {len(wanted)} main roles found by name, their chains agree")
        if missing:
            reasons.append("not found: " + ", ".join(missing))
    else:
        reasons.append("the names of the joints say nothing that is known")
    return Rig(
        roles=roles,
        spine=spine,
        limbs=limbs,
        soles=soles,
        lateral=_vector(lateral),
        up=_vector(up),
        forward=_vector(forward),
        confidence=found / len(wanted),
        reasons=tuple(reasons),
    )


def _first(words: list[tuple[str, str]], side: str, known: tuple[str, ...]) -> int | None:
    for word in known:
        for j, (s, w) in enumerate(words):
            if s == side and w == word:
                return j
    return None


def _chain(
    skeleton: Skeleton, words: list[tuple[str, str]], side: str, chain: tuple[str, ...]
) -> dict[str, int]:
    """The longest choice of joints for a chain in which each hangs below the one before."""
    candidates: list[list[int | None]] = []
    for role in chain:
        known = SIDED_WORDS[role]
        hits = [j for j, (s, w) in enumerate(words) if s == side and w in known]
        hits.sort(key=lambda j: (known.index(words[j][1]), j))
        candidates.append([*hits[:4], None])
    best: tuple[float, dict[str, int]] = (0.0, {})

    def extend(level: int, below: int | None, chosen: dict[str, int], score: float) -> None:
        nonlocal best
        if level == len(chain):
            if score > best[0]:
                best = (score, dict(chosen))
            return
        for rank, joint in enumerate(candidates[level]):
            if joint is None:
                extend(level + 1, below, chosen, score)
            elif below is None or below in skeleton.ancestors(joint):
                # a missing collar bone or toe costs least; an early spelling is a better one
                weight = 0.6 if chain[level] in ("shoulder", "toes") else 1.0
                chosen[f"{side}_{chain[level]}"] = joint
                extend(level + 1, joint, chosen, score + weight - 0.01 * rank)
                del chosen[f"{side}_{chain[level]}"]

    extend(0, None, {}, 0.0)
    return best[1]


def _fingers(skeleton: Skeleton, words: list[tuple[str, str]], side: str, roles: dict[str, int]) -> None:
    hand = roles.get(f"{side}_hand")
    if hand is None:
        return
    spellings = {"little": ("pinky", "little", "small"), "middle": ("middle", "mid")}
    below = skeleton.descendants(hand)[1:]
    for finger in FINGERS:
        known = spellings.get(finger, (finger,))
        hits = [j for j in below if any(k in words[j][1] for k in known)]
        parts = ("metacarpal", "proximal", "distal") if finger == "thumb" else PHALANGES
        if len(hits) > 3 and finger != "thumb" and "0" in words[hits[0]][1]:
            hits = hits[1:]  # a metacarpal, numbered 0
        for part, joint in zip(parts, hits, strict=False):
            roles[f"{side}_{finger}_{part}"] = joint


def _middle(skeleton: Skeleton, words: list[tuple[str, str]], roles: dict[str, int]) -> None:
    legs = [roles[r] for r in ("left_upper_leg", "right_upper_leg") if r in roles]
    named = _first(words, "", MIDDLE_WORDS["hips"])
    if len(legs) == 2:
        # the hips are the nearest joint that both legs hang on, whatever it is called
        left = skeleton.ancestors(legs[0])
        right = skeleton.ancestors(legs[1])
        shared = [j for j in left if j in right]
        if shared:
            roles["hips"] = named if named in shared and _is_hub(skeleton, named, legs) else shared[0]
    elif named is not None:
        roles["hips"] = named
    for role in ("neck", "head", "jaw"):
        joint = _first(words, "", MIDDLE_WORDS[role])
        if joint is not None:
            roles[role] = joint


def _is_hub(skeleton: Skeleton, joint: int | None, legs: list[int]) -> bool:
    """Whether legs hang so near below a joint that it moves them as hips do."""
    if joint is None:
        return False
    return all(skeleton.ancestors(leg).index(joint) <= 1 for leg in legs)


def _spine(skeleton: Skeleton, roles: Mapping[str, int]) -> tuple[int, ...]:
    hips = roles.get("hips")
    top = roles.get("neck", roles.get("head"))
    if hips is None or top is None:
        return ()
    chain = skeleton.ancestors(top)
    if hips not in chain:
        return ()
    return tuple(reversed(chain[: chain.index(hips)]))


def _spine_roles(count: int) -> tuple[str, ...]:
    return (
        (("spine",), ("spine", "chest"), ("spine", "chest", "upper_chest"))[min(count, 3) - 1]
        if count
        else ()
    )


def _spine_picks(spine: tuple[int, ...]) -> tuple[int, ...]:
    """First, middle and last of the spine: more joints than roles keep their place between."""
    if len(spine) <= 3:
        return spine
    return spine[0], spine[len(spine) // 2], spine[-1]


def body_axes(skeleton: Skeleton, roles: Mapping[str, int]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Left, up and forward of the rest pose, unit vectors; Y up and Z forward where unknown."""
    rest = skeleton.rest_positions()
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
    if hips is not None and head is not None:
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


def _limb(skeleton: Skeleton, roles: Mapping[str, int], name: str, forward: FloatArray) -> Limb | None:
    side, kind = name.split("_")
    upper, lower, end = (
        ("upper_arm", "lower_arm", "hand") if kind == "arm" else ("upper_leg", "lower_leg", "foot")
    )
    try:
        a, b, c = (roles[f"{side}_{part}"] for part in (upper, lower, end))
    except KeyError:
        return None
    rest = skeleton.rest_positions()
    first, second = rest[b] - rest[a], rest[c] - rest[b]
    axis = np.cross(first, second)
    size = np.linalg.norm(first) * np.linalg.norm(second)
    # a knee bends its shin backwards, an elbow its forearm forwards
    anatomy = np.cross(first, forward if kind == "arm" else -forward)
    if np.linalg.norm(anatomy) < 1e-9:
        anatomy = np.cross(forward, skeleton.offsets[b])
    bent = size > 0 and np.linalg.norm(axis) / size > np.sin(_STRAIGHT)
    likeness = axis @ anatomy / max(float(np.linalg.norm(axis) * np.linalg.norm(anatomy)), 1e-12)
    if not bent or likeness < _LIKE_ANATOMY:
        axis = anatomy
    length = np.linalg.norm(axis)
    if length < 1e-9:
        return None
    return Limb(name, a, b, c, roles.get(f"{side}_toes"), _vector(axis / length))


def _sole(
    skeleton: Skeleton, roles: Mapping[str, int], side: str, up: FloatArray, forward: FloatArray
) -> Sole | None:
    """Heel, ball and tip of a foot: its rest points, let down to the lowest of them.

    The heel lies straight below the ankle and a quarter of the foot's length behind it.
    """
    ankle = roles.get(f"{side}_foot")
    if ankle is None:
        return None
    rest = skeleton.rest_positions()
    toes = roles.get(f"{side}_toes")
    below = skeleton.descendants(ankle)
    reach = [rest[j] for j in below[1:]]
    reach += [rest[e.joint] + e.offset for e in skeleton.ends if e.joint in below]
    if not reach:
        return Sole(f"{side}_foot", (ankle,), ((0.0, 0.0, 0.0),))
    points = np.array(reach)
    floor = min(float((points @ up).min()), float(rest[ankle] @ up))
    along = (points - rest[ankle]) @ forward
    tip = points[int(np.argmax(along))]
    length = max(float(along.max()), 0.0)
    heel = rest[ankle] - forward * 0.25 * length
    ball_joint = toes if toes is not None and toes in below else ankle
    ball = rest[toes] if toes is not None and toes in below else rest[ankle] + forward * 0.65 * length

    def dropped(point: FloatArray, joint: int) -> Vector:
        return _vector(point + up * (floor - point @ up) - rest[joint])

    return Sole(
        f"{side}_foot",
        (ankle, ankle, ball_joint),
        (dropped(heel, ankle), dropped(ball, ankle), dropped(tip, ball_joint)),
    )


def _vector(v: FloatArray) -> Vector:
    if not np.isfinite(v).all():
        raise InputError(f"a direction must be finite, but is {v}")
    return float(v[0]), float(v[1]), float(v[2])
