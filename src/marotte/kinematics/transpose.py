"""The Jacobian's transpose with penalties for limits (L97 3.2): the plainest of all, and slow.

Degrees of freedom turn as goals pull at them, −M⁻¹ Jᵀ Ω c, with no thought of the reference and none
of each other. It needs no matrix and cannot become singular. See kernels/descent.py.
"""

from __future__ import annotations

import numpy as np

from .. import kernels
from ..figure._arrays import owned
from ._work import Work
from .problem import HARD

# It ends where goals are off by no more than this share of the height.
CLOSE = 3e-5


def transpose(work: Work) -> None:
    """Solve all frames of the problem."""
    p = work.problem
    kernels.descent.solve_frames(
        p.tree, work.limits, p.goals, p.rigidity, owned(np.zeros(p.tree.total)), p.place_unit,
        p.turn_unit, p.turn_unit, 0.5 * HARD * CLOSE**2, False, work.root0, work.rotations0, work.root,
        work.rotations, work.residuals, work.facts, p.frames, work.first, work.stop, work.warm,
        work.most_steps, work.step_tolerance,
    )  # fmt: skip
