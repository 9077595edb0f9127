"""Reading BVH: a file becomes a Motion."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ... import kernels
from ...errors import FileError
from ...figure import FloatArray, Motion, Skeleton, Source
from ...figure.channels import layout
from .._notes import Notes, Progress
from .._open import open_file
from .._rows import RowReader
from ._guesses import settle
from ._head import Head, read_head

# What a file may grow to in memory, in bytes: every number of it can become a quaternion at most,
# unless joints without channels, which cost the file nothing, are the many.
LEAST_ROOM = 1 << 28
ROOM_PER_BYTE = 40

# A joint whose position channels never leave its offset by more than this share of the figure's
# height has a bone of constant length.
STILL = 1e-9


def read_bvh(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> Motion:
    """The motion in a BVH file.

    `unit` is the file's unit of length (`cm`, `inch`, …, or metres in one unit) and `up` its axis
    that points up; both are guessed where left out, and `motion.source.notes` says what was
    guessed. What is odd about the file but clear in its meaning is mended with a warning; `strict`
    makes each warning a FileError. docs/formats.md lists every such case.

    Memory stays near that of the result, however large the file is.
    """
    notes = Notes(Path(path), strict=strict)
    with open_file(notes.path) as file:
        head = read_head(file, notes)
        settled = settle(head, notes, unit, up)
        ours, metres, axes = settled.skeleton, settled.metres, settled.axes
        frames = _Frames(ours, head, notes.path)
        factors = [
            s if c.isupper() else s * metres
            for t in ours.channels
            for s, c in zip(axes.signs(t), t, strict=True)
        ]
        scale = np.array(factors)
        if not head.header.has_motion:
            pass
        elif head.header.columns == 0:
            frames.hold(head.header.declared or 0)
        else:
            reader = RowReader(
                file,
                notes,
                begin=head.begin,
                size=head.size,
                columns=head.header.columns,
                declared=head.header.declared,
                progress=progress,
            )
            for values in reader:
                values *= scale
                frames.add(values)
            reader.check()
    notes.publish(stacklevel=2)
    source = Source(
        path=str(path),
        format="bvh",
        metres_per_unit=metres,
        up=axes.up,
        encoding=head.encoding,
        notes=notes.texts(),
    )
    root, rotations, translations = frames.arrays()
    return Motion(
        skeleton=ours,
        root=root,
        rotations=rotations,
        frame_rate=head.header.frame_rate,
        translations=translations,
        name=notes.path.stem,
        source=source,
        rig=settled.rig,
    )


class _Frames:
    """The arrays of a motion, growing while rows come in."""

    def __init__(self, skeleton: Skeleton, head: Head, path: Path) -> None:
        self.path = path
        self.skeleton = skeleton
        self.where = layout(skeleton)
        self.moving = [(int(j), int(k)) for j, k in np.argwhere(self.where.position_columns >= 0)]
        self.limbs_move = any(j > 0 for j, _ in self.moving)
        self.still = STILL * skeleton.height
        self.most_bytes = LEAST_ROOM + ROOM_PER_BYTE * head.size
        self.count = 0
        fitting = (head.size - head.begin) // (2 * max(1, head.header.columns)) + 1
        declared = head.header.declared
        self.room = max(1, fitting if declared is None else min(declared, fitting))
        joints = len(skeleton)
        self._check_room(self.room)
        self.root = np.empty((self.room, 3))
        self.rotations = np.empty((self.room, joints, 4))
        self.translations: FloatArray | None = None

    def _check_room(self, frames: int) -> None:
        each = 32 + (24 if self.limbs_move else 0)
        wanted = frames * len(self.skeleton) * each
        if wanted > self.most_bytes:
            raise FileError(
                f"{frames:,} frames of {len(self.skeleton):,} joints, nearly all of them without channels, "
                f"would take {wanted / 1e9:.1f} GB, but a file of this size may become at most "
                f"{self.most_bytes / 1e9:.1f} GB",
                path=self.path,
            )

    def _make_room(self, frames: int) -> None:
        if frames <= self.room:
            return
        self.room = max(frames, self.room + self.room // 2)
        self._check_room(frames)
        self._resize(self.room)

    def _resize(self, frames: int) -> None:
        """Grow or shrink in place: no second copy of a large motion, even for a moment."""
        joints = len(self.skeleton)
        self.root.resize((frames, 3), refcheck=False)
        self.rotations.resize((frames, joints, 4), refcheck=False)
        if self.translations is not None:
            self.translations.resize((frames, joints, 3), refcheck=False)

    def add(self, values: FloatArray) -> None:
        """Rows (n, C) in our units."""
        first, last = self.count, self.count + len(values)
        self._make_room(last)
        where, offsets = self.where, self.skeleton.offsets
        kernels.euler.quaternions_from_columns(values, where.axes, where.columns, self.rotations, first)
        self.root[first:last] = offsets[0]
        for j, k in self.moving:
            column = values[:, where.position_columns[j, k]]
            if j == 0:
                self.root[first:last, k] = column
                continue
            moved = column - offsets[j, k]
            if self.translations is None:
                if float(np.abs(moved).max()) <= self.still:
                    continue
                self.translations = np.zeros((self.room, len(self.skeleton), 3))
            self.translations[first:last, j, k] = moved
        self.count = last

    def hold(self, frames: int) -> None:
        """Frames of a figure that has no channels at all."""
        self._make_room(frames)
        self.root[:frames] = self.skeleton.offsets[0]
        self.rotations[:frames] = (1.0, 0.0, 0.0, 0.0)
        self.count = frames

    def arrays(self) -> tuple[FloatArray, FloatArray, FloatArray | None]:
        """Root path, rotations and translations, each exactly as long as there are frames."""
        self._resize(self.count)
        for array in (self.root, self.rotations, self.translations):
            if array is not None:
                array.flags.writeable = False
        return self.root, self.rotations, self.translations
