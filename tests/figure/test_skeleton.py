"""Skeletons and motions refuse what would break everything after them, and say why."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from marotte.errors import InputError, UnknownNameError
from marotte.figure import EndSite, Motion, Point, Skeleton

from .figures import person, quadruped, wander


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"names": ("a", "a", "c")}, "'a' stands twice"),
        ({"names": ("a", "", "c")}, "joint 1 has no name"),
        ({"parents": [-1, 2, 0]}, "after their parents"),
        ({"parents": [-1, -1, 0]}, "the one root"),
        ({"parents": [-1, 0]}, r"shape \(3,\)"),
        ({"offsets": np.zeros((3, 2))}, "offsets must have shape"),
        ({"offsets": np.array([[0, 0, 0], [0, np.nan, 0], [0, 0, 0]])}, r"finite.*\(1, 1\)"),
        ({"channels": ("xyzZXY", "ZZX", "")}, "no two alike"),
        ({"channels": ("xyzZXY", "xxZ", "")}, "each once"),
        ({"channels": ("xyzZXY", "ZXYZ", "")}, "up to three"),
        ({"channels": ("X",)}, "3 joints, but names 1"),
        ({"ends": (EndSite(7, (0, 0, 0)),)}, "end site"),
        ({"limits": np.ones((3, 3, 2)) * [1, -1]}, "least, greatest"),
    ],
)
def test_rules_of_a_skeleton(change, words):
    good: dict[str, Any] = {"names": ("a", "b", "c"), "parents": [-1, 0, 1], "offsets": np.zeros((3, 3))}
    Skeleton(**good)
    with pytest.raises(InputError, match=words):
        Skeleton(**{**good, **change})


def test_lookups_suggest_near_names():
    with pytest.raises(UnknownNameError, match="did you mean 'LeftForeArm'"):
        person().index("leftforarm")
    with pytest.raises(InputError, match="below 21"):
        person().index(21)
    assert person().index(-1) == 20


def test_tree_questions():
    s = person()
    assert s.ancestors("LeftHand") == tuple(
        s.index(n) for n in ("LeftForeArm", "LeftArm", "LeftShoulder", "Spine1", "Spine", "Hips")
    )
    assert [s.names[j] for j in s.descendants("LeftLeg")] == ["LeftLeg", "LeftFoot", "LeftToeBase"]
    assert s.order("Hips") == "ZXY"
    assert s.degrees_of_freedom == 66
    assert s.height == pytest.approx(1.78, abs=0.1)
    assert s.scaled(0.5).height == pytest.approx(0.5 * s.height)
    assert s.scaled(0.5).ends[0].offset == pytest.approx((0, 0.1, 0))


def test_values_cannot_be_changed_from_outside():
    """Undo keeps old motions; nobody may reach into them."""
    rotations = np.zeros((2, 5, 4))
    rotations[..., 0] = 1
    motion = Motion(quadruped(), np.zeros((2, 3)), rotations, 30)
    rotations[0, 0, 0] = 0.5
    assert motion.rotations[0, 0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        motion.root[0, 0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        motion.frame_rate = 60  # type: ignore[misc]  # that it cannot be set is what is tested


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"root": np.zeros((40, 2))}, "root must have shape"),
        ({"root": np.full((40, 3), np.inf)}, "root must be finite"),
        ({"rotations": np.zeros((40, 21, 4))}, "unit quaternions.*'Hips' at frame 0 has length 0"),
        ({"rotations": np.zeros((3, 21, 4))}, "rotations must have shape"),
        ({"frame_rate": 0}, "positive number of frames a second"),
        ({"frame_rate": float("nan")}, "positive number of frames a second"),
        ({"translations": np.zeros((40, 3))}, "translations must have shape"),
        ({"points": (Point("cup", 99),)}, "'cup' must sit on a joint"),
    ],
)
def test_rules_of_a_motion(change, words):
    with pytest.raises(InputError, match=words):
        wander().with_(**change)


def test_end_sites_follow_their_joints():
    motion = wander()
    ends = motion.end_positions()
    bones = np.linalg.norm(ends - motion.positions()[:, [e.joint for e in motion.skeleton.ends]], axis=-1)
    assert bones == pytest.approx(np.tile([np.linalg.norm(e.offset) for e in motion.skeleton.ends], (40, 1)))


def test_poses_and_their_bounds():
    motion = wander()
    assert np.array_equal(motion.pose(-1).rotations, motion.rotations[39])
    with pytest.raises(InputError, match="below 40"):
        motion.pose(40)


def test_a_new_skeleton_brings_its_own_rig():
    """A rig of the old joints on a new skeleton would pin the wrong feet."""
    motion = Motion.at_rest(person(), 2)
    swap = {"Left": "Right", "Right": "Left"}
    names = [next((n.replace(a, b) for a, b in swap.items() if a in n), n) for n in motion.skeleton.names]
    renamed = motion.with_(skeleton=motion.skeleton.with_(names=names))
    assert motion.rig["left_foot"] == 15
    assert renamed.rig["left_foot"] == 19
