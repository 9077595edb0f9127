"""The cheapest path through the grid of all pairs of frames of two takes (BW95 3.2.1).

A node (i, j) is frame i of the one take met with frame j of the other. A path runs from (0, 0) to
(N - 1, M - 1); each step moves on in both takes (code 0), in the first alone (1) or in the second
alone (2). Rows of the grid are worked through from above; only the costs of the last row are kept,
so that rows may come in blocks.

The costs of a node come in two parts: `near` (R, M), what it costs that the two frames differ, made
by the caller, block after block, as a matrix product; and what depends on the step: the lengths
`la` (N,) and `lb` (M,) of the segments that lead to each frame, whose difference is the work of
stretching one into the other. A take that stands has a segment of no length.
"""

from __future__ import annotations

import math

from .compiling import BYTES, BYTES_OUT, IN1, IN2, INT, INTS1, INTS_OUT2, OUT2, OUT3, kernel

INF = math.inf


@kernel(IN2, IN1, IN1, IN1, IN1, INTS1, INTS1, INT, INT, OUT2, BYTES_OUT)
def advance(near, la, lb, ea, eb, low, high, first, most, rows, moves):
    """Rows first to first + R of the grid, each node reached over its cheapest step.

    near (R, M); la, ea (N,); lb, eb (M,): lengths, and turns with a sign at extremes, 0 elsewhere;
    low, high (N,): the columns that a row may use, both included; most is 0 here. rows (3, M): row
    0 is D[first - 1, :] on the way in (unused where first is 0) and the last row on the way out;
    the others are scratch. moves (R * M,) is filled with codes, unless it is empty.
    """
    count, columns = near.shape
    keep = moves.shape[0] > 0
    before, now, side = rows[0], rows[1], rows[2]
    if first == 0:
        for j in range(columns):
            before[j] = INF
    for r in range(count):
        i = first + r
        a, e, up = la[i], ea[i], la[i] * la[i]
        lo, hi = low[i], high[i]
        for j in range(lo):
            now[j] = INF
        for j in range(hi + 1, columns):
            now[j] = INF
        own = near[r]
        # what can be done without the node to the left, for all columns at once
        for j in range(max(lo, 1), hi + 1):
            # BW95 3.2.1: where one has a maximum and the other a minimum, one angle is inverted
            opposed = e * eb[j]
            node = own[j] - 4.0 * (opposed if opposed < 0.0 else 0.0)
            node = node if node > 0.0 else 0.0
            apart = a - lb[j]
            both = before[j - 1] + apart * apart
            alone = before[j] + up
            now[j] = (alone if alone < both else both) + node
            side[j] = lb[j] * lb[j] + node
        if lo == 0:
            opposed = e * eb[0]
            node = max(own[0] - 4.0 * min(opposed, 0.0), 0.0)
            now[0] = node if i == 0 else before[0] + up + node
        if keep:
            codes = moves[r * columns : (r + 1) * columns]
            for j in range(max(lo, 1), hi + 1):
                apart = a - lb[j]
                codes[j] = 1 if before[j] + up < before[j - 1] + apart * apart else 0
            left = now[lo]
            for j in range(lo + 1, hi + 1):
                across, best = left + side[j], now[j]
                codes[j] = 2 if across < best else codes[j]
                left = across if across < best else best
                now[j] = left
            if lo == 0:
                codes[0] = 1
        else:
            left = now[lo]
            for j in range(lo + 1, hi + 1):
                across, best = left + side[j], now[j]
                left = across if across < best else best
                now[j] = left
        before, now = now, before
    if count % 2 == 1:
        for j in range(columns):
            rows[0, j] = rows[1, j]


@kernel(IN2, IN1, IN1, IN1, IN1, INTS1, INTS1, INT, INT, OUT3, BYTES_OUT)
def advance_limited(near, la, lb, ea, eb, low, high, first, most, rows, moves):
    """As `advance`, where between two steps in both takes at most `most` steps are in one alone.

    A node has 1 + 2 most states: reached by both (0), by the k-th step in a row of the first take
    alone (k) or of the second (most + k). rows (2, 2 + states, M): for two rows, the cheapest state's
    cost, its number, and the costs of all. moves[r, j] is the state that a step in both came from;
    the others need no record.
    """
    count, columns = near.shape
    states = 1 + 2 * most
    keep = moves.shape[0] > 0
    if first == 0:
        for s in range(2 + states):
            for j in range(columns):
                rows[0, s, j] = INF
    old, new = 0, 1
    for r in range(count):
        i = first + r
        a, e, up = la[i], ea[i], la[i] * la[i]
        lo, hi = low[i], high[i]
        before, now = rows[old], rows[new]
        for s in range(2 + states):
            for j in range(columns):
                now[s, j] = INF
        own, both = near[r], now[2]
        price = now[1]  # of the node itself, until the states' numbers are written there
        for j in range(lo, hi + 1):
            opposed = e * eb[j]
            node = own[j] - 4.0 * (opposed if opposed < 0.0 else 0.0)
            price[j] = node if node > 0.0 else 0.0
        cheapest = before[0]
        for j in range(max(lo, 1), hi + 1):
            apart = a - lb[j]
            both[j] = cheapest[j - 1] + apart * apart + price[j]
        if i == 0:
            both[0] = price[0]
        for k in range(1, most + 1):
            source, target = before[1 + k], now[2 + k]
            for j in range(lo, hi + 1):
                target[j] = source[j] + up + price[j]
            source, target = (both if k == 1 else now[1 + most + k]), now[2 + most + k]
            for j in range(max(lo, 1), hi + 1):
                target[j] = source[j - 1] + lb[j] * lb[j] + price[j]
        if keep:
            codes = moves[r * columns : (r + 1) * columns]
            numbers = before[1]
            for j in range(max(lo, 1), hi + 1):
                number = numbers[j - 1]
                codes[j] = int(number) if number < INF else 0
        best, numbers = now[0], now[1]
        for j in range(columns):
            best[j], numbers[j] = both[j], 0.0
        for s in range(1, states):
            target = now[2 + s]
            for j in range(lo, hi + 1):
                better = target[j] < best[j]
                best[j] = target[j] if better else best[j]
                numbers[j] = float(s) if better else numbers[j]
        old, new = new, old
    if count % 2 == 1:
        for s in range(2 + states):
            for j in range(columns):
                rows[0, s, j] = rows[1, s, j]


@kernel(BYTES, INT, INT, INT, INT, INT, INT, INTS_OUT2)
def trace(moves, columns, first, row, column, state, most, path):
    """Walk back from (row, column) to row `first`, writing path (P, 2) from its end.

    moves is what `advance` (most = 0) or `advance_limited` wrote for the rows from `first` on.
    Returns how many nodes were written; the last of them is the one in row `first` from which the
    path came from above, or (0, 0). Also returns the column and the state to go on with, above.
    """
    i, j, at = row, column, path.shape[0]
    while True:
        at -= 1
        path[at, 0], path[at, 1] = i, j
        if i == 0 and j == 0:
            break
        code = moves[(i - first) * columns + j]
        if most == 0:
            step = int(code)
        elif state == 0:
            step = 0
            state = int(code)
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
