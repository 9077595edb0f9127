"""Signals that keep bounds: an angle that still passes its limit is a broken knee on screen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte.constraints.bounds import METHODS, bounded, displacement_points, level_spline
from marotte.errors import InputError
from tests.naive import bounds as naive

numbers = st.floats(-100, 100).map(lambda x: round(x, 3))
signals = st.lists(numbers, min_size=1, max_size=40).map(np.array)
limits = st.tuples(st.one_of(st.none(), st.floats(-60, -5)), st.one_of(st.none(), st.floats(5, 60))).filter(
    lambda pair: pair != (None, None)
)


@given(signals, limits, st.sampled_from(sorted(METHODS)), st.floats(0, 0.95))
def test_nothing_is_beyond_a_bound_afterwards(signal, bounds, method, knee):
    low, high = bounds
    made = bounded(signal, low=low, high=high, method=method, knee=knee)
    assert low is None or (made >= low).all()
    assert high is None or (made <= high).all()


@given(signals, st.sampled_from(sorted(METHODS)))
def test_a_signal_within_its_bounds_is_not_touched(signal, method):
    made = bounded(signal, low=-100.0, high=100.0, method=method)
    assert np.array_equal(made, signal)


@given(st.lists(numbers, min_size=2, max_size=30, unique=True).map(np.array), limits)
def test_the_displacements_of_bound_mapping_are_those_of_the_thesis(signal, bounds):
    low, high = bounds
    frames, shifts = displacement_points(signal, low, high)
    ours = level_spline(frames, shifts, len(signal))
    assert ours == pytest.approx(naive.displacement(signal.tolist(), low, high), abs=1e-9)


def test_what_lies_between_two_peaks_is_not_pulled_down_with_them():
    """L97 fig. 5.5: C, between A and B, would fall below the lower bound."""
    t = np.linspace(0, 4 * np.pi, 121)
    signal = 20.0 * np.cos(t) + 2.0 * np.sin(3 * t)
    made = bounded(signal, high=12.0, method="map")
    valley = 30 + int(signal[30:90].argmin())
    assert made[valley] == pytest.approx(signal[valley], abs=1e-9)
    assert made.max() == pytest.approx(12.0)


def test_peaks_come_to_lie_at_the_bound_and_compression_leaves_what_is_far_from_it():
    t = np.linspace(0, 2 * np.pi, 200)
    signal = 50.0 * np.sin(t)
    for method in ("map", "compress"):
        assert bounded(signal, high=40.0, method=method).max() == pytest.approx(40.0)
    made = bounded(signal, high=40.0, knee=0.8)
    # the middle of the way from the other extreme, -50, to the bound: 0.8 of it lies at 22
    assert np.array_equal(made[signal < 22.0], signal[signal < 22.0])
    assert (made[signal > 22.1] < signal[signal > 22.1]).all()


def test_compression_keeps_the_order_of_values():
    """What was the deeper bend must stay the deeper one."""
    signal = np.array([0.0, 30, 10, 50, 5, 45, 0])
    made = bounded(signal, low=-10, high=40, knee=0.5)
    assert np.array_equal(np.argsort(made), np.argsort(signal))
    assert made[3] > made[5] > made[1]


@pytest.mark.parametrize(
    ("signal", "options", "says"),
    [
        ([[1.0]], {"high": 1.0}, "shape"),
        ([np.nan], {"high": 1.0}, "finite"),
        ([1.0], {}, "low, high or both"),
        ([1.0], {"low": 2.0, "high": 1.0}, "below high"),
        ([1.0], {"high": 0.0, "method": "squash"}, "method"),
        ([1.0], {"high": 0.0, "knee": 1.0}, "knee"),
    ],
)
def test_mistakes_are_named(signal, options, says):
    with pytest.raises(InputError, match=says):
        bounded(signal, **options)
