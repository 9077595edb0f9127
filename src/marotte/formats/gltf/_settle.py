"""What a file means for us: its figure, unit and axes, and how its joints' frames become ours.

A node may be turned any way in the rest pose; a joint of ours is not. `before` and `after` lead
from one to the other: `before · rotation of the node · after` is the rotation of the joint, and
the inverse of both leads back. This is the only place that guesses, so that `info`, `load` and
`save` never disagree; it runs without compiled code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...figure import EndSite, FloatArray, Rig, Skeleton, recognise
from .._clips import named_clip
from .._notes import Notes
from ..axes import axes_of
from ..units import UnitGuess, guess_unit, unit_factor, unit_name
from . import _turns
from ._clips import Clip, list_clips
from ._container import Document
from ._figure import Figure, choose_figure
from ._humanoid import Humanoid, read_humanoid
from ._nodes import Nodes, World, read_nodes
from ._own import own_channels, own_tips, own_words
from ._rest import Rest, node_pose, rest_pose

# A file is in metres by its specification. Figures with limbs that would be smaller or larger than
# this in metres (stature) were exported in another unit.
_LEAST, _MOST = 0.1, 15.0
_FARTHEST = 1e18  # in the file's unit: what is farther away is no place
_HALF_TURN = (0.0, 0.0, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class Settled:
    """A file's figure, and the way from its numbers to ours."""

    nodes: Nodes
    clips: tuple[Clip, ...]
    humanoid: Humanoid | None
    figure: Figure
    world: World
    """The figure's nodes as they stand in the file."""
    rest: Rest
    metres: float
    """In one unit of the file."""
    up: str
    turn: FloatArray
    """(4,) our world from the file's."""
    skeleton: Skeleton
    """In metres, Y up."""
    rig: Rig

    @property
    def before(self) -> FloatArray:
        """(J, 4) what a joint's rotation has on its left; the root's lacks the nodes above it."""
        above = [
            np.array(_turns.IDENTITY) if p < 0 else self.rest.orientations[p]
            for p in self.figure.parents.tolist()
        ]
        return _turns.product(self.turn, np.array(above))

    @property
    def after(self) -> FloatArray:
        """(J, 4) what a joint's rotation has on its right."""
        return _turns.undone(_turns.product(self.turn, self.rest.orientations))

    def ours(self, points: FloatArray) -> FloatArray:
        """Points or directions (…, 3) of the file's world in ours."""
        return _turns.turned(self.turn, points) * self.metres


def settle(
    document: Document,
    notes: Notes,
    *,
    unit: str | float | None = None,
    up: str | None = None,
    clip: int | str | None = None,
) -> Settled:
    """Settle what the file does not say, as asked or by a guess that is noted."""
    if not document.items("nodes"):
        raise document.top.error("there is no figure in it: the file has no nodes")
    nodes = read_nodes(document, notes)
    clips = list_clips(document)
    wanted = None if clip is None else named_clip(clips, clip, notes.path, "animation")
    humanoid = read_humanoid(document, notes)
    figure = choose_figure(document, nodes, clips, wanted, humanoid, notes)
    world = nodes.world([*figure.joints, *(node for _, node in figure.ends)])
    if humanoid is not None:
        rest = node_pose(figure, world)
    else:
        rest = rest_pose(document, nodes, figure, world, notes)
    turn = _world_turn(humanoid, up, notes)
    skeleton = _skeleton(document, nodes, figure, world, rest, turn)
    rig = _rig(skeleton, humanoid, figure)
    metres = _metres(skeleton, rig, humanoid, unit, notes)
    if metres != 1.0:
        skeleton = skeleton.scaled(metres)
        rig = _rig(skeleton, humanoid, figure)
    return Settled(
        nodes=nodes,
        clips=tuple(clips),
        humanoid=humanoid,
        figure=figure,
        world=world,
        rest=rest,
        metres=metres,
        up=(up or "y").strip().lower(),
        turn=turn,
        skeleton=skeleton,
        rig=rig,
    )


def turn_of(up: str) -> FloatArray:
    """(4,) what turns the world of a file, whose axis `up` points up, into ours."""
    return _turns.from_matrix(axes_of(up).vectors(np.eye(3)).T)


def _world_turn(humanoid: Humanoid | None, up: str | None, notes: Notes) -> FloatArray:
    turn = np.array(_turns.IDENTITY) if up is None else turn_of(up)
    if humanoid is not None and humanoid.faces_back:
        notes.guess("the figure is turned half around, since characters of VRM 0 look along -Z")
        turn = _turns.product(np.array(_HALF_TURN), turn)
    return turn


def _skeleton(
    document: Document, nodes: Nodes, figure: Figure, world: World, rest: Rest, turn: FloatArray
) -> Skeleton:
    """The figure at rest, in the file's unit."""
    offsets = _turns.turned(turn, rest.offsets(figure.parents))
    tips: list[tuple[int, FloatArray, str]] = []
    for joint, node in figure.ends:
        stands = figure.joints[joint]
        back = _turns.product(rest.orientations[joint], _turns.undone(world.orientations[stands]))
        reach = _turns.turned(back, world.positions[node] - world.positions[stands])
        tips.append((joint, reach, nodes.names[node]))
    own = own_words(document, figure)
    tips += own_tips(own, figure)
    reaches = _turns.turned(turn, np.array([reach for _, reach, _ in tips]).reshape(-1, 3))
    for values in (offsets, rest.orientations, reaches):
        if not (np.abs(values) < _FARTHEST).all():
            raise document.top.error("the nodes of the figure must stand at finite places, but do not")
    ends = [
        EndSite(joint, (float(x), float(y), float(z)), name)
        for (joint, _, name), (x, y, z) in zip(tips, reaches, strict=True)
    ]
    return Skeleton(
        names=figure.names,
        parents=figure.parents,
        offsets=offsets,
        channels=own_channels(own, len(figure)),
        ends=tuple(ends),
    )


def _rig(skeleton: Skeleton, humanoid: Humanoid | None, figure: Figure) -> Rig:
    if humanoid is None or not humanoid.roles:
        return recognise(skeleton)
    place = {node: j for j, node in enumerate(figure.joints)}
    roles = {role: place[node] for role, node in humanoid.roles.items() if node in place}
    rig = recognise(skeleton, roles)
    taken = set(roles.values())
    # a joint that the file gives a role has no other by its name
    if any(j in taken and role not in roles for role, j in rig.roles.items()):
        kept = {role: j for role, j in rig.roles.items() if role in roles or j not in taken}
        rig = replace(rig, roles=kept)
    return replace(rig, reasons=(f"{len(roles)} roles are named by the file ({humanoid.kind})",))


def _metres(
    skeleton: Skeleton, rig: Rig, humanoid: Humanoid | None, unit: str | float | None, notes: Notes
) -> float:
    """Metres in one unit of a file whose skeleton is in its own unit still."""
    if unit is not None:
        metres = unit_factor(unit)
        notes.guess(f"lengths are taken as {unit_name(metres)}, as asked")
        return metres
    if humanoid is not None or not rig.limbs:
        return 1.0
    found: UnitGuess = guess_unit(skeleton, rig, skeleton.bone_lengths(), lambda: skeleton.height)
    if found.metres == 1.0 or _LEAST <= skeleton.height <= _MOST:
        return 1.0
    notes.guess(f"{found.reason}, where the format wants metres (set it with unit)")
    return found.metres


def key_times_of(clip: Clip | None, nodes: Sequence[int]) -> set[int]:
    """The accessors with the key times of what a clip does to these nodes."""
    mine = set(nodes)
    return {c.sampler.whole("input") for c in clip.channels if c.node in mine} if clip else set()
