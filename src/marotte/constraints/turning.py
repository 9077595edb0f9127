"""Limits of joints kept by swing and twist: no channel jumps, whatever the file's order (L97 5.2).

A ball joint's bone stays in a cone and turns about itself within a range; a hinge bends within one.
These numbers are what bound mapping and compression work on, joint by joint, instead of a file's
angles: near gimbal lock those move by half turns where the joint hardly moves at all.
"""

from __future__ import annotations

import numpy as np

from .. import kernels
from ..figure import FloatArray, Motion
from ..figure._arrays import BoolArray, owned
from ..figure.rotations import normalised
from ..kinematics import JointLimits
from .bounds import Method, bounded

_SAFE = 1e-9  # radians, or share of the cone, inside a bound: what rounding may take away
_CONE = 2  # kernels/limits.py


def limit_joints(
    motion: Motion, limits: JointLimits, *, method: Method = "compress", knee: float = 0.8
) -> Motion:
    """The motion within the limits of its joints. Joints that keep theirs stay bit by bit."""
    if len(motion) == 0:
        return motion
    beyond = limits.excess(motion.rotations).max(axis=0) > 1e-9
    if not beyond.any():
        return motion
    rotations = np.array(motion.rotations)
    for j in np.flatnonzero(beyond).tolist():
        angles = np.empty((len(motion), 3))
        given = np.ascontiguousarray(motion.rotations[:, j])
        at = int(limits.kind[j]), limits.order[j], limits.pre[j], limits.post[j]
        kernels.limit_angles.angles_each(*at, given, angles)
        kept, changed = _kept(angles, limits.bounds[j], at[0] == _CONE, method, knee)
        made = np.empty((len(motion), 4))
        kernels.limit_angles.rotations_each(*at, kept, made)
        rotations[changed, j] = normalised(made[changed])
    return motion.with_(rotations=owned(rotations))


def _kept(
    angles: FloatArray, bounds: FloatArray, cone: bool, method: Method, knee: float
) -> tuple[FloatArray, BoolArray]:
    """Angles (F, 3) within bounds (3, 2), and where (F,) they changed."""
    out = np.array(angles)
    if cone:
        share = rim(angles, bounds)
        kept = bounded(share, high=1.0 - _SAFE, method=method, knee=knee)
        narrower = np.clip(kept / np.maximum(share, 1e-12), 0.0, None)
        out[:, :2] *= np.where(kept == share, 1.0, narrower)[:, None]
    for k in range(2 if cone else 0, 3):
        low, high = bounds[k]
        signal = np.unwrap(out[:, k])
        if np.isfinite(low) and np.isfinite(high):
            # of equal angles those about the middle of the range: 350 degrees of a knee are -10
            signal -= 2.0 * np.pi * np.round((np.median(signal) - 0.5 * (low + high)) / (2.0 * np.pi))
        if low >= high - 2.0 * _SAFE:
            out[:, k] = 0.5 * (low + high)
            continue
        edges = {"low": low + _SAFE, "high": high - _SAFE}
        edges = {name: value for name, value in edges.items() if np.isfinite(value)}
        if edges:
            kept = bounded(signal, method=method, knee=knee, **edges)
            out[:, k] = np.where(kept == signal, out[:, k], kept)
    return out, np.asarray((out != angles).any(axis=1))


def rim(angles: FloatArray, bounds: FloatArray) -> FloatArray:
    """(F,) how far swings (F, 2 or more) go: 1 on the rim of the cone of bounds (3, 2), less inside."""
    total = np.zeros(len(angles))
    for k in range(2):
        side = np.where(angles[:, k] > 0.0, bounds[k, 1], -bounds[k, 0])
        safe = np.where(side > 0.0, side, 1.0)
        share = np.where(side > 0.0, angles[:, k] / safe, np.where(angles[:, k] == 0.0, 0.0, 1e9))
        total += share**2
    return np.asarray(np.sqrt(total))
