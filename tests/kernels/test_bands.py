"""Bands against the formula worked out sample by sample."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte import kernels
from tests.naive import bands as naive


def scratch(bands: int, frames: int) -> np.ndarray:
    return np.full((2, frames + (4 << bands)), np.nan)  # what is not written must not be read


@given(st.integers(0, 10_000), st.integers(1, 40), st.integers(1, 3), st.sampled_from(["reflect", "hold"]))
def test_levels_are_those_of_the_formula(seed, frames, count, edges):
    """Every band that a user turns up would else be another one, at the ends of takes first."""
    signals = np.random.default_rng(seed).normal(size=(count, frames))
    bands = frames.bit_length() - 1
    out = np.empty((bands + 1, count, frames))
    kernels.bands.lowpass(signals, edges == "reflect", scratch(bands, frames), out)
    for c in range(count):
        assert out[:, c] == pytest.approx(
            np.array(naive.levels(signals[c].tolist(), bands, edges)), abs=1e-12
        )


@given(st.integers(0, 10_000), st.integers(1, 40), st.sampled_from(["reflect", "hold"]))
def test_weighted_sum_of_levels(seed, frames, edges):
    rng = np.random.default_rng(seed)
    bands = frames.bit_length() - 1
    signals, weights = rng.normal(size=(3, frames)), rng.normal(size=(3, bands + 1))
    weights[1, bands // 2 :] = 0.0  # levels that nothing asks for
    out = np.full((3, frames), np.nan)
    kernels.bands.equalize(signals, weights, edges == "reflect", scratch(bands, frames), out, 0, 2)
    for c in range(2):
        want = weights[c] @ np.array(naive.levels(signals[c].tolist(), bands, edges))
        assert out[c] == pytest.approx(want, abs=1e-11)
    assert np.isnan(out[2]).all()  # only the signals asked for are written
