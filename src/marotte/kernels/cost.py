"""What a pose costs (LS99 eq. 4 and 6), and how solvers say why they stopped."""

from __future__ import annotations

import math

from .compiling import inline
from .goals import BALANCE, DISTANCE, LOOK, POSITION

REACHED, SETTLED, RAN_OUT = 0, 1, 2
# Joints are kept so far inside their bounds, radians, that rounding does not carry them out.
SLACK = 1e-10


@inline
def row_weights(goals, f, place_unit, turn_unit, out):
    """out (R,): square roots of what a metre, a radian, off each row weighs."""
    for g in range(goals.kind.shape[0]):
        kind, row = goals.kind[g], goals.row[g]
        # a place and a centre of mass, a distance: metres; the others are turns or directions
        unit = place_unit if kind in (POSITION, DISTANCE, BALANCE) else turn_unit
        root = math.sqrt(goals.weight[f, g] * unit)
        for k in range(3 if kind <= LOOK else (2 if kind == BALANCE else 1)):
            out[row + k] = root


@inline
def objective(rigidity, x, weights, residual):
    """½ xᵀ M x + ½ Σ ω c² (LS99 eq. 6)."""
    total = 0.0
    for k in range(x.shape[0]):
        total += rigidity[k] * x[k] * x[k]
    for r in range(residual.shape[0]):
        c = weights[r] * residual[r]
        total += c * c
    return 0.5 * total


@inline
def foreseen_step(longest, before):
    """How long the next of Newton's steps will be, which shrink as their squares do; inf if unsure.

    `before` is the length of the step before this one, 0 where that was shortened or not Newton's.
    """
    if before > 0.0 and longest < 0.1 * before:
        return longest * (longest / before) * (longest / before)
    return math.inf
