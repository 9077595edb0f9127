"""The algebra of bands on arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte.errors import InputError
from marotte.signals import band_count, band_edges, decompose, equalized

clips = st.builds(
    lambda seed, frames, count: np.random.default_rng(seed).normal(size=(frames, count)).cumsum(axis=0),
    st.integers(0, 10_000),
    st.integers(1, 200),
    st.integers(1, 4),
)
both_edges = st.sampled_from(["reflect", "hold"])


@pytest.mark.parametrize(("frames", "bands"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (127, 6), (128, 7)])
def test_number_of_bands(frames, bands):
    """L97 eq. 4.1."""
    assert band_count(frames) == bands


@given(clips, both_edges)
def test_all_bands_and_the_residue_add_up(clip, edges):
    made = decompose(clip, edges=edges)
    assert made.bands.sum(axis=0) + made.residue == pytest.approx(clip.T, abs=1e-12 * (1 + abs(clip).max()))
    assert np.array_equal(equalized(clip, np.ones(band_count(len(clip))), edges=edges), clip)  # bit by bit


@given(clips, both_edges, st.integers(0, 10_000))
def test_gains_multiply_their_own_bands(clip, edges, seed):
    """Gains of 0 and negative ones do what the algebra says."""
    bands = band_count(len(clip))
    gains = np.random.default_rng(seed).choice([-2.0, -1.0, 0.0, 0.5, 1.0, 3.0], size=(clip.shape[1], bands))
    made = decompose(clip, edges=edges)
    want = np.einsum("cb,bcf->fc", gains, made.bands) + 0.25 * made.residue.T
    got = equalized(clip, gains, dc=0.25, edges=edges)
    assert got == pytest.approx(want, abs=1e-11 * (1 + abs(clip).max()))


@given(clips, both_edges)
def test_a_constant_has_no_bands(clip, edges):
    """L97 5.1.1: gains must not lift a joint that stands still, whatever angle it stands at."""
    still = np.broadcast_to(clip[0], clip.shape)
    gains = np.full(band_count(len(clip)), 5.0)
    assert equalized(still, gains, edges=edges) == pytest.approx(still, abs=1e-12 * (1 + abs(clip).max()))


@given(clips, clips, st.floats(-3, 3), both_edges)
def test_equalizing_is_linear(a, b, factor, edges):
    frames, count = min(len(a), len(b)), min(a.shape[1], b.shape[1])
    a, b = a[:frames, :count], b[:frames, :count]
    gains = np.arange(band_count(frames)) - 1.0
    both = equalized(a + factor * b, gains, edges=edges)
    apart = equalized(a, gains, edges=edges) + factor * equalized(b, gains, edges=edges)
    assert both == pytest.approx(apart, abs=1e-9)


@given(clips, both_edges)
def test_time_has_no_direction(clip, edges):
    """A filter that leant to one side would make motion late or early."""
    gains = np.array([2.0, 0.0, -1.0, 3.0])
    turned = equalized(clip[::-1], gains, edges=edges)[::-1]
    assert turned == pytest.approx(equalized(clip, gains, edges=edges), abs=1e-10)


def test_a_sine_lies_in_the_band_that_holds_its_frequency():
    """The frequencies that help and reports state must be those that gains act on."""
    rate, frames = 60.0, 1920
    t = np.arange(frames) / rate
    edges = band_edges(frames, rate)
    for k in range(1, 7):
        middle = np.sqrt(edges[k, 0] * edges[k, 1])
        made = decompose(np.sin(2 * np.pi * middle * t)[:, None])
        energy = (made.bands[:, 0] ** 2).sum(axis=1)
        assert energy.argmax() == k
        assert energy[k] > 0.6 * energy.sum()


@pytest.mark.parametrize(
    ("signals", "gains", "words"),
    [
        (np.zeros((0, 3)), [1.0], "frames"),
        (np.zeros(5), [1.0], r"shape \(F, C\)"),
        (np.full((8, 2), np.nan), [1.0], "finite"),
        (np.zeros((8, 2)), np.zeros((3, 3)), r"\(2, B\)"),
        (np.zeros((8, 2)), [np.inf], "gains must be finite"),
    ],
)
def test_bad_input_is_named(signals, gains, words):
    with pytest.raises(InputError, match=words):
        equalized(signals, gains)


def test_unknown_edges():
    with pytest.raises(InputError, match="reflect, hold"):
        equalized(np.zeros((8, 2)), [1.0], edges="wrap")  # type: ignore[arg-type]  # what a typo gives
