"""A skeleton's tree as plain lists, end sites included: what recognition walks up and down."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ._arrays import FloatArray
from .skeleton import Skeleton


class Tree:
    """Nodes are the joints and, behind them, the end sites that have a length."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.joints = len(skeleton)
        parents: list[int] = skeleton.parents.tolist()
        ends = [e for e in skeleton.ends if any(e.offset)]
        self.parents = parents + [e.joint for e in ends]
        self.kids: list[list[int]] = [[] for _ in self.parents]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                self.kids[parent].append(node)
        offsets = np.array([*skeleton.offsets.tolist(), *(e.offset for e in ends)]).reshape(-1, 3)
        self.offsets: FloatArray = offsets
        self.lengths: list[float] = np.linalg.norm(offsets, axis=1).tolist()
        self.lengths[0] = 0.0
        # the nodes in depth-first order: those below one follow it without a gap
        self.place = [0] * len(self.parents)
        self.order: list[int] = []
        stack = [0]
        while stack:
            node = stack.pop()
            self.place[node] = len(self.order)
            self.order.append(node)
            stack.extend(reversed(self.kids[node]))
        self.size = [1] * len(self.parents)
        self.mass = [0.0] * len(self.parents)  # length of all bones below
        self.reach = [0.0] * len(self.parents)  # of the longest way down
        for node in reversed(self.order):
            parent = self.parents[node]
            if parent >= 0:
                self.size[parent] += self.size[node]
                self.mass[parent] += self.mass[node] + self.lengths[node]
                self.reach[parent] = max(self.reach[parent], self.reach[node] + self.lengths[node])

    def is_below(self, node: int, above: int) -> bool:
        """Whether a node hangs somewhere below another."""
        return 0 < self.place[node] - self.place[above] < self.size[above]

    def below(self, node: int) -> list[int]:
        """All nodes below one."""
        first = self.place[node] + 1
        return self.order[first : first + self.size[node] - 1]

    def up(self, node: int) -> list[int]:
        """The nodes from one's parent to the root."""
        found = []
        while (node := self.parents[node]) >= 0:
            found.append(node)
        return found

    def way(self, top: int, bottom: int) -> list[int]:
        """The nodes from `top` to `bottom` below it, both included."""
        chain = [bottom]
        while chain[-1] != top:
            chain.append(self.parents[chain[-1]])
        return chain[::-1]

    def shared(self, nodes: list[int]) -> int | None:
        """The nearest node that all of these hang below."""
        for above in self.up(nodes[0]):
            if all(self.is_below(n, above) for n in nodes):
                return above
        return None

    @cached_property
    def rest(self) -> FloatArray:
        """(N, 3) where the nodes are in the rest pose."""
        world = self.offsets.tolist()
        for node in self.order[1:]:
            at, above = world[node], world[self.parents[node]]
            at[0] += above[0]
            at[1] += above[1]
            at[2] += above[2]
        return np.array(world)
