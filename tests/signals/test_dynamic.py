"""The dynamic programme of timewarping: paths must be allowed, cheapest, and found in little memory."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte.errors import InputError
from marotte.signals import dynamic
from marotte.signals.dynamic import Limits, Weights, best_path, curves, path_cost, path_through
from tests.naive import warp as naive

seeds = st.integers(0, 10_000)
counts = st.integers(1, 14)
weights = st.builds(
    Weights, st.sampled_from([0.0, 0.05, 1.0]), st.sampled_from([0.0, 0.2, 1.0]), st.sampled_from([0.0, 1.0])
)
limits = st.builds(Limits, st.integers(0, 3), st.sampled_from([1.5, 3.0, np.inf]))


def signals(seed, frames, others, channels=1, smooth=False):
    rng = np.random.default_rng(seed)
    made = rng.normal(size=(frames, channels)), rng.normal(size=(others, channels))
    return tuple(np.cumsum(s, axis=0) for s in made) if smooth else made


def vertices(a, b):
    """Both as polygons, time first, scaled as the module's text says; and their main directions."""
    both = [s - s.mean(axis=0) for s in (a, b)]
    sizes = [np.sqrt((s**2).sum(axis=1).mean()) for s in both]
    both = [s / size if size > 1e-12 else 0 * s for s, size in zip(both, sizes, strict=True)]
    rises = np.concatenate([np.sqrt((np.diff(s, axis=0) ** 2).sum(axis=1)) for s in both])
    step = rises.mean() if len(rises) and rises.mean() > 1e-12 else 1.0
    whole = np.concatenate(both)
    main = np.linalg.eigh(whole.T @ whole)[1][:, -1] if a.shape[1] > 1 else np.ones(1)
    # lengths and angles in steps of the mean slope, values as they are
    shapes = [np.column_stack([np.arange(len(s)), s / step]).tolist() for s in both]
    return both, shapes, [(s @ main).tolist() for s in both], step


def naive_cost(a, b, w, limit):
    _, shapes, along, step = vertices(a, b)
    return naive.cheapest(
        *shapes, *along,
        stretching=w.stretching, bending_weight=w.bending, value=w.value * step**2,
        most=limit.most, band=limit.band,
    )  # fmt: skip


def check(path, frames, others, limit):
    """A path runs from corner to corner in steps of one frame, within its limits."""
    assert tuple(path[0]) == (0, 0)
    assert tuple(path[-1]) == (frames - 1, others - 1)
    steps = np.diff(path, axis=0)
    assert {tuple(s) for s in steps.tolist()} <= {(1, 1), (1, 0), (0, 1)}
    if limit.most:
        stood = 0
        previous = (1, 1)
        for step in map(tuple, steps.tolist()):
            stood = 0 if step == (1, 1) else stood + 1
            assert stood <= limit.most
            assert step == (1, 1) or previous in ((1, 1), step)
            previous = step
    slope = (others - 1) / max(1, frames - 1)
    off = np.abs(path[:, 1] - path[:, 0] * slope)[1:-1]
    assert (off <= max(limit.band, 1.0, slope) + 1e-9).all()


@given(seeds, counts, counts, st.sampled_from([1, 3]), weights, limits)
def test_no_path_is_cheaper_than_the_one_found(seed, frames, others, channels, w, limit):
    """A dearer path means steps that meet a beat late; the oracle searches the whole table."""
    a, b = signals(seed, frames, others, channels)
    want = naive_cost(a, b, w, limit)
    left, right = curves(a, b, w)
    if not np.isfinite(want):
        with pytest.raises(InputError, match="cannot be matched within these limits"):
            best_path(left, right, limit)
        return
    path = best_path(left, right, limit)
    check(path, frames, others, limit)
    assert path_cost(left, right, path) == pytest.approx(want, abs=1e-9, rel=1e-9)


@given(
    seeds, st.integers(1, 60), st.integers(1, 60), st.integers(0, 2), st.integers(1, 200), st.integers(2, 4)
)
def test_little_memory_finds_the_same_path(seed, frames, others, most, kept, pieces):
    """Takes of ten minutes must not need a grid of gigabytes, nor get another answer."""
    a, b = signals(seed, frames, others, smooth=True)
    left, right = curves(a, b)
    limit = Limits(most)
    with pytest.MonkeyPatch.context() as patch:
        try:
            whole = best_path(left, right, limit)
        except InputError:
            patch.setattr(dynamic, "KEPT_MOVES", kept)
            with pytest.raises(InputError):
                best_path(left, right, limit)
            return
        patch.setattr(dynamic, "KEPT_MOVES", kept)
        patch.setattr(dynamic, "PIECES", pieces)
        assert np.array_equal(best_path(left, right, limit), whole)


@given(seeds, st.integers(2, 40), limits)
def test_a_signal_meets_itself_frame_by_frame(seed, frames, limit):
    a, _ = signals(seed, frames, 1, 2)
    path = best_path(*curves(a, a), limit)
    assert np.array_equal(path, np.stack([np.arange(frames)] * 2, axis=1))


@given(seeds, counts, counts, st.booleans())
def test_the_way_back_is_the_same_way(seed, frames, others, shape_only):
    """A is to B as B is to A: reversing a correspondence must not be another match."""
    a, b = signals(seed, frames, others)
    w = Weights(value=0.0) if shape_only else Weights()
    there, back = curves(a, b, w), curves(b, a, w)
    assert path_cost(*there, best_path(*there)) == pytest.approx(path_cost(*back, best_path(*back)), abs=1e-9)


@given(seeds, st.floats(0.2, 5.0), st.floats(-100, 100))
def test_size_and_level_do_not_matter(seed, size, level):
    """A neutral wave meets a pronounced one (BW95 fig. 8)."""
    a, b = signals(seed, 30, 35, smooth=True)
    path = best_path(*curves(a, b))
    assert path_cost(*curves(a, b), best_path(*curves(a, size * b + level))) == pytest.approx(
        path_cost(*curves(a, b), path), rel=1e-6
    )


def time_map(t):
    w = t + 0.5 * np.sin(0.6 * t)
    return w / w[-1] * t[-1]


def wavy(t):
    return np.sin(2 * t) + 0.4 * np.sin(5 * t + 1) + 0.2 * np.sin(9 * t)


@pytest.mark.parametrize(
    ("w", "mean", "worst"),
    [(Weights(), 0.03, 0.15), (Weights(0.0, 0.0, 1.0), 0.03, 0.25), (Weights(1.0, 1.0, 0.0), 0.05, 0.25)],
)
def test_a_known_warp_is_found_again(w, mean, worst):
    """Of 20 s, played at 0.7 to 1.3 of its speed; the last line is BW95's cost, shape alone."""
    t, other = np.linspace(0, 20, 1200), np.linspace(0, 20, 1000)
    true = time_map(t)
    path = best_path(*curves(wavy(true), 1.6 * wavy(other), w))
    found = np.array([other[path[path[:, 0] == i, 1]].mean() for i in range(len(t))])
    assert np.abs(found - true).mean() < mean
    assert np.abs(found - true).max() < worst


def test_opposed_extremes_are_dear():
    """BW95's check: without it the angles at a peak and at a trough are the same."""
    up = np.array([0.0, 1.0, 0.0])
    (a, b), shape = curves(up, -up, Weights(0.0, 1.0, 0.0)), curves(up, up, Weights(0.0, 1.0, 0.0))
    middle = np.array([[0, 0], [1, 1], [2, 2]])
    assert path_cost(*shape, middle) == 0.0
    assert path_cost(a, b, middle) == pytest.approx((a.turns[1] + b.turns[1]) ** 2)
    assert path_cost(a, b, best_path(a, b)) < path_cost(a, b, middle)  # it goes round


def test_diagonals_are_favoured_where_nothing_happens():
    """A figure that stands still must not be given a time that limps."""
    path = best_path(*curves(np.zeros(50), np.zeros(50)))
    assert np.array_equal(path[:, 0], path[:, 1])
    assert len(best_path(*curves(np.zeros(50), np.zeros(40)))) == 50


@given(seeds, st.integers(5, 30), st.integers(5, 30), st.data())
def test_paths_pass_through_pins(seed, frames, others, data):
    a, b = signals(seed, frames, others)
    pin = data.draw(st.tuples(st.integers(1, frames - 2), st.integers(1, others - 2)))
    path = path_through(*curves(a, b), [pin])
    check(path, frames, others, Limits())
    assert list(pin) in path.tolist()


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (np.zeros(0), np.zeros(3), "signal a must have shape"),
        (np.zeros(3), np.zeros((3, 2)), "as many channels, but have 1 and 2"),
        (np.zeros(3), np.array([0, np.nan, 0]), "signal b must be finite"),
        (np.zeros((2, 2, 2)), np.zeros(3), "shape"),
    ],
)
def test_bad_signals_are_named(a, b, words):
    with pytest.raises(InputError, match=words):
        curves(a, b)
