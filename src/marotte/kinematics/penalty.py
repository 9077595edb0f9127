"""Penalties and conjugate gradients (LS99 5.1, eq. 5 and 6): the reference that others are judged by.

It uses gradients only, and none of the structure that makes the other solvers fast; what it comes
to is the same minimum. See kernels/descent.py.
"""

from __future__ import annotations

from .. import kernels
from ._work import Work
from .problem import HARD


def penalty(work: Work) -> None:
    """Solve all frames of the problem."""
    p = work.problem
    kernels.descent.solve_frames(
        p.tree, work.limits, p.goals, p.rigidity, p.rigidity, p.place_unit, p.turn_unit, HARD,
        0.0, True, work.root0, work.rotations0, work.root, work.rotations, work.residuals, work.facts,
        p.frames, work.first, work.stop, work.warm, work.most_steps, work.step_tolerance,
    )  # fmt: skip
