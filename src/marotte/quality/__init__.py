"""Quality: measures of motion, each defined once with its unit, and reports made of them.

Belongs here: what is measured, the report before and after, its plots and pages.
Does not belong here: mending what is measured; thresholds of other rooms.
"""

from ._report import MEASURES, Report, Row, report
from .measures import (
    BoneChange,
    FootSkate,
    Jerk,
    LimitViolations,
    Penetration,
    PoseChange,
    bone_change,
    foot_skate,
    jerk,
    limit_violations,
    penetration,
    pose_change,
)

__all__ = [
    "MEASURES",
    "BoneChange",
    "FootSkate",
    "Jerk",
    "LimitViolations",
    "Penetration",
    "PoseChange",
    "Report",
    "Row",
    "bone_change",
    "foot_skate",
    "jerk",
    "limit_violations",
    "penetration",
    "pose_change",
    "report",
]
