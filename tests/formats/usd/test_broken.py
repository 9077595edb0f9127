"""Broken USD files: an error that says what is wrong, and nothing worse."""

from __future__ import annotations

import random

import numpy as np
import pytest

from marotte import formats
from marotte.errors import FileError
from marotte.formats import _apart
from tests.figure.figures import wander

from ..outcomes import outcome
from ..texts import line_of
from .texts import TEXT


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("take.usda", b"", "the file is empty"),
        ("take.usdc", b"\n \n", "the file is empty"),
        ("take.usda", b"HIERARCHY\nROOT Hips\n{", "is a BVH; name it .bvh"),
        ("take.usd", b"version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer"),
        ("take.usda", b"PXR-USDC" + bytes(80), r"binary USD; name it .usdc \(or .usd\)"),
        ("take.usdc", b"#usda 1.0\n", r"USD text; name it .usda \(or .usd\)"),
        ("take.usdz", b"#usda 1.0\n", "USD text; name it .usda"),
        ("take.usd", b"PK\x03\x04" + bytes(40), "zip archive"),
        ("take.usda", b"once upon a time", "begins like none"),
        ("take.usdc", b"PXR-USDC" + bytes(80), "is broken"),
        ("take.usdc", b"PXR-USDC" + b"\xff" * 800, "is broken"),
        ("take.usdz", b"PK\x03\x04" + bytes(400), "is broken"),
    ],
)
def test_what_is_no_usd_is_told_what_it_is(tmp_path, name, content, words):
    path = tmp_path / name
    path.write_bytes(content)
    for do in (formats.load, formats.inspect):
        with pytest.raises(FileError, match=words):
            do(path)


def test_a_mistake_in_a_text_is_found_at_its_line(tmp_path):
    path = tmp_path / "take.usda"
    path.write_text(TEXT.replace("quatf[] rotations", "quatf[ rotations"))
    with pytest.raises(FileError, match="Expected ]") as refused:
        formats.load(path)
    assert refused.value.line == line_of(TEXT, "quatf[] rotations")
    assert str(path) not in refused.value.message


def test_a_text_cut_anywhere_is_refused(tmp_path):
    path = tmp_path / "take.usda"
    for share in np.linspace(0.01, 0.97, 10):
        path.write_text(TEXT[: int(share * len(TEXT))])
        assert isinstance(outcome(path), FileError)


@pytest.mark.slow
@pytest.mark.parametrize("extension", [".usdc", ".usdz"])
def test_a_binary_cut_or_changed_anywhere_is_refused_or_read(tmp_path, extension):
    """Whatever the library makes of it."""
    whole = tmp_path / f"whole{extension}"
    formats.save(wander(20), whole)
    data = whole.read_bytes()
    path = tmp_path / f"take{extension}"
    for share in np.linspace(0.01, 0.99, 8):
        path.write_bytes(data[: int(share * len(data))])
        assert isinstance(outcome(path), FileError)
    rng = random.Random(2)
    for _ in range(10):
        changed = bytearray(data)
        for _ in range(rng.choice((1, 4, 32))):
            changed[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(changed)
        outcome(path)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("metersPerUnit = 0.01", "metersPerUnit = 0", "metersPerUnit"),
        ("metersPerUnit = 0.01", "metersPerUnit = -1", "metersPerUnit"),
        ("timeCodesPerSecond = 24", "timeCodesPerSecond = 0", "time codes a second"),
        ("timeCodesPerSecond = 24", "timeCodesPerSecond = -24", "time codes a second"),
        ('"Hips/Spine", ', '"Hips", ', "each its own"),
        ("(3, 89, 16)", "(3, nan, 16)", "finite numbers"),
        ("(3, 89, 16)", "(3, inf, 16)", "finite numbers"),
        ("                4: [(9", "                4e9: [(9", "less than|at most"),
        ("                4: [(9", "                4e7: [(9", "frame_rate"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(tmp_path, old, new, words):
    path = tmp_path / "take.usda"
    assert old in TEXT
    path.write_text(TEXT.replace(old, new, 1))
    with pytest.raises(FileError, match=words):
        formats.load(path)


def test_a_library_that_crashes_takes_nothing_with_it(tmp_path, monkeypatch):
    worker = tmp_path / "worker.py"
    worker.write_text("import os; os.abort()")
    monkeypatch.setattr(_apart, "WORKER", worker)
    path = tmp_path / "take.usda"
    path.write_text(TEXT)
    with pytest.raises(FileError, match="does not survive"):
        formats.load(path)


@pytest.mark.parametrize(
    ("said", "instead", "when"),
    [("(0, 120, 0, 1)", "(0, 1e300, 0, 1)", "at rest"), ("(1, 91, 5)", "(1, 1e37, 5)", "in every frame")],
)
def test_numbers_that_no_figure_has_are_refused_by_name(tmp_path, said, instead, when):
    """Damaged files hold such; further in they would be an error without a path."""
    path = tmp_path / "take.usda"
    path.write_text(TEXT.replace(said, instead))
    with pytest.raises(FileError, match=f"million kilometres and turned by finite numbers {when}") as refused:
        formats.load(path)
    assert refused.value.path == str(path)
