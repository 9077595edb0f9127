"""Animations: what is in each of them, and which is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from .._clips import named_clip, shown, tell_others
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
        return named_clip(clips, wanted, notes.path, "animation")
    mine = set(nodes)
    able = [clip for clip in clips if clip.moved() & mine]
    if not able:
        for clip in clips[:3]:
            what = "nodes that are no part of the figure" if clip.channels else "no joints"
            also = " (its morph targets are left alone)" if clip.others else ""
            notes.guess(f"animation {shown(clip)} moves {what}{also}")
        return None
    chosen = able[0]
    tell_others(chosen, clips, notes, "animation")
    return chosen
