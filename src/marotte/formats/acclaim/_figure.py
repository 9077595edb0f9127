"""From the bones of an ASF to a skeleton and back to what an AMC says of them.

A bone B turns about axes C of its own, given in the world at rest: in the frame of its parent's
bone its rotation is C M C⁻¹, M being made of the angles in the file. Bones at rest all stand in the
world's axes, as joints of a Skeleton do, so that nothing has to be turned but C, which becomes the
joint's `channel_axes`. The joint sits where the bone begins: at the tail of its parent.

This runs without compiled code, so that `marotte info` answers at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...figure import EndSite, FloatArray, Rig, Skeleton, recognise
from ...figure.skeleton import AXES
from .._decimals import LARGEST_NUMBER
from .._notes import Notes
from .._turns import product, world_turn
from ..axes import UPS, Axes, axes_of, guess_up
from ..units import guess_unit, unit_factor, unit_name
from ._asf import MOVES, ROOT, TURNS, Asf, Bone

INCH = 0.0254
"""Metres. A file's lengths divided by the length of its `:units` are inches, in the files of CMU."""


# Axes turned by less (the sine of half the angle) are the world's own: that is how angles round.
_ASKEW = 1e-12


@dataclass(frozen=True, slots=True)
class Figure:
    """A skeleton, and how rows of an AMC become its motion."""

    asf: Asf
    skeleton: Skeleton
    """In metres, Y up."""
    rig: Rig
    metres: float
    """In one unit of the file."""
    axes: Axes
    joints: tuple[int, ...]
    """For each bone of the ASF its joint; -1 for those that only carry an offset."""

    @property
    def numbers(self) -> int:
        """How many numbers an AMC has a frame."""
        return sum(len(bone.dof) for bone in self.asf.bones)


def figure_of(asf: Asf, notes: Notes, unit: str | float | None, up: str | None) -> Figure:
    """The skeleton in our units and axes; what the file does not say is guessed and noted."""
    folded, tips = _folded(asf, notes)
    bones = [bone for bone in asf.bones if bone.name not in folded]
    index = {bone.name: j for j, bone in enumerate(bones)}
    named = {bone.name: bone for bone in asf.bones}
    offsets = np.zeros((len(bones), 3))
    parents = np.full(len(bones), -1)
    for j, bone in enumerate(bones[1:], 1):
        offset, above = np.zeros(3), named[bone.parent]
        while above.name in folded:
            offset += above.tail
            above = named[above.parent]
        offsets[j] = offset + above.tail
        parents[j] = index[above.name]
    offsets[0] = _rest(asf, notes)
    ends = _ends(asf, folded, tips, index, named)
    names = [asf.remarks.get("root") or ROOT, *(bone.name for bone in bones[1:])]
    if names[0] in index and names[0] != ROOT:
        names[0] = ROOT
    skeleton = Skeleton(
        names=tuple(names),
        parents=parents,
        offsets=offsets,
        channels=tuple(_letters(bone, named) for bone in bones),
        ends=tuple(ends),
        limits=_limits(asf, bones),
    )
    rig = recognise(skeleton)
    metres = _unit(asf, skeleton, rig, notes, unit)
    axes = _up(asf, rig, notes, up)
    ours = _turned(skeleton, metres, axes, [axes_quaternion(asf, bone) for bone in bones])
    joints = tuple(index.get(bone.name, -1) for bone in asf.bones)
    return Figure(asf, ours, recognise(ours), metres, axes, joints)


def axes_quaternion(asf: Asf, bone: Bone) -> FloatArray:
    """(4,) C: the frame that a bone turns in. Angles turn about fixed axes, the first named first."""
    total = np.array([1.0, 0.0, 0.0, 0.0])
    for letter in bone.axis_order:
        axis = AXES.index(letter)
        half = asf.radians(bone.axis[axis]) / 2
        turn = np.zeros(4)
        turn[0], turn[1 + axis] = math.cos(half), math.sin(half)
        total = product(turn, total)
    return total


def _rest(asf: Asf, notes: Notes) -> FloatArray:
    """(3,) where the root is at rest; the file's position is added to what an AMC says of it."""
    said = asf.remarks.get("rest")
    if said is not None:
        try:
            found = np.array([float(word) for word in said.split()])
        except ValueError:
            found = np.zeros(0)
        if found.shape == (3,) and (np.abs(found) <= LARGEST_NUMBER).all():
            return found
        notes.warn(f"a comment says that the root rests at {said!r}, which is no place")
    return np.array(asf.position)


def _folded(asf: Asf, notes: Notes) -> tuple[set[str], set[str]]:
    """Bones that Marotte put in to carry an offset, and those of them that are tips: it says so."""
    named = {bone.name: bone for bone in asf.bones}
    found: dict[str, set[str]] = {}
    for what in ("connectors", "ends"):
        found[what] = set()
        for name in asf.remarks.get(what, "").split():
            bone = named.get(name)
            if bone is None or bone.dof or name == ROOT:
                notes.warn(f"a comment calls {name!r} one of the {what}, but it is no bone that is stiff")
            else:
                found[what].add(name)
    return found["connectors"] | found["ends"], found["ends"]


def _ends(
    asf: Asf, folded: set[str], tips: set[str], index: dict[str, int], named: dict[str, Bone]
) -> list[EndSite]:
    """Tips of the bones that nothing hangs on."""
    carrying = {bone.parent for bone in asf.bones}
    ends = []
    for bone in asf.bones[1:]:
        if bone.name in carrying:
            continue
        tip, above = np.array(bone.tail), bone
        while above.name in folded:
            above = named[above.parent]
            tip += above.tail
        if tip.any() or bone.name in tips:
            x, y, z = (float(v) for v in tip)
            ends.append(EndSite(index[above.name], (x, y, z)))
    return ends


def _letters(bone: Bone, named: dict[str, Bone]) -> str:
    """The channels of a joint: an AMC's first turn is the innermost, ours comes last."""
    turns = "".join(t[1].upper() for t in reversed(bone.dof) if t in TURNS)
    if bone.name == ROOT:
        moves = "".join(t[1] for t in bone.dof if t in MOVES)
        first = bone.dof[0] if bone.dof else "tx"
        return turns + moves if first in TURNS else moves + turns
    stretched = "l" in named[bone.parent].dof
    return ("xyz" if stretched or any(t in MOVES for t in bone.dof) else "") + turns


def _limits(asf: Asf, bones: list[Bone]) -> FloatArray | None:
    if not any(bone.limits for bone in bones):
        return None
    limits = np.empty((len(bones), 3, 2))
    limits[...] = (-math.inf, math.inf)
    for j, bone in enumerate(bones):
        for token, pair in zip(bone.dof, bone.limits, strict=False):
            if token in TURNS:
                limits[j, TURNS.index(token)] = [asf.radians(angle) for angle in pair]
    return limits


def _unit(asf: Asf, skeleton: Skeleton, rig: Rig, notes: Notes, unit: str | float | None) -> float:
    """Metres in one unit. CMU's meaning of `length` is tried first: it is what nearly all files have."""
    if unit is not None:
        metres = unit_factor(unit)
        notes.guess(f"lengths are taken as {unit_name(metres)}, as asked")
        return metres
    said = asf.remarks.get("metres_per_unit")
    if said is not None:
        try:
            return unit_factor(float(said))
        except ValueError:  # InputError is one too
            notes.warn(f"a comment says that a unit has {said!r} metres, which is no length")
    inches = INCH / asf.length
    bones = skeleton.bone_lengths()
    if 1e-9 <= inches <= 1e9:
        found = guess_unit(skeleton, rig, bones * inches, lambda: skeleton.height * inches)
        if found.name == "m":
            notes.guess(
                f"lengths divided by the length of :units ({asf.length:g}) are taken as inches, as in the "
                f"files of CMU: {inches:.6g} m in one unit (set it with unit)"
            )
            return inches
    found = guess_unit(skeleton, rig, bones, lambda: skeleton.height)
    notes.guess(f"{found.reason} (set it with unit)")
    return found.metres


def _up(asf: Asf, rig: Rig, notes: Notes, up: str | None) -> Axes:
    if up is not None:
        return axes_of(up)
    said = asf.remarks.get("up")
    if said is not None:
        if said in UPS:
            return axes_of(said)
        notes.warn(f"a comment says that {said!r} is up, which must be one of {', '.join(UPS)}")
    axis, reason = guess_up(rig, None)
    if reason:
        notes.guess(f"{reason}; the figure is turned so that Y is up (set it with up)")
    return axes_of(axis)


def _turned(skeleton: Skeleton, metres: float, axes: Axes, frames: list[FloatArray]) -> Skeleton:
    """The skeleton in metres with Y up, its channels about the frames that the file gives."""
    ends = []
    for end in skeleton.ends:
        x, y, z = (float(v) * metres for v in axes.vectors(np.array(end.offset)))
        ends.append(EndSite(end.joint, (x, y, z), end.name))
    turn = world_turn(axes)
    turned = np.array([product(turn, frame) for frame in frames])
    askew = np.abs(turned[:, 1:]).max() > _ASKEW
    # positions are along our axes, turns about the joint's own
    channels = ["".join(axes.letters(c) if c.islower() else c for c in t) for t in skeleton.channels]
    return skeleton.with_(
        offsets=axes.vectors(skeleton.offsets) * metres,
        channels=channels,
        ends=ends,
        channel_axes=turned if askew else None,
    )
