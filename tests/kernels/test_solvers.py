"""Every solver's kernel on figures small enough to be solved as plain Python too.

The shared demands on solvers are in tests/kinematics; here each does its work once in every way
that it can go, so that the pass without the compiler sees its lines.
"""

from __future__ import annotations

import numpy as np
import pytest

from marotte import kernels
from marotte.figure import Motion
from marotte.figure.rotations import exp, multiply
from marotte.kinematics import (
    SOLVERS,
    Angle,
    Balance,
    Distance,
    Goal,
    Look,
    Orientation,
    Place,
    Position,
    joint_limits,
    solve,
)
from marotte.kinematics.problem import pose_problem
from tests.kinematics.figures import arm, person, stiff_person

STEPS = {"penalty": 60, "transpose": 60, "cyclic": 40}


def miss(motion: Motion, goals: list[Goal]) -> float:
    """How far the goals are off altogether, measured without any solver."""
    problem = pose_problem(motion, goals, root_moves=False)
    residual = np.zeros(problem.goals.rows)
    jacobian = np.zeros((problem.goals.rows, problem.tree.total))
    kernels.goals.residuals_one(
        problem.tree, problem.goals, 0, motion.root[0], motion.rotations[0], residual, jacobian
    )
    return float(np.linalg.norm(residual * problem.scale))


def one_frame(motion: Motion) -> Motion:
    return motion[8:9].with_(contacts=None)


def places(motion: Motion, amount: float) -> list[Goal]:
    at, turned = motion.world()
    found: list[Goal] = []
    for k, role in enumerate(("left_hand", "right_foot")):
        j = motion.rig[role]
        shift = amount * np.array([0.5, 1.0 - k, 0.7])
        found.append(Place(role, at[:, j] + shift, multiply(exp(0.3 * shift), turned[:, j])))
    return found


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "limb"])
def test_every_solver_brings_a_person_nearer_to_its_goals(solver: str) -> None:
    motion = one_frame(person())
    goals = places(motion, 0.05)
    done = solve(motion, goals, solver=solver, steps=STEPS.get(solver, 12))
    assert joint_limits(motion.skeleton).excess(np.array(done.motion.rotations)).max() <= 1e-7
    if solver in STEPS:
        assert done.worst < 0.05
    else:
        assert done.reached


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name not in ("limb", "cyclic")])
def test_every_kind_of_goal_is_served(solver: str) -> None:
    """On an arm with limits, too far for some of them."""
    motion = arm()
    bounds = np.full((4, 3, 2), [-np.inf, np.inf])
    bounds[1] = np.radians([[-40.0, 40.0], [-45.0, 45.0], [-35.0, 35.0]])
    motion = motion.with_(skeleton=motion.skeleton.with_(limits=bounds))
    tip = motion.positions()[0, 3]
    kinds: list[list[Goal]] = [
        [Position(("tip", (0.05, 0.0, 0.0)), tip + np.array([-0.2, 0.3, 0.2]))],
        [
            Position("tip", tip + np.array([2.0, 1.0, 0.0])),
            Orientation("tip", exp(np.array([0.2, 0.4, 0.1]))),
        ],
        [Look("tip", (0.0, 2.0, 1.0), along=(1.0, 0.0, 0.0))],
        [Distance("tip", "upper", 0.5), Distance("tip", np.array([0.0, 1.5, 0.0]), 0.4, relation="at_least")],
        [Balance(np.array([[0.0, -0.1], [0.1, -0.1], [0.1, 0.1], [0.0, 0.1]]))],
        [Angle("lower", (0.0, 1.0, 0.0), -1.2), Angle("upper", (1.0, 0.0, 0.0), 0.2, relation="at_least")],
        [Position("tip", tip + np.array([-0.1, 0.1, 0.0])), Position("upper", tip, priority=2)],
    ]
    for goals in kinds:
        done = solve(motion, goals, solver=solver, steps=25, root_moves=False)
        assert miss(done.motion, goals) <= miss(motion, goals) + 1e-9
        assert joint_limits(motion.skeleton).excess(np.array(done.motion.rotations)).max() <= 1e-7


@pytest.mark.parametrize("solver", ["hybrid", "full_body"])
def test_limbs_beyond_reach_and_joints_of_few_axes_are_solved(solver: str) -> None:
    motion = one_frame(stiff_person())
    at = motion.positions()
    goals: list[Goal] = [
        Position("left_hand", at[:, motion.rig["left_hand"]] + np.array([0.2, 0.9, 0.6])),
        Place("left_foot", at[:, motion.rig["left_foot"]], motion.orientations()[:, motion.rig["left_foot"]]),
        Position("head", at[:, motion.rig["head"]] + np.array([0.0, -0.02, 0.02])),
    ]
    done = solve(motion, goals, solver=solver, steps=14, limits="human")
    assert done.errors[0, 0] < np.linalg.norm([0.2, 0.9, 0.6]), "nearer than it was"
    assert done.errors[0, 1] < 0.05
