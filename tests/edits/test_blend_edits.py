"""Blends and concatenations as edits: recipes, commands, what is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import marotte as mt
from marotte import samples
from marotte.cli import main
from marotte.errors import FileError, InputError
from marotte.figure.rotations import angle_between
from marotte.recipe import Recipe
from marotte.signals import BlendTake, blend, concatenate


@pytest.fixture(scope="module")
def walk() -> mt.Motion:
    return samples.walk(seconds=2, frame_rate=30)


@pytest.fixture(scope="module")
def wave() -> mt.Motion:
    return samples.wave(frame_rate=30)


@pytest.fixture
def files(tmp_path: Path, walk, wave) -> Path:
    mt.save(walk, tmp_path / "walk.npz")
    mt.save(wave, tmp_path / "wave.npz")
    mt.save(samples.run(seconds=2, frame_rate=30), tmp_path / "run.npz")
    return tmp_path


def same(a: mt.Motion, b: mt.Motion) -> bool:
    return bool(angle_between(a.rotations, b.rotations).max() < 1e-9 and np.allclose(a.root, b.root))


def test_options_reach_the_blend(walk, wave):
    made = mt.Blend(
        takes=[{"file": wave, "weight": {"upper_body": {0: 0.2, 30: 1.0}}, "gains": {"low": 0.5}, "dc": 0.8}],
        weight={"all": 0.6, "legs": 1},
        normalize=False,
        length="longest",
        fit="hold",
        align="none",
        path="steps",
        start="first",
        edges="hold",
    ).apply(walk)
    want = blend(
        BlendTake(walk, {"all": 0.6, "legs": 1.0}),
        [BlendTake(wave, {"upper_body": {0: 0.2, 30: 1.0}}, {"low": 0.5}, 0.8)],
        normalize=False,
        length="longest",
        fit="hold",
        align="none",
        path="steps",
        start="first",
        edges="hold",
    )
    assert same(made, want)


@pytest.mark.parametrize(
    "takes",
    [
        "wave.npz",
        ["wave.npz"],
        {"wave.npz": 1.0},
        [{"wave.npz": 1.0}],
        [{"file": "wave.npz"}],
        {"file": "wave.npz", "weight": 1},
    ],
)
def test_every_way_of_naming_takes(takes, files, walk, wave, monkeypatch):
    monkeypatch.chdir(files)
    assert same(mt.Blend(takes=takes).apply(walk), blend(walk, [wave]))


def test_a_recipe_finds_takes_beside_it_and_keeps_its_weights(files, walk, wave):
    path = files / "mix.yaml"
    path.write_text(
        "marotte: 1\nsteps:\n"
        "  - blend: {weight: 0.6, takes: [{file: wave.npz, weight: {0: 0, 40: 1}}], normalize: false}\n"
        "  - concatenate: {takes: {run.npz: 0.4}, bandwise: true}\n"
    )
    recipe = Recipe.load(path)
    mixed = blend(BlendTake(walk, 0.6), [BlendTake(wave, {0: 0.0, 40: 1.0})], normalize=False)
    assert same(recipe.steps[0].apply(walk), mixed)
    again = files / "sub" / "again.yaml"
    again.parent.mkdir()
    recipe.save(again)
    assert same(Recipe.load(again).apply(walk), recipe.apply(walk))


def test_motions_at_hand(walk, wave):
    run = samples.run(seconds=2, frame_rate=30)
    assert same(mt.Blend(takes=[wave, run]).apply(walk), blend(walk, [wave, run]))
    assert same(mt.Concatenate(takes=[run]).apply(walk), concatenate(walk, [run]).motion)


def test_notes_say_where_takes_were_joined(walk):
    run = samples.run(seconds=2, frame_rate=30)
    note = mt.Concatenate(takes=[run]).apply(walk).source.notes[-1]
    assert str(concatenate(walk, [run]).joins[0]) in note
    assert "cm" in note


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: mt.Blend(takes=[]), InputError, "at least one other take, such as"),
        (lambda: mt.Concatenate(takes=[]), InputError, "at least one take that comes next"),
        (lambda: mt.Blend(), InputError, "takes must be given"),
        (lambda: mt.Blend(takes="nowhere.bvh"), FileError, "nowhere.bvh: there is no such file"),
        (lambda: mt.Blend(takes={"w.bvh": "much"}), InputError, "weight must be a number, weights by frame"),
        (lambda: mt.Blend(takes="w.bvh", weight="much"), InputError, "weight must be a number"),
        (lambda: mt.Blend(takes="w.bvh", weight={"arms": {"x": 1}}), InputError, "weight"),
        (lambda: mt.Blend(takes=3), InputError, "must be the name of a take's file, or a Motion"),
        (lambda: mt.Blend(takes=[{"file": "w.bvh", "wieght": 1}]), InputError, "did you mean 'weight'"),
        (lambda: mt.Concatenate(takes=[{"file": "r.bvh", "itno": 3}]), InputError, "did you mean 'into'"),
        (lambda: mt.Concatenate(takes={"r.bvh": -1}), InputError, "greater than or equal to 0"),
    ],
)
def test_mistakes_are_named(make: Any, error, words, walk):
    with pytest.raises(error, match=words):
        make().apply(walk)


# ---- commands


def run(*arguments: object) -> int:
    return main([str(a) for a in arguments])


@pytest.mark.parametrize(
    "takes",
    [
        ["--takes", "wave.npz=0.4,run.npz=0.2"],
        ["--takes", "wave.npz=0.4", "--takes", "run.npz=0.2"],
        ["--takes", "[{file: wave.npz, weight: 0.4}, {file: run.npz, weight: 0.2}]"],
        ["--takes", "{wave.npz: 0.4}", "--takes", "{file: run.npz, weight: 0.2}"],
    ],
)
def test_takes_on_the_command_line(takes, files, walk, wave, monkeypatch):
    monkeypatch.chdir(files)
    assert run("edit", "blend", "walk.npz", *takes, "--weight", "legs=1,all=0.5", "-o", "out.npz") == 0
    others = [BlendTake(wave, 0.4), BlendTake(mt.load("run.npz"), 0.2)]
    assert same(mt.load("out.npz"), blend(BlendTake(walk, {"legs": 1.0, "all": 0.5}), others))


def test_weights_by_frame_on_the_command_line(files, walk, wave, monkeypatch):
    monkeypatch.chdir(files)
    given = ["--takes", "{file: wave.npz, weight: {0: 0, 40: 1}}", "--weight", "0=1,40=0"]
    assert run("edit", "blend", "walk.npz", *given, "-o", "out.npz") == 0
    want = blend(BlendTake(walk, {0: 1.0, 40: 0.0}), [BlendTake(wave, {0: 0.0, 40: 1.0})])
    assert same(mt.load("out.npz"), want)


def test_concatenate_says_what_it_found(files, monkeypatch, capsys):
    monkeypatch.chdir(files)
    assert run("edit", "concatenate", "walk.npz", "--takes", "run.npz,walk.npz=0.2", "-o", "out.npz") == 0
    said = capsys.readouterr().err
    assert said.count("run into") == 2
    assert "joined run.npz: frames" in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["blend", "walk.npz"],
        ["blend", "walk.npz", "--takes", "wave.npz=[1"],
        ["blend", "walk.npz", "--takes", "wave.npz=much"],
        ["blend", "walk.npz", "--takes", "wave.npz=-1", "--weight", "1"],
        ["concatenate", "walk.npz", "--takes", "{file: run.npz, at: 999}"],
    ],
)
def test_misuse_writes_nothing(arguments, files, monkeypatch, capsys):
    monkeypatch.chdir(files)
    assert run("edit", *arguments, "-o", "out.npz") == 2
    assert not (files / "out.npz").exists()
    assert "Traceback" not in capsys.readouterr().err


def test_bands_for_people_and_scripts(files, capsys):
    assert run("bands", files / "wave.npz") == 0
    text = capsys.readouterr().out
    first = text.splitlines()[5]
    assert first.split()[0] in ("RightForeArm", "RightArm")  # the arm that waves
    assert "0.34" in text
    assert "and" in text.splitlines()[-1]
    assert run("bands", files / "wave.npz", "--json", "--by", "high") == 0
    answer = json.loads(capsys.readouterr().out)
    assert [b["band"] for b in answer["bands"]] == list(range(len(answer["bands"])))
    assert len(answer["joints"]) == 22
    high = [b["band"] for b in answer["bands"] if b["name"] == "high"]
    strengths = [sum(j["rms"][k] ** 2 for k in high) for j in answer["joints"]]
    assert strengths == sorted(strengths, reverse=True)
    assert run("bands", files / "wave.npz", "--by", "hihg") == 2
    assert "did you mean 'high'" in capsys.readouterr().err
