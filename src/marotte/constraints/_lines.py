"""Where a rule ends: newlines that are meant, and those that are not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lark import Token

DEEPEST = 20  # brackets inside brackets; rules need four
_GO_ON_AFTER = frozenset(
    ("_ARROW", "_AND", "_COLON", "_COMMA", "_STAR", "_AT", "_WITH", "_DOTS", "COMPARE", "SIGN", "PATH")
)
_GO_ON_BEFORE = frozenset(("_ARROW", "_AND"))


class TooDeep(Exception):
    """Brackets inside brackets inside brackets: the line and column of the one too many."""

    def __init__(self, line: int, column: int) -> None:
        super().__init__(line, column)
        self.line, self.column = line, column


class Lines:
    """Takes out newlines inside brackets, behind operators, and before `-->` and `and`."""

    always_accept = ("_END",)

    def process(self, stream: Iterable[Token]) -> Iterator[Token]:
        depth = 0
        before = ""
        ends: list[Token] = []
        for token in stream:
            if token.type == "_END":
                if (token == ";" and depth == 0) or (depth == 0 and before not in _GO_ON_AFTER):
                    ends.append(token)
                continue
            if token.type not in _GO_ON_BEFORE or any(end == ";" for end in ends):
                yield from ends
            ends = []
            if token.type == "_OPEN":
                depth += 1
                if depth > DEEPEST:
                    raise TooDeep(token.line or 1, token.column or 1)
            elif token.type == "_CLOSE":
                depth = max(0, depth - 1)
            before = token.type
            yield token
        yield from ends
