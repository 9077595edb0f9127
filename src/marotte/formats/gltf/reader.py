"""Reading glTF, GLB, VRM and VRM animations: a file becomes a Motion."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...errors import FileError
from ...figure import FloatArray, Motion, Source
from .._notes import Notes, Progress
from ._accessors import read_accessor
from ._clips import Clip, choose_clip
from ._container import Document, open_document
from ._frames import joints_from_nodes
from ._own import own_rate
from ._settle import Settled, key_times_of, settle
from ._timing import Timing, check_rate, check_room, settle_timing
from ._tracks import Frames, read_tracks


@dataclass(frozen=True, slots=True)
class Take:
    """Which animation of a file is read, and at which frames."""

    settled: Settled
    clip: Clip | None
    timing: Timing

    @property
    def nodes(self) -> tuple[int, ...]:
        """Those that the motion depends on."""
        return (*self.settled.figure.above, *self.settled.figure.joints)


def read_gltf(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
    frame_rate: float | None = None,
    clip: str | int | None = None,
) -> Motion:
    """The motion in a .gltf, .glb, .vrm or .vrma file.

    `clip` names one of its animations, or counts them from 0; left out, it is the first that moves
    the figure. `frame_rate` is the rate at which keys are sampled; left out, it is the one that
    they show. A file without animation is one frame: its figure as it stands. Unit and up are the
    format's own (metres, Y) unless they are given; strict is as for every format.
    """
    notes = Notes(Path(path), strict=strict)
    check_rate(frame_rate)
    with open_document(notes.path, notes) as document:
        take = find_take(document, notes, unit=unit, up=up, frame_rate=frame_rate, clip=clip)
        settled = take.settled
        if progress is not None:
            progress(0.3)
        root, rotations, translations = _arrays(document, take, notes)
    for values in (root, rotations, translations):
        if values is not None and not np.isfinite(values).all():
            raise FileError("its nodes must move to finite places, but do not", path=notes.path)
    notes.publish(stacklevel=2)
    for array in (root, rotations, translations):
        if array is not None:
            array.flags.writeable = False
    name = take.clip.name if take.clip is not None and take.clip.name else notes.path.stem
    return Motion(
        skeleton=settled.skeleton,
        root=root,
        rotations=rotations,
        frame_rate=take.timing.rate,
        translations=translations,
        name=name,
        source=Source(
            path=str(path),
            format="gltf",
            metres_per_unit=settled.metres,
            up=settled.up,
            notes=notes.texts(),
        ),
        rig=settled.rig,
    )


def find_take(
    document: Document,
    notes: Notes,
    *,
    unit: str | float | None = None,
    up: str | None = None,
    frame_rate: float | None = None,
    clip: str | int | None = None,
) -> Take:
    """The figure, the animation and the frames that are meant; no values of keys are read yet."""
    with np.errstate(all="ignore"):  # numbers without bounds are found below
        settled = settle(document, notes, unit=unit, up=up, clip=clip)
    figure = settled.figure
    nodes = (*figure.above, *figure.joints)
    chosen = choose_clip(settled.clips, clip, nodes, notes)
    inputs = sorted(key_times_of(chosen, nodes))
    keys = [read_accessor(document, index, ("SCALAR",))[:, 0] for index in inputs]
    declared = None if chosen is None else own_rate(document.item("animations", chosen.index))
    timing = settle_timing([k for k in keys if len(k)], frame_rate, declared, notes)
    check_room(timing, len(figure), document, frame_rate is not None)
    if chosen is None and not settled.clips:
        notes.guess("the file holds no animation; its figure is read as it stands")
    return Take(settled, chosen, timing)


def _arrays(document: Document, take: Take, notes: Notes) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    mine = set(take.nodes)
    channels = [c for c in take.clip.channels if c.node in mine] if take.clip is not None else []
    tracks = read_tracks(document, channels, notes)
    with np.errstate(all="ignore"):
        return joints_from_nodes(take.settled, tracks, Frames(take.timing))
