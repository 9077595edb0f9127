"""Our own layout: everything that a Motion holds, bit by bit.

`marotte` is the version. `header` is UTF-8 JSON of all that is not an array of doubles; the others
have the names and shapes of the fields that they are: `offsets`, `limits`, `channel_axes`, `root`,
`rotations`, `translations` (those that are None are missing). Always metres, Y up.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import InputError
from ...figure import Contact, EndSite, Motion, Point, Rig, Skeleton, Source
from .._values import plain, value_of
from ._archive import ANY_NUMBER, Archive

VERSION = 1
MARK = "marotte"
LARGEST_HEADER = 1 << 24
_WHEN = (1980, 1, 1, 0, 0, 0)  # the same motion makes the same file


@dataclass(frozen=True, slots=True)
class Header:
    """What is no array of doubles."""

    names: tuple[str, ...]
    parents: tuple[int, ...]
    channels: tuple[str, ...]
    frame_rate: float
    ends: tuple[EndSite, ...] = ()
    name: str = ""
    contacts: tuple[Contact, ...] | None = None
    points: tuple[Point, ...] = ()
    source: Source = field(default_factory=Source)
    rig: Rig = field(default_factory=lambda: Rig({}))


def members(motion: Motion) -> Iterator[tuple[str, Any]]:
    """The arrays of a file, by name."""
    skeleton = motion.skeleton
    header = Header(
        names=skeleton.names,
        parents=tuple(skeleton.parents.tolist()),
        channels=skeleton.channels,
        frame_rate=motion.frame_rate,
        ends=skeleton.ends,
        name=motion.name,
        contacts=motion.contacts,
        points=motion.points,
        source=motion.source,
        rig=motion.rig,
    )
    text = json.dumps(plain(header), separators=(",", ":"))
    yield MARK, np.array(VERSION)
    yield "header", np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    for name in ("offsets", "limits", "channel_axes"):
        if getattr(skeleton, name) is not None:
            yield name, getattr(skeleton, name)
    for name in ("root", "rotations", "translations"):
        if getattr(motion, name) is not None:
            yield name, getattr(motion, name)


def write_members(motion: Motion, stream: Any) -> None:
    """An archive of them, uncompressed: numbers of motion shrink little, and copies are quick."""
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
        for name, array in members(motion):
            info = zipfile.ZipInfo(f"{name}.npy", _WHEN)
            with archive.open(info, "w", force_zip64=array.nbytes > 1 << 30) as member:
                head = io.BytesIO()
                np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(array))
                member.write(head.getvalue())
                member.write(np.ascontiguousarray(array).data.cast("B") if array.size else b"")


def read_header(archive: Archive) -> tuple[Header, Skeleton]:
    """What is no motion yet."""
    version = archive.number(MARK)
    if version != VERSION:
        raise archive.error(
            f"version must be {VERSION}, but is {version:g}; a newer Marotte wrote it, which can read it"
        )
    for name in ("header", "offsets", "root", "rotations"):
        if name not in archive:
            raise archive.error(f"must have an array {name!r}, but has not; was it cut or written by hand?")
    if archive.shape("header") > (LARGEST_HEADER,):
        raise archive.error(f"a header of more than {LARGEST_HEADER >> 20} MB is refused")
    raw = archive.array("header")
    try:
        found = json.loads(raw.tobytes())
        header: Header = value_of(Header, found, "header")
        skeleton = Skeleton(
            names=header.names,
            parents=np.array(header.parents),
            offsets=archive.numbers("offsets", None, 3, most=ANY_NUMBER),
            channels=header.channels,
            ends=header.ends,
            limits=archive.array("limits") if "limits" in archive else None,  # they may be infinite
            channel_axes=archive.numbers("channel_axes", None, 4) if "channel_axes" in archive else None,
        )
        _check_rig(header.rig, len(skeleton))
    except RecursionError:
        raise archive.error("the header nests too deeply") from None
    except (ValueError, OverflowError, TypeError) as problem:  # JSON's, ours, and InputError
        raise archive.error(f"the header is wrong: {problem}") from None
    return header, skeleton


def read_own(archive: Archive) -> Motion:
    """The motion."""
    header, skeleton = read_header(archive)
    arrays: dict[str, Any] = {}
    for name, *shape in (("root", None, 3), ("rotations", None, None, 4), ("translations", None, None, 3)):
        if name in archive:
            arrays[name] = archive.numbers(name, *shape, most=ANY_NUMBER)
            arrays[name].flags.writeable = False
    try:
        return Motion(
            skeleton=skeleton,
            frame_rate=header.frame_rate,
            name=header.name,
            contacts=header.contacts,
            points=header.points,
            source=header.source,
            rig=header.rig,
            **arrays,
        )
    except InputError as problem:
        raise archive.error(str(problem)) from None


def _check_rig(rig: Rig, joints: int) -> None:
    """Raise ValueError where a rig names joints that are not there."""
    named = [*rig.roles.values(), *rig.spine]
    for limb in rig.limbs:
        named += [limb.root, limb.hinge, limb.end, *([] if limb.tip is None else [limb.tip])]
    for sole in rig.soles:
        named += sole.joints
        if len(sole.joints) != len(sole.points):
            raise ValueError("a sole must have as many joints as points")
    if not all(0 <= j < joints for j in named):
        raise ValueError(f"the rig must name joints below {joints}, but names {max(named)} and {min(named)}")
