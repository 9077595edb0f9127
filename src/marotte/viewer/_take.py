"""From a motion to what a browser is told about it."""

from __future__ import annotations

import base64

import numpy as np

from ..figure import FloatArray, Motion, body_shapes, detect_contacts
from ..figure.contacts import ground_height, sole_points
from ..figure.rotations import rotate
from ._payload import BodyShape, ContactInterval, JointInfo, NamedPoint, TakePayload, Vec3

# Joint poses, frames times joints, that a page is given: 64 MB of numbers, which browsers hold with ease.
# At 31 joints and 120 Hz it is 18 minutes.
MOST_POSES = 4_000_000


def take_payload(motion: Motion, *, name: str | None = None) -> TakePayload:
    """Everything the player needs to draw a motion.

    A motion of no frames is shown as its rest pose. Contacts that the motion does not know are
    detected; the ground is then drawn where its soles rest most, which is how they are judged.
    A motion of more than MOST_POSES joint poses is told at every second, third, … of its frames.
    """
    skeleton, rig = motion.skeleton, motion.rig
    every = -(-len(motion) * len(skeleton) // MOST_POSES) or 1
    if every > 1:
        motion = motion[::every]
    if len(motion) == 0:
        motion = Motion.at_rest(skeleton, frame_rate=motion.frame_rate).with_(
            name=motion.name, points=motion.points, rig=rig
        )
    contacts = detect_contacts(motion) if motion.contacts is None else motion.contacts
    role_of = {joint: role for role, joint in reversed(list(rig.roles.items()))}
    joints = [
        JointInfo(
            name=joint,
            parent=int(skeleton.parents[j]),
            offset=_vec3(skeleton.offsets[j]),
            role=role_of.get(j),
            ends=[_vec3(end.offset) for end in skeleton.ends if end.joint == j],
        )
        for j, joint in enumerate(skeleton.names)
    ]
    shapes = [
        BodyShape(
            joint=s.joint,
            kind=s.kind,
            start=s.start,
            end=s.end,
            radius_start=s.radius_start,
            radius_end=s.radius_end,
            wide=s.wide,
            stretch=s.stretch,
        )
        for s in body_shapes(skeleton, rig)
    ]
    return TakePayload(
        name=name or motion.name or "take",
        frame_rate=motion.frame_rate,
        frames=len(motion),
        every=every,
        # A lone joint has no extent, but a camera needs a size to stand back from.
        height=skeleton.height or 1.0,
        ground=_ground(motion),
        facing=_facing(motion),
        face=rig.forward if "head" in rig else None,
        joints=joints,
        shapes=shapes,
        points=[NamedPoint(name=p.name, joint=p.joint, offset=p.offset) for p in motion.points],
        contacts=[ContactInterval(role=c.role, first=c.first, last=c.last) for c in contacts],
        root=_base64(motion.root),
        rotations=_base64(np.roll(motion.rotations, -1, axis=-1)),  # w x y z to x y z w
        translations=None if motion.translations is None else _base64(motion.translations),
    )


def _base64(array: FloatArray) -> str:
    return base64.b64encode(np.ascontiguousarray(array, dtype="<f4").tobytes()).decode("ascii")


def _vec3(values: FloatArray | tuple[float, float, float]) -> Vec3:
    return float(values[0]), float(values[1]), float(values[2])


def _ground(motion: Motion) -> float:
    """World height of the ground, metres.

    Zero where contacts are known. Else where the soles rest most. A figure without feet stands at
    zero too, unless it would float high above that or lie below it.
    """
    if motion.contacts is not None:
        return 0.0
    if motion.rig.soles:
        return ground_height([sole_points(motion, sole) for sole in motion.rig.soles])
    points = np.concatenate([motion.positions(), motion.end_positions()], axis=1)
    low = float(np.percentile(points[..., 1].min(axis=1), 5))
    height = motion.skeleton.height
    return 0.0 if -0.05 * height <= low <= 0.5 * height else low


def _facing(motion: Motion) -> Vec3:
    """Level direction that the hips face when the take sets out, unit."""
    rig = motion.rig
    hips = rig.get("hips")
    turn = motion.orientations()[_first_steady(motion), hips if hips is not None else 0]
    # Someone who lies on the belly looks down, but the way up the body still has a heading.
    for axis in (rig.forward, rig.up):
        ahead = rotate(turn, np.array(axis))
        level = np.array([ahead[0], 0.0, ahead[2]])
        size = float(np.linalg.norm(level))
        if size > 0.3:
            return _vec3(level / size)
    return 0.0, 0.0, 1.0


def _first_steady(motion: Motion) -> int:
    """The first frame from which the root moves on without a jump.

    Many captures begin with a calibration pose at the origin, and the take itself somewhere else.
    """
    if len(motion) < 3:
        return 0
    steps = np.linalg.norm(np.diff(motion.root[:6], axis=0), axis=1)
    jumps = np.flatnonzero(steps > 0.2 * motion.skeleton.height)
    return int(jumps[-1]) + 1 if len(jumps) else 0
