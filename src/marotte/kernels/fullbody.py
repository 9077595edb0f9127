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

import numpy as np

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
from .dense import back, factor, forth
from .goals import (
    BALANCE,
    DISTANCE,
    GOALS,
    LOOK,
    ORIENTATION,
    POSITION,
    TREE,
    centre_of_mass,
    copy_pose,
    displacement,
    evaluate,
    move,
    nearest_in_area,
    place,
    point_columns,
    point_of,
)  # fmt: skip
from .limits import BOX, FREE, LIMITS, hold, limit_gradients, rim
from .quaternions import rotate

ON_DEMAND = True  # see compiling.all_kernels
# A joint nearer to its bound than this (radians) may come to press against it within a step.
_NEAR = 0.6
# Joints are kept so far inside their bounds, radians, that rounding does not carry them out.
SLACK = 1e-10
REACHED, SETTLED, RAN_OUT = 0, 1, 2
_SLOW = 1e-6  # three steps in a row that gain no more than this part of the objective end the search
# A step is tried at so many lengths, each with so many corrections.
_SHORTER, _CORRECTIONS = 3, 3
_FURTHEST = 1.5  # radians or metres: the longest step that is tried


@inline
def row_weights(goals, f, place_unit, turn_unit, out):
    """out (R,): square roots of what a metre, a radian, off each row weighs."""
    for g in range(goals.kind.shape[0]):
        kind, row = goals.kind[g], goals.row[g]
        # a place and a centre of mass, a distance: metres; the others are turns or directions
        unit = place_unit if (kind == 0 or kind == 3 or kind == BALANCE) else turn_unit
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
def limit_rows(tree, limits, rotations, near, joint, value, gradient, angles, g3):
    """Bounds that may come to press: joint (A,), value (A,) ≤ 0 inside, gradient (A, 3) by the
    joint's own axes. Returns how many there are."""
    found = 0
    for j in range(limits.kind.shape[0]):
        kind = limits.kind[j]
        if kind == FREE or tree.count[j] == 0:
            continue
        limit_gradients(
            kind, limits.order[j], limits.pre[j], limits.post[j],
            rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3], angles, g3,
        )  # fmt: skip
        bounds = limits.bounds[j]
        for k in range(3):
            if kind != BOX and k < 2:
                continue
            low, high = bounds[k, 0], bounds[k, 1]
            # one of the two bounds can press at a time, unless there is no room between them
            if high - angles[k] < near and high - angles[k] <= angles[k] - low:
                joint[found], value[found] = j, angles[k] - high
                for e in range(3):
                    gradient[found, e] = g3[k, e]
                found += 1
            elif angles[k] - low < near:
                joint[found], value[found] = j, low - angles[k]
                for e in range(3):
                    gradient[found, e] = -g3[k, e]
                found += 1
        if kind != BOX:
            a, b = angles[0], angles[1]
            out = rim(a, b, bounds)
            ga = bounds[0, 1] if a > 0.0 else -bounds[0, 0]
            gb = bounds[1, 1] if b > 0.0 else -bounds[1, 0]
            unit = min(ga, gb)
            if out > 1e-9 and math.isfinite(out) and unit > 0.0 and (1.0 - out) * unit < near:
                joint[found], value[found] = j, (out - 1.0) * unit
                u, v = unit * a / (ga * ga * out), unit * b / (gb * gb * out)
                for e in range(3):
                    gradient[found, e] = u * g3[0, e] + v * g3[1, e]
                found += 1
    return found


@inline
def to_freedoms(tree, rotations, j, gradient, out):
    """out (3,): a gradient by the joint's own axes as one by its degrees of freedom."""
    n = tree.count[j]
    if n == 3:
        out[0], out[1], out[2] = gradient[0], gradient[1], gradient[2]
        return
    own = tree.axes[j, n - 1]
    out[n - 1] = gradient[0] * own[0] + gradient[1] * own[1] + gradient[2] * own[2]
    if n == 2:
        # the outer axis belongs to the parent: seen from the joint it is q⁻¹ A
        outer = tree.axes[j, 0]
        w, x, y, z = rotations[j, 0], -rotations[j, 1], -rotations[j, 2], -rotations[j, 3]
        tx = 2.0 * (y * outer[2] - z * outer[1])
        ty = 2.0 * (z * outer[0] - x * outer[2])
        tz = 2.0 * (x * outer[1] - y * outer[0])
        ax = outer[0] + w * tx + y * tz - z * ty
        ay = outer[1] + w * ty + z * tx - x * tz
        az = outer[2] + w * tz + x * ty - y * tx
        out[0] = gradient[0] * ax + gradient[1] * ay + gradient[2] * az


@inline_fused
def gauss_newton(rigidity, x, weights, residual, jacobian, h, gradient, columns):
    """h (D, D), the upper triangle, = M + Jᵀ Ω J; gradient (D,) = M x + Jᵀ Ω c.

    columns (D,) is scratch.
    """
    total = x.shape[0]
    for i in range(total):
        gradient[i] = rigidity[i] * x[i]
        for j in range(i, total):
            h[i, j] = 0.0
        h[i, i] = rigidity[i]
    for r in range(residual.shape[0]):
        omega = weights[r] * weights[r]
        if omega == 0.0:
            continue
        pull = omega * residual[r]
        many = 0  # a goal moves with the joints above it, which are few
        for i in range(total):
            if jacobian[r, i] != 0.0:
                columns[many] = i
                many += 1
        for p in range(many):
            i = columns[p]
            s = jacobian[r, i]
            gradient[i] += s * pull
            s *= omega
            for q in range(p, many):
                j = columns[q]
                h[i, j] += s * jacobian[r, j]


@inline
def _turning_cost(tree, rigidity, x, h):
    """The exact second derivative of ½ M |log(q₀⁻¹ q)|² in place of M, for joints of three."""
    for j in range(tree.parents.shape[0]):
        if tree.count[j] != 3:
            continue
        d = tree.first[j]
        angle = math.sqrt(x[d] * x[d] + x[d + 1] * x[d + 1] + x[d + 2] * x[d + 2])
        if angle < 1e-6:
            continue
        # along x̂ it is M, square to it M ½θ cot ½θ
        lack = rigidity[d] * (1.0 - 0.5 * angle / math.tan(0.5 * angle))
        for a in range(3):
            for b in range(a, 3):
                unit = (1.0 if a == b else 0.0) - x[d + a] * x[d + b] / (angle * angle)
                h[d + a, d + b] -= lack * unit


@inline
def _bend(tree, positions, axes, j, px, py, pz, lx, ly, lz, h, fixed=1.0):
    """Add λ · (how a point on joint j curves) to h: Σ λ · (uᵢ × (uⱼ × (p − pⱼ))), i above j.

    With `fixed` 0 instead of 1, p is a direction on joint j, which has no place.
    """
    k = j
    while k >= 0:
        first, count = tree.first[k], tree.count[k]
        rx, ry, rz = (
            px - fixed * positions[k, 0],
            py - fixed * positions[k, 1],
            pz - fixed * positions[k, 2],
        )
        for e in range(first, first + count):
            # t = (u_e × r) × λ; then λ · (u_i × (u_e × r)) = u_i · t
            cx = axes[e, 1] * rz - axes[e, 2] * ry
            cy = axes[e, 2] * rx - axes[e, 0] * rz
            cz = axes[e, 0] * ry - axes[e, 1] * rx
            tx, ty, tz = cy * lz - cz * ly, cz * lx - cx * lz, cx * ly - cy * lx
            i = k
            while i >= 0:
                low = tree.first[i]
                high = low + tree.count[i] if i != k else e + 1
                for a in range(low, high):
                    s = axes[a, 0] * tx + axes[a, 1] * ty + axes[a, 2] * tz
                    if i == k and count == 3 and a != e:
                        # turns of one rotation vector have no order: the mean of both
                        dx = axes[a, 1] * rz - axes[a, 2] * ry
                        dy = axes[a, 2] * rx - axes[a, 0] * rz
                        dz = axes[a, 0] * ry - axes[a, 1] * rx
                        s = 0.5 * (
                            s
                            + axes[e, 0] * (dy * lz - dz * ly)
                            + axes[e, 1] * (dz * lx - dx * lz)
                            + axes[e, 2] * (dx * ly - dy * lx)
                        )
                    if a <= e:
                        h[a, e] += s
                    else:
                        h[e, a] += s
                i = tree.parents[i]
        k = tree.parents[k]


@inline
def _twist(tree, axes, j, lx, ly, lz, h):
    """Add λ · ½ (uᵢ × uⱼ), i above j: how turns of two joints fail to add up (to second order)."""
    k = j
    while k >= 0:
        first = tree.first[k]
        for e in range(first, first + tree.count[k]):
            # λ · (u_i × u_e) = u_i · (u_e × λ)
            tx = axes[e, 1] * lz - axes[e, 2] * ly
            ty = axes[e, 2] * lx - axes[e, 0] * lz
            tz = axes[e, 0] * ly - axes[e, 1] * lx
            i = tree.parents[k]
            while i >= 0:
                low = tree.first[i]
                for a in range(low, low + tree.count[i]):
                    s = 0.5 * (axes[a, 0] * tx + axes[a, 1] * ty + axes[a, 2] * tz)
                    if a <= e:
                        h[a, e] += s
                    else:
                        h[e, a] += s
                i = tree.parents[i]
        k = tree.parents[k]


@inline
def _spread(total, rows, k, h):
    """Add Rᵀ K R to the upper triangle of h, for rows R (3, D) and K (3, 3), symmetric."""
    for a in range(total):
        x, y, z = rows[0, a], rows[1, a], rows[2, a]
        if x == 0.0 and y == 0.0 and z == 0.0:
            continue
        u = k[0, 0] * x + k[0, 1] * y + k[0, 2] * z
        v = k[1, 0] * x + k[1, 1] * y + k[1, 2] * z
        w = k[2, 0] * x + k[2, 1] * y + k[2, 2] * z
        for b in range(a, total):
            h[a, b] += u * rows[0, b] + v * rows[1, b] + w * rows[2, b]


@inline
def _point_rows(tree, positions, axes, j, px, py, pz, rows, sign, clear):
    """rows (3, D): how a point on joint j moves, times `sign`; added where `clear` is not set."""
    if clear:
        for i in range(3):
            for e in range(tree.total):
                rows[i, e] = 0.0
    point_columns(tree, positions, axes, j, px, py, pz, 1.0, 0.0, 0.0, rows, 0, sign)
    point_columns(tree, positions, axes, j, px, py, pz, 0.0, 1.0, 0.0, rows, 1, sign)
    point_columns(tree, positions, axes, j, px, py, pz, 0.0, 0.0, 1.0, rows, 2, sign)


@inline
def _bend_look(tree, goals, f, g, positions, orientations, axes, lx, ly, lz, m, rows, h):
    """Of d − u: the direction d turns with its joint, u = (t − p) / |t − p| changes as p moves."""
    j = goals.joint[g]
    dx, dy, dz = rotate(
        orientations[j, 0], orientations[j, 1], orientations[j, 2], orientations[j, 3],
        goals.aim[g, 0], goals.aim[g, 1], goals.aim[g, 2],
    )  # fmt: skip
    _bend(tree, positions, axes, j, dx, dy, dz, lx, ly, lz, h, 0.0)
    px, py, pz = point_of(positions, orientations, j, goals.offset[g])
    ux, uy, uz = goals.target[f, g, 0] - px, goals.target[f, g, 1] - py, goals.target[f, g, 2] - pz
    away = math.sqrt(ux * ux + uy * uy + uz * uz)
    if away < 1e-6:
        return
    ux, uy, uz = ux / away, uy / away, uz / away
    s = lx * ux + ly * uy + lz * uz
    # G = (λ − s u) / |t − p| pulls at the point; K = (G uᵀ + u Gᵀ + s (I − u uᵀ) / |t − p|) / |t − p|
    gx, gy, gz = (lx - s * ux) / away, (ly - s * uy) / away, (lz - s * uz) / away
    _bend(tree, positions, axes, j, px, py, pz, gx, gy, gz, h, 1.0)
    t = s / away
    m[0, 0] = (2.0 * gx * ux + t * (1.0 - ux * ux)) / away
    m[1, 1] = (2.0 * gy * uy + t * (1.0 - uy * uy)) / away
    m[2, 2] = (2.0 * gz * uz + t * (1.0 - uz * uz)) / away
    m[0, 1] = m[1, 0] = (gx * uy + ux * gy - t * ux * uy) / away
    m[0, 2] = m[2, 0] = (gx * uz + ux * gz - t * ux * uz) / away
    m[1, 2] = m[2, 1] = (gy * uz + uy * gz - t * uy * uz) / away
    _point_rows(tree, positions, axes, j, px, py, pz, rows, 1.0, True)
    _spread(tree.total, rows, m, h)


@inline
def _bend_distance(tree, goals, f, g, positions, orientations, axes, pull, m, rows, h):
    """Of |p − q|: both points curve, and the line between them turns."""
    j, k = goals.joint[g], goals.other[g]
    px, py, pz = point_of(positions, orientations, j, goals.offset[g])
    if k >= 0:
        qx, qy, qz = point_of(positions, orientations, k, goals.aim[g])
    else:
        qx, qy, qz = goals.anchor[f, g, 0], goals.anchor[f, g, 1], goals.anchor[f, g, 2]
    ux, uy, uz = px - qx, py - qy, pz - qz
    away = math.sqrt(ux * ux + uy * uy + uz * uz)
    if away < 1e-6:
        return
    ux, uy, uz = ux / away, uy / away, uz / away
    _bend(tree, positions, axes, j, px, py, pz, pull * ux, pull * uy, pull * uz, h, 1.0)
    _point_rows(tree, positions, axes, j, px, py, pz, rows, 1.0, True)
    if k >= 0:
        _bend(tree, positions, axes, k, qx, qy, qz, -pull * ux, -pull * uy, -pull * uz, h, 1.0)
        _point_rows(tree, positions, axes, k, qx, qy, qz, rows, -1.0, False)
    t = pull / away
    m[0, 0], m[1, 1], m[2, 2] = t * (1.0 - ux * ux), t * (1.0 - uy * uy), t * (1.0 - uz * uz)
    m[0, 1] = m[1, 0] = -t * ux * uy
    m[0, 2] = m[2, 0] = -t * ux * uz
    m[1, 2] = m[2, 1] = -t * uy * uz
    _spread(tree.total, rows, m, h)


@inline
def _bend_angle(tree, goals, g, rotations, pull, h):
    """Of a twist 2 atan2(s, w), both linear in a turn of the joint (their common factor aside)."""
    j = goals.joint[g]
    d, n = tree.first[j], tree.count[j]
    if n == 2:  # its two axes do not turn together: left to Gauss and Newton
        return
    hx, hy, hz = goals.aim[g, 0], goals.aim[g, 1], goals.aim[g, 2]
    w, x, y, z = rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3]
    s = x * hx + y * hy + z * hz
    size = w * w + s * s
    if size < 1e-12:
        return
    a = (
        0.5 * (w * hx + hy * z - hz * y),
        0.5 * (w * hy + hz * x - hx * z),
        0.5 * (w * hz + hx * y - hy * x),
    )
    b = (-0.5 * x, -0.5 * y, -0.5 * z)
    c = -4.0 * pull / (size * size)
    mixed, same = 0.5 * (w * w - s * s), w * s
    if n == 1:
        own = tree.axes[j, 0]
        p = a[0] * own[0] + a[1] * own[1] + a[2] * own[2]
        q = b[0] * own[0] + b[1] * own[1] + b[2] * own[2]
        h[d, d] += c * (2.0 * mixed * p * q + same * (p * p - q * q))
        return
    for i in range(n):
        for k in range(i, n):
            h[d + i, d + k] += c * (mixed * (a[i] * b[k] + b[i] * a[k]) + same * (a[i] * a[k] - b[i] * b[k]))


@inline
def _bend_balance(tree, goals, f, positions, orientations, axes, lx, lz, h):
    """Of the centre of mass off a straight edge or a corner's point: every mass curves."""
    cx, _, cz = centre_of_mass(tree, positions, orientations)
    _, _, a, b, d = nearest_in_area(goals.support[f], goals.corners[f], cx, cz)
    if a == 0.0 and d == 0.0:
        return
    fx, fz = a * lx + b * lz, b * lx + d * lz
    for k in range(tree.parents.shape[0]):
        share = tree.shares[k]
        if share > 0.0:
            px, py, pz = point_of(positions, orientations, k, tree.centres[k])
            _bend(tree, positions, axes, k, px, py, pz, share * fx, 0.0, share * fz, h, 1.0)


@inline
def curvature(tree, goals, f, positions, orientations, rotations, axes, pull, residual, m, rows, h):
    """Add the goals' second derivatives, times how each pulls (R,), to the upper triangle of h.

    m (3, 3) and rows (3, D) are scratch. Of an orientation, what a turn that is off by much adds
    is left out.
    """
    for g in range(goals.kind.shape[0]):
        kind, row, j = goals.kind[g], goals.row[g], goals.joint[g]
        if goals.weight[f, g] == 0.0:
            continue
        if kind == ORIENTATION:
            _twist(tree, axes, j, pull[row], pull[row + 1], pull[row + 2], h)
        elif kind == POSITION:
            px, py, pz = point_of(positions, orientations, j, goals.offset[g])
            _bend(tree, positions, axes, j, px, py, pz, pull[row], pull[row + 1], pull[row + 2], h, 1.0)
        elif kind == LOOK:
            _bend_look(
                tree, goals, f, g, positions, orientations, axes, pull[row], pull[row + 1],
                pull[row + 2], m, rows, h,
            )  # fmt: skip
        elif kind == BALANCE:
            _bend_balance(tree, goals, f, positions, orientations, axes, pull[row], pull[row + 1], h)
        elif residual[row] != 0.0:  # a bound that is kept has no pull
            if kind == DISTANCE:
                _bend_distance(tree, goals, f, g, positions, orientations, axes, pull[row], m, rows, h)
            else:
                _bend_angle(tree, goals, g, rotations, pull[row], h)


@inline
def press(tree, h, total, found, joint, value, freedoms, pressing, order, solved, inner, y, step):
    """The step (D,) that minimises with the factor h, limits kept: a small dual active set.

    `step` holds the free step on entry. freedoms (A, 3) are the limits' rows, `solved` (A, D) and
    the rest scratch; `pressing` (A,) says which limits press, to begin with and in the end.
    """
    ready = 0
    for a in range(found):
        order[a] = -1
    for _ in range(10):
        size = 0
        changed = False
        for a in range(found):
            if not pressing[a]:
                continue
            if order[a] < 0:  # its row through the factor, once
                line = solved[ready]
                for e in range(total):
                    line[e] = 0.0
                d = tree.first[joint[a]]
                for e in range(tree.count[joint[a]]):
                    line[d + e] = freedoms[a, e]
                forth(h, total, line)
                order[a] = ready
                ready += 1
            y[size] = a + 0.5
            size += 1
        # S H⁻¹ Sᵀ y = what the free step crosses by
        for p in range(size):
            a = int(y[p])
            for q in range(p, size):
                b = int(y[q])
                s = 0.0
                for e in range(total):
                    s += solved[order[a], e] * solved[order[b], e]
                inner[p, q] = s * (1.0 + 1e-9) if p == q else s
        for p in range(size):
            a = int(y[p])
            d = tree.first[joint[a]]
            s = value[a]
            for e in range(tree.count[joint[a]]):
                s += freedoms[a, e] * step[d + e]
            inner[size, p] = s
            inner[size + 1, p] = y[p]
        if size > 0:
            if not factor(inner, size):
                return False
            right = inner[size]
            forth(inner, size, right)
            back(inner, size, right)
        # the step with these limits
        move_ = inner[size + 2]
        for e in range(total):
            move_[e] = 0.0
        for p in range(size):
            a = int(inner[size + 1, p])
            for e in range(total):
                move_[e] -= inner[size, p] * solved[order[a], e]
        if size > 0:
            back(h, total, move_)
        for p in range(size):
            if inner[size, p] < -1e-12:  # it pulls: let go
                pressing[int(inner[size + 1, p])] = False
                changed = True
        if not changed:
            worst, who = 1e-9, -1
            for a in range(found):
                if not pressing[a]:
                    d = tree.first[joint[a]]
                    s = value[a]
                    for e in range(tree.count[joint[a]]):
                        s += freedoms[a, e] * (step[d + e] + move_[d + e])
                    if s > worst:
                        worst, who = s, a
            if who >= 0:
                pressing[who] = True
                changed = True
        if not changed:
            break
    for e in range(total):
        step[e] += move_[e]
    return True


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
    """gradient (D,) and second derivatives h (D, D), upper triangle, of the objective at a pose."""
    joints, total, rows = tree.parents.shape[0], tree.total, goals.rows
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    axes, m, jacobian = np.empty((max(1, total), 3)), np.empty((3, 3)), np.empty((rows, total))
    residual, weights, x = np.empty(rows), np.empty(rows), np.empty(total)
    row_weights(goals, f, place_unit, turn_unit, weights)
    place(tree, root, rotations, positions, orientations)
    evaluate(tree, goals, f, positions, orientations, rotations, axes, m, residual, jacobian, True)
    displacement(tree, root, rotations, root0, rotations0, x)
    gauss_newton(rigidity, x, weights, residual, jacobian, h, gradient, np.empty(total, np.int64))
    _turning_cost(tree, rigidity, x, h)
    for r in range(rows):
        residual[r] *= weights[r] * weights[r]
    curvature(
        tree, goals, f, positions, orientations, rotations, axes, residual, residual, m,
        np.empty((3, total)), h,
    )  # fmt: skip


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
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    axes, m = np.empty((max(1, total), 3)), np.empty((3, 3))
    jacobian = np.empty((rows, total))
    residual, weights, kept = np.empty(rows), np.empty(rows), np.empty(rows)
    correction, pull = np.empty(total), np.empty(rows)
    x, step, last, gradient = np.empty(total), np.empty(total), np.zeros(total), np.empty(total)
    reach = np.empty(total, np.int64)
    h, plain, spread = np.empty((total, total)), np.empty((total, total)), np.empty((3, total))
    bounds = 3 * joints
    joint, value = np.empty(bounds, np.int64), np.empty(bounds)
    slopes, freedoms = np.empty((bounds, 3)), np.empty((bounds, 3))
    pressing, order = np.zeros(bounds, np.bool_), np.empty(bounds, np.int64)
    solved, y = np.empty((bounds, total)), np.empty(bounds)
    inner = np.empty((bounds + 3, max(total, bounds)))
    angles, g3 = np.empty(3), np.empty((3, 3))
    try_root, try_rotations = np.empty(3), np.empty((joints, 4))
    for at in range(first, stop):
        f = frames[at]
        row_weights(goals, f, place_unit, turn_unit, weights)
        if warm and at > first:
            copy_pose(root0[f], rotations0[f], root[f], rotations[f])
            move(tree, last, 1.0, root[f], rotations[f])
        hold(limits, rotations[f], SLACK)
        damping, steps, why, found, cost, slow = 0.0, 0, RAN_OUT, 0, 0.0, 0
        crawling = False  # whether Gauss and Newton's last step gained little
        for r in range(rows):
            pull[r] = 0.0
        while True:
            place(tree, root[f], rotations[f], positions, orientations)
            evaluate(tree, goals, f, positions, orientations, rotations[f], axes, m, residual, jacobian, True)
            displacement(tree, root[f], rotations[f], root0[f], rotations0[f], x)
            cost = objective(rigidity, x, weights, residual)
            if steps >= most or why != RAN_OUT:
                break
            gauss_newton(rigidity, x, weights, residual, jacobian, plain, gradient, reach)
            for r in range(rows):
                kept[r] = residual[r]
            found = limit_rows(tree, limits, rotations[f], _NEAR, joint, value, slopes, angles, g3)
            for a in range(found):
                to_freedoms(tree, rotations[f], joint[a], slopes[a], freedoms[a])
                pressing[a] = value[a] > -1e-7
            newton, mend = True, crawling
            while steps < most:
                steps += 1
                for i in range(total):
                    for j in range(i, total):
                        h[i, j] = plain[i, j]
                if newton:
                    _turning_cost(tree, rigidity, x, h)
                    curvature(
                        tree, goals, f, positions, orientations, rotations[f], axes, pull, residual, m,
                        spread, h,
                    )  # fmt: skip
                for i in range(total):
                    h[i, i] += damping * plain[i, i]
                if not factor(h, total):
                    if newton and mend:
                        damping = max(1e-3, 4.0 * damping)
                    elif newton:
                        newton = False  # not positive: leave the second derivatives out
                    else:
                        damping = max(1e-4, 10.0 * damping)
                    steps -= 1
                    if damping > 1e8:
                        why = SETTLED
                        break
                    continue
                for e in range(total):
                    step[e] = -gradient[e]
                forth(h, total, step)
                back(h, total, step)
                if found > 0 and not press(
                    tree, h, total, found, joint, value, freedoms, pressing, order, solved, inner, y,
                    step,
                ):  # fmt: skip
                    damping = max(1e-4, 10.0 * damping)
                    if damping > 1e8:
                        why = SETTLED
                        break
                    continue
                longest = 0.0
                for e in range(total):
                    longest = max(longest, abs(step[e]))
                scale = min(1.0, _FURTHEST / longest) if longest > 0.0 else 1.0
                # x, residual and the places belong to the pose that is tried: recomputed if it is not kept
                now, short = math.inf, False
                for _ in range(_SHORTER):
                    short = longest * scale < tolerance
                    copy_pose(root[f], rotations[f], try_root, try_rotations)
                    for correcting in range(_CORRECTIONS + 1):
                        if correcting == 0:
                            move(tree, step, scale, try_root, try_rotations)
                        else:
                            # the goals bend away from the step: correct what they are off beyond
                            # what was foreseen, with the same matrix (second-order corrections)
                            foreseen(jacobian, kept, step, scale, weights, residual, correction)
                            forth(h, total, correction)
                            back(h, total, correction)
                            move(tree, correction, 1.0, try_root, try_rotations)
                        hold(limits, try_rotations, SLACK)
                        place(tree, try_root, try_rotations, positions, orientations)
                        evaluate(
                            tree, goals, f, positions, orientations, try_rotations, axes, m, residual,
                            jacobian, False,
                        )  # fmt: skip
                        displacement(tree, try_root, try_rotations, root0[f], rotations0[f], x)
                        last_now = now if correcting > 0 else math.inf
                        now = objective(rigidity, x, weights, residual)
                        if now <= cost or short or now > 0.5 * last_now:
                            break
                    if now <= cost or short:
                        break
                    scale *= 0.4
                if now <= cost or (short and now <= cost * (1.0 + 1e-10)):
                    copy_pose(try_root, try_rotations, root[f], rotations[f])
                    for r in range(rows):
                        off = kept[r]
                        for e in range(total):
                            off += jacobian[r, e] * step[e]
                        pull[r] = weights[r] * weights[r] * off
                    damping = 0.0 if damping < 1e-3 else 0.1 * damping
                    crawling = (mend or not newton) and now > 0.5 * cost
                    slow = slow + 1 if cost - now <= _SLOW * cost else 0
                    if short or slow == 3:
                        why = REACHED
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
                place(tree, root[f], rotations[f], positions, orientations)
                evaluate(
                    tree, goals, f, positions, orientations, rotations[f], axes, m, residual,
                    jacobian, False,
                )  # fmt: skip
                displacement(tree, root[f], rotations[f], root0[f], rotations0[f], x)
        for e in range(total):
            last[e] = x[e]
        pressed = 0
        for a in range(found):
            if pressing[a]:
                pressed += 1
        for r in range(rows):
            residuals[f, r] = residual[r]
        facts[f, 0], facts[f, 1], facts[f, 2], facts[f, 3] = steps, cost, why, pressed
