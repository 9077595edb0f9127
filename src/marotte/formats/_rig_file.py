"""Rig files: what joints mean, said by a person, where their names do not say.

marotte_rig: 1
roles:
  hips: Root
  left_hand: Bone.012
  left_toes: null

A file `walk.rig.yaml` beside `walk.bvh` is for that one; presets are for every file with such
joints (`_presets.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from .._files import atomic_write_text
from .._yaml import Marked, read_yaml
from ..errors import FileError, UnknownNameError
from ..figure import ROLES, Rig, Skeleton, corrected, recognise

VERSION = 1
EXTENSION = ".rig.yaml"
_FIELDS = ("marotte_rig", "joints", "roles")
_YAMLS_OWN = ("null", "true", "false", "yes", "no", "on", "off", "y", "n")
_NAMESPACE = re.compile(r"^.*[:|]")


def rig_file_of(path: Path) -> Path:
    """Where the rig of a file would stand."""
    return path.with_name(path.stem + EXTENSION)


def rig_beside(path: Path, skeleton: Skeleton, found: Rig | None = None) -> Rig | None:
    """The rig that stands beside a file, or None where there is none.

    `found` is what was recognised of the skeleton; the file corrects single roles of it.
    """
    beside = rig_file_of(path)
    if not beside.is_file():
        return None
    return corrected(found or recognise(skeleton), skeleton, read_rig_file(beside, skeleton))


def read_rig_file(path: Path, skeleton: Skeleton) -> dict[str, str | None]:
    """Joints by role, by the names that the skeleton has for them; None for roles that it lacks."""
    marked = read_yaml(path)
    document = marked.value
    if not isinstance(document, dict) or document.get("marotte_rig") != VERSION:
        raise FileError(f"must be a map that begins with marotte_rig: {VERSION}", path=path, line=1)
    for key in document:
        if key not in _FIELDS:
            raise _error(marked, (key,), f"there is no field {key!r}; there are {', '.join(_FIELDS)}")
    roles = document.get("roles") or {}
    if not isinstance(roles, dict):
        raise _error(marked, ("roles",), "roles must be a map of roles and joints, such as {hips: Root}")
    bare = bare_names(skeleton)
    found: dict[str, str | None] = {}
    for role, joint in roles.items():
        place = ("roles", role)
        try:
            if role not in ROLES:
                raise UnknownNameError("role", str(role), ROLES)
            found[role] = None if joint is None else _joint(skeleton, bare, str(joint))
        except UnknownNameError as problem:
            raise _error(marked, place, str(problem)) from None
    return found


def write_rig_file(path: Path, skeleton: Skeleton, rig: Rig, joints: str = "") -> None:
    """Write every role of a rig, whole or not at all; `joints` is the mark of such joints."""
    lines = [f"marotte_rig: {VERSION}"]
    if joints:
        lines.append(f"joints: {joints}")
    lines.append("roles:")
    lines += [f"  {role}: {_written(skeleton.names[joint])}" for role, joint in rig.roles.items()]
    if not rig.roles:
        lines[-1] = "roles: {}"
    atomic_write_text(path, "\n".join(lines) + "\n")


def bare_names(skeleton: Skeleton) -> Mapping[str, str]:
    """The skeleton's names by what they are without namespaces, where that tells them apart."""
    bare = {_NAMESPACE.sub("", name): name for name in skeleton.names}
    return bare if len(bare) == len(skeleton) else {name: name for name in skeleton.names}


def _joint(skeleton: Skeleton, bare: Mapping[str, str], name: str) -> str:
    """A joint by its name, or by the same name in another namespace."""
    if name not in skeleton and _NAMESPACE.sub("", name) in bare:
        return bare[_NAMESPACE.sub("", name)]
    return skeleton.names[skeleton.index(name)]


def _written(name: str) -> str:
    plain = re.fullmatch(r"[A-Za-z_]\w*", name) and name.lower() not in _YAMLS_OWN
    return name if plain else json.dumps(name, ensure_ascii=False)


def _error(marked: Marked, place: tuple[str | int, ...], message: str) -> FileError:
    return FileError(message, path=marked.path, line=marked.line(place))
