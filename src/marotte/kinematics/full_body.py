"""The full-body solver: least change that meets all goals, any tree, limits as inequalities.

LS99 eq. 4 to 6 by Newton's steps, Gauss and Newton's where those fail, damped after Levenberg and
Marquardt, with limits that press as an active set. See kernels/fullbody.py for the step.
"""

from __future__ import annotations

from .. import kernels
from ._work import Work


def full_body(work: Work) -> None:
    """Solve all frames of the problem."""
    p = work.problem
    kernels.fullbody.solve_frames(
        p.tree, work.limits, p.goals, p.rigidity, p.place_unit, p.turn_unit,
        work.root0, work.rotations0, work.root, work.rotations, work.residuals, work.facts,
        p.frames, work.first, work.stop, work.warm, work.most_steps, work.step_tolerance,
    )  # fmt: skip
