"""Fitting motions: one smooth displacement that makes a take meet goals (LS99).

Belongs here: multilevel B-splines, hierarchical and whole-clip fitting, what is made of them.
Does not belong here: poses of single frames (kinematics), option models (edits), filters (signals).
"""

from ._fit import SOLVERS, Fit, FitReport, LevelReport, fit
from .bsplines import Level, Multilevel, fit_levels, refit
from .contacts import Held, contact_goals, held_parts
from .morph import Proportions, morph
from .retarget import Retargeted, RetargetReport, retarget
from .spacetime import Stay

__all__ = [
    "SOLVERS",
    "Fit",
    "FitReport",
    "Held",
    "Level",
    "LevelReport",
    "Multilevel",
    "Proportions",
    "RetargetReport",
    "Retargeted",
    "Stay",
    "contact_goals",
    "fit",
    "fit_levels",
    "held_parts",
    "morph",
    "refit",
    "retarget",
]
