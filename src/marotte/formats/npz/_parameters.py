"""Motion as parameters of a body model: AMASS, and files of SMPL, SMPL-H and SMPL-X like it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...errors import FileError
from ...figure import FloatArray, Motion, Rig, Skeleton, Source
from ...figure.rotations import exp, multiply
from .._notes import Notes
from .._turns import world_turn
from ..axes import Axes, axes_of
from ._archive import Archive
from ._smpl import BODIES, Body, body_of, rig_of, skeleton_of

WHOLE = ("poses", "smpl_poses", "fullpose")
ROOTS = ("root_orient", "global_orient")
PARTS = (  # further parts in the order of the model's joints, and how many joints they are
    (("pose_body", "body_pose"), (21, 23)),
    (("pose_jaw", "jaw_pose"), (1,)),
    (("pose_eye",), (2,)),
    (("leye_pose",), (1,)),
    (("reye_pose",), (1,)),
    (("pose_hand",), (30,)),
    (("left_hand_pose",), (15,)),
    (("right_hand_pose",), (15,)),
)
PATHS = ("trans", "transl", "smpl_trans")
RATES = ("mocap_framerate", "mocap_frame_rate", "fps", "frame_rate", "framerate")
SAMPLES = 64  # frames, spread over all, from which the axis that points up is told
_CLEAR = 0.8  # cosine with an axis that a direction must have to point along it


@dataclass(frozen=True, slots=True)
class Take:
    """What a file says, and what was settled."""

    vectors: FloatArray
    """(F, J, 3) rotation vectors, radians, in the model's frames."""
    path: FloatArray
    """(F, 3) of the model's origin, metres, in the file's world."""
    body: Body
    pelvis: FloatArray
    """(3,) where the pelvis sits in the model's frame, metres."""
    skeleton: Skeleton
    rig: Rig
    frame_rate: float
    axes: Axes


def are_parameters(archive: Archive) -> bool:
    """Whether the arrays are those of such a file."""
    return any(name in archive for name in WHOLE) or (
        any(name in archive for name in ROOTS) and any(name in archive for name in PARTS[0][0])
    )


def read_take(
    archive: Archive,
    notes: Notes,
    up: str | None,
    frame_rate: float | None,
    body_model: str | os.PathLike[str] | None,
) -> Take:
    """Everything but the arithmetic, so that no compiled code is needed."""
    vectors = _vectors(archive, notes)
    frames, joints = vectors.shape[:2]
    body = body_of(joints)
    if body is None:
        known = ", ".join(f"{len(b)} ({b.title})" for b in BODIES)
        raise archive.error(f"poses must be of {known} joints, but are of {joints}")
    path = _path(archive, notes, frames)
    rate = _rate(archive, frame_rate)
    axes = _axes(vectors[:, 0], up, notes)
    places = _places(archive, notes, body, body_model)
    skeleton = skeleton_of(body, places)
    for name in ("dmpls", "expression"):
        if name in archive:
            notes.guess(f"{name} move the body's surface, not its joints; they are left out")
    return Take(vectors, path, body, places[0], skeleton, rig_of(skeleton), rate, axes)


def motion_of(take: Take, name: str, source: Source) -> Motion:
    """The motion: the world is turned so that Y is up; joints keep the model's frames, which have it up."""
    rotations = exp(take.vectors)
    rotations[:, 0] = multiply(world_turn(take.axes), rotations[:, 0])
    return Motion(
        skeleton=take.skeleton,
        root=take.axes.vectors(take.path + take.pelvis),
        rotations=rotations,
        frame_rate=take.frame_rate,
        name=name,
        source=source,
        rig=take.rig,
    )


def _vectors(archive: Archive, notes: Notes) -> FloatArray:
    """(F, J, 3) the rotation vectors of all joints."""
    name = next((n for n in WHOLE if n in archive), None)
    if name is not None:
        return _triples(archive, name)
    found = [_triples(archive, next(n for n in ROOTS if n in archive))]
    for names, counts in PARTS:
        part = next((n for n in names if n in archive), None)
        if part is None:
            continue
        vectors = _triples(archive, part)
        if vectors.shape[1] not in counts:
            if "hand" in part:  # principal components, which only the model can turn into joints
                notes.warn(f"array {part!r} has no rotations of joints, perhaps components; it is left out")
                continue
            text = " or ".join(str(3 * count) for count in counts)
            raise archive.error(
                f"array {part!r} must have {text} numbers a frame, but has {3 * vectors.shape[1]}"
            )
        if len(vectors) != len(found[0]):
            raise archive.error(
                f"all parts of poses must have as many frames, but {part!r} has {len(vectors):,} "
                f"and the root {len(found[0]):,}"
            )
        found.append(vectors)
    whole = np.concatenate(found, axis=1)
    if body_of(whole.shape[1]) is None:  # a face without hands, a hand without the other
        notes.warn(
            f"of the parts of poses, which have {whole.shape[1]} joints together, the body alone is read"
        )
        whole = np.ascontiguousarray(whole[:, : 1 + found[1].shape[1]])
    return whole


def _triples(archive: Archive, name: str) -> FloatArray:
    """(F, J, 3) an array (F, 3 J) or (F, J, 3)."""
    shape = archive.shape(name)
    if not ((len(shape) == 2 and shape[1] and shape[1] % 3 == 0) or (len(shape) == 3 and shape[2] == 3)):
        raise archive.error(f"array {name!r} must have shape (frames, 3 joints), but has {shape}")
    return archive.floats(name).reshape(shape[0], -1 if shape[0] else int(np.prod(shape[1:])) // 3, 3)


def _path(archive: Archive, notes: Notes, frames: int) -> FloatArray:
    name = next((n for n in PATHS if n in archive), None)
    if name is None:
        notes.warn(f"there is no translation ({', '.join(PATHS)}); the figure stays where it is")
        return np.zeros((frames, 3))
    path = archive.numbers(name, None, 3)
    if len(path) != frames:
        raise archive.error(
            f"array {name!r} must have as many frames as the poses, {frames:,}, but has {len(path):,}"
        )
    return path


def _rate(archive: Archive, asked: float | None) -> float:
    if asked is not None:
        return asked
    name = next((n for n in RATES if n in archive), None)
    if name is None:
        raise archive.error(
            f"must say its frame rate ({' or '.join(RATES[:2])}), but does not; set it with frame_rate"
        )
    return archive.rate(name)


def _axes(turns: FloatArray, up: str | None, notes: Notes) -> Axes:
    """Z is up, as in AMASS, unless the figure clearly stands along Y most of the time."""
    if up is not None:
        return axes_of(up)
    some = turns[:: max(1, len(turns) // SAMPLES)]
    standing = _turned_up(some).mean(axis=0) if len(some) else np.zeros(3)
    if standing[1] > _CLEAR:
        notes.guess("Y is taken as up: the figure stands along it (set it with up)")
        return axes_of("y")
    notes.guess("Z is taken as up, as in AMASS; the figure is turned so that Y is up (set it with up)")
    return axes_of("z")


def _turned_up(vectors: FloatArray) -> FloatArray:
    """(n, 3) where (0, 1, 0) points after turns by rotation vectors (n, 3): Rodrigues' formula."""
    angles = np.linalg.norm(vectors, axis=1, keepdims=True)
    axes = vectors / np.where(angles > 0, angles, 1.0)
    y = np.array([0.0, 1.0, 0.0])
    along = axes[:, 1:2]
    turned = y * np.cos(angles) + np.cross(axes, y) * np.sin(angles) + axes * along * (1 - np.cos(angles))
    return np.asarray(turned)


def _places(
    archive: Archive, notes: Notes, body: Body, body_model: str | os.PathLike[str] | None
) -> FloatArray:
    """(J, 3) where the joints sit in the model's frame: in this body, or in one of average build."""
    gender = archive.text("gender") if "gender" in archive else None
    betas = archive.floats("betas") if "betas" in archive and not archive.is_pickle("betas") else np.zeros(0)
    if body_model is None:
        whose = f" (gender {gender!r})" if gender else ""
        shaped = ", and its betas are not applied" if betas.any() else ""
        notes.guess(
            f"{body.title} parameters say how joints turn, not where they sit: a body of average build is "
            f"taken{whose}{shaped}; the true one comes from its model (set it with body_model)"
        )
        return body.places
    return _model_places(Path(body_model), body, betas, notes)


def _model_places(path: Path, body: Body, betas: FloatArray, notes: Notes) -> FloatArray:
    """(J, 3) the joints that a model regresses from its surface, shaped by betas."""
    with Archive(path) as model:
        for name in ("J_regressor", "v_template", "kintree_table"):
            if name not in model:
                raise model.error(
                    f"a body model must have an array {name!r}, but this has {_few(model.names)}"
                )
        vertices = model.numbers("v_template", None, 3)
        tree = model.shape("kintree_table")
        if len(tree) != 2 or tree[0] != 2:
            raise model.error(f"array 'kintree_table' must have shape (2, joints), but has {tree}")
        parents = model.array("kintree_table")[0].astype(np.int64)
        if len(parents) != len(body) and len(body) != len(BODIES[0]):
            raise model.error(
                f"the model must have as many joints as the poses, {len(body)} ({body.title}), "
                f"but has {len(parents)}"
            )
        if parents[1 : len(body)].tolist() != list(body.parents[1:]):
            raise model.error(f"the model's joints hang together otherwise than those of {body.title}")
        regressor = model.numbers("J_regressor", len(parents), len(vertices))
        if betas.ndim == 2 and len(betas):
            betas = betas[0]
        betas = betas.reshape(-1)
        if betas.size and "shapedirs" in model:
            shapes = model.numbers("shapedirs", len(vertices), 3, None)
            used = min(betas.size, shapes.shape[2])
            if betas[used:].any():
                notes.warn(
                    f"the model has {used} shapes, but there are {betas.size} betas; the rest is left out"
                )
            vertices = vertices + shapes[:, :, :used] @ betas[:used]
        elif betas.any():
            notes.warn("the model has no shapedirs; betas are not applied")
    return np.asarray((regressor @ vertices)[: len(body)])


def _few(names: tuple[str, ...]) -> str:
    return ", ".join(names[:12]) + (", …" if len(names) > 12 else "") or "none"


def refuse_model(archive: Archive) -> FileError | None:
    """What to say of a body model that is opened as motion."""
    if "v_template" in archive and "J_regressor" in archive:
        return archive.error(
            "is a body model, not a motion; give it with body_model when you open the motion that moves it"
        )
    return None
