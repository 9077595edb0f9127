"""Where one take may run into another: pairs of frames that are alike in pose and in speed.

Frames are compared by the places and velocities of all joints, whatever the place and the heading
of the figure on the ground: of all level shifts and turns about the vertical the one that brings the
two nearest together is meant, which has a closed form for every pair of frames at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure import FloatArray, Motion

SPEED_TIME = 0.15  # seconds: a difference of 1 m/s counts as one of 15 cm
DROPPED = 0.01  # metres a second: how much worse a pair may be that leaves more of the takes
SAMPLES = 9  # pairs of frames along an overlap that are looked at

ComplexArray = NDArray[np.complex128]


@dataclass(frozen=True, slots=True, eq=False)
class Footing:
    """What of every frame is compared: joints weighed by the bones at them, velocities as lengths."""

    level: ComplexArray
    """(F, 2J) z + ix of places about their centre and of velocities, so that a turn about the
    vertical is a factor."""
    height: FloatArray
    """(F, 2J) the vertical of both."""
    centre: ComplexArray
    """(F,) what was taken away from the places."""
    count: int
    """How many of the 2J are places."""

    def part(self, frames: slice) -> Footing:
        """Some of the frames."""
        return Footing(self.level[frames], self.height[frames], self.centre[frames], self.count)


def footing(motion: Motion) -> Footing:
    """The frames of a motion, ready to be compared with those of others of the same figure."""
    positions = motion.positions()
    weights = _weights(motion)
    velocities = np.zeros_like(positions)
    if len(motion) > 1:
        velocities = np.gradient(positions, axis=0) * motion.frame_rate
    place = positions[..., 2] + 1j * positions[..., 0]
    centre: ComplexArray = np.asarray(place @ weights, dtype=np.complex128)
    root = np.sqrt(weights)
    speed = (velocities[..., 2] + 1j * velocities[..., 0]) * SPEED_TIME
    return Footing(
        np.concatenate([(place - centre[:, None]) * root, speed * root], axis=1),
        np.concatenate([positions[..., 1] * root, velocities[..., 1] * SPEED_TIME * root], axis=1),
        centre,
        len(weights),
    )


def _weights(motion: Motion) -> FloatArray:
    """(J,) shares of the joints: the bones that end and begin there, so that fingers count little."""
    lengths = motion.skeleton.bone_lengths()
    out = 0.5 * lengths
    np.add.at(out, motion.skeleton.parents[1:], 0.5 * lengths[1:])
    for end in motion.skeleton.ends:
        out[end.joint] += 0.5 * float(np.linalg.norm(end.offset))
    total = float(out.sum())
    return np.asarray(out / total) if total > 0 else np.full(len(out), 1.0 / len(out))


def distances(a: Footing, b: Footing) -> FloatArray:
    """(F, G) metres between every frame of the one and every frame of the other."""
    turned = np.abs(a.level.conj() @ b.level.T)  # the best heading of each pair
    along = turned + a.height @ b.height.T
    sizes = [(np.abs(x.level) ** 2).sum(axis=1) + (x.height**2).sum(axis=1) for x in (a, b)]
    return np.asarray(np.sqrt(np.maximum(sizes[0][:, None] + sizes[1][None] - 2.0 * along, 0.0)))


def best_pair(
    apart: FloatArray, overlap: int, rate: float, *, first: int, last: int, end: int
) -> tuple[int, int, float] | None:
    """The frames at which an overlap had best begin in both takes, and its cost in metres.

    apart (F, G) are distances of pairs; the first frame lies from `first` to `last`, the second up
    to `end`, and both overlaps inside what is given. None where there is no room.
    """
    rows, columns = apart.shape
    last, end = min(last, rows - overlap), min(end, columns - overlap)
    if last < first or end < 0:
        return None
    at = np.unique(np.linspace(0, overlap - 1, min(SAMPLES, overlap)).round().astype(np.int64))
    total = np.zeros((last - first + 1, end + 1))
    for k in at:
        total += apart[first + k : last + 1 + k, k : end + 1 + k] ** 2
    cost = np.sqrt(total / len(at))
    # what comes after the overlap in the first take is lost, and what comes before it in the second
    lost = np.arange(last - first, -1, -1)[:, None] + np.arange(end + 1)[None]
    i, j = np.unravel_index(int(np.argmin(cost + DROPPED * lost / rate)), cost.shape)
    return first + int(i), int(j), float(cost[i, j])


@dataclass(frozen=True, slots=True)
class Placing:
    """How the second take is moved over the ground to continue the first."""

    angle: float
    """Radians about the vertical."""
    centre: tuple[float, float]
    """x and z that are brought …"""
    to: tuple[float, float]
    """… over these."""


def placing(a: Footing, b: Footing, first: int, begin: int, overlap: int) -> Placing:
    """The level shift and the turn that bring two overlapping parts together."""
    ours, theirs = slice(first, first + overlap), slice(begin, begin + overlap)
    together = np.vdot(a.level[ours], b.level[theirs])
    centre, to = b.centre[theirs].mean(), a.centre[ours].mean()
    angle = -math.atan2(together.imag, together.real)
    return Placing(angle, (float(centre.imag), float(centre.real)), (float(to.imag), float(to.real)))


def differences(a: Footing, b: Footing, first: int, begin: int, overlap: int) -> tuple[float, float]:
    """Metres and metres a second between the joints of two overlapping parts, once they are placed.

    Root of the mean of squares over frames and joints.
    """
    ours, theirs = slice(first, first + overlap), slice(begin, begin + overlap)
    turn = np.exp(1j * placing(a, b, first, begin, overlap).angle)
    apart = np.abs(a.level[ours] - turn * b.level[theirs]) ** 2 + (a.height[ours] - b.height[theirs]) ** 2
    place, speed = (apart[:, : a.count].sum(axis=1).mean(), apart[:, a.count :].sum(axis=1).mean())
    return math.sqrt(float(place)), math.sqrt(float(speed)) / SPEED_TIME
