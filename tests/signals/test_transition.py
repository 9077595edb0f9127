"""Transitions: takes must pass into one another at one pace, where they are said or found to meet."""

from __future__ import annotations

import numpy as np
import pytest

import marotte as mt
from marotte.errors import InputError
from marotte.quality import jerk
from marotte.signals import Next, concatenate, transition

WALK = mt.samples.walk(seconds=4, frame_rate=30)
SNEAK = mt.samples.walk(style="sneak", seconds=4, frame_rate=30)
BRISK = mt.samples.walk(style="brisk", seconds=4, frame_rate=30)


def test_outside_of_the_overlap_takes_are_what_they_are():
    done = transition(WALK, [SNEAK])
    (join,) = done.joins
    first, last = join.frames
    assert np.allclose(done.motion.rotations[:first], WALK.rotations[:first])
    assert np.allclose(done.motion.root[:first], WALK.root[:first])
    tail = SNEAK[join.after[1] + 1 :]
    assert len(done.motion) - last - 1 == len(tail)
    there = done.motion.rotations[last + 1 :, 5]
    assert np.allclose(np.abs(np.einsum("fk,fk->f", there, tail.rotations[:, 5])), 1.0)


def test_without_a_warp_it_is_a_join():
    plain = concatenate(WALK, [SNEAK]).motion
    assert np.allclose(transition(WALK, [SNEAK], warp=False).motion.root, plain.root, atol=0.002)


def test_a_warp_brings_steps_together():
    """Half a second of overlap between a walk and a brisk one half a cycle apart in pace: knees that
    bend together blend to a knee that bends; knees that do not, to a stiff one."""
    given = Next(BRISK, at=60, into=25, overlap=0.8)
    stiff = transition(WALK, [given], warp=False)
    paced = transition(WALK, [given])
    assert paced.joins[0].distance <= stiff.joins[0].distance
    assert jerk(paced.motion).rms < 1.1 * max(jerk(WALK).rms, jerk(BRISK).rms)


def test_chains_pass_on_and_on():
    done = transition(WALK, [SNEAK, BRISK, WALK])
    assert len(done.joins) == 3
    starts = [join.frames[0] for join in done.joins]
    assert starts == sorted(starts)
    assert done.joins[2].after[1] < len(WALK)
    steps = np.linalg.norm(np.diff(done.motion.root, axis=0), axis=1)
    assert steps.max() < 0.12  # metres a frame: nobody jumps
    assert np.abs(np.diff(steps)).max() < 0.02


def test_places_of_a_chain_count_in_their_own_takes():
    done = transition(
        WALK, [Next(SNEAK, at=80, into=20, overlap=0.4), Next(WALK, at=90, into=15, overlap=0.4)]
    )
    a, b = done.joins
    assert a.before[0] == 80
    assert a.after[0] == 20
    assert b.before[0] == 90
    assert b.after[0] == 15
    assert b.frames[0] == a.frames[1] + 90 - a.after[1]


def test_contacts_are_known_all_along():
    done = transition(WALK, [SNEAK])
    roles = {c.role for c in done.motion.contacts or ()}
    assert roles == {"left_foot", "right_foot"}
    first, last = done.joins[0].frames
    planted = np.zeros(len(done.motion), dtype=bool)
    for c in done.motion.contacts or ():
        planted[c.first : c.last + 1] = True
    assert planted[first : last + 1].all()  # walkers always stand on something
    forgetful = transition(WALK.with_(contacts=None), [SNEAK.with_(contacts=None)])
    assert forgetful.motion.contacts


def test_mistakes_are_said():
    with pytest.raises(InputError, match="at least one take"):
        transition(WALK, [])
    with pytest.raises(InputError, match="take 3 must begin behind the transition before it"):
        transition(WALK, [Next(SNEAK, at=90, into=20, overlap=0.4), Next(WALK, at=5, into=5, overlap=0.4)])
