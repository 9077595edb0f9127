"""Writing USD: a Motion becomes a skeleton and its animation."""

from __future__ import annotations

import json
import os
import re
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ..._files import atomic_write
from ...errors import FileError, InputError, MissingPartError
from ...figure import FloatArray, Motion, Skeleton
from ...figure.rotations import inverse, multiply, rotate
from .._names import unique_names
from .._notes import Progress
from .._space import Space
from ..axes import axes_of
from ..units import UNITS, unit_factor
from ._library import HOW_TO_GET

NEW_FILE_UNIT = UNITS["m"]
_UPS = ("y", "z")
_NO_TIME = 315_619_200  # 2 January 1980: an archive's times begin the day before
_BAD_IN_NAMES = re.compile(r"[^A-Za-z0-9_]")


def write_usd(
    motion: Motion,
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    progress: Progress | None = None,
) -> tuple[str, ...]:
    """Write a motion as USD, whole or not at all; returns what had to be changed, in words.

    `.usda` is text, `.usdc` and `.usd` are binary, `.usdz` is an archive with a binary file in it. A
    motion that came from a USD keeps the unit and the up axis of that file; others are written in
    metres with Y up. Needs usd-core.
    """
    if find_spec("pxr") is None:
        raise MissingPartError(HOW_TO_GET)
    source = motion.source
    from_usd = source.format == "usd"
    metres = NEW_FILE_UNIT
    if unit is not None:
        metres = unit_factor(unit)
    elif from_usd and source.metres_per_unit is not None:
        metres = source.metres_per_unit
    axes = axes_of(up if up is not None else source.up if from_usd else "y")
    if axes.up not in _UPS:
        raise InputError(f"a USD stage has {' or '.join(_UPS)} up, but up is {axes.up!r}")
    changes: list[str] = []
    if motion.contacts or motion.points:
        changes.append("a USD skeleton has no place for contacts and named points; they are left out")
    target = Path(path)
    if target.is_symlink():
        target = target.resolve()
    stage = _stage(motion, Space(metres, axes), progress)
    with tempfile.TemporaryDirectory(prefix="marotte-") as folder:
        data = _bytes_of(stage, Path(folder), target)
    with atomic_write(target) as stream:
        stream.write(data)
    return tuple(changes)


def _stage(motion: Motion, space: Space, progress: Progress | None) -> Any:
    """The stage, in memory: a SkelRoot with a Skeleton with its SkelAnimation."""
    from pxr import Usd, UsdGeom, UsdSkel

    skeleton = motion.skeleton
    stage = Usd.Stage.CreateInMemory("motion.usda")
    UsdGeom.SetStageUpAxis(stage, space.axes.up.upper())
    UsdGeom.SetStageMetersPerUnit(stage, space.metres)
    name = _identifier(motion.name) if motion.name else "Figure"
    root = UsdSkel.Root.Define(stage, f"/{name}")
    stage.SetDefaultPrim(root.GetPrim())
    figure = UsdSkel.Skeleton.Define(stage, f"/{name}/Skeleton")
    joints = _paths(skeleton)
    figure.CreateJointsAttr(joints)
    if [joint.rpartition("/")[2] for joint in joints] != list(skeleton.names):
        figure.CreateJointNamesAttr(list(skeleton.names))
    frames = _frames_at_rest(skeleton, space)
    rest, bind = _rest_matrices(skeleton, space, frames)
    figure.CreateRestTransformsAttr(_matrices(rest))
    figure.CreateBindTransformsAttr(_matrices(bind))
    figure.GetPrim().SetCustomDataByKey("marotte", {"skeleton": _noted(skeleton, space)})
    binding = UsdSkel.BindingAPI.Apply(figure.GetPrim())
    if len(motion):
        stage.SetTimeCodesPerSecond(motion.frame_rate)
        stage.SetFramesPerSecond(motion.frame_rate)
        stage.SetStartTimeCode(0)
        stage.SetEndTimeCode(len(motion) - 1)
        clip = name if motion.name else "Animation"  # what other programs call the take by
        animation = UsdSkel.Animation.Define(stage, f"/{name}/Skeleton/{clip}")
        animation.CreateJointsAttr(joints)
        binding.CreateAnimationSourceRel().SetTargets([animation.GetPath()])
        _animate(animation, motion, space, frames, progress)
    return stage


def _animate(
    animation: Any, motion: Motion, space: Space, frames: FloatArray, progress: Progress | None
) -> None:
    """Every frame's translations and rotations. Scales are always 1, but readers want to see them."""
    from pxr import Usd, Vt

    skeleton = motion.skeleton
    above = skeleton.parents[1:]
    offsets = np.tile(skeleton.offsets, (len(motion), 1, 1))
    if motion.translations is not None:
        offsets += motion.translations
    offsets[:, 0] = motion.root
    turns = space.axes.file_rotations(motion.rotations)
    places = space.axes.file_vectors(offsets) / space.metres
    # from frames that rest along the world's axes to the joints' own: G⁻¹ of the parent on the left
    local = multiply(turns, frames)
    local[:, 1:] = multiply(inverse(frames[above]), local[:, 1:])
    places[:, 1:] = rotate(inverse(frames[above]), places[:, 1:])
    translations, rotations = animation.CreateTranslationsAttr(), animation.CreateRotationsAttr()
    ones = np.ones((len(skeleton), 3), dtype=np.float16)
    animation.CreateScalesAttr(Vt.Vec3hArray.FromNumpy(ones))
    single = places.astype(np.float32)
    quaternions = local[..., [1, 2, 3, 0]].astype(np.float32)
    if not np.isfinite(single).all():
        raise InputError("places must fit single precision, but some do not; is the unit too small?")
    for frame in range(len(motion)):
        code = Usd.TimeCode(frame)
        translations.Set(Vt.Vec3fArray.FromNumpy(single[frame]), code)
        rotations.Set(Vt.QuatfArray.FromNumpy(quaternions[frame]), code)
        if progress is not None and frame % 256 == 0:
            progress(frame / len(motion))


def _frames_at_rest(skeleton: Skeleton, space: Space) -> FloatArray:
    """(J, 4) how joints rest in the file's world: along the axes that their channels turn about."""
    if skeleton.channel_axes is None:
        return np.tile(np.array([1.0, 0.0, 0.0, 0.0]), (len(skeleton), 1))
    return space.axes.file_rotations(skeleton.channel_axes)


def _rest_matrices(skeleton: Skeleton, space: Space, frames: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Places and turns (J, 7) of the joints at rest: in their parents' frames, and in the skeleton's."""
    offsets = space.axes.file_vectors(skeleton.offsets) / space.metres
    places = space.axes.file_vectors(skeleton.rest_positions()) / space.metres
    above = skeleton.parents[1:]
    turns = frames.copy()
    turns[1:] = multiply(inverse(frames[above]), frames[1:])
    offsets[1:] = rotate(inverse(frames[above]), offsets[1:])
    return np.concatenate([offsets, turns], axis=1), np.concatenate([places, frames], axis=1)


def _matrices(rows: FloatArray) -> Any:
    """Matrices for vectors that stand on the left."""
    from pxr import Gf, Vt

    found = []
    for x, y, z, w, a, b, c in rows.tolist():
        found.append(Gf.Matrix4d(Gf.Rotation(Gf.Quatd(w, a, b, c)), Gf.Vec3d(x, y, z)))
    return Vt.Matrix4dArray(found)


def _noted(skeleton: Skeleton, space: Space) -> str:
    """What the format has no place for: channels and end sites, in the file's unit and axes."""
    ends = [
        [
            skeleton.names[end.joint],
            (space.axes.file_vectors(np.array(end.offset)) / space.metres).tolist(),
            end.name,
        ]
        for end in skeleton.ends
    ]
    return json.dumps({"names": skeleton.names, "channels": skeleton.channels, "ends": ends})


def _paths(skeleton: Skeleton) -> list[str]:
    """The joints as paths of identifiers, no two of which are alike."""
    words = unique_names([_identifier(name) for name in skeleton.names])
    paths: list[str] = []
    for word, parent in zip(words, skeleton.parents.tolist(), strict=True):
        paths.append(word if parent < 0 else f"{paths[parent]}/{word}")
    return paths


def _identifier(name: str) -> str:
    """A name as every reader takes it: letters, digits and underscores, no digit first."""
    word = _BAD_IN_NAMES.sub("_", name) or "_"
    return f"_{word}" if word[0].isdigit() else word


def _bytes_of(stage: Any, folder: Path, target: Path) -> bytes:
    """The stage as a file of the target's kind."""
    from pxr import Sdf

    extension = target.suffix.lower()
    inner = folder / f"motion{'.usdc' if extension == '.usdz' else extension}"
    if not stage.GetRootLayer().Export(str(inner)):
        raise FileError("cannot be written: the USD library refuses", path=target)
    if extension != ".usdz":
        return inner.read_bytes()
    os.utime(inner, (_NO_TIME, _NO_TIME))  # the archive notes it down
    package = folder / "package.usdz"
    with Sdf.ZipFileWriter.CreateNew(str(package)) as archive:
        archive.AddFile(str(inner), inner.name)
    return package.read_bytes()
