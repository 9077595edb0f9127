"""Displacements: the difference between two motions, frame by frame (LS99 3.1).

A displacement is a vector for the root's path and a rotation vector for each joint. It is applied
as p + v and q exp(v) (LS99 eq. 1), so that turns of any size add to any pose.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ..curves.splines import Beyond, End, kochanek_bartels
from ..errors import InputError
from ..figure import FloatArray, IntArray, Motion
from ..figure._arrays import check_finite, frozen_floats, owned
from ..figure.rotations import exp, inverse, log, multiply, normalised

Ends: TypeAlias = Literal["pin", "hold", "free"]
ENDS: dict[Ends, str] = {
    "pin": "nothing is displaced at the first frame and the last, where the motion keeps its speed too",
    "hold": "the first key's displacement stays before it, the last key's after it",
    "free": "the curve goes straight on beyond its keys",
}
"""What a displacement is at the ends of a take where no key is."""


@dataclass(frozen=True, slots=True, eq=False)
class Displacement:
    """What is added to a motion: d in m = m0 ⊕ d."""

    joints: IntArray
    """(N,) the joints that turn; the others stay as they are."""
    vectors: FloatArray
    """(F, N, 3) rotation vectors in the joints' own frames, radians."""
    root: FloatArray | None = None
    """(F, 3) the way that the root is moved, world, metres; None where it stays."""

    def __post_init__(self) -> None:
        joints = np.array(self.joints, dtype=np.int64)
        joints.flags.writeable = False
        vectors = frozen_floats("vectors", self.vectors, (None, len(joints), 3))
        check_finite("vectors", vectors)
        object.__setattr__(self, "joints", joints)
        object.__setattr__(self, "vectors", vectors)
        if self.root is not None:
            root = frozen_floats("root", self.root, (len(vectors), 3))
            check_finite("root", root)
            object.__setattr__(self, "root", root)

    def __len__(self) -> int:
        return len(self.vectors)

    def apply(self, motion: Motion) -> Motion:
        """m0 ⊕ d: the displaced motion. Where nothing is added, nothing changes, bit by bit."""
        if len(motion) != len(self):
            raise InputError(f"a displacement of {len(self)} frames does not fit a motion of {len(motion)}")
        rotations, root = np.array(motion.rotations), motion.root
        if len(self.joints):
            before = rotations[:, self.joints]
            moved = self.vectors.any(axis=-1)
            before[moved] = normalised(multiply(before[moved], exp(self.vectors[moved])))
            rotations[:, self.joints] = before
        if self.root is not None:
            root = owned(root + self.root)
        return motion.with_(root=root, rotations=owned(rotations))


def displacement_between(before: Motion, after: Motion) -> Displacement:
    """m ⊖ m0: what must be added to `before` to get `after`, along the shorter turns."""
    if before.rotations.shape != after.rotations.shape:
        raise InputError("both motions must have the same frames and joints")
    vectors = log(multiply(inverse(before.rotations), after.rotations))
    return Displacement(np.arange(len(before.skeleton)), owned(vectors), owned(after.root - before.root))


@dataclass(frozen=True, slots=True)
class Bend:
    """How a displacement's curve goes through a key: Kochanek and Bartels' three numbers, -1 to 1."""

    tension: float = 0.0
    continuity: float = 0.0
    bias: float = 0.0


STRAIGHT = Bend()


def displacement_curve(
    keys: dict[int, tuple[FloatArray, Bend]], frames: int, ends: Ends, spread: int | None = None
) -> FloatArray:
    """(F, …) the curve through displacements (…) at some frames (BW95 5, step 2).

    With `spread` nothing is displaced farther than that many frames from every key.
    """
    if ends not in ENDS:
        raise InputError(f"ends must be one of {', '.join(ENDS)}, but is {ends!r}")
    given = dict(keys)
    still: End = "natural" if ends == "free" else "still"
    first = last = still
    nothing = np.zeros_like(next(iter(keys.values()))[0])
    if ends == "pin":
        first, last = (end_for(frame in keys) for frame in (0, frames - 1))
        for frame in (0, frames - 1):
            given.setdefault(frame, (nothing, STRAIGHT))
    if spread is not None:
        for frame in around(keys, frames, spread):
            given.setdefault(frame, (nothing, Bend(tension=1.0)))  # at rest there as well
    at = sorted(given)
    beyond: Beyond = "straight" if ends == "free" else "hold"
    spline = kochanek_bartels(
        np.array(at, dtype=np.float64),
        np.array([given[f][0] for f in at]),
        tension=[given[f][1].tension for f in at],
        continuity=[given[f][1].continuity for f in at],
        bias=[given[f][1].bias for f in at],
        ends=(first, last),
    )
    return spline(np.arange(frames), beyond=beyond)


def around(keys: Collection[int], frames: int, spread: int) -> list[int]:
    """The frames at which displacements that reach so far have faded."""
    faded = (f + way for f in keys for way in (-spread, spread) if 0 <= f + way < frames)
    return [f for f in faded if all(abs(f - key) >= spread for key in keys)]


def end_for(keyed: bool) -> End:
    """How a pinned curve ends: at rest, but freely where a person set a key there."""
    return "natural" if keyed else "still"


def unwrapped(vector: FloatArray, before: FloatArray | None) -> FloatArray:
    """A rotation vector (3,), lengthened by whole turns to be the nearest to the key before it.

    Keys on both sides of a half turn would else be joined by a turn the other way round.
    """
    if before is None:
        return vector
    angle = float(np.linalg.norm(vector))
    axis = vector / angle if angle > 1e-9 else before / max(float(np.linalg.norm(before)), 1e-9)
    turns = round((float(before @ axis) - angle) / (2.0 * np.pi))
    return np.asarray(vector + 2.0 * np.pi * turns * axis)
