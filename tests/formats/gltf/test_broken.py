"""Broken glTF files: an error in words at once, whatever is wrong; never a traceback or a hang."""

from __future__ import annotations

import copy
import random
import struct
import tracemalloc
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import marotte as mt
from marotte import formats
from marotte.errors import FileError, MarotteError
from tests.naive.gltf import PlainGltf

from .files import Made, arm, glb_bytes, turns

# What a value may become in a file that something broke.
VALUES: list[Any] = [
    None, True, -1, 0, 1, 2, 0.5, 1e308, -1e38, 10**40, 2**31, 2**63, "", "x", "../x", "data:,", [], {},
    [0, 0, 0], [0, 0, 0, 0], [1e38] * 3, [1e200] * 16, 5120, 5123, 5126, "MAT4", "VEC4", "CUBICSPLINE",
]  # fmt: skip
FLOATS = [b"\xff\xff\xff\x7f", b"\0\0\x80\x7f", b"\0\0\xc0\xff", b"\xff\xff\x7f\x7f", b"\0\0\0\0"]


def skinned_take(folder: Path) -> Path:
    """A small file with all that is read: a skin, clips of each interpolation, sparse keys."""
    made, (_, shoulder, elbow, wrist) = arm()
    times = made.accessor(np.arange(6) / 30)
    values = made.accessor(turns(6))
    made.json["accessors"][values]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": made.view(b"\x02\0\0\0"), "componentType": 5125},
        "values": {"bufferView": made.view(np.array([0, 0, 0, 1], "<f4").tobytes())},
    }
    smooth = made.accessor(turns(18))
    made.clip(
        "a",
        (shoulder, "rotation", times, values, "LINEAR"),
        (elbow, "rotation", times, smooth, "CUBICSPLINE"),
    )
    made.clip("b", (wrist, "rotation", times, values, "STEP"))
    made.json["skins"] = [
        {
            "joints": [shoulder, elbow, wrist],
            "inverseBindMatrices": made.accessor([np.eye(4).reshape(-1)] * 3),
            "extras": {
                "marotte": {
                    "channels": ["xyzZXY", "ZXY", "ZXY"],
                    "ends": [{"node": wrist, "reach": [0, 0, 1]}],
                }
            },
        }
    ]
    made.json["extensions"] = {
        "VRMC_vrm_animation": {"humanoid": {"humanBones": {"hips": {"node": shoulder}}}}
    }
    return made.glb(folder / "take.glb")


def attempt(path: Path, what: str) -> Any:
    """Read a file in every way; the motion, or None where it was refused in words."""
    motion = None
    for reader in (formats.load, formats.inspect):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", formats.FileWarning)
                found = reader(path)
            motion = found if isinstance(found, mt.Motion) else motion
        except FileError:
            continue
        except Exception as problem:
            raise AssertionError(what) from problem
    return motion


def real_files(shared_data: Path) -> list[Path]:
    found: list[Path] = []
    for pattern in ("formats/gltf/*", "formats/vrm/*", "formats/same_clip_blender/*.glb", "odd/real/*.gltf"):
        found += sorted(shared_data.glob(pattern))
    return found


def test_a_file_cut_at_any_place_is_an_error_in_words(tmp_path):
    data = skinned_take(tmp_path).read_bytes()
    for length in range(0, len(data) - 4, 7):
        (tmp_path / "cut.glb").write_bytes(data[:length])
        with pytest.raises(FileError):
            formats.load(tmp_path / "cut.glb")


def test_real_files_cut_at_every_97th_byte(shared_data, tmp_path):
    for path in real_files(shared_data):
        data = path.read_bytes()
        places = range(0, len(data), 97)
        # of a long file, the head densely and the rest, which is one block of numbers, here and there
        chosen = [at for i, at in enumerate(places) if at < 20_000 or i % 97 == 0]
        for length in chosen:
            (tmp_path / path.name).write_bytes(data[:length])
            assert attempt(
                tmp_path / path.name, f"{path.name} cut at {length}"
            ) is None or length > 0.9 * len(data)


def test_flipped_bits_never_get_through_as_a_traceback(shared_data, tmp_path):
    dice = random.Random(97)
    for path in real_files(shared_data):
        data = path.read_bytes()
        for turn in range(60):
            broken = bytearray(data)
            for _ in range(dice.choice((1, 2, 5))):
                at = dice.randrange(min(len(data), 12_000) if turn % 2 else len(data))
                broken[at] ^= 1 << dice.randrange(8)
            (tmp_path / path.name).write_bytes(broken)
            attempt(tmp_path / path.name, f"{path.name}, turn {turn}")


def test_renamed_and_empty_files_say_what_they_are(shared_data, tmp_path):
    for path in real_files(shared_data)[:8]:
        for extension in (".glb", ".gltf", ".vrm", ".vrma"):
            (tmp_path / f"x{extension}").write_bytes(path.read_bytes())
            attempt(tmp_path / f"x{extension}", f"{path.name} as {extension}")
    for content, words in (
        (b"", "empty"),
        (b"   \n", "begins with"),
        (b"glTF", "inside the header"),
        (b"HIERARCHY\nROOT", "a BVH"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"PK\x03\x04", "zip"),
        (b"version https://git-lfs.github.com/spec/v1", "git lfs pull"),
        (b"[" * 100_000, "begins with"),
        (b'{"a":' + b"[" * 100_000, "nests too deeply|no JSON"),
        (b'{"asset": {"version": "1.0"}}', "must be 2.0"),
        (b'{"asset": {"version": "2.0"}, "nodes": [NaN]}', "NaN"),
        (b"{}", "asset"),
        (b'{"asset": {"version": "2.0"}, "nodes": 7}', "nodes: must be an array"),
    ):
        for extension in (".glb", ".gltf"):
            (tmp_path / f"odd{extension}").write_bytes(content)
            with pytest.raises(FileError, match=words):
                formats.load(tmp_path / f"odd{extension}")
    (tmp_path / "folder.glb").mkdir()
    with pytest.raises(FileError, match="folder"):
        formats.load(tmp_path / "folder.glb")


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON, as its container and its key."""
    found: list[tuple[Any, Any]] = []
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        found.append((value, key))
        if isinstance(inner, (dict, list)):
            found += places(inner)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_any_value_in_any_place_is_read_or_refused_and_never_half_written(tmp_path, seed):
    plain = PlainGltf(skinned_take(tmp_path))
    dice = random.Random(seed)
    read = written = 0
    for turn in range(250):
        document, binary = copy.deepcopy(plain.json), bytearray(plain.binary)
        for _ in range(dice.choice((1, 1, 2, 3))):
            container, key = dice.choice(places(document))
            if dice.random() < 0.15:
                del container[key]
            else:
                container[key] = copy.deepcopy(dice.choice(VALUES))
        for _ in range(dice.choice((0, 0, 3))):
            at = 4 * dice.randrange(len(binary) // 4)
            binary[at : at + 4] = dice.choice(FLOATS)
        path = tmp_path / "broken.glb"
        path.write_bytes(glb_bytes(document, bytes(binary)))
        motion = attempt(path, f"seed {seed}, turn {turn}")
        if motion is None:
            continue
        read += 1
        (tmp_path / "again.glb").unlink(missing_ok=True)
        try:
            formats.save(motion, tmp_path / "again.glb")
        except MarotteError:
            assert not (tmp_path / "again.glb").exists()
        else:
            written += 1
            assert attempt(tmp_path / "again.glb", "what we wrote") is not None
    assert read > 20
    assert written > 20


def bomb(tmp_path: Path, change: Any) -> Path:
    made, (_, shoulder, elbow, _) = arm()
    times = made.accessor([0.0, 1.0])
    made.clip("b", *((n, "rotation", times, made.accessor(turns(2)), "LINEAR") for n in (shoulder, elbow)))
    change(made)
    return made.glb(tmp_path / "bomb.glb")


def long_ago(made: Made) -> None:
    made.binary = struct.pack("<f", -3e38) + made.binary[4:]


def an_hour(made: Made) -> None:
    made.binary = made.binary[:4] + struct.pack("<f", 3600.0) + made.binary[8:]


def endless_zeros(made: Made) -> None:
    for accessor in made.json["accessors"]:
        accessor.pop("bufferView")
        accessor["count"] = 2**40


def the_same_bytes_a_thousand_times(made: Made) -> None:
    view = made.view(b"\0" * (1 << 20))
    made.json["accessors"] += [
        {"bufferView": view, "componentType": 5121, "count": 1 << 18, "type": "VEC4", "normalized": True}
        for _ in range(1000)
    ]
    times = len(made.json["accessors"])
    made.json["accessors"].append(
        {"bufferView": view, "componentType": 5126, "count": 1 << 18, "type": "SCALAR"}
    )
    nodes = [made.node(f"n{i}", 3) for i in range(1000)]
    made.json["animations"] = []
    made.clip("w", *((n, "rotation", times, times - 1000 + i, "STEP") for i, n in enumerate(nodes)))


@pytest.mark.parametrize("change", [long_ago, endless_zeros, the_same_bytes_a_thousand_times])
def test_a_small_file_never_takes_much_memory(tmp_path, change):
    path = bomb(tmp_path, change)
    tracemalloc.start()
    try:
        with pytest.raises(FileError):
            formats.load(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 800e6


def test_a_rate_that_would_fill_the_memory_is_refused(tmp_path):
    path = bomb(tmp_path, an_hour)
    with pytest.raises(FileError, match="ask for a lower rate"):
        formats.load(path, frame_rate=100_000)
    with pytest.raises(MarotteError, match="frame_rate must be"):
        formats.load(path, frame_rate=0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda j: j["nodes"][3].update(children=[0]), "own ancestor"),
        (lambda j: j["nodes"][0].update(children=[1, 2]), "nodes are trees"),
        (lambda j: j["nodes"][0].update(children=[99]), r"nodes\[0\].children"),
        (lambda j: j["nodes"][1].update(rotation=[0, 0, 1]), r"nodes\[1\].rotation: must be an array of 4"),
        (lambda j: j["animations"][0]["samplers"][0].update(input=99), r"accessors\[99\]"),
        (lambda j: j["animations"][0]["samplers"][0].update(interpolation="SPLINE"), "must be LINEAR, STEP"),
        (lambda j: j["accessors"][0].update(count=10**6), r"accessors\[0\].*reach to byte"),
        (lambda j: j["accessors"][0].update(componentType=5124), "must be one of"),
        (lambda j: j["bufferViews"][0].update(byteLength=10**9), "reaches to byte"),
        (lambda j: j["buffers"][0].update(byteLength=10**9), "declares"),
    ],
)
def test_an_error_names_the_place_and_what_must_hold(tmp_path, change, words):
    plain = PlainGltf(bomb(tmp_path, lambda made: None))
    change(plain.json)
    (tmp_path / "wrong.glb").write_bytes(glb_bytes(plain.json, plain.binary))
    with pytest.raises(FileError, match=words):
        formats.load(tmp_path / "wrong.glb")


def test_json_errors_have_line_and_column(tmp_path):
    (tmp_path / "text.gltf").write_text(
        '{\n "asset": {"version": "2.0"},\n "nodes": [,]\n}', encoding="utf-8"
    )
    with pytest.raises(FileError, match=r"text\.gltf:3:12: .*no JSON"):
        formats.load(tmp_path / "text.gltf")
