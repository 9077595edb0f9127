"""Takes moved as a whole over the ground: turned about the vertical and shifted level."""

from __future__ import annotations

import math

import numpy as np

from ..figure import FloatArray, Motion
from ..figure._arrays import owned
from ..figure.rotations import about, inverse, multiply, normalised, rotate

LEVEL = np.array([1.0, 0.0, 1.0])
HEADING_TIME = 1.0  # seconds over which a heading is taken: about a cycle of a walk, whose hips sway


def moved(motion: Motion, angle: float, centre: FloatArray, to: FloatArray) -> Motion:
    """The motion turned about the vertical by `angle` radians, `centre` (3,) brought over `to` (3,)."""
    turn = about(np.array([0.0, 1.0, 0.0]), angle)
    root = rotate(turn, motion.root - centre * LEVEL) + to * LEVEL
    rotations = np.array(motion.rotations)
    rotations[:, 0] = normalised(multiply(turn, rotations[:, 0]))
    return motion.with_(root=owned(root), rotations=owned(rotations))


def to_start_of(take: Motion, base: Motion) -> Motion:
    """A take brought to where another begins, facing as it does.

    Headings are those of the hips in the mean over the first second: in a single frame a walker's
    hips point aside, and paths that should be one would part.
    """
    place, facing = _hips(base)
    other, turned = _hips(take)
    angle = _mean_heading(facing, facing[0]) - _mean_heading(turned, facing[0])
    return moved(take, angle, other[0], place[0])


def _hips(motion: Motion) -> tuple[FloatArray, FloatArray]:
    """(N, 3) places and (N, 4) orientations of the hips in the first second."""
    beginning = motion[: max(1, round(HEADING_TIME * motion.frame_rate))]
    hips = motion.rig.get("hips") or 0
    positions, orientations = beginning.world()
    return positions[:, hips], orientations[:, hips]


def _mean_heading(orientations: FloatArray, reference: FloatArray) -> float:
    """Radians about the vertical from an orientation (4,) to the mean of others (N, 4)."""
    d = multiply(orientations, inverse(reference))
    angles = 2.0 * np.arctan2(d[:, 2], d[:, 0])
    return math.atan2(float(np.sin(angles).sum()), float(np.cos(angles).sum()))
