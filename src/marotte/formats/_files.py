"""Load, save and inspect by extension."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import FileError, suggest
from ..figure import Motion
from ._asked import chosen
from ._contacts_file import with_contacts_beside
from ._notes import Progress
from ._presets import RigOf, settled_rig, with_settled_rig
from ._registry import format_of
from ._summary import Summary


def load(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    rig: RigOf | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Motion:
    """The motion in a file of any format that can be read.

    `unit` is the file's unit of length (`cm`, `inch`, …, or metres in one unit) and `up` its axis
    that points up (`y`, `z`, `-z`, …), for formats that do not say; both are guessed where left
    out. `strict` makes an error of everything that is odd about the file, which else is mended
    with a FileWarning where its meaning is clear. `progress` is called with the share done.
    Further options are the format's own (`FORMATS` and docs/formats.md name them).

    `rig` says what joints mean: a map of roles and joints, a rig file, or the name of a preset. Left
    out, a file `walk.rig.yaml` beside `walk.bvh` says so, or a preset for such joints (docs/rigs.md).
    A file `walk.contacts.yaml` beside it says when feet and hands rest (docs/contacts.md).
    """
    path = _existing(path)
    form = format_of(path, "reader")
    told = chosen(form.reading, options, form.name)
    motion: Motion = form.function("reader")(path, unit=unit, up=up, strict=strict, progress=progress, **told)
    return with_contacts_beside(with_settled_rig(motion, path, rig), path, strict)


def save(
    motion: Motion,
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> tuple[str, ...]:
    """Write a motion in the format that the extension names, whole or not at all.

    Returns what had to be changed to fit the format, in words; nothing for most motions. `unit`
    and `up` are those of the file that the motion came from where left out.
    """
    path = Path(path)
    form = format_of(path, "writer")
    told = chosen(form.writing, options, form.name)
    changes: tuple[str, ...] = form.function("writer")(
        motion, path, unit=unit, up=up, progress=progress, **told
    )
    return changes


def inspect(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    rig: RigOf | None = None,
    **options: Any,
) -> Summary:
    """What is in a file: skeleton, rig, frames, rate, unit. Quick, whatever the file's size.

    The options are those of `load`.
    """
    path = _existing(path)
    form = format_of(path, "inspector")
    told = chosen(form.reading, options, form.name)
    summary: Summary = form.function("inspector")(path, unit=unit, up=up, strict=strict, **told)
    settled = settled_rig(summary.rig, summary.skeleton, path, rig)
    return summary if settled is summary.rig else replace(summary, rig=settled)


def _existing(path: str | os.PathLike[str]) -> Path:
    path = Path(path)
    try:
        there = path.exists()
    except (OSError, ValueError) as problem:
        raise FileError(f"cannot be looked up: {problem}", path=path) from None
    if not there:
        near: tuple[str, ...] = ()
        if path.parent.is_dir():
            near = suggest(path.name, (entry.name for entry in path.parent.iterdir()))
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise FileError(f"there is no such file{hint}", path=path)
    return path
