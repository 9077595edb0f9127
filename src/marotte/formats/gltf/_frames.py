"""From what nodes do to what joints do, and back.

Where all scales are the same along the three axes and stand still, every joint's rotation is its
node's between two constant ones, and its place needs no other frame's numbers. Where they are not,
positions are worked out through all matrices of the tree, and joints move against their bones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...figure import FloatArray, Motion
from . import _turns
from ._clips import Path
from ._settle import Settled
from ._tracks import Frames, Track

# Scales that differ by less (relative) are one: what float32 blurs them by.
_EVEN = 2e-6
# A joint that stays within this share of the figure's height has a bone of constant length.
STILL = 2e-6

Moves = Mapping[tuple[int, Path], FloatArray]


@dataclass(slots=True)
class _Place:
    """A node over time: position (F, 3), orientation (F, 4), linear part (F, 3, 3); F may be 1."""

    position: FloatArray
    orientation: FloatArray
    linear: FloatArray


class Tree:
    """The nodes of a figure, and those above it, at the frames of a motion."""

    def __init__(self, settled: Settled, moves: Moves) -> None:
        self.settled = settled
        self.moves = moves

    def translation(self, node: int) -> FloatArray:
        """(F, 3), or (1, 3) where the node is not moved."""
        return self._of(node, "translation", self.settled.nodes.translation[node])

    def rotation(self, node: int) -> FloatArray:
        """(F, 4), or (1, 4)."""
        return self._of(node, "rotation", self.settled.nodes.rotation[node])

    def scale(self, node: int) -> FloatArray:
        """(F, 3), or (1, 3)."""
        return self._of(node, "scale", self.settled.nodes.scale[node])

    def _of(self, node: int, path: Path, still: FloatArray) -> FloatArray:
        moved = self.moves.get((node, path))
        return still[None] if moved is None else moved

    def even_scales(self) -> dict[int, float] | None:
        """The scale of each node of the figure in the world, where it is one number; else None."""
        found: dict[int, float] = {-1: 1.0}
        nodes = self.settled.nodes
        for node in (*self.settled.figure.above, *self.settled.figure.joints):
            scale = self.scale(node)
            least, greatest = float(scale.min()), float(scale.max())
            if node in nodes.sheared or least <= 0 or greatest - least > _EVEN * greatest:
                return None
            found[node] = found[nodes.parents[node]] * float(scale.mean())
        return found

    def above(self) -> _Place:
        """What the root hangs in."""
        place = _Place(np.zeros((1, 3)), np.array([_turns.IDENTITY]), np.eye(3)[None])
        for node in self.settled.figure.above:
            place = self.below(place, node)
        return place

    def below(self, place: _Place, node: int, translation: FloatArray | None = None) -> _Place:
        """Where a node stands that hangs on this place, with its own translation or another."""
        own_place = self.translation(node) if translation is None else translation
        rotation = self.rotation(node)
        linear = self.settled.nodes.sheared.get(node)
        own = _turns.matrices(rotation) * self.scale(node)[:, None, :] if linear is None else linear[None]
        return _Place(
            place.position + _through(place.linear, own_place),
            _turns.product(place.orientation, rotation),
            place.linear @ own,
        )


def joints_from_nodes(
    settled: Settled, tracks: Sequence[Track], frames: Frames
) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    """Root path (F, 3), rotations (F, J, 4) and translations (F, J, 3) or None, in our terms."""
    moves = {(t.node, t.path): _held(t, frames) for t in tracks}
    tree = Tree(settled, moves)
    count = len(frames.times)
    scales = tree.even_scales()
    if scales is None:
        return _through_matrices(settled, tree, count)
    figure, skeleton = settled.figure, settled.skeleton
    above = tree.above()
    root = above.position + _through(above.linear, tree.translation(figure.joints[0]))
    before, after = settled.before, settled.after
    rotations = np.empty((count, len(figure), 4))
    moving: dict[int, FloatArray] = {}
    for j, node in enumerate(figure.joints):
        left = before[j]
        if j == 0:
            left = _turns.product(left, above.orientation)
        rotations[:, j] = _turns.product(left, _turns.product(tree.rotation(node), after[j]))
        if j > 0:
            scale = scales[settled.nodes.parents[node]] * settled.metres
            moved = scale * _turns.turned(before[j], tree.translation(node)) - skeleton.offsets[j]
            if not _still(moved, skeleton.height):
                moving[j] = moved
    translations = None
    if moving:
        translations = np.zeros((count, len(figure), 3))
        for j, moved in moving.items():
            translations[:, j] = moved
    return _spread(settled.ours(root), count), _turns.unit(rotations), translations


def _held(track: Track, frames: Frames) -> FloatArray:
    """A track's values at the frames; one (1, n) where it never changes."""
    only = track.constant()
    return track.at(frames) if only is None else only[None]


def _still(moved: FloatArray, height: float) -> bool:
    return float(np.abs(moved).max(initial=0.0)) <= STILL * height


def _spread(values: FloatArray, count: int) -> FloatArray:
    return np.ascontiguousarray(np.broadcast_to(values, (count, values.shape[1])))


def _through(linear: FloatArray, points: FloatArray) -> FloatArray:
    """Points (F, 3) through matrices (F, 3, 3); either F may be 1."""
    return np.asarray((linear @ points[..., None])[..., 0])


def _back(linear: FloatArray) -> FloatArray:
    """What undoes matrices (F, 3, 3), as far as a flat one can be undone."""
    return np.asarray(np.linalg.pinv(linear), dtype=np.float64)


def _through_matrices(
    settled: Settled, tree: Tree, count: int
) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    """As joints_from_nodes, for scales that differ by axis, change, or mirror."""
    figure, skeleton = settled.figure, settled.skeleton
    places: list[_Place] = []
    worlds: list[FloatArray] = []
    rotations = np.empty((count, len(figure), 4))
    translations = np.zeros((count, len(figure), 3))
    after = settled.after
    for j, node in enumerate(figure.joints):
        parent = int(figure.parents[j])
        hangs = tree.above() if parent < 0 else places[parent]
        place = tree.below(hangs, node)
        places.append(place)
        worlds.append(_turns.product(_turns.product(settled.turn, place.orientation), after[j]))
        if parent < 0:
            rotations[:, j] = worlds[j]
            continue
        back = _turns.undone(worlds[parent])
        rotations[:, j] = _turns.product(back, worlds[j])
        reach = settled.ours(place.position - hangs.position)
        moved = _turns.turned(back, reach) - skeleton.offsets[j]
        if not _still(moved, skeleton.height):
            translations[:, j] = moved
    root = _spread(settled.ours(places[0].position), count)
    return root, _turns.unit(rotations), translations if translations.any() else None


def nodes_from_joints(settled: Settled, motion: Motion) -> tuple[FloatArray, dict[int, FloatArray]]:
    """Rotations (F, J, 4) and translations (F, 3) of the figure's nodes that show a motion.

    The motion has the figure's joints in its order; the nodes above it stand as in the file.
    Translations are by joint, of one row where a joint keeps its place on its bone.
    """
    figure, nodes = settled.figure, settled.nodes
    tree = Tree(settled, {})
    above = tree.above()
    before, after = _turns.undone(settled.before), _turns.undone(settled.after)
    rotations = _turns.product(_turns.product(before, motion.rotations), after)
    rotations[:, 0] = _turns.product(_turns.undone(above.orientation), rotations[:, 0])
    offsets = motion.skeleton.offsets[None]
    if motion.translations is not None:
        offsets = offsets + motion.translations
    root = _turns.turned(_turns.undone(settled.turn), motion.root) / settled.metres
    found = {0: _through(_back(above.linear), root - above.position)}
    scales = tree.even_scales()
    if scales is not None:
        for j, node in enumerate(figure.joints):
            if j > 0:
                size = scales[nodes.parents[node]] * settled.metres
                found[j] = _turns.turned(before[j], offsets[:, j]) / size
        return rotations, found
    tree = Tree(settled, {(node, "rotation"): rotations[:, j] for j, node in enumerate(figure.joints)})
    places: list[_Place] = []
    rest = settled.rest.orientations
    for j, node in enumerate(figure.joints):
        parent = int(figure.parents[j])
        hangs = above if parent < 0 else places[parent]
        if parent >= 0:
            # where the parent's frame, as we have it, has turned the offset to in the file's world
            turned = _turns.product(hangs.orientation, _turns.undone(rest[parent]))
            reach = _turns.turned(_turns.undone(settled.turn), offsets[:, j]) / settled.metres
            found[j] = _through(_back(hangs.linear), _turns.turned(turned, reach))
        places.append(tree.below(hangs, node, found[j]))
    return rotations, found
