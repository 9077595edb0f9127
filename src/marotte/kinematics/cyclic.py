"""Cyclic coordinate descent with limits (L97 3.2): joint after joint, each to its best.

It serves places and orientations, any number of them at once, and never diverges. It bends what is
near the tips first, so poses lean on hands and feet. See kernels/cyclic.py.
"""

from __future__ import annotations

from .. import kernels
from ._work import Work
from .problem import HARD
from .transpose import CLOSE


def cyclic(work: Work) -> None:
    """Solve all frames of the problem."""
    p = work.problem
    kernels.cyclic.solve_frames(
        p.tree, work.limits, p.goals, p.rigidity, p.place_unit, p.turn_unit, 0.5 * HARD * CLOSE**2,
        work.root0, work.rotations0, work.root, work.rotations, work.residuals, work.facts, p.frames,
        work.first, work.stop, work.warm, work.most_steps, work.step_tolerance,
    )  # fmt: skip
