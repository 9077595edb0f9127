"""A `.rig.yaml` beside a file: what its joints mean, where their names do not say.

marotte_rig: 1
roles:
  hips: Root
  left_hand: Bone.012
"""

from __future__ import annotations

from pathlib import Path

from .._yaml import Marked, read_yaml
from ..errors import FileError, UnknownNameError
from ..figure import ROLES, Motion, Rig, Skeleton, recognise

VERSION = 1


def rig_file_of(path: Path) -> Path:
    """Where the rig of a file would stand."""
    return path.with_name(f"{path.stem}.rig.yaml")


def rig_beside(path: Path, skeleton: Skeleton) -> Rig | None:
    """The rig that stands beside a file, or None where there is none."""
    beside = rig_file_of(path)
    return recognise(skeleton, read_rig_file(beside, skeleton)) if beside.is_file() else None


def with_rig_file(motion: Motion, path: Path) -> Motion:
    """The motion with the rig that stands beside its file, if there is one."""
    rig = rig_beside(path, motion.skeleton)
    return motion if rig is None else motion.with_(rig=rig)


def read_rig_file(path: Path, skeleton: Skeleton) -> dict[str, str]:
    """Joints by role."""
    marked = read_yaml(path)
    document = marked.value
    if not isinstance(document, dict) or document.get("marotte_rig") != VERSION:
        raise FileError(f"must be a map that begins with marotte_rig: {VERSION}", path=path, line=1)
    for key in document:
        if key not in ("marotte_rig", "roles"):
            raise _error(marked, (key,), f"there is no field {key!r}; there are marotte_rig and roles")
    roles = document.get("roles") or {}
    if not isinstance(roles, dict):
        raise _error(marked, ("roles",), "roles must be a map of roles and joints, such as {hips: Root}")
    found: dict[str, str] = {}
    for role, joint in roles.items():
        place = ("roles", role)
        try:
            if role not in ROLES:
                raise UnknownNameError("role", str(role), ROLES)
            skeleton.index(str(joint))
        except UnknownNameError as problem:
            raise _error(marked, place, str(problem)) from None
        found[role] = str(joint)
    return found


def _error(marked: Marked, place: tuple[str | int, ...], message: str) -> FileError:
    return FileError(message, path=marked.path, line=marked.line(place))
