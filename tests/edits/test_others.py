"""Edits that name other takes: the same recipe must find the same files from anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from marotte import formats
from marotte._options import Options, describe, option
from marotte.edits import EDITS, Edit
from marotte.edits._others import OtherFile, OtherTake
from marotte.errors import FileError, InputError, RecipeError
from marotte.figure import Motion
from marotte.recipe import Recipe
from tests.figure.figures import wander


class Weighted(Options):
    """One of several takes."""

    file: OtherTake = option(..., "a take", example="wave.bvh")
    weight: float = option(1.0, "how much of it")


class Borrow(Edit):
    """The other take in place of this one."""

    op: ClassVar[str] = "borrow"
    summary: ClassVar[str] = "take another take"

    to: OtherTake = option(..., "the other take", example="march.bvh")
    also: list[Weighted] = option([], "more takes")
    notes: OtherFile | None = option(None, "a file of notes", example="notes.yaml")

    def apply(self, motion: Motion) -> Motion:
        """The other."""
        return self.to.motion()


@pytest.fixture
def borrow(monkeypatch):
    monkeypatch.setitem(EDITS, "borrow", Borrow)


@pytest.fixture
def takes(tmp_path):
    folder = tmp_path / "job" / "takes"
    folder.mkdir(parents=True)
    formats.save(wander(seed=5), folder / "march.npz")
    return folder


def test_names_in_a_recipe_are_relative_to_its_file(borrow, takes, monkeypatch):
    recipe = takes.parent / "borrow.yaml"
    recipe.write_text("marotte: 1\nsteps:\n  - borrow: {to: takes/march.npz}\n")
    out = Recipe.load(recipe).apply(wander())
    assert np.array_equal(out.root, wander(seed=5).root)
    monkeypatch.chdir(takes)  # and so from anywhere, by a relative name as well
    assert len(Recipe.load("../borrow.yaml").apply(wander())) == len(out)


def test_a_recipe_saved_elsewhere_still_finds_its_takes(borrow, takes, tmp_path, monkeypatch):
    monkeypatch.chdir(takes)
    recipe = Recipe([Borrow(to="march.npz", also=[{"file": "march.npz", "weight": 0.5}], notes="n.yaml")])
    recipe.save(tmp_path / "saved.yaml")
    text = (tmp_path / "saved.yaml").read_text()
    assert "to: job/takes/march.npz" in text
    assert "file: job/takes/march.npz" in text
    assert "notes: job/takes/n.yaml" in text
    monkeypatch.chdir(tmp_path)
    again = Recipe.load("saved.yaml")
    assert len(again.apply(wander())) == len(wander(seed=5))
    assert again.to_yaml(folder=".") == text


def test_text_without_a_file_sees_from_the_current_folder_unless_told(borrow, takes):
    text = "marotte: 1\nsteps:\n- borrow:\n    to: march.npz\n"
    assert Recipe.parse(text).to_yaml() == text
    assert Recipe.parse(text, folder=takes).apply(wander()).root.shape == wander(seed=5).root.shape
    assert Recipe.parse(text) == Recipe([Borrow(to=Path("march.npz"))])


def test_absolute_names_stay(borrow, takes, tmp_path):
    edit = Borrow(to=takes / "march.npz")
    assert edit.changed(folder=tmp_path) == {"to": (takes / "march.npz").as_posix()}


def test_a_motion_may_be_given_but_not_saved(borrow, tmp_path):
    march = wander(seed=5)
    edit = Borrow(to=march)
    assert edit.apply(wander()) is march
    assert edit == Borrow(to=march)
    assert hash(edit.to) == hash(Borrow(to=march).to)
    assert edit != Borrow(to=wander(seed=5))
    with pytest.raises(InputError, match="was given as a Motion; save it"):
        Recipe([edit]).save(tmp_path / "r.yaml")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_read_once_and_again_when_it_has_changed(takes, monkeypatch):
    take = Borrow(to=takes / "march.npz").to
    first = take.motion()
    assert take.motion() is first
    formats.save(wander(seed=6, frames=20), takes / "march.npz")
    assert len(take.motion()) == 20


def test_a_missing_take_is_named(borrow, tmp_path):
    with pytest.raises(FileError, match=r"march\.bvh: there is no such file"):
        Borrow(to=tmp_path / "march.bvh").apply(wander())


@pytest.mark.parametrize(("value", "shown"), [(3, ", but is 3$"), ("", ", but is ''$"), ([1], "$")])
def test_what_is_no_take_is_named(value, shown):
    with pytest.raises(InputError, match=f"to must be the name of a take's file, or a Motion{shown}"):
        Borrow(to=value)


def test_mistakes_in_a_recipe_have_their_line(borrow):
    with pytest.raises(RecipeError, match=r"recipe:3.*to must be the name of a take's file"):
        Recipe.parse("marotte: 1\nsteps:\n  - borrow: {to: 3}\n")


def test_commands_and_forms_know_what_to_ask_for():
    assert [i.kind for i in describe(Borrow)] == ["take", "values", "file"]
    schema = Borrow.model_json_schema()
    assert schema["properties"]["to"]["type"] == "string"
