"""The edit as a recipe or a command uses it: another take's file, and a correspondence that was kept."""

from __future__ import annotations

import numpy as np
import pytest

import marotte as mt
from marotte.cli import main
from marotte.errors import FileError, InputError, RecipeError
from marotte.figure import Motion
from marotte.signals import Correspondence, correspond, save_correspondences, timewarp


@pytest.fixture(scope="module")
def walk() -> Motion:
    return mt.samples.walk(seconds=3)


@pytest.fixture(scope="module")
def march() -> Motion:
    return mt.samples.walk(style="brisk", seconds=2.5)


@pytest.fixture
def folder(tmp_path, walk, march):
    mt.save(walk, tmp_path / "walk.npz")
    mt.save(march, tmp_path / "march.npz")
    return tmp_path


def run(*arguments: object) -> int:
    return main([str(a) for a in arguments])


def test_options_reach_the_room_below(walk, march):
    edit = mt.Timewarp(to=march, key="legs", amount=0.4, amplitude=0.3, spread="gaussian", over=0.2, slope=2)
    want = timewarp(walk, march, key="legs", amount=0.4, amplitude=0.3, spread="gaussian", over=0.2, slope=2)
    assert np.array_equal(edit.apply(walk).rotations, want.rotations)
    assert len(mt.Timewarp(to=march, window=0.3).apply(walk)) == len(march)
    parts = mt.Timewarp(to=march, key={"legs": "legs", "arms": "left_upper_arm"}).apply(walk)
    assert len(parts) == len(march)


def test_a_recipe_warps_to_the_file_beside_it(folder, walk, march):
    recipe = folder / "pace.yaml"
    recipe.write_text("marotte: 1\nsteps:\n  - timewarp: {to: march.npz, key: left_lower_leg, amount: 0.5}\n")
    out = mt.Recipe.load(recipe).apply(walk)
    assert len(out) == len(mt.Timewarp(to=march, key="left_lower_leg", amount=0.5).apply(walk))
    again = mt.Recipe.load(recipe).to_yaml(folder=folder)
    assert again == mt.Recipe.parse(recipe.read_text()).to_yaml()


def test_a_kept_correspondence_is_used_instead_of_a_search(folder, walk, march):
    found = correspond(walk, march).pinned(90, 60)
    found.save(folder / "path.yaml")
    out = mt.Timewarp(to=march, path=folder / "path.yaml").apply(walk)
    want = timewarp(walk, march, correspondence=found)
    assert np.array_equal(out.rotations, want.rotations)
    assert not np.allclose(out.rotations, timewarp(walk, march).rotations)
    with pytest.raises(InputError, match="frames, but these have"):
        mt.Timewarp(to=march, path=folder / "path.yaml").apply(walk[:-5])
    save_correspondences({"legs": found, "arms": found}, folder / "parts.yaml")
    parts = mt.Timewarp(to=march, path=folder / "parts.yaml").apply(walk)
    assert np.array_equal(parts.rotations, want.rotations)


def test_commands(folder, capsys):
    """`marotte correspond` finds, shows and keeps; `marotte edit timewarp` finds or uses what was kept."""
    takes = folder / "walk.npz", folder / "march.npz"
    assert run("edit", "timewarp", takes[0], "--to", takes[1], "-o", folder / "a.npz") == 0
    assert len(mt.load(folder / "a.npz")) == len(mt.load(takes[1]))
    kept = folder / "path.yaml"
    assert run("correspond", *takes, "--key", "legs", "--pin", "90=60", "-o", kept) == 0
    text = capsys.readouterr().out
    assert "by legs" in text
    assert "1 pinned" in text
    assert Correspondence.load(kept).at(90) == 60
    assert run("edit", "timewarp", takes[0], "--to", takes[1], "--path", kept, "-o", folder / "b.npz") == 0
    parts = "upper_body=left_upper_arm,legs=left_lower_leg"
    assert run("correspond", *takes, "--key", parts, "--json") == 0
    assert '"legs"' in capsys.readouterr().out
    assert run("edit", "timewarp", takes[0], "--to", takes[1], "--key", parts, "-o", folder / "c.npz") == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--to", "nowhere.bvh"], 1, "nowhere.bvh"),
        ([], 2, "to must be given"),
        (["--to", "march.npz", "--key", "LeftLg.x"], 2, "did you mean"),
        (["--to", "march.npz", "--amount", "7"], 2, "amount must"),
        (["--to", "march.npz", "--path", "march.npz"], 1, "march.npz"),
        (["--to", "march.npz", "--slope", "1"], 2, "slope must be 0, for any, or a whole number from 2"),
    ],
)
def test_mistakes_write_nothing(folder, monkeypatch, capsys, arguments, code, words):
    monkeypatch.chdir(folder)
    assert run("edit", "timewarp", "walk.npz", *arguments, "-o", "out.npz") == code
    assert words in capsys.readouterr().err
    assert not (folder / "out.npz").exists()


def test_pins_that_are_none(folder, capsys):
    assert run("correspond", folder / "walk.npz", folder / "march.npz", "--pin", "thirty") == 2
    assert "--pin must be two frames, such as 30=42" in capsys.readouterr().err


def test_a_recipe_says_where_its_mistake_is():
    with pytest.raises(
        RecipeError, match=r"recipe:3: timewarp: key must be a name, or names by part.*but is 3$"
    ):
        mt.Recipe.parse("marotte: 1\nsteps:\n  - timewarp: {to: a.bvh, key: 3}\n")
    with pytest.raises(FileError, match="there is no such file"):
        mt.Recipe.parse("marotte: 1\nsteps:\n  - timewarp: {to: a.bvh}\n").apply(mt.samples.walk(seconds=2))
