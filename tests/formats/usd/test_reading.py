"""Reading USD: every joint stands where UsdSkel's own evaluation puts it."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from marotte import formats
from marotte.errors import FileError, InputError
from marotte.figure import Motion

from .oracle import skel_positions
from .texts import CODES, HEAD, SKELETON, TEXT

CM = 0.01
Z_UP = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])


@pytest.fixture
def file(tmp_path: Path):
    """Writes a text to a file."""

    def write(text: str, name: str = "take.usda") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def stands_as_usdskel(
    motion: Motion,
    path: Path,
    codes: list[float],
    *,
    unit: float = CM,
    up: str = "y",
    skeleton: str = "",
    close: float = 1e-6,
) -> None:
    """`close` is in metres: UsdSkel reckons in single precision and with quaternions as they are written."""
    theirs = skel_positions(path, codes, skeleton)
    by_name = {joint.rpartition("/")[2]: places for joint, places in theirs.items()}
    turn = Z_UP if up == "z" else np.eye(3)
    mine = motion.positions()
    assert len(mine) == len(codes)
    for j, name in enumerate(motion.skeleton.names):
        assert mine[:, j] == pytest.approx(by_name[name] @ turn.T * unit, abs=close), name


def test_an_animation_of_some_joints_in_an_order_of_its_own(file):
    """The others stand as restTransforms have them; rotations are not those of the neighbour."""
    path = file(TEXT)
    motion = formats.load(path)
    assert motion.skeleton.names == ("Hips", "Spine", "Leg", "Foot")
    assert list(motion.skeleton.parents) == [-1, 0, 0, 2]
    assert motion.frame_rate == 24
    stands_as_usdskel(motion, path, CODES)


def test_rest_is_the_pose_of_bind_transforms(file):
    motion = formats.load(file(TEXT))
    bound = np.array([[0, 90, 0], [0, 120, 0], [9, 88, 0], [9, 8, 0]]) * CM
    assert motion.skeleton.rest_positions() == pytest.approx(bound, abs=1e-12)


def test_rest_is_that_of_rest_transforms_where_nothing_is_bound(file):
    start = TEXT.index("        uniform matrix4d[] bindTransforms")
    text = TEXT[:start] + TEXT[TEXT.index("        uniform matrix4d[] restTransforms") :]
    path = file(text)
    motion = formats.load(path)
    rest = np.array([[0, 92, 0], [0, 122, 0], [0, 90, 9], [0, 10, 9]]) * CM
    assert motion.skeleton.rest_positions() == pytest.approx(rest, abs=1e-12)
    stands_as_usdskel(motion, path, CODES)


def test_without_rest_transforms_what_does_not_move_stands_as_it_is_bound(file):
    """UsdSkel itself refuses such files; other programs write them."""
    start, end = TEXT.index("        uniform matrix4d[] restTransforms"), TEXT.index("        rel skel:anim")
    motion = formats.load(file(TEXT[:start] + TEXT[end:]))
    foot = motion.positions()[0, 3] - motion.positions()[0, 2]
    assert np.linalg.norm(foot) == pytest.approx(80 * CM)


@pytest.mark.parametrize("part", ["scales", "translations"])
def test_what_an_animation_leaves_out_is_as_at_rest(file, part):
    """UsdSkel wants all three; lbs.usda of its own tests has no scales."""
    text = TEXT.replace(f"{part}.timeSamples", f"{part}_not.timeSamples").replace(
        f"half3[] {part}_not", f"custom half3[] {part}_not"
    )
    motion = formats.load(file(text.replace(f"float3[] {part}_not", f"custom float3[] {part}_not")))
    assert any(f"no {part}" in note for note in motion.source.notes)
    assert len(motion) == 4
    if part == "scales":
        assert motion.root == pytest.approx(
            np.array([[0, 90, 0], [1, 91, 5], [2, 90, 11], [3, 89, 16]]) * CM, abs=1e-8
        )


def test_numbers_for_another_count_of_joints_are_left_with_a_warning(file):
    text = TEXT.replace("[(1, 1, 1), (1, 1, 1)]", "[(1, 1, 1)]").replace(
        "[(2, 2, 2), (0.5, 0.5, 0.5)]", "[(2, 2, 2)]"
    )
    path = file(text)
    with pytest.warns(formats.FileWarning, match="has 1 scales for 2 joints"):
        formats.load(path)
    with pytest.raises(FileError, match="has 1 scales"):
        formats.load(path, strict=True)


PLACES = {
    "moved": (
        "double3 xformOp:translate = (10, 20, 30)\n"
        'uniform token[] xformOpOrder = ["xformOp:translate"]'
    ),
    "turned and scaled": (
        "float3 xformOp:rotateXYZ = (30, 40, 50)\nfloat3 xformOp:scale = (2, 2, 2)\n"
        'uniform token[] xformOpOrder = ["xformOp:rotateXYZ", "xformOp:scale"]'
    ),
    "mirrored": 'float3 xformOp:scale = (-1, 1, 1)\nuniform token[] xformOpOrder = ["xformOp:scale"]',
    "moving": (
        "double3 xformOp:translate.timeSamples = { 1: (0, 0, 0), 4: (30, 0, 90) }\n"
        "float3 xformOp:rotateXYZ.timeSamples = { 1: (0, 0, 0), 4: (0, 90, 0) }\n"
        'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:rotateXYZ"]'
    ),
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("on", ['def SkelRoot "Figure"\n{', '        uniform token[] joints = ["Hips", '])
def test_what_moves_the_skeleton_moves_the_figure(file, place, on):
    """On the skeleton, or on what it stands under."""
    text = TEXT.replace(on, f"{on}\n{PLACES[place]}" if on.endswith("{") else f"{PLACES[place]}\n{on}", 1)
    path = file(text)
    stands_as_usdskel(formats.load(path), path, CODES)


@pytest.mark.parametrize("unit", [1.0, 0.01, 0.0254])
@pytest.mark.parametrize("up", ["y", "z"])
def test_unit_and_axes_are_those_of_the_stage(file, unit, up):
    text = TEXT.replace("metersPerUnit = 0.01", f"metersPerUnit = {unit}").replace('"Y"', f'"{up.upper()}"')
    path = file(text)
    motion = formats.load(path)
    stands_as_usdskel(motion, path, CODES, unit=unit, up=up, close=1e-5 * unit)
    assert motion.source.up == up
    assert motion.source.metres_per_unit == pytest.approx(unit)


def test_a_stage_that_says_no_unit_is_in_centimetres_and_says_so(file):
    motion = formats.load(file(TEXT.replace("    metersPerUnit = 0.01\n", "")))
    assert motion.source.metres_per_unit == 0.01
    assert any("do not say" in note for note in motion.source.notes)


def test_time_codes_that_are_evenly_spaced_are_the_frames(file):
    """Sixty samples a second in a stage of 24 codes a second; keys far apart are not frames."""
    text = TEXT
    for k in (4, 3, 2):
        text = text.replace(f"                {k}: ", f"                {1 + (k - 1) * 0.4}: ")
    path = file(text)
    motion = formats.load(path)
    assert motion.frame_rate == pytest.approx(60)
    stands_as_usdskel(motion, path, [1.0, 1.4, 1.8, 2.2])
    sparse = file(TEXT.replace("                2: ", "                1.5: "), "sparse.usda")
    motion = formats.load(sparse)
    assert motion.frame_rate == 24
    stands_as_usdskel(motion, sparse, CODES)


def test_frames_are_sampled_at_the_rate_that_is_asked_for(file):
    path = file(TEXT)
    motion = formats.load(path, frame_rate=48)
    assert motion.frame_rate == 48
    # UsdSkel's rotations between samples go along the arc
    stands_as_usdskel(motion, path, [1, 1.5, 2, 2.5, 3, 3.5, 4])


SECOND = """
def SkelRoot "Other"
{
    def Skeleton "Skel" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] joints = ["Root", "Root/Tip"]
        uniform matrix4d[] bindTransforms = [
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 10, 0, 1))]
        uniform matrix4d[] restTransforms = [
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 10, 0, 1))]
        rel skel:animationSource = </Other/Skel/Wave>

        def SkelAnimation "Wave"
        {
            uniform token[] joints = ["Root", "Root/Tip"]
            float3[] translations = [(0, 0, 0), (0, 10, 0)]
            quatf[] rotations.timeSamples = {
                1: [(1, 0, 0, 0), (1, 0, 0, 0)],
                2: [(0.6, 0.8, 0, 0), (1, 0, 0, 0)],
            }
            half3[] scales = [(1, 1, 1), (1, 1, 1)]
        }
    }
}
"""


def test_the_larger_of_two_figures_is_read_and_clip_chooses_the_other(file):
    path = file(TEXT + SECOND)
    first = formats.load(path)
    assert first.skeleton.names[0] == "Hips"
    assert any("'/Other/Skel'" in note and "choose with clip" in note for note in first.source.notes)
    for clip in ("Wave", 1, "1"):
        other = formats.load(path, clip=clip)
        assert other.skeleton.names == ("Root", "Tip")
        stands_as_usdskel(other, path, [1.0, 2.0], skeleton="/Other/Skel")
        assert formats.inspect(path, clip=clip).frames == 2
    with pytest.raises(InputError, match=r"no clip 'Wav'; .*did you mean 'Wave'"):
        formats.load(path, clip="Wav")


def test_an_animation_that_nothing_binds_is_taken_when_it_fits(file):
    motion = formats.load(file(TEXT.replace("        rel skel:animationSource = </Figure/Skel/Walk>\n", "")))
    assert len(motion) == 4
    assert any("'/Figure/Skel/Walk'" in note for note in motion.source.notes)


def test_a_binding_without_its_schema_counts(file):
    motion = formats.load(file(TEXT.replace('(prepend apiSchemas = ["SkelBindingAPI"])', "")))
    assert len(motion) == 4
    assert not any("bound to the skeleton" in note for note in motion.source.notes)


def test_joints_may_come_before_their_parents(file):
    names = '["Hips", "Hips/Spine", "Hips/Leg", "Hips/Leg/Foot"]'
    text = TEXT.replace(names, '["Hips/Leg/Foot", "Hips/Spine", "Hips/Leg", "Hips"]')
    motion = formats.load(file(text))
    assert motion.skeleton.names == ("Hips", "Spine", "Leg", "Foot")
    assert list(motion.skeleton.parents) == [-1, 0, 0, 2]


def test_two_trees_of_a_size_hang_on_the_skeleton(file):
    text = TEXT.replace("Hips/Leg", "Leg")
    path = file(text)
    motion = formats.load(path)
    assert motion.skeleton.names == ("Skel", "Hips", "Spine", "Leg", "Foot")
    assert list(motion.skeleton.parents) == [-1, 0, 1, 0, 3]
    theirs = skel_positions(path, CODES)
    for j, joint in enumerate(("Hips", "Hips/Spine", "Leg", "Leg/Foot"), 1):
        assert motion.positions()[:, j] == pytest.approx(theirs[joint] * CM, abs=1e-6)


def test_a_skeleton_that_nothing_moves_is_one_frame(file):
    start = TEXT.index("        def SkelAnimation")
    motion = formats.load(file(TEXT[:start].replace("        rel skel:anim", "        # ") + "}\n}\n"))
    assert len(motion) == 1


def test_a_stage_without_a_skeleton_says_what_it_lacks(file):
    path = file(HEAD + 'def Xform "Empty"\n{\n}\n')
    for do in (formats.load, formats.inspect):
        with pytest.raises(FileError, match="must hold a skeleton"):
            do(path)


def test_what_a_stage_refers_to_is_read_with_it(file):
    file(HEAD.replace("(\n", '(\n    defaultPrim = "Figure"\n', 1) + SKELETON, "asset.usda")
    shot = file(HEAD + 'def "Actor" (references = @./asset.usda@)\n{\n}\n', "shot.usda")
    stands_as_usdskel(formats.load(shot), shot, CODES)


def test_info_says_what_load_reads(file):
    path = file(TEXT)
    motion, summary = formats.load(path), formats.inspect(path)
    assert summary.frames == len(motion)
    assert summary.frame_rate == motion.frame_rate
    assert summary.skeleton.names == motion.skeleton.names
    assert summary.guesses == motion.source.notes
    assert (summary.skeleton.offsets == motion.skeleton.offsets).all()


# ---- real files


@pytest.mark.parametrize(
    ("name", "codes", "unit", "up"),
    [
        ("usd/arm.usda", [float(code) for code in range(1, 11)], 0.01, "z"),
        ("same_clip_blender/16_05.usdc", [float(code) for code in range(1, 297)], 1.0, "z"),
    ],
)
def test_real_files_stand_as_usdskel_puts_them(shared_data, name, codes, unit, up):
    path = shared_data / "formats" / name
    stands_as_usdskel(formats.load(path), path, codes, unit=unit, up=up, close=1e-6)


def test_blenders_usd_is_the_bvh_that_it_was_made_of(shared_data):
    usd = formats.load(shared_data / "formats/same_clip_blender/16_05.usdc")
    bvh = formats.load(shared_data / "cmu/jump/16_05.bvh")
    columns = [bvh.skeleton.index(name) for name in usd.skeleton.names]
    assert len(usd) == len(bvh)
    assert usd.frame_rate == bvh.frame_rate == 120
    assert np.abs(usd.positions() - bvh.positions()[:, columns]).max() < 1e-5
    rest = bvh.skeleton.rest_positions()[columns]
    assert np.abs(usd.skeleton.rest_positions() - rest).max() < 1e-5


def test_text_and_binary_of_one_stage_are_the_same_motion(shared_data):
    """Written by another program than the library that reads them here; their binding lacks its schema."""
    text = formats.load(shared_data / "formats/usd/usdskel-001.usda")
    binary = formats.load(shared_data / "formats/usd/usdskel-001.usdc")
    assert len(text) == len(binary) == 10
    assert text.positions() == pytest.approx(binary.positions(), abs=1e-12)
    elbow = text.skeleton.index("Elbow")
    turn = text.orientations()[:, elbow]
    assert abs(float(turn[0] @ turn[-1])) < 0.999


def test_an_extension_that_means_either_is_read(shared_data, tmp_path):
    for name in ("arm.usda", "usdskel-001.usdc"):
        path = tmp_path / f"{name}.usd"
        shutil.copyfile(shared_data / "formats/usd" / name, path)
        assert len(formats.load(path)) == 10
