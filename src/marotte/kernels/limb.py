"""A limb in closed form: its end at a place, nearest to how it was (LS99 5.3, eq. 7; SLSG01 5.3).

A limb turns freely at its root joint, about one axis at its hinge, and at its end. Joints between
these keep their rotations. The hinge's axis need not pass through the other joints, nor be square
to the bones: with r₁, r₂ the distances of root and end from the axis and a₁, a₂ where they lie
along it, L² = (a₁ − a₂)² + r₁² + r₂² − 2 r₁ r₂ cos φ (LS99 eq. 7, as corrected in the notes).

Of the circle that the hinge can lie on, the point is taken that turns the root joint least: the
shortest arc from where the limb points to where it shall point. That is the swivel angle of
SLSG01 eq. 21 to 23 without its half angles, and holds for both signs of the quaternions.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from .compiling import IN1, IN2, INT, INTS1, OUT1, OUT2, inline, inline_fused, kernel
from .goals import TREE
from .quaternions import exp, multiply, rotate

ON_DEMAND = True  # see compiling.all_kernels
_TINY = 1e-12


class LimbTable(NamedTuple):
    """L limbs of a figure; all arrays read-only."""

    root: Any  # (L,)
    hinge: Any  # (L,)
    end: Any  # (L,)
    axis: Any  # (L, 3) unit, in the hinge joint's frame; turning positively about it bends the limb
    cosine: Any  # (L, 2) of the least and the greatest angle φ between the bones; -1 is straight
    most: Any  # (L,) metres from root to end at full stretch
    soft: Any  # (L,) metres short of full reach from where on the limb gives way softly


LIMBS = types.NamedTuple((INTS1, INTS1, INTS1, IN2, IN2, IN1, IN1), LimbTable)


@inline
def carried(tree, rotations, j, top):
    """Joint j in the frame of its ancestor `top`: place (3) and rotation (4)."""
    vx, vy, vz = tree.offsets[j, 0], tree.offsets[j, 1], tree.offsets[j, 2]
    w, x, y, z = rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3]
    k = tree.parents[j]
    while k != top and k >= 0:
        qw, qx, qy, qz = rotations[k, 0], rotations[k, 1], rotations[k, 2], rotations[k, 3]
        vx, vy, vz = rotate(qw, qx, qy, qz, vx, vy, vz)
        vx += tree.offsets[k, 0]
        vy += tree.offsets[k, 1]
        vz += tree.offsets[k, 2]
        w, x, y, z = multiply(qw, qx, qy, qz, w, x, y, z)
        k = tree.parents[k]
    return vx, vy, vz, w, x, y, z


@inline
def shortest_arc(ax, ay, az, bx, by, bz, hx, hy, hz):
    """The least turn from direction a to direction b, unit both; about h where they are opposite."""
    cx, cy, cz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    w = 1.0 + ax * bx + ay * by + az * bz
    n = math.sqrt(w * w + cx * cx + cy * cy + cz * cz)
    if n < 1e-7:  # opposite: half a turn about h, made square to a
        along = hx * ax + hy * ay + hz * az
        cx, cy, cz, w = hx - along * ax, hy - along * ay, hz - along * az, 0.0
        n = math.sqrt(cx * cx + cy * cy + cz * cz)
        if n < 1e-7:
            if abs(ax) < 0.9:
                cx, cy, cz = 0.0, az, -ay
            else:
                cx, cy, cz = -az, 0.0, ax
            n = math.sqrt(cx * cx + cy * cy + cz * cz)
    return w / n, cx / n, cy / n, cz / n


@inline
def soft_length(length, most, soft):
    """A length that comes near `most` ever more slowly from `soft` short of it, and never beyond."""
    if soft <= 0.0:
        return min(length, most)
    over = length - (most - soft)
    if over <= 0.0:
        return length
    return most - soft * math.exp(-over / soft)


@inline_fused
def bend_to(limbs, i, e0, o1, o2, length):
    """How far the hinge must turn on from rotation e0 for root and end to be `length` apart.

    e0 (4) is the hinge joint's rotation, o1 (3) the root seen from the hinge in the frame of the
    hinge's parent, o2 (3) the end in the hinge joint's frame. Returns the turn as cosine and sine of
    its half, how much of a turn a metre takes (0 where the limb is at its end), and the distance
    reached. Angles stay cosines and sines all the way: trigonometry would be most of the time.
    """
    hx, hy, hz = limbs.axis[i, 0], limbs.axis[i, 1], limbs.axis[i, 2]
    # the root, seen from the hinge, in the hinge joint's own frame
    px, py, pz = rotate(e0[0], -e0[1], -e0[2], -e0[3], o1[0], o1[1], o1[2])
    a1, a2 = px * hx + py * hy + pz * hz, o2[0] * hx + o2[1] * hy + o2[2] * hz
    ux, uy, uz = px - a1 * hx, py - a1 * hy, pz - a1 * hz
    vx, vy, vz = o2[0] - a2 * hx, o2[1] - a2 * hy, o2[2] - a2 * hz
    square1, square2 = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz
    along = (a1 - a2) * (a1 - a2) + square1 + square2
    if square1 < _TINY * _TINY or square2 < _TINY * _TINY:
        # a bone without length, or along the axis: bending does nothing
        return 1.0, 0.0, 0.0, math.sqrt(max(0.0, along))
    # signed angle from the root to the end about the axis; straight is ±π, bent is −φ
    sine = hx * (uy * vz - uz * vy) + hy * (uz * vx - ux * vz) + hz * (ux * vy - uy * vx)
    cosine = ux * vx + uy * vy + uz * vz
    r1r2 = math.sqrt(sine * sine + cosine * cosine)
    sine, cosine = sine / r1r2, cosine / r1r2
    low, high = limbs.cosine[i, 0], limbs.cosine[i, 1]
    least = math.sqrt(max(0.0, along - 2.0 * r1r2 * low))
    most = math.sqrt(max(0.0, along - 2.0 * r1r2 * high))
    wanted = soft_length(length, most, limbs.soft[i])
    rate = 0.0
    if wanted >= most:
        c, wanted = high, most
    elif wanted <= least:
        c, wanted = low, least
    else:
        c = min(low, max(high, (along - wanted * wanted) / (2.0 * r1r2)))
    s = math.sqrt(max(0.0, (1.0 - c) * (1.0 + c)))
    if least < wanted < most and s > 1e-9:
        rate = -wanted / (r1r2 * s)  # of the hinge's turn: φ grows with length, and the turn is −φ
        if limbs.soft[i] > 0.0 and length > most - limbs.soft[i]:
            rate *= (most - wanted) / limbs.soft[i]
    # the turn is −φ less the angle that there is
    turn_c, turn_s = c * cosine - s * sine, -(s * cosine + c * sine)
    if turn_c >= 0.0:
        half_c = math.sqrt(0.5 * (1.0 + turn_c))
        half_s = 0.5 * turn_s / half_c
    else:
        half_s = math.copysign(math.sqrt(0.5 * (1.0 - turn_c)), turn_s)
        half_c = 0.5 * turn_s / half_s
    return half_c, half_s, rate, wanted


@inline
def reach(tree, limbs, i, rotations, parent, root_at, place, ox, oy, oz, swivel, e0, o1, o2, facts):
    """Turn the limb's root and hinge so that a point comes to `place` (3,); rotations change in place.

    parent (4) is the world orientation that the root joint turns in, root_at (3) where it is. The
    point is (ox, oy, oz) in the frame of the end joint, whose own rotation is kept. `swivel` turns
    on about the limb's line, radians. facts (6,): the hinge's turn a metre, the distance reached
    and asked, the line's direction (3).
    """
    r, h, e = limbs.root[i], limbs.hinge[i], limbs.end[i]
    x1, y1, z1, bw, bx, by, bz = carried(tree, rotations, h, r)
    # the hinge's parent in the root joint's frame: what `carried` has, less the hinge's own turn
    e0[0], e0[1], e0[2], e0[3] = rotations[h, 0], rotations[h, 1], rotations[h, 2], rotations[h, 3]
    fw, fx, fy, fz = multiply(bw, bx, by, bz, e0[0], -e0[1], -e0[2], -e0[3])
    o1[0], o1[1], o1[2] = rotate(fw, -fx, -fy, -fz, -x1, -y1, -z1)
    x2, y2, z2, gw, gx, gy, gz = carried(tree, rotations, e, h)
    tx, ty, tz = rotate(gw, gx, gy, gz, ox, oy, oz)
    o2[0], o2[1], o2[2] = x2 + tx, y2 + ty, z2 + tz
    dx, dy, dz = place[0] - root_at[0], place[1] - root_at[1], place[2] - root_at[2]
    asked = math.sqrt(dx * dx + dy * dy + dz * dz)
    tw, ts, rate, length = bend_to(limbs, i, e0, o1, o2, asked)
    hx, hy, hz = limbs.axis[i, 0], limbs.axis[i, 1], limbs.axis[i, 2]
    hw, hx_, hy_, hz_ = multiply(e0[0], e0[1], e0[2], e0[3], tw, ts * hx, ts * hy, ts * hz)
    rotations[h, 0], rotations[h, 1], rotations[h, 2], rotations[h, 3] = hw, hx_, hy_, hz_
    # where the point is now, seen from the root joint, in the world as the root stood
    qw, qx, qy, qz = multiply(
        parent[0], parent[1], parent[2], parent[3],
        rotations[r, 0], rotations[r, 1], rotations[r, 2], rotations[r, 3],
    )  # fmt: skip
    cx, cy, cz = rotate(hw, hx_, hy_, hz_, o2[0], o2[1], o2[2])
    cx, cy, cz = rotate(fw, fx, fy, fz, cx, cy, cz)
    cx, cy, cz = rotate(qw, qx, qy, qz, cx + x1, cy + y1, cz + z1)
    n = math.sqrt(cx * cx + cy * cy + cz * cz)
    facts[0], facts[1], facts[2] = rate, length, asked
    if n > _TINY and asked > _TINY:
        dx, dy, dz = dx / asked, dy / asked, dz / asked
        ax, ay, az = rotate(qw, qx, qy, qz, hx, hy, hz)
        aw, ax, ay, az = shortest_arc(cx / n, cy / n, cz / n, dx, dy, dz, ax, ay, az)
        if swivel != 0.0:
            sw, sx, sy, sz = exp(swivel * dx, swivel * dy, swivel * dz)
            aw, ax, ay, az = multiply(sw, sx, sy, sz, aw, ax, ay, az)
        qw, qx, qy, qz = multiply(aw, ax, ay, az, qw, qx, qy, qz)
        qw, qx, qy, qz = multiply(parent[0], -parent[1], -parent[2], -parent[3], qw, qx, qy, qz)
        s = 1.0 / math.sqrt(qw * qw + qx * qx + qy * qy + qz * qz)
        rotations[r, 0], rotations[r, 1], rotations[r, 2], rotations[r, 3] = qw * s, qx * s, qy * s, qz * s
    else:
        dx, dy, dz = 0.0, 0.0, 0.0
    facts[3], facts[4], facts[5] = dx, dy, dz


@inline
def turn_end(tree, limbs, i, rotations, parent, w, x, y, z):
    """Turn the limb's end joint so that its world orientation is (w, x, y, z)."""
    e = limbs.end[i]
    qw, qx, qy, qz = parent[0], parent[1], parent[2], parent[3]
    top = tree.parents[limbs.root[i]]
    # the orientation of the end's parent: down the chain
    bw, bx, by, bz = 1.0, 0.0, 0.0, 0.0
    k = tree.parents[e]
    while k != top and k >= 0:
        bw, bx, by, bz = multiply(
            rotations[k, 0], rotations[k, 1], rotations[k, 2], rotations[k, 3], bw, bx, by, bz
        )
        k = tree.parents[k]
    qw, qx, qy, qz = multiply(qw, qx, qy, qz, bw, bx, by, bz)
    w, x, y, z = multiply(qw, -qx, -qy, -qz, w, x, y, z)
    s = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    rotations[e, 0], rotations[e, 1], rotations[e, 2], rotations[e, 3] = w * s, x * s, y * s, z * s


@kernel(TREE, LIMBS, INT, OUT2, IN1, IN1, IN1, IN1, IN1, INT, types.float64, OUT1)
def limb_one(tree, limbs, i, rotations, parent, root_at, place, offset, turned, has_turn, swivel, facts):
    """One limb of one pose: rotations (J, 4) change in place so that the point `offset` (3,) of the
    end joint is at `place` (3,) and, with has_turn, its orientation is `turned` (4,)."""
    e0, o1, o2 = np.empty(4), np.empty(3), np.empty(3)
    ox, oy, oz = offset[0], offset[1], offset[2]
    if has_turn != 0:
        # the joint's own place follows from where its point shall be
        vx, vy, vz = rotate(turned[0], turned[1], turned[2], turned[3], ox, oy, oz)
        goal = np.array([place[0] - vx, place[1] - vy, place[2] - vz])
        reach(tree, limbs, i, rotations, parent, root_at, goal, 0.0, 0.0, 0.0, swivel, e0, o1, o2, facts)
        turn_end(tree, limbs, i, rotations, parent, turned[0], turned[1], turned[2], turned[3])
    else:
        reach(tree, limbs, i, rotations, parent, root_at, place, ox, oy, oz, swivel, e0, o1, o2, facts)
