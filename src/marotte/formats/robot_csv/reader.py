"""Reading robot CSV: a skeleton, and rows that move it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from ...errors import FileError, InputError
from ...figure import EndSite, FloatArray, Motion, Rig, Skeleton, Source, recognise
from ...figure.channels import layout, rotations_from_columns
from ...figure.rotations import inverse, multiply
from .._files import inspect
from .._notes import Notes, Progress
from .._open import open_file
from .._rates import WANTED, asked_rate, is_rate
from .._rig_file import rig_beside
from .._rows import RowReader
from .._summary import Summary
from .._turns import product, world_turn
from ..axes import UPS, Axes, axes_of
from ..units import unit_factor, unit_name
from ._columns import ColumnError, Columns, check_kind, file_channels, find_columns
from ._head import Head, Separated, check_choice, count_frames, read_head

VERSION = 1
ORDERS = ("wxyz", "xyzw")
ANGLES = ("rad", "deg")
UNIT_TOLERANCE = 0.02  # how far from 1 the length of a quaternion may be: files have few decimals


@dataclass(frozen=True, slots=True)
class _Settled:
    """How a file's numbers become ours."""

    columns: Columns
    skeleton: Skeleton
    """In metres, Y up."""
    rig: Rig
    axes: Axes
    metres: float
    degrees: bool
    frame_rate: float


def read_csv(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
    frame_rate: float | None = None,
    skeleton: str | os.PathLike[str] | None = None,
    quaternion: str | None = None,
    angles: str | None = None,
) -> Motion:
    """The motion in a CSV of root place, root quaternion and joint angles.

    What the file does not say has to be given: `skeleton`, the file of the figure that moves (any
    format that can be read), `angles` (`rad` or `deg`), `frame_rate`, and `quaternion` (`wxyz` or
    `xyzw`) where its columns are numbered and not named. None of these is ever guessed.
    """
    notes = Notes(Path(path), strict=strict)
    with open_file(notes.path) as file:
        head = read_head(file, notes.path)
        settled = _settle(head, notes, unit, up, frame_rate, skeleton, quaternion, angles)
        rows = _rows(file, head, notes, progress)
    root, rotations, translations = _motion(settled, rows, notes)
    notes.publish(stacklevel=2)
    return Motion(
        skeleton=settled.skeleton,
        root=root,
        rotations=rotations,
        frame_rate=settled.frame_rate,
        translations=translations,
        name=notes.path.stem,
        source=Source(str(path), "csv", settled.metres, settled.axes.up, head.encoding, notes.texts()),
        rig=settled.rig,
    )


def inspect_csv(
    path: str | Path,
    *,
    unit: str | float | None = None,
    up: str | None = None,
    strict: bool = False,
    frame_rate: float | None = None,
    skeleton: str | os.PathLike[str] | None = None,
    quaternion: str | None = None,
    angles: str | None = None,
) -> Summary:
    """What the head of a CSV says; the lines are counted, not parsed."""
    notes = Notes(Path(path), strict=strict)
    with open_file(notes.path) as file:
        head = read_head(file, notes.path)
        settled = _settle(head, notes, unit, up, frame_rate, skeleton, quaternion, angles)
        frames = count_frames(file, head)
    return Summary(
        path=str(path),
        format="csv",
        size=notes.path.stat().st_size,
        skeleton=settled.skeleton,
        rig=rig_beside(notes.path, settled.skeleton) or settled.rig,
        frames=frames,
        declared_frames=None,
        frame_rate=settled.frame_rate,
        unit=unit_name(settled.metres),
        metres_per_unit=settled.metres,
        up=settled.axes.up,
        encoding=head.encoding,
        warnings=tuple(notes.warnings),
        guesses=tuple(notes.guesses),
    )


def _settle(
    head: Head,
    notes: Notes,
    unit: str | float | None,
    up: str | None,
    frame_rate: float | None,
    skeleton: str | os.PathLike[str] | None,
    quaternion: str | None,
    angles: str | None,
) -> _Settled:
    check_choice("quaternion", quaternion, ORDERS)
    check_choice("angles", angles, ANGLES)
    if head.number("marotte_csv") not in (None, VERSION):
        raise head.error(
            f"version must be {VERSION}; a newer Marotte wrote it, which can read it", "marotte_csv"
        )
    try:
        check_kind(head.names)
    except ColumnError as problem:
        raise head.error(str(problem)) from None
    metres = _metres(head, notes, unit)
    ours, rig, axes = _figure(head, notes, skeleton, up, metres)
    order = quaternion or head.one_of("quaternion", ORDERS)
    try:
        columns = find_columns(head.names, file_channels(ours, axes), order)
    except ColumnError as problem:
        raise head.error(str(problem)) from None
    missing = [n for n, c in zip(layout(ours).names, columns.channels, strict=True) if c < 0]
    missing = [n for n in missing if n.rpartition(".")[0] != ours.names[0]]
    if missing:
        few = ", ".join(missing[:6]) + (f" and {len(missing) - 6} more" if len(missing) > 6 else "")
        notes.warn(f"there are no columns for {few}; there the figure is as at rest")
    told = angles or head.one_of("angles", ANGLES)
    if told is None:
        raise head.error(
            "must say whether its angles are rad or deg: give angles, "
            "or add a line '# angles: rad' at its top"
        )
    rate = asked_rate(frame_rate) if frame_rate is not None else head.number("frame_rate")
    if rate is None:
        raise head.error(
            "must say its frame rate: give frame_rate, or add a line '# frame_rate: 30' at its top"
        )
    if not is_rate(rate):
        raise head.error(f"frame_rate must be {WANTED}, but is {rate:g}", "frame_rate")
    return _Settled(columns, ours, rig, axes, metres, told == "deg", rate)


def _metres(head: Head, notes: Notes, unit: str | float | None) -> float:
    if unit is not None:
        return unit_factor(unit)
    said = head.number("metres_per_unit")
    if said is None:
        notes.guess("lengths are taken as metres, as robots have them (set it with unit)")
        return 1.0
    if not 1e-9 <= said <= 1e9:
        raise head.error(f"metres_per_unit must be from 1e-9 to 1e9, but is {said:g}", "metres_per_unit")
    return said


def _figure(
    head: Head, notes: Notes, path: str | os.PathLike[str] | None, up: str | None, metres: float
) -> tuple[Skeleton, Rig, Axes]:
    """The skeleton in metres with Y up, its rig, and the axes of the CSV."""
    said = up or head.one_of("up", UPS)
    if path is not None:
        try:
            found = inspect(path, up=said)
        except InputError:  # such a file says what is up, and may not be told
            found = inspect(path)
        for guess in found.guesses:
            notes.guess(f"{Path(path).name}: {guess}")
        if said is None:
            notes.guess(f"{found.up.upper()} is taken as up, as in {Path(path).name} (set it with up)")
        return found.skeleton, found.rig, axes_of(said or found.up)
    own = head.figure()
    if own is None:
        raise head.error(
            "must bring its skeleton along, as files that Marotte writes do, or be given one: "
            "name the file of the robot or figure with skeleton (.bvh, .asf, .npz, …)"
        )
    axes = axes_of(said or "z")
    if said is None:
        notes.guess("Z is taken as up, as robots have it (set it with up)")
    ours = _our_skeleton(own, axes, metres)
    return ours, recognise(ours), axes


def _our_skeleton(own: Skeleton, axes: Axes, metres: float) -> Skeleton:
    """In metres with Y up, from one in the file's unit and axes."""
    ends = []
    for end in own.ends:
        x, y, z = (float(v) * metres for v in axes.vectors(np.array(end.offset)))
        ends.append(EndSite(end.joint, (x, y, z), end.name))
    given: dict[str, Any] = {}
    if own.channel_axes is not None:
        given["channel_axes"] = [product(world_turn(axes), frame) for frame in own.channel_axes]
        moves_only = [
            "".join(axes.letters(c) if c.islower() else c for c in letters) for letters in own.channels
        ]
        given["channels"] = moves_only
    else:
        given["channels"] = [axes.letters(letters) for letters in own.channels]
        if own.limits is not None:
            given["limits"] = turned_limits(own.limits, axes.source, axes.sign)
    return own.with_(offsets=axes.vectors(own.offsets) * metres, ends=ends, **given)


def turned_limits(limits: FloatArray, source: tuple[int, ...], sign: tuple[float, ...]) -> FloatArray:
    """Limits (J, 3, 2) about other axes: axis k becomes what `source[k]` was, times its sign."""
    out = np.empty_like(limits)
    for k, (at, s) in enumerate(zip(source, sign, strict=True)):
        out[:, k] = limits[:, at] if s > 0 else -limits[:, at, ::-1]
    return out


def _rows(file: BinaryIO, head: Head, notes: Notes, progress: Progress | None) -> FloatArray:
    """(F, C) the numbers of the file."""
    frames = count_frames(file, head)
    size = os.fstat(file.fileno()).st_size
    reader = RowReader(
        cast(BinaryIO, Separated(file, head.delimiter)),
        notes,
        begin=head.begin,
        size=size,
        columns=len(head.names),
        declared=None,
        progress=progress,
        each="column",
    )
    blocks = [values.copy() for values in reader]
    reader.check()
    if reader.rows != frames:  # two numbers in a cell of a last line that is short by one
        raise FileError(
            f"each frame must be a line of {len(head.names)} numbers, one a column, but the last is not",
            path=head.path,
        )
    return np.concatenate(blocks) if blocks else np.empty((0, len(head.names)))


def _motion(
    settled: _Settled, rows: FloatArray, notes: Notes
) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    """Root path, rotations and translations of rows (F, N)."""
    columns, skeleton, axes = settled.columns, settled.skeleton, settled.axes
    where = layout(skeleton)
    there = columns.channels >= 0
    values = np.zeros((len(rows), len(where.names)))
    values[:, there] = rows[:, columns.channels[there]]
    turning = np.array([unit == "deg" for unit in where.units], dtype=bool)
    if not settled.degrees:
        values[:, turning] = np.degrees(values[:, turning])
    if skeleton.channel_axes is None:  # about axes of the file that may point the other way
        signs = [s for letters in skeleton.channels for s in axes.signs(letters)]
        values[:, turning] *= np.array(signs)[turning]
    rotations = rotations_from_columns(skeleton, values)
    turn = world_turn(axes)
    rotations[:, 0] = multiply(turn, multiply(_unit(rows[:, list(columns.turn)], notes), inverse(turn)))
    root = axes.vectors(rows[:, list(columns.place)]) * settled.metres
    moved: FloatArray | None = None
    for j, k in np.argwhere(where.position_columns[1:] >= 0):
        at = int(where.position_columns[1 + j, k])
        if there[at]:
            sign = axes.signs("xyz"[k])[0]
            path = values[:, at] * settled.metres * sign - skeleton.offsets[1 + j, k]
            if moved is None:
                moved = np.zeros((len(rows), len(skeleton), 3))
            moved[:, 1 + j, k] = path
    if moved is not None and np.abs(moved).max(initial=0.0) <= 1e-9 * skeleton.height:
        moved = None
    return root, rotations, moved


def _unit(turns: FloatArray, notes: Notes) -> FloatArray:
    """Quaternions (F, 4) scaled to unit length, which they must nearly have."""
    lengths = np.linalg.norm(turns, axis=1, keepdims=True)
    off = np.abs(lengths[:, 0] - 1.0) > UNIT_TOLERANCE
    if off.any():
        at = int(np.argmax(off))
        raise FileError(
            f"the root's quaternion must have length 1, but in frame {at} it has {lengths[at, 0]:.4g}; "
            "are its columns named right?",
            path=notes.path,
        )
    return np.asarray(turns / lengths)
