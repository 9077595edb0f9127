"""Correspondences as values: shown, edited, kept, turned round, used again."""

from __future__ import annotations

import math
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte import samples
from marotte.errors import FileError, InputError, UnknownNameError
from marotte.figure import Motion, Rig, resample
from marotte.figure.rotations import about, multiply, rotate
from marotte.signals import Correspondence, correspond, load_correspondences, save_correspondences

MOVES = np.array([(1, 1), (1, 0), (0, 1)])


@st.composite
def correspondences(draw, pins=0):
    moves = draw(st.lists(st.sampled_from([0, 0, 1, 2]), min_size=8, max_size=40))
    steps = np.cumsum(np.concatenate([[[0, 0]], MOVES[[0, *moves, 0]]]), axis=0)
    rates = draw(st.sampled_from([(60.0, 60.0), (60.0, 30.0), (30.0, 120.0)]))
    other = max(2, round(steps[-1, 1] / rates[0] * rates[1]) + 1)
    found = Correspondence(steps, (int(steps[-1, 0]) + 1, other), rates, "LeftLeg.x", 1.5)
    for k in range(pins):
        share = (k + draw(st.floats(0.2, 0.8))) / pins
        found = found.pinned((found.frames[0] - 1) * share, (other - 1) * (k + 0.5) / pins)
    return found


def rising(path):
    return bool((np.diff(path, axis=0) >= 0).all())


@given(correspondences(pins=2))
def test_the_path_runs_through_its_pins_from_corner_to_corner(found):
    path = found.path
    assert rising(path)
    assert tuple(path[0]) == (0, 0)
    assert tuple(path[-1]) == (found.frames[0] - 1, found.frames[1] - 1)
    for pin in found.pins:
        assert np.abs(path - pin).sum(axis=1).min() < 1e-9


@given(correspondences(pins=2))
def test_pins_can_be_moved_and_taken_away_again(found):
    """What a user tries out must leave no trace."""
    free = found.unpinned()
    (a, _), (c, d) = found.pins
    assert len(found.unpinned(a).pins) == 1
    moved = found.pinned(a, d / 3)
    assert moved.pins == ((a, d / 3), (c, d))
    assert np.array_equal(moved.unpinned(a).unpinned(c).path, free.path)
    with pytest.raises(InputError, match="frame must be a pinned one"):
        free.unpinned(3)


@given(correspondences(pins=1))
def test_saved_and_loaded_it_is_the_same(found):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pace.yaml"
        found.save(file)
        again = Correspondence.load(file)
    assert np.array_equal(again.steps, found.steps)
    assert (again.frames, again.rates, again.key, again.cost, again.pins) == (
        found.frames,
        found.rates,
        found.key,
        found.cost,
        found.pins,
    )


@given(correspondences())
def test_turned_round_it_leads_back(found):
    back = found.reversed()
    assert back.frames == found.frames[::-1]
    assert np.array_equal(back.path, found.path[:, ::-1])
    again = back.reversed()
    assert np.array_equal(again.steps, found.steps)
    assert again.rates == found.rates


@given(correspondences(pins=2))
def test_turned_round_its_pins_still_hold(found):
    back = found.reversed()
    assert back.pins == tuple((b, a) for a, b in found.pins)
    assert rising(back.path)
    for frame, other in found.pins:
        assert back.at([other]) == pytest.approx([frame])


def test_at_is_in_the_middle_of_what_meets_a_frame():
    moves = [(1, 1), (0, 1), (0, 1), (1, 1), (1, 0), (1, 1)]
    steps = np.cumsum([[0, 0], *moves], axis=0)
    found = Correspondence(steps, (5, 6), (30, 30))
    assert found.at([0, 1, 2, 3, 4]).tolist() == [0, 2, 4, 4, 5]
    assert found.at(1.5) == 3.0


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.walk(seconds=3)


@pytest.fixture(scope="module")
def tired() -> Motion:
    return samples.walk(style="tired", seconds=4)


def test_it_shows_itself(walk, tired):
    found = correspond(walk, tired, key="left_lower_leg").pinned(60, 90)
    text = found.text(width=40, height=10)
    assert "o" in text
    assert max(len(line) for line in text.splitlines()[:-1]) <= 41
    assert "181 frames (3.00 s) and 241 frames (4.00 s) by left_lower_leg" in text
    assert "1 pinned" in text
    assert found.times()[-1] == pytest.approx([3.0, 4.0])


def test_a_channel_a_role_a_part_and_the_body_all_find_it(walk, tired):
    """L97 5.1.2: whatever says the timing of a walk says much the same."""
    knee = walk.skeleton.names[walk.rig["left_lower_leg"]]
    keys = [f"{knee}.x", "left_lower_leg.x", knee, "left_lower_leg", "legs", "body"]
    found = {key: correspond(walk, tired, key=key) for key in keys}
    assert np.array_equal(found[keys[0]].steps, found[keys[1]].steps)
    assert np.array_equal(found[keys[2]].steps, found[keys[3]].steps)
    body = found["body"].at(np.arange(181))
    for key in keys:
        assert np.abs(found[key].at(np.arange(181)) - body).mean() < 12, key


def test_parts_have_correspondences_of_their_own(walk, tired, tmp_path):
    found = correspond(walk, tired, key={"upper_body": "left_upper_arm", "legs": "left_lower_leg"})
    assert list(found) == ["upper_body", "legs"]
    assert found["legs"].key == "left_lower_leg"
    save_correspondences(found, tmp_path / "parts.yaml")
    again = load_correspondences(tmp_path / "parts.yaml")
    assert isinstance(again, dict)
    assert np.array_equal(again["legs"].steps, found["legs"].steps)
    with pytest.raises(FileError, match=r"parts \(upper_body, legs\); read it with load_correspondences"):
        Correspondence.load(tmp_path / "parts.yaml")


def test_rates_do_not_matter(walk, tired):
    same = correspond(walk, tired, key="legs")
    other = correspond(walk, resample(tired, 30), key="legs")
    moments = np.arange(181)
    assert np.abs(other.at(moments) / 30 - same.at(moments) / 60).max() < 0.05
    assert other.seconds == pytest.approx(same.seconds, abs=0.02)


def test_signs_of_quaternions_do_not_matter(walk, tired):
    rng = np.random.default_rng(3)
    signs = rng.choice([-1.0, 1.0], size=(*tired.rotations.shape[:2], 1))
    turned = tired.with_(rotations=tired.rotations * signs)
    for key in ("body", "left_lower_leg", "left_lower_leg.x"):
        assert np.array_equal(correspond(walk, turned, key=key).steps, correspond(walk, tired, key=key).steps)


def test_where_the_figure_is_and_goes_does_not_matter(walk, tired):
    turn = about(np.array([0.0, 1.0, 0.0]), 2.0)
    rotations = np.array(tired.rotations)
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    moved = tired.with_(root=rotate(turn, tired.root) + np.array([3.0, 0, -5]), rotations=rotations)
    assert np.array_equal(correspond(walk, moved).steps, correspond(walk, tired).steps)


def test_pins_are_met_while_the_path_is_found(walk, tired):
    found = correspond(walk, tired, key="left_lower_leg", pins=[(60, 95), (120, 150)])
    assert found.at([60, 120]) == pytest.approx([95, 150])


def test_slope_and_window_hold(walk, tired):
    moves = np.diff(correspond(walk, tired, key="body", slope=2).steps, axis=0)
    stood = (moves != 1).any(axis=1)
    assert not (stood[1:] & stood[:-1]).any()
    near = correspond(walk, tired, key="body", window=0.05).steps
    assert np.abs(near[:, 1] - near[:, 0] * 240 / 180).max() <= 3.0 + 1e-9


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        (
            {"key": "LeftLg.x"},
            UnknownNameError,
            r"unknown channel 'LeftLg.x'; did you mean .*\(in the take\)",
        ),
        ({"key": "leftleg"}, UnknownNameError, "unknown joint, role or part"),
        ({"key": " "}, InputError, "key must name a channel"),
        ({"key": {}}, InputError, "at least one part"),
        ({"key": {"wing": "legs"}}, UnknownNameError, "unknown joint, role or part 'wing'"),
        ({"slope": 1}, InputError, "slope must be 0, for any, or a whole number from 2"),
        ({"window": 0}, InputError, "window must be a time"),
        ({"pins": [(60, 90), (50, 100)]}, InputError, None),
        ({"pins": [(60, 9000)]}, InputError, "pin"),
    ],
)
def test_mistakes_are_named(walk, tired, options, error, words):
    if words is None:  # given in any order, they must still rise
        options = {"pins": [(60, 90), (70, 80)]}
        words = "pins must rise in both takes"
    with pytest.raises(error, match=words):
        correspond(walk, tired, **options)


def test_takes_that_cannot_meet_are_refused(walk, tired):
    with pytest.raises(InputError, match="other take has no frames"):
        correspond(walk, tired[:0])
    with pytest.raises(
        InputError, match=r"slope must be at least 6, because one take is 6\.00 times as long"
    ):
        correspond(walk, tired[:31], slope=2)
    found = correspond(walk, tired)
    with pytest.raises(InputError, match="takes of 181 and 241 frames, but these have 181 and 200"):
        found.check(walk, tired[:200])
    with pytest.raises(InputError, match="at 60 and 60 Hz, but these have 60 and 30 Hz"):
        found.check(walk, tired.with_(frame_rate=30.0))


def test_figures_that_differ_are_matched_by_what_their_joints_mean(walk, tired):
    """A whole pose of another figure is carried over by roles; without roles that is said."""
    other = _renamed(tired)
    moments = np.arange(181)
    assert np.abs(correspond(walk, other).at(moments) - correspond(walk, tired).at(moments)).max() < 1
    with pytest.raises(InputError, match="different figures, and key 'body' cannot be compared"):
        correspond(walk, other.with_(rig=Rig({})))
    with pytest.raises(UnknownNameError, match=r"unknown channel 'LeftLeg.x'.*\(in the other take\)"):
        correspond(walk, other, key="LeftLeg.x")


def _renamed(motion: Motion) -> Motion:
    """The same figure, its joints called otherwise."""
    names = tuple(f"x_{n}" for n in motion.skeleton.names)
    skeleton = replace(motion.skeleton, names=names)
    return motion.with_(skeleton=skeleton, rig=motion.rig)


HEAD = "marotte_correspondence: 1\nframes: [4, 4]\nrates: [1, 1]\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "must begin with 'marotte_correspondence: 1'"),
        ("[1]", "must begin with"),
        ("", "must begin with"),
        ("marotte_correspondence: 7", r":1: this version reads correspondences of version 1, but it is 7"),
        ("marotte_correspondence: 1\npth: d3", ":2: unknown field 'pth'; did you mean 'path'"),
        ("marotte_correspondence: 1\nframes: [4, 4]", "rates must be given"),
        (
            "marotte_correspondence: 1\nframes: [4]\nrates: [1, 1]\npath: d3",
            ":2: frames must be two whole numbers",
        ),
        ("marotte_correspondence: 1\nframes: [4, 4]\nrates: [0, 1]\npath: d3", "rates must be two positive"),
        (
            HEAD + "path: d3 x2",
            ":4: path must be runs of steps",
        ),
        (
            HEAD + "path: d2",
            ":4: a path must end with the last",
        ),
        (
            HEAD + "path: d999999999",
            "longer than both takes",
        ),
        (HEAD + "path:", "a path must end with the last"),
        (
            HEAD + "path: d3\npins: 3",
            ":5: pins must be a list",
        ),
        (
            HEAD + "path: d3\npins: [[9, 9]]",
            ":5: a pin must name frames 0 to 3",
        ),
        ("marotte_correspondence: 1\nparts: 3", ":2: parts must be a map"),
        ("marotte_correspondence: 1\nparts: {legs: 3}", ":2: a correspondence must be a map"),
        ("marotte_correspondence: 1\nframes: [.nan, 4]\nrates: [1, 1]\npath: d3", "frames must be two whole"),
    ],
)
def test_broken_files_say_where(tmp_path, text, words):
    file = tmp_path / "pace.yaml"
    file.write_text(text)
    with pytest.raises(FileError, match=words) as caught:
        load_correspondences(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((np.zeros((0, 2)), (1, 1), (30, 30)), r"must have shape \(N, 2\) and begin with \(0, 0\)"),
        (([[0, 0], [2, 1]], (3, 2), (30, 30)), "go on by one frame"),
        (([[0, 0], [0, 0]], (1, 1), (30, 30)), "never back"),
        (([[0, 0], [1, 1]], (2, 2), (30, math.nan)), "rates must be two positive numbers"),
        (([[0, 0], [1, 1]], (0, 2), (30, 30)), "frames must be two positive numbers"),
    ],
)
def test_only_paths_are_correspondences(arguments, words):
    with pytest.raises(InputError, match=words):
        Correspondence(*arguments)
