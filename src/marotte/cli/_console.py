"""Printing: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


def say(text: str) -> None:
    """A line about what is going on; never part of a result."""
    print(text, file=sys.stderr)


def note(text: str) -> None:
    """Something that was guessed or mended."""
    print(f"note: {text}", file=sys.stderr)


def complain(text: str) -> None:
    """What went wrong."""
    print(f"marotte: {text}", file=sys.stderr)


def print_json(value: Any) -> None:
    """A result for a script."""
    print(json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False))


def print_table(
    headers: list[str], rows: list[list[str]], *, right: tuple[int, ...] = (), indent: int = 0
) -> None:
    """Columns as wide as they need to be; `right` are aligned to the right. Empty columns are left out."""
    filled = [i for i in range(len(headers)) if any(row[i] for row in rows)]
    right = tuple(n for n, i in enumerate(filled) if i in right)
    headers, rows = [headers[i] for i in filled], [[row[i] for i in filled] for row in rows]
    widths = [max(len(r[i]) for r in [headers, *rows]) for i in range(len(headers))]
    for row in [headers, ["─" * w for w in widths], *rows]:
        cells = (
            cell.rjust(w) if i in right else cell.ljust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        print(" " * indent + "  ".join(cells).rstrip())


@contextmanager
def progress(title: str) -> Iterator[Callable[[float, str], None]]:
    """A bar on standard error that appears only where a person can see it, and only when it takes long."""
    if not sys.stderr.isatty():
        yield lambda share, word: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %  {task.fields[word]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(title, total=1.0, word="")
        yield lambda share, word: bar.update(task, completed=share, word=word)
