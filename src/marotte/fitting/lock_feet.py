"""Feet that stay where they are put: skate and sinking taken out of any take (LS99 section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..errors import InputError
from ..figure import Contact, Motion, Scene, detect_contacts
from ._fit import fit
from .feet import PIVOT, Footing, Led, foot_paths, ground_of, resting_shares
from .spacetime import Stay
from .standing import stand

StayOption = Literal["given", "free"]
_KNOTS = 0.034  # seconds between knots where places are sought
_BEARS = 0.25  # a point of a sole that bears this share of it must stay


@dataclass(frozen=True, slots=True, eq=False)
class Locked:
    """A motion whose feet stay where they are put."""

    motion: Motion
    """Its contacts are those that are held now."""
    feet: tuple[Led, ...]
    """Where the feet were led, frame by frame."""
    slid: float
    """Metres that a planted foot was moved at most."""
    worst: float
    """Metres that a planted part is off at most in the end."""
    lowered: float
    """Metres by which the hips had to be lowered at most, for feet to be in reach."""
    unmet: tuple[str, ...]
    """Contacts that cannot be met."""

    def __str__(self) -> str:
        count = sum(len(foot.contacts) for foot in self.feet)
        return (
            f"{count} contact{'s' * (count != 1)} of feet held; planted feet moved by up to "
            f"{100 * self.slid:.1f} cm, hips lowered by up to {100 * self.lowered:.1f} cm"
        )


def lock_feet(
    motion: Motion,
    *,
    contacts: Sequence[Contact] | None = None,
    scene: Scene | None = None,
    stay: StayOption = "given",
    pivot: float = PIVOT,
) -> Locked:
    """The motion with every planted foot held in one place, on the ground.

    Contacts are those given, else the motion's own, else detected. With stay `given` a foot rests
    where it was most of the time; with `free` it may rest anywhere, and all frames of the whole clip
    agree on the places that change the motion least (LS99 section 7). A foot goes on rolling, and
    turns on the spot where it does so by `pivot` radians or more. The ground is the scene's,
    or level where the soles rest most. Hands and knees that rest stay where they are.

    Named points and everything else are kept. It costs about 60 µs a frame, `free` 1 to 8 ms a frame. It
    cannot know contacts that neither the motion nor its movement tells: where feet slide faster
    than `detect_contacts` takes for resting, contacts must be given.
    """
    if stay not in ("given", "free"):
        raise InputError(f"stay must be given or free, but is {stay!r}")
    if not (np.isfinite(pivot) and pivot >= 0):
        raise InputError(f"pivot must be an angle from 0 up, but is {pivot}")
    held = checked_contacts(motion, contacts, scene)
    ground = ground_of(motion, scene)
    footing = Footing(before=ground, after=ground, pivot=pivot)
    resting = _settled(motion, held, footing) if stay == "free" else None
    feet = foot_paths(motion, held, footing, like=resting)
    if not any(foot.contacts for foot in feet):
        return Locked(motion.with_(contacts=held), feet, 0.0, 0.0, 0.0, ())
    done = stand(motion, feet, held)
    return Locked(
        done.motion.with_(contacts=held), feet, slid(motion, feet), done.worst, done.lowered, done.unmet
    )


def checked_contacts(
    motion: Motion, contacts: Sequence[Contact] | None, scene: Scene | None
) -> tuple[Contact, ...]:
    """Those given, else the motion's own, else detected; all inside the motion."""
    if len(motion) < 4:
        raise InputError(f"feet can be held in a motion of four frames or more, but it has {len(motion)}")
    if motion.translations is not None:
        raise InputError("joints that move against their bones cannot be fitted; drop their translations")
    if not motion.rig.soles:
        raise InputError("feet must be known to be held, but this figure has none (see marotte info)")
    if contacts is None:
        return detect_contacts(motion, scene=scene) if motion.contacts is None else motion.contacts
    for contact in contacts:
        if contact.last >= len(motion):
            raise InputError(
                f"contacts must lie in frames 0 to {len(motion) - 1}, but one of {contact.role!r} ends at "
                f"{contact.last}"
            )
    return tuple(contacts)


def slid(motion: Motion, feet: Sequence[Led]) -> float:
    """Metres that a planted foot is moved at most."""
    positions = motion.positions()
    most = 0.0
    for foot in feet:
        way = np.linalg.norm(foot.place - positions[:, foot.joint], axis=1)
        most = max(most, float(way[foot.share >= 1.0].max(initial=0.0)))
    return most


def _settled(motion: Motion, contacts: Sequence[Contact], footing: Footing) -> Motion:
    """The motion with what rests of each foot in one place, wherever the whole clip wants it to be."""
    stays = []
    for sole in motion.rig.soles:
        share = resting_shares(motion, sole, footing.before)
        for c in contacts:
            if c.role != sole.foot:
                continue
            for k, joint in enumerate(sole.joints):
                rests = c.first + np.flatnonzero(share[c.first : c.last + 1, k] >= _BEARS)
                if len(rests) > 1:
                    stays.append(Stay(point=(joint, sole.points[k]), frames=(int(rests[0]), int(rests[-1]))))
    if not stays:
        return motion
    return fit(motion, (), stays=stays, spacing=max(1.0, _KNOTS * motion.frame_rate), levels=1).motion
