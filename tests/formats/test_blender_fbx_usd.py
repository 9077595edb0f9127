"""Blender reads our BVH and USD, we read its BVH, FBX and USD, and both read other programs' FBX alike."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from marotte import formats, samples
from marotte.figure import Motion

from .usd.test_writing import turned_figure

CLOSE = 1e-4
"""Metres; what is measured is a hundredth of it."""


@pytest.fixture(scope="module")
def walk() -> Motion:
    """A take whose joints have three channels each: Blender's BVH importer knows no others."""
    take = samples.walk(seconds=1)
    channels = ["xyzZXY", *["ZXY"] * (len(take.skeleton) - 1)]
    return take.with_(skeleton=take.skeleton.with_(channels=channels))


def off(motion: Motion, frame: int, joints: dict[str, Any], least: int) -> float:
    """How far the joints of one frame are from where Blender has those of their names, at most.

    Its BVH importer makes underscores of blanks.
    """
    places = motion.positions()[frame]
    found = []
    for j, name in enumerate(motion.skeleton.names):
        there = joints.get(name, joints.get(name.replace(" ", "_")))
        if there is not None:
            found.append(float(np.linalg.norm(places[j] - np.array(there))))
    assert len(found) >= least
    return max(found)


@pytest.mark.blender
@pytest.mark.parametrize("extension", [".usda", ".usdc"])
@pytest.mark.parametrize(("up", "unit"), [("y", "m"), ("z", "cm")])
@pytest.mark.parametrize("which", ["walk", "turned"])
def test_blender_puts_the_joints_of_our_usd_where_we_do(blender, walk, tmp_path, extension, up, unit, which):
    motion = walk if which == "walk" else turned_figure()
    path = tmp_path / f"take{extension}"
    formats.save(motion, path, up=up, unit=unit)
    frames = [0, len(motion) // 3, len(motion) - 1]
    got = blender("positions.py", path, motion.frame_rate, *frames)
    assert "ARMATURE" in got["kinds"]
    assert got["span"] == [0, len(motion) - 1]
    for frame, shown in zip(frames, got["frames"], strict=True):
        assert off(motion, frame, shown["joints"], len(motion.skeleton)) < CLOSE


EXPORTS: dict[str, tuple[str, dict[str, Any]]] = {
    "FBX": (".fbx", {}),
    "FBX without leaf bones, turned into place": (
        ".fbx", {"add_leaf_bones": False, "bake_space_transform": True},
    ),
    "FBX with Z up and other bone axes": (
        ".fbx",
        {"axis_forward": "Y", "axis_up": "Z", "primary_bone_axis": "X", "secondary_bone_axis": "Y"},
    ),
    "FBX in metres": (".fbx", {"apply_scale_options": "FBX_SCALE_ALL"}),
    "USD": (".usda", {"export_animation": True}),
    "binary USD with Y up": (
        ".usdc",
        {
            "export_animation": True, "convert_orientation": True, "export_global_up_selection": "Y",
            "export_global_forward_selection": "NEGATIVE_Z",
        },
    ),
    "BVH": (".bvh", {}),
    "BVH with places for every joint": (".bvh", {"rotate_mode": "XYZ", "root_transform_only": False}),
    "USD in centimetres": (".usda", {"export_animation": True, "convert_scene_units": "CENTIMETERS"}),
}  # fmt: skip


@pytest.mark.blender
@pytest.mark.parametrize("case", EXPORTS)
def test_what_blender_exports_is_where_blender_has_it(blender, walk, tmp_path, case):
    """From a BVH that is made here, through Blender, and back: every joint in every frame."""
    extension, options = EXPORTS[case]
    if extension == ".fbx":
        options = {"bake_anim_simplify_factor": 0.0, **options}
    source, path = tmp_path / "walk.bvh", tmp_path / f"out{extension}"
    formats.save(walk, source, unit="m")
    told = [f"{name}={json.dumps(value)}" for name, value in options.items()]
    got = blender("convert.py", source, path, walk.frame_rate, *told)
    motion = formats.load(path)
    assert len(motion) == len(got["frames"]) == len(walk)
    assert motion.frame_rate == walk.frame_rate
    for frame, joints in enumerate(got["frames"]):
        assert off(motion, frame, joints, len(walk.skeleton)) < CLOSE
        assert off(walk, frame, joints, len(walk.skeleton)) < CLOSE
    assert motion.rig.confidence == 1


@pytest.mark.blender
@pytest.mark.parametrize(
    ("name", "rate", "lost"),
    [
        ("same_clip_blender/16_05.fbx", 120.00047922325778, 0),
        ("fbx/rocketbox_m_wave_01.fbx", 30, 1),  # its root becomes the armature's object
        ("fbx/rocketbox_Male_Adult_18.fbx", 30, 1),
        ("fbx/ufbx_maya_human_ik_7400_binary.fbx", 24, 0),
        ("fbx/ufbx_max_transformed_skin_7500_binary.fbx", 30, 0),
    ],
)
def test_we_and_blender_read_the_fbx_of_other_programs_alike(
    blender, shared_data, tmp_path, name, rate, lost
):
    """And the BVH and the GLB that we make of it is the same motion again, for Blender too."""
    path = shared_data / "formats" / name
    motion = formats.load(path)
    frames = [0, len(motion) // 3, len(motion) - 1]
    got = blender("positions.py", path, rate, *[frame + 1 for frame in frames])
    least = len(motion.skeleton) - lost
    for frame, shown in zip(frames, got["frames"], strict=True):
        assert off(motion, frame, shown["joints"], least) < CLOSE
    for extension, first in ((".bvh", 1), (".glb", 0)):
        converted = tmp_path / f"converted{extension}"
        formats.save(motion, converted, unit="m")
        again = blender("positions.py", converted, motion.frame_rate, *[frame + first for frame in frames])
        for frame, shown in zip(frames, again["frames"], strict=True):
            assert off(motion, frame, shown["joints"], len(motion.skeleton)) < CLOSE
