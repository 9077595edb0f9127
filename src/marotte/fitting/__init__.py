"""Fitting motions: one smooth displacement that makes a take meet goals (LS99).

Belongs here: multilevel B-splines, hierarchical and whole-clip fitting, what is made of them.
Does not belong here: poses of single frames (kinematics), option models (edits), filters (signals).
"""

from ._fit import SOLVERS, Fit, FitReport, LevelReport, Solver, fit
from .bsplines import Level, Multilevel, fit_levels, refit
from .contacts import Held, contact_goals, held_parts
from .drag import Drag, Pull, reach
from .lock_feet import Locked, lock_feet
from .morph import Proportions, morph
from .retarget import Retargeted, RetargetReport, retarget
from .spacetime import Stay
from .terrain import OnTerrain, terrain, terrain_goals

__all__ = [
    "SOLVERS",
    "Drag",
    "Fit",
    "FitReport",
    "Held",
    "Level",
    "LevelReport",
    "Locked",
    "Multilevel",
    "OnTerrain",
    "Proportions",
    "Pull",
    "RetargetReport",
    "Retargeted",
    "Solver",
    "Stay",
    "contact_goals",
    "fit",
    "fit_levels",
    "held_parts",
    "lock_feet",
    "morph",
    "reach",
    "refit",
    "retarget",
    "terrain",
    "terrain_goals",
]
