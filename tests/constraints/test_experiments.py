"""The thesis's experiments (L97 5.3.1 and chapter 6) as rules, on built-in takes and what is made of them.

Each pair is a take that keeps its rules and the same take with bands emphasised, which breaks them.
"""

from __future__ import annotations

import pytest

import marotte as mt
from marotte.constraints import (
    Comparison,
    Distance,
    Extremum,
    LinearRule,
    NonlinearRule,
    Place,
    find_violations,
    parse_rule,
    parse_rules,
)

PRINTED = """
null-->(ABOVE_ANOTHER, CMP_POS, (28, (0, -0.19, 0), x),
('cervical_1', (0, -0.03, -0.1), x), 0.01), 0)
and
(GLOBAL_MIN, CMP_DISTANCE, ('right wrist', (0, -0.19, 0)),
('cervical_1', (0,-0.03, -0.1)), 0.01, 6)
-->(EQUAL_GIVEN, CMP_DISTANCE, ('right wrist', (0, -0.19, 0)),
('cervical_1', (0,-0.03, -0.1)), 0.01, 0)
"""


def louder(motion: mt.Motion, parts: str = "body", **gains: float) -> mt.Motion:
    return mt.Equalize(gains=gains, parts=parts).apply(motion)


def worst(motion: mt.Motion, rules: str) -> float:
    return max((v.amount for v in find_violations(motion, rules)), default=0.0)


def test_the_printed_drink_reads_with_its_stray_bracket():
    beyond, reaches = parse_rules(PRINTED)
    assert isinstance(beyond, NonlinearRule)
    assert isinstance(reaches, NonlinearRule)
    assert beyond.body.type == "ABOVE_ANOTHER"
    assert beyond.body.ignored_error == 0.01
    cup = Place(joint="right wrist", offset=(0, -0.19, 0))
    mouth = Place(joint="cervical_1", offset=(0, -0.03, -0.1))
    data = Distance(point=cup, to=mouth)
    assert reaches.body == Comparison(type="EQUAL_GIVEN", data=data, ignored_error=0.01)
    assert reaches.when == (Extremum(type="GLOBAL_MIN", data=data, ignored_error=0.01),)
    # said in the other syntax, it is the same rule
    point, head = "'right wrist' + (0, -0.19, 0)", "cervical_1 + (0, -0.03, -0.1)"
    said = f"when global_min distance({point}, {head}) within 1 cm: {point} at {head} within 1 cm"
    assert parse_rule(said) == reaches


def test_names_of_the_printed_drink_are_found_on_the_built_in_figure():
    drink = mt.samples.drink()
    assert worst(drink, PRINTED.split("and\n")[1]) > 0.1  # offsets there are of another skeleton


@pytest.mark.parametrize(
    "rules",
    [
        "when distance(cup, mouth) <= 30 cm: cup.z >= mouth.z within 1 cm",
        """(BELOW_GIVEN, CMP_DISTANCE, (cup), (mouth), 0, 0.3)
        --> (ABOVE_ANOTHER, CMP_POS, (cup, z), (mouth, z), 0.01, 0)""",
    ],
)
def test_drink_goes_beyond_the_mouth(rules):  # fig. 5.17 (a)
    drink = mt.samples.drink()
    assert worst(drink, rules) == 0
    assert worst(louder(drink, low=1.6), rules) == pytest.approx(0.135, abs=0.01)


def test_drink_does_not_reach_the_mouth():  # fig. 5.17 (b)
    rules = """(GLOBAL_MIN, CMP_DISTANCE, (cup), (mouth), 0.01, 6)
        --> (EQUAL_GIVEN, CMP_DISTANCE, (cup), (mouth), 0.01, 0)"""
    drink = mt.samples.drink()
    assert worst(drink, rules) == 0
    (found,) = find_violations(louder(drink, low=0.6), rules)
    assert found.begin == found.frame == found.end  # fig. 5.13 (c)
    assert found.conditional
    assert found.amount == pytest.approx(0.079, abs=0.005)


def test_jump_bends_a_knee_too_far():  # fig. 6.1
    said = parse_rules("(*Leg, x) < 120")
    assert isinstance(said[0], LinearRule)
    jump = mt.samples.jump()
    assert not find_violations(jump, "(LeftLeg, x) < 120\n(RightLeg, x) < 120")
    big = louder(jump, low=1.6, middle=1.8)
    found = find_violations(big, "RightLeg.x < 150 and LeftLeg.x < 150")
    assert [v.unit for v in found] == ["deg"]
    assert found[0].amount == pytest.approx(big.channels()["RightLeg.x"].max() - 150, abs=1e-6)


FLOOR = {
    "b": """(ABOVE_GIVEN, CMP_POS, ('left ankle', y), 0, 0.15)
        --> (BELOW_GIVEN, CMP_POS, (right_toe, y), 0.02, 0.02)""",
    "c": "when left_ankle.y >= 15 cm: right_ankle.y <= 7 cm within 3 cm",
    "d": "when left_ankle.y >= 15 cm: -20 deg <= orientation(right_foot, x) <= 20 deg",
    "e": "when left_ankle.y >= 15 cm: right_toe.y <= 2 cm within 2 cm; RightLeg.x <= 90 deg",
    "f": "when left_ankle.y >= 15 cm: right_toe.y <= 2 cm within 2 cm; "
    "when right_ankle.y >= 15 cm: left_toe.y <= 2 cm within 2 cm",
}


@pytest.mark.parametrize("variant", sorted(FLOOR))
def test_walk_does_not_hit_the_floor(variant):  # fig. 6.2
    walk = mt.samples.walk()
    emphasised = louder(walk, middle=2.5)
    assert not find_violations(walk, FLOOR[variant])
    found = find_violations(emphasised, FLOOR[variant])
    assert len(found) >= 3
    assert any(v.conditional for v in found)  # the other foot's height cuts the stretches
    if variant == "f":
        assert {v.index for v in found} == {0, 1}


def test_walk_sinks_into_the_floor():  # fig. 6.3
    walk = mt.samples.walk()
    assert not find_violations(walk, "*_tip.y >= -0.005; *_heel.y >= -0.005")
    sunk = walk.with_(root=walk.root - [0.0, 0.05, 0.0])
    found = find_violations(sunk, "*_tip.y >= -0.005; *_heel.y >= -0.005")
    assert len({v.where for v in found}) == 4
    assert max(v.amount for v in found) == pytest.approx(0.045, abs=0.005)
    assert not find_violations(sunk, "use walking")  # a base asks for the ground that the take has


def test_sway_loses_the_floor_that_it_never_leaves():  # fig. 6.4
    sway = mt.samples.sway()
    rules = "lock left_ball within 2 cm\nlock right_ball within 2 cm"
    assert not find_violations(sway, rules)
    assert worst(louder(sway, low=1.6), rules) > 0.15


def test_shot_put_lifts_the_right_foot():  # fig. 6.5 and 6.6
    put = mt.samples.shot_put()
    big = louder(put, low=1.6, middle=1.6)
    conditional, part = (
        "when shot.x <= hips.x: lock right_ball within 3 cm",
        "lock right_ball within 3 cm frames 0..100",
    )
    assert not find_violations(put, conditional)
    assert not find_violations(put, part)
    first, *_ = find_violations(big, conditional)
    (segment,) = find_violations(big, part)
    # both ask for the same foot at the same time (fig. 6.6 b and c)
    assert first.frame == segment.frame
    assert first.amount == pytest.approx(segment.amount)
    # asking for all of it would hold the foot down where it is meant to lift
    (everywhere,) = find_violations(big, "lock right_ball within 3 cm")
    assert everywhere.end == len(big) - 1


def test_masked_orientation_stays_as_it_was():  # fig. 6.7
    swing = mt.samples.golf_swing()
    rules = "orientation(hips, y) <= 90 deg and orientation(hips, y) >= -50 deg"
    assert not find_violations(swing, rules)
    assert worst(louder(swing, "all", low=1.8), rules) > 15
    assert not find_violations(louder(swing, "body", low=1.8), rules)


@pytest.mark.parametrize("name", ["walk", "knock", "wave", "drink", "sway"])
def test_the_walking_base_fits_takes_that_walk_or_stand(name):
    assert not find_violations(mt.samples.make(name), "use walking")


def test_bases_find_what_a_take_is_not():
    jump = {v.label for v in find_violations(mt.samples.jump(), "use walking")}
    assert jump == {"right foot down while left is up", "left foot down while right is up"}
    assert "left foot down" in {v.label for v in find_violations(mt.samples.walk(), "use standing")}
    assert "hips low" in {v.label for v in find_violations(mt.samples.walk(), "use sitting")}


def test_bases_fit_every_character():
    for character in mt.samples.characters():
        still = mt.Motion.at_rest(mt.samples.character(character), frames=3)
        for base in ("walking", "standing", "sitting"):
            find_violations(still, f"use {base}")
