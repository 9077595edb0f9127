"""Fit a take to goals: one smooth displacement map, level by level or all at once (LS99 4).

Hierarchy (Algorithm 1): at every level the frames with goals are solved one by one, each from the
motion of the level before, and a B-spline carries what they changed to their neighbours; knots are
twice as dense at the next. Spacetime: the same goals, all frames in one problem.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .. import kernels
from ..errors import InputError, UnknownNameError
from ..figure import FloatArray, Motion
from ..figure._arrays import owned
from ..figure.signals import path, resolve_point
from ..kinematics import Goal, JointLimits, Place, Position, joint_limits, solve
from ..kinematics.joint_limits import Which
from ..kinematics.problem import TURN_SHARE, Problem, pose_problem
from ._enforce import enforced
from ._reach import reduced
from .bsplines import Level, fit_level
from .spacetime import Clip, Stay, solve_clip, stays_table

Solver = Literal["hierarchy", "spacetime"]
SOLVERS: dict[Solver, str] = {
    "hierarchy": "frame by frame, level by level: coarse levels first, each can be kept or dropped",
    "spacetime": "all frames at once: exact where the hierarchy leaves a rest, and for stays",
}
"""How a take is fitted."""
Progress: TypeAlias = Callable[[float, str], None]


@dataclass(frozen=True, slots=True)
class LevelReport:
    """What one level did."""

    spacing: float
    """Frames a knot."""
    worst: float
    """The largest error of any goal afterwards, percent of the height."""
    mean: float
    """The mean error of all goals, percent of the height."""
    seconds: float
    steps: float
    """Of the pose solver a frame, or of the whole clip."""


@dataclass(frozen=True, slots=True)
class FitReport:
    """What was asked, and what came out."""

    solver: Solver
    constraints: int
    """How many numbers the goals ask for, over all frames (as LS99's table 1 counts)."""
    parameters: int
    """Degrees of freedom that the goals reach."""
    frames: int
    levels: tuple[LevelReport, ...]
    before: float
    """The largest error before, percent of the height."""
    unmet: tuple[str, ...]
    """Goals that are not met, each with where it is worst and by how much."""

    @property
    def worst(self) -> float:
        """The largest error of any goal in the end, percent of the height."""
        return self.levels[-1].worst if self.levels else self.before


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A fitted take, with everything that made it."""

    motion: Motion
    shift: Level | None
    """How the root was shifted first (LS99 4.5)."""
    levels: tuple[Level, ...]
    """The displacement maps, coarse to fine, each applied after the one before (LS99 eq. 3); control
    points in the degrees of freedom that goals reach."""
    report: FitReport


def fit(
    motion: Motion,
    goals: Sequence[Goal],
    *,
    stays: Sequence[Stay] = (),
    solver: Solver | None = None,
    spacing: float = 16,
    levels: int = 4,
    pose_solver: str = "full_body",
    limits: Which | JointLimits = "own",
    rigidity: Mapping[str | int, float] | ArrayLike | None = None,
    shift: Sequence[str] | None = None,
    exact: bool = False,
    tolerance: float | None = None,
    progress: Progress | None = None,
) -> Fit:
    """The motion displaced smoothly so that goals are met at the frames where they hold.

    The first level has a knot every `spacing` frames, the last one `levels` - 1 doublings more; a
    spacetime fit has the last one's alone. `shift` names the points whose mean way to their goals
    moves the root before all else; left out, the feet. `exact` enforces every goal in the end,
    smoothly; `tolerance`, percent of the height, stops at the first level that is as good.
    Spacetime is the default with stays, which only it solves jointly.

    A goal that cannot be met is named in the report, and the others are met as well as they can be.
    """
    chosen: Solver = solver or ("spacetime" if stays else "hierarchy")
    if chosen not in SOLVERS:
        raise UnknownNameError("solver", chosen, SOLVERS)
    if motion.translations is not None:
        raise InputError("joints that move against their bones cannot be fitted; drop their translations")
    if not (np.isfinite(spacing) and spacing >= 1) or levels < 1:
        raise InputError(f"spacing and levels must be 1 or more, but are {spacing} and {levels}")
    if stays and chosen != "spacetime":
        raise InputError("stays tie frames together, which only solver 'spacetime' does")
    work = _Work(motion, goals, stays, limits, rigidity, pose_solver, progress)
    if not len(work.problem.frames) and not stays:
        return Fit(motion, None, (), work.report(chosen, (), work.errors(motion), motion))
    before = work.errors(motion)
    shifted, by = work.shifted(shift, spacing)
    if chosen == "hierarchy":
        made, maps, reports = work.hierarchy(shifted, spacing, levels, tolerance)
    else:
        made, maps, reports = work.spacetime(shifted, spacing / 2 ** (levels - 1))
    if exact:
        made, report = work.enforced(made, spacing / 2 ** (levels - 1))
        reports = (*reports, report)
    return Fit(made, by, maps, work.report(chosen, reports, before, made))


@dataclass(slots=True, eq=False)
class _Work:
    motion: Motion
    goals: Sequence[Goal]
    stays: Sequence[Stay]
    which: Which | JointLimits
    rigidity: Mapping[str | int, float] | ArrayLike | None
    pose_solver: str
    progress: Progress | None
    problem: Problem = field(init=False)
    bounds: JointLimits = field(init=False)

    def __post_init__(self) -> None:
        motion = self.motion
        self.problem = pose_problem(motion, self.goals, rigidity=self.rigidity)
        self.bounds = (
            self.which
            if isinstance(self.which, JointLimits)
            else joint_limits(motion.skeleton, self.which, motion.rig)
        )

    def tell(self, share: float, what: str) -> None:
        if self.progress is not None:
            self.progress(share, what)

    # ---- the first guess

    def shifted(self, points: Sequence[str] | None, spacing: float) -> tuple[Motion, Level | None]:
        """The root moved by the mean way that points have to their goals (LS99 4.5)."""
        motion, frames = self.motion, len(self.motion)
        total, weight = np.zeros((frames, 3)), np.zeros(frames)
        for goal in self.goals:
            if not isinstance(goal, Position | Place) or not self._shifts(goal, points):
                continue
            first, last = goal.frames or (0, frames - 1)
            held = slice(first, last + 1)
            way = np.broadcast_to(np.asarray(goal.to, dtype=np.float64), (frames, 3)) - path(
                motion, goal.point
            )
            counts = np.broadcast_to(np.asarray(goal.weight, dtype=np.float64), (frames,))[held]
            total[held] += counts[:, None] * way[held]
            weight[held] += counts
        at = np.flatnonzero(weight > 0)
        if not len(at):
            return motion, None
        data = total[at] / weight[at, None]
        if np.abs(data).max() < 1e-9:
            return motion, None
        rest, shift = data, np.zeros((frames, 3))
        level = None
        for k in range(3):  # coarse, then finer: what a step of the ground asks for is a ramp
            level = fit_level(at.astype(np.float64), owned(rest), frames=frames, spacing=spacing / 2**k)
            shift += level(np.arange(frames))
            rest = data - shift[at]
        return motion.with_(root=owned(motion.root + shift), contacts=motion.contacts), level

    def _shifts(self, goal: Position | Place, points: Sequence[str] | None) -> bool:
        joint = resolve_point(self.motion, goal.point).joint
        if points is not None:
            return any(resolve_point(self.motion, p).joint == joint for p in points)
        rig = self.motion.rig
        feet = {rig.get(f"{side}_{part}") for side in ("left", "right") for part in ("foot", "toes")}
        return joint in feet

    # ---- Algorithm 1

    def hierarchy(
        self, start: Motion, spacing: float, levels: int, tolerance: float | None
    ) -> tuple[Motion, tuple[Level, ...], tuple[LevelReport, ...]]:
        tree = self.problem.tree
        now, maps, reports = start, [], []
        at = self.problem.frames.astype(np.float64)
        for k in range(levels):
            self.tell(k / levels, f"level {k + 1} of {levels}")
            began = time.perf_counter()
            done = solve(
                now, self.goals, solver=self.pose_solver, limits=self.bounds, rigidity=self.rigidity,
                tolerance=1e-5,
            )  # fmt: skip
            steps = np.empty((len(now), tree.total))
            kernels.displacing.displacements(
                tree, done.motion.root, done.motion.rotations, now.root, now.rotations, steps
            )
            level = fit_level(at, owned(steps[self.problem.frames]), frames=len(now), spacing=spacing / 2**k)
            now = self._moved(now, tree, level)
            maps.append(level)
            seconds = time.perf_counter() - began
            reports.append(self._level(level.spacing, now, seconds, float(done.steps.mean())))
            if tolerance is not None and reports[-1].worst <= tolerance:
                break
        self.tell(1.0, "done")
        return now, tuple(maps), tuple(reports)

    def _moved(self, motion: Motion, tree: object, level: Level) -> Motion:
        """m ⊕ d (LS99 eq. 1 and 3)."""
        root, rotations = np.array(motion.root), np.array(motion.rotations)
        steps = level(np.arange(len(motion)))
        kernels.displacing.move_frames(tree, steps, root, rotations, 0, len(motion))
        return motion.with_(root=owned(root), rotations=owned(rotations), contacts=motion.contacts)

    # ---- all at once

    def spacetime(
        self, start: Motion, spacing: float
    ) -> tuple[Motion, tuple[Level, ...], tuple[LevelReport, ...]]:
        began = time.perf_counter()
        tree, rigidity = reduced(self.problem, self.motion, self.stays)
        clip = Clip(
            motion=start, problem=self.problem, tree=tree, rigidity=rigidity, limits=self.bounds.tables(),
            stays=stays_table(start, self.stays),
        )  # fmt: skip
        done = solve_clip(
            clip, spacing=max(1.0, spacing), tell=lambda k: self.tell(1.0 - 0.7**k, f"step {k}")
        )
        made = start.with_(root=done.root, rotations=done.rotations, contacts=start.contacts)
        self.tell(1.0, "done")
        report = self._level(done.level.spacing, made, time.perf_counter() - began, float(done.steps))
        return made, (done.level,), (report,)

    # ---- the end

    def enforced(self, motion: Motion, spacing: float) -> tuple[Motion, LevelReport]:
        began = time.perf_counter()
        made = enforced(motion, self.goals, self.problem, self.bounds, spacing)
        return made, self._level(0.0, made, time.perf_counter() - began, 1.0)

    def errors(self, motion: Motion) -> FloatArray:
        """(N, E) how far each goal of the table is off at each frame with goals, metres; NaN where it
        does not hold. A turn counts as TURN_SHARE of the height a radian."""
        p = self.problem
        residuals = np.zeros((len(motion), p.goals.rows))
        kernels.goals.residuals_each(p.tree, p.goals, motion.root, motion.rotations, residuals)
        out = np.full((len(p.frames), len(p.goals.kind)), np.nan)
        rows = kernels.goals.ROWS
        for g, kind in enumerate(p.goals.kind.tolist()):
            first = int(p.goals.row[g])
            off = np.linalg.norm(residuals[p.frames, first : first + rows[kind]], axis=1)
            scale = TURN_SHARE * p.height if kind in (1, 2, 5) else 1.0
            out[:, g] = np.where(p.goals.weight[p.frames, g] > 0, off * scale, np.nan)
        return out

    def _level(self, spacing: float, motion: Motion, seconds: float, steps: float) -> LevelReport:
        errors = self.errors(motion) * 100.0 / self.problem.height
        known = errors[np.isfinite(errors)]
        worst, mean = (float(known.max()), float(known.mean())) if len(known) else (0.0, 0.0)
        return LevelReport(spacing, worst, mean, seconds, steps)

    def report(
        self, solver: Solver, levels: tuple[LevelReport, ...], before: FloatArray, made: Motion
    ) -> FitReport:
        p = self.problem
        tree, _ = reduced(p, self.motion, self.stays)
        rows = np.array([kernels.goals.ROWS[k] for k in p.goals.kind.tolist()])
        count = int(((p.goals.weight[p.frames] > 0).astype(np.int64) @ rows).sum()) if len(rows) else 0
        known = before[np.isfinite(before)]
        return FitReport(
            solver=solver, constraints=count, parameters=tree.total, frames=len(self.motion), levels=levels,
            before=float(known.max()) * 100.0 / p.height if len(known) else 0.0,
            unmet=self._unmet(self.errors(made)),
        )  # fmt: skip

    def _unmet(self, errors: FloatArray) -> tuple[str, ...]:
        """Goals that are off by more than a hundredth of the height at any frame."""
        p, found = self.problem, []
        for number, (goal, rows) in enumerate(zip(p.given, p.rows_of, strict=True)):
            own = errors[:, list(rows)]
            if not np.isfinite(own).any():
                continue
            at, which = np.unravel_index(int(np.nanargmax(own)), own.shape)
            limit = 0.01 * p.height if goal.tolerance is None else goal.tolerance
            if own[at, which] > limit:
                found.append(
                    f"goal {number} ({type(goal).__name__}) is off by {100 * own[at, which]:.1f} cm "
                    f"at frame {int(p.frames[at])}"
                )
        return tuple(found)
