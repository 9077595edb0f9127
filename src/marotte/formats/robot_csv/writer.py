"""Writing robot CSV: everything that another program has to know stands in the file."""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from ... import kernels
from ..._files import atomic_write
from ...figure import EndSite, FloatArray, Motion, Skeleton
from ...figure.channels import layout, positions_of
from ...figure.rotations import inverse, multiply, unroll
from .._channels import needed_channels
from .._decimals import fitting_places, places
from .._names import unique_names
from .._notes import Progress
from .._turns import world_turn
from .._values import plain
from .._written import angle_blocks, left_out, room_for_rows, unit_and_axes
from ..axes import Axes
from ._columns import PLACE, QUATERNION, column_names, file_channels
from ._head import Figure, Joint, check_choice
from .reader import ANGLES, ORDERS, turned_limits

QUATERNION_PLACES = 10
_RADIANS_NEED = 2  # decimals more than degrees
NEW_FILE_UP = "z"
"""Robots have Z up."""


def write_csv(
    motion: Motion,
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    decimals: int | None = None,
    angles: str | None = None,
    quaternion: str | None = None,
    progress: Progress | None = None,
) -> tuple[str, ...]:
    """Write root places, root quaternions and joint angles, a frame a line, with the skeleton above.

    Z is up and lengths are metres, unless `up` and `unit` say otherwise or the motion came from
    such a file. `angles` is `rad` (as usual) or `deg`, `quaternion` the order of its columns,
    `wxyz` or `xyzw`. All of it is declared in the file. Returns what had to be changed, in words.
    """
    check_choice("angles", angles, ANGLES)
    check_choice("quaternion", quaternion, ORDERS)
    metres, axes = unit_and_axes(motion, ("csv",), unit, up, metres=1.0, usual_up=NEW_FILE_UP)
    seen, changes = _about_own_axes(motion)
    skeleton = replace(motion.skeleton, channels=seen.skeleton.channels)
    skeleton, renamed = _named(skeleton)
    changes += left_out(motion, "a CSV")
    seen = replace(seen, skeleton=replace(seen.skeleton, names=skeleton.names))
    told = (angles or "rad", quaternion or "wxyz")
    rows = _Rows(motion, seen, skeleton, axes, metres, *told, decimals)
    remarks = [
        ("marotte_csv", "1"),
        ("frame_rate", repr(motion.frame_rate)),
        ("quaternion", told[1]),
        ("angles", told[0]),
        ("up", axes.up),
        ("metres_per_unit", repr(metres)),
        ("skeleton", _text(_figure(skeleton, axes, metres))),
    ]
    names = io.StringIO()
    csv.writer(names, lineterminator="\n").writerow(rows.names)
    text = "".join(f"# {key}: {value}\n" for key, value in remarks) + names.getvalue()
    target = Path(path)
    with atomic_write(target.resolve() if target.is_symlink() else target) as stream:
        stream.write(text.encode("utf-8"))
        for chunk, done in rows:
            stream.write(chunk)
            if progress is not None:
                progress(done)
    return (*changes, *renamed)


def _about_own_axes(motion: Motion) -> tuple[Motion, list[str]]:
    """The motion as its channels see it, with as many channels as it needs."""
    axes = motion.skeleton.channel_axes
    skeleton, rotations = replace(motion.skeleton, channel_axes=None), motion.rotations
    if axes is not None and len(motion):
        rotations = multiply(inverse(axes), multiply(rotations, axes))
    # the root has columns of its own, which say everything
    free = replace(skeleton, channels=("xyzZXY", *skeleton.channels[1:]))
    channels, changes = needed_channels(replace(motion, skeleton=free, rotations=rotations))
    skeleton = replace(skeleton, channels=(skeleton.channels[0], *channels[1:]))
    return replace(motion, skeleton=skeleton, rotations=rotations), list(changes)


def _named(skeleton: Skeleton) -> tuple[Skeleton, tuple[str, ...]]:
    """Names that a line can hold and that are no column of the root's."""
    reserved = (*PLACE, *QUATERNION)
    clean = [" ".join(name.split()) or "joint" for name in skeleton.names]
    clean = [name.encode("utf-8", "replace").decode() for name in clean]
    clean = [f"{name}_joint" if name in reserved else name for name in clean]
    mended = unique_names(clean)
    changed = [(a, b) for a, b in zip(skeleton.names, mended, strict=True) if a != b]
    if not changed:
        return skeleton, ()
    old, new = changed[0]
    more = f", and {len(changed) - 1} more" if len(changed) > 1 else ""
    return skeleton.with_(names=mended), (f"names must fit on a line; {old!r} became {new!r}{more}",)


def _figure(skeleton: Skeleton, axes: Axes, metres: float) -> Figure:
    """The skeleton in the file's unit and axes."""
    told = file_channels(skeleton, axes)
    offsets = axes.file_vectors(skeleton.offsets) / metres
    frames = skeleton.channel_axes
    if frames is not None:
        frames = multiply(inverse(world_turn(axes)), frames)
    limits = skeleton.limits
    if limits is not None and frames is None:
        back = tuple(axes.source.index(k) for k in range(3))
        limits = turned_limits(limits, back, tuple(axes.sign[k] for k in back))
    joints = []
    for j, name in enumerate(skeleton.names):
        x, y, z = offsets[j].tolist()
        frame = None if frames is None else tuple(frames[j].tolist())
        bounds = None
        if limits is not None and np.isfinite(limits[j]).any():
            bounds = tuple((_ended(a), _ended(b)) for a, b in limits[j].tolist())
        joints.append(Joint(name, int(skeleton.parents[j]), (x, y, z), told.channels[j], frame, bounds))
    ends = []
    for end in skeleton.ends:
        x, y, z = (float(v) / metres for v in axes.file_vectors(np.array(end.offset)))
        ends.append(EndSite(end.joint, (x, y, z), end.name))
    return Figure(tuple(joints), tuple(ends))


def _ended(angle: float) -> float | None:
    return angle if math.isfinite(angle) else None


def _text(figure: Figure) -> str:
    """As JSON, without what is not there."""
    found = plain(figure)
    found["joints"] = [{k: v for k, v in joint.items() if v is not None} for joint in found["joints"]]
    return json.dumps(found, separators=(",", ":"), allow_nan=False)


class _Rows:
    """The frames as text, a chunk at a time."""

    def __init__(
        self,
        motion: Motion,
        seen: Motion,
        skeleton: Skeleton,
        axes: Axes,
        metres: float,
        angles: str,
        quaternion: str,
        decimals: int | None,
    ) -> None:
        self.seen = seen
        order = ["wxyz".index(c) for c in quaternion]
        turn = world_turn(axes)
        turns = unroll(multiply(inverse(turn), multiply(motion.rotations[:, 0], turn)))
        path = axes.file_vectors(motion.root) / metres
        self.root = np.concatenate([path, turns[:, order]], axis=1)  # (F, 7) as the file has it
        self.where, columns = column_names(file_channels(skeleton, axes))
        self.kept = [c for c, name in enumerate(columns) if name]
        self.names = [*PLACE, *(QUATERNION[k] for k in order), *(columns[c] for c in self.kept)]
        self.scale = self._scale(skeleton, axes, metres, angles == "deg")[self.kept]
        angle, place = places(skeleton, metres, decimals)
        if angles != "deg" and decimals is None:
            angle += _RADIANS_NEED
        fine = QUATERNION_PLACES if decimals is None else decimals
        joints = [angle if self.where.units[c] == "deg" else place for c in self.kept]
        self.places = np.array([place] * 3 + [fine] * 4 + joints, dtype=np.int64)

    def _scale(self, skeleton: Skeleton, axes: Axes, metres: float, degrees: bool) -> FloatArray:
        """(C,) what our channels, degrees and metres about our axes, are divided by."""
        one = 1.0 if degrees else np.degrees(1.0)
        out = []
        for letter in "".join(skeleton.channels):
            sign = 1.0 if letter.isupper() and skeleton.channel_axes is not None else axes.signs(letter)[0]
            out.append(sign * (one if letter.isupper() else metres))
        return np.array(out)

    def __iter__(self) -> Iterator[tuple[bytes, float]]:
        """Text of the next frames, and the share that is done with them."""
        seen, total = self.seen, len(self.seen)
        where = layout(seen.skeleton)
        buffer = room_for_rows(len(self.places))
        moves = [(int(j), int(k)) for j, k in np.argwhere(where.position_columns >= 0) if j]
        paths = {int(where.position_columns[j, k]): positions_of(seen, j, k) for j, k in moves}
        for part, channels in angle_blocks(total, len(self.places), where, seen.rotations.__getitem__):
            for column, path in paths.items():
                channels[:, column] = path[part]
            values = np.concatenate([self.root[part], channels[:, self.kept] / self.scale], axis=1)
            used = kernels.text.format_rows(values, fitting_places(values, self.places, "a CSV"), buffer)
            yield bytes(buffer[:used].data).replace(b" ", b","), part.stop / total
