"""Euler angles of every joint at once, intrinsic, in any of the 12 orders, 0 to 3 axes a joint.

A joint's `axes` (3,) name the axes it turns about, in the order of application (first the
outermost): 0, 1, 2 for x, y, z, and -1 where it has fewer than three. `columns` (3,) say where in
a frame's row each of those angles stands.
"""

from __future__ import annotations

import math

from .compiling import IN2, IN3, INT, INTS2, OUT2, OUT3, inline, kernel
from .quaternions import multiply

TWO_PI = 2.0 * math.pi
RADIANS = math.pi / 180.0
# Nearer than this (radians) to the singular middle angle only a sum or difference of the outer
# two is left; the outermost angle then keeps its last value.
SINGULAR = 1e-9


@inline
def _axis_turn(axis, angle):
    s = math.sin(0.5 * angle)
    return (
        math.cos(0.5 * angle),
        s if axis == 0 else 0.0,
        s if axis == 1 else 0.0,
        s if axis == 2 else 0.0,
    )


@kernel(IN2, INTS2, INTS2, OUT3, INT)
def quaternions_from_columns(values, axes, columns, rotations, first):
    """rotations (F, J, 4) from `first` on = products of the axis turns in values (N, C), degrees."""
    for f in range(values.shape[0]):
        for j in range(axes.shape[0]):
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            for k in range(3):
                axis = axes[j, k]
                if axis < 0:
                    break
                aw, ax, ay, az = _axis_turn(axis, values[f, columns[j, k]] * RADIANS)
                if k == 0:
                    w, x, y, z = aw, ax, ay, az
                else:
                    w, x, y, z = multiply(w, x, y, z, aw, ax, ay, az)
            rotations[first + f, j, 0] = w
            rotations[first + f, j, 1] = x
            rotations[first + f, j, 2] = y
            rotations[first + f, j, 3] = z


@inline
def _component(axis, x, y, z):
    if axis == 0:
        return x
    if axis == 1:
        return y
    return z


@inline
def _nearest_turn(angle, reference):
    """The angle plus whole turns, as near to the reference as can be."""
    return angle + TWO_PI * math.floor((reference - angle) / TWO_PI + 0.5)


@inline
def euler_near(w, x, y, z, outer, middle, inner, count, a0, b0, c0):
    """Radians about the axes outer, middle, inner (intrinsic), nearest to a0, b0, c0.

    Both solutions of a pose are tried and whole turns added, so that a sequence of poses gives
    continuous curves. A joint with `count` < 3 axes keeps its missing angles at zero if it can.
    The half-angle form covers all 12 orders (Bernardes and Viollet 2022, Algorithm 1).
    """
    proper = outer == inner
    i, j = inner, middle  # as extrinsic angles, which the form is written for, the order reverses
    m = 3 - i - j
    sign = float((i - j) * (j - m) * (m - i)) / 2.0
    qi, qj, qm = _component(i, x, y, z), _component(j, x, y, z), _component(m, x, y, z) * sign
    if proper:
        p, q, r, s = w, qi, qj, qm
    else:
        p, q, r, s = w - qj, qi + qm, qj + w, qm - qi
    tilt = 2.0 * math.atan2(math.sqrt(r * r + s * s), math.sqrt(p * p + q * q))  # in [0, pi]
    half_sum, half_difference = math.atan2(q, p), math.atan2(s, r)
    flip = 1.0 if proper else sign
    b = tilt if proper else tilt - 0.5 * math.pi
    if tilt < SINGULAR or math.pi - tilt < SINGULAR:
        total = 2.0 * half_sum if tilt < SINGULAR else -2.0 * half_difference
        side = 1.0 if tilt < SINGULAR else -1.0
        # total = c + side * flip * a; what is missing stays zero, else the outermost stays put
        if count < 3:
            c = 0.0
            a = side * flip * total
        else:
            a = a0
            c = total - side * flip * a
        return _nearest_turn(a, a0), _nearest_turn(b, b0), _nearest_turn(c, c0)
    a = flip * (half_sum + half_difference)
    c = half_sum - half_difference
    a1, b1, c1 = _nearest_turn(a, a0), _nearest_turn(b, b0), _nearest_turn(c, c0)
    other = -b if proper else math.pi - b
    a2 = _nearest_turn(a + math.pi, a0)
    b2 = _nearest_turn(other, b0)
    c2 = _nearest_turn(c + math.pi, c0)
    if count < 3:
        better = abs(_nearest_turn(c2, 0.0)) < abs(_nearest_turn(c1, 0.0))
    else:
        near1 = abs(a1 - a0) + abs(b1 - b0) + abs(c1 - c0)
        near2 = abs(a2 - a0) + abs(b2 - b0) + abs(c2 - c0)
        better = near2 < near1
    if better:
        return a2, b2, c2
    return a1, b1, c1


@kernel(IN3, INTS2, INTS2, IN2, OUT2)
def columns_from_quaternions(rotations, axes, columns, start, values):
    """values (F, C) = angles of rotations (F, J, 4), degrees, continuous over the frames.

    `start` (J, 3), degrees, is what the first frame should be near to. Angles that a joint has no
    axis for are not written.
    """
    for j in range(axes.shape[0]):
        count = 0
        while count < 3 and axes[j, count] >= 0:
            count += 1
        if count == 0:
            continue
        outer = axes[j, 0]
        middle = axes[j, 1] if count > 1 else (outer + 1) % 3
        inner = axes[j, 2] if count > 2 else 3 - outer - middle
        a, b, c = start[j, 0] * RADIANS, start[j, 1] * RADIANS, start[j, 2] * RADIANS
        w, x, y, z = math.nan, math.nan, math.nan, math.nan
        for f in range(rotations.shape[0]):
            w0, x0, y0, z0 = w, x, y, z
            w, x, y, z = rotations[f, j, 0], rotations[f, j, 1], rotations[f, j, 2], rotations[f, j, 3]
            if w != w0 or x != x0 or y != y0 or z != z0:  # in real takes many joints rest for long
                a, b, c = euler_near(w, x, y, z, outer, middle, inner, count, a, b, c)
            values[f, columns[j, 0]] = a / RADIANS
            if count > 1:
                values[f, columns[j, 1]] = b / RADIANS
            if count > 2:
                values[f, columns[j, 2]] = c / RADIANS
