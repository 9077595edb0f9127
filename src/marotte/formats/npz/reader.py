"""Reading NPZ: what the arrays are, and the Motion or Summary that they make."""

from __future__ import annotations

import os
from pathlib import Path

from ...errors import FileError, InputError
from ...figure import Motion, Rig, Skeleton, Source
from .._notes import Notes, Progress
from .._rates import asked_rate
from .._rig_file import rig_beside
from .._summary import Summary
from ..units import unit_name
from . import _own, _parameters, _placed
from ._archive import Archive


def read_npz(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
    frame_rate: float | None = None,
    body_model: str | os.PathLike[str] | None = None,
) -> Motion:
    """The motion in an NPZ file: Marotte's own, SMPL parameters as in AMASS, or placed joints.

    `frame_rate` is for files that do not say theirs, and sets it for those that do. `body_model` is
    the file of the body that SMPL parameters move; left out, a body of average build is taken, and
    `motion.source.notes` says so. `unit` and `up` are refused where the file has no choice.
    """
    notes = Notes(Path(path), strict=strict)
    frame_rate = None if frame_rate is None else asked_rate(frame_rate)
    name = notes.path.stem
    with Archive(notes.path) as archive:
        if _own.MARK in archive:
            _refuse_own(unit, up, body_model)
            motion = _own.read_own(archive)
            return motion if frame_rate is None else motion.with_(frame_rate=frame_rate)
        if _parameters.are_parameters(archive):
            _refuse_unit(unit)
            take = _parameters.read_take(archive, notes, up, frame_rate, body_model)
            notes.publish(stacklevel=2)
            return _parameters.motion_of(take, name, _source(path, 1.0, take.axes.up, notes))
        if _placed.are_placed(archive):
            _refuse_body(body_model)
            placed = _placed.read_placed(archive, notes, unit, up, frame_rate)
            notes.publish(stacklevel=2)
            return _placed.motion_of(placed, name, _source(path, placed.metres, placed.axes.up, notes))
        raise _unknown(archive)


def inspect_npz(
    path: str | Path,
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    frame_rate: float | None = None,
    body_model: str | os.PathLike[str] | None = None,
) -> Summary:
    """What is in an NPZ file. Of our own files no array of motion is read."""
    notes = Notes(Path(path), strict=strict)
    frame_rate = None if frame_rate is None else asked_rate(frame_rate)
    with Archive(notes.path) as archive:
        if _own.MARK in archive:
            _refuse_own(unit, up, body_model)
            header, skeleton = _own.read_header(archive)
            frames = archive.shape("root")[0] if archive.shape("root") else 0
            rate = header.frame_rate if frame_rate is None else frame_rate
            return _summary(notes, archive, skeleton, header.rig, frames, rate, 1.0, "y")
        if _parameters.are_parameters(archive):
            _refuse_unit(unit)
            take = _parameters.read_take(archive, notes, up, frame_rate, body_model)
            return _summary(
                notes, archive, take.skeleton, take.rig, len(take.vectors), take.frame_rate, 1.0, take.axes.up
            )
        if _placed.are_placed(archive):
            _refuse_body(body_model)
            found = _placed.read_placed(archive, notes, unit, up, frame_rate)
            frames = len(found.places)
            return _summary(
                notes,
                archive,
                found.skeleton,
                found.rig,
                frames,
                found.frame_rate,
                found.metres,
                found.axes.up,
            )
        raise _unknown(archive)


def _source(path: str | os.PathLike[str], metres: float, up: str, notes: Notes) -> Source:
    return Source(path=str(path), format="npz", metres_per_unit=metres, up=up, notes=notes.texts())


def _summary(
    notes: Notes,
    archive: Archive,
    skeleton: Skeleton,
    rig: Rig,
    frames: int,
    rate: float,
    metres: float,
    up: str,
) -> Summary:
    return Summary(
        path=str(notes.path),
        format="npz",
        size=archive.size,
        skeleton=skeleton,
        rig=rig_beside(notes.path, skeleton) or rig,
        frames=frames,
        declared_frames=None,
        frame_rate=rate,
        unit=unit_name(metres),
        metres_per_unit=metres,
        up=up,
        encoding="utf-8",
        warnings=tuple(notes.warnings),
        guesses=tuple(notes.guesses),
    )


def _refuse_own(unit: str | float | None, up: str | None, body_model: str | os.PathLike[str] | None) -> None:
    if unit is not None or up is not None or body_model is not None:
        raise InputError(
            "an NPZ that Marotte wrote says its unit, its axes and its body; unit, up and body_model "
            "have no meaning for it"
        )


def _refuse_unit(unit: str | float | None) -> None:
    if unit is not None:
        raise InputError("SMPL parameters are in metres; unit has no meaning for them")


def _refuse_body(body_model: str | os.PathLike[str] | None) -> None:
    if body_model is not None:
        raise InputError("body_model is for SMPL parameters; this file says where joints are")


def _unknown(archive: Archive) -> FileError:
    model = _parameters.refuse_model(archive)
    if model is not None:
        return model
    shown = ", ".join(f"{name} {archive.shape(name)}" for name in archive.names[:12])
    more = ", …" if len(archive.names) > 12 else ""
    return archive.error(
        "must hold a motion that Marotte saved, SMPL parameters (poses, trans, mocap_framerate, as in AMASS) "
        f"or placed joints ({_placed.PLACES}, {_placed.TURNS}), but holds {shown or 'no arrays'}{more}"
    )
