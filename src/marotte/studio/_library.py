"""The takes that one Studio has: the built-in ones, the files it was given, and what was dropped into it."""

from __future__ import annotations

import json
import threading
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import formats, samples
from ..errors import FileError, InputError, UnknownNameError
from ..figure import Motion
from ..viewer import DropAnswer, OpenedTake, RigFacts, TakeList, TakeSummary, take_payload
from ._drop import Dropped, read_dropped, readable

MAX_UPLOAD = 256 * 2**20  # bytes of one drop
MAX_HELD = 2**30  # bytes of all that was dropped
MAX_FILES = 2000  # lines that files may take in the list
KEPT_ANSWERS = 12  # opened takes kept as they were sent …
KEPT_BYTES = 256 * 2**20  # … and how large they may be together


@dataclass(frozen=True, slots=True)
class _File:
    """A file on disk, read when it is opened and again when it has changed."""

    path: Path


@dataclass(frozen=True, slots=True)
class _Dropped:
    """A take that was dropped into the page: only what was in it is kept."""

    name: str
    motion: Motion


class Library:
    """Takes by their ids. Every method may be called from any thread."""

    def __init__(self, files: Iterable[Path] = ()) -> None:
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, _File | _Dropped] = OrderedDict()
        self._answers: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._held = 0  # bytes dropped so far
        for path in _expand(files):
            self._entries[f"file-{len(self._entries) + 1}"] = _File(path)

    def list(self) -> TakeList:
        """Files first, in the order in which they came; then the built-in takes."""
        with self._lock:
            entries = list(self._entries.items())
        lines = [_summary(key, entry) for key, entry in entries]
        lines += [
            TakeSummary(
                id=name,
                name=name.replace("_", " "),
                source="sample",
                description=samples.summary(name),
                has_options=True,
            )
            for name in samples.names()
        ]
        return TakeList(takes=lines)

    def schema(self, key: str) -> dict[str, Any]:
        """The options of a built-in take, as JSON Schema; what all takes have comes last."""
        if key not in samples.names():
            self._entry(key)
            raise InputError(f"take {key!r} comes from a file, which has no options")
        model = samples.options(key)
        schema = model.model_json_schema()
        own = [name for name in model.__annotations__ if name in schema["properties"]]
        schema["properties"] = {name: schema["properties"][name] for name in own} | schema["properties"]
        return schema

    def open(self, key: str, options: Mapping[str, object] | None = None) -> bytes:
        """A take as the JSON of an OpenedTake. The last few are kept."""
        asked = json.dumps(options or {}, sort_keys=True)
        entry = None if key in samples.names() else self._entry(key)
        if entry is not None and options:
            raise InputError(f"take {key!r} comes from a file, which has no options")
        stamp = _stamp(entry.path) if isinstance(entry, _File) else None
        place = (key, asked, stamp)
        with self._lock:
            if place in self._answers:
                self._answers.move_to_end(place)
                return self._answers[place]
        answer = _told(key, _motion(key, entry, options or {})).model_dump_json().encode()
        with self._lock:
            self._answers[place] = answer
            while self._answers and (
                len(self._answers) > KEPT_ANSWERS or sum(map(len, self._answers.values())) > KEPT_BYTES
            ):
                self._answers.popitem(last=False)
        return answer

    def add(self, files: Sequence[Dropped], size: int) -> DropAnswer:
        """Take in files that were dropped together, that many bytes. Nothing of them stays on disk."""
        with self._lock:
            if self._held + size > MAX_HELD:
                raise InputError(
                    f"what is dropped must stay below {MAX_HELD // 2**20} MB in all, and this would be too "
                    "much; start the Studio with the files instead: marotte studio FILES"
                )
            self._held += size
        takes, problems = read_dropped(files)
        added = []
        with self._lock:
            if not takes:
                self._held -= size
            for name, motion in takes:
                if len(self._entries) >= MAX_FILES:
                    problems.append(f"{name}: a Studio lists at most {MAX_FILES} files; start another one")
                    continue
                key = f"file-{len(self._entries) + 1}"
                entry = self._entries[key] = _Dropped(name, motion)
                added.append(_summary(key, entry))
        return DropAnswer(takes=added, problems=problems)

    def _entry(self, key: str) -> _File | _Dropped:
        with self._lock:
            entry = self._entries.get(key)
            known = [*self._entries, *samples.names()]
        if entry is None:
            raise UnknownNameError("take", key, known)
        return entry


def _motion(key: str, entry: _File | _Dropped | None, options: Mapping[str, object]) -> Motion:
    if entry is None:
        return samples.make(key, **options)
    if isinstance(entry, _Dropped):
        return entry.motion
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", formats.FileWarning)  # the notes say the same, and are shown
        return formats.load(entry.path)


def _summary(key: str, entry: _File | _Dropped) -> TakeSummary:
    if isinstance(entry, _Dropped):
        name, description = Path(entry.name).stem, f"{entry.name}, dropped here"
    else:
        name, description = entry.path.stem, str(entry.path)
    return TakeSummary(id=key, name=name, source="file", description=description, has_options=False)


def _told(key: str, motion: Motion) -> OpenedTake:
    rig = motion.rig
    take = take_payload(motion)
    notes = list(motion.source.notes)
    if take.every > 1:
        notes.append(
            f"{len(motion):,} frames are more than a page can hold: every {take.every}th is shown here, "
            "counted anew"
        )
    return OpenedTake(
        id=key,
        take=take,
        rig=RigFacts(
            roles=len(rig.roles), limbs=[limb.name for limb in rig.limbs], confidence=rig.confidence
        ),
        notes=notes,
    )


def _stamp(path: Path) -> tuple[int, int] | None:
    """What changes when a file is written anew."""
    try:
        state = path.stat()
    except OSError:
        return None  # reading it will say what is wrong
    return state.st_mtime_ns, state.st_size


def _expand(files: Iterable[Path]) -> Sequence[Path]:
    """The files that are meant: those named, and what can be read in the folders named."""
    found: list[Path] = []
    for path in files:
        if path.is_dir():
            inside = readable(sorted(p for p in path.rglob("*") if p.is_file()))
            if not inside:
                known = ", ".join(e for f in formats.FORMATS if f.reader for e in f.extensions)
                raise FileError(f"holds no file that can be read ({known})", path=path)
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise FileError("there is no such file", path=path)
    if len(found) > MAX_FILES:
        raise InputError(f"a Studio lists at most {MAX_FILES} files, but was given {len(found)}")
    return found
