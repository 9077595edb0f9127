"""Multilevel B-splines: near the data, smooth, and as cheap to change as a change reaches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte.errors import InputError
from marotte.fitting import Level, fit_levels, refit
from tests.naive import bsplines as naive

FRAMES = 40


@st.composite
def scattered(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Rising times within the take, some of them twice, and values of two dimensions."""
    times = sorted(draw(st.lists(st.integers(0, 2 * (FRAMES - 1)), min_size=1, max_size=30)))
    seed = draw(st.integers(0, 10_000))
    return np.array(times) / 2.0, np.random.default_rng(seed).normal(size=(len(times), 2))


@given(scattered(), st.sampled_from([1.0, 2.0, 3.5, 8.0, 64.0]))
def test_one_level_is_the_textbooks(data, spacing):
    times, values = data
    level = fit_levels(times, values, frames=FRAMES, spacing=spacing, levels=1).levels[0]
    for d in range(2):
        want = naive.fit(times.tolist(), values[:, d].tolist(), spacing, len(level.control))
        assert level.control[:, d] == pytest.approx(want, abs=1e-12)
    for frame in (0.0, 3.25, 17.0, FRAMES - 1.0):
        want = [naive.curve(level.control[:, d].tolist(), spacing, frame) for d in range(2)]
        assert level([frame])[0] == pytest.approx(want, abs=1e-12)


@given(st.floats(0, FRAMES - 1), st.sampled_from([1.0, 4.0, 16.0]), st.integers(1, 4))
def test_a_datum_alone_comes_out_exactly(time, spacing, levels):
    """LS99 eq. 2 as printed would leave most of it: a dragged hand must be where it was put."""
    made = fit_levels([time], [[1.0, -2.0]], frames=FRAMES, spacing=spacing, levels=levels)
    assert made([time])[0] == pytest.approx([1.0, -2.0], abs=1e-12)


@given(scattered())
def test_levels_come_nearer(data):
    times, values = data
    made = fit_levels(times, values, frames=FRAMES, spacing=16, levels=5)
    rest, sizes = values, [np.sqrt((values**2).sum())]
    for level in made.levels:
        rest = rest - level(times)
        sizes.append(np.sqrt((rest**2).sum()))
    assert made(times) == pytest.approx(values - rest, abs=1e-12)
    assert sizes[-1] <= sizes[0] * (1.0 + 1e-12)


@given(st.integers(0, 1000), st.integers(0, FRAMES - 1), st.sampled_from([4.0, 16.0]))
def test_a_change_is_as_if_all_were_fitted_anew(seed, moved, spacing):
    draw = np.random.default_rng(seed)
    times, values = np.arange(float(FRAMES)), draw.normal(size=(FRAMES, 3))
    before = fit_levels(times, values, frames=FRAMES, spacing=spacing, levels=3)
    values = values.copy()
    values[moved] += draw.normal(size=3)
    again = refit(before, times, values, changed=(moved, moved))
    whole = fit_levels(times, values, frames=FRAMES, spacing=spacing, levels=3)
    for a, b in zip(again.levels, whole.levels, strict=True):
        assert a.control == pytest.approx(b.control, abs=1e-12)


def test_a_change_reaches_no_further_than_its_knots():
    """NOTES 4.4: one datum moves frames up to just under four knots away on the first level."""
    made = fit_levels([100.0], [1.0], frames=201, spacing=8, levels=1)
    moved = np.flatnonzero(np.abs(made(np.arange(201))[:, 0]) > 1e-12)
    assert moved[0] >= 100 - 4 * 8
    assert moved[-1] <= 100 + 4 * 8
    assert moved[-1] - moved[0] > 5 * 8


def test_the_curve_has_no_kinks():
    draw = np.random.default_rng(3)
    made = fit_levels(np.arange(40.0), draw.normal(size=40), frames=40, spacing=8, levels=2)
    fine = made(np.linspace(0, 39, 39 * 400 + 1))[:, 0]
    bends = np.diff(fine, 2) * (400**2)
    assert np.abs(np.diff(bends)).max() < 0.05 * np.abs(bends).max()


def test_a_level_can_be_taken_away():
    made = fit_levels([3.0, 20.0], [1.0, 2.0], frames=FRAMES, spacing=8, levels=2)
    assert made.without(1)([3.0]) == pytest.approx(made.levels[0]([3.0]))
    with pytest.raises(InputError, match="last level"):
        made.without(0).without(0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"times": [3.0, 1.0]}, "rise"),
        ({"times": [0.0, 99.0]}, "up to 39"),
        ({"values": [1.0, np.nan]}, "finite"),
        ({"values": [[1.0]]}, "must fit"),
        ({"spacing": 0.5}, "spacing"),
        ({"levels": 0}, "levels"),
        ({"frames": 0}, "one frame"),
    ],
)
def test_bad_input_is_named(change, words):
    given = {"times": [0.0, 1.0], "values": [1.0, 2.0], "frames": FRAMES, "spacing": 4, "levels": 2} | change
    with pytest.raises(InputError, match=words):
        fit_levels(given.pop("times"), given.pop("values"), **given)


def test_a_level_needs_control_points():
    with pytest.raises(InputError, match="four"):
        Level(4, np.zeros((3, 1)))
