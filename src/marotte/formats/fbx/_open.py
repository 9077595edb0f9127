"""What reading and inspecting an FBX share: all that is settled before any frame is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .._clips import Clip, Sampling, choose_clip, sample_clip
from .._notes import Notes
from .._posed import Rest, check_places
from .._space import Space, doubt_unit
from ._frames import MOST_PLACES
from ._joints import Joints, find_joints
from ._library import Library
from ._rest import rest_of
from ._scene import Scene, read_scene
from ._space import space_of


@dataclass(frozen=True, slots=True)
class Settled:
    """A file's figure and what is to be read of it."""

    library: Library
    scene: Scene
    joints: Joints
    space: Space
    rest: Rest
    clip: Clip | None
    sampling: Sampling

    def names(self) -> list[str]:
        return [self.scene.nodes.names[node] for node in self.joints.nodes]

    def orders(self) -> list[str]:
        return [self.scene.nodes.orders[node] for node in self.joints.nodes]


@contextmanager
def settled(
    notes: Notes, unit: str | float | None, up: str | None, clip: str | int | None, frame_rate: float | None
) -> Iterator[Settled]:
    """Open a file and settle what it means; the library's process ends with the context."""
    with Library(notes.path) as library:
        scene = read_scene(library.description, notes.path)
        for text in dict.fromkeys(scene.warnings):
            notes.warn(f"the FBX library says: {text}")
        if not library.whole:
            notes.warn("it does not end as an FBX does; what may be missing was not read")
        joints = find_joints(scene, notes)
        space = space_of(scene, notes, unit, up)
        chosen = choose_clip(scene.clips, clip, notes)
        if chosen is None:
            notes.guess("there is no animation; the figure stands as the file shows it, for one frame")
        most = MOST_PLACES // len(joints.needed)
        sampling = sample_clip(
            chosen, scene.rate, frame_rate, notes, most=most, each=f"{len(joints.needed):,} nodes"
        )
        rest = rest_of(scene, joints, space, notes)
        check_places(rest.positions, rest.orientations, notes.path, "at rest")
        if unit is None:
            doubt_unit(float((rest.positions.max(axis=0) - rest.positions.min(axis=0)).max()), space, notes)
        yield Settled(library, scene, joints, space, rest, chosen, sampling)
