"""Which nodes of a scene are joints of the figure, and who hangs on whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ...errors import FileError
from .._notes import Notes
from .._tree import MOST_JOINTS, listed, main_tree, tree_order
from ._scene import BONE, EMPTY, MESH, PLAIN, Nodes, Scene


@dataclass(frozen=True, slots=True)
class Joints:
    """The joints, parents first."""

    nodes: list[int]
    parents: list[int]
    """Index into the joints; -1 for the root."""
    needed: list[int]
    """All nodes that place them, parents first: the joints and what is above them."""


def find_joints(scene: Scene, notes: Notes) -> Joints:
    """The figure: bones and what stands between them; where there are no bones, the largest tree."""
    nodes = scene.nodes
    bones = {i for i, kind in enumerate(nodes.kinds) if i > 0 and (kind == BONE or i in scene.skinned)}
    if not bones:
        bones = _without_bones(nodes)
        if not bones:
            raise FileError(
                "must hold a figure, but has neither bones nor other nodes that move each other",
                path=notes.path,
            )
        notes.guess("there are no bones; the largest tree of nodes is taken as the figure")
    inside = set(bones)
    for bone in bones:
        path: list[int] = []
        for node in nodes.above(bone):
            if node in inside:
                inside.update(path)
                break
            path.append(node)
    top = {i: _top(nodes, i, inside) for i in inside}
    root = _root(nodes, Counter(top[bone] for bone in bones), notes)
    below = [i for i in inside if root in nodes.above(i)]
    inside = {root, *below}
    for i in below:  # where the root is the node that several trees hang on, what is between counts too
        for node in nodes.above(i):
            if node == root:
                break
            inside.add(node)
    if len(inside) > MOST_JOINTS:
        raise FileError(f"must have at most {MOST_JOINTS:,} joints, but has {len(inside):,}", path=notes.path)
    return _in_order(nodes, inside)


def _without_bones(nodes: Nodes) -> set[int]:
    """The largest tree of nulls and meshes below the scene."""
    plain = [i for i, kind in enumerate(nodes.kinds) if i > 0 and kind in (EMPTY, PLAIN, MESH)]
    trees: Counter[int] = Counter()
    for i in plain:
        trees[next((n for n in reversed(nodes.above(i)) if n > 0), i)] += 1
    if not trees:
        return set()
    top = trees.most_common(1)[0][0]
    return {i for i in plain if i == top or top in nodes.above(i)}


def _top(nodes: Nodes, node: int, inside: set[int]) -> int:
    """The highest node of the figure above a joint, or itself."""
    return next((above for above in reversed(nodes.above(node)) if above in inside), node)


def _root(nodes: Nodes, trees: Counter[int], notes: Notes) -> int:
    """The one root: the top of the main tree, or the node that all trees hang on."""
    main, enough = main_tree(trees)
    others = [top for top in trees if top != main]
    if not others:
        return main
    if not enough:
        shared = [n for n in nodes.above(main) if n > 0]
        common = next((n for n in shared if all(n in nodes.above(other) for other in others)), None)
        if common is not None:
            notes.guess(
                f"bones stand in {len(trees)} trees; {nodes.names[common]!r}, which they hang on, is the root"
            )
            return common
    left = listed([nodes.names[other] for other in others])
    notes.guess(
        f"bones stand in {len(trees)} trees; that of {nodes.names[main]!r} is read, not those of {left}"
    )
    return main


def _in_order(nodes: Nodes, inside: set[int]) -> Joints:
    """Joints as the tree goes down, with all that a hand carries before the next limb."""
    joints = [node for node in tree_order(nodes.parents) if node in inside]
    place = {node: j for j, node in enumerate(joints)}
    parents = [next((place[n] for n in nodes.above(node) if n in place), -1) for node in joints]
    needed = set(joints)
    for node in joints:
        needed.update(nodes.above(node))
    return Joints(joints, parents, sorted(needed))
