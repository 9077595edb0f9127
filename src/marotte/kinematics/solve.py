"""One call for every solver: goals on a motion, one frame or many."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError, UnknownNameError
from ..figure import FloatArray, Motion
from ..figure._arrays import IntArray, owned
from ._start import bend_straight_limbs
from ._work import Work
from .goals import Goal
from .joint_limits import JointLimits, Which, joint_limits
from .problem import Problem, pose_problem

Why = Literal["converged", "no better", "steps used up"]
_WHY: tuple[Why, ...] = ("converged", "no better", "steps used up")
# Frames that one thread takes at a time: enough to be worth its start, few enough to share.
_CHUNK = 32


@dataclass(frozen=True, slots=True)
class Solver:
    """One way to solve, and what it can do."""

    name: str
    function: str
    summary: str
    steps: int
    """It gives up after so many steps, unless told otherwise."""
    kinds: frozenset[int]
    """Goals that it serves (kernels/goals.py)."""
    least_change: bool
    """Whether, of all poses that meet the goals, it seeks the one nearest to the reference."""


_ALL = frozenset(range(6))
_PLACES = frozenset({0, 1})
SOLVERS: Mapping[str, Solver] = {
    s.name: s
    for s in (
        Solver("hybrid", ".hybrid:hybrid", "limbs in closed form, the trunk by least change", 40, _ALL, True),
        Solver("full_body", ".full_body:full_body", "least change, any tree, any goals", 500, _ALL, True),
        Solver(
            "limb", ".limb:limb_only", "hands and feet in closed form, nothing else moves", 1, _PLACES, False
        ),
        Solver(
            "penalty", ".penalty:penalty", "least change by conjugate gradients, the reference", 4000, _ALL,
            True,
        ),
        Solver(
            "damped", ".priorities:damped", "damped least squares, all goals together", 1500, _ALL, True
        ),
        Solver(
            "prioritized", ".priorities:prioritized", "damped least squares, one priority after another",
            1500, _ALL, True,
        ),
        Solver("cyclic", ".cyclic:cyclic", "joint after joint, each to its best", 1500, _PLACES, False),
        Solver(
            "transpose", ".transpose:transpose", "as the goals pull, by the Jacobian's transpose", 2000, _ALL,
            False,
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """What came out. Not to reach a goal is a result, not an error."""

    motion: Motion
    """The reference with the solved frames in it."""
    solver: str
    frames: IntArray
    """(N,) the frames at which goals hold."""
    errors: FloatArray
    """(N, G) how far each given goal is off: metres, or radians for orientations, looks and
    angles; a Place counts the worse of both, its radians as TURN_SHARE of the height. NaN where
    the goal does not hold."""
    met: FloatArray
    """(N, G) 1 where the goal is within its tolerance, 0 where not, NaN where it does not hold."""
    steps: IntArray
    """(N,) steps tried."""
    objective: FloatArray
    """(N,) LS99 eq. 6 at the answer."""
    why: tuple[Why, ...]
    """(N,) why the search ended."""
    pressing: IntArray
    """(N,) limits that the pose presses against."""

    @property
    def reached(self) -> bool:
        """Whether every goal is met wherever it holds."""
        return bool((self.met != 0.0).all())

    @property
    def worst(self) -> float:
        """The largest error of any goal at any frame."""
        return float(np.nanmax(self.errors)) if np.isfinite(self.errors).any() else 0.0


def solve(
    motion: Motion,
    goals: Sequence[Goal],
    *,
    solver: str = "full_body",
    limits: Which | JointLimits = "own",
    rigidity: Mapping[str | int, float] | ArrayLike | None = None,
    root_moves: bool = True,
    start: Motion | None = None,
    warm: bool = False,
    steps: int | None = None,
    tolerance: float = 1e-7,
    threads: int | None = None,
) -> Solution:
    """Poses that meet goals and change the motion least, at every frame where a goal holds.

    `motion` is the reference; `start` the first guess, the reference itself where left out, and
    with `warm` a frame begins from its neighbour's change. `limits` are the file's own, a human
    body's where the file has none, none at all, or given ones. `rigidity` says what a
    radian of each joint costs, by joint or role, with "root" for the root's place.

    Cost: a frame of 57 degrees of freedom and four goals takes a fifth of a millisecond, twenty
    times as long where goals lie far beyond reach (docs/solvers.md). Frames are solved one by
    one: what lies between them is the business of fitting.
    """
    chosen = SOLVERS.get(solver)
    if chosen is None:
        raise UnknownNameError("solver", solver, SOLVERS)
    if motion.translations is not None:
        raise InputError(
            "joints that move against their bones cannot be solved; leave out their translations "
            "(motion.with_(translations=None)) first"
        )
    problem = pose_problem(motion, goals, rigidity=rigidity, root_moves=root_moves)
    foreign = [g for g in problem.goals.kind.tolist() if g not in chosen.kinds]
    if foreign:
        able = [s.name for s in SOLVERS.values() if set(foreign) <= s.kinds]
        raise InputError(f"solver {solver!r} does not serve all of these goals; use {' or '.join(able)}")
    if steps is not None and steps < 1:
        raise InputError(f"steps must be 1 or more, but is {steps}")
    bounds = limits if isinstance(limits, JointLimits) else joint_limits(motion.skeleton, limits, motion.rig)
    first = motion if start is None else start
    if first.rotations.shape != motion.rotations.shape:
        raise InputError("start must have the frames and joints of the motion")
    root, rotations = np.array(first.root), np.array(first.rotations)
    frames = len(motion)
    work = Work(
        problem=problem,
        skeleton=motion.skeleton,
        rig=motion.rig,
        limits=bounds.tables(),
        joint_limits=bounds,
        root0=motion.root,
        rotations0=motion.rotations,
        root=root,
        rotations=rotations,
        residuals=np.zeros((frames, problem.goals.rows)),
        facts=np.zeros((frames, 4)),
        first=0,
        stop=len(problem.frames),
        warm=warm,
        most_steps=steps or chosen.steps,
        step_tolerance=tolerance,
    )
    _run(chosen, work, threads)
    at = problem.frames
    errors, met = _judge(problem, work.residuals)
    return Solution(
        motion=motion.with_(root=owned(root), rotations=owned(rotations), contacts=motion.contacts),
        solver=solver,
        frames=at,
        errors=errors,
        met=met,
        steps=work.facts[at, 0].astype(np.int64),
        objective=work.facts[at, 1],
        why=tuple(_WHY[int(k)] for k in work.facts[at, 2]),
        pressing=work.facts[at, 3].astype(np.int64),
    )


def _run(solver: Solver, work: Work, threads: int | None) -> None:
    """All frames, in turn where one begins from another, else shared by threads."""
    module, _, name = solver.function.partition(":")
    function: Callable[[Work], None] = getattr(import_module(module, __package__), name)
    if solver.name not in ("hybrid", "limb"):  # these know which way limbs bend
        bend_straight_limbs(work)
    count = work.stop
    workers = threads or os.cpu_count() or 1
    if work.warm or workers == 1 or count < 2 * _CHUNK:
        function(work)
        return
    size = max(_CHUNK, -(-count // (4 * workers)))
    parts = [replace(work, first=a, stop=min(a + size, count)) for a in range(0, count, size)]
    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(function, parts):
            pass


def _judge(problem: Problem, residuals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(N, G) errors of the given goals, and whether they are met."""
    from ..kernels.goals import ROWS
    from .problem import TURN_SHARE

    table, at = problem.goals, problem.frames
    errors = np.full((len(at), len(problem.given)), np.nan)
    met = np.full_like(errors, np.nan)
    for k, (goal, rows) in enumerate(zip(problem.given, problem.rows_of, strict=True)):
        for number, g in enumerate(rows):
            kind = int(table.kind[g])
            first = int(table.row[g])
            off = np.linalg.norm(residuals[at, first : first + ROWS[kind]], axis=1)
            turns = kind in (1, 2, 5)
            tolerance = goal.tolerance
            if tolerance is None:
                tolerance = 1e-3 if turns else 1e-4 * problem.height
            held = table.weight[at, g] > 0
            good = (off <= tolerance).astype(np.float64)
            if number and turns:  # the second half of a Place
                off = off * TURN_SHARE * problem.height
            before = errors[:, k], met[:, k]
            errors[:, k] = np.where(held, np.fmax(before[0], off), before[0])
            met[:, k] = np.where(held, np.fmin(before[1], good), before[1])
    return errors, met
