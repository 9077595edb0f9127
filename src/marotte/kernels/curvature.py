"""Second derivatives of what goals ask, times how hard each goal pulls, and of what a turn costs.

A point on a chain curves as Σ uᵢ × (uⱼ × (p − pⱼ)), i above j, for turns uᵢ about axes in the world;
everything else here follows from that by the chain rule.
"""

from __future__ import annotations

import math

from .compiling import inline
from .goals import (
    BALANCE,
    DISTANCE,
    LOOK,
    ORIENTATION,
    POSITION,
    centre_of_mass,
    nearest_in_area,
    point_columns,
    point_of,
)
from .quaternions import rotate


@inline
def turning_cost(tree, rigidity, x, h):
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
                h[d + b, d + a] -= lack * unit


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
                        h[e, a] += s
                    else:
                        h[a, e] += s
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
                        h[e, a] += s
                    else:
                        h[a, e] += s
                i = tree.parents[i]
        k = tree.parents[k]


@inline
def _spread(total, rows, k, h):
    """Add Rᵀ K R to the lower triangle of h, for rows R (3, D) and K (3, 3), symmetric."""
    for a in range(total):
        x, y, z = rows[0, a], rows[1, a], rows[2, a]
        if x == 0.0 and y == 0.0 and z == 0.0:
            continue
        u = k[0, 0] * x + k[0, 1] * y + k[0, 2] * z
        v = k[1, 0] * x + k[1, 1] * y + k[1, 2] * z
        w = k[2, 0] * x + k[2, 1] * y + k[2, 2] * z
        for b in range(a + 1):
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
            h[d + k, d + i] += c * (mixed * (a[i] * b[k] + b[i] * a[k]) + same * (a[i] * a[k] - b[i] * b[k]))


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
    """Add the goals' second derivatives, times how each pulls (R,), to the lower triangle of h.

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
