"""Where joints, and what is above them, stand in the world: from local transforms, in frames and at rest.

This runs without compiled code, so that `marotte info` answers at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..figure import FloatArray
from ._turns import from_matrix, matrices, product, unit

AS_USUAL, WITHOUT_PARENTS, BY_AXIS = 0, 1, 2
"""How a node takes on its parent's scale: with everything else, not at all, or each axis for itself."""


class World:
    """Nodes that are placed one after the other, parents first; n frames at once.

    A position goes through all that its parents do, scales included. An orientation is the product of
    the rotations: scales stretch a figure, but do not turn it. A mirroring turns what hangs on it
    the other way: M R = (M R M⁻¹) M, and what is left of it on the right goes on to the children.
    """

    def __init__(self, parents: Sequence[int], inherit: Sequence[int] | None = None) -> None:
        self.parents = parents
        self.inherit = inherit
        self.at: dict[int, FloatArray] = {}
        """(n, 3) positions."""
        self.turn: dict[int, FloatArray] = {}
        """(n, 4) orientations."""
        self.linear: dict[int, FloatArray] = {}
        """(n, 3, 3) rotations and scales."""
        self.mirror: dict[int, FloatArray] = {}
        """(n, 3) -1 along the axes that are mirrored."""
        self.spin: dict[int, FloatArray] = {}
        """(n, 3, 3) the product of the rotations alone, mirrored or not: what is not the usual way of
        taking on scale wants to know it."""
        self.scale: dict[int, FloatArray] = {}
        """(n, 3) a node's own."""

    def add(self, node: int, translation: FloatArray, rotation: FloatArray, scale: FloatArray) -> None:
        """Place a node by translations (n, 3), rotations (n, 4) and scales (n, 3) in its parent's frame."""
        q = unit(rotation)
        turned = matrices(q)
        sign = np.where(scale < 0, -1.0, 1.0)
        parent = self.parents[node]
        self.scale[node] = scale
        if parent not in self.at:
            self.at[node], self.turn[node], self.mirror[node] = translation, q, sign
            self.linear[node], self.spin[node] = turned * scale[:, None, :], turned
            return
        self.at[node] = self.at[parent] + np.einsum("fab,fb->fa", self.linear[parent], translation)
        self.spin[node] = self.spin[parent] @ turned
        self.linear[node] = self._linear(node, turned) * scale[:, None, :]
        above = self.mirror[parent]
        if self._inherits(node) == AS_USUAL:
            axis = q[:, 1:] * above * np.prod(above, axis=1, keepdims=True)
            q = np.concatenate([q[:, :1], axis], axis=1)
        self.turn[node] = product(self.turn[parent], q)
        self.mirror[node] = above * sign

    def fix(self, node: int, matrices_: FloatArray, scale: FloatArray | None = None) -> None:
        """Place a node by matrices (n, 3, 4) in the world, whatever its parents do.

        It is mirrored along those axes along which its parents and its own scale (n, 3) mirror it;
        without a scale along all three, if at all.
        """
        linear, count = matrices_[:, :, :3], len(matrices_)
        if scale is None:
            scale = np.where(np.linalg.det(linear) < 0, -1.0, 1.0)[:, None] * np.ones((count, 3))
        sign = np.where(scale < 0, -1.0, 1.0) * self.mirror.get(self.parents[node], np.ones((count, 3)))
        self.at[node], self.linear[node] = matrices_[:, :, 3], linear
        self.turn[node] = nearest_rotations(linear * sign[:, None, :])
        self.spin[node] = matrices(self.turn[node])
        self.mirror[node], self.scale[node] = sign, scale

    def _inherits(self, node: int) -> int:
        return AS_USUAL if self.inherit is None else self.inherit[node]

    def _linear(self, node: int, turned: FloatArray) -> FloatArray:
        """What a node's own scale is applied to."""
        parent = self.parents[node]
        above = self.linear[parent]
        mode = self._inherits(node)
        if mode == AS_USUAL:
            return np.asarray(above @ turned)
        spin = self.spin[parent]
        stretched = np.swapaxes(spin, 1, 2) @ above  # above = spin · stretched
        if mode == WITHOUT_PARENTS:
            own = self.scale[parent]
            stretched = stretched / np.where(own == 0, 1.0, own)[:, None, :]
        return np.asarray(spin @ turned @ stretched)

    def placed(self, nodes: Sequence[int]) -> tuple[FloatArray, FloatArray]:
        """Positions (n, N, 3) and orientations (n, N, 4) of some nodes."""
        return np.stack([self.at[n] for n in nodes], axis=1), np.stack([self.turn[n] for n in nodes], axis=1)


def nearest_rotations(linear: FloatArray) -> FloatArray:
    """(n, 4) the rotations nearest to linear maps (n, 3, 3)."""
    u, _, v = np.linalg.svd(linear)
    handed = np.where(np.linalg.det(u @ v) < 0, -1.0, 1.0)
    u[:, :, 2] *= handed[:, None]
    return np.array([from_matrix(m) for m in u @ v])
