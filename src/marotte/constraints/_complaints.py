"""Mistakes in the text of a rule, told in words about rules."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from ..errors import RuleError, suggest

_WORDS = {
    "STRING": "a name",
    "NAME": "a name",
    "NUMBER": "a number",
    "TYPE": "a unit type such as ABOVE_GIVEN or local_min",
    "DATA": "a data type such as CMP_POS",
    "AXES": "an axis such as .y",
    "COMPARE": "a comparison such as >=",
    "SIGN": "'+' or '-'",
    "_ARROW": "'-->'",
    "_DOTS": "'..'",
    "_COLON": "':'",
    "_COMMA": "','",
    "_STAR": "'*'",
    "_OPEN": "'('",
    "_CLOSE": "')'",
    "_END": "the end of the rule",
    "$END": "the end of the rule",
    "RULE": "rule",
    "FRAMES": "frames",
    "WHEN": "when",
    "ALWAYS": "always",
    "USE": "use",
    "NULL": "null",
    "WITHIN": "within",
    "NOISE": "noise",
    "ANGLE": "angle(",
    "ORIENTATION": "orientation(",
    "POSITION": "position(",
    "DISTANCE": "distance(",
    "LOCK": "lock",
    "PATH": "path",
    "TURN": "turn",
    "JOINT": "joint(",
    "_AND": "and",
    "_AT": "at",
    "_WITH": "with",
}
_TYPES = tuple(
    f"{sign}_{with_}" for sign in ("above", "below", "equal") for with_ in ("given", "another")
) + tuple(f"{reach}_{end}" for reach in ("global", "local") for end in ("min", "max"))
_KEYWORDS = (
    *(w.rstrip("(") for w in dict.fromkeys(_WORDS.values()) if w.rstrip("(").isalpha()),
    *_TYPES, "CMP_ANGLE", "CMP_POS", "CMP_DISTANCE", "CMP_ORNT",
)  # fmt: skip
_SHOWN = 9  # more alternatives than a person wants to read


def complaint(problem: UnexpectedInput, text: str, path: str) -> RuleError:
    """A parser's error as ours."""
    if isinstance(problem, UnexpectedToken):
        token = problem.token
        if token.type == "$END":
            lines = text.rstrip().splitlines() or [""]
            return RuleError(
                f"expected {_any_of(problem.expected)}, but the text ends",
                path=path, line=len(lines), column=len(lines[-1]) + 1,
            )  # fmt: skip
        found = "the line ends" if token.type == "_END" and token != ";" else f"found {str(token)!r}"
        message = f"expected {_any_of(problem.expected)}, but {found}{_near(text, problem)}"
        return RuleError(message, path=path, line=token.line, column=token.column)
    if isinstance(problem, UnexpectedCharacters):
        at = problem.pos_in_stream or 0
        found = text[at : at + 1]
        hint = ""
        if found in "\"'":
            hint = "; a text in quotes must end on its line"
        elif found == ".":
            hint = "; an axis is .x, .y or .z, and names with dots stand in quotes"
        elif found == "{" or found == "[":
            hint = "; rules use round brackets"
        return RuleError(
            f"{found!r} cannot be read here{hint}", path=path, line=problem.line, column=problem.column
        )
    return RuleError("cannot be read", path=path)


def _any_of(expected: Iterable[str]) -> str:
    words = sorted({_WORDS.get(name, name.lower()) for name in expected}, key=_rank)
    if len(words) > _SHOWN:
        words = [*words[:_SHOWN], "…"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _rank(word: str) -> tuple[int, str]:
    """Kinds of things first, then signs, then words."""
    return (0 if word.startswith(("a ", "the ")) else 1 if word[0] == "'" else 2, word)


def _near(text: str, problem: UnexpectedToken) -> str:
    """A word of the language that may have been meant, here or by the word before."""
    before = re.search(r"([\w*?:]+)[\s,]*$", text[: problem.token.start_pos or 0])
    words = [str(problem.token)] if problem.token.type == "NAME" else []
    for word in [*words, *([before[1]] if before else [])]:
        if len(word) < 3:
            continue
        near = suggest(word, _KEYWORDS, most=1)
        if near and near[0].lower() != word.lower():
            return f"; did you mean {near[0]!r} by {word!r}?"
    return ""
