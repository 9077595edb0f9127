"""Carrying poses by matrices, joint by joint and frame by frame."""

from __future__ import annotations

import numpy as np

from .rotations import matrix_of_quaternion


def carried(parents, first, before, after, orientations, rotations) -> np.ndarray:
    """(F, T, 3, 3) world orientations of joints that take one source joint whole, or its local turn.

    `first` (T, 2) holds a source joint or -1, and 1 where it is taken in the world.
    """
    frames = len(orientations)
    out = np.zeros((frames, len(parents), 3, 3))
    for f in range(frames):
        for j, p in enumerate(parents):
            a, in_world = first[j]
            if a >= 0 and in_world:
                out[f, j] = matrix_of_quaternion(orientations[f, a]) @ matrix_of_quaternion(after[j])
                continue
            local = np.eye(3)
            if a >= 0:
                local = (
                    matrix_of_quaternion(before[j])
                    @ matrix_of_quaternion(rotations[f, a])
                    @ matrix_of_quaternion(after[j])
                )
            out[f, j] = local if p < 0 else out[f, p] @ local
    return out
