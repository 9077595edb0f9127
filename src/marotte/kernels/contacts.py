"""Contacts: which points of a body rest, frame by frame, from where they are.

A point rests where it is slow, and either low above its ground, or in one place while the body that
it belongs to moves on. Begins and ends are then moved to where the point's motion really stops.

Symbols: F frames, S points of one part of the body (heel, ball and tip of a sole), R runs of frames.
"""

from __future__ import annotations

import math

from .compiling import FLOAT, IN2, IN3, INT, INTS1, INTS_OUT2, OUT2, OUT3, inline, kernel


@kernel(IN3, INT, FLOAT, OUT3, OUT2)
def track(points, half, rate, places, speeds):
    """places (F, S, 3), metres, and speeds (F, S), m/s, of points (F, S, 3): means and slopes of the
    lines that fit 2 half + 1 frames best, of fewer near both ends."""
    frames, count = points.shape[0], points.shape[1]
    for f in range(frames):
        h = min(half, f, frames - 1 - f)
        first, last = f - h, f + h
        if h == 0 and frames > 1:  # at the ends, the step to the neighbour
            first, last = max(0, f - 1), min(frames - 1, f + 1)
        n = last - first + 1
        middle = 0.5 * (first + last)
        square = 0.0
        for k in range(first, last + 1):
            square += (k - middle) * (k - middle)
        for s in range(count):
            total = 0.0
            for a in range(3):
                mean = 0.0
                slope = 0.0
                for k in range(first, last + 1):
                    mean += points[k, s, a]
                    slope += (k - middle) * points[k, s, a]
                if h == 0:
                    places[f, s, a] = points[f, s, a]
                else:
                    places[f, s, a] = mean / n
                if square > 0.0:
                    slope *= rate / square
                total += slope * slope
            speeds[f, s] = math.sqrt(total)


@kernel(IN2, IN2, FLOAT, FLOAT, FLOAT, FLOAT, INTS_OUT2)
def low_and_slow(heights, speeds, begin_height, end_height, begin_speed, end_speed, rests):
    """rests (F, S) = 1 from where a point is below both first thresholds, as long as it is below both
    second ones, forwards and backwards in time."""
    frames, count = heights.shape[0], heights.shape[1]
    for s in range(count):
        inside = False
        for f in range(frames):
            h, v = heights[f, s], speeds[f, s]
            if inside:
                inside = h < end_height and v < end_speed
            else:
                inside = h < begin_height and v < begin_speed
            rests[f, s] = 1 if inside else 0
        inside = False
        for f in range(frames - 1, -1, -1):
            if rests[f, s] == 1:
                inside = True
            elif inside:
                inside = heights[f, s] < end_height and speeds[f, s] < end_speed
                if inside:
                    rests[f, s] = 1


@kernel(IN3, IN2, IN2, INTS1, FLOAT, FLOAT, FLOAT, FLOAT, FLOAT, FLOAT, FLOAT, INT, INTS_OUT2)
def stay_behind(
    places,
    speeds,
    anchor,
    stands,
    still_speed,
    end_speed,
    spread,
    least,
    least_hanging,
    ratio,
    slack,
    shortest,
    rests,
):
    """rests (F, S) = 1 over every run of at least `shortest` frames in which a point is slower than
    still_speed (m/s) and stays within `spread` (metres) of where it was in the run's middle, while
    anchor (F, 3), the joint that its limb hangs on, moves by `least` (metres) and by `ratio` times
    as far as the point does beyond `slack` metres of noise. The run is then grown to both sides as
    long as the point is slower than end_speed and within `spread`. Other frames are left alone.

    Where stands (F,) is 0 no foot carries the body, and `least_hanging` is enough for points above
    the anchor.
    """
    frames, count = places.shape[0], places.shape[1]
    for s in range(count):
        f = 0
        while f < frames:
            if speeds[f, s] >= still_speed:
                f += 1
                continue
            first = f
            while f < frames and speeds[f, s] < still_speed:
                f += 1
            last = f - 1
            middle = (first + last) // 2
            a, b = middle, middle
            while a > first and _apart(places, a - 1, middle, s) < spread:
                a -= 1
            while b < last and _apart(places, b + 1, middle, s) < spread:
                b += 1
            if b - a + 1 < shortest:
                continue
            moved, own = 0.0, 0.0
            for k in range(a, b + 1):
                x, y, z = (
                    anchor[k, 0] - anchor[a, 0],
                    anchor[k, 1] - anchor[a, 1],
                    anchor[k, 2] - anchor[a, 2],
                )
                moved = max(moved, x * x + y * y + z * z)
            trim = shortest // 8  # it still slows down, and is off again, within the run
            for k in range(a + trim, b - trim + 1):
                own = max(own, _apart(places, k, middle, s))
            moved = max(0.0, math.sqrt(moved) - slack)
            hangs = stands[middle] == 0 and places[middle, s, 1] > anchor[middle, 1]
            enough = least_hanging if hangs else least
            if moved >= enough and moved >= ratio * max(0.0, own - slack):
                while a > 0 and speeds[a - 1, s] < end_speed and _apart(places, a - 1, middle, s) < spread:
                    a -= 1
                while b < frames - 1 and speeds[b + 1, s] < end_speed:
                    if _apart(places, b + 1, middle, s) >= spread:
                        break
                    b += 1
                for k in range(a, b + 1):
                    rests[k, s] = 1


@inline
def _apart(places, i, k, s):
    """Metres between a point's places in frames i and k."""
    x = places[i, s, 0] - places[k, s, 0]
    y = places[i, s, 1] - places[k, s, 1]
    z = places[i, s, 2] - places[k, s, 2]
    return math.sqrt(x * x + y * y + z * z)


@inline
def _leaves(points, s, first, step, count, guess, precision, looseness):
    """How many of `count` frames, from `first` by `step`, a point rests before it leaves.

    The way of the point is fitted by one that stays and then goes off along a parabola. Of all moments
    at which it may begin to go, in half frames, the likeliest is taken: noise of the point has the
    deviation `precision` (metres), and the moment lies about `guess`, give or take `looseness` (frames).
    """
    best, found = math.inf, count
    for twice in range(4, 2 * count):
        t0 = 0.5 * twice - 0.5  # it rests in frames up to t0
        rest = (twice + 1) // 2  # how many they are
        still = 0.0
        for a in range(3):
            mean, square = 0.0, 0.0
            for k in range(rest):
                d = points[first + k * step, s, a] - points[first, s, a]
                mean += d
                square += d * d
            still += square - mean * mean / rest
        least = math.inf
        for power in range(1, 4):
            error = _path(points, s, first, step, rest, count, t0, power)
            least = min(least, error)
        off = (rest - guess) / looseness
        error = (still + least) / (precision * precision) + off * off
        if error < best:
            best, found = error, rest
    return found


@inline
def _path(points, s, first, step, rest, count, t0, power):
    """The squares left over when frames from `rest` on are fitted by p + a t^power + b t^(power + 1),
    t frames after t0, p where the point rested before."""
    pp, pq, qq = 0.0, 0.0, 0.0
    for k in range(rest, count):
        t = k - t0
        p = t if power == 1 else (t * t if power == 2 else t * t * t)
        q = p * t
        pp += p * p
        pq += p * q
        qq += q * q
    det = pp * qq - pq * pq
    error = 0.0
    for a in range(3):
        mean = 0.0
        for k in range(rest):
            mean += points[first + k * step, s, a]
        mean /= rest
        py, qy, yy = 0.0, 0.0, 0.0
        for k in range(rest, count):
            t = k - t0
            p = t if power == 1 else (t * t if power == 2 else t * t * t)
            d = points[first + k * step, s, a] - mean
            py += p * d
            qy += p * t * d
            yy += d * d
        if det > 1e-9 * pp * qq:
            yy -= ((py * qq - qy * pq) * py + (qy * pp - py * pq) * qy) / det
        elif pp > 0.0:
            yy -= py * py / pp
        error += max(yy, 0.0)
    return error


@kernel(IN3, INT, INT, FLOAT, FLOAT, INTS_OUT2)
def refine(points, inner, outer, precision, looseness, rests):
    """Move the begins and ends of every point's runs in rests (F, S) to where its motion stops and
    starts: within `inner` frames inside and `outer` outside of where they were."""
    frames, count = points.shape[0], points.shape[1]
    for s in range(count):
        f = 0
        while f < frames:
            if rests[f, s] == 0:
                f += 1
                continue
            first = f
            while f < frames and rests[f, s] == 1:
                f += 1
            last = f - 1
            length = last - first + 1
            inside = min(inner, length // 2 + 1)
            if last < frames - 1:
                start = last - inside + 1
                reach = min(outer, frames - 1 - last)
                stay = _leaves(points, s, start, 1, inside + reach, inside, precision, looseness)
                new = start + stay - 1
                for k in range(last + 1, new + 1):
                    rests[k, s] = 1
                for k in range(new + 1, last + 1):
                    rests[k, s] = 0
                f = max(f, new + 1)
            if first > 0:
                start = first + inside - 1
                reach = min(outer, first)
                stay = _leaves(points, s, start, -1, inside + reach, inside, precision, looseness)
                new = start - stay + 1
                for k in range(new, first):
                    rests[k, s] = 1
                for k in range(first, new):
                    rests[k, s] = 0
