"""How far a joint has turned, and how far it may: angles, their gradients, the nearest allowed turn.

A joint's limit is measured on pre · q · post, where `pre` (4,) and `post` (4,) take its local
rotation q into the axes that the limit is said in. Three angles are bounded:

- BOX: the intrinsic angles about `order` (3,), three different ones of 0, 1, 2 for x, y, z.
- CONE: the swing about x and about y and the twist about z, where the turn is swing · twist. The
  swing lies in four quarters of ellipses, whose tips are its bounds; |swing| in them is one number.

A gradient is with respect to a turn of the joint about its own axes: q · exp(v), v small.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numba import types

from .compiling import FLOAT, IN1, IN2, IN3, INT, INTS1, INTS2, OUT1, OUT2, inline, kernel
from .quaternions import SMALL_ANGLE, exp, log, multiply, rotate, twist_about

ON_DEMAND = True  # see compiling.all_kernels
FREE, BOX, CONE = 0, 1, 2


class Limits(NamedTuple):
    """How far J joints turn; all arrays read-only."""

    kind: Any  # (J,) FREE, BOX or CONE
    order: Any  # (J, 3) of a box
    bounds: Any  # (J, 3, 2) least and greatest of the three angles, radians
    pre: Any  # (J, 4)
    post: Any  # (J, 4)


LIMITS = types.NamedTuple((INTS1, INTS2, IN3, IN2, IN2), Limits)  # fmt: skip
# The middle angle of a box is kept this far (cosine) from where outer and inner fall together.
_SINGULAR = 1e-6


@inline
def _parity(order):
    """1 where the order is that of a right-handed frame, else −1."""
    return 1.0 if (order[1] - order[0]) % 3 == 1 else -1.0


@inline
def box_angles(order, w, x, y, z):
    """Intrinsic angles of a turn about three different axes, radians."""
    v = (x, y, z)
    s = _parity(order)
    a, b, c = v[order[0]], v[order[1]], s * v[order[2]]
    # as if the axes were x, y, z (Tait and Bryan)
    sine = 2.0 * (a * c + w * b)
    sine = min(1.0, max(-1.0, sine))
    middle = math.asin(sine)
    if abs(sine) > 1.0 - _SINGULAR * _SINGULAR:
        return 2.0 * math.atan2(a, w), middle, 0.0
    outer = math.atan2(2.0 * (w * a - b * c), 1.0 - 2.0 * (a * a + b * b))
    inner = math.atan2(2.0 * (w * c - a * b), 1.0 - 2.0 * (b * b + c * c))
    return outer, middle, s * inner


@inline
def _turn(axis, angle):
    s = math.sin(0.5 * angle)
    return (
        math.cos(0.5 * angle),
        s if axis == 0 else 0.0,
        s if axis == 1 else 0.0,
        s if axis == 2 else 0.0,
    )


@inline
def from_box(order, a, b, c):
    """The turn with these intrinsic angles."""
    w, x, y, z = _turn(order[0], a)
    bw, bx, by, bz = _turn(order[1], b)
    w, x, y, z = multiply(w, x, y, z, bw, bx, by, bz)
    cw, cx, cy, cz = _turn(order[2], c)
    return multiply(w, x, y, z, cw, cx, cy, cz)


@inline
def cone_angles(w, x, y, z):
    """Swing about x, swing about y, twist about z, radians; the turn is swing · twist."""
    tw, tx, ty, tz = twist_about(w, x, y, z, 0.0, 0.0, 1.0)
    sw, sx, sy, sz = multiply(w, x, y, z, tw, -tx, -ty, -tz)
    a, b, _ = log(sw, sx, sy, sz)
    if tw < 0.0:
        tw, tz = -tw, -tz
    return a, b, 2.0 * math.atan2(tz, tw)


@inline
def from_cone(a, b, c):
    """The turn of a swing and a twist."""
    sw, sx, sy, sz = exp(a, b, 0.0)
    return multiply(sw, sx, sy, sz, math.cos(0.5 * c), 0.0, 0.0, math.sin(0.5 * c))


@inline
def rim(a, b, bounds):
    """|swing| in ellipses: 1 on the rim of the cone, less inside."""
    ga = bounds[0, 1] if a > 0.0 else -bounds[0, 0]
    gb = bounds[1, 1] if b > 0.0 else -bounds[1, 0]
    u = 0.0 if a == 0.0 else (a / ga if ga > 0.0 else math.inf)
    v = 0.0 if b == 0.0 else (b / gb if gb > 0.0 else math.inf)
    return math.hypot(u, v)


@inline
def limit_angles(kind, order, pre, post, w, x, y, z):
    """The three bounded angles of a local rotation, radians."""
    w, x, y, z = multiply(pre[0], pre[1], pre[2], pre[3], w, x, y, z)
    w, x, y, z = multiply(w, x, y, z, post[0], post[1], post[2], post[3])
    if kind == BOX:
        return box_angles(order, w, x, y, z)
    return cone_angles(w, x, y, z)


@inline
def within(kind, order, bounds, pre, post, w, x, y, z, slack):
    """The rotation itself where its limit holds, else one that is brought inside, `slack` short of it."""
    if kind == FREE:
        return False, w, x, y, z
    a, b, c = limit_angles(kind, order, pre, post, w, x, y, z)
    moved = False
    if kind == BOX:
        a = same_turn(a, bounds[0, 0], bounds[0, 1])
        c = same_turn(c, bounds[2, 0], bounds[2, 1])
        a2 = _clamp(a, bounds[0, 0], bounds[0, 1], slack)
        b2 = _clamp(b, bounds[1, 0], bounds[1, 1], slack)
        c2 = _clamp(c, bounds[2, 0], bounds[2, 1], slack)
        moved = a2 != a or b2 != b or c2 != c
        if moved:
            w, x, y, z = from_box(order, a2, b2, c2)
    else:
        out = rim(a, b, bounds)
        c = same_turn(c, bounds[2, 0], bounds[2, 1])
        c2 = _clamp(c, bounds[2, 0], bounds[2, 1], slack)
        a2, b2 = a, b
        if out > 1.0:
            if math.isfinite(out):
                share = (1.0 - slack) / out
                a2, b2 = a * share, b * share
            else:  # a bound of no width: drop that part
                a2 = _clamp(a, bounds[0, 0], bounds[0, 1], 0.0)
                b2 = _clamp(b, bounds[1, 0], bounds[1, 1], 0.0)
                out = rim(a2, b2, bounds)
                if out > 1.0:
                    a2, b2 = a2 / out, b2 / out
            moved = True
        moved = moved or c2 != c
        if moved:
            w, x, y, z = from_cone(a2, b2, c2)
    if moved:
        w, x, y, z = multiply(pre[0], -pre[1], -pre[2], -pre[3], w, x, y, z)
        w, x, y, z = multiply(w, x, y, z, post[0], -post[1], -post[2], -post[3])
        n = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
        w, x, y, z = w * n, x * n, y * n, z * n
    return moved, w, x, y, z


@inline
def same_turn(angle, low, high):
    """Of the angles that differ by a whole turn the one that is within its range, or nearest to it.

    A range such as -190 to 130 degrees holds 175 as well, which is -185. A range without an end says
    nothing of whole turns.
    """
    if high - low == math.inf:
        return angle
    if angle > high:
        other = angle - 2.0 * math.pi
        return other if low - other < angle - high else angle
    if angle < low:
        other = angle + 2.0 * math.pi
        return other if other - high < low - angle else angle
    return angle


@inline
def _clamp(angle, low, high, slack):
    """The nearest allowed angle: a little inside the bound where it was outside of it."""
    if angle < low:
        return min(low + slack, 0.5 * (low + high)) if high < math.inf else low + slack
    if angle > high:
        return max(high - slack, 0.5 * (low + high)) if low > -math.inf else high - slack
    return angle


@inline
def box_gradients(order, a, b, c, out):
    """out (3, 3): gradients of the intrinsic angles, row by row, in the axes of the limit."""
    # the axes that the angles turn about, seen from the turned joint: Rc⁻¹ Rb⁻¹ e_a, Rc⁻¹ e_b, e_c
    s = _parity(order)
    sb, cb = math.sin(b), math.cos(b)
    c *= s
    sc, cc = math.sin(c), math.cos(c)
    if abs(cb) < _SINGULAR:
        cb = math.copysign(_SINGULAR, cb)
    o, m, i = order[0], order[1], order[2]
    # inverse of that matrix, written for the axes x, y, z and a right-handed order
    out[0, o], out[0, m], out[0, i] = cc / cb, -sc / cb, 0.0
    out[1, o], out[1, m], out[1, i] = sc, cc, 0.0
    out[2, o], out[2, m], out[2, i] = -s * cc * sb / cb, s * sc * sb / cb, 1.0


@inline
def cone_gradients(w, x, y, z, a, b, c, out):
    """out (3, 3): gradients of the two swings and the twist, in the axes of the limit."""
    # twist about z: (w² + z²)' of the half angle, see the half-angle form of atan2(z, w)
    n = w * w + z * z
    if n < 1e-12:
        n = 1e-12
    tx, ty, tz = (-w * y + z * x) / n, (w * x + z * y) / n, 1.0
    out[2, 0], out[2, 1], out[2, 2] = tx, ty, tz
    # the swing's own rate is Rz(c) (v − z twist'), and its rotation vector's is that over J_r
    angle = math.sqrt(a * a + b * b)
    if angle < SMALL_ANGLE:
        k = 1.0 / 12.0
    else:
        k = (1.0 - 0.5 * angle / math.tan(0.5 * angle)) / (angle * angle)
    cosine, sine = math.cos(c), math.sin(c)
    for e in range(3):
        vx, vy, vz = (1.0 if e == 0 else 0.0), (1.0 if e == 1 else 0.0), (1.0 if e == 2 else 0.0)
        rate = tx if e == 0 else (ty if e == 1 else tz)
        rx, ry, rz = cosine * vx - sine * vy, sine * vx + cosine * vy, vz - rate
        # u + ½ s × u + k s × (s × u) for the swing s = (a, b, 0)
        px, py, pz = b * rz, -a * rz, a * ry - b * rx
        qx, qy = b * pz, -a * pz
        out[0, e] = rx + 0.5 * px + k * qx
        out[1, e] = ry + 0.5 * py + k * qy


@inline
def limit_gradients(kind, order, pre, post, w, x, y, z, angles, out):
    """angles (3,) and out (3, 3), their gradients by turns about the joint's own axes."""
    w, x, y, z = multiply(pre[0], pre[1], pre[2], pre[3], w, x, y, z)
    w, x, y, z = multiply(w, x, y, z, post[0], post[1], post[2], post[3])
    if kind == BOX:
        a, b, c = box_angles(order, w, x, y, z)
        box_gradients(order, a, b, c, out)
    else:
        a, b, c = cone_angles(w, x, y, z)
        cone_gradients(w, x, y, z, a, b, c, out)
    angles[0], angles[1], angles[2] = a, b, c
    # a turn v about the joint's axes is post⁻¹ v about those of the limit: rows turn by post
    for e in range(3):
        out[e, 0], out[e, 1], out[e, 2] = rotate(
            post[0], post[1], post[2], post[3], out[e, 0], out[e, 1], out[e, 2]
        )


@kernel(INT, INTS1, IN1, IN1, IN1, OUT1, OUT2)
def limit_gradients_one(kind, order, pre, post, q, angles, gradients):
    """Of one joint's rotation q (4,): angles (3,) and their gradients (3, 3)."""
    limit_gradients(kind, order, pre, post, q[0], q[1], q[2], q[3], angles, gradients)


@inline
def hold(limits, rotations, slack):
    """Bring every joint of rotations (J, 4) within its limits, in place; how many had to move."""
    moved = 0
    for j in range(limits.kind.shape[0]):
        if limits.kind[j] == FREE:
            continue
        did, w, x, y, z = within(
            limits.kind[j], limits.order[j], limits.bounds[j], limits.pre[j], limits.post[j],
            rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3], slack,
        )  # fmt: skip
        if did:
            rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3] = w, x, y, z
            moved += 1
    return moved


@kernel(LIMITS, OUT2, FLOAT)
def hold_one(limits, rotations, slack):
    """Bring every joint of rotations (J, 4) within its limits, in place; how many had to move."""
    return hold(limits, rotations, slack)


@inline
def excess(limits, j, w, x, y, z):
    """How far a joint is beyond its limit, radians; 0 within."""
    kind = limits.kind[j]
    if kind == FREE:
        return 0.0
    a, b, c = limit_angles(kind, limits.order[j], limits.pre[j], limits.post[j], w, x, y, z)
    bounds = limits.bounds[j]
    c = same_turn(c, bounds[2, 0], bounds[2, 1])
    if kind == BOX:
        a = same_turn(a, bounds[0, 0], bounds[0, 1])
    worst = max(0.0, bounds[2, 0] - c, c - bounds[2, 1])
    if kind == BOX:
        return max(worst, bounds[0, 0] - a, a - bounds[0, 1], bounds[1, 0] - b, b - bounds[1, 1])
    out = rim(a, b, bounds)
    if out > 1.0:
        worst = max(worst, math.hypot(a, b) * (1.0 - 1.0 / out))
    return worst


@inline
def exceeded(limits, rotations, j, value, slopes, angles, g3):
    """Bounds that joint j is beyond: value (A,) by how much, slopes (A, 3) by its own axes."""
    kind = limits.kind[j]
    if kind == FREE:
        return 0
    limit_gradients(
        kind, limits.order[j], limits.pre[j], limits.post[j],
        rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3], angles, g3,
    )  # fmt: skip
    bounds, found = limits.bounds[j], 0
    for k in range(3):
        if kind == CONE and k < 2:
            continue
        sign = 0.0
        angles[k] = same_turn(angles[k], bounds[k, 0], bounds[k, 1])
        if angles[k] > bounds[k, 1]:
            sign, value[found] = 1.0, angles[k] - bounds[k, 1]
        elif angles[k] < bounds[k, 0]:
            sign, value[found] = -1.0, bounds[k, 0] - angles[k]
        if sign != 0.0:
            for e in range(3):
                slopes[found, e] = sign * g3[k, e]
            found += 1
    if kind == CONE:
        a, b = angles[0], angles[1]
        out = rim(a, b, bounds)
        ga = bounds[0, 1] if a > 0.0 else -bounds[0, 0]
        gb = bounds[1, 1] if b > 0.0 else -bounds[1, 0]
        unit = min(ga, gb)
        if out > 1.0 and unit > 0.0:
            value[found] = (out - 1.0) * unit
            u, v = unit * a / (ga * ga * out), unit * b / (gb * gb * out)
            for e in range(3):
                slopes[found, e] = u * g3[0, e] + v * g3[1, e]
            found += 1
    return found


@kernel(LIMITS, IN3, OUT2)
def excess_each(limits, rotations, out):
    """out (F, J): how far the joints of rotations (F, J, 4) are beyond their limits, radians."""
    for f in range(rotations.shape[0]):
        for j in range(rotations.shape[1]):
            out[f, j] = excess(
                limits, j, rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
            )
