"""The formats there are. A new one is a module that reads or writes, and one entry in FORMATS.

An entry names the options that its functions take beyond those that all have (`unit`, `up` and
`strict`); `_asked.py` holds those that several share. That one place teaches Python's `load` and
`save`, the command line and its help.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ..errors import FileError, suggest
from ._asked import (
    ANGLES,
    BODY,
    BODY_MODEL,
    CLIP,
    DECIMALS,
    FRAME_RATE,
    QUATERNION,
    SKELETON,
    WRITTEN_ANGLES,
    WRITTEN_QUATERNION,
    WRITTEN_SKELETON,
    Asked,
)
from ._open import open_file, what_it_is


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
    reading: tuple[Asked, ...] = ()
    """What the reader and the inspector can be told."""
    writing: tuple[Asked, ...] = ()
    """What the writer can be told."""
    is_take: bool = True
    """Whether such a file counts where a folder stands for its takes; a skeleton alone does not."""

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
        writing=(DECIMALS,),
    ),
    Format(
        name="amc",
        title="Acclaim motion",
        extensions=(".amc",),
        reader=".acclaim:read_amc",
        writer=".acclaim:write_amc",
        inspector=".acclaim:inspect_amc",
        reading=(FRAME_RATE, SKELETON),
        writing=(DECIMALS, WRITTEN_ANGLES, WRITTEN_SKELETON),
    ),
    Format(
        name="asf",
        title="Acclaim skeleton",
        extensions=(".asf",),
        reader=".acclaim:read_asf",
        writer=".acclaim:write_asf",
        inspector=".acclaim:inspect_asf",
        writing=(WRITTEN_ANGLES,),
        is_take=False,
    ),
    Format(
        name="npz",
        title="NumPy arrays",
        extensions=(".npz",),
        reader=".npz:read_npz",
        writer=".npz:write_npz",
        inspector=".npz:inspect_npz",
        reading=(FRAME_RATE, BODY_MODEL),
    ),
    Format(
        name="csv",
        title="Robot motion",
        extensions=(".csv",),
        reader=".robot_csv:read_csv",
        writer=".robot_csv:write_csv",
        inspector=".robot_csv:inspect_csv",
        reading=(FRAME_RATE, SKELETON, QUATERNION, ANGLES),
        writing=(DECIMALS, WRITTEN_ANGLES, WRITTEN_QUATERNION),
    ),
    Format(
        name="gltf",
        title="glTF 2.0",
        extensions=(".glb", ".gltf"),
        reader=".gltf:read_gltf",
        writer=".gltf:write_gltf",
        inspector=".gltf:inspect_gltf",
        reading=(FRAME_RATE, CLIP),
        writing=(BODY,),
    ),
    Format(
        name="vrm",
        title="VRM character",
        extensions=(".vrm",),
        reader=".gltf:read_gltf",
        writer=".gltf:write_gltf",
        inspector=".gltf:inspect_gltf",
        reading=(FRAME_RATE, CLIP),
        writing=(BODY,),
        is_take=False,
    ),
    Format(
        name="vrma",
        title="VRM animation",
        extensions=(".vrma",),
        reader=".gltf:read_gltf",
        writer=".gltf:write_vrma",
        inspector=".gltf:inspect_gltf",
        reading=(FRAME_RATE, CLIP),
    ),
    Format(
        name="fbx",
        title="FBX",
        extensions=(".fbx",),
        reader=".fbx:read_fbx",
        inspector=".fbx:inspect_fbx",
        reading=(CLIP, FRAME_RATE),
    ),
    Format(
        name="usd",
        title="Universal Scene Description",
        extensions=(".usd", ".usda", ".usdc", ".usdz"),
        reader=".usd:read_usd",
        writer=".usd:write_usd",
        inspector=".usd:inspect_usd",
        reading=(CLIP, FRAME_RATE),
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
    if kind != "writer":
        with open_file(path) as file:
            inside = what_it_is(file.read(4096))
        if inside is not None:
            raise FileError(f"is {inside}", path=path)
    raise FileError(f"the extension must be one of {', '.join(known)}, {given}{hint}", path=path)


def options_of(kind: str) -> dict[str, tuple[Asked, tuple[str, ...]]]:
    """Every option of `reading` or `writing` by its name, with the extensions of those that take it."""
    found: dict[str, tuple[Asked, tuple[str, ...]]] = {}
    for form in FORMATS:
        for option in getattr(form, kind):
            _, extensions = found.get(option.name, (option, ()))
            found[option.name] = (option, (*extensions, *form.extensions))
    return found
