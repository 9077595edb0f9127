"""Arms that hang, and hands that are led from there to a place in the world and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..figure import FloatArray, Point, recognise
from ..figure.rotations import from_matrix, inverse, rotate, slerp
from ._body import Body, Y, sign
from ._curves import step
from ._limbs import local
from .characters import character

_HELD = 0.97  # share of an arm's length up to which a hand is exactly where it is led
_PLUMB = 0.85  # share of the trunk's tilt that a hanging arm makes up for
_TURNS = (0.25, 0.95)  # shares of the way between which a led hand turns to where it points

Side = Literal["left", "right"]
Vector = tuple[float, float, float]


def other_side(side: str) -> str:
    """The other of left and right."""
    return "left" if side == "right" else "right"


def mirrored(side: str, vector: ArrayLike) -> FloatArray:
    """A direction or place given for the left, for either side: x turned round for the right."""
    return np.asarray(np.asarray(vector, dtype=np.float64) * np.array([sign(side), 1.0, 1.0]))


def hand_point(name: str, side: str, offset: Vector) -> Point:
    """A named point on a hand, given for the left one."""
    x, y, z = (float(p) for p in mirrored(side, offset))
    return Point(name, recognise(character("performer"))[f"{side}_hand"], (x, y, z))


def hand_turn(side: str, fingers: ArrayLike, palm: ArrayLike) -> FloatArray:
    """(…, 4) world orientation of a hand whose fingers point one way and whose palm faces another;
    where the two are not square, the fingers decide."""
    x = sign(side) * np.asarray(fingers, dtype=np.float64)
    x = x / np.linalg.norm(x, axis=-1, keepdims=True)
    y = -np.asarray(palm, dtype=np.float64)
    y = y - (y * x).sum(-1, keepdims=True) * x
    y = y / np.linalg.norm(y, axis=-1, keepdims=True)
    return from_matrix(np.stack([x, y, np.cross(x, y)], axis=-1))


def hang(
    body: Body,
    side: str,
    *,
    flexion: ArrayLike = 2.0,
    abduction: ArrayLike = 8.0,
    elbow: ArrayLike = 16.0,
    shrug: ArrayLike = 0.0,
    forward: ArrayLike = 0.0,
) -> None:
    """An arm that hangs at ease, almost down to the ground however the trunk is; degrees.

    The trunk must be posed. Angles are added to those at which the arm hangs.
    """
    chest = body.world(int(body.skeleton.parents[body.rig[f"{side}_shoulder"]]))[1]
    x, y, z = rotate(inverse(chest), -Y).T
    body.arm(
        side,
        flexion=np.radians(flexion) + _PLUMB * np.arctan2(z, -y),
        abduction=np.radians(abduction) + _PLUMB * np.arcsin(sign(side) * x),
        inward=np.radians(16.0),
        elbow=np.radians(elbow),
        pronation=np.radians(12.0),
        wrist=np.radians(8.0),
        shrug=np.radians(shrug),
        forward=np.radians(forward),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Led:
    """Where a hand is led."""

    share: FloatArray  # (F,) from 0, as the arm hangs, to 1, where it is led
    wrist: FloatArray  # (F, 3) world, metres
    turn: FloatArray  # (F, 4) world orientation of the hand
    turned: FloatArray  # (F,) how much of that orientation it has
    pole: FloatArray  # (F, 3) the direction in which the elbow lies when it is led, world


def lead(body: Body, side: str, led: Led, *, shrug: ArrayLike = 0.0, forward: ArrayLike = 0.0) -> FloatArray:
    """Take a hanging arm where it is led. Returns (F,) how far it stays short, metres.

    Out of reach on its way, as when the trunk is still to come down, it is held back smoothly.
    """
    share = led.share[:, None]
    wrist = body.world(f"{side}_hand")[0]
    elbow = body.world(f"{side}_lower_arm")[0]
    shoulder = body.world(f"{side}_upper_arm")[0]
    own = body.rotations[:, body.rig[f"{side}_hand"]].copy()
    bent = elbow - 0.5 * (shoulder + wrist)
    bent /= np.linalg.norm(bent, axis=-1, keepdims=True)
    pole = led.pole / np.linalg.norm(led.pole, axis=-1, keepdims=True)
    goal = wrist + share * (led.wrist - wrist)
    short = body.reach(
        side,
        goal,
        bent + share * (pole - bent),
        shrug=np.radians(shrug),
        forward=np.radians(forward),
        ease=_HELD,
    )
    fore = body.world(f"{side}_lower_arm")[1]
    # while the arm still hangs, an upright hand is half a turn away, by either side: it waits
    turned = led.turned * step(led.share, *_TURNS)
    body.rotations[:, body.rig[f"{side}_hand"]] = slerp(own, local(fore, led.turn), turned)
    return short


def wrist_for(place: ArrayLike, turn: FloatArray, offset: ArrayLike) -> FloatArray:
    """(F, 3) where the wrist is when a point of the hand is at a place."""
    return np.asarray(
        np.asarray(place, dtype=np.float64) - rotate(turn, np.asarray(offset, dtype=np.float64))
    )
