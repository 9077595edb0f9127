"""What is demanded of every built-in take, measured on the finished motion alone.

Nothing here knows how takes are made: soles, joints, points and contacts are read from the Motion,
and the body's mass is laid out a second time, one segment after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.spatial import ConvexHull

from marotte.figure import Contact, FloatArray, Motion, resolve_point
from marotte.figure.contacts import contact_mask, sole_points
from marotte.figure.rotations import inverse, log, multiply, rotate

Ground = Callable[[FloatArray], FloatArray]
"""Points (…, 3) to the height of the ground below them (…), metres."""

RESTING = 1e-3  # metres above the ground: a sole point that is lower rests on it
HAND_BREADTH = 0.035  # metres from the middle line of a hand to its edge
SOLE_BREADTH = 0.045  # metres from the middle line of a sole to its edge

_SIDES = ("left", "right")


def level(points: FloatArray) -> FloatArray:
    """The ground of most takes."""
    return np.zeros(points.shape[:-1])


# ---- contacts


@dataclass(frozen=True, slots=True)
class Slide:
    """The worst that a foot or hand does while it is said to rest."""

    moved: float  # metres that a resting point moves from where it came down
    role: str
    frame: int
    left: str = ""  # a contact in which nothing rested, or whose rest jumped from point to point


def foot_slide(motion: Motion, ground: Ground) -> Slide:
    """How far soles slide: in every frame of a contact some point of the sole must rest, two
    neighbouring frames must share one, and as long as a point rests it must stay where it is."""
    worst = Slide(0.0, "", 0)
    for sole in motion.rig.soles:
        points = sole_points(motion, sole)
        rests = points[..., 1] - ground(points) < RESTING
        for contact in _of(motion, sole.foot, ""):
            place = slice(contact.first, contact.last + 1)
            down, where = rests[place], points[place]
            if not down.any(axis=1).all():
                frame = contact.first + int(np.argmin(down.any(axis=1)))
                return Slide(np.inf, sole.foot, frame, "no point of the sole rests")
            shared = (down[1:] & down[:-1]).any(axis=1)
            if not shared.all():
                frame = contact.first + int(np.argmin(shared))
                return Slide(np.inf, sole.foot, frame, "no point rests in this frame and the next")
            for k in range(down.shape[1]):
                for first, last in _runs(down[:, k]):
                    away = np.linalg.norm((where[first : last + 1, k] - where[first, k])[:, [0, 2]], axis=-1)
                    if float(away.max()) > worst.moved:
                        frame = contact.first + first + int(away.argmax())
                        worst = Slide(float(away.max()), sole.foot, frame)
    return worst


def hand_slide(motion: Motion, touch: Mapping[str, str]) -> Slide:
    """How far hands slide: `touch` names the point that rests for each hand that touches."""
    worst = Slide(0.0, "", 0)
    for role in sorted({c.role for c in motion.contacts or () if c.role.endswith("hand") and not c.on}):
        way = _way(motion, touch[role])
        for contact in _of(motion, role, ""):
            here = way[contact.first : contact.last + 1]
            away = np.linalg.norm(here - here[0], axis=-1)
            if float(away.max()) > worst.moved:
                worst = Slide(float(away.max()), role, contact.first + int(away.argmax()))
    return worst


# Things that hands hold on to: tests of their own ask that hands and thing stay together.
_HELD = frozenset({"rope", "object"})


def thing_slide(motion: Motion, meet: Mapping[str, str]) -> float:
    """Metres that the points named in `meet` move while their hands rest on a thing that stands."""
    worst = 0.0
    for contact in motion.contacts or ():
        if contact.role.endswith("hand") and contact.on and contact.on not in _HELD:
            here = _way(motion, meet[contact.role])[contact.first : contact.last + 1]
            worst = max(worst, float(np.linalg.norm(here - here[0], axis=-1).max()))
    return worst


def off_ground(motion: Motion, touch: Mapping[str, str], ground: Ground) -> float:
    """Metres that the resting points of hands come away from the ground that they rest on."""
    worst = 0.0
    for role, name in touch.items():
        way = _way(motion, name)
        for contact in _of(motion, role, ""):
            here = way[contact.first : contact.last + 1]
            worst = max(worst, float(np.abs(here[:, 1] - ground(here)).max()))
    return worst


def knee_slide(motion: Motion) -> tuple[float, float]:
    """Metres that a kneeling knee moves while it rests, and that the heights of all rests differ.

    A knee rolls on its round front, so the middle of the joint is what stays.
    """
    moved, heights = 0.0, []
    for role in ("left_lower_leg", "right_lower_leg"):
        way = motion.positions()[:, motion.rig[role]]
        for contact in _of(motion, role, ""):
            here = way[contact.first : contact.last + 1]
            moved = max(moved, float(np.linalg.norm(here - here[0], axis=-1).max()))
            heights.append(float(here[0, 1]))
    return moved, max(heights, default=0.0) - min(heights, default=0.0)


def off_rope(motion: Motion, hold: Mapping[str, str], at: tuple[float, float]) -> tuple[float, float]:
    """What hands and feet do on an upright rope at x and z: metres that the points named in `hold`
    come away from it while they hold it, and metres that they slip along it."""
    away = slip = 0.0
    for role, name in hold.items():
        way = _way(motion, name)
        grips = _of(motion, role, "rope")
        if not grips:
            return np.inf, np.inf
        for contact in grips:
            here = way[contact.first : contact.last + 1]
            away = max(away, float(np.linalg.norm(here[:, [0, 2]] - np.array(at), axis=-1).max()))
            slip = max(slip, float(np.abs(here[:, 1] - here[0, 1]).max()))
    return away, slip


def agreement(motion: Motion, found: Iterable[Contact]) -> float:
    """F1 of the feet's contacts, frame by frame, against the take's own; 1 where neither has any."""
    found = tuple(found)
    both = either = 0
    for sole in motion.rig.soles:
        true = contact_mask(motion.contacts, sole.foot, len(motion))
        seen = contact_mask(found, sole.foot, len(motion))
        both += int((true & seen).sum())
        either += int(true.sum()) + int(seen.sum())
    return 2.0 * both / either if either else 1.0


def deepest(motion: Motion, ground: Ground) -> float:
    """Metres below the ground of the deepest joint, fingertip, crown or sole point."""
    soles = [sole_points(motion, sole) for sole in motion.rig.soles]
    points = np.concatenate([motion.positions(), motion.end_positions(), *soles], axis=1)
    return float((ground(points) - points[..., 1]).max())


def _of(motion: Motion, role: str, on: str | None = None) -> list[Contact]:
    return [c for c in motion.contacts or () if c.role == role and on in (None, c.on)]


def _way(motion: Motion, name: str) -> FloatArray:
    """(F, 3) where a named point is, world."""
    point = resolve_point(motion, name)
    places, turned = motion.world()
    return np.asarray(places[:, point.joint] + rotate(turned[:, point.joint], np.array(point.offset)))


def _runs(mask: np.ndarray) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


# ---- joints


def hinge_angles(motion: Motion) -> dict[str, FloatArray]:
    """Degrees (F,) by which knees and elbows are bent, negative the wrong way; a turn about any
    other axis than the hinge's is added to the wrong way."""
    out = {}
    for limb in motion.rig.limbs:
        w, *xyz = np.moveaxis(motion.rotations[:, limb.hinge], -1, 0)
        part = np.stack(xyz, axis=-1)
        along = part @ np.array(limb.hinge_axis)
        aside = np.linalg.norm(part - along[:, None] * np.array(limb.hinge_axis), axis=-1)
        angle = 2.0 * np.arctan2(along * np.where(w < 0.0, -1.0, 1.0), np.abs(w))
        out[limb.name] = np.degrees(np.where(aside > 1e-6, -2.0 * aside, angle))
    return out


def joint_speeds(motion: Motion) -> FloatArray:
    """(F - 1, J, 3) radians a second: every joint's turning against its parent."""
    step = multiply(inverse(motion.rotations[:-1]), motion.rotations[1:])
    return np.asarray(log(step) * motion.frame_rate)


def turning(motion: Motion) -> tuple[FloatArray, FloatArray]:
    """(J,) the fastest turning of each joint, degrees a second, and its greatest change,
    degrees a second squared."""
    speeds = np.degrees(joint_speeds(motion))
    change = np.diff(speeds, axis=0) * motion.frame_rate
    return np.linalg.norm(speeds, axis=-1).max(axis=0), np.linalg.norm(change, axis=-1).max(axis=0)


# ---- mass

# de Leva (1996), men: share of the body's mass, and where between its two ends the centre lies.
_SEGMENTS = (
    ("hips", "spine", 0.1117, 0.5),
    ("spine", "upper_chest", 0.1633, 0.5),
    ("upper_chest", "neck", 0.1596, 0.5),
    ("upper_arm", "lower_arm", 0.0271, 0.577),
    ("lower_arm", "hand", 0.0162, 0.457),
    ("upper_leg", "lower_leg", 0.1416, 0.410),
    ("lower_leg", "foot", 0.0433, 0.446),
    ("foot", "toes", 0.0137, 0.45),
)
_HEAD, _HAND = 0.0694, 0.0061


def centre_of_mass(motion: Motion) -> FloatArray:
    """(F, 3) metres."""
    places, turned = motion.world()
    rig, rest = motion.rig, motion.skeleton.rest_positions()
    tips = {e.joint: np.array(e.offset) for e in motion.skeleton.ends}
    total, mass = np.zeros((len(motion), 3)), 0.0

    def add(joint: int, offset: FloatArray, share: float) -> None:
        nonlocal total, mass
        total += share * (places[:, joint] + rotate(turned[:, joint], offset))
        mass += share

    for upper, lower, share, along in _SEGMENTS:
        middle = upper in ("hips", "spine", "upper_chest")
        for prefix in ("",) if middle else ("left_", "right_"):
            a, b = rig[prefix + upper], rig[prefix + lower]
            add(a, along * (rest[b] - rest[a]), share)
    add(rig["head"], 0.5 * tips[rig["head"]], _HEAD)
    for side in ("left", "right"):
        add(rig[f"{side}_hand"], 0.4 * tips[rig[f"{side}_hand"]], _HAND)
    return total / mass


def off_support(motion: Motion, ground: Ground) -> float:
    """Metres that the centre of mass comes outside the soles that rest, seen from above; negative
    when it stays inside."""
    centre = centre_of_mass(motion)
    worst = -np.inf
    soles = [(sole, sole_points(motion, sole)) for sole in motion.rig.soles]
    for frame in range(len(motion)):
        edge = []
        for _, points in soles:
            here = points[frame]
            along = here[-1] - here[0]
            across = np.array([along[2], 0.0, -along[0]])
            across *= SOLE_BREADTH / max(float(np.linalg.norm(across)), 1e-9)
            for point in here[here[:, 1] - ground(here) < 5.0 * RESTING]:
                edge += [point + across, point - across]
        if len(edge) < 3:
            return np.inf
        hull = ConvexHull(np.array(edge)[:, [0, 2]])
        outside = hull.equations[:, :2] @ centre[frame, [0, 2]] + hull.equations[:, 2]
        worst = max(worst, float(outside.max()))
    return worst


def on_hands(motion: Motion, apart: float) -> tuple[float, float, float]:
    """A handstand while nothing but hands rests, less `apart` seconds at either end, when a leg
    still swings: metres that the centre of mass comes outside the hands, seen from above (negative
    inside), metres from the head up to the feet, and degrees that elbows bend while hands rest."""
    places, _ = motion.world()
    rig = motion.rig
    hands = np.all([contact_mask(motion.contacts, f"{s}_hand", len(motion)) for s in _SIDES], axis=0)
    feet = np.any([contact_mask(motion.contacts, f"{s}_foot", len(motion)) for s in _SIDES], axis=0)
    trim = round(apart * motion.frame_rate)
    still = [f for a, b in _runs(hands & ~feet) for f in range(a + trim, b - trim + 1)]
    assert still, "there is no handstand"
    centre, tips = centre_of_mass(motion), motion.end_positions()
    ends = [e.joint for e in motion.skeleton.ends]
    outside = -np.inf
    for f in still:
        edge = []
        for side in _SIDES:
            wrist, tip = places[f, rig[f"{side}_hand"]], tips[f, ends.index(rig[f"{side}_hand"])]
            across = np.array([HAND_BREADTH, 0.0, 0.0])
            edge += [wrist + across, wrist - across, tip + across, tip - across]
        hull = ConvexHull(np.array(edge)[:, [0, 2]])
        outside = max(
            outside, float((hull.equations[:, :2] @ centre[f, [0, 2]] + hull.equations[:, 2]).max())
        )
    legs = [places[still, rig[f"{s}_foot"], 1] for s in _SIDES]
    bent = max(float(hinge_angles(motion)[f"{s}_arm"][hands].max()) for s in _SIDES)
    return outside, float((np.min(legs, axis=0) - places[still, rig["head"], 1]).min()), bent


def flights(motion: Motion) -> list[tuple[int, int]]:
    """First and last frames of the times in which nothing touches anything."""
    held = np.zeros(len(motion), dtype=bool)
    for contact in motion.contacts or ():
        held[contact.first : contact.last + 1] = True
    return _runs(~held)


def off_parabola(motion: Motion) -> float:
    """Metres that the centre of mass comes away from free fall in any flight.

    The parabola is the one of 9.81 m/s² that fits best: where it starts and how fast is free.
    """
    centre = centre_of_mass(motion)
    worst = 0.0
    for first, last in flights(motion):
        if last - first < 3:
            continue
        t = np.arange(last - first + 1) / motion.frame_rate
        way = centre[first : last + 1].copy()
        way[:, 1] += 0.5 * 9.81 * t * t
        line = np.stack([np.ones_like(t), t], axis=1)
        rest = way - line @ np.linalg.lstsq(line, way, rcond=None)[0]
        worst = max(worst, float(np.linalg.norm(rest, axis=1).max()))
    return worst
