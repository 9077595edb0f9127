"""How the joints of a settled limb follow the trunk: rates, what they cost, and how they curve.

With the limb's root point moving at v and its parent turning at u, the end being held (LS99 5.3):
the hinge turns as the distance asks (eq. 7), the root joint as the line from root to end does, by
W × (−v − hinge's share − u × W) / |W|² beyond u, and a swivel turns it about that line. All of it
is written in the world's axes, so that a joint's cost, which is the same about all axes, needs no
change of frame; one column for each unknown that reaches the limb, which are few.
"""

from __future__ import annotations

import math

from .compiling import inline, inline_fused
from .goals import point_of
from .quaternions import rotate

# Rows of a limb's table of rates (ROWS, C): what an unknown turns above the limb (3), the root joint
# beyond that (3), the hinge (1), the end joint (3), and how what is asked grows beyond what is given (1).
ABOVE, ROOT, HINGE, END, ASKS, ROWS = 0, 3, 6, 7, 10, 11
# Rows of scratch that `add_costs` and `add_curvature` need, each (C,).
SCRATCH = 10


@inline_fused
def _dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inline_fused
def _cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inline
def _world_log(tree, orientations, x, j):
    """How far joint j is from its reference, as a rotation vector in the world."""
    d = tree.first[j]
    return rotate(
        orientations[j, 0], orientations[j, 1], orientations[j, 2], orientations[j, 3],
        x[d], x[d + 1], x[d + 2],
    )  # fmt: skip


@inline
def _hinge_axis(limbs, limb, orientations):
    h = limbs.hinge[limb]
    return rotate(
        orientations[h, 0], orientations[h, 1], orientations[h, 2], orientations[h, 3],
        limbs.axis[limb, 0], limbs.axis[limb, 1], limbs.axis[limb, 2],
    )  # fmt: skip


@inline
def _held_point(goals, g, turned, e, positions, orientations):
    """The point of the limb's end that its goal holds: the joint itself where its turn is given too."""
    if turned:
        return positions[e, 0], positions[e, 1], positions[e, 2]
    return point_of(positions, orientations, e, goals.offset[g])


@inline
def limb_rates(
    tree, trunk, goals, limbs, limb, g, turned, swivel, positions, orientations, axes, facts, above, rates
):
    """rates (ROWS, C) of a settled limb by the unknowns above (C,), in rising order. Returns C.

    axes (D, 3) are those of the trunk in the world, `swivel` the number of the limb's own unknown,
    `facts` what `reach` said of the limb.
    """
    r, h, e = limbs.root[limb], limbs.hinge[limb], limbs.end[limb]
    d = (facts[3], facts[4], facts[5])
    rate, length, asked = facts[0], facts[1], facts[2]
    s = (positions[r, 0], positions[r, 1], positions[r, 2])
    axis = _hinge_axis(limbs, limb, orientations)
    point = _held_point(goals, g, turned, e, positions, orientations)
    # what the hinge's turn does to the point, and how much of a metre asked for is given
    b = _cross(axis, (point[0] - positions[h, 0], point[1] - positions[h, 1], point[2] - positions[h, 2]))
    given = min(1.0, max(0.0, rate * _dot(b, d))) if rate != 0.0 else 0.0
    inverse = 1.0 / max(1e-12, length * length)
    w = (length * d[0], length * d[1], length * d[2])
    # where the root moves, the line swings; a limb that falls short points where its goal is
    share = 1.0 if asked < 1e-12 else math.sqrt(1.0 / inverse) / asked

    count = trunk.place
    j = tree.parents[r]
    while j >= 0:
        count += trunk.count[j]
        j = tree.parents[j]
    at, j = count, tree.parents[r]
    while True:
        first, many = 0, trunk.place
        if j >= 0:
            first, many = trunk.first[j], trunk.count[j]
        at -= many
        for k in range(many):
            if j >= 0:
                u = (axes[first + k, 0], axes[first + k, 1], axes[first + k, 2])
                v = _cross(u, (s[0] - positions[j, 0], s[1] - positions[j, 1], s[2] - positions[j, 2]))
            else:
                u = (0.0, 0.0, 0.0)
                v = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
            grows = -_dot(d, v)  # of the distance asked for
            turn = rate * grows
            t = _cross(u, w)
            c = _cross(
                w,
                (
                    -v[0] * share - turn * b[0] - t[0],
                    -v[1] * share - turn * b[1] - t[1],
                    -v[2] * share - turn * b[2] - t[2],
                ),
            )
            a = at + k
            above[a] = first + k
            rates[HINGE, a], rates[ASKS, a] = turn, grows * (1.0 - given)
            for i in range(3):
                rates[ABOVE + i, a] = u[i]
                rates[ROOT + i, a] = c[i] * inverse
                # an end whose turn is given undoes what is turned above it
                rates[END + i, a] = -(u[i] + c[i] * inverse + turn * axis[i]) if turned else 0.0
        if j < 0:
            break
        j = tree.parents[j]
    # the swivel: the root joint turns about the line, the end turns back
    above[count] = swivel
    rates[HINGE, count], rates[ASKS, count] = 0.0, 0.0
    for i in range(3):
        rates[ABOVE + i, count] = 0.0
        rates[ROOT + i, count] = d[i]
        rates[END + i, count] = -d[i] if turned else 0.0
    return count + 1


@inline
def _stiffness(mass, angle):
    """Of ½ M |v|², v the rotation vector, second derivatives by turns are k I + s v vᵀ; both are ≥ 0."""
    if angle < 1e-6:
        return mass, 0.0
    k = 0.5 * angle / math.tan(0.5 * angle)
    return mass * k, mass * (1.0 - k) / (angle * angle)


@inline_fused
def _ball_rows(mass, v, rates, first, count, rows, gradient, above):
    """Four rows whose squares are what a joint of three costs by its rates; gradient += rates · M v."""
    k, s = _stiffness(mass, math.sqrt(_dot(v, v)))
    root, spread = math.sqrt(max(0.0, k)), math.sqrt(max(0.0, s))
    for a in range(count):
        along = v[0] * rates[first, a] + v[1] * rates[first + 1, a] + v[2] * rates[first + 2, a]
        gradient[above[a]] += mass * along
        rows[0, a] = root * rates[first, a]
        rows[1, a] = root * rates[first + 1, a]
        rows[2, a] = root * rates[first + 2, a]
        rows[3, a] = spread * along


@inline_fused
def add_costs(
    tree, limbs, limb, turned, rigidity, x, omega, orientations, facts, count, above, rates, scratch, h,
    gradient,
):  # fmt: skip
    """h += the second derivatives of the limb's own cost, gradient += its first: LS99 eq. 4 and 6.

    The rates are taken as they are; how they change is `add_curvature`'s. `omega` is what a metre
    weighs that the limb falls short. x (D,) is the displacement from the reference.
    """
    r, j, e = limbs.root[limb], limbs.hinge[limb], limbs.end[limb]
    _ball_rows(
        rigidity[tree.first[r]], _world_log(tree, orientations, x, r), rates, ROOT, count, scratch,
        gradient, above,
    )  # fmt: skip
    if turned:
        _ball_rows(
            rigidity[tree.first[e]], _world_log(tree, orientations, x, e), rates, END, count,
            scratch[4:], gradient, above,
        )  # fmt: skip
    d = tree.first[j]
    if tree.count[j] == 3:
        v = (x[d], x[d + 1], x[d + 2])
        along = v[0] * limbs.axis[limb, 0] + v[1] * limbs.axis[limb, 1] + v[2] * limbs.axis[limb, 2]
        k, s = _stiffness(rigidity[d], math.sqrt(_dot(v, v)))
        stiff, pull = k + s * along * along, rigidity[d] * along
    else:
        own = tree.axes[j, 0]
        way = own[0] * limbs.axis[limb, 0] + own[1] * limbs.axis[limb, 1] + own[2] * limbs.axis[limb, 2]
        stiff, pull = rigidity[d] * way * way, rigidity[d] * x[d] * way
    short = facts[1] - facts[2]  # or beyond the least length: ½ ω (reached − asked)²
    for a in range(count):
        turn, asks = rates[HINGE, a], rates[ASKS, a]
        gradient[above[a]] += pull * turn
        if short != 0.0:
            gradient[above[a]] -= omega * short * asks
    # products written out: columns are few, and loops over rows would cost three times as much
    for a in range(count):
        row = h[above[a]]
        c0, c1, c2, c3 = scratch[0, a], scratch[1, a], scratch[2, a], scratch[3, a]
        turn = stiff * rates[HINGE, a]
        asks = omega * rates[ASKS, a] if short != 0.0 else 0.0
        for b in range(a + 1):
            row[above[b]] += (
                c0 * scratch[0, b] + c1 * scratch[1, b] + c2 * scratch[2, b] + c3 * scratch[3, b]
                + turn * rates[HINGE, b] + asks * rates[ASKS, b]
            )  # fmt: skip
        if turned:
            c0, c1, c2, c3 = scratch[4, a], scratch[5, a], scratch[6, a], scratch[7, a]
            for b in range(a + 1):
                row[above[b]] += (
                    c0 * scratch[4, b] + c1 * scratch[5, b] + c2 * scratch[6, b] + c3 * scratch[7, b]
                )


@inline_fused
def add_curvature(
    tree, trunk, goals, limbs, limb, g, turned, rigidity, x, positions, orientations, facts, count,
    above, rates, owner, scratch, h,
):  # fmt: skip
    """h += what `add_costs` leaves out: how the limb's joints curve, times how they pull.

    The limb's joints balance a force F on its point and a torque T on its end. With these as
    multipliers the second derivatives of the closed form are those of the chain itself, along the
    rates: F · (ω × (ω' × r)) for two turns of which the first is nearer to the root, ½ T · (ω × ω').
    For turns u above, c at the root, e at the hinge, w at the end that is a product of two tables:
    u · (2 (c' + e') + (c + e + w) × T) + c · (c' + 2 e' + (e + w) × T) + e · (e' + w × T), its
    symmetric part, where c' = (c × r) × F. owner (D,) is the joint of every unknown of the trunk.
    """
    r, hinge, e = limbs.root[limb], limbs.hinge[limb], limbs.end[limb]
    rate, length = facts[0], facts[1]
    if rate == 0.0 or length < 1e-9:
        return
    line = (facts[3], facts[4], facts[5])
    point = _held_point(goals, g, turned, e, positions, orientations)
    axis = _hinge_axis(limbs, limb, orientations)
    torque = (0.0, 0.0, 0.0)
    if turned:
        m, v = -rigidity[tree.first[e]], _world_log(tree, orientations, x, e)
        torque = (m * v[0], m * v[1], m * v[2])
    # W × F balances the root joint and the torque, for what is square to the line
    m, v = rigidity[tree.first[r]], _world_log(tree, orientations, x, r)
    f = _cross((-torque[0] - m * v[0], -torque[1] - m * v[1], -torque[2] - m * v[2]), line)
    f = (f[0] / length, f[1] / length, f[2] / length)
    # along it the hinge's balance decides
    arm = (point[0] - positions[hinge, 0], point[1] - positions[hinge, 1], point[2] - positions[hinge, 2])
    bend = _cross(axis, arm)
    d = tree.first[hinge]
    hx, hy, hz = limbs.axis[limb, 0], limbs.axis[limb, 1], limbs.axis[limb, 2]
    if tree.count[hinge] == 3:
        held = rigidity[d] * (x[d] * hx + x[d + 1] * hy + x[d + 2] * hz)
    else:
        own = tree.axes[hinge, 0]
        held = rigidity[d] * x[d] * (own[0] * hx + own[1] * hy + own[2] * hz)
    lever = _dot(line, bend)
    if abs(lever) < 1e-9 * length:
        return
    along = (-_dot(torque, axis) - held - _dot(f, bend)) / lever
    f = (f[0] + along * line[0], f[1] + along * line[1], f[2] + along * line[2])

    bent = _cross(bend, f)  # of a hinge's turn
    to_root = (point[0] - positions[r, 0], point[1] - positions[r, 1], point[2] - positions[r, 2])
    # rows of scratch: against turns above (0-2), the root's (3-5), the hinge's (6), and of turns
    # above against each other (7-9)
    for a in range(count):
        u = (rates[ABOVE, a], rates[ABOVE + 1, a], rates[ABOVE + 2, a])
        c = (rates[ROOT, a], rates[ROOT + 1, a], rates[ROOT + 2, a])
        w = (rates[END, a], rates[END + 1, a], rates[END + 2, a])
        turn = rates[HINGE, a]
        of_root = _cross(_cross(c, to_root), f)
        twist = _cross((w[0] + turn * axis[0], w[1] + turn * axis[1], w[2] + turn * axis[2]), torque)
        more = _cross(c, torque)
        for k in range(3):
            scratch[k, a] = 2.0 * (of_root[k] + turn * bent[k]) + more[k] + twist[k]
            scratch[3 + k, a] = of_root[k] + 2.0 * turn * bent[k] + twist[k]
        scratch[6, a] = turn * _dot(axis, bent) + _dot(axis, _cross(w, torque))
        q = above[a]
        of_trunk, half = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if trunk.place <= q < trunk.total:
            j = owner[q]
            arm = (point[0] - positions[j, 0], point[1] - positions[j, 1], point[2] - positions[j, 2])
            of_trunk, half = _cross(_cross(u, arm), f), _cross(u, torque)
        for k in range(3):
            scratch[7 + k, a] = of_trunk[k] + 0.5 * half[k]
    for a in range(count):
        qa = above[a]
        row = h[qa]
        u0, u1, u2 = rates[ABOVE, a], rates[ABOVE + 1, a], rates[ABOVE + 2, a]
        c0, c1, c2 = rates[ROOT, a], rates[ROOT + 1, a], rates[ROOT + 2, a]
        turn = rates[HINGE, a]
        s0, s1, s2, s3 = scratch[0, a], scratch[1, a], scratch[2, a], scratch[3, a]
        s4, s5, s6 = scratch[4, a], scratch[5, a], scratch[6, a]
        t0, t1, t2 = scratch[7, a], scratch[8, a], scratch[9, a]
        own = -1
        if trunk.place <= qa < trunk.total and trunk.count[owner[qa]] == 3:
            own = owner[qa]
        for b in range(a + 1):
            qb = above[b]
            s = 0.5 * (
                u0 * scratch[0, b] + u1 * scratch[1, b] + u2 * scratch[2, b]
                + c0 * scratch[3, b] + c1 * scratch[4, b] + c2 * scratch[5, b] + turn * scratch[6, b]
                + rates[ABOVE, b] * s0 + rates[ABOVE + 1, b] * s1 + rates[ABOVE + 2, b] * s2
                + rates[ROOT, b] * s3 + rates[ROOT + 1, b] * s4 + rates[ROOT + 2, b] * s5
                + rates[HINGE, b] * s6
            )  # fmt: skip
            # joints are numbered from the root outwards; turns of one joint have no order
            up = rates[ABOVE, b] * t0 + rates[ABOVE + 1, b] * t1 + rates[ABOVE + 2, b] * t2
            if own >= 0 and qb >= trunk.place and owner[qb] == own:
                up = 0.5 * (up + u0 * scratch[7, b] + u1 * scratch[8, b] + u2 * scratch[9, b])
            row[qb] += s + up


@inline
def body_rates(limbs, limb, orientations, count, rates, at_root, at_hinge, at_end):
    """at_root, at_hinge, at_end (3, C): the rates about each joint's own axes."""
    r, e = limbs.root[limb], limbs.end[limb]
    for a in range(count):
        at_root[0, a], at_root[1, a], at_root[2, a] = rotate(
            orientations[r, 0], -orientations[r, 1], -orientations[r, 2], -orientations[r, 3],
            rates[ROOT, a], rates[ROOT + 1, a], rates[ROOT + 2, a],
        )  # fmt: skip
        at_end[0, a], at_end[1, a], at_end[2, a] = rotate(
            orientations[e, 0], -orientations[e, 1], -orientations[e, 2], -orientations[e, 3],
            rates[END, a], rates[END + 1, a], rates[END + 2, a],
        )  # fmt: skip
        for k in range(3):
            at_hinge[k, a] = rates[HINGE, a] * limbs.axis[limb, k]
