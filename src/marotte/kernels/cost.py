"""What a pose costs (LS99 eq. 4 and 6), and how solvers say why they stopped."""

from __future__ import annotations

import math

from .compiling import inline, inline_fused
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


@inline_fused
def add_rows(jacobian, residual, weights, rows, h, gradient, columns):
    """h (D, D), the lower triangle, += Jᵀ Ω J and gradient (D,) += Jᵀ Ω c, for the first `rows` rows.

    weights (R,) are square roots of Ω; columns (D,) is scratch.
    """
    total = gradient.shape[0]
    for r in range(0, rows, 3):  # three at a time: most goals have as many, and the same columns
        second, third = min(r + 1, rows - 1), min(r + 2, rows - 1)
        o0 = weights[r] * weights[r]
        o1 = weights[second] * weights[second] if r + 1 < rows else 0.0
        o2 = weights[third] * weights[third] if r + 2 < rows else 0.0
        if o0 == 0.0 and o1 == 0.0 and o2 == 0.0:
            continue
        j0, j1, j2 = jacobian[r], jacobian[second], jacobian[third]
        c0, c1, c2 = residual[r], residual[second], residual[third]
        many = 0  # a goal moves with the joints above it, which are few
        for i in range(total):
            if j0[i] != 0.0 or j1[i] != 0.0 or j2[i] != 0.0:
                columns[many] = i
                many += 1
        for p in range(many):
            i = columns[p]
            row = h[i]
            s0, s1, s2 = o0 * j0[i], o1 * j1[i], o2 * j2[i]
            gradient[i] += s0 * c0 + s1 * c1 + s2 * c2
            for q in range(p + 1):
                k = columns[q]
                row[k] += s0 * j0[k] + s1 * j1[k] + s2 * j2[k]
