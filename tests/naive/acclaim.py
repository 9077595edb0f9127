"""An Acclaim reader for well-formed files, and where its bones begin, by rotation matrices.

A bone turns by C M C⁻¹ in its parent's frame, M being the turns of its degrees of freedom, the first
of them innermost, C those of its axis; it begins where its parent ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .rotations import matrix_about


@dataclass
class PlainBone:
    parent: str = ""
    tail: np.ndarray = field(default_factory=lambda: np.zeros(3))
    axis: np.ndarray = field(default_factory=lambda: np.eye(3))
    dof: list[str] = field(default_factory=list)


def matrix_of(dof: list[str], values: list[float]) -> np.ndarray:
    """The turns among them, degrees."""
    out = np.eye(3)
    for token, value in zip(dof, values, strict=True):
        if token[0] == "r":
            out = matrix_about("xyz".index(token[1]), np.radians(value)) @ out
    return out


def read_bones(text: str) -> dict[str, PlainBone]:
    lines = [line.split() for line in text.splitlines() if line.strip() and line[0] != "#"]
    order = next(words[1:] for words in lines if words[0] == "order")
    bones = {"root": PlainBone(dof=[token.lower() for token in order])}
    at = lines.index([":bonedata"])
    fields: dict[str, list[str]] = {}
    while lines[at][0] != ":hierarchy":
        if lines[at][0] == "end":
            direction, length = np.array(fields["direction"], float), float(fields["length"][0])
            axis = matrix_of(["rx", "ry", "rz"], [float(v) for v in fields["axis"][:3]])
            bones[fields["name"][0]] = PlainBone("", direction * length, axis, fields.get("dof", []))
            fields = {}
        fields[lines[at][0]] = lines[at][1:]
        at += 1
    for words in lines[at + 2 : -1]:
        for child in words[1:]:
            bones[child].parent = words[0]
    return bones


def read_plain(asf: str, amc: str) -> dict[str, np.ndarray]:
    """(F, 3) where each bone begins, in the file's unit."""
    bones = read_bones(asf)
    frames: list[dict[str, list[float]]] = []
    for line in amc.splitlines():
        words = line.split()
        if not words or words[0][0] in "#:":
            continue
        if len(words) == 1 and words[0].isdigit():
            frames.append({})
        else:
            frames[-1][words[0]] = [float(w) for w in words[1:]]
    out = {name: np.zeros((len(frames), 3)) for name in bones}
    for f, said in enumerate(frames):
        world: dict[str, np.ndarray] = {}

        def place(name: str, f: int = f, said: Any = said, world: Any = world) -> None:
            bone = bones[name]
            values = said.get(name, [0.0] * len(bone.dof))
            local = bone.axis @ matrix_of(bone.dof, values) @ bone.axis.T
            if not bone.parent:
                out[name][f] = [values[bone.dof.index(t)] for t in ("tx", "ty", "tz")]
                world[name] = local
                return
            if bone.parent not in world:
                place(bone.parent)
            above = bones[bone.parent]
            out[name][f] = out[bone.parent][f] + world[bone.parent] @ above.tail
            world[name] = world[bone.parent] @ local

        for name in bones:
            place(name)
    return out
