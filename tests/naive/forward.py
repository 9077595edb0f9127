"""Forward kinematics by 4 × 4 matrices, joint by joint."""

from __future__ import annotations

import numpy as np

from .rotations import matrix_of_quaternion


def world_matrices(parents, offsets, root, rotations, translations=None) -> np.ndarray:
    """(F, J, 4, 4) world from joint."""
    frames, joints = rotations.shape[:2]
    out = np.zeros((frames, joints, 4, 4))
    for f in range(frames):
        for j in range(joints):
            local = np.eye(4)
            local[:3, :3] = matrix_of_quaternion(rotations[f, j])
            local[:3, 3] = root[f] if parents[j] < 0 else offsets[j]
            if parents[j] >= 0 and translations is not None:
                local[:3, 3] += translations[f, j]
            out[f, j] = local if parents[j] < 0 else out[f, parents[j]] @ local
    return out
