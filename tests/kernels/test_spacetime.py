"""The whole clip's normal equations, small enough to be judged as plain Python too."""

from __future__ import annotations

import numpy as np
import pytest

from marotte import kernels
from marotte.figure import Motion
from marotte.figure.rotations import exp, multiply
from marotte.figure.signals import path
from marotte.fitting import Stay
from marotte.fitting._reach import reduced
from marotte.fitting.spacetime import Clip, stays_table
from marotte.kinematics import Orientation, Position, joint_limits
from marotte.kinematics.problem import pose_problem
from tests.kinematics.figures import arm, shaken


def small_clip(frames: int, *, stays: tuple[Stay, ...] = (), bounds: np.ndarray | None = None) -> Clip:
    """An arm that is to follow a circle."""
    one = shaken(arm(), 0.3, 2)
    if bounds is not None:
        one = one.with_(skeleton=one.skeleton.with_(limits=bounds), rig=one.rig)
    take = Motion(
        one.skeleton, np.repeat(one.root, frames, axis=0), np.repeat(one.rotations, frames, axis=0), 30.0,
        rig=one.rig,
    )  # fmt: skip
    turn = np.linspace(0.0, 2.0, frames)
    circle = path(one, "tip")[0] + 0.1 * np.stack([np.cos(turn), np.sin(turn), 0.3 * turn], axis=1)
    goals = [
        Position("tip", circle),
        Orientation(
            "tip",
            multiply(exp(np.array([0.2, 0.1, 0.0])), one.orientations()[0, 3]),
            frames=(3, 5),
            weight=0.1,
        ),
    ]
    problem = pose_problem(take, goals)
    tree, rigidity = reduced(problem, take, stays)
    limits = joint_limits(take.skeleton).tables()
    return Clip(take, problem, tree, rigidity, limits, stays_table(take, stays))


@pytest.mark.parametrize("stays", [(), (Stay(point="tip", frames=(2, 7)),)])
@pytest.mark.parametrize("spacing", [2.0, 4.0])
def test_normal_equations_are_those_of_the_residuals(stays, spacing):
    """Gradient and band against finite differences of the cost, stays included."""
    clip = small_clip(9, stays=stays)
    take = clip.motion
    p, many = clip.problem, clip.tree.total
    count = int(np.floor(8 / spacing)) + 4
    control = 0.2 * np.random.default_rng(0).normal(size=(count, many))
    root, rotations = np.empty_like(take.root), np.empty_like(take.rotations)
    residuals = np.zeros((9, p.goals.rows))
    pressing = np.zeros((9, 3 * len(take.skeleton) + len(p.goals.kind)), dtype=np.bool_)

    def run(at: np.ndarray, derive: bool) -> tuple[float, np.ndarray, np.ndarray]:
        band, right = np.zeros((count * many, min(5, count) * many)), np.zeros(count * many)
        cost = kernels.spacetime.assemble(
            clip.tree, clip.limits, p.goals, p.goals.relation, clip.stays, p.place_unit, p.turn_unit, 1.0,
            take.root, take.rotations, at, spacing, derive, False, pressing, band, right, root, rotations,
            residuals,
        )  # fmt: skip
        return cost, band, right

    cost, band, right = run(control, True)
    assert cost == pytest.approx(run(control, False)[0])
    h = 1e-6
    found = np.empty(control.size)
    for i in range(control.size):
        step = np.zeros_like(control)
        step.reshape(-1)[i] = h
        found[i] = (run(control + step, False)[0] - run(control - step, False)[0]) / (2 * h)
    assert right == pytest.approx(found, rel=1e-4, abs=1e-3 * np.abs(found).max() * 1e-2)
    # the band is Jᵀ Ω J: a direction's curvature is that of the residuals taken as straight
    whole = np.zeros((control.size, control.size))
    for p_ in range(control.size):
        for d in range(min(band.shape[1], control.size - p_)):
            whole[p_ + d, p_] = whole[p_, p_ + d] = band[p_, d]
    assert np.linalg.eigvalsh(whole).min() > -1e-6 * np.abs(whole).max()


def test_a_step_is_told_the_bounds_that_it_runs_into():
    """Or it would go through them, come back, and never arrive."""
    bounds = np.full((4, 3, 2), [-np.inf, np.inf])
    w, _, y, _ = small_clip(6).motion.rotations[0, 2]  # the hinge
    bounds[2, 1] = 2.0 * np.arctan2(y, w) + np.radians([-30.0, 10.0])
    clip = small_clip(6, bounds=bounds)
    take, many = clip.motion, clip.tree.total
    first = int(clip.tree.first[2])
    control, change = np.zeros((6, many)), np.zeros((6, many))
    p = clip.problem.goals
    pressing = np.zeros((6, 3 * len(take.skeleton) + len(p.kind)), dtype=np.bool_)

    def foresee(change: np.ndarray) -> int:
        found: int = kernels.spacetime.foresee(
            clip.tree, clip.limits, p, p.relation, control, change, 2.0, take.root, take.rotations, pressing
        )
        return found

    foresee(change)
    before = pressing.sum()
    change[:, first] = np.radians(40.0)
    changed = foresee(change)
    assert changed > 0
    assert pressing.sum() == before + 6  # one bound at every frame
