"""Motion as signals: bands, blends, warps of time, shapes, displacements.

Belongs here: algorithms of BW95 and of L97 chapter 4 on arrays and motions.
Does not belong here: option models (edits), goals and solvers (kinematics), rules (constraints).

Symbols: F frames, C signals, B bands, J joints. Band 0 is the finest.
"""

from .bands import EDGES, Bands, Edges, band_count, band_edges, decompose, equalized
from .equalize import NAMES, PRESETS, BandEnergy, Gains, band_energy, equalize, named_bands
from .rotation_splines import (
    RotationSpline,
    ShapePreservingRotations,
    rotation_spline,
    shape_preserving_rotations,
)
from .spaces import SPACES, Signals, Space, signals_of
from .splines import Spline, kochanek_bartels, monotone

__all__ = [
    "EDGES",
    "NAMES",
    "PRESETS",
    "SPACES",
    "BandEnergy",
    "Bands",
    "Edges",
    "Gains",
    "RotationSpline",
    "ShapePreservingRotations",
    "Signals",
    "Space",
    "Spline",
    "band_count",
    "band_edges",
    "band_energy",
    "decompose",
    "equalize",
    "equalized",
    "kochanek_bartels",
    "monotone",
    "named_bands",
    "rotation_spline",
    "shape_preserving_rotations",
    "signals_of",
]
