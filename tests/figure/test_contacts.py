"""When feet, hands and knees rest: found in takes that know it, edited, and split into heel and toes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from marotte import samples
from marotte.errors import InputError
from marotte.figure import (
    SOMETHING,
    Contact,
    ContactThresholds,
    Motion,
    Scene,
    contact_at,
    contact_phases,
    cut_contact,
    detect_contacts,
    merged_contacts,
    moved_contact,
    with_contact,
    without_contact,
)
from marotte.figure.contacts import contact_mask, ground_height, sole_points
from marotte.figure.scene import Box, Capsule, Plane
from tests.samples.noise import captured

FEET, HANDS, KNEES = (
    tuple(f"{side}_{part}" for side in ("left", "right")) for part in ("foot", "hand", "lower_leg")
)
ON_HANDS = {"crawl": (FEET, HANDS, KNEES), "handstand": (FEET, HANDS), "rope_climb": (FEET, HANDS)}
CASES = [(name, roles) for name in samples.names() for roles in ON_HANDS.get(name, (FEET,))]
EVERY = pytest.mark.parametrize(
    ("name", "roles"), [pytest.param(n, r, id=f"{n} {r[0][5:]}") for n, r in CASES]
)


@cache
def take(name: str) -> Motion:
    return samples.make(name)


def agreement(motion: Motion, found: Any, roles: tuple[str, ...]) -> float:
    """F1 of frames in contact."""
    both = either = 0
    for role in roles:
        true = contact_mask(motion.contacts, role, len(motion))
        seen = contact_mask(found, role, len(motion))
        both += int((true & seen).sum())
        either += int(true.sum()) + int(seen.sum())
    return 2.0 * both / either


@EVERY
def test_contacts_of_clean_takes(name, roles):
    motion = take(name)
    assert agreement(motion, detect_contacts(motion), roles) >= 0.97


@EVERY
def test_contacts_of_noisy_captures(name, roles):
    motion = take(name)
    noisy = captured(motion, 0.005, seed=1)
    assert agreement(motion, detect_contacts(noisy), roles) >= 0.93


@pytest.mark.parametrize("name", [n for n in samples.names() if n not in ON_HANDS and n != "pick_up"])
def test_hands_and_knees_in_the_air_hold_nothing(name):
    """A waving hand that stands still for a moment must not be nailed there. In pick_up hands do rest, on
    a box close to the ground."""
    assert {c.role for c in detect_contacts(take(name))} <= set(FEET)


@pytest.mark.parametrize("size", [0.05, 20.0])
def test_size_does_not_matter(size):
    walk = take("walk")
    other = walk.with_(
        skeleton=walk.skeleton.scaled(size), root=walk.root * size, rig=None, contacts=walk.contacts
    )
    found = detect_contacts(other)
    assert agreement(walk, found, FEET) > 0.95


def test_a_take_above_or_below_zero_has_the_same_contacts():
    walk = take("walk")
    assert detect_contacts(walk.with_(root=walk.root + np.array([0, 3.7, 0]))) == detect_contacts(walk)


def test_a_climbers_hands_hold_something_and_in_a_scene_the_rope():
    climb = take("rope_climb")
    found = [c for c in detect_contacts(climb) if c.role in HANDS]
    assert {c.on for c in found} == {SOMETHING}
    rope = Capsule((0, 0, 0.22), (0, 6, 0.22), 0.02)
    scene = Scene({"floor": Plane(), "rope": rope})
    there = detect_contacts(climb, scene=scene)
    assert {c.on for c in there if c.role in HANDS} == {"rope"}
    # the soles' middle lines stay beside the rope that their edges clamp
    assert {c.on for c in there if c.role in FEET} <= {"", "rope", SOMETHING}
    assert agreement(climb, there, FEET) > 0.95


def test_on_a_slope_both_feet_rest():
    swing = samples.golf_swing(slope=8.0)
    assert agreement(swing, detect_contacts(swing), FEET) > 0.99
    rise = np.tan(np.radians(8.0))
    hill = Scene({"hill": Plane((-rise, 1.0, 0.0), 0.0)})
    assert agreement(swing, detect_contacts(swing, scene=hill), FEET) > 0.99


def test_what_stands_on_a_box_stands_on_the_box():
    sway = samples.sway(seconds=4.0)
    up = sway.with_(root=sway.root + np.array([0, 0.5, 0]))
    scene = Scene({"floor": Plane(), "crate": Box((0, 0.25, 0), (2, 0.5, 2))})
    assert {c.on for c in detect_contacts(up, scene=scene)} == {"crate"}
    # above a bare floor they stay behind while the hips sway, on what the scene does not say
    assert {c.on for c in detect_contacts(up, scene=Scene.level())} == {SOMETHING}


def test_ground_is_the_level_that_soles_rest_on():
    crawl = take("crawl")
    soles = [sole_points(crawl, sole) for sole in crawl.rig.soles]
    assert ground_height(soles) == pytest.approx(0.0, abs=0.02)
    rng = np.random.default_rng(0)
    stands, dips = np.full(200, 0.05), np.full(40, -0.04)  # toes that bend below the floor for a while
    heights = np.concatenate([stands, dips]) + 0.002 * rng.normal(size=240)
    points = np.zeros((240, 1, 3))
    points[:, 0, 1] = heights
    assert ground_height([points]) == pytest.approx(0.05, abs=0.003)


@pytest.mark.parametrize("frames", [0, 1, 2, 3, 5])
def test_the_shortest_takes(frames):
    walk = take("walk")[:frames].with_(contacts=None)
    found = detect_contacts(walk)
    assert all(c.last < frames for c in found)
    assert all(p.last < frames for p in contact_phases(walk))


def test_thresholds_are_checked():
    with pytest.raises(InputError, match="begin_height"):
        ContactThresholds(begin_height=-0.1)
    with pytest.raises(InputError, match="reference_height"):
        ContactThresholds(reference_height=0.0)


# ---- phases


def test_a_walker_strikes_with_the_heel_and_leaves_over_the_toes():
    """Whoever pins feet would else hold the whole sole, and the foot could not roll."""
    walk = take("walk")
    phases = contact_phases(walk)
    assert walk.contacts is not None
    for contact in walk.contacts:
        inside = [p for p in phases if p.role == contact.role and contact.first <= p.first <= contact.last]
        covered = np.zeros(len(walk), bool)
        for p in inside:
            covered[p.first : p.last + 1] = True
        assert covered[contact.first : contact.last + 1].all()
        assert covered.sum() == contact.last - contact.first + 1
        if contact.first > 0 and contact.last < len(walk) - 1:
            by_part = {p.part: p for p in inside}
            assert set(by_part) == {"heel", "ball", "tip"}
            assert by_part["heel"].first < by_part["ball"].first
            assert by_part["heel"].last < by_part["ball"].last <= by_part["tip"].last == contact.last


def test_phases_say_where_their_points_rest():
    walk = take("walk")
    for phase in contact_phases(walk):
        sole = next(sole for sole in walk.rig.soles if sole.foot == phase.role)
        k = ("heel", "ball", "tip").index(phase.part)
        assert (sole.joints[k], sole.points[k]) == (phase.joint, phase.offset)
        there = sole_points(walk, sole)[phase.first + 1 : phase.last, k]
        assert np.abs(there - phase.place).max() < 0.02


def test_phases_of_contacts_that_a_person_gave():
    walk = take("walk")
    own = (Contact("left_foot", 20, 30, "carpet"), Contact("left_hand", 3, 9))
    phases = contact_phases(walk, contacts=own)
    assert {(p.role, p.on) for p in phases} == {("left_foot", "carpet"), ("left_hand", "")}
    hand = [p for p in phases if p.role == "left_hand"]
    assert min(p.first for p in hand) == 3
    assert max(p.last for p in hand) == 9
    assert contact_phases(walk, contacts=()) == ()
    assert contact_phases(walk, contacts=[Contact("left_foot", 9_000, 9_001)]) == ()


# ---- editing


OWN = (Contact("left_foot", 0, 10), Contact("right_foot", 8, 20), Contact("left_foot", 15, 25))


def test_contacts_are_added_removed_and_moved():
    assert contact_at(OWN, "left_foot", 9) == OWN[0]
    assert contact_at(OWN, "left_foot", 12) is None
    assert contact_at(OWN, "left_foot", 9, on="rope") is None
    hand = Contact("left_hand", 4, 6, "rope")
    assert with_contact(OWN, hand) == (OWN[0], hand, OWN[1], OWN[2])
    assert with_contact(None, hand) == (hand,)
    assert with_contact(OWN, Contact("left_foot", 9, 14)) == (Contact("left_foot", 0, 25), OWN[1])
    assert without_contact(OWN, OWN[1]) == (OWN[0], OWN[2])
    assert moved_contact(OWN, OWN[2], first=13) == (OWN[0], OWN[1], Contact("left_foot", 13, 25))
    assert moved_contact(OWN, OWN[2], first=11, last=20) == (Contact("left_foot", 0, 20), OWN[1])
    cut = cut_contact(OWN, OWN[0], 5)
    assert cut == (Contact("left_foot", 0, 4), Contact("left_foot", 6, 10), OWN[1], OWN[2])
    assert merged_contacts(cut, gap=1) == OWN
    assert merged_contacts(OWN, gap=4) == (Contact("left_foot", 0, 25), OWN[1])


def test_edits_that_make_no_sense_say_so():
    with pytest.raises(InputError, match="left_hand from 1 to 2 on rope is not"):
        without_contact(OWN, Contact("left_hand", 1, 2, "rope"))
    with pytest.raises(InputError, match="not before it"):
        moved_contact(OWN, OWN[0], first=11)
    with pytest.raises(InputError, match="inside it"):
        cut_contact(OWN, OWN[0], 10)
    with pytest.raises(InputError, match="at least 0"):
        merged_contacts(OWN, gap=-1)
