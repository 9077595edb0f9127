"""Splines through numbers: keys are met, corners are where they are asked for, nothing overshoots unasked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import PchipInterpolator

from marotte.curves import kochanek_bartels, monotone
from marotte.errors import InputError
from tests.naive import splines as naive

SHAPE = st.floats(-1, 1)
LOOSE: Any = "loose"


@st.composite
def keys(draw, least=1, most=9):
    """Uneven times and values (K, 3) at them."""
    count = draw(st.integers(least, most))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    return np.cumsum(rng.uniform(0.05, 4.0, count)), rng.normal(size=(count, 3)) * 10.0


@given(keys(), SHAPE, SHAPE, SHAPE)
def test_keys_are_met_bit_by_bit(given_keys, tension, continuity, bias):
    times, values = given_keys
    curve = kochanek_bartels(times, values, tension=tension, continuity=continuity, bias=bias)
    assert np.array_equal(curve(times), values)
    assert np.array_equal(monotone(times, values)(times), values)


@given(keys(least=5), SHAPE, SHAPE, SHAPE, st.floats(0, 1))
def test_the_curve_is_the_textbook_s(given_keys, tension, continuity, bias, share):
    times, values = given_keys
    at = float(times[1] + share * (times[-2] - times[1]))
    got = kochanek_bartels(times, values, tension=tension, continuity=continuity, bias=bias)([at])[0]
    t = times.tolist()
    at = min(at, t[-2] - 1e-9)
    want = [naive.kochanek_bartels(t, x.tolist(), at, tension, continuity, bias) for x in values.T]
    assert got == pytest.approx(want, abs=1e-6)


def test_without_parameters_it_is_catmull_and_rom_s():
    x = np.array([0.0, 3.0, -1.0, 4.0])
    u = np.linspace(0, 1, 11)
    got = kochanek_bartels(np.arange(4), x)(1.0 + u)
    basis = np.array([[0, 2, 0, 0], [-1, 0, 1, 0], [2, -5, 4, -1], [-1, 3, -3, 1]]) / 2
    assert got == pytest.approx(np.stack([u**0, u, u**2, u**3], axis=1) @ basis @ x, abs=1e-12)


@given(keys(least=3), SHAPE, SHAPE)
def test_speed_has_no_jump_however_keys_are_spaced(given_keys, tension, bias):
    """A jump of speed at a key shows as a jerk in the motion."""
    times, values = given_keys
    curve = kochanek_bartels(times, values, tension=tension, bias=bias)
    eps = 1e-7
    for t in times[1:-1]:
        before, after = curve.velocity([t - eps, t + eps])
        assert after == pytest.approx(before, abs=0.05)  # of velocities in the hundreds
        assert (curve([t + eps]) - curve([t])) / eps == pytest.approx(after[None], abs=0.05)


def test_what_tension_continuity_and_bias_do():
    times, x = [0.0, 1.0, 2.0], np.array([0.0, 1.0, 0.5])
    near = np.array([0.9, 1.1])
    tight = kochanek_bartels(times, x, tension=1.0)
    assert tight.velocity([1.0]) == pytest.approx(0.0)
    corner = kochanek_bartels(times, x, continuity=-1.0)
    assert corner.arriving[1] == pytest.approx(1.0)  # straight from the left, straight to the right
    assert corner.leaving[1] == pytest.approx(-0.5)
    assert kochanek_bartels(times, x, bias=1.0)(near)[1] > 1.0  # goes beyond the key first
    assert kochanek_bartels(times, x, bias=-1.0)(near)[0] > 1.0  # turns before it
    one = kochanek_bartels(times, x, tension=[0.0, 1.0, 0.0])
    assert one.velocity([1.0]) == pytest.approx(0.0)


@given(keys(least=2), SHAPE)
def test_keys_on_a_line_give_the_line(given_keys, tension):
    times, values = given_keys
    line = values[0] + times[:, None] * values[1]
    at = np.linspace(times[0] - 1, times[-1] + 1, 40)
    got = kochanek_bartels(times, line)(at, beyond="straight")
    assert got == pytest.approx(values[0] + at[:, None] * values[1], abs=1e-9)


def test_ends():
    times, x = np.array([0.0, 1.0, 3.0]), np.array([0.0, 2.0, 1.0])
    still = kochanek_bartels(times, x, ends="still")
    assert still.velocity([0.0, 3.0]) == pytest.approx(0.0)
    mixed = kochanek_bartels(times, x, ends=("natural", "still"))
    h = 1e-4
    bend = mixed([0.0, h, 2 * h])
    assert (bend[0] - 2 * bend[1] + bend[2]) / h**2 == pytest.approx(0.0, abs=1e-2)
    assert mixed.velocity([3.0]) == pytest.approx(0.0)
    two = kochanek_bartels([0.0, 2.0], [0.0, 4.0], ends="still")
    assert two([0.5, 1.0]) == pytest.approx([0.625, 2.0])
    assert kochanek_bartels([5.0], [[1.0, 2.0]])([0.0, 9.0]).tolist() == [[1.0, 2.0]] * 2


@given(keys(least=2))
def test_monotone_is_pchip(given_keys):
    times, values = given_keys
    at = np.linspace(times[0], times[-1], 60)
    assert monotone(times, values)(at) == pytest.approx(PchipInterpolator(times, values)(at), abs=1e-9)


@given(keys(least=2), st.floats(-100, 100), st.floats(-100, 100))
def test_monotone_stays_between_neighbours_whatever_velocity_is_asked_for(given_keys, start, end):
    times, values = given_keys
    curve = monotone(times, values, start=start, end=end)
    for i in range(len(times) - 1):
        inside = curve(np.linspace(times[i], times[i + 1], 25))
        rising = np.diff(inside, axis=0) * np.sign(values[i + 1] - values[i])
        assert (rising > -1e-9).all()


def test_monotone_keeps_the_velocity_that_is_asked_for_where_it_can():
    curve = monotone([0.0, 2.0, 3.0], [0.0, 1.0, 5.0], start=1.2, end=0.0)
    assert curve.velocity([0.0, 3.0]) == pytest.approx([1.2, 0.0])
    assert monotone([0.0, 1.0], [0.0, 1.0], start=-1.0).velocity([0.0]) == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: kochanek_bartels([], []), "at least one key"),
        (lambda: kochanek_bartels([0, 1, 1], [1, 2, 3]), "times must increase.*1 is followed by 1"),
        (lambda: kochanek_bartels([0, 1], [1, 2, 3]), r"one a key \(2\)"),
        (lambda: kochanek_bartels([0, np.nan], [1, 2]), "times must be finite"),
        (lambda: kochanek_bartels([0, 1], [1, np.inf]), "values must be finite"),
        (lambda: kochanek_bartels([0, 1], [1, 2], tension=2), "tension must be from -1 to 1"),
        (lambda: kochanek_bartels([0, 1], [1, 2], bias=np.nan), "bias must be from -1 to 1"),
        (lambda: kochanek_bartels([0, 1], [1, 2], continuity=[0, 0, 0]), "one a key"),
        (lambda: kochanek_bartels([0, 1], [1, 2], ends=LOOSE), "ends must be one or two of"),
        (lambda: kochanek_bartels([0, 1], [1, 2])([0.5], beyond=LOOSE), "beyond must be one of"),
        (lambda: monotone([0, 1], [1, 2], start=np.nan), "start must be finite"),
        (lambda: monotone([0, 1], [1, 2])([np.nan]), "at must be finite"),
    ],
)
def test_mistakes_are_named(make, words):
    with pytest.raises(InputError, match=words):
        make()
