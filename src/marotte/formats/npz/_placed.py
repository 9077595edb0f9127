"""Motion as the world places and orientations of joints, as Kimodo writes it.

Such files do not say which joint hangs on which, but their numbers do: seen from its parent's
frame a joint never moves. Orientations are those of a T-pose turned, so that the rest pose is
where all of them are nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...figure import Contact, FloatArray, IntArray, Motion, Rig, Skeleton, Source
from ...figure.contacts import intervals
from ...figure.rotations import from_matrix, inverse, multiply
from .._notes import Notes
from .._turns import world_turn
from ..axes import Axes, axes_of
from ..units import unit_factor
from ._archive import Archive
from ._roles import rig_with

PLACES, TURNS, CONTACTS = "posed_joints", "global_rot_mats", "foot_contacts"
USUAL_RATE = 30.0
"""Frames a second of Kimodo, which does not write it down."""

MOST_JOINTS = 512
SAMPLES = 64  # frames, spread over all, in which joints are looked at
# How far a joint may move in its parent's frame, and a matrix be from a rotation.
STILL = 1e-4  # of the figure's size; float32 leaves a hundredth of it
SQUARE = 1e-3

# Names of the 30 joints that the SOMA skeleton has there, with the tree by which it is known.
_SOMA = (
    "Hips", "Spine1", "Spine2", "Chest", "Neck1", "Neck2", "Head", "Jaw", "LeftEye", "RightEye",
    "LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand", "LeftHandThumbEnd", "LeftHandMiddleEnd",
    "RightShoulder", "RightArm", "RightForeArm", "RightHand", "RightHandThumbEnd", "RightHandMiddleEnd",
    "LeftLeg", "LeftShin", "LeftFoot", "LeftToeBase", "RightLeg", "RightShin", "RightFoot", "RightToeBase",
)  # fmt: skip
_SOMA_PARENTS = (
    -1, 0, 1, 2, 3, 4, 5, 6, 6, 6, 3, 10, 11, 12, 13, 13, 3, 16, 17, 18, 19, 19, 0, 22, 23, 24, 0, 26, 27, 28,
)  # fmt: skip
_SOMA_ROLES = {  # where others mean something else by these names
    f"{side.lower()}_{role}": side + name
    for side in ("Left", "Right")
    for role, name in (("upper_leg", "Leg"), ("lower_leg", "Shin"), ("foot", "Foot"), ("toes", "ToeBase"))
}
_FEET = ("left_foot", "left_foot", "right_foot", "right_foot")  # columns of the contacts


@dataclass(frozen=True, slots=True)
class Placed:
    """What a file says, and what was settled."""

    places: FloatArray
    """(F, J, 3) in the file's unit and axes."""
    turns: FloatArray
    """(F, J, 3, 3) orientations in the file's axes."""
    skeleton: Skeleton
    """In metres, Y up."""
    rig: Rig
    frame_rate: float
    metres: float
    axes: Axes
    contacts: tuple[Contact, ...] | None


def are_placed(archive: Archive) -> bool:
    """Whether the arrays are those of such a file."""
    return PLACES in archive and TURNS in archive


def read_placed(
    archive: Archive, notes: Notes, unit: str | float | None, up: str | None, frame_rate: float | None
) -> Placed:
    """Everything but the arithmetic, so that no compiled code is needed."""
    shape = archive.shape(PLACES)
    if len(shape) != 3 or not 0 < shape[1] <= MOST_JOINTS:
        raise archive.error(
            f"array {PLACES!r} must have shape (frames, joints, 3) with at most {MOST_JOINTS} joints, "
            f"but has {shape}"
        )
    places = archive.numbers(PLACES, None, None, 3)
    turns = archive.numbers(TURNS, *places.shape[:2], 3, 3)
    if not len(places):
        raise archive.error("must have a frame at least: the skeleton is told from them")
    off = np.abs(np.einsum("fjab,fjcb->fjac", turns, turns) - np.eye(3)).max(axis=(2, 3))
    off = np.where(np.linalg.det(turns) > 0, off, 2.0)  # a mirror is square too
    if off.max() > SQUARE:
        f, j = np.unravel_index(int(np.argmax(off)), off.shape)
        raise archive.error(
            f"array {TURNS!r} must hold rotations, but that of joint {int(j)} at frame {int(f)} is none"
        )
    parents, offsets = _tree(archive, notes, places, turns)
    soma = tuple(parents.tolist()) == _SOMA_PARENTS
    names = _SOMA if soma else [f"joint_{j}" for j in range(len(parents))]
    notes.guess(
        "which joint hangs on which is told from the motion; "
        + ("the tree is that of SOMA, whose names are taken" if soma else "names are not known")
    )
    metres = 1.0 if unit is None else unit_factor(unit)
    axes = axes_of(up if up is not None else "y")
    offsets = axes.vectors(offsets) * metres
    skeleton = Skeleton(names=tuple(names), parents=parents, offsets=offsets)
    rate = _rate(archive, notes, frame_rate)
    rig = rig_with(skeleton, _SOMA_ROLES if soma else {})
    return Placed(places, turns, skeleton, rig, rate, metres, axes, _contacts(archive, len(places)))


def motion_of(placed: Placed, name: str, source: Source) -> Motion:
    """The motion: each orientation seen from its parent's."""
    turn = world_turn(placed.axes)
    world = from_matrix(np.ascontiguousarray(placed.turns))
    local = np.array(world)
    parents = placed.skeleton.parents
    local[:, 1:] = multiply(inverse(world[:, parents[1:]]), world[:, 1:])
    local = multiply(turn, multiply(local, inverse(turn)))
    return Motion(
        skeleton=placed.skeleton,
        root=placed.axes.vectors(placed.places[:, 0]) * placed.metres,
        rotations=local / np.linalg.norm(local, axis=-1, keepdims=True),
        frame_rate=placed.frame_rate,
        contacts=placed.contacts,
        name=name,
        source=source,
        rig=placed.rig,
    )


def _tree(
    archive: Archive, notes: Notes, places: FloatArray, turns: FloatArray
) -> tuple[IntArray, FloatArray]:
    """Parents (J,), and where joints sit in their parents' frames (J, 3)."""
    some = np.unique(np.linspace(0, len(places) - 1, min(SAMPLES, len(places))).astype(int))
    p, r = places[some], turns[some]
    joints = p.shape[1]
    near = STILL * max(float(np.ptp(p, axis=1).max()), 1e-9)
    parents = np.full(joints, -1)
    offsets = np.zeros((joints, 3))
    unclear = []
    for j in range(1, joints):
        seen = np.einsum("fkba,fkb->fka", r[:, :j], p[:, j, None] - p[:, :j])
        moved = np.ptp(seen, axis=0).max(axis=1)
        still = np.flatnonzero(moved <= near)
        if moved.min() > near:
            raise archive.error(
                f"joint {j} must keep its place seen from some joint before it, as bones do, "
                f"but moves by {moved.min():.3g} even from joint {int(np.argmin(moved))}"
            )
        where = seen.mean(axis=0)
        # joints that never turn against each other are one body: the nearest of them
        known = _SOMA_PARENTS[j] if joints == len(_SOMA) else -1
        lengths = np.linalg.norm(where[still], axis=1)
        parents[j] = known if known in still else still[int(np.argmin(lengths))]
        offsets[j] = where[parents[j]]
        if len(still) > 1 and known < 0:
            unclear.append(j)
    if unclear:
        notes.warn(
            f"some joints never move against several others (joint {unclear[0]}"
            + (f" and {len(unclear) - 1} more" if len(unclear) > 1 else "")
            + "); each is taken to hang on the nearest of them"
        )
    return parents, offsets


def _rate(archive: Archive, notes: Notes, asked: float | None) -> float:
    if asked is not None:
        return asked
    if "fps" in archive:
        return archive.rate("fps")
    notes.guess(
        f"the file does not say its frame rate; {USUAL_RATE:g}, that of Kimodo, are taken "
        "(set it with frame_rate)"
    )
    return USUAL_RATE


def _contacts(archive: Archive, frames: int) -> tuple[Contact, ...] | None:
    """Two points of each foot: a foot rests where one of them does."""
    if CONTACTS not in archive or archive.shape(CONTACTS) != (frames, len(_FEET)):
        return None
    touching = np.asarray(archive.floats(CONTACTS) > 0.5)
    found: list[Contact] = []
    for role in dict.fromkeys(_FEET):
        columns = [k for k, foot in enumerate(_FEET) if foot == role]
        found += intervals(role, np.asarray(touching[:, columns].any(axis=1)))
    return tuple(sorted(found, key=lambda c: (c.first, c.role)))
