"""Curves of quantities: what an animator pulls is where it was pulled to, and the rest follows."""

from __future__ import annotations

import numpy as np
import pytest

import marotte as mt
from marotte.constraints import curve_of, pull
from marotte.errors import InputError, UnknownNameError, UnmetRulesError
from marotte.figure.signals import distance, path


@pytest.fixture(scope="module")
def drink():
    return mt.samples.drink(frame_rate=30)


def test_curves_are_what_is_measured(drink):
    assert curve_of(drink, "left_hand.y").values == pytest.approx(path(drink, "left_hand")[:, 1])
    assert curve_of(drink, "distance(cup, mouth)").values == pytest.approx(distance(drink, "cup", "mouth"))
    angle = curve_of(drink, "LeftArm.x")
    assert angle.values == pytest.approx(drink.channels()["LeftArm.x"])
    assert (angle.unit, curve_of(drink, "head.z").unit) == ("deg", "m")
    turn = curve_of(drink, "orientation(right_hand, y)")
    assert np.abs(np.diff(turn.values)).max() < 180


@pytest.mark.parametrize(
    ("of", "points", "near"),
    [
        ("left_hand.y", {80: 1.1, 120: 1.2}, 1e-5),
        ("distance(left_hand, head)", {90: 0.4}, 1e-5),
        ("orientation(head, y)", {60: 25.0, 100: -20.0}, 1e-2),
        ("LeftArm.x", {60: 20.0, 90: -30.0}, 1e-6),
        ("Hips.tx", {60: 0.2}, 1e-9),
        ("angle(left_elbow, y)", {60: -40.0}, 1e-6),
    ],
)
def test_the_curve_goes_through_what_was_pulled_and_nothing_far_changes(drink, of, points, near):
    made = pull(drink, of, points, smooth=20)
    curve = curve_of(made, of).values
    for frame, value in points.items():
        assert curve[frame] == pytest.approx(value, abs=near)
    first, last = min(points), max(points)
    outside = np.r_[0 : first - 19, last + 20 : len(drink)]
    assert np.array_equal(made.rotations[outside], drink.rotations[outside])
    assert np.array_equal(made.root[outside], drink.root[outside])
    # the points themselves, and what lies between: no leap from frame to frame
    reach = max(abs(v - curve_of(drink, of).values[f]) for f, v in points.items())
    step = np.abs(np.diff(curve - curve_of(drink, of).values)).max()
    assert step < 0.25 * reach


def test_frames_that_are_held_stay(drink):
    made = pull(drink, "left_hand.y", {90: 1.2}, hold=[80, 110], smooth=60)
    for frame in (80, 110):
        assert made.rotations[frame] == pytest.approx(drink.rotations[frame], abs=1e-12)
    assert np.array_equal(made.rotations[:21], drink.rotations[:21])
    made = pull(drink, "LeftArm.x", {90: 30.0}, hold=[80, 110])
    assert np.array_equal(made.rotations[:81], drink.rotations[:81])
    assert np.array_equal(made.rotations[110:], drink.rotations[110:])


def test_tension_shapes_the_curves_of_angles(drink):
    points = {60: 20.0, 75: 50.0, 90: 40.0}
    slack = curve_of(pull(drink, "LeftArm.x", points, tension=-1), "LeftArm.x").values
    tight = curve_of(pull(drink, "LeftArm.x", points, tension=1), "LeftArm.x").values
    assert slack[60:91].max() > tight[60:91].max()
    assert slack[[60, 75, 90]] == pytest.approx(tight[[60, 75, 90]])


def test_what_cannot_be_reached_is_said_and_small_movement_stays(drink):
    with pytest.raises(UnmetRulesError, match="are missing"):
        pull(drink, "distance(left_hand, left_lower_arm)", {90: 1.5})
    tried = pull(drink, "distance(left_hand, left_lower_arm)", {90: 1.5}, best_effort=True)
    assert len(tried) == len(drink)


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        (("left_hand.y", {}), InputError, "at least one"),
        (("left_hand.y", {500: 1.0}), InputError, "frames of points"),
        (("left_hand.y", {5: float("nan")}), InputError, "finite"),
        (("nose.y", {5: 1.0}), UnknownNameError, "nose"),
        (("left_hand.y = head.y", {5: 1.0}), InputError, "one rule"),
        (("*_hand.y", {5: 1.0}), InputError, "means 2"),
    ],
)
def test_mistakes_are_named(drink, arguments, error, says):
    with pytest.raises(error, match=says):
        pull(drink, *arguments)


def test_mistakes_in_options_are_named(drink):
    with pytest.raises(InputError, match="smooth"):
        pull(drink, "left_hand.y", {5: 1.0}, smooth=0)
    with pytest.raises(InputError, match="pulled and held"):
        pull(drink, "left_hand.y", {5: 1.0}, hold=[5])
    with pytest.raises(UnknownNameError, match="magic"):
        pull(drink, "left_hand.y", {5: 1.0}, solver="magic")
    with pytest.raises(InputError, match="without frames"):
        pull(drink[:0], "left_hand.y", {0: 1.0})
