"""The whole clip at once: one B-spline of displacements, by Gauss and Newton on banded equations.

LS99 (section 7) argues against one large optimisation, with the solvers of its time. Its unknowns
are control points, each of which touches few frames, so that the normal equations are a narrow
band, and a step costs as much as the clip is long. Frames that must agree with one another, a foot
that may land anywhere but must then stay, are rows like all others (LS99 section 7, limitation).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import ThreadpoolController

from .. import kernels
from ..errors import InputError
from ..figure import FloatArray, Motion
from ..figure._arrays import IntArray, owned
from ..figure.signals import PointLike, resolve_point
from ..kinematics.problem import HARD, Problem
from .bsplines import Level, basis, control_count

if TYPE_CHECKING:
    from ..kernels.goals import Tree
    from ..kernels.limits import Limits
    from ..kernels.spacetime import Stays

# Seconds; displacements that change faster than this cost more by their bending than by their size.
SETTLING = 0.2
# A radian beyond a joint's limit weighs this much of being off by the height.
LIMIT_SHARE = 0.3
_SETS = 4  # so often a step is worked out again with the bounds that it runs into
# A search whose last step gained less than this part of the cost ends when so many are refused.
_NEARLY, _REFUSED = 1e-2, 2
_WORSE = 1e8  # damping beyond which nothing helps


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Stay:
    """A point stays where it is over some frames, wherever that is."""

    point: PointLike
    frames: tuple[int, int]
    """First and last frame, both included."""
    weight: float = 1.0

    def __post_init__(self) -> None:
        if not 0 <= self.frames[0] <= self.frames[1]:
            raise InputError(f"a stay's frames must be (first, last), but are {self.frames}")
        if not (np.isfinite(self.weight) and self.weight >= 0):
            raise InputError(f"a stay's weight must be a finite number from 0 up, but is {self.weight}")


def stays_table(motion: Motion, stays: Sequence[Stay]) -> Stays:
    """As the kernels take them."""
    from ..kernels.spacetime import Stays

    points = [resolve_point(motion, stay.point) for stay in stays]
    for stay in stays:
        if stay.frames[1] >= len(motion):
            raise InputError(f"frames must lie in 0 to {len(motion) - 1}, but are {stay.frames}")
    whole = [
        np.array(numbers, dtype=np.int64)
        for numbers in (
            [p.joint for p in points],
            [s.frames[0] for s in stays],
            [s.frames[1] for s in stays],
        )
    ]
    for array in whole:
        array.flags.writeable = False
    return Stays(
        joint=whole[0],
        offset=owned(np.array([p.offset for p in points], dtype=np.float64).reshape(-1, 3)),
        first=whole[1],
        last=whole[2],
        weight=owned(np.array([s.weight for s in stays], dtype=np.float64)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """A clip to fit: the reference, what is asked, and what it may cost."""

    motion: Motion
    problem: Problem
    tree: Tree
    """With only those degrees of freedom that goals reach, numbered anew."""
    rigidity: FloatArray
    """(D,) of those."""
    limits: Limits
    stays: Stays


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    level: Level
    root: FloatArray
    rotations: FloatArray
    residuals: FloatArray
    steps: int


def solve_clip(
    clip: Clip,
    *,
    spacing: float,
    start: FloatArray | None = None,
    steps: int = 30,
    tolerance: float = 1e-3,
    rescue: Callable[[], FloatArray] | None = None,
    tell: Callable[[int], None] | None = None,
) -> Solved:
    """One level of control points that meets all goals with the least, smoothest displacement.

    `start` (K, D) is the first guess; `rescue` makes a better one, which costs more, and is asked for
    one where the first step goes too far. It stops when a step gains less than `tolerance` of the cost.
    """
    with _one_thread().limit(limits=1, user_api="blas"):
        return _solve_clip(clip, spacing, start, steps, tolerance, rescue, tell)


@cache
def _one_thread() -> ThreadpoolController:
    """Keeps BLAS from sharing bands out: they are narrow, and threads would wait for each other."""
    import scipy.linalg  # noqa: F401  # its library must be there to be found

    return ThreadpoolController()


def _solve_clip(
    clip: Clip,
    spacing: float,
    start: FloatArray | None,
    steps: int,
    tolerance: float,
    rescue: Callable[[], FloatArray] | None,
    tell: Callable[[int], None] | None,
) -> Solved:
    from scipy.linalg import LinAlgError, cho_solve_banded, cholesky_banded

    tree, problem, motion = clip.tree, clip.problem, clip.motion
    frames, many = len(motion), tree.total
    count = control_count(frames, spacing)
    blocks = 5 if len(clip.stays.joint) else 4
    size, width = count * many, min(blocks, count) * many
    control = np.zeros((count, many)) if start is None else np.array(start, dtype=np.float64)
    band, right = np.zeros((size, width)), np.zeros(size)
    regular = regularity(count, spacing, frames, motion.frame_rate, clip.rigidity)
    root, rotations = np.empty_like(motion.root), np.empty_like(motion.rotations)
    residuals = np.zeros((frames, problem.goals.rows))

    goals = problem.goals._replace(relation=_none_of(problem.goals.relation))
    relation = problem.goals.relation
    pressing = np.zeros((frames, 3 * len(motion.skeleton) + len(relation)), dtype=np.bool_)

    def cost_of(at: FloatArray, derive: bool, again: bool = False) -> float:
        if derive:
            band[:], right[:] = 0.0, 0.0
        off = kernels.spacetime.assemble(
            tree, clip.limits, goals, relation, clip.stays, problem.place_unit, problem.turn_unit,
            HARD * LIMIT_SHARE**2, motion.root, motion.rotations, at, float(spacing), derive, again,
            pressing, band, right, root, rotations, residuals,
        )  # fmt: skip
        return float(off + 0.5 * (at * regular.times(at)).sum())

    def step_of(at: FloatArray, damping: float) -> FloatArray | None:
        """The step of Gauss and Newton from there, with the bounds that it runs into."""
        step: FloatArray | None = None
        for k in range(_SETS if taken == 1 else 2):
            if k > 0:
                if step is None or not kernels.spacetime.foresee(
                    tree, clip.limits, goals, relation, at, step, float(spacing), root, rotations, pressing
                ):
                    break
                cost_of(at, True, again=True)
            gradient = right + regular.times(at).reshape(-1)
            regular.add_to(band)
            band[:, 0] *= 1.0 + damping
            try:
                factor = cholesky_banded(band.T, lower=True, overwrite_ab=True, check_finite=False)
            except LinAlgError:
                return None
            step = -cho_solve_banded((factor, True), gradient, check_finite=False).reshape(at.shape)
        return step

    damping, taken, gained = 0.0, 0, np.inf
    cost = cost_of(control, True)
    while taken < steps:
        taken += 1
        if tell is not None:
            tell(taken)
        before, gained, refused = gained, -1.0, 0
        while damping < _WORSE:
            step = step_of(control, damping)
            if step is not None:
                tried = control + step
                now = cost_of(tried, False)
                if now <= cost:
                    control, gained = tried, cost - now
                    break
            if taken == 1 and rescue is not None:
                better, rescue = rescue(), None
                if cost_of(better, False) < cost:
                    control = better
                    cost = cost_of(control, True)
                    continue
            refused += 1
            if refused == _REFUSED and before < _NEARLY * cost:
                break
            damping = max(1e-6, 10.0 * damping)
            cost_of(control, True)
        if gained < tolerance * cost:
            break
        damping = 0.1 * damping if damping > 1e-8 else 0.0
        cost = cost_of(control, True)
    cost_of(control, False)
    return Solved(Level(spacing, owned(control)), owned(root), owned(rotations), owned(residuals), taken)


def through_poses(
    steps: FloatArray, groups: Sequence[tuple[IntArray, list[int]]], *, spacing: float, rate: float
) -> FloatArray:
    """Control points (K, D) near displacements (F, D), each given at some frames only, by least squares."""
    from scipy.linalg import solveh_banded

    frames = len(steps)
    count = control_count(frames, spacing)
    out = np.zeros((count, steps.shape[1]))
    smooth = regularity(count, spacing, frames, rate, np.ones(1)).diagonals
    for given, columns in groups:
        at = given / spacing
        first = np.floor(at).astype(np.int64)
        weights = basis(at - first)
        band, right = 1e-2 * smooth, np.zeros((count, len(columns)))
        for k in range(4):
            np.add.at(right, first + k, weights[k][:, None] * steps[given][:, columns])
            for m in range(k + 1):
                np.add.at(band[k - m], first + m, weights[k] * weights[m])
        out[:, columns] = solveh_banded(band, right, lower=True, overwrite_ab=True, check_finite=False)
    return out


def _none_of(relation: IntArray) -> IntArray:
    out = np.zeros_like(relation)
    out.flags.writeable = False
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Regularity:
    """What displacements cost by themselves: Σ_f ½ M (|x_f|² + τ⁴ |x_f''|²), as blocks of a band.

    Displacements that come and go faster than about 2π τ cost by their bending, slower ones by
    their size. The second derivative is that of control points over their spacing, which makes the
    cost of one curve the same at every spacing.
    """

    diagonals: FloatArray
    """(4, K) of the matrix between control points, by how far they are apart."""
    rigidity: FloatArray
    """(D,)"""

    def add_to(self, band: FloatArray) -> None:
        """band (K·D, W), a lower band by columns."""
        count, many = self.diagonals.shape[1], len(self.rigidity)
        blocks = band.reshape(count, many, -1)
        for apart in range(min(4, count)):
            blocks[:, :, apart * many] += self.diagonals[apart][:, None] * self.rigidity

    def times(self, control: FloatArray) -> FloatArray:
        """(K, D) the matrix times control points (K, D)."""
        out = self.diagonals[0][:, None] * control
        for apart in range(1, min(4, len(control))):
            line = self.diagonals[apart][: len(control) - apart, None]
            out[apart:] += line * control[:-apart]
            out[:-apart] += line * control[apart:]
        return np.asarray(out * self.rigidity)


def regularity(count: int, spacing: float, frames: int, rate: float, rigidity: FloatArray) -> Regularity:
    """For count control points over the frames of a take."""
    diagonals = np.zeros((4, count))
    at = np.arange(frames) / spacing
    first = np.floor(at).astype(np.int64)
    weights = basis(at - first)
    for k in range(4):
        for m in range(k + 1):
            np.add.at(diagonals[k - m], first + m, weights[k] * weights[m])
    bend = (rate * SETTLING) ** 4 / spacing**3
    for k in range(count - 2):
        for a, p in enumerate((1.0, -2.0, 1.0)):
            for b, q in enumerate((1.0, -2.0, 1.0)[: a + 1]):
                diagonals[a - b, k + b] += bend * p * q
    return Regularity(diagonals, rigidity)
