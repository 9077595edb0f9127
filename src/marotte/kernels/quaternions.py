"""Quaternion algebra: (w, x, y, z), Hamilton, unit unless said otherwise.

The inline functions work on scalars and return tuples, so that larger kernels keep everything in
registers. The kernels below them run over arrays of N quaternions. q and -q are the same rotation.
"""

from __future__ import annotations

import math

from .compiling import FLOAT, IN1, IN2, IN3, OUT2, OUT3, inline, inline_fused, kernel

# Below this angle (radians) series replace sin(x)/x, so that nothing divides by zero.
SMALL_ANGLE = 1e-4


@inline_fused
def multiply(aw, ax, ay, az, bw, bx, by, bz):
    """Product a b: first b, then a."""
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


@inline_fused
def rotate(w, x, y, z, px, py, pz):
    """The vector p turned by the quaternion."""
    tx = 2.0 * (y * pz - z * py)
    ty = 2.0 * (z * px - x * pz)
    tz = 2.0 * (x * py - y * px)
    return (
        px + w * tx + y * tz - z * ty,
        py + w * ty + z * tx - x * tz,
        pz + w * tz + x * ty - y * tx,
    )


@inline
def exp(vx, vy, vz):
    """Rotation about v by |v| radians (LS99 eq. 1, the convention of the notes)."""
    angle = math.sqrt(vx * vx + vy * vy + vz * vz)
    half = 0.5 * angle
    s = 0.5 - angle * angle / 48.0 if angle < SMALL_ANGLE else math.sin(half) / angle
    return math.cos(half), s * vx, s * vy, s * vz


@inline
def log(w, x, y, z):
    """Rotation vector of the shorter way round; its length is at most pi."""
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    length = math.sqrt(x * x + y * y + z * z)
    if length < SMALL_ANGLE:
        s = 2.0 / w * (1.0 - length * length / (3.0 * w * w))
    else:
        s = 2.0 * math.atan2(length, w) / length
    return s * x, s * y, s * z


@inline
def slerp(aw, ax, ay, az, bw, bx, by, bz, t):
    """From a (t = 0) to b (t = 1) along the shorter arc at constant speed."""
    dot = aw * bw + ax * bx + ay * by + az * bz
    if dot < 0.0:
        bw, bx, by, bz, dot = -bw, -bx, -by, -bz, -dot
    # The chord is exact where acos is not: near dot = 1.
    dw, dx, dy, dz = bw - aw, bx - ax, by - ay, bz - az
    chord = math.sqrt(dw * dw + dx * dx + dy * dy + dz * dz)
    angle = 2.0 * math.asin(min(1.0, 0.5 * chord))
    if angle < SMALL_ANGLE:
        u, v = 1.0 - t, t
    else:
        inverse = 1.0 / math.sin(angle)
        u = math.sin((1.0 - t) * angle) * inverse
        v = math.sin(t * angle) * inverse
    w, x, y, z = u * aw + v * bw, u * ax + v * bx, u * ay + v * by, u * az + v * bz
    n = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return w * n, x * n, y * n, z * n


@inline
def counted_on(vx, vy, vz, px, py, pz):
    """The rotation vector v lengthened by whole turns about its own axis until it is nearest to p."""
    angle = math.sqrt(vx * vx + vy * vy + vz * vz)
    if angle > SMALL_ANGLE:
        nx, ny, nz = vx / angle, vy / angle, vz / angle
    else:  # a whole number of turns: about the axis of p
        before = math.sqrt(px * px + py * py + pz * pz)
        if before < SMALL_ANGLE:
            return vx, vy, vz
        nx, ny, nz = px / before, py / before, pz / before
        angle = vx * nx + vy * ny + vz * nz
    along = px * nx + py * ny + pz * nz
    turns = math.floor((along - angle) / (2.0 * math.pi) + 0.5)
    if turns == 0.0:
        return vx, vy, vz
    angle += 2.0 * math.pi * turns
    return angle * nx, angle * ny, angle * nz


@kernel(IN2, IN2, OUT2)
def multiply_each(a, b, out):
    """out (N, 4) = a (N, 4) times b (N, 4)."""
    for i in range(out.shape[0]):
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = multiply(
            a[i, 0], a[i, 1], a[i, 2], a[i, 3], b[i, 0], b[i, 1], b[i, 2], b[i, 3]
        )


@kernel(IN2, IN2, OUT2)
def rotate_each(q, v, out):
    """out (N, 3) = v (N, 3) turned by q (N, 4)."""
    for i in range(out.shape[0]):
        out[i, 0], out[i, 1], out[i, 2] = rotate(
            q[i, 0], q[i, 1], q[i, 2], q[i, 3], v[i, 0], v[i, 1], v[i, 2]
        )


@kernel(IN2, OUT2)
def exp_each(v, out):
    """out (N, 4) = quaternions of the rotation vectors v (N, 3), radians."""
    for i in range(out.shape[0]):
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = exp(v[i, 0], v[i, 1], v[i, 2])


@kernel(IN2, OUT2)
def log_each(q, out):
    """out (N, 3) = rotation vectors of q (N, 4), radians, at most pi long."""
    for i in range(out.shape[0]):
        out[i, 0], out[i, 1], out[i, 2] = log(q[i, 0], q[i, 1], q[i, 2], q[i, 3])


@kernel(IN2, IN2, IN1, OUT2)
def slerp_each(a, b, t, out):
    """out (N, 4) between a (N, 4) and b (N, 4) at t (N,)."""
    for i in range(out.shape[0]):
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = slerp(
            a[i, 0], a[i, 1], a[i, 2], a[i, 3], b[i, 0], b[i, 1], b[i, 2], b[i, 3], t[i]
        )


@kernel(IN3, OUT3)
def unroll(q, out):
    """out (F, J, 4) = q with signs chosen so that each joint's neighbours lie in one hemisphere."""
    frames, joints = q.shape[0], q.shape[1]
    for f in range(frames):
        for j in range(joints):
            sign = 1.0
            if f > 0:
                dot = 0.0
                for k in range(4):
                    dot += q[f, j, k] * out[f - 1, j, k]
                if dot < 0.0:
                    sign = -1.0
            for k in range(4):
                out[f, j, k] = sign * q[f, j, k]


@kernel(IN2, OUT3)
def to_matrix_each(q, out):
    """out (N, 3, 3) = rotation matrices of q (N, 4), for column vectors."""
    for i in range(out.shape[0]):
        w, x, y, z = q[i, 0], q[i, 1], q[i, 2], q[i, 3]
        out[i, 0, 0] = 1.0 - 2.0 * (y * y + z * z)
        out[i, 0, 1] = 2.0 * (x * y - w * z)
        out[i, 0, 2] = 2.0 * (x * z + w * y)
        out[i, 1, 0] = 2.0 * (x * y + w * z)
        out[i, 1, 1] = 1.0 - 2.0 * (x * x + z * z)
        out[i, 1, 2] = 2.0 * (y * z - w * x)
        out[i, 2, 0] = 2.0 * (x * z - w * y)
        out[i, 2, 1] = 2.0 * (y * z + w * x)
        out[i, 2, 2] = 1.0 - 2.0 * (x * x + y * y)


@kernel(IN3, OUT2)
def from_matrix_each(m, out):
    """out (N, 4) = quaternions, w >= 0, of rotation matrices m (N, 3, 3).

    The largest of the four squared components is taken from the diagonal, which is accurate
    everywhere (Shepperd's method).
    """
    for i in range(out.shape[0]):
        a, b, c = m[i, 0, 0], m[i, 1, 1], m[i, 2, 2]
        trace = a + b + c
        if trace >= a and trace >= b and trace >= c:
            w = 1.0 + trace
            x = m[i, 2, 1] - m[i, 1, 2]
            y = m[i, 0, 2] - m[i, 2, 0]
            z = m[i, 1, 0] - m[i, 0, 1]
        elif a >= b and a >= c:
            w = m[i, 2, 1] - m[i, 1, 2]
            x = 1.0 + a - b - c
            y = m[i, 0, 1] + m[i, 1, 0]
            z = m[i, 0, 2] + m[i, 2, 0]
        elif b >= c:
            w = m[i, 0, 2] - m[i, 2, 0]
            x = m[i, 0, 1] + m[i, 1, 0]
            y = 1.0 + b - a - c
            z = m[i, 1, 2] + m[i, 2, 1]
        else:
            w = m[i, 1, 0] - m[i, 0, 1]
            x = m[i, 0, 2] + m[i, 2, 0]
            y = m[i, 1, 2] + m[i, 2, 1]
            z = 1.0 + c - a - b
        n = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
        if w < 0.0:
            n = -n
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = w * n, x * n, y * n, z * n


@inline
def twist_about(w, x, y, z, ax, ay, az):
    """The part of the rotation about the unit axis; no turn at all where it is undefined."""
    along = x * ax + y * ay + z * az
    n = math.sqrt(w * w + along * along)
    if n < 1e-12:  # a half turn about an axis square to this one: any twist would do
        return 1.0, 0.0, 0.0, 0.0
    return w / n, along * ax / n, along * ay / n, along * az / n


@kernel(IN2, IN2, OUT2, OUT2)
def swing_twist_each(q, axis, swing, twist):
    """q (N, 4) = swing times twist, where twist turns about axis (N, 3) and swing square to it."""
    for i in range(q.shape[0]):
        w, x, y, z = q[i, 0], q[i, 1], q[i, 2], q[i, 3]
        tw, tx, ty, tz = twist_about(w, x, y, z, axis[i, 0], axis[i, 1], axis[i, 2])
        swing[i, 0], swing[i, 1], swing[i, 2], swing[i, 3] = multiply(w, x, y, z, tw, -tx, -ty, -tz)
        twist[i, 0], twist[i, 1], twist[i, 2], twist[i, 3] = tw, tx, ty, tz


@kernel(IN3, IN1, OUT3)
def resample_slerp(q, at, out):
    """out (N, J, 4) = q (F, J, 4) at the fractional frames `at` (N,), held at both ends."""
    last = q.shape[0] - 1
    for i in range(at.shape[0]):
        frame = min(max(at[i], 0.0), float(last))
        a = min(int(frame), last)
        b = min(a + 1, last)
        t = frame - a
        for j in range(q.shape[1]):
            out[i, j, 0], out[i, j, 1], out[i, j, 2], out[i, j, 3] = slerp(
                q[a, j, 0], q[a, j, 1], q[a, j, 2], q[a, j, 3],
                q[b, j, 0], q[b, j, 1], q[b, j, 2], q[b, j, 3], t,
            )  # fmt: skip


@kernel(IN3, OUT3, FLOAT)
def normalise(q, out, tiny):
    """out (F, J, 4) = q scaled to unit length; what is shorter than `tiny` becomes no rotation."""
    for f in range(q.shape[0]):
        for j in range(q.shape[1]):
            w, x, y, z = q[f, j, 0], q[f, j, 1], q[f, j, 2], q[f, j, 3]
            n = math.sqrt(w * w + x * x + y * y + z * z)
            if n <= tiny:
                w, x, y, z, n = 1.0, 0.0, 0.0, 0.0, 1.0
            out[f, j, 0], out[f, j, 1], out[f, j, 2], out[f, j, 3] = w / n, x / n, y / n, z / n


@kernel(IN3, IN2, OUT3)
def log_about(q, reference, out):
    """out (F, J, 3) = rotation vectors of reference (J, 4) to q (F, J, 4), continuous over time.

    A rotation vector may be lengthened by whole turns about its own axis; of all those the one
    nearest to the frame before is taken, so that a joint that spins on keeps counting.
    """
    for j in range(q.shape[1]):
        rw, rx, ry, rz = reference[j, 0], -reference[j, 1], -reference[j, 2], -reference[j, 3]
        for f in range(q.shape[0]):
            w, x, y, z = multiply(rw, rx, ry, rz, q[f, j, 0], q[f, j, 1], q[f, j, 2], q[f, j, 3])
            vx, vy, vz = log(w, x, y, z)
            if f > 0:
                vx, vy, vz = counted_on(vx, vy, vz, out[f - 1, j, 0], out[f - 1, j, 1], out[f - 1, j, 2])
            out[f, j, 0], out[f, j, 1], out[f, j, 2] = vx, vy, vz


@kernel(IN3, IN2, OUT3)
def exp_about(v, reference, out):
    """out (F, J, 4) = reference (J, 4) times the quaternions of v (F, J, 3), radians."""
    for f in range(v.shape[0]):
        for j in range(v.shape[1]):
            w, x, y, z = exp(v[f, j, 0], v[f, j, 1], v[f, j, 2])
            out[f, j, 0], out[f, j, 1], out[f, j, 2], out[f, j, 3] = multiply(
                reference[j, 0], reference[j, 1], reference[j, 2], reference[j, 3], w, x, y, z
            )
