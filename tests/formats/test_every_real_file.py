"""Every file that other software wrote opens, or says what to do; and so do its pieces."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from marotte import formats
from marotte.errors import FileError
from marotte.figure import Motion

from .outcomes import outcome

# What is no figure in motion, or was broken by those who collect broken files.
NO_FIGURE = (".c3d", ".trc", ".txt", ".json", ".md")
WITHOUT_FIGURE = {
    "ufbx_motionbuilder_actor_7700_ascii.fbx",
    "assimp_IndexOutOfRange.gltf",
    "assimp_NoScene.gltf",
    "assimp_RecursiveNodes.gltf",
    "assimp_badArray.gltf",
}


def files(shared_data: Path) -> list[Path]:
    found = [p for p in sorted(shared_data.rglob("*")) if p.is_file() and "LICENCES" not in p.parts]
    return [p for p in found if "synthetic" not in p.parts]  # these have expectations of their own


def test_every_real_file_opens_or_says_what_to_do(shared_data):
    opened = 0
    for path in files(shared_data):
        found = outcome(path)
        if path.suffix in NO_FIGURE or path.name in WITHOUT_FIGURE:
            assert isinstance(found, FileError), path.name
            assert str(path) in str(found)
            continue
        assert isinstance(found, Motion), f"{path.name}: {found}"
        assert np.isfinite(found.positions()).all()
        opened += 1
    assert opened > 150


@pytest.mark.slow
def test_every_real_file_cut_in_half_opens_or_says_what_is_wrong(shared_data, tmp_path):
    """A download that broke off: a motion that says so, or an error; never a traceback."""
    for path in files(shared_data):
        if path.suffix in NO_FIGURE or path.stat().st_size < 64:
            continue
        half = tmp_path / path.name
        half.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        found = outcome(half)
        assert isinstance(found, (Motion, FileError)), f"{path.name}: {found!r}"
        half.unlink()


def test_every_real_take_becomes_the_same_motion_as_glb_and_npz(shared_data, tmp_path):
    """Positions of one take of each kind, after a way through the two formats that keep it."""
    chosen = [
        "cmu/jump/16_05.bvh",
        "formats/acclaim/05_13.amc",
        "formats/gltf/CesiumMan.glb",
        "formats/same_clip_blender/16_05.fbx",
        "formats/same_clip_blender/16_05.usdc",
        "formats/npz/kimodo_soma_01.npz",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", formats.FileWarning)
        for name in chosen:
            take = formats.load(shared_data / name)
            for extension, near in ((".npz", 0.0), (".glb", 2e-5)):
                path = tmp_path / f"take{extension}"
                formats.save(take, path, body="none") if extension == ".glb" else formats.save(take, path)
                again = formats.load(path)
                common = [n for n in take.skeleton.names if n in again.skeleton]
                a = take.positions()[:, [take.skeleton.index(n) for n in common]]
                b = again.positions()[:, [again.skeleton.index(n) for n in common]]
                assert len(common) == len(take.skeleton), (name, extension)
                assert len(a) == len(b), (name, extension)
                assert np.abs(a - b).max() <= near, (name, extension)
