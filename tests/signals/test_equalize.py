"""The equalizer on motions: spaces, parts, masks, names of bands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte import samples
from marotte.edits import Equalize
from marotte.errors import InputError, UnknownNameError
from marotte.figure import Motion, select_joints
from marotte.figure.rotations import angle_between
from marotte.quality import jerk
from marotte.signals import SPACES, band_count, band_energy, equalize, equalized, named_bands, signals_of
from tests.figure.figures import wander


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.walk(seconds=3)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("offset", [True, False])
def test_there_and_back_again(walk, space, offset):
    signals = signals_of(walk, space, offset=offset)
    again = signals.to_motion(np.array(signals.values))
    assert again.positions() == pytest.approx(walk.positions(), abs=1e-12)
    assert angle_between(again.rotations, walk.rotations).max() < 1e-7
    if offset:
        assert not signals.values[0].any()


@given(st.integers(0, 1000), st.sampled_from(SPACES), st.booleans())
def test_unit_gains_change_nothing_at_all(seed, space, offset):
    motion = wander(seed=seed)
    assert equalize(motion, 1.0, space=space, offset=offset, parts="all") is motion


@pytest.mark.parametrize("space", ["rotvec", "euler"])
def test_only_the_chosen_joints_change(walk, space):
    """An edit of the arms must leave the legs bit for bit as they were."""
    out = equalize(walk, {"middle": 2.0}, parts=["arms", "!left_hand"], space=space)
    chosen = select_joints(walk.skeleton, walk.rig, ["arms", "!left_hand"])
    assert np.array_equal(out.rotations[:, ~chosen], walk.rotations[:, ~chosen])
    assert np.array_equal(out.root, walk.root)
    moved = np.abs(out.rotations - walk.rotations).max(axis=(0, 2))
    assert moved[walk.rig["left_upper_arm"]] > 0.01


def test_masks_have_gains_of_their_own(walk):
    out = equalize(walk, {"middle": 2.0}, masks={"legs": 1.0, "head": {"middle": 0.0}})
    legs = select_joints(walk.skeleton, walk.rig, "legs")
    assert np.array_equal(out.rotations[:, legs], walk.rotations[:, legs])
    head = walk.rig["head"]
    bands = named_bands(len(walk), walk.frame_rate)["middle"]
    before, after = band_energy(walk).rms[head, bands].max(), band_energy(out).rms[head, bands].max()
    assert after < 0.4 * before


def test_one_channel_alone(walk):
    knee = walk.skeleton.names[walk.rig["left_lower_leg"]]
    order = walk.skeleton.order(knee)
    name = f"{knee}.{order[0].lower()}"
    out = equalize(walk, 1.0, masks={name: {"middle": 1.5}}, space="euler")
    before, after = walk.channels(), out.channels()
    changed = [n for n in before.names if np.abs(after[n] - before[n]).max() > 1e-6]
    assert changed == [name]


def test_the_root_is_left_alone_unless_it_is_asked_for(walk):
    body = equalize(walk, {"middle": 2.0})
    assert np.array_equal(body.root, walk.root)
    assert np.array_equal(body.rotations[:, 0], walk.rotations[:, 0])
    root = equalize(walk, {"middle": 2.0}, parts="root")
    assert np.array_equal(root.rotations[:, 1:], walk.rotations[:, 1:])
    assert np.abs(root.root - walk.root).max() > 0.001


def test_places_stretch_bones_and_are_met(walk):
    """BW95 fig. 4: the joints go where the filter puts them, bones between them stretch."""
    out = equalize(walk, {"middle": 2.0}, space="position")
    assert out.translations is not None
    want = signals_of(walk, "position")
    got = signals_of(out, "position", offset=False)
    chosen = want.joints != 0
    gains = np.ones(band_count(len(walk)))
    gains[list(named_bands(len(walk), walk.frame_rate)["middle"])] = 2.0
    filtered = want.origin[chosen] + equalized(want.values[:, chosen], gains)
    assert got.values[:, chosen] == pytest.approx(filtered, abs=1e-10)


def test_names_mean_the_same_frequencies_at_every_rate():
    assert named_bands(256, 30.0) == {"high": range(2), "middle": range(2, 5), "low": range(5, 8)}
    assert named_bands(1024, 120.0) == {"high": range(4), "middle": range(4, 7), "low": range(7, 10)}
    assert named_bands(20, 60.0)["low"] == range(4, 4)  # too short for slow bands


def test_a_tremor_is_found_where_it_is(walk):
    """L97 6.1: the analysis shows which band and joint to turn down."""
    shaken = np.array(walk.rotations)
    hand = walk.rig["right_hand"]
    angle = 0.05 * np.sin(2 * np.pi * 8.0 * walk.times)
    shaken[:, hand] = np.stack(
        [np.cos(angle / 2), np.sin(angle / 2), np.zeros_like(angle), np.zeros_like(angle)], axis=-1
    )
    found = band_energy(walk.with_(rotations=shaken))
    gained = found.rms - band_energy(walk).rms
    joint, band = np.unravel_index(gained.argmax(), gained.shape)
    assert joint == hand
    assert found.edges[band, 0] < 8.0 < found.edges[band, 1]


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"gains": {"mid": 2}}, UnknownNameError, "unknown band 'mid'"),
        ({"gains": {"-1": 2}}, UnknownNameError, "unknown band"),
        ({"gains": 2, "parts": "leftarm"}, UnknownNameError, "did you mean .*'left_arm'"),
        ({"gains": 2, "parts": ["arms", "!arms"]}, InputError, "at least one joint"),
        ({"gains": 2, "masks": {"LeftLeg.q": 1}}, UnknownNameError, "channel, joint or part"),
        ({"gains": "loud"}, InputError, "gains must be a number, a list"),
        ({"gains": [1, "x"]}, InputError, "gains must be a number, a list"),
    ],
)
def test_mistakes_are_named(walk, options, error, words):
    with pytest.raises(error, match=words):
        Equalize(**options).apply(walk)


def test_a_take_without_frames(walk):
    with pytest.raises(InputError, match="without frames"):
        equalize(walk[:0], 2.0)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_the_shortest_takes(walk, frames):
    out = equalize(walk[:frames], 3.0)
    assert len(out) == frames


def test_presets_do_what_their_names_say(walk):
    energy = band_energy(walk).rms.sum()
    assert band_energy(Equalize(preset="tone_down").apply(walk)).rms.sum() < 0.85 * energy
    assert band_energy(Equalize(preset="exaggerate").apply(walk)).rms.sum() > 1.2 * energy
    assert jerk(Equalize(preset="nervous").apply(walk)).rms > 1.5 * jerk(walk).rms
    louder = Equalize(preset="tone_down", gains={"middle": 3.0}).apply(walk)
    assert band_energy(louder).rms.sum() > energy  # given gains win over the preset's
