"""Channels: what an animator sees as curves must give back the motion it came from."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte.errors import InputError, UnknownNameError
from marotte.figure import Motion, Skeleton, channels, distance, orientation, path, with_channels
from marotte.figure.rotations import angle_between, exp, from_euler, rotate

from .figures import person, wander

ORDERS = ["".join(o) for o in itertools.product("XYZ", repeat=3) if o[0] != o[1] and o[1] != o[2]]


@pytest.mark.parametrize("order", ORDERS)
@given(seed=st.integers(0, 999), size=st.floats(0.01, 3))
def test_round_trip_in_every_order(order, seed, size):
    skeleton = person().with_(channels=["xyz" + order] + [order] * 20)
    motion = wander(12, seed=seed, size=size).with_(skeleton=skeleton)
    back = with_channels(motion, channels(motion))
    assert angle_between(motion.rotations, back.rotations).max() < 1e-7
    assert back.root == pytest.approx(motion.root, abs=1e-14)


def test_names_and_units_follow_the_file():
    signals = wander().channels()
    assert signals.names[:7] == ("Hips.tx", "Hips.ty", "Hips.tz", "Hips.z", "Hips.x", "Hips.y", "Spine.z")
    assert signals.units[:4] == ("m", "m", "m", "deg")
    assert signals["Hips.tz"] == pytest.approx(wander().root[:, 2])
    with pytest.raises(UnknownNameError, match=r"'LeftArm\.z'"):
        signals["LeftArm.zz"]


def test_one_and_two_axis_joints_say_their_angles_alone():
    skeleton = person().with_(channels=["xyzZXY"] + ["Y", "XZ", ""] + ["ZXY"] * 17)
    rest = Motion.at_rest(skeleton, 5)
    signals = rest.channels()
    for name, value in (("Spine.y", 30.0), ("Spine1.x", -20.0), ("Spine1.z", 50.0)):
        signals = signals.with_channel(name, value)
    motion = with_channels(rest, signals)
    assert angle_between(motion.rotations[:, 1], from_euler([np.radians(30)], "Y")).max() < 1e-9
    assert angle_between(motion.rotations[:, 2], from_euler(np.radians([-20, 50]), "XZ")).max() < 1e-9
    assert motion.channels().values == pytest.approx(signals.values, abs=1e-9)


def test_a_hinge_that_lies_askew_keeps_its_one_angle():
    askew = exp([0.0, 0.0, 0.35])
    axes = np.tile([1.0, 0.0, 0.0, 0.0], (21, 1))
    axes[1] = axes[2] = askew
    skeleton = person().with_(channels=["xyzZXY", "X", "ZXY"] + ["ZXY"] * 18, channel_axes=axes)
    turned = wander(9).with_(skeleton=skeleton)
    rest = Motion.at_rest(skeleton, 9)
    angles = np.linspace(-70, 130, 9)
    motion = with_channels(rest, rest.channels().with_channel("Spine.x", angles))
    # a hinge along (cos 20°, sin 20°, 0) turns by just the angle
    about = np.array([np.cos(0.35), np.sin(0.35), 0.0])
    assert angle_between(motion.rotations[:, 1], exp(np.radians(angles)[:, None] * about)).max() < 1e-9
    assert motion.channels()["Spine.x"] == pytest.approx(angles, abs=1e-9)
    full = turned.with_(skeleton=skeleton.with_(channels=["xyzZXY"] + ["ZXY"] * 20))
    back = with_channels(full, full.channels())
    assert angle_between(full.rotations, back.rotations).max() < 1e-7


def test_axes_of_channels_are_rotations():
    with pytest.raises(InputError, match="unit quaternions"):
        person().with_(channel_axes=np.zeros((21, 4)))


def test_an_axis_that_stands_twice_has_its_own_name():
    skeleton = person().with_(channels=["xyzZXZ"] + ["ZXY"] * 20)
    assert Motion.at_rest(skeleton, 1).channels().names[3:6] == ("Hips.z", "Hips.x", "Hips.z2")


def test_positions_on_inner_joints_move_them():
    skeleton = person().with_(channels=["xyzZXY", "xyzZXY"] + ["ZXY"] * 19)
    rest = Motion.at_rest(skeleton, 3)
    signals = rest.channels()
    assert signals["Spine.ty"] == pytest.approx([0.1] * 3)  # a file's position replaces the offset
    stretched = with_channels(rest, signals.with_channel("Spine.ty", [0.1, 0.2, 0.3]))
    assert stretched.positions()[:, 1, 1] == pytest.approx([1.05, 1.15, 1.25])
    assert stretched.channels()["Spine.ty"] == pytest.approx([0.1, 0.2, 0.3])


def test_what_no_channel_says_stays():
    skeleton = person().with_(channels=["yZXY", ""] + ["ZXY"] * 19)
    motion = wander().with_(skeleton=skeleton)
    back = with_channels(motion, motion.channels())
    assert np.array_equal(back.root[:, [0, 2]], motion.root[:, [0, 2]])
    assert np.array_equal(back.rotations[:, 1], motion.rotations[:, 1])


def test_channels_may_have_another_length():
    motion = wander()
    signals = motion.channels()
    longer = signals.with_values(np.repeat(signals.values, 2, axis=0))
    assert len(with_channels(motion, longer)) == 80


def test_wrong_channels_say_what_must_hold():
    motion = wander()
    signals = motion.channels()
    with pytest.raises(InputError, match="all 66"):
        with_channels(motion, type(signals)(signals.names[1:], signals.values[:, 1:], signals.units[1:], 30))
    with pytest.raises(InputError, match="finite"):
        with_channels(motion, signals.with_channel("Hips.x", np.nan))


@given(st.integers(0, 99))
def test_signals_of_points(seed):
    motion = wander(6, seed=seed)
    positions, orientations = motion.world()
    hand = motion.skeleton.index("RightHand")
    want = positions[:, hand] + rotate(orientations[:, hand], [-0.1, 0.02, 0.05])
    assert path(motion, "cup") == pytest.approx(want)
    assert path(motion, ("right_hand", (-0.1, 0.02, 0.05))) == pytest.approx(want)
    assert path(motion, hand) == pytest.approx(positions[:, hand])
    assert np.array_equal(orientation(motion, "right_hand"), orientations[:, hand])
    gap = np.linalg.norm(want - positions[:, motion.skeleton.index("Head")], axis=1)
    assert distance(motion, "cup", "head") == pytest.approx(gap)
    assert distance(motion, "cup", (0.0, 1.0, 0.0)) == pytest.approx(np.linalg.norm(want - [0, 1, 0], axis=1))


def test_unknown_points_suggest():
    with pytest.raises(UnknownNameError, match="'cup'"):
        path(wander(), "cupp")


def test_deep_rotation_survives_a_single_frame():
    skeleton = Skeleton(("a",), np.array([-1]), np.zeros((1, 3)), ("YZX",))
    motion = Motion(skeleton, np.zeros((1, 3)), exp(np.array([[[2.0, 1.5, -2.5]]])), 30)
    assert angle_between(with_channels(motion, motion.channels()).rotations, motion.rotations).max() < 1e-8
