"""What a BVH file does not say: its unit and which way is up, from its bones and first frames.

This runs without compiled code, so that `marotte info` answers at once, and it is the only place
that guesses, so that `info` and `load` never disagree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...figure import EndSite, FloatArray, Poses, Rig, Skeleton, recognise
from ...figure.channels import layout
from ...figure.rig import Vector
from .._notes import Notes
from ..axes import Axes, axes_of, guess_up
from ..units import guess_unit, unit_factor, unit_name
from ._head import Head

# Of a figure that stands: how clearly it does (cosine), and how high, in lengths of its legs.
_CLEARLY, _HIPS, _FEET, _BELOW = 0.9, (0.7, 1.35), 0.3, 0.06
_UPRIGHT = 0.5  # cosine above which a figure surely does not stand along another axis


@dataclass(frozen=True, slots=True)
class Settled:
    """How a file's numbers become ours."""

    metres: float
    """In one unit of the file."""
    axes: Axes
    skeleton: Skeleton
    """In metres, Y up."""
    rig: Rig
    """Of that skeleton."""


def settle(head: Head, notes: Notes, unit: str | float | None, up: str | None) -> Settled:
    """Settle what the file does not say, as asked or by a guess that is noted."""
    header = head.header
    skeleton = Skeleton(
        names=tuple(header.names),
        parents=np.array(header.parents),
        offsets=np.array(header.offsets, dtype=np.float64).reshape(-1, 3),
        channels=tuple(header.channels),
        ends=tuple(header.ends),
    )
    frames = _Frames(skeleton, head)
    rig = recognise(skeleton, poses=frames.poses)
    if up is None:
        axis, reason = guess_up(rig, frames.standing(rig))
        axes = axes_of(axis)
        if reason:
            notes.guess(f"{reason}; the figure is turned so that Y is up (set it with up)")
    else:
        axes = axes_of(up)
    if unit is None:
        found = guess_unit(skeleton, rig, frames.bones(), frames.extent)
        metres = found.metres
        notes.guess(f"{found.reason} (set it with unit)")
    else:
        metres = unit_factor(unit)
        notes.guess(f"lengths are taken as {unit_name(metres)}, as asked")
    return Settled(metres, axes, _our_skeleton(skeleton, metres, axes), _our_rig(rig, metres, axes))


def _our_skeleton(skeleton: Skeleton, metres: float, axes: Axes) -> Skeleton:
    """The skeleton in metres with Y up, from one in the file's unit and axes."""
    ends = []
    for end in skeleton.ends:
        x, y, z = (float(v) * metres for v in axes.vectors(np.array(end.offset)))
        ends.append(EndSite(end.joint, (x, y, z), end.name))
    return skeleton.with_(
        offsets=axes.vectors(skeleton.offsets) * metres,
        channels=[axes.letters(c) for c in skeleton.channels],
        ends=ends,
    )


def _our_rig(rig: Rig, metres: float, axes: Axes) -> Rig:
    """The rig of our skeleton, from that of the file's: no need to recognise it twice."""

    def turned(vector: Vector, scale: float = 1.0) -> Vector:
        x, y, z = (float(v) * scale for v in axes.vectors(np.array(vector)))
        return x, y, z

    return replace(
        rig,
        limbs=tuple(replace(limb, hinge_axis=turned(limb.hinge_axis)) for limb in rig.limbs),
        soles=tuple(replace(s, points=tuple(turned(p, metres) for p in s.points)) for s in rig.soles),
        lateral=turned(rig.lateral),
        up=turned(rig.up),
        forward=turned(rig.forward),
    )


class _Frames:
    """The first frames, placed by plain matrices, in the file's unit and axes."""

    def __init__(self, skeleton: Skeleton, head: Head) -> None:
        self.skeleton = skeleton
        self.head = head
        self.where = layout(skeleton)

    @cached_property
    def sample(self) -> FloatArray:
        """(n, C) the first rows."""
        return self.head.sample()

    def local_offsets(self) -> FloatArray:
        """(n, J, 3) where joints are in their parents' frames: positions replace offsets."""
        out = np.repeat(self.skeleton.offsets[None], len(self.sample), axis=0)
        for j, k in np.argwhere(self.where.position_columns >= 0):
            out[:, j, k] = self.sample[:, self.where.position_columns[j, k]]
        return out

    def bones(self) -> FloatArray:
        """(J,) lengths: of the offsets, or of what replaces them where those are nothing."""
        lengths = self.skeleton.bone_lengths()
        if not lengths.any() and len(self.sample):
            lengths = np.linalg.norm(self.local_offsets()[0], axis=1)
            lengths[0] = 0.0
        return np.asarray(lengths, dtype=np.float64)

    @cached_property
    def placed(self) -> Poses:
        """The figure in the first rows."""
        offsets = self.local_offsets()
        frames, joints = offsets.shape[:2]
        positions = np.empty((frames, joints, 3))
        turned = np.empty((frames, joints, 3, 3))
        for j in range(joints):
            local = self.local_turns(j)
            parent = int(self.skeleton.parents[j])
            if parent < 0:
                positions[:, j], turned[:, j] = offsets[:, j], local
            else:
                moved = np.einsum("fab,fb->fa", turned[:, parent], offsets[:, j])
                positions[:, j] = positions[:, parent] + moved
                turned[:, j] = turned[:, parent] @ local
        return Poses(positions, turned)

    def local_turns(self, joint: int) -> FloatArray:
        """(n, 3, 3) of a joint against its parent."""
        local = np.broadcast_to(np.eye(3), (len(self.sample), 3, 3))
        for axis, column in zip(self.where.axes[joint], self.where.columns[joint], strict=True):
            if axis >= 0:
                local = local @ _turns(int(axis), np.radians(self.sample[:, column]))
        return local

    @property
    def world(self) -> FloatArray:
        """(n, J, 3) positions."""
        return self.placed.positions

    def poses(self) -> Poses | None:
        """What recognition may look at where the rest pose leaves something open."""
        return self.placed if len(self.sample) else None

    def standing(self, rig: Rig) -> FloatArray | None:
        """(3,) the mean direction from hips to head, or None where it is not known or not needed."""
        hips, head = rig.get("hips"), rig.get("head") if "head" in rig else rig.get("neck")
        if hips is None or head is None or not len(self.sample):
            return None
        upright = rig.up == (0.0, 1.0, 0.0)
        if upright and self.tilt(hips) > _UPRIGHT:
            return None
        directions = self.world[:, head] - self.world[:, hips]
        lengths = np.linalg.norm(directions, axis=1, keepdims=True)
        mean = np.asarray((directions / np.where(lengths > 0, lengths, 1.0)).mean(axis=0))
        if upright and not self.grounded(rig, hips, mean):
            return None
        return mean

    def tilt(self, hips: int) -> float:
        """The cosine that the hips' Y makes with the file's, at least, which is quick to tell."""
        turned = self.local_turns(hips)
        for joint in self.skeleton.ancestors(hips):
            turned = self.local_turns(joint) @ turned
        return float(turned[:, 1, 1].min())

    def grounded(self, rig: Rig, hips: int, up: FloatArray) -> bool:
        """Whether the frames stand on the ground along another axis than Y, and cannot lie along Y.

        A figure that lies looks just so. But one that stands has its hips as high over the origin
        as its legs are long, and one that lies has nothing below the ground.
        """
        axis = int(np.argmax(np.abs(up)))
        legs = [limb for limb in rig.limbs if limb.name.endswith("leg")]
        if axis == 1 or abs(float(up[axis])) < _CLEARLY or len(legs) != 2:
            return False
        world = self.world
        along = np.sign(up[axis]) * world[..., axis]
        long = sum(
            np.linalg.norm(world[:, a] - world[:, b], axis=1)
            for limb in legs
            for a, b in ((limb.root, limb.hinge), (limb.hinge, limb.end))
        ) / len(legs)
        high = along[:, hips] / np.maximum(long, 1e-12)
        low = world[..., 1].min(axis=1) / np.maximum(long, 1e-12)
        feet = np.mean([along[:, limb.end] for limb in legs], axis=0) / np.maximum(long, 1e-12)
        stands = (high > _HIPS[0]) & (high < _HIPS[1]) & (feet < _FEET)
        lies = (low > -_BELOW) & (world[:, hips, 1] < 0.5 * long)
        return bool(stands.all() and not lies.any())

    def extent(self) -> float:
        """The figure's largest extent, at rest or in the first frame."""
        at_rest = self.skeleton.height
        if not len(self.sample):
            return at_rest
        return max(at_rest, float(np.ptp(self.world[0], axis=0).max()))


def _turns(axis: int, angles: FloatArray) -> FloatArray:
    """(n, 3, 3) right-handed turns about one axis."""
    c, s = np.cos(angles), np.sin(angles)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    out = np.zeros((len(angles), 3, 3))
    out[:, axis, axis] = 1.0
    out[:, i, i] = out[:, j, j] = c
    out[:, i, j], out[:, j, i] = -s, s
    return out
