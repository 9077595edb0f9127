"""The formats there are. A new one is a module that reads or writes, and one entry in FORMATS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ..errors import FileError, suggest


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file. Functions are named, `module:function`, and imported when they are needed.

    A reader is called as `read(path, *, unit, up, strict, progress, **options)` and returns a
    Motion; a writer as `write(motion, path, *, unit, up, progress, **options)` and returns what
    it had to change, in words; an inspector as `inspect(path, *, unit, up, strict)` and returns a
    Summary, without compiled code and without reading more than it must.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    reader: str = ""
    writer: str = ""
    inspector: str = ""

    def function(self, kind: str) -> Callable[..., Any]:
        """The reader, writer or inspector."""
        module, _, name = getattr(self, kind).partition(":")
        found: Callable[..., Any] = getattr(import_module(module, __package__), name)
        return found


FORMATS: tuple[Format, ...] = (
    Format(
        name="bvh",
        title="Biovision hierarchy",
        extensions=(".bvh",),
        reader=".bvh:read_bvh",
        writer=".bvh:write_bvh",
        inspector=".bvh:inspect_bvh",
    ),
)


def format_of(path: Path, kind: str) -> Format:
    """The format of a file by its extension, among those that can be read, written or inspected."""
    able = [f for f in FORMATS if getattr(f, kind)]
    extension = path.suffix.lower()
    for found in able:
        if extension in found.extensions:
            return found
    known = [e for f in able for e in f.extensions]
    near = suggest(extension, known) if extension else ()
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    given = f"but is {extension!r}" if extension else "but there is none"
    if any(extension in f.extensions for f in FORMATS):
        what = {"reader": "read", "writer": "written", "inspector": "inspected"}[kind]
        given = f"and {extension} files cannot be {what}"
    raise FileError(f"the extension must be one of {', '.join(known)}, {given}{hint}", path=path)
