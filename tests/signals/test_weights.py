"""Weights over time and by parts of the body."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte.errors import InputError, UnknownNameError
from marotte.signals import signals_of, weight_curve
from marotte.signals.weights import signal_weights
from tests.figure.figures import wander

keys = st.dictionaries(st.integers(0, 99), st.floats(-2, 2), min_size=1, max_size=6)


@given(keys)
def test_a_curve_meets_its_keys_and_never_goes_beyond_them(given_keys):
    """A weight that shot over 1 would exaggerate a take for a moment."""
    curve = weight_curve(given_keys, 100)
    assert [curve[f] for f in given_keys] == pytest.approx(list(given_keys.values()), abs=1e-12)
    assert curve.min() >= min(given_keys.values()) - 1e-12
    assert curve.max() <= max(given_keys.values()) + 1e-12
    frames = sorted(given_keys)
    for a, b in itertools.pairwise(frames):
        inside = curve[a : b + 1]
        assert inside.min() >= min(given_keys[a], given_keys[b]) - 1e-12
        assert inside.max() <= max(given_keys[a], given_keys[b]) + 1e-12


def test_a_curve_has_no_kinks():
    curve = weight_curve({10: 0.0, 40: 0.7, 90: 1.0}, 1000)
    fine = weight_curve({100: 0.0, 400: 0.7, 900: 1.0}, 1000)
    assert (curve[:11] == 0.0).all()
    assert (curve[90:] == 1.0).all()
    steps = np.diff(fine)
    assert np.abs(np.diff(steps)).max() < 0.05 * steps.max()  # neighbouring slopes are nearly the same


def test_frames_may_count_from_the_end():
    assert weight_curve({0: 1.0, -1: 0.0}, 50) == pytest.approx(weight_curve({0: 1.0, 49: 0.0}, 50))


def test_parts_joints_and_channels_have_weights_of_their_own():
    motion = wander()
    signals = signals_of(motion)
    given_weights: Any = {"all": 0.5, "left_arm": {0: 0.0, 39: 1.0}, "LeftHand": 0.25, "Neck.rx": 2.0}
    weights, single = signal_weights(given_weights, signals, 40)
    by_name = dict(zip(signals.names, weights.T, strict=True))
    assert (by_name["Hips.tx"] == 0.5).all()
    assert by_name["LeftArm.ry"][0] == 0.0
    assert by_name["LeftArm.ry"][-1] == 1.0
    assert (by_name["LeftHand.rz"] == 0.25).all()
    assert (by_name["Neck.rx"] == 2.0).all()
    assert (by_name["Neck.ry"] == 0.5).all()
    assert [signals.names[c] for c in np.flatnonzero(single)] == ["Neck.rx"]


@pytest.mark.parametrize(
    ("weight", "error", "words"),
    [
        ({}, InputError, "at least one key"),
        ({"leftarm": 1.0}, UnknownNameError, "did you mean .*'left_arm'"),
        ({"left_arm": {"x": 1.0}}, InputError, "frames as keys, but has 'x'"),
        ([1.0, 2.0], InputError, r"have 40 values, but has shape \(2,\)"),
        (np.nan, InputError, "finite"),
        ({0: np.inf}, InputError, "finite"),
    ],
)
def test_mistakes_are_named(weight, error, words):
    with pytest.raises(error, match=words):
        signal_weights(weight, signals_of(wander()), 40)
