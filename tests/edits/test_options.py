"""Option models: mistakes in options must be answered with what to write instead."""

from __future__ import annotations

from typing import Any

import pytest

from marotte._options import Options, describe, option
from marotte.edits import EDITS, Crop, Loop, Resample
from marotte.errors import InputError

TYPO: dict[str, Any] = {"strat": 1}


@pytest.mark.parametrize("op", EDITS)
def test_every_option_is_explained(op):
    """Help, forms and the reference page are made from this; an empty text would show everywhere."""
    edit = EDITS[op]
    assert edit.op == op
    assert edit.summary
    assert not edit.summary.endswith(".")
    assert edit.__doc__
    for info in describe(edit):
        assert len(info.effect) > 10, info.name
        assert (
            info.required
            or info.choices
            or info.unit
            or info.annotation is bool
            or info.kind in ("file", "take")
            or info.default is not None
        )
        assert info.example is not None, info.name
        edit.model_validate({**_required(edit), info.name: info.example})  # examples are valid


def _required(edit):
    return {i.name: i.example for i in describe(edit) if i.required}


def test_descriptions_say_range_and_choices():
    by_name = {i.name: i for i in describe(Loop)}
    assert by_name["times"].range == "at least 1, at most 1000"
    assert by_name["times"].kind == "whole number"
    assert by_name["root"].choices == ("travel", "return")
    assert by_name["blend"].harm
    rate = next(describe(Resample))
    assert rate.required
    assert rate.range == "above 0, at most 10000"
    assert next(i for i in describe(Crop) if i.name == "end").kind == "whole number"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Crop(**TYPO), "unknown option 'strat'; did you mean 'start'"),
        (lambda: Crop(start="x"), "start should be a valid integer.*'x'"),
        (lambda: Resample(), "rate must be given"),
        (lambda: Resample(rate=0), "rate should be greater than 0, but is 0"),
        (lambda: Resample(rate=float("nan")), "rate should be a finite number"),
        (lambda: Loop(root="home"), "'travel' or 'return', but is 'home'"),
        (lambda: Loop(times=0, blend=-1), "times should.*; blend should"),
    ],
)
def test_mistakes_say_what_to_write(make, words):
    with pytest.raises(InputError, match=words):
        make()


def test_options_are_values():
    assert Crop(start=3) == Crop(start=3)
    assert hash(Crop(start=3)) == hash(Crop(start=3))
    assert Crop(start=3, end=None).changed() == {"start": 3}
    with pytest.raises(ValueError, match="frozen"):
        setattr(Crop(start=3), "start", 4)  # noqa: B010  a plain assignment is refused by types already


def test_read_gives_all_mistakes_with_their_places():
    edit, mistakes = Loop.read({"times": "many", "bend": 1})
    assert edit is None
    assert [place for place, _ in mistakes] == [("times",), ("bend",)]
    edit, mistakes = Loop.read({"times": 2})
    assert edit == Loop(times=2)
    assert mistakes == []


def test_kinds_of_lists_and_maps():
    class Odd(Options):
        gains: list[float] = option([1.0], "gains per band", example=[1, 2])
        point: tuple[float, float, float] = option((0, 0, 0), "a place in the world", unit="m")
        keys: dict[str, float] = option({}, "values by name")
        either: float | str = option(1.0, "a number or a name")

    assert [i.kind for i in describe(Odd)] == ["numbers", "3 numbers", "map", "number or text"]
