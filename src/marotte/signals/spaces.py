"""In which numbers a motion is taken as signals: rotation vectors, Euler angles, or positions.

| space | signals | good for |
|---|---|---|
| rotvec | each joint's rotation vector about a reference, radians | everything; no gimbal lock |
| euler | the file's own channels, unwrapped, degrees | what the papers did; one angle at a time |
| position | joints' places about the root, metres | squash and stretch: bones change their length |

The root's path counts as three signals of the root joint, metres, in every space.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..errors import InputError, UnknownNameError
from ..figure import FloatArray, IntArray, Motion, select_joints
from ..figure._arrays import BoolArray, owned
from ..figure.channels import layout, with_channels
from ..figure.rotations import between, inverse, multiply, rotate
from ..figure.vectors import from_rotation_vectors, rotation_vectors

Space = Literal["rotvec", "euler", "position"]
SPACES: tuple[Space, ...] = ("rotvec", "euler", "position")


@dataclass(frozen=True, slots=True, eq=False)
class Signals:
    """A motion as signals, and the way back."""

    motion: Motion
    space: Space
    names: tuple[str, ...]
    """(C,) such as `LeftArm.rx`, `LeftArm.x`, `LeftArm.px`; the root's path is `Hips.tx`."""
    joints: IntArray
    """(C,) the joint of each signal."""
    absolute: FloatArray
    """(F, C) radians, degrees or metres."""
    origin: FloatArray
    """(C,) what is taken away from them to make the signals: the first frame's, or zero."""
    reference: FloatArray
    """(J, 4) what rotation vectors are about: the first frame's rotations, or none."""

    def __len__(self) -> int:
        return len(self.names)

    @property
    def values(self) -> FloatArray:
        """(F, C) the signals: absolute values about the origin."""
        return np.asarray(self.absolute - self.origin)

    def chosen(self, word: str) -> BoolArray:
        """(C,) the signals that a word means: one of their names, or joints as masks name them."""
        if word in self.names:
            return np.array([name == word for name in self.names], dtype=np.bool_)
        try:
            mask = select_joints(self.motion.skeleton, self.motion.rig, word)
        except UnknownNameError:
            if "." in word:
                raise UnknownNameError("channel, joint or part", word, self.names) from None
            raise
        return np.asarray(mask[self.joints])

    def reached(self, parts: str | Sequence[str]) -> BoolArray:
        """(C,) the signals that words mean together, each as in `chosen`; `!` takes away."""
        words = [parts] if isinstance(parts, str) else list(parts)
        mask = np.full(len(self), bool(words) and words[0].startswith("!"), dtype=np.bool_)
        for word in words:
            named = self.chosen(word.removeprefix("!").strip())
            mask = mask & ~named if word.startswith("!") else mask | named
        if not mask.any():
            raise InputError(f"parts must name at least one joint of the figure, but {words} name none")
        return mask

    def to_motion(self, values: FloatArray, chosen: BoolArray | None = None) -> Motion:
        """The motion with these values (F, C) in place of the chosen signals; the others stay.

        What stays does so bit by bit, and is not written anew by way of its signals.
        """
        if values.shape != self.absolute.shape:
            raise InputError(f"values must have shape {self.absolute.shape}, but have {values.shape}")
        keep = np.zeros(len(self), dtype=np.bool_) if chosen is None else ~chosen
        if keep.all():
            return self.motion
        absolute = values + self.origin
        if keep.any():
            absolute[:, keep] = self.absolute[:, keep]
        back = {"rotvec": _from_vectors, "euler": _from_channels, "position": _from_positions}
        return back[self.space](self, absolute, keep)


def signals_of(
    motion: Motion, space: Space = "rotvec", *, offset: bool = True, reference: FloatArray | None = None
) -> Signals:
    """All signals of a motion. With `offset` they are what changes since the first frame (L97 5.1.1).

    Rotation vectors are about `reference` (J, 4); left out, it is the first frame, or without
    `offset` the rest pose.
    """
    if space not in SPACES:
        raise InputError(f"space must be one of {', '.join(SPACES)}, but is {space!r}")
    if len(motion) == 0:
        raise InputError("a motion without frames has no signals")
    if space == "rotvec":
        return _vectors(motion, offset, reference)
    return _channels(motion, offset) if space == "euler" else _positions(motion, offset)


def _finished(
    motion: Motion,
    space: Space,
    names: list[str],
    joints: IntArray,
    absolute: FloatArray,
    offset: bool,
    reference: FloatArray | None = None,
) -> Signals:
    origin = np.array(absolute[0]) if offset else np.zeros(len(names))
    still = np.tile([1.0, 0.0, 0.0, 0.0], (len(motion.skeleton), 1)) if reference is None else reference
    return Signals(motion, space, tuple(names), joints, owned(absolute), origin, still)


# ---- rotation vectors


def _vectors(motion: Motion, offset: bool, reference: FloatArray | None) -> Signals:
    skeleton = motion.skeleton
    if reference is None:
        rest = np.tile([1.0, 0.0, 0.0, 0.0], (len(skeleton), 1))
        reference = np.array(motion.rotations[0]) if offset else rest
    turns = rotation_vectors(motion.rotations, reference).reshape(len(motion), -1)
    names = [f"{skeleton.names[0]}.t{a}" for a in "xyz"]
    names += [f"{joint}.r{a}" for joint in skeleton.names for a in "xyz"]
    joints = np.concatenate([np.zeros(3, np.int64), np.repeat(np.arange(len(skeleton)), 3)])
    absolute = np.concatenate([motion.root, turns], axis=1)
    return _finished(motion, "rotvec", names, joints, absolute, offset, reference)


def _from_vectors(signals: Signals, absolute: FloatArray, keep: BoolArray) -> Motion:
    motion = signals.motion
    frames, joints = len(absolute), len(motion.skeleton)
    vectors = np.ascontiguousarray(absolute[:, 3:]).reshape(frames, joints, 3)
    rotations = from_rotation_vectors(vectors, signals.reference)
    still = keep[3:].reshape(joints, 3).all(axis=1)
    rotations[:, still] = motion.rotations[:, still]
    return motion.with_(root=owned(np.ascontiguousarray(absolute[:, :3])), rotations=owned(rotations))


# ---- the file's channels


def _channels(motion: Motion, offset: bool) -> Signals:
    channels = motion.channels()
    where = layout(motion.skeleton)
    owner = np.zeros(len(channels), dtype=np.int64)
    for joint in range(len(motion.skeleton)):
        owner[where.columns[joint][where.axes[joint] >= 0]] = joint
        moved = where.position_columns[joint]
        owner[moved[moved >= 0]] = joint
    return _finished(motion, "euler", list(channels.names), owner, np.array(channels.values), offset)


def _from_channels(signals: Signals, absolute: FloatArray, keep: BoolArray) -> Motion:
    motion = signals.motion
    made = with_channels(motion, motion.channels().with_values(absolute))
    still = np.ones(len(motion.skeleton), dtype=np.bool_)
    turns = np.array([unit == "deg" for unit in layout(motion.skeleton).units], dtype=np.bool_)
    still[signals.joints[~keep & turns]] = False
    rotations = np.array(made.rotations)
    rotations[:, still] = motion.rotations[:, still]
    return made.with_(rotations=rotations)


# ---- joints' places


def _positions(motion: Motion, offset: bool) -> Signals:
    skeleton = motion.skeleton
    places = motion.positions()
    about = (places[:, 1:] - places[:, :1]).reshape(len(motion), -1)
    names = [f"{skeleton.names[0]}.t{a}" for a in "xyz"]
    names += [f"{joint}.p{a}" for joint in skeleton.names[1:] for a in "xyz"]
    joints = np.concatenate([np.zeros(3, np.int64), np.repeat(np.arange(1, len(skeleton)), 3)])
    absolute = np.concatenate([motion.root, about], axis=1)
    return _finished(motion, "position", names, joints, absolute, offset)


def _from_positions(signals: Signals, absolute: FloatArray, keep: BoolArray) -> Motion:
    """Bones turn towards their new ends and stretch along themselves to meet them."""
    motion, skeleton = signals.motion, signals.motion.skeleton
    root = np.ascontiguousarray(absolute[:, :3])
    new = np.concatenate([np.zeros((len(absolute), 1, 3)), absolute[:, 3:].reshape(len(root), -1, 3)], axis=1)
    old_places, turned = motion.world()
    old = old_places - old_places[:, :1]
    children = [skeleton.children(j) for j in range(len(skeleton))]
    rotations = np.array(motion.rotations)
    moved = np.zeros((len(root), len(skeleton), 3))
    world = np.empty_like(turned)
    for j in range(len(skeleton)):
        parent = int(skeleton.parents[j])
        world[:, j] = turned[:, j]
        if len(children[j]) == 1:  # a bone with one end follows it; where several begin, none leads
            child = children[j][0]
            turn = between(old[:, child] - old[:, j], new[:, child] - new[:, j])
            world[:, j] = multiply(turn, turned[:, j])
        if parent >= 0:
            above = inverse(world[:, parent])
            rotations[:, j] = multiply(above, world[:, j])
            moved[:, j] = rotate(above, new[:, j] - new[:, parent]) - skeleton.offsets[j]
        else:
            rotations[:, j] = world[:, j]
    return motion.with_(root=owned(root), rotations=owned(rotations), translations=owned(moved))
