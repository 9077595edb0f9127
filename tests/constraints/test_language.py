"""The rule language: what is read is what was meant, and mistakes are shown where they are."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte.constraints import (
    Angle,
    Comparison,
    Distance,
    Extremum,
    LinearRule,
    LockRule,
    NonlinearRule,
    Orientation,
    Path,
    PathKey,
    Place,
    Position,
    load_rules,
    parse_rule,
    parse_rules,
    rule_text,
    rule_to_data,
    rules_from_data,
    rules_json,
    rules_text,
)
from marotte.errors import FileError, InputError, MarotteError, RuleError

from .strategies import rules

TOES = Position(point=Place(joint="left_toes"), axis="y")
KNEE = Angle(joint="LeftLeg", axis="x")
CUP, MOUTH = Place(joint="right_hand", offset=(0, -0.19, 0)), Place(joint="head", offset=(0, -0.03, 0.1))


@given(rules, st.sampled_from(["plain", "paper"]))
def test_a_rule_reads_back_as_it_was_written(rule, syntax):
    text = rule_text(rule, syntax=syntax)
    assert parse_rule(text) == rule, text


@given(st.lists(rules, max_size=4), st.sampled_from(["plain", "paper"]))
def test_a_file_of_rules_reads_back(many, syntax):
    assert parse_rules(rules_text(many, syntax=syntax)) == tuple(many)


@given(rules)
def test_a_rule_survives_plain_data(rule):
    data = json.loads(json.dumps(rule_to_data(rule)))
    assert rules_from_data([data]) == (rule,)


PIECES = [
    "when", "lock", "\n", "a.y", ">=", "1", "2 m", "(", ")", ",", "-->", "null", "and", "local_min", "at",
    "(ABOVE_GIVEN, CMP_POS, (a, y), 0)", "distance(a, b)", "frames", "..", ":", "rule 'x':", "within",
    "path", "noise", "*", "+", "-", "angle(a, x)", "(30, x)", "90 deg", "'q'", "use walking", ";",
    "with turn", ".xz", "# c",
]  # fmt: skip


@given(st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join)))
def test_no_text_breaks_the_reader(text):
    with contextlib.suppress(MarotteError):
        parse_rules(text)


@given(st.recursive(st.one_of(st.none(), st.integers(), st.text(max_size=5)), st.lists, max_leaves=5))
def test_no_data_breaks_the_reader(data):
    for tried in (data, {"kind": data}, {"kind": "lock", "point": data}, {"kind": "nonlinear", "when": data}):
        with contextlib.suppress(MarotteError):
            rules_from_data(tried)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            "left_toes.y >= 0.005",
            NonlinearRule(body=Comparison(type="ABOVE_GIVEN", data=TOES, given_value=0.005)),
        ),
        (
            "2 mm < left_toes.y within 1cm frames 10..40",
            NonlinearRule(
                body=Comparison(type="ABOVE_GIVEN", data=TOES, given_value=0.002, ignored_error=0.01),
                frames=(10, 40),
            ),
        ),
        (
            "null --> (ABOVE_GIVEN, CMP_POS, (LeftToeBase, (0, 0, 0), y), 0.005, 0.0)",
            NonlinearRule(
                body=Comparison(
                    type="ABOVE_GIVEN",
                    data=Position(point=Place(joint="LeftToeBase"), axis="y"),
                    ignored_error=0.005,
                )
            ),
        ),
        ("LeftLeg.x < 150", LinearRule(angle=KNEE, compare="<", constant=150)),
        ("(LeftLeg, X) < 150.0", LinearRule(angle=KNEE, compare="<", constant=150)),
        ("angle(LeftLeg, x) <= 2.6179938779914944 rad", LinearRule(angle=KNEE, compare="<", constant=150)),
        (
            "(30, x) < (2 * (31, y))",
            LinearRule(
                angle=Angle(joint=30, axis="x"), compare="<", coefficient=2, other=Angle(joint=31, axis="y")
            ),
        ),
        (
            "(30, x) < (31, y) + 20.0",
            LinearRule(
                angle=Angle(joint=30, axis="x"), compare="<", other=Angle(joint=31, axis="y"), constant=20
            ),
        ),
        (
            "always: LeftLeg.x < 150",
            NonlinearRule(body=Comparison(type="BELOW_GIVEN", data=KNEE, given_value=150)),
        ),
        (
            """
            when local_min distance(right_hand + (0,-0.19,0), head) noise 6:
                right_hand - (0, 0.19, 0) at head + (0, -0.03, 0.1)  # the cup
            """,
            NonlinearRule(
                when=(
                    Extremum(
                        type="LOCAL_MIN", data=Distance(point=CUP, to=Place(joint="head")), noise_width=6
                    ),
                ),
                body=Comparison(type="EQUAL_GIVEN", data=Distance(point=CUP, to=MOUTH)),
            ),
        ),
        (
            "orientation(left_foot, x) < orientation('right foot', x) + 5 deg",
            NonlinearRule(
                body=Comparison(
                    type="BELOW_ANOTHER",
                    data=Orientation(joint="left_foot", axis="x"),
                    reference=Orientation(joint="right foot", axis="x"),
                    given_value=5,
                )
            ),
        ),
        ("lock left_foot.xz", LockRule(point=Place(joint="left_foot"), axes="xz")),
        (
            """
            rule "hand on rail": when left_toes.y < 0.1:
                lock joint(3) at path 0 (0, 1, 0), 9 (0, 1, 1) with turn within 2 cm within 3 deg
            """,
            LockRule(
                name="hand on rail",
                when=(Comparison(type="BELOW_GIVEN", data=TOES, given_value=0.1),),
                point=Place(joint=3),
                to=Path(keys=(PathKey(frame=0, at=(0, 1, 0)), PathKey(frame=9, at=(0, 1, 1)))),
                turn=True,
                ignored_error=0.02,
                ignored_turn=3,
            ),
        ),
        (
            """
            ('LOCAL MAXIMUM', 'CMP_POS', ('left_toes', 'y'), 0.0, 6)
            AND (EQUAL_GIVEN,CMP_ANGLE,(LeftLeg,X),1,2)
            -->(BELOW-ANOTHER, CMP_POS, (left_toes, y), (-1, (0, 0.5, 0), y), 0)
            """,
            NonlinearRule(
                when=(
                    Extremum(type="LOCAL_MAX", data=TOES, noise_width=6),
                    Comparison(type="EQUAL_GIVEN", data=KNEE, ignored_error=1, given_value=2),
                ),
                body=Comparison(
                    type="BELOW_ANOTHER",
                    data=TOES,
                    reference=Position(point=Place(offset=(0, 0.5, 0)), axis="y"),
                ),
            ),
        ),
    ],
)
def test_both_syntaxes_say_the_same_models(text, rule):
    assert parse_rule(text) == rule


def test_one_line_can_say_two_rules():
    low, high = parse_rules("0 <= LeftLeg.x <= 150 deg")
    assert (low, high) == parse_rules("LeftLeg.x >= 0 deg\nLeftLeg.x <= 150 deg")
    both = parse_rules("when left_toes.y < 0.1: a.y > 0 and b.y > 0")
    assert both == parse_rules("when left_toes.y < 0.1: a.y > 0; when left_toes.y < 0.1: b.y > 0")


def test_a_bare_number_is_metres_or_degrees_by_its_size():
    assert isinstance(parse_rule("a.x < 2.5"), NonlinearRule)
    assert isinstance(parse_rule("a.x < 45"), LinearRule)
    assert isinstance(parse_rule("a.x < 45 m"), NonlinearRule)
    assert isinstance(parse_rule("a.x < 2 deg"), LinearRule)
    with pytest.raises(RuleError, match="say 10 m for a place or 10 deg for a joint's angle"):
        parse_rule("a.x < 10")


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("left_toe.y >=", 1, 14, "expected a name, a number, .*the text ends"),
        ("a.y > 0\n\n  whn b.y > 0: c.y > 0", 3, 7, "did you mean 'when' by 'whn'"),
        ("a.y > 1 frams 1..2", 1, 9, "did you mean 'frames' by 'frams'"),
        ("(ABOVE_GIVN, CMP_POS, (a, y), 0)", 1, 14, "did you mean 'above_given' by 'ABOVE_GIVN'"),
        ("(ABOVE_GIVEN, CMP_PS, (a, y), 0)", 1, 15, "did you mean 'CMP_POS' by 'CMP_PS'"),
        ("(ABOVE_GIVEN, CMP_POS, (a, q), 0)", 1, 28, "an axis must be x, y or z, but is 'q'"),
        ("(ABOVE_GIVEN, CMP_POS, (a, (0, 0, 0)), 0)", 1, 24, "data of a position needs an axis"),
        ("(ABOVE_GIVEN, CMP_ANGLE, (a, (0, 0, 0), x), 0)", 1, 26, "data of an angle has no offset"),
        ("(ABOVE_GIVEN, CMP_DISTANCE, (a), (b, x), 0)", 1, 34, "data of a distance has no axis"),
        ("(ABOVE_ANOTHER, CMP_POS, (a, y), 0)", 1, 1, "ABOVE_ANOTHER of CMP_POS has 2 data.*but has 1"),
        ("(ABOVE_GIVEN, CMP_POS, (a, y), 0, 1, 2)", 1, 1, "ignored_error and, if wanted, given_value"),
        ("(ABOVE_GIVEN, CMP_POS, (-1, (0, 1, 0), y), 0)", 1, 1, "must be on a joint"),
        ("LOCAL MAXIMUM", 1, 14, "but the text ends"),
        ("null --> (LOCAL_MIN, CMP_POS, (a, y), 0)", 1, 10, "LOCAL_MIN can only be a condition"),
        ("when lock a: b.y > 0", 1, 6, "lock is what must hold"),
        ("distance(a, b) < 30 deg", 1, 1, "metres and degrees cannot be compared"),
        ("distance(a, b) < b.y", 1, 1, "these are distance and position"),
        ("1 < 2", 1, 1, "both are numbers"),
        ("0 <= a.y >= 1", 1, 1, "must point the same way"),
        ("a.y > 0 noise 5", 1, 9, "noise belongs to local_min"),
        ("lock left_foot with trun", 1, 21, "expected turn"),
        ("a.yy > 0", 1, 2, "needs one axis"),
        ("a.y > 'abc", 1, 7, "must end on its line"),
        ("a.y > {0}", 1, 7, "round brackets"),
        ("a.y > 0 frames 9..3", 1, 1, "must not come before the first"),
        ("lock a.xz at path 9 (0, 1, 0), 3 (0, 1, 0)", 1, 14, "each at a later frame"),
        ("use walkin", 1, 5, "did you mean 'walking'"),
        ("(" * 30, 1, 21, "must not stand more than 20 deep"),
        ("a.y > 1e400", 1, 7, "too large a number"),
    ],
)
def test_mistakes_are_shown_where_they_are(text, line, column, message):
    with pytest.raises(RuleError, match=message) as caught:
        parse_rules(text, path="feet.rules")
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).startswith(f"feet.rules:{line}:{column}: ")


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing here", " ;; \n ; "])
def test_a_text_without_rules_has_none(text):
    assert parse_rules(text) == ()


def test_line_ends_of_every_system_are_read():
    assert len(parse_rules("a.y > 0\r\nb.y > 0\rc.y > 0\n")) == 3


def test_a_file_is_text_or_data_by_its_extension(tmp_path):
    wanted = parse_rules("LeftLeg.x < 150; when local_min left_foot.y: lock left_foot")
    (tmp_path / "a.rules").write_text(rules_text(wanted))
    (tmp_path / "b.json").write_text(rules_json(wanted))
    (tmp_path / "c.yaml").write_text(
        "rules:\n- LeftLeg.x < 150\n- {kind: lock, point: {joint: left_foot}, "
        "when: [{type: LOCAL_MIN, data: {kind: position, point: {joint: left_foot}, axis: y}}]}\n"
    )
    for name in ("a.rules", "b.json", "c.yaml"):
        assert load_rules(tmp_path / name) == wanted


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.rules", b"a.y > 0\nb.y >\n", r"a\.rules:2:"),
        ("a.rules", b"a.y > \xff", "UTF-8"),
        ("a.yaml", b"rules: [", "not valid YAML"),
        ("a.yaml", b"- {kind: nonlinear, body: {type: ABOVE_GIVEN}}", "data must be given"),
        ("a.yaml", b"- {kind: lok}", "did you mean 'lock'"),
        ("a.json", b'[{"kind": "lock", "point": {"joint": "a"}, "axis": "x"}]', "did you mean 'axes'"),
        ("a.json", b"[1]", "must be a text or a map"),
    ],
)
def test_broken_files_say_what_is_wrong(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match=message):
        load_rules(tmp_path / name)


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(FileError, match=r"no\.rules: cannot be read"):
        load_rules(tmp_path / "no.rules")
    with pytest.raises(InputError, match="must say one rule, but says 2"):
        parse_rule("a.y > 0; b.y > 0")
