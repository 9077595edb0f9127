"""Which channels a motion needs to be written whole: those of its skeleton, or more.

A file's knee may have a single axis, and its root no positions. As long as the motion moves that
way, it is written that way. Where an edit has turned the knee sideways or moved the root, the
joint gets the channels it lacks, so that nothing is lost in silence.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from .. import kernels
from ..figure import FloatArray, Motion
from ..figure.channels import Layout, layout
from ..figure.skeleton import AXES

# What channels may miss before they are widened: radians, and shares of the figure's height.
# Both are far below the millionth of the height that a file may move a joint by.
TURN_TOLERANCE = 1e-7
PLACE_TOLERANCE = 1e-8

FRAMES_AT_ONCE = 4096
_USUAL_ORDER = "ZXY"


def needed_channels(motion: Motion) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The channels (J,) that the motion needs, and what was added to whom, in words."""
    skeleton = motion.skeleton
    where = layout(skeleton)
    turning = _turns_missing(motion, where)
    moving = _moves_missing(motion, where)
    orders = Counter(t for c in skeleton.channels if len(t := _turns(c)) == 3)
    usual = orders.most_common(1)[0][0] if orders else _USUAL_ORDER
    channels, added = [], []
    for j, (name, letters) in enumerate(zip(skeleton.names, skeleton.channels, strict=True)):
        turns, moves = _turns(letters), letters
        if turning[j]:
            turns = _full_order(turns, usual)
        if turning[j] or moving[j]:
            moves = "".join(c for c in letters if c.islower())
            new = ("xyz" if moving[j] else moves) + turns
            added.append(f"{name!r} ({letters or 'none'} → {new})")
            letters = new
        channels.append(letters)
    if not added:
        return tuple(channels), ()
    shown = ", ".join(added[:6]) + (f" and {len(added) - 6} more" if len(added) > 6 else "")
    return tuple(channels), (f"joints move in ways that their channels could not say, and got more: {shown}",)


def _turns(letters: str) -> str:
    return "".join(c for c in letters if c.isupper())


def _full_order(turns: str, usual: str) -> str:
    """Three axes that begin with the given ones."""
    if not turns:
        return usual
    missing = [c for c in AXES if c not in turns]
    return (turns + "".join(missing))[:3]


def _turns_missing(motion: Motion, where: Layout) -> list[bool]:
    """Whether each joint turns in a way that its fewer than three axes cannot."""
    skeleton = motion.skeleton
    few = [j for j, letters in enumerate(skeleton.channels) if len(_turns(letters)) < 3]
    missing = [False] * len(skeleton)
    if not few or not len(motion):
        return missing
    axes = np.ascontiguousarray(where.axes[few])
    columns = np.arange(3 * len(few)).reshape(-1, 3)
    start = np.zeros((len(few), 3))
    for first in range(0, len(motion), FRAMES_AT_ONCE):
        rotations = np.ascontiguousarray(motion.rotations[first : first + FRAMES_AT_ONCE, few])
        values = np.zeros((len(rotations), 3 * len(few)))
        again = np.empty_like(rotations)
        kernels.euler.columns_from_quaternions(rotations, axes, columns, start, values)
        kernels.euler.quaternions_from_columns(values, axes, columns, again, 0)
        # q and -q are one rotation; their chord is half the angle between them
        chord = np.minimum(
            np.linalg.norm(again - rotations, axis=-1), np.linalg.norm(again + rotations, axis=-1)
        ).max(axis=0)
        for at in np.flatnonzero(2.0 * chord > TURN_TOLERANCE):
            missing[few[int(at)]] = True
    return missing


def _moves_missing(motion: Motion, where: Layout) -> list[bool]:
    """Whether each joint leaves its offset along an axis that it has no position channel for."""
    skeleton = motion.skeleton
    tolerance = PLACE_TOLERANCE * skeleton.height
    has = where.position_columns >= 0
    moved: FloatArray = np.zeros((len(skeleton), 3))
    if len(motion):
        if motion.translations is not None:
            moved = np.maximum(motion.translations.max(axis=0), -motion.translations.min(axis=0))
        path = motion.root - skeleton.offsets[0]
        moved[0] = np.maximum(path.max(axis=0), -path.min(axis=0))
    missing = np.any((moved > tolerance) & ~has, axis=1)
    return [bool(missing[j]) for j in range(len(skeleton))]
