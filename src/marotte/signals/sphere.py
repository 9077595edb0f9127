"""Rotations of several takes blended on the sphere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from .. import kernels
from ..errors import InputError
from ..figure import FloatArray
from ..figure._arrays import check_finite, check_shape

SUM_TOLERANCE = 1e-9  # how far shares may be from adding up to 1


def blend_rotations(takes: Sequence[ArrayLike] | FloatArray, shares: ArrayLike) -> FloatArray:
    """(F, J, 4) the weighted mean of rotations (F, J, 4) of N takes, by shares (N, F, J) that add up to 1.

    Of two takes it lies on the arc from the one to the other, at constant speed; of more it is
    the mean of Karcher: the rotation from which the turns to all of them cancel. Neither the order
    of the takes nor the signs of their quaternions matter, and a share of 1 gives a take's rotations
    bit by bit. Where takes stand half a turn apart the way between them is kept from frame to
    frame; it is found anew after frames that are one take's alone. Of two takes a share may be
    negative: the arc goes on beyond its ends.
    """
    given = [np.ascontiguousarray(take, dtype=np.float64) for take in takes]
    if not given:
        raise InputError("a blend needs at least one take, but there is none")
    for take in given:
        check_shape("rotations", take.shape, (given[0].shape[0], *given[0].shape[1:2], 4))
    frames, joints = given[0].shape[:2]
    each = np.asarray(shares, dtype=np.float64)
    full = np.ascontiguousarray(np.broadcast_to(each, (len(given), frames, joints)))
    check_finite("shares", full)
    if full.size and np.abs(full.sum(axis=0) - 1.0).max() > SUM_TOLERANCE:
        raise InputError("shares must add up to 1 at every frame and joint")
    out = np.empty((frames, joints, 4))
    if len(given) == 1:
        out[:] = given[0]
    elif len(given) == 2:
        kernels.blend.blend_two(given[0], given[1], full, out, 0, joints)
    else:
        if (full < 0.0).any():
            raise InputError("shares of more than two takes must not be negative")
        ways = np.empty((len(given), 4))
        kernels.blend.blend_many(np.stack(given), full, out, ways, 0, joints)
    return out
