"""Human ranges of motion: a wrong sign here lets knees bend forward in every solver."""

from __future__ import annotations

import numpy as np
import pytest

from marotte.figure import HUMAN_LIMITS, ROLES, Hinge, SwingCone, human_limits, recognise
from marotte.figure.rotations import about, between, exp, inverse, log, rotate

from .figures import person

LEFT, UP, FORWARD = np.eye(3)
# Where a left bone points or turns to at the end of a movement, in the words of the clinic.
HINGES = [  # role, degrees, rest bone, where the bone must lead then
    ("left_lower_leg", 90, -UP, -FORWARD),
    ("right_lower_leg", 90, -UP, -FORWARD),
    ("left_lower_arm", 90, LEFT, FORWARD),
    ("right_lower_arm", 90, -LEFT, FORWARD),
    ("left_toes", 60, FORWARD, UP),
    ("right_toes", 60, FORWARD, UP),
    ("left_index_intermediate", 90, LEFT, -UP),
    ("right_index_intermediate", 90, -LEFT, -UP),
]
BALLS = [  # role, movement, where the bone leads, whether a body gets there
    ("left_upper_leg", "forward 110", (0, 0.34, 0.94), True),
    ("left_upper_leg", "forward 140", (0, 0.77, 0.64), False),
    ("right_upper_leg", "forward 110", (0, 0.34, 0.94), True),
    ("left_upper_leg", "back 25", (0, -0.91, -0.42), True),
    ("left_upper_leg", "back 60", (0, -0.5, -0.87), False),
    ("left_upper_leg", "out 40", (0.64, -0.77, 0), True),
    ("right_upper_leg", "out 40", (-0.64, -0.77, 0), True),
    ("right_upper_leg", "across 45", (0.71, -0.71, 0), False),
    ("left_upper_arm", "straight out", (1, 0, 0), True),
    ("left_upper_arm", "hanging", (0, -1, 0), True),
    ("right_upper_arm", "hanging", (0, -1, 0), True),
    ("left_upper_arm", "hanging, 60 back", (0, -0.5, -0.87), True),
    ("right_upper_arm", "hanging, 60 back", (0, -0.5, -0.87), True),
    ("left_upper_arm", "straight up", (0, 1, 0), True),
    ("right_upper_arm", "straight up", (0, 1, 0), True),
    ("left_upper_arm", "across 130", (-0.64, 0, 0.77), True),
    ("left_upper_arm", "straight back", (0, 0, -1), False),
    ("right_upper_arm", "straight back", (0, 0, -1), False),
    ("left_upper_arm", "through the chest", (-1, 0, 0), False),
    ("left_shoulder", "shrugged 30", (0.87, 0.5, 0), True),
    ("left_shoulder", "shrugged 60", (0.5, 0.87, 0), False),
    ("right_shoulder", "forward 25", (-0.91, 0, 0.42), True),
    ("left_hand", "to the palm 75", (0.26, -0.97, 0), True),
    ("right_hand", "to the palm 75", (-0.26, -0.97, 0), True),
    ("left_hand", "to the back 65", (0.42, 0.91, 0), True),
    ("left_hand", "to the thumb 15", (0.97, 0, 0.26), True),
    ("left_hand", "to the thumb 40", (0.77, 0, 0.64), False),
    ("right_hand", "to the little finger 28", (-0.88, 0, -0.47), True),
    ("left_foot", "toes down 45", (0, -0.71, 0.71), True),
    ("left_foot", "toes up 45", (0, 0.71, 0.71), False),
    ("right_foot", "toes up 15", (0, 0.26, 0.97), True),
    ("spine", "bowing 75", (0, 0.26, 0.97), True),
    ("spine", "leaning back 45", (0, 0.71, -0.71), False),
    ("neck", "to the shoulder 40", (0.64, 0.77, 0), True),
]


@pytest.mark.parametrize(("role", "degrees", "bone", "to"), HINGES)
def test_hinges_bend_the_way_a_body_does(role, degrees, bone, to):
    limit = HUMAN_LIMITS[role]
    assert isinstance(limit, Hinge)
    assert limit.bone == pytest.approx(tuple(bone))
    bent = rotate(about(limit.axis, np.radians(degrees)), bone)
    assert bent @ to > np.sin(np.radians(degrees)) - 1e-9
    assert limit.bend.least < 0.02
    assert limit.bend.least > -0.2 or "toes" in role  # hardly the other way
    assert limit.bend.greatest > np.radians(degrees)


@pytest.mark.parametrize(("role", "movement", "to", "reached"), BALLS)
def test_balls_swing_as_far_as_a_body_does(role, movement, to, reached):
    limit = HUMAN_LIMITS[role]
    assert isinstance(limit, SwingCone)
    seen = rotate(inverse(exp(limit.centre)), np.array(to, float))
    swing = log(between(limit.bone, seen))
    excess = limit.excess(float(swing @ limit.first_axis), float(swing @ limit.second_axis))
    assert (excess < 1.0) == reached, (movement, excess)


def test_pronation_and_inward_rotation_have_a_sign():
    """The palm of an arm that points sideways looks down; pronation turns it backwards."""
    for side in ("left", "right"):
        forearm, arm, leg = (HUMAN_LIMITS[f"{side}_{r}"] for r in ("lower_arm", "upper_arm", "upper_leg"))
        inward = 1.0 if side == "left" else -1.0
        palm = rotate(about(forearm.bone, inward * np.radians(80)), -UP)
        assert palm @ -FORWARD > 0.9
        assert abs(forearm.twist.least) == pytest.approx(abs(forearm.twist.greatest))
        # an inward turn of the arm lowers a forearm that is bent forward; 70 in, 90 out
        bent = rotate(about(arm.bone, inward * np.radians(70)), FORWARD)
        assert bent @ -UP > 0.9
        assert max(arm.twist.least * inward, arm.twist.greatest * inward) == pytest.approx(np.radians(70))
        # of a leg it turns the toes to the middle; both ways alike
        toes = rotate(about(leg.bone, inward * np.radians(40)), FORWARD)
        assert toes @ (-inward * LEFT) > 0.6


def test_axes_are_a_square_frame_and_names_are_roles():
    for role, limit in HUMAN_LIMITS.items():
        assert role in ROLES
        if isinstance(limit, SwingCone):
            frame = np.array([limit.bone, limit.first_axis, limit.second_axis])
            assert frame @ frame.T == pytest.approx(np.eye(3), abs=1e-12), role
            assert limit.excess(0.0, 0.0) < 1.0, role
        else:
            assert np.linalg.norm(limit.axis) == pytest.approx(1.0)
            assert np.dot(limit.axis, limit.bone) == pytest.approx(0.0, abs=1e-12), role


def test_the_trunk_shares_its_range_and_a_head_without_a_neck_has_it_all():
    skeleton = person()
    rig = recognise(skeleton)
    limits = human_limits(rig)
    whole = HUMAN_LIMITS["spine"]
    assert isinstance(whole, SwingCone)
    parts = [p for j in rig.spine if isinstance(p := limits[j], SwingCone)]
    assert sum(p.first.greatest for p in parts) == pytest.approx(whole.first.greatest)
    assert sum(p.twist.least for p in parts) == pytest.approx(whole.twist.least)
    assert limits[rig["left_lower_leg"]] == HUMAN_LIMITS["left_lower_leg"]
    assert rig["hips"] not in limits
    names = ["Ruff" if n == "Neck" else n for n in skeleton.names]
    headless = recognise(skeleton.with_(names=names))
    if "neck" not in headless:
        assert human_limits(headless)[headless["head"]].twist == HUMAN_LIMITS["neck"].twist
