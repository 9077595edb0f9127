"""What the papers' figures of blends show, in numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import marotte as mt
from marotte import samples
from marotte.figure import Motion, resample, select_joints
from marotte.figure.rotations import angle_between
from marotte.quality.measures import foot_skate
from marotte.signals import BlendTake, band_energy, blend, concatenate, decompose, named_bands


@pytest.fixture(scope="module")
def drum() -> Motion:
    return samples.drum(frame_rate=30)


@pytest.fixture(scope="module")
def sway() -> Motion:
    return samples.sway(frame_rate=30)


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.walk(frame_rate=30, cycles=4)


@pytest.fixture(scope="module")
def tired() -> Motion:
    return samples.walk(frame_rate=30, cycles=4, style="tired")


def test_drum_and_sway(drum, sway):
    """BW95 fig. 5: 0.4 of the drum and 0.6 of the arm-sway, added."""
    got = blend(BlendTake(drum, 0.4), [BlendTake(sway, 0.6)], space="euler", align="none", fit="hold")
    other = blend(sway, [], length="first").channels()
    frames = min(len(drum), len(sway))
    for name in ("RightArm.x", "LeftForeArm.y", "Spine1.z", "Hips.tx"):
        want = 0.4 * drum.channels()[name][:frames] + 0.6 * other[name][:frames]
        assert got.channels()[name][:frames] == pytest.approx(want, abs=1e-8)


def test_bands_of_drum_and_sway(drum, sway):
    """BW95 fig. 6: the strokes of the one at full strength over the swaying of the other.

    By weights alone each loses what the other wins.
    """
    linear = blend(BlendTake(drum, 0.4), [BlendTake(sway, 0.6)])
    bands = blend(
        BlendTake(drum, gains={"low": 0.2}),
        [BlendTake(sway, gains={"high": 0.0, "middle": 0.6})],
        normalize=False,
    )
    quick = list(named_bands(len(drum), 30.0)["high"])
    hand, trunk = drum.rig["right_hand"], drum.rig["spine"]
    slow = list(named_bands(len(drum), 30.0)["low"])

    def strokes(m: Motion) -> float:
        return float(band_energy(m).rms[hand, quick].max())

    def swaying(m: Motion) -> float:
        return float(band_energy(m).rms[trunk, slow].max())

    assert strokes(linear) < 0.6 * strokes(drum)
    assert strokes(bands) > 0.9 * strokes(drum)
    assert swaying(bands) > 1.3 * swaying(linear)


def test_two_walks_need_correspondence_in_time(walk, tired):
    """BW95 fig. 7, L97 fig. 5.4: without it the blend is no walk; its feet slide and never rest."""
    plain = blend(walk, [tired], fit="hold")
    warped = blend(walk, [tired], warp="left_leg")

    def peaks(m: Motion) -> int:
        """How often the left knee bends beyond 30° and straightens again."""
        x = m.channels()["LeftLeg.x"]
        return int(((x[1:-1] > x[:-2]) & (x[1:-1] >= x[2:]) & (x[1:-1] > 30.0)).sum())

    # where the first walk plants its feet: a foot that slides rests nowhere, and none would be found
    slid, kept = (foot_skate(m.with_(contacts=walk.contacts)).mean_speed for m in (plain, warped))
    assert slid > 0.2
    assert kept < 0.01
    knees = [float(np.ptp(m.channels()["LeftLeg.x"])) for m in (walk, tired, plain, warped)]
    assert min(knees[:2]) < knees[3] < max(knees[:2])  # between the two walks, as a mean should be
    assert peaks(walk) == peaks(warped) == 4  # one bend a stride
    assert peaks(plain) > 4
    # most of what is in contact in the first walk is so in the warped blend
    held = [sum(c.last - c.first + 1 for c in m.contacts or ()) for m in (walk, plain, warped)]
    assert held[2] > 0.75 * held[0] > held[1]


def test_two_waves(walk):
    """BW95 fig. 8: the neutral wave at the pronounced rate, without secondary waves."""
    strong, slow = samples.wave(energy=1.4), samples.wave(energy=0.5)
    neutral = resample(slow, 75.0).with_(frame_rate=60.0, contacts=slow.contacts)
    plain = blend(strong, [neutral], fit="hold")
    warped = blend(strong, [neutral], warp="right_arm")

    def swings(m: Motion) -> np.ndarray:
        """How far the upper arm goes from each turning point to the next, degrees."""
        x = m.channels()["RightArm.x"]
        turning = np.flatnonzero(np.diff(np.sign(np.diff(x)))) + 1
        inside = [t for t in turning if 60 <= t <= 145]
        return np.abs(np.diff(x[inside]))

    even = [float(swings(m).std() / swings(m).mean()) for m in (strong, plain, warped)]
    assert even[2] < 0.3
    assert even[1] > 1.5 * even[2]
    mean = [float(swings(m).mean()) for m in (strong, neutral, warped)]
    assert mean[1] < mean[2] < mean[0]
    # and the arm comes to rest when the pronounced wave does
    ends = [m.channels()["RightArm.x"][-1] for m in (strong, plain, warped)]
    assert abs(ends[2] - ends[0]) < 1.0 < 10.0 < abs(ends[1] - ends[0])


def test_the_tiredness_of_a_walk(walk, tired):
    """L97 fig. 4.5 and 4.6: the bands that are tired, from the tired walk."""
    got = blend(
        BlendTake(walk, gains={"low": 0.0}, dc=0.0),
        [BlendTake(tired, gains={"high": 0.0, "middle": 0.0})],
        warp="left_leg",
    )
    spine = "Spine1.x"
    posture = [float(m.channels()[spine].mean()) for m in (walk, tired, got)]
    assert abs(posture[2] - posture[1]) < 0.3 * abs(posture[0] - posture[1])
    steps = [float(np.ptp(m.channels()["LeftLeg.x"])) for m in (walk, tired, got)]
    assert abs(steps[2] - steps[0]) < abs(steps[2] - steps[1])


def test_a_gesture_on_top_of_a_walk(walk):
    """L97 4.2.2: as big as it was, which no mean can be (eq. 4.6)."""
    wave = samples.wave(frame_rate=30)
    added = blend(walk, [wave], normalize=False, start="first", fit="hold")
    mean = blend(walk, [wave], fit="hold")
    legs = select_joints(walk.skeleton, walk.rig, "legs")
    turned = angle_between(added.rotations[:, legs], walk.rotations[:, legs])
    shifted = angle_between(wave.rotations[:, legs], wave.rotations[:1, legs])
    assert turned.max() < 1.1 * shifted.max() < np.radians(9.0)  # the waver's weight shifts a little
    middle = list(named_bands(len(walk), 30.0)["middle"])
    arm = walk.rig["right_upper_arm"]

    def waving(m: Motion) -> float:
        x = decompose(m.channels()["RightForeArm.y"][:, None]).bands[middle, 0].sum(axis=0)
        return float(np.sqrt((x**2).mean()))

    assert waving(mean) < 0.75 * waving(wave)
    assert waving(added) > 0.9 * waving(wave)
    assert band_energy(added).total[arm] > band_energy(mean).total[arm]


def test_real_walks_need_correspondence_too(shared_data: Path):
    """A normal and a brisk walk of one person: planted feet remain only where steps coincide."""
    folder = shared_data / "cmu" / "walk"
    normal, brisk = (resample(mt.load(folder / f"07_{n}.bvh"), 30.0)[1:] for n in ("01", "12"))
    plain = blend(normal, [brisk], fit="hold")
    warped = blend(normal, [brisk], warp="left_leg")
    planted = [foot_skate(m.with_(contacts=None)).steps for m in (normal, plain, warped)]
    assert planted[1] < 0.4 * planted[0]
    assert planted[2] > 0.6 * planted[0]


def test_people_of_one_library_may_be_mixed(shared_data: Path):
    """Their bones and collar bones differ; what their joints mean does not."""
    folder = shared_data / "cmu"
    walker = resample(mt.load(folder / "walk" / "07_01.bvh"), 30.0)[1:]
    runner = resample(mt.load(folder / "walk-run-pca" / "35_17.bvh"), 30.0)[1:]
    assert not np.array_equal(walker.skeleton.offsets, runner.skeleton.offsets)
    made = concatenate(walker, [runner])
    assert made.motion.skeleton is walker.skeleton
    assert made.joins[0].distance < 0.15
