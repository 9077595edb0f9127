"""The last step to exact goals: every frame's rest is taken by the limbs, and fades in between (LS99 4.4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import kernels
from ..figure import FloatArray, Motion
from ..figure._arrays import BoolArray, IntArray, owned
from ..kinematics import Goal, JointLimits, solve
from ..kinematics.problem import Problem
from ._reach import held_joints

# The trunk and the root cost so much more than limbs: what they change would be felt by other limbs.
STIFF = 300.0
ROUNDS = 2
_FADE = 0.25  # seconds in which what was enforced fades where no goal holds


def enforced(
    motion: Motion, goals: Sequence[Goal], problem: Problem, bounds: JointLimits, spacing: float
) -> Motion:
    """The motion with every goal met at its frames, where limbs reach; smooth between them."""
    tree = problem.tree
    held = held_joints(problem, motion)
    fade = max(2, round(max(_FADE * motion.frame_rate, spacing)))
    limbs = {j for limb in motion.rig.limbs for j in (limb.root, limb.hinge, limb.end)}
    names = motion.skeleton.names
    stiff: dict[str | int, float] = {names[j]: STIFF for j in range(len(names)) if j not in limbs}
    stiff["root"] = STIFF
    for _ in range(ROUNDS):
        done = solve(motion, goals, limits=bounds, rigidity=stiff, tolerance=1e-7)
        steps = np.zeros((len(motion), tree.total))
        kernels.displacing.displacements(
            tree, done.motion.root, done.motion.rotations, motion.root, motion.rotations, steps
        )
        for j in range(-1, len(names)):
            columns = (
                slice(0, int(tree.place))
                if j < 0
                else slice(int(tree.first[j]), int(tree.first[j] + tree.count[j]))
            )
            mask = np.asarray(held.any(axis=1) if j < 0 else held[:, j])
            steps[:, columns] = _between(steps[:, columns], mask, fade)
        root, rotations = np.array(motion.root), np.array(motion.rotations)
        kernels.displacing.move_frames(tree, owned(steps), root, rotations, 0, len(motion))
        motion = motion.with_(root=owned(root), rotations=owned(rotations), contacts=motion.contacts)
    return motion


def _between(values: FloatArray, given: BoolArray, fade: int) -> FloatArray:
    """values (F, C) where they are given; elsewhere they fade to nothing, or to what is given next."""
    frames = len(values)
    at = np.flatnonzero(given)
    if values.shape[1] == 0 or not len(at) or len(at) == frames or not values[at].any():
        return np.where(given[:, None], values, 0.0)
    from scipy.interpolate import PchipInterpolator

    keys = _with_rests(at, frames, fade)
    known = np.zeros((len(keys), values.shape[1]))
    known[np.searchsorted(keys, at)] = values[at]
    if len(keys) == 1:
        return np.repeat(known, frames, axis=0)
    curve = PchipInterpolator(keys, known, axis=0, extrapolate=False)(np.arange(frames))
    return np.where(given[:, None], values, np.nan_to_num(curve))


def _with_rests(at: IntArray, frames: int, fade: int) -> IntArray:
    """The given frames, and those where nothing is displaced because none is near."""
    every = np.arange(frames)
    before = np.searchsorted(at, every, side="right") - 1
    since = np.where(before >= 0, every - at[np.maximum(before, 0)], frames)
    after = np.searchsorted(at, every)
    until = np.where(after < len(at), at[np.minimum(after, len(at) - 1)] - every, frames)
    return np.flatnonzero((np.minimum(since, until) >= fade) | np.isin(every, at))
