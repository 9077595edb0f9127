"""The TypeScript that the front end is typed with says what the Python models say."""

from __future__ import annotations

import sys
import types
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from tools import generate_protocol

SOURCE = '''"""What is told."""
from typing import Literal
from pydantic import BaseModel, Field

VERSION = 3
Vec3 = tuple[float, float, float]

class _Base(BaseModel):
    shared: int

class Inner(_Base):
    """One thing."""
    kind: Literal["a", "b"]
    at: Vec3 = Field(description="Where, metres.")

class Outer(_Base):
    """Many things.

    In a list.
    """
    inner: list[Inner]
    maybe: Inner | None = Field(default=None, description="Ends */ early.")
    choices: list[int | None]
    table: dict[str, Vec3]
    names: tuple[str, ...]
'''

EXPECTED = """// Generated from src/told.py by tools/generate_protocol.py.
// Change the models, then run `make format`.

/** What is told. */

export const VERSION = 3;

export type Vec3 = [number, number, number];

/** One thing. */
export interface Inner {
  shared: number;
  kind: "a" | "b";
  /** Where, metres. */
  at: Vec3;
}

/**
 * Many things.
 *
 * In a list.
 */
export interface Outer {
  shared: number;
  inner: Inner[];
  /** Ends * / early. */
  maybe: Inner | null;
  choices: (number | null)[];
  table: Record<string, Vec3>;
  names: string[];
}
"""


@pytest.fixture
def told(monkeypatch):
    module = types.ModuleType("told")
    monkeypatch.setitem(sys.modules, "told", module)
    exec(SOURCE, vars(module))
    return module


def test_every_kind_of_field_has_its_counterpart(told):
    assert generate_protocol.render([told]) == EXPECTED


def test_a_name_that_two_modules_share_is_written_once(told):
    other = types.ModuleType("other")
    vars(other)["Vec3"] = told.Vec3
    assert generate_protocol.render([told, other]).count("type Vec3") == 1


def test_what_cannot_be_translated_names_model_and_field():
    module = types.ModuleType(__name__)

    class Odd(BaseModel):
        blob: bytes = Field(description="Raw.")

    Odd.__module__ = module.__name__
    vars(module)["Odd"] = Odd
    with pytest.raises(generate_protocol.CannotTranslate, match=r"Odd\.blob: no TypeScript for .*bytes"):
        generate_protocol.render([module])


def test_literals_are_quoted_as_in_typescript():
    assert generate_protocol.typescript_type(Literal["it's", 2, True], {}) == '"it\'s" | 2 | true'


def test_check_tells_missing_old_and_current_apart(tmp_path, capsys):
    target = tmp_path / "protocol.ts"
    assert generate_protocol.main(["--check"], target=target) == 1
    assert "protocol.ts is missing" in capsys.readouterr().err

    assert generate_protocol.main([], target=target) == 0
    assert generate_protocol.main(["--check"], target=target) == 0

    target.write_text(target.read_text() + "export type Extra = number;\n")
    assert generate_protocol.main(["--check"], target=target) == 1
    assert "run `make format`" in capsys.readouterr().err
