"""Rules that a motion must keep: how they are said, and where a motion breaks them.

Belongs here: the rule language and its models, detection of violations, and their mending.
Does not belong here: solvers of poses (kinematics), options of edits (edits).
"""

from __future__ import annotations

from .rules import (
    Angle,
    Comparison,
    Distance,
    Extremum,
    LinearRule,
    LockRule,
    NonlinearRule,
    Orientation,
    Path,
    PathKey,
    Place,
    Position,
    Quantity,
    Rule,
    Unit,
)
from .violations import Violation, Violations

__all__ = [
    "Angle",
    "Comparison",
    "Distance",
    "Extremum",
    "LinearRule",
    "LockRule",
    "NonlinearRule",
    "Orientation",
    "Path",
    "PathKey",
    "Place",
    "Position",
    "Quantity",
    "Rule",
    "Unit",
    "Violation",
    "Violations",
]
