"""What throwing and putting share: a body led by its hips, and an arm that is flung.

Each part turns later than the one below it and faster: hips, then trunk, then upper arm, forearm
and hand. Directions are said for the throwing side: `away` turns towards the throwing hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..figure import FloatArray, Point
from ..figure.rotations import from_euler, rotate
from ._body import Body, sign
from ._curves import keyed

Keys = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Fling:
    """The throwing arm, degrees by time: from straight out to the side, palm down, it is turned
    outward about its length, raised, and swung across in front of the body."""

    across: Keys
    raised: Keys
    outward: Keys
    elbow: Keys
    wrist: Keys  # bent to the palm
    turned: Keys  # the forearm, thumb inward
    shrug: Keys = ((0.0, 0.0),)
    forward: Keys = ((0.0, 0.0),)
    rounding: float = 0.07  # seconds


def flung(body: Body, side: str, fling: Fling, t: FloatArray) -> None:
    """Pose the arm."""
    s, r = sign(side), fling.rounding

    def angle(keys: Keys) -> FloatArray:
        return np.radians(keyed(t, keys, r))

    rise = angle(fling.raised)
    lift = 0.11 * (rise + np.radians(45.0) + np.hypot(rise + np.radians(45.0), 0.4))
    body.collar(side, lift=angle(fling.shrug) + lift, forward=angle(fling.forward))
    upper = np.stack([-s * angle(fling.across), s * (rise - lift), -angle(fling.outward)], axis=-1)
    body.rotations[:, body.rig[f"{side}_upper_arm"]] = from_euler(upper, "YZX")
    limb = body.limbs[f"{side}_arm"]
    half = 0.5 * angle(fling.elbow)[:, None]
    body.rotations[:, body.rig[f"{side}_lower_arm"]] = np.concatenate(
        [np.cos(half), np.sin(half) * limb.hinge], axis=1
    )
    body.hand(side, pronation=angle(fling.turned), wrist=angle(fling.wrist))


def held(body: Body, side: str, name: str, radius: float) -> Point:
    """A ball of a radius, metres, that lies on the palm."""
    return Point(name, body.rig[f"{side}_hand"], (sign(side) * 0.085, -0.022 - radius, 0.0))


def point_speed(body: Body, point: Point, rate: float) -> FloatArray:
    """(F,) metres a second of a point."""
    place, turned = body.world(point.joint)
    way = place + rotate(turned, np.broadcast_to(np.array(point.offset), place.shape))
    return np.asarray(np.linalg.norm(np.gradient(way, axis=0), axis=1) * rate)
