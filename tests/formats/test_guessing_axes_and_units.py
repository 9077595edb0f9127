"""Files that name neither their unit nor their up axis: what is guessed must be what they were written in."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from marotte import formats
from marotte.figure import Motion, Skeleton
from marotte.figure.rotations import about, multiply, rotate

from ..figure.bodies import NAMINGS, body

UNITS = ["m", "cm", "mm", "dm", "inch", "cmu"]
UPS = ["y", "z", "x", "-y", "-z", "-x"]


def walker(skeleton: Skeleton, turn=(1.0, 0.0, 0.0, 0.0)) -> Motion:
    """Some steps on the spot, standing in the world however the rest pose lies."""
    frames = 20
    rotations = np.zeros((frames, len(skeleton), 4))
    rotations[..., 0] = 1.0
    swing = 0.4 * np.sin(np.linspace(0, 6, frames))
    hips = skeleton.index("Hips")
    back = np.array(turn) * [1, -1, -1, -1]
    rotations[:, hips] = back
    for name, sign in (("LeftUpLeg", 1), ("RightUpLeg", -1)):
        # about the world's X, as the hips have it
        axis = rotate(np.array(turn), [1.0, 0.0, 0.0])
        rotations[:, skeleton.index(name)] = about(axis, sign * swing)
    root = np.tile(rotate(back, skeleton.offsets[0]), (frames, 1))
    return Motion(skeleton, root, rotations, 30.0)


def figure(height: float = 1.7, facing: float = 0.0, lying=(1.0, 0.0, 0.0, 0.0)) -> Skeleton:
    from marotte.figure.rotations import to_matrix

    turn = multiply(lying, about([0.0, 1.0, 0.0], facing))
    return body(NAMINGS["LAFAN1"]).skeleton(to_matrix(turn), height)


def written(motion: Motion, path, **told) -> formats.Summary:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        formats.save(motion, path, **told)
        return formats.inspect(path)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("height", [1.5, 1.7, 1.95])
def test_the_unit_that_makes_a_person_is_found(tmp_path, unit, height):
    found = written(walker(figure(height)), tmp_path / "a.bvh", unit=unit)
    assert found.unit == unit
    assert found.skeleton.height == pytest.approx(figure(height).height, rel=1e-3)


@pytest.mark.parametrize("up", UPS)
@pytest.mark.parametrize("facing", [0.0, 1.57, 2.5, -1.0])
def test_the_axis_that_points_up_is_found_whichever_way_the_figure_faces(tmp_path, up, facing):
    motion = walker(figure(facing=facing))
    found = written(motion, tmp_path / "a.bvh", up=up, unit="cm")
    assert found.up == up
    assert any("taken as up" in note for note in found.guesses) == (up != "y")
    again = formats.load(tmp_path / "a.bvh")
    order = [again.skeleton.index(name) for name in motion.skeleton.names]
    assert again.positions()[:, order] == pytest.approx(motion.positions(), abs=1e-4)


@pytest.mark.parametrize("axis", [[1.0, 0, 0], [-1.0, 0, 0], [0, 0, 1.0]])
def test_a_rest_pose_that_lies_does_not_tip_a_figure_that_stands(tmp_path, axis):
    """Rest poses on the back, on the belly and on the side, and frames that stand up."""
    lying = about(axis, np.pi / 2)
    motion = walker(figure(lying=lying), lying)
    heights = motion.positions()[..., 1]
    assert heights[:, motion.rig["head"]].min() > heights[:, motion.rig["left_foot"]].max()
    assert written(motion, tmp_path / "a.bvh", up="y", unit="cm").up == "y"


def test_the_frames_of_a_rest_pose_that_lies_face_forward(tmp_path):
    """Left and right, limbs and soles are those of the body, not of the page it was drawn on."""
    lying = about([1.0, 0, 0], np.pi / 2)
    rig = walker(figure(lying=lying), lying).rig
    assert rig.up == pytest.approx((0, 0, 1), abs=0.05)
    assert rig.forward == pytest.approx((0, -1, 0), abs=0.05)
    assert rig.confidence == 1.0


def test_asking_overrules_every_guess(tmp_path):
    path = tmp_path / "a.bvh"
    written(walker(figure()), path, up="z", unit="inch")
    told = formats.inspect(path, up="y", unit="cm")
    assert (told.up, told.unit) == ("y", "cm")


@pytest.mark.parametrize(("height", "unit"), [(0.95, "m"), (1.1, "cm"), (2.3, "mm"), (2.2, "cm")])
def test_children_and_giants_keep_the_usual_units(tmp_path, height, unit):
    assert written(walker(figure(height)), tmp_path / "a.bvh", unit=unit).unit == unit


def smpl_like(turn, height: float = 1.0, place=(0.0, 0.0)) -> Motion:
    """An upright rest pose whose frames are turned as a whole, root and all, in a world of Z up."""
    motion = walker(figure())
    rotations = np.array(motion.rotations)
    rotations[:, 0] = turn
    root = np.tile([place[0], place[1], height * 0.9], (len(motion), 1))
    return motion.with_(rotations=rotations, root=root)


def test_an_upright_body_in_a_world_of_z_up_stands_on_its_feet(tmp_path):
    """AMASS as BVH: SMPL's rest pose stands along Y, its motion along Z."""
    up = about([1.0, 0.0, 0.0], np.pi / 2)
    for place in ((0.0, 0.0), (1.0, -2.0)):
        path = tmp_path / "amass.bvh"
        found = written(smpl_like(up, place=place), path, up="y", unit="m")
        assert found.up == "z"
        motion = formats.load(path)
        heights = motion.positions()[..., 1]
        assert (heights[:, motion.rig["head"]] - heights[:, motion.rig["left_foot"]]).min() > 1.0


@pytest.mark.parametrize("head", [1.0, -1.0])
def test_a_sleeper_is_left_lying(tmp_path, head):
    """Lying on the ground along Z, in a file of Y up: the floor must not become a wall."""
    lying = about([1.0, 0.0, 0.0], head * np.pi / 2)
    motion = smpl_like(lying)
    for z in (0.0, 0.9, -0.9):
        root = np.tile([0.3, 0.2, z], (len(motion), 1))
        assert written(motion.with_(root=root), tmp_path / "a.bvh", up="y", unit="m").up == "y"
