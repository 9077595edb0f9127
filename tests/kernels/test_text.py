"""Numbers to and from text: a wrong digit here would be a joint in the wrong place in every file."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from marotte import kernels
from tests.naive.text import blocks_of, rounded, split_glued, value_of

text = kernels.text

BLANKS = st.text(" \t\r\n\v\f", min_size=1, max_size=3)
SHORT = st.from_regex(
    r"[-+]?([0-9]{1,9}(\.[0-9]{0,6})?|\.[0-9]{1,9})([eE](-[0-9]|[+]?[0-2]))?", fullmatch=True
)
LONG = st.from_regex(
    r"[-+]?([0-9]{1,25}(\.[0-9]{0,25})?|\.[0-9]{1,40})([eE][-+]?[0-9]{1,2})?", fullmatch=True
)


def parse(data: bytes, columns: int = 1, room: int | None = None):
    """All values, and the state in which parsing ended."""
    state = np.zeros(text.STATE_SIZE, dtype=np.int64)
    values = np.full(len(data) + 1 if room is None else room, np.nan)
    text.parse_numbers(np.frombuffer(data, dtype=np.uint8), len(data), 0, columns, values, state)
    return values[: state[text.COUNT]].tolist(), state


def ulps(a: float, b: float) -> float:
    return abs(a - b) / math.ulp(b) if b else abs(a) / math.ulp(0.0)


@given(st.lists(SHORT, max_size=8), BLANKS)
@example(["5.", ".5", "+3", "-0.0", "1e-7", "007", "1E+05"], " ")
def test_numbers_of_few_digits_are_those_of_python(numbers, blank):
    values, state = parse(blank.join(numbers).encode())
    assert state[text.PROBLEM] == text.NOTHING
    assert values == [float(n) for n in numbers]


@given(LONG)
@example("0.014563697255502847")
@example("9007199254740993")
@example("179.99999999999999999999999999999999")
@example("0." + "0" * 60 + "123456789012345678")
def test_long_numbers_are_within_one_unit_in_the_last_place(number):
    values, state = parse(number.encode())
    exact = value_of(number)
    if abs(exact) > Fraction(text.ORDINARY):
        assert state[text.PROBLEM] in (text.HARD, text.NOTHING)
        return
    assert len(values) == 1
    assert ulps(values[0], float(exact)) <= 1


def test_doubles_written_in_full_come_back():
    numbers = np.random.default_rng(1).uniform(-1, 1, 20_000) * 10.0 ** np.arange(-8, 12).repeat(1000)
    values, _ = parse(" ".join(map(repr, numbers.tolist())).encode())
    far = np.abs(np.array(values) - numbers) / np.spacing(np.abs(numbers))
    assert far.max() <= 1
    assert (far > 0).mean() < 0.001  # one in thousands is rounded the other way


@given(st.lists(LONG, min_size=2, max_size=5))
def test_a_sign_right_after_a_number_begins_the_next(numbers):
    signed = [n if n[0] in "+-" else "-" + n for n in numbers]
    word = "".join(signed)
    assert split_glued(word) == signed
    apart, _ = parse(" ".join(signed).encode())
    together, state = parse(word.encode())
    assert together == apart
    if len(apart) == len(numbers):
        assert state[text.GLUED] == len(numbers) - 1
        assert state[text.GLUED_AT] == len(signed[0])


@pytest.mark.parametrize(
    "word",
    [
        "nan",
        "-inf",
        "1,5",
        "1.2.3",
        "e5",
        "1e",
        "1e+",
        "-",
        ".",
        "+-3",
        "1x",
        "0x10",
        "--1",
        "1.0D+02",
        "\xff",
    ],
)
def test_it_stops_at_what_is_no_number(word):
    values, state = parse(b"1.5 2 " + word.encode("latin-1") + b" 3")
    assert values == [1.5, 2.0]
    assert state[text.PROBLEM] == text.NOT_A_NUMBER
    assert state[text.AT] == 6


@pytest.mark.parametrize("word", ["1e300", "-1e-300", "1" + "0" * 400, "2e12", "0." + "0" * 400 + "1"])
def test_numbers_of_unusual_size_are_left_to_the_caller(word):
    values, state = parse(f"1 {word} 2".encode())
    assert values == [1.0]
    assert state[text.PROBLEM] == text.HARD
    assert state[text.AT] == 2


@given(st.lists(SHORT, min_size=1, max_size=12), st.integers(1, 5), st.integers(1, 40))
def test_chunks_and_small_rooms_give_the_same_as_all_at_once(numbers, room, cut):
    data = ("\n".join(numbers) + "\n").encode()
    whole, _ = parse(data)
    state = np.zeros(text.STATE_SIZE, dtype=np.int64)
    values, got = np.empty(room), []
    begin = 0
    while begin < len(data):
        stop = data.find(b"\n", min(begin + cut, len(data) - 1)) + 1
        chunk = np.frombuffer(data[begin:stop], dtype=np.uint8)
        state[text.AT] = 0
        while True:
            text.parse_numbers(chunk, len(chunk), begin, 1, values, state)
            got += values[: state[text.COUNT]].tolist()
            state[text.COUNT] = 0
            if state[text.PROBLEM] != text.FULL:
                break
        begin = stop
    assert got == whole


def test_comments_reach_to_the_end_of_their_line():
    values, _ = parse(b"# 1 2 3\n4 # 5\n 6\r#7\r8")
    assert values == [4.0, 6.0, 8.0]


@pytest.mark.parametrize(
    ("rows", "columns", "ragged"),
    [
        ("1 2 3\n4 5 6\n", 3, False),
        ("1 2\n3\n4 5\n6\n", 3, False),  # wrapped
        ("1 2 3 4 5 6\n", 3, False),  # several on one line
        ("1 2 3 4 5 6\n7 8 9\n", 3, False),
        ("1 2\n3 4 5\n6\n", 3, True),  # the first line is one short
        ("1 2 3 4\n5 6\n", 3, True),  # the first line is one too long
        ("1 2 3\n\n\n4 5 6\n", 3, False),
    ],
)
def test_lines_and_rows_out_of_step_are_noticed(rows, columns, ragged):
    _, state = parse(rows.encode(), columns)
    assert bool(state[text.RAGGED]) == ragged


def write(rows, decimals) -> str:
    values = np.array(rows, dtype=np.float64).reshape(len(rows), -1)
    out = np.zeros(values.size * 22 + len(values), dtype=np.uint8)
    length = text.format_rows(values, np.array(decimals, dtype=np.int64), out)
    return out[:length].tobytes().decode()


@given(st.floats(-4e5, 4e5), st.integers(0, 9))
@example(0.05, 0)
@example(-0.0, 3)
@example(-1e-9, 3)
@example(99999.99999999, 4)
@example(1e5, 0)
def test_written_numbers_are_rounded_and_short(value, places):
    got = write([[value]], [places])
    assert got.endswith("\n")
    want = rounded(value, places)
    if got[:-1] != want:  # all but a tie, which scaling by a power of ten rounds to the other side
        half = Fraction(1, 2) * Fraction(10) ** -places
        assert abs(Fraction(value) - value_of(got[:-1])) <= half + Fraction(math.ulp(value))
        assert got[:-1] == rounded(float(got), places)


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=6), st.integers(0, 12))
def test_written_rows_come_back(row, places):
    line = write([row, row], [places] * len(row))
    assert line.count("\n") == 2
    values, _ = parse(line.encode(), len(row))
    assert np.abs(np.array(values) - [*row, *row]).max() <= 0.5000001 * 10.0**-places + 1e-12


def test_columns_have_their_own_decimals():
    assert write([[1.23456, 1.23456, 1.23456], [1, 20, 0.5]], [0, 2, 4]) == "1 1.23 1.2346\n1 20 0.5\n"


def test_rows_without_columns_are_empty_lines():
    assert write(np.empty((3, 0)), []) == "\n\n\n"


GOOD_LINES = [["7"], ["root", "1", "2"], ["knee", "3"]]
WORD = st.sampled_from(["1", "22", "root", "roo", "roots", "knee", "-1.5", "1e3", "x"])


@given(
    st.lists(
        st.lists(WORD, max_size=3) | st.sampled_from([["7"], ["root", "1", "2"], ["knee", "3"]]), max_size=9
    ),
    BLANKS.map(lambda b: b.replace("\n", " ").replace("\r", " ")),
    st.booleans(),
)
@example([["1"], ["root", "1", "2"], ["knee", "3"]] * 2, " ", True)
@example([["1"], [], ["root", "1", "2"], ["knee", "3"]], " \t", False)
@example([["1"], ["root", "1", "2"]], " ", True)
@example([["1"], ["root", "1", "2"], ["knee"]], " ", True)
def test_names_are_blanked_where_every_line_is_as_it_has_to_be(lines, blank, ended):
    """A bone that stands elsewhere than in the first frame must not pass for another."""
    written = "\n".join(blank.join(words) for words in lines) + ("\n" if ended else "")
    letters = np.frombuffer(bytearray(written.encode()), dtype=np.uint8)
    names = np.frombuffer(b"rootknee", dtype=np.uint8)
    found = text.blank_names(letters, len(letters), names, np.array([4, 8]), np.array([2, 1]))
    assert found == blocks_of(lines, ["root", "knee"], [2, 1])
    if found >= 0:
        after = [word for words in lines for word in words if word not in ("root", "knee")]
        assert letters.tobytes().decode().split() == after


def test_letters_that_are_neither_words_nor_blanks_are_not_passed_over():
    letters = np.frombuffer(bytearray(b"1\nroot 1 \x01 2\n"), dtype=np.uint8)
    assert (
        text.blank_names(
            letters, len(letters), np.frombuffer(b"root", np.uint8), np.array([4]), np.array([2])
        )
        < 0
    )
