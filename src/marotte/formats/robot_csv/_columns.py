"""Which column is what.

The root has `root_pos_x`, `root_pos_y`, `root_pos_z`, and `root_quat_w` to `root_quat_z` in any
order. A joint that turns about one axis has its name; one that turns about more has a column an
axis, `LeftArm.z`, as channels are named, and one that moves has `LeftArm.tx`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...errors import UnknownNameError
from ...figure import IntArray, Skeleton
from ...figure.channels import Layout, layout
from ..axes import Axes

PLACE = ("root_pos_x", "root_pos_y", "root_pos_z")
QUATERNION = ("root_quat_w", "root_quat_x", "root_quat_y", "root_quat_z")

# What other programs call them: root, base, pelvis, or nothing.
_ROOT = r"(?:(?:root|base|floating_base|pelvis)[_.]?)?"
_PLACE = re.compile(_ROOT + r"(?:pos|position|trans|translation|translate|t|p)?[_.]?([xyz])", re.IGNORECASE)
_WORDS = r"(?:quat|quaternion|rot|rotation|orn|orientation|q)[_.]?"
_TURN = re.compile(_ROOT + _WORDS + "([wxyz])", re.IGNORECASE)
_NUMBERED = re.compile(_ROOT + _WORDS + "([0-3])", re.IGNORECASE)
_PASSED_OVER = ("frame", "frames", "index", "t", "time", "timestamp", "time_s", "")
_ENDINGS = re.compile(r"_(?:dof|pos|position|angle|rad|deg)$")


class ColumnError(Exception):
    """Columns that cannot be understood; the message says which, and what to give."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Where in a row the numbers stand."""

    place: tuple[int, int, int]
    """Of x, y, z of the root."""
    turn: tuple[int, int, int, int]
    """Of w, x, y, z of its quaternion."""
    channels: IntArray
    """(C,) for each channel of the skeleton its column, -1 where there is none. The root's turns and
    moves are not among them."""
    passed_over: tuple[str, ...]


def file_channels(skeleton: Skeleton, axes: Axes) -> Skeleton:
    """The skeleton with channels as the file has them: about its axes, unless a joint has its own."""
    if skeleton.channel_axes is not None:  # turns are about these, which turn with the world
        letters = ["".join(axes.file_letters(c) if c.islower() else c for c in t) for t in skeleton.channels]
    else:
        letters = [axes.file_letters(t) for t in skeleton.channels]
    return replace(skeleton, channels=tuple(letters), limits=None)


def column_names(skeleton: Skeleton) -> tuple[Layout, list[str]]:
    """The layout of a skeleton's channels, and the column of each; nothing for those of the root."""
    where = layout(skeleton)
    names = []
    for name in where.names:
        joint, _, axis = name.rpartition(".")
        if joint == skeleton.names[0]:
            names.append("")
        elif len(skeleton.order(joint)) == 1 and not axis.startswith("t"):
            names.append(joint)
        else:
            names.append(name)
    return where, names


def check_kind(header: Sequence[str]) -> None:
    """Raise ColumnError where no column can be of a root's quaternion: a table of something else."""
    names = [cell.strip() for cell in header]
    if not any(_TURN.fullmatch(name) or _NUMBERED.fullmatch(name) for name in names):
        few = ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
        raise ColumnError(
            f"a CSV of motion must have columns of the root's quaternion ({', '.join(QUATERNION)}), "
            f"but this has {few}; is it a table of something else?"
        )


def find_columns(header: Sequence[str], skeleton: Skeleton, quaternion: str | None) -> Columns:
    """What each column of a header is, for a skeleton with the file's channels."""
    where, names = column_names(skeleton)
    known = {name: c for c, name in enumerate(names) if name}
    known |= {name: c for c, name in enumerate(where.names) if names[c]}
    place: dict[str, int] = {}
    turn: dict[str, int] = {}
    numbered: dict[str, int] = {}
    channels = np.full(len(names), -1, dtype=np.int64)
    passed: list[str] = []
    for at, cell in enumerate(header):
        name = cell.strip()
        channel = known.get(name, known.get(_ENDINGS.sub("", name)))
        if channel is not None:
            if channels[channel] >= 0:
                raise ColumnError(f"each column must stand once, but there are two for {name!r}")
            channels[channel] = at
            continue
        for pattern, found in ((_PLACE, place), (_TURN, turn), (_NUMBERED, numbered)):
            match = pattern.fullmatch(name)
            if match:
                if match[1].lower() in found:
                    raise ColumnError(f"each column must stand once, but there are two like {name!r}")
                found[match[1].lower()] = at
                break
        else:
            if name.lower() in _PASSED_OVER:
                passed.append(name)
                continue
            hint = UnknownNameError("column", name, [*PLACE, *QUATERNION, *known])
            raise ColumnError(
                f"columns must be of the root or of joints of the skeleton, but: {hint}; "
                "is this the right skeleton?"
            )
    if numbered and not turn:
        turn = _ordered(numbered, quaternion)
    for what, found, wanted in (("place", place, "xyz"), ("quaternion", turn, "wxyz")):
        missing = [c for c in wanted if c not in found]
        if missing:
            names_of = PLACE if what == "place" else QUATERNION
            raise ColumnError(
                f"the root's {what} must have the columns {', '.join(names_of)} (or named alike), "
                f"but there is none for {' and '.join(missing)}"
            )
    return Columns(
        (place["x"], place["y"], place["z"]), (turn["w"], turn["x"], turn["y"], turn["z"]), channels,
        tuple(passed),
    )  # fmt: skip


def _ordered(numbered: dict[str, int], quaternion: str | None) -> dict[str, int]:
    """Columns that are numbered, by letters."""
    if quaternion is None:
        raise ColumnError(
            "the columns of the root's quaternion are numbered, so that the file must say their order: "
            "give quaternion (wxyz or xyzw), or add a line '# quaternion: wxyz' at its top"
        )
    return {letter: numbered[str(k)] for k, letter in enumerate(quaternion) if str(k) in numbered}
