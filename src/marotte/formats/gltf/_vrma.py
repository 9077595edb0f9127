"""Writing VRM animations: a motion for every VRM character, by the roles of its joints.

The nodes of a .vrma stand in the T-pose, and only humanoid bones are in it: what joints without a
role do is taken along by the bones that hang on them.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ...errors import InputError
from ...figure import FloatArray, Motion
from ...figure.rotations import rotate
from .._notes import Progress
from .._written import left_out
from . import _turns
from ._build import Builder, numbers
from ._frames import STILL
from ._humanoid import VRM_ANIMATION, bone_of
from ._keys import add_animation
from ._tpose import t_pose

REQUIRED = (
    "hips", "spine", "head",
    *(f"{side}_{part}" for side in ("left", "right") for part in (
        "upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot",
    )),
)  # fmt: skip
# Eyes move by what they look at, which a motion does not know.
_LEFT_OUT = ("left_eye", "right_eye")


def write_vrma(
    motion: Motion,
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    progress: Progress | None = None,
) -> tuple[str, ...]:
    """Write a motion as a VRM animation, whole or not at all; returns what had to be left out.

    The figure needs the roles that VRM wants of a humanoid: hips, spine, head, and all of its limbs
    down to hands and feet.
    """
    if unit is not None or up is not None:
        raise InputError("a VRM animation is in metres with Y up always; leave unit and up out")
    rig, skeleton = motion.rig, motion.skeleton
    missing = [role for role in REQUIRED if role not in rig]
    if missing:
        raise InputError(
            f"a VRM animation needs a humanoid, but this figure has no {', '.join(missing[:6])}; say in "
            "a .rig.yaml beside the file which joints they are"
        )
    if not len(motion):
        raise InputError("a VRM animation needs frames, but the motion has none")
    target = Path(path)
    if target.is_symlink():
        target = target.resolve()
    roles = sorted(
        ((joint, role) for role, joint in rig.roles.items() if role not in _LEFT_OUT),
        key=lambda pair: (pair[0], pair[1] != "hips"),
    )
    inside = set(skeleton.descendants(rig["hips"]))
    roles = [(joint, role) for at, (joint, role) in enumerate(roles) if joint in inside]
    joints = [joint for joint, _ in roles]
    if len(set(joints)) < len(joints):
        raise InputError("each joint must have one role in a VRM animation, but one has two")
    changes: list[str] = []
    if motion.translations is not None and np.any(motion.translations[:, joints[1:]]):
        changes.append("bones of a VRM animation keep their lengths; how joints move on them is left out")
    changes += left_out(motion, "a VRM animation")

    # the humanoid bones alone, each hanging on the next one above it that has a role
    place = {joint: at for at, joint in enumerate(joints)}
    parents = [
        next((place[a] for a in skeleton.ancestors(joint) if a in place), -1) if at else -1
        for at, joint in enumerate(joints)
    ]
    positions, orientations = motion.world()
    rotations = np.empty((len(motion), len(joints), 4))
    pose = t_pose(skeleton, rig)[joints]
    still = np.empty((len(joints), 4))
    rest = skeleton.rest_positions()[joints]
    offsets = np.zeros((len(joints), 3))
    for at, (joint, parent) in enumerate(zip(joints, parents, strict=True)):
        if parent < 0:
            rotations[:, at], still[at] = orientations[:, joint], pose[at]
            continue
        above = _turns.undone(orientations[:, joints[parent]])
        rotations[:, at] = _turns.product(above, orientations[:, joint])
        still[at] = _turns.product(_turns.undone(pose[parent]), pose[at])
        offsets[at] = rest[at] - rest[parent]
    offsets[0] = [0.0, _hips_height(motion, t_pose(skeleton, rig)), 0.0]

    builder = Builder()
    for at, (_, role) in enumerate(roles):
        w, x, y, z = still[at].tolist()
        builder.add(
            "nodes",
            {"name": bone_of(role), "translation": numbers(offsets[at]), "rotation": [x, y, z, w]},
        )
        if at:
            builder.json["nodes"][parents[at]].setdefault("children", []).append(at)
    builder.json["scene"] = builder.add("scenes", {"nodes": [0]})
    builder.json["animations"] = [
        add_animation(
            builder,
            motion.name or "motion",
            motion.frame_rate,
            range(len(joints)),
            rotations,
            {0: positions[:, joints[0]]},
            (still, offsets),
            STILL * skeleton.height,
        )
    ]
    bones = {bone_of(role): {"node": at} for at, (_, role) in enumerate(roles)}
    builder.json["extensionsUsed"] = [VRM_ANIMATION]
    builder.json["extensions"] = {VRM_ANIMATION: {"specVersion": "1.0", "humanoid": {"humanBones": bones}}}
    builder.save(target, binary=True)
    if progress is not None:
        progress(1.0)
    return tuple(changes)


def _hips_height(motion: Motion, pose: FloatArray) -> float:
    """Metres from the lowest point of the T-pose up to the hips, by which players scale the path."""
    skeleton = motion.skeleton
    places = np.zeros((len(skeleton), 3))
    for j, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            places[j] = places[parent] + rotate(pose[parent], skeleton.offsets[j])
    lowest = float(places[:, 1].min())
    for sole in motion.rig.soles:
        for joint, point in zip(sole.joints, sole.points, strict=True):
            lowest = min(lowest, float((places[joint] + rotate(pose[joint], np.array(point)))[1]))
    return float(places[motion.rig["hips"], 1]) - lowest
