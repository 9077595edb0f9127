"""Retargeting: a take put onto another figure, with what it touches still touched (LS99 4.5 and 6).

Four steps, each smooth over time, so that no frame is solved without its neighbours:

1. every part of the figure stands in the world as the performer's does (figure/carrying.py), and the
   path of the hips is scaled by the ratio of the leg lengths;
2. contacts and the nearness of hands become paths of hands and feet (contacts.py, interactions.py);
3. the root follows the mean of what these must move, and goes no further from them than limbs reach;
4. limbs reach in closed form. Where they do not, or where hands hold on to things, the trunk bends
   for them: the whole figure is fitted (LS99 4.2), and the limbs end where they should.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from ..errors import InputError, UnknownNameError
from ..figure import (
    Contact,
    FloatArray,
    Motion,
    Point,
    Rig,
    Scene,
    Skeleton,
    Source,
    corrected,
    detect_contacts,
    recognise,
)
from ..figure._arrays import owned
from ..figure.carrying import Carrier
from ..figure.contacts import ground_height, sole_points
from ..figure.rest import align_rest
from ..figure.rig import SIDES
from ..figure.rotations import inverse, multiply, rotate
from ..kinematics import Goal, Place
from ._fit import fit
from ._paths import Led, end_errors, hinged, lead_limbs, limb_lengths, toes_up, within_freedoms
from ._placing import placed_root
from .contacts import SNAP, Held, held_parts, level_toes, merged
from .interactions import hands_led, lifted

Scale: TypeAlias = Literal["legs", "none"] | float
Solver = Literal["auto", "limbs", "hierarchy", "spacetime"]
SOLVERS: dict[Solver, str] = {
    "auto": "limbs; the whole figure where a hand holds a thing, or limbs do not reach",
    "limbs": "the root follows, limbs reach in closed form, the trunk keeps its pose",
    "hierarchy": "the whole figure, level by level",
    "spacetime": "the whole figure, all frames at once",
}
"""How what is touched is reached."""
Progress: TypeAlias = Callable[[float, str], None]

MISSED = 0.005  # of the height: contacts missed by more need the trunk, or are named
_NEEDED = ("hips", *(f"{side}_{part}" for side in SIDES for part in ("upper_leg", "lower_leg", "foot")))


@dataclass(frozen=True, slots=True)
class RetargetReport:
    """What was kept, and what could not be."""

    scale: float
    """Of the root's path along the ground."""
    legs: float
    """How many times longer the figure's legs are."""
    solver: Solver
    """Which was used in the end."""
    contacts: int
    """How many were kept."""
    worst: float
    """The furthest that a resting part is from its place, percent of the height."""
    mean: float
    unmet: tuple[str, ...]
    """Contacts that are missed by more than half a percent of the height."""
    lost: tuple[str, ...]
    """Roles of contacts that the figure does not have."""
    seconds: Mapping[str, float]
    """By step."""


@dataclass(frozen=True, slots=True, eq=False)
class Retargeted:
    """A take on another figure."""

    motion: Motion
    carried: Motion
    """The same with nothing held: poses as they were carried."""
    held: tuple[Held, ...]
    """Where resting parts are led."""
    report: RetargetReport


def retarget(
    motion: Motion,
    to: Skeleton | Motion,
    *,
    map: Mapping[str, str | int | None] | None = None,
    scale: Scale = "legs",
    contacts: Sequence[Contact] | Literal["auto", "none"] = "auto",
    scene: Scene | None = None,
    interactions: bool = True,
    solver: Solver = "auto",
    progress: Progress | None = None,
) -> Retargeted:
    """The motion on another figure: contacts kept, hands near what they were near.

    `to` is a skeleton, or a motion whose skeleton and rig are meant. `map` says what its joints
    mean where that is not found: {role: joint}. `scale` is that of the root's path along the ground;
    heights always follow the legs. Contacts are the motion's own, or found where it has none; `scene`
    is the ground that the figure comes to stand on. Things that are held or climbed are scaled with
    the path, about themselves.

    The result has the motion's contacts and named points, these on the same parts of the other figure,
    and no stretched bones. Figures without roles that correspond are an error that names them.
    """
    if solver not in SOLVERS:
        raise UnknownNameError("solver", solver, SOLVERS)
    if not len(motion):
        raise InputError("a motion must have frames to be retargeted, but has none")
    clock = _Clock(progress)
    clock("poses")
    work = _Retargeting(motion, to, map, scale, contacts, scene)
    carried = work.carried()
    clock("contacts")
    carried = level_toes(carried, work.kept or ()) if work.all else carried
    held = work.held(carried)
    led = [_led(part) for part in held]
    clock("root")
    same = work.same
    placed = carried.with_(root=placed_root(carried, led, limb_lengths(carried)))
    led = lifted(placed, led, scene=scene, level=work.level)
    clock("hands")
    if interactions:
        rests = work.carrier.source, work.carrier.target
        led = hands_led(motion, placed, led, rests, scene=scene, level=work.level)
    clock("limbs")
    made = _reached(placed, led, same)
    used: Solver = "limbs" if solver == "auto" else solver
    misses = end_errors(made, led)
    ends = {limb.end for limb in carried.rig.limbs}
    bears = (
        np.stack([p.bears * (p.joint in ends) for p in led], axis=1) if led else np.zeros((len(motion), 0))
    )
    far = float((misses * bears).max(initial=0.0)) > MISSED * carried.skeleton.height
    # what hands hold, the trunk must share; feet on the floor the root can follow
    holds = any(c.on and c.role.endswith("hand") for c in work.kept or ()) and contacts != "none"
    if (solver == "auto" and (far or holds)) or solver in ("hierarchy", "spacetime"):
        clock("trunk")
        used = "hierarchy" if solver == "auto" else solver
        made = _reached(_fitted(placed, led, used), led, same)
        misses = end_errors(made, led)
    clock.stop()
    if led:
        made = toes_up(made, scene=scene, level=work.level)
    made = made.with_(contacts=work.kept, points=work.points())
    return Retargeted(made, carried, held, work.report(used, held, led, misses * bears, clock.seconds))


class _Clock:
    """Tells how far it is, and how long each step took."""

    STEPS = ("poses", "contacts", "root", "hands", "limbs", "trunk")

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.seconds: dict[str, float] = {}
        self.now: tuple[str, float] | None = None

    def __call__(self, step: str) -> None:
        self.stop()
        self.now = step, time.perf_counter()
        if self.progress is not None:
            self.progress(self.STEPS.index(step) / len(self.STEPS), step)

    def stop(self) -> None:
        if self.now is not None:
            self.seconds[self.now[0]] = time.perf_counter() - self.now[1]
            self.now = None


class _Retargeting:
    """One take, one figure: how they correspond."""

    def __init__(
        self,
        motion: Motion,
        to: Skeleton | Motion,
        roles: Mapping[str, str | int | None] | None,
        scale: Scale,
        contacts: Sequence[Contact] | Literal["auto", "none"],
        scene: Scene | None,
    ) -> None:
        self.motion, self.scene = motion, scene
        self.file = to.source if isinstance(to, Motion) else Source()
        skeleton = to.skeleton if isinstance(to, Motion) else to
        poses = to.poses if isinstance(to, Motion) else None
        rig = to.rig if isinstance(to, Motion) else recognise(skeleton)
        if roles:
            rig = corrected(rig, skeleton, dict(roles))
        _check_roles(motion.rig, rig)
        self.carrier = Carrier(
            align_rest(motion.skeleton, motion.rig, motion.poses), align_rest(skeleton, rig, poses)
        )
        self.legs = self.carrier.scale
        self.scale = _scale_of(scale, self.legs)
        self.same = _same(motion.skeleton, skeleton)
        self.all = _contacts_of(motion, contacts)
        self.kept = tuple(c for c in self.all if c.role in rig) if contacts != "none" else motion.contacts
        soles = [sole_points(motion, s) for s in motion.rig.soles]
        self.level = ground_height(soles) if soles else 0.0
        self.positions = motion.positions()
        hips = self.positions[0, motion.rig["hips"]]
        on = [self._source_place(c) for c in self.all if c.on]
        self.about = np.mean(on, axis=0) if on else hips

    def _source_place(self, contact: Contact) -> FloatArray:
        path = self.positions[contact.first : contact.last + 1, self.motion.rig[contact.role]]
        return np.asarray(np.median(path, axis=0))

    def mapped(self, places: FloatArray, *, up: float) -> FloatArray:
        """Places (…, 3) of the performer's world in the figure's."""
        out = self.about + (places - self.about) * self.scale
        out[..., 1] = self.level + (places[..., 1] - self.level) * up
        return np.asarray(out)

    def carried(self) -> Motion:
        """The poses carried, the hips' path scaled about its start."""
        carrier, motion = self.carrier, self.motion
        made = carrier.motion(motion).with_(translations=None, points=())
        hips = self.positions[:, motion.rig["hips"]]
        shift = self.mapped(hips, up=self.legs) - hips * carrier.scale
        # what is saved has the figure's file as its model: its unit, its body
        own = motion.source if self.same else self.file
        return made.with_(
            root=owned(made.root + shift), source=replace(own, notes=motion.source.notes), name=motion.name
        )

    def held(self, carried: Motion) -> tuple[Held, ...]:
        if not self.kept or self.all == ():
            return ()
        places: dict[Contact, FloatArray] = {}
        heights: dict[Contact, float] = {}
        soles = {s.foot: sole_points(self.motion, s)[..., 1].min(axis=1) for s in self.motion.rig.soles}
        known = [c for c in self.all if c.role in carried.rig and c.role in self.motion.rig]
        joined = [
            c
            for role in sorted({c.role for c in known})
            for c in merged([c for c in known if c.role == role])
        ]
        at = carried.positions()
        for contact in joined:
            place = self._source_place(contact)
            if contact.on:
                places[contact] = self.mapped(place, up=self.scale)
            elif not contact.role.endswith("foot") and self.scene is None:
                own = np.median(at[contact.first : contact.last + 1, carried.rig[contact.role]], axis=0)
                places[contact] = np.array([own[0], self.level + self.legs * (place[1] - self.level), own[2]])
            elif contact.role in soles:  # on the floor, or on a step as much higher as the legs are longer
                rise = float(np.median(soles[contact.role][contact.first : contact.last + 1])) - self.level
                near = abs(rise) < SNAP * self.motion.skeleton.height
                heights[contact] = self.level + (0.0 if near else self.legs * rise)
        return held_parts(carried, joined, scene=self.scene, level=self.level, heights=heights, places=places)

    def points(self) -> tuple[Point, ...]:
        """Named points on the same parts of the other figure, as far from their joints as these are long."""
        out = []
        source, target = self.carrier.source, self.carrier.target
        for point in self.motion.points:
            role = self.motion.rig.role_of(point.joint)
            if role is None or role not in target.rig:
                continue
            joint = target.rig[role]
            turn = multiply(inverse(target.joints[joint]), source.joints[point.joint])
            ratio = _reach(target.skeleton, joint) / max(_reach(source.skeleton, point.joint), 1e-9)
            ratio = ratio if 0.1 < ratio < 10.0 else self.legs
            x, y, z = (ratio * rotate(turn, np.array(point.offset))).tolist()
            out.append(Point(point.name, joint, (x, y, z)))
        return tuple(out)

    def report(
        self,
        used: Solver,
        held: Sequence[Held],
        led: Sequence[Led],
        misses: FloatArray,
        seconds: Mapping[str, float],
    ) -> RetargetReport:
        height, skeleton = self.carrier.target.skeleton.height, self.carrier.target.skeleton
        unmet = []
        for k, part in enumerate(led):
            worst = int(misses[:, k].argmax()) if len(misses) else 0
            if len(misses) and misses[worst, k] > MISSED * height:
                role = self.carrier.target.rig.role_of(part.joint) or skeleton.names[part.joint]
                unmet.append(f"{role} misses its place by {100 * misses[worst, k]:.1f} cm at frame {worst}")
        resting = np.stack([p.bears for p in led], axis=1) > 0.5 if led else np.zeros(0, dtype=bool)
        known = misses[resting] if led else np.zeros(0)
        return RetargetReport(
            scale=self.scale, legs=self.legs, solver=used, contacts=sum(len(h.contacts) for h in held),
            worst=100.0 * float(misses.max(initial=0.0)) / height,
            mean=100.0 * float(known.mean()) / height if len(known) else 0.0,
            unmet=tuple(unmet),
            lost=tuple(sorted({c.role for c in self.all if c.role not in self.carrier.target.rig})),
            seconds=dict(seconds),
        )  # fmt: skip


def _led(part: Held) -> Led:
    """A resting part's path, led as long as a contact is near in time."""
    return Led(part.joint, part.place, part.turned, part.share, part.near)


def _reached(motion: Motion, led: Sequence[Led], same: bool) -> Motion:
    """Limbs brought to where they are led, by joints that turn only as theirs can."""
    if same and not led:
        return motion
    positions, orientations = motion.world()
    now = []
    for part in led:
        at = positions[:, part.joint]
        now.append(replace(part, place=owned(at + part.leads[:, None] * (part.place - at))))
    given = {part.joint for part in now}
    if not same:  # joints that lose turns are brought back to where they were
        for limb in motion.rig.limbs:
            if limb.end not in given:
                one = np.ones(len(motion))
                at, turned = (
                    owned(np.array(positions[:, limb.end])),
                    owned(np.array(orientations[:, limb.end])),
                )
                now.append(Led(limb.end, at, turned, one, one))
        motion = motion.with_(rotations=hinged(motion))
        motion = motion.with_(rotations=owned(within_freedoms(motion.rotations, motion.skeleton)))
    spared = [limb.end for limb in motion.rig.limbs if limb.end not in {p.joint for p in now}]
    made = lead_limbs(motion, now, spared=spared)
    return made if same else made.with_(rotations=owned(within_freedoms(made.rotations, made.skeleton)))


def _fitted(motion: Motion, led: Sequence[Led], solver: Solver) -> Motion:
    """The whole figure fitted to the paths, where parts rest."""
    rate = motion.frame_rate / 30.0
    goals: list[Goal] = []
    for part in led:
        weight = owned(np.maximum(part.bears, 1e-3) * part.leads)
        turned = motion.orientations()[:, part.joint] if part.turned is None else part.turned
        goals.append(Place(point=part.joint, to=part.place, turned=turned, weight=weight))
    chosen: Literal["hierarchy", "spacetime"] = "spacetime" if solver == "spacetime" else "hierarchy"
    return fit(
        motion, goals, solver=chosen, spacing=16 * rate, levels=3, limits="none", shift=(), tolerance=0.5
    ).motion


def _contacts_of(
    motion: Motion, contacts: Sequence[Contact] | Literal["auto", "none"]
) -> tuple[Contact, ...]:
    if contacts == "none":
        return ()
    if contacts == "auto":
        return motion.contacts if motion.contacts is not None else detect_contacts(motion)
    if isinstance(contacts, str):
        raise UnknownNameError("choice for contacts", contacts, ("auto", "none"))
    return tuple(contacts)


def _scale_of(scale: Scale, legs: float) -> float:
    if scale == "legs":
        return legs
    if scale == "none":
        return 1.0
    if isinstance(scale, str):
        raise UnknownNameError("scale", scale, ("legs", "none"), "(or a number)")
    if not (np.isfinite(scale) and scale > 0):
        raise InputError(f"scale must be 'legs', 'none' or a number above 0, but is {scale}")
    return float(scale)


def _check_roles(source: Rig, target: Rig) -> None:
    """Raise InputError where one of the figures is not known well enough."""
    for rig, whose, remedy in (
        (source, "the take's figure", "correct its rig (a .rig.yaml beside its file)"),
        (target, "the figure to retarget to", "say which joints they are: map, such as {hips: Bone_01}"),
    ):
        missing = [role for role in _NEEDED if role not in rig]
        if "hips" in missing or len(missing) > 3:
            raise InputError(
                f"{whose} must have known hips and legs, but has no {', '.join(missing)}; {remedy}"
            )


def _same(a: Skeleton, b: Skeleton) -> bool:
    return a is b or (a.same_joints(b) and bool(np.array_equal(a.offsets, b.offsets)))


def _reach(skeleton: Skeleton, joint: int) -> float:
    """Metres from a joint to the furthest thing that hangs on it."""
    rest = skeleton.rest_positions()
    below = skeleton.descendants(joint)
    tips = [rest[j] for j in below] + [rest[e.joint] + e.offset for e in skeleton.ends if e.joint in below]
    return max((float(np.linalg.norm(tip - rest[joint])) for tip in tips), default=0.0)
