"""Morphing: a figure's proportions change while it moves, and its feet stay where they were (LS99 fig. 5d).

A motion has one skeleton, so growth is said by its translations: bones stretch along themselves.
The feet keep their paths, so that the stride stays what it was; the hips rise with the legs, and
come down again as far as the legs need to reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ..errors import InputError, UnknownNameError
from ..figure import Contact, FloatArray, Motion
from ..figure._arrays import IntArray, owned
from ..figure.contacts import ground_height, sole_points
from ._paths import Led, toes_up
from ._placing import placed_root
from ._stretched import lead_stretched
from .contacts import held_parts

Part: TypeAlias = Literal["legs", "arms", "spine"]
PARTS: tuple[Part, ...] = ("legs", "arms", "spine")
LEAST, MOST = 0.1, 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportions:
    """How long parts are at a frame, as many times as in the rest pose; None for what is not said."""

    frame: int
    legs: float | None = None
    arms: float | None = None
    spine: float | None = None

    def __post_init__(self) -> None:
        for part in PARTS:
            value = getattr(self, part)
            if value is not None and not (np.isfinite(value) and LEAST <= value <= MOST):
                raise InputError(f"{part} must be a factor from {LEAST} to {MOST:g}, but is {value}")


def morph(
    motion: Motion,
    to: Sequence[Proportions] | Mapping[str, float],
    *,
    contacts: Sequence[Contact] | None = None,
) -> Motion:
    """The motion of a figure that grows and shrinks, its stride kept.

    `to` are proportions at frames, led smoothly from one to the next; before the first the figure is
    itself at frame 0, after the last it stays. A mapping, such as {"legs": 1.6}, is reached at the end.
    Contacts are the motion's own where they are left out, or found. Feet and hands that rest stay
    where they rested. Contacts and named points are kept; bones no longer are as long as at rest.
    """
    if not len(motion):
        raise InputError("a motion must have frames to be morphed, but has none")
    if motion.translations is not None:
        raise InputError("joints that move against their bones cannot be morphed; drop their translations")
    if isinstance(to, Mapping):
        unknown = next((part for part in to if part not in PARTS), None)
        if unknown is not None:
            raise UnknownNameError("part", unknown, PARTS)
        to = [Proportions(frame=len(motion) - 1, **dict(to))]
    sizes = growth(to, len(motion))
    joints = grown_joints(motion)
    stretch = np.zeros((len(motion), len(motion.skeleton), 3))
    for part, own in joints.items():
        stretch[:, own] = (sizes[part] - 1.0)[:, None, None] * motion.skeleton.offsets[own]
    soles = [sole_points(motion, sole) for sole in motion.rig.soles]
    level = ground_height(soles) if soles else 0.0
    held = held_parts(motion, contacts)
    raised = np.array(motion.root)
    raised[:, 1] += (sizes["legs"] - 1.0) * _legs_below(motion, level)
    grown = motion.with_(root=owned(raised), translations=owned(stretch), contacts=motion.contacts)
    led = [Led(h.joint, h.place, h.turned, h.share, h.near) for h in held]
    lengths = _lengths(motion, stretch)
    placed = grown.with_(root=placed_root(grown, led, lengths), contacts=motion.contacts)
    made = lead_stretched(placed, led)
    made = toes_up(made, scene=None, level=level) if led else made
    return made.with_(contacts=motion.contacts)


def growth(to: Sequence[Proportions], frames: int) -> dict[Part, FloatArray]:
    """(F,) by part: factors over time, through what was said, without overshoot."""
    for key in to:
        if not 0 <= key.frame < frames:
            raise InputError(f"frames must lie in 0 to {frames - 1}, but one is {key.frame}")
    if not to:
        raise InputError("to must say at least one proportion, such as {legs: 1.6}")
    known = [key.frame for key in to]
    if len(set(known)) != len(known):
        raise InputError(f"frames must differ, but {max(known, key=known.count)} is there twice")
    at = np.arange(frames)
    out: dict[Part, FloatArray] = {}
    for part in PARTS:
        said = sorted((k.frame, float(v)) for k in to if (v := getattr(k, part)) is not None)
        if not said:
            out[part] = np.ones(frames)
            continue
        if said[0][0] > 0:
            said.insert(0, (0, 1.0))
        out[part] = np.exp(_led_through(at, np.array([f for f, _ in said]), np.log([v for _, v in said])))
    return out


def _led_through(at: IntArray, frames: IntArray, values: FloatArray) -> FloatArray:
    """Values between keys, at rest at every key (a smooth step of fifth degree)."""
    if len(frames) == 1:
        return np.full(len(at), values[0])
    k = np.clip(np.searchsorted(frames, at, side="right") - 1, 0, len(frames) - 2)
    t = np.clip((at - frames[k]) / (frames[k + 1] - frames[k]), 0.0, 1.0)
    share = t * t * t * (10.0 + t * (6.0 * t - 15.0))
    return np.asarray(values[k] + share * (values[k + 1] - values[k]))


def grown_joints(motion: Motion) -> dict[Part, list[int]]:
    """The joints whose bones a part's factor stretches."""
    rig, parents = motion.rig, motion.skeleton.parents
    out: dict[Part, list[int]] = {"legs": [], "arms": [], "spine": []}
    for k, limb in enumerate(rig.limbs):
        out["legs" if limb.name.endswith("leg") else "arms"] += _bones(motion, k)
    top = rig.get("neck") if "neck" in rig else rig.get("head")
    hips = rig.get("hips")
    at = top
    while at is not None and at >= 0 and at != hips:
        out["spine"].append(int(at))
        at = int(parents[at])
    if not out["legs"]:
        raise InputError("the figure must have legs to be morphed, but its rig knows none")
    return out


def _bones(motion: Motion, limb: int) -> list[int]:
    """The joints at the lower ends of a limb's bones."""
    at, found = motion.rig.limbs[limb].end, []
    while at != motion.rig.limbs[limb].root:
        found.append(int(at))
        at = int(motion.skeleton.parents[at])
    return found


def _lengths(motion: Motion, stretch: FloatArray) -> FloatArray:
    """(F, L) metres along the bones of every limb."""
    out = np.zeros((len(motion), len(motion.rig.limbs)))
    for k in range(len(motion.rig.limbs)):
        for j in _bones(motion, k):
            out[:, k] += np.linalg.norm(motion.skeleton.offsets[j] + stretch[:, j], axis=1)
    return out


def _legs_below(motion: Motion, level: float) -> FloatArray:
    """(F,) how far the hips are above the ankles of a foot that stands, metres: what grows with the legs."""
    rig, positions = motion.rig, motion.positions()
    hips = [positions[:, limb.root, 1] for limb in rig.limbs if limb.name.endswith("leg")]
    rest = motion.skeleton.rest_positions()
    ankles = []
    for sole in rig.soles:
        lowest = min((rest[j] + np.array(p))[1] for j, p in zip(sole.joints, sole.points, strict=True))
        ankles.append(float(rest[sole.joints[0], 1] - lowest))
    return np.asarray(np.mean(hips, axis=0) - level - (np.mean(ankles) if ankles else 0.0))
