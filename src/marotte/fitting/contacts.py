"""Contacts as goals: where a part that rests should be at every frame, and how it gets there and away.

A foot rolls without slipping: over its heel while that is down, then over its ball, then over its
toes. With its orientation known, the point that touches has no speed along the ground, which gives
the foot's path in the contact up to one place, and that is where it was at best. A hand or a knee
keeps one place. Between two contacts the change fades from the one to the other, over the whole
way, so that nothing pops where a part comes to rest or leaves (LS99 6, limitation in 7).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..figure import Contact, FloatArray, Motion, Scene, Sole, detect_contacts
from ..figure._arrays import IntArray, check_finite, owned
from ..figure.contacts import ground_height, sole_points
from ..figure.rotations import between, exp, inverse, log, multiply, rotate
from ..kinematics import Goal, Place, Position
from ._paths import hand_tip, smoothed

EASE = 0.06  # seconds in which a part comes to rest before a contact, and leaves after it
FADE = 0.8  # seconds in which hands and knees come back to the motion where they are free
SNAP = 0.06  # of the height: contacts that are nearer to the floor than this are on it
ROLLING = 0.015  # seconds over which it is smoothed how a foot bears: soles of real takes tremble
_RAISED = 2
SWITCH = 0.004  # seconds in which the point changes about which a foot rolls
# Of the figure's height, how much lower than others a sole's point is that bears all the weight,
# along the ground and above it: the first decides about which point a foot rolls, the second keeps
# it above the ground by less than this times the logarithm of its points.
_ROLL, _SOFT = 0.0003, 0.0006
_GIVE = 0.005  # how much lower than the ball toes' tips must be in a contact to mean that
_PIVOT = 0.03  # metres a second by which a hand's heel or tips must be slower to be what it rests on
_BALL = 0.0065  # of the height, how much higher than heel or tip the ball still is what bears
# What a goal weighs where its part is free, against 1 where it rests: as good as nothing.
FREE = 1e-7


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """A part that rests now and then: its place at every frame, and when it rests."""

    role: str
    joint: int
    place: FloatArray
    """(F, 3) of the joint, world, metres: smooth over all frames, also those between contacts."""
    turned: FloatArray | None
    """(F, 4) world orientation of the joint; None for knees, which may turn."""
    share: FloatArray
    """(F,) 1 while it rests, 0 while it is free, rising and falling smoothly just outside contacts."""
    near: FloatArray
    """(F,) 1 while it rests, and falling slowly to 0 where no contact is near in time."""
    contacts: tuple[Contact, ...]


def contact_goals(
    motion: Motion,
    contacts: Sequence[Contact] | None = None,
    *,
    scene: Scene | None = None,
    places: Mapping[Contact, ArrayLike] | None = None,
    swing: float = FREE,
    ease: float = EASE,
) -> tuple[Goal, ...]:
    """Goals that keep parts in place while they rest.

    Contacts are the motion's own where they are left out, and found where it has none. `swing` is
    what goals weigh between contacts (1 in them): at 0 parts are free there, at 1 they are led all
    the way. The rest is as in `held_parts`.
    """
    if not (np.isfinite(swing) and swing >= 0):
        raise InputError(f"swing must be a finite weight from 0 up, but is {swing}")
    found = held_parts(motion, contacts, scene=scene, places=places, ease=ease)
    return tuple(goal_of(held, swing) for held in found)


def goal_of(held: Held, swing: float = FREE) -> Goal:
    """One part's goal over all frames, eased in and out."""
    # what weighs a millionth of another goal loses to it as well, so the weight rises by factors
    weight = swing ** (1.0 - held.share) if swing > 0 else held.share**4
    if held.turned is None:
        return Position(point=held.joint, to=held.place, weight=owned(weight))
    return Place(point=held.joint, to=held.place, turned=held.turned, weight=owned(weight))


def held_parts(
    motion: Motion,
    contacts: Sequence[Contact] | None = None,
    *,
    scene: Scene | None = None,
    level: float | None = None,
    heights: Mapping[Contact, float] | None = None,
    places: Mapping[Contact, ArrayLike] | None = None,
    ease: float = EASE,
) -> tuple[Held, ...]:
    """Where parts that rest should be: one `Held` for every part that has contacts.

    Without a scene feet stand on the floor at `level` (left out: where the soles rest most), or
    at their own height if that is another, as on stairs; `heights`, by contact, says which. On a
    scene's ground they stand on it and are turned to its slope. What rests on an object, hands and
    knees keep the place they have at best, or that of `places`, by contact. Roles that the figure
    lacks are left out.
    """
    if len(motion) == 0:
        return ()
    if contacts is None:
        contacts = motion.contacts if motion.contacts is not None else detect_contacts(motion)
    for contact in contacts:
        if contact.last >= len(motion):
            raise InputError(
                f"contacts must lie in frames 0 to {len(motion) - 1}, but one of {contact.role!r} ends at "
                f"{contact.last}"
            )
    ground = _Ground.of(motion, scene, level)
    positions, orientations = motion.world()
    found = []
    for role in sorted({c.role for c in contacts if c.role in motion.rig}):
        own = merged([c for c in contacts if c.role == role])
        part = _Part(motion, role, positions, orientations, ground, heights or {}, places or {}, ease)
        found.append(part.held(own))
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """The floor that a motion was made on, and the ground that it is brought to."""

    scene: Scene | None
    level: float
    """Height of the floor in the motion, metres."""
    size: float
    """The figure's height, metres."""

    @classmethod
    def of(cls, motion: Motion, scene: Scene | None, level: float | None) -> Self:
        if level is None and scene is None:
            soles = [sole_points(motion, s) for s in motion.rig.soles]
            level = ground_height(soles) if soles else 0.0
        return cls(scene, level or 0.0, motion.skeleton.height)

    def rise(self, at: FloatArray, height: float, given: float | None) -> tuple[float, FloatArray]:
        """The ground under a place (3,), and its normal; `height` is where the part rested."""
        flat = np.array([0.0, 1.0, 0.0])
        if self.scene is None:
            if given is not None:
                return given, flat
            near = abs(height - self.level) < SNAP * self.size
            return (self.level if near else height), flat
        step = 0.03 * self.size
        around = at + step * np.array([[0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]])
        heights = self.scene.ground_height(around)
        if not np.isfinite(heights).all():
            return height, flat
        normal = np.array([heights[2] - heights[1], 2.0 * step, heights[4] - heights[3]])
        return float(heights[0]), normal / np.linalg.norm(normal)


@dataclass(frozen=True, slots=True, eq=False)
class _Rest:
    """One contact: the change of place while it lasts, beyond it eased to a standstill."""

    first: int
    last: int
    change: FloatArray  # (F, 3)
    tilt: FloatArray  # (3,) rotation vector from level to the ground's slope


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    motion: Motion
    role: str
    positions: FloatArray
    orientations: FloatArray
    ground: _Ground
    heights: Mapping[Contact, float]
    places: Mapping[Contact, ArrayLike]
    ease: float

    @property
    def joint(self) -> int:
        return self.motion.rig[self.role]

    @property
    def frames(self) -> int:
        return max(1, round(self.ease * self.motion.frame_rate))

    @property
    def sole(self) -> Sole | None:
        return next((s for s in self.motion.rig.soles if s.foot == self.role), None)

    def held(self, contacts: Sequence[Contact]) -> Held:
        rests = [self.rest(contact) for contact in contacts]
        change, tilt = _between(rests, len(self.motion))
        fade = max(1, round(FADE * self.motion.frame_rate))
        near = _any([_share(r.first, r.last, fade, len(change)) for r in rests])
        if not self.role.endswith("foot"):  # a hand that let go is its own again
            change = change * near[:, None]
        path = self.positions[:, self.joint]
        turned = self.orientations[:, self.joint]
        if tilt.any():
            turned = multiply(exp(tilt), turned)
        share = _any([_share(rest.first, rest.last, self.frames, len(path)) for rest in rests])
        return Held(
            self.role,
            self.joint,
            owned(path + change),
            None if self.role.endswith("lower_leg") else owned(np.array(turned)),
            owned(share),
            owned(near),
            tuple(contacts),
        )

    def rest(self, contact: Contact) -> _Rest:
        path = self.positions[:, self.joint]
        sole = self.sole
        if contact in self.places:
            place = np.asarray(self.places[contact], dtype=np.float64)
            if place.shape != (3,):
                raise InputError(f"a contact's place must have shape (3,), but has {place.shape}")
            check_finite("a contact's place", place)
            return self._still(contact, path, place) if contact.on else self._pivoted(contact, path, place)
        if contact.on:
            return self._still(contact, path, np.median(path[contact.first : contact.last + 1], axis=0))
        return self._pivoted(contact, path, None) if sole is None else self._rolled(contact, path, sole)

    def _still(self, contact: Contact, path: FloatArray, place: FloatArray) -> _Rest:
        """The joint keeps a place."""
        change = self._eased(contact, place - path)
        return _Rest(contact.first, contact.last, change, np.zeros(3))

    def _pivoted(self, contact: Contact, path: FloatArray, place: FloatArray | None) -> _Rest:
        """A hand rests on its heel, then on its fingers: what is slower of the two keeps its place."""
        core = slice(contact.first, contact.last + 1)
        rate = self.motion.frame_rate
        tip = hand_tip(self.motion, self.joint) if self.role.endswith("hand") else np.zeros(3)
        points = np.stack([path, path + rotate(self.orientations[:, self.joint], tip)], axis=1)
        if len(path) < 2 or not tip.any():
            return self._still(contact, path, np.median(path[core], axis=0) if place is None else place)
        speeds = np.linalg.norm(np.gradient(points, axis=0), axis=-1) * rate
        bears = np.exp(-np.minimum(speeds - speeds.min(axis=1, keepdims=True), 5.0) / _PIVOT)
        bears = smoothed(bears / bears.sum(axis=1, keepdims=True), ROLLING * rate)
        bear = 0.5 * (bears[1:] + bears[:-1])
        steps = -(bear[..., None] * np.diff(points - path[:, None], axis=0)).sum(axis=1)
        rolled = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
        flat = bears[core, 0] >= min(0.5, float(bears[core, 0].max()))
        want = path[core] if place is None else np.broadcast_to(place, path[core].shape)
        rolled += np.median((want - rolled[core])[flat], axis=0)
        return _Rest(contact.first, contact.last, self._eased(contact, rolled - path), np.zeros(3))

    def _rolled(self, contact: Contact, path: FloatArray, sole: Sole) -> _Rest:
        """The foot rolls over its sole, wherever it is best, on the ground that is there."""
        size = self.motion.skeleton.height
        first, last = contact.first, contact.last
        begin, end = max(0, first - self.frames), min(len(path), last + self.frames + 1)
        window, core = slice(begin, end), slice(first - begin, last + 1 - begin)
        joints = list(sole.joints)
        points = self.positions[window, joints] + rotate(
            self.orientations[window, joints], np.array(sole.points)
        )
        reach = points - path[window, None]  # (W, S, 3) from the joint
        low = reach[..., 1]
        lowest = low.min(axis=1, keepdims=True)
        above = low - lowest
        if len(joints) == 3:
            above[:, 1] -= _BALL * size
        bears = np.exp((above.min(axis=1, keepdims=True) - above) / (_ROLL * size))
        bears = smoothed(bears / bears.sum(axis=1, keepdims=True), SWITCH * self.motion.frame_rate)
        bear = 0.5 * (bears[1:] + bears[:-1])
        steps = -(bear[..., None] * np.diff(reach, axis=0)).sum(axis=1)
        rolled = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
        soft = _SOFT * size
        heights = soft * np.log(np.exp(-(low - lowest) / soft).sum(axis=1)) - lowest[:, 0]
        rolled[:, 1] = self._over(heights)
        if len(joints) == 3:  # on its tip a foot is so steep that any sinking would drag it
            rolled[:, 1] += bears[:, 2] * (heights - rolled[:, 1])
        rolled[:, [0, 2]] += np.median((path[window] - rolled)[core][:, [0, 2]], axis=0)
        # the place on which it stands, level, becomes the ground's there, with its slope
        anchor = np.median((rolled + (bears[..., None] * reach).sum(axis=1))[core], axis=0)
        anchor[1] = 0.0
        height, normal = self.ground.rise(
            anchor, float(np.median(points[core][..., 1].min(axis=1))), self.heights.get(contact)
        )
        turn = between(np.array([0.0, 1.0, 0.0]), normal)
        placed = rotate(turn, rolled - anchor) + anchor + np.array([0.0, height, 0.0])
        change = np.zeros_like(path)
        change[window] = placed - path[window]
        return _Rest(first, last, self._eased(contact, change), np.asarray(log(turn)))

    def _over(self, heights: FloatArray) -> FloatArray:
        """(W,) heights smoothed, and raised again where that would sink."""
        frames = ROLLING * self.motion.frame_rate
        out = smoothed(heights, frames)
        for _ in range(_RAISED):
            out = out + 1.5 * smoothed(np.maximum(heights - out, 0.0), frames)
        return out

    def _eased(self, contact: Contact, change: FloatArray) -> FloatArray:
        """(F, 3) a change that holds in the contact; outside it goes on as it did, ever more slowly.

        A part that was at rest in the contact by itself is not held any longer than that.
        """
        first, last, ease = contact.first, contact.last, self.frames
        few = min(last - first, 3)
        fading = np.cumsum(1.0 - _smooth((np.arange(ease) + 0.5) / ease))[:, None]
        out = np.array(change)
        if few == 0:
            out[:first], out[last + 1 :] = change[first], change[last]
            return out
        before = (change[first] - change[first + few]) / few
        after = (change[last] - change[last - few]) / few
        way = np.concatenate([fading, np.full((len(change), 1), fading[-1])])
        out[:first] = change[first] + (way[:first] * before)[::-1]
        out[last + 1 :] = change[last] + way[: len(change) - last - 1] * after
        return out


def level_toes(motion: Motion, contacts: Sequence[Contact]) -> Motion:
    """The motion with resting feet's toes level where they all but are: captured toes tremble, and
    would lift the foot with their tips. Toes that clearly bear the foot alone stay as they are.
    """
    soles = [s for s in motion.rig.soles if s.joints[-1] != s.joints[0]]
    if not soles or not contacts:
        return motion
    rotations = np.array(motion.rotations)
    orientations, parents = motion.orientations(), motion.skeleton.parents
    ease = max(1, round(EASE * motion.frame_rate))
    give = _GIVE * motion.skeleton.height
    for sole in soles:
        own = [c for c in contacts if c.role == sole.foot and not c.on]
        share = _any([np.zeros(len(motion)), *(_share(c.first, c.last, ease, len(motion)) for c in own)])
        toe, ball = sole.joints[-1], sole.joints[-2]
        tip = rotate(orientations[:, toe], np.array(sole.points[-1]))
        length = float(np.linalg.norm(sole.points[-1]))
        if length < 1e-6 or not share.any():
            continue
        at = motion.skeleton.offsets[toe] if ball == int(parents[toe]) else np.zeros(3)
        under = rotate(orientations[:, ball], np.array(sole.points[-2]) - at)  # the ball, from the joint
        drop = under[:, 1] - tip[:, 1]
        kept = np.where(drop > 0, drop * _smooth(drop / (2.5 * give)), drop)
        rise = share * (drop - kept)
        level = np.arcsin(np.clip((tip[:, 1] + rise) / length, -1, 1))
        angle = level - np.arcsin(np.clip(tip[:, 1] / length, -1, 1))
        across = np.cross(tip, np.array([0.0, 1.0, 0.0]))
        across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)
        turned = multiply(exp(across * angle[:, None]), orientations[:, toe])
        rotations[:, toe] = multiply(inverse(orientations[:, int(parents[toe])]), turned)
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    return motion.with_(rotations=owned(rotations))


def _share(first: int, last: int, ease: int, frames: int) -> FloatArray:
    """(F,) 1 from the first frame to the last, falling smoothly to 0 over `ease` frames outside."""
    at = np.arange(frames)
    away = np.maximum(np.maximum(first - at, at - last), 0) / (ease + 1)
    return 1.0 - _smooth(away)


def _any(shares: Sequence[FloatArray]) -> FloatArray:
    """(F,) near 1 where any of the shares is; smooth where they cross, as their maximum is not."""
    return np.asarray(1.0 - np.prod([1.0 - share for share in shares], axis=0))


def _smooth(t: FloatArray) -> FloatArray:
    """From 0 to 1 over 0 to 1, without speed or acceleration at either end."""
    t = np.clip(t, 0.0, 1.0)
    return np.asarray(t * t * t * (10.0 + t * (6.0 * t - 15.0)))


def merged(contacts: Sequence[Contact]) -> list[Contact]:
    """Contacts in order; such as overlap, or follow at once on the same thing, as one."""
    out: list[Contact] = []
    for contact in sorted(contacts, key=lambda c: c.first):
        if out and contact.first <= out[-1].last + 1:
            if contact.on == out[-1].on:
                out[-1] = replace(out[-1], last=max(out[-1].last, contact.last))
            elif contact.last > out[-1].last:
                out.append(replace(contact, first=out[-1].last + 1))
        else:
            out.append(contact)
    return out


def _between(rests: Sequence[_Rest], frames: int) -> tuple[FloatArray, FloatArray]:
    """(F, 3) the change of place and (F, 3) the tilt, led from each contact to the next."""
    at: IntArray = np.arange(frames)
    change = np.array(rests[0].change)
    tilt = np.tile(rests[0].tilt, (frames, 1))
    for now, then in itertools.pairwise(rests):
        share = _smooth((at - now.last) / (then.first - now.last))[:, None]
        change = change + share * (then.change - change)
        tilt = tilt + share * (then.tilt - tilt)
    return change, tilt
