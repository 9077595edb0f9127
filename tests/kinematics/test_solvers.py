"""All solvers under one set of demands: what can be reached is, what cannot is neared, limits hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from marotte import kernels
from marotte.errors import InputError, UnknownNameError
from marotte.figure import Motion
from marotte.kinematics import (
    SOLVERS,
    Angle,
    Balance,
    Distance,
    Goal,
    Look,
    Place,
    Position,
    joint_limits,
    solve,
)
from marotte.kinematics.problem import pose_problem

from .figures import arm, beast, person, shaken, turned

FULL = ("full_body", "hybrid")
# What each comes to, as a share of the height: those that go by single joints or plain slopes are coarser.
CLOSE = dict.fromkeys(SOLVERS, 1e-4) | {"cyclic": 1e-3, "transpose": 1e-3}
EVERY = tuple(name for name in SOLVERS if name != "limb")
NEAREST = tuple(name for name in EVERY if SOLVERS[name].least_change)
ENDS = ("left_hand", "right_hand", "left_foot", "right_foot")


def places(motion: Motion, amount: float, seed: int = 0) -> list[Goal]:
    """Hands and feet somewhere else, near to where they are."""
    draw = np.random.default_rng(seed)
    at, orientations = motion.world()
    found: list[Goal] = []
    for role in ENDS:
        j = motion.rig[role]
        shift = amount * draw.uniform(-1.0, 1.0, 3)
        found.append(Place(role, at[:, j] + shift, turned(orientations[:, j], tuple(shift))))
    return found


@pytest.mark.parametrize("solver", EVERY)
def test_what_can_be_reached_is(solver: str) -> None:
    motion = person()[::5]
    for seed in range(3):
        goals = places(motion, 0.06, seed)
        done = solve(motion, goals, solver=solver, limits="none")
        close = CLOSE[solver] * motion.skeleton.height
        assert done.worst < close
        assert done.reached or CLOSE[solver] > 1e-4
        assert set(done.why) <= {"converged", "no better"}
        at, _ = done.motion.world()
        assert isinstance(goals[0], Place)
        off = np.linalg.norm(at[:, motion.rig["left_hand"]] - np.asarray(goals[0].to), axis=1)
        assert off.max() < close, "the result is what it says it is"


@pytest.mark.parametrize("solver", EVERY)
def test_limits_are_never_exceeded(solver: str) -> None:
    motion = person()[::5]
    limits = joint_limits(motion.skeleton)
    assert limits.excess(np.array(motion.rotations)).max() == 0.0
    for seed, amount in ((0, 0.1), (1, 0.6)):
        done = solve(motion, places(motion, amount, seed), solver=solver)
        assert limits.excess(np.array(done.motion.rotations)).max() <= 1e-7


@pytest.mark.parametrize("solver", EVERY)
def test_beyond_reach_the_nearest_is_taken(solver: str) -> None:
    """A root that stays, a hand two metres off: the arm points there, as far as it goes."""
    motion = person()[:4]
    at, _ = motion.world()
    shoulder, hand = motion.rig["left_upper_arm"], motion.rig["left_hand"]
    goal = at[:, shoulder] + np.array([1.5, 0.3, 1.0])
    stiff: dict[str | int, float] = {
        name: 1e9 for name in motion.skeleton.names if not name.startswith("Left")
    }
    stiff["left_shoulder"] = 1e9
    done = solve(motion, [Position("left_hand", goal)], solver=solver, limits="none", root_moves=False,
                 rigidity=stiff)  # fmt: skip
    assert not done.reached
    there = done.motion.positions()
    length = np.linalg.norm(motion.skeleton.offsets[[motion.rig["left_lower_arm"], hand]], axis=1).sum()
    best = np.linalg.norm(goal - there[:, shoulder], axis=1) - length
    assert np.allclose(done.errors[:, 0], best, atol=2e-3)


@pytest.mark.parametrize("solver", EVERY)
def test_a_straight_leg_can_bend(solver: str) -> None:
    motion = Motion.at_rest(person().skeleton).with_(rig=person().rig)
    at, orientations = motion.world()
    foot, hips = motion.rig["left_foot"], 0
    goals: list[Goal] = [
        Place("left_foot", at[:, foot] + np.array([0.0, 0.15, 0.0]), orientations[:, foot]),
        Place("right_foot", at[:, motion.rig["right_foot"]], orientations[:, motion.rig["right_foot"]]),
        Position(hips, at[:, hips]),
    ]
    done = solve(motion, goals, solver=solver)
    assert done.worst < CLOSE[solver] * motion.skeleton.height
    knee = done.motion.rotations[0, motion.rig["left_lower_leg"]]
    assert knee[1] * np.sign(knee[0]) > 0.1, "forwards, as knees bend"


@pytest.mark.parametrize("solver", EVERY)
def test_goals_that_contradict_share_the_loss_by_weight(solver: str) -> None:
    motion = person()[:3]
    at = motion.positions()[:, motion.rig["head"]]
    pull: list[Goal] = [
        Position("head", at + np.array([0.1, 0.0, 0.0]), weight=3.0),
        Position("head", at - np.array([0.1, 0.0, 0.0]), weight=1.0),
    ]
    done = solve(motion, pull, solver=solver, limits="none")
    assert not done.reached
    moved = done.motion.positions()[:, motion.rig["head"]] - at
    assert np.allclose(moved, [0.05, 0.0, 0.0], atol=1e-3)


@pytest.mark.parametrize("solver", FULL)
def test_frames_are_solved_alike_alone_or_together_cold_or_warm(solver: str) -> None:
    motion = person()
    goals = places(motion, 0.05, 2)
    together = solve(motion, goals, solver=solver, limits="none", threads=1)
    threaded = solve(motion, goals, solver=solver, limits="none", threads=3)
    assert np.array_equal(together.motion.rotations, threaded.motion.rotations)
    warm = solve(motion, goals, solver=solver, limits="none", warm=True)
    assert np.abs(warm.motion.positions() - together.motion.positions()).max() < 1e-4
    for f in (0, 7):
        one = [
            Place(g.point, np.asarray(g.to)[f], np.asarray(g.turned)[f])
            for g in goals
            if isinstance(g, Place)
        ]
        alone = solve(motion[f : f + 1], one, solver=solver, limits="none")
        assert np.allclose(alone.motion.rotations[0], together.motion.rotations[f], atol=1e-12)


@pytest.mark.parametrize("solver", NEAREST)
def test_the_change_is_the_least_there_is(solver: str) -> None:
    """Against SciPy's constrained optimiser, with and without limits that press."""
    motion = arm()
    at = motion.positions()[0, 3]
    for shift, which in (([-0.1, 0.2, 0.1], "none"), ([-0.2, 0.35, 0.2], "box")):
        goal = at + np.array(shift)
        skeleton = motion.skeleton
        if which == "box":
            bounds = np.full((4, 3, 2), [-np.inf, np.inf])
            bounds[1] = np.radians([[-20.0, 20.0], [-25.0, 25.0], [-15.0, 15.0]])
            skeleton = skeleton.with_(limits=bounds)
        figure = motion.with_(skeleton=skeleton)
        goals: list[Goal] = [Position("tip", goal)]
        done = solve(figure, goals, solver=solver, root_moves=False)
        assert done.reached
        problem = pose_problem(figure, goals, root_moves=False)
        tree, total = problem.tree, problem.tree.total

        def pose(x: np.ndarray, figure: Motion = figure, tree=tree) -> Motion:
            root, rotations = np.array(figure.root[0]), np.array(figure.rotations[0])
            kernels.goals.move_one(tree, root, rotations, np.ascontiguousarray(x), 1.0)
            return figure.with_(rotations=rotations[None])

        def miss(x: np.ndarray, goal: np.ndarray = goal) -> np.ndarray:
            return np.asarray(pose(x).positions()[0, 3] - goal)

        rules = [{"type": "eq", "fun": miss}]
        if which == "box":

            def room(x: np.ndarray) -> np.ndarray:
                from scipy.spatial.transform import Rotation

                w, *v = pose(x).rotations[0, 1]
                z, x_, y = Rotation.from_quat([*v, w]).as_euler("ZXY", degrees=True)
                return np.array([20 - x_, 20 + x_, 25 - y, 25 + y, 15 - z, 15 + z])

            rules.append({"type": "ineq", "fun": room})
        best = minimize(lambda x: 0.5 * x @ x, np.zeros(total), constraints=rules, method="SLSQP",
                        options={"maxiter": 500, "ftol": 1e-12})  # fmt: skip
        assert best.success
        assert done.objective[0] <= best.fun * (1 + 1e-4) + 1e-9
        assert np.abs(pose(best.x).positions() - done.motion.positions()).max() < 2e-3
        assert (done.pressing[0] > 0) == (which == "box")


def test_the_hybrid_finds_what_the_full_body_solver_finds() -> None:
    motion = person()
    goals = places(motion, 0.04, 3)
    a, b = (solve(motion, goals, solver=s, limits="none") for s in FULL)
    ratio = b.objective / a.objective
    assert np.median(ratio) < 1.001
    assert (ratio < 1.05).mean() > 0.9


def test_second_derivatives_are_those_of_finite_differences() -> None:
    """Of goals that pull: without them strongly conflicting goals would take hundreds of steps."""
    area = np.array([[2.0, 2.0], [2.4, 2.0], [2.4, 2.5], [2.0, 2.5]])
    kinds: list[Goal] = [
        Position(("left_hand", (0.1, 0.02, 0.0)), (0.3, 1.2, 0.4)),
        Look(("head", (0.0, 0.1, 0.05)), (1.0, 2.0, 3.0)),
        Distance("left_hand", ("right_hand", (0.05, 0.0, 0.0)), 0.2),
        Distance("head", np.array([0.5, 0.0, 0.5]), 0.2),
        Balance(area),
        Angle("left_upper_arm", (0.0, 0.6, 0.8), 0.3),
        Angle("left_lower_arm", (0.0, 0.6, 0.8), 0.3),
    ]
    motion = shaken(person()[:1], 0.1, 5)
    base = person()[:1]
    for goal in kinds:
        p = pose_problem(base, [goal])
        total = p.tree.total

        def slopes(
            root: np.ndarray, rotations: np.ndarray, p=p, total=total
        ) -> tuple[np.ndarray, np.ndarray]:
            gradient, h = np.zeros(total), np.zeros((total, total))
            kernels.fullbody.hessian_one(
                p.tree, p.goals, 0, p.rigidity, 1.0, 1.0, base.root[0], base.rotations[0], root, rotations,
                gradient, h,
            )  # fmt: skip
            return gradient, h

        root, rotations = np.array(motion.root[0]), np.array(motion.rotations[0])
        lower = slopes(root, rotations)[1]
        found, step = np.zeros((total, total)), 1e-5
        for d in range(total):
            ends = []
            for way in (step, -step):
                a, b, moved = root.copy(), rotations.copy(), np.zeros(total)
                moved[d] = way
                kernels.goals.move_one(p.tree, a, b, moved, 1.0)
                ends.append(slopes(a, b)[0])
            found[:, d] = (ends[0] - ends[1]) / (2 * step)
        # turns of one joint have no order: what is symmetric is the second derivative
        whole = np.tril(lower) + np.tril(lower, -1).T
        assert np.abs(0.5 * (found + found.T) - whole).max() < 1e-5, type(goal).__name__


def test_any_tree_will_do() -> None:
    """Four legs and a tail, no roles at all."""
    motion = beast()
    at = motion.positions()
    goals: list[Goal] = [
        Position(("left_fore2", (0.0, -0.05, 0.05)), at[:, motion.skeleton.index("left_fore2")] + 0.1),
        Position("right_hind2", at[:, motion.skeleton.index("right_hind2")] + np.array([0.1, 0.0, 0.1])),
        Look("neck1", (1.0, 1.0, 4.0)),
        Distance("tail3", "body", 0.6),
        Angle("tail1", (1.0, 0.0, 0.0), 0.4),
    ]
    for solver in EVERY:
        if {0, 2, 3, 5} <= SOLVERS[solver].kinds:
            done = solve(motion, goals, solver=solver)
            assert done.worst < CLOSE[solver] * motion.skeleton.height, solver


def test_what_comes_first_is_met_whatever_comes_after() -> None:
    """Three layers: the feet stay, the left hand goes as far as they let it, the right follows."""
    motion = person()[:3]
    at, turned_ = motion.world()
    rig = motion.rig

    def goal(role: str, shift: tuple[float, float, float], priority: int) -> Goal:
        j = rig[role]
        return Place(role, at[:, j] + np.array(shift), turned_[:, j], priority=priority)

    away = np.array([3.0, 1.0, 2.0])
    goals = [
        goal("left_foot", (0.0, 0.02, 0.0), 1),
        goal("right_foot", (0.02, 0.0, 0.0), 1),
        Position("left_hand", at[:, rig["left_hand"]] + away, priority=2),
        Position("right_hand", at[:, rig["right_hand"]] - away, priority=3),
    ]
    done = solve(motion, goals, solver="prioritized", limits="none")
    assert np.nanmax(done.errors[:, :2]) < 1e-4 * motion.skeleton.height
    alone = solve(motion, goals[:3], solver="prioritized", limits="none")
    assert np.allclose(done.errors[:, 2], alone.errors[:, 2], atol=2e-3), "the third does not cost the second"
    together = solve(motion, goals, solver="damped", limits="none")
    assert (together.errors[:, 2] > done.errors[:, 2] + 0.5).all(), "all at once, the hands share the loss"


def test_the_reference_solver_finds_no_better_pose() -> None:
    """Penalties and conjugate gradients know nothing of limbs, matrices or multipliers."""
    motion = person()[::10]
    goals = places(motion, 0.05, 3)
    judge = solve(motion, goals, solver="penalty", limits="none").objective
    for solver in FULL:
        assert (solve(motion, goals, solver=solver, limits="none").objective < 1.01 * judge + 1e-6).all()


@pytest.mark.parametrize("solver", EVERY)
def test_bones_without_length_do_not_break_a_solver(solver: str) -> None:
    motion = person()[:3]
    offsets = np.array(motion.skeleton.offsets)
    offsets[motion.rig["left_hand"]] = 0.0
    offsets[motion.rig["neck"]] = 0.0
    stump = motion.with_(skeleton=motion.skeleton.with_(offsets=offsets), rig=motion.rig)
    done = solve(stump, places(stump, 0.03), solver=solver)
    assert np.isfinite(done.motion.rotations).all()


def test_frames_without_goals_are_left_as_they_are() -> None:
    motion = person()
    goals = [Position("left_hand", (0.4, 1.2, 0.3), frames=(10, 12))]
    done = solve(motion, goals)
    assert done.frames.tolist() == [10, 11, 12]
    same = [f for f in range(len(motion)) if f not in (10, 11, 12)]
    assert np.array_equal(done.motion.rotations[same], motion.rotations[same])
    assert np.array_equal(done.motion.root[same], motion.root[same])


def test_rigid_joints_move_less() -> None:
    motion = person()[:2]
    goal = [Position("left_hand", motion.positions()[:, motion.rig["left_hand"]] + np.array([0.3, 0.2, 0.3]))]
    spine = list(motion.rig.spine)
    free = solve(motion, goal)
    held = solve(motion, goal, rigidity={motion.skeleton.names[j]: 100.0 for j in spine})

    def bent(done) -> float:
        return float(np.abs(done.motion.rotations[:, spine] - motion.rotations[:, spine]).max())

    assert bent(held) < 0.2 * bent(free)


def test_misuse_is_named() -> None:
    motion = person()
    goal: list[Goal] = [Position("head", (0, 1.7, 0))]
    with pytest.raises(UnknownNameError, match="hybrid"):
        solve(motion, goal, solver="hybird")
    with pytest.raises(InputError, match="steps"):
        solve(motion, goal, steps=0)
    with pytest.raises(InputError, match="rigidity"):
        solve(motion, goal, rigidity=np.array([1.0]))
    with pytest.raises(InputError, match="rigidity"):
        solve(motion, goal, rigidity={"head": -1.0})
    with pytest.raises(InputError, match="start"):
        solve(motion, goal, start=motion[:3])


def test_no_goals_change_nothing() -> None:
    motion = person()
    done = solve(motion, [])
    assert done.reached
    assert len(done.frames) == 0
    assert np.array_equal(done.motion.rotations, motion.rotations)


def test_a_start_is_where_the_search_begins() -> None:
    motion = person()[:2]
    goal: list[Goal] = [Position("head", motion.positions()[:, motion.rig["head"]])]
    away = shaken(motion, 0.1, 1)
    done = solve(motion, goal, start=away, limits="none")
    assert np.abs(done.motion.rotations - motion.rotations).max() < 1e-5
    assert (done.steps > 0).all()


def test_the_page_of_solvers_tells_of_every_one() -> None:
    page = (Path(__file__).parents[2] / "docs" / "solvers.md").read_text(encoding="utf-8")
    for name in SOLVERS:
        assert page.count(f"| `{name}` |") >= 3, f"run `python -m bench.solvers_page`: {name} is not on it"
