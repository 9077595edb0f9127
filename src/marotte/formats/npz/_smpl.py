"""SMPL and its kin: which joints they have, what the joints mean, and where they sit in a body.

Poses are a rotation vector a joint, in the frame of its parent; the rest pose is a T-pose that faces
Z with Y up. The translation moves the model's origin, so that the pelvis is where it sits in the
body, plus that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...figure import EndSite, FloatArray, Rig, Skeleton
from ...figure.rig import FINGERS, PHALANGES, SIDES
from ._roles import rig_with

_BODY = (  # name, parent, and where it sits from there in a body of average build, metres, left side
    ("pelvis", "", (0.0, -0.223, 0.028)),
    ("left_hip", "pelvis", (0.069, -0.091, -0.006)),
    ("right_hip", "pelvis", ()),
    ("spine1", "pelvis", (0.0, 0.109, -0.027)),
    ("left_knee", "left_hip", (0.036, -0.379, -0.007)),
    ("right_knee", "right_hip", ()),
    ("spine2", "spine1", (0.0, 0.135, 0.001)),
    ("left_ankle", "left_knee", (-0.015, -0.398, -0.043)),
    ("right_ankle", "right_knee", ()),
    ("spine3", "spine2", (0.0, 0.053, 0.025)),
    ("left_foot", "left_ankle", (0.026, -0.052, 0.121)),
    ("right_foot", "right_ankle", ()),
    ("neck", "spine3", (0.0, 0.214, -0.043)),
    ("left_collar", "spine3", (0.080, 0.120, -0.036)),
    ("right_collar", "spine3", ()),
    ("head", "neck", (0.0, 0.065, 0.051)),
    ("left_shoulder", "left_collar", (0.093, 0.031, -0.009)),
    ("right_shoulder", "right_collar", ()),
    ("left_elbow", "left_shoulder", (0.257, -0.013, -0.024)),
    ("right_elbow", "right_shoulder", ()),
    ("left_wrist", "left_elbow", (0.252, 0.008, -0.003)),
    ("right_wrist", "right_elbow", ()),
)  # fmt: skip
_PALMS = (("left_hand", "left_wrist", (0.084, -0.007, -0.013)), ("right_hand", "right_wrist", ()))
_FACE = (
    ("jaw", "head", (0.0, -0.010, 0.020)),
    ("left_eye_smplhf", "head", (0.032, 0.055, 0.080)),
    ("right_eye_smplhf", "head", ()),
)
_HAND = {  # the three joints of a finger of the left hand, each from the one before
    "index": ((0.102, -0.004, 0.019), (0.033, 0.0, 0.004), (0.023, 0.0, 0.003)),
    "middle": ((0.110, 0.003, -0.002), (0.031, 0.0, -0.003), (0.024, 0.0, -0.004)),
    "pinky": ((0.084, -0.010, -0.040), (0.020, 0.0, -0.006), (0.016, 0.0, -0.006)),
    "ring": ((0.095, -0.002, -0.024), (0.029, 0.0, -0.004), (0.025, 0.0, -0.005)),
    "thumb": ((0.043, -0.012, 0.024), (0.024, -0.004, 0.021), (0.023, -0.006, 0.017)),
}
_TIPS = {  # ends of an average body, metres from their joint
    "head": (0.0, 0.17, 0.01), "left_foot": (0.0, -0.02, 0.08), "right_foot": (0.0, -0.02, 0.08),
}  # fmt: skip

_ROLES = {
    "hips": "pelvis", "spine": "spine1", "chest": "spine2", "upper_chest": "spine3", "neck": "neck",
    "head": "head", "jaw": "jaw",
}  # fmt: skip
_SIDED = {
    "shoulder": "collar", "upper_arm": "shoulder", "lower_arm": "elbow", "hand": "wrist",
    "upper_leg": "hip", "lower_leg": "knee", "foot": "ankle", "toes": "foot", "eye": "eye_smplhf",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Body:
    """A kind of model."""

    title: str
    names: tuple[str, ...]
    parents: tuple[int, ...]
    places: FloatArray
    """(J, 3) joints of an average body in the model's frame, metres."""

    def __len__(self) -> int:
        return len(self.names)


def _fingers(side: str) -> tuple[tuple[str, str, tuple[float, ...]], ...]:
    out = []
    for finger, offsets in _HAND.items():
        for k, (x, y, z) in enumerate(offsets, 1):
            above = f"{side}_wrist" if k == 1 else f"{side}_{finger}{k - 1}"
            out.append((f"{side}_{finger}{k}", above, (x if side == "left" else -x, y, z)))
    return tuple(out)


def _body(title: str, *parts: tuple[tuple[str, str, tuple[float, ...]], ...]) -> Body:
    rows = [row for part in parts for row in part]
    names = [name for name, _, _ in rows]
    offset = {name: found for name, _, found in rows}
    places = np.zeros((len(rows), 3))
    parents = []
    for j, (name, parent, given) in enumerate(rows):
        x, y, z = given or offset[name.replace("right", "left")]
        if not given:  # the right side mirrors the left
            x = -x
        parents.append(names.index(parent) if parent else -1)
        places[j] = (x, y, z)
        if parent:
            places[j] += places[parents[j]]
    return Body(title, tuple(names), tuple(parents), places)


BODIES = (
    _body("SMPL", _BODY),
    _body("SMPL", _BODY, _PALMS),
    _body("SMPL-H", _BODY, _fingers("left"), _fingers("right")),
    _body("SMPL-X", _BODY, _FACE, _fingers("left"), _fingers("right")),
)
"""By the number of joints: 22 (a body without hands), 24, 52, 55."""


def body_of(joints: int) -> Body | None:
    """The model with so many joints."""
    return next((body for body in BODIES if len(body) == joints), None)


def skeleton_of(body: Body, places: FloatArray) -> Skeleton:
    """The skeleton of a body whose joints sit at `places` (J, 3), metres."""
    offsets = np.array(places)
    for j, parent in enumerate(body.parents):
        if parent >= 0:
            offsets[j] = places[j] - places[parent]
    names = set(body.names)
    ends = [EndSite(body.names.index(name), tip) for name, tip in _TIPS.items() if name in names]
    return Skeleton(names=body.names, parents=np.array(body.parents), offsets=offsets, ends=tuple(ends))


def rig_of(skeleton: Skeleton) -> Rig:
    """What the joints mean, which is known: a `foot` of these models is what others call toes."""
    roles = dict(_ROLES)
    for side in SIDES:
        roles |= {f"{side}_{role}": f"{side}_{name}" for role, name in _SIDED.items()}
        for finger in FINGERS:
            parts = ("metacarpal", "proximal", "distal") if finger == "thumb" else PHALANGES
            ours = "pinky" if finger == "little" else finger
            roles |= {f"{side}_{finger}_{part}": f"{side}_{ours}{k}" for k, part in enumerate(parts, 1)}
    return rig_with(skeleton, roles)
