"""Everything that Marotte raises on purpose.

MarotteError
├── InputError            an argument or option is wrong: what must hold, what was given
│   └── UnknownNameError  a joint, role, part, edit, … that does not exist; suggests near names
├── FileError             a file cannot be used: path, line, column
│   ├── RecipeError       a recipe cannot be used: line and field
│   └── RuleError         a rule of motion cannot be read: line, column, and what was expected there
├── UnmetRulesError       rules that a take cannot be made to keep: each with what it is missed by
└── MissingPartError      something optional is not installed or not built; says how to get it

Every message says what must hold, what was given and what to try. `str(error)` is ready to be
shown to a person; tracebacks are for bugs.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class MarotteError(Exception):
    """Base of all errors that are raised on purpose."""


class InputError(MarotteError, ValueError):
    """An argument or an option is wrong."""


class UnknownNameError(InputError, LookupError):
    """A name that does not exist, with the names that do."""

    def __init__(self, kind: str, given: str, known: Iterable[str], hint: str = "") -> None:
        self.kind = kind
        self.given = given
        self.known = tuple(known)
        self.near = suggest(given, self.known)
        text = f"unknown {kind} {given!r}"
        if self.near:
            text += f"; did you mean {' or '.join(repr(n) for n in self.near)}?"
        elif self.known:
            shown = ", ".join(self.known[:12])
            more = f", … ({len(self.known)} in all)" if len(self.known) > 12 else ""
            text += f"; there are: {shown}{more}"
        super().__init__(f"{text} {hint}".rstrip())


class FileError(MarotteError):
    """A file that cannot be used, and where in it the trouble is."""

    def __init__(
        self, message: str, *, path: str | Path, line: int | None = None, column: int | None = None
    ) -> None:
        self.message = message
        self.path = str(path)
        self.line = line
        self.column = column
        place = self.path
        if line is not None:
            place += f":{line}"
            if column is not None:
                place += f":{column}"
        super().__init__(f"{place}: {message}")


class RecipeError(FileError):
    """A recipe that cannot be used: file, line, and the field in the message."""


class RuleError(FileError):
    """A rule that cannot be read: line, column, and what was expected there."""


class UnmetRulesError(MarotteError):
    """Rules that cannot all hold; the message names them, and what each is missed by."""


class MissingPartError(MarotteError):
    """Something optional that is not there; the message says how to get it."""


def suggest(given: str, known: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Names near to the given one, nearest first; case does not count."""
    by_lower: dict[str, str] = {}
    for name in known:
        by_lower.setdefault(name.lower(), name)
    found = difflib.get_close_matches(given.lower(), by_lower, n=most, cutoff=0.6)
    return tuple(by_lower[name] for name in found)
