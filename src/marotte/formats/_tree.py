"""The order in which a file lists the joints of a tree."""

from __future__ import annotations

import numpy as np

from ..figure import IntArray, Skeleton


def depth_first(skeleton: Skeleton) -> IntArray:
    """The joints as a hierarchy lists them: each with all that hangs on it before its next sibling."""
    children: list[list[int]] = [[] for _ in skeleton.names]
    for j in range(1, len(skeleton)):
        children[int(skeleton.parents[j])].append(j)
    out, stack = [], [0]
    while stack:
        j = stack.pop()
        out.append(j)
        stack.extend(reversed(children[j]))
    return np.array(out, dtype=np.int64)
