"""marotte check: a table or JSON, and exit codes that a script can trust."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import marotte as mt
from marotte.cli import main


@pytest.fixture
def takes(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    mt.save(mt.samples.walk(seconds=2), "walk.bvh")
    mt.save(mt.samples.jump(), "jump.bvh")
    return tmp_path


def run(*arguments: object) -> int:
    return main([str(a) for a in arguments])


def test_a_take_that_keeps_its_rules_ends_with_0(takes, capsys):
    assert run("check", "walk.bvh", "--base", "walking") == 0
    assert "9 rules hold" in capsys.readouterr().err


def test_violations_are_a_table_and_end_with_1(takes, capsys):
    assert run("check", "jump.bvh", "--base", "walking") == 1
    table = capsys.readouterr().out
    assert "right foot down while left is up" in table
    assert "72–98" in table


def test_json_has_what_the_design_says(takes, capsys):
    assert run("check", "jump.bvh", "--rules", "LeftLeg.x < 90", "--json") == 1
    (found,) = json.loads(capsys.readouterr().out)["violations"]
    assert set(found) == {"rule", "begin", "end", "frame", "amount", "unit"}
    assert found["begin"] <= found["frame"] <= found["end"]
    assert (found["rule"], found["unit"]) == ("LeftLeg.x <= 90 deg", "deg")
    assert run("check", "walk.bvh", "--rules", "LeftLeg.x < 90", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"violations": []}


def test_a_folder_is_checked_take_by_take(takes, capsys):
    (takes / "broken.bvh").write_text("HIERARCHY\n")
    assert run("check", takes, "--base", "walking", "--json") == 1
    answers = {Path(a["path"]).name: a for a in json.loads(capsys.readouterr().out)["takes"]}
    assert answers["walk.bvh"]["violations"] == []
    assert len(answers["jump.bvh"]["violations"]) == 2
    assert "error" in answers["broken.bvh"]


def test_rules_come_from_files_too(takes, capsys):
    (takes / "feet.rules").write_text("# knees\nLeftLeg.x < 90\n")
    assert run("check", "jump.bvh", "-r", "feet.rules", "-r", "head.y > 0") == 1
    (takes / "jump.rules").write_text("LeftLeg.x < 170\n")
    assert run("check", "jump.bvh") == 0  # the rules that stand beside it
    (takes / "feet.rules").write_text("LeftLeg.x <\n")
    assert run("check", "jump.bvh", "-r", "feet.rules") == 1
    assert "feet.rules:1:" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ("walk.bvh",),
        ("walk.bvh", "--rules", "left_toes.y >="),
        ("walk.bvh", "--rules", "left_tows.y >= 0"),
        ("walk.bvh", "--rules", ""),
        ("walk.bvh", "--base", "waking"),
        ("walk.bvh", "--rules", "head.y > 0 frames 900..999"),
    ],
)
def test_misuse_ends_with_2(takes, arguments, capsys):
    assert run("check", *arguments) == 2
    assert capsys.readouterr().err.startswith(("marotte:", "note:"))
