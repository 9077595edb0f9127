"""Joint limits as inequalities of a quadratic step: which may press, and the step that keeps them."""

from __future__ import annotations

import math

from .compiling import inline
from .dense import back, factor, forth
from .limits import BOX, FREE, limit_gradients, rim, same_turn


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
            angles[k] = same_turn(angles[k], low, high)
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
            for q in range(p + 1):
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
