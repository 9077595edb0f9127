"""Which nodes are the figure: humanoid bones, joints of skins, or else what an animation moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import FileError
from ...figure import IntArray
from .._names import unique_names
from .._notes import Notes
from ._clips import Clip
from ._container import Document
from ._humanoid import Humanoid
from ._nodes import Nodes

# What makes a node a thing to be seen, and no mere place on a bone.
_THINGS = ("mesh", "camera", "skin")


@dataclass(frozen=True, slots=True)
class Figure:
    """The joints of a file: a tree of nodes with one at its top."""

    joints: tuple[int, ...]
    """(J,) their nodes, parents first."""
    parents: IntArray
    """(J,) index of the parent joint, -1 for the root."""
    names: tuple[str, ...]
    """(J,) as in the file, each once."""
    above: tuple[int, ...]
    """The nodes above the root, from the top down."""
    ends: tuple[tuple[int, int], ...]
    """(joint, node) of nodes without children that only mark the tip of a bone."""
    skins: tuple[int, ...]
    """Those that are bound to it, the largest first."""

    def __len__(self) -> int:
        return len(self.joints)


def choose_figure(
    document: Document,
    nodes: Nodes,
    clips: Sequence[Clip],
    clip: Clip | None,
    humanoid: Humanoid | None,
    notes: Notes,
) -> Figure:
    """The figure that a file is about; `clip` is the animation that was asked for, if any."""
    skins = _skins(document, len(nodes))
    moved: set[int] = set().union(*(c.moved() for c in clips))
    core: set[int]
    chosen: tuple[int, ...] = ()
    if humanoid is not None and humanoid.roles:
        core = set(humanoid.roles.values())
        chosen = _meeting(nodes, core, skins)
    elif skins:
        wanted = moved if clip is None else clip.moved()
        core, chosen = _skinned(nodes, skins, wanted, notes)
    else:
        core = _animated(clips, clip, document)
    for skin in chosen:
        core |= set(skins[skin])
    top = _largest_tree(nodes, core, notes)
    mark = _below(nodes, top, core | (moved - _things(document)))
    joints = [node for node in nodes.below(top) if mark[node]]
    if chosen and _parents_first(nodes, skins[chosen[0]], joints):
        joints = list(skins[chosen[0]])
    place = {node: j for j, node in enumerate(joints)}
    parents = np.array([-1, *(place[nodes.parents[node]] for node in joints[1:])], dtype=np.int64)
    return Figure(
        joints=tuple(joints),
        parents=parents,
        names=tuple(unique_names([nodes.names[node] or f"node_{node}" for node in joints])),
        above=tuple(nodes.chain(top)),
        ends=_ends(document, nodes, place),
        skins=chosen,
    )


def _skins(document: Document, count: int) -> list[list[int]]:
    """The joints of every skin."""
    found = []
    for item in document.items("skins"):
        joints = [joint.as_whole(below=count) for joint in item.array("joints")]
        if not joints:
            raise item.error("must name its joints, but has none")
        found.append(joints)
    return found


def _parents_first(nodes: Nodes, order: Sequence[int], joints: Sequence[int]) -> bool:
    """Whether this is an order of just these joints in which none stands before its parent."""
    if len(order) != len(joints) or set(order) != set(joints):
        return False
    place = {node: at for at, node in enumerate(order)}
    return all(place.get(nodes.parents[node], -1) < at for at, node in enumerate(order))


def _things(document: Document) -> set[int]:
    """Nodes that show something."""
    return {i for i, item in enumerate(document.items("nodes")) if any(key in item for key in _THINGS)}


def _meeting(nodes: Nodes, core: set[int], skins: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The skins that share joints with others of a figure, the largest first."""
    found = [i for i, joints in enumerate(skins) if core.intersection(joints)]
    return tuple(sorted(found, key=lambda i: -len(skins[i])))


def _skinned(
    nodes: Nodes, skins: Sequence[Sequence[int]], moved: set[int], notes: Notes
) -> tuple[set[int], tuple[int, ...]]:
    """The joints of the largest figure that moves, or of the largest, and its skins."""
    groups: dict[int, list[int]] = {}
    for skin, group in enumerate(_meeting_groups(nodes, skins)):
        groups.setdefault(group, []).append(skin)
    figures = [(set().union(*(skins[skin] for skin in group)), group) for group in groups.values()]
    figures.sort(key=lambda figure: (not figure[0] & moved, -len(figure[0])))
    for joints, _ in figures[1:4]:
        notes.guess(f"another figure, of {len(joints)} joints, is left alone")
    if len(figures) > 4:
        notes.guess(f"and {len(figures) - 4} more")
    core, mine = figures[0]
    return core, tuple(sorted(mine, key=lambda skin: -len(skins[skin])))


def _meeting_groups(nodes: Nodes, skins: Sequence[Sequence[int]]) -> list[int]:
    """A number for each skin, the same for skins of one figure.

    They belong together where they share joints, or where one hangs on a joint of the other.
    """
    group = list(range(len(skins)))

    def top(skin: int) -> int:
        while group[skin] != skin:
            group[skin] = group[group[skin]]
            skin = group[skin]
        return skin

    owner: dict[int, int] = {}
    for skin, joints in enumerate(skins):
        for joint in joints:
            group[top(skin)] = top(owner.setdefault(joint, skin))
    above: dict[int, int] = {-1: -1}  # the skin of the nearest joint from a node upwards
    for node in nodes.order:
        hangs_on = above[nodes.parents[node]]
        if node in owner and hangs_on >= 0:
            group[top(owner[node])] = top(hangs_on)
        above[node] = owner.get(node, hangs_on)
    return [top(skin) for skin in range(len(skins))]


def _animated(clips: Sequence[Clip], clip: Clip | None, document: Document) -> set[int]:
    """The nodes that the meant animation moves."""
    meant = clip if clip is not None else next((c for c in clips if c.moved()), None)
    if meant is None or not meant.moved():
        what = "no skin, and no animation that moves a node"
        if clip is not None:
            what = f"no skin, and animation {clip.name or clip.index!r} moves no node"
        raise FileError(
            f"there is no figure in it: {what}; export the armature with the file", path=document.path
        )
    return meant.moved()


def _largest_tree(nodes: Nodes, core: Iterable[int], notes: Notes) -> int:
    """The node that most of these hang on, itself one of them where it may."""
    tops: dict[int, int] = {}
    for node in nodes.order:
        parent = nodes.parents[node]
        tops[node] = node if parent < 0 else tops[parent]
    groups: dict[int, list[int]] = {}
    for node in sorted(core):
        groups.setdefault(tops[node], []).append(node)
    top, mine = max(groups.items(), key=lambda item: (len(item[1]), -item[0]))
    if len(groups) > 1:
        others = sum(len(group) for group in groups.values()) - len(mine)
        notes.guess(f"a figure is one tree; {others} nodes that hang elsewhere are left alone")
    wanted = set(mine)
    mark = _below(nodes, top, wanted)
    at = top
    while at not in wanted:
        ways = [child for child in nodes.children[at] if mark[child]]
        if len(ways) > 1:
            break
        at = ways[0]
    return at


def _below(nodes: Nodes, top: int, core: Iterable[int]) -> list[bool]:
    """(N,) whether a node is one of these, or has one below it; only below `top`."""
    wanted = set(core)
    mark = [False] * len(nodes)
    for node in reversed(nodes.below(top)):
        mark[node] = node in wanted or any(mark[child] for child in nodes.children[node])
    mark[top] = True
    return mark


def _ends(document: Document, nodes: Nodes, place: dict[int, int]) -> tuple[tuple[int, int], ...]:
    """Tips of bones: nodes that show nothing, on joints that no other hangs on."""
    items = document.items("nodes")
    found = []
    for node, joint in place.items():
        if any(child in place for child in nodes.children[node]):
            continue
        for child in nodes.children[node]:
            shown = any(key in items[child] for key in (*_THINGS, "extensions"))
            if not nodes.children[child] and not shown:
                found.append((joint, child))
    return tuple(found)
