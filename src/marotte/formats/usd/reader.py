"""Reading USD: a skeleton and its animation become a Motion."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ...figure import FloatArray, Motion
from .._notes import Notes, Progress
from .._posed import check_places, pose_frames
from .._space import source_of
from .._world import World
from ._settle import Settled, settled


def read_usd(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
    clip: str | int | None = None,
    frame_rate: float | None = None,
) -> Motion:
    """The motion in a USD file (.usd, .usda, .usdc, .usdz).

    `clip` names one of several animations (or gives its number, from 0); left out, that of the
    skeleton is read. `frame_rate` samples it at another rate than its own. Unit and axes are those
    that the stage states, unless `unit` and `up` set them. Needs usd-core; reading costs the start
    of a process, about a third of a second, and another for each 300,000 joints times frames.
    """
    notes = Notes(Path(path), strict=strict)
    with settled(notes, unit, up, clip, frame_rate) as found:
        positions, orientations = _frames(found, progress)
        check_places(positions, orientations, notes.path, "in every frame")
        posed = pose_frames(found.rest, list(found.figure.parents), positions, orientations)
        skeleton = found.skeleton(posed.moved)
    notes.publish(stacklevel=2)
    return Motion(
        skeleton=skeleton,
        root=posed.root,
        rotations=posed.rotations,
        frame_rate=found.sampling.nominal,
        translations=posed.translations,
        name=notes.path.stem,
        source=source_of(notes, "usd", found.space),
    )


def _frames(found: Settled, progress: Progress | None) -> tuple[FloatArray, FloatArray]:
    """Positions (F, J, 3) in metres and orientations (F, J, 4) of the joints' frames, Y up."""
    figure, codes = found.figure, found.codes()
    count = len(figure.joints)
    positions = np.empty((len(codes), count, 3))
    orientations = np.empty((len(codes), count, 4))
    tracks = np.array(figure.tracks)
    followed = tracks >= 0
    animation = figure.animation
    done = 0
    for said, places in found.library.frames(
        skeleton=figure.skeleton.path,
        animation=animation.path if animation else "",
        joints=len(animation.joints) if animation else 0,
        codes=codes,
        moving=bool(figure.skeleton.times),
    ):
        local = np.tile(found.local, (len(places), 1, 1))
        if followed.any():
            mine = said[:, tracks[followed]]
            local[:, followed] = np.where(np.isnan(mine), _otherwise(found.local[followed]), mine)
        world = World([-1, *(parent + 1 for parent in figure.parents)])
        world.fix(0, places)
        for j in range(count):
            world.add(j + 1, local[:, j, :3], local[:, j, 3:7], local[:, j, 7:])
        last = done + len(places)
        positions[done:last], orientations[done:last] = world.placed(range(1, count + 1))
        done = last
        if progress is not None:
            progress(done / len(codes))
    axes = found.space.axes
    return axes.vectors(positions) * found.space.metres, axes.rotations(orientations)


def _otherwise(local: FloatArray) -> FloatArray:
    """(J, 10) what counts for what an animation leaves out of the joints that it moves: no scale."""
    out = local.copy()
    out[:, 7:] = 1.0
    return out
