"""Reading Acclaim: an AMC and its ASF become a Motion."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ...figure import FloatArray, Motion, Source
from ...figure.channels import layout, rotations_from_columns
from ...figure.rotations import rotate
from .._notes import Notes, Progress
from .._open import open_file
from ._amc import USUAL_RATE, AmcReader, read_amc_head, settle_rate
from ._asf import MOVES, TURNS, read_asf_file
from ._figure import Figure, axes_quaternion, figure_of
from ._find import skeleton_of


def read_amc(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
    frame_rate: float | None = None,
    skeleton: str | os.PathLike[str] | None = None,
) -> Motion:
    """The motion in an AMC file and the ASF file that belongs to it.

    `skeleton` names the ASF; left out, it is looked for beside the AMC. `frame_rate` is that of
    the take, which the format has no place for: 120 where left out, and `motion.source.notes`
    says so. Unit, up and strict are as for every format.
    """
    notes = Notes(Path(path), strict=strict)
    with open_file(notes.path) as file:
        head = read_amc_head(file, notes.path)
        asf_path, how = (Path(skeleton), "") if skeleton is not None else skeleton_of(notes.path)
        asf_notes = Notes(asf_path, strict=strict)
        asf = read_asf_file(asf_path, asf_notes)
        figure = figure_of(asf, asf_notes, unit, up)
        if how:
            notes.guess(how)
        notes.warnings += [f"{asf_path.name}: {text}" for text in asf_notes.warnings]
        notes.guesses += asf_notes.guesses
        rows = AmcReader(file, notes, asf, head, progress).read()
    rate = settle_rate(head.frame_rate, frame_rate, notes)
    degrees = asf.degrees if head.degrees is None else head.degrees
    root, rotations, translations = _motion(figure, rows, degrees)
    notes.publish(stacklevel=2)
    return Motion(
        skeleton=figure.skeleton,
        root=root,
        rotations=rotations,
        frame_rate=rate,
        translations=translations,
        name=notes.path.stem,
        source=_source(path, "amc", figure, notes),
        rig=figure.rig,
    )


def read_asf(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> Motion:
    """The skeleton in an ASF file, as one frame of its rest pose."""
    notes = Notes(Path(path), strict=strict)
    figure = figure_of(read_asf_file(notes.path, notes), notes, unit, up)
    notes.guess("an ASF holds no motion; this is its rest pose")
    notes.publish(stacklevel=2)
    motion = Motion.at_rest(figure.skeleton, 1, USUAL_RATE)
    return motion.with_(name=notes.path.stem, source=_source(path, "asf", figure, notes), rig=figure.rig)


def _source(path: str | os.PathLike[str], form: str, figure: Figure, notes: Notes) -> Source:
    return Source(
        path=str(path),
        format=form,
        metres_per_unit=figure.metres,
        up=figure.axes.up,
        encoding=figure.asf.encoding,
        notes=notes.texts(),
    )


def _motion(
    figure: Figure, rows: FloatArray, degrees: bool
) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    """Root path, rotations and translations of rows (F, N) of an AMC."""
    skeleton, asf, axes = figure.skeleton, figure.asf, figure.axes
    where = layout(skeleton)
    values = np.zeros((len(rows), len(where.names)))
    root = np.tile(np.array(asf.position), (len(rows), 1))
    moved: dict[int, FloatArray] = {}
    children: dict[str, list[int]] = {}
    for bone, joint in zip(asf.bones[1:], figure.joints[1:], strict=True):
        children.setdefault(bone.parent, []).append(joint)
    at = 0
    for bone, joint in zip(asf.bones, figure.joints, strict=True):
        # an AMC's first turn is the innermost: the columns of a joint go the other way
        columns = iter(reversed(where.columns[joint][where.axes[joint] >= 0].tolist()))
        local = np.zeros((len(rows), 3))
        for token in bone.dof:
            numbers = rows[:, at]
            at += 1
            if token in TURNS:
                values[:, next(columns)] = numbers if degrees else np.degrees(numbers)
            elif token in MOVES:
                local[:, MOVES.index(token)] = numbers
            else:
                for child in children.get(bone.name, ()):
                    if child >= 0:
                        stretch = numbers[:, None] * np.array(bone.direction)
                        moved[child] = moved.get(child, np.zeros((len(rows), 3))) + stretch
        if joint == 0:
            root += local
        elif any(token in MOVES for token in bone.dof):
            turned = rotate(axes_quaternion(asf, bone), local)
            moved[joint] = moved.get(joint, np.zeros((len(rows), 3))) + turned
    rotations = rotations_from_columns(skeleton, values)
    translations = None
    if any(path.any() for path in moved.values()):
        translations = np.zeros((len(rows), len(skeleton), 3))
        for joint, path in moved.items():
            translations[:, joint] = axes.vectors(path) * figure.metres
    root = axes.vectors(root) * figure.metres
    for array in (root, rotations, translations):
        if array is not None:
            array.flags.writeable = False
    return root, rotations, translations
