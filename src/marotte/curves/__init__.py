"""Curves through keys, and curves that keep to limits: of numbers, vectors and rotations.

Belongs here: splines and bent limits that several techniques share, on arrays.
Does not belong here: what is drawn with them (signals, constraints, fitting), shapes with names.
"""

from .limiting import Limits, soft_limited
from .rotation_splines import (
    RotationSpline,
    ShapePreservingRotations,
    rotation_spline,
    shape_preserving_rotations,
)
from .splines import Spline, kochanek_bartels, monotone

__all__ = [
    "Limits",
    "RotationSpline",
    "ShapePreservingRotations",
    "Spline",
    "kochanek_bartels",
    "monotone",
    "rotation_spline",
    "shape_preserving_rotations",
    "soft_limited",
]
