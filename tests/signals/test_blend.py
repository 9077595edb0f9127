"""Blends of takes: shares on the sphere, sums of signals, lengths, paths, contacts."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marotte import samples
from marotte.errors import InputError
from marotte.figure import Contact, Motion, resample, select_joints
from marotte.figure.rotations import about, angle_between, multiply, to_matrix
from marotte.signals import BlendTake, blend, decompose, equalize, named_bands
from marotte.signals.blend import PATHS
from tests.figure.figures import quadruped, wander
from tests.naive import blend as naive

seeds = st.integers(0, 1000)


def apart(a: Motion, b: Motion) -> float:
    """The greatest difference, radians or metres."""
    return max(float(angle_between(a.rotations, b.rotations).max()), float(np.abs(a.root - b.root).max()))


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.walk(seconds=3)


@pytest.fixture(scope="module")
def tired() -> Motion:
    return samples.walk(seconds=3, style="tired")


@pytest.fixture(scope="module")
def wave() -> Motion:
    return samples.wave()


# ---- on the sphere


@settings(max_examples=20)
@given(seeds, st.integers(2, 3))
def test_a_blend_is_the_mean_frame_by_frame(seed, count):
    takes = [wander(frames=6, seed=seed + n, size=0.2) for n in range(count)]
    curves = [np.random.default_rng(seed + n).uniform(0.1, 1.0, 6) for n in range(count)]
    given_takes = [BlendTake(t, w) for t, w in zip(takes, curves, strict=True)]
    got = blend(given_takes[0], given_takes[1:], align="none", path="places")
    want = naive.blended([(t.root, t.rotations) for t in takes], curves)
    turned = to_matrix(got.rotations)
    for f, (root, joints) in enumerate(want):
        assert got.root[f] == pytest.approx(root, abs=1e-12)
        assert turned[f] == pytest.approx(np.array(joints), abs=1e-8)


@given(seeds, st.booleans(), st.integers(0, 2), st.sampled_from(["places", "steps"]))
def test_a_weight_of_one_is_that_take(seed, normalize, alone, path):
    takes = [wander(seed=seed + n) for n in range(3)]
    first, *others = [BlendTake(t, float(n == alone)) for n, t in enumerate(takes)]
    got = blend(first, others, normalize=normalize, align="none", path=path)
    assert apart(got, takes[alone]) < 1e-12
    if alone == 0:
        assert apart(blend(first, others, normalize=normalize), takes[0]) < 1e-12


@settings(max_examples=20)
@given(seeds)
def test_the_order_of_takes_does_not_matter(seed):
    takes = [BlendTake(wander(seed=seed + n), w) for n, w in enumerate((0.5, 0.2, 0.3))]
    want = blend(takes[0], takes[1:], align="none")
    for one, *others in itertools.permutations(takes):
        assert apart(blend(one, others, align="none"), want) < 1e-12


@given(seeds)
def test_half_and_half_is_the_same_from_both_sides(seed):
    a, b = wander(seed=seed, size=0.9), wander(seed=seed + 1, size=0.9)
    assert apart(blend(a, [b], align="none"), blend(b, [a], align="none")) < 1e-12


@given(seeds)
def test_signs_of_quaternions_do_not_matter(seed):
    a, b = wander(seed=seed), wander(seed=seed + 1)
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], b.rotations.shape[:2])[..., None]
    turned = b.with_(rotations=b.rotations * signs)
    for normalize in (True, False):
        assert apart(blend(a, [turned], normalize=normalize), blend(a, [b], normalize=normalize)) < 1e-12


# ---- by parts and over time


def test_the_body_of_one_and_the_legs_of_another(walk, wave):
    """L97 fig. 4.7: the waving as it was, the walking as it was."""
    first = BlendTake(walk, {"upper_body": 0.0})
    second = BlendTake(wave, {"all": 0.0, "upper_body": 1.0})
    got = blend(first, [second], normalize=False, fit="hold")
    upper = select_joints(walk.skeleton, walk.rig, "upper_body")
    frames = min(len(walk), len(wave))
    assert angle_between(got.rotations[:frames, upper], wave.rotations[:frames, upper]).max() < 1e-12
    assert angle_between(got.rotations[:, ~upper], walk.rotations[:, ~upper]).max() < 1e-12
    assert np.abs(got.root - walk.root).max() < 1e-12
    assert got.contacts == walk.contacts  # the waver's feet have no say


def test_weights_over_time_lead_from_one_to_the_other(walk, tired):
    got = blend(BlendTake(walk, {60: 1.0, 120: 0.0}), [BlendTake(tired, {60: 0.0, 120: 1.0})])
    assert np.array_equal(got.rotations[:61], walk.rotations[:61])
    assert angle_between(got.rotations[120:, 1:], tired.rotations[120:, 1:]).max() < 1e-12
    # the pace changes from one to the other, and the figure is never slid from path to path
    speed = np.linalg.norm(np.diff(got.root, axis=0)[:, [0, 2]], axis=1)
    theirs = [np.linalg.norm(np.diff(m.root, axis=0)[:, [0, 2]], axis=1) for m in (walk, tired)]
    assert speed.max() <= max(t.max() for t in theirs) + 1e-9
    assert speed[120:] == pytest.approx(theirs[1][120:], abs=1e-9)
    slid = blend(BlendTake(walk, {60: 1.0, 120: 0.0}), [BlendTake(tired, {60: 0.0, 120: 1.0})], path="places")
    back = np.diff(slid.root[60:121, 2])
    assert back.min() < 0.5 * np.diff(got.root[60:121, 2]).min()


def test_places_and_steps_are_one_where_weights_stay(walk, tired):
    a = blend(walk, [tired], path="places")
    b = blend(walk, [tired], path="steps")
    assert a.root == pytest.approx(b.root, abs=1e-12)
    assert set(PATHS) == {"auto", "places", "steps"}


def test_a_single_channel(walk, tired):
    """A weight for one channel must leave the joint's others alone."""
    knee = walk.skeleton.names[walk.rig["left_lower_leg"]]
    name = f"{knee}.{walk.skeleton.order(knee)[0].lower()}"
    first, second = BlendTake(walk, {name: 0.0}), BlendTake(tired, {"all": 0.0, name: 1.0})
    got = blend(first, [second], space="euler").channels()
    before, other = walk.channels(), tired.channels()
    assert got[name] == pytest.approx(other[name], abs=1e-8)
    for n in before.names:
        if n != name:
            assert got[n] == pytest.approx(before[n], abs=1e-8), n


@pytest.mark.parametrize("offset", [True, False])
def test_angles_that_begin_a_turn_apart_are_the_same(walk, offset):
    """170° and -170° are 20° apart; their mean faces backward, and not forward."""
    up = np.array([0.0, 1.0, 0.0])

    def facing(degrees: float) -> Any:
        rotations = np.array(walk.rotations)
        rotations[:, 0] = multiply(about(up, np.radians(degrees)), rotations[:, 0])
        return walk.with_(rotations=rotations)

    got = blend(facing(170.0), [facing(-170.0)], space="euler", offset=offset, align="none")
    assert angle_between(got.rotations[:, 0], facing(180.0).rotations[:, 0]).max() < np.radians(3.0)


# ---- as signals


def test_without_normalize_movements_are_added(walk):
    """Twice the weight of what changes: the first pose stays, every angle swings twice as far."""
    got = blend(BlendTake(walk, {"all": 2.0, "root": 1.0}), [], normalize=False)
    want = equalize(walk, 2.0, dc=2.0)
    assert apart(got, want) < 1e-12
    assert angle_between(got.rotations[0], walk.rotations[0]).max() < 1e-12


def test_one_take_with_gains_is_the_equalizer(walk):
    gains = {"middle": 1.8, "high": 0.2}
    assert apart(blend(BlendTake(walk, gains=gains), [], normalize=False), equalize(walk, gains)) < 1e-12


def test_weights_and_gains_that_sum_to_zero(walk, tired):
    """L97 4.2.2: nothing is divided by, so a + b = 0 is a pose that does not move."""
    got = blend(
        BlendTake(walk, {"all": 1.0, "root": 1.0}), [BlendTake(walk, {"all": -1.0, "root": 0.0})],
        normalize=False,
    )  # fmt: skip
    assert angle_between(got.rotations[:, 1:], walk.rotations[:1, 1:]).max() < 1e-12
    with pytest.raises(InputError, match=r"must not sum to zero.*switch normalize off"):
        blend(BlendTake(walk, 1.0), [BlendTake(tired, -1.0)])


@pytest.mark.parametrize("normalize", [True, False])
def test_bands_of_two_takes(walk, tired, normalize):
    """BW95 fig. 6: the slow and middle bands of one, the quick ones of the other."""
    rest, quick = {"low": 1.0, "middle": 1.0, "high": 0.0}, {"low": 0.0, "middle": 0.0, "high": 1.0}
    first, second = BlendTake(walk, gains=rest), BlendTake(tired, gains=quick, dc=0.0)
    got = blend(first, [second], space="euler", normalize=normalize).channels()
    high = list(named_bands(len(walk), walk.frame_rate)["high"])
    ours, theirs = walk.channels(), tired.channels()
    for name in ("LeftUpLeg.x", "RightArm.z", "Spine1.y"):
        taken = decompose(theirs[name][:, None]).bands[high, 0].sum(axis=0)
        lost = decompose(ours[name][:, None]).bands[high, 0].sum(axis=0)
        assert got[name] == pytest.approx(ours[name] - lost + taken, abs=1e-8), name


@given(seeds, st.booleans())
def test_band_gains_that_all_takes_share_cancel_where_they_are_shares(seed, moving):
    a, b = wander(seed=seed, size=0.2), wander(seed=seed + 1, size=0.2)
    weight = {0: 0.2, 39: 0.8} if moving else 0.7
    gains = {0: 0.5, 1: 2.0, 2: 3.0}
    want = blend(BlendTake(a, weight, 1.0, 1.0), [BlendTake(b, 0.5, [1.0, 1.0], 1.0)], space="euler")
    got = blend(BlendTake(a, weight, gains), [BlendTake(b, 0.5, gains)], space="euler")
    assert apart(got, want) < 1e-9


def test_offsets_keep_the_ankles(walk, wave):
    """L97 5.1.1, fig. 5.2: absolute angles of both takes would be added, 90° and 90° to 180°."""
    ankle = walk.rig["left_foot"]
    still = walk.rotations[:, ankle]
    bent = multiply(about(np.array([1.0, 0.0, 0.0]), np.radians(90.0)), still)

    def with_ankle(motion: Motion) -> Motion:
        rotations = np.array(motion.rotations)
        rotations[:, ankle] = bent[0]
        return motion.with_(rotations=rotations)

    a, b = with_ankle(walk), with_ankle(wave)
    absolute = blend(a, [b], normalize=False, offset=False, space="euler")
    offset = blend(a, [b], normalize=False, space="euler")
    assert angle_between(offset.rotations[:, ankle], bent[:1]).max() < 1e-9
    assert angle_between(absolute.rotations[:, ankle], bent[:1]).min() > np.radians(60.0)


def test_places_of_joints_are_means_of_places(walk, tired):
    got = blend(walk, [tired], space="position", align="none")
    want = 0.5 * (walk.positions() + tired.positions())
    assert got.positions() == pytest.approx(want, abs=1e-9)


# ---- lengths, rates, places


@pytest.mark.parametrize(
    ("length", "frames"), [("first", 61), ("longest", 91), ("shortest", 31), ("mean", 61)]
)
@pytest.mark.parametrize("fit", ["stretch", "hold"])
def test_lengths(length, frames, fit):
    takes = [wander(frames=n, seed=n) for n in (61, 91, 31)]
    got = blend(takes[0], takes[1:], length=length, fit=fit)
    assert len(got) == frames
    alone = blend(
        BlendTake(takes[0], 0.0), [BlendTake(takes[1], 1.0), BlendTake(takes[2], 0.0)],
        length=length, fit=fit, align="none",
    )  # fmt: skip
    last = takes[1].rotations[-1 if fit == "stretch" else min(frames, 91) - 1]
    assert angle_between(alone.rotations[-1], last).max() < 1e-9


def test_rates_are_those_of_the_first():
    a, b = wander(frames=40, rate=30.0), wander(frames=157, rate=120.0)
    got = blend(BlendTake(a, 0.0), [BlendTake(b, 1.0)], align="none")
    assert got.frame_rate == 30.0
    assert len(got) == 40
    assert apart(got, resample(b, 30.0)) < 1e-9


def test_takes_are_brought_to_one_start_and_heading(walk):
    """A take that walks another way elsewhere must not pull the blend aside."""
    turn = about(np.array([0.0, 1.0, 0.0]), 2.0)
    away = np.array(walk.rotations)
    away[:, 0] = multiply(turn, away[:, 0])
    from marotte.figure.rotations import rotate

    moved = walk.with_(root=rotate(turn, walk.root) + np.array([5.0, 0.0, -3.0]), rotations=away)
    assert apart(blend(walk, [moved]), walk) < 1e-9
    assert apart(blend(walk, [moved], align="none"), walk) > 1.0


# ---- what goes along


def test_contacts_are_those_that_all_have(walk):
    a = walk.with_(contacts=[Contact("left_foot", 0, 20), Contact("right_foot", 30, 50)])
    b = walk.with_(contacts=[Contact("left_foot", 10, 40), Contact("right_foot", 60, 70)])
    assert blend(a, [b]).contacts == (Contact("left_foot", 10, 20),)
    assert blend(a, [b.with_(contacts=None)]).contacts is None
    assert blend(BlendTake(a, 1.0), [BlendTake(b.with_(contacts=None), 0.0)]).contacts == a.contacts


def test_what_belongs_to_the_first_take_stays(walk, tired):
    got = blend(walk, [tired])
    assert (got.name, got.points, got.source, got.rig) == (walk.name, walk.points, walk.source, walk.rig)
    assert got.skeleton is walk.skeleton


def test_stretched_bones_are_blended():
    a, b = wander(), wander(seed=1)
    b = b.with_(translations=np.full((40, 21, 3), 0.1))
    got = blend(a, [b], align="none")
    assert got.translations == pytest.approx(np.full((40, 21, 3), 0.05))


def test_longer_bones_of_the_same_figure(walk):
    tall = walk.with_(skeleton=walk.skeleton.scaled(1.1), root=walk.root * 1.1)
    got = blend(BlendTake(walk, 0.0), [BlendTake(tall, 1.0)], align="none")
    assert apart(got, walk) < 1e-9
    assert got.skeleton is walk.skeleton


# ---- mistakes


def wrong(option: str) -> Any:
    """An option with what no type allows and a recipe may say."""
    return {option: "nonsense"}


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda w: blend(w, [Motion.at_rest(quadruped(), 40)]), "same figure .*retarget it first"),
        (lambda w: blend(w, [w[:0]]), "take 2 of the blend has none"),
        (lambda w: blend(w[:0], [w]), "take 1 of the blend has none"),
        (lambda w: blend(w, [w], **wrong("length")), "first, longest, shortest, mean"),
        (lambda w: blend(w, [w[:9]], **wrong("fit")), "stretch, hold"),
        (lambda w: blend(w, [w], **wrong("align")), "start, none"),
        (lambda w: blend(w, [w], **wrong("path")), "auto, places, steps"),
        (lambda w: blend(w, [w], **wrong("space")), "rotvec, euler, position"),
        (lambda w: blend(BlendTake(w, np.nan), [w]), "weight of take 1 must be finite"),
    ],
)
def test_mistakes_are_named(walk, make, words):
    with pytest.raises(InputError, match=words):
        make(walk)


def test_another_rest_pose_is_another_figure(walk):
    offsets = np.array(walk.skeleton.offsets)
    arm = walk.rig["left_lower_arm"]
    offsets[arm] = np.linalg.norm(offsets[arm]) * np.array([0.0, -1.0, 0.0])
    other = walk.with_(skeleton=walk.skeleton.with_(offsets=offsets))
    with pytest.raises(InputError, match=r"must rest as the first take does.*retarget it first"):
        blend(walk, [other])
