"""Where the root goes so that limbs reach: with what they must move on the mean, and no further away.

LS99 4.5 moves the root by the mean displacement of what is constrained; here that mean is smoothed
over time, so that a foot that shook does not shake the hips. Then it is drawn towards ends that are
out of reach, again smoothly: a limb is stretched no further than the carried pose stretches it, or
than leaves its hinge a little bent.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..figure import FloatArray, Limb, Motion
from ..figure._arrays import owned
from ._paths import Led, smoothed

SMOOTH = 0.06  # seconds, of the Gaussian that smooths the mean
NEAR = 0.1  # seconds, of that which smooths what draws the root into reach
# Of a limb's length, how far it is stretched: further only where the carried pose is.
REACH = {"arm": 0.96, "leg": 0.98}
_ROUNDS, _PULL = 30, 0.7
_KNEELS = 20.0
_LEAST = 0.03  # what a part that is free counts beside one that rests


def placed_root(motion: Motion, led: Sequence[Led], lengths: FloatArray) -> FloatArray:
    """(F, 3) the root's path for a carried motion whose limbs are led; `lengths` (L,) of its
    limbs, or (F, L) where they change."""
    frames, rate = len(motion), motion.frame_rate
    if not led:
        return np.array(motion.root)
    positions = motion.positions()
    ends = {limb.end for limb in motion.rig.limbs}
    total, weight = np.zeros((frames, 3)), np.zeros(frames)
    for part in led:
        # no hinge can make up for a knee that kneels elsewhere: the root must go there
        counts = (1.0 if part.joint in ends else _KNEELS) * part.bears + _LEAST * part.leads + 1e-4
        total += counts[:, None] * (part.place - positions[:, part.joint])
        weight += counts
    # the weights are smoothed too, so that the mean leads over from one foot to the next
    shift = smoothed(total, SMOOTH * rate) / np.maximum(smoothed(weight, SMOOTH * rate), 1e-12)[:, None]
    limbs = {limb.end: (limb, lengths[..., k]) for k, limb in enumerate(motion.rig.limbs)}
    pulled = [(part, *limbs[part.joint]) for part in led if part.joint in limbs]
    for _ in range(_ROUNDS):
        pull = np.zeros((frames, 3))
        for part, limb, length in pulled:
            pull += part.leads[:, None] * _over(positions, shift, part, limb, length)
        if np.abs(pull).max() < 2e-4 * motion.skeleton.height:
            break
        shift = shift + _PULL * smoothed(pull, NEAR * rate)
    return owned(motion.root + shift)


def _over(positions: FloatArray, shift: FloatArray, part: Led, limb: Limb, length: FloatArray) -> FloatArray:
    """(F, 3) how the root must move for a limb to reach the place of its end."""
    root, end = positions[:, limb.root], positions[:, limb.end]
    most = np.maximum(REACH[limb.name[-3:]] * length, np.linalg.norm(end - root, axis=1))
    way = part.place - root - shift
    away = np.linalg.norm(way, axis=1)
    return np.asarray(way * (np.maximum(away - most, 0.0) / np.maximum(away, 1e-12))[:, None])
