"""Splines through rotations: smooth through uneven keys, sign-free, and one that never overshoots."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import PchipInterpolator

from marotte.curves import rotation_spline, shape_preserving_rotations
from marotte.errors import InputError
from marotte.figure.rotations import about, angle_between, exp, inverse, log, multiply, normalised, unroll
from tests.naive import splines as naive

MAKERS: list[Any] = [rotation_spline, shape_preserving_rotations]


@st.composite
def keys(draw, least=1, most=7, size=None):
    """Uneven times and keys (K, 4) in walks of small, middling or nearly half turns, signs at random."""
    count = draw(st.integers(least, most))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    reach = size or draw(st.sampled_from([1e-9, 0.3, 1.5, 3.0, np.pi - 1e-9]))
    steps = rng.normal(size=(count, 3))
    steps *= (
        reach
        * rng.uniform(0.5 if reach < 3 else 1.0, 1.0, (count, 1))
        / np.linalg.norm(steps, axis=1, keepdims=True)
    )
    steps[rng.uniform(size=count) < 0.15] = 0.0  # some keys repeat
    q = np.empty((count, 4))
    turn = normalised(rng.normal(size=4))
    for i in range(count):
        q[i] = turn = multiply(turn, exp(steps[i]))
    return np.cumsum(rng.uniform(0.05, 4.0, count)), q * rng.choice([-1.0, 1.0], (count, 1))


@pytest.mark.parametrize("make", MAKERS)
@given(given_keys=keys())
def test_keys_are_met_and_everything_between_is_a_rotation(make, given_keys):
    times, q = given_keys
    curve = make(times, q)
    assert angle_between(curve(times), q).max() < 1e-7
    at = np.linspace(times[0] - 1, times[-1] + 1, 80)
    assert np.linalg.norm(curve(at), axis=-1) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("make", MAKERS)
@given(given_keys=keys(size=2.5), seed=st.integers(0, 100))
def test_the_sign_of_a_key_means_nothing(make, given_keys, seed):
    times, q = given_keys
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], (len(q), 1))
    at = np.linspace(times[0], times[-1], 50)
    assert angle_between(make(times, q)(at), make(times, signs * q)(at)).max() < 1e-7


def test_evenly_spaced_keys_give_shoemake_s_curve():
    rng = np.random.default_rng(4)
    q = unroll(
        multiply(normalised(rng.normal(size=4)), exp(np.cumsum(rng.normal(size=(6, 3)) * 0.5, axis=0)))
    )
    curve = rotation_spline(np.arange(6), q)
    for i in (1, 2, 3):
        for u in (0.1, 0.5, 0.8):
            want = naive.squad(list(q), i, u)
            assert angle_between(curve([i + u])[0], want) < 1e-7


@given(keys(least=3, size=1.5), st.floats(-1, 1), st.floats(-1, 1))
def test_speed_has_no_jump_at_keys(given_keys, tension, bias):
    times, q = given_keys
    curves = (rotation_spline(times, q, tension=tension, bias=bias), shape_preserving_rotations(times, q))
    eps = 1e-6
    for curve in curves:
        for i in range(1, len(times) - 1):
            before, here, after = curve([times[i] - eps, times[i], times[i] + eps])
            arriving = log(multiply(inverse(before), here)) / eps
            leaving = log(multiply(inverse(here), after)) / eps
            assert leaving == pytest.approx(arriving, abs=2e-2 * (1.0 + np.abs(arriving).max()))


def test_continuity_makes_corners():
    q = exp(np.array([[0, 0, 0], [1.0, 0, 0], [1.0, 1.0, 0]]))
    curve = rotation_spline([0, 1, 2], q, continuity=-1.0)
    ways = log(multiply(inverse(q[:-1]), q[1:]))
    assert curve.arriving[1] == pytest.approx(ways[0])
    assert curve.leaving[1] == pytest.approx(ways[1])


@given(keys(least=2), st.integers(0, 1000))
def test_shape_preserving_never_leaves_the_way_between_its_keys(given_keys, seed):
    """L97 5.3.4: an overshoot between two smoothing frames would be a new violation."""
    times, q = given_keys
    start, end = np.random.default_rng(seed).normal(size=(2, 3)) * 5.0
    curve = shape_preserving_rotations(times, q, start=start, end=end)
    for i in range(len(q) - 1):
        inside = curve(np.linspace(times[i], times[i + 1], 60))
        whole = float(angle_between(q[i], q[i + 1]))
        from_first = np.asarray(angle_between(q[i], inside))
        to_second = np.asarray(angle_between(inside, q[i + 1]))
        assert from_first.max() <= whole + 1e-7
        assert to_second.max() <= whole + 1e-7
        assert np.diff(from_first).min() > -1e-7
        assert np.diff(to_second).max() < 1e-7


@pytest.mark.parametrize("whole", [1e-3, 0.5, 1.5, 2.5, 3.1, np.pi])
def test_the_most_sideways_velocities_that_are_let_through_still_hold(whole):
    """All corners of what is allowed: straight, at 45°, as fast as may be, to the same and to both sides."""
    q = exp(np.array([[0.0, 0, 0], [whole, 0, 0]]))
    at = np.linspace(0, 1, 120)
    for first in (0.0, 0.4, 1.0, 1.5, 2.0, 3.0):
        for last in (0.0, 0.4, 1.0, 1.5, 2.0, 3.0):
            for side in (-1.0, 1.0):
                start = whole * np.array([first, min(first, 3.0 - first), 0.0])
                end = whole * np.array([last, side * min(last, 3.0 - last), 0.0])
                curve = shape_preserving_rotations([0.0, 1.0], q, start=start, end=end)
                assert curve.velocities == pytest.approx(np.array([start, end]), abs=1e-9)  # none is cut
                inside = curve(at)
                assert np.diff(np.asarray(angle_between(q[0], inside))).min() > -1e-7
                assert np.diff(np.asarray(angle_between(inside, q[1]))).max() < 1e-7


@given(keys(least=3))
def test_velocities_at_keys_are_such_as_hold(given_keys):
    """Within 45° of both ways, and not too fast for either: see the function's own words."""
    times, q = given_keys
    curve = shape_preserving_rotations(times, q)
    mean = log(multiply(inverse(curve.keys[:-1]), curve.keys[1:])) / np.diff(times)[:, None]
    for i, velocity in enumerate(curve.velocities):
        for way in mean[max(0, i - 1) : i + 1]:
            size = float(np.linalg.norm(way))
            if size < 1e-12:  # a key that repeats
                assert np.abs(velocity).max() < 1e-11
                continue
            ahead = float(velocity @ way) / size
            aside = float(np.linalg.norm(velocity - ahead * way / size))
            assert aside <= ahead * (1 + 1e-9) + 1e-12
            assert ahead + aside <= 3.0 * size * (1 + 1e-9) + 1e-12


def test_a_velocity_that_leads_nowhere_near_is_left_out():
    q = exp(np.array([[0.0, 0, 0], [0.5, 0, 0]]))
    for wanted in ([0.0, 2.0, 0.0], [-1.0, 0.0, 0.0]):
        assert not shape_preserving_rotations([0, 1], q, start=wanted).velocities[0].any()
    sideways = shape_preserving_rotations([0, 1], q, end=[0.3, 5.0, 0.0]).velocities[1]
    assert sideways == pytest.approx([0.3, 0.3, 0.0])


def test_a_little_more_turn_of_the_way_changes_the_curve_a_little():
    """A key that is dragged past a right angle must not make the motion jump."""

    def curve(degrees):
        turn = np.radians(degrees)
        q = exp(np.array([[0.0, 0, 0], [0.5, 0, 0]]))
        last = multiply(q[1], exp(0.5 * np.array([np.cos(turn), np.sin(turn), 0.0])))
        return shape_preserving_rotations([0, 1, 2], np.concatenate([q, last[None]]))(np.linspace(0, 2, 50))

    assert np.degrees(np.asarray(angle_between(curve(89.9), curve(90.1)))).max() < 0.2


@given(st.integers(0, 1000))
def test_about_one_axis_it_is_pchip(seed):
    rng = np.random.default_rng(seed)
    times, angles = np.cumsum(rng.uniform(0.1, 3, 6)), np.cumsum(rng.uniform(-1.5, 3, 6))
    q = about(np.array([0.6, 0.0, 0.8]), angles)
    at = np.linspace(times[0], times[-1], 50)
    want = about(np.array([0.6, 0.0, 0.8]), PchipInterpolator(times, angles)(at))
    assert np.asarray(angle_between(shape_preserving_rotations(times, q)(at), want)).max() < 1e-6


def test_ends_rest_or_go_on_as_asked():
    """Smoothing must leave the motion around it without a kink (L97 5.3.4)."""
    q = exp(np.array([[0, 0, 0], [0.9, 0.2, 0], [0, 0, 0.3]]))
    start = np.array([0.6, 0.3, -0.1])
    curve = shape_preserving_rotations([0.0, 1.0, 2.0], q, start=start, end="still")
    eps = 1e-6
    first = curve([0.0, eps])
    assert log(multiply(inverse(first[0]), first[1])) / eps == pytest.approx(start, abs=1e-4)
    last = curve([2.0 - eps, 2.0])
    assert np.abs(log(multiply(inverse(last[0]), last[1]))).max() / eps < 1e-4


def test_many_joints_at_once_are_many_splines():
    rng = np.random.default_rng(2)
    q = normalised(rng.normal(size=(5, 4, 4)))
    times, at = [0, 1, 3, 4, 9], np.linspace(0, 9, 30)
    for make in MAKERS:
        together = make(times, q)(at)
        for j in range(4):
            assert together[:, j] == pytest.approx(make(times, q[:, j])(at), abs=1e-12)


def test_one_key_and_two():
    q = exp(np.array([[0.2, 0, 0], [0, 0.9, 0]]))
    for make in MAKERS:
        assert make([3.0], q[:1])([0.0, 5.0]) == pytest.approx(np.repeat(q[:1], 2, axis=0))
        middle = make([0.0, 1.0], q)([0.5])[0]
        assert float(angle_between(q[0], middle)) == pytest.approx(0.5 * float(angle_between(*q)), abs=1e-9)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("times", "q", "words"),
    [
        ([0, 1], np.zeros((2, 4)), "unit quaternions"),
        ([0, 0], np.tile([1.0, 0, 0, 0], (2, 1)), "times must increase"),
        ([0, 1, 2], np.tile([1.0, 0, 0, 0], (2, 1)), r"\(3, …, 4\)"),
        ([0, 1], np.full((2, 4), np.nan), "keys must be finite"),
    ],
)
def test_mistakes_are_named(make, times, q, words):
    with pytest.raises(InputError, match=words):
        make(times, q)
