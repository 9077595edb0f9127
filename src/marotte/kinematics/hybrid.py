"""The hybrid solver (LS99 5.2): limbs in closed form, the trunk and one swivel a limb by least change.

A limb takes part where its root joint is a ball, its hinge turns about the limb's axis, and its end
can be turned as its goals ask; the joints of other limbs with goals are unknowns like the trunk's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .. import kernels
from ._start import bend_straight_limbs, place
from ._work import Work
from .full_body import full_body
from .limb import Served, limb_table, served, whole, with_limits
from .problem import HARD

if TYPE_CHECKING:
    from ..kernels.goals import Tree
    from ..kernels.limb import LimbTable

# A radian beyond a limit of a limb's root or end weighs this much of being off by the height.
LIMIT_SHARE = 0.3
# A limb is at full stretch from this share of its length on.
STRETCHED = 0.9995
FULL_STEPS = 500


def hybrid(work: Work) -> None:
    """Solve all frames of the problem."""
    p = work.problem
    tree, goals = p.tree, p.goals
    table = with_limits(limb_table(work.skeleton, work.rig), work.skeleton, work.joint_limits)
    found = [row for row in served(work)[0] if _takes_part(work, table, row)]
    taken = {g for _, a, b in found for g in (a, b) if g >= 0}
    weight = np.array(goals.weight)
    weight[:, sorted(taken)] = 0.0
    weight.flags.writeable = False
    others = goals._replace(weight=weight)
    trunk = _trunk(work, table, found, taken)
    kernels.hybrid.solve_frames(
        tree, trunk, work.limits, goals, others, table, whole(found, 3), p.rigidity, p.place_unit,
        p.turn_unit, HARD * LIMIT_SHARE**2, work.root0, work.rotations0, work.root, work.rotations,
        work.residuals, work.facts, p.frames, work.first, work.stop, work.warm, work.most_steps,
        work.step_tolerance,
    )  # fmt: skip
    _second_thoughts(work, table, found)


def _second_thoughts(work: Work, table: LimbTable, found: Sequence[Served]) -> None:
    """Frames that end with a limb at full stretch are solved by full_body too; the better one stays.

    Where a limb is just straight the closed form has a kink, and the trunk can come to rest there
    although it would be better to bend the limb.
    """
    p = work.problem
    frames = p.frames[work.first : work.stop]
    if not len(frames) or not found:
        return
    positions, _ = place(work, frames, work.root, work.rotations)
    stretched = np.zeros(len(frames), dtype=bool)
    for limb, g, _ in found:
        away = np.linalg.norm(positions[:, table.end[limb]] - positions[:, table.root[limb]], axis=1)
        stretched |= (away > STRETCHED * table.most[limb]) & (p.goals.weight[frames, g] > 0.0)
    again = np.ascontiguousarray(frames[stretched])
    again.flags.writeable = False
    if not len(again):
        return
    second = replace(
        work, root=np.array(work.root0), rotations=np.array(work.rotations0),
        residuals=work.residuals.copy(), facts=work.facts.copy(), problem=replace(p, frames=again),
        first=0, stop=len(again), warm=False, most_steps=max(work.most_steps, FULL_STEPS),
    )  # fmt: skip
    bend_straight_limbs(second)
    full_body(second)
    better = again[second.facts[again, 1] < work.facts[again, 1]]
    steps = work.facts[again, 0] + second.facts[again, 0]
    for ours, theirs in (
        (work.root, second.root), (work.rotations, second.rotations),
        (work.residuals, second.residuals), (work.facts, second.facts),
    ):  # fmt: skip
        ours[better] = theirs[better]
    work.facts[again, 0] = steps


def _takes_part(work: Work, table: LimbTable, row: Served) -> bool:
    limb, _, turn = row
    tree = work.problem.tree
    root, hinge, end = int(table.root[limb]), int(table.hinge[limb]), int(table.end[limb])
    if tree.count[root] != 3 or tree.parents[root] < 0 or (turn >= 0 and tree.count[end] != 3):
        return False
    if tree.count[hinge] == 1:
        return abs(float(tree.axes[hinge, 0] @ table.axis[limb])) > 1.0 - 1e-9
    return bool(tree.count[hinge] == 3)


def _trunk(work: Work, table: LimbTable, found: Sequence[Served], taken: set[int]) -> Tree:
    """The tree with only those degrees of freedom that the goals need and no limb has."""
    tree, goals = work.problem.tree, work.problem.goals
    inside: set[int] = set()  # joints that are settled in closed form
    needed: set[int] = set()

    def up(joint: int) -> list[int]:
        chain = []
        while joint >= 0:
            chain.append(joint)
            joint = int(tree.parents[joint])
        return chain

    for limb, _, _ in found:
        root = int(table.root[limb])
        chain = up(int(table.end[limb]))
        inside |= set(chain[: chain.index(root) + 1])
        needed |= set(up(int(tree.parents[root])))
    for g in range(len(goals.kind)):
        if g in taken:
            continue
        if goals.kind[g] == 4:  # balance: everything that has mass
            for heavy in np.flatnonzero(tree.shares):
                needed |= set(up(int(heavy)))
        else:
            needed |= set(up(int(goals.joint[g])))
            if goals.other[g] >= 0:
                needed |= set(up(int(goals.other[g])))
    first, count = np.zeros_like(tree.first), np.zeros_like(tree.count)
    at = int(tree.place)
    for j in range(len(tree.parents)):
        if j in needed and j not in inside:
            first[j], count[j] = at, tree.count[j]
            at += int(tree.count[j])
    first.flags.writeable = count.flags.writeable = False
    return tree._replace(first=first, count=count, total=at)
