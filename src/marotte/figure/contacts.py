"""Contacts: when a foot or a hand rests on something.

A foot is in contact while its sole is both low and slow. Two thresholds each, with hysteresis:
a contact begins below the lower pair and ends above the upper pair, so that noise near one value
does not make it flicker. Heights are above the ground, scaled with the figure's height.
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
    from .scene import Scene


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
    """What it rests on: the name of an object of the scene, or nothing for the ground."""

    def __post_init__(self) -> None:
        if self.first < 0 or self.last < self.first:
            raise InputError(
                f"a contact must run from a frame >= 0 to one not before it, but {self.role!r} "
                f"has {self.first} to {self.last}"
            )


@dataclass(frozen=True, slots=True)
class ContactThresholds:
    """When a sole counts as resting. Values for a figure 1.7 m tall; lengths scale with height."""

    begin_height: float = 0.035  # metres above ground, lowest sole point
    end_height: float = 0.06
    begin_speed: float = 0.25  # metres a second, horizontal and vertical together
    end_speed: float = 0.55
    shortest: float = 0.05  # seconds; briefer touches and gaps are noise
    reference_height: float = 1.7  # metres


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


def detect_contacts(
    motion: Motion, *, scene: Scene | None = None, thresholds: ContactThresholds | None = None
) -> tuple[Contact, ...]:
    """Find when the feet rest on the ground.

    Without a scene the ground is flat, and its height is where the soles rest most: real takes
    seldom have their floor at exactly zero. A figure without feet has no contacts.
    """
    limits = thresholds or ContactThresholds()
    frames = len(motion)
    if frames == 0 or not motion.rig.soles:
        return ()
    scale = motion.skeleton.height / limits.reference_height
    soles = [sole_points(motion, sole) for sole in motion.rig.soles]
    level = ground_height(soles) if scene is None else 0.0
    found: list[Contact] = []
    for sole, points in zip(motion.rig.soles, soles, strict=True):
        floor = level if scene is None else scene.ground_height(points)
        heights = points[..., 1] - floor
        speeds = _speeds(points, motion.frame_rate)
        # the point that rests decides: a rolling foot rests on its heel, then on its ball
        begin = (heights < limits.begin_height * scale) & (speeds < limits.begin_speed * scale)
        stay = (heights < limits.end_height * scale) & (speeds < limits.end_speed * scale)
        mask = _hysteresis(np.any(begin, axis=1), np.any(stay, axis=1))
        mask = without_short_runs(mask, round(limits.shortest * motion.frame_rate))
        found += intervals(sole.foot, mask)
    return tuple(sorted(found, key=lambda c: (c.first, c.role)))


def ground_height(soles: Sequence[FloatArray]) -> float:
    """The height where the lowest sole point is most often, metres: the floor of a flat take."""
    lowest = np.min([points[..., 1].min(axis=1) for points in soles], axis=0)
    low = float(np.percentile(lowest, 5))
    return float(np.median(lowest[lowest < low + 0.03])) if len(lowest) > 1 else float(lowest.min())


def _speeds(points: FloatArray, rate: float) -> FloatArray:
    if len(points) < 2:
        return np.zeros(points.shape[:2])
    return np.asarray(np.linalg.norm(np.gradient(points, axis=0), axis=-1) * rate)


def _hysteresis(begin: BoolArray, stay: BoolArray) -> BoolArray:
    mask = np.zeros_like(begin)
    inside = False
    for f in range(len(begin)):
        inside = bool(stay[f]) if inside else bool(begin[f])
        mask[f] = inside
    return mask


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
