"""The cheapest path of timewarping, over the full table, in plain Python.

Costs are worked out from the vertices themselves: lengths and angles of segments in time and values,
as BW95 fig. 10 draws them. Every state of the limited search is a node of its own in a plain
shortest-path search, so that nothing here is shared with the rows of states of the kernel.
"""

from __future__ import annotations

import math

Vector = list[float]


def length(curve: list[Vector], i: int) -> float:
    """Of the segment from vertex i - 1 to vertex i; time is the vertices' first number."""
    return math.dist(curve[i - 1], curve[i])


def turn(curve: list[Vector], i: int) -> float:
    """By how much the angle at vertex i falls short of a straight one; ends do not turn."""
    if not 0 < i < len(curve) - 1:
        return 0.0
    before = [q - p for p, q in zip(curve[i - 1], curve[i], strict=True)]
    after = [q - p for p, q in zip(curve[i], curve[i + 1], strict=True)]
    dot = sum(p * q for p, q in zip(before, after, strict=True))
    cosine = dot / (math.hypot(*before) * math.hypot(*after))
    return math.acos(max(-1.0, min(1.0, cosine)))


def extreme(signal: Vector, i: int) -> str:
    """Whether the middle one of three samples is a maximum, a minimum or neither."""
    if not 0 < i < len(signal) - 1:
        return "neither"
    if signal[i] > signal[i - 1] and signal[i] > signal[i + 1]:
        return "maximum"
    if signal[i] < signal[i - 1] and signal[i] < signal[i + 1]:
        return "minimum"
    return "neither"


def bending(a: list[Vector], b: list[Vector], i: int, j: int, along_a: Vector, along_b: Vector) -> float:
    """The difference of the angles at two vertices; one is inverted where the extremes are opposed."""
    alpha, beta = math.pi - turn(a, i), math.pi - turn(b, j)
    if {extreme(along_a, i), extreme(along_b, j)} == {"maximum", "minimum"}:
        alpha = 2.0 * math.pi - alpha
    return alpha - beta


def cheapest(
    a: list[Vector],
    b: list[Vector],
    along_a: Vector,
    along_b: Vector,
    *,
    stretching: float,
    bending_weight: float,
    value: float,
    most: int = 0,
    band: float = math.inf,
) -> float:
    """The cost of the best path from (0, 0) to the last pair.

    a, b: vertices, time first. most: how many steps one may stand between steps in both; 0 for any.
    band: how many vertices of b a node may lie off the straight line.
    """
    last_a, last_b = len(a) - 1, len(b) - 1
    slope = last_b / max(1, last_a)

    def allowed(i: int, j: int) -> bool:
        if (i, j) in ((0, 0), (last_a, last_b)):
            return True
        reach = max(band, 1.0, slope)
        return i * slope - reach - 1e-9 <= j <= i * slope + reach + 1e-9

    def node(i: int, j: int) -> float:
        apart = sum((p - q) ** 2 for p, q in zip(a[i][1:], b[j][1:], strict=True))
        return value * apart + bending_weight * bending(a, b, i, j, along_a, along_b) ** 2

    # table[i, j][(who stood, how often)] = cost
    table: dict[tuple[int, int], dict[tuple[str, int], float]] = {(0, 0): {("none", 0): node(0, 0)}}
    for i in range(last_a + 1):
        for j in range(last_b + 1):
            if (i, j) == (0, 0) or not allowed(i, j):
                continue
            here: dict[tuple[str, int], float] = {}

            def offer(key: tuple[str, int], cost: float, here: dict[tuple[str, int], float] = here) -> None:
                here[key] = min(cost, here.get(key, math.inf))

            for cost in table.get((i - 1, j - 1), {}).values():
                offer(("none", 0), cost + stretching * (length(a, i) - length(b, j)) ** 2)
            for (who, times), cost in table.get((i - 1, j), {}).items():
                if most == 0:
                    offer(("none", 0), cost + stretching * length(a, i) ** 2)
                elif who != "a" and times < most:
                    offer(("b", times + 1), cost + stretching * length(a, i) ** 2)
            for (who, times), cost in table.get((i, j - 1), {}).items():
                if most == 0:
                    offer(("none", 0), cost + stretching * length(b, j) ** 2)
                elif who != "b" and times < most:
                    offer(("a", times + 1), cost + stretching * length(b, j) ** 2)
            if here:
                table[i, j] = {key: cost + node(i, j) for key, cost in here.items()}
    return min(table.get((last_a, last_b), {("none", 0): math.inf}).values())
