"""The whole figure at once: least change from a reference that meets weighted goals within limits.

One frame's problem is LS99 eq. 4 and 6 for any tree: minimise ½ xᵀ M x + ½ Σ ω c(x)², x being the
displacement from the reference, with joint limits as inequalities. Steps are Newton's: the second
derivatives of what goals ask are known in closed form, and without them the pull of heavy goals
against the reference would be balanced slowly. Where the matrix is not positive they are left out
(Gauss and Newton); where that gains little, as it does where goals contradict each other, the
matrix is damped until it is positive (Marquardt), and so it is where a step goes too far. Limits
that press are rows of a small dual active set; every pose that is tried is brought within them.

How a goal pulls is taken from the step before (its multiplier), not from how far it is off: with
heavy goals the latter is mostly noise until the very end.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .active_set import limit_rows, press, to_freedoms
from .compiling import (
    BOOL,
    FLOAT,
    IN1,
    IN2,
    IN3,
    INT,
    INTS1,
    OUT1,
    OUT2,
    OUT3,
    inline,
    inline_fused,
    kernel,
)  # fmt: skip
from .cost import RAN_OUT, REACHED, SETTLED, SLACK, add_rows, foreseen_step, objective, row_weights
from .curvature import curvature, turning_cost
from .dense import back, factor, forth
from .goals import GOALS, TREE, copy_pose, displacement, evaluate, move, place
from .limits import LIMITS, hold

ON_DEMAND = True  # see compiling.all_kernels
# A joint nearer to its bound than this (radians) may come to press against it within a step.
_NEAR = 0.6
_SLOW = 1e-6  # three steps in a row that gain no more than this part of the objective end the search
# A step is tried at so many lengths, each with so many corrections.
_SHORTER, _CORRECTIONS = 3, 3
_FURTHEST = 1.5  # radians or metres: the longest step that is tried


@inline_fused
def gauss_newton(rigidity, x, weights, residual, jacobian, h, gradient, columns):
    """h (D, D), the lower triangle, = M + Jᵀ Ω J; gradient (D,) = M x + Jᵀ Ω c.

    columns (D,) is scratch.
    """
    total = x.shape[0]
    for i in range(total):
        gradient[i] = rigidity[i] * x[i]
        for j in range(i):
            h[i, j] = 0.0
        h[i, i] = rigidity[i]
    add_rows(jacobian, residual, weights, residual.shape[0], h, gradient, columns)


@inline_fused
def foreseen(jacobian, before, step, scale, weights, residual, out):
    """out (D,) = −Jᵀ Ω (c − (c₀ + J step)): against what the goals are off beyond what was foreseen."""
    total = step.shape[0]
    for e in range(total):
        out[e] = 0.0
    for r in range(residual.shape[0]):
        off = residual[r] - before[r]
        for e in range(total):
            off -= jacobian[r, e] * scale * step[e]
        off *= weights[r] * weights[r]
        for e in range(total):
            out[e] -= jacobian[r, e] * off


@kernel(TREE, GOALS, INT, IN1, FLOAT, FLOAT, IN1, IN2, IN1, IN2, OUT1, OUT2)
def hessian_one(
    tree, goals, f, rigidity, place_unit, turn_unit, root0, rotations0, root, rotations, gradient, h
):
    """gradient (D,) and second derivatives h (D, D), lower triangle, of the objective at a pose."""
    joints, total, rows = tree.parents.shape[0], tree.total, goals.rows
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    axes, m, jacobian = np.empty((max(1, total), 3)), np.empty((3, 3)), np.empty((rows, total))
    residual, weights, x = np.empty(rows), np.empty(rows), np.empty(total)
    row_weights(goals, f, place_unit, turn_unit, weights)
    place(tree, root, rotations, positions, orientations)
    evaluate(tree, goals, f, positions, orientations, rotations, axes, m, residual, jacobian, True)
    displacement(tree, root, rotations, root0, rotations0, x)
    gauss_newton(rigidity, x, weights, residual, jacobian, h, gradient, np.empty(total, np.int64))
    turning_cost(tree, rigidity, x, h)
    for r in range(rows):
        residual[r] *= weights[r] * weights[r]
    curvature(
        tree, goals, f, positions, orientations, rotations, axes, residual, residual, m,
        np.empty((3, total)), h,
    )  # fmt: skip


class Task(NamedTuple):
    """What is asked; see solve_frames."""

    tree: Any
    limits: Any
    goals: Any
    rigidity: Any
    most: Any
    tolerance: Any


class Desk(NamedTuple):
    """Room to work in, for one frame after another; A bounds."""

    positions: Any  # (J, 3)
    orientations: Any  # (J, 4)
    try_root: Any  # (3,)
    try_rotations: Any  # (J, 4)
    axes: Any  # (D, 3)
    jacobian: Any  # (R, D)
    residual: Any  # (R,)
    kept: Any  # (R,) residual of the pose that is kept
    weights: Any  # (R,)
    pull: Any  # (R,) how each goal pulls
    x: Any  # (D,) displacement from the reference
    step: Any  # (D,)
    correction: Any  # (D,)
    gradient: Any  # (D,)
    reach: Any  # (D,)
    plain: Any  # (D, D) the model's matrix by Gauss and Newton
    h: Any  # (D, D) its factor
    spread: Any  # (3, D)
    joint: Any  # (A,)
    value: Any  # (A,)
    slopes: Any  # (A, 3)
    freedoms: Any  # (A, 3)
    pressing: Any  # (A,)
    order: Any  # (A,)
    solved: Any  # (A, D)
    y: Any  # (A,)
    inner: Any  # (A + 3, …)
    m: Any  # (3, 3)
    angles: Any  # (3,)
    g3: Any  # (3, 3)


@inline
def _cost(p, w, f, root, rotations, root0, rotations0, derive):
    """Everything to its place, x and residual, and what the pose costs."""
    place(p.tree, root, rotations, w.positions, w.orientations)
    evaluate(
        p.tree, p.goals, f, w.positions, w.orientations, rotations, w.axes, w.m, w.residual, w.jacobian,
        derive,
    )  # fmt: skip
    displacement(p.tree, root, rotations, root0, rotations0, w.x)
    return objective(p.rigidity, w.x, w.weights, w.residual)


@inline
def _quadratic_model(p, w, rotations):
    """Fill gradient and plain at the pose; returns how many bounds may come to press."""
    gauss_newton(p.rigidity, w.x, w.weights, w.residual, w.jacobian, w.plain, w.gradient, w.reach)
    for r in range(w.residual.shape[0]):
        w.kept[r] = w.residual[r]
    found = limit_rows(p.tree, p.limits, rotations, _NEAR, w.joint, w.value, w.slopes, w.angles, w.g3)
    for a in range(found):
        to_freedoms(p.tree, rotations, w.joint[a], w.slopes[a], w.freedoms[a])
        w.pressing[a] = w.value[a] > -1e-7
    return found


@inline
def _factored(p, w, f, rotations, newton, damping):
    """h from the model, damped, with its second derivatives or without; False if not positive."""
    total = w.x.shape[0]
    for i in range(total):
        for j in range(i + 1):
            w.h[i, j] = w.plain[i, j]
    if newton:
        turning_cost(p.tree, p.rigidity, w.x, w.h)
        curvature(
            p.tree, p.goals, f, w.positions, w.orientations, rotations, w.axes, w.pull, w.residual, w.m,
            w.spread, w.h,
        )  # fmt: skip
    for i in range(total):
        w.h[i, i] += damping * w.plain[i, i]
    return factor(w.h, total)


@inline
def _attempt(p, w, f, root, rotations, root0, rotations0, cost, scale, short):
    """What the pose costs after `scale` of the step, with corrections for how goals bend away."""
    total = w.x.shape[0]
    now = math.inf
    copy_pose(root, rotations, w.try_root, w.try_rotations)
    for correcting in range(_CORRECTIONS + 1):
        if correcting == 0:
            move(p.tree, w.step, scale, w.try_root, w.try_rotations)
        else:
            # correct what the goals are off beyond what was foreseen, with the same matrix
            # (second-order corrections)
            foreseen(w.jacobian, w.kept, w.step, scale, w.weights, w.residual, w.correction)
            forth(w.h, total, w.correction)
            back(w.h, total, w.correction)
            move(p.tree, w.correction, 1.0, w.try_root, w.try_rotations)
        hold(p.limits, w.try_rotations, SLACK)
        before = now
        now = _cost(p, w, f, w.try_root, w.try_rotations, root0, rotations0, False)
        if now <= cost or short or now > 0.5 * before:
            break
    return now


@inline
def _search(p, w, f, root, rotations, root0, rotations0):
    """From a pose to the best one, in place. Returns steps, the cost, why it stopped, limits near."""
    total = w.x.shape[0]
    damping, steps, why, found, cost, slow, before = 0.0, 0, RAN_OUT, 0, 0.0, 0, 0.0
    crawling = False  # whether Gauss and Newton's last step gained little
    for r in range(w.pull.shape[0]):
        w.pull[r] = 0.0
    while True:
        cost = _cost(p, w, f, root, rotations, root0, rotations0, True)
        if steps >= p.most or why != RAN_OUT:
            break
        found = _quadratic_model(p, w, rotations)
        newton, mend = True, crawling
        while steps < p.most:
            if not _factored(p, w, f, rotations, newton, damping):
                if newton and mend:
                    damping = max(1e-3, 4.0 * damping)
                elif newton:
                    newton = False  # not positive: leave the second derivatives out
                else:
                    damping = max(1e-4, 10.0 * damping)
                if damping > 1e8:
                    why = SETTLED
                    break
                continue
            steps += 1
            for e in range(total):
                w.step[e] = -w.gradient[e]
            forth(w.h, total, w.step)
            back(w.h, total, w.step)
            if found > 0 and not press(
                p.tree, w.h, total, found, w.joint, w.value, w.freedoms, w.pressing, w.order, w.solved,
                w.inner, w.y, w.step,
            ):  # fmt: skip
                damping = max(1e-4, 10.0 * damping)
                if damping > 1e8:
                    why = SETTLED
                    break
                continue
            longest = 0.0
            for e in range(total):
                longest = max(longest, abs(w.step[e]))
            scale = min(1.0, _FURTHEST / longest) if longest > 0.0 else 1.0
            now, short = math.inf, False
            for _ in range(_SHORTER):
                short = longest * scale < p.tolerance
                now = _attempt(p, w, f, root, rotations, root0, rotations0, cost, scale, short)
                if now <= cost or short:
                    break
                scale *= 0.4
            if now <= cost or (short and now <= cost * (1.0 + 1e-10)):
                copy_pose(w.try_root, w.try_rotations, root, rotations)
                for r in range(w.pull.shape[0]):
                    off = w.kept[r]
                    for e in range(total):
                        off += w.jacobian[r, e] * w.step[e]
                    w.pull[r] = w.weights[r] * w.weights[r] * off
                damping = 0.0 if damping < 1e-3 else 0.1 * damping
                crawling = (mend or not newton) and now > 0.5 * cost
                slow = slow + 1 if cost - now <= _SLOW * cost else 0
                if not newton or damping > 0.0 or scale < 1.0:
                    before = 0.0
                if short or slow == 3 or foreseen_step(longest, before) < p.tolerance:
                    why = REACHED
                before = longest if newton and scale == 1.0 else 0.0
                break
            if short:
                why = SETTLED
                break
            if not newton and not mend:
                newton = mend = True  # Gauss and Newton's step is no better
            else:
                newton = newton and (mend or damping == 0.0)
                damping = max(1e-4, 10.0 * damping)
            if damping > 1e8:
                why = SETTLED
                break
            # x, residual and the places belong to the pose that was tried
            _cost(p, w, f, root, rotations, root0, rotations0, False)
    return steps, cost, why, found


@kernel(
    TREE, LIMITS, GOALS, IN1, FLOAT, FLOAT, IN2, IN3, OUT2, OUT3, OUT2, OUT2, INTS1, INT, INT, BOOL,
    INT, FLOAT,
)  # fmt: skip
def solve_frames(
    tree, limits, goals, rigidity, place_unit, turn_unit, root0, rotations0, root, rotations,
    residuals, facts, frames, first, stop, warm, most, tolerance,
):  # fmt: skip
    """Poses root (F, 3), rotations (F, J, 4) for frames[first:stop], from references root0, rotations0.

    root and rotations hold the first guess on entry; with `warm` a frame after the first begins
    from its reference moved as the frame before it was. residuals (F, R). facts (F, 4): steps
    tried, objective, why it stopped, limits that press.
    """
    joints, total, rows = tree.parents.shape[0], tree.total, goals.rows
    bounds = 3 * joints
    p = Task(tree, limits, goals, rigidity, most, tolerance)
    w = Desk(
        np.empty((joints, 3)), np.empty((joints, 4)), np.empty(3), np.empty((joints, 4)),
        np.empty((max(1, total), 3)), np.empty((rows, total)),
        np.empty(rows), np.empty(rows), np.empty(rows), np.empty(rows),
        np.empty(total), np.empty(total), np.empty(total), np.empty(total), np.empty(total, np.int64),
        np.empty((total, total)), np.empty((total, total)), np.empty((3, total)),
        np.empty(bounds, np.int64), np.empty(bounds), np.empty((bounds, 3)), np.empty((bounds, 3)),
        np.zeros(bounds, np.bool_), np.empty(bounds, np.int64), np.empty((bounds, total)),
        np.empty(bounds), np.empty((bounds + 3, max(total, bounds))),
        np.empty((3, 3)), np.empty(3), np.empty((3, 3)),
    )  # fmt: skip
    last = np.zeros(total)
    for at in range(first, stop):
        f = frames[at]
        row_weights(goals, f, place_unit, turn_unit, w.weights)
        if warm and at > first:
            copy_pose(root0[f], rotations0[f], root[f], rotations[f])
            move(tree, last, 1.0, root[f], rotations[f])
        hold(limits, rotations[f], SLACK)
        steps, cost, why, found = _search(p, w, f, root[f], rotations[f], root0[f], rotations0[f])
        for e in range(total):
            last[e] = w.x[e]
        pressed = 0
        for a in range(found):
            if w.pressing[a]:
                pressed += 1
        for r in range(rows):
            residuals[f, r] = w.residual[r]
        facts[f, 0], facts[f, 1], facts[f, 2], facts[f, 3] = steps, cost, why, pressed
