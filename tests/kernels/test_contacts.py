"""What rests: smoothed tracks, thresholds, and the frames in which a point stops and starts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte import kernels
from tests.naive import contacts as naive

SEED = st.integers(0, 10_000)


@given(SEED, st.integers(1, 14), st.integers(1, 5))
def test_tracks_are_lines_fitted_to_the_frames_around(seed, frames, half):
    points = np.random.default_rng(seed).normal(size=(frames, 2, 3))
    places, speeds = np.full(points.shape, np.nan), np.full(points.shape[:2], np.nan)
    kernels.contacts.track(points, half, 30.0, places, speeds)
    want = naive.track(points, half, 30.0)
    assert places == pytest.approx(want[0], abs=1e-12)
    assert speeds == pytest.approx(want[1], abs=1e-9)


@given(SEED, st.integers(0, 40))
def test_noise_near_one_threshold_does_not_flicker(seed, frames):
    rng = np.random.default_rng(seed)
    heights, speeds = rng.uniform(0, 1, (frames, 2)), rng.uniform(0, 1, (frames, 2))
    rests = np.full((frames, 2), 7, dtype=np.int64)
    kernels.contacts.low_and_slow(heights, speeds, 0.4, 0.7, 0.4, 0.8, rests)
    assert np.array_equal(rests == 1, naive.low_and_slow(heights, speeds, (0.4, 0.4), (0.7, 0.8)))


def passing(begin: float, end: float, frames: int, power: int, speed: float):
    """(F, 1, 3) a point that comes to rest at one time and leaves at another; times in frames."""
    t = np.arange(frames)
    way = np.zeros((frames, 1, 3))
    way[:, 0, 2] = -speed * np.maximum(begin - t, 0.0) ** power + speed * np.maximum(t - end, 0.0) ** power
    way[:, 0, 1] = 0.5 * speed * (np.maximum(begin - t, 0.0) ** power + np.maximum(t - end, 0.0) ** power)
    return way


@pytest.mark.parametrize(("power", "speed"), [(1, 0.02), (2, 0.004), (3, 0.0008)])
@pytest.mark.parametrize("late", [-3, 0, 3])
@given(SEED)
def test_ends_move_to_where_the_point_stops_and_starts(power, speed, late, seed):
    """A foot that is pinned a few frames too early or too late visibly drags or pops."""
    rng = np.random.default_rng(seed)
    begin, end = rng.uniform(18, 22), rng.uniform(40, 44)
    points = passing(begin, end, 64, power, speed)
    rests = np.zeros((64, 1), dtype=np.int64)
    first, last = round(begin), round(end)
    rests[first - late : last + 1 + late] = 1
    kernels.contacts.refine(points, 8, 5, 0.0004, 4.0, rests)
    found = np.flatnonzero(rests[:, 0])
    sharp = 1 if power == 1 else 2  # what goes off gently has hardly moved a frame later
    assert abs(found[0] - np.ceil(begin)) <= sharp
    assert abs(found[-1] - np.floor(end)) <= sharp
    assert len(found) == found[-1] - found[0] + 1


@given(SEED)
def test_noise_moves_ends_by_little(seed):
    """5 mm of noise: within three frames of 60 a second, where the foot's step is quick."""
    rng = np.random.default_rng(seed)
    points = passing(20.0, 42.0, 64, 1, 0.02) + 0.005 * rng.normal(size=(64, 1, 3))
    rests = np.zeros((64, 1), dtype=np.int64)
    rests[19:45] = 1
    kernels.contacts.refine(points, 7, 3, 0.005, 1.2, rests)
    found = np.flatnonzero(rests[:, 0])
    assert abs(found[0] - 20) <= 3
    assert abs(found[-1] - 42) <= 3


def behind(points, anchor, stands=0):
    rests = np.zeros(points.shape[:2], dtype=np.int64)
    places, speeds = np.empty_like(points), np.empty(points.shape[:2])
    kernels.contacts.track(points, 1, 60.0, places, speeds)
    kernels.contacts.stay_behind(
        places,
        speeds,
        anchor,
        np.full(len(points), stands),
        0.25,
        0.5,
        0.02,
        0.05,
        0.003,
        5.0,
        0.0,
        24,
        rests,
    )
    return np.flatnonzero(rests[:, 0])


def test_a_hand_that_stays_while_the_shoulder_moves_holds_something():
    points = passing(20.0, 80.0, 100, 1, 0.02)
    points[:, 0, 1] += 1.0
    anchor = np.zeros((100, 3))
    assert len(behind(points, anchor)) == 0  # nothing moves
    anchor[:, 1] = np.linspace(0.5, 0.9, 100)  # the body is pulled up
    held = behind(points, anchor)
    assert abs(held[0] - 20) <= 1
    assert abs(held[-1] - 80) <= 1
    anchor[:, 1] = np.linspace(0.5, 0.51, 100)  # it sways by a centimetre
    assert len(behind(points, anchor, stands=1)) == 0
    assert len(behind(points, anchor, stands=0)) > 50  # what hangs, hangs on it
    points += np.linspace(0, 0.4, 100)[:, None, None]  # the hand goes with the body
    assert len(behind(points, anchor)) == 0
