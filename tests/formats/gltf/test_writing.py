"""Motions saved as glTF: nothing is lost on the way back, and a body keeps all that is its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import marotte as mt
from marotte import formats
from marotte.cli import main
from marotte.errors import InputError
from marotte.figure import Motion, Skeleton, reverse
from tests.figure.figures import quadruped, wander
from tests.naive.gltf import PlainGltf

from .files import Made, arm, glb_bytes, turns
from .files import quiet_load as load

CLOSE = 1e-6


def same(a: Motion, b: Motion, close: float = CLOSE) -> None:
    """The same joints at the same places at the same times."""
    assert a.skeleton.names == b.skeleton.names
    assert a.skeleton.channels == b.skeleton.channels
    assert (len(a), a.frame_rate) == (len(b), b.frame_rate)
    assert np.abs(a.skeleton.offsets - b.skeleton.offsets).max() < close
    assert np.abs(a.positions() - b.positions()).max() < close
    turned = np.abs(np.einsum("fjk,fjk->fj", a.orientations(), b.orientations()))
    assert turned.min() > 1 - close
    assert (a.translations is None) == (b.translations is None)
    assert [(e.joint, e.name) for e in a.skeleton.ends] == [(e.joint, e.name) for e in b.skeleton.ends]
    if a.skeleton.ends:
        assert np.abs(a.end_positions() - b.end_positions()).max() < close


@pytest.mark.parametrize("extension", [".glb", ".gltf"])
@pytest.mark.parametrize("rate", [24.0, 30.0, 120.0, 1000 / 33.0])
def test_a_motion_comes_back_as_it_was(tmp_path, extension, rate):
    motion = wander(50, rate=rate).with_(contacts=None, points=())
    assert formats.save(motion, tmp_path / f"x{extension}") == ()
    back = load(tmp_path / f"x{extension}", strict=True)
    same(motion, back)
    assert back.name == "wander"
    assert back.source.notes == ()


@pytest.mark.parametrize(
    "words",
    [
        7,
        {"channels": ["ZXY"], "ends": 7},
        {"channels": ["QQQ"] * 21, "ends": [{"node": 0, "reach": [0, 0]}]},
        {"channels": 3, "ends": [{"node": 99, "reach": [0, 0, 1]}, {"node": "x"}]},
    ],
)
def test_our_own_notes_in_a_file_are_not_believed_where_they_do_not_fit(tmp_path, words):
    motion = wander(5)
    formats.save(motion, tmp_path / "x.gltf")
    document = json.loads((tmp_path / "x.gltf").read_text(encoding="utf-8"))
    document["skins"][0]["extras"]["marotte"] = words
    document["animations"][0]["extras"]["marotte"]["frame_rate"] = "fast"
    (tmp_path / "x.gltf").write_text(json.dumps(document), encoding="utf-8")
    back = load(tmp_path / "x.gltf")
    assert np.abs(back.positions() - motion.positions()).max() < CLOSE
    assert back.skeleton.ends == ()
    assert back.frame_rate == motion.frame_rate


def test_joints_that_move_on_their_bones_come_back(tmp_path):
    motion = wander(20)
    moved = np.zeros((20, len(motion.skeleton), 3))
    moved[:, 4] = np.random.default_rng(0).normal(size=(20, 3)) * 0.05
    moved[:, 7] = [0.01, 0.02, 0.0]
    motion = motion.with_(translations=moved)
    formats.save(motion, tmp_path / "x.glb")
    back = load(tmp_path / "x.glb")
    same(motion, back)
    assert back.translations is not None
    assert np.abs(back.translations - moved).max() < CLOSE


@pytest.mark.parametrize("frames", [1, 2])
def test_the_shortest_motions_come_back(tmp_path, frames):
    motion = wander(10)[:frames]
    formats.save(motion, tmp_path / "x.glb")
    same(motion, load(tmp_path / "x.glb"))


def test_no_frames_are_the_rest_pose_and_that_is_said(tmp_path):
    changes = formats.save(wander(5)[:0], tmp_path / "x.glb")
    assert any("no frames" in text for text in changes)
    back = load(tmp_path / "x.glb")
    assert np.abs(back.positions()[0] - back.skeleton.rest_positions()).max() < CLOSE


def test_a_figure_that_holds_still_keeps_its_frames(tmp_path):
    motion = Motion.at_rest(quadruped(), frames=25, frame_rate=60.0)
    formats.save(motion, tmp_path / "x.glb")
    same(motion, load(tmp_path / "x.glb"))


def test_what_never_changes_takes_no_room(tmp_path):
    motion = Motion.at_rest(quadruped(), frames=5000)
    formats.save(motion, tmp_path / "x.glb")
    # the times and the root's path, and a little for the mesh
    assert (tmp_path / "x.glb").stat().st_size < 5000 * 4 * 4 + 30_000


def test_a_figure_of_one_joint_and_one_without_size_can_be_written(tmp_path):
    for skeleton in (
        Skeleton(("Ball",), np.array([-1]), np.zeros((1, 3))),
        Skeleton(("A", "B"), np.array([-1, 0]), np.zeros((2, 3))),
    ):
        motion = Motion.at_rest(skeleton, frames=3)
        formats.save(motion, tmp_path / "x.glb")
        same(motion, load(tmp_path / "x.glb", unit="m"))


def test_names_in_any_alphabet_come_back(tmp_path):
    names = ("腰", 'a "quoted" name', "tab\there", "🙂", "Armature")
    skeleton = Skeleton(names, np.arange(5) - 1, np.full((5, 3), 0.1))
    formats.save(Motion.at_rest(skeleton, frames=2), tmp_path / "x.glb")
    assert load(tmp_path / "x.glb", unit="m").skeleton.names == names


def test_more_joints_than_a_byte_can_count_have_a_body_too(tmp_path):
    count = 300
    skeleton = Skeleton(tuple(f"j{i}" for i in range(count)), np.arange(count) - 1, np.full((count, 3), 0.01))
    motion = Motion.at_rest(skeleton, frames=2)
    formats.save(motion, tmp_path / "x.glb")
    plain = PlainGltf(tmp_path / "x.glb")
    bound = plain.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"]
    assert max(row[0] for row in plain.numbers(bound)) == count - 1
    same(motion, load(tmp_path / "x.glb", unit="m"))


def test_unit_and_axes_of_the_file_can_be_told(tmp_path):
    motion = wander(10)
    changes = formats.save(motion, tmp_path / "x.glb", unit="cm", up="z")
    assert any("cm" in text for text in changes)
    plain = PlainGltf(tmp_path / "x.glb")
    theirs = plain.positions(0, [f / 30 for f in range(10)], motion.skeleton.names)
    assert np.abs(theirs[..., [0, 2, 1]] * [0.01, 0.01, -0.01] - motion.positions()).max() < CLOSE
    back = load(tmp_path / "x.glb", unit="cm", up="z")
    same(motion, back)
    formats.save(back, tmp_path / "again.glb")
    same(motion, load(tmp_path / "again.glb", unit="cm", up="z"))


def test_the_mesh_lies_on_the_bones(tmp_path):
    motion = wander(5)
    formats.save(motion, tmp_path / "x.glb")
    plain = PlainGltf(tmp_path / "x.glb")
    primitive = plain.json["meshes"][0]["primitives"][0]
    points = np.array(plain.numbers(primitive["attributes"]["POSITION"]))
    faces = np.array(plain.numbers(primitive["indices"]), dtype=int).reshape(-1, 3)
    joints = np.concatenate([motion.skeleton.rest_positions(), motion.skeleton.rest_ends()])
    low, high = joints.min(axis=0) - 0.05, joints.max(axis=0) + 0.05
    assert ((points > low) & (points < high)).all()
    # every octahedron is closed and its faces look outwards
    for at in range(0, len(points), 6):
        mine = faces[(faces >= at).all(axis=1) & (faces < at + 6).all(axis=1)]
        assert len(mine) == 8
        middle = points[at : at + 6].mean(axis=0)
        for a, b, c in points[mine]:
            assert np.cross(b - a, c - a) @ ((a + b + c) / 3 - middle) > 0


# ---- with a body


def body(folder: Path, name: str = "body.glb", **more: Any) -> Path:
    """A character: an arm with a skin, a mesh, a picture beside it, two clips and an extension."""
    made, (_, shoulder, elbow, wrist) = arm(**more)
    sword = made.node("Sword", wrist, translation=[0.1, 0, 0])
    made.json["nodes"][sword]["mesh"] = 0
    times = made.accessor(np.arange(8) / 30)
    made.clip(
        "Wave",
        (shoulder, "rotation", times, made.accessor(turns(8, 1)), "LINEAR"),
        (elbow, "rotation", times, made.accessor(turns(8, 2)), "LINEAR"),
    )
    later = made.accessor(np.arange(4) / 30)
    made.clip("Hold", (wrist, "rotation", later, made.accessor(turns(4, 3)), "LINEAR"))
    world = _world(made)
    made.json["skins"] = [
        {
            "joints": [shoulder, elbow, wrist],
            "inverseBindMatrices": made.accessor(
                [np.linalg.inv(world[n]).T.reshape(-1) for n in (shoulder, elbow, wrist)]
            ),
        }
    ]
    corners = made.accessor([[0, 0, 0], [1, 0, 0], [0, 1, 0]], min=[0, 0, 0], max=[1, 1, 0])
    made.json["meshes"] = [{"primitives": [{"attributes": {"POSITION": corners}}]}]
    made.json["images"] = [{"uri": "skin.png"}]
    made.json["extensions"] = {"MY_thing": {"says": "keep me"}}
    (folder / "skin.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"picture")
    return made.glb(folder / name)


def _world(made: Made) -> list[Any]:
    document = made.finished([{"byteLength": len(made.binary)}])
    plain = PlainGltf.__new__(PlainGltf)
    plain.json, plain.binary, plain._known = document, made.binary, {}
    plain.parents = {c: i for i, n in enumerate(plain.nodes) for c in n.get("children", [])}
    return plain.matrices(None, 0.0)


@pytest.mark.parametrize("scale", [[1, 1, 1], [0.01, 0.01, 0.01], [1, 2, 0.5], [-1, 1, 1]])
@pytest.mark.parametrize("extension", [".glb", ".gltf"])
def test_a_body_keeps_all_that_is_its_own(tmp_path, scale, extension):
    path = body(tmp_path, scale=scale)
    (tmp_path / "out").mkdir()
    out = tmp_path / "out" / f"out{extension}"
    motion = load(path, unit="m")
    rng = np.random.default_rng(5)
    told = motion.with_(
        root=motion.root + rng.normal(size=motion.root.shape) * 0.1,
        rotations=np.roll(motion.rotations, 3, axis=0),
    )
    changes = formats.save(told, out)
    assert [c for c in changes if "kept" in c] == ["the other animations of body.glb are kept: 'Hold'"]
    same(told, load(out, unit="m"), 1e-5)
    before, after = PlainGltf(path), PlainGltf(out)
    for key in ("nodes", "skins", "meshes", "extensions"):
        assert after.json[key] == before.json[key]
    corners = before.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"]
    assert after.numbers(corners) == before.numbers(corners)
    matrices = before.json["skins"][0]["inverseBindMatrices"]
    assert after.numbers(matrices) == before.numbers(matrices)
    assert [a["name"] for a in after.json["animations"]] == ["Wave", "Hold"]
    hold = after.json["animations"][1]["samplers"][0]
    assert after.numbers(hold["output"]) == before.numbers(
        before.json["animations"][1]["samplers"][0]["output"]
    )
    image = after.json["images"][0]
    view = after.json["bufferViews"][image["bufferView"]]
    begin = view["byteOffset"]
    assert after.buffer(0)[begin : begin + view["byteLength"]].endswith(b"picture")
    assert image["mimeType"] == "image/png"


def face(path: Path) -> None:
    """Give the first animation a track of a face and one of the sword, which begin a little late."""
    made = Made()
    made.json, made.binary = PlainGltf(path).json, PlainGltf(path).binary
    times = made.accessor(np.arange(8) / 30 + 0.5)
    for sampler in made.json["animations"][0]["samplers"]:
        sampler["input"] = times
    clip = made.json["animations"][0]
    for target, values in (
        ({"node": 4, "path": "weights"}, np.linspace(0, 1, 8)),
        ({"node": 4, "path": "scale"}, np.ones((8, 3)) * 2),
    ):
        clip["channels"].append({"sampler": len(clip["samplers"]), "target": target})
        clip["samplers"].append({"input": times, "output": made.accessor(values)})
    made.json.pop("buffers")
    made.glb(path)


def test_faces_and_props_keep_moving_with_a_take_of_the_same_length(tmp_path):
    path = body(tmp_path)
    face(path)
    before = PlainGltf(path)
    motion = load(path)
    formats.save(motion.with_(root=motion.root + 1.0), tmp_path / "out.glb")
    after = PlainGltf(tmp_path / "out.glb")
    clip, old = after.json["animations"][0], before.json["animations"][0]
    for at, channel in enumerate(clip["channels"][-2:], -2):
        assert channel["target"] == old["channels"][at]["target"]
        new_keys, old_keys = clip["samplers"][channel["sampler"]], old["samplers"][at]
        for key in ("input", "output"):
            assert after.numbers(new_keys[key]) == before.numbers(old_keys[key])
    # the figure's own keys begin with them, not at 0
    assert after.numbers(clip["samplers"][0]["input"])[0] == [0.5]
    same(motion.with_(root=motion.root + 1.0), load(tmp_path / "out.glb"), 1e-5)


def test_faces_and_props_are_left_out_of_a_take_of_another_length_and_that_is_said(tmp_path):
    path = body(tmp_path)
    face(path)
    changes = formats.save(load(path)[:4], tmp_path / "out.glb")
    assert any("faces" in text for text in changes)
    paths = [c["target"]["path"] for c in PlainGltf(tmp_path / "out.glb").json["animations"][0]["channels"]]
    assert "weights" not in paths


@pytest.mark.parametrize("scale", [[1, 1, 1], [1, 2, 0.5], [-1, 1, 1]])
def test_a_body_stretches_where_the_motion_moves_joints_on_their_bones(tmp_path, scale):
    motion = load(body(tmp_path, scale=scale), unit="m")
    moved = np.random.default_rng(3).normal(size=(len(motion), 3, 3)) * 0.1
    moved[:, 0] = 0.0
    told = motion.with_(translations=moved)
    formats.save(told, tmp_path / "out.glb")
    back = load(tmp_path / "out.glb", unit="m")
    assert np.abs(back.positions() - told.positions()).max() < 1e-5


def test_saving_again_and_again_does_not_grow_the_file(tmp_path):
    path = body(tmp_path)
    sizes = []
    for _ in range(4):
        motion = load(path)
        formats.save(reverse(motion), path)
        sizes.append(path.stat().st_size)
    assert sizes[1] == sizes[2] == sizes[3]


def test_a_motion_from_elsewhere_is_given_to_a_body_by_its_joints_names(tmp_path):
    path = body(tmp_path)
    motion = load(path, unit="m")
    order = [0, 1, 2]
    elsewhere = Motion(
        motion.skeleton.with_(offsets=motion.skeleton.offsets[order]),
        motion.root + 1.0,
        motion.rotations[::-1].copy(),
        60.0,
        name="Salute",
    )
    formats.save(elsewhere, tmp_path / "out.glb", body=path)
    back = load(tmp_path / "out.glb", unit="m")
    assert back.name == "Salute"
    assert np.abs(back.positions() - elsewhere.positions()).max() < CLOSE
    names = [a["name"] for a in PlainGltf(tmp_path / "out.glb").json["animations"]]
    assert names == ["Salute", "Wave", "Hold"]


def test_a_body_that_does_not_fit_says_what_to_do(tmp_path):
    path = body(tmp_path)
    with pytest.raises(InputError, match=r"lacks Shoulder.*marotte retarget"):
        formats.save(wander(5), tmp_path / "out.glb", body=path)
    with pytest.raises(InputError, match=r"a \.vrm is a character"):
        formats.save(wander(5), tmp_path / "out.vrm")
    with pytest.raises(InputError, match="leave unit and up out"):
        formats.save(load(path), tmp_path / "out.glb", body=path, unit="cm")
    with pytest.raises(InputError, match="must be a file of"):
        formats.save(load(path), tmp_path / "out.glb", body=tmp_path / "x.fbx")
    with pytest.raises(InputError, match="must be a VRM character"):
        formats.save(load(path), tmp_path / "out.vrm")
    assert not (tmp_path / "out.glb").exists()


def test_a_body_that_is_gone_is_said_and_bones_are_written(tmp_path):
    path = body(tmp_path)
    motion = load(path)
    path.unlink()
    changes = formats.save(motion, tmp_path / "out.glb")
    assert any("could not be kept" in text for text in changes)
    same(motion, load(tmp_path / "out.glb"), 1e-5)
    assert formats.save(motion, tmp_path / "bones.glb", body="none") == ()


def test_compressed_meshes_stay_compressed(tmp_path):
    path = body(tmp_path)
    plain = PlainGltf(path)
    squeezed = len(plain.json["bufferViews"])
    plain.json["buffers"].append(
        {"byteLength": 64, "extensions": {"EXT_meshopt_compression": {"fallback": True}}}
    )
    plain.json["bufferViews"].append(
        {
            "buffer": 1,
            "byteLength": 64,
            "extensions": {
                "EXT_meshopt_compression": {"buffer": 0, "byteOffset": 8, "byteLength": 12, "count": 4,
                                            "byteStride": 16, "mode": "ATTRIBUTES"}
            },
        }
    )  # fmt: skip
    path.write_bytes(glb_bytes(plain.json, plain.binary))
    motion = load(path)
    formats.save(motion, tmp_path / "out.glb")
    same(motion, load(tmp_path / "out.glb"), 1e-5)
    after = PlainGltf(tmp_path / "out.glb")
    view = after.json["bufferViews"][squeezed]
    assert view["buffer"] == 1
    assert after.json["buffers"][1]["extensions"] == {"EXT_meshopt_compression": {"fallback": True}}
    where = view["extensions"]["EXT_meshopt_compression"]
    begin = where["byteOffset"]
    assert after.binary[begin : begin + 12] == plain.binary[8:20]


def test_nodes_with_matrices_can_be_moved_too(tmp_path):
    path = body(tmp_path)
    plain = PlainGltf(path)
    for number in (1, 3):
        matrix = plain._local(number, {}).T.reshape(-1).tolist()
        name, children = plain.nodes[number]["name"], plain.nodes[number].get("children", [])
        plain.json["nodes"][number] = {"name": name, "children": children, "matrix": matrix}
    path.write_bytes(glb_bytes(plain.json, plain.binary))
    motion = load(path)
    moved = motion.with_(root=motion.root + 0.5)
    formats.save(moved, tmp_path / "out.glb")
    same(moved, load(tmp_path / "out.glb"), 1e-5)
    assert "matrix" not in PlainGltf(tmp_path / "out.glb").nodes[1]


# ---- characters and animations of VRM


@pytest.mark.parametrize(
    "name", ["EmissionMigration_v0.106.0.vrm", "sphere_vrm0.vrm", "mtoon_UV_Animation_Test_vrm1.vrm"]
)
@pytest.mark.parametrize("extension", [".glb", ".vrm"])
def test_a_character_moves_and_stays_a_character(shared_data, tmp_path, name, extension):
    path = shared_data / "formats/vrm" / name
    still = load(path)
    rng = np.random.default_rng(1)
    turned = np.cumsum(rng.normal(size=(20, len(still.skeleton), 4)) * 0.02, axis=0)
    turned[..., 0] += 1.0
    motion = Motion(
        still.skeleton,
        still.root + np.linspace(0, 1, 20)[:, None],
        turned / np.linalg.norm(turned, axis=-1, keepdims=True),
        30.0,
        name="dance",
        source=still.source,
        rig=still.rig,
    )
    formats.save(motion, tmp_path / f"out{extension}")
    back = load(tmp_path / f"out{extension}")
    same(motion, back)
    assert back.rig.roles == still.rig.roles
    before, after = PlainGltf(path), PlainGltf(tmp_path / f"out{extension}")
    for key in ("nodes", "extensions", "meshes", "materials"):
        assert after.json[key] == before.json[key]


def test_a_vrm_animation_keeps_every_bone_where_it_was(tmp_path):
    motion = mt.samples.walk(seconds=2)
    formats.save(motion, tmp_path / "walk.vrma")
    back = load(tmp_path / "walk.vrma", strict=True)
    assert (len(back), back.frame_rate) == (len(motion), motion.frame_rate)
    shared = [role for role in motion.rig.roles if role in back.rig.roles]
    assert len(shared) > 18
    for role in shared:
        off = np.abs(back.positions()[:, back.rig[role]] - motion.positions()[:, motion.rig[role]]).max()
        assert off < 1e-5, role


def test_a_vrm_animation_is_in_the_t_pose_when_nothing_moves_it(tmp_path):
    motion = wander(10)
    # arms that hang down at rest, and a figure that looks elsewhere
    offsets = np.array(motion.skeleton.offsets)
    for side, sign in (("Left", 1), ("Right", -1)):
        for name in ("ForeArm", "Hand"):
            j = motion.skeleton.index(side + name)
            offsets[j] = [0.02 * sign, -float(np.linalg.norm(offsets[j])), 0.0]
    offsets = offsets[:, [2, 1, 0]] * [1, 1, -1]
    hanging = motion.with_(skeleton=motion.skeleton.with_(offsets=offsets))
    formats.save(hanging, tmp_path / "x.vrma")
    document = PlainGltf(tmp_path / "x.vrma")
    bones = document.json["extensions"]["VRMC_vrm_animation"]["humanoid"]["humanBones"]
    at = {name: document.matrices(None, 0.0)[bone["node"]][:3, 3] for name, bone in bones.items()}
    for side, sign in (("left", 1), ("right", -1)):
        arm_ = at[f"{side}Hand"] - at[f"{side}UpperArm"]
        assert arm_ / np.linalg.norm(arm_) == pytest.approx([sign, 0, 0], abs=1e-6)
        leg = at[f"{side}Foot"] - at[f"{side}UpperLeg"]
        assert leg / np.linalg.norm(leg) == pytest.approx([0, -1, 0], abs=1e-6)
    assert (at["leftToes"] - at["leftFoot"])[2] > 0.1
    assert 0.85 < at["hips"][1] < 1.1
    back = load(tmp_path / "x.vrma")
    for role in ("left_hand", "right_foot", "head"):
        off = back.positions()[:, back.rig[role]] - hanging.positions()[:, hanging.rig[role]]
        assert np.abs(off).max() < 1e-5


def test_a_vrm_animation_has_only_what_the_format_allows(tmp_path):
    formats.save(mt.samples.walk(seconds=1), tmp_path / "x.vrma")
    document = PlainGltf(tmp_path / "x.vrma").json
    bones = document["extensions"]["VRMC_vrm_animation"]["humanoid"]["humanBones"]
    hips = bones["hips"]["node"]
    targets = [c["target"] for c in document["animations"][0]["channels"]]
    assert {t["node"] for t in targets if t["path"] == "translation"} == {hips}
    assert not any(t["path"] == "scale" for t in targets)
    assert "leftEye" not in bones
    assert document["extensionsUsed"] == ["VRMC_vrm_animation"]
    with pytest.raises(InputError, match="no hips"):
        formats.save(Motion.at_rest(quadruped()), tmp_path / "y.vrma")


def test_real_vrm_animation_comes_back(shared_data, tmp_path):
    motion = load(shared_data / "formats/vrm/test.vrma")
    formats.save(motion, tmp_path / "again.vrma")
    back = load(tmp_path / "again.vrma")
    for role in motion.rig.roles:
        off = np.abs(back.positions()[:, back.rig[role]] - motion.positions()[:, motion.rig[role]]).max()
        assert off < 1e-6, role


@pytest.mark.parametrize(
    "name", ["CesiumMan.glb", "Fox.glb", "RiggedSimple.glb", "SimpleSkin.gltf", "mixamo_default_anims.glb"]
)
def test_real_bodies_keep_their_take(shared_data, tmp_path, name):
    motion = load(shared_data / "formats/gltf" / name)
    moved = motion.with_(root=motion.root + 0.25)
    formats.save(moved, tmp_path / "out.glb")
    same(moved, load(tmp_path / "out.glb"), 2e-6 * max(1.0, motion.skeleton.height))
    before = PlainGltf(shared_data / "formats/gltf" / name).json
    after = PlainGltf(tmp_path / "out.glb").json
    for key in ("meshes", "skins", "materials"):
        assert after.get(key) == before.get(key)


def test_convert_takes_a_body_and_says_what_it_keeps(tmp_path, capsys):
    path = body(tmp_path)
    assert main(["convert", str(path), str(tmp_path / "bones.glb"), "--out-body", "none"]) == 0
    assert "MY_thing" not in json.dumps(PlainGltf(tmp_path / "bones.glb").json)
    assert (
        main(["convert", str(tmp_path / "bones.glb"), str(tmp_path / "o.glb"), "--out-body", str(path)]) == 0
    )
    assert "MY_thing" in json.dumps(PlainGltf(tmp_path / "o.glb").json)
    assert "'Hold'" in capsys.readouterr().err
