"""Writing Acclaim: a Motion becomes an AMC and the ASF that belongs to it."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from ... import kernels
from ..._files import atomic_write, atomic_write_text
from ...errors import FileError, InputError
from ...figure import FloatArray, Motion, Skeleton
from ...figure.channels import layout
from ...figure.rotations import inverse, multiply, rotate
from .._channels import needed_channels
from .._decimals import fitting_places, places
from .._notes import Notes, Progress
from .._tree import depth_first
from .._written import angle_blocks, left_out, room_for_rows, unit_and_axes
from ..axes import axes_of
from ..units import unit_factor
from ._asf import MOVES, TURNS, Asf, parse_asf, read_asf_file
from ._figure import INCH, Figure, axes_quaternion, figure_of
from ._write_asf import asf_text

NEW_FILE_UNIT = INCH / 0.45
"""Metres. Many programs read no unit from an ASF, but take that of the CMU library's files."""

FITS = 1e-6
"""Share of the figure's height within which an ASF that is there already must place every joint."""

_RADIANS_NEED = 2  # decimals more than degrees


def write_amc(
    motion: Motion,
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    decimals: int | None = None,
    angles: str | None = None,
    skeleton: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> tuple[str, ...]:
    """Write a motion as AMC, and its skeleton as the ASF of the same name beside it.

    An ASF that is there already and has the same figure is left alone, and the AMC is written in
    its terms; another figure's is an error, for other motions may need it. `skeleton` names
    another ASF to use, or to write. A motion that came from Acclaim keeps its unit and up axis;
    others are written in the unit of the CMU library (0.056444 m) with Y up. `angles` is `deg` or
    `rad`. Returns what had to be changed, in words.
    """
    target = Path(path)
    asf_path = target.with_suffix(".asf") if skeleton is None else Path(skeleton)
    changes, plain, text = _skeleton_text(motion, asf_path, unit, up, angles)
    order = depth_first(motion.skeleton).tolist()
    figure = _figure_of_text(text, asf_path)
    there = asf_path.exists()
    if there:
        figure = _fitting(asf_path, figure, plain, order)
        changes += _not_as_asked(figure, unit, up, angles)
    changes += left_out(motion, "an AMC")
    rows = _Rows(motion, figure, order, decimals)
    if not there:
        atomic_write_text(asf_path, text)
    head = (
        f"# marotte frame_rate: {motion.frame_rate!r}\n"
        f":FULLY-SPECIFIED\n:{'DEGREES' if figure.asf.degrees else 'RADIANS'}\n"
    )
    with atomic_write(target.resolve() if target.is_symlink() else target) as stream:
        stream.write(head.encode("ascii"))
        for chunk, done in rows:
            stream.write(chunk)
            if progress is not None:
                progress(done)
    return tuple(changes)


def write_asf(
    motion: Motion,
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    angles: str | None = None,
    progress: Progress | None = None,
) -> tuple[str, ...]:
    """Write a motion's skeleton alone; what moves stays behind, which the answer says."""
    target = Path(path)
    still = Motion.at_rest(motion.skeleton, 0, motion.frame_rate)
    still = still.with_(name=motion.name, source=motion.source, rig=motion.rig)
    changes, _, text = _skeleton_text(still, target, unit, up, angles)
    atomic_write_text(target.resolve() if target.is_symlink() else target, text)
    if len(motion) > 1:
        changes.append("an ASF holds the skeleton alone; save as .amc to keep the motion as well")
    return tuple(changes)


def _skeleton_text(
    motion: Motion, path: Path, unit: str | float | None, up: str | None, angles: str | None
) -> tuple[list[str], Motion, str]:
    """What was changed, the motion about the axes of its channels, and its ASF as text."""
    if angles not in (None, "deg", "rad"):
        raise InputError(f"angles must be deg or rad, but is {angles!r}")
    metres, axes = unit_and_axes(motion, ("amc", "asf"), unit, up, metres=NEW_FILE_UNIT)
    plain, again = _about_own_axes(motion, motion.skeleton.channel_axes)
    channels, widened = needed_channels(plain)
    title = motion.name or path.stem
    text, renamed = asf_text(motion.skeleton, channels, metres, axes, angles != "rad", title)
    return [*again, *widened, *renamed], plain, text


def _about_own_axes(motion: Motion, axes: FloatArray | None) -> tuple[Motion, list[str]]:
    """The motion as its channels see it, and what had to change: no axis may be turned about twice."""
    skeleton = motion.skeleton
    twice = [name for name, c in zip(skeleton.names, skeleton.channels, strict=True) if len(set(c)) != len(c)]
    channels = tuple("".join(dict.fromkeys(c)) for c in skeleton.channels)
    skeleton = replace(skeleton, channels=channels, channel_axes=None)
    rotations = motion.rotations
    if axes is not None and len(motion):
        rotations = multiply(inverse(axes), multiply(rotations, axes))
    changes = []
    if twice:
        changes.append(f"an AMC turns about an axis once; {twice[0]!r} and others get another order")
    return replace(motion, skeleton=skeleton, rotations=rotations), changes


def _figure_of_text(text: str, path: Path) -> Figure:
    """The figure that a reader will make of the text."""
    notes = Notes(path, strict=True)
    return figure_of(parse_asf(text, path, notes), notes, None, None)


def _fitting(path: Path, ours: Figure, plain: Motion, order: list[int]) -> Figure:
    """The figure of an ASF that is there, if the motion can be written in its terms."""
    notes = Notes(path, strict=False)
    asf = read_asf_file(path, notes)
    metres = None if "metres_per_unit" in asf.remarks else ours.metres
    theirs = figure_of(asf, notes, metres, None if "up" in asf.remarks else ours.axes.up)
    reason = _misfit(ours.skeleton, theirs.skeleton, plain, order) or _unsaid(asf, plain)
    if reason:
        raise FileError(
            f"stands there already and is the skeleton of another figure: {reason}; "
            "save under another name, or name another ASF with skeleton",
            path=path,
        )
    return theirs


def _not_as_asked(figure: Figure, unit: str | float | None, up: str | None, angles: str | None) -> list[str]:
    """What was asked for, but is otherwise in an ASF that is there already."""
    asf = figure.asf
    found = [
        ("unit", unit is None or math.isclose(unit_factor(unit), figure.metres, rel_tol=1e-6)),
        ("up", up is None or axes_of(up).up == figure.axes.up),
        ("angles", angles is None or (angles == "deg") == asf.degrees),
    ]
    other = " and ".join(name for name, same in found if not same)
    return [f"{asf.path.name} is there already and settles {other}"] if other else []


def _misfit(ours: Skeleton, theirs: Skeleton, plain: Motion, order: list[int]) -> str:
    """Why a motion cannot be written for a skeleton; nothing where it can."""
    if not ours.same_joints(theirs):
        odd = [n for n in ours.names if n not in theirs] or [n for n in theirs.names if n not in ours]
        return f"it differs in its joints ({odd[0]!r})" if odd else "its joints hang together otherwise"
    near = FITS * ours.height
    apart = np.abs(ours.offsets - theirs.offsets).max(axis=1)
    if apart.max() > near:
        at = int(np.argmax(apart))
        return f"{ours.names[at]!r} sits {apart[at]:.3g} m elsewhere"
    tips = [np.array([[e.joint, *e.offset] for e in s.ends]).reshape(-1, 4) for s in (ours, theirs)]
    if tips[0].shape != tips[1].shape or np.abs(tips[0] - tips[1]).max(initial=0.0) > near:
        return "its bones end elsewhere"
    identity = np.tile([1.0, 0.0, 0.0, 0.0], (len(ours), 1))
    axes = [identity if s.channel_axes is None else s.channel_axes for s in (ours, theirs)]
    if (np.abs((axes[0] * axes[1]).sum(axis=1)) < 1 - 1e-12).any():
        return "its bones turn about other axes"
    channels = {joint: theirs.channels[k] for k, joint in enumerate(order)}
    skeleton = replace(plain.skeleton, channels=tuple(channels[j] for j in range(len(order))))
    _, missing = needed_channels(replace(plain, skeleton=skeleton))
    return f"its {missing[0]}" if missing else ""


def _unsaid(asf: Asf, plain: Motion) -> str:
    """Which moves of joints the bones of an ASF have no words for."""
    for bone in asf.bones[1:]:
        if "l" in bone.dof:
            return f"its bone {bone.name!r} changes its length"
        moves = sum(token in MOVES for token in bone.dof)
        if moves not in (0, len(MOVES)) and plain.translations is not None:
            return f"its bone {bone.name!r} moves along {moves} of three axes"
    return ""


class _Rows:
    """The frames as text, a chunk at a time, bone after bone as an ASF lists them."""

    def __init__(self, motion: Motion, figure: Figure, order: list[int], decimals: int | None) -> None:
        self.motion = motion
        self.figure = figure
        self.order = order
        self.degrees = figure.asf.degrees
        turn, place = places(figure.skeleton, figure.metres, decimals)
        if not self.degrees and decimals is None:
            turn += _RADIANS_NEED
        both = zip(figure.asf.bones, figure.joints, strict=True)
        self.said = [(bone, joint) for bone, joint in both if bone.dof or joint == 0]
        tokens = [t for bone, _ in self.said for t in bone.dof]
        self.places = np.array([turn if t in TURNS else place for t in tokens], dtype=np.int64)

    def __iter__(self) -> Iterator[tuple[bytes, float]]:
        """Text of the next frames, and the share that is done with them."""
        total, count = len(self.motion), len(self.places)
        buffer = room_for_rows(count)
        for part, angles in angle_blocks(total, count, layout(self.figure.skeleton), self._rotations):
            values = self._values(angles, part)
            wanted = fitting_places(values, self.places, "an AMC")
            used = kernels.text.format_rows(values, wanted, buffer)
            yield self._named(bytes(buffer[:used].data), part.start), part.stop / total

    def _rotations(self, part: slice) -> FloatArray:
        """(n, J, 4) in the figure's joints, about their own axes."""
        rotations, axes = self.motion.rotations[part][:, self.order], self.figure.skeleton.channel_axes
        return rotations if axes is None else multiply(inverse(axes), multiply(rotations, axes))

    def _values(self, angles: FloatArray, part: slice) -> FloatArray:
        """(n, N) the numbers of rows, in the file's unit and axes."""
        figure, motion = self.figure, self.motion
        where = layout(figure.skeleton)
        values = np.empty((len(angles), len(self.places)))
        at = 0
        for bone, joint in self.said:
            columns = iter(reversed(where.columns[joint][where.axes[joint] >= 0].tolist()))
            local = np.zeros((len(angles), 3))
            if joint == 0:
                path = figure.axes.file_vectors(motion.root[part]) / figure.metres
                local = path - figure.asf.position
            elif motion.translations is not None and any(t in MOVES for t in bone.dof):
                moved = motion.translations[part, self.order[joint]]
                path = figure.axes.file_vectors(moved) / figure.metres
                local = rotate(inverse(axes_quaternion(figure.asf, bone)), path)
            for token in bone.dof:
                if token in TURNS:
                    column = angles[:, next(columns)]
                    values[:, at] = column if self.degrees else np.radians(column)
                else:
                    values[:, at] = local[:, MOVES.index(token)]
                at += 1
        return values

    def _named(self, numbers: bytes, first: int) -> bytes:
        """Lines of numbers as frames: each with its number, and a line for each bone."""
        words = numbers.split()
        count = len(self.places)
        frames = len(words) // count if count else numbers.count(b"\n")
        stride = 1 + sum(1 + len(bone.dof) for bone, _ in self.said)
        out = [b""] * (frames * stride)
        out[::stride] = [b"\n%d" % (first + k + 1) for k in range(frames)]
        at, column = 1, 0
        for bone, _ in self.said:
            out[at::stride] = [b"\n" + bone.name.encode(self.figure.asf.encoding)] * frames
            for k in range(len(bone.dof)):
                out[at + 1 + k :: stride] = words[column + k :: count]
            at += 1 + len(bone.dof)
            column += len(bone.dof)
        return b" ".join(out).replace(b" \n", b"\n").removeprefix(b"\n") + b"\n"
