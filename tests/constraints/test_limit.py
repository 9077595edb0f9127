"""Limits over a whole take: knees that bend as knees do, by whatever numbers a file says them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import marotte as mt
from marotte.constraints import METHODS, find_violations, limit
from marotte.errors import InputError, UnmetRulesError
from marotte.figure.rotations import angle_between
from marotte.kinematics import joint_limits


@pytest.fixture(scope="module")
def jump():
    return mt.Equalize(gains={"middle": 2.0}).apply(mt.samples.jump())


@pytest.mark.parametrize("method", sorted(METHODS))
def test_a_knee_keeps_to_150_degrees(jump, method):
    """L97 fig. 6.1."""
    assert jump.channels()["RightLeg.x"].max() > 155
    made = limit(jump, "right_knee.x < 150", method=method)
    angles = made.channels()["RightLeg.x"]
    assert angles.max() <= 150
    assert angles.max() == pytest.approx(150, abs=1e-3)
    assert not find_violations(made, "right_knee.x < 150")


@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("take", ["jump", "throw", "dance"])
def test_joints_keep_their_own_limits_whatever_is_emphasised(take, method):
    broken = mt.Equalize(gains={"middle": 2.2}).apply(getattr(mt.samples, take)())
    limits = joint_limits(broken.skeleton, "own", broken.rig)
    excess = limits.excess(broken.rotations)
    assert excess.max() > 0.1
    made = limit(broken, method=method)
    assert limits.excess(made.rotations).max() <= 1e-9
    fine = excess.max(axis=0) <= 1e-9
    assert np.array_equal(made.rotations[:, fine], broken.rotations[:, fine])
    assert np.array_equal(made.root, broken.root)


def test_a_take_within_its_limits_is_given_back_as_it_is():
    walk = mt.samples.walk(seconds=1)
    assert limit(walk) is walk
    assert limit(walk, "left_knee.x < 170", defaults="none") is walk


def test_a_rule_takes_the_place_of_the_default(jump):
    """An acrobat's knee that may bend farther than the file says."""
    made = limit(jump, "right_knee.x < 175; left_knee.x < 175; left_knee.x > -40; right_knee.x > -40")
    assert np.array_equal(made.channels()["RightLeg.x"], jump.channels()["RightLeg.x"])


def test_human_limits_need_no_limits_in_the_file(jump):
    bare = mt.Motion(
        skeleton=mt.Skeleton(
            names=jump.skeleton.names, parents=jump.skeleton.parents, offsets=jump.skeleton.offsets
        ),
        root=jump.root, rotations=jump.rotations, frame_rate=jump.frame_rate, rig=jump.rig,
    )  # fmt: skip
    assert limit(bare) is bare
    made = limit(bare, defaults="human")
    limits = joint_limits(bare.skeleton, "human", bare.rig)
    assert limits.excess(bare.rotations).max() > 0.1
    assert limits.excess(made.rotations).max() <= 1e-9


def test_two_angles_keep_their_relation_by_the_left_one(jump):
    """L97 5.2.1: of (30, x) > (31, x) the value of (30, x) is modified."""
    before = jump.channels()
    made = limit(jump, "(LeftLeg, x) > (RightLeg, x) + 5", defaults="none")
    after = made.channels()
    assert (after["LeftLeg.x"] - after["RightLeg.x"]).min() >= 5
    assert np.array_equal(after["RightLeg.x"], before["RightLeg.x"])


def test_equals_locks_an_angle(jump):
    made = limit(jump, "(Head, x) = 10; (LeftLeg, x) = 0.5 * (RightLeg, x)", defaults="none")
    channels = made.channels()
    assert channels["Head.x"] == pytest.approx(10.0)
    assert channels["LeftLeg.x"] == pytest.approx(0.5 * channels["RightLeg.x"], abs=1e-6)


def test_rules_for_some_frames_run_out_smoothly(jump):
    before = jump.channels()["RightLeg.x"]
    made = limit(jump, "right_knee.x < 100 frames 40..60", defaults="none")
    after = made.channels()["RightLeg.x"]
    assert after[40:61].max() <= 100
    assert np.array_equal(after[:30], before[:30])
    steepest = np.abs(np.diff(before)).max()
    assert np.abs(np.diff(after)).max() < steepest + 15


def test_the_files_angles_are_a_choice(jump):
    made = limit(jump, space="euler")
    channels, limits = made.channels(), jump.skeleton.limits
    for j, name in enumerate(jump.skeleton.names):
        for k, axis in enumerate("xyz"):
            if f"{name}.{axis}" in channels.names and np.isfinite(limits[j, k]).all():
                low, high = np.degrees(limits[j, k])
                assert channels[f"{name}.{axis}"].min() >= low - 1e-4
                assert channels[f"{name}.{axis}"].max() <= high + 1e-4


def test_joints_are_limited_without_jumps_where_angles_would():
    """An arm that swings through the file's gimbal lock."""
    wave = mt.Equalize(gains={"middle": 1.6}).apply(mt.samples.wave())

    def quickest(motion):
        return np.asarray(angle_between(motion.rotations[1:], motion.rotations[:-1])).max()

    assert quickest(limit(wave, method="map", defaults="human")) < 2.5 * quickest(wave)


@given(st.floats(-30, 30), st.floats(1, 60), st.sampled_from(sorted(METHODS)))
@settings(max_examples=20)
def test_any_range_is_kept(low, width, method):
    walk = mt.samples.walk(seconds=1)
    rules = f"{low:.2f} deg <= LeftLeg.x <= {low + width:.2f} deg"
    made = limit(walk, rules, method=method, defaults="none")
    assert not find_violations(made, rules)


def test_what_cannot_hold_and_what_is_no_limit_is_named(jump):
    with pytest.raises(InputError, match="constrain"):
        limit(jump, "left_toes.y >= 0")
    with pytest.raises(InputError, match="above 20 and below 10"):
        limit(jump, "(LeftLeg, x) > 20; (LeftLeg, x) < 10")
    with pytest.raises(UnmetRulesError, match="missed by"):
        limit(jump, "(LeftLeg, x) > (RightLeg, x) + 5; (RightLeg, x) > (LeftLeg, x) + 5", defaults="none")
    for options, says in (
        ({"method": "squash"}, "method"), ({"space": "outer"}, "space"), ({"knee": 1.0}, "knee"),
        ({"space": "euler", "defaults": "human"}, "human body"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=says):
            limit(jump, "(LeftLeg, x) < 10", **options)
    with pytest.raises(InputError, match="without frames"):
        limit(jump[:0])
