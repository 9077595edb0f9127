"""What two takes are matched by: a channel, a joint, a part of the body, or whole poses.

| key | signals that are compared |
|---|---|
| `LeftLeg.x`, `LeftLeg.rx`, `LeftLeg.px`, `Hips.tz` | one channel, in any space of `signals_of` |
| `left_lower_leg.x` | the same, the joint named by its role |
| a joint, a role | the three rotation signals of that joint |
| a part (`legs`), a pattern, `body` | all its joints' rotations, each as heavy as what hangs on it reaches |

The root's path is never part of a pose: takes that go elsewhere may well have one timing. `body` also
leaves the root's orientation out, and with it where the figure is heading.
"""

from __future__ import annotations

import numpy as np

from ..errors import InputError, UnknownNameError
from ..figure import FloatArray, Motion, Skeleton, carry, select_joints
from ..figure._arrays import BoolArray
from ..figure.rotations import normalised, unroll
from ..figure.vectors import rotation_vectors
from .spaces import SPACES, signals_of


def key_signals(motion: Motion, to: Motion, key: str) -> tuple[FloatArray, FloatArray]:
    """The signals (F, C) and (G, C) of two takes that a key means.

    A channel only has to exist in both takes. For joints and poses the takes must be of one figure,
    or both must have roles: then the other take is first carried onto the figure of the first.
    """
    for which, take in (("take", motion), ("other take", to)):
        if len(take) == 0:
            raise InputError(f"the {which} has no frames, so that nothing can be matched with it")
    word = key.strip()
    if not word:
        raise InputError("key must name a channel, a joint, a role or a part, but is empty")
    if "." in word and word not in motion.skeleton:
        return channel(motion, word, "the take"), channel(to, word, "the other take")
    chosen = select_joints(motion.skeleton, motion.rig, word)
    other = to if same_joints(motion.skeleton, to.skeleton) else _carried(to, motion, word)
    return _poses(motion, other, chosen)


def channel(motion: Motion, name: str, whose: str = "the take") -> FloatArray:
    """(F, 1) one channel, in the first of all spaces that has it; a role may stand for its joint."""
    joint, _, axis = name.rpartition(".")
    role = motion.rig.get(joint) if joint not in motion.skeleton else None
    wanted = name if role is None else f"{motion.skeleton.names[role]}.{axis}"
    known: list[str] = []
    for space in ("euler", *SPACES):
        signals = signals_of(motion, space, offset=False)
        if wanted in signals.names:
            return np.ascontiguousarray(signals.absolute[:, [signals.names.index(wanted)]])
        known += [n for n in signals.names if n not in known]
    raise UnknownNameError("channel", name, known, f"(in {whose})")


def same_joints(a: Skeleton, b: Skeleton) -> bool:
    """Whether the joints of two skeletons correspond one by one; bones may differ in length."""
    return a.names == b.names and np.array_equal(a.parents, b.parents)


def _carried(to: Motion, motion: Motion, word: str) -> Motion:
    try:
        return carry(to, motion)
    except InputError as problem:
        raise InputError(
            f"the takes are of different figures, and key {word!r} cannot be compared: {problem}; "
            "a channel that both have, such as 'LeftLeg.x', needs no roles"
        ) from None


def _poses(motion: Motion, to: Motion, chosen: BoolArray) -> tuple[FloatArray, FloatArray]:
    joints = np.flatnonzero(chosen)
    if not len(joints):
        raise InputError("key must name at least one joint, but this figure has none but its root")
    weights = reach(motion.skeleton)[joints]
    if len(joints) == 1 or not weights.any():
        weights = np.ones(len(joints))
    joints, weights = joints[weights > 0], weights[weights > 0]
    own, other = (np.ascontiguousarray(m.rotations[:, joints]) for m in (motion, to))
    # about one and the same reference, in the middle of what the joints do
    reference = normalised(unroll(own).mean(axis=0))
    scale = np.repeat(weights / np.linalg.norm(weights), 3)
    mine, theirs = (rotation_vectors(q, reference).reshape(len(q), -1) * scale for q in (own, other))
    return mine, theirs


def reach(skeleton: Skeleton) -> FloatArray:
    """(J,) how far a joint's turns reach, metres: to the furthest joint or end that hangs on it."""
    rest = skeleton.rest_positions()
    far = np.zeros(len(skeleton))
    points = [(j, rest[j]) for j in range(len(skeleton))]
    points += [(end.joint, rest[end.joint] + np.array(end.offset)) for end in skeleton.ends]
    for joint, place in points:
        at = joint
        while at >= 0:
            far[at] = max(far[at], float(np.linalg.norm(place - rest[at])))
            at = int(skeleton.parents[at])
    return far
