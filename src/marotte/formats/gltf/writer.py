"""Writing glTF and GLB: a Motion becomes a file, as bones or with the body that it came with."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import InputError
from ...figure import FloatArray, Motion
from ...figure.rotations import multiply
from .._names import unique_names
from .._notes import Progress
from .._written import left_out
from ..units import unit_factor, unit_name
from . import _turns
from ._body import body_of, write_with_body
from ._bones import bone_turns
from ._build import ARRAY_BUFFER, ELEMENT_BUFFER, Builder, numbers
from ._frames import STILL
from ._keys import add_animation
from ._own import skin_extras
from ._settle import turn_of
from ._stick import stick_mesh

NONE = "none"
_MOST_JOINTS = 1 << 16  # that the points of a mesh can name
_GREY = (0.42, 0.48, 0.56, 1.0)


def write_gltf(
    motion: Motion,
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    progress: Progress | None = None,
    body: str | os.PathLike[str] | None = None,
) -> tuple[str, ...]:
    """Write a motion as .glb, .gltf or .vrm, whole or not at all; returns what had to be changed.

    `body` is a file whose figure is the motion's: everything in it is kept, meshes, materials and
    what extensions add, and the motion becomes its first animation. Left out, it is the file that
    the motion came from, where that was one of these and has the same joints still; `none` is for
    bones alone, with a slim mesh that shows them. Lengths are metres and Y is up, as the format
    wants; `unit` and `up` change that for programs that want it otherwise.
    """
    target = Path(path)
    if target.is_symlink():
        target = target.resolve()
    changes: list[str] = []
    asked = None if body is None or str(body) == NONE else Path(body)
    found = asked
    if body is None and unit is None and up is None:
        found = body_of(motion, changes)
    if target.suffix.lower() == ".vrm" and found is None:
        raise InputError(
            f"{target}: a .vrm is a character with a body; name one with body (--out-body FILE), "
            "or write a .vrma, which is a motion for every character"
        )
    if asked is not None and (unit is not None or up is not None):
        raise InputError("a body keeps its own unit and axes; leave unit and up out, or the body")
    if found is not None:
        changes += write_with_body(motion, target, found)
    else:
        _write_bones(motion, target, unit, up, changes)
    changes += left_out(motion, "a glTF")
    if progress is not None:
        progress(1.0)
    return tuple(changes)


def _write_bones(
    motion: Motion, target: Path, unit: str | float | None, up: str | None, changes: list[str]
) -> None:
    """A new file: a node a joint, a skin, a mesh that shows the bones, and the animation."""
    metres, turn = 1.0, np.array(_turns.IDENTITY)
    if unit is not None and (metres := unit_factor(unit)) != 1.0:
        changes.append(f"lengths are {unit_name(metres)}, though the format wants metres")
    if up is not None:
        turn = _turns.undone(turn_of(up))
    skeleton = motion.skeleton

    def theirs(points: FloatArray) -> FloatArray:
        points = points if up is None else _turns.turned(turn, points)
        return points / metres

    builder = Builder()
    names = unique_names([*skeleton.names, motion.name or "Armature"])
    parents = skeleton.parents.tolist()
    offsets = theirs(skeleton.offsets)
    tips = {end.joint: theirs(np.array(end.offset)) for end in skeleton.ends}
    rest = bone_turns(parents, offsets, tips)
    above = np.concatenate([[_turns.IDENTITY], rest[parents[1:]]])
    inside = _turns.undone(above)
    still = _turns.product(inside, rest), _turns.turned(inside, offsets)
    for name, (w, x, y, z), place in zip(names[:-1], still[0].tolist(), still[1], strict=True):
        builder.add("nodes", {"name": name, "translation": numbers(place), "rotation": [x, y, z, w]})
    nodes: list[dict[str, Any]] = builder.json["nodes"]
    for j in range(1, len(skeleton)):
        nodes[int(skeleton.parents[j])].setdefault("children", []).append(j)
    skin = _add_skin(builder, motion, rest, theirs)
    shown = _add_mesh(builder, motion, theirs)
    tops = [builder.add("nodes", {"name": names[-1], "children": [0]})]
    if shown is not None:  # at the top itself: what a skin bends is not moved by what it hangs on
        tops.append(builder.add("nodes", {"name": names[-1] + " bones", "mesh": shown, "skin": skin}))
    builder.json["scene"] = builder.add("scenes", {"nodes": tops})
    if len(motion):
        moved = {0: theirs(motion.root)}
        if motion.translations is not None:
            for j in range(1, len(skeleton)):
                place = theirs(skeleton.offsets[j] + motion.translations[:, j])
                moved[j] = _turns.turned(inside[j], place)
        before = _turns.product(inside, turn)
        after = _turns.product(_turns.undone(turn), rest)
        turns = multiply(multiply(before, motion.rotations), after)
        builder.json["animations"] = [
            add_animation(
                builder,
                motion.name or "motion",
                motion.frame_rate,
                range(len(skeleton)),
                turns,
                moved,
                still,
                STILL * skeleton.height / metres,
            )
        ]
    else:
        changes.append("a glTF has no animation of no frames; the file holds the rest pose alone")
    builder.save(target, binary=target.suffix.lower() != ".gltf")


def _add_skin(builder: Builder, motion: Motion, rest: FloatArray, theirs: Any) -> int:
    """The skin, bound in the rest pose with its joints turned like `rest` (J, 4)."""
    skeleton = motion.skeleton
    back = _turns.undone(rest)
    inverse = np.tile(np.eye(4, dtype=np.float32), (len(skeleton), 1, 1))  # column after column
    inverse[:, :3, :3] = _turns.matrices(back).transpose(0, 2, 1)
    inverse[:, 3, :3] = -_turns.turned(back, theirs(skeleton.rest_positions()))
    reaches = theirs(np.array([end.offset for end in skeleton.ends]).reshape(-1, 3))
    return builder.add(
        "skins",
        {
            "joints": list(range(len(skeleton))),
            "skeleton": 0,
            "inverseBindMatrices": builder.rows(inverse.reshape(-1, 16), "MAT4"),
            "extras": skin_extras(skeleton, reaches),
        },
    )


def _add_mesh(builder: Builder, motion: Motion, theirs: Any) -> int | None:
    """The mesh that shows the bones; None for more joints than a mesh can name."""
    skeleton = motion.skeleton
    if len(skeleton) > _MOST_JOINTS:
        return None
    points, owners, faces = stick_mesh(skeleton)
    joints = np.zeros((len(points), 4), dtype=np.uint8 if len(skeleton) <= 256 else np.uint16)
    joints[:, 0] = owners
    weights = np.zeros((len(points), 4), dtype=np.uint8)
    weights[:, 0] = 255
    index = np.uint16 if len(points) < 65535 else np.uint32
    places = theirs(points).astype(np.float32)
    bound = builder.rows(joints, "VEC4", target=ARRAY_BUFFER)
    weighed = builder.rows(weights, "VEC4", target=ARRAY_BUFFER)
    builder.json["accessors"][weighed]["normalized"] = True
    primitive = {
        "attributes": {
            "POSITION": builder.rows(places, "VEC3", target=ARRAY_BUFFER, bounds=True),
            "JOINTS_0": bound,
            "WEIGHTS_0": weighed,
        },
        "indices": builder.rows(faces.astype(index).reshape(-1), "SCALAR", target=ELEMENT_BUFFER),
        "material": builder.add(
            "materials",
            {
                "name": "bones",
                "pbrMetallicRoughness": {
                    "baseColorFactor": list(_GREY),
                    "metallicFactor": 0.0,
                    "roughnessFactor": 0.7,
                },
            },
        ),
    }
    return builder.add("meshes", {"name": "bones", "primitives": [primitive]})
