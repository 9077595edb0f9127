"""Displacements of whole clips in a figure's degrees of freedom: m ⊕ d and m ⊖ m₀ (LS99 eq. 1)."""

from __future__ import annotations

from .compiling import IN2, IN3, INT, OUT2, OUT3, kernel
from .goals import TREE, displacement, move

ON_DEMAND = True  # see compiling.all_kernels


@kernel(TREE, IN2, OUT2, OUT3, INT, INT)
def move_frames(tree, steps, root, rotations, first, stop):
    """root (F, 3) and rotations (F, J, 4) of frames first to stop moved in place by steps (F, D).

    Frames whose step is nothing stay bit by bit.
    """
    for f in range(first, stop):
        moves = False
        for d in range(steps.shape[1]):
            moves = moves or steps[f, d] != 0.0
        if moves:
            move(tree, steps[f], 1.0, root[f], rotations[f])


@kernel(TREE, IN2, IN3, IN2, IN3, OUT2)
def displacements(tree, root, rotations, root0, rotations0, out):
    """out (F, D): how far each pose is from its reference."""
    for f in range(root.shape[0]):
        displacement(tree, root[f], rotations[f], root0[f], rotations0[f], out[f])
