"""Motion as signals: bands, blends, warps of time, shapes, displacements.

Belongs here: algorithms of BW95 and of L97 chapter 4 on arrays and motions.
Does not belong here: option models (edits), goals and solvers (kinematics), rules (constraints).

Symbols: F frames, C signals, B bands, J joints. Band 0 is the finest.
"""

from ._lengths import Fit, Length
from .bands import EDGES, Bands, Edges, band_count, band_edges, decompose, equalized
from .blend import Align, BlendTake, Path, Start, blend
from .concatenate import Join, Joined, Next, concatenate
from .correspondence import Correspondence, Correspondences, load_correspondences, save_correspondences
from .energy import BandEnergy, band_energy
from .equalize import NAMES, PRESETS, Gains, equalize, named_bands
from .matching import Key, correspond
from .spaces import SPACES, Signals, Space, signals_of
from .sphere import blend_rotations
from .timelines import SPREADS, Spread
from .timewarp import aligned, timewarp, warped
from .weights import Weight, Weights, weight_curve

__all__ = [
    "EDGES",
    "NAMES",
    "PRESETS",
    "SPACES",
    "SPREADS",
    "Align",
    "BandEnergy",
    "Bands",
    "BlendTake",
    "Correspondence",
    "Correspondences",
    "Edges",
    "Fit",
    "Gains",
    "Join",
    "Joined",
    "Key",
    "Length",
    "Next",
    "Path",
    "Signals",
    "Space",
    "Spread",
    "Start",
    "Weight",
    "Weights",
    "aligned",
    "band_count",
    "band_edges",
    "band_energy",
    "blend",
    "blend_rotations",
    "concatenate",
    "correspond",
    "decompose",
    "equalize",
    "equalized",
    "load_correspondences",
    "named_bands",
    "save_correspondences",
    "signals_of",
    "timewarp",
    "warped",
    "weight_curve",
]
