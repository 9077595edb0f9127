"""Real glTF files, against 4 x 4 matrices multiplied one by one."""

from __future__ import annotations

import numpy as np
import pytest

import marotte as mt
from marotte import formats
from marotte.errors import FileError
from tests.naive.gltf import PlainGltf

from .files import quiet_load

ANIMATED = [
    ("formats/gltf/CesiumMan.glb", (0,)),
    ("formats/gltf/Fox.glb", (0, 1, 2)),
    ("formats/gltf/InterpolationTest.glb", (3, 4, 5, 6, 7, 8)),
    ("formats/gltf/RiggedSimple.glb", (0,)),
    ("formats/gltf/SimpleSkin.gltf", (0,)),
    ("formats/gltf/mixamo_default_anims.glb", (0, 1, 2)),
    ("formats/same_clip_blender/16_05.glb", (0,)),
    ("formats/vrm/test.vrma", (0,)),
]


@pytest.mark.parametrize(("name", "clip"), [(n, c) for n, clips in ANIMATED for c in clips])
def test_every_joint_is_where_the_file_s_matrices_put_it(shared_data, name, clip):
    motion = quiet_load(shared_data / name, clip=clip)
    plain = PlainGltf(shared_data / name)
    samplers = plain.json["animations"][clip]["samplers"]
    start = min(plain.numbers(s["input"])[0][0] for s in samplers)
    frames = sorted({0, len(motion) // 3, len(motion) // 2, len(motion) - 1})
    times = [start + f / motion.frame_rate for f in frames]
    wanted = plain.positions(clip, times, motion.skeleton.names) * (motion.source.metres_per_unit or 1.0)
    height = max(motion.skeleton.height, 1.0)
    assert np.abs(motion.positions()[frames] - wanted).max() < 2e-5 * height


@pytest.mark.parametrize("name", [n for n, _ in ANIMATED])
def test_info_and_load_say_the_same(shared_data, name):
    motion, summary = quiet_load(shared_data / name), formats.inspect(shared_data / name)
    assert summary.frames == len(motion)
    assert summary.frame_rate == motion.frame_rate
    assert summary.skeleton.names == motion.skeleton.names
    assert np.array_equal(summary.skeleton.offsets, motion.skeleton.offsets)
    assert summary.rig.roles == motion.rig.roles


def test_a_clip_that_blender_converted_is_the_clip(shared_data):
    bvh = quiet_load(shared_data / "cmu/jump/16_05.bvh")
    glb = quiet_load(shared_data / "formats/same_clip_blender/16_05.glb")
    order = [bvh.skeleton.index(name) for name in glb.skeleton.names]
    assert len(glb) == len(bvh)
    assert glb.frame_rate == bvh.frame_rate
    assert np.abs(glb.skeleton.offsets - bvh.skeleton.offsets[order]).max() < 1e-6
    assert np.abs(glb.positions() - bvh.positions()[:, order]).max() < 2e-5
    assert glb.translations is None


@pytest.mark.parametrize(
    ("name", "turned"),
    [
        ("EmissionMigration_v0.106.0.vrm", True),
        ("sphere_vrm0.vrm", True),
        ("mtoon_UV_Animation_Test_vrm1.vrm", False),
    ],
)
def test_characters_of_both_versions_face_the_same_way(shared_data, name, turned):
    path = shared_data / "formats/vrm" / name
    motion = quiet_load(path)
    assert len(motion) == 1
    assert motion.rig.confidence == 1.0
    assert motion.rig.forward == (0.0, 0.0, 1.0)
    assert motion.rig.lateral == (1.0, 0.0, 0.0)
    left = motion.skeleton.rest_positions()[motion.rig["left_hand"]]
    assert left[0] > 0.3
    wanted = PlainGltf(path).positions(None, [0.0], motion.skeleton.names)
    assert np.abs(motion.positions() - wanted * ((-1, 1, -1) if turned else 1)).max() < 1e-9


def test_humanoid_bones_name_the_roles(shared_data):
    rig = quiet_load(shared_data / "formats/vrm/test.vrma").rig
    names = quiet_load(shared_data / "formats/vrm/test.vrma").skeleton.names
    assert names[rig["left_thumb_metacarpal"]] == "leftThumbMetacarpal"
    assert len(rig.roles) == 51
    older = quiet_load(shared_data / "formats/vrm/EmissionMigration_v0.106.0.vrm")
    # what VRM 0 calls the proximal joint of the thumb is its metacarpal
    assert older.skeleton.names[older.rig["left_thumb_metacarpal"]] == "Character1_LeftHandThumb1"


def test_a_figure_in_centimetres_is_noticed(shared_data):
    motion = quiet_load(shared_data / "formats/gltf/mixamo_default_anims.glb")
    assert motion.source.metres_per_unit == 0.01
    assert motion.skeleton.height == pytest.approx(1.82, abs=0.01)
    told = quiet_load(shared_data / "formats/gltf/mixamo_default_anims.glb", unit="m")
    assert told.skeleton.height == pytest.approx(182, abs=1)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("IndexOutOfRange", "no figure"),
        ("NoScene", "no nodes"),
        ("RecursiveNodes", "nodes are trees"),
        ("badArray", "no figure"),
    ],
)
def test_broken_files_of_others_are_errors_in_words(shared_data, name, words):
    with pytest.raises(FileError, match=words):
        mt.load(shared_data / f"odd/real/assimp_{name}.gltf")
