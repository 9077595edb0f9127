"""Motion as signals: bands, blends, warps of time, shapes, displacements.

Belongs here: algorithms of BW95 and of L97 chapter 4 on arrays and motions.
Does not belong here: option models (edits), goals and solvers (kinematics), rules (constraints).

Symbols: F frames, C signals, B bands, J joints. Band 0 is the finest.
"""

from .bands import EDGES, Bands, Edges, band_count, band_edges, decompose, equalized
from .correspondence import Correspondence, Correspondences, load_correspondences, save_correspondences
from .equalize import NAMES, PRESETS, BandEnergy, Gains, band_energy, equalize, named_bands
from .matching import Key, correspond
from .spaces import SPACES, Signals, Space, signals_of
from .timelines import SPREADS, Spread
from .timewarp import aligned, timewarp, warped

__all__ = [
    "EDGES",
    "NAMES",
    "PRESETS",
    "SPACES",
    "SPREADS",
    "BandEnergy",
    "Bands",
    "Correspondence",
    "Correspondences",
    "Edges",
    "Gains",
    "Key",
    "Signals",
    "Space",
    "Spread",
    "aligned",
    "band_count",
    "band_edges",
    "band_energy",
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
]
