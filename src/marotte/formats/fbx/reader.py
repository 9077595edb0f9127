"""Reading FBX: a figure and one of its animations become a Motion."""

from __future__ import annotations

import os
from pathlib import Path

from ...figure import Motion
from .._notes import Notes, Progress
from .._posed import check_places, pose_frames
from .._space import source_of
from ._frames import read_frames
from ._open import settled


def read_fbx(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
    clip: str | int | None = None,
    frame_rate: float | None = None,
) -> Motion:
    """The motion in an FBX file.

    `clip` names one of several animations (or gives its number, from 0); left out, the first that
    moves anything is read. `frame_rate` samples it at another rate than the file's own. Unit and
    axes are those that the file states, unless `unit` and `up` set them. Reading costs the start of
    a process, about 50 ms, and a second for each 250,000 nodes times frames.
    """
    notes = Notes(Path(path), strict=strict)
    with settled(notes, unit, up, clip, frame_rate) as found:
        joints, sampling = found.joints, found.sampling
        stack = None if found.clip is None else found.clip.index
        positions, orientations = read_frames(
            found.library, found.scene.nodes, joints, stack, sampling, found.space, progress
        )
        check_places(positions, orientations, notes.path, "in every frame")
        posed = pose_frames(found.rest, joints.parents, positions, orientations)
        skeleton = found.rest.skeleton(found.names(), joints.parents, found.orders(), posed.moved)
    notes.publish(stacklevel=2)
    return Motion(
        skeleton=skeleton,
        root=posed.root,
        rotations=posed.rotations,
        frame_rate=sampling.nominal,
        translations=posed.translations,
        name=notes.path.stem,
        source=source_of(notes, "fbx", found.space),
    )
