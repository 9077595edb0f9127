"""marotte contacts, as a person or a script meets it."""

from __future__ import annotations

import json

import pytest

import marotte as mt
from marotte.cli import main
from marotte.figure import detect_contacts


def run(*arguments: object) -> int:
    return main([str(a) for a in arguments])


@pytest.fixture
def walk(tmp_path):
    file = tmp_path / "walk.bvh"
    mt.save(mt.samples.walk(seconds=2), file)
    return file


def test_contacts_are_listed_for_people(walk, capsys):
    assert run("contacts", walk) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0].split() == ["rests", "first", "last", "seconds", "on"]
    assert "left_foot" in said.out
    assert "ground" in said.out
    assert "found" in said.err
    assert run("contacts", walk, "--parts") == 0
    assert "heel" in capsys.readouterr().out


def test_contacts_for_scripts(walk, capsys):
    assert run("contacts", walk, "--json", "--parts") == 0
    answer = json.loads(capsys.readouterr().out)
    motion = mt.load(walk)
    want = [{"role": c.role, "first": c.first, "last": c.last, "on": c.on} for c in detect_contacts(motion)]
    assert answer["contacts"] == want
    assert answer["detected"] is True
    assert {p["part"] for p in answer["phases"]} == {"heel", "ball", "tip"}
    assert all(p["joint"] in motion.skeleton for p in answer["phases"])


def test_contacts_are_kept_beside_the_take(walk, capsys):
    beside = walk.with_name("walk.contacts.yaml")
    assert run("contacts", walk, "-o", beside) == 0
    assert mt.load(walk).contacts == detect_contacts(mt.load(walk).with_(contacts=None))
    beside.write_text(beside.read_text().replace("role: left_foot", "role: left_hand", 1))
    capsys.readouterr()
    assert run("contacts", walk, "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["detected"] is False
    assert any(c["role"] == "left_hand" for c in answer["contacts"])
    assert run("contacts", walk, "--detect", "--json") == 0
    assert all(c["role"] != "left_hand" for c in json.loads(capsys.readouterr().out)["contacts"])


def test_contacts_in_a_scene(tmp_path, capsys):
    file, scene = tmp_path / "climb.npz", tmp_path / "scene.yaml"
    mt.save(mt.samples.rope_climb(pulls=1), file)
    scene.write_text(
        "marotte_scene: 1\nobjects:\n  - {name: floor, plane: {}}\n"
        "  - {name: pole, capsule: {from: [0, 0, 0.22], to: [0, 6, 0.22], radius: 0.02}}\n"
    )
    assert run("contacts", file, "--scene", scene, "--json") == 0
    on = {c["on"] for c in json.loads(capsys.readouterr().out)["contacts"] if "hand" in c["role"]}
    assert on == {"pole"}


def test_misuse_and_failure(walk, tmp_path, capsys):
    assert run("contacts", walk, "-o", tmp_path / "out.yaml") == 2
    assert "ends in .contacts.yaml" in capsys.readouterr().err
    assert run("contacts", tmp_path / "none.bvh") == 1
    walk.with_name("walk.contacts.yaml").write_text("marotte_contacts: 1\nframes: many\n")
    assert run("contacts", walk) == 1
    assert "walk.contacts.yaml:2: frames must be" in capsys.readouterr().err
