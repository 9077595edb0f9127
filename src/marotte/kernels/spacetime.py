"""One clip's fitting as a whole: the normal equations of B-spline control points, banded.

The displacement of frame f is x_f = Σ B_k c[i + k], the pose m₀ ⊕ x_f (LS99 eq. 1). Minimised is

    ½ Σ_f ω |residual_f(x_f)|² + ½ Σ over the regularity of c,

by Gauss and Newton: a frame touches four neighbouring control points, so that the matrix has blocks
of D × D in a band of four. What ties neighbouring frames together (a foot that stays where it comes
to rest, wherever that is) touches five.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from .active_set import limit_rows, to_freedoms
from .bsplines import at, weights
from .compiling import (
    BOOL,
    FLAGS_OUT,
    FLOAT,
    IN1,
    IN2,
    IN3,
    INTS1,
    OUT1,
    OUT2,
    OUT3,
    inline,
    inline_fused,
    kernel,
)
from .cost import add_rows, row_weights
from .goals import AT_LEAST, AT_MOST, GOALS, TREE, evaluate, move, place, point_columns, point_of, world_axes
from .limits import LIMITS

ON_DEMAND = True  # see compiling.all_kernels
_NEAR = 0.6  # radians; a joint nearer to its bound may come to press against it within a step


class Stays(NamedTuple):
    """S points that stay where they are from one frame to the next; all arrays read-only."""

    joint: Any  # (S,)
    offset: Any  # (S, 3) of the point on the joint, metres
    first: Any  # (S,) first frame of each
    last: Any  # (S,) last frame, included
    weight: Any  # (S,)


STAYS = types.NamedTuple((INTS1, IN2, INTS1, INTS1, IN1), Stays)


@inline
def _right_jacobian(vx, vy, vz, m):
    """m (3, 3): exp(v + dv) = exp(v) exp(m dv), to first order."""
    square = vx * vx + vy * vy + vz * vz
    angle = math.sqrt(square)
    if angle < 1e-4:
        a, b = 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    else:
        a, b = (1.0 - math.cos(angle)) / square, (angle - math.sin(angle)) / (square * angle)
    # I − a [v] + b [v]²
    m[0, 0], m[1, 1] = 1.0 - b * (vy * vy + vz * vz), 1.0 - b * (vx * vx + vz * vz)
    m[2, 2] = 1.0 - b * (vx * vx + vy * vy)
    m[0, 1], m[1, 0] = a * vz + b * vx * vy, -a * vz + b * vx * vy
    m[0, 2], m[2, 0] = -a * vy + b * vx * vz, a * vy + b * vx * vz
    m[1, 2], m[2, 1] = a * vx + b * vy * vz, -a * vx + b * vy * vz


@inline
def _by_displacement(tree, x, jacobian, rows, m):
    """Columns of jacobian (R, D), by turns at the pose, become columns by x (D,)."""
    for j in range(tree.parents.shape[0]):
        if tree.count[j] != 3:
            continue
        d = tree.first[j]
        if x[d] == 0.0 and x[d + 1] == 0.0 and x[d + 2] == 0.0:
            continue
        _right_jacobian(x[d], x[d + 1], x[d + 2], m)
        for r in range(rows):
            a, b, c = jacobian[r, d], jacobian[r, d + 1], jacobian[r, d + 2]
            if a != 0.0 or b != 0.0 or c != 0.0:
                jacobian[r, d] = a * m[0, 0] + b * m[1, 0] + c * m[2, 0]
                jacobian[r, d + 1] = a * m[0, 1] + b * m[1, 1] + c * m[2, 1]
                jacobian[r, d + 2] = a * m[0, 2] + b * m[1, 2] + c * m[2, 2]


@inline
def _curve(control, i, u, x):
    """x (D,) of one frame."""
    a, b, c, e = weights(u)
    for d in range(x.shape[0]):
        x[d] = a * control[i, d] + b * control[i + 1, d] + c * control[i + 2, d] + e * control[i + 3, d]


@inline
def _pose(tree, control, i, u, root0, rotations0, x, root, rotations):
    """x and the pose of one frame."""
    _curve(control, i, u, x)
    for k in range(3):
        root[k] = root0[k]
    for j in range(rotations0.shape[0]):
        for k in range(4):
            rotations[j, k] = rotations0[j, k]
    move(tree, x, 1.0, root, rotations)


@inline
def _pressing_rows(tree, rotations, found, pressing, rows, joint, value, slopes, residual, jacobian, three):
    """Append a row for each bound that presses; returns how many rows there are then."""
    total = jacobian.shape[1]
    for a in range(found):
        if not pressing[a]:
            continue
        for e in range(total):
            jacobian[rows, e] = 0.0
        to_freedoms(tree, rotations, joint[a], slopes[a], three)
        d = tree.first[joint[a]]
        for e in range(tree.count[joint[a]]):
            jacobian[rows, d + e] = three[e]
        residual[rows] = value[a]
        rows += 1
    return rows


@inline_fused
def _frame_normal(jacobian, residual, scale, rows, h, gradient, columns):
    """h (D, D), lower triangle, = Jᵀ Ω J and gradient (D,) = Jᵀ Ω c of one frame."""
    total = gradient.shape[0]
    for i in range(total):
        gradient[i] = 0.0
        for k in range(i + 1):
            h[i, k] = 0.0
    add_rows(jacobian, residual, scale, rows, h, gradient, columns)


@inline_fused
def _add_frame(i, u, h, gradient, band, right):
    """Add one frame's normal equations to those of its four control points.

    band (K·D, W): A[p, q] for q ≤ p stands at band[q, p − q], which LAPACK reads as a lower band.
    """
    total = gradient.shape[0]
    w = weights(u)
    for k in range(4):
        base = (i + k) * total
        for a in range(total):
            right[base + a] += w[k] * gradient[a]
        for m in range(k + 1):
            s = w[k] * w[m]
            low = (i + m) * total
            if m == k:
                for a in range(total):
                    for b in range(a + 1):
                        band[low + b, a - b] += s * h[a, b]
            else:
                shift = base - low
                for b in range(total):
                    line = band[low + b]
                    for a in range(b):
                        line[shift + a - b] += s * h[b, a]
                    for a in range(b, total):
                        line[shift + a - b] += s * h[a, b]


@inline
def _keeps(relation, off):
    """Whether a goal of a relation, off by so much, is met."""
    return (relation == AT_LEAST and off >= 0.0) or (relation == AT_MOST and off <= 0.0)


@kernel(TREE, LIMITS, GOALS, INTS1, IN2, IN2, FLOAT, IN2, IN3, FLAGS_OUT)
def foresee(tree, limits, goals, relation, control, change, spacing, root, rotations, pressing):
    """pressing (F, A + E): the bounds that `change` (K, D) of the control points will bring joints to,
    and the goals of a relation that it will bring to theirs.

    root (F, 3) and rotations (F, J, 4) are those of the control points as they are; bounds count in
    the order in which `limit_rows` finds them there. Returns how many entries changed.
    """
    frames, joints, total = rotations.shape[0], tree.parents.shape[0], tree.total
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    axes, jacobian, residual = (
        np.empty((max(1, total), 3)), np.empty((goals.rows, total)), np.empty(goals.rows),
    )  # fmt: skip
    joint, value, slopes = np.empty(3 * joints, np.int64), np.empty(3 * joints), np.empty((3 * joints, 3))
    angles, g3, three, m = np.empty(3), np.empty((3, 3)), np.empty(3), np.empty((3, 3))
    x, dx, turn = np.empty(total), np.empty(total), np.empty(3)
    changed = 0
    for f in range(frames):
        i, u = at(float(f), spacing)
        _curve(control, i, u, x)
        _curve(change, i, u, dx)
        found = limit_rows(tree, limits, rotations[f], _NEAR, joint, value, slopes, angles, g3)
        for a in range(found):
            j = joint[a]
            d, n = tree.first[j], tree.count[j]
            for e in range(n):
                turn[e] = dx[d + e]
            if n == 3:
                _right_jacobian(x[d], x[d + 1], x[d + 2], m)
                for e in range(3):
                    turn[e] = m[e, 0] * dx[d] + m[e, 1] * dx[d + 1] + m[e, 2] * dx[d + 2]
            to_freedoms(tree, rotations[f], j, slopes[a], three)
            ahead = value[a]
            for e in range(n):
                ahead += three[e] * turn[e]
            press = ahead > 0.0
            if press != pressing[f, a]:
                pressing[f, a] = press
                changed += 1
        related = False
        for g in range(relation.shape[0]):
            related = related or (relation[g] != 0 and goals.weight[f, g] > 0.0)
        if not related:
            continue
        place(tree, root[f], rotations[f], positions, orientations)
        evaluate(tree, goals, f, positions, orientations, rotations[f], axes, m, residual, jacobian, True)
        _by_displacement(tree, x, jacobian, goals.rows, m)
        for g in range(relation.shape[0]):
            if relation[g] == 0 or goals.weight[f, g] == 0.0:
                continue
            ahead = residual[goals.row[g]]
            for e in range(total):
                ahead += jacobian[goals.row[g], e] * dx[e]
            press = not _keeps(relation[g], ahead)
            if press != pressing[f, 3 * joints + g]:
                pressing[f, 3 * joints + g] = press
                changed += 1
    return changed


@kernel(
    TREE, LIMITS, GOALS, INTS1, STAYS, FLOAT, FLOAT, FLOAT, IN2, IN3, IN2, FLOAT, BOOL, BOOL, FLAGS_OUT,
    OUT2, OUT1, OUT2, OUT3, OUT2,
)  # fmt: skip
def assemble(
    tree, limits, goals, relation, stays, place_unit, turn_unit, limit_unit, root0, rotations0, control,
    spacing, derive, again, pressing, band, right, root, rotations, residuals,
):  # fmt: skip
    """The cost of all goals at a displacement, and, with `derive`, its normal equations.

    control (K, D). band (K·D, W) and right (K·D,) are added to. root (F, 3), rotations (F, J, 4) and
    residuals (F, R) are written. `goals` ask for equality; relation (E,) says which of them are
    inequalities. pressing (F, A + E) says which bounds of joints and which inequalities have rows:
    those that are broken, or, with `again`, those that it says on entry. Returns the cost.
    """
    frames, joints, total, rows = root0.shape[0], tree.parents.shape[0], tree.total, goals.rows
    bounds = 3 * joints
    most = rows + bounds
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    axes, m = np.empty((max(1, total), 3)), np.empty((3, 3))
    jacobian, residual, scale = np.empty((most, total)), np.empty(most), np.empty(most)
    h, gradient, x = np.empty((total, total)), np.empty(total), np.empty(total)
    columns = np.empty(total, np.int64)
    joint, value, slopes = np.empty(bounds, np.int64), np.empty(bounds), np.empty((bounds, 3))
    angles, g3, three = np.empty(3), np.empty((3, 3)), np.empty(3)
    for r in range(rows, most):
        scale[r] = math.sqrt(limit_unit)
    has_stays = stays.joint.shape[0] > 0
    before = np.empty((max(1, stays.joint.shape[0]), 3, total))
    where = np.empty((max(1, stays.joint.shape[0]), 3))
    cost, i0, u0 = 0.0, 0, 0.0
    for f in range(frames):
        i, u = at(float(f), spacing)
        _pose(tree, control, i, u, root0[f], rotations0[f], x, root[f], rotations[f])
        place(tree, root[f], rotations[f], positions, orientations)
        evaluate(
            tree, goals, f, positions, orientations, rotations[f], axes, m, residual[:rows], jacobian, derive
        )
        row_weights(goals, f, place_unit, turn_unit, scale)
        for r in range(rows):
            residuals[f, r] = residual[r]
        for g in range(relation.shape[0]):
            if relation[g] == 0:
                continue
            r = goals.row[g]
            if not again:
                pressing[f, bounds + g] = not _keeps(relation[g], residual[r])
            if _keeps(relation[g], residual[r]):
                residuals[f, r] = 0.0
            if not pressing[f, bounds + g]:
                scale[r] = 0.0
        for r in range(rows):
            c = scale[r] * residuals[f, r]
            cost += 0.5 * c * c
        found = limit_rows(tree, limits, rotations[f], _NEAR, joint, value, slopes, angles, g3)
        for a in range(found):
            if value[a] > 0.0:
                cost += 0.5 * limit_unit * value[a] * value[a]
            if not again:
                pressing[f, a] = value[a] > -1e-9
        if derive:
            count = _pressing_rows(
                tree, rotations[f], found, pressing[f], rows, joint, value, slopes, residual, jacobian, three
            )
            _by_displacement(tree, x, jacobian, count, m)
            _frame_normal(jacobian, residual, scale, count, h, gradient, columns)
            _add_frame(i, u, h, gradient, band, right)
        if has_stays:
            cost += _stay(
                tree, stays, f, place_unit, positions, orientations, axes, x, jacobian, m, before, where, i0,
                u0, i, u, derive, band, right,
            )  # fmt: skip
        i0, u0 = i, u
    return cost


@inline_fused
def _stay(
    tree, stays, f, place_unit, positions, orientations, axes, x, jacobian, m, before, where, i0, u0, i, u,
    derive, band, right,
):  # fmt: skip
    """Add |p_f − p_f−1|² of points that stay; `before` and `where` keep the frame before."""
    total = x.shape[0]
    cost = 0.0
    for s in range(stays.joint.shape[0]):
        if f < stays.first[s] or f > stays.last[s]:
            continue
        j = stays.joint[s]
        px, py, pz = point_of(positions, orientations, j, stays.offset[s])
        if derive:
            for r in range(3):
                for e in range(total):
                    jacobian[r, e] = 0.0
            world_axes(tree, orientations, axes)
            point_columns(tree, positions, axes, j, px, py, pz, 1.0, 0.0, 0.0, jacobian, 0, 1.0)
            point_columns(tree, positions, axes, j, px, py, pz, 0.0, 1.0, 0.0, jacobian, 1, 1.0)
            point_columns(tree, positions, axes, j, px, py, pz, 0.0, 0.0, 1.0, jacobian, 2, 1.0)
            _by_displacement(tree, x, jacobian, 3, m)
        if f > stays.first[s]:
            omega = place_unit * stays.weight[s]
            off = (px - where[s, 0], py - where[s, 1], pz - where[s, 2])
            cost += 0.5 * omega * (off[0] * off[0] + off[1] * off[1] + off[2] * off[2])
            if derive:
                _add_pair(before[s], jacobian, off, omega, i0, u0, i, u, band, right)
        where[s, 0], where[s, 1], where[s, 2] = px, py, pz
        if derive:
            for r in range(3):
                for e in range(total):
                    before[s, r, e] = jacobian[r, e]
    return cost


@inline_fused
def _add_pair(j0, j1, off, omega, i0, u0, i1, u1, band, right):
    """Add the normal equations of p_1 − p_0, whose slopes by x are j1 and −j0 (3, D).

    The control points of both frames are those from i0 on, four or five of them.
    """
    total = j0.shape[1]
    w0, w1 = weights(u0), weights(u1)
    many = i1 - i0 + 4
    for r in range(3):
        for k in range(many):
            for a in range(total):
                left = 0.0
                if k < 4:
                    left -= w0[k] * j0[r, a]
                if k >= i1 - i0:
                    left += w1[k - (i1 - i0)] * j1[r, a]
                if left == 0.0:
                    continue
                p = (i0 + k) * total + a
                right[p] += omega * left * off[r]
                left *= omega
                for n in range(k + 1):
                    last = a + 1 if n == k else total
                    for b in range(last):
                        other = 0.0
                        if n < 4:
                            other -= w0[n] * j0[r, b]
                        if n >= i1 - i0:
                            other += w1[n - (i1 - i0)] * j1[r, b]
                        if other != 0.0:
                            q = (i0 + n) * total + b
                            band[q, p - q] += left * other
