"""A body for a figure that has none: one slim octahedron a bone, bound to the joint it begins at.

Programs make an armature of a skin, and a skin needs a mesh; and bones can be seen this way.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...figure import FloatArray, Skeleton

# Corners of the ring about a bone, then its two ends; outside is counter-clockwise.
_FACES = np.array([(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4), (1, 0, 5), (2, 1, 5), (3, 2, 5), (0, 3, 5)])
_RING_AT = 0.15  # of the bone's length
_RING_SIZE = 0.07
_LEAST = 0.012  # of the figure's height: half the size of a joint from which no bone leads
_SMALLEST = 0.02  # metres, of figures without size


def stick_mesh(skeleton: Skeleton) -> tuple[FloatArray, NDArray[np.int64], NDArray[np.int64]]:
    """Points (V, 3) in the rest pose, metres; the joint (V,) of each; triangles (T, 3)."""
    rest = skeleton.rest_positions()
    height = skeleton.height or _SMALLEST / _LEAST
    heads: list[FloatArray] = []
    tails: list[FloatArray] = []
    owners: list[int] = []

    def bone(joint: int, to: FloatArray) -> None:
        if float(np.linalg.norm(to - rest[joint])) > 1e-3 * height:
            heads.append(rest[joint])
            tails.append(to)
            owners.append(joint)

    for j in range(1, len(skeleton)):
        bone(int(skeleton.parents[j]), rest[j])
    for end, place in zip(skeleton.ends, skeleton.rest_ends(), strict=True):
        bone(end.joint, place)
    for j in set(range(len(skeleton))) - set(owners):
        heads.append(rest[j])
        tails.append(rest[j] + [0.0, 2.0 * _LEAST * height, 0.0])
        owners.append(j)
    begin, end_ = np.array(heads), np.array(tails)
    along = end_ - begin
    length = np.linalg.norm(along, axis=1, keepdims=True)
    axis = along / length
    aside = np.eye(3)[np.argmin(np.abs(axis), axis=1)]
    u = np.cross(aside, axis)
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    v = np.cross(axis, u)
    middle = begin + _RING_AT * along
    size = np.maximum(_RING_SIZE * length, 0.5 * _LEAST * height)
    size = np.minimum(size, 0.4 * length)
    ring = [middle + size * (a * u + b * v) for a, b in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    points = np.stack([*ring, end_, begin], axis=1)
    faces = _FACES[None] + 6 * np.arange(len(owners))[:, None, None]
    return points.reshape(-1, 3), np.repeat(np.array(owners), 6), faces.reshape(-1, 3)
