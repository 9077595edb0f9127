"""The edits that hold feet, put takes on other ground and meet goals: as people write them."""

from __future__ import annotations

import json

import numpy as np
import pytest

import marotte as mt
from marotte.cli import main
from marotte.errors import InputError
from marotte.figure import Scene
from marotte.figure.scene import Plane
from marotte.quality import foot_skate
from marotte.recipe import Recipe

WALK = mt.samples.walk(seconds=3, frame_rate=30)
HILLS = """marotte_scene: 1
objects:
  - {name: hills, heights: {grid: [[0, 0.3, 0, 0.3], [0.2, 0, 0.3, 0], [0, 0.2, 0, 0.3], [0.1, 0, 0.2, 0]],
     spacing: 2, origin: [-3, -1], surface: nurbs}}
"""


def hand(motion, frame):
    return motion.positions()[frame, motion.rig["right_hand"]]


@pytest.mark.parametrize(
    "goals",
    [
        [{"joint": "right_hand", "frames": [40, 40], "position": [-0.3, 1.4, 2.0]}],
        {"joint": "right_hand", "frames": 40, "position": [-0.3, 1.4, 2.0]},
        "40 right_hand at -0.3 1.4 2.0",
        "40-40 right_hand at -0.3, 1.4, 2.0",
        "40 RightHand at -0.3 1.4 2",
    ],
)
def test_a_goal_is_met_however_it_is_written(goals):
    out = mt.Fit(goals=goals).apply(WALK)
    assert np.linalg.norm(hand(out, 40) - [-0.3, 1.4, 2.0]) < 1e-3
    assert "off by" in out.source.notes[-1]


def test_every_kind_of_goal_can_be_asked_for():
    out = mt.Fit(
        goals="10 right_hand move 0 0.2 0; 30-34 head look 3 1.6 4; 60 right_hand from left_hand 0.2; "
        "75 left_hand turned 0 90 0; 80 left_hand from 0.2 1.2 3.6 0.1"
    ).apply(WALK)
    assert np.linalg.norm(hand(out, 10) - hand(WALK, 10) - [0.0, 0.2, 0.0]) < 1e-3
    at = out.positions()
    head, left, right = (WALK.rig[r] for r in ("head", "left_hand", "right_hand"))
    looks = mt.figure.rotations.rotate(out.orientations()[32, head], np.array([0.0, 0.0, 1.0]))
    way = np.array([3.0, 1.6, 4.0]) - at[32, head]
    assert looks @ way / np.linalg.norm(way) > 0.999
    assert np.linalg.norm(at[60, left] - at[60, right]) == pytest.approx(0.2, abs=1e-3)
    turned = mt.figure.rotations.rotate(out.orientations()[75, left], np.array([0.0, 0.0, 1.0]))
    assert turned == pytest.approx([1.0, 0.0, 0.0], abs=1e-2)
    assert np.linalg.norm(at[80, left] - [0.2, 1.2, 3.6]) == pytest.approx(0.1, abs=1e-3)


def test_a_point_may_stay_wherever_it_is():
    out = mt.Fit(goals="20-40 right_hand stay", spacing=2, levels=1).apply(WALK)
    at = out.positions()[20:41, WALK.rig["right_hand"]]
    assert np.ptp(at, axis=0).max() < 0.02
    assert np.ptp(WALK.positions()[20:41, WALK.rig["right_hand"]], axis=0).max() > 0.3


@pytest.mark.parametrize(
    ("goals", "words"),
    [
        ("40 right_hand at 0.3 1.4", "three numbers"),
        ("40 right_hand by 0.3 1.4 2", "must be goals, such as"),
        ([{"joint": "head"}], "must say one of position"),
        ([{"joint": "head", "position": [0, 1, 0], "look": [0, 0, 1]}], "says position and look"),
        ([{"joint": "head", "distance": 1}], "needs `of`"),
        ([{"joint": "head", "stay": True}], "stay needs frames"),
        ("200 right_hand at 0 1 0", "must lie in 0 to 90"),
        ("40 right_hnad at 0 1 0", "did you mean 'right_hand'"),
        ([], "at least one goal"),
    ],
)
def test_mistakes_in_goals_are_answered(goals, words):
    with pytest.raises(InputError, match=words):
        mt.Fit(goals=goals).apply(WALK)


def test_recipes_hold_what_the_edits_are_told(tmp_path):
    (tmp_path / "hills.yaml").write_text(HILLS)
    recipe = tmp_path / "hike.yaml"
    recipe.write_text(
        "marotte: 1\nsteps:\n  - lock_feet: {stay: free}\n  - terrain: {scene: hills.yaml}\n"
        "  - fit: {goals: [{joint: RightHand, frames: [40, 40], move: [0, 0.1, 0]}], spacing: 8}\n"
    )
    out = Recipe.load(recipe).apply(WALK)
    assert len(out) == len(WALK)
    assert any("brought to the ground" in note for note in out.source.notes)


def test_a_scene_at_hand_will_do_but_cannot_be_written_into_a_recipe():
    edit = mt.Terrain(scene=Scene({"floor": Plane(height=0.5)}))
    assert edit.apply(WALK).root[:, 1].mean() == pytest.approx(WALK.root[:, 1].mean() + 0.5, abs=0.01)
    with pytest.raises(InputError, match="given as a Scene"):
        Recipe([edit]).to_yaml()


def test_blends_and_joins_can_keep_feet():
    sneak = mt.samples.walk(style="sneak", seconds=3, frame_rate=30)
    for edit in (mt.Concatenate(takes=[sneak], feet="keep"), mt.Transition(takes=[sneak])):
        assert foot_skate(edit.apply(WALK)).mean_speed < 0.001
    blend = mt.Blend(takes=[{"file": sneak, "weight": 0.5}], weight=0.5, warp="left_leg", feet="keep")
    assert foot_skate(blend.apply(WALK)).mean_speed < 0.001
    loose = mt.Transition(takes=[sneak], feet=False).apply(WALK)
    assert foot_skate(loose).mean_speed > 0.002


def test_contacts_can_be_given_on_the_command_line_and_the_report_read_by_scripts(tmp_path, capsys):
    mt.save(WALK, tmp_path / "walk.npz")
    given = ["edit", "lock_feet", str(tmp_path / "walk.npz"), "-o", str(tmp_path / "out.npz")]
    assert main([*given, "--contacts", "{left_foot: [[3, 20]]}", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert "5 contacts of feet held" in told["notes"][0]
    contacts = mt.load(tmp_path / "out.npz").contacts
    assert contacts
    held = [c for c in contacts if c.role == "left_foot"]
    assert [(c.first, c.last) for c in held] == [(3, 20)]
    assert main([*given, "--contacts", "sometimes"]) != 0
    assert "contacts must be 'own', 'detect'" in capsys.readouterr().err
