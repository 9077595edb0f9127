"""Pairs of limbs: children of one joint whose bones agree in length all the way down."""

from __future__ import annotations

from dataclasses import dataclass

from ._tree import Tree

_MOST_KIDS = 8  # of a joint, the largest, that are compared with one another
_DEEP = 48  # joints down a limb
_ALIKE = 0.2  # bones whose lengths differ by no more than this share of the longer are a pair
_TELLING = 0.72  # of a limb's length: how much of it must have its like on the other side
_SHORTEST, _MOST_PAIRS = 0.3, 10  # of the longest pair: what is shorter is a finger or an ornament


@dataclass(frozen=True, slots=True)
class Pair:
    """Two limbs alike: the nodes down each, from the first below the joint they share."""

    hub: int
    first: tuple[int, ...]
    second: tuple[int, ...]
    likeness: float  # 0 to 1
    length: float  # of the longer one

    @property
    def tops(self) -> tuple[int, int]:
        """Where the limbs begin."""
        return self.first[0], self.second[0]


def alike_limbs(tree: Tree) -> list[Pair]:
    """All pairs of limbs that are long enough to matter."""
    whole = max(tree.reach[0], 1e-12)
    kids = [sorted(k, key=lambda n: -(tree.mass[n] + tree.lengths[n]))[:_MOST_KIDS] for k in tree.kids]
    lengths, size = tree.lengths, tree.size
    deep = [0] * len(size)
    for node in reversed(tree.order):
        if tree.parents[node] >= 0:
            deep[tree.parents[node]] = max(deep[tree.parents[node]], deep[node] + 1)
    known: dict[tuple[int, int], tuple[float, tuple[tuple[int, int], ...]]] = {}

    def match(a: int, b: int) -> tuple[float, tuple[tuple[int, int], ...]]:
        """Bones alike from two nodes down, and which of their children belong together."""
        if (a, b) in known:
            return known[a, b]
        own = min(lengths[a], lengths[b]) if _alike(lengths[a], lengths[b]) else 0.0
        taken: list[tuple[int, int]] = []
        ours, theirs = kids[a], kids[b]
        if (
            ours
            and theirs
            and max(deep[a], deep[b]) <= _DEEP
            and 3 * min(size[a], size[b]) > max(size[a], size[b])
        ):
            if len(ours) == len(theirs) == 1:
                taken = [(ours[0], theirs[0])]
                own += match(ours[0], theirs[0])[0]
            else:
                rated = sorted(((match(x, y)[0], x, y) for x in ours for y in theirs), reverse=True)
                for value, x, y in rated:
                    if all(x != p and y != q for p, q in taken):
                        taken.append((x, y))
                        own += value
        known[a, b] = own, tuple(taken)
        return known[a, b]

    found = []
    for hub, children in enumerate(kids):
        large = [n for n in children if tree.reach[n] + lengths[n] > 0.12 * whole]
        for i, a in enumerate(large):
            for b in large[i + 1 :]:
                first, second = [a], [b]
                while below := match(first[-1], second[-1])[1]:
                    # down the limb, not into what is stuck on it: the pair with the most below
                    x, y = max(below, key=lambda p: (known[p][0], min(size[p[0]], size[p[1]])))
                    if not _alike(lengths[x], lengths[y]) and (not kids[x] or not kids[y]):
                        break
                    first.append(x)
                    second.append(y)
                alike = sum(
                    min(lengths[x], lengths[y])
                    for x, y in zip(first, second, strict=True)
                    if _alike(lengths[x], lengths[y])
                )
                total = max(sum(lengths[n] for n in first), sum(lengths[n] for n in second), 1e-12)
                if alike >= _TELLING * total and total > 0.12 * whole:
                    found.append(Pair(hub, tuple(first), tuple(second), alike / total, total))
    found.sort(key=lambda p: -p.length)
    return [p for p in found if p.length > _SHORTEST * found[0].length][:_MOST_PAIRS]


def _alike(a: float, b: float) -> bool:
    return abs(a - b) <= _ALIKE * max(a, b)
