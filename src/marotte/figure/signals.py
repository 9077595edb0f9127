"""Signals read off a motion: the path of any point, orientations, distances."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..errors import UnknownNameError
from ._arrays import FloatArray
from .motion import Motion, Point
from .rotations import rotate

PointLike: TypeAlias = str | int | Point | tuple[str | int, ArrayLike]
"""A joint (name or index), a role, a named point of the take, or (joint, offset in metres)."""


def resolve_joint(motion: Motion, joint: str | int) -> int:
    """The index of a joint given by name, role or index; names win over roles."""
    if isinstance(joint, str) and joint not in motion.skeleton:
        role = motion.rig.get(joint)
        if role is not None:
            return role
        raise UnknownNameError("joint or role", joint, (*motion.skeleton.names, *motion.rig.roles))
    return motion.skeleton.index(joint)


def resolve_point(motion: Motion, point: PointLike) -> Point:
    """A point that rides on a joint, from any way of saying one."""
    if isinstance(point, Point):
        return point
    if isinstance(point, tuple):
        joint, offset = point
        x, y, z = (float(v) for v in np.asarray(offset, dtype=np.float64).reshape(3))
        return Point("", resolve_joint(motion, joint), (x, y, z))
    for known in motion.points:
        if known.name == point:
            return known
    try:
        return Point(str(point), resolve_joint(motion, point))
    except UnknownNameError:
        known_names = (*motion.skeleton.names, *motion.rig.roles, *(p.name for p in motion.points))
        raise UnknownNameError("joint, role or point", str(point), known_names) from None


def path(motion: Motion, point: PointLike) -> FloatArray:
    """(F, 3) where a point goes, world, metres."""
    at = resolve_point(motion, point)
    positions, orientations = motion.world()
    return np.asarray(positions[:, at.joint] + rotate(orientations[:, at.joint], np.array(at.offset)))


def orientation(motion: Motion, joint: str | int) -> FloatArray:
    """(F, 4) world orientation of a joint."""
    return motion.orientations()[:, resolve_joint(motion, joint)]


def distance(motion: Motion, a: PointLike, b: PointLike | ArrayLike) -> FloatArray:
    """(F,) metres between two points of the figure, or between one and a place (3,) in the world."""
    first = path(motion, a)
    if isinstance(b, (str, int, Point)) or (
        isinstance(b, tuple) and len(b) == 2 and isinstance(b[0], (str, int))
    ):
        second = path(motion, b)
    else:
        second = np.asarray(b, dtype=np.float64).reshape(1, 3)
    return np.asarray(np.linalg.norm(first - second, axis=1))
