"""Rules about single angles as limits of joints, so that solvers keep them while they adjust (L97 5.3.3)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ..figure import Motion
from ..figure.skeleton import AXES
from ..kinematics import JointLimits
from .asking import column_of
from .rules import LinearRule

_FREE, _ANGLES = 0, 1  # kernels/limits.py


def with_rules(
    motion: Motion, limits: JointLimits, rules: Iterable[LinearRule]
) -> tuple[JointLimits, set[int]]:
    """Limits that hold upper and lower limits of channels as well, and the joints whose rules they hold.

    A joint whose limit is a cone keeps it, and its rules are kept in other ways; so are rules that
    hold for some frames only, that compare two angles, or that lock one.
    """
    skeleton = motion.skeleton
    kind, order = np.array(limits.kind), np.array(limits.order)
    bounds, pre, post = np.array(limits.bounds), np.array(limits.pre), np.array(limits.post)
    held: set[int] = set()
    for rule in rules:
        _, j, unit = column_of(motion, rule.angle)
        letters = list(dict.fromkeys(skeleton.order(j)))
        axes = [AXES.index(c) for c in letters]
        axes += [k for k in range(3) if k not in axes]
        own = np.array([1.0, 0.0, 0.0, 0.0]) if skeleton.channel_axes is None else skeleton.channel_axes[j]
        fits = kind[j] == _FREE or (
            kind[j] == _ANGLES and list(order[j]) == axes and np.allclose(np.abs(post[j] @ own), 1.0)
        )
        if (
            unit != "deg"
            or rule.other is not None
            or rule.frames is not None
            or rule.compare == "="
            or not fits
        ):
            continue
        if kind[j] == _FREE:
            kind[j], order[j] = _ANGLES, axes
            bounds[j] = [-np.inf, np.inf]
            pre[j], post[j] = own * [1, -1, -1, -1], own
        at, value = letters.index(rule.angle.axis.upper()), math.radians(rule.constant)
        if rule.compare == "<":
            bounds[j, at, 1] = min(bounds[j, at, 1], value)
        else:
            bounds[j, at, 0] = max(bounds[j, at, 0], value)
        held.add(j)
    for array in (kind, order, bounds, pre, post):
        array.flags.writeable = False
    return replace(limits, kind=kind, order=order, bounds=bounds, pre=pre, post=post), held
