"""Rotations blended on the sphere: between two along one arc, among many by their mean.

The mean of rotations q_n with shares s_n is the m for which the turns from m to each of them,
weighed by their shares, add up to nothing (the mean of Karcher). Between two it lies on the arc
from the one to the other. Where two are about half a turn apart there are two ways round; from
frame to frame the way is kept, so that nothing jumps, and it is chosen anew after frames that
belong to one take alone.
"""

from __future__ import annotations

import math

from .compiling import IN3, IN4, INT, OUT2, OUT3, inline, kernel
from .quaternions import counted_on, exp, log, multiply

STEPS = 64  # at most, towards a mean; each one leaves about a tenth of the way for rotations 90° apart
CLOSE = 1e-28  # squared length of a step, radians², that ends the search
POWER_STEPS = 16
LEAST_SLOPE = 0.5


@kernel(IN3, IN3, IN3, OUT3, INT, INT)
def blend_two(a, b, shares, out, first, stop):
    """Joints first to stop of out (F, J, 4), from a (F, J, 4) to b (F, J, 4).

    shares (2, F, J) of a and of b add up to 1; below 0 and above 1 go beyond the ends of the arc.
    """
    for j in range(first, stop):
        kept = False
        px, py, pz = 0.0, 0.0, 0.0
        for f in range(a.shape[0]):
            share = shares[1, f, j]
            aw, ax, ay, az = a[f, j, 0], a[f, j, 1], a[f, j, 2], a[f, j, 3]
            bw, bx, by, bz = b[f, j, 0], b[f, j, 1], b[f, j, 2], b[f, j, 3]
            if share == 0.0 or shares[0, f, j] == 0.0:  # bit by bit
                kept = False
                if share == 0.0:
                    out[f, j, 0], out[f, j, 1], out[f, j, 2], out[f, j, 3] = aw, ax, ay, az
                else:
                    out[f, j, 0], out[f, j, 1], out[f, j, 2], out[f, j, 3] = bw, bx, by, bz
                continue
            w, x, y, z = multiply(aw, -ax, -ay, -az, bw, bx, by, bz)
            vx, vy, vz = log(w, x, y, z)
            if kept:
                vx, vy, vz = counted_on(vx, vy, vz, px, py, pz)
            kept = True
            px, py, pz = vx, vy, vz
            w, x, y, z = exp(share * vx, share * vy, share * vz)
            out[f, j, 0], out[f, j, 1], out[f, j, 2], out[f, j, 3] = multiply(aw, ax, ay, az, w, x, y, z)


@inline
def _middle(takes, shares, f, j):
    """A unit quaternion near all of them: the main axis of the sum of s q qᵀ.

    Neither the order of the takes nor the signs of their quaternions matter.
    """
    best, column = -1.0, 0
    for k in range(4):
        size = 0.0
        for n in range(takes.shape[0]):
            size += shares[n, f, j] * takes[n, f, j, k] * takes[n, f, j, k]
        if size > best:
            best, column = size, k
    mw, mx, my, mz = 0.0, 0.0, 0.0, 0.0
    for step in range(POWER_STEPS):
        w, x, y, z = 0.0, 0.0, 0.0, 0.0
        for n in range(takes.shape[0]):
            qw, qx, qy, qz = takes[n, f, j, 0], takes[n, f, j, 1], takes[n, f, j, 2], takes[n, f, j, 3]
            along = takes[n, f, j, column] if step == 0 else qw * mw + qx * mx + qy * my + qz * mz
            s = shares[n, f, j] * along
            w, x, y, z = w + s * qw, x + s * qx, y + s * qy, z + s * qz
        size = math.sqrt(w * w + x * x + y * y + z * z)
        mw, mx, my, mz = w / size, x / size, y / size, z / size
    return mw, mx, my, mz


@kernel(IN4, IN3, OUT3, OUT2, INT, INT)
def blend_many(takes, shares, out, ways, first, stop):
    """Joints first to stop of out (F, J, 4) = the mean of takes (N, F, J, 4).

    shares (N, F, J), none negative, add up to 1. ways (N, 4) is scratch: the turn from the mean to
    each take at the frame before, and whether there is one.
    """
    count = takes.shape[0]
    for j in range(first, stop):
        for n in range(count):
            ways[n, 3] = 0.0
        kept = False
        mw, mx, my, mz = 1.0, 0.0, 0.0, 0.0
        for f in range(takes.shape[1]):
            alone = -1
            for n in range(count):
                if shares[n, f, j] == 0.0:
                    ways[n, 3] = 0.0
                elif shares[n, f, j] == 1.0:
                    alone = n
            if alone >= 0:  # bit by bit
                for k in range(4):
                    out[f, j, k] = takes[alone, f, j, k]
                kept = False
                ways[alone, 3] = 0.0
                continue
            if not kept:
                mw, mx, my, mz = _middle(takes, shares, f, j)
                kept = True
            for _ in range(STEPS):
                dx, dy, dz, bend = 0.0, 0.0, 0.0, 0.0
                for n in range(count):
                    share = shares[n, f, j]
                    if share == 0.0:
                        continue
                    w, x, y, z = multiply(
                        mw, -mx, -my, -mz,
                        takes[n, f, j, 0], takes[n, f, j, 1], takes[n, f, j, 2], takes[n, f, j, 3],
                    )  # fmt: skip
                    vx, vy, vz = log(w, x, y, z)
                    if ways[n, 3] != 0.0:
                        vx, vy, vz = counted_on(vx, vy, vz, ways[n, 0], ways[n, 1], ways[n, 2])
                    ways[n, 0], ways[n, 1], ways[n, 2], ways[n, 3] = vx, vy, vz, 1.0
                    dx, dy, dz = dx + share * vx, dy + share * vy, dz + share * vz
                    bend += share * (vx * vx + vy * vy + vz * vz)
                # turns square to the step shrink less than those along it, on the mean by this much
                longer = 1.0 / max(LEAST_SLOPE, 1.0 - bend / 18.0)
                w, x, y, z = exp(longer * dx, longer * dy, longer * dz)
                w, x, y, z = multiply(mw, mx, my, mz, w, x, y, z)
                size = math.sqrt(w * w + x * x + y * y + z * z)
                mw, mx, my, mz = w / size, x / size, y / size, z / size
                if dx * dx + dy * dy + dz * dz < CLOSE:
                    break
            out[f, j, 0], out[f, j, 1], out[f, j, 2], out[f, j, 3] = mw, mx, my, mz
