"""Placing figures: goals, their Jacobians, joint limits and every solver of the papers.

Belongs here: what is asked of a pose, and finding the pose that does it, one frame or many.
Does not belong here: what happens between frames (signals, fitting), files, options of edits.
"""

from .goals import Angle, Balance, Distance, Goal, Look, Orientation, Place, Position
from .joint_limits import JointLimits, joint_limits
from .solve import SOLVERS, Solution, solve

__all__ = [
    "SOLVERS",
    "Angle",
    "Balance",
    "Distance",
    "Goal",
    "JointLimits",
    "Look",
    "Orientation",
    "Place",
    "Position",
    "Solution",
    "joint_limits",
    "solve",
]
