"""Humanoid bones: which node is the hips, the left hand, … in VRM characters and VRM animations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ...figure import ROLES
from .._notes import Notes
from ._container import Document
from ._json import Item

Kind = Literal["VRM 0", "VRM 1", "VRM animation"]
VRM0, VRM1, VRM_ANIMATION = "VRM", "VRMC_vrm", "VRMC_vrm_animation"

_HUMP = re.compile("([A-Z])")
# The first version counted a thumb's joints as those of the other fingers.
_THUMBS = {"proximal": "metacarpal", "intermediate": "proximal"}


@dataclass(frozen=True, slots=True)
class Humanoid:
    """What a VRM extension says."""

    kind: Kind
    roles: dict[str, int]
    """Nodes by role."""

    @property
    def faces_back(self) -> bool:
        """Whether the figure looks along -Z: the first version's did, everything else along +Z."""
        return self.kind == "VRM 0"


def read_humanoid(document: Document, notes: Notes) -> Humanoid | None:
    """The humanoid bones of a file, where it has an extension that names them."""
    extensions = document.top.member("extensions")
    kind: Kind
    if VRM1 in extensions:
        kind, pairs = "VRM 1", _named(extensions.member(VRM1))
    elif VRM_ANIMATION in extensions:
        kind, pairs = "VRM animation", _named(extensions.member(VRM_ANIMATION))
    elif VRM0 in extensions:
        kind, pairs = "VRM 0", _listed(extensions.member(VRM0))
    else:
        return None
    count = len(document.items("nodes"))
    roles: dict[str, int] = {}
    for bone, item in pairs:
        role = role_of(bone, kind)
        if role is None:
            notes.warn(f"{item.where}: there is no humanoid bone {bone[:40]!r}; it is left out")
            continue
        node = item.whole("node", below=count)
        if node in roles.values() or role in roles:
            notes.warn(f"{item.where}: a bone and its node must stand once; the first counts")
            continue
        roles[role] = node
    return Humanoid(kind, roles)


def _named(extension: Item) -> Iterator[tuple[str, Item]]:
    bones = extension.member("humanoid").member("humanBones")
    for bone, item in bones.members():
        if item.value is not None:
            yield bone, item


def _listed(extension: Item) -> Iterator[tuple[str, Item]]:
    for item in extension.member("humanoid").array("humanBones"):
        yield item.text("bone"), item


def role_of(bone: str, kind: Kind) -> str | None:
    """Our word for a bone: `leftUpperArm` is `left_upper_arm`."""
    role = _HUMP.sub(lambda match: "_" + match[1].lower(), bone)
    if kind == "VRM 0" and "_thumb_" in role:
        head, _, part = role.rpartition("_")
        role = f"{head}_{_THUMBS.get(part, part)}"
    return role if role in ROLES else None


def bone_of(role: str) -> str:
    """VRM's word for a role: `left_upper_arm` is `leftUpperArm`."""
    first, *others = role.split("_")
    return first + "".join(word.capitalize() for word in others)
