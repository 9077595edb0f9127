"""What goals ask is measured right and its derivatives are exact: every solver stands on these."""

from __future__ import annotations

import numpy as np
import pytest

from marotte import kernels
from marotte.errors import InputError
from marotte.figure import Motion, channels, with_channels
from marotte.figure.mass import centre_of_mass
from marotte.figure.rotations import exp, rotate
from marotte.kinematics import Angle, Balance, Distance, Goal, Look, Orientation, Place, Position
from marotte.kinematics.problem import pose_problem

from .figures import beast, person, shaken, stiff_person

PEOPLE = [pytest.param(person, id="person"), pytest.param(stiff_person, id="stiff")]


def goals_of(motion: Motion) -> dict[str, list[Goal]]:
    area = np.array([[2.0, 2.0], [2.4, 2.0], [2.4, 2.5], [2.0, 2.5]])
    return {
        "position": [Position(("left_hand", (0.1, 0.02, 0.0)), (0.3, 1.2, 0.4))],
        "orientation": [Orientation("right_hand", exp(np.array([0.4, -0.6, 0.2])))],
        "place": [Place(("left_foot", (0.0, -0.1, 0.1)), (0.2, 0.1, 0.5), exp(np.array([0.1, 0.3, 0.0])))],
        "look": [Look(("head", (0.0, 0.1, 0.05)), (1.0, 2.0, 3.0))],
        "two points": [Distance("left_hand", ("right_hand", (0.05, 0.0, 0.0)), 0.2)],
        "a point and a place": [Distance("head", np.array([0.5, 0.0, 0.5]), 0.2)],
        "balance on an edge": [Balance(area)],
        "balance on a corner": [Balance(area + np.array([3.0, 3.0]))],
        "balance on a point": [Balance(np.array([[2.0, 2.0]]))],
        "angle": [Angle("left_upper_arm", (0.0, 0.6, 0.8), 0.3)],
        "angle of a wrist": [Angle("left_hand", (0.8, 0.0, 0.6), 0.3)],
    }


def residual_and_jacobian(motion: Motion, goals: list[Goal], root, rotations):
    problem = pose_problem(motion, goals)
    residual = np.zeros(problem.goals.rows)
    jacobian = np.zeros((problem.goals.rows, problem.tree.total))
    kernels.goals.residuals_one(problem.tree, problem.goals, 0, root, rotations, residual, jacobian)
    return residual, jacobian, problem


@pytest.mark.parametrize("figure", PEOPLE)
@pytest.mark.parametrize("kind", goals_of(person()))
def test_jacobians_are_those_of_finite_differences(figure, kind: str) -> None:
    for seed in range(3):
        motion = shaken(figure(), 0.15, seed)
        goals = goals_of(motion)[kind]
        root, rotations = np.array(motion.root[0]), np.array(motion.rotations[0])
        _, exact, problem = residual_and_jacobian(motion, goals, root, rotations)
        found = np.zeros_like(exact)
        h = 1e-6
        for d in range(problem.tree.total):
            ends = []
            for way in (h, -h):
                a, b = root.copy(), rotations.copy()
                step = np.zeros(problem.tree.total)
                step[d] = way
                kernels.goals.move_one(problem.tree, a, b, step, 1.0)
                ends.append(residual_and_jacobian(motion, goals, a, b)[0])
            found[:, d] = (ends[0] - ends[1]) / (2 * h)
        assert np.abs(found).max() > 0.05, "a goal that nothing moves proves nothing"
        assert np.abs(found - exact).max() < 1e-6


def test_joints_move_about_their_own_axes_only() -> None:
    """A pose that is moved along all its freedoms can still be said by the file's own channels."""
    walk = stiff_person()
    rest = Motion.at_rest(walk.skeleton, 3).with_(rig=walk.rig)
    moved = shaken(rest, 0.4, 2)
    assert (moved.rotations[:, walk.rig["neck"]] == [1.0, 0.0, 0.0, 0.0]).all()
    back = with_channels(moved, channels(moved))
    assert np.abs(back.positions() - moved.positions()).max() < 1e-9


def test_a_residual_is_what_it_says() -> None:
    motion = person()
    at, turned = motion.world()
    hand = motion.rig["left_hand"]
    where = at[0, hand] + rotate(turned[0, hand], np.array([0.1, 0.0, 0.0]))
    goals: list[Goal] = [
        Position(("left_hand", (0.1, 0.0, 0.0)), where + np.array([0.3, 0.0, 0.0])),
        Orientation("left_hand", turned[0, hand]),
        Distance("left_hand", at[0, hand] + np.array([0.0, 0.5, 0.0]), 0.2),
        Distance("left_hand", at[0, hand] + np.array([0.0, 0.5, 0.0]), 0.2, relation="at_least"),
        Look("left_hand", where + rotate(turned[0, hand], np.array([2.0, 0.0, 0.0])), along=(1.0, 0.0, 0.0)),
    ]
    residual, _, _ = residual_and_jacobian(motion, goals, motion.root[0], motion.rotations[0])
    assert np.allclose(residual[:3], [-0.3, 0.0, 0.0], atol=1e-12)
    assert np.allclose(residual[3:6], 0.0, atol=1e-9)
    assert np.isclose(residual[6], 0.3)
    assert residual[7] == 0.0
    assert np.allclose(residual[8:], 0.0, atol=1e-9)


def test_the_centre_of_mass_inside_its_area_asks_for_nothing() -> None:
    motion = person()
    x, _, z = centre_of_mass(motion)[0]
    around = np.array([[-0.1, -0.1], [0.1, 0.1], [0.1, -0.1], [-0.1, 0.1]]) + np.array([x, z])
    inside, _, _ = residual_and_jacobian(motion, [Balance(around)], motion.root[0], motion.rotations[0])
    assert (inside == 0.0).all()
    beyond = around + np.array([0.3, 0.0])
    outside, _, _ = residual_and_jacobian(motion, [Balance(beyond)], motion.root[0], motion.rotations[0])
    assert np.allclose(outside, [-0.2, 0.0], atol=1e-12)


@pytest.mark.parametrize(
    ("goal", "says"),
    [
        (Position("left_hnd", (0, 0, 0)), "did you mean 'left_hand'"),
        (Position("left_hand", (0, np.nan, 0)), "to must be finite"),
        (Position("left_hand", np.zeros((3, 3))), "must have shape (3,) or"),
        (Orientation("left_hand", (1, 1, 0, 0)), "unit quaternions"),
        (Look("head", (0, 0, 1), along=(0, 0, 0)), "has no length"),
        (Distance("head", "left_hand", -1.0), "0 or more"),
        (Angle("head", (0, 1, 0), 0.1, relation="near"), "relation must be one of"),  # type: ignore[arg-type]  # what a typo gives
        (Position("head", (0, 1, 0), frames=(0, 999)), "frames must lie in 0 to"),
        (Balance(np.zeros((3, 4))), "support must be corners"),
    ],
)
def test_bad_goals_are_named_with_what_is_wrong(goal: Goal, says: str) -> None:
    with pytest.raises(InputError, match="goal 1 ") as problem:
        pose_problem(person(), [Position("head", (0, 1.7, 0)), goal])
    assert says in str(problem.value)


@pytest.mark.parametrize(
    "options", [{"weight": -1.0}, {"weight": np.nan}, {"priority": 0}, {"frames": (3, 1)}]
)
def test_bad_options_of_goals_are_refused_at_once(options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Position("head", (0, 1, 0), **options)  # type: ignore[arg-type]  # wrong ones are what is tested


def test_a_figure_without_feet_must_be_told_where_it_stands() -> None:
    with pytest.raises(InputError, match="support must be given"):
        pose_problem(beast(), [Balance()])
