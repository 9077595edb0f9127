"""Where nodes stand in the world, from their local transforms: in frames, and as they rest.

This runs without compiled code, so that `marotte info` answers at once.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...figure import FloatArray
from .._turns import from_matrix, matrices, product, unit
from ._joints import Joints
from ._scene import AS_USUAL, WITHOUT_PARENTS, Nodes


def place_joints(
    nodes: Nodes, joints: Joints, block: FloatArray, fixed: Mapping[int, FloatArray] | None = None
) -> tuple[FloatArray, FloatArray]:
    """Positions (n, J, 3) and orientations (n, J, 4) of the joints, from local transforms (n, N, 10).

    A position goes through all that its parents do, scales included. An orientation is the product of
    the rotations: scales stretch a figure, but do not turn it. A mirroring turns what hangs on it
    the other way: M R = (M R M⁻¹) M, and what is left of it on the right goes on to the children.
    Nodes that are `fixed` stand where those matrices (3, 4) say, whatever their parents do.
    """
    world = _World(nodes)
    for k, node in enumerate(joints.needed):
        if fixed is not None and node in fixed:
            world.fix(node, fixed[node], block[:, k])
        else:
            world.add(node, block[:, k])
    positions = np.stack([world.at[node] for node in joints.nodes], axis=1)
    return positions, np.stack([world.turn[node] for node in joints.nodes], axis=1)


class _World:
    """What is known of every node that stands already; n frames at once."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes
        self.at: dict[int, FloatArray] = {}
        """(n, 3)"""
        self.turn: dict[int, FloatArray] = {}
        """(n, 4) the orientation."""
        self.linear: dict[int, FloatArray] = {}
        """(n, 3, 3) rotation and scale."""
        self.mirror: dict[int, FloatArray] = {}
        """(n, 3) -1 along the axes that are mirrored."""
        self.spin: dict[int, FloatArray] = {}
        """(n, 3, 3) the product of the rotations alone, mirrored or not: what is not the usual way of
        taking on scale wants to know it."""
        self.scale: dict[int, FloatArray] = {}
        """(n, 3) a node's own."""

    def add(self, node: int, local: FloatArray) -> None:
        """Place a node by its local transforms (n, 10)."""
        q, scale = unit(local[:, [6, 3, 4, 5]]), local[:, 7:10]
        rotation = matrices(q)
        sign = np.where(scale < 0, -1.0, 1.0)
        parent = self.nodes.parents[node]
        self.scale[node] = scale
        if parent not in self.at:
            self.at[node], self.turn[node], self.mirror[node] = local[:, :3], q, sign
            self.linear[node], self.spin[node] = rotation * scale[:, None, :], rotation
            return
        self.at[node] = self.at[parent] + np.einsum("fab,fb->fa", self.linear[parent], local[:, :3])
        self.spin[node] = self.spin[parent] @ rotation
        self.linear[node] = self._linear(node, rotation) * scale[:, None, :]
        above = self.mirror[parent]
        if self.nodes.inherit[node] == AS_USUAL:
            axis = q[:, 1:] * above * np.prod(above, axis=1, keepdims=True)
            q = np.concatenate([q[:, :1], axis], axis=1)
        self.turn[node] = product(self.turn[parent], q)
        self.mirror[node] = above * sign

    def _linear(self, node: int, rotation: FloatArray) -> FloatArray:
        """What a node's own scale is applied to."""
        mode, parent = self.nodes.inherit[node], self.nodes.parents[node]
        above = self.linear[parent]
        if mode == AS_USUAL:
            return np.asarray(above @ rotation)
        spin = self.spin[parent]
        stretched = np.swapaxes(spin, 1, 2) @ above  # above = spin · stretched
        if mode == WITHOUT_PARENTS:
            own = self.scale[parent]
            stretched = stretched / np.where(own == 0, 1.0, own)[:, None, :]
        return np.asarray(spin @ rotation @ stretched)

    def fix(self, node: int, matrix: FloatArray, local: FloatArray) -> None:
        """Place a node by its matrix in the world; it is mirrored as its own scales say."""
        count, parent = len(local), self.nodes.parents[node]
        sign = np.where(local[:, 7:10] < 0, -1.0, 1.0) * self.mirror.get(parent, np.ones((count, 3)))
        turn = _rotation(matrix[:, :3] * sign[0])
        self.at[node] = np.tile(matrix[:, 3], (count, 1))
        self.turn[node] = np.tile(turn, (count, 1))
        self.linear[node] = np.tile(matrix[:, :3], (count, 1, 1))
        self.spin[node] = matrices(self.turn[node])
        self.mirror[node], self.scale[node] = sign, local[:, 7:10]


def _rotation(linear: FloatArray) -> FloatArray:
    """(4,) the rotation nearest to a linear map (3, 3)."""
    u, _, v = np.linalg.svd(linear)
    handed = -1.0 if np.linalg.det(u @ v) < 0 else 1.0
    return from_matrix(u @ np.diag([1.0, 1.0, handed]) @ v)
