"""Violations found frame by frame and by definition, from rules whose joints are indices.

Every number is looked at alone: points by 4 × 4 matrices, turns by rotation matrices, extrema by
walking left and right, stretches by a loop.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from .forward import world_matrices

ROUNDING = 1e-6
ALIKE = 1e-9


class Figure:
    """A motion as plain lists of matrices and channel values."""

    def __init__(self, parents, offsets, root, rotations, angles) -> None:
        self.world = world_matrices(parents, offsets, root, rotations)
        self.root = root
        self.joints = len(parents)
        self.frames = len(root)
        self.angles = angles  # {(joint, axis): values}

    def point(self, place, frame):
        offset = np.array(place.offset)
        if place.joint is None:
            return offset
        if place.joint == self.joints:
            return self.root[frame] + offset
        return (self.world[frame, place.joint] @ np.array([*offset, 1.0]))[:3]

    def value(self, data, frame):
        if data.kind == "angle":
            if data.joint == self.joints:
                return self.root[frame]["xyz".index(data.axis)]
            return self.angles[data.joint, data.axis][frame]
        if data.kind == "position":
            return self.point(data.point, frame)["xyz".index(data.axis)]
        if data.kind == "distance":
            return math.dist(self.point(data.point, frame), self.point(data.to, frame))
        m = self.world[frame, data.joint]
        k = "xyz".index(data.axis)
        i, j = (k + 1) % 3, (k + 2) % 3
        return math.degrees(2 * math.atan2(m[j, i] - m[i, j], 1 + m[0, 0] + m[1, 1] + m[2, 2]))


def turned(degrees):
    while degrees > 180:
        degrees -= 360
    while degrees <= -180:
        degrees += 360
    return degrees


def miss(unit, figure, frame):
    """How far a comparison is from holding at one frame."""
    turns = unit.data.kind == "orientation"
    goal = figure.value(unit.data, frame)
    if unit.reference is not None:
        goal -= figure.value(unit.reference, frame)
        goal = turned(goal) if turns else goal
    if unit.type.startswith("ABOVE"):
        return unit.given_value - goal
    if unit.type.startswith("BELOW"):
        return goal - unit.given_value
    return abs(turned(goal - unit.given_value) if turns else goal - unit.given_value)


def local_maxima(values, width, error, share):
    """Frames of maxima that are neither narrow, nor level, nor lower than the error around them."""
    n = len(values)
    tops = [i for i in range(1, n - 1) if values[i - 1] < values[i] > values[i + 1]]
    bottoms = [i for i in range(1, n - 1) if values[i - 1] > values[i] < values[i + 1]]
    turning = sorted({0, *tops, *bottoms, n - 1})
    slopes = {(a, b): abs(values[b] - values[a]) / (b - a) for a, b in itertools.pairwise(turning)}
    mean = sum(slopes.values()) / len(slopes)
    found = []
    for top in tops:
        before = max(t for t in turning if t < top)
        after = min(t for t in turning if t > top)
        if slopes[before, top] < share * mean and slopes[top, after] < share * mean:
            continue
        left = top
        while left > 0 and values[left - 1] <= values[top]:
            left -= 1
        right = top
        while right < n - 1 and values[right + 1] <= values[top]:
            right += 1
        foot = max(min(values[left : top + 1]), min(values[top : right + 1]))
        out = values[top] - foot
        if out > max(error, 1e-9) and way(values, top, foot, 1) + way(values, top, foot, -1) >= width - 1e-6:
            found.append(top)
    return found


def way(values, top, foot, step):
    """Frames from a top to where the values come down to the foot, between frames if need be."""
    i = top
    while values[i] > foot + 1e-12:
        i += step
    return abs(i - top) - (foot - values[i]) / (values[i - step] - values[i])


def holds(unit, figure, first, last, share):
    """Frames from first to last at which a condition holds."""
    span = range(first, last + 1)
    if not unit.type.startswith(("GLOBAL", "LOCAL")):
        return {f for f in span if miss(unit, figure, f) <= unit.ignored_error + ROUNDING}
    sign = 1 if unit.type.endswith("MAX") else -1
    values = [sign * figure.value(unit.data, f) for f in span]
    if unit.type.startswith("LOCAL"):
        return {first + i for i in local_maxima(values, unit.noise_width, unit.ignored_error, share)}
    return {first + next(i for i, v in enumerate(values) if v >= max(values) - 1e-9)}


def excesses(rule, figure, checked):
    """How far the body is from holding, frame by frame."""
    out = []
    for f in range(figure.frames):
        if rule.kind == "nonlinear":
            out.append(miss(rule.body, figure, f))
        elif rule.kind == "linear":
            value = figure.value(rule.angle, f)
            if rule.other is not None:
                value -= rule.coefficient * figure.value(rule.other, f)
            over = value - rule.constant
            out.append({"<": over, ">": -over, "=": abs(over)}[rule.compare])
        else:
            begin = f
            while rule.to is None and f in checked and begin - 1 in checked:
                begin -= 1
            goal = figure.point(rule.point, begin) if rule.to is None else figure.point(rule.to, f)
            apart = figure.point(rule.point, f) - goal
            out.append(math.sqrt(sum(apart["xyz".index(a)] ** 2 for a in rule.axes)))
    return out


def violations(rule, figure, share=0.1):
    """(begin, end, excess at each frame of it, cut at begin, cut at end), in order."""
    first, last = (0, figure.frames - 1) if rule.frames is None else rule.frames
    checked = set(range(first, last + 1))
    for unit in getattr(rule, "when", ()):
        checked &= holds(unit, figure, first, last, share)
    excess = excesses(rule, figure, checked)
    ignored = rule.ignored_error + ROUNDING
    found = []
    begin = None
    for f in range(figure.frames + 1):
        bad = f in checked and excess[f] > ignored
        if bad and begin is None:
            begin = f
        if not bad and begin is not None:
            found.append(
                (
                    begin,
                    f - 1,
                    excess[begin:f],
                    begin > 0 and excess[begin - 1] > ignored,
                    f < figure.frames and excess[f] > ignored,
                )
            )
            begin = None
    return found
