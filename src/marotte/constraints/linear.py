"""Limits and relations of angles, kept by named channels (L97 5.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from ..figure import FloatArray, Motion
from ..figure._arrays import BoolArray, owned
from ..figure.channels import layout, with_channels
from .asking import column_of
from .bounds import METHODS, Method, bounded
from .rules import LinearRule

# Degrees inside a bound, because angles that become quaternions and angles again lose their last digits.
_SAFE = 1e-6
_ROUNDS = 8  # of rules that move angles which other rules are about


def limit_channels(
    motion: Motion,
    rules: Sequence[LinearRule],
    *,
    method: Method = "compress",
    knee: float = 0.8,
    fade: int = 8,
) -> Motion:
    """The motion whose channels keep the rules; rotations stay bit by bit where they did.

    `=` sets the angle. A rule about two angles is kept by its left one: θ1 - k·θ2 is the signal, and
    what is done to it is done to θ1 (eq. 5.4). A rule for some frames only fades out over `fade` frames.
    Upper and lower limits of one angle are kept together. Rules come one after another, and again
    where a later one broke an earlier one.
    """
    if method not in METHODS:
        raise InputError(f"method must be one of {', '.join(METHODS)}, but is {method!r}")
    if not rules or len(motion) == 0:
        return motion
    given = motion.channels()
    values = np.array(given.values)
    for _ in range(_ROUNDS):
        before = values.copy()
        for group in _grouped(motion, rules):
            _keep(motion, group, values, method, knee, fade)
        if np.array_equal(before, values):
            break
    return rewritten(motion, values, values != given.values)


def rewritten(motion: Motion, values: FloatArray, changed: BoolArray) -> Motion:
    """The motion with channels (F, C) in it, where (F, C) they changed; all else bit by bit."""
    if not changed.any():
        return motion
    where = layout(motion.skeleton)
    made = with_channels(motion, motion.channels().with_values(values))
    rotations, root, moved = np.array(motion.rotations), np.array(motion.root), motion.translations
    for j in range(len(motion.skeleton)):
        turning = where.columns[j][where.axes[j] >= 0]
        frames = changed[:, turning].any(axis=1)
        rotations[frames, j] = made.rotations[frames, j]
    for k, column in enumerate(where.position_columns[0]):
        if column >= 0:
            root[changed[:, column], k] = values[changed[:, column], column]
    if (where.position_columns[1:] >= 0).any() and changed[
        :, where.position_columns[where.position_columns >= 0]
    ].any():
        moved = made.translations
    return motion.with_(rotations=owned(rotations), root=owned(root), translations=moved)


def _grouped(motion: Motion, rules: Sequence[LinearRule]) -> list[list[LinearRule]]:
    """Rules on one and the same signal and frames, together, in the order of the first of each."""
    groups: dict[object, list[LinearRule]] = {}
    for number, rule in enumerate(rules):
        left = column_of(motion, rule.angle)[0]
        right = None if rule.other is None else (column_of(motion, rule.other)[0], rule.coefficient)
        key: object = (left, right, rule.frames) if rule.compare != "=" else number
        groups.setdefault(key, []).append(rule)
    return list(groups.values())


def _keep(
    motion: Motion, group: list[LinearRule], values: FloatArray, method: Method, knee: float, fade: int
) -> None:
    """Change the left angle in values (F, C) so that the rules of one signal hold."""
    rule = group[0]
    column = column_of(motion, rule.angle)[0]
    signal = np.array(values[:, column])
    if rule.other is not None:
        signal -= rule.coefficient * values[:, column_of(motion, rule.other)[0]]
    first, last = span(rule.frames, len(motion))
    inside = signal[first : last + 1]
    if rule.compare == "=":
        kept = np.full(len(inside), rule.constant)
        if np.abs(kept - inside).max() <= max(rule.ignored_error, 1e-9):
            return
    else:
        low = max((r.constant for r in group if r.compare == ">"), default=None)
        high = min((r.constant for r in group if r.compare == "<"), default=None)
        if low is not None and high is not None and low >= high:
            raise InputError(
                f"{rule.angle.joint}.{rule.angle.axis} cannot be above {low:g} and below {high:g}"
            )
        ignored = max(r.ignored_error for r in group)
        over = max(
            float(inside.max()) - high if high is not None else 0.0,
            low - float(inside.min()) if low is not None else 0.0,
        )
        if over <= max(ignored, 1e-9):
            return
        kept = bounded(
            inside,
            low=None if low is None else low + _SAFE,
            high=None if high is None else high - _SAFE,
            method=method,
            knee=knee,
        )
    change = np.zeros(len(signal))
    change[first : last + 1] = kept - inside
    _fade(change, first, last, fade)
    values[:, column] += change
    if rule.other is None:  # the bound to the last digit
        values[first : last + 1, column] = np.where(kept == inside, values[first : last + 1, column], kept)


def _fade(change: FloatArray, first: int, last: int, fade: int) -> None:
    """Let the change at both ends of a stretch run out, level at both ends."""
    for at, step in ((first, -1), (last, 1)):
        for k in range(1, fade):
            f = at + step * k
            if not 0 <= f < len(change):
                break
            u = k / fade
            change[f] += change[at] * (1.0 - u * u * (3.0 - 2.0 * u))


def span(frames: tuple[int, int] | None, count: int) -> tuple[int, int]:
    """First and last frame of a rule in a take of `count` frames."""
    if frames is None:
        return 0, count - 1
    first, last = (f + count if f < 0 else f for f in frames)
    if not 0 <= first < count or last < first:
        raise InputError(f"frames must lie in 0 to {count - 1}, but are {frames[0]} to {frames[1]}")
    return first, min(last, count - 1)
