"""NPZ: our own files lose nothing, body parameters and placed joints are where they belong."""

from __future__ import annotations

import dataclasses
import io
import json
import pickle
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import marotte as mt
from marotte import formats
from marotte.errors import FileError, InputError
from marotte.figure import Contact, EndSite, Limb, Motion, Point, Rig, Skeleton, Sole, Source
from marotte.figure.rotations import from_euler
from tests.figure.figures import quadruped, wander

UP_FROM_Z = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])


def same(a: Any, b: Any) -> None:
    """The very same value, bit by bit, all the way down; a 0 that stands for 0.0 may become one."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        assert np.float64(a).tobytes() == np.float64(b).tobytes()
        return
    assert type(a) is type(b)
    if dataclasses.is_dataclass(a):
        for field in dataclasses.fields(a):
            same(getattr(a, field.name), getattr(b, field.name))
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        assert a.tobytes() == b.tobytes()
    elif isinstance(a, (tuple, list)):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            same(x, y)
    elif hasattr(a, "items"):
        assert dict(a) == dict(b)
    else:
        assert a == b


def full() -> Motion:
    """A motion in which nothing is left at its default."""
    motion = wander(7)
    skeleton = motion.skeleton
    rng = np.random.default_rng(3)
    limits = np.sort(rng.uniform(-3, 3, (len(skeleton), 3, 2)), axis=2)
    limits[2] = (-np.inf, np.inf)
    skeleton = dataclasses.replace(
        skeleton, limits=limits, channel_axes=from_euler(rng.uniform(-1, 1, (len(skeleton), 3)), "XYZ")
    )
    return Motion(
        skeleton, motion.root, motion.rotations, 59.94,
        translations=rng.normal(0, 0.01, (7, len(skeleton), 3)), name="everything\n\0ü",
        contacts=(*(motion.contacts or ()), Contact("left_hand", 1, 3, "rope")), points=motion.points,
        source=Source("/a/b.bvh", "bvh", 0.0254, "-z", "cp932", ("one", "two\ud800")),
    )  # fmt: skip


class TestOurOwn:
    @pytest.mark.parametrize(
        "motion",
        [full(), wander(3)[:0], wander(1).with_(contacts=None), wander(2).with_(contacts=()),
         Motion.at_rest(quadruped(), 4)],
        ids=["full", "no frames", "nobody knows contacts", "no contacts", "no rig"],
    )  # fmt: skip
    def test_nothing_is_lost(self, tmp_path, motion):
        assert formats.save(motion, tmp_path / "m.npz") == ()
        again = formats.load(tmp_path / "m.npz", strict=True)
        same(again, motion)
        assert not again.rotations.flags.writeable
        summary = formats.inspect(tmp_path / "m.npz")
        assert (summary.frames, summary.frame_rate) == (len(motion), motion.frame_rate)
        same(summary.skeleton, motion.skeleton)

    def test_a_built_in_take_comes_back_with_its_contacts_and_limits(self, tmp_path):
        take = mt.samples.run()
        formats.save(take, tmp_path / "run.npz")
        same(formats.load(tmp_path / "run.npz"), take)

    def test_a_rig_that_was_set_by_hand_survives(self, tmp_path):
        rig = Rig(
            {"hips": 1, "left_hand": 3}, (1, 2), (Limb("left_arm", 0, 1, 2, None, (0.0, -0.0, 1.0)),),
            (Sole("left_foot", (4, 4), ((0.1, 0.2, 0.3), (1e-300, 0.1 + 0.2, 3.0))),), confidence=0.1,
            reasons=("by hand",),
        )  # fmt: skip
        formats.save(wander(2).with_(rig=rig), tmp_path / "m.npz")
        same(formats.load(tmp_path / "m.npz").rig, rig)

    def test_numpy_reads_it_without_pickles_and_the_same_motion_makes_the_same_file(self, tmp_path):
        motion = full()
        formats.save(motion, tmp_path / "a.npz")
        formats.save(motion, tmp_path / "b.npz")
        assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
        with np.load(tmp_path / "a.npz", allow_pickle=False) as arrays:
            assert int(arrays["marotte"]) == 1
            assert arrays["rotations"].shape == (7, 21, 4)
            header = json.loads(arrays["header"].tobytes())
        assert header["names"] == list(motion.skeleton.names)

    def test_a_bvh_that_went_through_npz_is_written_as_it_was(self, tmp_path, shared_data):
        take = formats.load(shared_data / "skeletons/mocapbank.bvh")
        formats.save(take, tmp_path / "direct.bvh")
        formats.save(take, tmp_path / "m.npz")
        formats.save(formats.load(tmp_path / "m.npz"), tmp_path / "around.bvh")
        assert (tmp_path / "around.bvh").read_bytes() == (tmp_path / "direct.bvh").read_bytes()

    def test_it_says_its_unit_and_axes(self, tmp_path):
        motion = wander(2)
        written: list[dict[str, Any]] = [{"unit": "cm"}, {"up": "z"}]
        for options in written:
            with pytest.raises(InputError, match="an NPZ is written"):
                formats.save(motion, tmp_path / "m.npz", **options)
        formats.save(motion, tmp_path / "m.npz", unit="m", up="y")
        for options in [*written, {"body_model": "x.npz"}]:
            for do in (formats.load, formats.inspect):
                with pytest.raises(InputError, match="no meaning"):
                    do(tmp_path / "m.npz", **options)
        assert formats.load(tmp_path / "m.npz", frame_rate=25).frame_rate == 25
        with pytest.raises(InputError, match="frame_rate must be"):
            formats.load(tmp_path / "m.npz", frame_rate=-1)


@st.composite
def motions(draw) -> Motion:
    joints, frames = draw(st.integers(1, 5)), draw(st.integers(0, 4))
    real = st.floats(-1e9, 1e9, allow_nan=False)
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    names = draw(st.lists(st.text(min_size=1, max_size=8), min_size=joints, max_size=joints, unique=True))
    skeleton = Skeleton(
        tuple(names), np.array([-1] + [draw(st.integers(0, j - 1)) for j in range(1, joints)]),
        np.array(draw(st.lists(real, min_size=3 * joints, max_size=3 * joints))).reshape(-1, 3),
        channels=tuple(draw(st.sampled_from(["", "X", "xyzZXY", "ZYZ", "yX"])) for _ in range(joints)),
        ends=(EndSite(0, (draw(real), 0.0, -0.0), draw(st.text(max_size=4))),),
    )  # fmt: skip
    rotations = from_euler(rng.uniform(-4, 4, (frames, joints, 3)), "ZXY")
    contacts = draw(
        st.none()
        | st.lists(
            st.builds(Contact, st.sampled_from(["left_foot", "hips"]), st.integers(0, 4), st.integers(4, 9)),
            max_size=3,
        )
    )
    return Motion(
        skeleton, rng.normal(size=(frames, 3)) * draw(real), rotations, draw(st.floats(1e-3, 1e6)),
        translations=draw(st.sampled_from([None, rng.normal(size=(frames, joints, 3))])),
        name=draw(st.text(max_size=5)), contacts=contacts,
        points=(Point(draw(st.text(max_size=3)), joints - 1, (draw(real), draw(real), 0.5)),),
    )  # fmt: skip


@given(motions())
@settings(max_examples=80)
def test_any_motion_comes_back_bit_by_bit(tmp_path_factory, motion):
    path = tmp_path_factory.mktemp("any") / "m.npz"
    formats.save(motion, path)
    same(formats.load(path), motion)


SMPL_PARENTS = [-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19]
HAND_PARENTS = [[20 + side, 22, 23, 20 + side, 25, 26, 20 + side, 28, 29, 20 + side, 31, 32,
                 20 + side, 34, 35] for side in (0, 1)]  # fmt: skip


def smplh_parents() -> list[int]:
    left, right = HAND_PARENTS
    return [*SMPL_PARENTS, *left, *(p if p == 21 else p + 15 for p in right)]


def model(path: Path, joints: int, parents: list[int], seed: int = 0, betas: int = 4) -> dict[str, Any]:
    """A body model of forty vertices."""
    rng = np.random.default_rng(seed)
    arrays: dict[str, Any] = {
        "v_template": rng.normal(size=(40, 3)),
        "shapedirs": rng.normal(size=(40, 3, betas)) * 0.01,
        "J_regressor": rng.dirichlet(np.ones(40), joints),
        "kintree_table": np.array([[2**32 - 1, *parents[1:]], range(joints)], dtype=np.uint32),
        "posedirs": np.array([{"never": "read"}], dtype=object),
    }
    np.savez(path, **arrays)
    return arrays


def smpl_joints(places: np.ndarray, parents: list[int], vectors: np.ndarray, trans: np.ndarray) -> np.ndarray:
    """(F, J, 3) by the definition of SMPL, in the file's world."""
    out = np.empty((len(vectors), len(parents), 3))
    for f, rows in enumerate(vectors):
        world = []
        for j, parent in enumerate(parents):
            turn = Rotation.from_rotvec(rows[j]).as_matrix()
            if parent < 0:
                world.append((turn, places[j]))
            else:
                above, at = world[parent]
                world.append((above @ turn, at + above @ (places[j] - places[parent])))
            out[f, j] = world[j][1] + trans[f]
    return out


def amass(path: Path, joints: int = 52, frames: int = 9, **more: Any) -> dict[str, Any]:
    """A file as AMASS has them, of somebody who stands along Z."""
    rng = np.random.default_rng(joints)
    vectors = rng.normal(0, 0.3, (frames, joints, 3))
    vectors[:, 0] += [np.pi / 2, 0, 0]
    arrays = {
        "poses": vectors.reshape(frames, -1), "trans": rng.normal(size=(frames, 3)),
        "gender": np.array("male"), "betas": np.array([0.5, -1.0, 2.0, 0.25]),
        "mocap_framerate": np.array(120.0), "dmpls": np.zeros((frames, 8)), **more,
    }  # fmt: skip
    np.savez(path, **{k: v for k, v in arrays.items() if v is not None})
    return arrays


class TestBodyParameters:
    def test_with_its_model_every_joint_is_where_smpl_puts_it(self, tmp_path):
        arrays = amass(tmp_path / "take.npz")
        body = model(tmp_path / "SMPLH.npz", 52, smplh_parents())
        motion = formats.load(tmp_path / "take.npz", body_model=tmp_path / "SMPLH.npz", strict=True)
        places = body["J_regressor"] @ (body["v_template"] + body["shapedirs"] @ arrays["betas"])
        joints = smpl_joints(places, smplh_parents(), arrays["poses"].reshape(-1, 52, 3), arrays["trans"])
        assert motion.positions() == pytest.approx(joints @ UP_FROM_Z.T, abs=1e-9)
        assert motion.frame_rate == 120
        assert motion.skeleton.rest_positions() == pytest.approx(places)

    def test_without_a_model_a_body_of_average_build_moves_and_that_is_said(self, tmp_path):
        arrays = amass(tmp_path / "take.npz")
        motion = formats.load(tmp_path / "take.npz", strict=True)
        note = " ".join(motion.source.notes)
        for words in ("average build", "'male'", "betas are not applied", "body_model", "dmpls"):
            assert words in note
        places = motion.skeleton.rest_positions()
        joints = smpl_joints(places, smplh_parents(), arrays["poses"].reshape(-1, 52, 3), arrays["trans"])
        assert motion.positions() == pytest.approx(joints @ UP_FROM_Z.T, abs=1e-9)

    def test_the_average_body_has_human_measures(self, tmp_path):
        """Shares of the stature by Drillis and Contini (1966): thigh and shin 0.491, both arm bones 0.332."""
        amass(tmp_path / "take.npz")
        skeleton = formats.load(tmp_path / "take.npz").skeleton
        assert 1.5 < skeleton.height < 1.85
        bones = skeleton.bone_lengths()
        for side in ("left", "right"):
            leg = sum(bones[skeleton.index(f"{side}_{n}")] for n in ("knee", "ankle"))
            arm = sum(bones[skeleton.index(f"{side}_{n}")] for n in ("elbow", "wrist"))
            assert leg / 0.491 == pytest.approx(1.7, abs=0.12)
            assert arm / 0.332 == pytest.approx(1.7, abs=0.2)
        rest = skeleton.rest_positions()
        left, right = rest[skeleton.index("left_wrist")], rest[skeleton.index("right_wrist")]
        assert left * [-1, 1, 1] == pytest.approx(right)
        assert left[0] > 0.6

    @pytest.mark.parametrize(
        ("joints", "title"), [(22, "SMPL"), (24, "SMPL"), (52, "SMPL-H"), (55, "SMPL-X")]
    )
    def test_names_and_roles_of_every_model(self, tmp_path, joints, title):
        amass(tmp_path / "take.npz", joints)
        motion = formats.load(tmp_path / "take.npz")
        assert len(motion.skeleton) == joints
        assert any(title in note for note in motion.source.notes)
        named = {role: motion.skeleton.names[j] for role, j in motion.rig.roles.items()}
        wanted = {
            "hips": "pelvis", "spine": "spine1", "head": "head", "left_upper_arm": "left_shoulder",
            "left_shoulder": "left_collar", "right_hand": "right_wrist", "left_upper_leg": "left_hip",
            "right_lower_leg": "right_knee", "left_foot": "left_ankle", "left_toes": "left_foot",
        }  # fmt: skip
        if joints > 24:
            wanted |= {"left_index_proximal": "left_index1", "right_little_distal": "right_pinky3",
                       "left_thumb_metacarpal": "left_thumb1"}  # fmt: skip
        if joints == 55:
            wanted |= {"jaw": "jaw", "right_eye": "right_eye_smplhf"}
        assert {role: named.get(role) for role in wanted} == wanted
        assert motion.rig.confidence == 1.0
        assert len(motion.rig.limbs) == 4
        assert [motion.rig.lateral, motion.rig.up, motion.rig.forward] == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]

    def test_parts_mean_the_same_as_the_whole(self, tmp_path):
        arrays = amass(tmp_path / "whole.npz", 55)
        poses = arrays.pop("poses")
        rate = arrays.pop("mocap_framerate")
        for name, cuts in (
            ("amass.npz", {"root_orient": (0, 3), "pose_body": (3, 66), "pose_jaw": (66, 69),
                           "pose_eye": (69, 75), "pose_hand": (75, 165)}),
            ("smplx.npz", {"global_orient": (0, 3), "body_pose": (3, 66), "jaw_pose": (66, 69),
                           "leye_pose": (69, 72), "reye_pose": (72, 75), "left_hand_pose": (75, 120),
                           "right_hand_pose": (120, 165)}),
        ):  # fmt: skip
            parts = {part: poses[:, a:b] for part, (a, b) in cuts.items()}
            np.savez(tmp_path / name, mocap_frame_rate=rate, **arrays, **parts)
            a, b = formats.load(tmp_path / "whole.npz"), formats.load(tmp_path / name)
            same(a.rotations, b.rotations)
            same(a.root, b.root)
            assert a.frame_rate == b.frame_rate

    def test_a_figure_that_stands_along_y_is_not_laid_down(self, tmp_path):
        poses = np.zeros((5, 66))
        np.savez(tmp_path / "y.npz", poses=poses, trans=np.zeros((5, 3)), mocap_framerate=30)
        motion = formats.load(tmp_path / "y.npz")
        assert any("Y is taken as up" in note for note in motion.source.notes)
        assert (motion.positions()[0, 15] - motion.positions()[0, 0])[1] > 0.4
        laid = formats.load(tmp_path / "y.npz", up="z")
        assert (laid.positions()[0, 15] - laid.positions()[0, 0])[2] < -0.4
        assert formats.inspect(tmp_path / "y.npz").up == "y"

    def test_a_rate_is_never_made_up(self, tmp_path):
        amass(tmp_path / "take.npz", mocap_framerate=None)
        with pytest.raises(FileError, match="set it with frame_rate"):
            formats.load(tmp_path / "take.npz")
        assert formats.load(tmp_path / "take.npz", frame_rate=59.94).frame_rate == 59.94
        amass(tmp_path / "take.npz", mocap_framerate=np.array([120]))
        assert formats.load(tmp_path / "take.npz").frame_rate == 120

    def test_old_files_with_pickled_words_are_read_without_opening_the_pickle(self, tmp_path):
        amass(tmp_path / "take.npz", gender=np.array("female", dtype=object))
        assert len(formats.load(tmp_path / "take.npz", strict=True)) == 9
        amass(tmp_path / "take.npz", gender=np.array(b"female"))
        assert any("'female'" in note for note in formats.load(tmp_path / "take.npz").source.notes)

    def test_hands_as_components_and_no_translation_are_said(self, tmp_path):
        with np.load((amass(tmp_path / "t.npz", 22), tmp_path / "t.npz")[1]) as z:
            poses = z["poses"]
        np.savez(tmp_path / "p.npz", root_orient=poses[:, :3], pose_body=poses[:, 3:], fps=60,
                 left_hand_pose=np.zeros((9, 12)), right_hand_pose=np.zeros((9, 12)))  # fmt: skip
        with pytest.warns(formats.FileWarning) as said:
            motion = formats.load(tmp_path / "p.npz")
        text = " ".join(str(w.message) for w in said)
        assert "left_hand_pose" in text
        assert "no translation" in text
        assert len(motion.skeleton) == 22

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"poses": np.zeros((9, 70))}, "shape \\(frames, 3 joints\\)"),
            ({"poses": np.zeros((9, 99))}, "of 22 \\(SMPL\\).*but are of 33"),
            ({"poses": np.full((9, 66), np.nan)}, "finite numbers .* at \\(0, 0\\)"),
            ({"poses": np.full((9, 66), 1e13)}, "at most 1e\\+12"),
            ({"poses": np.array(["a"] * 66).reshape(1, 66)}, "must hold numbers"),
            ({"poses": np.zeros((9, 66), complex)}, "must hold numbers"),
            ({"trans": np.zeros((8, 3))}, "as many frames as the poses, 9, but has 8"),
            ({"trans": np.zeros((9, 4))}, "'trans' must have shape"),
            ({"trans": np.array([{}] * 9, object)}, "pickled Python objects|must have shape"),
            ({"mocap_framerate": np.array(0.0)}, "frames a second"),
            ({"mocap_framerate": np.array([1.0, 2.0])}, "one number"),
        ],
    )
    def test_wrong_parameters_name_the_array(self, tmp_path, change, words):
        amass(tmp_path / "take.npz", **change)
        for do in (formats.load, formats.inspect):
            with pytest.raises(FileError, match=words) as refused:
                do(tmp_path / "take.npz")
            assert refused.value.path == str(tmp_path / "take.npz")

    def test_wrong_models_name_their_own_file(self, tmp_path):
        take, body = tmp_path / "take.npz", tmp_path / "body.npz"
        amass(take)

        def refused(words: str) -> None:
            with pytest.raises(FileError, match=words) as error:
                formats.load(take, body_model=body)
            assert error.value.path == str(body)

        refused("cannot be read")
        model(body, 55, [*SMPL_PARENTS, *range(33)])
        refused("as many joints as the poses, 52 \\(SMPL-H\\), but has 55")
        wrong = smplh_parents()
        wrong[5] = 1
        model(body, 52, wrong)
        refused("hang together otherwise")
        arrays = model(body, 52, smplh_parents())
        for name in ("J_regressor", "v_template", "kintree_table"):
            np.savez(body, **{k: v for k, v in arrays.items() if k != name})
            refused(f"must have an array '{name}'")
        np.savez(body, **{**arrays, "J_regressor": np.array([{}], object)})
        refused("must have shape|pickled")
        np.savez(body, **arrays)
        with pytest.raises(FileError, match="is a body model, not a motion"):
            formats.load(body)

    def test_more_betas_than_the_model_has_shapes(self, tmp_path):
        amass(tmp_path / "take.npz")
        model(tmp_path / "body.npz", 52, smplh_parents(), betas=2)
        with pytest.warns(formats.FileWarning, match="2 shapes, but there are 4 betas"):
            formats.load(tmp_path / "take.npz", body_model=tmp_path / "body.npz")


class TestPlacedJoints:
    def test_a_real_take_of_a_generator(self, shared_data):
        file = shared_data / "formats/npz/kimodo_soma_01.npz"
        motion = formats.load(file, strict=True)
        with np.load(file) as arrays:
            assert np.abs(motion.positions() - arrays["posed_joints"]).max() < 2e-6
            turns = arrays["global_rot_mats"]
            touching = arrays["foot_contacts"]
        world = Rotation.from_quat(motion.orientations().reshape(-1, 4), scalar_first=True).as_matrix()
        assert np.abs(world.reshape(turns.shape) - turns).max() < 2e-6
        assert motion.frame_rate == 30
        assert "SOMA" in " ".join(motion.source.notes)
        named = {role: motion.skeleton.names[j] for role, j in motion.rig.roles.items()}
        assert named["left_upper_leg"] == "LeftLeg"
        assert named["right_lower_leg"] == "RightShin"
        assert named["left_upper_arm"] == "LeftArm"
        assert len(motion.rig.limbs) == 4
        # contacts as the file has them, and the sole is low while they last
        assert motion.contacts
        first = motion.contacts[0]
        assert first.role == "left_foot"
        assert touching[first.first : first.last + 1, :2].any(axis=1).all()
        toes = motion.positions()[:, motion.rig["left_toes"], 1]
        assert toes[first.first : first.last + 1].max() < np.median(toes) + 0.05

    def placed(self, path: Path, motion: Motion, **more: Any) -> None:
        world = Rotation.from_quat(motion.orientations().reshape(-1, 4), scalar_first=True).as_matrix()
        np.savez(
            path, posed_joints=motion.positions(),
            global_rot_mats=world.reshape(*motion.rotations.shape[:2], 3, 3), **more,
        )  # fmt: skip

    def test_the_tree_is_found_from_the_motion(self, tmp_path):
        motion = wander(30)
        self.placed(tmp_path / "p.npz", motion, fps=50)
        found = formats.load(tmp_path / "p.npz", strict=True)
        assert found.skeleton.parents.tolist() == motion.skeleton.parents.tolist()
        assert found.skeleton.offsets[1:] == pytest.approx(motion.skeleton.offsets[1:], abs=1e-12)
        assert found.positions() == pytest.approx(motion.positions(), abs=1e-12)
        assert found.frame_rate == 50
        assert formats.load(tmp_path / "p.npz", frame_rate=20).frame_rate == 20

    def test_what_the_motion_does_not_tell_is_said(self, tmp_path):
        """Figures that stand still could hang together in many ways."""
        self.placed(tmp_path / "p.npz", Motion.at_rest(quadruped(), 5))
        with pytest.warns(formats.FileWarning, match="taken to hang on the nearest"):
            motion = formats.load(tmp_path / "p.npz")
        assert motion.positions()[0] == pytest.approx(quadruped().rest_positions())

    def test_other_units_and_axes(self, tmp_path):
        motion = wander(10)
        self.placed(tmp_path / "p.npz", motion)
        turned = formats.load(tmp_path / "p.npz", unit="cm", up="z")
        assert turned.positions() == pytest.approx(0.01 * motion.positions() @ UP_FROM_Z.T, abs=1e-12)
        with pytest.raises(InputError, match="body_model is for SMPL"):
            formats.load(tmp_path / "p.npz", body_model="x.npz")

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (lambda p, r: (p[:0], r[:0]), "a frame at least"),
            (lambda p, r: (p, r[:, :-1]), "'global_rot_mats' must have shape"),
            (lambda p, r: (p[..., :2], r), "must have shape"),
            (lambda p, r: (p, r * 1.1), "must hold rotations"),
            (lambda p, r: (p, -r), "must hold rotations"),
            (lambda p, r: (p + np.random.default_rng(0).normal(size=p.shape), r), "must keep its place"),
            (lambda p, r: (p * np.inf, r), "finite"),
        ],
    )
    def test_what_is_no_figure_is_refused(self, tmp_path, change, words):
        motion = wander(6)
        world = Rotation.from_quat(motion.orientations().reshape(-1, 4), scalar_first=True).as_matrix()
        with np.errstate(invalid="ignore"):
            places, turns = change(motion.positions(), world.reshape(6, -1, 3, 3))
        np.savez(tmp_path / "p.npz", posed_joints=places, global_rot_mats=turns)
        with pytest.raises(FileError, match=words):
            formats.load(tmp_path / "p.npz")


def npy(head: bytes, data: bytes = b"") -> bytes:
    """An array as a file, with a head of one's own."""
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + data


def archive(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(f"{name}.npy", data)
    return path


class TestHostileFiles:
    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b"", "the file is empty"),
            (b"\x01\x02\0\0", "begin with the letters PK"),
            (b"HIERARCHY\nROOT", "is a BVH; name it .bvh"),
            (b"\x93NUMPY\x01\x00", "a single NumPy array"),
            (pickle.dumps({"poses": 1}), "pickle"),
            (b"PK\x03\x04 not really", "no whole NPZ archive"),
        ],
    )
    def test_what_is_no_archive(self, tmp_path, content, words):
        path = tmp_path / "x.npz"
        path.write_bytes(content)
        for do in (formats.load, formats.inspect):
            with pytest.raises(FileError, match=words):
                do(path)

    def test_an_archive_of_other_things_says_what_it_holds(self, tmp_path):
        np.savez(tmp_path / "x.npz", dof_positions=np.zeros((3, 29)))
        with pytest.raises(FileError, match=r"but holds dof_positions \(3, 29\)"):
            formats.load(tmp_path / "x.npz")
        with zipfile.ZipFile(tmp_path / "y.npz", "w") as file:
            file.writestr("hello.txt", "hello")
        with pytest.raises(FileError, match="no arrays"):
            formats.load(tmp_path / "y.npz")

    def test_no_program_hidden_in_a_file_is_ever_run(self, tmp_path):
        class Trap:
            def __reduce__(self):
                return (Path.touch, (tmp_path / "sprung",))

        traps = np.array([Trap()] * 3, dtype=object)
        np.savez(tmp_path / "a.npz", poses=traps, trans=traps, gender=traps, betas=traps, mocap_framerate=30)
        np.savez(tmp_path / "b.npz", marotte=traps, header=traps, offsets=traps, root=traps, rotations=traps)
        for name in ("a.npz", "b.npz"):
            with pytest.raises(FileError):
                formats.load(tmp_path / name)
        np.savez(tmp_path / "c.npz", poses=np.zeros((3, 66)), trans=traps.reshape(1, 3), mocap_framerate=30)
        with pytest.raises(FileError, match="pickled Python objects"):
            formats.load(tmp_path / "c.npz")
        assert not (tmp_path / "sprung").exists()

    def test_a_bomb_is_refused_before_it_grows(self, tmp_path):
        head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (50000000, 66), }\n"
        bomb = archive(tmp_path / "bomb.npz", poses=npy(head, bytes(1 << 20)))
        with pytest.raises(FileError, match=r"would take 26\.4 GB"):
            formats.load(bomb)

    def test_a_bomb_of_zeros_that_is_really_there(self, tmp_path):
        """A thousandth of its size on disk: it is not unpacked into memory."""
        frames = 1_000_000
        head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (%d, 156), }\n" % frames
        path = tmp_path / "bomb.npz"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file, file.open("poses.npy", "w") as member:
            member.write(npy(head))
            for _ in range(156):
                member.write(bytes(frames * 4))
        assert path.stat().st_size < 2_000_000
        with pytest.raises(FileError, match="GB"):
            formats.load(path, frame_rate=30)

    @pytest.mark.parametrize(
        ("head", "data"),
        [
            (b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 66), }", bytes(8)),
            (b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 66), }", bytes(8 * 200)),
            (b"{'descr': '<f8', 'fortran_order': False, 'shape': (-2, 66), }", b""),
            (b"{'descr': '<f8', 'fortran_order': False, 'shape': (0, %d), }" % 10**30, b""),
            (b"{'descr': '<f8', 'fortran_order': False, 'shape': (2,) * 9**9**9, }", b""),
            (b"{'descr': '<f8', 'fortran_order': False, 'shape': " + b"(" * 5000 + b"}", b""),
            (b"{'descr': 'nonsense', 'fortran_order': False, 'shape': (2, 66), }", bytes(8)),
            (b"{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2, 66), }", bytes(8 * 132)),
            (b"{'descr': '<M8[s]', 'fortran_order': False, 'shape': (2, 66), }", bytes(8 * 132)),
            (b"{'descr': '|O', 'fortran_order': False, 'shape': (2, 66), }", bytes(8 * 132)),
            (b"__import__('os').system('true')", b""),
            (b"\xff\xfe", b""),
            (b"", b""),
        ],
    )
    def test_heads_that_lie(self, tmp_path, head, data):
        path = archive(tmp_path / "x.npz", poses=npy(head, data))
        for do in (formats.load, formats.inspect):
            with pytest.raises(FileError, match="array 'poses'"):
                do(path, frame_rate=30)

    def test_a_file_cut_anywhere_is_refused(self, tmp_path):
        formats.save(wander(3), tmp_path / "m.npz")
        whole = (tmp_path / "m.npz").read_bytes()
        for cut in range(1, len(whole), 97):
            (tmp_path / "cut.npz").write_bytes(whole[:cut])
            for do in (formats.load, formats.inspect):
                with pytest.raises(FileError, match=r"cut\.npz"):
                    do(tmp_path / "cut.npz")

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (lambda a: a.update(marotte=np.array(2)), "version must be 1, but is 2"),
            (lambda a: a.pop("rotations"), "must have an array 'rotations'"),
            (lambda a: a.pop("header"), "must have an array 'header'"),
            (lambda a: a.update(header=np.frombuffer(b"{", np.uint8)), "the header is wrong"),
            (lambda a: a.update(header=np.frombuffer(b"[1]", np.uint8)), "must be a map"),
            (lambda a: a.update(header=np.frombuffer(b"[" * 100_000, np.uint8)), "nests too deeply|wrong"),
            (lambda a: a.update(header=np.frombuffer(b"\xff\xff", np.uint8)), "the header is wrong"),
            (lambda a: a.update(root=a["root"][:-1]), "rotations must have shape"),
            (lambda a: a.update(root=a["root"] * np.nan), "'root' must hold finite"),
            (lambda a: a.update(rotations=a["rotations"] * 2), "unit quaternions"),
            (lambda a: a.update(rotations=a["rotations"][:, :-1]), "must have shape"),
            (lambda a: a.update(offsets=a["offsets"][:-1]), "offsets must have shape"),
            (lambda a: a.update(limits=np.array(["x"])), "the header is wrong"),
            (lambda a: a.update(limits=np.full((21, 3, 2), np.nan)), "limits must be pairs"),
            (lambda a: edit(a, "parents", [0] * 21), "joints must come after their parents"),
            (lambda a: edit(a, "parents", "no"), "header.parents must be a list"),
            (lambda a: edit(a, "names", [1] * 21), r"header\.names\[0\] must be a str"),
            (lambda a: edit(a, "frame_rate", True), "must be a float"),
            (lambda a: edit(a, "frame_rate", -5), "positive number"),
            (lambda a: edit(a, "contacts", [{"role": "left_foot", "first": 3, "last": 1}]), "a contact must"),
            (lambda a: edit(a, "points", [{"name": "cup", "joint": 99}]), "must sit on a joint"),
            (lambda a: edit(a, "rig", {"roles": {"hips": 99}}), "must name joints below 21"),
            (lambda a: edit(a, "rig", {"roles": {"nose": 1}}), "'nose'"),
            (lambda a: edit(a, "ends", [{"joint": 1, "offset": [0, 1]}]), "must have 3 items"),
        ],
    )
    def test_own_files_that_somebody_broke(self, tmp_path, change, words):
        formats.save(wander(3), tmp_path / "m.npz")
        with np.load(tmp_path / "m.npz") as file:
            arrays = dict(file)
        change(arrays)
        np.savez(tmp_path / "m.npz", **arrays)
        with pytest.raises(FileError, match=words) as refused:
            formats.load(tmp_path / "m.npz")
        assert refused.value.path == str(tmp_path / "m.npz")

    @given(st.data())
    @settings(max_examples=150)
    def test_no_change_of_a_few_bytes_makes_more_than_a_file_error(self, tmp_path_factory, data):
        folder = tmp_path_factory.mktemp("fuzz")
        formats.save(wander(2), folder / "m.npz")
        raw = bytearray((folder / "m.npz").read_bytes())
        for _ in range(data.draw(st.integers(1, 4))):
            at = data.draw(st.integers(0, len(raw) - 1))
            raw[at : at + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=5))
        (folder / "m.npz").write_bytes(bytes(raw))
        for do in (formats.load, formats.inspect):
            with suppress(FileError):
                do(folder / "m.npz")


def edit(arrays: dict[str, Any], field: str, value: Any) -> None:
    header = json.loads(arrays["header"].tobytes())
    header[field] = value
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)


def test_info_starts_no_compiler(tmp_path):
    formats.save(wander(2), tmp_path / "own.npz")
    amass(tmp_path / "amass.npz")
    code = (
        "import sys; from marotte import formats\n"
        "for f in sys.argv[1:]: formats.inspect(f)\n"
        "sys.exit('numba' in sys.modules)"
    )
    files = [str(tmp_path / "own.npz"), str(tmp_path / "amass.npz")]
    assert subprocess.run([sys.executable, "-c", code, *files], check=False).returncode == 0


def test_a_stream_is_not_left_open(tmp_path, recwarn):
    """A file that was refused can be replaced at once, on every system."""
    (tmp_path / "x.npz").write_bytes(io.BytesIO(b"PK\x03\x04").getvalue())
    with pytest.raises(FileError):
        formats.load(tmp_path / "x.npz")
    (tmp_path / "x.npz").unlink()
    assert not [w for w in recwarn if w.category is ResourceWarning]
