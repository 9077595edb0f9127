"""Takes are fitted: goals met, smoothly, and nothing moved that no goal reaches."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.optimize import minimize

from marotte import kernels, samples
from marotte.errors import InputError, UnknownNameError
from marotte.figure import Motion
from marotte.figure.rotations import angle_between, exp
from marotte.figure.signals import path
from marotte.fitting import Level, Solver, Stay, fit
from marotte.fitting._reach import reduced
from marotte.fitting.spacetime import SETTLING, Clip, regularity, solve_clip
from marotte.kinematics import Distance, Goal, Orientation, Place, Position, joint_limits
from marotte.kinematics.problem import pose_problem
from tests.kernels.test_spacetime import small_clip

SOLVERS: tuple[Solver, ...] = ("hierarchy", "spacetime")


@cache
def walk() -> Motion:
    return samples.walk(seconds=4.0, frame_rate=30)


def bumpy(motion: Motion, height: float = 0.1) -> list[Goal]:
    """Both feet over uneven ground, at every frame (as LS99 section 6 has it)."""
    at, turned = motion.world()
    found: list[Goal] = []
    for role in ("left_foot", "right_foot"):
        j = motion.rig[role]
        there = at[:, j].copy()
        there[:, 1] += height * np.sin(1.3 * there[:, 2] + 0.4) * np.cos(2.0 * there[:, 0])
        found.append(Place(role, there, turned[:, j]))
    return found


def jerk(motion: Motion) -> float:
    return float(np.sqrt((np.diff(motion.positions(), 3, axis=0) ** 2).sum(axis=-1).mean()))


@pytest.mark.parametrize("solver", SOLVERS)
def test_feet_follow_uneven_ground(solver):
    """Four levels leave less than LS99's table 1 does (1.06 %), and the walk stays as smooth."""
    done = fit(walk(), bumpy(walk()), solver=solver)
    assert done.report.worst < 1.06
    assert done.report.constraints == 2 * 6 * len(walk())
    assert not done.report.unmet
    assert jerk(done.motion) < 1.3 * jerk(walk())


@pytest.mark.parametrize("solver", SOLVERS)
def test_exact_leaves_nothing(solver):
    done = fit(walk(), bumpy(walk()), solver=solver, exact=True)
    assert done.report.worst < 0.05
    assert jerk(done.motion) < 1.3 * jerk(walk())
    for goal in bumpy(walk()):
        assert isinstance(goal, Place)
        assert np.abs(path(done.motion, goal.point) - np.asarray(goal.to)).max() < 1e-3


def test_levels_come_nearer_and_double_their_knots():
    done = fit(walk(), bumpy(walk()))
    errors = [level.worst for level in done.report.levels]
    assert errors == sorted(errors, reverse=True)
    assert [level.spacing for level in done.levels] == [16, 8, 4, 2]


def test_levels_compose_into_the_motion():
    """LS99 eq. 3: one displacement after another makes the fitted take, and not their sum."""
    take = walk()
    done = fit(take, bumpy(take), shift=[])
    tree = pose_problem(take, bumpy(take)).tree
    root, rotations = np.array(take.root), np.array(take.rotations)
    for level in done.levels:
        steps = level(np.arange(len(take)))
        kernels.displacing.move_frames(tree, steps, root, rotations, 0, len(take))
    assert root == pytest.approx(done.motion.root, abs=1e-12)
    assert angle_between(rotations, done.motion.rotations).max() < 1e-7


@pytest.mark.parametrize("solver", SOLVERS)
def test_one_goal_moves_its_neighbourhood_only(solver):
    """A hand is put elsewhere at one frame: far frames stay, near ones follow smoothly, legs keep still."""
    take = samples.walk(seconds=8.0, frame_rate=30)
    there = path(take, "right_hand")[120] + np.array([0.1, 0.25, 0.1])
    done = fit(take, [Position("right_hand", there, frames=(120, 120))], solver=solver, spacing=8, levels=3)
    assert np.linalg.norm(path(done.motion, "right_hand")[120] - there) < 0.01 * take.skeleton.height
    away = np.linalg.norm(done.motion.positions() - take.positions(), axis=-1).max(axis=1)
    assert away[118:123].min() > 0.1
    assert jerk(done.motion) < 1.3 * jerk(take)
    if solver == "hierarchy":
        far = np.r_[0 : 120 - 32, 121 + 32 : len(take)]
        assert np.array_equal(done.motion.rotations[far], take.rotations[far])
    leg = [take.rig[r] for r in ("left_upper_leg", "left_lower_leg", "right_upper_leg")]
    assert np.abs(done.motion.rotations[:, leg] - take.rotations[:, leg]).max() < 1e-12


def test_the_root_goes_along_with_the_feet():
    """LS99 4.5: ground that rises lifts the whole figure; its knees need not bend for it."""
    take = walk()
    goals = [
        Place(g.point, np.asarray(g.to) + np.array([0.0, 0.5, 0.0]), g.turned)
        for g in bumpy(take, 0.0)
        if isinstance(g, Place)
    ]
    done = fit(take, goals, levels=1)
    assert done.report.worst < 1.0
    assert angle_between(done.motion.rotations, take.rotations).max() < np.radians(2.0)
    still = fit(take, goals, levels=1, shift=[])
    assert angle_between(still.motion.rotations, take.rotations).max() > np.radians(2.0)


def test_limits_hold():
    """A knee must not turn over, however far the foot is asked to go."""
    take = walk()
    goals = bumpy(take, 0.3)
    limits = joint_limits(take.skeleton)
    done = fit(take, goals, solver="spacetime")
    assert np.degrees(limits.excess(np.array(done.motion.rotations)).max()) < 1.0


def test_goals_that_cannot_be_met_are_named():
    take = walk()
    far = Position("left_hand", [5.0, 5.0, 5.0], frames=(50, 50))
    good = Orientation("head", exp(np.array([0.0, 0.2, 0.0])), frames=(20, 20))
    for solver in SOLVERS:
        done = fit(take, [far, good, *bumpy(take, 0.0)], solver=solver, shift=[])
        assert len(done.report.unmet) == 1
        assert "goal 0 (Position)" in done.report.unmet[0]
        assert "frame 50" in done.report.unmet[0]


def test_of_goals_that_contradict_the_heavier_is_met():
    take = walk()
    there = path(take, "left_hand")[40]
    goals = [
        Position("left_hand", there + np.array([0.0, way, 0.0]), frames=(40, 40), weight=weight)
        for way, weight in ((0.3, 3.0), (-0.3, 1.0))
    ]
    done = fit(take, goals)
    assert len(done.report.unmet) == 1
    assert "goal 1" in done.report.unmet[0]
    got = path(done.motion, "left_hand")[40] - there
    assert got[1] == pytest.approx(0.3, abs=0.01)


def test_no_goals_is_no_change():
    assert fit(walk(), []).motion is walk()


# ---- frames tied together


def test_a_foot_may_land_anywhere_but_must_stay():
    """LS99 section 7: the contact slides in the take; it is held, not at its first place but at its best."""
    take = walk()
    contact = next(c for c in take.contacts or () if c.role == "left_foot" and c.first > 10)
    slide = np.zeros((len(take), 3))
    span = np.arange(contact.first, contact.last + 1)
    slide[span, 2] = np.linspace(0.0, 0.2, len(span))
    slide[contact.last + 1 :, 2] = 0.2
    sliding = take.with_(root=take.root + slide, contacts=None)
    foot = path(sliding, "left_foot")[span]
    done = fit(sliding, [], stays=[Stay(point="left_foot", frames=(contact.first, contact.last))])
    assert done.report.solver == "spacetime"
    held = path(done.motion, "left_foot")[span]
    ankle = np.linalg.norm(held - held.mean(axis=0), axis=1).max()
    assert ankle < 0.1 * np.linalg.norm(foot - foot.mean(axis=0), axis=1).max()
    # the place is the best one: held a little to either side, the figure is displaced by more
    costs = []
    for way in (-0.04, 0.0, 0.04):
        there = held.mean(axis=0) + np.array([0.0, 0.0, way])
        goal = Position("left_foot", there, frames=(contact.first, contact.last))
        fixed = fit(sliding, [goal], solver="spacetime", shift=[])
        level = fixed.levels[0]
        matrix = regularity(len(level.control), level.spacing, len(take), 30.0, _costs_of(sliding, [goal]))
        costs.append(float((level.control * matrix.times(level.control)).sum()))
    assert costs[1] < min(costs[0], costs[2])


def _costs_of(motion: Motion, goals: list[Goal]) -> np.ndarray:
    return np.asarray(reduced(pose_problem(motion, goals), motion)[1])


def test_hands_keep_their_distance_over_time():
    take = walk()
    apart = Distance("left_hand", "right_hand", 0.3)
    done = fit(take, [apart], solver="spacetime", levels=4)
    gap = np.linalg.norm(path(done.motion, "left_hand") - path(done.motion, "right_hand"), axis=1)
    assert np.abs(gap - 0.3).max() < 0.01


# ---- the arithmetic


def _cost(clip: Clip, control: np.ndarray, spacing: float) -> float:
    """The same objective, written out: LS99 eq. 6 over all frames and the cost of the displacement."""
    p, take = clip.problem, clip.motion
    root, rotations = np.array(take.root), np.array(take.rotations)
    steps = Level(spacing, control)(np.arange(len(take)))
    kernels.displacing.move_frames(clip.tree, steps, root, rotations, 0, len(take))
    residuals = np.zeros((len(take), p.goals.rows))
    kernels.goals.residuals_each(p.tree, p.goals, root, rotations, residuals)
    total = 0.0
    for f in range(len(take)):
        for g, kind in enumerate(p.goals.kind.tolist()):
            unit = p.place_unit if kind == 0 else p.turn_unit
            first = p.goals.row[g]
            off = residuals[f, first : first + 3]
            total += unit * p.goals.weight[f, g] * float(off @ off)
    total += float((clip.rigidity * steps**2).sum())
    bend = np.diff(control, 2, axis=0) / spacing**2
    total += spacing * (take.frame_rate * SETTLING) ** 4 * float((clip.rigidity * bend**2).sum())
    return 0.5 * total


@pytest.mark.parametrize("spacing", [2.0, 4.0])
def test_the_whole_clip_comes_to_the_least_objective(spacing):
    """Against SciPy's minimiser on the written-out objective, a case small enough for it."""
    clip = small_clip(9)
    done = solve_clip(clip, spacing=spacing, tolerance=1e-10, steps=60)
    ours = np.array(done.level.control)

    def cost(flat: np.ndarray) -> float:
        return _cost(clip, flat.reshape(ours.shape), spacing)

    best = minimize(cost, ours.reshape(-1), method="BFGS", options={"gtol": 1e-9, "maxiter": 400})
    assert cost(ours.reshape(-1)) <= best.fun * (1.0 + 1e-6)


def test_the_cost_of_a_curve_is_the_same_at_every_spacing():
    """Or the finest level would be preferred or shunned for its knots alone."""
    rigidity = np.ones(1)
    costs = []
    for spacing in (2.0, 4.0):
        count = int(np.floor(80 / spacing)) + 4
        at = (np.arange(count) - 1) * spacing
        control = np.sin(at / 12.0)[:, None]
        matrix = regularity(count, spacing, 81, 30.0, rigidity)
        costs.append(float((control * matrix.times(control)).sum()))
    assert costs[0] == pytest.approx(costs[1], rel=0.15)


def test_bad_input_is_named():
    with pytest.raises(UnknownNameError, match="spacetime"):
        fit(walk(), bumpy(walk()), solver="spacetme")  # type: ignore[arg-type]  # what a typo gives
    with pytest.raises(InputError, match="spacetime"):
        fit(walk(), [], stays=[Stay(point="left_foot", frames=(0, 3))], solver="hierarchy")
    with pytest.raises(InputError, match="frames"):
        fit(walk(), [], stays=[Stay(point="left_foot", frames=(0, 9999))])
    with pytest.raises(InputError, match="spacing"):
        fit(walk(), bumpy(walk()), spacing=0)
    with pytest.raises(InputError, match="stay"):
        Stay(point="left_foot", frames=(3, 1))
    with pytest.raises(InputError, match="goal 0"):
        fit(walk(), [Position("left_hand", [np.nan, 0, 0])])
