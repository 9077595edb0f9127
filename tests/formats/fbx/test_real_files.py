"""Real FBX files against other sources of the same motion, and against the library's own placing."""

from __future__ import annotations

import numpy as np
import pytest

from marotte import formats

from .oracle import library_positions

CM = 0.01


def test_blenders_fbx_is_the_bvh_that_it_was_made_of(shared_data):
    """Metres and Z up inside Blender, centimetres and Y up in the file, a scale of 100 in between."""
    fbx = formats.load(shared_data / "formats/same_clip_blender/16_05.fbx")
    bvh = formats.load(shared_data / "cmu/jump/16_05.bvh")
    columns = [bvh.skeleton.index(name) for name in fbx.skeleton.names]
    assert len(fbx) == len(bvh)
    assert fbx.frame_rate == bvh.frame_rate == 120
    assert np.linalg.norm(fbx.positions() - bvh.positions()[:, columns], axis=2).max() < 1e-5
    rest = bvh.skeleton.rest_positions()[columns]
    assert np.abs(fbx.skeleton.rest_positions() - rest).max() < 1e-5
    assert fbx.rig.confidence == 1


def test_an_fbx_of_the_cmu_library_is_its_bvh(shared_data):
    """Lengths that were never converted; Blender had thinned its curves out, by up to 5 mm."""
    unit = CM * 0.056444
    fbx = formats.load(shared_data / "formats/fbx/07_01_cmu.fbx", unit=unit)
    bvh = formats.load(shared_data / "cmu/walk/07_01.bvh", unit="cmu")
    both = [name for name in fbx.skeleton.names if name in bvh.skeleton]
    mine = fbx.positions()[:, [fbx.skeleton.index(name) for name in both]]
    theirs = bvh.positions()[:, [bvh.skeleton.index(name) for name in both]]
    off = np.linalg.norm(mine - theirs, axis=2)
    assert len(both) == 31
    assert off.max() < 5e-3
    assert np.median(off) < 1e-3


@pytest.mark.parametrize(
    "name",
    [
        "formats/fbx/07_01_cmu.fbx",
        "formats/fbx/rocketbox_Male_Adult_18.fbx",
        "formats/fbx/rocketbox_m_wave_01.fbx",
        "formats/fbx/ufbx_max_transformed_skin_7500_binary.fbx",
        "formats/fbx/ufbx_maya_axes_anim_7700_ascii.fbx",
        "formats/fbx/ufbx_maya_human_ik_7400_binary.fbx",
        "formats/fbx/ufbx_maya_rotation_order_7500_binary.fbx",
        "formats/fbx/ufbx_motionbuilder_extrapolation_repeat_count_7700_ascii.fbx",
        "formats/same_clip_blender/16_05.fbx",
    ],
)
def test_joints_of_real_files_stand_where_the_library_itself_puts_them(shared_data, name):
    path = shared_data / name
    motion = formats.load(path)
    frames = [0, len(motion) // 3, len(motion) - 1]
    begin = {"ufbx_maya_human_ik": 1, "ufbx_maya_rotation": 1, "ufbx_motionbuilder": 1 / 24 * 30}
    first = next((f for start, f in begin.items() if path.name.startswith(start)), 0.0)
    rate = 120.00047922325778 if path.name == "16_05.fbx" else motion.frame_rate
    theirs = library_positions(path, 0, [(first + frame) / rate for frame in frames])
    mine = motion.positions()[frames]
    turned = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]) if motion.source.up == "z" else np.eye(3)
    for j, joint in enumerate(motion.skeleton.names):
        there = theirs[joint] @ turned.T * motion.source.metres_per_unit
        assert mine[:, j] == pytest.approx(there, abs=2e-6 * motion.skeleton.height + 1e-9), joint


def test_bones_of_a_biped_with_blanks_and_without_a_skin_are_recognised(shared_data):
    motion = formats.load(shared_data / "formats/fbx/rocketbox_m_wave_01.fbx")
    assert motion.skeleton.names[0] == "Bip01"
    assert motion.rig["left_foot"] == motion.skeleton.index("Bip01 L Foot")
    assert 1.5 < motion.skeleton.height < 2.0
