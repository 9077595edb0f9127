"""What `marotte info` says about Acclaim files."""

from __future__ import annotations

import os
from pathlib import Path

from .._notes import Notes
from .._open import open_file
from .._rig_file import rig_beside
from .._summary import Summary
from ..units import unit_name
from ._amc import USUAL_RATE, count_frames, read_amc_head, settle_rate
from ._asf import read_asf_file
from ._figure import Figure, figure_of
from ._find import skeleton_of


def inspect_amc(
    path: str | Path,
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    frame_rate: float | None = None,
    skeleton: str | os.PathLike[str] | None = None,
) -> Summary:
    """An AMC's skeleton, and its frames counted; the numbers are not parsed."""
    notes = Notes(Path(path), strict=strict)
    with open_file(notes.path) as file:
        head = read_amc_head(file, notes.path)
        frames = count_frames(file, head.begin)
    asf_path, how = (Path(skeleton), "") if skeleton is not None else skeleton_of(notes.path)
    asf_notes = Notes(asf_path, strict=strict)
    figure = figure_of(read_asf_file(asf_path, asf_notes), asf_notes, unit, up)
    if how:
        notes.guess(how)
    notes.warnings += [f"{asf_path.name}: {text}" for text in asf_notes.warnings]
    notes.guesses += asf_notes.guesses
    return _summary(notes, "amc", figure, frames, settle_rate(head.frame_rate, frame_rate, notes))


def inspect_asf(
    path: str | Path, *, unit: str | float | None = None, up: str | None = None, strict: bool = False
) -> Summary:
    """An ASF's skeleton."""
    notes = Notes(Path(path), strict=strict)
    figure = figure_of(read_asf_file(notes.path, notes), notes, unit, up)
    return _summary(notes, "asf", figure, 1, USUAL_RATE)


def _summary(notes: Notes, form: str, figure: Figure, frames: int, rate: float) -> Summary:
    return Summary(
        path=str(notes.path),
        format=form,
        size=notes.path.stat().st_size,
        skeleton=figure.skeleton,
        rig=rig_beside(notes.path, figure.skeleton, figure.rig) or figure.rig,
        frames=frames,
        declared_frames=None,
        frame_rate=rate,
        unit=unit_name(figure.metres),
        metres_per_unit=figure.metres,
        up=figure.axes.up,
        encoding=figure.asf.encoding,
        warnings=tuple(notes.warnings),
        guesses=tuple(notes.guesses),
    )
