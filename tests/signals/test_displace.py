"""Displacement maps: keys are met, nothing else is touched, turns of any size hold."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marotte import samples
from marotte.edits import Displace
from marotte.errors import InputError, UnknownNameError
from marotte.figure import Contact, Motion, select_joints
from marotte.figure.channels import with_channels
from marotte.figure.rotations import angle_between, exp, inverse, log, multiply
from marotte.figure.signals import path
from marotte.signals import (
    ChannelKey,
    DisplacementKey,
    MoveKey,
    PoseKey,
    ReachKey,
    TurnKey,
    displace,
    displacement_between,
)
from tests.figure.figures import wander
from tests.naive import displace as naive

FRAMES = 40


def turned(motion: Motion, out: Motion, joint: str) -> np.ndarray:
    """(F,) radians by which a joint is turned."""
    j = motion.skeleton.index(joint)
    return np.asarray(angle_between(motion.rotations[:, j], out.rotations[:, j]))


def changed(motion: Motion, out: Motion) -> set[str]:
    different = (motion.rotations != out.rotations).any(axis=(0, 2))
    return {motion.skeleton.names[j] for j in np.flatnonzero(different)}


@given(
    st.dictionaries(st.integers(1, FRAMES - 2), st.tuples(*[st.floats(-4, 4)] * 3), min_size=1, max_size=4),
    st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1),
)  # fmt: skip
def test_every_frame_is_that_of_the_plain_loop(keys, tension, continuity, bias):
    motion = wander(FRAMES)
    given_keys = [TurnKey("LeftArm", vector, frame=frame) for frame, vector in keys.items()]
    out = displace(motion, given_keys, tension=tension, continuity=continuity, bias=bias)
    j = motion.skeleton.index("LeftArm")
    vectors = naive.pinned({f: list(v) for f, v in keys.items()}, FRAMES, tension, continuity, bias)
    want = np.array(naive.displaced(list(motion.rotations[:, j]), vectors))
    assert np.asarray(angle_between(out.rotations[:, j], want)).max() < 1e-7
    assert changed(motion, out) <= {"LeftArm"}
    assert np.array_equal(out.root, motion.root)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.sampled_from(["pin", "hold", "free"]))
def test_every_key_of_every_kind_is_met(seed, ends):
    """Keys that bend each other's curves must still be met, or an animator chases them for ever."""
    motion = wander(FRAMES, seed=seed % 7)
    rng = np.random.default_rng(seed)
    at = rng.permutation(FRAMES)[:6].tolist()
    pose = wander(1, seed=99)[0]
    turn, move = rng.normal(size=(2, 3))
    angle, change = rng.uniform(-80, 80, 2).tolist()
    keys: list[DisplacementKey] = [
        TurnKey("LeftArm", turn, frame=at[0]),
        ChannelKey("LeftArm.z", set=angle, frame=at[1]),
        ChannelKey("LeftForeArm.x", change=change, frame=at[1]),
        PoseKey(pose, ["left_arm", "Spine"], frame=at[2]),
        MoveKey(move, frame=at[3]),
        TurnKey("Spine", [0, 0, 0], frame=at[4]),
    ]
    out = displace(motion, keys, ends=ends)
    asked = motion.channels()  # angles have equals; the rotations that they mean have none
    for name, shift in (("LeftArm.z", angle - asked["LeftArm.z"][at[1]]), ("LeftForeArm.x", change)):
        asked = asked.with_channel(name, asked[name] + shift)
    for joint in ("LeftArm", "LeftForeArm"):
        j = motion.skeleton.index(joint)
        assert angle_between(with_channels(motion, asked).rotations[at[1], j], out.rotations[at[1], j]) < 1e-6
    chosen = select_joints(motion.skeleton, motion.rig, ["left_arm", "Spine"])
    assert np.asarray(angle_between(out.rotations[at[2], chosen], pose.rotations[chosen])).max() < 1e-6
    assert out.root[at[3]] - motion.root[at[3]] == pytest.approx(move)
    assert turned(motion, out, "Spine")[at[4]] < 1e-7
    names = {motion.skeleton.names[j] for j in np.flatnonzero(chosen)}
    assert changed(motion, out) <= names


def test_a_turn_is_about_the_joint_s_own_axes():
    motion = wander()
    out = displace(motion, [TurnKey("LeftArm", [0, 0, 0.3], frame=20)])
    j = motion.skeleton.index("LeftArm")
    assert log(multiply(inverse(motion.rotations[20, j]), out.rotations[20, j])) == pytest.approx([0, 0, 0.3])


def test_ends():
    motion = wander()
    keys = [TurnKey("Spine", [0.4, 0, 0], frame=10), TurnKey("Spine", [0.6, 0, 0], frame=20)]
    pin, hold, free = (
        turned(motion, displace(motion, keys, ends=e), "Spine") for e in ("pin", "hold", "free")
    )
    assert pin[[0, 10, 20, 39]] == pytest.approx([0, 0.4, 0.6, 0], abs=1e-7)
    assert pin[1] < 0.02  # the motion keeps its speed where it is pinned
    assert hold[[0, 5, 39]] == pytest.approx([0.4, 0.4, 0.6], abs=1e-7)
    assert free[[0, 5, 30]] == pytest.approx([0.2, 0.3, 0.8], abs=1e-7)
    own = displace(motion, [*keys, TurnKey("Spine", [0.2, 0, 0], frame=0)])
    assert turned(motion, own, "Spine")[[0, 39]] == pytest.approx([0.2, 0], abs=1e-7)


def test_a_spread_keeps_a_change_near_its_keys():
    motion = wander(120)
    keys = [TurnKey("Spine", [0.4, 0, 0], frame=f) for f in (20, 30, 100)]
    out = turned(motion, displace(motion, keys, spread=10), "Spine")
    still = [*range(11), *range(40, 91), *range(110, 120)]
    assert out[still] == pytest.approx(0.0, abs=1e-12)
    assert out[[20, 30, 100]] == pytest.approx(0.4, abs=1e-7)
    assert out[11] < 0.02  # it begins at rest
    with pytest.raises(InputError, match="spread must be 1 frame or more"):
        displace(motion, keys, spread=0)
    with pytest.raises(InputError, match="with ends pin"):
        displace(motion, keys, spread=5, ends="hold")


def test_three_of_600_frames():
    """BW95 fig. 15, middle: gestures of arms and legs in a drink, from three changed frames."""
    drink = samples.drink(frame_rate=84)
    out = Displace(
        keys="220 LeftArm rotate 0 0 75; 300 RightArm rotate 0 0 -25; 380 LeftUpLeg rotate -35 0 20;"
        "380 LeftLeg rotate 55 0 0"
    ).apply(drink)
    assert len(out) >= 600
    for joint, frame, degrees in (("LeftArm", 220, 75), ("RightArm", 300, 25), ("LeftLeg", 380, 55)):
        assert np.degrees(turned(drink, out, joint)[frame]) == pytest.approx(degrees, abs=1e-4)
    # the captured detail stays: what is added is slow
    added = displacement_between(drink, out).vectors
    assert np.degrees(np.abs(np.diff(added, n=2, axis=0))).max() < 0.05
    assert {c.role for c in out.contacts or () if c.first <= 380 <= c.last} == {"right_foot"}


def test_poses_on_both_sides_of_a_half_turn_are_joined_the_short_way():
    motion = Motion.at_rest(wander().skeleton, 60)
    j = motion.skeleton.index("LeftArm")
    poses = []
    for degrees in (170, 190, 350):
        rotations = np.array(motion.rotations[0])
        rotations[j] = exp(np.radians([0, 0, degrees]))
        poses.append(type(motion[0])(motion.root[0], rotations))
    keys = [PoseKey(p, "LeftArm", frame=f) for p, f in zip(poses, (10, 20, 40), strict=True)]
    out = displace(motion, keys)
    between = np.degrees(log(multiply(exp(np.radians([0, 0, -180.0])), out.rotations[10:21, j])))[:, 2]
    assert np.abs(between).max() < 60
    assert between[[0, -1]] == pytest.approx([-10, 10], abs=1e-5)
    speed = np.asarray(angle_between(out.rotations[10:40, j], out.rotations[11:41, j]))
    assert np.degrees(speed).max() < 15  # the other way round takes 34 at least


def test_turns_beyond_a_whole_one_spin():
    motion = Motion.at_rest(wander().skeleton, 60)
    out = displace(motion, [TurnKey("Head", np.radians([0, 720, 0]), frame=59)])
    steps = np.asarray(angle_between(out.rotations[1:, 4], out.rotations[:-1, 4]))
    assert np.degrees(steps.sum()) == pytest.approx(720, abs=1e-4)


def test_a_whole_pose_with_its_place():
    motion, other = wander(), wander(seed=5)
    out = displace(motion, [PoseKey(other[7], "all", path=True, frame=20)])
    assert out.root[20] == pytest.approx(other.root[7])
    assert np.asarray(angle_between(out.rotations[20], other.rotations[7])).max() < 1e-7
    with pytest.raises(InputError, match="must have the figure's 21 joints, but has 22"):
        displace(motion, [PoseKey(samples.wave()[0], frame=3)])


def test_a_channel_s_change_leaves_the_joint_s_other_channels():
    motion = wander(size=0.2)
    out = displace(motion, [ChannelKey("LeftArm.z", change=20.0, frame=20)])
    before, after = motion.channels(), out.channels()
    moved = [n for n in before.names if np.abs(after[n] - before[n]).max() > 1e-6]
    assert moved == ["LeftArm.z"]
    assert changed(motion, out) == {"LeftArm"}
    root = displace(motion, [ChannelKey("Hips.ty", change=0.1, frame=20)])
    assert root.root[20, 1] - motion.root[20, 1] == pytest.approx(0.1)
    assert changed(motion, root) == set()


def test_setting_takes_the_nearest_of_equal_angles():
    motion = Motion.at_rest(wander().skeleton, 41)
    out = displace(motion, [ChannelKey("LeftArm.z", set=350.0, frame=20)])
    assert np.degrees(turned(motion, out, "LeftArm")).max() == pytest.approx(10, abs=1e-5)


@pytest.fixture(scope="module")
def knock() -> Motion:
    return samples.knock()


class TestReaching:
    def test_a_named_point_comes_to_its_place_by_its_own_limb(self, knock):
        """BW95 fig. 15, bottom: a knock at a higher impact point."""
        where = path(knock, "knuckles")
        hits = [c.first for c in knock.contacts if c.role == "right_hand"]
        to = {f: where[f] + [0.0, 0.12, 0.0] for f in hits}
        out = displace(knock, [ReachKey("knuckles", to[f], frame=f) for f in hits])
        assert path(out, "knuckles")[hits] == pytest.approx(np.array([to[f] for f in hits]), abs=2e-4)
        arm = select_joints(knock.skeleton, knock.rig, "right_arm")
        assert np.array_equal(out.rotations[:, ~arm], knock.rotations[:, ~arm])
        assert np.array_equal(out.root, knock.root)
        # what moved no longer rests where it did; the feet still do
        assert {c.role for c in out.contacts or ()} == {"left_foot", "right_foot"}

    def test_applied_to_its_own_output_it_changes_nothing(self, knock):
        edit = Displace(keys="79 knuckles to -0.1 1.6 0.44; 120 LeftArm.z set -70")
        once = edit.apply(knock)
        twice = edit.apply(once)
        assert np.asarray(angle_between(twice.rotations, once.rotations)).max() < 1e-6
        relative = Displace(keys="79 LeftArm rotate 0 0 10")
        assert np.degrees(
            turned(knock, relative.apply(relative.apply(knock)), "LeftArm")[79]
        ) == pytest.approx(20.0, abs=1e-4)

    def test_the_trunk_helps_where_the_arm_is_too_short(self, knock):
        far = path(knock, "RightHand")[100] + [0.1, -0.1, 0.35]
        out = displace(knock, [ReachKey("RightHand", far, frame=100)])
        assert path(out, "RightHand")[100] == pytest.approx(far, abs=2e-4)
        legs = select_joints(knock.skeleton, knock.rig, "lower_body")
        assert np.array_equal(out.rotations[:, legs], knock.rotations[:, legs])
        assert "Spine" in changed(knock, out)

    def test_a_hand_that_rests_stays_where_the_trunk_bends(self, knock):
        rests = knock.with_(contacts=(Contact("left_hand", 90, 110),))
        far = path(knock, "RightHand")[100] + [0.1, -0.1, 0.35]
        out = displace(rests, [ReachKey("RightHand", far, frame=100)])
        assert path(out, "LeftHand")[100] == pytest.approx(path(knock, "LeftHand")[100], abs=2e-4)
        assert path(out, "RightHand")[100] == pytest.approx(far, abs=2e-4)

    def test_what_is_beyond_reach_is_come_near_to_and_said(self, knock):
        with pytest.warns(UserWarning, match="'RightHand' stays .* cm from its place at frame 100"):
            out = displace(knock, [ReachKey("RightHand", [0, 1.5, 5], frame=100)])
        assert np.linalg.norm(path(out, "RightHand")[100] - path(knock, "RightHand")[100]) > 0.2

    def test_places_are_met_on_top_of_all_other_keys(self, knock):
        """Two places that share the spine, and a turn and a move that would carry both away."""
        left = path(knock, "LeftHand")[60] + np.array([0.1, 0.2, 0.2])
        right = path(knock, "RightHand")[140] + np.array([-0.1, 0.1, 0.1])
        keys: list[DisplacementKey] = [
            ReachKey("LeftHand", left, ["left_arm", "spine"], frame=60),
            ReachKey("RightHand", right, ["right_arm", "spine"], frame=140),
            TurnKey("Spine", [0.2, 0, 0], frame=100),
            TurnKey("RightArm", [0.1, 0.2, 0], frame=80),
            MoveKey([0.0, 0.05, 0.0], frame=110),
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            out = displace(knock, keys)
        assert path(out, "LeftHand")[60] == pytest.approx(left, abs=2e-4)
        assert path(out, "RightHand")[140] == pytest.approx(right, abs=2e-4)
        assert turned(knock, out, "Spine")[100] == pytest.approx(0.2, abs=1e-6)
        assert turned(knock, out, "RightArm")[80] == pytest.approx(np.hypot(0.1, 0.2), abs=1e-6)
        assert (out.root - knock.root)[110] == pytest.approx([0, 0.05, 0])

    def test_what_one_place_bends_is_straight_again_at_the_next(self, knock):
        """The spine helps the left hand at one frame; the right hand's place at another must not feel it."""
        left = path(knock, "LeftHand")[60] + np.array([0.1, 0.2, 0.2])
        right = path(knock, "RightHand")[90] + np.array([0.0, 0.05, 0.0])
        keys: list[DisplacementKey] = [
            ReachKey("LeftHand", left, ["left_arm", "spine"], frame=60),
            ReachKey("RightHand", right, "right_arm", frame=90),
        ]
        out = displace(knock, keys)
        assert turned(knock, out, "Spine")[60] > 0.01
        assert turned(knock, out, "Spine")[90] < 1e-7
        assert path(out, "RightHand")[90] == pytest.approx(right, abs=2e-4)

    def test_what_a_key_says_at_a_place_s_frame_is_kept(self, knock):
        to = path(knock, "RightHand")[100] + np.array([0.0, 0.05, 0.0])
        keys: list[DisplacementKey] = [
            TurnKey("RightHand", [4 * np.pi, 0, 0], frame=100),  # two whole turns
            TurnKey("RightArm", [0.1, 0, 0], frame=100),
            ReachKey("RightHand", to, ["right_arm", "spine"], frame=100),
        ]
        out = displace(knock, keys)
        assert path(out, "RightHand")[100] == pytest.approx(to, abs=2e-4)
        assert turned(knock, out, "RightArm")[100] == pytest.approx(0.1, abs=1e-7)
        hand = knock.skeleton.index("RightHand")
        steps = np.asarray(angle_between(out.rotations[1:101, hand], out.rotations[:100, hand]))
        assert steps.sum() > 3.5 * np.pi

    def test_bones_that_a_file_stretches(self, knock):
        moved = np.zeros((len(knock), len(knock.skeleton), 3))
        moved[:, knock.rig["right_lower_arm"], 0] = 0.02
        stretched = knock.with_(translations=moved)
        to = path(stretched, "RightHand")[100] + [0.05, 0.05, 0]
        out = displace(stretched, [ReachKey("RightHand", to, frame=100)])
        assert path(out, "RightHand")[100] == pytest.approx(to, abs=2e-4)
        assert np.array_equal(out.translations, moved)  # type: ignore[arg-type]


@pytest.mark.parametrize("pattern", ["cmu/**/*.bvh", "**/*.amc", "formats/**/*.glb", "odd/**/*.bvh"])
def test_hands_of_real_takes_come_to_their_places(shared_data, pattern):
    """Figures of many makers, with limits and without, with bones that hinge askew."""
    from marotte import load
    from marotte.errors import MarotteError

    tried = 0
    for file in sorted(shared_data.glob(pattern)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                take = load(file)[:120]
        except MarotteError:
            continue
        if len(take) < 10 or "right_lower_arm" not in take.rig or "right_hand" not in take.rig:
            continue
        elbow, hand = path(take, "right_lower_arm")[5], path(take, "right_hand")[5]
        to = hand + 0.1 * (path(take, "right_upper_arm")[5] - elbow)  # nearer: within reach
        out = displace(take, [ReachKey("right_hand", to, frame=5)])
        assert np.linalg.norm(path(out, "right_hand")[5] - to) < 2e-4 * take.skeleton.height, file.name
        body = [j for j in range(len(take.skeleton)) if j not in take.skeleton.descendants(0)[1:]]
        assert np.array_equal(out.rotations[:, body], take.rotations[:, body])
        tried += 1
        if tried == 4:
            break
    assert tried


def test_contacts_stay_where_the_part_does():
    motion = samples.wave()
    lifted = displace(motion, [TurnKey("LeftUpLeg", [-0.5, 0, 0], frame=120)])
    assert {c.role for c in lifted.contacts or () if c.first <= 120 <= c.last} == {"right_foot"}
    later = displace(motion, [TurnKey("LeftUpLeg", [-0.5, 0, 0], frame=120)], spread=40)
    left = [c for c in later.contacts or () if c.role == "left_foot"]  # until it is lifted, it rests
    assert [c.first for c in left] == [0, pytest.approx(160, abs=4)]
    assert [c.last for c in left] == [pytest.approx(80, abs=4), len(motion) - 1]
    swung = displace(motion, [TurnKey("Hips", [0.1, 0, 0], frame=f) for f in (60, 180)])
    back = displace(swung, [TurnKey("Hips", [-0.2, 0, 0], frame=120)])
    assert all(c.last - c.first > 5 for c in back.contacts or ())  # what passes by does not rest
    assert displace(motion.with_(contacts=None), [TurnKey("Head", [0.1, 0, 0], frame=9)]).contacts is None


def test_the_difference_is_what_was_added():
    motion = wander()
    out = displace(motion, [TurnKey("LeftArm", [0.3, 0.2, 1.0], frame=20), MoveKey([0, 1, 0], frame=20)])
    again = displacement_between(motion, out).apply(motion)
    assert np.asarray(angle_between(again.rotations, out.rotations)).max() < 1e-7
    assert again.root == pytest.approx(out.root)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_the_shortest_takes(frames):
    motion = wander(frames)
    out = displace(motion, [TurnKey("Head", [0, 0.2, 0], frame=-1)])
    assert turned(motion, out, "Head")[-1] == pytest.approx(0.2, abs=1e-7)


def test_text_and_maps_mean_the_same():
    text = Displace(
        keys="40 LeftArm rotate 0 0 20; 60 RightHand to 0.3, 1.4, 0.5; 80 move 0 0.1 0;"
        "90 LeftArm.z set 30; 91 LeftArm.z change -5.5; -1 like 12 left_arm head;"
    )
    maps = Displace(
        keys=[
            {"frame": 40, "joint": "LeftArm", "rotate": [0, 0, 20]},
            {"frame": 60, "joint": "RightHand", "to": [0.3, 1.4, 0.5]},
            {"frame": 80, "move": [0, 0.1, 0]},
            {"frame": 90, "set": {"LeftArm.z": 30}},
            {"frame": 91, "change": {"LeftArm.z": -5.5}},
            {"frame": -1, "like": 12, "parts": ["left_arm", "head"]},
        ]
    )
    assert text == maps
    assert Displace(**text.changed()) == maps
    assert Displace(keys={"frame": 1, "move": [0, 0, 1]}).keys[0].move == (0, 0, 1)


def test_the_pose_of_another_frame():
    motion = wander()
    out = Displace(keys="30 like 5 left_arm").apply(motion)
    arm = select_joints(motion.skeleton, motion.rig, "left_arm")
    assert np.asarray(angle_between(out.rotations[30, arm], motion.rotations[5, arm])).max() < 1e-7
    assert np.array_equal(out.rotations[:, ~arm], motion.rotations[:, ~arm])


KEY: dict[str, Any] = {"frame": 3, "joint": "Head", "rotate": [0, 0, 20]}


@pytest.mark.parametrize(
    ("keys", "error", "words"),
    [
        ([], InputError, "at least one key"),
        ([{**KEY, "frame": 40}], InputError, "0 to 39, but is 40"),
        ([{**KEY, "frame": -41}], InputError, "0 to 39, but is -41"),
        ([KEY, {**KEY, "rotate": [0, 0, 30]}], InputError, "Head has a turn and a turn at frame 3"),
        ([KEY, {"frame": 3, "set": {"Head.z": 3}}], InputError, "Head has a turn and a channel at frame 3"),
        ([KEY, {"frame": 3, "like": 5}], InputError, "Head has a turn and a pose at frame 3"),
        ("3 Head.z set 3; 3 Head.z set 4", InputError, "'Head.z' has two values at frame 3"),
        ("3 Head to 0 1 0; 3 Head to 0 2 0", InputError, "'Head' has two places at frame 3"),
        ("3 move 0 1 0; 3 move 0 2 0", InputError, "the root's path has a move and a move at frame 3"),
        ("3 Hips to 0 1 0", InputError, "use a move instead"),
        ([{**KEY, "joint": "Haed"}], UnknownNameError, "did you mean 'Head'"),
        ("3 Head.q set 3", UnknownNameError, "unknown channel"),
        ("3 like 99", InputError, "frame must be below 40"),
        ([{"frame": 3}], InputError, "must say one of rotate, .* but says none"),
        ([{**KEY, "move": [0, 0, 1]}], InputError, "says rotate and move"),
        ([{"frame": 3, "rotate": [0, 0, 1]}], InputError, "rotate needs a joint"),
        ([{**KEY, "rotate": [0, 1]}], InputError, "three numbers"),
        ([{**KEY, "rotate": [0, 0, float("nan")]}], InputError, "finite"),
        ([{**KEY, "rotat": 3}], InputError, "unknown option 'rotat'; did you mean 'rotate'"),
        ([{"joint": "Head", "rotate": [0, 0, 1]}], InputError, "frame must be given"),
        ("3 Head spin 4", InputError, "'3 Head spin 4' is none"),
        ("Head rotate 1 2 3", InputError, "is none"),
        (7, InputError, "must be keys"),
    ],
)
def test_mistakes_are_named(keys, error, words):
    with pytest.raises(error, match=words):
        Displace(keys=keys).apply(wander(FRAMES))


def test_a_take_without_frames():
    with pytest.raises(InputError, match="without frames"):
        Displace(keys=[KEY]).apply(wander()[:0])
