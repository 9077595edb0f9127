"""The tree of nodes: who hangs on whom, and where each one stands before anything moves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...figure import FloatArray
from .._notes import Notes
from . import _turns
from ._container import Document
from ._json import Item

# A quaternion that is off unit length by less is rounding, and nobody needs to hear of it.
_UNIT = 1e-3
# Columns of a matrix that are less square to each other (cosine) are no turn and scales.
_SHEAR = 1e-4


@dataclass(slots=True)
class Nodes:
    """All nodes of a file. Lengths are the file's, axes its own."""

    names: list[str]
    """As in the file; empty where it gives none."""
    parents: list[int]
    """-1 for those at the top."""
    children: list[list[int]]
    order: list[int]
    """All nodes, parents first, in the order in which the file's own lists go down the tree."""
    translation: FloatArray
    """(N, 3) in the parent's frame."""
    rotation: FloatArray
    """(N, 4) relative to the parent, unit."""
    scale: FloatArray
    """(N, 3)"""
    sheared: dict[int, FloatArray]
    """Linear parts (3, 3) of those nodes whose matrix is more than a turn and a scale."""

    def __len__(self) -> int:
        return len(self.names)

    def linear(self, node: int) -> FloatArray:
        """A node's turn and scale (3, 3) in its parent's frame."""
        if node in self.sheared:
            return self.sheared[node]
        return np.asarray(_turns.matrices(self.rotation[node]) * self.scale[node])

    def chain(self, node: int) -> list[int]:
        """The nodes above this one, from the top down."""
        found = []
        parent = self.parents[node]
        while parent >= 0:
            found.append(parent)
            parent = self.parents[parent]
        return found[::-1]

    def below(self, node: int) -> list[int]:
        """This node and all that hang on it, parents first."""
        found, stack = [], [node]
        while stack:
            at = stack.pop()
            found.append(at)
            stack.extend(reversed(self.children[at]))
        return found

    def world(self, wanted: Iterable[int]) -> World:
        """Where nodes, and all above them, stand before anything moves."""
        positions: dict[int, FloatArray] = {}
        orientations: dict[int, FloatArray] = {}
        linear: dict[int, FloatArray] = {}
        for last in wanted:
            path = []
            while last >= 0 and last not in positions:
                path.append(last)
                last = self.parents[last]
            for node in reversed(path):
                parent = self.parents[node]
                place, turn, part = self.translation[node], self.rotation[node], self.linear(node)
                if parent >= 0:
                    place = positions[parent] + linear[parent] @ place
                    turn = _turns.product(orientations[parent], turn)
                    part = linear[parent] @ part
                positions[node], orientations[node], linear[node] = place, turn, part
        return World(positions, orientations, linear)


@dataclass(frozen=True, slots=True)
class World:
    """Nodes in the world, by their number, in the file's lengths and axes."""

    positions: dict[int, FloatArray]
    """(3,)"""
    orientations: dict[int, FloatArray]
    """(4,) the product of the rotations alone: scales stretch the figure, but do not turn it."""
    linear: dict[int, FloatArray]
    """(3, 3) turns and scales together."""

    def matrix(self, node: int) -> FloatArray:
        """(4, 4) of one node."""
        out = np.eye(4)
        out[:3, :3], out[:3, 3] = self.linear[node], self.positions[node]
        return out


def read_nodes(document: Document, notes: Notes) -> Nodes:
    """The nodes of a file, checked to be trees."""
    items = document.items("nodes")
    count = len(items)
    parents = [-1] * count
    children: list[list[int]] = []
    for i, item in enumerate(items):
        mine = [child.as_whole(below=count) for child in item.array("children")]
        for child in mine:
            if parents[child] >= 0:
                raise item.error(
                    f"must not have node {child} as a child, which node {parents[child]} has already: "
                    "nodes are trees"
                )
            parents[child] = i
        children.append(mine)
    order: list[int] = []
    stack = [i for i in range(count) if parents[i] < 0][::-1]
    while stack:
        at = stack.pop()
        order.append(at)
        stack.extend(reversed(children[at]))
    if len(order) < count:
        reached = set(order)
        lost = next(i for i in range(count) if i not in reached)
        raise items[lost].error("must not hang on itself, but is its own ancestor: nodes are trees")
    nodes = Nodes(
        names=[item.text("name") for item in items],
        parents=parents,
        children=children,
        order=order,
        translation=np.zeros((count, 3)),
        rotation=np.tile(np.array(_turns.IDENTITY), (count, 1)),
        scale=np.ones((count, 3)),
        sheared={},
    )
    odd = [i for i, item in enumerate(items) if not _place(nodes, i, item)]
    if odd:
        more = f" and {len(odd) - 1} more" if len(odd) > 1 else ""
        notes.warn(f"nodes[{odd[0]}].rotation{more} must be of unit length, and was made so")
    return nodes


def _place(nodes: Nodes, index: int, item: Item) -> bool:
    """Read one node's matrix, or its translation, rotation and scale; False if that was odd."""
    matrix = item.numbers("matrix", 16)
    if matrix is not None:
        columns = np.array(matrix).reshape(4, 4)  # the file stores column after column
        nodes.translation[index] = columns[3, :3]
        linear = columns[:3, :3].T
        nodes.rotation[index], nodes.scale[index], clean = split_linear(linear)
        if not clean:
            nodes.sheared[index] = linear
        return True
    translation = item.numbers("translation", 3)
    rotation = item.numbers("rotation", 4)
    scale = item.numbers("scale", 3)
    if translation is not None:
        nodes.translation[index] = translation
    if scale is not None:
        nodes.scale[index] = scale
    if rotation is None:
        return True
    x, y, z, w = rotation
    q = np.array([w, x, y, z])
    nodes.rotation[index] = _turns.unit(q)
    return abs(float(np.linalg.norm(q)) - 1.0) < _UNIT


def split_linear(linear: FloatArray) -> tuple[FloatArray, FloatArray, bool]:
    """A linear part (3, 3) as rotation (4,) and scale (3,), and whether it is just these two.

    A mirror image is taken as one along x, as other software does.
    """
    scale = np.linalg.norm(linear, axis=0)
    if not (scale > 0).all() or not np.isfinite(scale).all():
        return np.array(_turns.IDENTITY), scale, not linear.any()
    if np.linalg.det(linear) < 0:
        scale[0] = -scale[0]
    axes = linear / scale
    clean = float(np.abs(axes.T @ axes - np.eye(3)).max()) < _SHEAR
    if not clean:  # the rotation nearest to it
        u, _, v = np.linalg.svd(axes)
        axes = u @ np.diag([1.0, 1.0, float(np.sign(np.linalg.det(u @ v)))]) @ v
    return _turns.from_matrix(axes), scale, clean
