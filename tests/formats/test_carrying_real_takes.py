"""One take in two conventions, put from one to the other."""

from __future__ import annotations

import numpy as np
import pytest

from marotte import formats
from marotte.figure import align_rest, carry
from marotte.figure.rotations import angle_between, inverse, multiply, rotate

from ..figure.test_carry import apart, directions

TWINS = [
    ("cmu/dance/05_11.bvh", "conventions/three_pirouette.bvh"),
    ("cmu/sport/10_03.bvh", "conventions/cmu_daz_10_03.bvh"),
    ("cmu/dance/05_13.bvh", "formats/acclaim/05_13.amc"),
    ("cmu/walk/07_05.bvh", "formats/acclaim/07_05-walk.amc"),
]
LIMBS = [f"{s}_{r}" for s in ("left", "right") for r in ("upper_arm", "lower_arm", "upper_leg", "lower_leg")]


@pytest.mark.parametrize(("one", "other"), TWINS)
def test_limbs_of_a_real_take_point_where_they_pointed(shared_data, one, other):
    """From CMU's spread zero pose onto DAZ's bent one and Acclaim's, and back."""
    a, b = formats.load(shared_data / one), formats.load(shared_data / other)
    for source, target in ((a, b), (b, a)):
        there = carry(source, target)
        ours, theirs = directions(source), directions(there)
        assert len(ours) == 8
        assert max(apart(ours[part], theirs[part]) for part in ours) < 1e-6


@pytest.mark.parametrize(("one", "other"), TWINS[2:])
def test_bvh_and_acclaim_of_a_take_are_one_motion(shared_data, one, other):
    """The BVH has a T-pose before the take; then both hold the same, part by part."""
    a, b = formats.load(shared_data / one)[1:], formats.load(shared_data / other)
    there = carry(a, b)
    ours, theirs = directions(there), directions(b)
    assert max(apart(ours[part], theirs[part]) for part in ours) < 1e-4
    turns = [align_rest(m.skeleton, m.rig).role_turns(m.orientations()) for m in (a, b)]
    for role in (*LIMBS, "hips", "head", "left_foot", "right_foot", "left_toes", "left_shoulder"):
        assert np.degrees(angle_between(turns[0][role], turns[1][role]).max()) < 0.1, role


@pytest.mark.parametrize(("one", "other"), TWINS[:2])
def test_a_take_converted_elsewhere_turns_as_ours_does(shared_data, one, other):
    """The DAZ files were made from these takes with their first frames, both T-poses, held to be one.

    Against its first frame every part of ours on DAZ's figure must turn as it does in those files.
    """
    a, b = formats.load(shared_data / one), formats.load(shared_data / other)
    there = carry(a, b)
    for role in (*LIMBS, "hips", "head", "left_foot", "right_foot", "left_hand", "right_hand"):
        joint = b.rig[role]
        ours, theirs = there.orientations()[:, joint], b.orientations()[:, joint]
        turned = [multiply(q, inverse(q[:1])) for q in (ours, theirs)]
        assert np.degrees(np.median(angle_between(*turned))) < 5.0, role


@pytest.mark.parametrize("target", ["skeletons/rokoko_jesse_dance.bvh", "skeletons/dfki_control_rig.bvh"])
def test_a_walk_on_a_figure_with_no_pose_at_rest_and_back(shared_data, target):
    """Zero poses with all bones along one axis: knees must not bend sideways."""
    walk = formats.load(shared_data / "cmu/walk/07_01.bvh")
    onto = formats.load(shared_data / target)
    there = carry(walk, onto)
    ours, theirs = directions(walk), directions(there)
    assert max(apart(ours[part], theirs[part]) for part in ours) < 1e-6
    # the feet point forward: along the walk, as the source's do
    for side in ("left", "right"):
        feet = []
        for m in (walk, there):
            at = m.positions()
            v = at[:, m.rig[f"{side}_toes"]] - at[:, m.rig[f"{side}_foot"]]
            feet.append(v / np.linalg.norm(v, axis=1, keepdims=True))
        assert np.degrees(np.median(np.arccos(np.clip((feet[0] * feet[1]).sum(axis=1), -1, 1)))) < 25


def test_a_head_whose_tip_lies_beside_it_is_held_upright(shared_data):
    """Rokoko's file lays the tip of the head along X and holds its frame upright in motion."""
    dance = formats.load(shared_data / "skeletons/rokoko_jesse_dance.bvh")
    onto = formats.load(shared_data / "skeletons/mixamo_freebvh.bvh")
    there = carry(dance, onto)
    up = there.orientations()[:, there.rig["head"]]
    assert np.degrees(np.arccos(rotate(up, [0.0, 1.0, 0.0])[:, 1])).max() < 60


def test_arms_laid_up_beside_the_neck_hang_where_they_should(shared_data):
    """Geno's zero pose draws collar bones and arms straight up."""
    walk = formats.load(shared_data / "cmu/walk/07_01.bvh")
    there = carry(walk, formats.load(shared_data / "skeletons/geno_stance.bvh"))
    at = there.positions()
    gap = at[:, there.rig["left_upper_arm"]] - at[:, there.rig["right_upper_arm"]]
    hips = at[:, there.rig["left_upper_leg"]] - at[:, there.rig["right_upper_leg"]]
    across = (gap * hips).sum(axis=1) / np.linalg.norm(hips, axis=1)
    assert (across > 0.2).all()  # as broad as a body, where the zero pose has 6 cm
