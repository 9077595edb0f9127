"""Edits of time: what a user sees when a clip is cut, slowed, turned round, mirrored or looped."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte.errors import InputError
from marotte.figure import Contact, Motion, Skeleton, loop, mirror, path, resample, reverse
from marotte.figure.contacts import contact_mask
from marotte.figure.rotations import angle_between, multiply, rotate
from marotte.figure.time import heading_turn

from .figures import person, quadruped, wander

frames_ = st.integers(3, 60)


def same_motion(a: Motion, b: Motion, tolerance: float = 1e-10) -> bool:
    return (
        a.root == pytest.approx(b.root, abs=tolerance)
        and float(angle_between(a.rotations, b.rotations).max()) < max(tolerance, 1e-7)
        and a.frame_rate == b.frame_rate
    )


@given(st.integers(0, 39), st.integers(0, 39), st.integers(1, 7))
def test_slice_keeps_frames_and_moves_contacts_along(start, stop, step):
    motion = wander()
    part = motion[start : stop + 1 : step]
    wanted = range(40)[start : stop + 1 : step]
    assert np.array_equal(part.root, motion.root[list(wanted)])
    assert part.frame_rate == 30.0 / step
    for role in ("left_foot", "right_foot"):
        whole = contact_mask(motion.contacts, role, 40)
        assert np.array_equal(contact_mask(part.contacts, role, len(part)), whole[list(wanted)])


@given(st.integers(2, 50), st.floats(7, 240), st.sampled_from(["slerp", "spline"]))
def test_resampled_motion_passes_through_shared_moments(frames, rate, method):
    motion = wander(frames)
    out = resample(motion, rate, method=method)
    assert out.frame_rate == rate
    assert out.seconds <= motion.seconds + 1e-9
    assert motion.seconds - out.seconds < 1 / rate + 1e-9  # no more than one frame is lost
    assert out.root[0] == pytest.approx(motion.root[0])
    back = out.times * motion.frame_rate
    for i in np.flatnonzero(np.abs(back - np.round(back)) < 1e-9):
        assert angle_between(out.rotations[i], motion.rotations[round(back[i])]).max() < 1e-7


def test_resampling_twice_as_fine_and_back_is_the_original():
    motion = wander(31)
    assert same_motion(resample(resample(motion, 60), 30), motion)
    assert resample(resample(motion, 60), 30).contacts == motion.contacts


def test_spline_resampling_follows_a_smooth_turn_better_than_slerp():
    """Slow motion from slerp has corners at the old frames; the spline must not."""
    fine, coarse = wander(241, rate=240.0), wander(241, rate=240.0)[::8]
    errors = {
        method: angle_between(resample(coarse, 240.0, method=method).rotations, fine.rotations).max()
        for method in ("slerp", "spline")
    }
    assert errors["spline"] < 0.2 * errors["slerp"]


@given(frames_)
def test_reverse_twice_is_the_original(frames):
    motion = wander(frames + 20)
    assert same_motion(reverse(reverse(motion)), motion, 0)
    assert reverse(reverse(motion)).contacts == tuple(sorted(motion.contacts or ()))
    assert np.array_equal(reverse(motion).root[0], motion.root[-1])


@pytest.mark.parametrize("plane", ["start", "world"])
def test_mirror_reflects_every_joint_onto_its_partner(plane):
    motion = wander()
    out = mirror(motion, plane=plane)
    normal = np.array([1.0, 0, 0])
    origin = np.zeros(3)
    if plane == "start":
        normal = rotate(motion.rotations[0, 0], normal) * [1, 0, 1]
        normal /= np.linalg.norm(normal)
        origin = motion.root[0]
    before, after = motion.positions(), out.positions()
    reflected = before - 2 * ((before - origin) @ normal)[..., None] * normal
    for j, name in enumerate(motion.skeleton.names):
        other = name.replace("Left", "?").replace("Right", "Left").replace("?", "Right")
        assert after[:, out.skeleton.index(other)] == pytest.approx(reflected[:, j], abs=1e-9)
    cup = path(motion, "cup")
    assert path(out, "cup") == pytest.approx(cup - 2 * ((cup - origin) @ normal)[:, None] * normal, abs=1e-9)
    assert contact_mask(out.contacts, "left_foot", 40) == pytest.approx(
        contact_mask(motion.contacts, "right_foot", 40)
    )


def test_mirror_twice_is_the_original_on_an_uneven_figure():
    """Real skeletons are never quite symmetric; going there and back must lose nothing."""
    motion = wander()
    rng = np.random.default_rng(1)
    offsets = np.array(motion.skeleton.offsets)
    offsets[1:] += rng.normal(scale=0.02, size=offsets[1:].shape)
    uneven = motion.with_(skeleton=motion.skeleton.with_(offsets=offsets))
    assert same_motion(mirror(mirror(uneven)), uneven, 1e-9)


def test_mirror_without_sides_says_what_it_needs():
    with pytest.raises(InputError, match="left and a right side"):
        mirror(Motion.at_rest(quadruped(), 3))


@given(st.integers(12, 60), st.floats(0.05, 1.0), st.booleans(), st.integers(1, 4), st.integers(0, 5))
def test_loop_has_neither_jump_nor_kink_at_its_seam(frames, blend, travel, times, seed):
    motion = wander(frames, seed=seed, size=0.2)
    out = loop(motion, times=times + 1, blend=blend, travel=travel)
    lap = frames - 1
    assert len(out) == lap * (times + 1) + 1
    bends = np.linalg.norm(np.diff(motion.root, 2, axis=0), axis=1).max()
    steps = angle_between(motion.rotations[:-1], motion.rotations[1:]).max()
    for seam in range(lap, len(out) - 1, lap):
        # no jump: the steps around the seam are like the take's own
        around = out.rotations[seam - 1 : seam + 2]
        assert angle_between(around[:-1], around[1:]).max() < 2 * steps
        # no kink: the path bends at the seam no more than it does elsewhere
        assert np.linalg.norm(np.diff(out.root[seam - 1 : seam + 2], 2, axis=0)) < 2 * bends + 1e-4
    # the last frame of a lap is the first of the next, moved on
    first, last = out[0], out[lap]
    if travel:
        turn = heading_turn(first.rotations[0], last.rotations[0])
        moved = np.array(first.rotations)
        moved[0] = multiply(turn, moved[0])
        assert angle_between(moved, last.rotations).max() < 1e-6
        assert last.root[1] == pytest.approx(first.root[1], abs=1e-9)
    else:
        assert angle_between(first.rotations, last.rotations).max() < 1e-6
        assert last.root == pytest.approx(first.root, abs=1e-9)


def test_loop_leaves_the_middle_alone():
    motion = wander(60)
    out = loop(motion, blend=0.3)
    assert np.array_equal(out.root[10:50], motion.root[10:50])
    assert angle_between(out.rotations[10:50], motion.rotations[10:50]).max() < 1e-7


def test_loop_of_a_closed_cycle_changes_nothing():
    motion = wander(41)
    root = np.array(motion.root)
    root[:, 1] = 0.95
    closed = Motion(motion.skeleton, root, np.array(motion.rotations), 30.0)
    out = loop(closed, travel=True)
    assert angle_between(out.rotations, closed.rotations).max() < 0.02
    assert out.root == pytest.approx(closed.root, abs=1e-3)


def test_loop_repeats_contacts_and_joins_them_at_the_seam():
    motion = wander(41).with_(contacts=(Contact("left_foot", 0, 5), Contact("left_foot", 30, 40)))
    out = loop(motion, times=2)
    assert out.contacts == (
        Contact("left_foot", 0, 5),
        Contact("left_foot", 30, 45),
        Contact("left_foot", 70, 80),
    )


def test_what_a_contact_is_with_survives_every_edit_of_time():
    """A hand on a rope must not be taken for a hand on the ground after a resample or a loop."""
    on_rope = Contact("left_hand", 4, 10, "rope")
    motion = wander(41).with_(contacts=(on_rope,))
    edited = {
        "slice": motion[2:30],
        "resample": resample(motion, 60.0),
        "reverse": reverse(motion),
        "mirror": mirror(motion),
        "loop": loop(motion, times=2),
    }
    for name, out in edited.items():
        assert out.contacts, name
        assert {c.on for c in out.contacts} == {"rope"}, name


def test_contacts_with_different_things_are_not_joined():
    motion = wander(41).with_(contacts=(Contact("left_foot", 0, 5), Contact("left_foot", 30, 40, "rope")))
    out = loop(motion, times=2)
    assert Contact("left_foot", 30, 40, "rope") in (out.contacts or ())
    assert Contact("left_foot", 40, 45) in (out.contacts or ())


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m: loop(m, times=0), "times must be at least 1"),
        (lambda m: loop(m, blend=float("nan")), "blend must be a time"),
        (lambda m: loop(m[:2]), "at least 3 frames"),
        (lambda m: resample(m, 0), "positive"),
        (lambda m: resample(m, float("inf")), "positive"),
        (lambda m: m[::-1], "reverse"),
    ],
)
def test_wrong_input_says_what_must_hold(call, words):
    with pytest.raises(InputError, match=words):
        call(wander(10 + 20))


def test_zero_frames_are_a_motion():
    empty = wander()[5:5]
    assert len(empty) == 0
    assert len(resample(empty, 10)) == 0
    assert len(reverse(empty)) == 0
    assert len(mirror(empty)) == 0
    assert empty.positions().shape == (0, 21, 3)
    assert isinstance(person(), Skeleton)
