"""Measures, each against motions whose true value is known: later rooms judge themselves by these."""

from __future__ import annotations

import math

import numpy as np
import pytest

from marotte.errors import InputError
from marotte.figure import Contact, Motion, Scene
from marotte.figure.rotations import about, multiply, rotate
from marotte.figure.scene import Plane
from marotte.quality import (
    MEASURES,
    bone_change,
    foot_skate,
    jerk,
    limit_violations,
    penetration,
    pose_change,
    report,
)
from tests.figure.figures import person, quadruped, wander


def standing(frames: int = 31, rate: float = 30.0) -> Motion:
    """At rest with the soles on y = 0, both feet in contact."""
    skeleton = person()
    motion = Motion.at_rest(skeleton, frames, rate)
    floor = motion.end_positions()[..., 1].min()
    return motion.with_(
        root=motion.root - [0, floor, 0],
        contacts=(Contact("left_foot", 0, frames - 1), Contact("right_foot", 0, frames - 1)),
    )


def test_a_sliding_figure_skates_at_its_speed():
    motion = standing()
    slid = motion.with_(root=motion.root + motion.times[:, None] * [0.3, 0, 0.4])
    skate = foot_skate(slid)
    assert skate.mean_speed == pytest.approx(0.5)
    assert skate.fraction == 1.0
    assert skate.steps == 60
    assert foot_skate(motion).mean_speed == pytest.approx(0, abs=1e-12)


def test_a_foot_that_rolls_over_its_toes_does_not_skate():
    motion = standing()
    sole = motion.rig.soles[0]
    turn = about([1.0, 0, 0], np.linspace(0, 0.6, 31))  # heel up, about the tip of the toes
    rotations = np.array(motion.rotations)
    rotations[:, 0] = turn
    pivot = motion.positions()[:, sole.joints[2]] + np.array(sole.points[2])
    root = pivot + rotate(turn, motion.root - pivot)
    rolled = motion.with_(root=root, rotations=rotations, contacts=(Contact("left_foot", 0, 30),))
    assert foot_skate(rolled).mean_speed < 1e-9


def test_only_contacts_are_judged():
    motion = standing()
    slid = motion.with_(root=motion.root + motion.times[:, None] * [1.0, 0, 0])
    assert foot_skate(slid.with_(contacts=(Contact("left_foot", 3, 7),))).steps == 4
    none = foot_skate(slid.with_(contacts=()))
    assert math.isnan(none.mean_speed)
    assert none.steps == 0


def test_penetration_is_the_deepest_point():
    motion = standing()
    flat = Scene.level()
    assert penetration(motion, scene=flat).deepest == pytest.approx(0, abs=1e-12)
    sunk = motion.with_(root=motion.root - np.linspace(0, 0.0305, 31)[:, None] * [0, 1, 0])
    found = penetration(sunk, scene=flat)
    assert found.deepest == pytest.approx(0.0305)
    assert found.fraction == pytest.approx(21 / 31)  # deeper than 1 cm
    slope = Scene({"slope": Plane((0, 1, -0.2), 0.0)})  # rises towards +z, under the toes
    toes = motion.end_positions()[0, :, 2].max()
    assert penetration(motion, scene=slope).deepest == pytest.approx(0.2 * toes)
    assert penetration(motion).deepest == pytest.approx(0, abs=1e-9)  # ground found by itself


def test_jerk_of_a_cubic_path_is_its_third_derivative():
    motion = standing()
    t = motion.times
    moved = motion.with_(root=motion.root + (t**3)[:, None] * [0, 2.0, 0])
    found = jerk(moved)
    assert found.rms == pytest.approx(12.0, rel=1e-6)
    assert found.greatest == pytest.approx(12.0, rel=1e-6)
    assert math.isnan(jerk(motion[:3]).rms)


def test_bones_that_stretch():
    motion = standing()
    assert bone_change(motion).greatest == 0
    moved = np.zeros((31, 21, 3))
    arm = motion.skeleton.index("LeftForeArm")
    moved[7, arm] = [0.028, 0, 0]
    found = bone_change(motion.with_(translations=moved))
    assert found.greatest == pytest.approx(0.1)
    assert found.joint == "LeftForeArm"


def test_pose_change_is_the_mean_turn():
    motion = standing()
    rotations = np.array(motion.rotations)
    rotations[:, 4] = multiply(rotations[:, 4], about([0.0, 1, 0], np.radians(42.0)))
    change = pose_change(motion, motion.with_(rotations=rotations))
    assert change.rotation == pytest.approx(42.0 / 21)
    assert change.position == pytest.approx(0, abs=1e-12)  # the head has no joint below it
    assert pose_change(motion, motion.with_(rotations=-motion.rotations)).rotation == pytest.approx(
        0, abs=1e-6
    )
    with pytest.raises(InputError, match="31 and 30 frames"):
        pose_change(motion, motion[:30])
    with pytest.raises(InputError, match="same joints"):
        pose_change(motion, Motion.at_rest(quadruped(), 31))


def test_limits_in_the_joints_own_order():
    skeleton = person()
    limits = np.full((21, 3, 2), [-np.inf, np.inf])
    knee = skeleton.index("LeftLeg")
    limits[knee, 0] = [0.0, np.radians(150)]
    motion = Motion.at_rest(skeleton.with_(limits=limits), 10)
    rotations = np.array(motion.rotations)
    rotations[3, knee] = about([1.0, 0, 0], np.radians(-12.0))
    rotations[5, knee] = about([1.0, 0, 0], np.radians(149.0))
    found = limit_violations(motion.with_(rotations=rotations))
    assert found.greatest == pytest.approx(12.0)
    assert found.fraction == pytest.approx(0.1)
    assert found.joint == "LeftLeg"
    assert math.isnan(limit_violations(standing()).greatest)  # no limits, nothing to violate


def test_reports_hold_every_measure_once():
    before = standing()
    after = before.with_(root=before.root + before.times[:, None] * [0.3, 0, 0])
    found = report(before=before, after=after)
    assert [r.measure.name for r in found.rows] == [m.name for m in MEASURES]
    assert found["skate_mean"].before == pytest.approx(0, abs=1e-9)
    assert found["skate_mean"].after == pytest.approx(0.3)
    assert found["pose_position"].after == pytest.approx(0.15)
    plain = found.to_dict()
    assert plain["measures"][7] == {"name": "limit_fraction", "unit": "%", "before": None, "after": None}  # type: ignore[index]
    assert "mean speed of planted feet" in str(found)


def test_reports_of_odd_takes():
    for motion in (standing(1), standing()[:0], Motion.at_rest(quadruped(), 5), wander()):
        found = report(after=motion)
        assert len(found.rows) == len(MEASURES)
    different = report(before=Motion.at_rest(quadruped(), 5), after=standing())
    assert math.isnan(different["pose_rotation"].after)
