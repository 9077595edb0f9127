"""Hands that bear weight: flat on the ground, and peeled off it from the heel to the fingers.

The figure has no fingers, so a hand is one rigid part. Flat on the ground its bone slopes down from
the wrist, which lies higher than the fingertips by half a wrist's thickness; when the heel of the
hand lifts, it turns about the pads of the fingers, which stay where they are.
"""

from __future__ import annotations

import math

import numpy as np

from ..figure import FloatArray, Point, Skeleton, recognise
from ..figure.rotations import about, multiply, rotate
from ._body import SIDES, X, Y, sign

FLAT = math.radians(8.0)  # the slope of a flat hand's bone
_PAD = 0.006  # metres from the middle of a finger to its pad


def pad(skeleton: Skeleton, side: str) -> FloatArray:
    """(3,) the pads of the fingers in the hand's frame, metres."""
    hand = recognise(skeleton)[f"{side}_hand"]
    tip = next(e.offset for e in skeleton.ends if e.joint == hand)
    return np.array([tip[0], tip[1] - _PAD, tip[2]])


def pads(skeleton: Skeleton) -> list[Point]:
    """The pads of both hands as named points: `left_fingers` and `right_fingers`."""
    rig = recognise(skeleton)
    return [point(f"{s}_fingers", rig[f"{s}_hand"], pad(skeleton, s)) for s in SIDES]


def point(name: str, joint: int, offset: FloatArray) -> Point:
    """A named point from an array (3,) in the joint's frame, metres."""
    return Point(name, joint, (float(offset[0]), float(offset[1]), float(offset[2])))


def hand_on(side: str, heading: FloatArray, pitch: FloatArray) -> FloatArray:
    """(F, 4) world orientation of a hand, palm down: where its fingers point, radians, and how far
    they point down."""
    forward = about(Y, -sign(side) * 0.5 * math.pi)
    return multiply(multiply(about(Y, heading), about(X, pitch)), forward)


def wrist_over(pad_at: FloatArray, orientation: FloatArray, offset: FloatArray) -> FloatArray:
    """(F, 3) where the wrist is when the pads are at a place."""
    return np.asarray(pad_at - rotate(orientation, np.broadcast_to(offset, pad_at.shape)))
