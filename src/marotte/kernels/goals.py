"""What goals ask of a pose: residuals and their Jacobian, for every solver.

A figure's degrees of freedom are numbered: the root's place first (three, where it may move), then
joint by joint. A joint has three (turns about its own axes, taken together as a rotation vector),
two (one about an axis of its parent, then one about its own), one (a hinge) or none.

A goal fills `rows` rows. Residuals are metres, of turns radians, and 0 where the goal is met; the
Jacobian is by the degrees of freedom at the pose itself. All of them are exact.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from .compiling import FLOAT, IN1, IN2, IN3, INT, INTS1, OUT1, OUT2, inline, kernel
from .quaternions import exp, log, multiply, rotate

ON_DEMAND = True  # see compiling.all_kernels
POSITION, ORIENTATION, LOOK, DISTANCE, BALANCE, ANGLE = range(6)
ROWS = (3, 3, 3, 1, 2, 1)
EQUAL, AT_LEAST, AT_MOST = 0, 1, -1
_TINY = 1e-12


class Tree(NamedTuple):
    """A figure and its degrees of freedom; all arrays read-only."""

    parents: Any  # (J,)
    offsets: Any  # (J, 3)
    first: Any  # (J,) index of the joint's first degree of freedom
    count: Any  # (J,) 0 to 3
    axes: Any  # (J, 2, 3) of those with one (in the joint's frame) or two (the parent's, the joint's)
    shares: Any  # (J,) of the mass, sum 1
    centres: Any  # (J, 3) of that mass, in the joint's frame
    place: Any  # 3 where the root may move, else 0
    total: Any  # degrees of freedom


class Goals(NamedTuple):
    """E goals over F frames; all arrays read-only."""

    kind: Any  # (E,)
    joint: Any  # (E,)
    other: Any  # (E,) second joint of a distance, -1 for a place in the world
    row: Any  # (E,) where the goal's rows begin
    relation: Any  # (E,) of distances and angles: EQUAL, AT_LEAST, AT_MOST
    offset: Any  # (E, 3) of the point on the joint, metres
    aim: Any  # (E, 3) direction that looks, axis of an angle, or offset on the other joint
    target: Any  # (F, E, 4) place, orientation, or number
    anchor: Any  # (F, E, 3) the place that a distance is from, where `other` is -1
    weight: Any  # (F, E) 0 where the goal does not hold
    support: Any  # (F, K, 2) corners of the area that carries, counterclockwise seen from below
    corners: Any  # (F,) how many of them count
    rows: Any  # in all


TREE = types.NamedTuple(
    (INTS1, IN2, INTS1, INTS1, IN3, IN1, IN2, INT, INT), Tree
)  # fmt: skip
GOALS = types.NamedTuple(
    (INTS1, INTS1, INTS1, INTS1, INTS1, IN2, IN2, IN3, IN3, IN2, IN3, INTS1, INT), Goals
)  # fmt: skip


@inline
def place(tree, root, rotations, positions, orientations):
    """positions (J, 3) and orientations (J, 4) of one pose."""
    parents, offsets = tree.parents, tree.offsets
    for j in range(parents.shape[0]):
        p = parents[j]
        rw, rx, ry, rz = rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3]
        if p < 0:
            positions[j, 0], positions[j, 1], positions[j, 2] = root[0], root[1], root[2]
        else:
            pw, px = orientations[p, 0], orientations[p, 1]
            py, pz = orientations[p, 2], orientations[p, 3]
            vx, vy, vz = rotate(pw, px, py, pz, offsets[j, 0], offsets[j, 1], offsets[j, 2])
            positions[j, 0] = positions[p, 0] + vx
            positions[j, 1] = positions[p, 1] + vy
            positions[j, 2] = positions[p, 2] + vz
            rw, rx, ry, rz = multiply(pw, px, py, pz, rw, rx, ry, rz)
        orientations[j, 0], orientations[j, 1] = rw, rx
        orientations[j, 2], orientations[j, 3] = ry, rz


@inline
def copy_pose(root, rotations, to_root, to_rotations):
    """Number by number: whole arrays would bring NumPy's broadcasting, and its compile time, along."""
    for k in range(3):
        to_root[k] = root[k]
    for j in range(rotations.shape[0]):
        for k in range(4):
            to_rotations[j, k] = rotations[j, k]


@inline
def world_axes(tree, orientations, axes):
    """axes (D, 3): what each turning degree of freedom turns about, in the world."""
    for j in range(tree.parents.shape[0]):
        d, n = tree.first[j], tree.count[j]
        if n == 0:
            continue
        w, x, y, z = orientations[j, 0], orientations[j, 1], orientations[j, 2], orientations[j, 3]
        if n == 3:
            axes[d, 0] = 1.0 - 2.0 * (y * y + z * z)
            axes[d, 1] = 2.0 * (x * y + w * z)
            axes[d, 2] = 2.0 * (x * z - w * y)
            axes[d + 1, 0] = 2.0 * (x * y - w * z)
            axes[d + 1, 1] = 1.0 - 2.0 * (x * x + z * z)
            axes[d + 1, 2] = 2.0 * (y * z + w * x)
            axes[d + 2, 0] = 2.0 * (x * z + w * y)
            axes[d + 2, 1] = 2.0 * (y * z - w * x)
            axes[d + 2, 2] = 1.0 - 2.0 * (x * x + y * y)
            continue
        own = tree.axes[j, n - 1]
        axes[d + n - 1, 0], axes[d + n - 1, 1], axes[d + n - 1, 2] = rotate(
            w, x, y, z, own[0], own[1], own[2]
        )
        if n == 2:
            outer, p = tree.axes[j, 0], tree.parents[j]
            if p < 0:
                axes[d, 0], axes[d, 1], axes[d, 2] = outer[0], outer[1], outer[2]
            else:
                axes[d, 0], axes[d, 1], axes[d, 2] = rotate(
                    orientations[p, 0], orientations[p, 1], orientations[p, 2], orientations[p, 3],
                    outer[0], outer[1], outer[2],
                )  # fmt: skip


@inline
def move(tree, step, scale, root, rotations):
    """Take a step (D,) times `scale`, in place."""
    for k in range(tree.place):
        root[k] += scale * step[k]
    for j in range(tree.parents.shape[0]):
        d, n = tree.first[j], tree.count[j]
        if n == 0:
            continue
        w, x, y, z = rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3]
        if n == 3:
            bw, bx, by, bz = exp(scale * step[d], scale * step[d + 1], scale * step[d + 2])
        else:
            own, angle = tree.axes[j, n - 1], scale * step[d + n - 1]
            bw, bx, by, bz = exp(angle * own[0], angle * own[1], angle * own[2])
        w, x, y, z = multiply(w, x, y, z, bw, bx, by, bz)
        if n == 2:
            outer, angle = tree.axes[j, 0], scale * step[d]
            aw, ax, ay, az = exp(angle * outer[0], angle * outer[1], angle * outer[2])
            w, x, y, z = multiply(aw, ax, ay, az, w, x, y, z)
        s = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
        rotations[j, 0], rotations[j, 1] = w * s, x * s
        rotations[j, 2], rotations[j, 3] = y * s, z * s


@inline
def displacement(tree, root, rotations, root0, rotations0, out):
    """out (D,): how far the pose is from the reference, in its degrees of freedom (LS99 eq. 5).

    Of joints with two, the outer angle is that of the turn seen from the parent.
    """
    for k in range(tree.place):
        out[k] = root[k] - root0[k]
    for j in range(tree.parents.shape[0]):
        d, n = tree.first[j], tree.count[j]
        if n == 0:
            continue
        w, x, y, z = multiply(
            rotations0[j, 0], -rotations0[j, 1], -rotations0[j, 2], -rotations0[j, 3],
            rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3],
        )  # fmt: skip
        if n == 3:
            out[d], out[d + 1], out[d + 2] = log(w, x, y, z)
        elif n == 1:
            own = tree.axes[j, 0]
            vx, vy, vz = log(w, x, y, z)
            out[d] = vx * own[0] + vy * own[1] + vz * own[2]
        else:
            # q0⁻¹ exp(a A) q0 exp(b B): the outer axis seen from the reference joint is q0⁻¹ A
            outer, own = tree.axes[j, 0], tree.axes[j, 1]
            ax, ay, az = rotate(
                rotations0[j, 0], -rotations0[j, 1], -rotations0[j, 2], -rotations0[j, 3],
                outer[0], outer[1], outer[2],
            )  # fmt: skip
            a, b = _two_angles(w, x, y, z, ax, ay, az, own[0], own[1], own[2])
            out[d], out[d + 1] = a, b


@inline
def _two_angles(w, x, y, z, ax, ay, az, bx, by, bz):
    """Angles a, b of the turn exp(a A) exp(b B) about unit axes A and B."""
    # B is carried by the outer turn alone: its angle about A, from B to q B, square to A
    px, py, pz = rotate(w, x, y, z, bx, by, bz)
    along = ax * bx + ay * by + az * bz
    ux, uy, uz = bx - along * ax, by - along * ay, bz - along * az
    vx, vy, vz = px - along * ax, py - along * ay, pz - along * az
    cx, cy, cz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    a = math.atan2(cx * ax + cy * ay + cz * az, ux * vx + uy * vy + uz * vz)
    ow, ox, oy, oz = exp(-a * ax, -a * ay, -a * az)
    rw, rx, ry, rz = multiply(ow, ox, oy, oz, w, x, y, z)
    vx, vy, vz = log(rw, rx, ry, rz)
    return a, vx * bx + vy * by + vz * bz


@inline
def _point(positions, orientations, j, ox, oy, oz):
    vx, vy, vz = rotate(
        orientations[j, 0], orientations[j, 1], orientations[j, 2], orientations[j, 3], ox, oy, oz
    )
    return positions[j, 0] + vx, positions[j, 1] + vy, positions[j, 2] + vz


@inline
def point_of(positions, orientations, j, offset):
    """Where a point on joint j is."""
    return _point(positions, orientations, j, offset[0], offset[1], offset[2])


@inline
def point_columns(tree, positions, axes, j, px, py, pz, mx, my, mz, jacobian, row, sign):
    """Add to one row: sign · m · (how a point on joint j moves), over all degrees of freedom."""
    for k in range(tree.place):
        jacobian[row, k] += sign * (mx if k == 0 else (my if k == 1 else mz))
    while j >= 0:
        # m · (u × (p − c)) = u · ((p − c) × m)
        rx, ry, rz = px - positions[j, 0], py - positions[j, 1], pz - positions[j, 2]
        cx, cy, cz = ry * mz - rz * my, rz * mx - rx * mz, rx * my - ry * mx
        d = tree.first[j]
        for e in range(d, d + tree.count[j]):
            jacobian[row, e] += sign * (axes[e, 0] * cx + axes[e, 1] * cy + axes[e, 2] * cz)
        j = tree.parents[j]


@inline
def _turn_columns(tree, axes, j, m, jacobian, row):
    """Rows `row` to row + 2: M (3, 3) times how joint j turns, in the world."""
    while j >= 0:
        d = tree.first[j]
        for e in range(d, d + tree.count[j]):
            for i in range(3):
                jacobian[row + i, e] = m[i, 0] * axes[e, 0] + m[i, 1] * axes[e, 1] + m[i, 2] * axes[e, 2]
        j = tree.parents[j]


@inline
def _inverse_left(vx, vy, vz, m):
    """m (3, 3): how the rotation vector v of a turn changes when the turn is turned in the world."""
    angle = math.sqrt(vx * vx + vy * vy + vz * vz)
    if angle < 1e-4:
        k = 1.0 / 12.0
    else:
        k = (1.0 - 0.5 * angle / math.tan(0.5 * angle)) / (angle * angle)
    # I − ½ [v] + k [v]²
    m[0, 0] = 1.0 - k * (vy * vy + vz * vz)
    m[1, 1] = 1.0 - k * (vx * vx + vz * vz)
    m[2, 2] = 1.0 - k * (vx * vx + vy * vy)
    m[0, 1], m[1, 0] = k * vx * vy + 0.5 * vz, k * vx * vy - 0.5 * vz
    m[0, 2], m[2, 0] = k * vx * vz - 0.5 * vy, k * vx * vz + 0.5 * vy
    m[1, 2], m[2, 1] = k * vy * vz + 0.5 * vx, k * vy * vz - 0.5 * vx


@inline
def centre_of_mass(tree, positions, orientations):
    """The centre of mass in the world."""
    x, y, z = 0.0, 0.0, 0.0
    for j in range(tree.parents.shape[0]):
        share = tree.shares[j]
        if share > 0.0:
            px, py, pz = _point(
                positions, orientations, j, tree.centres[j, 0], tree.centres[j, 1], tree.centres[j, 2]
            )
            x += share * px
            y += share * py
            z += share * pz
    return x, y, z


@inline
def nearest_in_area(corners, count, x, z):
    """The nearest point of a convex area to (x, z), and the matrix (a, b, d) of what is off it:
    how (x, z) − nearest changes with (x, z), symmetric."""
    if count == 0:
        return x, z, 0.0, 0.0, 0.0
    if count == 1:
        return corners[0, 0], corners[0, 1], 1.0, 0.0, 1.0
    best, nx, nz = math.inf, x, z
    a, b, d = 0.0, 0.0, 0.0
    inside = count > 2
    for i in range(count):
        k = i + 1 if i + 1 < count else 0
        ax, az = corners[i, 0], corners[i, 1]
        ex, ez = corners[k, 0] - ax, corners[k, 1] - az
        length = ex * ex + ez * ez
        if ex * (z - az) - ez * (x - ax) < 0.0:
            inside = False
        t = ((x - ax) * ex + (z - az) * ez) / length if length > _TINY else 0.0
        clamped = min(1.0, max(0.0, t))
        qx, qz = ax + clamped * ex, az + clamped * ez
        away = (x - qx) ** 2 + (z - qz) ** 2
        if away < best:
            best, nx, nz = away, qx, qz
            if clamped == t and length > _TINY:  # on the edge: only what is square to it counts
                a, b, d = ez * ez / length, -ex * ez / length, ex * ex / length
            else:
                a, b, d = 1.0, 0.0, 1.0
    if inside:
        return x, z, 0.0, 0.0, 0.0
    return nx, nz, a, b, d


@inline
def evaluate(tree, goals, f, positions, orientations, rotations, axes, m, residual, jacobian, derive):
    """residual (R,) and, if wanted, jacobian (R, D) of all goals at frame f. m is scratch (3, 3)."""
    if derive:
        world_axes(tree, orientations, axes)
        for r in range(goals.rows):
            for e in range(tree.total):
                jacobian[r, e] = 0.0
    for g in range(goals.kind.shape[0]):
        row, kind, j = goals.row[g], goals.kind[g], goals.joint[g]
        if goals.weight[f, g] == 0.0:
            for k in range(3 if kind <= LOOK else (2 if kind == BALANCE else 1)):
                residual[row + k] = 0.0
            continue
        t0, t1 = goals.target[f, g, 0], goals.target[f, g, 1]
        t2, t3 = goals.target[f, g, 2], goals.target[f, g, 3]
        px, py, pz = _point(
            positions, orientations, j, goals.offset[g, 0], goals.offset[g, 1], goals.offset[g, 2]
        )
        if kind == POSITION:
            residual[row], residual[row + 1], residual[row + 2] = px - t0, py - t1, pz - t2
            if derive:
                point_columns(tree, positions, axes, j, px, py, pz, 1.0, 0.0, 0.0, jacobian, row, 1.0)
                point_columns(tree, positions, axes, j, px, py, pz, 0.0, 1.0, 0.0, jacobian, row + 1, 1.0)
                point_columns(tree, positions, axes, j, px, py, pz, 0.0, 0.0, 1.0, jacobian, row + 2, 1.0)
        elif kind == ORIENTATION:
            w, x, y, z = multiply(
                orientations[j, 0], orientations[j, 1], orientations[j, 2], orientations[j, 3],
                t0, -t1, -t2, -t3,
            )  # fmt: skip
            vx, vy, vz = log(w, x, y, z)
            residual[row], residual[row + 1], residual[row + 2] = vx, vy, vz
            if derive:
                _inverse_left(vx, vy, vz, m)
                _turn_columns(tree, axes, j, m, jacobian, row)
        elif kind == LOOK:
            dx, dy, dz = rotate(
                orientations[j, 0], orientations[j, 1], orientations[j, 2], orientations[j, 3],
                goals.aim[g, 0], goals.aim[g, 1], goals.aim[g, 2],
            )  # fmt: skip
            ux, uy, uz = t0 - px, t1 - py, t2 - pz
            away = max(_TINY, math.sqrt(ux * ux + uy * uy + uz * uz))
            ux, uy, uz = ux / away, uy / away, uz / away
            residual[row], residual[row + 1], residual[row + 2] = dx - ux, dy - uy, dz - uz
            if derive:
                # the direction turns: ω × d; the target's direction changes as the point moves
                m[0, 0], m[0, 1], m[0, 2] = 0.0, dz, -dy
                m[1, 0], m[1, 1], m[1, 2] = -dz, 0.0, dx
                m[2, 0], m[2, 1], m[2, 2] = dy, -dx, 0.0
                _turn_columns(tree, axes, j, m, jacobian, row)
                s = 1.0 / away
                point_columns(
                    tree, positions, axes, j, px, py, pz,
                    s * (1.0 - ux * ux), -s * ux * uy, -s * ux * uz, jacobian, row, 1.0,
                )  # fmt: skip
                point_columns(
                    tree, positions, axes, j, px, py, pz,
                    -s * uy * ux, s * (1.0 - uy * uy), -s * uy * uz, jacobian, row + 1, 1.0,
                )  # fmt: skip
                point_columns(
                    tree, positions, axes, j, px, py, pz,
                    -s * uz * ux, -s * uz * uy, s * (1.0 - uz * uz), jacobian, row + 2, 1.0,
                )  # fmt: skip
        elif kind == DISTANCE:
            k = goals.other[g]
            if k >= 0:
                qx, qy, qz = _point(
                    positions, orientations, k, goals.aim[g, 0], goals.aim[g, 1], goals.aim[g, 2]
                )
            else:
                qx, qy, qz = goals.anchor[f, g, 0], goals.anchor[f, g, 1], goals.anchor[f, g, 2]
            ux, uy, uz = px - qx, py - qy, pz - qz
            away = math.sqrt(ux * ux + uy * uy + uz * uz)
            off = away - t0
            relation = goals.relation[g]
            if (relation == AT_LEAST and off > 0.0) or (relation == AT_MOST and off < 0.0):
                residual[row] = 0.0
                continue
            residual[row] = off
            if derive:
                if away > _TINY:
                    ux, uy, uz = ux / away, uy / away, uz / away
                else:
                    ux, uy, uz = 1.0, 0.0, 0.0  # any way apart is as good
                point_columns(tree, positions, axes, j, px, py, pz, ux, uy, uz, jacobian, row, 1.0)
                if k >= 0:
                    point_columns(tree, positions, axes, k, qx, qy, qz, ux, uy, uz, jacobian, row, -1.0)
        elif kind == BALANCE:
            cx, _, cz = centre_of_mass(tree, positions, orientations)
            nx, nz, a, b, d = nearest_in_area(goals.support[f], goals.corners[f], cx, cz)
            residual[row], residual[row + 1] = cx - nx, cz - nz
            if derive and (a != 0.0 or d != 0.0):
                for k in range(tree.parents.shape[0]):
                    share = tree.shares[k]
                    if share > 0.0:
                        qx, qy, qz = _point(
                            positions, orientations, k,
                            tree.centres[k, 0], tree.centres[k, 1], tree.centres[k, 2],
                        )  # fmt: skip
                        point_columns(tree, positions, axes, k, qx, qy, qz, a, 0.0, b, jacobian, row, share)
                        point_columns(
                            tree, positions, axes, k, qx, qy, qz, b, 0.0, d, jacobian, row + 1, share
                        )
        else:  # ANGLE
            hx, hy, hz = goals.aim[g, 0], goals.aim[g, 1], goals.aim[g, 2]
            w, x, y, z = rotations[j, 0], rotations[j, 1], rotations[j, 2], rotations[j, 3]
            s = x * hx + y * hy + z * hz
            off = 2.0 * math.atan2(s, w) - t0
            off -= 2.0 * math.pi * math.floor(off / (2.0 * math.pi) + 0.5)
            relation = goals.relation[g]
            if (relation == AT_LEAST and off > 0.0) or (relation == AT_MOST and off < 0.0):
                residual[row] = 0.0
                continue
            residual[row] = off
            if derive:
                n = max(_TINY, w * w + s * s)
                gx = (w * (w * hx + hy * z - hz * y) + s * x) / n
                gy = (w * (w * hy + hz * x - hx * z) + s * y) / n
                gz = (w * (w * hz + hx * y - hy * x) + s * z) / n
                _local_columns(tree, rotations, j, gx, gy, gz, jacobian, row)


@inline
def _local_columns(tree, rotations, j, gx, gy, gz, jacobian, row):
    """One row: g · (the turn of joint j about its own axes), over that joint's degrees of freedom."""
    d, n = tree.first[j], tree.count[j]
    if n == 3:
        jacobian[row, d], jacobian[row, d + 1], jacobian[row, d + 2] = gx, gy, gz
    elif n > 0:
        own = tree.axes[j, n - 1]
        jacobian[row, d + n - 1] = gx * own[0] + gy * own[1] + gz * own[2]
        if n == 2:
            outer = tree.axes[j, 0]
            ax, ay, az = rotate(
                rotations[j, 0], -rotations[j, 1], -rotations[j, 2], -rotations[j, 3],
                outer[0], outer[1], outer[2],
            )  # fmt: skip
            jacobian[row, d] = gx * ax + gy * ay + gz * az


@kernel(TREE, GOALS, INT, IN1, IN2, OUT1, OUT2)
def residuals_one(tree, goals, f, root, rotations, residual, jacobian):
    """residual (R,) and jacobian (R, D) of one pose at frame f."""
    joints = tree.parents.shape[0]
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    axes, m = np.empty((max(1, tree.total), 3)), np.empty((3, 3))
    place(tree, root, rotations, positions, orientations)
    evaluate(tree, goals, f, positions, orientations, rotations, axes, m, residual, jacobian, True)


@kernel(TREE, GOALS, IN2, IN3, OUT2)
def residuals_each(tree, goals, root, rotations, residuals):
    """residuals (F, R) of the poses root (F, 3), rotations (F, J, 4)."""
    joints = tree.parents.shape[0]
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    axes, m, jacobian = np.empty((1, 3)), np.empty((3, 3)), np.empty((1, 1))
    for f in range(root.shape[0]):
        place(tree, root[f], rotations[f], positions, orientations)
        evaluate(
            tree, goals, f, positions, orientations, rotations[f], axes, m, residuals[f], jacobian, False
        )


@kernel(TREE, OUT1, OUT2, IN1, FLOAT)
def move_one(tree, root, rotations, step, scale):
    """root (3,) and rotations (J, 4) moved in place by a step (D,) times `scale`."""
    move(tree, step, scale, root, rotations)
