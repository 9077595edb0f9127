"""Contact files: when feet and hands rest, beside takes whose own format has no place for it.

marotte_contacts: 1
frames: 241
frame_rate: 60
contacts:
  - {role: left_foot, first: 0, last: 40}
  - {role: left_hand, first: 72, last: 147, thing: rope}

`walk.contacts.yaml` beside `walk.bvh` is for that take, and is read with it.
"""

from __future__ import annotations

import json
import math
import os
import re
import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from .._files import atomic_write_text
from .._yaml import Marked, read_yaml
from ..errors import FileError, InputError, UnknownNameError
from ..figure import ROLES, Contact, Motion
from ._notes import FileWarning

VERSION = 1
_SAME_RATE = 1e-3  # frame rates that files round may differ by so much, relative
EXTENSION = ".contacts.yaml"
_FIELDS = ("marotte_contacts", "frames", "frame_rate", "contacts")
_CONTACT = ("role", "first", "last", "thing")  # YAML takes a bare `on` for true
_PLAIN = re.compile(r"[A-Za-z][\w-]*")
_YAMLS_OWN = ("null", "true", "false", "yes", "no", "on", "off", "y", "n")


def contacts_file_of(path: str | os.PathLike[str]) -> Path:
    """Where the contacts of a take would stand."""
    path = Path(path)
    return path.with_name(path.stem + EXTENSION)


def with_contacts_beside(motion: Motion, path: Path, strict: bool) -> Motion:
    """The motion with the contacts of the file beside it, where there is one.

    A person may have edited them, so that they win over those in the take. Those of another version of
    the take are left aside with a FileWarning; with `strict` they are an error.
    """
    beside = contacts_file_of(path)
    if not beside.is_file():
        return motion
    marked, frames, rate, found = _read(beside)
    if len(motion) == frames and abs(motion.frame_rate / rate - 1.0) <= _SAME_RATE:
        return motion.with_(contacts=found)
    problem = _of_another(marked, frames, rate, motion)
    if strict:
        raise problem
    text = f"left aside: {problem}"
    warnings.warn(text, FileWarning, stacklevel=3)
    return motion.with_(source=replace(motion.source, notes=(*motion.source.notes, text)))


def load_contacts(path: str | os.PathLike[str], motion: Motion | None = None) -> tuple[Contact, ...]:
    """Read a contact file. With a motion, they must be its own: as many frames, the same frame rate."""
    marked, frames, rate, found = _read(Path(path))
    if motion is not None and (len(motion) != frames or abs(motion.frame_rate / rate - 1.0) > _SAME_RATE):
        raise _of_another(marked, frames, rate, motion)
    return found


def _read(path: Path) -> tuple[Marked, int, float, tuple[Contact, ...]]:
    """The document, its frames, its frame rate, and its contacts."""
    marked = read_yaml(path)
    document = marked.value
    if not isinstance(document, dict) or document.get("marotte_contacts") != VERSION:
        raise FileError(f"must be a map that begins with marotte_contacts: {VERSION}", path=path, line=1)
    for key in document:
        if key not in _FIELDS:
            raise _error(marked, (str(key),), str(UnknownNameError("field", str(key), _FIELDS)))
    frames: Any = document.get("frames")
    rate: Any = document.get("frame_rate")
    if not _whole(frames):
        raise _error(marked, ("frames",), f"frames must be a whole number, at least 0, but is {frames!r}")
    if isinstance(rate, bool) or not isinstance(rate, (int, float)) or not 0 < rate < math.inf:
        raise _error(marked, ("frame_rate",), f"frame_rate must be a positive number, but is {rate!r}")
    entries = document.get("contacts") or []
    if not isinstance(entries, list):
        raise _error(marked, ("contacts",), "contacts must be a list")
    found = [_contact(marked, k, entry, frames) for k, entry in enumerate(entries)]
    return marked, frames, float(rate), tuple(sorted(found, key=lambda c: (c.first, c.role)))


def _of_another(marked: Marked, frames: int, rate: float, motion: Motion) -> FileError:
    return _error(
        marked,
        ("frames",),
        f"these contacts are of a take of {frames} frames at {rate:g} Hz, but this one has {len(motion)} "
        f"at {motion.frame_rate:g} Hz; write them anew (marotte contacts --detect -o) or remove the file",
    )


def save_contacts(
    motion: Motion, path: str | os.PathLike[str], *, contacts: Iterable[Contact] | None = None
) -> Path:
    """Write the contacts of a motion, or those given, whole or not at all.

    The path is the contact file's, or the take's, beside which it then stands; it is returned.
    """
    path = Path(path)
    if not path.name.endswith(EXTENSION):
        path = contacts_file_of(path)
    held = motion.contacts if contacts is None else tuple(contacts)
    if held is None:
        raise InputError("nobody knows this motion's contacts; give those that detect_contacts finds")
    lines = [
        f"marotte_contacts: {VERSION}",
        f"frames: {len(motion)}",
        f"frame_rate: {motion.frame_rate!r}",
        "contacts:" if held else "contacts: []",
    ]
    for c in held:
        on = f", thing: {_written(c.on)}" if c.on else ""
        lines.append(f"  - {{role: {c.role}, first: {c.first}, last: {c.last}{on}}}")
    atomic_write_text(path, "\n".join(lines) + "\n")
    return path


def _contact(marked: Marked, k: int, entry: Any, frames: int) -> Contact:
    place = ("contacts", k)
    if not isinstance(entry, dict):
        raise _error(marked, place, "a contact must be a map such as {role: left_foot, first: 0, last: 40}")
    for key in entry:
        if key not in _CONTACT:
            raise _error(marked, (*place, str(key)), str(UnknownNameError("field", str(key), _CONTACT)))
    role, on = entry.get("role"), entry.get("thing", "")
    if role not in ROLES:
        raise _error(marked, (*place, "role"), str(UnknownNameError("role", str(role), ROLES)))
    if not isinstance(on, str):
        raise _error(marked, (*place, "thing"), f"thing must be the name of a thing, but is {on!r}")
    ends: list[int] = []
    for name in ("first", "last"):
        value: Any = entry.get(name)
        if not _whole(value) or value >= frames:
            raise _error(
                marked, (*place, name), f"{name} must be a frame from 0 to {frames - 1}, but is {value!r}"
            )
        ends.append(value)
    try:
        return Contact(role, ends[0], ends[1], on)
    except InputError as problem:
        raise _error(marked, place, str(problem)) from None


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _written(name: str) -> str:
    plain = _PLAIN.fullmatch(name) and name.lower() not in _YAMLS_OWN
    return name if plain else json.dumps(name, ensure_ascii=False)


def _error(marked: Marked, place: tuple[str | int, ...], message: str) -> FileError:
    return FileError(message, path=marked.path, line=marked.line(place))
