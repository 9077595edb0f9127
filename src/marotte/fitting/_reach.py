"""Which degrees of freedom goals reach: the others keep still, and need no unknowns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..figure import FloatArray, Motion
from ..figure._arrays import BoolArray, owned
from ..figure.signals import resolve_point
from ..kinematics.problem import Problem

if TYPE_CHECKING:
    from ..kernels.goals import Tree
    from .spacetime import Stay


def reduced(problem: Problem, motion: Motion, stays: Sequence[Stay] = ()) -> tuple[Tree, FloatArray]:
    """The tree with only the joints above goals, numbered anew, and the rigidity (D,) of those."""
    tree, goals = problem.tree, problem.goals
    ends = [resolve_point(motion, stay.point).joint for stay in stays]
    for g in range(len(goals.kind)):
        if goals.kind[g] == 4:  # balance: everything that has mass
            ends += np.flatnonzero(tree.shares).tolist()
        ends.append(int(goals.joint[g]))
        if goals.other[g] >= 0:
            ends.append(int(goals.other[g]))
    needed = np.zeros(len(tree.parents), dtype=bool)
    for joint in ends:
        while joint >= 0 and not needed[joint]:
            needed[joint] = True
            joint = int(tree.parents[joint])
    first, count = np.zeros_like(tree.first), np.zeros_like(tree.count)
    at, kept = int(tree.place), list(range(int(tree.place)))
    for j in np.flatnonzero(needed):
        first[j], count[j] = at, tree.count[j]
        kept += range(int(tree.first[j]), int(tree.first[j] + tree.count[j]))
        at += int(tree.count[j])
    first.flags.writeable = count.flags.writeable = False
    return tree._replace(first=first, count=count, total=at), owned(
        np.ascontiguousarray(problem.rigidity[kept])
    )


def held_joints(problem: Problem, motion: Motion) -> BoolArray:
    """(F, J) where a goal holds on a joint or below it: there its displacement is given."""
    goals, parents = problem.goals, motion.skeleton.parents
    held = np.zeros((len(motion), len(parents)), dtype=np.bool_)
    for g in range(len(goals.kind)):
        active = goals.weight[:, g] > 0
        for j in (int(goals.joint[g]), int(goals.other[g])):
            while j >= 0:
                held[:, j] |= active
                j = int(parents[j])
    return held
