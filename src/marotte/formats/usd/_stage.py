"""What the library says about a stage, checked, in the file's own units and axes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import FileError
from ...figure import FloatArray
from .._clips import Clip
from .._tree import MOST_JOINTS
from ._library import columns


@dataclass(frozen=True, slots=True)
class FileSkeleton:
    """A Skeleton as the file has it."""

    path: str
    joints: tuple[str, ...]
    """Paths, `Hips/Spine/Neck`, in the file's order."""
    names: tuple[str, ...]
    """What they are called; the last words of their paths where the file does not say."""
    bind: FloatArray | None
    """(J, 3, 4) where joints stand, in the skeleton's space, when something is bound to them."""
    rest: FloatArray | None
    """(J, 3, 4) where joints stand in their parents' frames while nothing moves them."""
    follows: str
    """The path of its animation, or nothing."""
    place: FloatArray
    """(3, 4) where the skeleton itself stands in the world at first."""
    times: tuple[float, ...]
    """Time codes at which that changes."""
    kept: dict[str, str]
    """What Marotte has noted down in a file of its own."""

    def parents(self) -> list[int]:
        """The joint whose path is the longest beginning of each joint's; -1 for none."""
        place = {joint: j for j, joint in enumerate(self.joints)}
        found = []
        for joint in self.joints:
            above = joint.rpartition("/")[0]
            while above and above not in place:
                above = above.rpartition("/")[0]
            found.append(place[above] if above else -1)
        return found


@dataclass(frozen=True, slots=True)
class FileAnimation:
    """A SkelAnimation as the file has it."""

    path: str
    joints: tuple[str, ...]
    times: tuple[float, ...]
    """Time codes at which it changes."""
    sizes: tuple[int, int, int]
    """How many translations, rotations and scales it has."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage without its frames."""

    up: str
    metres: float
    metres_said: bool
    """Whether the file says its unit; it is a centimetre by the format's rules where it does not."""
    codes: float
    """Time codes a second."""
    skeletons: list[FileSkeleton]
    animations: list[FileAnimation]

    def clips(self) -> list[Clip]:
        """The animations as clips, in seconds of the file."""
        return [
            Clip(
                i,
                animation.path.rpartition("/")[2],
                animation.times[0] / self.codes if animation.times else 0.0,
                animation.times[-1] / self.codes if animation.times else 0.0,
                len(animation.times) > 1,
            )
            for i, animation in enumerate(self.animations)
        ]


def read_stage(found: dict[str, Any], path: Path) -> Stage:
    """What the worker has answered."""
    metres, codes = found["metres"], found["codes"]
    if not (math.isfinite(metres) and 1e-9 <= metres <= 1e9):
        raise FileError(f"must have a metersPerUnit from 1e-9 to 1e9, but has {metres}", path=path)
    if not (math.isfinite(codes) and codes > 0):
        raise FileError(f"must have a positive number of time codes a second, but has {codes}", path=path)
    return Stage(
        up=found["up"].lower(),
        metres=metres,
        metres_said=found["metres_said"],
        codes=codes,
        skeletons=[_skeleton(item, path) for item in found["skeletons"] if item["joints"]],
        animations=[_animation(item) for item in found["animations"]],
    )


def _skeleton(item: dict[str, Any], path: Path) -> FileSkeleton:
    joints = tuple(_clean_path(joint) for joint in item["joints"])
    if len(joints) > MOST_JOINTS:
        raise FileError(f"must have at most {MOST_JOINTS:,} joints, but has {len(joints):,}", path=path)
    if len(set(joints)) < len(joints) or "" in joints:
        raise FileError(f"{item['path']}: joints must have paths, each its own, but have not", path=path)
    names = tuple(item["names"])
    if len(names) != len(joints):
        names = tuple(joint.rpartition("/")[2] for joint in joints)
    return FileSkeleton(
        path=item["path"],
        joints=joints,
        names=names,
        bind=_matrices(item["bind"], len(joints)),
        rest=_matrices(item["rest"], len(joints)),
        follows=item["follows"],
        place=columns(np.array([item["place"]]))[0],
        times=_times(item["times"]),
        kept=item["kept"],
    )


def _animation(item: dict[str, Any]) -> FileAnimation:
    translations, rotations, scales = item["sizes"]
    joints = tuple(_clean_path(joint) for joint in item["joints"])
    return FileAnimation(item["path"], joints, _times(item["times"]), (translations, rotations, scales))


def _matrices(rows: list[list[float]], count: int) -> FloatArray | None:
    """(J, 3, 4), or None where they are not one a joint, or make nothing of space."""
    if len(rows) != count:
        return None
    found = columns(np.array(rows, dtype=np.float64))
    if not np.isfinite(found).all() or (np.abs(np.linalg.det(found[:, :, :3])) < 1e-18).any():
        return None
    return found


def _times(times: list[float]) -> tuple[float, ...]:
    return tuple(time for time in times if math.isfinite(time))


def _clean_path(joint: str) -> str:
    return "/".join(part for part in joint.split("/") if part)
