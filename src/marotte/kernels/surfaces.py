"""Distances to what figures touch: planes, heights, boxes, balls, capsules, door frames.

A scene is a few tables (figure/_scene_tables.py lays them out), N objects in all:

    order     (N,)       which objects to look at, those that cost most last
    kinds     (N,)       PLANE, BOX, ...
    numbers   (N, 9)     measures in the object's own frame, metres; what they are: see each function
    balls     (N, 4)     a ball around the object: its middle (in the world, for objects that stand in
                         their own frame; else it is the frame's origin) and its radius
    first, count (N,)    its rows of poses, one a frame; count 0: its frame is the world's
    poses     (P, 7)     world_from_object: a place and a quaternion
    cells     (M, 18)    pieces of heights, see `height_at`; the last two numbers are bounds

Distances are negative inside. A normal points out of the object at the closest point of its surface,
and is the way in which the distance grows fastest.
"""

from __future__ import annotations

import math

from .compiling import IN2, INTS1, INTS_OUT1, OUT1, OUT2, inline, kernel
from .quaternions import rotate

PLANE, HEIGHTS, BOX, SPHERE, CAPSULE, DOORWAY = 0, 1, 2, 3, 4, 5
_PARTS = 3  # a piece that may have several nearest points is cut into so many along each side,
_LOOKS = 3  # of which so many places along each side are looked at
FAR = 1e6  # metres: how far heights go on beyond the border of their grid
NEAR = 1e-9  # metres: nearer to a surface its own normal counts


@inline
def _sphere(x, y, z, cx, cy, cz, radius):
    """Distance, closest point, normal of a ball."""
    dx, dy, dz = x - cx, y - cy, z - cz
    size = math.sqrt(dx * dx + dy * dy + dz * dz)
    if size < NEAR:
        dx, dy, dz = 0.0, 1.0, 0.0
    else:
        dx, dy, dz = dx / size, dy / size, dz / size
    return size - radius, cx + radius * dx, cy + radius * dy, cz + radius * dz, dx, dy, dz


@inline
def _capsule(x, y, z, ax, ay, az, bx, by, bz, radius):
    """Of all points within radius of the line from a to b."""
    ux, uy, uz = bx - ax, by - ay, bz - az
    square = ux * ux + uy * uy + uz * uz
    along = 0.0
    if square > 0.0:
        along = ((x - ax) * ux + (y - ay) * uy + (z - az) * uz) / square
        along = min(max(along, 0.0), 1.0)
    cx, cy, cz = ax + along * ux, ay + along * uy, az + along * uz
    dx, dy, dz = x - cx, y - cy, z - cz
    size = math.sqrt(dx * dx + dy * dy + dz * dz)
    if size < NEAR:  # on the line: any way out across it
        if square > 0.0 and abs(ux) * abs(ux) < 0.5 * square:
            dx, dy, dz = uy * uy + uz * uz, -ux * uy, -ux * uz
        elif square > 0.0:
            dx, dy, dz = -ux * uy, ux * ux + uz * uz, -uy * uz
        else:
            dx, dy, dz = 0.0, 1.0, 0.0
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        dx, dy, dz = dx / length, dy / length, dz / length
    else:
        dx, dy, dz = dx / size, dy / size, dz / size
    return size - radius, cx + radius * dx, cy + radius * dy, cz + radius * dz, dx, dy, dz


@inline
def _box(x, y, z, hx, hy, hz):
    """Of a box about the origin with these half sizes."""
    cx, cy, cz = min(max(x, -hx), hx), min(max(y, -hy), hy), min(max(z, -hz), hz)
    dx, dy, dz = x - cx, y - cy, z - cz
    square = dx * dx + dy * dy + dz * dz
    if square > NEAR * NEAR:
        size = math.sqrt(square)
        return size, cx, cy, cz, dx / size, dy / size, dz / size
    ox, oy, oz = hx - abs(x), hy - abs(y), hz - abs(z)  # how far below each pair of faces
    if ox <= oy and ox <= oz:
        side = 1.0 if x >= 0.0 else -1.0
        return -ox, side * hx, y, z, side, 0.0, 0.0
    if oy <= oz:
        side = 1.0 if y >= 0.0 else -1.0
        return -oy, x, side * hy, z, 0.0, side, 0.0
    side = 1.0 if z >= 0.0 else -1.0
    return -oz, x, y, side * hz, 0.0, 0.0, side


@inline
def _nearer(best, px, py, qx, qy, x, y, x0, y0, x1, y1):
    """The nearer of a point q at squared distance `best` and the point of a level or upright edge."""
    ex, ey = min(max(x, x0), x1), min(max(y, y0), y1)
    square = (x - ex) * (x - ex) + (y - ey) * (y - ey)
    if square < best:
        return square, ex, ey
    return best, qx, qy


@inline
def _doorway(x, y, z, half, height, frame, deep):
    """Of a door frame: two posts and a lintel around an opening `half` to either side and `height`
    high, `frame` broad and `deep` to either side of z = 0. y = 0 is the sill."""
    side = 1.0 if x >= 0.0 else -1.0
    u, out, top = abs(x), half + frame, height + frame
    # seen from the front: the nearest of the five edges of one half
    best, eu, ey = math.inf, 0.0, 0.0
    best, eu, ey = _nearer(best, 0.0, 0.0, eu, ey, u, y, half, 0.0, half, height)
    best, eu, ey = _nearer(best, 0.0, 0.0, eu, ey, u, y, 0.0, height, half, height)
    best, eu, ey = _nearer(best, 0.0, 0.0, eu, ey, u, y, out, 0.0, out, top)
    best, eu, ey = _nearer(best, 0.0, 0.0, eu, ey, u, y, 0.0, top, out, top)
    best, eu, ey = _nearer(best, 0.0, 0.0, eu, ey, u, y, half, 0.0, out, 0.0)
    inside = 0.0 < y < top and u < out and (u > half or y > height)
    flat = math.sqrt(best)
    ends = 1.0 if z >= 0.0 else -1.0
    over = abs(z) - deep
    if inside:
        if over >= 0.0:
            return over, x, y, ends * deep, 0.0, 0.0, ends
        if -over <= flat:  # through the front or the back
            return over, x, y, ends * deep, 0.0, 0.0, ends
        if flat < NEAR:
            return -flat, side * eu, ey, z, 0.0, 1.0, 0.0
        return -flat, side * eu, ey, z, side * (eu - u) / flat, (ey - y) / flat, 0.0
    cz = min(max(z, -deep), deep)
    dx, dy, dz = side * (u - eu), y - ey, z - cz
    size = math.sqrt(dx * dx + dy * dy + dz * dz)
    if size < NEAR:
        return 0.0, side * eu, ey, cz, 0.0, 0.0, ends
    return size, side * eu, ey, cz, dx / size, dy / size, dz / size


# ---- heights
#
# numbers: x and z of the first height, the pieces' sizes in x and z, how many there are in x and z,
# the first row of cells, the cosine of a slope that nothing exceeds, and the distance within which there
# is but one nearest point in each piece. Around the grid there is one more piece on each side, level on
# the way out, which never ends.


@inline
def _piece(value, start, size, count):
    """Which piece a coordinate lies in, from 0, and how far in it; 0 and count + 1 are outside."""
    t = (value - start) / size
    if t < 0.0:
        return 0, 0.0
    if t >= count:
        return int(count) + 1, 0.0
    i = int(t)
    return i + 1, value - start - i * size


@inline
def _height(cells, row, u, v):
    """Height, slopes and second derivatives of a piece: Σ cells[row, 4 a + b] u^a v^b."""
    c = cells[row]
    p0 = c[0] + v * (c[1] + v * (c[2] + v * c[3]))
    p1 = c[4] + v * (c[5] + v * (c[6] + v * c[7]))
    p2 = c[8] + v * (c[9] + v * (c[10] + v * c[11]))
    p3 = c[12] + v * (c[13] + v * (c[14] + v * c[15]))
    q0 = c[1] + v * (2.0 * c[2] + v * 3.0 * c[3])
    q1 = c[5] + v * (2.0 * c[6] + v * 3.0 * c[7])
    q2 = c[9] + v * (2.0 * c[10] + v * 3.0 * c[11])
    q3 = c[13] + v * (2.0 * c[14] + v * 3.0 * c[15])
    r0, r1 = 2.0 * c[2] + v * 6.0 * c[3], 2.0 * c[6] + v * 6.0 * c[7]
    r2, r3 = 2.0 * c[10] + v * 6.0 * c[11], 2.0 * c[14] + v * 6.0 * c[15]
    return (
        p0 + u * (p1 + u * (p2 + u * p3)),
        p1 + u * (2.0 * p2 + u * 3.0 * p3),
        q0 + u * (q1 + u * (q2 + u * q3)),
        2.0 * p2 + u * 6.0 * p3,
        q1 + u * (2.0 * q2 + u * 3.0 * q3),
        r0 + u * (r1 + u * (r2 + u * r3)),
    )


@inline
def _below(n, cells, x, z):
    """Height and slopes under a place."""
    i, u = _piece(x, n[0], n[2], n[4])
    k, v = _piece(z, n[1], n[3], n[5])
    row = int(n[6]) + i * (int(n[5]) + 2) + k
    h, hu, hv, _, _, _ = _height(cells, row, u, v)
    return h, hu, hv


@inline
def _in_cell(cells, row, pu, py, pv, u0, u1, v0, v1, scan):
    """The point of a piece nearest to (pu, py, pv), in the piece's coordinates: squared distance, u, v.

    Newton's method within the piece's borders, from below the point or from the best of several places.
    """
    u, v = min(max(pu, u0), u1), min(max(pv, v0), v1)
    h, hu, hv, huu, huv, hvv = _height(cells, row, u, v)
    best = (u - pu) * (u - pu) + (v - pv) * (v - pv) + (h - py) * (h - py)
    if scan:
        for a in range(_LOOKS):
            for b in range(_LOOKS):
                tu = u0 + a * (u1 - u0) / (_LOOKS - 1)
                tv = v0 + b * (v1 - v0) / (_LOOKS - 1)
                if abs(tu) < FAR and abs(tv) < FAR:
                    th, _, _, _, _, _ = _height(cells, row, tu, tv)
                    square = (tu - pu) * (tu - pu) + (tv - pv) * (tv - pv) + (th - py) * (th - py)
                    if square < best:
                        best, u, v = square, tu, tv
        h, hu, hv, huu, huv, hvv = _height(cells, row, u, v)
    for _ in range(30):
        gap = h - py
        gu, gv = u - pu + gap * hu, v - pv + gap * hv
        # at a border that the point would leave through, that coordinate stays
        fu = (u <= u0 and gu > 0.0) or (u >= u1 and gu < 0.0)
        fv = (v <= v0 and gv > 0.0) or (v >= v1 and gv < 0.0)
        if (fu or abs(gu) < 1e-11) and (fv or abs(gv) < 1e-11):
            break
        a, b, c = 1.0 + hu * hu + gap * huu, hu * hv + gap * huv, 1.0 + hv * hv + gap * hvv
        if a <= 0.0 or c <= 0.0 or a * c - b * b <= 1e-6 * a * c:  # not a valley: leave the bending out
            a, b, c = 1.0 + hu * hu, hu * hv, 1.0 + hv * hv
        if fu and fv:
            break
        if fu:
            du, dv = 0.0, -gv / c
        elif fv:
            du, dv = -gu / a, 0.0
        else:
            det = a * c - b * b
            du, dv = (b * gv - c * gu) / det, (b * gu - a * gv) / det
        moved = False
        for way in range(2):
            if way == 1:  # a border bent Newton's step away from the slope: straight down instead
                du, dv = (0.0 if fu else -gu / a), (0.0 if fv else -gv / c)
            for _ in range(30):
                tu, tv = min(max(u + du, u0), u1), min(max(v + dv, v0), v1)
                th, thu, thv, thuu, thuv, thvv = _height(cells, row, tu, tv)
                square = (tu - pu) * (tu - pu) + (tv - pv) * (tv - pv) + (th - py) * (th - py)
                if square < best:
                    moved = abs(du) + abs(dv) > 1e-8  # a shorter step was the last that counts
                    best, u, v, h, hu, hv, huu, huv, hvv = square, tu, tv, th, thu, thv, thuu, thuv, thvv
                    break
                du, dv = 0.5 * du, 0.5 * dv
                if abs(du) + abs(dv) < 1e-13:
                    break
            if moved:
                break
        if not moved:
            break
    return best, u, v


@inline
def _heights(n, cells, x, y, z, limit):
    """Distance, closest point and normal of heights; what is farther than `limit` only roughly."""
    h, hx, hz = _below(n, cells, x, z)
    gap = y - h
    # no slope anywhere is steeper than n[7]
    if gap > 0.0 and gap * n[7] >= limit:
        return gap * n[7], x, h, z, 0.0, 1.0, 0.0
    nx, nz, first = int(n[4]), int(n[5]), int(n[6])
    best = gap * gap  # straight below or above
    cx, cy, cz = x, h, z
    reach = abs(gap)
    i0, _ = _piece(x - reach, n[0], n[2], n[4])
    i1, _ = _piece(x + reach, n[0], n[2], n[4])
    k0, _ = _piece(z - reach, n[1], n[3], n[5])
    k1, _ = _piece(z + reach, n[1], n[3], n[5])
    own_i, _ = _piece(x, n[0], n[2], n[4])
    own_k, _ = _piece(z, n[1], n[3], n[5])
    scan = reach > n[8]
    for turn in range(-1, (i1 - i0 + 1) * (k1 - k0 + 1)):
        if turn < 0:
            i, k = own_i, own_k  # first, which makes the others easy to leave out
        else:
            i, k = i0 + turn // (k1 - k0 + 1), k0 + turn % (k1 - k0 + 1)
            if i == own_i and k == own_k:
                continue
        left, near = n[0] + max(i - 1, 0) * n[2], n[1] + max(k - 1, 0) * n[3]
        u0, u1 = (-FAR if i == 0 else 0.0), (0.0 if i == 0 else (FAR if i == nx + 1 else n[2]))
        v0, v1 = (-FAR if k == 0 else 0.0), (0.0 if k == 0 else (FAR if k == nz + 1 else n[3]))
        row = first + i * (nz + 2) + k
        pu, pv = x - left, z - near
        du = max(max(u0 - pu, pu - u1), 0.0)
        dv = max(max(v0 - pv, pv - v1), 0.0)
        dy = max(max(cells[row, 16] - y, y - cells[row, 17]), 0.0)
        if du * du + dv * dv + dy * dy >= best and turn >= 0:
            continue
        # a piece that may have several nearest points is cut until its parts have one each
        many_u = _PARTS if scan and u1 - u0 < FAR else 1
        many_v = _PARTS if scan and v1 - v0 < FAR else 1
        for part in range(many_u * many_v):
            a, b = part // many_v, part % many_v
            su, sv = (u1 - u0) / many_u, (v1 - v0) / many_v
            lu, lv = u0 + a * su, v0 + b * sv
            du = max(max(lu - pu, pu - lu - su), 0.0)
            dv = max(max(lv - pv, pv - lv - sv), 0.0)
            if part > 0 and du * du + dv * dv + dy * dy >= best:
                continue
            square, u, v = _in_cell(cells, row, pu, y, pv, lu, lu + su, lv, lv + sv, scan)
            if square < best:
                best = square
                cx, cz = left + u, near + v
                cy, _, _, _, _, _ = _height(cells, row, u, v)
    size = math.sqrt(best)
    sign = 1.0 if gap >= 0.0 else -1.0
    if size < 1e-7:  # too near for a direction: the surface's own normal
        length = math.sqrt(1.0 + hx * hx + hz * hz)
        return sign * size, cx, cy, cz, -hx / length, 1.0 / length, -hz / length
    s = sign / size
    return sign * size, cx, cy, cz, s * (x - cx), s * (y - cy), s * (z - cz)


# ---- scenes


@inline
def _object(kind, n, cells, x, y, z, limit):
    """Distance, closest point and normal of one object, in its own frame."""
    if kind == SPHERE:
        return _sphere(x, y, z, n[0], n[1], n[2], n[3])
    if kind == CAPSULE:
        return _capsule(x, y, z, n[0], n[1], n[2], n[3], n[4], n[5], n[6])
    if kind == BOX:
        return _box(x, y, z, n[0], n[1], n[2])
    if kind == DOORWAY:
        d, cx, cy, cz, nx, ny, nz = _doorway(x, y + n[4], z, n[0], n[1], n[2], n[3])
        return d, cx, cy - n[4], cz, nx, ny, nz
    if kind == PLANE:
        d = n[0] * x + n[1] * y + n[2] * z - n[3]
        return d, x - d * n[0], y - d * n[1], z - d * n[2], n[0], n[1], n[2]
    return _heights(n, cells, x, y, z, limit)


@inline
def _pose(first, count, frame):
    """The row of poses for a frame; before the first and after the last an object stands still."""
    return first + min(max(frame, 0), count - 1)


@inline
def _nearest(px, py, pz, frame, order, kinds, numbers, balls, first, count, poses, cells):
    """The nearest object to a point, −1 for none: its number, its row of poses or −1, distance, and in
    the world closest point and normal."""
    best, found, posed = math.inf, -1, -1
    ax, ay, az, bx, by, bz = math.nan, math.nan, math.nan, math.nan, math.nan, math.nan
    for turn in range(order.shape[0]):
        o = order[turn]
        kind = kinds[o]
        x, y, z = px, py, pz
        row = -1
        if count[o] > 0:
            row = _pose(first[o], count[o], frame)
            x, y, z = x - poses[row, 0], y - poses[row, 1], z - poses[row, 2]
        if kind != PLANE and kind != HEIGHTS:
            dx, dy, dz = x, y, z
            if row < 0:
                dx, dy, dz = x - balls[o, 0], y - balls[o, 1], z - balls[o, 2]
            reach = best + balls[o, 3]
            if reach <= 0.0 or dx * dx + dy * dy + dz * dz >= reach * reach:
                continue
        if row >= 0:
            x, y, z = rotate(poses[row, 3], -poses[row, 4], -poses[row, 5], -poses[row, 6], x, y, z)
        d, cx, cy, cz, nx, ny, nz = _object(kind, numbers[o], cells, x, y, z, best)
        if d < best:
            best, found, posed = d, o, row
            ax, ay, az, bx, by, bz = cx, cy, cz, nx, ny, nz
    if posed >= 0:
        w, a, b, c = poses[posed, 3], poses[posed, 4], poses[posed, 5], poses[posed, 6]
        ax, ay, az = rotate(w, a, b, c, ax, ay, az)
        ax, ay, az = ax + poses[posed, 0], ay + poses[posed, 1], az + poses[posed, 2]
        bx, by, bz = rotate(w, a, b, c, bx, by, bz)
    return found, best, ax, ay, az, bx, by, bz


@kernel(IN2, INTS1, INTS1, INTS1, IN2, IN2, INTS1, INTS1, IN2, IN2, OUT1, INTS_OUT1)
def distances(points, frames, order, kinds, numbers, balls, first, count, poses, cells, out, which):
    """out (N,) = distances of points (N, 3) to the nearest object in `order`, which (N,) its number.

    frames (N,), or (1,) for all, say where moving objects are. Infinite, and −1, without objects.
    """
    for p in range(points.shape[0]):
        frame = frames[p] if frames.shape[0] > 1 else frames[0]
        which[p], out[p], _, _, _, _, _, _ = _nearest(
            points[p, 0], points[p, 1], points[p, 2], frame, order, kinds, numbers, balls, first, count,
            poses, cells,
        )  # fmt: skip


@kernel(IN2, INTS1, INTS1, INTS1, IN2, IN2, INTS1, INTS1, IN2, IN2, OUT1, OUT2, OUT2, INTS_OUT1)
def closest(
    points, frames, order, kinds, numbers, balls, first, count, poses, cells, out, places, normals, which
):
    """As distances, with the closest points, places (N, 3), and the outward normals there (N, 3); NaN
    without objects."""
    for p in range(points.shape[0]):
        frame = frames[p] if frames.shape[0] > 1 else frames[0]
        which[p], out[p], x, y, z, a, b, c = _nearest(
            points[p, 0], points[p, 1], points[p, 2], frame, order, kinds, numbers, balls, first, count,
            poses, cells,
        )  # fmt: skip
        places[p, 0], places[p, 1], places[p, 2] = x, y, z
        normals[p, 0], normals[p, 1], normals[p, 2] = a, b, c


@inline
def _under(x, z, order, kinds, numbers, cells):
    """The highest ground under a place: its number or −1, height and normal."""
    best, found, a, b, c = -math.inf, -1, 0.0, 1.0, 0.0
    for turn in range(order.shape[0]):
        o = order[turn]
        if kinds[o] != PLANE and kinds[o] != HEIGHTS:
            continue
        n = numbers[o]
        if kinds[o] == HEIGHTS:
            h, hx, hz = _below(n, cells, x, z)
            if h > best:
                length = math.sqrt(1.0 + hx * hx + hz * hz)
                best, found, a, b, c = h, o, -hx / length, 1.0 / length, -hz / length
        elif n[1] > 0.1:
            h = (n[3] - n[0] * x - n[2] * z) / n[1]
            if h > best:
                best, found, a, b, c = h, o, n[0], n[1], n[2]
    return found, best, a, b, c


@kernel(IN2, INTS1, INTS1, IN2, IN2, OUT1, OUT2, INTS_OUT1)
def ground(points, order, kinds, numbers, cells, heights, normals, which):
    """heights (N,) and normals (N, 3) of the highest plane or heights under points (N, 3), and its number.

    Planes steeper than about 84 degrees are walls. Minus infinity, level and −1 without any ground.
    """
    for p in range(points.shape[0]):
        which[p], heights[p], normals[p, 0], normals[p, 1], normals[p, 2] = _under(
            points[p, 0], points[p, 2], order, kinds, numbers, cells
        )
