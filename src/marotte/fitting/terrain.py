"""A motion from level ground on any ground: hills, steps, doorways to duck through (LS99 6, figure 5b).

Contacts keep their places as seen from above and are lifted to the ground; feet take on its slope;
the root follows (LS99 4.5); swinging feet clear what is between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import InputError
from ..figure import Contact, FloatArray, Motion, Scene
from ..figure.contacts import sole_points
from ..figure.scene import Doorway
from ..kinematics import Place
from .ducking import LOWEST, bent, lintels, smooth_need
from .feet import PIVOT, Footing, Ground, Led, foot_paths, ground_of
from .lock_feet import checked_contacts
from .standing import Stood, stand

_ROUNDS = 4  # of looking whether the figure is low enough now


@dataclass(frozen=True, slots=True, eq=False)
class OnTerrain:
    """A motion on its new ground."""

    motion: Motion
    """Its contacts are those of feet, hands and knees with the ground."""
    feet: tuple[Led, ...]
    """Where the feet were led, frame by frame."""
    climbed: float
    """Metres between the lowest and the highest ground that it stands on."""
    worst: float
    """Metres that a planted part is off at most."""
    lowered: float
    """Metres by which the hips had to be lowered at most, for feet to be in reach."""
    ducked: float
    """Metres by which it ducks at most."""
    unmet: tuple[str, ...]
    """Contacts and doorways that cannot be met."""

    def __str__(self) -> str:
        count = sum(len(foot.contacts) for foot in self.feet)
        text = f"{count} contacts of feet brought to the ground, which rises by {self.climbed:.2f} m"
        return text + (f"; ducks by up to {100 * self.ducked:.0f} cm" if self.ducked > 0 else "")


def terrain(
    motion: Motion,
    scene: Scene,
    *,
    contacts: Sequence[Contact] | None = None,
    slopes: bool = True,
    doorways: bool = True,
    pivot: float = PIVOT,
) -> OnTerrain:
    """The motion on the scene's ground, with contacts where they were as seen from above.

    The motion must have been made for level ground. Feet are turned to the slope, unless `slopes` is
    false, and figures duck through the scene's doorways, unless `doorways` is. Contacts with things
    (`Contact.on`) are dropped: who knows where those things are now. It costs about 100 µs a frame.

    Steps keep their length as seen from above, so that uphill they get longer; where a leg is too short
    for that the hips are lowered. Balance is not looked after: on slopes above 30° nobody walks so.
    """
    held = tuple(c for c in checked_contacts(motion, contacts, None) if c.on == "")
    before, after = ground_of(motion), ground_of(motion, scene)
    _check_ground(motion, after)
    footing = Footing(before=before, after=after, pivot=pivot, slopes=slopes)
    feet = foot_paths(motion, held, footing)

    def rise(places: FloatArray) -> FloatArray:
        return after(places) - before(places)

    done = stand(motion, feet, held, rise=rise)
    doors = [s for s in scene.objects.values() if isinstance(s, Doorway)] if doorways else []
    lower = np.zeros(len(motion))
    unmet: list[str] = []
    if doors:
        done, lower, unmet = _ducking(motion, done, feet, held, doors, rise)
    stands = np.concatenate([f.place[f.share >= 1.0] for f in feet] or [np.zeros((0, 3))])
    return OnTerrain(
        done.motion.with_(contacts=held),
        feet,
        float(np.ptp(after(stands))) if len(stands) else 0.0,
        done.worst,
        done.lowered,
        float(lower.max(initial=0.0)),
        (*done.unmet, *unmet),
    )


def terrain_goals(
    motion: Motion,
    scene: Scene,
    *,
    contacts: Sequence[Contact] | None = None,
    slopes: bool = True,
) -> tuple[Place, ...]:
    """What `terrain` asks of the feet, as goals of all frames for `fit` (LS99 table 1)."""
    held = tuple(c for c in checked_contacts(motion, contacts, None) if c.on == "")
    after = ground_of(motion, scene)
    _check_ground(motion, after)
    feet = foot_paths(motion, held, Footing(before=ground_of(motion), after=after, slopes=slopes))
    return tuple(Place(point=f.joint, to=f.place, turned=f.turned) for f in feet if f.turned is not None)


def _ducking(
    motion: Motion,
    done: Stood,
    feet: Sequence[Led],
    contacts: Sequence[Contact],
    doors: Sequence[Doorway],
    rise: Ground,
) -> tuple[Stood, FloatArray, list[str]]:
    """The figure lower where doorways ask for it; looked at again, since who leans is further ahead."""
    need = lintels(done.motion, doors)
    asked = np.full(len(motion), -np.inf)
    lower = np.zeros(len(motion))
    for _ in range(_ROUNDS):
        if not (need > 1e-3).any():
            break
        asked = np.where(np.isfinite(need), np.maximum(asked, lower + need), asked)
        asked = np.minimum(asked, LOWEST * motion.skeleton.height)
        lower = smooth_need(asked, motion.frame_rate)
        leaning, offset = bent(motion, lower)
        done = stand(leaning, feet, contacts, offset=offset, rise=rise)
        need = lintels(done.motion, doors)
    over = float(need.max(initial=-np.inf))
    if over > 0.01:
        return done, lower, [f"a doorway is {100 * over:.0f} cm too low at frame {int(need.argmax())}"]
    return done, lower, []


def _check_ground(motion: Motion, ground: Ground) -> None:
    for sole in motion.rig.soles:
        heights = ground(sole_points(motion, sole))
        if not np.isfinite(heights).all():
            frame = int(np.argmax(~np.isfinite(heights).all(axis=1)))
            raise InputError(
                f"the scene must have ground (a plane or heights) under every step, but has none at frame "
                f"{frame}"
            )
