"""Presets: rigs that a person saved, found again for every file with the same joints.

They are rig files in the user's data folder. The joints that one is for are known by a mark: a
digest of their names and of which hangs on which, without namespaces and without order.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ..errors import FileError, InputError, suggest
from ..figure import Motion, Rig, Skeleton, corrected
from ._rig_file import EXTENSION, bare_names, read_rig_file, rig_file_of, write_rig_file

RigOf = str | os.PathLike[str] | Mapping[str, str | int | None]


def preset_folder() -> Path:
    """Where presets are kept."""
    import platformdirs

    base = os.environ.get("MAROTTE_DATA_DIR") or platformdirs.user_data_dir("marotte", False)
    return Path(base) / "rigs"


def mark_of(skeleton: Skeleton) -> str:
    """The mark of a skeleton's joints: the same for any order of them and any namespace."""
    import hashlib  # most files have no preset to be looked up

    bare = {full: name for name, full in bare_names(skeleton).items()}
    names = [bare[name] for name in skeleton.names]
    above = (names[p] if p >= 0 else "" for p in skeleton.parents)
    lines = sorted(f"{name}\0{parent}" for name, parent in zip(names, above, strict=True))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def preset_for(skeleton: Skeleton) -> Path | None:
    """The preset of such joints, the newest where there are several, or None."""
    folder = preset_folder()
    if not folder.is_dir():
        return None
    wanted = f"joints: {mark_of(skeleton)}"
    found: list[tuple[float, Path]] = []
    for path in folder.glob(f"*{EXTENSION}"):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                head = file.read(4096)
            if wanted in head.splitlines():
                found.append((path.stat().st_mtime, path))
        except OSError:
            continue  # a preset that cannot be read is none
    return max(found)[1] if found else None


def save_rig(skeleton: Skeleton, rig: Rig, target: str) -> Path:
    """Save a rig as a preset of that name, or as a file where `target` is a path."""
    if "/" in target or os.sep in target or target.endswith((".yaml", ".yml")):
        path = Path(target)
    else:
        if not target.strip() or target.startswith(".") or any(c in target for c in '<>:"|?*\\\0'):
            raise InputError(f"a preset's name must be one that a file can have, but is {target!r}")
        folder = preset_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise FileError(f"cannot be made: {problem.strerror or problem}", path=folder) from None
        path = folder / (target + EXTENSION)
    write_rig_file(path, skeleton, rig, mark_of(skeleton))
    return path


def settled_rig(rig: Rig, skeleton: Skeleton, path: Path, given: RigOf | None) -> Rig:
    """The rig of a file: as given, else as said beside it, else as a preset has it, else as found."""
    if given is not None:
        if isinstance(given, Mapping):
            return corrected(rig, skeleton, given)
        return corrected(rig, skeleton, read_rig_file(_named(given), skeleton))
    beside = rig_file_of(path)
    if beside.is_file():
        return corrected(rig, skeleton, read_rig_file(beside, skeleton))
    preset = preset_for(skeleton)
    if preset is None:
        return rig
    why = f"those of the preset {preset.name.removesuffix(EXTENSION)!r}"
    return corrected(rig, skeleton, read_rig_file(preset, skeleton), why)


def with_settled_rig(motion: Motion, path: Path, given: RigOf | None) -> Motion:
    """The motion with the rig that was given or saved for its file, if there is one."""
    rig = settled_rig(motion.rig, motion.skeleton, path, given)
    return motion if rig is motion.rig else motion.with_(rig=rig)


def _named(given: str | os.PathLike[str]) -> Path:
    """A rig file by its path, or a preset by its name."""
    path = Path(given)
    if path.is_file():
        return path
    preset = preset_folder() / (path.name + EXTENSION)
    if path.name == str(given) and preset.is_file():
        return preset
    known = [p.name.removesuffix(EXTENSION) for p in preset_folder().glob(f"*{EXTENSION}")]
    near = suggest(str(given), known)
    hint = f"; did you mean the preset {' or '.join(near)}?" if near else ""
    raise FileError(f"there is no such rig file and no preset of that name{hint}", path=path)
