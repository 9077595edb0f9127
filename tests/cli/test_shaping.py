"""Waveshape, displace and the library of shapes from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import marotte as mt
from marotte.cli import main
from marotte.figure.rotations import angle_between
from tests.figure.figures import wander


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    file = tmp_path / "walk.bvh"
    mt.save(wander(), file)
    return file


@pytest.fixture
def library(tmp_path, monkeypatch):
    monkeypatch.setenv("MAROTTE_DATA_DIR", str(tmp_path / "data"))


def run(*arguments: object) -> int:
    return main([str(a) for a in arguments])


@pytest.mark.parametrize(
    "keys",
    [
        "20 LeftArm rotate 0 0 20; 30 Head rotate 10 0 0",
        "[{frame: 20, joint: LeftArm, rotate: [0, 0, 20]}, {frame: 30, joint: Head, rotate: [10, 0, 0]}]",
        "@keys.yaml",
    ],
)
def test_keys_as_text_as_yaml_and_from_a_file(keys, walk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("keys.yaml").write_text(
        "- {frame: 20, joint: LeftArm, rotate: [0, 0, 20]}\n- {frame: 30, joint: Head, rotate: [10, 0, 0]}\n"
    )
    assert run("edit", "displace", walk, "--keys", keys, "-o", "out.bvh") == 0
    before, after = mt.load(walk), mt.load("out.bvh")
    turned = np.degrees(np.asarray(angle_between(before.rotations, after.rotations)))
    assert turned[20, before.skeleton.index("LeftArm")] == pytest.approx(20.0, abs=1e-3)
    assert turned[30, before.skeleton.index("Head")] == pytest.approx(10.0, abs=1e-3)
    assert turned[:, before.skeleton.index("RightArm")].max() < 1e-3


def test_a_file_of_keys_that_is_not_there(walk, tmp_path, capsys):
    assert run("edit", "displace", walk, "--keys", "@nothing.yaml", "-o", tmp_path / "out.bvh") == 1
    assert "nothing.yaml: cannot be read" in capsys.readouterr().err


def test_what_is_beyond_reach_is_noted(walk, tmp_path, capsys):
    assert run("edit", "displace", walk, "--keys", "20 LeftHand to 0 1 9", "-o", tmp_path / "out.bvh") == 0
    assert "note: 'LeftHand' stays" in capsys.readouterr().err


def test_limits_and_ranges(walk, tmp_path):
    out = tmp_path / "out.bvh"
    arm = ("--parts", "LeftForeArm.x", "--limits", "low=-5,high=5")
    assert run("edit", "waveshape", walk, *arm, "-o", out) == 0
    limited = mt.load(out).channels()["LeftForeArm.x"]
    assert np.abs(limited).max() == pytest.approx(5.0, abs=1e-3)
    assert run("edit", "waveshape", walk, "--curve", "exaggerate", "--range", "-90,90", "-o", out) == 0
    before, after = mt.load(walk).channels(), mt.load(out).channels()
    assert after["LeftForeArm.x"] == pytest.approx(1.4 * before["LeftForeArm.x"], abs=1e-2)


def test_a_person_s_own_shape_from_keeping_to_forgetting(library, walk, tmp_path, capsys):
    points = "[[-1, -1], [0, 0.4], [1, 1]]"
    assert run("shapes", "add", "warm", points, "--about", "a warmer reach", "--tension", 0.2) == 0
    capsys.readouterr()
    assert run("shapes") == 0
    listed = capsys.readouterr().out
    assert "a warmer reach" in listed
    assert "undulate" in listed
    assert run("shapes", "--json") == 0
    (own,) = [s for s in json.loads(capsys.readouterr().out) if s["own"]]
    assert own["name"] == "warm"
    assert own["points"][1] == [0, 0.4]
    assert run("edit", "waveshape", walk, "--curve", "warm", "-o", tmp_path / "out.bvh") == 0
    assert run("shapes", "add", "warm", points) == 2
    assert run("shapes", "remove", "warm") == 0
    assert run("edit", "waveshape", walk, "--curve", "warm", "-o", tmp_path / "out.bvh") == 2
    assert "unknown shape 'warm'" in capsys.readouterr().err


def test_a_broken_shape_hides_no_other(library, tmp_path, capsys):
    folder = tmp_path / "data" / "shapes"
    folder.mkdir(parents=True)
    (folder / "odd.shape.yaml").write_text("points: 3")
    assert run("shapes") == 0
    said = capsys.readouterr().out
    assert "marotte_shape: 1" in said.replace("\n", " ")
    assert "undulate" in said


def test_points_that_cannot_be_read(library, capsys):
    assert run("shapes", "add", "odd", "[[0, 0]") == 2
    assert "points cannot be read" in capsys.readouterr().err
