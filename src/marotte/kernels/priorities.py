"""Damped least squares, and layers of priorities in the null spaces of those before (CBT09 eq. 6-10).

One step of layer k, after Δ of the layers above it:

    Δ ← Δ + (J P)ᵀ (J P Pᵀ Jᵀ + λ² I)⁻¹ (e − J Δ)

P = I − Qᵀ Q projects onto what no row of a higher layer feels; the rows of Q are an orthonormal
basis of all those rows together (the augmented projection), so that no layer disturbs any above
it. With a single layer this is damped least squares. Below all layers the pose is drawn to the
reference in what is left. Limits that press stand above all of them.

Degrees of freedom are measured by their rigidity, z = M^½ x, so that least squares are LS99 eq. 4.
"""

from __future__ import annotations

import math

import numpy as np

from .active_set import limit_rows, to_freedoms
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
from .dense import factor, solve
from .goals import GOALS, TREE, copy_pose, displacement, evaluate, move, place
from .limits import LIMITS, hold

ON_DEMAND = True  # see compiling.all_kernels
_NEAR = 0.3  # radians from its bound a joint may come to press within a step
_FURTHEST = 0.5  # radians or metres: the longest step
_LEAST, _MOST = 1e-8, 1e4  # damping λ²; residuals are shares of the height, rows about 0.5 long
_PULL = 0.3  # shares of the height: no layer asks for more in one step
_SAME = 1e-3  # a row that the rows before leave less of than this part adds nothing to them
_MET = 4e-10  # a layer that is off by less, squared shares of the height, does not mind a little more
_GAIN = 1e-3  # a layer that gains at least this part pays for what the layers below it lose


@inline_fused
def _outside(basis, many, row):
    """What of row (D,) the orthonormal basis (many, D) does not span, in place; twice, for rounding."""
    total = row.shape[0]
    for _ in range(2):
        for b in range(many):
            s = 0.0
            for e in range(total):
                s += basis[b, e] * row[e]
            if s != 0.0:
                for e in range(total):
                    row[e] -= s * basis[b, e]


@inline_fused
def _length(row):
    s = 0.0
    for e in range(row.shape[0]):
        s += row[e] * row[e]
    return math.sqrt(s)


@inline_fused
def _layer(
    jacobian, residual, weights, layer_of, layer, stretch, basis, many, damping, step, a, inner, right
):
    """One layer's part of the step (D,); a (R, D), inner (R, R) and right (R,) are scratch."""
    total, size, most = step.shape[0], 0, _PULL
    for r in range(residual.shape[0]):
        if layer_of[r] == layer:
            most = max(most, abs(weights[r] * residual[r]))
    ease = _PULL / most
    for r in range(residual.shape[0]):
        if layer_of[r] != layer or weights[r] == 0.0:
            continue
        row, missing = a[size], -weights[r] * residual[r] * ease
        for e in range(total):
            row[e] = weights[r] * jacobian[r, e] * stretch[e]
            missing -= row[e] * step[e]
        right[size] = missing
        _outside(basis, many, row)
        size += 1
    if size == 0:
        return
    for p in range(size):
        for q in range(p + 1):
            s = 0.0
            for e in range(total):
                s += a[p, e] * a[q, e]
            inner[p, q] = s
        inner[p, p] += damping
    if factor(inner, size):
        solve(inner, size, right)
        for p in range(size):
            for e in range(total):
                step[e] += a[p, e] * right[p]


@inline
def _grow(jacobian, weights, layer_of, layer, stretch, basis, many, row):
    """The basis with the rows of one layer; how many it has then."""
    total = row.shape[0]
    for r in range(weights.shape[0]):
        if layer_of[r] != layer or weights[r] == 0.0 or many >= total:
            continue
        for e in range(total):
            row[e] = jacobian[r, e] * stretch[e]
        whole = _length(row)
        _outside(basis, many, row)
        left = _length(row)
        if left > _SAME * whole and left > 1e-9:
            for e in range(total):
                basis[many, e] = row[e] / left
            many += 1
    return many


@inline
def _judge(residual, weights, layer_of, layers, out):
    """out (L,): what every layer is off by, squared."""
    for k in range(layers):
        out[k] = 0.0
    for r in range(residual.shape[0]):
        out[layer_of[r]] += (weights[r] * residual[r]) ** 2


@inline
def _better(now, before, layers):
    """Whether a step may be taken: no layer loses, unless one above it gains."""
    for k in range(layers):
        if now[k] > before[k] and now[k] > _MET:
            return False
        if before[k] > _MET and now[k] < (1.0 - _GAIN) * before[k]:
            return True
    return True


@inline
def _same_again(now, before, layers):
    same = True
    for k in range(layers):
        same = same and abs(now[k] - before[k]) <= 1e-6 * before[k] + 1e-12
    return same


@inline_fused
def _change(rigidity, x):
    """xᵀ M x (LS99 eq. 4)."""
    total = 0.0
    for e in range(x.shape[0]):
        total += rigidity[e] * x[e] * x[e]
    return total


@kernel(
    TREE, LIMITS, GOALS, IN1, INTS1, INT, FLOAT, FLOAT, FLOAT, IN2, IN3, OUT2, OUT3, OUT2, OUT2, INTS1,
    INT, INT, BOOL, INT, FLOAT,
)  # fmt: skip
def solve_frames(
    tree, limits, goals, rigidity, layer_of, layers, height, place_unit, turn_unit, root0, rotations0,
    root, rotations, residuals, facts, frames, first, stop, warm, most, tolerance,
):  # fmt: skip
    """Poses for frames[first:stop]; see fullbody.solve_frames. layer_of (R,) is 0 for the rows that
    are served first, `layers` how many there are, `height` the figure's, metres."""
    joints, total, rows = tree.parents.shape[0], tree.total, goals.rows
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    axes, m, jacobian = np.empty((max(1, total), 3)), np.empty((3, 3)), np.empty((rows, total))
    residual, weights, full = np.empty(rows), np.empty(rows), np.empty(rows)
    x, step, last, row = np.empty(total), np.zeros(total), np.zeros(total), np.empty(total)
    stretch, basis = np.empty(total), np.empty((total + 1, total))
    a, inner, right = np.empty((rows + 1, total)), np.empty((rows + 1, rows + 1)), np.empty(rows + 1)
    cost, now = np.empty(layers), np.empty(layers)
    bounds = 3 * joints
    joint, value, slopes = np.empty(bounds, np.int64), np.empty(bounds), np.empty((bounds, 3))
    freedoms, pressing = np.empty((bounds, 3)), np.zeros(bounds, np.bool_)
    angles, g3 = np.empty(3), np.empty((3, 3))
    try_root, try_rotations = np.empty(3), np.empty((joints, 4))
    for e in range(total):
        stretch[e] = 1.0 / math.sqrt(rigidity[e])
    for at in range(first, stop):
        f = frames[at]
        row_weights(goals, f, place_unit, turn_unit, full)
        # shares of the height: what a weight of 1 makes of a metre, a radian
        top = height * math.sqrt(place_unit)
        for r in range(rows):
            weights[r] = full[r] / top
        if warm and at > first:
            copy_pose(root0[f], rotations0[f], root[f], rotations[f])
            move(tree, last, 1.0, root[f], rotations[f])
        hold(limits, rotations[f], SLACK)
        damping, steps, why, slow, pressed = 1e-4, 0, RAN_OUT, 0, 0
        yielding = 1.0  # how much of the way to the reference is taken
        while True:
            place(tree, root[f], rotations[f], positions, orientations)
            evaluate(tree, goals, f, positions, orientations, rotations[f], axes, m, residual, jacobian, True)
            displacement(tree, root[f], rotations[f], root0[f], rotations0[f], x)
            _judge(residual, weights, layer_of, layers, cost)
            change = _change(rigidity, x)
            if steps >= most or why != RAN_OUT:
                break
            found = limit_rows(tree, limits, rotations[f], _NEAR, joint, value, slopes, angles, g3)
            for c in range(found):
                to_freedoms(tree, rotations[f], joint[c], slopes[c], freedoms[c])
                pressing[c] = False
            while steps < most:
                steps += 1
                # limits that the step would cross are added until it crosses none
                for _ in range(6):
                    many = 0
                    for e in range(total):
                        step[e] = 0.0
                    for c in range(found):
                        if not pressing[c] or many >= total:
                            continue
                        d = tree.first[joint[c]]
                        for e in range(total):
                            row[e] = 0.0
                        for e in range(tree.count[joint[c]]):
                            row[d + e] = freedoms[c, e] * stretch[d + e]
                        whole = -value[c]
                        for e in range(total):
                            whole -= row[e] * step[e]
                        _outside(basis, many, row)
                        left = _length(row)
                        if left > 1e-6:
                            for e in range(total):
                                basis[many, e] = row[e] / left
                                step[e] += row[e] * whole / (left * left)
                            many += 1
                    for layer in range(layers):
                        _layer(
                            jacobian, residual, weights, layer_of, layer, stretch, basis, many, damping,
                            step, a, inner, right,
                        )  # fmt: skip
                        many = _grow(jacobian, weights, layer_of, layer, stretch, basis, many, row)
                    # to the reference, in what is left
                    for e in range(total):
                        row[e] = yielding * (-x[e] / stretch[e] - step[e])
                    _outside(basis, many, row)
                    for e in range(total):
                        step[e] += row[e]
                    crossed = False
                    for c in range(found):
                        if not pressing[c]:
                            d, s = tree.first[joint[c]], value[c]
                            for e in range(tree.count[joint[c]]):
                                s += freedoms[c, e] * step[d + e] * stretch[d + e]
                            if s > 1e-9:
                                pressing[c] = True
                                crossed = True
                    if not crossed:
                        break
                longest = 0.0
                for e in range(total):
                    step[e] *= stretch[e]
                    longest = max(longest, abs(step[e]))
                scale = min(1.0, _FURTHEST / longest) if longest > 0.0 else 1.0
                copy_pose(root[f], rotations[f], try_root, try_rotations)
                move(tree, step, scale, try_root, try_rotations)
                hold(limits, try_rotations, SLACK)
                place(tree, try_root, try_rotations, positions, orientations)
                evaluate(
                    tree, goals, f, positions, orientations, try_rotations, axes, m, residual, jacobian,
                    False,
                )  # fmt: skip
                _judge(residual, weights, layer_of, layers, now)
                short = longest * scale < tolerance
                if _better(now, cost, layers) or short:
                    copy_pose(try_root, try_rotations, root[f], rotations[f])
                    displacement(tree, try_root, try_rotations, root0[f], rotations0[f], x)
                    changed = _change(rigidity, x)
                    damping, yielding = max(_LEAST, 0.1 * damping), min(1.0, 4.0 * yielding)
                    same = _same_again(now, cost, layers) and abs(changed - change) <= 1e-6 * change
                    slow = slow + 1 if same else 0
                    if short or slow >= 5:
                        why = REACHED
                    break
                damping *= 8.0
                yielding *= 0.25
                place(tree, root[f], rotations[f], positions, orientations)
                evaluate(
                    tree, goals, f, positions, orientations, rotations[f], axes, m, residual, jacobian, False
                )
                if damping > _MOST:
                    why = SETTLED
                    break
            pressed = 0
            for c in range(found):
                if pressing[c]:
                    pressed += 1
        for e in range(total):
            last[e] = x[e]
        for r in range(rows):
            residuals[f, r] = residual[r]
        facts[f, 0], facts[f, 1] = steps, objective(rigidity, x, full, residual)
        facts[f, 2], facts[f, 3] = why, pressed
