"""What the papers' figures of the equalizer show, in numbers, on built-in takes of 30 Hz as theirs."""

from __future__ import annotations

import numpy as np
import pytest

from marotte import samples
from marotte.figure import Motion
from marotte.figure.rotations import about, multiply
from marotte.quality import jerk
from marotte.signals import Gains, band_energy, equalize
from marotte.signals.spaces import signals_of


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.walk(frame_rate=30, cycles=4)


@pytest.fixture(scope="module")
def knock() -> Motion:
    return samples.knock(frame_rate=30)


def knee(motion: Motion) -> float:
    """Degrees between the straightest and the most bent left knee."""
    return float(np.ptp(motion.channels()["LeftLeg.x"]))


def step(motion: Motion) -> float:
    """Metres between the feet, at most, along the way."""
    places = motion.positions()
    feet = [places[:, motion.rig[f"{side}_foot"], 2] for side in ("left", "right")]
    return float(np.abs(feet[0] - feet[1]).max())


def ahead(motion: Motion) -> np.ndarray:
    """(F,) metres of the knocking hand ahead of the hips."""
    places = motion.positions()
    return np.asarray(places[:, motion.rig["right_hand"], 2] - places[:, 0, 2])


def test_more_of_the_middle_exaggerates_a_walk(walk):
    """BW95 fig. 3 top, L97 fig. 4.3 (a): bands 2, 3 and 4."""
    bold = equalize(walk, {2: 1.7, 3: 1.7, 4: 1.7})
    assert knee(walk) == pytest.approx(54.0, abs=1.0)
    assert knee(bold) == pytest.approx(79.5, abs=2.0)
    assert step(bold) > 1.5 * step(walk)
    # and smoothed, in comparison: the detail does not grow with it
    assert jerk(bold).rms < 1.7 * jerk(walk).rms


def test_a_walk_of_slow_bands_is_constrained(walk):
    """BW95 fig. 3 middle, L97 fig. 4.3 (b): slow bands strong against the others.

    Turned up alone they leave a steady walk nearly as it is, for its slow bands hold next to nothing;
    it is their part of the whole that constrains it.
    """
    held = equalize(walk, {0: 0.5, 1: 0.5, 2: 0.6, 3: 0.6, 4: 0.6})
    assert knee(held) < 0.65 * knee(walk)
    assert step(held) < 0.7 * step(walk)
    alone = equalize(walk, {5: 2.0, 6: 2.0})
    assert knee(alone) == pytest.approx(knee(walk), rel=0.1)


def test_more_of_the_finest_band_is_a_nervous_twitch(walk):
    """BW95 2.1.2: band 0."""
    nervous = equalize(walk, {0: 5.0})
    assert jerk(nervous).rms > 2.0 * jerk(walk).rms
    assert step(nervous) == pytest.approx(step(walk), rel=0.25)


def test_a_negative_band_anticipates_and_follows_through(knock):
    """BW95 fig. 3 bottom: band 5 of a knock."""
    before, after = ahead(knock), ahead(equalize(knock, {5: -1.0}))
    first_hit, last_hit = 39, 57
    # the hand draws back before it goes to the door, and swings past its end
    assert before[0] - before[:first_hit].min() < 0.01
    assert after[0] - after[:first_hit].min() == pytest.approx(0.14, abs=0.03)
    assert before[-1] - before[last_hit:].min() < 0.05
    assert after[-1] - after[last_hit:].min() == pytest.approx(0.15, abs=0.03)
    # and the knocks themselves, which lie in other bands, stay
    hits = slice(first_hit, last_hit)
    assert np.ptp(after[hits]) == pytest.approx(np.ptp(before[hits]), rel=0.5)


def test_places_stretch_bones(walk):
    """BW95 fig. 4: the joints' places, middle bands up: bones change their length."""
    bold = equalize(walk, {"middle": 1.6}, space="position", parts="all")
    assert bold.translations is not None
    shin = walk.rig["left_foot"]
    places = bold.positions()
    lengths = np.linalg.norm(places[:, shin] - places[:, walk.rig["left_lower_leg"]], axis=1)
    rest = float(np.linalg.norm(walk.skeleton.offsets[shin]))
    assert lengths.max() > 1.15 * rest
    assert lengths.max() > 1.15 * lengths.min()  # with the swing of the leg, and back
    assert step(bold) > 1.3 * step(walk)


def test_gains_of_all_bands_of_places_only_scale(walk):
    """L97 4.1.2: a gain of 2 everywhere moves every joint twice as far from where it began."""
    bold = equalize(walk, 2.0, dc=2.0, space="position", parts="all")
    before, after = (signals_of(m, "position", offset=False).absolute for m in (walk, bold))
    assert after - after[:1] == pytest.approx(2.0 * (before - before[:1]), abs=1e-9)


def test_offset_data_keep_the_ankles(walk):
    """L97 fig. 5.2 (a, b): slow bands and what is below them, of a figure whose ankles rest at 90°."""
    foot = walk.rig["left_foot"]
    bent = np.array(walk.rotations)
    bent[:, foot] = multiply(about(np.array([1.0, 0.0, 0.0]), np.radians(60.0)), bent[:, foot])
    figure = walk.with_(rotations=bent)
    gains: Gains = {"low": 1.5}

    def worst(offset: bool) -> float:
        out = equalize(figure, gains, dc=1.5, offset=offset, space="euler")
        change = out.channels()["LeftFoot.x"] - figure.channels()["LeftFoot.x"]
        return float(np.abs(change).max())

    assert worst(offset=False) > 25.0
    assert worst(offset=True) < 12.0


# ---- analysis (L97 6.1)


def trembling(motion: Motion, joint: str, hertz: float, degrees: float) -> Motion:
    rotations = np.array(motion.rotations)
    angle = np.radians(degrees) * np.sin(2.0 * np.pi * hertz * motion.times)
    j = motion.rig[joint]
    rotations[:, j] = multiply(rotations[:, j], about(np.array([1.0, 0.0, 0.0]), angle))
    return motion.with_(rotations=rotations)


@pytest.mark.parametrize(("joint", "degrees"), [("right_hand", 1.5), ("head", 1.5), ("left_lower_arm", 3.0)])
def test_a_tremor_is_a_second_peak(joint, degrees):
    """6 Hz in a walk: far weaker than the steps, and found by looking."""
    walk = samples.walk()
    plain, shaken = band_energy(walk), band_energy(trembling(walk, joint, 6.0, degrees))
    j = walk.rig[joint]
    assert len(plain.peaks(j)) == 1
    first, *others = shaken.peaks(j)
    assert first == plain.peaks(j)[0]
    assert [shaken.edges[k, 0] <= 6.0 <= shaken.edges[k, 1] for k in others] == [True]
    for other in range(len(walk.skeleton)):
        if other != j:
            assert shaken.peaks(other) == plain.peaks(other)


def test_a_tremor_that_is_found_can_be_taken_out():
    walk = samples.walk()
    hand, name = walk.rig["right_hand"], walk.skeleton.names[walk.rig["right_hand"]]
    shaken = trembling(walk, "right_hand", 6.0, 1.5)
    (band,) = band_energy(shaken).peaks(hand)[1:]
    calm = equalize(shaken, 1.0, masks={name: {band: 0.0, band - 1: 0.0, band + 1: 0.2}})
    assert band_energy(calm).rms[hand, band] < 0.25 * band_energy(shaken).rms[hand, band]


def test_knocks_lie_above_the_raising_of_the_arm(knock):
    """L97 6.1: without the quick bands there is a raised arm and no knock."""
    quiet = equalize(knock, {0: 0.0, 1: 0.0, 2: 0.0})
    blows = slice(36, 60)
    assert np.ptp(ahead(knock)[blows]) > 2.0 * np.ptp(ahead(quiet)[blows])
    assert ahead(quiet).max() > 0.8 * ahead(knock).max()
    found = band_energy(knock)
    hand, other = knock.rig["right_hand"], knock.rig["left_hand"]
    assert found.rms[hand, :3].min() > 10 * found.rms[other, :3].max()
    assert found.joints[int(found.total.argmax())] == "RightForeArm"


def test_a_take_that_stands_still_has_no_peaks(walk):
    still = walk.with_(rotations=np.repeat(walk.rotations[:1], len(walk), axis=0))
    found = band_energy(still)
    assert not found.rms.any()
    assert all(found.peaks(j) == () for j in range(len(found.joints)))
    assert not found.shares.any()


def test_when_something_happens_is_told():
    walk = samples.walk()
    rotations = np.array(walk.rotations)
    head = walk.rig["head"]
    jolt = np.radians(4.0) * np.exp(-(((walk.times - 2.0) / 0.03) ** 2))
    rotations[:, head] = multiply(rotations[:, head], about(np.array([0.0, 1.0, 0.0]), jolt))
    found = band_energy(walk.with_(rotations=rotations))
    assert found.times[head, 1] == pytest.approx(2.0, abs=0.06)
