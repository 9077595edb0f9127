"""Recipes: edits as data that somebody else reads next year."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte.edits import Crop, Loop, Mirror, Resample, Reverse
from marotte.errors import InputError, RecipeError
from marotte.recipe import Recipe
from tests.figure.figures import wander

TEXT = """\
# cut, then slow down
marotte: 1
steps:
  - crop: {start: 10, end: 30}
  - resample:
      rate: 60
      method: spline
  - reverse
"""


def test_steps_apply_in_order(tmp_path):
    file = tmp_path / "r.yaml"
    file.write_text(TEXT)
    recipe = Recipe.load(file)
    assert recipe.steps == (Crop(start=10, end=30), Resample(rate=60, method="spline"), Reverse())
    out = recipe.apply(wander())
    assert len(out) == 41
    assert out.root[0] == pytest.approx(wander().root[30])


def test_progress_is_told_and_ends_at_one():
    told: list[tuple[float, str]] = []
    Recipe([Reverse(), Mirror()]).apply(wander(), progress=lambda share, word: told.append((share, word)))
    assert told == [(0.0, "reverse"), (0.5, "mirror"), (1.0, "done")]


def test_a_failing_step_says_which():
    with pytest.raises(InputError, match=r"step 2 \(crop\): start must be a frame"):
        Recipe([Reverse(), Crop(start=99)]).apply(wander())


edits = st.one_of(
    st.builds(Crop, start=st.integers(-99, 99), end=st.none() | st.integers(-99, 99)),
    st.builds(Resample, rate=st.floats(1e-3, 1e4), method=st.sampled_from(["slerp", "spline"])),
    st.builds(Loop, times=st.integers(1, 1000), blend=st.floats(0, 60)),
    st.builds(Mirror, plane=st.sampled_from(["start", "world"])),
    st.just(Reverse()),
)


@given(st.lists(edits, max_size=5))
def test_text_there_and_back(steps):
    recipe = Recipe(steps)
    assert Recipe.parse(recipe.to_yaml()) == recipe


def test_saved_recipes_are_short(tmp_path):
    Recipe([Crop(start=10), Reverse()]).save(tmp_path / "r.yaml")
    assert (tmp_path / "r.yaml").read_text() == "marotte: 1\nsteps:\n- crop:\n    start: 10\n- reverse\n"
    assert [p.name for p in tmp_path.iterdir()] == ["r.yaml"]  # nothing temporary stays


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "must begin with 'marotte: 1'"),
        ("steps: []", "must begin with 'marotte: 1'"),
        ("marotte: 2\nsteps: []", ":1: this version reads recipes of version 1, but it is 2"),
        ("marotte: 1\nsteps: 3", ":2: steps must be a list"),
        ("marotte: 1", ": steps must be a list"),
        ("marotte: 1\nstep: []\nsteps: []", ":2: unknown field 'step'; did you mean 'steps'"),
        ("marotte: 1\nsteps:\n  - corp: {start: 1}", ":3: unknown edit 'corp'; did you mean 'crop'"),
        (
            "marotte: 1\nsteps:\n  - crop:\n      start: 1\n      ende: 3",
            ":5: crop: unknown option 'ende'.*'end'",
        ),
        ("marotte: 1\nsteps:\n  - resample: {method: slerp}", ":3: resample: rate must be given"),
        ("marotte: 1\nsteps:\n  - resample: {rate: fast}", ":3: resample: rate should be a valid number"),
        ("marotte: 1\nsteps:\n  - crop: [1, 2]", ":3: crop must have a map"),
        ("marotte: 1\nsteps:\n  - {crop: {}, loop: {}}", ":3: a step must be one edit"),
        ("marotte: 1\nsteps:\n  - 3", ":3: a step must be one edit"),
        ("marotte: 1\nsteps:\n  - crop: {start: 1", "not valid YAML"),
        ("marotte: 1\nsteps:\n  - crop: {start: 1, start: 2}", ":3:.*'start' stands twice"),
        ("marotte: 1\nsteps:\n  - !!python/object:os.system {}", "not valid YAML"),
    ],
)
def test_mistakes_name_line_and_field(text, words):
    with pytest.raises(RecipeError, match=words):
        Recipe.parse(text)


def test_all_mistakes_are_told_at_once():
    with pytest.raises(RecipeError) as found:
        Recipe.parse(
            "marotte: 1\nsteps:\n  - crop: {start: a}\n  - revers\n  - loop: {times: 0}\n", path="my.yaml"
        )
    assert [line.strip().split(": ")[0] for line in str(found.value).splitlines()] == [
        "my.yaml:3",
        "my.yaml:4",
        "my.yaml:5",
    ]


def test_broken_files(tmp_path):
    with pytest.raises(RecipeError, match="No such file"):
        Recipe.load(tmp_path / "none.yaml")
    (tmp_path / "b.yaml").write_bytes(b"\x93NUMPY\x01\xff")
    with pytest.raises(RecipeError, match=r"UTF-8|YAML"):
        Recipe.load(tmp_path / "b.yaml")


@given(st.text(max_size=80))
def test_no_text_crashes_the_reader(text):
    with contextlib.suppress(RecipeError):
        Recipe.parse(text)


def test_only_edits_are_steps():
    with pytest.raises(InputError, match="made of edits"):
        Recipe(["crop"])  # type: ignore[list-item]  # that it is refused is what is tested
    assert np.array_equal(Recipe().apply(wander()).root, wander().root)
