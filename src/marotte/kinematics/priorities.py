"""Damped least squares, and layers of priorities (CBT09 eq. 6 to 10, in joint space).

`damped` serves all goals together by their weights; `prioritized` serves those of priority 1 first,
those of priority 2 as far as they do not disturb them, and so on. See kernels/priorities.py.
"""

from __future__ import annotations

import numpy as np

from .. import kernels
from ..kernels.goals import ROWS
from ._work import Work
from .limb import whole


def damped(work: Work) -> None:
    """Solve all frames of the problem in a single layer."""
    _solve(work, [0] * len(work.problem.goals.kind))


def prioritized(work: Work) -> None:
    """Solve all frames of the problem, a layer for every priority that goals have."""
    p = work.problem
    priorities = [0] * len(p.goals.kind)
    for goal, rows in zip(p.given, p.rows_of, strict=True):
        for g in rows:
            priorities[g] = goal.priority
    order = sorted(set(priorities))
    _solve(work, [order.index(k) for k in priorities])


def _solve(work: Work, layers: list[int]) -> None:
    p = work.problem
    layer_of = [layer for layer, kind in zip(layers, p.goals.kind, strict=True) for _ in range(ROWS[kind])]
    kernels.priorities.solve_frames(
        p.tree, work.limits, p.goals, p.rigidity, np.ravel(whole([layer_of], len(layer_of))),
        max(layers, default=0) + 1, p.height, p.place_unit, p.turn_unit, work.root0, work.rotations0,
        work.root, work.rotations, work.residuals, work.facts, p.frames, work.first, work.stop,
        work.warm, work.most_steps, work.step_tolerance,
    )  # fmt: skip
