"""Mending: what a rule asks holds afterwards, everywhere, and nobody sees where the mending began."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import marotte as mt
from marotte.constraints import LockRule, Path, constrain, find_violations, parse_rules
from marotte.constraints.chains import chain, widened
from marotte.constraints.fading import Faded, key_times, runs
from marotte.errors import InputError, UnknownNameError
from marotte.figure.rotations import about, angle_between, multiply
from marotte.figure.signals import path
from marotte.kinematics import joint_limits
from marotte.quality.measures import jerk
from tools.figures.experiments import all_experiments

STEEPEST = 1.5  # RMS jerk after over before: above it a cut is seen


@pytest.fixture(scope="module")
def walk():
    return mt.Equalize(gains={"middle": 1.4}).apply(mt.samples.walk(seconds=3))


def untouched(before, after, frames):
    """Whether frames are as they were, bit by bit."""
    return np.array_equal(before.rotations[frames], after.rotations[frames]) and np.array_equal(
        before.root[frames], after.root[frames]
    )


@pytest.mark.parametrize("figure", sorted(all_experiments()))
def test_the_thesiss_experiments(figure):
    experiment = all_experiments()[figure]
    made = experiment.mended()
    assert len(made.before) > 0
    assert made.met, made.in_words()
    assert not find_violations(made.motion, experiment.rules)
    assert untouched(experiment.broken, made.motion, ~made.touched)
    assert jerk(made.motion).rms <= STEEPEST * jerk(experiment.broken).rms


def test_only_frames_within_the_smoothing_width_change(walk):
    made = constrain(walk, "left_toes.y >= 0.02", smooth=10)
    broken = np.zeros(len(walk), dtype=bool)
    for violation in made.before:
        broken[max(0, violation.begin - 10) : violation.end + 11] = True
    assert made.touched.any()
    assert not (made.touched & ~broken).any()
    assert untouched(walk, made.motion, ~broken)


def test_only_the_leg_gives_way_for_a_foot(walk):
    made = constrain(walk, "left_toes.y >= 0.02").motion
    leg = {"LeftUpLeg", "LeftLeg", "LeftFoot"}
    changed = {
        name
        for j, name in enumerate(walk.skeleton.names)
        if not np.array_equal(walk.rotations[:, j], made.rotations[:, j])
    }
    assert changed <= leg
    assert np.array_equal(walk.root, made.root)


def test_a_take_that_keeps_its_rules_is_given_back_as_it_is(walk):
    made = constrain(walk, "left_toes.y >= -1")
    assert made.motion is walk
    assert made.met
    assert not made.touched.any()


@pytest.mark.parametrize(
    "solver", ["full_body", "cyclic", "hybrid", "penalty", "damped", "prioritized", "transpose"]
)
@pytest.mark.parametrize("start", ["current", "neighbour"])
def test_any_solver_may_be_chosen(walk, solver, start):
    made = constrain(walk, "left_toes.y >= 0.02", solver=solver, start=start)
    assert made.met, made.in_words()


def test_out_of_reach_the_root_moves_and_runs_back_smoothly():
    """L97 5.3.3: a foot that the stretched leg does not bring to the floor."""
    take = mt.samples.sway(seconds=3)
    high = take.with_(root=take.root + np.array([0.0, 0.25, 0.0]))
    made = constrain(high, "left_toes.y <= 0.1 frames 60..100", smooth=20)
    assert made.met, made.in_words()
    moved = (high.root - made.motion.root)[:, 1]
    assert moved[60:101].max() > 0.05
    assert np.array_equal(moved[:40], np.zeros(40))
    assert np.abs(np.diff(moved)).max() < 0.03  # metres a frame: no jump
    assert untouched(high, made.motion, slice(0, 40))
    assert untouched(high, made.motion, slice(121, None))


def test_a_hand_out_of_reach_takes_the_trunk_along_before_the_root(walk):
    """The hips and feet of somebody who reaches stay where they are."""
    far = f"lock left_hand at (0.45, 1.1, {walk.root[60, 2] + 0.75:.3f}) frames 60..60"
    made = constrain(walk, far, smooth=20)
    assert made.met, made.in_words()
    assert np.array_equal(made.motion.root, walk.root)
    assert angle_between(made.motion.rotations[60, 1], walk.rotations[60, 1]) > 1e-3


def test_rules_that_contradict_each_other_are_named_and_the_take_is_left(walk):
    rules = 'rule "up": left_toes.y >= 0.06; rule "down": left_toes.y <= 0.02'
    made = constrain(walk, rules)
    assert not made.met
    assert made.motion is walk
    assert made.unmet
    assert {v.label for v in made.unmet} <= {"up", "down"}
    # 4 cm lie between what they ask, so that one of them is missed by half of that at least
    assert max(v.amount for v in made.unmet) >= 0.02 - 1e-6
    assert repr(made.unmet[0].label) in made.in_words()
    tried = constrain(walk, rules, best_effort=True)
    assert tried.motion is not walk
    assert max(v.amount for v in tried.left) <= max(v.amount for v in tried.before) + 1e-9


@given(st.integers(0, 100), st.floats(0.0, 0.06), st.sampled_from(["left_toes", "right_heel", "left_hand"]))
@settings(max_examples=25)
def test_a_bound_that_can_be_kept_is_kept(seed, height, point):
    generator = np.random.default_rng(seed)
    take = mt.samples.walk(seconds=1)
    lifted = take.with_(root=take.root - np.array([0.0, generator.uniform(0.0, 0.05), 0.0]))
    rule = f"{point}.y >= {height:.3f}" if point != "left_hand" else f"left_hand.y >= {0.8 + height:.3f}"
    made = constrain(lifted, rule, smooth=int(generator.integers(0, 20)))
    assert made.met, made.in_words()


def test_the_ground_is_where_it_was_before_mending(walk):
    """Feet that are lifted onto the ground would lift it, and chase it for ever."""
    sunk = mt.Equalize(gains={"low": 0.4}).apply(walk)
    made = constrain(sunk, "left_ball.y >= ground.y; right_ball.y >= ground.y; left_heel.y >= ground.y")
    assert len(made.before) > 0
    assert made.met, made.in_words()


# ---- equalities and locks


def test_a_lock_holds_from_beginning_to_end():
    """L97 5.3.4, fig. 5.12: between adjustment frames nothing must slip."""
    take = mt.Equalize(gains={"low": 1.6, "middle": 1.6}).apply(mt.samples.sway(seconds=5))
    made = constrain(take, "lock left_toes; lock right_toes")
    assert made.met, made.in_words()
    for point in ("left_toes", "right_toes"):
        where = path(made.motion, point)
        assert np.abs(where - where[0]).max() < 1e-6


def test_a_lock_follows_a_path(walk):
    """A hand along a rail."""
    x, _, z = path(walk, "left_hand")[60]
    rail = f"path 40 ({x}, 1.0, {z - 0.4}), 60 ({x}, 1.05, {z}), 90 ({x}, 1.0, {z + 0.6})"
    made = constrain(walk, f"lock left_hand at {rail} frames 40..90", smooth=20)
    assert made.met, made.in_words()
    rule = parse_rules(f"lock left_hand at {rail} frames 40..90")[0]
    assert isinstance(rule, LockRule)
    assert isinstance(rule.to, Path)
    for key in rule.to.keys:
        assert path(made.motion, "left_hand")[key.frame] == pytest.approx(key.at, abs=2e-6)


def test_one_frame_of_an_extremum_is_met_exactly(walk):
    rule = "when local_max left_foot.y noise 6: left_foot.y = 0.3"
    made = constrain(walk, rule, smooth=12)
    assert made.met, made.in_words()


def test_distances_move_the_first_point_along_the_line_between_them(walk):
    """L97 fig. 5.14: the nearest place on the sphere."""
    made = constrain(walk, "distance(left_hand, head) = 0.5 frames 60..60", smooth=20)
    assert made.met, made.in_words()
    before, after = path(walk, "left_hand")[60], path(made.motion, "left_hand")[60]
    head = path(walk, "head")[60]
    assert path(made.motion, "head")[60] == pytest.approx(head)
    turned = np.cross(before - head, after - head)
    assert np.linalg.norm(turned) < 1e-4


def test_orientations_and_angles_are_rules_too(walk):
    rules = """
    orientation(left_foot, x) <= 10 deg
    when left_foot.y >= 12 cm: LeftLeg.x <= 50
    LeftArm.x <= 20 within 0.1 deg
    """
    made = constrain(walk, rules)
    assert len(made.before) > 1
    assert made.met, made.in_words()


def test_rules_about_angles_are_kept_while_others_are_mended(walk):
    """L97 fig. 6.2 e: a knee within its limit, and the toes on the floor."""
    made = constrain(walk, "left_toes.y >= 0.03; left_knee.x <= 45", smooth=12)
    assert made.met, made.in_words()


def test_joint_limits_are_kept_at_adjusted_frames(walk):
    made = constrain(walk, "left_hand.y >= 1.0 frames 60..70", limits="human")
    limits = joint_limits(walk.skeleton, "human", walk.rig)
    assert limits.excess(made.motion.rotations)[60:71].max() < 1e-6


# ---- contacts and what is carried


def test_contacts_of_what_moved_are_dropped_and_the_rest_is_carried(walk):
    made = constrain(walk, "left_hand.y >= 1.0").motion
    assert made.contacts == walk.contacts
    lifted = constrain(walk, "left_foot.y >= 0.12").motion
    assert not any(c.role == "left_foot" for c in lifted.contacts or ())
    assert any(c.role == "right_foot" for c in lifted.contacts or ())
    assert (made.name, made.frame_rate, made.points) == (walk.name, walk.frame_rate, walk.points)


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"smooth": -1}, InputError, "smooth"),
        ({"start": "yesterday"}, InputError, "start"),
        ({"order": "backwards"}, InputError, "order"),
        ({"solver": "magic"}, UnknownNameError, "magic"),
    ],
)
def test_mistakes_are_named(walk, options, error, says):
    with pytest.raises(error, match=says):
        constrain(walk, "left_toes.y >= 0", **options)


def test_takes_that_cannot_be_mended_are_refused(walk):
    with pytest.raises(InputError, match="without frames"):
        constrain(walk[:0], "left_toes.y >= 0")
    moved = walk.with_(translations=np.zeros((*walk.rotations.shape[:2], 3)))
    with pytest.raises(InputError, match="translations"):
        constrain(moved, "left_toes.y >= 0")


# ---- chains


def test_chains_end_below_the_nearest_branching():
    take = mt.samples.walk(seconds=1)
    names = take.skeleton.names

    def of(joint, itself):
        return [names[j] for j in chain(take, take.skeleton.index(joint), itself=itself)]

    assert of("LeftToeBase", False) == ["LeftFoot", "LeftLeg", "LeftUpLeg"]
    assert of("LeftHand", True) == ["LeftHand", "LeftForeArm", "LeftArm", "LeftShoulder"]
    assert of("Head", False) == ["Neck"]
    assert of("Hips", True) == []
    wider = widened(take, chain(take, take.skeleton.index("LeftHand"), itself=False), take.rig["left_hand"])
    assert [names[j] for j in wider][-3:] == ["Spine2", "Spine1", "Spine"]


# ---- fading


@given(
    st.lists(st.booleans(), min_size=3, max_size=60), st.lists(st.booleans(), min_size=3, max_size=60),
    st.integers(1, 12),
)  # fmt: skip
def test_keys_of_fading_are_in_order_and_reach_no_farther_than_the_width(keys, needed, smooth):
    count = min(len(keys), len(needed))
    solved, wanted = np.array(keys[:count]), np.array(needed[:count])
    times, real, inside = key_times(solved, wanted, smooth)
    assert (np.diff(times) > 0).all()
    assert set(times[real].tolist()) == set(np.flatnonzero(solved).tolist())
    reached = np.zeros(count, dtype=bool)
    for begin, end in runs(solved | wanted):
        reached[max(0, begin - smooth + 1) : end + smooth] = True
    assert reached[inside].all()
    assert set(np.flatnonzero(solved | wanted).tolist()) <= set(inside.tolist())


def test_what_fades_never_swings_beyond_its_keys(walk):
    faded = Faded(walk, 10)
    keys = np.zeros(len(walk), dtype=bool)
    keys[[60, 64, 90]] = True
    turned = np.array(walk.rotations[[60, 64, 90]])
    sizes = np.radians([20.0, 22.0, 5.0])
    by = about(np.array([1.0, 0.0, 0.0]), sizes)
    turned[:, 7] = multiply(turned[:, 7], by)
    faded.put(np.array([60, 64, 90]), [7], turned, walk.root[[60, 64, 90]])
    needed = keys.copy()
    needed[60:91] = True
    made = faded.motion({(7,): (keys, needed)})
    off = np.asarray(angle_between(walk.rotations[:, 7], made.rotations[:, 7]))
    assert off[[60, 64, 90]] == pytest.approx(sizes, abs=1e-6)
    assert off.max() <= sizes.max() + 1e-6
    assert (np.diff(off[50:65]) >= -1e-9).all()
    assert (np.diff(off[64:101]) <= 1e-9).all()
    assert np.array_equal(made.rotations[:51], walk.rotations[:51])
    assert np.array_equal(made.rotations[100:], walk.rotations[100:])
