"""Feet that are held: no skate, no sinking, no pop, and nothing else touched more than it must be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import marotte as mt
from marotte.errors import InputError
from marotte.figure import Contact, Scene, detect_contacts
from marotte.figure.contacts import sole_points
from marotte.figure.rotations import about, multiply, to_euler
from marotte.figure.scene import Plane
from marotte.fitting import lock_feet
from marotte.quality import foot_skate, jerk, penetration, pose_change

SILLY: Any = "maybe"


def drifting(**options):
    """A walk whose hips, and with them the feet, wander: planted feet slide by 9 cm/s, and sink."""
    walk = mt.samples.walk(**options)
    t = walk.times
    off = np.stack([0.05 * np.sin(2 * t), -0.01 - 0.02 * np.sin(3 * t) ** 2, 0.04 * np.cos(2.3 * t)], axis=1)
    return walk.with_(root=walk.root + off)


def takes():
    walk, sneak = mt.samples.walk(), mt.samples.walk(style="sneak")
    yield "drifting", drifting()
    yield "drifting at 30 Hz", drifting(frame_rate=30)
    yield "equalized", mt.Equalize(gains=[1, 1, 1.3, 1.2, 1]).apply(walk)
    yield "joined", mt.Concatenate(takes=[mt.samples.run()]).apply(walk)
    blend = mt.Blend(takes=[{"file": sneak, "weight": 0.5}], weight=0.5, warp="left_leg").apply(walk)
    yield "blended", blend.with_(contacts=walk.contacts)


CASES = dict(takes())


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("stay", ["given", "free"])
def test_planted_feet_neither_slide_nor_sink(name, stay):
    before = CASES[name]
    done = lock_feet(before, stay=stay)
    after = done.motion
    assert foot_skate(before).mean_speed > 0.004
    assert foot_skate(after).mean_speed < 0.001
    assert done.worst < 1e-4  # metres from where feet were led to
    assert not done.unmet
    for sole in after.rig.soles:
        low = sole_points(after, sole)[..., 1].min(axis=1)
        for contact in after.contacts or ():
            if contact.role == sole.foot:
                assert np.abs(low[contact.first : contact.last + 1] - low[contact.first]).max() < 0.002
    assert penetration(after).deepest < 0.004


@pytest.mark.parametrize("name", CASES)
def test_it_is_as_smooth_as_it_was(name):
    """A locked foot that pops is worse than one that slides."""
    before, after = CASES[name], lock_feet(CASES[name]).motion
    assert jerk(after).rms < 1.3 * jerk(before).rms
    hips = [np.linalg.norm(np.diff(m.root, 3, axis=0), axis=1).max() for m in (before, after)]
    assert hips[1] < 3.0 * hips[0]


@pytest.mark.parametrize("name", CASES)
def test_knees_never_bend_backwards(name):
    after = lock_feet(CASES[name]).motion
    for limb in after.rig.limbs:
        if limb.name.endswith("leg"):
            bend = to_euler(after.rotations[:, limb.hinge], "XYZ")[:, 0] * limb.hinge_axis[0]
            assert bend.min() > -1e-6


def test_a_take_without_skate_stays_what_it_is():
    walk = mt.samples.walk()
    done = lock_feet(walk)
    assert done.slid < 0.003
    assert pose_change(walk, done.motion).rotation < 0.15  # degrees
    assert done.motion.contacts == walk.contacts
    assert jerk(done.motion).rms < 1.1 * jerk(walk).rms


def test_only_legs_and_the_root_are_moved():
    before = drifting()
    after = lock_feet(before).motion
    legs = {j for limb in before.rig.limbs if "leg" in limb.name for j in (limb.root, limb.hinge, limb.end)}
    others = [j for j in range(len(before.skeleton)) if j not in legs]
    assert np.allclose(after.rotations[:, others], before.rotations[:, others], atol=1e-12)


def test_free_places_change_the_motion_less_than_given_ones():
    """Equalized legs step further than the hips travel: free, the steps may land where legs reach."""
    before = mt.Equalize(gains=[1, 1, 2, 2, 1]).apply(mt.samples.walk())
    changes = {s: pose_change(before, lock_feet(before, stay=s).motion).rotation for s in ("given", "free")}
    assert changes["free"] < changes["given"]


def test_a_foot_turns_on_the_spot_only_where_it_means_to():
    """A walker's planted foot does not turn; a dancer's does, and must go on turning."""
    walk = mt.samples.walk()
    turn = 0.15 * np.sin(2.5 * walk.times)  # radians about the vertical: what is not meant
    spun = np.array(walk.rotations)
    spun[:, 0] = multiply(about(np.array([0.0, 1.0, 0.0]), turn), spun[:, 0])
    before = walk.with_(rotations=spun)

    def turned(motion):
        sole = motion.rig.soles[0]
        points = sole_points(motion, sole)
        along = points[:, -1] - points[:, 0]
        heading = np.unwrap(np.arctan2(along[:, 0], along[:, 2]))
        own = [c for c in motion.contacts if c.role == sole.foot]
        return max(np.ptp(heading[c.first : c.last + 1]) for c in own)

    assert turned(before) > np.radians(5)
    assert turned(lock_feet(before).motion) < np.radians(0.1)
    assert turned(lock_feet(before, pivot=0.0).motion) > np.radians(5)


def test_hands_that_rest_stay_where_they_rest():
    crawl = mt.samples.crawl()
    hips = crawl.root + np.stack([0.01 * np.sin(3 * crawl.times)] * 3, axis=1)
    before = crawl.with_(root=hips)
    after = lock_feet(before).motion
    hand = before.rig["left_hand"]
    for contact in before.contacts or ():
        if contact.role == "left_hand":
            span = slice(contact.first, contact.last + 1)
            off = after.positions()[span, hand] - before.positions()[span, hand]
            assert np.abs(off).max() < 1e-3


def test_a_step_that_rests_above_the_ground_is_held_at_its_height():
    """Stairs that no scene tells of."""
    walk = mt.samples.walk()
    up = walk.with_(root=walk.root + np.array([0.0, 0.1, 0.0]) * (walk.times[:, None] > 2.0))
    contacts = detect_contacts(walk)
    after = lock_feet(up, contacts=contacts).motion
    sole = walk.rig.soles[0]
    last = [c for c in contacts if c.role == sole.foot][-1]
    low = sole_points(after, sole)[last.first : last.last + 1, :, 1].min(axis=1)
    assert low.max() - low.min() < 0.002 or low.min() > -0.002


def test_a_scene_says_where_the_ground_is():
    walk = mt.samples.walk()
    raised = walk.with_(root=walk.root + np.array([0.0, 0.53, 0.0]))
    after = lock_feet(raised, scene=Scene({"floor": Plane(height=0.5)})).motion
    low = min(sole_points(after, sole)[..., 1].min() for sole in after.rig.soles)
    assert low == pytest.approx(0.5, abs=0.002)


def test_contacts_may_be_given_and_none_may_be():
    walk = drifting()
    one = (Contact("left_foot", 70, 95),)
    done = lock_feet(walk, contacts=one)
    assert done.motion.contacts == one
    far = np.r_[0:30, 200:241]
    right = walk.rig["right_lower_leg"]
    assert np.allclose(done.motion.rotations[far, right], walk.rotations[far, right], atol=0.12)
    assert lock_feet(walk, contacts=()).motion.contacts == ()
    assert np.array_equal(lock_feet(walk, contacts=()).motion.root, walk.root)


def test_mistakes_are_said():
    walk = mt.samples.walk()
    with pytest.raises(InputError, match="frames 0 to 240, but one of 'left_foot' ends at 900"):
        lock_feet(walk, contacts=[Contact("left_foot", 0, 900)])
    with pytest.raises(InputError, match="four frames or more"):
        lock_feet(walk[:3])
    with pytest.raises(InputError, match="given or free"):
        lock_feet(walk, stay=SILLY)
    with pytest.raises(InputError, match="pivot must be an angle"):
        lock_feet(walk, pivot=-1.0)
    with pytest.raises(InputError, match="this figure has none"):
        lock_feet(mt.samples.walk().with_(rig=mt.Rig({})))


def test_real_takes_are_held(shared_data):
    for name in ("cmu/bvh/16_05.bvh", "cmu/bvh/49_13.bvh"):
        found = sorted(shared_data.rglob(name.split("/")[-1]))
        if not found:
            pytest.skip(f"no {name}")
        before = mt.load(found[0])
        after = lock_feet(before).motion
        known = before.with_(contacts=after.contacts)
        assert foot_skate(after).mean_speed < 0.1 * foot_skate(known).mean_speed
        assert jerk(after).rms < 1.3 * jerk(before).rms
