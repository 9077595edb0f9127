"""Rules that a motion must keep: how they are said, and where a motion breaks them.

Belongs here: the rule language and its models, detection of violations, and their mending.
Does not belong here: solvers of poses (kinematics), options of edits (edits).
"""

from __future__ import annotations

from .bases import BASES, base, rules_beside, rules_file_of
from .bounds import METHODS, bounded
from .constrain import ORDERS, STARTS, Mended, constrain
from .curve import Curve, curve_of, pull
from .data import load_rules, rule_to_data, rules_from_data, rules_json
from .detection import Reading, Rules, as_rules, find_violations, measure
from .language import parse_rule, parse_rules
from .limit import limit
from .printing import rule_text, rules_text
from .resolving import Resolved, resolve
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
    "BASES",
    "METHODS",
    "ORDERS",
    "STARTS",
    "Angle",
    "Comparison",
    "Curve",
    "Distance",
    "Extremum",
    "LinearRule",
    "LockRule",
    "Mended",
    "NonlinearRule",
    "Orientation",
    "Path",
    "PathKey",
    "Place",
    "Position",
    "Quantity",
    "Reading",
    "Resolved",
    "Rule",
    "Rules",
    "Unit",
    "Violation",
    "Violations",
    "as_rules",
    "base",
    "bounded",
    "constrain",
    "curve_of",
    "find_violations",
    "limit",
    "load_rules",
    "measure",
    "parse_rule",
    "parse_rules",
    "pull",
    "resolve",
    "rule_text",
    "rule_to_data",
    "rules_beside",
    "rules_file_of",
    "rules_from_data",
    "rules_json",
    "rules_text",
]
