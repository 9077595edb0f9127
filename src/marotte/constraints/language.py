"""Rules as text: read, and written.

    rule "on the floor": left_toes.y >= 0.005 within 1 cm
    0 <= LeftLeg.x <= 150 deg
    when local_min distance(right_hand + (0, -0.19, 0), head):
        right_hand + (0, -0.19, 0) at head + (0, -0.03, 0.1)
    null --> (ABOVE_GIVEN, CMP_POS, (LeftToeBase, (0, 0, 0), y), 0.005, 0.0)

The last line is the thesis's own form. `docs/constraints.md` says what there is.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lark import Lark
from lark.exceptions import UnexpectedInput

from ..errors import InputError, RuleError
from ._complaints import complaint
from ._lines import DEEPEST, Lines, TooDeep
from ._meanings import Reader
from .rules import LinearRule, LockRule, NonlinearRule

AnyRule = LinearRule | NonlinearRule | LockRule
LARGEST_TEXT = 2**20  # characters; some ten thousand rules


def parse_rules(text: str, *, path: str | Path = "rules") -> tuple[AnyRule, ...]:
    """Every rule of a text, in its order; `path` is what mistakes name as their place.

    A line that says two things (`0 <= knee.x <= 150`, bodies joined by `and`) gives two rules.
    """
    if not isinstance(text, str):
        raise InputError(f"rules must be text, but are {type(text).__name__}")
    where = str(path)
    if len(text) > LARGEST_TEXT:
        raise RuleError(f"must be shorter than {LARGEST_TEXT} characters", path=where)
    if "\x00" in text:
        raise RuleError("must be text, but holds a zero byte", path=where)
    try:
        tree = _parser().parse(text)
    except UnexpectedInput as problem:
        raise complaint(problem, text, where) from None
    except TooDeep as place:
        raise RuleError(
            f"brackets must not stand more than {DEEPEST} deep",
            path=where, line=place.line, column=place.column,
        ) from None  # fmt: skip
    return tuple(Reader(where).rules(tree))


def parse_rule(text: str) -> AnyRule:
    """The one rule that a text says."""
    rules = parse_rules(text)
    if len(rules) != 1:
        raise InputError(f"must say one rule, but says {len(rules)}: {text.strip()!r}")
    return rules[0]


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(
        grammar, parser="lalr", lexer="basic", postlex=Lines(), propagate_positions=True,
        maybe_placeholders=True,
    )  # fmt: skip
