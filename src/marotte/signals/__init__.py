"""Motion as signals: bands, blends, warps of time, shapes, displacements.

Belongs here: algorithms of BW95 and of L97 chapter 4 on arrays and motions.
Does not belong here: option models (edits), goals and solvers (kinematics), rules (constraints).

Symbols: F frames, C signals, B bands, J joints. Band 0 is the finest.
"""

from .bands import EDGES, Bands, Edges, band_count, band_edges, decompose, equalized
from .equalize import NAMES, PRESETS, BandEnergy, Gains, band_energy, equalize, named_bands
from .spaces import SPACES, Signals, Space, signals_of

__all__ = [
    "EDGES",
    "NAMES",
    "PRESETS",
    "SPACES",
    "BandEnergy",
    "Bands",
    "Edges",
    "Gains",
    "Signals",
    "Space",
    "band_count",
    "band_edges",
    "band_energy",
    "decompose",
    "equalize",
    "equalized",
    "named_bands",
    "signals_of",
]
