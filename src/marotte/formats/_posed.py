"""From joints that stand somewhere in the world to a motion whose rest pose has no rotations.

FBX and USD let every joint have a frame of its own, turned in any way as the figure rests. Ours are
the world's axes at rest: where such a frame G rests and W stands in a frame of the motion, ours is
turned by W G⁻¹ and stands in the same place. Positions are therefore exact whatever a file does
with scales, pivots or orientations of its own; bones that change their length move against them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import FileError
from ..figure import FloatArray, Skeleton
from ..figure.rotations import inverse, multiply, normalised, rotate
from ._names import unique_names

# A joint that stays within this share of the figure's height of where its bone ends does not move
# against it: what is left of a file's single precision.
STILL = 1e-6


# Metres. Nothing that moves is larger; damaged files are, and would overflow later, without a name.
_FURTHEST = 1e9


def check_places(positions: FloatArray, orientations: FloatArray, path: Path, when: str) -> None:
    """Raise a FileError unless joints (…, J, 3) stand, turned (…, J, 4), where something can be."""
    largest = float(np.abs(positions).max(initial=0.0))
    if not largest <= _FURTHEST or not np.isfinite(orientations).all():
        raise FileError(
            f"must have joints within a million kilometres and turned by finite numbers {when}, but "
            "does not; the file may be damaged, or its unit wrong",
            path=path,
        )


@dataclass(frozen=True, slots=True)
class Rest:
    """The pose that counts as zero, in metres with Y up."""

    positions: FloatArray
    """(J, 3)"""
    orientations: FloatArray
    """(J, 4) of the file's own frames."""

    def skeleton(self, names: list[str], parents: list[int], orders: list[str], moved: set[int]) -> Skeleton:
        """The skeleton, whose joints turn about the file's own axes; `moved` are those that slide."""
        above = np.array(parents)
        offsets = self.positions.copy()
        offsets[1:] -= self.positions[above[1:]]
        given = [name or f"joint_{j}" for j, name in enumerate(names)]
        askew = bool(np.abs(self.orientations[:, 1:]).max() > 1e-12)
        return Skeleton(
            names=tuple(unique_names(given)),
            parents=above,
            offsets=offsets,
            channels=tuple(("xyz" if j == 0 or j in moved else "") + order for j, order in enumerate(orders)),
            channel_axes=self.orientations if askew else None,
        )


@dataclass(frozen=True, slots=True)
class Posed:
    """The arrays of a motion."""

    root: FloatArray
    rotations: FloatArray
    translations: FloatArray | None
    moved: set[int]
    """Joints that leave the ends of their bones."""


def pose_frames(rest: Rest, parents: list[int], positions: FloatArray, orientations: FloatArray) -> Posed:
    """Joints (F, J, 3) and their frames (F, J, 4) in the world as a root path and local rotations."""
    above = np.array(parents[1:], dtype=np.int64)
    turned = multiply(orientations, inverse(rest.orientations))
    rotations = turned.copy()
    moves: FloatArray = np.zeros((len(positions), len(parents), 3))
    moved: set[int] = set()
    if len(above) and len(positions):
        back = inverse(turned[:, above])
        rotations[:, 1:] = multiply(back, turned[:, 1:])
        offsets = rest.positions[1:] - rest.positions[above]
        moves[:, 1:] = rotate(back, positions[:, 1:] - positions[:, above]) - offsets
        height = float(np.ptp(rest.positions, axis=0).max())
        sliding = np.linalg.norm(moves, axis=2).max(axis=0) > STILL * height
        moves[:, ~sliding] = 0.0
        moved = {int(j) for j in np.flatnonzero(sliding)}
    return Posed(
        root=np.ascontiguousarray(positions[:, 0]),
        rotations=normalised(rotations),
        translations=moves if moved else None,
        moved=moved,
    )
