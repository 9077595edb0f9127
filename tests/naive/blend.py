"""Means of rotations and blends of takes, a frame at a time, on rotation matrices."""

from __future__ import annotations

import math

import numpy as np

from tests.naive.rotations import angle_of_matrix, matrix_of_quaternion, matrix_of_vector


def vector_of_matrix(m: np.ndarray) -> np.ndarray:
    """The rotation vector of the shorter way round; not for half turns."""
    angle = angle_of_matrix(m)
    skew = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    if angle < 1e-7:
        return 0.5 * skew
    return skew * angle / (2.0 * math.sin(angle))


def mean(matrices: list[np.ndarray], shares: list[float]) -> np.ndarray:
    """From the first on, a little way at a time against all turns that are left over."""
    m = matrices[int(np.argmax(shares))]
    for _ in range(3000):
        turns = [s * vector_of_matrix(m.T @ x) for x, s in zip(matrices, shares, strict=True)]
        left = np.sum(turns, axis=0)
        if np.linalg.norm(left) < 1e-15:
            break
        m = m @ matrix_of_vector(0.5 * left)
    return m


def blended(
    takes: list[tuple[np.ndarray, np.ndarray]], weights: list[np.ndarray]
) -> list[tuple[np.ndarray, list[np.ndarray]]]:
    """Per frame the root (3,) and the joints' matrices, of takes (root (F, 3), rotations (F, J, 4)).

    weights[n] (F,) are made shares frame by frame.
    """
    out: list[tuple[np.ndarray, list[np.ndarray]]] = []
    for f in range(len(takes[0][0])):
        shares = [float(w[f]) for w in weights]
        shares = [s / sum(shares) for s in shares]
        root = np.sum([s * root[f] for (root, _), s in zip(takes, shares, strict=True)], axis=0)
        joints = []
        for j in range(takes[0][1].shape[1]):
            joints.append(mean([matrix_of_quaternion(q[f, j]) for _, q in takes], shares))
        out.append((root, joints))
    return out
