"""Writing USD: UsdSkel and we read the same motion from it, and nothing of this machine stands in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pxr import Usd, UsdGeom, UsdSkel

from marotte import formats, samples
from marotte.errors import FileError, InputError, MissingPartError
from marotte.figure import Motion, Skeleton
from marotte.formats import _apart
from marotte.formats.usd import writer
from tests.figure.figures import wander

from .oracle import skel_positions
from .test_reading import Z_UP, stands_as_usdskel

EXTENSIONS = (".usd", ".usda", ".usdc", ".usdz")


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.walk(seconds=1)


def turned_figure() -> Motion:
    """A figure whose channels turn about axes of their own, with joints that slide."""
    plain = wander(12)
    rng = np.random.default_rng(4)
    axes = rng.normal(size=(len(plain.skeleton), 4))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    moves = 0.05 * rng.normal(size=(len(plain), len(plain.skeleton), 3))
    moves[:, 0] = 0
    return plain.with_(skeleton=plain.skeleton.with_(channel_axes=axes), translations=moves)


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_what_is_written_is_read_again(walk, tmp_path, extension):
    path = tmp_path / f"walk{extension}"
    formats.save(walk, path)
    again = formats.load(path)
    assert again.skeleton.names == walk.skeleton.names
    assert list(again.skeleton.parents) == list(walk.skeleton.parents)
    assert again.skeleton.channels == walk.skeleton.channels
    assert again.skeleton.offsets == pytest.approx(walk.skeleton.offsets, abs=1e-12)
    assert again.skeleton.rest_ends() == pytest.approx(walk.skeleton.rest_ends(), abs=1e-12)
    assert again.frame_rate == walk.frame_rate
    assert again.positions() == pytest.approx(walk.positions(), abs=1e-6)
    assert again.translations is None


@pytest.mark.parametrize("up", ["y", "z"])
@pytest.mark.parametrize("unit", ["m", "cm", "inch"])
@pytest.mark.parametrize("make", [lambda: wander(12), turned_figure], ids=["plain", "turned"])
def test_usdskel_puts_the_joints_where_they_are(tmp_path, up, unit, make):
    motion = make()
    path = tmp_path / "take.usda"
    formats.save(motion, path, up=up, unit=unit)
    factor = formats.unit_factor(unit)
    theirs = skel_positions(path, [float(frame) for frame in range(len(motion))])
    turn = Z_UP if up == "z" else np.eye(3)
    assert len(theirs) == len(motion.skeleton)
    for j, places in enumerate(theirs.values()):
        assert places @ turn.T * factor == pytest.approx(motion.positions()[:, j], abs=2e-6)
    again = formats.load(path)
    stands_as_usdskel(again, path, [float(f) for f in range(len(motion))], unit=factor, up=up, close=2e-6)
    assert again.orientations() == pytest.approx(motion.orientations(), abs=1e-5) or np.allclose(
        np.abs((again.orientations() * motion.orientations()).sum(-1)), 1, atol=1e-6
    )
    if motion.skeleton.channel_axes is not None:  # signals stay those of the same axes
        mine, theirs_axes = motion.skeleton.channel_axes, again.skeleton.channel_axes
        assert np.abs((mine * theirs_axes).sum(-1)) == pytest.approx(1, abs=1e-9)


def test_other_programs_find_what_they_want(walk, tmp_path):
    """A default prim, a bound skeleton, rest and bind transforms that agree, scales, a range of time."""
    path = tmp_path / "walk.usda"
    formats.save(walk, path)
    stage = Usd.Stage.Open(str(path))
    root = stage.GetDefaultPrim()
    assert root.IsA(UsdSkel.Root)
    assert UsdGeom.GetStageUpAxis(stage) == "Y"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, len(walk) - 1)
    assert stage.GetTimeCodesPerSecond() == walk.frame_rate
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root(root), Usd.PrimDefaultPredicate)
    skeleton = UsdSkel.Skeleton(next(p for p in stage.Traverse() if p.IsA(UsdSkel.Skeleton)))
    query = cache.GetSkelQuery(skeleton)
    assert query.HasBindPose()
    assert query.HasRestPose()
    at_rest = query.ComputeJointSkelTransforms(Usd.TimeCode.Default(), True)
    for rest, bind in zip(at_rest, query.GetJointWorldBindTransforms(), strict=True):
        assert np.array(rest) == pytest.approx(np.array(bind), abs=1e-9)
    animation = UsdSkel.Animation(query.GetAnimQuery().GetPrim())
    assert len(animation.GetScalesAttr().Get(0)) == len(walk.skeleton)
    assert len(animation.GetRotationsAttr().GetTimeSamples()) == len(walk)


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_a_file_says_nothing_of_where_or_when_it_was_written(walk, tmp_path, extension):
    """Two writings are the same bytes, whatever the folder and the clock."""
    first, second = tmp_path / f"a{extension}", tmp_path / "elsewhere" / f"b{extension}"
    second.parent.mkdir()
    formats.save(walk, first)
    formats.save(walk, second)
    data = first.read_bytes()
    assert data == second.read_bytes()
    for word in (str(tmp_path), "marotte-", "/tmp"):
        assert word.encode() not in data


def test_names_that_are_no_identifiers_come_back(tmp_path):
    names = ("mixamorig:Hips", "Bip01 L Thigh", "Bip01_L_Thigh", "左ひざ", "2nd")
    skeleton = Skeleton(names, np.array([-1, 0, 0, 1, 2]), np.arange(15.0).reshape(5, 3))
    path = tmp_path / "take.usda"
    formats.save(Motion.at_rest(skeleton, 2), path)
    assert formats.load(path).skeleton.names == names
    theirs = list(skel_positions(path, [0.0]))
    assert len({joint.rpartition("/")[2] for joint in theirs}) == 5
    assert all(part.isascii() and part.isidentifier() for joint in theirs for part in joint.split("/"))


def test_a_file_that_came_from_usd_keeps_its_unit_and_axes(tmp_path):
    formats.save(wander(4), tmp_path / "a.usda", unit="cm", up="z")
    formats.save(formats.load(tmp_path / "a.usda"), tmp_path / "b.usda")
    again = formats.load(tmp_path / "b.usda")
    assert again.source.up == "z"
    assert again.source.metres_per_unit == 0.01
    assert again.positions() == pytest.approx(wander(4).positions(), abs=1e-6)


def test_no_frames_and_one_frame(tmp_path):
    for frames in (0, 1):
        formats.save(wander(4)[:frames], tmp_path / "take.usdc")
        again = formats.load(tmp_path / "take.usdc")
        assert len(again) == 1  # a skeleton stands, whether anything moves it or not


def test_what_has_no_place_is_said(walk, tmp_path):
    assert walk.contacts
    [change] = formats.save(walk, tmp_path / "walk.usda")
    assert "contacts" in change
    with pytest.raises(InputError, match="y or z up"):
        formats.save(walk, tmp_path / "walk.usda", up="x")


def test_where_nothing_can_be_written_nothing_is(walk, tmp_path):
    with pytest.raises(FileError, match="cannot be written"):
        formats.save(walk, tmp_path / "lost" / "walk.usda")
    assert list(tmp_path.iterdir()) == []


def test_without_usd_core_it_is_said_what_to_install(walk, tmp_path, monkeypatch):
    path = tmp_path / "walk.usda"
    formats.save(walk, path)
    before = path.read_bytes()
    for module in (writer, _apart):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
    for do in (lambda: formats.load(path), lambda: formats.inspect(path), lambda: formats.save(walk, path)):
        with pytest.raises(MissingPartError, match=r'pip install "marotte\[usd\]"'):
            do()
    assert path.read_bytes() == before


def test_a_real_take_survives(shared_data, tmp_path):
    bvh = formats.load(shared_data / "cmu/jump/16_05.bvh")
    path = Path(tmp_path / "jump.usdc")
    formats.save(bvh, path)
    again = formats.load(path)
    assert np.abs(again.positions() - bvh.positions()).max() < 1e-6
    formats.save(again, tmp_path / "jump.bvh")
    back = formats.load(tmp_path / "jump.bvh", unit="cm")
    assert back.skeleton.channels == bvh.skeleton.channels
    assert np.abs(back.positions() - bvh.positions()).max() < 1e-5
