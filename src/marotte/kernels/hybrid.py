"""The hybrid solver: limbs in closed form inside the objective (LS99 5.2).

The unknowns are the root's place, the turns of the trunk and one swivel a limb; whatever they are,
limbs whose ends have goals meet them in closed form (LS99 5.3), and what their joints had to turn
for that is part of the objective. So goals cost nothing but where a limb is too short.

How a limb's joints follow is exact too. With the root joint moving at v and its parent turning at
ω, the end being held: the hinge turns as the distance asks (eq. 7), the root joint as the line
does, by W × (−v − hinge's share − ω × W) / |W|² beyond ω, and the swivel turns it about that line.
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
    INTS2,
    OUT2,
    OUT3,
    inline,
    inline_fused,
    kernel,
)
from .dense import back, factor, forth
from .fullbody import (
    RAN_OUT,
    REACHED,
    SETTLED,
    SLACK,
    limit_rows,
    objective,
    press,
    row_weights,
    to_freedoms,
)
from .goals import GOALS, TREE, copy_pose, displacement, evaluate, move, place, point_of, world_axes
from .limb import LIMBS, reach, turn_end
from .limits import LIMITS, exceeded, hold, within
from .quaternions import rotate

ON_DEMAND = True  # see compiling.all_kernels
_NEAR = 0.6
_FURTHEST = 1.5
_SLOW = 1e-6
# Of its length a limb is stretched no further than this in the first guess.
_EASY, _ROUNDS = 0.985, 12


@inline
def _settle(
    tree,
    goals,
    f,
    limbs,
    served,
    i,
    root,
    rotations,
    positions,
    orientations,
    swivel,
    e0,
    o1,
    o2,
    goal,
    facts,
):
    """Bring limb i of `served` to its goals; positions and orientations are those of the trunk."""
    limb, g, t = served[i, 0], served[i, 1], served[i, 2]
    r = limbs.root[limb]
    p = tree.parents[r]
    px, py, pz = rotate(
        orientations[p, 0], orientations[p, 1], orientations[p, 2], orientations[p, 3],
        tree.offsets[r, 0], tree.offsets[r, 1], tree.offsets[r, 2],
    )  # fmt: skip
    at = (positions[p, 0] + px, positions[p, 1] + py, positions[p, 2] + pz)
    ox, oy, oz = goals.offset[g, 0], goals.offset[g, 1], goals.offset[g, 2]
    goal[0], goal[1], goal[2] = goals.target[f, g, 0], goals.target[f, g, 1], goals.target[f, g, 2]
    turned = t >= 0 and goals.weight[f, t] > 0.0
    if turned:
        vx, vy, vz = rotate(
            goals.target[f, t, 0], goals.target[f, t, 1], goals.target[f, t, 2], goals.target[f, t, 3],
            ox, oy, oz,
        )  # fmt: skip
        goal[0] -= vx
        goal[1] -= vy
        goal[2] -= vz
        ox, oy, oz = 0.0, 0.0, 0.0
    reach(tree, limbs, limb, rotations, orientations[p], at, goal, ox, oy, oz, swivel, e0, o1, o2, facts)
    if turned:
        turn_end(
            tree, limbs, limb, rotations, orientations[p],
            goals.target[f, t, 0], goals.target[f, t, 1], goals.target[f, t, 2], goals.target[f, t, 3],
        )  # fmt: skip


@inline
def _pose(
    tree,
    goals,
    f,
    limbs,
    served,
    root,
    rotations,
    positions,
    orientations,
    step,
    scale,
    swivels,
    e0,
    o1,
    o2,
    goal,
    facts,
):
    """Limbs to their goals and everything to its place in the world."""
    place(tree, root, rotations, positions, orientations)
    for i in range(served.shape[0]):
        if goals.weight[f, served[i, 1]] > 0.0:
            swivel = scale * step[swivels + i]
            _settle(
                tree, goals, f, limbs, served, i, root, rotations, positions, orientations, swivel,
                e0, o1, o2, goal, facts[i],
            )  # fmt: skip
    place(tree, root, rotations, positions, orientations)


@inline
def _shift(tree, trunk, goals, f, limbs, served, root, rotations, positions, orientations, ends, goal):
    """The first guess: the root by the mean of what the ends must move (SLSG01 eq. 16), then, limb
    by limb, to where none is stretched. From beyond reach nothing tells how far a hinge should bend.
    """
    if trunk.place == 0:
        return
    place(tree, root, rotations, positions, orientations)
    x, y, z, total = 0.0, 0.0, 0.0, 0.0
    for i in range(served.shape[0]):
        g, t, r = served[i, 1], served[i, 2], limbs.root[served[i, 0]]
        weight = goals.weight[f, g]
        if weight == 0.0:
            continue
        px, py, pz = point_of(positions, orientations, goals.joint[g], goals.offset[g])
        for k in range(3):
            goal[k] = goals.target[f, g, k]
        x += weight * (goal[0] - px)
        y += weight * (goal[1] - py)
        z += weight * (goal[2] - pz)
        total += weight
        ox, oy, oz = goals.offset[g, 0], goals.offset[g, 1], goals.offset[g, 2]
        if t >= 0 and goals.weight[f, t] > 0.0:
            ox, oy, oz = rotate(
                goals.target[f, t, 0], goals.target[f, t, 1], goals.target[f, t, 2],
                goals.target[f, t, 3], ox, oy, oz,
            )  # fmt: skip
        else:
            e = goals.joint[g]
            ox, oy, oz = px - positions[e, 0], py - positions[e, 1], pz - positions[e, 2]
        # where the root joint of the limb may be: in a ball about this
        ends[i, 0] = goal[0] - ox - positions[r, 0]
        ends[i, 1] = goal[1] - oy - positions[r, 1]
        ends[i, 2] = goal[2] - oz - positions[r, 2]
    if total == 0.0:
        return
    x, y, z = x / total, y / total, z / total
    for _ in range(_ROUNDS):
        inside = True
        for i in range(served.shape[0]):
            if goals.weight[f, served[i, 1]] == 0.0:
                continue
            dx, dy, dz = ends[i, 0] - x, ends[i, 1] - y, ends[i, 2] - z
            away = math.sqrt(dx * dx + dy * dy + dz * dz)
            over = away - _EASY * limbs.most[served[i, 0]]
            if over > 0.0:
                inside = False
                s = over / away
                x += s * dx
                y += s * dy
                z += s * dz
        if inside:
            break
    root[0] += x
    root[1] += y
    root[2] += z


@inline
def _shortfall(facts):
    return facts[1] - facts[2]


@inline_fused
def _turning(mass, r0, r1, r2, out):
    """out (3, 3): the second derivative of ½ M |log|² by turns, r being the rotation vector."""
    angle = math.sqrt(r0 * r0 + r1 * r1 + r2 * r2)
    k = 1.0 if angle < 1e-6 else 0.5 * angle / math.tan(0.5 * angle)
    s = 0.0 if angle < 1e-6 else (1.0 - k) / (angle * angle)
    out[0, 0] = mass * (k + s * r0 * r0)
    out[1, 1] = mass * (k + s * r1 * r1)
    out[2, 2] = mass * (k + s * r2 * r2)
    out[0, 1] = mass * s * r0 * r1
    out[0, 2] = mass * s * r0 * r2
    out[1, 2] = mass * s * r1 * r2
    out[1, 0], out[2, 0], out[2, 1] = out[0, 1], out[0, 2], out[1, 2]


@inline_fused
def _add_joint(h, gradient, columns, many, rates, n, second, pull):
    """h += Rᵀ S R, gradient += Rᵀ pull, for the rates R (n, many) of a joint over some columns."""
    for a in range(many):
        ca = columns[a]
        for k in range(n):
            gradient[ca] += rates[k, a] * pull[k]
        for b in range(a, many):
            s = 0.0
            for k in range(n):
                for m in range(n):
                    s += rates[k, a] * second[k, m] * rates[m, b]
            h[ca, columns[b]] += s


@inline
def _cross(a, b, out):
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@inline_fused
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline
def _limb_curvature(
    tree, trunk, goals, f, limbs, served, i, swivels, rigidity, x, rotations, positions, orientations,
    axes, facts, above, count, at_root, at_hinge, at_end, owner, v, h,
):  # fmt: skip
    """Add to h what Gauss and Newton leave out for limb i: how its joints curve, times how they pull.

    The limb's joints balance a force F on its point and a torque T on its end. With these as
    multipliers the second derivatives of the closed form are those of the chain itself, along the
    rates: F · (ω × (ω' × r)) for two turns of which the first is nearer to the root, ½ T · (ω × ω').
    v (12, 3, n) is scratch; owner (n,) the joint of every unknown of the trunk.
    """
    limb, g, t = served[i, 0], served[i, 1], served[i, 2]
    r, hinge, e = limbs.root[limb], limbs.hinge[limb], limbs.end[limb]
    rate, length = facts[0], facts[1]
    if rate == 0.0 or length < 1e-9:
        return
    turned = t >= 0 and goals.weight[f, t] > 0.0
    force, torque, point, line = v[0, :, 0], v[0, :, 1], v[0, :, 2], v[0, :, 3]
    axis, arm, pull = v[0, :, 4], v[0, :, 5], v[0, :, 6]
    if turned:
        point[0], point[1], point[2] = positions[e, 0], positions[e, 1], positions[e, 2]
        d = tree.first[e]
        m = -rigidity[d]
        torque[0], torque[1], torque[2] = rotate(
            orientations[e, 0], orientations[e, 1], orientations[e, 2], orientations[e, 3],
            m * x[d], m * x[d + 1], m * x[d + 2],
        )  # fmt: skip
    else:
        point[0], point[1], point[2] = point_of(positions, orientations, e, goals.offset[g])
        torque[0], torque[1], torque[2] = 0.0, 0.0, 0.0
    line[0], line[1], line[2] = facts[3], facts[4], facts[5]
    ax, ay, az = limbs.axis[limb, 0], limbs.axis[limb, 1], limbs.axis[limb, 2]
    axis[0], axis[1], axis[2] = rotate(
        orientations[hinge, 0], orientations[hinge, 1], orientations[hinge, 2],
        orientations[hinge, 3], ax, ay, az,
    )  # fmt: skip
    for k in range(3):
        arm[k] = point[k] - positions[hinge, k]
    bend = v[0, :, 7]
    _cross(axis, arm, bend)
    d = tree.first[r]
    m = rigidity[d]
    pull[0], pull[1], pull[2] = rotate(
        orientations[r, 0], orientations[r, 1], orientations[r, 2], orientations[r, 3],
        m * x[d], m * x[d + 1], m * x[d + 2],
    )  # fmt: skip
    for k in range(3):
        pull[k] = -torque[k] - pull[k]
    # W × F = pull for what is square to the line; along it the hinge's balance decides
    _cross(pull, line, force)
    for k in range(3):
        force[k] /= length
    d = tree.first[hinge]
    if tree.count[hinge] == 3:
        held = rigidity[d] * (x[d] * ax + x[d + 1] * ay + x[d + 2] * az)
    else:
        own = tree.axes[hinge, 0]
        held = rigidity[d] * x[d] * (own[0] * ax + own[1] * ay + own[2] * az)
    lever = _dot(line, bend)
    if abs(lever) < 1e-9 * length:
        return
    along = (-_dot(torque, axis) - held - _dot(force, bend)) / lever
    for k in range(3):
        force[k] += along * line[k]
    # world turns of every unknown: trunk u, root s, hinge e, end w; and what they do to the point
    trunk_turn, root_turn, hinge_turn, end_turn = v[1], v[2], v[3], v[4]
    trunk_force, root_force, hinge_force, scratch = v[5], v[6], v[7], v[8]
    for a in range(count):
        q = above[a]
        moves = trunk.place <= q < swivels
        for k in range(3):
            trunk_turn[k, a] = axes[q, k] if moves else 0.0
        root_turn[0, a], root_turn[1, a], root_turn[2, a] = rotate(
            orientations[r, 0], orientations[r, 1], orientations[r, 2], orientations[r, 3],
            at_root[0, a], at_root[1, a], at_root[2, a],
        )  # fmt: skip
        turn = at_hinge[0, a] * ax + at_hinge[1, a] * ay + at_hinge[2, a] * az
        for k in range(3):
            hinge_turn[k, a] = turn * axis[k]
            end_turn[k, a] = -trunk_turn[k, a] - root_turn[k, a] - hinge_turn[k, a] if turned else 0.0
        one, two, three = scratch[:, 0], scratch[:, 1], scratch[:, 2]
        # each turn's velocity of the point, × F
        for part in range(3):
            if part == 0:
                j = owner[q] if moves else r
            else:
                j = r if part == 1 else hinge
            for k in range(3):
                one[k] = point[k] - positions[j, k]
                two[k] = (
                    trunk_turn[k, a] if part == 0 else (root_turn[k, a] if part == 1 else hinge_turn[k, a])
                )
            _cross(two, one, three)
            _cross(three, force, one)
            for k in range(3):
                if part == 0:
                    trunk_force[k, a] = one[k]
                elif part == 1:
                    root_force[k, a] = one[k]
                else:
                    hinge_force[k, a] = one[k]
    for a in range(count):
        qa = above[a]
        for b in range(a, count):
            qb = above[b]
            s = 0.0
            for k in range(3):
                s += trunk_turn[k, a] * (root_force[k, b] + hinge_force[k, b])
                s += trunk_turn[k, b] * (root_force[k, a] + hinge_force[k, a])
                s += 0.5 * (root_turn[k, a] * root_force[k, b] + root_turn[k, b] * root_force[k, a])
                s += root_turn[k, a] * hinge_force[k, b] + root_turn[k, b] * hinge_force[k, a]
                s += hinge_turn[k, a] * hinge_force[k, b]
            if trunk.place <= qa and qb < swivels:
                # joints are numbered from the root outwards
                if owner[qa] == owner[qb] and trunk.count[owner[qa]] == 3:
                    for k in range(3):
                        s += 0.5 * (
                            trunk_turn[k, a] * trunk_force[k, b] + trunk_turn[k, b] * trunk_force[k, a]
                        )
                else:
                    for k in range(3):
                        s += trunk_turn[k, a] * trunk_force[k, b]
            if turned:
                s += 0.5 * (
                    _both(torque, trunk_turn, root_turn, a, b)
                    + _both(torque, trunk_turn, hinge_turn, a, b)
                    + _both(torque, trunk_turn, end_turn, a, b)
                    + _both(torque, root_turn, hinge_turn, a, b)
                    + _both(torque, root_turn, end_turn, a, b)
                    + _both(torque, hinge_turn, end_turn, a, b)
                )
                if trunk.place <= qa and qb < swivels and owner[qa] != owner[qb]:
                    s += 0.5 * _triple(torque, trunk_turn, a, trunk_turn, b)
            h[qa, qb] += s


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


@inline_fused
def _triple(t, p, a, q, b):
    """t · (p_a × q_b) of columns."""
    return (
        t[0] * (p[1, a] * q[2, b] - p[2, a] * q[1, b])
        + t[1] * (p[2, a] * q[0, b] - p[0, a] * q[2, b])
        + t[2] * (p[0, a] * q[1, b] - p[1, a] * q[0, b])
    )


@inline_fused
def _both(t, p, q, a, b):
    """t · (p_a × q_b + p_b × q_a)."""
    return _triple(t, p, a, q, b) + _triple(t, p, b, q, a)


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
    swivels = trunk.total
    many = served.shape[0]
    total = swivels + many
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    axes, trunk_axes, m = np.empty((max(1, full), 3)), np.empty((max(1, total), 3)), np.empty((3, 3))
    jacobian, row = np.empty((rows, full)), np.empty(total)
    residual, weights = np.empty(rows), np.empty(rows)
    x = np.empty(full)
    step, last, gradient = np.zeros(total), np.zeros(full), np.empty(total)
    h, plain = np.empty((total, total)), np.empty((total, total))
    bounds = 3 * joints
    joint, value = np.empty(bounds, np.int64), np.empty(bounds)
    slopes, freedoms = np.empty((bounds, 3)), np.empty((bounds, 3))
    pressing, order = np.zeros(bounds, np.bool_), np.empty(bounds, np.int64)
    solved, y = np.empty((bounds, total)), np.empty(bounds)
    inner = np.empty((bounds + 3, max(total, bounds)))
    second, vectors = np.zeros((total, total)), np.empty((9, 3, max(8, total)))
    owner = np.zeros(total, np.int64)
    for j in range(joints):
        for k in range(trunk.count[j]):
            owner[trunk.first[j] + k] = j
    angles, g3 = np.empty(3), np.empty((3, 3))
    try_root, try_rotations = np.empty(3), np.empty((joints, 4))
    e0, o1, o2, goal = np.empty(4), np.empty(3), np.empty(3), np.empty(3)
    limb_facts = np.empty((max(1, many), 8))
    ends = np.empty((max(1, many), 3))
    # of each limb's joints, how they turn about their own axes with each unknown above them
    at_root, at_hinge = np.empty((many, 3, total)), np.empty((many, 3, total))
    at_end, asks = np.empty((many, 3, total)), np.empty((many, total))
    counts, above = np.zeros(many, np.int64), np.empty((many, total), np.int64)
    pull3, body = np.empty(3), np.empty((3, total))
    other_goals = _any_goal(others, frames)
    has_limits = _any_limit(limits)
    for at in range(first, stop):
        f = frames[at]
        row_weights(others, f, place_unit, turn_unit, weights)
        if warm and at > first:
            copy_pose(root0[f], rotations0[f], root[f], rotations[f])
            move(tree, last, 1.0, root[f], rotations[f])
        if has_limits:
            hold(limits, rotations[f], SLACK)
        if not warm or at == first:
            _shift(
                tree, trunk, goals, f, limbs, served, root[f], rotations[f], positions, orientations,
                ends, goal,
            )  # fmt: skip
        for k in range(total):
            step[k] = 0.0
        _pose(
            tree, goals, f, limbs, served, root[f], rotations[f], positions, orientations, step, 0.0,
            swivels, e0, o1, o2, goal, limb_facts,
        )  # fmt: skip
        damping, steps, why, found, slow = 0.0, 0, RAN_OUT, 0, 0
        cost = _objective(
            tree, others, limits, goals, f, served, limbs, rigidity, place_unit, limit_unit, weights,
            root[f], rotations[f], root0[f], rotations0[f], positions, orientations, x, axes, m,
            residual, jacobian, limb_facts, other_goals, has_limits, angles, g3, joint, value, slopes,
        )  # fmt: skip
        while steps < most and why == RAN_OUT:
            # ---- the quadratic model
            for i in range(total):
                gradient[i] = 0.0
                for k in range(i, total):
                    plain[i, k] = 0.0
            world_axes(trunk, orientations, trunk_axes)
            for k in range(trunk.place):
                gradient[k] = rigidity[k] * x[k]
                plain[k, k] = rigidity[k]
            for j in range(joints):
                n = trunk.count[j]
                if n == 0:
                    continue
                d, e = trunk.first[j], tree.first[j]
                if n == 3:
                    _turning(rigidity[e], x[e], x[e + 1], x[e + 2], m)
                    for a in range(3):
                        gradient[d + a] = rigidity[e + a] * x[e + a]
                        for b in range(a, 3):
                            plain[d + a, d + b] = m[a, b]
                else:
                    for a in range(n):
                        gradient[d + a] = rigidity[e + a] * x[e + a]
                        plain[d + a, d + a] = rigidity[e + a]
            for i in range(many):
                counts[i] = 0
                if goals.weight[f, served[i, 1]] == 0.0:
                    continue
                counts[i] = _limb_rates(
                    tree, trunk, goals, f, limbs, served, i, swivels, rotations[f], positions,
                    orientations, trunk_axes, limb_facts[i], above[i], at_root[i], at_hinge[i],
                    at_end[i], asks[i],
                )  # fmt: skip
                c, limb = counts[i], served[i, 0]
                for part in range(3):
                    if part == 0:
                        j, rates = limbs.root[limb], at_root[i]
                    elif part == 1:
                        j, rates = limbs.hinge[limb], at_hinge[i]
                    else:
                        if served[i, 2] < 0:
                            continue
                        j, rates = limbs.end[limb], at_end[i]
                    e = tree.first[j]
                    if tree.count[j] == 3:
                        _turning(rigidity[e], x[e], x[e + 1], x[e + 2], m)
                        for k in range(3):
                            pull3[k] = rigidity[e] * x[e + k]
                        _add_joint(plain, gradient, above[i], c, rates, 3, m, pull3)
                    else:  # a hinge of one: its turn alone
                        own = tree.axes[j, 0]
                        for a in range(c):
                            body[0, a] = own[0] * rates[0, a] + own[1] * rates[1, a] + own[2] * rates[2, a]
                        m[0, 0] = rigidity[e]
                        pull3[0] = rigidity[e] * x[e]
                        _add_joint(plain, gradient, above[i], c, body, 1, m, pull3)
                # out of reach, or too near: ½ ω (asked − reached)²
                short = _shortfall(limb_facts[i])
                if short != 0.0:
                    omega = place_unit * goals.weight[f, served[i, 1]]
                    for a in range(c):
                        gradient[above[i, a]] += omega * short * -asks[i, a]
                        for b in range(a, c):
                            plain[above[i, a], above[i, b]] += omega * asks[i, a] * asks[i, b]
            if has_limits:
                _limb_limits(
                    tree, limits, limbs, goals, f, served, rotations[f], limit_unit, counts, above,
                    at_root, at_end, plain, gradient, joint, value, slopes, angles, g3, total,
                )  # fmt: skip
            if other_goals:
                for r in range(rows):
                    omega = weights[r] * weights[r]
                    if omega == 0.0:
                        continue
                    _reduced_row(
                        tree, trunk, limbs, served, counts, above, at_root, at_hinge, at_end,
                        jacobian[r], swivels, total, row,
                    )  # fmt: skip
                    pull = omega * residual[r]
                    for i in range(total):
                        s = row[i]
                        if s != 0.0:
                            gradient[i] += s * pull
                            for k in range(i, total):
                                plain[i, k] += omega * s * row[k]
            newton = True
            for i in range(total):
                for k in range(i, total):
                    second[i, k] = 0.0
            for i in range(many):
                if counts[i] > 0:
                    _limb_curvature(
                        tree, trunk, goals, f, limbs, served, i, swivels, rigidity, x, rotations[f],
                        positions, orientations, trunk_axes, limb_facts[i], above[i], counts[i],
                        at_root[i], at_hinge[i], at_end[i], owner, vectors, second,
                    )  # fmt: skip
            for i in range(swivels, total):
                if plain[i, i] < 1e-9:  # a limb without a goal here: its swivel stays
                    plain[i, i] = 1.0
            found = 0
            if has_limits:
                found = limit_rows(trunk, limits, rotations[f], _NEAR, joint, value, slopes, angles, g3)
                for a in range(found):
                    to_freedoms(trunk, rotations[f], joint[a], slopes[a], freedoms[a])
                    pressing[a] = value[a] > -1e-7
            # ---- the step
            while steps < most:
                steps += 1
                for i in range(total):
                    for k in range(i, total):
                        h[i, k] = plain[i, k] + (second[i, k] if newton else 0.0)
                    h[i, i] += damping * plain[i, i]
                if not factor(h, total):
                    if newton:
                        newton = False  # not positive: leave the second derivatives out
                        steps -= 1
                        continue
                    damping = max(1e-4, 10.0 * damping)
                    if damping > 1e8:
                        why = SETTLED
                        break
                    continue
                for k in range(total):
                    step[k] = -gradient[k]
                forth(h, total, step)
                back(h, total, step)
                if found > 0 and not press(
                    trunk, h, total, found, joint, value, freedoms, pressing, order, solved, inner,
                    y, step,
                ):  # fmt: skip
                    damping = max(1e-4, 10.0 * damping)
                    if damping > 1e8:
                        why = SETTLED
                        break
                    continue
                longest = 0.0
                for k in range(total):
                    longest = max(longest, abs(step[k]))
                scale = min(1.0, _FURTHEST / longest) if longest > 0.0 else 1.0
                now = math.inf
                for _ in range(4):  # along the same direction, shorter
                    copy_pose(root[f], rotations[f], try_root, try_rotations)
                    move(trunk, step, scale, try_root, try_rotations)
                    if has_limits:
                        _hold_trunk(trunk, limits, try_rotations)
                    _pose(
                        tree, goals, f, limbs, served, try_root, try_rotations, positions, orientations,
                        step, scale, swivels, e0, o1, o2, goal, limb_facts,
                    )  # fmt: skip
                    now = _objective(
                        tree, others, limits, goals, f, served, limbs, rigidity, place_unit, limit_unit,
                        weights, try_root, try_rotations, root0[f], rotations0[f], positions,
                        orientations, x, axes, m, residual, jacobian, limb_facts, other_goals, has_limits,
                        angles, g3, joint, value, slopes,
                    )  # fmt: skip
                    if now <= cost or longest * scale < tolerance:
                        break
                    scale *= 0.3
                if found > 0:  # the penalties of limbs used the same scratch
                    found = limit_rows(trunk, limits, rotations[f], _NEAR, joint, value, slopes, angles, g3)
                close = longest * scale < tolerance
                if now <= cost or (close and now <= cost * (1.0 + 1e-10)):
                    copy_pose(try_root, try_rotations, root[f], rotations[f])
                    damping = 0.0 if damping < 1e-3 else 0.1 * damping
                    slow = slow + 1 if cost - now <= _SLOW * cost else 0
                    if close or slow == 2:
                        why = REACHED
                    cost = now
                    break
                if close:
                    why = SETTLED
                else:
                    if newton and damping > 0.0:
                        newton = False
                    damping = max(1e-2, 10.0 * damping)
                    if damping > 1e8:
                        why = SETTLED
                if why != RAN_OUT or steps >= most:
                    # back to the pose that is kept
                    copy_pose(root[f], rotations[f], try_root, try_rotations)
                    break
        if has_limits:
            hold(limits, rotations[f], SLACK)
        place(tree, root[f], rotations[f], positions, orientations)
        evaluate(tree, goals, f, positions, orientations, rotations[f], axes, m, residual, jacobian, False)
        displacement(tree, root[f], rotations[f], root0[f], rotations0[f], x)
        for e in range(full):
            last[e] = x[e]
        pressed = 0
        for a in range(found):
            if pressing[a]:
                pressed += 1
        for r in range(rows):
            residuals[f, r] = residual[r]
        row_weights(goals, f, place_unit, turn_unit, weights)
        facts[f, 0], facts[f, 1] = steps, objective(rigidity, x, weights, residual)
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
def _limb_rates(
    tree, trunk, goals, f, limbs, served, i, swivels, rotations, positions, orientations, axes, facts,
    above, at_root, at_hinge, at_end, asks,
):  # fmt: skip
    """How limb i's joints turn about their own axes with every unknown that reaches them.

    above (C,) are those unknowns, at_root, at_hinge and at_end (3, C) the rates, asks (C,) how the
    distance asked for grows beyond what the limb gives. Returns C.
    """
    limb, g, t = served[i, 0], served[i, 1], served[i, 2]
    r, h, e = limbs.root[limb], limbs.hinge[limb], limbs.end[limb]
    dx, dy, dz = facts[3], facts[4], facts[5]
    rate, length, asked = facts[0], facts[1], facts[2]
    sx, sy, sz = positions[r, 0], positions[r, 1], positions[r, 2]
    hx, hy, hz = rotate(
        orientations[h, 0], orientations[h, 1], orientations[h, 2], orientations[h, 3],
        limbs.axis[limb, 0], limbs.axis[limb, 1], limbs.axis[limb, 2],
    )  # fmt: skip
    turned = t >= 0 and goals.weight[f, t] > 0.0
    if turned:
        px, py, pz = positions[e, 0], positions[e, 1], positions[e, 2]
    else:
        px, py, pz = point_of(positions, orientations, e, goals.offset[g])
    # what the hinge's turn does to the point
    kx, ky, kz = px - positions[h, 0], py - positions[h, 1], pz - positions[h, 2]
    bx, by, bz = hy * kz - hz * ky, hz * kx - hx * kz, hx * ky - hy * kx
    wx, wy, wz = length * dx, length * dy, length * dz
    inverse = 1.0 / max(1e-12, length * length)
    given = 0.0  # how much of a metre asked for is given
    if rate != 0.0:
        # d(length)/d(turn) from the geometry: (b · d); the soft end is in `rate` already
        given = min(1.0, max(0.0, rate * (bx * dx + by * dy + bz * dz)))
    count = 0
    for k in range(trunk.place):
        above[count] = k
        vx, vy, vz = (1.0 if k == 0 else 0.0), (1.0 if k == 1 else 0.0), (1.0 if k == 2 else 0.0)
        _one_rate(
            count, vx, vy, vz, 0.0, 0.0, 0.0, dx, dy, dz, wx, wy, wz, inverse, bx, by, bz, hx, hy, hz,
            rate, given, asked, r, h, e, orientations, limbs, limb, turned, at_root, at_hinge, at_end, asks,
        )  # fmt: skip
        count += 1
    j = tree.parents[r]
    while j >= 0:
        d = trunk.first[j]
        for q in range(d, d + trunk.count[j]):
            ux, uy, uz = axes[q, 0], axes[q, 1], axes[q, 2]
            rx, ry, rz = sx - positions[j, 0], sy - positions[j, 1], sz - positions[j, 2]
            above[count] = q
            _one_rate(
                count, uy * rz - uz * ry, uz * rx - ux * rz, ux * ry - uy * rx, ux, uy, uz, dx, dy, dz,
                wx, wy, wz, inverse, bx, by, bz, hx, hy, hz, rate, given, asked, r, h, e, orientations,
                limbs, limb, turned, at_root, at_hinge, at_end, asks,
            )  # fmt: skip
            count += 1
        j = tree.parents[j]
    # the swivel: the root joint turns about the line, the end turns back
    above[count] = swivels + i
    _to_body(orientations, r, dx, dy, dz, at_root, count)
    at_hinge[0, count], at_hinge[1, count], at_hinge[2, count] = 0.0, 0.0, 0.0
    if turned:
        _to_body(orientations, e, -dx, -dy, -dz, at_end, count)
    else:
        at_end[0, count], at_end[1, count], at_end[2, count] = 0.0, 0.0, 0.0
    asks[count] = 0.0
    # unknowns in rising order, so that the upper triangle is written
    for a in range(1, count + 1):
        b = a
        while b > 0 and above[b - 1] > above[b]:
            above[b - 1], above[b] = above[b], above[b - 1]
            asks[b - 1], asks[b] = asks[b], asks[b - 1]
            for k in range(3):
                at_root[k, b - 1], at_root[k, b] = at_root[k, b], at_root[k, b - 1]
                at_hinge[k, b - 1], at_hinge[k, b] = at_hinge[k, b], at_hinge[k, b - 1]
                at_end[k, b - 1], at_end[k, b] = at_end[k, b], at_end[k, b - 1]
            b -= 1
    return count + 1


@inline
def _to_body(orientations, j, x, y, z, out, column):
    """A turn in the world about the joint's own axes."""
    out[0, column], out[1, column], out[2, column] = rotate(
        orientations[j, 0], -orientations[j, 1], -orientations[j, 2], -orientations[j, 3], x, y, z
    )


@inline
def _one_rate(
    column, vx, vy, vz, ox, oy, oz, dx, dy, dz, wx, wy, wz, inverse, bx, by, bz, hx, hy, hz, rate,
    given, asked, r, h, e, orientations, limbs, limb, turned, at_root, at_hinge, at_end, asks,
):  # fmt: skip
    """One unknown that moves the limb's root at v and turns its parent at o, both in the world."""
    grows = -(dx * vx + dy * vy + dz * vz)  # of the distance asked for
    turn = rate * grows
    asks[column] = grows * (1.0 - given)
    # where the root moves, the line swings; a limb that falls short points where its goal is
    share = 1.0 if asked < 1e-12 else math.sqrt(1.0 / inverse) / asked
    nx, ny, nz = -vx * share - turn * bx, -vy * share - turn * by, -vz * share - turn * bz
    tx, ty, tz = oy * wz - oz * wy, oz * wx - ox * wz, ox * wy - oy * wx
    nx, ny, nz = nx - tx, ny - ty, nz - tz
    cx, cy, cz = wy * nz - wz * ny, wz * nx - wx * nz, wx * ny - wy * nx
    cx, cy, cz = cx * inverse, cy * inverse, cz * inverse
    _to_body(orientations, r, cx, cy, cz, at_root, column)
    at_hinge[0, column] = turn * limbs.axis[limb, 0]
    at_hinge[1, column] = turn * limbs.axis[limb, 1]
    at_hinge[2, column] = turn * limbs.axis[limb, 2]
    if turned:
        _to_body(
            orientations, e, -(ox + cx + turn * hx), -(oy + cy + turn * hy), -(oz + cz + turn * hz),
            at_end, column,
        )  # fmt: skip
    else:
        at_end[0, column], at_end[1, column], at_end[2, column] = 0.0, 0.0, 0.0


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
                    for q in range(p, counts[i]):
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
        short = _shortfall(limb_facts[i])
        total += place_unit * weight * short * short
        if has_limits:
            for part in range(2):
                j = limbs.root[served[i, 0]] if part == 0 else limbs.end[served[i, 0]]
                for a in range(exceeded(limits, rotations, j, value, slopes, angles, g3)):
                    total += limit_unit * value[a] * value[a]
    return 0.5 * total


@kernel(
    TREE, LIMITS, GOALS, LIMBS, INTS2, IN1, FLOAT, FLOAT, IN2, IN3, OUT2, OUT3, OUT2, OUT2, INTS1, INT,
    INT,
)  # fmt: skip
def limbs_frames(
    tree, limits, goals, limbs, served, rigidity, place_unit, turn_unit, root0, rotations0, root,
    rotations, residuals, facts, frames, first, stop,
):  # fmt: skip
    """Only the limbs of frames[first:stop] go to their goals; see solve_frames for the arguments."""
    joints, rows = tree.parents.shape[0], goals.rows
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    axes, m, jacobian = np.empty((1, 3)), np.empty((3, 3)), np.empty((1, 1))
    residual, weights, x = np.empty(rows), np.empty(rows), np.empty(tree.total)
    e0, o1, o2, goal = np.empty(4), np.empty(3), np.empty(3), np.empty(3)
    limb_facts, step = np.empty((max(1, served.shape[0]), 8)), np.zeros(max(1, served.shape[0]))
    for at in range(first, stop):
        f = frames[at]
        _pose(
            tree, goals, f, limbs, served, root[f], rotations[f], positions, orientations, step, 0.0, 0,
            e0, o1, o2, goal, limb_facts,
        )  # fmt: skip
        pressed = hold(limits, rotations[f], SLACK)
        if pressed > 0:
            place(tree, root[f], rotations[f], positions, orientations)
        evaluate(tree, goals, f, positions, orientations, rotations[f], axes, m, residual, jacobian, False)
        displacement(tree, root[f], rotations[f], root0[f], rotations0[f], x)
        row_weights(goals, f, place_unit, turn_unit, weights)
        facts[f, 0], facts[f, 1], facts[f, 2] = 1.0, objective(rigidity, x, weights, residual), REACHED
        facts[f, 3] = pressed
        for r in range(rows):
            residuals[f, r] = residual[r]
