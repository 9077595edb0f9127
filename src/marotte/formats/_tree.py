"""Trees of joints: the order in which files list them, and which of several is the figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ..figure import IntArray, Skeleton

MOST_JOINTS = 10_000
# The largest tree of joints is the figure where it holds this share of them; else all of them are.
MAIN_SHARE = 0.75


def depth_first(skeleton: Skeleton) -> IntArray:
    """The joints as a hierarchy lists them: each with all that hangs on it before its next sibling."""
    return np.array(tree_order(skeleton.parents.tolist()), dtype=np.int64)


def tree_order(parents: Sequence[int]) -> list[int]:
    """As `depth_first`, for any number of trees (-1 is the parent of a root) in any order."""
    children: dict[int, list[int]] = {}
    for i, parent in enumerate(parents):
        children.setdefault(parent, []).append(i)
    order: list[int] = []
    stack = list(reversed(children.get(-1, [])))
    while stack:
        at = stack.pop()
        order.append(at)
        stack.extend(reversed(children.get(at, ())))
    return order


def main_tree(sizes: Counter[int]) -> tuple[int, bool]:
    """The root of the largest tree, and whether the others may be left out beside it."""
    (root, size), *others = sizes.most_common()
    return root, not others or size >= MAIN_SHARE * sum(sizes.values())


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names for a message, a few of them."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(repr(name) for name in names[:most]) + more
