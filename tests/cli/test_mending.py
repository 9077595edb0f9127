"""Limit, constrain and curve from the command line and from recipes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import marotte as mt
from marotte.cli import main
from marotte.constraints import curve_of, find_violations
from marotte.errors import InputError, UnmetRulesError

RULE = "left_toes.y >= 0.03"


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    file = tmp_path / "walk.bvh"
    mt.save(mt.samples.walk(seconds=2), file)
    return file


def run(*arguments: object) -> int:
    return main([str(a) for a in arguments])


def test_rules_are_text_a_file_or_a_list(walk, tmp_path):
    rules = tmp_path / "feet.rules"
    rules.write_text(RULE + "\n", encoding="utf-8")
    takes = []
    for k, said in enumerate((RULE, f"@{rules}", str(rules))):
        out = tmp_path / f"out{k}.bvh"
        assert run("edit", "constrain", walk, "--rules", said, "-o", out) == 0
        assert run("check", out, "--rules", "left_toes.y >= 0.03 within 1 mm") == 0
        takes.append(mt.load(out))
    assert all(np.array_equal(t.rotations, takes[0].rotations) for t in takes)
    listed = mt.Constrain(rules=[RULE, {"kind": "linear", "angle": {"joint": "LeftLeg", "axis": "x"},
                                        "compare": "<", "constant": 150}])  # fmt: skip
    assert not find_violations(listed.apply(mt.load(walk)), RULE)


def test_rules_beside_the_take_are_taken_where_none_are_given(walk, tmp_path, capsys):
    assert run("edit", "constrain", walk, "-o", tmp_path / "out.bvh") == 2
    assert "rules must be given" in capsys.readouterr().err
    walk.with_suffix(".rules").write_text(RULE, encoding="utf-8")
    assert run("edit", "constrain", walk, "-o", tmp_path / "out.bvh") == 0


def test_rules_that_cannot_hold_are_an_error_and_nothing_is_written(walk, tmp_path, capsys):
    out = tmp_path / "out.bvh"
    said = 'rule "up": left_toes.y >= 0.06; rule "down": left_toes.y <= 0.02'
    assert run("edit", "constrain", walk, "--rules", said, "-o", out) == 1
    problem = capsys.readouterr().err
    assert "is missed by" in problem
    assert "best_effort" in problem
    assert not out.exists()
    assert run("edit", "constrain", walk, "--rules", said, "--best-effort", "-o", out) == 0
    assert out.exists()


def test_mistakes_in_rules_say_where_and_what(walk, tmp_path, capsys):
    assert run("edit", "constrain", walk, "--rules", "left_toes.y => 3", "-o", tmp_path / "out.bvh") == 2
    assert "1:14" in capsys.readouterr().err
    assert run("edit", "limit", walk, "--rules", "left_toes.y >= 0", "-o", tmp_path / "out.bvh") == 2
    assert "constrain" in capsys.readouterr().err


def test_limit_and_curve(walk, tmp_path):
    out = tmp_path / "limited.bvh"
    assert run("edit", "limit", walk, "--rules", "left_knee.x < 40 deg", "--method", "map", "-o", out) == 0
    assert mt.load(out).channels()["LeftLeg.x"].max() < 40.001
    out = tmp_path / "pulled.bvh"
    assert run("edit", "curve", walk, "--of", "left_hand.y", "--points", "40=1.2,60=1.3", "-o", out) == 0
    assert curve_of(mt.load(out), "left_hand.y").values[[40, 60]] == pytest.approx([1.2, 1.3], abs=1e-3)


def test_recipes_hold_all_three(tmp_path):
    recipe = tmp_path / "clean.yaml"
    recipe.write_text(
        "marotte: 1\nsteps:\n"
        "  - limit: {rules: ['left_knee.x < 60 deg'], method: map, knee: 0.7}\n"
        "  - constrain:\n"
        "      {rules: ['left_toes.y >= 0.01', 'right_toes.y >= 0.01'], smooth: 12, order: sequence}\n"
        "  - curve: {of: LeftArm.x, points: {30: 20}, hold: [10, 50]}\n",
        encoding="utf-8",
    )
    made = mt.Recipe.load(recipe).apply(mt.samples.walk(seconds=1))
    assert made.channels()["LeftArm.x"][30] == pytest.approx(20)
    assert not find_violations(made, "right_toes.y >= 0.01")


def test_options_say_what_is_wrong():
    with pytest.raises(InputError, match="rules"):
        mt.Constrain(rules=[3])
    with pytest.raises(InputError, match="solver"):
        mt.Constrain(rules=RULE, solver="magic")
    with pytest.raises(UnmetRulesError, match="are missing"):
        mt.Curve(of="distance(left_hand, left_lower_arm)", points={10: 2.0}).apply(mt.samples.walk(seconds=1))
