"""Goals that no pose meets together: at each such frame the one that is off most gives way to the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..figure import FloatArray, Motion
from ..figure._arrays import BoolArray, owned
from ..kinematics import Goal, JointLimits, solve

# What a goal that gives way weighs, as a share of its weight: enough to come near where nothing minds.
YIELDING = 1e-6
ROUNDS = 4


def given_way(
    motion: Motion, goals: Sequence[Goal], bounds: JointLimits, *, limit: float
) -> tuple[Goal, ...] | None:
    """The goals with less weight at frames where they cannot be met, so that the others are; None where
    every frame can meet all of them. `limit` is what counts as off, metres."""
    frames = len(motion)
    weights = np.stack([_weight(goal, frames) for goal in goals])  # (G, F)
    limits = np.array([limit if goal.tolerance is None else goal.tolerance for goal in goals])
    asked = np.ones(frames, dtype=np.bool_)
    changed = False
    for _ in range(ROUNDS):
        these = [
            replace(goal, weight=owned(np.where(asked, weight, 0.0)), frames=None)
            for goal, weight in zip(goals, weights, strict=True)
        ]
        done = solve(motion, these, limits=bounds, tolerance=1e-4)
        off = np.nan_to_num(done.errors) / np.maximum(limits, 1e-9)
        free = off * _firm(goals, weights, frames)[done.frames]
        bad = free.max(axis=1, initial=0.0) > 1.0
        if not bad.any():
            break
        at, worst = (
            done.frames[bad],
            (free[bad] / np.maximum(weights[:, done.frames[bad]].T, 1e-12)).argmax(axis=1),
        )
        alone = (weights[:, at] > 0).sum(axis=0) == 1
        if alone.all():
            break
        weights[worst[~alone], at[~alone]] *= YIELDING
        changed = True
        asked = np.zeros(frames, dtype=np.bool_)
        asked[at[~alone]] = True
    if not changed:
        return None
    return tuple(
        replace(goal, weight=owned(weight), frames=None) for goal, weight in zip(goals, weights, strict=True)
    )


def _firm(goals: Sequence[Goal], weights: FloatArray, frames: int) -> BoolArray:
    """(F, G) where a goal still has its own weight."""
    own = np.stack([_weight(goal, frames) for goal in goals])
    return np.asarray((weights >= own).T)


def _weight(goal: Goal, frames: int) -> FloatArray:
    """(F,) a goal's weight at every frame."""
    out = np.array(np.broadcast_to(np.asarray(goal.weight, dtype=np.float64), (frames,)))
    if goal.frames is not None:
        out[: goal.frames[0]] = 0.0
        out[goal.frames[1] + 1 :] = 0.0
    return out
