"""Smooth curves: what is known must be kept, bounds must hold, and nothing may jump."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marotte.errors import InputError
from marotte.fitting.tension import above, carried, near
from tests.naive import tension as naive


@given(st.integers(0, 1000), st.integers(6, 60), st.floats(1.0, 8.0))
@settings(max_examples=40, deadline=None)
def test_what_is_known_is_kept_and_the_rest_is_the_least_of_the_differences(seed, frames, reach):
    generator = np.random.default_rng(seed)
    known = generator.random(frames) < 0.4
    known[generator.integers(frames)] = True
    values = np.where(known, generator.normal(size=frames), 0.0)
    out = carried(values[:, None], known, reach=reach)[:, 0]
    assert np.array_equal(out[known], values[known])
    assert np.allclose(out, naive.carried(values, known, reach), atol=2e-4)


def test_a_curve_leaves_and_arrives_with_the_speed_that_it_has_there():
    """A kink at the end of a contact is a pop of the foot."""
    known = np.ones(60, dtype=bool)
    known[20:40] = False
    values = np.where(np.arange(60) < 30, 0.1 * np.arange(60), 5.0)[:, None]
    out = carried(values, known, reach=4.0)[:, 0]
    speed = np.diff(out)
    assert speed[19] == pytest.approx(0.1, abs=0.03)
    assert np.abs(np.diff(speed)).max() < 0.06
    assert np.abs(np.diff(carried(values, known, reach=4.0)[:, 0], 2)).max() < 0.06


def test_noise_where_the_curve_leaves_is_not_carried_on():
    """A millimetre of tremble at the end of a contact must not throw the foot aside in the air."""
    generator = np.random.default_rng(3)
    known = np.ones(140, dtype=bool)
    known[50:100] = False
    tremble = 0.001 * generator.normal(size=140)
    for _ in range(20):
        out = carried(generator.permutation(tremble)[:, None], known, reach=8.4, calm=2.4)[:, 0]
        assert np.abs(out[~known]).max() < 0.012


def test_a_lower_bound_lifts_the_curve_and_no_more_than_it_must():
    known = np.ones(80, dtype=bool)
    known[10:70] = False
    least = np.full(80, -1.0)
    least[35:45] = 0.3
    out = carried(np.zeros((80, 1)), known, reach=5.0, least=least)[:, 0]
    assert (out[35:45] >= 0.3 - 1e-6).all()
    assert out.max() < 0.36
    assert np.array_equal(out[known], np.zeros(20))
    assert np.array_equal(
        carried(np.zeros((80, 1)), known, reach=5.0, least=np.full(80, -1.0)), np.zeros((80, 1))
    )


def test_a_bound_next_to_what_is_known_asks_for_no_jump():
    known = np.ones(80, dtype=bool)
    known[10:70] = False
    out = carried(np.zeros((80, 1)), known, reach=5.0, least=np.full(80, 0.3), gain=0.004)[:, 0]
    assert (out[30:50] >= 0.3 - 1e-6).all()
    assert np.abs(np.diff(out, 2)).max() < 0.03


@given(st.integers(0, 1000), st.floats(1.0, 6.0))
@settings(max_examples=25, deadline=None)
def test_the_curve_above_a_bound_is_nowhere_below_it_and_near_the_least_there_is(seed, reach):
    generator = np.random.default_rng(seed)
    bound = np.where(generator.random(40) < 0.3, generator.normal(size=40), -np.inf)
    out = above(bound, reach=reach)
    assert (out >= bound - 1e-5).all()
    best = naive.above(np.where(np.isfinite(bound), bound, -1e3), reach)
    assert np.abs(out - best).max() < 0.05 * max(1.0, np.abs(best).max())


def test_a_bound_that_asks_for_nothing_gives_nothing():
    assert not above(np.full(30, -0.5), reach=3.0).any()
    assert not above(np.full(30, -np.inf), reach=3.0).any()


def test_a_curve_near_values_passes_over_what_is_quick():
    frames = np.arange(200)
    slow, quick = np.sin(frames / 60.0), 0.3 * np.sin(frames / 1.5)
    out = near((slow + quick)[:, None], np.ones(200), reach=6.0)[:, 0]
    assert np.abs(out - slow)[10:-10].max() < 0.02


@pytest.mark.parametrize("reach", [0.0, -1.0, np.nan])
def test_reach_must_be_positive(reach):
    with pytest.raises(InputError, match="reach positive"):
        carried(np.zeros((5, 1)), np.array([True, False, False, False, True]), reach=reach)
