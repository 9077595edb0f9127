"""Rotation vectors about a reference pose: rotations as three plain signals a joint.

Unlike Euler angles they have no gimbal lock near the reference, and adding or filtering them
does what one expects as long as the rotations stay within half a turn of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .. import kernels
from ._arrays import FloatArray, check_shape


def rotation_vectors(rotations: ArrayLike, reference: ArrayLike | None = None) -> FloatArray:
    """Vectors (F, J, 3), radians, of reference⁻¹ · rotation, without jumps in time.

    `rotations` is (F, J, 4), `reference` (J, 4); left out, it is the first frame. A joint that
    turns on past half a circle keeps counting.
    """
    q = np.ascontiguousarray(rotations, dtype=np.float64)
    check_shape("rotations", q.shape, (None, None, 4))
    out = np.empty((*q.shape[:2], 3))
    if len(q):
        about = np.ascontiguousarray(q[0] if reference is None else reference, dtype=np.float64)
        check_shape("reference", about.shape, (q.shape[1], 4))
        kernels.quaternions.log_about(q, about, out)
    return out


def from_rotation_vectors(vectors: ArrayLike, reference: ArrayLike) -> FloatArray:
    """Rotations (F, J, 4) = reference (J, 4) · exp(vectors (F, J, 3)): the way back."""
    v = np.ascontiguousarray(vectors, dtype=np.float64)
    check_shape("vectors", v.shape, (None, None, 3))
    about = np.ascontiguousarray(reference, dtype=np.float64)
    check_shape("reference", about.shape, (v.shape[1], 4))
    out = np.empty((*v.shape[:2], 4))
    kernels.quaternions.exp_about(v, about, out)
    return out
