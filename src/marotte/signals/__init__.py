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
from ._lengths import Fit, Length
from .bands import EDGES, Bands, Edges, band_count, band_edges, decompose, equalized
from .blend import Align, BlendTake, Path, Start, blend
from .concatenate import Join, Joined, Next, concatenate
from .correspondence import Correspondence, Correspondences, load_correspondences, save_correspondences
from .displace import displace
from .displacement import Displacement, Ends, displacement_between
from .displacement_keys import ChannelKey, DisplacementKey, MoveKey, PoseKey, ReachKey, TurnKey
from .energy import BandEnergy, band_energy
from .equalize import NAMES, PRESETS, Gains, equalize, named_bands
from .matching import Key, correspond
from .named_shapes import SHAPES
from .shape_library import add_shape, read_shape, remove_shape, shape_folder, shape_names, shape_of
from .shapes import INTERPOLATIONS, Shape, ShapeLike
from .spaces import SPACES, Signals, Space, signals_of
from .sphere import blend_rotations
from .timelines import SPREADS, Spread
from .timewarp import aligned, timewarp, warped
from .transition import transition
from .waveshape import RANGES, shaped, waveshape
from .weights import Weight, Weights, weight_curve

__all__ = [
    "EDGES",
    "INTERPOLATIONS",
    "NAMES",
    "PRESETS",
    "RANGES",
    "SHAPES",
    "SPACES",
    "SPREADS",
    "Align",
    "BandEnergy",
    "Bands",
    "BlendTake",
    "ChannelKey",
    "Correspondence",
    "Correspondences",
    "Displacement",
    "DisplacementKey",
    "Edges",
    "Ends",
    "Fit",
    "Gains",
    "Join",
    "Joined",
    "Key",
    "Length",
    "Limits",
    "MoveKey",
    "Next",
    "Path",
    "PoseKey",
    "ReachKey",
    "RotationSpline",
    "Shape",
    "ShapeLike",
    "ShapePreservingRotations",
    "Signals",
    "Space",
    "Spline",
    "Spread",
    "Start",
    "TurnKey",
    "Weight",
    "Weights",
    "add_shape",
    "aligned",
    "band_count",
    "band_edges",
    "band_energy",
    "blend",
    "blend_rotations",
    "concatenate",
    "correspond",
    "decompose",
    "displace",
    "displacement_between",
    "equalize",
    "equalized",
    "kochanek_bartels",
    "load_correspondences",
    "monotone",
    "named_bands",
    "read_shape",
    "remove_shape",
    "rotation_spline",
    "save_correspondences",
    "shape_folder",
    "shape_names",
    "shape_of",
    "shape_preserving_rotations",
    "shaped",
    "signals_of",
    "soft_limited",
    "timewarp",
    "transition",
    "warped",
    "waveshape",
    "weight_curve",
]
