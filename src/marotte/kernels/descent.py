"""Down the slope: penalties and conjugate gradients (LS99 5.1), or the Jacobian's transpose (L97 3.2).

Both need nothing but gradients: g = M x + Jᵀ Ω c, and for limits that are exceeded the same of a
penalty. Conjugate gradients (Polak and Ribière's) go to the minimum of LS99 eq. 6, scaled by the
diagonal of M + Jᵀ Ω J; the weights of goals rise in rounds, since at full weight the way along the
goals is lost in the walls beside it. The transpose leaves M x out and takes −M⁻¹ Jᵀ Ω c as it is.
How far to go is what the goals, taken as straight, say: α = −g·d / d·(M + Jᵀ Ω J) d.
"""

from __future__ import annotations

import math

import numpy as np

from .active_set import to_freedoms
from .compiling import (
    BOOL,
    FLOAT,
    IN1,
    IN2,
    IN3,
    INT,
    INTS1,
    OUT2,
    OUT3,
    inline,
    inline_fused,
    kernel,
)  # fmt: skip
from .cost import RAN_OUT, REACHED, SETTLED, SLACK, objective, row_weights
from .goals import GOALS, TREE, copy_pose, displacement, evaluate, move, place
from .limits import LIMITS, exceeded, hold

ON_DEMAND = True  # see compiling.all_kernels
_FURTHEST = 0.5  # radians or metres: the longest step
_SHORTER = 8  # so many times a step is halved before it is given up
_ROUNDS, _RISE = 6, 10.0  # rounds of rising weights, each so many times the one before


@inline
def limit_cost(limits, rotations, unit, angles, g3, value, slopes):
    """Penalty of the limits that rotations (J, 4) exceed."""
    total = 0.0
    for j in range(limits.kind.shape[0]):
        for a in range(exceeded(limits, rotations, j, value, slopes, angles, g3)):
            total += value[a] * value[a]
    return 0.5 * unit * total


@inline
def limit_slope(tree, limits, rotations, unit, angles, g3, value, slopes, by, gradient, diagonal):
    """Add what that penalty does to gradient (D,) and to the diagonal (D,) of its matrix."""
    for j in range(limits.kind.shape[0]):
        n = tree.count[j]
        if limits.kind[j] == 0 or n == 0:
            continue
        for a in range(exceeded(limits, rotations, j, value, slopes, angles, g3)):
            to_freedoms(tree, rotations, j, slopes[a], by)
            for e in range(n):
                gradient[tree.first[j] + e] += unit * value[a] * by[e]
                diagonal[tree.first[j] + e] += unit * by[e] * by[e]


@inline_fused
def slope(x, mass, weights, residual, jacobian, gradient, diagonal):
    """gradient (D,) = M x + Jᵀ Ω c, and the diagonal (D,) of M + Jᵀ Ω J."""
    total = x.shape[0]
    for e in range(total):
        gradient[e], diagonal[e] = mass[e] * x[e], mass[e]
    for r in range(residual.shape[0]):
        omega = weights[r] * weights[r]
        if omega != 0.0:
            pull = omega * residual[r]
            for e in range(total):
                s = jacobian[r, e]
                gradient[e] += s * pull
                diagonal[e] += omega * s * s


@inline_fused
def stiffness(mass, weights, jacobian, d):
    """d · (M + Jᵀ Ω J) d."""
    total = 0.0
    for e in range(d.shape[0]):
        total += mass[e] * d[e] * d[e]
    for r in range(weights.shape[0]):
        s = 0.0
        for e in range(d.shape[0]):
            s += jacobian[r, e] * d[e]
        total += (weights[r] * s) ** 2
    return total


@kernel(
    TREE, LIMITS, GOALS, IN1, IN1, FLOAT, FLOAT, FLOAT, FLOAT, BOOL, IN2, IN3, OUT2, OUT3, OUT2, OUT2,
    INTS1, INT, INT, BOOL, INT, FLOAT,
)  # fmt: skip
def solve_frames(
    tree, limits, goals, rigidity, mass, place_unit, turn_unit, limit_unit, aim, conjugate, root0,
    rotations0, root, rotations, residuals, facts, frames, first, stop, warm, most, tolerance,
):  # fmt: skip
    """Poses for frames[first:stop]; see fullbody.solve_frames.

    `mass` (D,) is M in the descent (0 leaves it out), `rigidity` that of the objective that is told.
    Without `conjugate` the search ends where the goals cost less than `aim`.
    """
    joints, total, rows = tree.parents.shape[0], tree.total, goals.rows
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    axes, m, jacobian = np.empty((max(1, total), 3)), np.empty((3, 3)), np.empty((rows, total))
    residual, weights, full = np.empty(rows), np.empty(rows), np.empty(rows)
    x, step, last = np.empty(total), np.zeros(total), np.zeros(total)
    gradient, diagonal, scaled = np.empty(total), np.empty(total), np.zeros(total)
    angles, g3, by = np.empty(3), np.empty((3, 3)), np.empty(3)
    value, slopes = np.empty(8), np.empty((8, 3))
    try_root, try_rotations = np.empty(3), np.empty((joints, 4))
    for at in range(first, stop):
        f = frames[at]
        row_weights(goals, f, place_unit, turn_unit, full)
        if warm and at > first:
            copy_pose(root0[f], rotations0[f], root[f], rotations[f])
            move(tree, last, 1.0, root[f], rotations[f])
        hold(limits, rotations[f], SLACK)
        steps, why, turn = 0, RAN_OUT, 0 if conjugate else _ROUNDS - 1
        slow, before, fresh, cost = 0, 0.0, True, 0.0
        while True:
            share = _RISE ** (0.5 * (turn - _ROUNDS + 1))
            for r in range(rows):
                weights[r] = share * full[r]
            place(tree, root[f], rotations[f], positions, orientations)
            evaluate(tree, goals, f, positions, orientations, rotations[f], axes, m, residual, jacobian, True)
            displacement(tree, root[f], rotations[f], root0[f], rotations0[f], x)
            cost = objective(mass, x, weights, residual) + limit_cost(
                limits, rotations[f], share * share * limit_unit, angles, g3, value, slopes
            )
            if not conjugate and cost <= aim:
                why = REACHED
            if steps >= most or why != RAN_OUT:
                break
            steps += 1
            slope(x, mass, weights, residual, jacobian, gradient, diagonal)
            limit_slope(
                tree, limits, rotations[f], share * share * limit_unit, angles, g3, value, slopes, by,
                gradient, diagonal,
            )  # fmt: skip
            # Polak and Ribière's: what is new of the gradient, against the one before
            new, now_dot = 0.0, 0.0
            for e in range(total):
                z = gradient[e] / (diagonal[e] if conjugate else rigidity[e])
                now_dot += gradient[e] * z
                new += gradient[e] * (z - scaled[e])
                scaled[e] = z
            beta = 0.0 if fresh or not conjugate or before <= 0.0 else max(0.0, new / before)
            before = now_dot
            downhill, longest = 0.0, 0.0
            for e in range(total):
                step[e] = beta * step[e] - scaled[e]
                downhill += gradient[e] * step[e]
            if downhill >= 0.0:  # no longer down: begin anew
                beta = 0.0
                downhill = -now_dot
                for e in range(total):
                    step[e] = -scaled[e]
            for e in range(total):
                longest = max(longest, abs(step[e]))
            curved = stiffness(mass, weights, jacobian, step)
            scale = -downhill / curved if curved > 0.0 else 1.0
            if longest > 0.0:
                scale = min(scale, _FURTHEST / longest)
            now, kept = math.inf, False
            for _ in range(_SHORTER):
                copy_pose(root[f], rotations[f], try_root, try_rotations)
                move(tree, step, scale, try_root, try_rotations)
                if (
                    not conjugate
                ):  # or what is brought within its limits in the end may be worse than the start
                    hold(limits, try_rotations, SLACK)
                place(tree, try_root, try_rotations, positions, orientations)
                evaluate(
                    tree, goals, f, positions, orientations, try_rotations, axes, m, residual, jacobian,
                    False,
                )  # fmt: skip
                displacement(tree, try_root, try_rotations, root0[f], rotations0[f], x)
                now = objective(mass, x, weights, residual) + limit_cost(
                    limits, try_rotations, share * share * limit_unit, angles, g3, value, slopes
                )
                if now <= cost:
                    kept = True
                    break
                scale *= 0.5
            if kept:
                copy_pose(try_root, try_rotations, root[f], rotations[f])
            final = turn == _ROUNDS - 1
            least = 1e-3 if not final else (1e-9 if conjugate else 1e-7)
            slow = slow + 1 if cost - now <= least * cost or longest * scale < tolerance else 0
            done = slow >= 10
            if not kept and beta > 0.0:
                fresh = True  # once more, straight down
            elif not kept or done:
                if final:
                    why = REACHED if kept else SETTLED
                else:
                    turn, slow, fresh = turn + 1, 0, True
            else:
                fresh = False
        pressed = hold(limits, rotations[f], SLACK)
        place(tree, root[f], rotations[f], positions, orientations)
        evaluate(tree, goals, f, positions, orientations, rotations[f], axes, m, residual, jacobian, False)
        displacement(tree, root[f], rotations[f], root0[f], rotations0[f], x)
        for e in range(total):
            last[e] = x[e]
        for r in range(rows):
            residuals[f, r] = residual[r]
        facts[f, 0], facts[f, 1] = steps, objective(rigidity, x, full, residual)
        facts[f, 2], facts[f, 3] = why, pressed
