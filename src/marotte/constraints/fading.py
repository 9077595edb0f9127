"""Displacements at some frames, faded in and out around them (L97 5.3.4).

What is interpolated is the turn of each joint against the take as it was, not the joint's pose: so
that the small movement between adjusted frames stays. Between keys it never swings beyond them,
and at the smoothing frames it is none, so that the motion runs into what is not touched.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ..curves import monotone, shape_preserving_rotations
from ..figure import FloatArray, Motion
from ..figure._arrays import BoolArray, IntArray, owned
from ..figure.rotations import inverse, multiply, normalised

NONE = np.array([1.0, 0.0, 0.0, 0.0])
PATH = -1
"""Stands for the root's place among joints."""


@dataclass(slots=True, eq=False)
class Faded:
    """Keys of displacement on a take. Keys are set by `put`; `motion` is the take displaced."""

    original: Motion
    smooth: int
    """Frames between a mended stretch and the nearest frame that is not touched, at least 1."""
    turns: FloatArray = field(init=False)
    """(F, J, 4) displacement at keys: the new rotation is original · displacement."""
    shifts: FloatArray = field(init=False)
    """(F, 3) displacement of the root's place at keys, metres."""

    def __post_init__(self) -> None:
        frames, joints = self.original.rotations.shape[:2]
        self.turns = np.tile(NONE, (frames, joints, 1))
        self.shifts = np.zeros((frames, 3))

    def put(self, frames: IntArray, joints: Iterable[int], rotations: FloatArray, root: FloatArray) -> None:
        """Keys at frames (N,): the joints' rotations among (N, J, 4), the root's place of (N, 3)."""
        for j in joints:
            if j == PATH:
                self.shifts[frames] = root - self.original.root[frames]
            else:
                turn = multiply(inverse(self.original.rotations[frames, j]), rotations[:, j])
                self.turns[frames, j] = normalised(np.where(turn[:, :1] < 0.0, -turn, turn))

    def motion(self, groups: dict[tuple[int, ...], tuple[BoolArray, BoolArray]]) -> Motion:
        """The take displaced. `groups` says for joints (PATH among them) which frames are keys (F,)
        and which must be mended (F,); between stretches to mend the displacement fades to none,
        unless they are too near for that."""
        original = self.original
        rotations, root = None, None
        for joints, (keys, needed) in groups.items():
            times, real, inside = key_times(keys, needed, self.smooth)
            if not len(inside):
                continue
            turning = [j for j in joints if j != PATH]
            if turning:
                values = np.tile(NONE, (len(times), len(turning), 1))
                values[real] = self.turns[times[real]][:, turning]
                curve = shape_preserving_rotations(times, values, start="still", end="still")
                rotations = np.array(original.rotations) if rotations is None else rotations
                here = (inside[:, None], np.array(turning)[None])
                rotations[here] = normalised(multiply(original.rotations[here], curve(inside)))
            if PATH in joints:
                places = np.zeros((len(times), 3))
                places[real] = self.shifts[times[real]]
                root = np.array(original.root)
                root[inside] += monotone(times, places, start=0.0, end=0.0)(inside)
        if rotations is None and root is None:
            return original
        return original.with_(
            rotations=original.rotations if rotations is None else owned(rotations),
            root=original.root if root is None else owned(root),
        )


def key_times(keys: BoolArray, needed: BoolArray, smooth: int) -> tuple[IntArray, BoolArray, IntArray]:
    """Times (K,) of keys, whether (K,) they are real ones, and the frames (N,) between outermost keys.

    The others are the smoothing frames, where nothing is displaced: `smooth` before and after each
    stretch that is needed, or half way to the next one. They may lie outside of the take, which then ends
    displaced. Stretches that are no farther apart than half of `smooth` have none between them.
    """
    stretches = runs(keys | needed)
    if not stretches:
        return np.zeros(0, np.int64), np.zeros(0, np.bool_), np.zeros(0, np.int64)
    merged = [list(stretches[0])]
    for begin, end in stretches[1:]:
        if begin - merged[-1][1] <= smooth // 2:
            merged[-1][1] = end
        else:
            merged.append([begin, end])
    times: list[int] = []
    inside: list[int] = []
    for i, (begin, end) in enumerate(merged):
        before, after = begin - smooth, end + smooth
        if i > 0:
            before = max(before, (merged[i - 1][1] + begin) // 2)
        if i + 1 < len(merged):
            after = min(after, (end + merged[i + 1][0]) // 2)
        if not times or times[-1] < before:  # neighbours may share a smoothing frame
            times.append(before)
        times += [*(begin + np.flatnonzero(keys[begin : end + 1])).tolist(), after]
        inside += range(max(0, before + 1), min(len(keys), after))
    at = np.array(times, dtype=np.int64)
    real = (at >= 0) & (at < len(keys)) & keys[np.clip(at, 0, len(keys) - 1)]
    return at, real, np.array(inside, dtype=np.int64)


def runs(mask: BoolArray) -> list[tuple[int, int]]:
    """First and last frame of every stretch of True in mask (F,)."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]
