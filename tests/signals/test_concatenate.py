"""Takes one after another: where they meet, that nothing jumps, what goes along."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import marotte as mt
from marotte import samples
from marotte.errors import InputError
from marotte.figure import Contact, Motion, Point, resample
from marotte.figure.rotations import about, angle_between, multiply, rotate
from marotte.signals import Next, concatenate
from marotte.signals.meeting import SPEED_TIME, distances, footing
from tests.figure.figures import quadruped, wander
from tests.naive import meeting as naive

seeds = st.integers(0, 1000)


def elsewhere(motion: Motion, angle: float, x: float, z: float) -> Motion:
    """The motion turned about the vertical and put somewhere else."""
    turn = about(np.array([0.0, 1.0, 0.0]), angle)
    rotations = np.array(motion.rotations)
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    return motion.with_(root=rotate(turn, motion.root) + np.array([x, 0.0, z]), rotations=rotations)


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.walk(seconds=4, seed=3)


@pytest.fixture(scope="module")
def run() -> Motion:
    return samples.run(seconds=3)


# ---- where they meet


@settings(max_examples=5)
@given(seeds)
def test_distances_are_those_of_the_best_place_and_heading(seed):
    a, b = wander(frames=4, seed=seed), wander(frames=3, seed=seed + 1)
    got = distances(footing(a), footing(b))
    bones = a.skeleton.bone_lengths()
    weights = np.array(
        [
            0.5 * bones[j]
            + 0.5 * sum(bones[c] for c in a.skeleton.children(j))
            + 0.5 * sum(math.dist(e.offset, (0, 0, 0)) for e in a.skeleton.ends if e.joint == j)
            for j in range(len(bones))
        ]
    )
    weights /= weights.sum()
    places = [m.positions() for m in (a, b)]
    speeds = [np.gradient(p, axis=0) * 30.0 for p in places]
    for i, j in ((0, 0), (3, 1), (2, 2)):
        want = naive.distance(places[0][i], speeds[0][i], places[1][j], speeds[1][j], weights, SPEED_TIME)
        assert got[i, j] == pytest.approx(want, rel=1e-4)


@settings(max_examples=20)
@given(seeds, st.floats(-3, 3), st.floats(-5, 5))
def test_place_and_heading_do_not_matter(seed, angle, x):
    a, b = footing(wander(frames=9, seed=seed)), wander(frames=8, seed=seed + 1)
    want = distances(a, footing(b))
    assert distances(a, footing(elsewhere(b, angle, x, 1.0))) == pytest.approx(want, abs=1e-6)


@pytest.mark.parametrize("bandwise", [False, True])
def test_a_take_cut_in_two_is_put_together_again(walk, bandwise):
    """The overlap that was cut twice is found, and the result is the take as it was."""
    a, b = walk[:150], elsewhere(walk[90:], 1.3, 4.0, -2.0)
    made = concatenate(a, [b], bandwise=bandwise)
    (join,) = made.joins
    assert join.frames[0] - join.after[0] == 90
    assert join.distance < 1e-6
    assert join.turn == pytest.approx(-1.3, abs=1e-6)
    assert len(made.motion) == len(walk)
    assert made.motion.root == pytest.approx(walk.root, abs=1e-9)
    assert angle_between(made.motion.rotations, walk.rotations).max() < 1e-7
    assert made.motion.contacts == walk.contacts


def test_more_similar_frames_are_preferred_to_longer_results(walk):
    """The steps must coincide: a left step runs into a left step."""
    made = concatenate(walk, [samples.walk(seconds=4, seed=8)])
    (join,) = made.joins
    butted = concatenate(walk, [Next(samples.walk(seconds=4, seed=8), at=-19, into=0, overlap=0.3)])
    assert join.distance < 0.5 * butted.joins[0].distance


def test_what_is_given_is_kept(walk, run):
    (join,) = concatenate(walk, [Next(run, at=100, into=20, overlap=0.5)]).joins
    assert (join.frames, join.before, join.after) == ((100, 130), (100, 130), (20, 50))
    assert not join.found
    (join,) = concatenate(walk, [Next(run, at=-60)]).joins
    assert join.before[0] == len(walk) - 60
    assert join.found


def test_search_limits_what_is_left_out(walk, run):
    (join,) = concatenate(walk, [run], search=0.2).joins
    assert join.before[1] >= len(walk) - 1 - 12
    assert join.after[0] <= 12


# ---- what comes out


@pytest.mark.parametrize("bandwise", [False, True])
def test_nothing_jumps(walk, run, bandwise):
    made = concatenate(walk, [run], bandwise=bandwise).motion
    places = made.positions()
    speed = np.linalg.norm(np.diff(places, axis=0), axis=2).max(axis=1) * made.frame_rate
    limit = max(np.linalg.norm(np.diff(m.positions(), axis=0), axis=2).max() for m in (walk, run))
    assert speed.max() < limit * walk.frame_rate + 1.0
    change = np.linalg.norm(np.diff(places, n=2, axis=0), axis=2).max() * made.frame_rate**2
    theirs = max(
        np.linalg.norm(np.diff(m.positions(), n=2, axis=0), axis=2).max() * m.frame_rate**2
        for m in (walk, run)
    )
    assert change < 1.5 * theirs


@pytest.mark.parametrize("bandwise", [False, True])
def test_outside_of_the_overlap_nothing_changes(walk, run, bandwise):
    made = concatenate(walk, [run], bandwise=bandwise, align=False)
    (join,) = made.joins
    first, last = join.frames
    out = made.motion
    assert np.array_equal(out.rotations[:first], walk.rotations[:first])
    assert np.array_equal(out.root[last + 1 :], run.root[join.after[1] + 1 :])
    assert np.array_equal(out.rotations[last + 1 :], run.rotations[join.after[1] + 1 :])
    assert angle_between(out.rotations[first], walk.rotations[first]).max() < 1e-7
    assert angle_between(out.rotations[last], run.rotations[join.after[1]]).max() < 1e-7
    assert join.turn == 0.0


def test_the_way_goes_on(walk, run):
    """The runner goes on along the walker's line, wherever it was taken."""
    made = concatenate(walk, [elsewhere(run, 2.0, 3.0, 3.0)]).motion
    way = made.root[-1] - made.root[0]
    assert abs(math.degrees(math.atan2(way[0], way[2]))) < 8.0
    assert way[2] > walk.root[-1, 2] - walk.root[0, 2]


def test_quick_bands_go_over_quickly(walk):
    """A tremor of one take must not be half there for a second."""
    hand = walk.rig["right_hand"]
    shaken = np.array(walk.rotations)
    angle = 0.1 * np.sin(2 * np.pi * 12.0 * walk.times)
    shaken[:, hand] = multiply(shaken[:, hand], about(np.array([1.0, 0, 0]), angle))
    trembling = walk.with_(rotations=shaken)
    options = Next(walk, at=60, into=60, overlap=1.0)

    def half_there(bandwise: bool) -> int:
        made = concatenate(trembling, [options], bandwise=bandwise).motion
        left = np.abs(np.diff(angle_between(made.rotations[60:121, hand], walk.rotations[60:121, hand])))
        size = np.array([left[max(0, i - 3) : i + 4].max() for i in range(len(left))])
        return int(((size > 0.15 * size.max()) & (size < 0.85 * size.max())).sum())

    assert half_there(True) < 0.6 * half_there(False)


def test_many_takes_and_rates(walk, run):
    made = concatenate(walk, [resample(run, 30.0), walk])
    assert made.motion.frame_rate == walk.frame_rate
    first, second = made.joins
    assert first.frames[1] < second.frames[0]
    assert second.before[0] == second.frames[0] - (first.frames[0] - first.after[0])
    assert len(made.motion) == second.frames[1] + len(walk) - second.after[1]


def test_what_goes_along():
    a = wander(frames=60).with_(contacts=[Contact("left_foot", 10, 45), Contact("right_foot", 50, 59)])
    b = wander(frames=60, seed=1).with_(contacts=[Contact("left_foot", 5, 30)], points=(Point("stick", 3),))
    made = concatenate(a, [Next(b, at=40, into=10, overlap=10 / 30)]).motion
    # left: 10 to 39 of the one, 40 to 45 of both, then 51 to 60 of the other; right: not in both
    assert made.contacts == (Contact("left_foot", 10, 45), Contact("left_foot", 51, 60))
    assert [p.name for p in made.points] == ["cup", "stick"]
    assert concatenate(a, [b.with_(contacts=None)]).motion.contacts is None
    stretched = b.with_(translations=np.full((60, 21, 3), 0.1))
    moved = concatenate(a, [Next(stretched, at=40, into=10, overlap=10 / 30)]).motion.translations
    assert moved is not None
    assert not moved[:41].any()
    assert moved[50:] == pytest.approx(np.full((60, 21, 3), 0.1)[: len(moved) - 50])


@pytest.mark.parametrize("frames", [1, 2, 5])
def test_the_shortest_takes(frames):
    made = concatenate(wander(frames=frames), [wander(frames=frames, seed=1)], bandwise=True)
    assert 1 <= len(made.motion) <= 2 * frames


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda w: concatenate(w, [Next(w, at=999)]), "at must be a frame of the take, 0 to 240"),
        (lambda w: concatenate(w, [Next(w, into=-999)]), "into must be a frame"),
        (lambda w: concatenate(w, [Next(w, into=50), Next(w, at=20)]), "at must lie behind the join"),
        (lambda w: concatenate(w, [Next(w, overlap=9.0)]), "overlap must fit into both takes"),
        (lambda w: concatenate(w, [Next(w, overlap=-1.0)]), "overlap must be a time"),
        (lambda w: concatenate(w, [w], search=math.nan), "search must be a time"),
        (lambda w: concatenate(w, [w[:0]]), "take 2 has none"),
        (lambda w: concatenate(w[:0], [w]), "the first one has none"),
        (lambda w: concatenate(w, [Motion.at_rest(quadruped(), 40)]), "retarget it first"),
    ],
)
def test_mistakes_are_named(walk, make, words):
    with pytest.raises(InputError, match=words):
        make(walk)


# ---- real takes


def test_real_walks_run_into_one_another(shared_data: Path):
    folder = shared_data / "cmu" / "walk"
    files = sorted(folder.glob("*.bvh"))[:2]
    takes = [resample(mt.load(f), 60.0) for f in files]
    made = concatenate(takes[0], takes[1:])
    (join,) = made.joins
    assert join.distance < 0.12
    places = made.motion.positions()
    speed = np.linalg.norm(np.diff(places, axis=0), axis=2).max() * 60.0
    theirs = max(np.linalg.norm(np.diff(t.positions(), axis=0), axis=2).max() * 60.0 for t in takes)
    assert speed < theirs + 1.0
