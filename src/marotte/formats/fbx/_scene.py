"""What the library says about a scene, checked and in our terms but in the file's units and axes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import FileError
from ...figure import FloatArray
from .._clips import Clip

BONE, EMPTY, PLAIN, MESH = 5, 6, 0, 2  # kinds of what a node carries, by the library's numbers

# Rotation orders name the fixed axes in the order that they are turned about; ours the axes that turn
# along, outermost first, which is the other way round. "Spheric" is what no exporter writes.
_ORDERS = {name: name[::-1] for name in ("XYZ", "XZY", "YZX", "YXZ", "ZXY", "ZYX")}


@dataclass(frozen=True, slots=True)
class Nodes:
    """All nodes of a scene, parents first. The first is the scene itself."""

    names: list[str]
    parents: list[int]
    """-1 for the scene itself."""
    kinds: list[int]
    inherit: list[int]
    """How a node takes on its parent's scale, in the terms of `World`, which are the library's."""
    orders: list[str]
    """The axes a node turns about, outermost first: `ZYX`."""
    angles: FloatArray
    """(N, 3) degrees about x, y, z as the node stands without animation."""
    before: FloatArray
    """(N, 3) degrees of a fixed turn before those angles (a joint's orientation)."""
    behind: FloatArray
    """(N, 3) degrees of a fixed turn behind them, undone."""
    places: FloatArray
    """(N, 10) local translation, rotation (x, y, z, w) and scale without animation."""

    def __len__(self) -> int:
        return len(self.names)

    def above(self, node: int) -> list[int]:
        """The nodes above this one, nearest first."""
        found = []
        node = self.parents[node]
        while node >= 0:
            found.append(node)
            node = self.parents[node]
        return found


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene without its frames."""

    nodes: Nodes
    axes: tuple[int, int, int]
    """Right, up and front: 0 for +X, 1 for -X, 2 for +Y, …; 6 where the file does not say."""
    metres: float
    """In one unit of the file."""
    rate: float
    """Frames a second."""
    creator: str
    version: int
    warnings: list[str]
    binds: dict[int, FloatArray]
    """(3, 4) where nodes stood in the world when something was bound to them."""
    skinned: set[int]
    """Those of them that a skin is bound to; the others only stand in a pose of that name."""
    clips: list[Clip]


def read_scene(found: dict[str, Any], path: Path) -> Scene:
    """What the worker has answered."""
    count = len(found["names"])
    nodes = Nodes(
        names=[_clean(name) for name in found["names"]],
        parents=found["parents"],
        kinds=found["kinds"],
        inherit=found["inherit"],
        orders=[_ORDERS.get(order, "ZYX") for order in found["orders"]],
        angles=np.array(found["angles"], dtype=np.float64).reshape(count, 3),
        before=np.array(found["before"], dtype=np.float64).reshape(count, 3),
        behind=np.array(found["behind"], dtype=np.float64).reshape(count, 3),
        places=np.array(found["places"], dtype=np.float64).reshape(count, 10),
    )
    if any(parent >= i for i, parent in enumerate(nodes.parents)):
        raise FileError("must have its nodes in a tree, but has not", path=path)
    if not np.isfinite(nodes.places).all() or not np.isfinite(nodes.angles).all():
        raise FileError("must place its nodes by finite numbers, but some are not", path=path)
    binds, skinned = {}, set()
    for node, values, is_skin in found["binds"]:
        matrix = np.array(values, dtype=np.float64).reshape(4, 3).T
        if np.isfinite(matrix).all() and abs(np.linalg.det(matrix[:, :3])) > 1e-18:
            binds[node] = matrix
            if is_skin:
                skinned.add(node)
    right, up, front = found["axes"]
    return Scene(
        nodes=nodes,
        axes=(right, up, front),
        metres=_positive(found["unit"], 0.01),
        rate=_positive(found["rate"], 30.0),
        creator=found["creator"],
        version=found["version"],
        warnings=found["warnings"],
        binds=binds,
        skinned=skinned,
        clips=[_clip(i, stack) for i, stack in enumerate(found["stacks"])],
    )


def _clip(index: int, stack: dict[str, Any]) -> Clip:
    """A clip's span is what it says; the span of its keys where that is none."""
    begin, end = stack["begin"], stack["end"]
    if not (math.isfinite(begin) and math.isfinite(end) and begin < end) and stack["keys"]:
        begin, end = stack["keys"]
    if not (math.isfinite(begin) and math.isfinite(end)):
        begin = end = 0.0
    return Clip(index, _clean(stack["name"]), begin, max(begin, end), stack["moving"] > 0)


def _positive(value: float, otherwise: float) -> float:
    return value if math.isfinite(value) and value > 0 else otherwise


def _clean(name: str) -> str:
    """A name as text that can be written anywhere."""
    return name.encode("utf-8", "replace").decode("utf-8").replace("\0", "").strip()
