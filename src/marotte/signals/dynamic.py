"""The dynamic programme of timewarping: which frames of two signals belong together (BW95 3.2.1).

Each signal is a curve through time and values, whose vertices are its frames. The cheapest way of
bending and stretching the one curve into the other (Sederberg and Greenwood 1992) says which
vertices correspond. Three costs add up along a path of pairs of frames:

| cost | of | compares |
|---|---|---|
| stretching | a step | the lengths of the two segments; who stands has a segment of no length |
| bending | a node | the turns at the two vertices; opposed where one is a maximum and the other a minimum |
| value | a node | the values themselves, which BW95 leaves out (see `Weights`) |

All are squares. A diagonal step is cheapest where nothing else speaks, because standing costs the
whole segment of the other. The optimum is global: a node costs the same whichever way it was
reached, so that each is visited once.

Turns are those of each signal's own three adjacent vertices. The nodes of a path that stands would
name one vertex twice, where no angle is.

Time: about 2 ns a node, and 0.03 ns more for every channel and node. Memory: moves are kept for 16
million nodes at most. Beyond, rows are kept here and there only, 32 to a level, and what lies
between is worked through again when the path is traced back: memory stays linear in the frames, and
the time doubles. (Hirschberg's halving costs as much time and needs the grid turned round; two bits
a move would stay a grid, only a smaller one.)
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import kernels
from ..errors import InputError
from ..figure import FloatArray, IntArray
from ..figure._arrays import check_finite

KEPT_MOVES = 1 << 24  # bytes; the grid of 4,096 by 4,096 frames
PIECES = 32  # rows that a level of the trace keeps
CHEAPEST = -1  # in place of the number of a state, where a path may come by any
TILE = 1 << 18  # numbers of the tiles that distances are made in; they stay in the processor's cache


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each cost counts. Lengths are in frames, turns in radians, values of variance 1.

    BW95's cost is value = 0. Shape alone cannot tell a rise from a fall as steep, and prefers equal
    speed to equal place, which is why values count here by default.
    """

    stretching: float = 0.2
    bending: float = 0.2
    value: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A signal as the dynamic programme sees it."""

    values: FloatArray
    """(F, C) weighted."""
    lengths: FloatArray
    """(F,) of the segment before each vertex; 0 at the first. Weighted."""
    turns: FloatArray
    """(F,) radians by which the curve turns at each vertex; 0 at both ends. Weighted."""
    signs: FloatArray
    """(F,) 1 at minima, -1 at maxima, 0 elsewhere; of poses, along their main direction."""

    def __getitem__(self, frames: slice) -> Curve:
        return Curve(self.values[frames], self.lengths[frames], self.turns[frames], self.signs[frames])


def curves(a: ArrayLike, b: ArrayLike, weights: Weights | None = None) -> tuple[Curve, Curve]:
    """Two signals (N, C) and (M, C) as curves.

    Each is taken about its own mean and at its own size, so that a large wave meets a small one. One
    frame is as long as the values change in a frame on average: then turns tell most.
    """
    weights = weights or Weights()
    scaled = [_scaled(name, values) for name, values in (("a", a), ("b", b))]
    if scaled[0].shape[1] != scaled[1].shape[1]:
        raise InputError(
            f"both signals must have as many channels, but have {scaled[0].shape[1]} and {scaled[1].shape[1]}"
        )
    rises = [np.linalg.norm(np.diff(v, axis=0), axis=1) for v in scaled]
    whole = np.concatenate(rises)
    step = float(whole.mean()) if len(whole) and whole.mean() > 1e-12 else 1.0
    main = _main_direction(np.concatenate(scaled))
    made = [_curve(v, r / step, v @ main, step, weights) for v, r in zip(scaled, rises, strict=True)]
    return made[0], made[1]


def _scaled(name: str, values: ArrayLike) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or 0 in array.shape:
        raise InputError(
            f"signal {name} must have shape (F,) or (F, C) with frames in it, but has {array.shape}"
        )
    check_finite(f"signal {name}", array)
    array = array - array.mean(axis=0)
    size = float(np.sqrt((array**2).sum(axis=1).mean()))
    return np.asarray(array / size if size > 1e-12 else array * 0.0)


def _main_direction(values: FloatArray) -> FloatArray:
    """(C,) unit: along which values vary most."""
    if values.shape[1] == 1:
        return np.ones(1)
    return np.asarray(np.linalg.eigh(values.T @ values)[1][:, -1])


def _curve(values: FloatArray, rises: FloatArray, along: FloatArray, step: float, weights: Weights) -> Curve:
    frames = len(values)
    lengths, turns, signs = np.zeros(frames), np.zeros(frames), np.zeros(frames)
    segments = np.sqrt(1.0 + rises**2)
    lengths[1:] = segments
    chords = np.diff(values, axis=0) / step
    if frames > 2:
        inner = 1.0 + (chords[:-1] * chords[1:]).sum(axis=1)
        turns[1:-1] = np.arccos(np.clip(inner / (segments[:-1] * segments[1:]), -1.0, 1.0))
        before, after = np.diff(along)[:-1], np.diff(along)[1:]
        signs[1:-1] = np.where(before * after < 0, np.sign(after - before), 0.0)
    return Curve(
        np.sqrt(weights.value) * values,
        np.sqrt(weights.stretching) * lengths,
        np.sqrt(weights.bending) * turns,
        signs,
    )


@dataclass(frozen=True, slots=True)
class Limits:
    """Where paths may go."""

    most: int = 0
    """Steps that one signal may stand in a row, between steps in both; 0 for any number."""
    band: float = np.inf
    """Frames of the second signal that a path may lie off the straight line from corner to corner."""


def best_path(a: Curve, b: Curve, limits: Limits | None = None) -> IntArray:
    """(P, 2) the pairs of frames of the cheapest path from the first frames to the last ones."""
    limits = limits or Limits()
    return _Grid(a, b, limits).path()


def path_through(
    a: Curve, b: Curve, pins: Sequence[tuple[int, int]], limits: Limits | None = None
) -> IntArray:
    """As best_path, through given pairs of frames: each section between two of them is solved alone."""
    corners = sorted({(0, 0), *pins, (len(a.values) - 1, len(b.values) - 1)})
    sections: list[IntArray] = []
    for (i, j), (k, m) in itertools.pairwise(corners):
        section = best_path(a[i : k + 1], b[j : m + 1], limits) + np.array([i, j])
        sections.append(section if not sections else section[1:])
    return np.concatenate(sections) if sections else np.zeros((1, 2), dtype=np.int64)


def path_cost(a: Curve, b: Curve, path: IntArray) -> float:
    """What a path costs, worked out along it."""
    i, j = path[:, 0], path[:, 1]
    bend = a.turns[i] - b.turns[j]
    opposed = a.signs[i] * b.signs[j] < 0
    bend[opposed] = (a.turns[i] + b.turns[j])[opposed]
    nodes = ((a.values[i] - b.values[j]) ** 2).sum(axis=1) + bend**2
    moved = np.diff(path, axis=0)
    stretch = a.lengths[i[1:]] * moved[:, 0] - b.lengths[j[1:]] * moved[:, 1]
    return float(nodes.sum() + (stretch**2).sum())


class _Grid:
    """One pair of curves, worked through block by block."""

    def __init__(self, a: Curve, b: Curve, limits: Limits) -> None:
        self.a, self.b, self.most = a, b, limits.most
        # |u - v|² + (s - t)² of all pairs as one matrix product
        left, right = (np.column_stack([c.values, c.turns]) for c in (a, b))
        ones, twos = np.ones((len(left), 1)), np.ones((len(right), 1))
        self.left = np.hstack([-2.0 * left, (left**2).sum(axis=1)[:, None], ones])
        self.right = np.ascontiguousarray(np.hstack([right, twos, (right**2).sum(axis=1)[:, None]]).T)
        self.signs = (a.signs * a.turns, b.signs * b.turns)
        rows, columns = len(left), len(right)
        straight = np.arange(rows) * ((columns - 1) / max(1, rows - 1))
        reach = max(limits.band, 1.0, (columns - 1) / max(1, rows - 1))
        self.low = np.clip(np.ceil(straight - reach), 0, columns - 1).astype(np.int64)
        self.high = np.clip(np.floor(straight + reach), 0, columns - 1).astype(np.int64)
        self.low[0], self.high[-1] = 0, columns - 1
        self.advance = kernels.warping.advance if self.most == 0 else kernels.warping.advance_limited

    def path(self) -> IntArray:
        rows, columns = len(self.left), self.right.shape[1]
        self.found: list[IntArray] = []
        self.walk(0, rows - 1, self.fresh(columns), columns - 1, CHEAPEST)
        return np.concatenate(self.found[::-1])

    def fresh(self, columns: int) -> FloatArray:
        return np.empty((2, columns) if self.most == 0 else (2, 2 + self.most, columns))

    def check(self, rows: FloatArray, column: int) -> None:
        """Raise InputError unless the last node was reached."""
        cost = rows[0, column] if self.most == 0 else rows[0, 0, column]
        if not np.isfinite(cost):
            raise InputError(
                "the takes cannot be matched within these limits: let time run faster and slower, or widen "
                "the window"
            )

    def walk(self, first: int, last: int, rows: FloatArray, column: int, state: int) -> tuple[int, int]:
        """Trace the path from (last, column) up to row `first`; gives where it goes on above."""
        columns = column + 1
        size = (last - first + 1) * columns
        if size <= KEPT_MOVES or last == first:
            moves = np.empty(size, dtype=np.uint8)
            self.run(first, last, rows, columns, moves)
            if last == len(self.left) - 1:
                self.check(rows, column)
            steps = np.empty((last - first + 1 + columns, 2), dtype=np.int64)
            count, column, state = kernels.warping.trace(
                moves, columns, first, last, column, state, self.most, steps
            )
            self.found.append(steps[len(steps) - count :].copy())
            return int(column), int(state)
        pieces = min(PIECES, -(-size // KEPT_MOVES), last - first + 1)
        bounds = np.linspace(first, last + 1, pieces + 1).astype(int)
        above = []
        for begin, end in itertools.pairwise(bounds):
            above.append(rows[:1].copy())
            if end <= last:
                self.run(int(begin), int(end) - 1, rows, columns, np.empty(0, dtype=np.uint8))
        for begin, end, kept in zip(bounds[-2::-1], bounds[:0:-1], above[::-1], strict=True):
            rows = self.fresh(column + 1)
            rows[:1] = kept[..., : column + 1]
            column, state = self.walk(int(begin), int(end) - 1, rows, column, state)
        return column, state

    def run(self, first: int, last: int, rows: FloatArray, columns: int, moves: NDArray[np.uint8]) -> None:
        """Advance over rows first to last, tile by tile."""
        height = max(8, min(64, TILE // columns))
        tile = np.empty((height, columns))
        right = self.right[:, :columns]
        high = np.minimum(self.high, columns - 1)
        for begin in range(first, last + 1, height):
            count = min(height, last + 1 - begin)
            np.matmul(self.left[begin : begin + count], right, out=tile[:count])
            at = (begin - first) * columns
            self.advance(
                tile[:count],
                self.a.lengths, self.b.lengths[:columns], self.signs[0], self.signs[1][:columns],
                self.low, high, begin, self.most, rows,
                moves[at : at + count * columns] if len(moves) else moves,
            )  # fmt: skip
