"""glTF files with everything that the format allows, against matrices multiplied one by one."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import marotte as mt
from marotte import formats
from marotte.cli import main
from marotte.errors import FileError, InputError
from marotte.figure import Motion
from tests.naive.gltf import PlainGltf

from .files import Made, arm, turns

CLOSE = 1e-6


def read(path: Path, **options) -> tuple[Motion, list[str]]:
    """The motion, and what the warnings said; `info` must agree."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        motion = formats.load(path, **options)
        summary = formats.inspect(path, **options)
    assert summary.frames == len(motion)
    assert summary.frame_rate == motion.frame_rate
    assert np.array_equal(summary.skeleton.offsets, motion.skeleton.offsets)
    return motion, [str(w.message) for w in caught if w.category is formats.FileWarning]


def agrees(path: Path, motion: Motion, clip: int = 0, close: float = CLOSE) -> None:
    """Every joint is where the file's matrices put it, in every frame."""
    plain = PlainGltf(path)
    starts = [plain.numbers(s["input"])[0][0] for s in plain.json["animations"][clip]["samplers"]]
    # a hair later: keys are float32, and a step is not there before its key
    late = 1e-6 if plain.json["animations"][clip]["samplers"][0]["interpolation"] == "STEP" else 0.0
    times = [min(starts) + late + frame / motion.frame_rate for frame in range(len(motion))]
    wanted = plain.positions(clip, times, motion.skeleton.names)
    assert np.abs(motion.positions() - wanted).max() < close


def moving_arm(tmp_path: Path, kind: str, rate: float = 30.0, **scales) -> Path:
    """The arm with keys of one interpolation at every frame of a rate, in .glb."""
    made, (_, shoulder, elbow, _) = arm(**scales)
    count = 13
    each = 3 if kind == "CUBICSPLINE" else 1
    times = made.accessor(np.arange(count) / rate)
    values = turns(count, 1)
    if each == 3:
        slopes = np.random.default_rng(2).normal(size=(count, 2, 4))
        values = np.stack([slopes[:, 0], values, slopes[:, 1]], axis=1).reshape(-1, 4)
    path = np.random.default_rng(3).normal(size=(each * count, 3)) * 0.2 + [0, 1.4, 0]
    made.clip(
        "swing",
        (shoulder, "rotation", times, made.accessor(values), kind),
        (elbow, "rotation", times, made.accessor(values[::-1].copy()), kind),
        (shoulder, "translation", times, made.accessor(path), kind),
    )
    return made.glb(tmp_path / "arm.glb")


@pytest.mark.parametrize("kind", ["LINEAR", "STEP", "CUBICSPLINE"])
@pytest.mark.parametrize("rate", [None, 120.0, 47.0])
def test_each_kind_of_interpolation_is_sampled_as_the_format_says(tmp_path, kind, rate):
    path = moving_arm(tmp_path, kind)
    motion, said = read(path, **({} if rate is None else {"frame_rate": rate}))
    assert motion.frame_rate == (rate or 30.0)
    assert motion.skeleton.names == ("Shoulder", "Elbow")
    assert not said
    agrees(path, motion)


@pytest.mark.parametrize("scale", [[0.01, 0.01, 0.01], [1, 2, 0.5], [-1, 1, 1], [1.0000001, 0.9999999, 1.0]])
def test_scales_of_nodes_above_reach_every_joint(tmp_path, scale):
    path = moving_arm(tmp_path, "LINEAR", scale=scale)
    motion, _ = read(path, unit="m")
    agrees(path, motion)
    assert (motion.translations is None) == (max(scale) - min(scale) < 0.1)


def test_scales_that_are_animated_stretch_the_bones(tmp_path):
    made, (_, shoulder, elbow, wrist) = arm()
    times = made.accessor([0, 0.1, 0.2, 0.3])
    made.clip(
        "stretch",
        (elbow, "scale", times, made.accessor([[1, 1, 1], [2, 1, 1], [1, 3, 1], [1, 1, 1]]), "LINEAR"),
        (shoulder, "rotation", times, made.accessor(turns(4)), "LINEAR"),
        (wrist, "rotation", times, made.accessor(turns(4, 3)), "LINEAR"),
    )
    path = made.glb(tmp_path / "stretch.glb")
    motion, _ = read(path, frame_rate=30.0)
    agrees(path, motion)
    assert motion.translations is not None


def test_matrices_of_nodes_are_places_too(tmp_path):
    made, (_, shoulder, elbow, _) = arm()
    turn = np.eye(4)
    turn[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    turn[:3, 3] = [0.1, 1.0, 0.2]
    made.json["nodes"][0] = {"name": "Frame", "children": [shoulder], "matrix": turn.T.reshape(-1).tolist()}
    times = made.accessor([0, 1 / 30])
    made.clip(
        "m",
        (shoulder, "rotation", times, made.accessor(turns(2)), "LINEAR"),
        (elbow, "rotation", times, made.accessor(turns(2, 4)), "LINEAR"),
    )
    path = made.glb(tmp_path / "matrix.glb")
    motion, _ = read(path)
    agrees(path, motion)


@pytest.mark.parametrize(("form", "most"), [("i2", 32767), ("i1", 127)])
def test_normalized_integers_are_numbers(tmp_path, form, most):
    made, (_, shoulder, elbow, _) = arm()
    times = made.accessor([0, 1 / 30, 2 / 30])
    values = np.round(turns(3) * most)
    made.clip(
        "small",
        (shoulder, "rotation", times, made.accessor(values, form, normalized=True), "STEP"),
        (elbow, "rotation", times, made.accessor(turns(3, 2)), "STEP"),
    )
    path = made.glb(tmp_path / "small.glb")
    motion, _ = read(path)
    agrees(path, motion)


def test_sparse_accessors_are_filled_in(tmp_path):
    made, (_, shoulder, elbow, _) = arm()
    times = made.accessor(np.arange(6) / 30)
    plain, sparse = made.accessor(turns(6)), made.accessor(turns(6))
    full = turns(6)
    full[[1, 4]] = turns(2, 9)
    made.json["accessors"][sparse]["sparse"] = {
        "count": 2,
        "indices": {"bufferView": made.view(np.array([1, 4], "<u2").tobytes()), "componentType": 5123},
        "values": {"bufferView": made.view(np.array(full[[1, 4]], "<f4").tobytes())},
    }
    for name, values in (("sparse", sparse), ("plain", plain), ("full", made.accessor(full))):
        made.clip(
            name,
            (shoulder, "rotation", times, values, "LINEAR"),
            (elbow, "rotation", times, plain, "LINEAR"),
        )
    path = made.glb(tmp_path / "sparse.glb")
    ours = {name: read(path, clip=name)[0].rotations for name in ("sparse", "plain", "full")}
    assert np.allclose(ours["sparse"], ours["full"], atol=1e-7)
    assert not np.allclose(ours["sparse"], ours["plain"], atol=1e-2)


def test_interleaved_keys_are_told_apart(tmp_path):
    made, (_, shoulder, elbow, _) = arm()
    rows = np.zeros((5, 5), "<f4")
    rows[:, 0], rows[:, 1:] = np.arange(5) / 30, turns(5)
    view = made.view(rows.tobytes())
    made.json["bufferViews"][view]["byteStride"] = 20
    for offset, kind in ((0, "SCALAR"), (4, "VEC4")):
        made.json["accessors"].append(
            {"bufferView": view, "byteOffset": offset, "componentType": 5126, "count": 5, "type": kind}
        )
    made.clip("i", (shoulder, "rotation", 0, 1, "LINEAR"), (elbow, "rotation", 0, 1, "LINEAR"))
    path = made.glb(tmp_path / "interleaved.glb")
    agrees(path, read(path)[0])


def test_a_buffer_may_stand_in_the_text_or_beside_it_but_nowhere_else(tmp_path):
    made, (_, shoulder, _, wrist) = arm()
    times = made.accessor([0, 1 / 30])
    made.clip("a", *((n, "rotation", times, made.accessor(turns(2, n)), "LINEAR") for n in (shoulder, wrist)))
    inside, _ = read(made.gltf(tmp_path / "inside.gltf"))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "my buffer.bin").write_bytes(made.binary)
    beside, _ = read(made.gltf(tmp_path / "folder" / "beside.gltf", "my%20buffer.bin"))
    assert np.array_equal(inside.rotations, beside.rotations)
    (tmp_path / "secret.bin").write_bytes(made.binary)
    (tmp_path / "folder" / "link.bin").symlink_to(tmp_path / "secret.bin")
    for uri in ("../secret.bin", str(tmp_path / "secret.bin"), "file:///etc/passwd", "link.bin", "//host/x"):
        with pytest.raises(FileError, match="only files in the folder"):
            formats.load(made.gltf(tmp_path / "folder" / "out.gltf", uri))
    with pytest.raises(FileError, match=r"missing\.bin"):
        formats.load(made.gltf(tmp_path / "folder" / "missing.gltf", "missing.bin"))
    with pytest.raises(FileError, match="base64"):
        formats.load(made.gltf(tmp_path / "bad.gltf", "data:x;base64,!!!"))


def two_clips(tmp_path: Path) -> Path:
    made, (_, shoulder, elbow, _) = arm()
    for name, count, rate in (("Wave", 10, 30), ("Hold", 5, 60)):
        times = made.accessor(np.arange(count) / rate)
        made.clip(
            name,
            *((n, "rotation", times, made.accessor(turns(count, n)), "LINEAR") for n in (shoulder, elbow)),
        )
    return made.glb(tmp_path / "two.glb")


def test_a_clip_is_chosen_by_name_or_number(tmp_path):
    path = two_clips(tmp_path)
    first, _ = read(path)
    assert (first.name, len(first), first.frame_rate) == ("Wave", 10, 30.0)
    assert any("'Hold'" in note for note in first.source.notes)
    for clip in ("Hold", 1, "1"):
        motion, _ = read(path, clip=clip)
        assert (motion.name, len(motion), motion.frame_rate) == ("Hold", 5, 60.0)
    with pytest.raises(InputError, match="Hold"):
        formats.load(path, clip="Hald")
    with pytest.raises(InputError, match="there is no animation 2"):
        formats.load(path, clip=2)


@pytest.mark.parametrize(
    ("keys", "rate"),
    [
        (np.arange(9) / 24, 24.0),
        (np.arange(9) / 29.97002997, 29.97002997),
        (np.array([0, 7, 30, 61]) / 24, 24.0),
        (np.array([0, 0.5, 1.0]), 30.0),
        (np.array([0, 0.1234, 0.777]), 30.0),
        (np.arange(9) / 120 + 5.0, 120.0),
    ],
)
def test_the_frame_rate_is_the_one_that_the_keys_show(tmp_path, keys, rate):
    made, (_, shoulder, elbow, _) = arm()
    times = made.accessor(keys)
    values = made.accessor(turns(len(keys)))
    made.clip("k", *((n, "rotation", times, values, "LINEAR") for n in (shoulder, elbow)))
    path = made.glb(tmp_path / "keys.glb")
    motion, _ = read(path)
    assert motion.frame_rate == pytest.approx(rate, rel=1e-6)
    agrees(path, motion, close=3e-5)  # float32 blurs the times of keys, which turn fast here


FRAME = np.array([[1.0, 0, 0, 0.5], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])  # Z is up in it


def skinned(
    tmp_path: Path, space: np.ndarray = FRAME, *, bend: float = 0.3, heading: float = 0.0
) -> tuple[Path, Made]:
    """An arm that was bound straight, its mesh lying in some space, and stands bent a little now.

    It may face elsewhere too, by a turn about the world's Y.
    """
    made = Made()
    top = made.node("Frame", matrix=FRAME.T.reshape(-1).tolist())
    bound = []
    parent, above = top, FRAME
    for name, x in (("Shoulder", 0.0), ("Elbow", 0.3), ("Wrist", 0.55)):
        place = np.eye(4)
        place[:3, :3] = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
        place[:3, 3] = [x, 1.4, 0.0]
        local = np.linalg.inv(above) @ place
        turn = Rotation.from_matrix(local[:3, :3]) * Rotation.from_rotvec([0, bend, 0])
        if parent == top:
            turn = Rotation.from_rotvec(FRAME[:3, :3].T @ [0, heading, 0]) * turn
        parent = made.node(name, parent, translation=local[:3, 3].tolist(), rotation=turn.as_quat().tolist())
        bound.append(place)
        above = place
    inverse = [np.linalg.inv(m) @ space for m in bound]
    made.json["skins"] = [
        {"joints": [1, 2, 3], "inverseBindMatrices": made.accessor([m.T.reshape(-1) for m in inverse])}
    ]
    times = made.accessor(np.arange(4) / 30)
    made.clip("s", *((n, "rotation", times, made.accessor(turns(4, n)), "LINEAR") for n in (1, 2)))
    return made.glb(tmp_path / "skin.glb"), made


@pytest.mark.parametrize("heading", [0.0, 1.5, 3.1])
@pytest.mark.parametrize("space", [np.eye(4), FRAME], ids=["in the world", "in the frame"])
def test_the_rest_pose_is_the_bind_pose_of_the_skin(tmp_path, space, heading):
    path, _ = skinned(tmp_path, space, heading=heading)
    motion, _ = read(path)
    wanted = [[0, 1.4, 0], [0.3, 1.4, 0], [0.55, 1.4, 0]]
    assert np.allclose(motion.skeleton.rest_positions(), wanted, atol=1e-6)
    agrees(path, motion)


def test_matrices_of_a_skin_that_place_nothing_are_not_believed(tmp_path):
    _, made = skinned(tmp_path)
    made.json["skins"][0]["inverseBindMatrices"] = made.accessor([np.eye(4).reshape(-1)] * 3)
    path = made.glb(tmp_path / "collapsed.glb")
    motion, _ = read(path)
    assert motion.skeleton.height > 0.3
    assert any("place no figure" in note for note in motion.source.notes)
    agrees(path, motion)


def test_skins_of_one_figure_are_one_and_another_figure_is_left_alone(tmp_path):
    _, made = skinned(tmp_path)
    shield = made.node("Shield", 3, translation=[0, 0.1, 0])  # hangs on the wrist, has a skin of its own
    other = [made.node("Other", 0)]
    other.append(made.node("Other2", other[0], translation=[0, 1, 0]))
    made.json["skins"] += [{"joints": [shield]}, {"joints": other}, {"joints": [1, 2]}]
    motion, _ = read(made.glb(tmp_path / "skins.glb"))
    assert motion.skeleton.names == ("Shoulder", "Elbow", "Wrist", "Shield")
    assert "another figure, of 2 joints, is left alone" in motion.source.notes


def test_joints_as_they_were_bound_have_no_rotations(tmp_path):
    _, made = skinned(tmp_path, bend=0.0)
    made.json["animations"] = []
    motion, _ = read(made.glb(tmp_path / "bound.glb"))
    assert np.allclose(motion.rotations, [1, 0, 0, 0], atol=1e-6)
    assert np.allclose(motion.positions()[0], motion.skeleton.rest_positions(), atol=1e-6)


def test_a_file_without_animation_is_its_figure_as_it_stands(tmp_path):
    _, made = skinned(tmp_path)
    made.json["animations"] = []
    path = made.glb(tmp_path / "still.glb")
    motion, _ = read(path)
    assert len(motion) == 1
    assert (
        np.abs(motion.positions() - PlainGltf(path).positions(None, [0.0], motion.skeleton.names)).max()
        < 1e-6
    )


def test_names_that_come_again_or_are_missing_are_told_apart(tmp_path):
    made, (_, shoulder, elbow, wrist) = arm()
    made.json["nodes"][elbow]["name"] = "Shoulder"
    del made.json["nodes"][wrist]["name"]
    times = made.accessor([0, 1 / 30])
    made.clip(
        "n", *((n, "rotation", times, made.accessor(turns(2, n)), "LINEAR") for n in (shoulder, elbow, wrist))
    )
    motion, _ = read(made.glb(tmp_path / "names.glb"))
    assert motion.skeleton.names == ("Shoulder", "Shoulder_2", "node_3")


def test_the_tip_of_a_bone_is_an_end_site(tmp_path):
    _, made = skinned(tmp_path)
    made.node("Tip", 3, translation=[0.1, 0, 0])
    motion, _ = read(made.glb(tmp_path / "tip.glb"))
    assert [(e.joint, e.name) for e in motion.skeleton.ends] == [(2, "Tip")]
    assert np.linalg.norm(motion.skeleton.ends[0].offset) == pytest.approx(0.1)


def test_keys_in_disorder_are_sorted_with_a_warning_or_refused(tmp_path):
    made, (_, shoulder, elbow, _) = arm()
    times, values = made.accessor([0, 2 / 30, 1 / 30]), made.accessor(turns(3))
    made.clip("d", *((n, "rotation", times, values, "LINEAR") for n in (shoulder, elbow)))
    path = made.glb(tmp_path / "disorder.glb")
    motion, said = read(path)
    assert len(motion) == 3
    assert any("must increase" in text for text in said)
    with pytest.raises(FileError, match="must increase"):
        formats.load(path, strict=True)


def test_compressed_data_says_how_to_unpack_it(tmp_path):
    path = moving_arm(tmp_path, "LINEAR")
    plain = PlainGltf(path)
    plain.json["bufferViews"][0]["extensions"] = {"EXT_meshopt_compression": {"buffer": 0, "byteLength": 4}}
    (tmp_path / "packed.gltf").write_text(json.dumps(plain.json), encoding="utf-8")
    with pytest.raises(FileError, match="gltf-transform"):
        formats.load(tmp_path / "packed.gltf")


def test_up_and_unit_can_be_told(tmp_path):
    path = moving_arm(tmp_path, "LINEAR")
    plain = PlainGltf(path)
    motion, _ = read(path, unit="cm", up="z")
    wanted = plain.positions(0, [f / 30 for f in range(len(motion))], motion.skeleton.names) * 0.01
    assert np.abs(motion.positions() - wanted[..., [0, 2, 1]] * [1, 1, -1]).max() < CLOSE


def test_info_needs_no_compiled_code(tmp_path):
    path = moving_arm(tmp_path, "CUBICSPLINE")
    code = (
        "import sys, marotte.formats as f; f.inspect(sys.argv[1]);"
        "sys.exit(any(m in sys.modules for m in ('numba', 'llvmlite', 'pydantic', 'scipy')))"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 0


def test_the_command_line_knows_the_options(tmp_path, capsys):
    path = two_clips(tmp_path)
    assert main(["info", str(path), "--clip", "Hold", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["frames"] == 5
    assert main(["convert", str(path), str(tmp_path / "o.bvh"), "--clip", "1", "--frame-rate", "120"]) == 0
    assert len(mt.load(tmp_path / "o.bvh")) == 9
