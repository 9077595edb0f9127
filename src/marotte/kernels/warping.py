"""The cheapest path through the grid of all pairs of frames of two takes (BW95 3.2.1).

A node (i, j) is frame i of the one take met with frame j of the other. A path runs from (0, 0) to
(N - 1, M - 1); each step moves on in both takes (code 0), in the first alone (1) or in the second
alone (2). Rows of the grid are worked through from above; only the costs of the last row are kept,
so that rows may come in blocks.

The cost of a node comes in two parts: `near` (R, M), what it costs that the two frames differ, made
by the caller, block after block, as a matrix product; and what depends on the step: the lengths
`la` (N,) and `lb` (M,) of the segments that lead to each frame, whose difference is the work of
stretching one into the other. A take that stands has a segment of no length.

Loops run over slices from 0 on and name few arrays each: else the compiler must allow for indices
that count from the end, and for arrays that overlap, and works on one number at a time.
"""

from __future__ import annotations

import math

from .compiling import BYTES, BYTES_OUT, IN1, INT, INTS1, INTS_OUT2, OUT2, OUT3, inline, kernel

INF = math.inf


@inline
def _fill(target, value):
    for t in range(target.shape[0]):
        target[t] = value


@inline
def _oppose(own, turn, turns):
    """BW95 3.2.1: where one has a maximum and the other a minimum, one of the angles is inverted.

    The difference (s - t)² of turns, which is in `own` already, becomes (s + t)².
    """
    for t in range(own.shape[0]):
        opposed = turn * turns[t]
        own[t] -= 4.0 * (opposed if opposed < 0.0 else 0.0)


@inline
def _from_above(diagonal, above, own, lengths, a, target):
    """target = the cheaper of a step in both takes and one in the first alone."""
    up = a * a
    for t in range(target.shape[0]):
        apart = a - lengths[t]
        both, alone = diagonal[t] + apart * apart, above[t] + up
        target[t] = (alone if alone < both else both) + own[t]


@inline
def _code_above(diagonal, above, lengths, a, codes):
    """Which of the two it was."""
    up = a * a
    for t in range(codes.shape[0]):
        apart = a - lengths[t]
        codes[t] = 1 if above[t] + up < diagonal[t] + apart * apart else 0


@kernel(OUT2, IN1, IN1, IN1, IN1, INTS1, INTS1, INT, INT, OUT2, BYTES_OUT)
def advance(near, la, lb, ea, eb, low, high, first, most, rows, moves):
    """Rows first to first + R of the grid, each node reached over its cheapest step.

    near (R, M), scratch; la, ea (N,); lb, eb (M,): lengths, and turns with a sign at extremes, 0
    elsewhere; low, high (N,): the columns that a row may use, both included; most is 0 here. rows
    (2, M): row 0 is D[first - 1, :] on the way in (unused where first is 0) and the last row on the
    way out; the other is scratch. moves (R * M,) is filled with codes, unless it is empty.
    """
    count, columns = near.shape
    keep = moves.shape[0] > 0
    before, now = rows[0], rows[1]
    if first == 0:
        _fill(before, INF)
    for r in range(count):
        i = first + r
        a, lo, stop = la[i], low[i], high[i] + 1
        if ea[i] != 0.0:
            _oppose(near[r, lo:stop], ea[i], eb[lo:stop])
        _fill(now[:lo], INF)
        _fill(now[stop:], INF)
        # what can be done without the node to the left comes first, for all columns at once
        start = max(lo, 1)
        own, lengths, target = near[r, start:stop], lb[start:stop], now[start:stop]
        diagonal, above = before[start - 1 : stop - 1], before[start:stop]
        _from_above(diagonal, above, own, lengths, a, target)
        left = INF
        if lo == 0:
            left = near[r, 0] if i == 0 else before[0] + a * a + near[r, 0]
            now[0] = left
        if keep:
            codes = moves[r * columns : (r + 1) * columns]
            if lo == 0:
                codes[0] = 1
            codes = codes[start:stop]
            _code_above(diagonal, above, lengths, a, codes)
            for t in range(target.shape[0]):
                across, best = left + (lengths[t] * lengths[t] + own[t]), target[t]
                codes[t] = 2 if across < best else codes[t]
                left = across if across < best else best
                target[t] = left
        else:
            for t in range(target.shape[0]):
                across, best = left + (lengths[t] * lengths[t] + own[t]), target[t]
                left = across if across < best else best
                target[t] = left
        before, now = now, before
    if count % 2 == 1:
        rows[0] = rows[1]


@inline
def _both(diagonal, own, lengths, a, target):
    for t in range(target.shape[0]):
        apart = a - lengths[t]
        target[t] = diagonal[t] + apart * apart + own[t]


@inline
def _first_alone(above, own, up, target):
    for t in range(target.shape[0]):
        target[t] = above[t] + up + own[t]


@inline
def _second_alone(left, own, lengths, target):
    for t in range(target.shape[0]):
        target[t] = left[t] + (lengths[t] * lengths[t] + own[t])


@inline
def _cheaper(costs, state, best, codes):
    """Let a state be a node's best where it is cheaper than what was."""
    for t in range(codes.shape[0]):
        codes[t] = state if costs[t] < best[t] else codes[t]
    for t in range(best.shape[0]):
        best[t] = costs[t] if costs[t] < best[t] else best[t]


@kernel(OUT2, IN1, IN1, IN1, IN1, INTS1, INTS1, INT, INT, OUT3, BYTES_OUT)
def advance_limited(near, la, lb, ea, eb, low, high, first, most, rows, moves):
    """As `advance`, where between two steps in both takes at most `most` steps are in one alone.

    A node has 1 + 2 most states: reached by both (0), by the k-th step in a row of the first take
    alone (k) or of the second (most + k). rows (2, 2 + most, M) holds, for two rows, the cost of each
    node's cheapest state, then those of states 0 to most. Codes are the numbers of cheapest states.
    """
    count, columns = near.shape
    keep = moves.shape[0] > 0
    layers = 2 + most
    if first == 0:
        for s in range(layers):
            _fill(rows[0, s], INF)
    old, new = 0, 1
    for r in range(count):
        i = first + r
        a, lo, stop = la[i], low[i], high[i] + 1
        own, lengths = near[r, lo:stop], lb[lo:stop]
        if ea[i] != 0.0:
            _oppose(own, ea[i], eb[lo:stop])
        for s in range(layers):
            _fill(rows[new, s, :lo], INF)
            _fill(rows[new, s, stop:], INF)
        best, both = rows[new, 0, lo:stop], rows[new, 1, lo:stop]
        codes = moves[r * columns + lo : r * columns + stop] if keep else moves
        if lo == 0:
            both[0] = own[0] if i == 0 else INF
            _both(rows[old, 0, : stop - 1], own[1:], lengths[1:], a, both[1:])
        else:
            _both(rows[old, 0, lo - 1 : stop - 1], own, lengths, a, both)
        for t in range(best.shape[0]):
            best[t] = both[t]
        for t in range(codes.shape[0]):
            codes[t] = 0
        for k in range(1, most + 1):
            target = rows[new, 1 + k, lo:stop]
            _first_alone(rows[old, k, lo:stop], own, a * a, target)
            _cheaper(target, k, best, codes)
        # what the row before needs no more holds the others in turn
        source, target, spare = both, rows[old, 0, lo:stop], rows[old, 1, lo:stop]
        for k in range(1, most + 1):
            target[0] = INF
            _second_alone(source[: source.shape[0] - 1], own[1:], lengths[1:], target[1:])
            _cheaper(target, most + k, best, codes)
            source, target, spare = target, spare, target
        old, new = new, old
    if count % 2 == 1:
        rows[0] = rows[1]


@kernel(BYTES, INT, INT, INT, INT, INT, INT, INTS_OUT2)
def trace(moves, columns, first, row, column, state, most, path):
    """Walk back from (row, column) to row `first`, writing path (P, 2) from its end.

    moves is what `advance` (most = 0) or `advance_limited` wrote for the rows from `first` on; a
    state below 0 stands for the cheapest one. Returns how many nodes were written, and the column and
    the state to go on with in the row above.
    """
    i, j, at = row, column, path.shape[0]
    while True:
        at -= 1
        path[at, 0], path[at, 1] = i, j
        if i == 0 and j == 0:
            break
        if most == 0:
            step = int(moves[(i - first) * columns + j])
        else:
            if state < 0:
                state = int(moves[(i - first) * columns + j])
            if state == 0:
                step = 0
                state = -1
            elif state <= most:
                step = 1
                state -= 1
            else:
                step = 2
                state = 0 if state == most + 1 else state - 1
        if step != 1:
            j -= 1
        if step != 2:
            i -= 1
            if i < first:
                break
    return path.shape[0] - at, j, state
