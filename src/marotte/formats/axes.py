"""Which way is up in a file, and the turn of the world between its axes and ours (Y up).

The turn is a change of names and signs, never arithmetic: the file's X may become our Z, or our
Z backwards. It is applied to everything, offsets, paths and the axes that joints turn about, so
that the rest pose stands upright too; undoing it gives the file's own numbers bit by bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..figure import FloatArray, Rig
from ..figure.skeleton import AXES

# For each of our axes x, y, z: which of the file's it is, and with which sign. All are rotations.
_OURS_FROM_FILE: dict[str, tuple[tuple[int, float], ...]] = {
    "y": ((0, 1.0), (1, 1.0), (2, 1.0)),
    "z": ((0, 1.0), (2, 1.0), (1, -1.0)),
    "x": ((1, -1.0), (0, 1.0), (2, 1.0)),
    "-y": ((0, 1.0), (1, -1.0), (2, -1.0)),
    "-z": ((0, 1.0), (2, -1.0), (1, 1.0)),
    "-x": ((1, 1.0), (0, -1.0), (2, 1.0)),
}
UPS = tuple(_OURS_FROM_FILE)

# A direction belongs to an axis whose cosine with it is larger than this.
_CLEAR = 0.8


@dataclass(frozen=True, slots=True)
class Axes:
    """The signed change of axes between a file and us."""

    up: str
    source: tuple[int, int, int]  # which of the file's axes each of ours is
    sign: tuple[float, float, float]  # and with which sign

    def vectors(self, points: FloatArray) -> FloatArray:
        """Ours (…, 3) from the file's."""
        return np.ascontiguousarray(points[..., list(self.source)] * np.array(self.sign) + 0.0)

    def file_vectors(self, points: FloatArray) -> FloatArray:
        """The file's (…, 3) from ours."""
        out = np.empty_like(points)
        out[..., list(self.source)] = points * np.array(self.sign) + 0.0
        return out

    @property
    def mirrored(self) -> bool:
        """Whether the file's world is the mirror image of ours: its axes are left-handed."""
        swaps = sum(a > b for i, a in enumerate(self.source) for b in self.source[i + 1 :])
        return bool((-1.0) ** swaps * np.prod(self.sign) < 0)

    def rotations(self, q: FloatArray) -> FloatArray:
        """Our quaternions (…, 4) from the file's: the same turns, seen in our axes."""
        turned = self.vectors(q[..., 1:])
        return np.concatenate([q[..., :1], -turned if self.mirrored else turned], axis=-1)

    def file_rotations(self, q: FloatArray) -> FloatArray:
        """The file's quaternions (…, 4) from ours."""
        turned = self.file_vectors(q[..., 1:])
        return np.concatenate([q[..., :1], -turned if self.mirrored else turned], axis=-1)

    def letters(self, channels: str) -> str:
        """Our channel letters from the file's."""
        return "".join(_like(c, AXES[self.source.index(AXES.index(c.upper()))]) for c in channels)

    def file_letters(self, channels: str) -> str:
        """The file's channel letters from ours."""
        return "".join(_like(c, AXES[self.source[AXES.index(c.upper())]]) for c in channels)

    def signs(self, channels: str) -> list[float]:
        """What a file's numbers are multiplied by, for each of *our* channel letters.

        A turn about an axis that is ours backwards is a turn the other way.
        """
        return [self.sign[AXES.index(c.upper())] for c in channels]


def axes_of(up: str) -> Axes:
    """The change of axes for a file whose `up` axis points up."""
    pairs = _OURS_FROM_FILE.get(up.strip().lower())
    if pairs is None:
        raise InputError(f"up must be one of {', '.join(UPS)}, but is {up!r}")
    (a, s), (b, t), (c, u) = pairs
    return Axes(up.strip().lower(), (a, b, c), (s, t, u))


def guess_up(rig: Rig, standing: FloatArray | None) -> tuple[str, str]:
    """Which axis of the file points up, and the reason where it is not Y.

    `rig` is recognised from the file's own offsets; `standing` (3,) is the mean direction from
    hips to head in the first frames, or None without frames. A rest pose that stands up along Y
    settles it, unless `standing` is given all the same: then the frames stand on the ground along
    another axis, as where SMPL's upright body moves in a world of Z up. Any other rest pose may be
    none at all (bones laid along one axis), so that the frames have to agree; a rest pose along Z
    counts as Z up unless the frames clearly stand along Y.
    """
    if "hips" not in rig or ("head" not in rig and "neck" not in rig):
        return "y", ""
    rest = _axis(np.array(rig.up))
    moving = None if standing is None else _axis(standing)
    if rest == "y" and moving not in (None, "y"):
        return moving, f"{moving.upper()} is taken as up: the first frames stand on the ground along it"
    if rest in (None, "y") or moving == "y":
        return "y", ""
    if moving == rest and rest is not None:
        return rest, f"{rest.upper()} is taken as up: rest pose and first frames stand along it"
    if rest == "z":
        return "z", "Z is taken as up: the rest pose stands along it"
    return "y", ""


def _axis(direction: FloatArray) -> str | None:
    """The axis that a direction clearly belongs to, as one of UPS."""
    length = float(np.linalg.norm(direction))
    if length == 0:
        return None
    k = int(np.argmax(np.abs(direction)))
    if abs(float(direction[k])) < _CLEAR * length:
        return None
    return ("" if direction[k] > 0 else "-") + "xyz"[k]


def _like(old: str, new: str) -> str:
    return new.upper() if old.isupper() else new.lower()
