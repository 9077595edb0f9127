"""Contacts: that a foot, a hand or a knee rests on something, and how such facts are kept and edited.

`detection.py` finds them in a motion.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ._arrays import BoolArray, FloatArray
from .rotations import rotate

if TYPE_CHECKING:
    from .motion import Motion
    from .rig import Sole


SOMETHING = "something"
"""What a hand rests on that stays in the air, where no scene says what is there."""


@dataclass(frozen=True, slots=True, order=True)
class Contact:
    """A part of the body rests on something from the first to the last frame, both included.

    The part is named by its role: a foot, a hand, or `left_lower_leg` for a knee that kneels,
    because that joint is the knee. Where nothing slips, the part does not move.
    """

    role: str
    first: int
    last: int
    on: str = ""
    """What it rests on: the name of an object of the scene, nothing for the ground, or SOMETHING."""

    def __post_init__(self) -> None:
        if self.first < 0 or self.last < self.first:
            raise InputError(
                f"a contact must run from a frame >= 0 to one not before it, but {self.role!r} "
                f"has {self.first} to {self.last}"
            )


def sliced(
    contacts: Sequence[Contact] | None, start: int, last: int, step: int = 1
) -> tuple[Contact, ...] | None:
    """The contacts of frames start, start + step, … up to last, in the new frames."""
    if contacts is None:
        return None
    kept = []
    for c in contacts:
        first = max(0, -((start - c.first) // step))
        end = (min(c.last, last) - start) // step
        if first <= end:
            kept.append(replace(c, first=first, last=end))
    return tuple(kept)


def contact_mask(
    contacts: Sequence[Contact] | None, role: str, frames: int, *, on: str | None = None
) -> BoolArray:
    """(F,) whether the role is in contact at each frame: with anything, or only with `on`."""
    mask = np.zeros(frames, dtype=np.bool_)
    for c in contacts or ():
        if c.role == role and on in (None, c.on):
            mask[c.first : c.last + 1] = True
    return mask


def intervals(role: str, mask: BoolArray) -> list[Contact]:
    """The runs of True in mask (F,) as contacts."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    return [Contact(role, int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def sole_points(motion: Motion, sole: Sole) -> FloatArray:
    """(F, S, 3) world positions of a sole's points, metres."""
    positions, orientations = motion.world()
    joints = list(sole.joints)
    return positions[:, joints] + rotate(orientations[:, joints], np.array(sole.points))


def ground_height(soles: Sequence[FloatArray]) -> float:
    """The height where the lowest sole point is most often, metres: the floor of a flat take.

    Heights within 3 cm count together. Of several floors, as of steps, it is the lowest that at least a
    third as many frames have as the most usual one; toes that dip below it for a while are none.
    """
    lowest = np.sort(np.min([points[..., 1].min(axis=1) for points in soles], axis=0))
    if len(lowest) == 0:
        return 0.0
    within = np.searchsorted(lowest, lowest + _ONE_FLOOR, side="right") - np.arange(len(lowest))
    first = int(np.argmax(3 * within >= within.max()))
    near = int(np.searchsorted(lowest, lowest[first] + _ONE_FLOOR, side="right"))
    first += int(np.argmax(within[first:near]))
    return float(np.median(lowest[first : first + within[first]]))


_ONE_FLOOR = 0.03  # metres


def without_short_runs(mask: BoolArray, shortest: int) -> BoolArray:
    """mask (F,) with inner gaps, then runs, of fewer than `shortest` frames removed."""
    out = mask.copy()
    for value in (False, True):
        edges = np.flatnonzero(np.diff(out.astype(np.int8))) + 1
        bounds = [0, *edges.tolist(), len(out)]
        for a, b in itertools.pairwise(bounds):
            inner = value or (a > 0 and b < len(out))
            if b > a and out[a] == value and b - a < shortest and inner:
                out[a:b] = not value
    return out
