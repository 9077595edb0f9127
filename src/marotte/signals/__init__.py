"""Motion as signals: bands, blends, warps of time, shapes, displacements.

Belongs here: algorithms of BW95 and of L97 chapter 4 on arrays and motions.
Does not belong here: option models (edits), goals and solvers (kinematics), rules (constraints).

Symbols: F frames, C signals, B bands, J joints. Band 0 is the finest.
"""

from ..curves import (
    Limits,
    RotationSpline,
    ShapePreservingRotations,
    Spline,
    kochanek_bartels,
    monotone,
    rotation_spline,
    shape_preserving_rotations,
    soft_limited,
)
from .bands import EDGES, Bands, Edges, band_count, band_edges, decompose, equalized
from .displace import displace
from .displacement import Displacement, Ends, displacement_between
from .displacement_keys import ChannelKey, DisplacementKey, MoveKey, PoseKey, ReachKey, TurnKey
from .equalize import NAMES, PRESETS, BandEnergy, Gains, band_energy, equalize, named_bands
from .named_shapes import SHAPES
from .shape_library import add_shape, read_shape, remove_shape, shape_folder, shape_names, shape_of
from .shapes import INTERPOLATIONS, Shape, ShapeLike
from .spaces import SPACES, Signals, Space, signals_of
from .waveshape import RANGES, shaped, waveshape

__all__ = [
    "EDGES",
    "INTERPOLATIONS",
    "NAMES",
    "PRESETS",
    "RANGES",
    "SHAPES",
    "SPACES",
    "BandEnergy",
    "Bands",
    "ChannelKey",
    "Displacement",
    "DisplacementKey",
    "Edges",
    "Ends",
    "Gains",
    "Limits",
    "MoveKey",
    "PoseKey",
    "ReachKey",
    "RotationSpline",
    "Shape",
    "ShapeLike",
    "ShapePreservingRotations",
    "Signals",
    "Space",
    "Spline",
    "TurnKey",
    "add_shape",
    "band_count",
    "band_edges",
    "band_energy",
    "decompose",
    "displace",
    "displacement_between",
    "equalize",
    "equalized",
    "kochanek_bartels",
    "monotone",
    "named_bands",
    "read_shape",
    "remove_shape",
    "rotation_spline",
    "shape_folder",
    "shape_names",
    "shape_of",
    "shape_preserving_rotations",
    "shaped",
    "signals_of",
    "soft_limited",
    "waveshape",
]
