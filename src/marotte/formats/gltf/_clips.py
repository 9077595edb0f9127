"""Animations: what is in each of them, and which is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Literal

from ...errors import InputError, suggest
from .._notes import Notes
from ._container import Document
from ._json import Item

Path = Literal["translation", "rotation", "scale"]
PATHS: tuple[Path, ...] = ("translation", "rotation", "scale")
_POINTER = re.compile(r"/nodes/(\d{1,9})/(translation|rotation|scale)")


@dataclass(frozen=True, slots=True)
class Channel:
    """What one channel of an animation says it moves; its numbers are not read yet."""

    node: int
    path: Path
    sampler: Item


@dataclass(frozen=True, slots=True)
class Clip:
    """One animation of a file."""

    index: int
    name: str
    channels: tuple[Channel, ...]
    """Those that move nodes."""
    others: int
    """How many channels move something else: weights of morph targets, materials, …"""

    def moved(self) -> set[int]:
        """The nodes that it moves or turns."""
        return {c.node for c in self.channels if c.path != "scale"}


def list_clips(document: Document) -> list[Clip]:
    """What animations there are, and what they move."""
    nodes = len(document.items("nodes"))
    clips = []
    for i, animation in enumerate(document.items("animations")):
        samplers = animation.array("samplers")
        channels: list[Channel] = []
        others = 0
        for item in animation.array("channels"):
            found = _channel(item, samplers, nodes)
            if found is None:
                others += 1
            else:
                channels.append(found)
        clips.append(Clip(i, animation.text("name"), tuple(channels), others))
    return clips


def _channel(item: Item, samplers: Sequence[Item], nodes: int) -> Channel | None:
    target = item.member("target")
    path, node = target.text("path"), target.at("node")
    if path == "pointer":
        pointer = target.member("extensions").member("KHR_animation_pointer").text("pointer")
        match = _POINTER.fullmatch(pointer)
        if match is None or int(match[1]) >= nodes:
            return None
        number, path = int(match[1]), match[2]
    elif node.value is None:
        return None  # the specification has such channels ignored
    else:
        number = node.as_whole(below=nodes)
    sampler = samplers[item.at("sampler").as_whole(below=len(samplers))]
    for known in PATHS:
        if path == known:
            return Channel(number, known, sampler)
    return None


def choose_clip(
    clips: Sequence[Clip], wanted: int | str | None, nodes: Iterable[int], notes: Notes
) -> Clip | None:
    """The animation that `wanted` means, or the first that moves one of the nodes; None for none."""
    if wanted is not None:
        return named_clip(clips, wanted, notes.path)
    mine = set(nodes)
    able = [clip for clip in clips if clip.moved() & mine]
    if not able:
        for clip in clips[:3]:
            what = "nodes that are no part of the figure" if clip.channels else "no joints"
            also = " (its morph targets are left alone)" if clip.others else ""
            notes.guess(f"animation {shown(clip)} moves {what}{also}")
        return None
    chosen = able[0]
    if len(clips) > 1:
        others = [shown(clip) for clip in clips if clip is not chosen]
        more = f" and {len(others) - 12} more" if len(others) > 12 else ""
        notes.guess(
            f"animation {shown(chosen)} is read; there are also {', '.join(others[:12])}{more} "
            "(choose with clip)"
        )
    return chosen


def shown(clip: Clip) -> str:
    """An animation as a message calls it."""
    return repr(clip.name) if clip.name else str(clip.index)


def named_clip(clips: Sequence[Clip], wanted: int | str, path: FilePath) -> Clip:
    """The animation of that name or number."""
    for clip in clips:
        if clip.name == wanted:
            return clip
    number = wanted if isinstance(wanted, int) else int(wanted) if wanted.strip().isdecimal() else None
    if number is not None and 0 <= number < len(clips):
        return clips[number]
    known = ", ".join(f"{clip.index} {clip.name!r}" if clip.name else str(clip.index) for clip in clips[:20])
    near = suggest(str(wanted), (clip.name for clip in clips if clip.name))
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    there = f"there are: {known}" if clips else "the file has none"
    raise InputError(f"{path}: there is no animation {wanted!r}; {there}{hint}")
