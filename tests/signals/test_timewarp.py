"""Warping takes in time: timing and movement mixed apart from each other, smoothly."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marotte import load, samples
from marotte.errors import InputError
from marotte.figure import Contact, Motion, Skeleton, detect_contacts, resample
from marotte.figure.rotations import about, angle_between, log, multiply, rotate
from marotte.figure.time import at_frames
from marotte.signals import Correspondence, aligned, correspond, timewarp, warped
from marotte.signals.timelines import timeline
from marotte.signals.timewarp import taps
from tests.figure.figures import wander


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.walk(seconds=3)


@pytest.fixture(scope="module")
def tired() -> Motion:
    return samples.walk(style="tired", seconds=4)


def strikes(motion):
    """Seconds at which each foot comes down, in the middle of the take."""
    found = sorted((c.first / motion.frame_rate, c.role) for c in motion.contacts if c.role.endswith("foot"))
    return [(t, role) for t, role in found if 0.3 < t < motion.seconds - 0.3]


def slowed(motion, seconds, size=0.06):
    """The same movement at a pace that changes: a warp that is known."""
    frames = round(seconds * motion.frame_rate) + 1
    u = np.linspace(0, 1, frames)
    w = u + size * np.sin(2 * np.pi * u)
    return at_frames(motion, w * (len(motion) - 1), method="spline"), w * motion.seconds


@pytest.mark.parametrize("key", ["body", "left_lower_leg", "left_lower_leg.x", {"legs": "legs"}])
def test_warped_to_itself_a_take_stays_itself(walk, key):
    out = timewarp(walk, walk, key=key)
    assert np.abs(out.positions() - walk.positions()).max() < 1e-12
    assert out.contacts == walk.contacts
    assert out.frame_rate == walk.frame_rate


def test_amount_zero_keeps_the_take_and_one_takes_the_length(walk, tired):
    own = timewarp(walk, tired, amount=0.0)
    assert np.abs(own.positions() - walk.positions()).max() < 1e-9
    assert own.contacts == walk.contacts
    assert len(timewarp(walk, tired)) == len(tired)
    half = timewarp(walk, tired, amount=0.5)
    assert half.seconds == pytest.approx(0.5 * (walk.seconds + tired.seconds), abs=0.5 / 60)


def test_a_known_change_of_pace_is_undone(walk):
    """Warped to the original, a take that was slowed down and hurried is the original again."""
    other, _ = slowed(walk, 3.8)
    back = timewarp(other, walk)
    assert len(back) == len(walk)
    assert np.abs(back.positions() - walk.positions()).max() < 0.1  # a swinging foot, 15 ms off
    apart = np.linalg.norm(back.positions() - walk.positions(), axis=2)
    assert apart.mean() < 0.012


def test_foot_strikes_meet(walk, tired):
    """BW95 fig. 7, L97 fig. 5.4: after warping, feet come down at the same moments."""
    before, after = strikes(walk), strikes(timewarp(walk, tired))
    wanted = strikes(tired)
    count = min(len(after), len(wanted))
    assert count >= 4
    assert [r for _, r in after[:count]] == [r for _, r in wanted[:count]]
    warped = np.abs([a - b for (a, _), (b, _) in zip(after, wanted, strict=False)])
    plain = np.abs([a - b for (a, _), (b, _) in zip(before, wanted, strict=False)])
    assert warped.max() < 0.07
    assert plain.max() > 0.3


def test_waves_meet():
    """BW95 fig. 8: a neutral wave at the rate of a pronounced one, so that a blend has no second wave."""
    shy, lively = samples.wave(energy=0.4), samples.wave(energy=1.5)
    out = timewarp(shy, lively, key="right_lower_arm")

    def likeness(motion):
        hands = [m.positions()[:, m.rig["right_hand"], 0] for m in (motion, lively)]
        count = min(len(h) for h in hands)
        return np.corrcoef(hands[0][:count], hands[1][:count])[0, 1]

    assert len(out) == len(lively)
    assert likeness(out) > 0.95
    assert likeness(shy) < 0.8


@given(st.integers(0, 500), st.floats(0.0, 1.0))
@settings(max_examples=25)
def test_velocities_have_no_staircase(seed, amount):
    """Played frame by frame the path would make every joint limp: stand, hurry, stand."""
    motion = wander(frames=60, seed=seed)
    other, _ = slowed(motion, 2.7)
    out = timewarp(motion, other, amount=amount)
    speed = np.linalg.norm(np.diff(out.root, axis=0), axis=1)
    # from one frame to the next, the pace changes little: a staircase halves or doubles it
    assert (np.abs(np.diff(speed)) < 0.25 * speed.mean()).all()


def test_spreads_are_smooth_and_much_alike(walk, tired):
    a, b = timewarp(walk, tired), timewarp(walk, tired, spread="gaussian")
    assert np.abs(a.positions() - b.positions()).max() < 0.03
    rough = timewarp(walk, tired, over=0.0)

    def limp(motion):
        speed = np.linalg.norm(np.diff(motion.root, axis=0), axis=1)
        return np.abs(np.diff(speed)).max() / speed.mean()

    assert limp(a) < 0.2
    assert limp(b) < 0.2
    assert limp(rough) > 0.5


def test_timing_and_movement_mix_apart(walk, tired):
    """BW95 3.2: the march at the stagger's pace, the stagger at the march's, and all between."""
    found = correspond(walk, tired)
    for amount, amplitude in itertools.product([0.0, 0.5, 1.0], [0.0, 0.5, 1.0]):
        out = timewarp(walk, tired, amount=amount, amplitude=amplitude, correspondence=found)
        seconds = (1 - amount) * walk.seconds + amount * tired.seconds
        assert out.seconds == pytest.approx(seconds, abs=0.5 / 60)
    other = timewarp(walk, tired, amount=1.0, amplitude=1.0, correspondence=found)
    assert angle_between(other.rotations[:, 1:], tired.rotations[:, 1:]).max() < 1e-6
    way = [np.linalg.norm(np.diff(m.root, axis=0), axis=1) for m in (other, tired)]
    assert way[0] == pytest.approx(way[1], abs=1e-6)
    bend = lambda m: m.channels()[f"{m.skeleton.names[m.rig['left_lower_leg']]}.x"]  # noqa: E731
    own, theirs = timewarp(walk, tired, correspondence=found), other
    middle = timewarp(walk, tired, amplitude=0.5, correspondence=found)
    assert bend(middle) == pytest.approx(0.5 * (bend(own) + bend(theirs)), abs=0.5)
    beyond = timewarp(walk, tired, amplitude=-1.0, correspondence=found)
    assert bend(beyond) == pytest.approx(2 * bend(own) - bend(theirs), abs=2.0)


def test_further_than_the_other_as_long_as_time_runs_forward(walk):
    other, _ = slowed(walk, 3.3, 0.1)
    found = correspond(walk, other)
    out = timewarp(walk, other, amount=1.5, correspondence=found)
    assert out.seconds == pytest.approx(walk.seconds + 1.5 * (other.seconds - walk.seconds), abs=0.01)
    forward = out.root[:, 2]
    assert (np.diff(forward) > 0).all()
    with pytest.raises(InputError, match=r"amount must be -?\d+\.\d\d to \d+\.\d\d for these takes"):
        timewarp(walk, other, amount=9.0, correspondence=found)
    with pytest.raises(InputError, match="finite"):
        timewarp(walk, other, amount=float("nan"))


def test_the_range_in_the_error_is_the_range(walk):
    other, _ = slowed(walk, 3.0, 0.1)
    line = timeline(correspond(walk, other))
    low, high = line.range()
    assert low < 0 < 1 < high
    for amount in (low + 1e-6, high - 1e-6):
        assert (np.diff(line.output(amount)) > 0).all()
    for amount in (low - 0.05, high + 0.05):
        with pytest.raises(InputError, match="time would run backwards"):
            line.output(amount)


def test_parts_of_the_body_have_timings_of_their_own(walk, tired):
    """L97 5.1.2: a key for every part; what no part names follows the first."""
    out = timewarp(walk, tired, key={"legs": "legs", "arms": "left_upper_arm"})
    legs, arms = timewarp(walk, tired, key="legs"), timewarp(walk, tired, key="left_upper_arm")
    arm, leg, spine = (walk.rig[r] for r in ("left_upper_arm", "left_lower_leg", "spine"))
    assert angle_between(out.rotations[:, leg], legs.rotations[:, leg]).max() < 1e-9
    assert angle_between(out.rotations[:, spine], legs.rotations[:, spine]).max() < 1e-9
    assert angle_between(out.rotations[:, arm], arms.rotations[:, arm]).max() < 1e-9
    assert np.array_equal(out.root, legs.root)
    assert out.contacts == legs.contacts


def test_other_rates_and_the_aligned_take(walk, tired):
    slow = resample(tired, 30)
    found = correspond(walk, slow)
    out = timewarp(walk, slow, correspondence=found)
    assert out.frame_rate == 60
    assert out.seconds == pytest.approx(slow.seconds, abs=1 / 60)
    laid = aligned(walk, slow, found)
    assert (len(laid), laid.frame_rate) == (len(slow), 30)
    assert np.abs(laid.positions() - out.positions()[::2][: len(laid)]).max() < 0.02


def test_another_figure_gives_its_timing_by_a_key_and_its_movement_by_roles(walk, tired):
    names = tuple(f"x_{n}" for n in tired.skeleton.names)
    other = tired.with_(skeleton=replace(tired.skeleton, names=names), rig=tired.rig)
    by_role = timewarp(walk, other, key="left_lower_leg.x")
    same = timewarp(walk, tired, key="left_lower_leg.x")
    assert np.abs(by_role.positions() - same.positions()).max() < 1e-9
    mixed, plain = (timewarp(walk, m, key="left_lower_leg.x", amplitude=0.5) for m in (other, tired))
    assert np.abs(mixed.positions() - plain.positions()).max() < 1e-6


def test_contacts_points_and_the_rest_go_along(walk, tired):
    marked = walk.with_(contacts=[Contact("left_foot", 30, 60, on="step")], name="a walk")
    out = timewarp(marked, tired)
    (contact,) = out.contacts or ()
    found = correspond(marked, tired)
    assert contact.on == "step"
    assert (contact.first, contact.last) == pytest.approx(found.at([30, 60]), abs=6)
    assert out.name == "a walk"
    assert out.rig is walk.rig
    assert timewarp(marked, tired, amplitude=0.2).contacts is None
    assert timewarp(walk.with_(contacts=None), tired).contacts is None


def test_what_rests_still_rests(walk, tired):
    """A warp of time alone cannot make a planted foot slide, only rest longer."""
    out = timewarp(walk, tired)
    feet = {"left_foot": out.rig["left_foot"], "right_foot": out.rig["right_foot"]}
    toes = out.positions()

    def drift(motion, places):
        worst = 0.0
        for c in motion.contacts:
            if c.role in feet:
                path = places[c.first : c.last + 1, feet[c.role]]
                worst = max(worst, float(np.linalg.norm(path - path[0], axis=1).max()))
        return worst

    assert drift(out, toes) < drift(walk, walk.positions()) + 0.01


def test_stretched_bones_are_warped_too(walk, tired):
    moved = np.zeros((len(walk), len(walk.skeleton), 3))
    moved[:, 3, 1] = np.linspace(0, 0.1, len(walk))
    stretched = walk.with_(translations=moved)
    made = np.array(timewarp(stretched, tired).translations)
    assert made[[0, -1], 3, 1] == pytest.approx([0, 0.1])
    assert (np.diff(made[:, 3, 1]) > -1e-12).all()
    half = np.array(timewarp(stretched, tired, amplitude=0.5).translations)
    assert half[-1, 3, 1] == pytest.approx(0.05)


def spinner(speed, frames=90, rate=30.0):
    """One joint that turns and turns, `speed` radians a frame, about an oblique axis."""
    skeleton = Skeleton(("top",), np.array([-1]), np.zeros((1, 3)), channels=("xyzXYZ",))
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    turns = about(axis, speed * np.arange(frames))[:, None]
    return Motion(skeleton, np.zeros((frames, 3)), turns, rate)


@pytest.mark.parametrize("speed", [0.3, 1.2, 2.5])
def test_spinning_on_and_on_is_read_right(speed):
    """Means of quaternions fail where a joint spins far within a few frames; turns do not."""
    slow, quick = spinner(speed), spinner(speed, frames=30)
    steps = np.array([(i, round(i / 89 * 29)) for i in range(90)])
    found = Correspondence(steps, (90, 30), (30.0, 30.0))
    out = aligned(slow, quick, found, over=0.5)
    assert len(out) == 30
    wanted = about(np.array([1.0, 2.0, 2.0]) / 3.0, speed * np.linspace(0, 89, 30))[:, None]
    assert angle_between(out.rotations, wanted).max() < 0.1 * speed  # a tenth of a frame: the path is whole


@given(st.integers(0, 500))
@settings(max_examples=20)
def test_signs_of_quaternions_do_not_matter(seed):
    motion, other = wander(frames=40, seed=seed), wander(frames=50, seed=seed + 1)
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], size=(40, len(motion.skeleton), 1))
    flipped = motion.with_(rotations=motion.rotations * signs)
    a, b = timewarp(motion, other, amplitude=0.3), timewarp(flipped, other, amplitude=0.3)
    assert angle_between(a.rotations, b.rotations).max() < 1e-6


def test_mixing_movement_puts_the_other_where_this_one_begins(walk, tired):
    """Half of a walk to the north and half of one to the south would go nowhere."""
    turn = about(np.array([0.0, 1.0, 0.0]), 3.0)
    rotations = np.array(tired.rotations)
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    away = tired.with_(root=rotate(turn, tired.root) + np.array([9.0, 0, 9.0]), rotations=rotations)
    a, b = timewarp(walk, tired, amplitude=0.5), timewarp(walk, away, amplitude=0.5)
    assert np.abs(a.positions() - b.positions()).max() < 1e-6
    assert np.abs(a.root[0] - walk.root[0])[[0, 2]].max() < 1e-9


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_the_shortest_takes(walk, tired, frames):
    assert len(timewarp(walk[:frames], tired)) == len(tired)
    assert len(timewarp(walk, tired[:frames])) == frames


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"spread": "box"}, "spread must be one of bspline, gaussian, but is 'box'"),
        ({"over": -0.1}, "over must be a time in seconds"),
        ({"amplitude": float("inf")}, "must be finite numbers"),
        ({"correspondence": {}}, "at least one part"),
        ({"amount": -9.0}, "amount must"),
    ],
)
def test_mistakes_are_named(walk, tired, options, words):
    with pytest.raises(InputError, match=words):
        timewarp(walk, tired, **options)


def test_a_figure_that_is_all_root_needs_another_key():
    with pytest.raises(InputError, match="none but its root"):
        timewarp(spinner(0.1), spinner(0.2))
    assert len(timewarp(spinner(0.1), spinner(0.2, frames=40), key="top")) == 40


def test_no_frames_no_warp(walk, tired):
    with pytest.raises(InputError, match="the take has no frames"):
        timewarp(walk[:0], tired)


@given(st.integers(1, 30), st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(1, 6))
def test_taps_read_lines_and_constants_right(frames, shares, span):
    """Weights that summed to anything but one would move the figure; straight ways must stay straight."""
    at = np.array(shares) * (frames - 1)
    index, weight = taps(at, np.full(len(at), span), frames)
    assert weight.sum(axis=1) == pytest.approx(np.ones(len(at)))
    assert index.min() >= 0
    assert index.max() < frames
    if frames > 2 * 2 * span + 2:  # long enough to be mirrored at its ends
        assert (weight * index).sum(axis=1) == pytest.approx(at, abs=0.1 * span)


def test_taps_copy_whole_frames():
    index, weight = taps(np.arange(10.0), np.ones(10), 10)
    line = np.random.default_rng(0).normal(size=10)
    assert (weight * line[index]).sum(axis=1) == pytest.approx(line, abs=1e-15)


def test_knees_of_two_walks_lie_on_each_other(walk, tired):
    """BW95 fig. 9: the one knee's curve warped to match the other's, both ways round."""

    def knee(motion):
        return np.linalg.norm(log(motion.rotations[:, motion.rig["left_lower_leg"]]), axis=1)

    for own, other in ((walk, tired), (tired, walk)):
        out = timewarp(own, other, key="left_lower_leg")
        count = min(len(own), len(other))
        before = np.corrcoef(knee(own)[:count], knee(other)[:count])[0, 1]
        assert np.corrcoef(knee(out), knee(other))[0, 1] > 0.96
        assert before < 0.5


def small_path():
    """BW95 fig. 11: samples that are copied, four that fall to one, one that falls to four, and copies."""
    moves = [*[(1, 1)] * 20, *[(1, 0)] * 3, *[(1, 1)] * 20, *[(0, 1)] * 3, *[(1, 1)] * 20]
    steps = np.cumsum([(0, 0), *moves], axis=0)
    return Correspondence(steps, (64, 64), (1.0, 1.0))


def test_substitution_copies():
    signal = np.random.default_rng(1).normal(size=(64, 2))
    out = warped(signal, small_path(), over=1.0)
    assert out[:16] == pytest.approx(signal[:16], abs=1e-12)
    assert out[24:36] == pytest.approx(signal[27:39], abs=1e-12)
    assert out[-16:] == pytest.approx(signal[-16:], abs=1e-12)


def test_deletion_averages():
    """A sample of those that fall to one must not be the only one that is seen."""
    signal = np.zeros((64, 1))
    signal[21] = 1.0  # one of 20 to 23, which meet frame 20 of the other
    out = warped(signal, small_path(), over=0.5)[:, 0]
    assert 0.1 < out[19:22].max() < 0.8
    ramp = warped(np.arange(64.0)[:, None], small_path(), over=0.5)[:, 0]
    assert ramp[20] == pytest.approx(21.5, abs=0.3)  # their mean


@pytest.mark.parametrize("spread", ["bspline", "gaussian"])
def test_insertion_spreads_a_sample_around_it(spread):
    signal = np.zeros((64, 1))
    signal[43] = 1.0  # it meets frames 40 to 43 of the other
    out = warped(signal, small_path(), over=1.0, spread=spread)[:, 0]
    assert (out[40:44] > 0.3).all()
    assert 0.85 < out.max() < 1.2
    bell = out[36:48]
    top = int(bell.argmax())
    assert (np.diff(bell[: top + 1]) >= -0.1).all()
    assert (np.diff(bell[top:]) <= 0.1).all()


def test_signals_of_another_length_are_refused():
    with pytest.raises(InputError, match=r"signals must have shape \(64, C\)"):
        warped(np.zeros((60, 2)), small_path())
    with pytest.raises(InputError, match="signals must be finite"):
        warped(np.full((64, 1), np.nan), small_path())


WALKS = ("10_04", "12_01", "74_01", "82_09", "82_10", "82_11", "82_12", "82_13")


def four_steps(shared_data, name):
    """A captured walk from one strike of a foot to the fourth, and the moments of all four, seconds."""
    motion = load(shared_data / "cmu" / "walk" / f"{name}.bvh")[1:]
    stances = [c for c in detect_contacts(motion) if c.last - c.first > 0.15 * motion.frame_rate]
    marks = sorted((c.first, c.role) for c in stances if c.role.endswith("foot") and c.first)
    lead = next(i for i, (_, role) in enumerate(marks) if role == "left_foot")
    frames = np.array([frame for frame, _ in marks[lead : lead + 4]])
    assert [role for _, role in marks[lead : lead + 4]] == ["left_foot", "right_foot"] * 2
    return motion[frames[0] : frames[-1] + 1], (frames - frames[0]) / motion.frame_rate


@pytest.mark.parametrize("key", ["body", "legs"])
def test_captured_walks_come_down_together(shared_data, key):
    """BW95 fig. 7 on eight captured walks of four people, each against the others at a pace that changes.

    Half of what remains is how exactly a strike is detected in such takes.
    """
    takes = [four_steps(shared_data, name) for name in WALKS]
    warped_apart, plain_apart, paces = [], [], []
    for (own, struck), (other, its) in itertools.permutations(takes, 2):
        u = np.linspace(0, 1, len(other))
        w = u + 0.08 * np.sin(2 * np.pi * u)  # at half to one and a half times its speed
        paced = at_frames(other, w * (len(other) - 1), method="spline")
        wanted = np.interp(its / other.seconds, w, u)[1:-1] * other.seconds
        line = timeline(correspond(own, paced, key=key))
        warped_apart += np.abs(np.interp(struck[1:-1], line.own, line.other) - wanted).tolist()
        plain_apart += np.abs(struck[1:-1] / own.seconds * other.seconds - wanted).tolist()
        pace = np.gradient(line.own, line.other + 1e-3 * line.own)
        paces.append(pace.max() * other.seconds / own.seconds)
    assert np.mean(warped_apart) < 0.07
    assert np.mean(plain_apart) > 0.12
    assert np.median(paces) < 2.5  # the pace found is no rougher than the one that was put in
