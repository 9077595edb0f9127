"""The hybrid solver: limbs in closed form inside the objective (LS99 5.2).

The unknowns are the root's place, the turns of the trunk and one swivel a limb, 13 for a figure of
37 degrees of freedom; whatever they are, limbs whose ends have goals meet them in closed form (LS99
5.3), and what their joints had to turn for that is part of the objective. So goals cost nothing but
where a limb is too short.

Steps are Newton's, with exact second derivatives of the closed form (following.py). Where the
matrix is not positive they are left out, and where a step still goes too far it is damped
(Levenberg and Marquardt).
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
    INTS2,
    OUT2,
    OUT3,
    inline,
    inline_fused,
    kernel,
)  # fmt: skip
from .cost import RAN_OUT, REACHED, SETTLED, SLACK, foreseen_step, objective, row_weights
from .dense import back, factor, forth
from .following import ROWS, SCRATCH, add_costs, add_curvature, body_rates, limb_rates
from .goals import GOALS, TREE, copy_pose, displacement, evaluate, move, place, world_axes
from .limb import LIMBS
from .limits import LIMITS, exceeded, hold, within
from .settling import first_guess, settled_pose

ON_DEMAND = True  # see compiling.all_kernels
_NEAR = 0.6
_FURTHEST = 1.5
_SLOW = 1e-6


@inline_fused
def _trunk_costs(tree, trunk, rigidity, x, h, gradient):
    """h and gradient of ½ xᵀ M x over the trunk, with the exact second derivatives of |log q|²."""
    for i in range(gradient.shape[0]):
        gradient[i] = 0.0
        for k in range(i + 1):
            h[i, k] = 0.0
    for k in range(trunk.place):
        gradient[k] = rigidity[k] * x[k]
        h[k, k] = rigidity[k]
    for j in range(tree.parents.shape[0]):
        n, d, e = trunk.count[j], trunk.first[j], tree.first[j]
        for a in range(n):
            gradient[d + a] = rigidity[e + a] * x[e + a]
            h[d + a, d + a] = rigidity[e + a]
        if n != 3:
            continue
        angle = math.sqrt(x[e] * x[e] + x[e + 1] * x[e + 1] + x[e + 2] * x[e + 2])
        if angle < 1e-6:
            continue
        # along x it is M, square to it M ½θ cot ½θ
        k = rigidity[e] * 0.5 * angle / math.tan(0.5 * angle)
        s = (rigidity[e] - k) / (angle * angle)
        for a in range(3):
            for b in range(a + 1):
                h[d + a, d + b] = s * x[e + a] * x[e + b] + (k if a == b else 0.0)


@inline
def _any_goal(goals, frames):
    for g in range(goals.kind.shape[0]):
        for a in range(frames.shape[0]):
            if goals.weight[frames[a], g] > 0.0:
                return True
    return False


@inline
def _any_limit(limits):
    free = True
    for j in range(limits.kind.shape[0]):
        free = free and limits.kind[j] == 0
    return not free


class Task(NamedTuple):
    """What is asked; see solve_frames."""

    tree: Any
    trunk: Any
    limits: Any
    goals: Any
    others: Any
    limbs: Any
    served: Any
    rigidity: Any
    place_unit: Any
    turn_unit: Any
    limit_unit: Any
    has_limits: Any
    has_others: Any
    owner: Any  # (N,) the joint of every unknown of the trunk


class Desk(NamedTuple):
    """Room to work in, for one frame after another; N unknowns, S limbs, A bounds, R rows."""

    positions: Any  # (J, 3)
    orientations: Any  # (J, 4)
    try_root: Any  # (3,)
    try_rotations: Any  # (J, 4)
    x: Any  # (D,) displacement from the reference
    residual: Any  # (R,)
    jacobian: Any  # (R, D)
    weights: Any  # (R,)
    axes: Any  # (D, 3)
    trunk_axes: Any  # (N, 3)
    gradient: Any  # (N,)
    plain: Any  # (N, N) the model's matrix by Gauss and Newton
    second: Any  # (N, N) what the closed form's curvature adds
    h: Any  # (N, N) its factor
    step: Any  # (N,)
    row: Any  # (N,)
    limb_facts: Any  # (S, 6)
    rates: Any  # (S, ROWS, N) how each limb's joints follow the unknowns above them
    scratch: Any  # (SCRATCH, N)
    counts: Any  # (S,)
    above: Any  # (S, N)
    at_root: Any  # (S, 3, N)
    at_hinge: Any  # (S, 3, N)
    at_end: Any  # (S, 3, N)
    joint: Any  # (A,)
    value: Any  # (A,)
    slopes: Any  # (A, 3)
    freedoms: Any  # (A, 3)
    pressing: Any  # (A,)
    order: Any  # (A,)
    solved: Any  # (A, N)
    y: Any  # (A,)
    inner: Any  # (A + 3, …)
    ends: Any  # (S, 3)
    m: Any  # (3, 3)
    angles: Any  # (3,)
    g3: Any  # (3, 3)
    e0: Any  # (4,)
    o1: Any  # (3,)
    o2: Any  # (3,)
    goal: Any  # (3,)


@inline
def _settled_cost(p, w, f, root, rotations, root0, rotations0, step, scale):
    """Limbs to their goals, everything to its place, and what the pose costs (LS99 eq. 6)."""
    settled_pose(
        p.tree, p.goals, f, p.limbs, p.served, root, rotations, w.positions, w.orientations, step, scale,
        p.trunk.total, w.e0, w.o1, w.o2, w.goal, w.limb_facts,
    )  # fmt: skip
    return _objective(
        p.tree, p.others, p.limits, p.goals, f, p.served, p.limbs, p.rigidity, p.place_unit, p.limit_unit,
        w.weights, root, rotations, root0, rotations0, w.positions, w.orientations, w.x, w.axes, w.m,
        w.residual, w.jacobian, w.limb_facts, p.has_others, p.has_limits, w.angles, w.g3, w.joint, w.value,
        w.slopes,
    )  # fmt: skip


@inline
def _quadratic_model(p, w, f, rotations):
    """Fill gradient, plain and second at the pose; returns how many bounds may come to press."""
    swivels, total = p.trunk.total, w.gradient.shape[0]
    world_axes(p.trunk, w.orientations, w.trunk_axes)
    _trunk_costs(p.tree, p.trunk, p.rigidity, w.x, w.plain, w.gradient)
    for i in range(total):
        for k in range(i + 1):
            w.second[i, k] = 0.0
    for i in range(p.served.shape[0]):
        w.counts[i] = 0
        limb, g, t = p.served[i, 0], p.served[i, 1], p.served[i, 2]
        if p.goals.weight[f, g] == 0.0:
            continue
        turned = t >= 0 and p.goals.weight[f, t] > 0.0
        facts, above, rates = w.limb_facts[i], w.above[i], w.rates[i]
        count = limb_rates(
            p.tree, p.trunk, p.goals, p.limbs, limb, g, turned, swivels + i, w.positions, w.orientations,
            w.trunk_axes, facts, above, rates,
        )  # fmt: skip
        add_costs(
            p.tree, p.limbs, limb, turned, p.rigidity, w.x, p.place_unit * p.goals.weight[f, g],
            w.orientations, facts, count, above, rates, w.scratch, w.plain, w.gradient,
        )  # fmt: skip
        add_curvature(
            p.tree, p.trunk, p.goals, p.limbs, limb, g, turned, p.rigidity, w.x, w.positions,
            w.orientations, facts, count, above, rates, p.owner, w.scratch, w.second,
        )  # fmt: skip
        if p.has_limits or p.has_others:
            body_rates(p.limbs, limb, w.orientations, count, rates, w.at_root[i], w.at_hinge[i], w.at_end[i])
        w.counts[i] = count
    if p.has_limits:
        _limb_limits(
            p.tree, p.limits, p.limbs, p.goals, f, p.served, rotations, p.limit_unit, w.counts, w.above,
            w.at_root, w.at_end, w.plain, w.gradient, w.joint, w.value, w.slopes, w.angles, w.g3, total,
        )  # fmt: skip
    if p.has_others:
        _other_goals(p, w)
    for i in range(swivels, total):
        if w.plain[i, i] < 1e-9:  # a limb without a goal here: its swivel stays
            w.plain[i, i] = 1.0
    found = 0
    if p.has_limits:
        found = limit_rows(p.trunk, p.limits, rotations, _NEAR, w.joint, w.value, w.slopes, w.angles, w.g3)
        for a in range(found):
            to_freedoms(p.trunk, rotations, w.joint[a], w.slopes[a], w.freedoms[a])
            w.pressing[a] = w.value[a] > -1e-7
    return found


@inline
def _other_goals(p, w):
    """Add Gauss and Newton's model of the goals that no limb meets in closed form."""
    total = w.gradient.shape[0]
    for r in range(w.residual.shape[0]):
        omega = w.weights[r] * w.weights[r]
        if omega == 0.0:
            continue
        _reduced_row(
            p.tree, p.trunk, p.limbs, p.served, w.counts, w.above, w.at_root, w.at_hinge, w.at_end,
            w.jacobian[r], p.trunk.total, total, w.row,
        )  # fmt: skip
        pull = omega * w.residual[r]
        for i in range(total):
            s = w.row[i]
            if s != 0.0:
                w.gradient[i] += s * pull
                for k in range(i + 1):
                    w.plain[i, k] += omega * s * w.row[k]


@inline
def _factored(w, newton, damping):
    """h from the model, damped, with its second derivatives or without; False if not positive."""
    total = w.gradient.shape[0]
    for i in range(total):
        for k in range(i + 1):
            w.h[i, k] = w.plain[i, k] + (w.second[i, k] if newton else 0.0)
        w.h[i, i] += damping * w.plain[i, i]
    return factor(w.h, total)


@inline
def _beyond_reach(p, w, f):
    """How many limbs are asked for more than their length.

    There the closed form has a kink. From inside, where a limb that is nearly straight bends fast,
    nothing stops a search but the goal; from beyond, it comes to rest at the kink although it would
    be better to bend. So a step that takes a limb beyond its reach is shortened first.
    """
    found = 0
    for i in range(p.served.shape[0]):
        if p.goals.weight[f, p.served[i, 1]] > 0.0 and w.limb_facts[i, 2] > w.limb_facts[i, 1] + 1e-12:
            found += 1
    return found


@inline
def _search(p, w, f, root, rotations, root0, rotations0, most, tolerance):
    """From a settled pose to the best one, in place. Returns steps, why it stopped, limits near."""
    total = w.gradient.shape[0]
    for k in range(total):
        w.step[k] = 0.0
    cost = _settled_cost(p, w, f, root, rotations, root0, rotations0, w.step, 0.0)
    damping, steps, why, found, slow, before = 0.0, 0, RAN_OUT, 0, 0, 0.0
    short = _beyond_reach(p, w, f)
    while steps < most and why == RAN_OUT:
        found = _quadratic_model(p, w, f, rotations)
        newton = True
        while steps < most:
            steps += 1
            fine = _factored(w, newton, damping)
            if not fine and newton:
                newton = False  # not positive: leave the second derivatives out
                steps -= 1
                continue
            if fine:
                for k in range(total):
                    w.step[k] = -w.gradient[k]
                forth(w.h, total, w.step)
                back(w.h, total, w.step)
                fine = found == 0 or press(
                    p.trunk, w.h, total, found, w.joint, w.value, w.freedoms, w.pressing, w.order, w.solved,
                    w.inner, w.y, w.step,
                )  # fmt: skip
            if not fine:
                damping = max(1e-4, 10.0 * damping)
                if damping > 1e8:
                    why = SETTLED
                    break
                continue
            longest = 0.0
            for k in range(total):
                longest = max(longest, abs(w.step[k]))
            scale = min(1.0, _FURTHEST / longest) if longest > 0.0 else 1.0
            now = math.inf
            over = short
            for attempt in range(4):  # along the same direction, shorter
                copy_pose(root, rotations, w.try_root, w.try_rotations)
                move(p.trunk, w.step, scale, w.try_root, w.try_rotations)
                if p.has_limits:
                    _hold_trunk(p.trunk, p.limits, w.try_rotations)
                now = _settled_cost(p, w, f, w.try_root, w.try_rotations, root0, rotations0, w.step, scale)
                over = _beyond_reach(p, w, f)
                if longest * scale < tolerance or (now <= cost and (over <= short or attempt == 3)):
                    break
                scale *= 0.3
            if found > 0:  # the penalties of limbs used the same scratch
                found = limit_rows(
                    p.trunk, p.limits, rotations, _NEAR, w.joint, w.value, w.slopes, w.angles, w.g3
                )
            close = longest * scale < tolerance
            if now <= cost or (close and now <= cost * (1.0 + 1e-10)):
                copy_pose(w.try_root, w.try_rotations, root, rotations)
                damping = 0.0 if damping < 1e-3 else 0.1 * damping
                slow = slow + 1 if cost - now <= _SLOW * cost else 0
                if not newton or damping > 0.0 or scale < 1.0:
                    before = 0.0
                if close or slow == 2 or foreseen_step(longest, before) < tolerance:
                    why = REACHED
                before = longest if newton and scale == 1.0 else 0.0
                cost, short = now, over
                break
            if close:
                why = SETTLED
            else:
                if newton and damping > 0.0:
                    newton = False
                damping = max(1e-2, 10.0 * damping)
                if damping > 1e8:
                    why = SETTLED
            if why != RAN_OUT:
                break
    return steps, why, found


@kernel(
    TREE, TREE, LIMITS, GOALS, GOALS, LIMBS, INTS2, IN1, FLOAT, FLOAT, FLOAT, IN2, IN3, OUT2, OUT3,
    OUT2, OUT2, INTS1, INT, INT, BOOL, INT, FLOAT,
)  # fmt: skip
def solve_frames(
    tree, trunk, limits, goals, others, limbs, served, rigidity, place_unit, turn_unit, limit_unit,
    root0, rotations0, root, rotations, residuals, facts, frames, first, stop, warm, most, tolerance,
):  # fmt: skip
    """Poses for frames[first:stop]; see fullbody.solve_frames.

    `trunk` is the tree with only the trunk's degrees of freedom, numbered anew, `served` (S, 3)
    the limb, its goal of place and its goal of orientation or -1; `others` are the goals with the
    weights of those set to 0. Swivels come last among the unknowns.
    """
    joints, full, rows = tree.parents.shape[0], tree.total, goals.rows
    many = served.shape[0]
    total, bounds = trunk.total + many, 3 * joints
    owner = np.zeros(total, np.int64)
    for j in range(joints):
        for k in range(trunk.count[j]):
            owner[trunk.first[j] + k] = j
    p = Task(
        tree, trunk, limits, goals, others, limbs, served, rigidity, place_unit, turn_unit, limit_unit,
        _any_limit(limits), _any_goal(others, frames), owner,
    )  # fmt: skip
    w = Desk(
        np.empty((joints, 3)), np.empty((joints, 4)), np.empty(3), np.empty((joints, 4)),
        np.empty(full), np.empty(rows), np.empty((rows, full)), np.empty(rows),
        np.empty((max(1, full), 3)), np.empty((max(1, total), 3)),
        np.empty(total), np.empty((total, total)), np.empty((total, total)), np.empty((total, total)),
        np.empty(total), np.empty(total),
        np.empty((max(1, many), 6)), np.empty((many, ROWS, total)), np.empty((SCRATCH, total)),
        np.zeros(many, np.int64), np.empty((many, total), np.int64),
        np.empty((many, 3, total)), np.empty((many, 3, total)), np.empty((many, 3, total)),
        np.empty(bounds, np.int64), np.empty(bounds), np.empty((bounds, 3)), np.empty((bounds, 3)),
        np.zeros(bounds, np.bool_), np.empty(bounds, np.int64), np.empty((bounds, total)),
        np.empty(bounds), np.empty((bounds + 3, max(total, bounds))),
        np.empty((max(1, many), 3)), np.empty((3, 3)), np.empty(3), np.empty((3, 3)),
        np.empty(4), np.empty(3), np.empty(3), np.empty(3),
    )  # fmt: skip
    last = np.zeros(full)
    for at in range(first, stop):
        f = frames[at]
        row_weights(others, f, place_unit, turn_unit, w.weights)
        if warm and at > first:
            copy_pose(root0[f], rotations0[f], root[f], rotations[f])
            move(tree, last, 1.0, root[f], rotations[f])
        if p.has_limits:
            hold(limits, rotations[f], SLACK)
        if not warm or at == first:
            first_guess(
                tree, trunk, goals, f, limbs, served, root[f], rotations[f], w.positions, w.orientations,
                w.ends, w.goal,
            )  # fmt: skip
        steps, why, found = _search(p, w, f, root[f], rotations[f], root0[f], rotations0[f], most, tolerance)
        if p.has_limits:
            hold(limits, rotations[f], SLACK)
        place(tree, root[f], rotations[f], w.positions, w.orientations)
        evaluate(
            tree, goals, f, w.positions, w.orientations, rotations[f], w.axes, w.m, w.residual, w.jacobian,
            False,
        )  # fmt: skip
        displacement(tree, root[f], rotations[f], root0[f], rotations0[f], w.x)
        for e in range(full):
            last[e] = w.x[e]
        pressed = 0
        for a in range(found):
            if w.pressing[a]:
                pressed += 1
        for r in range(rows):
            residuals[f, r] = w.residual[r]
        row_weights(goals, f, place_unit, turn_unit, w.weights)
        facts[f, 0], facts[f, 1] = steps, objective(rigidity, w.x, w.weights, w.residual)
        facts[f, 2], facts[f, 3] = why, pressed


@inline
def _hold_trunk(trunk, limits, rotations):
    """Bring the trunk's joints within their limits, in place."""
    for j in range(limits.kind.shape[0]):
        if limits.kind[j] == 0 or trunk.count[j] == 0:
            continue
        did, w, x, y, z = within(
            limits.kind[j], limits.order[j], limits.bounds[j], limits.pre[j], limits.post[j],
            rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3], SLACK,
        )  # fmt: skip
        if did:
            rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3] = w, x, y, z


@inline
def _reduced_row(
    tree, trunk, limbs, served, counts, above, at_root, at_hinge, at_end, full_row, swivels, total, row
):
    """row (n,) by the unknowns of a row by all degrees of freedom."""
    for k in range(total):
        row[k] = 0.0
    for k in range(trunk.place):
        row[k] = full_row[k]
    for j in range(tree.parents.shape[0]):
        d, e = trunk.first[j], tree.first[j]
        for k in range(trunk.count[j]):
            row[d + k] += full_row[e + k]
    for i in range(served.shape[0]):
        limb = served[i, 0]
        for part in range(3):
            if part == 0:
                j, rates = limbs.root[limb], at_root[i]
            elif part == 1:
                j, rates = limbs.hinge[limb], at_hinge[i]
            else:
                j, rates = limbs.end[limb], at_end[i]
            e = tree.first[j]
            for a in range(counts[i]):
                if tree.count[j] == 3:
                    s = (
                        full_row[e] * rates[0, a]
                        + full_row[e + 1] * rates[1, a]
                        + full_row[e + 2] * rates[2, a]
                    )
                else:
                    own = tree.axes[j, 0]
                    s = full_row[e] * (own[0] * rates[0, a] + own[1] * rates[1, a] + own[2] * rates[2, a])
                row[above[i, a]] += s


@inline
def _limb_limits(
    tree, limits, limbs, goals, f, served, rotations, unit, counts, above, at_root, at_end, h, gradient,
    joint, value, slopes, angles, g3, total,
):  # fmt: skip
    """Add the penalties of limits that limbs' root and end joints exceed (LS99 eq. 6)."""
    for i in range(served.shape[0]):
        if counts[i] == 0:
            continue
        for part in range(2):
            j = limbs.root[served[i, 0]] if part == 0 else limbs.end[served[i, 0]]
            rates = at_root[i] if part == 0 else at_end[i]
            found = exceeded(limits, rotations, j, value, slopes, angles, g3)
            for a in range(found):
                for p in range(counts[i]):
                    sp = slopes[a, 0] * rates[0, p] + slopes[a, 1] * rates[1, p] + slopes[a, 2] * rates[2, p]
                    gradient[above[i, p]] += unit * value[a] * sp
                    for q in range(p + 1):
                        sq = (
                            slopes[a, 0] * rates[0, q]
                            + slopes[a, 1] * rates[1, q]
                            + slopes[a, 2] * rates[2, q]
                        )
                        h[above[i, p], above[i, q]] += unit * sp * sq


@inline
def _objective(
    tree, others, limits, goals, f, served, limbs, rigidity, place_unit, limit_unit, weights, root,
    rotations, root0, rotations0, positions, orientations, x, axes, m, residual, jacobian, limb_facts,
    other_goals, has_limits, angles, g3, joint, value, slopes,
):  # fmt: skip
    """LS99 eq. 6 at a pose whose limbs are settled; x (D,) and the other goals' rows come with it."""
    displacement(tree, root, rotations, root0, rotations0, x)
    total = 0.0
    for k in range(x.shape[0]):
        total += rigidity[k] * x[k] * x[k]
    if other_goals:
        evaluate(tree, others, f, positions, orientations, rotations, axes, m, residual, jacobian, True)
        for r in range(residual.shape[0]):
            c = weights[r] * residual[r]
            total += c * c
    for i in range(served.shape[0]):
        weight = goals.weight[f, served[i, 1]]
        if weight == 0.0:
            continue
        short = limb_facts[i, 1] - limb_facts[i, 2]
        total += place_unit * weight * short * short
        if has_limits:
            for part in range(2):
                j = limbs.root[served[i, 0]] if part == 0 else limbs.end[served[i, 0]]
                for a in range(exceeded(limits, rotations, j, value, slopes, angles, g3)):
                    total += limit_unit * value[a] * value[a]
    return 0.5 * total
