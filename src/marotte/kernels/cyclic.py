"""Cyclic coordinate descent (L97 3.2): one degree of freedom after another, each to its best.

A turn by φ about an axis u through c takes a point p that shall be at t to where
ω |R p − t|² is least; over all goals that the axis moves, that is the greatest A cos φ + B sin φ with
A = Σ ω (p·t − (u·p)(u·t)), B = Σ ω u·(p × t), p and t seen from c. An orientation is three such
directions. So φ = atan2(B, A), for any number of goals at once; the root goes by the mean of what
is missing. Every joint is brought within its limits as soon as it has turned.
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
    OUT2,
    OUT3,
    inline,
    kernel,
)  # fmt: skip
from .cost import RAN_OUT, REACHED, SETTLED, SLACK, objective, row_weights
from .goals import (
    GOALS,
    ORIENTATION,
    TREE,
    copy_pose,
    displacement,
    evaluate,
    move,
    place,
    point_of,
)  # fmt: skip
from .limits import FREE, LIMITS, hold, within
from .quaternions import exp, multiply, rotate

ON_DEMAND = True  # see compiling.all_kernels
_SETTLED = 1e-5  # five sweeps in a row that gain no more than this part of what is off end the search


@inline
def _under(tree, j, top):
    """Whether joint j is `top` or hangs on it."""
    while j > top:
        j = tree.parents[j]
    return j == top


@inline
def _best_turn(tree, goals, f, place_unit, turn_unit, positions, orientations, top, u):
    """The turn about the unit axis u (3,) through joint `top` that serves all goals below it best."""
    ux, uy, uz = u[0], u[1], u[2]
    along, across = 0.0, 0.0
    for g in range(goals.kind.shape[0]):
        weight = goals.weight[f, g]
        j = goals.joint[g]
        if weight == 0.0 or not _under(tree, j, top):
            continue
        if goals.kind[g] == ORIENTATION:
            w, x, y, z = multiply(
                goals.target[f, g, 0], goals.target[f, g, 1], goals.target[f, g, 2], goals.target[f, g, 3],
                orientations[j, 0], -orientations[j, 1], -orientations[j, 2], -orientations[j, 3],
            )  # fmt: skip
            # of E = target · now⁻¹: A = trace E − u·E u, B = what is skew of E, along u
            unit = weight * turn_unit
            s = x * ux + y * uy + z * uz
            along += unit * 2.0 * (w * w - s * s)
            across += unit * 4.0 * w * s
        else:
            px, py, pz = point_of(positions, orientations, j, goals.offset[g])
            px, py, pz = px - positions[top, 0], py - positions[top, 1], pz - positions[top, 2]
            tx = goals.target[f, g, 0] - positions[top, 0]
            ty = goals.target[f, g, 1] - positions[top, 1]
            tz = goals.target[f, g, 2] - positions[top, 2]
            unit = weight * place_unit
            pu, tu = px * ux + py * uy + pz * uz, tx * ux + ty * uy + tz * uz
            along += unit * (px * tx + py * ty + pz * tz - pu * tu)
            across += unit * (ux * (py * tz - pz * ty) + uy * (pz * tx - px * tz) + uz * (px * ty - py * tx))
    if along * along + across * across < 1e-24:
        return 0.0
    return math.atan2(across, along)


@inline
def _shift_root(tree, goals, f, positions, orientations, root):
    """The root by the mean of what places are off."""
    x, y, z, total = 0.0, 0.0, 0.0, 0.0
    for g in range(goals.kind.shape[0]):
        weight = goals.weight[f, g]
        if weight > 0.0 and goals.kind[g] != ORIENTATION:
            px, py, pz = point_of(positions, orientations, goals.joint[g], goals.offset[g])
            x += weight * (goals.target[f, g, 0] - px)
            y += weight * (goals.target[f, g, 1] - py)
            z += weight * (goals.target[f, g, 2] - pz)
            total += weight
    if total > 0.0:
        root[0] += x / total
        root[1] += y / total
        root[2] += z / total


@inline
def _turn_joint(tree, limits, j, k, angle, rotations):
    """Turn joint j by its k-th degree of freedom, and bring it within its limits."""
    n = tree.count[j]
    w, x, y, z = rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3]
    if n == 3:
        bw, bx, by, bz = exp(angle if k == 0 else 0.0, angle if k == 1 else 0.0, angle if k == 2 else 0.0)
        w, x, y, z = multiply(w, x, y, z, bw, bx, by, bz)
    else:
        axis = tree.axes[j, k]
        bw, bx, by, bz = exp(angle * axis[0], angle * axis[1], angle * axis[2])
        if n == 2 and k == 0:
            w, x, y, z = multiply(bw, bx, by, bz, w, x, y, z)
        else:
            w, x, y, z = multiply(w, x, y, z, bw, bx, by, bz)
    if limits.kind[j] != FREE:
        _, w, x, y, z = within(
            limits.kind[j], limits.order[j], limits.bounds[j], limits.pre[j], limits.post[j],
            w, x, y, z, SLACK,
        )  # fmt: skip
    s = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    rotations[j, 0], rotations[j, 1] = w * s, x * s
    rotations[j, 2], rotations[j, 3] = y * s, z * s


@inline
def _axis_of(tree, orientations, j, k, u):
    """u (3,): the k-th axis of joint j in the world."""
    n = tree.count[j]
    q = j if n != 2 or k == 1 else tree.parents[j]
    if n == 3:
        ax, ay, az = (1.0 if k == 0 else 0.0), (1.0 if k == 1 else 0.0), (1.0 if k == 2 else 0.0)
    else:
        ax, ay, az = tree.axes[j, k, 0], tree.axes[j, k, 1], tree.axes[j, k, 2]
    if q >= 0:
        ax, ay, az = rotate(
            orientations[q, 0], orientations[q, 1], orientations[q, 2], orientations[q, 3], ax, ay, az
        )
    u[0], u[1], u[2] = ax, ay, az


@kernel(
    TREE, LIMITS, GOALS, IN1, FLOAT, FLOAT, FLOAT, IN2, IN3, OUT2, OUT3, OUT2, OUT2, INTS1, INT, INT,
    BOOL, INT, FLOAT,
)  # fmt: skip
def solve_frames(
    tree, limits, goals, rigidity, place_unit, turn_unit, aim, root0, rotations0, root, rotations,
    residuals, facts, frames, first, stop, warm, most, tolerance,
):  # fmt: skip
    """Poses for frames[first:stop]; see fullbody.solve_frames. A step is a sweep over all joints, from
    the tips to the root; it ends where what goals cost falls below `aim`."""
    joints, total, rows = tree.parents.shape[0], tree.total, goals.rows
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    axes, m, jacobian = np.empty((1, 3)), np.empty((3, 3)), np.empty((1, 1))
    residual, weights, x, u = np.empty(rows), np.empty(rows), np.empty(total), np.empty(3)
    last, nothing = np.zeros(total), np.zeros(total)
    best_root, best_rotations = np.empty(3), np.empty((joints, 4))
    moves = np.zeros(joints, np.bool_)
    for at in range(first, stop):
        f = frames[at]
        row_weights(goals, f, place_unit, turn_unit, weights)
        for j in range(joints):
            moves[j] = False
        for g in range(goals.kind.shape[0]):
            if goals.weight[f, g] > 0.0:
                j = goals.joint[g]
                while j >= 0:
                    moves[j] = True
                    j = tree.parents[j]
        if warm and at > first:
            copy_pose(root0[f], rotations0[f], root[f], rotations[f])
            move(tree, last, 1.0, root[f], rotations[f])
        hold(limits, rotations[f], SLACK)
        steps, why, slow, best = 0, RAN_OUT, 0, math.inf
        while True:
            place(tree, root[f], rotations[f], positions, orientations)
            evaluate(
                tree, goals, f, positions, orientations, rotations[f], axes, m, residual, jacobian, False
            )
            cost = objective(nothing, last, weights, residual)
            slow = slow + 1 if cost > (1.0 - _SETTLED) * best else 0
            if cost < best:
                best = cost
                copy_pose(root[f], rotations[f], best_root, best_rotations)
            if cost <= aim:
                why = REACHED
            elif slow >= 5:
                why = SETTLED
            if why != RAN_OUT or steps >= most:
                break
            steps += 1
            for j in range(joints - 1, -1, -1):
                if not moves[j]:
                    continue
                for k in range(tree.count[j] - 1, -1, -1):
                    _axis_of(tree, orientations, j, k, u)
                    angle = _best_turn(tree, goals, f, place_unit, turn_unit, positions, orientations, j, u)
                    if abs(angle) > tolerance:
                        _turn_joint(tree, limits, j, k, angle, rotations[f])
                        place(tree, root[f], rotations[f], positions, orientations)
            if tree.place > 0:
                _shift_root(tree, goals, f, positions, orientations, root[f])
        copy_pose(best_root, best_rotations, root[f], rotations[f])
        pressed = hold(limits, rotations[f], SLACK)
        place(tree, root[f], rotations[f], positions, orientations)
        evaluate(tree, goals, f, positions, orientations, rotations[f], axes, m, residual, jacobian, False)
        displacement(tree, root[f], rotations[f], root0[f], rotations0[f], x)
        for e in range(total):
            last[e] = x[e]
        for r in range(rows):
            residuals[f, r] = residual[r]
        facts[f, 0], facts[f, 1] = steps, objective(rigidity, x, weights, residual)
        facts[f, 2], facts[f, 3] = why, pressed
