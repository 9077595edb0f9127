"""Pulling points: what is pulled arrives, what is far away keeps still, and order does not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import marotte as mt
from marotte.errors import InputError
from marotte.fitting import Drag, fit, reach
from marotte.kinematics import Position

WALK = mt.samples.walk(seconds=8, frame_rate=30)
PLACES = WALK.positions()


def at(motion, role, frame):
    return motion.positions()[frame, motion.rig[role]]


@pytest.mark.parametrize("spacing", [1, 4, 16, 64])
def test_a_pull_arrives_and_reaches_just_under_four_knots(spacing):
    to = PLACES[120, WALK.rig["right_hand"]] + [0.1, 0.2, 0.1]
    drag = Drag.of(WALK).pull("right_hand", 120, to, spacing=spacing)
    assert np.linalg.norm(at(drag.motion, "right_hand", 120) - to) < 0.001
    moved = np.flatnonzero((drag.rotations != WALK.rotations).any(axis=(1, 2)))
    first, last = reach(120, spacing)
    assert (max(first, 0), min(last, len(WALK) - 1)) == (moved[0], moved[-1])
    assert drag.changed == (moved[0], moved[-1])
    assert last - 120 < 4 * spacing


def test_the_range_is_shown():
    drag = Drag.of(WALK).pull("head", 100, (0.0, 1.5, 4.0), spacing=8)
    assert drag.pulls[0].range == reach(100, 8) == (73, 127)


def test_one_datum_at_one_level_is_what_the_hierarchy_gives():
    """A pull alone is met by its first level, as the paper's algorithm does it."""
    to = PLACES[120, WALK.rig["left_hand"]] + [0.0, 0.3, 0.1]
    drag = Drag.of(WALK, hold=False).pull("left_hand", 120, to, spacing=16)
    whole = fit(WALK, [Position(point="left_hand", to=to, frames=(120, 120))], levels=1, shift=()).motion
    assert np.allclose(drag.rotations, whole.rotations, atol=1e-5)
    assert np.allclose(drag.root, whole.root, atol=1e-5)


@given(st.lists(st.tuples(st.sampled_from(["left_hand", "right_hand", "head"]), st.integers(0, 240),
                          st.sampled_from([2, 8, 32])), min_size=1, max_size=5),
       st.randoms(use_true_random=False))  # fmt: skip
@settings(max_examples=15, deadline=None)
def test_whatever_the_order_of_pulls_the_outcome_is_one(pulls, random):
    """What a drag leaves alone must be what it would have worked out."""

    def made(order):
        drag = Drag.of(WALK)
        for role, frame, spacing in order:
            drag = drag.pull(role, frame, PLACES[frame, WALK.rig[role]] + [0.02, 0.05, 0.0], spacing=spacing)
        return drag

    unique = list({(role, frame): (role, frame, spacing) for role, frame, spacing in pulls}.values())
    other = list(unique)
    random.shuffle(other)
    a, b = made(unique), made(other)
    assert np.allclose(a.rotations, b.rotations, atol=1e-9)
    assert np.allclose(a.root, b.root, atol=1e-9)


def test_several_pulls_keep():
    drag = Drag.of(WALK)
    wanted = {}
    for role, frame in (("left_hand", 100), ("right_hand", 104), ("head", 130), ("left_hand", 112)):
        to = PLACES[frame, WALK.rig[role]] + [0.0, 0.04, 0.05]
        wanted[role, frame] = to
        drag = drag.pull(role, frame, to, spacing=16)
    for (role, frame), to in wanted.items():
        assert np.linalg.norm(at(drag.motion, role, frame) - to) < 0.005


def test_dragging_on_replaces_the_pull_and_nothing_is_left_of_it():
    to: np.ndarray = PLACES[120, WALK.rig["right_hand"]]
    up = np.array([0.0, 0.3, 0.0])
    straight = Drag.of(WALK).pull("right_hand", 120, to + up)
    drag = Drag.of(WALK)
    for k in range(1, 11):
        drag = drag.pull("right_hand", 120, to + 0.1 * k * up)
    assert len(drag.pulls) == 1
    assert np.allclose(drag.rotations, straight.rotations, atol=1e-9)
    wide = straight.pull("right_hand", 120, to + up, spacing=4)
    narrow = Drag.of(WALK).pull("right_hand", 120, to + up, spacing=4)
    assert np.allclose(wide.rotations, narrow.rotations, atol=1e-9)


def test_a_released_pull_leaves_the_motion_as_it_was():
    drag = Drag.of(WALK).pull("head", 60, PLACES[60, WALK.rig["head"]] + [0.1, 0.0, 0.0])
    other = drag.pull("left_hand", 70, PLACES[70, WALK.rig["left_hand"]] + [0.0, 0.1, 0.0])
    back = other.release("left_hand", 70)
    assert np.allclose(back.rotations, drag.rotations, atol=1e-9)
    assert np.allclose(back.release("head", 60).rotations, WALK.rotations, atol=1e-12)
    assert drag.pulls[0].frame == 60  # the values before are what they were
    assert len(other.pulls) == 2


def test_planted_feet_keep_their_places_at_the_pulled_frame():
    contact = next(c for c in WALK.contacts or () if c.role == "left_foot" and c.last - c.first > 10)
    frame = (contact.first + contact.last) // 2
    to = PLACES[frame, WALK.rig["hips"]] + [0.0, -0.12, 0.05]
    held = Drag.of(WALK).pull("hips", frame, to)
    free = Drag.of(WALK, hold=False).pull("hips", frame, to)
    before = at(WALK, "left_foot", frame)
    assert np.linalg.norm(at(held.motion, "left_foot", frame) - before) < 0.001
    assert np.linalg.norm(at(free.motion, "left_foot", frame) - before) > 0.05


def test_what_cannot_be_reached_is_come_near_to():
    drag = Drag.of(WALK).pull("right_hand", 120, PLACES[120, WALK.rig["right_hand"]] + [0.0, 9.0, 0.0])
    assert np.isfinite(drag.rotations).all()
    assert at(drag.motion, "right_hand", 120)[1] > PLACES[120, WALK.rig["right_hand"], 1] + 0.5


def test_mistakes_are_said():
    drag = Drag.of(WALK)
    with pytest.raises(InputError, match="spacing must be one of 64, 32, 16"):
        drag.pull("head", 3, (0.0, 1.0, 0.0), spacing=5)
    with pytest.raises(InputError, match="frame must lie in 0 to 240"):
        drag.pull("head", 999, (0.0, 1.0, 0.0))
    with pytest.raises(InputError, match=r"place \(3,\)"):
        drag.pull("head", 3, (0.0, 1.0))
    with pytest.raises(InputError, match="finite"):
        drag.pull("head", 3, (0.0, np.nan, 0.0))
    with pytest.raises(InputError, match="not pulled at frame 3; pulls are at frames"):
        drag.release("head", 3)
