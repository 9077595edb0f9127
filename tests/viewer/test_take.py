"""What a browser is told: an error here shows a figure bent, misplaced or mute in every page."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest

from marotte.figure import Motion, Skeleton
from marotte.figure.rotations import exp
from marotte.viewer import _take, take_payload
from tests.figure.figures import person, quadruped, wander
from tests.viewer._golden import GOLDEN, golden


def floats(text: str, *shape: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), "<f4").reshape(shape)


def test_the_front_end_is_tested_against_today_s_numbers() -> None:
    kept, now = json.loads(GOLDEN.read_text(encoding="utf-8")), golden()
    hint = "python -m tests.viewer._golden writes them anew"
    assert kept["payload"].keys() == now["payload"].keys(), hint
    for name in ("root", "rotations", "translations"):
        assert kept["payload"][name] == now["payload"][name], hint
    for name in ("positions", "orientations_xyzw", "ends"):
        np.testing.assert_allclose(kept[name], now[name], atol=1e-6, err_msg=hint)


def test_arrays_travel_as_float32_with_w_last() -> None:
    motion = wander(7)
    told = take_payload(motion)
    joints = len(motion.skeleton)
    np.testing.assert_allclose(floats(told.root, 7, 3), motion.root, atol=1e-6)
    xyzw = floats(told.rotations, 7, joints, 4)
    np.testing.assert_allclose(xyzw[..., 3], motion.rotations[..., 0], atol=1e-6)
    np.testing.assert_allclose(xyzw[..., :3], motion.rotations[..., 1:], atol=1e-6)
    assert told.translations is None
    assert told.frames == 7
    assert told.frame_rate == 30.0


def test_joints_bring_their_roles_ends_and_points() -> None:
    motion = wander(5)
    told = take_payload(motion, name="shown")
    skeleton = motion.skeleton
    assert told.name == "shown"
    assert [j.name for j in told.joints] == list(skeleton.names)
    assert [j.parent for j in told.joints] == skeleton.parents.tolist()
    assert told.joints[skeleton.index("LeftHand")].role == "left_hand"
    assert told.joints[skeleton.index("Head")].ends == [(0.0, 0.2, 0.0)]
    assert [(p.name, p.joint) for p in told.points] == [("cup", skeleton.index("RightHand"))]
    assert told.face == pytest.approx((0, 0, 1))


def test_known_contacts_are_told_and_the_ground_is_at_zero() -> None:
    motion = wander(40)
    told = take_payload(motion)
    assert [(c.role, c.first, c.last) for c in told.contacts] == [
        ("left_foot", 2, 9),
        ("right_foot", 8, 20),
        ("left_foot", 19, 39),
    ]
    assert told.ground == 0.0


def test_unknown_contacts_are_detected_on_the_ground_that_is_drawn() -> None:
    rest = Motion.at_rest(person(), frames=20)
    sunk = rest.with_(root=rest.root - [0.0, 0.4, 0.0])
    told = take_payload(sunk)
    assert {c.role for c in told.contacts} == {"left_foot", "right_foot"}
    assert told.ground == pytest.approx(take_payload(rest).ground - 0.4, abs=1e-9)


def test_a_figure_without_feet_stands_at_zero_unless_it_would_lie_below_the_floor() -> None:
    rest = Motion.at_rest(quadruped(), frames=3)
    assert take_payload(rest).ground == 0.0
    assert take_payload(rest.with_(root=rest.root - [0, 2.0, 0])).ground == pytest.approx(-1.9)


@pytest.mark.parametrize("degrees", [0, 90, -135])
def test_facing_is_where_the_hips_look(degrees: float) -> None:
    rest = Motion.at_rest(person(), frames=4)
    rotations = np.array(rest.rotations)
    rotations[:, 0] = exp(np.array([0.3, 0.0, 0.0]))  # bent forward, which must not matter
    turn = exp(np.array([0.0, np.radians(degrees), 0.0]))
    w, y = turn[0], turn[2]
    a, b = rotations[0, 0, 0], rotations[0, 0, 1]
    rotations[:, 0] = (w * a, w * b, y * a, -y * b)  # turn · bend
    facing = take_payload(rest.with_(rotations=rotations)).facing
    expected = (np.sin(np.radians(degrees)), 0.0, np.cos(np.radians(degrees)))
    assert facing == pytest.approx(expected, abs=1e-9)


def test_a_calibration_pose_at_the_origin_does_not_say_where_the_take_faces() -> None:
    rest = Motion.at_rest(person(), frames=30)
    root, rotations = np.array(rest.root), np.array(rest.rotations)
    root[1:] += (2.0, 0.0, 5.0)
    rotations[1:, 0] = exp(np.array([0.0, np.pi / 2, 0.0]))
    assert take_payload(rest.with_(root=root, rotations=rotations)).facing == pytest.approx(
        (1, 0, 0), abs=1e-9
    )


def test_no_frames_are_shown_as_the_rest_pose() -> None:
    told = take_payload(wander(5)[0:0])
    assert told.frames == 1
    np.testing.assert_allclose(floats(told.rotations, 1, 21, 4)[..., 3], 1.0)


def test_a_lone_joint_has_a_size_to_look_at() -> None:
    lone = Skeleton(names=("root",), parents=np.array([-1]), offsets=np.zeros((1, 3)))
    told = take_payload(Motion.at_rest(lone, frames=2))
    assert told.height > 0
    assert told.face is None
    assert all(np.isfinite(told.facing))


def test_a_take_too_long_for_a_page_is_told_at_fewer_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_take, "MOST_POSES", 500)
    motion = wander(101)
    told = take_payload(motion)
    joints = len(motion.skeleton)
    assert told.every == -(-101 * joints // 500) > 1
    assert told.frames * joints <= 500 + joints
    assert told.frame_rate == pytest.approx(motion.frame_rate / told.every)
    np.testing.assert_allclose(floats(told.root, told.frames, 3), motion.root[:: told.every], atol=1e-6)
    assert take_payload(wander(500 // joints)).every == 1
