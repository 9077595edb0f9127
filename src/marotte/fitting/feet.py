"""Where feet shall be: paths on which planted feet neither slide nor sink, and swinging ones are clear.

A planted foot rolls: it rests on its heel, then on its ball, then on its tip. Which of them rests
how much is weighed by their heights. What the resting part moves along the ground is the foot's slide;
the path takes it away, sets the lowest point onto the ground, and leaves the rolling as it was.
Between contacts the change goes over from one to the next (tension.py), lifted where the ground would
be in the way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..figure import Contact, FloatArray, Motion, Scene
from ..figure._arrays import BoolArray, owned
from ..figure.contacts import ground_height, sole_points
from ..figure.rig import Sole
from ..figure.rotations import about, between, exp, log, multiply, rotate
from .tension import carried

Ground = Callable[[FloatArray], FloatArray]
"""Heights (…) of the ground below points (…, 3), metres."""

PIVOT = math.radians(20.0)
REACH = 0.07  # seconds within which a foot's change leaves that of a contact
LIFT = 25.0  # m/s²: a foot that leaves is lifted no quicker over what is in its way
STEP = 0.06  # of the height: a foot that rests further from the ground stands on something else
CALM = 0.02  # seconds over which the speed of a foot's change is taken: captured feet tremble
CLEAR = 0.02  # metres, for a figure 1.7 m tall: a swinging foot that was higher need not be higher
_SOFT = 0.0015  # metres: points of a sole that are as near to being lowest share the weight
_NEAR = 0.004  # metres: and what rests is shared among points that are as near
_BROAD = 0.04  # metres to either side of a foot at which slopes are looked at


@dataclass(frozen=True, slots=True, eq=False)
class Led:
    """Where a part of the body shall be at every frame."""

    role: str
    joint: int
    place: FloatArray
    """(F, 3) of the joint, world, metres."""
    turned: FloatArray | None
    """(F, 4) world orientations of the joint; None for knees, which may turn."""
    share: FloatArray
    """(F,) 1 while it rests, falling smoothly to 0 just before and after."""
    contacts: tuple[Contact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Footing:
    """How paths of feet are made."""

    before: Ground
    """The ground that the motion was made for."""
    after: Ground
    """The ground that it is put on."""
    pivot: float = PIVOT
    """Radians: a planted foot that turns further on the spot means to, and goes on turning."""
    slopes: bool = False
    """Whether feet take on the slope of the ground."""


def foot_paths(
    motion: Motion,
    contacts: Sequence[Contact],
    footing: Footing,
    *,
    like: Motion | None = None,
) -> tuple[Led, ...]:
    """The paths of both feet, as far as the figure has them.

    `like` is a motion of the same frames whose feet rest where they shall rest; left out, they
    rest where those of the motion itself are most of the time.
    """
    if not motion.rig.soles:
        raise InputError("feet must be known to be planted, but this figure has none (see marotte info)")
    made = []
    for sole in motion.rig.soles:
        joint = motion.rig.get(sole.foot)
        if joint is not None:
            made.append(_path(motion, sole, joint, contacts, footing, like))
    return tuple(made)


def ground_of(motion: Motion, scene: Scene | None = None) -> Ground:
    """The scene's ground, or a level one where the soles rest most."""
    if scene is not None:
        return scene.ground_height
    soles = [sole_points(motion, sole) for sole in motion.rig.soles]
    level = ground_height(soles) if soles else 0.0

    def flat(points: FloatArray) -> FloatArray:
        return np.full(points.shape[:-1], level)

    return flat


def share_at(contacts: Sequence[Contact], frames: int, ease: float) -> FloatArray:
    """(F,) 1 in contacts, falling smoothly to 0 within `ease` frames outside."""
    at = np.arange(frames)
    out = np.zeros(frames)
    for c in contacts:
        u = np.clip(1.0 - np.maximum(np.maximum(c.first - at, at - c.last), 0) / max(ease, 1.0), 0.0, 1.0)
        out = np.maximum(out, u * u * (3.0 - 2.0 * u))
    return out


def resting_shares(motion: Motion, sole: Sole, ground: Ground) -> FloatArray:
    """(F, S) how much of a foot rests on each point of its sole, by their heights; they add up to 1."""
    points = sole_points(motion, sole)
    return _shares(points[..., 1] - ground(points), _NEAR * motion.skeleton.height / 1.7)


def _path(
    motion: Motion,
    sole: Sole,
    joint: int,
    contacts: Sequence[Contact],
    footing: Footing,
    like: Motion | None,
) -> Led:
    frames, scale = len(motion), motion.skeleton.height / 1.7
    step = STEP * 1.7 * scale
    reach, calm = max(1.0, REACH * motion.frame_rate), CALM * motion.frame_rate
    calm = calm if calm > 1.5 else 0.0  # frames that are far apart say speeds well enough
    points = sole_points(motion, sole)
    positions, orientations = motion.world()
    ankle, turned = positions[:, joint], orientations[:, joint]
    above = points[..., 1] - footing.before(points)
    own = [c for c in contacts if c.role == sole.foot and c.first < frames]
    spans = [slice(c.first, min(c.last, frames - 1) + 1) for c in own]
    planted = np.zeros(frames, dtype=np.bool_)
    for span in spans:
        planted[span] = True

    turn = _turns(points, spans, planted, footing, reach, scale)
    moved = ankle[:, None] + rotate(turn[:, None], points - ankle[:, None])
    share = _shares(above, _NEAR * scale)
    rests = points if like is None else sole_points(like, sole)
    shift = np.zeros((frames, 3))
    for contact, span in zip(own, spans, strict=True):
        way = _slide(moved[span], share[span])
        shift[span] = -way
        if like is None:
            off = (share[span, :, None] * (rests[span] - moved[span])).sum(axis=1) + way
            still = 1.0 / (0.05 + _speed(way, motion.frame_rate))
            middle = (still[:, None] * off).sum(axis=0) / still.sum()
        else:
            middle = (share[span, :, None] * (rests[span] - moved[span])).sum(axis=1) + way
            middle = middle.mean(axis=0)
        shift[span] += middle
        if _grounded(contact, above[span], step):
            shift[span, 1] = 0.0
    level = carried(shift[:, [0, 2]], planted, reach=reach, calm=calm)
    shift[:, 0], shift[:, 2] = level[:, 0], level[:, 1]
    there = moved + np.stack([shift[:, 0], np.zeros(frames), shift[:, 2]], axis=1)[:, None]
    height = there[..., 1] - footing.after(there)
    for contact, span in zip(own, spans, strict=True):
        if _grounded(contact, above[span], step):
            shift[span, 1] = -_lowest(height[span], _SOFT * scale)
    clear = np.clip(above.min(axis=1), 0.0, CLEAR * scale)
    gain = 0.5 * LIFT / motion.frame_rate**2
    up = carried(shift[:, 1:2], planted, reach=reach, least=clear - height.min(axis=1), gain=gain, calm=calm)
    shift[:, 1] = up[:, 0]
    return Led(
        sole.foot, joint, owned(ankle + shift), owned(multiply(turn, turned)),
        owned(share_at(own, frames, reach)), tuple(own),
    )  # fmt: skip


def _grounded(contact: Contact, above: FloatArray, step: float) -> bool:
    """Whether a foot rests on the ground, and not on a thing or a step that the ground does not have."""
    resting = float(np.median(above.min(axis=1)))
    return contact.on == "" and resting < step


def _turns(
    points: FloatArray,
    spans: Sequence[slice],
    planted: BoolArray,
    footing: Footing,
    reach: float,
    scale: float,
) -> FloatArray:
    """(F, 4) turns in the world: headings held, slopes taken on."""
    frames = len(points)
    along = points[:, -1] - points[:, 0]
    heading = np.unwrap(np.arctan2(along[:, 0], along[:, 2]))
    change = np.zeros((frames, 4))  # of the heading, and the tilt as a rotation vector
    tilts = _tilts([points[span] for span in spans], footing, scale) if footing.slopes else None
    for n, span in enumerate(spans):
        if np.ptp(heading[span]) < footing.pivot:
            change[span, 0] = np.median(heading[span]) - heading[span]
        if tilts is not None:
            change[span, 1:] = tilts[n]
    change = carried(change, planted, reach=2.0 * reach)
    return multiply(exp(change[:, 1:]), about(np.array([0.0, 1.0, 0.0]), change[:, 0]))


def _tilts(resting: Sequence[FloatArray], footing: Footing, scale: float) -> FloatArray:
    """(N, 3) rotation vectors from level to the slopes under feet whose points rest (F, S, 3), by contact."""
    if not resting:
        return np.zeros((0, 3))
    heel = np.array([np.median(points[:, 0], axis=0) for points in resting])
    tip = np.array([np.median(points[:, -1], axis=0) for points in resting])
    along = (tip - heel) * [1.0, 0.0, 1.0]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    side = np.stack([along[:, 2], np.zeros(len(along)), -along[:, 0]], axis=1)
    side *= _BROAD * scale / np.maximum(length, 1e-9)
    middle = 0.5 * (heel + tip)
    four = np.stack([heel, tip, middle - side, middle + side], axis=1)
    rise = footing.after(four) - footing.before(four)
    along[:, 1], across = rise[:, 1] - rise[:, 0], 2.0 * side
    across[:, 1] = rise[:, 3] - rise[:, 2]
    normal = np.cross(along, across)
    normal *= np.where(normal[:, 1:2] < 0.0, -1.0, 1.0)
    known = np.isfinite(normal).all(axis=1) & (length[:, 0] > 1e-6)
    up = np.array([0.0, 1.0, 0.0])
    return np.where(known[:, None], log(between(up, np.where(known[:, None], normal, up))), 0.0)


def _shares(above: FloatArray, near: float) -> FloatArray:
    """(F, S) how much of a foot rests on each point of its sole; they add up to 1."""
    weight = np.exp(-(above - above.min(axis=1, keepdims=True)) / near)
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def _lowest(height: FloatArray, soft: float) -> FloatArray:
    """(F,) the least of heights (F, S), without a corner where another point becomes lowest; at most
    `soft` · log S below it."""
    least = height.min(axis=1)
    return np.asarray(least - soft * np.log(np.exp(-(height - least[:, None]) / soft).sum(axis=1)))


def _slide(points: FloatArray, share: FloatArray) -> FloatArray:
    """(N, 3) the way that what rests has gone since the first frame."""
    both = share[:-1] * share[1:]
    both = both / np.maximum(both.sum(axis=1, keepdims=True), 1e-12)
    steps = (both[..., None] * np.diff(points, axis=0)).sum(axis=1)
    return np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])


def _speed(way: FloatArray, rate: float) -> FloatArray:
    if len(way) < 2:
        return np.zeros(len(way))
    return np.asarray(np.linalg.norm(np.gradient(way, axis=0), axis=1) * rate)
