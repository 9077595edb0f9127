"""What a solver is handed: the problem, the reference, the poses to improve, where to put answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..figure import FloatArray, Rig, Skeleton
from .joint_limits import JointLimits
from .problem import Problem

if TYPE_CHECKING:
    from ..kernels.limits import Limits


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """Frames `problem.frames[first:stop]` of one problem."""

    problem: Problem
    skeleton: Skeleton
    rig: Rig
    limits: Limits
    joint_limits: JointLimits
    root0: FloatArray
    """(F, 3) the reference."""
    rotations0: FloatArray
    """(F, J, 4)"""
    root: FloatArray
    """(F, 3) the first guess on entry, the answer in the end."""
    rotations: FloatArray
    """(F, J, 4)"""
    residuals: FloatArray
    """(F, R) of the answer: metres, radians."""
    facts: FloatArray
    """(F, 4) steps, objective, why it stopped (0 converged, 1 no better, 2 steps used up), limits
    that press."""
    first: int
    stop: int
    warm: bool
    """Whether a frame begins from its neighbour's change."""
    most_steps: int
    step_tolerance: float
    """Radians and metres: a step shorter than this ends the search."""
