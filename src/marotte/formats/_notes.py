"""What a reader has to say about a file: what it mended, and what it guessed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

from ..errors import FileError

Progress = Callable[[float], None]
"""Is called with the share of the work that is done, from 0 to 1."""


class FileWarning(UserWarning):
    """A file is not as its format wants it, and was read all the same."""


class Notes:
    """Collects remarks on one file. A strict reader has no warnings, only errors."""

    def __init__(self, path: Path, *, strict: bool) -> None:
        self.path = path
        self.strict = strict
        self.warnings: list[str] = []
        self.guesses: list[str] = []

    def warn(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        """Something is odd, but its meaning is clear."""
        if self.strict:
            raise FileError(message, path=self.path, line=line, column=column)
        self.warnings.append(message if line is None else f"line {line}: {message}")

    def guess(self, message: str) -> None:
        """Something that the file does not say was settled."""
        self.guesses.append(message)

    def texts(self) -> tuple[str, ...]:
        """All remarks, the warnings first."""
        return (*self.warnings, *self.guesses)

    def publish(self, stacklevel: int = 2) -> None:
        """Raise the warnings as Python's own, so that a script hears of them."""
        for text in self.warnings:
            warnings.warn(f"{self.path}: {text}", FileWarning, stacklevel=stacklevel + 1)
