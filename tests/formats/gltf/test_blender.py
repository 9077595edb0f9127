"""glTF between Marotte and Blender: what we write it shows, what it writes we read."""

from __future__ import annotations

import numpy as np
import pytest

import marotte as mt
from marotte.figure import FloatArray, Motion
from tests.figure.figures import wander

from .files import quiet_load

pytestmark = pytest.mark.blender

CLOSE = 1e-4  # metres
AWAY = np.array([0.5, 0.0, 1.0])


def places(frames, motion: Motion) -> FloatArray:
    """(F, J, 3) where Blender has the motion's joints."""
    return np.array([[frame[name] for name in motion.skeleton.names] for frame in frames])


def some(motion: Motion) -> list[int]:
    return sorted({0, 1, len(motion) // 2, len(motion) - 2, len(motion) - 1})


@pytest.mark.parametrize("extension", ["glb", "gltf"])
def test_what_we_write_is_an_armature_that_moves_as_we_have_it(blender, tmp_path, extension):
    motion = mt.samples.walk(seconds=2)
    path = tmp_path / f"walk.{extension}"
    mt.save(motion, path)
    frames = some(motion)
    found = blender("positions.py", path, motion.frame_rate, *frames)
    assert found["kinds"].count("ARMATURE") == 1
    assert "EMPTY" not in found["kinds"]
    theirs = places([frame["joints"] for frame in found["frames"]], motion)
    assert np.abs(theirs - motion.positions()[frames]).max() < CLOSE
    assert list(found["actions"].values()) == [[0.0, float(len(motion) - 1)]]


def test_the_bones_of_the_armature_lie_along_the_limbs(blender, tmp_path):
    motion = mt.samples.walk(seconds=1)
    mt.save(motion, tmp_path / "walk.glb")
    bones = blender("positions.py", tmp_path / "walk.glb", motion.frame_rate)["bones"]
    rest = dict(zip(motion.skeleton.names, motion.skeleton.rest_positions(), strict=True))
    for upper, lower in (("Arm", "ForeArm"), ("ForeArm", "Hand"), ("UpLeg", "Leg"), ("Leg", "Foot")):
        for side in ("Left", "Right"):
            head, tail = bones[side + upper]
            assert head == pytest.approx(rest[side + upper], abs=CLOSE)
            assert tail == pytest.approx(rest[side + lower], abs=0.01)


def test_between_frames_no_joint_spins_the_long_way_round(blender, tmp_path):
    motion = wander(60, seed=5)
    signs = np.where(np.arange(60) % 3 == 0, -1.0, 1.0)[:, None, None]
    flipped = motion.with_(rotations=motion.rotations * signs)
    mt.save(flipped, tmp_path / "flipped.glb")
    between = [10.5, 29.5, 44.5]
    found = blender("positions.py", tmp_path / "flipped.glb", motion.frame_rate, *between)
    theirs = places([frame["joints"] for frame in found["frames"]], motion)
    around = motion.positions()
    ours = np.array([0.5 * (around[int(at)] + around[int(at) + 1]) for at in between])
    assert np.abs(theirs - ours).max() < 0.05


def test_joints_that_move_on_their_bones_keep_doing_so(blender, tmp_path):
    motion = wander(40)
    moved = np.zeros((40, len(motion.skeleton), 3))
    moved[:, 3] = 0.1 * np.sin(np.arange(40))[:, None]
    motion = motion.with_(translations=moved)
    mt.save(motion, tmp_path / "moved.glb")
    frames = some(motion)
    found = blender("positions.py", tmp_path / "moved.glb", motion.frame_rate, *frames)
    theirs = places([frame["joints"] for frame in found["frames"]], motion)
    assert np.abs(theirs - motion.positions()[frames]).max() < CLOSE


@pytest.mark.parametrize("extension", ["glb", "gltf"])
def test_what_blender_exports_of_ours_comes_back(blender, tmp_path, extension):
    motion = mt.samples.walk(seconds=2)
    mt.save(motion, tmp_path / "walk.glb")
    out = tmp_path / f"blender.{extension}"
    found = blender(
        "convert.py", tmp_path / "walk.glb", out, motion.frame_rate, "export_optimize_animation_size=false"
    )
    back = quiet_load(out)
    order = [back.skeleton.index(name) for name in motion.skeleton.names]
    assert back.frame_rate == motion.frame_rate
    assert len(back) == len(motion) == len(found["frames"])
    assert np.abs(back.positions()[:, order] - places(found["frames"], motion)).max() < CLOSE
    assert np.abs(back.positions()[:, order] - motion.positions()).max() < CLOSE
    assert back.rig.roles.keys() == motion.rig.roles.keys()
    rest = back.skeleton.rest_positions()[order]
    assert np.abs(rest - motion.skeleton.rest_positions()).max() < CLOSE


def test_what_blender_exports_of_a_bvh_comes_back(blender, shared_data, tmp_path):
    source = shared_data / "cmu/dance/49_13.bvh"
    motion = quiet_load(source, unit="m")
    found = blender("convert.py", source, tmp_path / "dance.glb", motion.frame_rate)
    back = quiet_load(tmp_path / "dance.glb", unit="m")
    names = [name for name in motion.skeleton.names if name in back.skeleton]
    ours = [back.skeleton.index(name) for name in names]
    theirs = np.array([[frame[name] for name in names] for frame in found["frames"]])
    size = motion.skeleton.height
    assert len(names) > 25
    assert np.abs(back.positions()[:, ours] - theirs).max() < CLOSE * size
    assert back.frame_rate == motion.frame_rate


def test_a_body_bends_in_blender_as_its_bones_move(blender, shared_data, tmp_path):
    source = shared_data / "formats/gltf/CesiumMan.glb"
    motion = quiet_load(source)
    frames = some(motion)
    start = 0.041666619 * motion.frame_rate  # where the file's own keys begin
    before = blender("positions.py", source, motion.frame_rate, *[start + f for f in frames])
    moved = motion.with_(root=motion.root + AWAY)
    mt.save(moved, tmp_path / "moved.glb")
    after = blender("positions.py", tmp_path / "moved.glb", motion.frame_rate, *frames)
    for then, now in zip(before["frames"], after["frames"], strict=True):
        skin_then, skin_now = (np.array(frame["meshes"]["Cesium_Man"]) for frame in (then, now))
        assert len(skin_then) > 1000
        assert np.abs(skin_then + AWAY - skin_now).max() < CLOSE
