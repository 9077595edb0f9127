"""Fitting a walk to uneven ground: both feet at all frames, as LS99's table 1 has it (464 frames, 5,568
constraints, 20 degrees of freedom).

The rival is the same problem as one sparse optimisation: Gauss and Newton on control points of a
uniform B-spline, with the same analytic Jacobians of the goals and SciPy's sparse solver, damped in
the same way, from the same first guess.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import splu

from bench._measure import Row, compare, samples
from marotte import kernels
from marotte import samples as takes
from marotte.figure import Motion
from marotte.figure._arrays import owned
from marotte.fitting import Fit, fit
from marotte.fitting._fit import _Work
from marotte.fitting._reach import reduced
from marotte.fitting.bsplines import basis, control_count
from marotte.fitting.spacetime import SETTLING
from marotte.kinematics import Goal, Place
from marotte.kinematics.problem import HARD, TURN_SHARE

NAME = "A walk over uneven ground, 464 frames, 5,568 constraints, one thread"
SPACINGS = (4.0, 2.0)  # frames a knot that the rival is tried with
TOLERANCE = 1e-4  # of the cost; a step that gains less is the last one

Floats = NDArray[np.float64]


def problem() -> tuple[Motion, list[Goal]]:
    walk = takes.walk(seconds=15.43, frame_rate=30).with_(contacts=None)
    at, turned = walk.world()
    height = walk.skeleton.height
    goals: list[Goal] = []
    for role in ("left_foot", "right_foot"):
        j = walk.rig[role]
        there = at[:, j].copy()
        there[:, 1] += height * 0.12 * np.sin(2.0 * there[:, 2] / height + 0.4) * np.cos(there[:, 0])
        goals.append(Place(role, there, turned[:, j]))
    return walk, goals


def sparse_fit(motion: Motion, goals: list[Goal], spacing: float) -> tuple[Motion, float]:
    """The motion, and the largest error in percent of the height."""
    work = _Work(motion, goals, (), "none", None, "full_body", None)
    start, _ = work.shifted(None, 16)
    p = work.problem
    tree, rigidity = reduced(p, motion)
    frames, many, rows = len(motion), tree.total, p.goals.rows
    count = control_count(frames, spacing)
    at = np.arange(frames) / spacing
    first = np.floor(at).astype(np.int64)
    weights = basis(at - first)
    basis_matrix = sparse.csr_matrix(
        (
            weights.T.reshape(-1),
            (np.repeat(np.arange(frames), 4), (first[:, None] + np.arange(4)).reshape(-1)),
        ),
        shape=(frames, count),
    )
    spread = sparse.kron(basis_matrix, sparse.identity(many), format="csr")
    size = basis_matrix.T @ basis_matrix
    second = sparse.diags([1.0, -2.0, 1.0], [0, 1, 2], shape=(count - 2, count))
    bend = (motion.frame_rate * SETTLING) ** 4 / spacing**3 * (second.T @ second)
    regular = sparse.kron(size + bend, sparse.diags(rigidity), format="csc")
    scale = np.repeat(
        np.sqrt([p.place_unit, HARD * TURN_SHARE**2] * (rows // 6)), 3
    )  # places and turns take turns
    control = np.zeros(count * many)
    row = np.repeat(np.arange(frames * rows), many)
    column = (np.arange(frames)[:, None, None] * many + np.zeros((rows, 1), int) + np.arange(many)).reshape(
        -1
    )
    residual, jacobian = np.empty((frames, rows)), np.empty((frames, rows, many))

    def pose(flat: Floats) -> tuple[Floats, Floats]:
        root, rotations = np.array(start.root), np.array(start.rotations)
        steps = owned(np.ascontiguousarray((spread @ flat).reshape(frames, many)))
        kernels.displacing.move_frames(tree, steps, root, rotations, 0, frames)
        return root, rotations

    def evaluate(flat: Floats) -> float:
        root, rotations = pose(flat)
        for f in range(frames):
            kernels.goals.residuals_one(tree, p.goals, f, root[f], rotations[f], residual[f], jacobian[f])
        return float(0.5 * ((residual * scale) ** 2).sum() + 0.5 * flat @ (regular @ flat))

    cost, damping = evaluate(control), 0.0
    for _ in range(30):
        slopes = sparse.csr_matrix(((jacobian * scale[:, None]).reshape(-1), (row, column)))
        slopes = slopes @ spread
        gradient = slopes.T @ (residual * scale).reshape(-1) + regular @ control
        matrix = (slopes.T @ slopes + regular).tocsc()
        gained = -1.0
        while damping < 1e8:
            damped = matrix + sparse.diags(damping * matrix.diagonal()) if damping else matrix
            tried = control - splu(damped.tocsc(), permc_spec="MMD_AT_PLUS_A").solve(gradient)
            now = evaluate(tried)
            if now <= cost:
                control, gained, cost = tried, cost - now, now
                break
            damping = max(1e-6, 10.0 * damping)
            evaluate(control)
        damping = 0.1 * damping if damping > 1e-8 else 0.0
        if gained < TOLERANCE * cost:
            break
    root, rotations = pose(control)
    made = start.with_(root=owned(root), rotations=owned(rotations))
    return made, float(np.nanmax(work.errors(made))) * 100.0 / p.height


def jerk(motion: Motion) -> float:
    return float(np.sqrt((np.diff(motion.positions(), 3, axis=0) ** 2).sum(axis=-1).mean()))


def run(rounds: int) -> list[Row]:
    walk, goals = problem()
    before = jerk(walk)
    notes: list[str] = []

    def own(**options: Any) -> Fit:
        return fit(walk, goals, limits="none", **options)

    ours: dict[str, dict[str, Any]] = {
        "fit(solver='hierarchy'), four levels": {"solver": "hierarchy"},
        "fit(solver='hierarchy', exact=True)": {"solver": "hierarchy", "exact": True},
        "fit(solver='spacetime'), 4 frames a knot": {"solver": "spacetime", "levels": 3},
        "fit(solver='spacetime'), 2 frames a knot": {"solver": "spacetime"},
    }
    for name, options in ours.items():
        done = own(**options)
        notes.append(f"{name}: {done.report.worst:.3f} % worst, jerk x{jerk(done.motion) / before:.3f}")
    for spacing in SPACINGS:
        made, worst = sparse_fit(walk, goals, spacing)
        notes.append(
            f"SciPy sparse, {spacing:g} frames a knot: {worst:.3f} % worst, jerk x{jerk(made) / before:.3f}"
        )
    contestants: dict[str, Callable[[], object]] = {}
    for name, options in ours.items():
        contestants[name] = partial(own, **options)
    for spacing in SPACINGS:
        contestants[f"SciPy {spacing:g}"] = partial(sparse_fit, walk, goals, spacing)
    found = samples(contestants, rounds=rounds)
    return [
        compare(
            name, unit="take", rival=f"SciPy sparse, {spacing:g} frames a knot", ours=found[name],
            theirs=found[f"SciPy {spacing:g}"], note="; ".join(notes),
        )
        for name in ours
        for spacing in SPACINGS
    ]  # fmt: skip
