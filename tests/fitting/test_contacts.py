"""Contacts as goals: what rests keeps its place, what is right already is left alone."""

import numpy as np
import pytest

from marotte import samples
from marotte.errors import InputError
from marotte.figure import Contact, Motion, Scene
from marotte.figure.contacts import contact_mask, sole_points
from marotte.figure.scene import Plane
from marotte.fitting import contact_goals, fit, held_parts
from marotte.kinematics import Position
from marotte.quality import foot_skate


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.walk(seconds=3)


def slid(motion: Motion, speed: float) -> Motion:
    """The same steps on ice: the whole figure drifts."""
    drift = np.outer(motion.times, [speed, 0.0, 0.0])
    return motion.with_(root=motion.root + drift, contacts=motion.contacts)


def test_a_take_whose_feet_rest_is_not_changed(walk: Motion) -> None:
    for held in held_parts(walk):
        assert np.abs(held.place - walk.positions()[:, held.joint]).max() < 0.004


def test_a_part_that_slides_is_given_one_place(walk: Motion) -> None:
    made = fit(slid(walk, 0.06), contact_goals(slid(walk, 0.06), swing=1.0), exact=True).motion
    assert foot_skate(slid(walk, 0.06)).mean_speed > 0.05
    assert foot_skate(made).mean_speed < 0.01


def test_changes_fade_between_contacts_without_a_jump(walk: Motion) -> None:
    moved = slid(walk, 0.06)
    for held in held_parts(moved):
        change = held.place - moved.positions()[:, held.joint]
        assert np.abs(np.diff(change, axis=0)).max() * moved.frame_rate < 0.5  # m/s
        assert (held.share.min(), held.share.max()) == (0.0, 1.0)


def test_feet_stand_on_a_slope_and_are_turned_to_it(walk: Motion) -> None:
    tilt = np.radians(10.0)
    scene = Scene({"hill": Plane((0.0, float(np.cos(tilt)), float(-np.sin(tilt))), 0.0)})
    made = fit(walk, contact_goals(walk, scene=scene, swing=1.0), exact=True).motion
    for sole in made.rig.soles:
        points = sole_points(made, sole)
        resting = contact_mask(made.contacts, sole.foot, len(made))
        above = (points[..., 1] - scene.ground_height(points)).min(axis=1)[resting]
        assert np.abs(above).max() < 0.005
        assert np.median(np.abs(above)) < 0.002


def test_a_place_that_is_asked_for_is_taken() -> None:
    stand = samples.handstand()
    hands = [c for c in stand.contacts or () if c.role == "left_hand"]
    place = stand.positions()[hands[0].first, stand.rig["left_hand"]] + [0.02, 0.01, 0.0]
    (held,) = held_parts(stand, hands, places={hands[0]: place})
    assert np.allclose(held.place[hands[0].first : hands[0].last + 1], place)


def test_contacts_outside_the_take_are_named(walk: Motion) -> None:
    with pytest.raises(InputError, match="must lie in frames 0 to"):
        contact_goals(walk, [Contact("left_foot", 0, len(walk))])


def test_weights_may_change_from_frame_to_frame_but_must_be_one_a_frame(walk: Motion) -> None:
    (goal, *_) = contact_goals(walk)
    assert np.shape(goal.weight) == (len(walk),)
    place = walk.positions()[:10, walk.rig["left_foot"]]
    with pytest.raises(InputError, match="one a frame"):
        fit(walk[:10], [Position(point="left_foot", to=place, weight=np.ones(9))])
