"""Takes of one figure: what must agree before signals of different takes may be added."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..errors import InputError
from ..figure import IntArray, Motion, Skeleton
from ..figure._arrays import owned

# How far bones may point apart at rest and still be the same: the people of a
# library differ by up to twenty degrees (collar bones), a T-pose and an A-pose by forty.
_SAME_WAY = np.cos(np.radians(25.0))


def on_figure(take: Motion, base: Motion, what: str) -> Motion:
    """A take on the skeleton of another one, whose joints have the same meaning one by one.

    Joints correspond by name, or else by role. Bones may have other lengths: the base's are kept,
    and the path of the root is scaled by the height. Where the skeletons are built otherwise, or
    rest otherwise, rotations mean something else, and that is an error.
    """
    if take.skeleton is base.skeleton:
        return take
    order = _correspondence(take, base)
    if order is None:
        raise InputError(
            f"{what} must be of the same figure as the first take, joint by joint, but has "
            f"{len(take.skeleton)} joints ({', '.join(take.skeleton.names[:3])}, …) and the first take "
            f"{len(base.skeleton)} ({', '.join(base.skeleton.names[:3])}, …); retarget it first"
        )
    ours, theirs = base.skeleton, take.skeleton
    odd = _otherwise_at_rest(theirs, ours, order)
    if odd is not None:
        raise InputError(
            f"{what} must rest as the first take does, but its {theirs.names[int(order[odd])]!r} points "
            "elsewhere in the rest pose, so that its rotations mean something else; retarget it first"
        )
    scale = 1.0
    if not np.array_equal(theirs.offsets[order], ours.offsets) and theirs.height > 0:
        scale = ours.height / theirs.height
    moved = take.translations
    return Motion(
        ours,
        owned(take.root * scale),
        owned(np.ascontiguousarray(take.rotations[:, order])),
        take.frame_rate,
        translations=None if moved is None else owned(np.ascontiguousarray(moved[:, order] * scale)),
        name=take.name,
        contacts=take.contacts,
        points=tuple(
            replace(p, joint=int(np.flatnonzero(order == p.joint)[0]), offset=_times(p.offset, scale))
            for p in take.points
        ),
        source=take.source,
        rig=base.rig,
    )


def _times(offset: tuple[float, float, float], scale: float) -> tuple[float, float, float]:
    x, y, z = offset
    return (x * scale, y * scale, z * scale)


def _correspondence(take: Motion, base: Motion) -> IntArray | None:
    """(J,) for each joint of the base the take's, if every one has one and the trees are alike."""
    ours, theirs = base.skeleton, take.skeleton
    if len(ours) != len(theirs):
        return None
    order = np.full(len(ours), -1, dtype=np.int64)
    for j, name in enumerate(ours.names):
        role = base.rig.role_of(j)
        if name in theirs:
            order[j] = theirs.index(name)
        elif role is not None and role in take.rig:
            order[j] = take.rig[role]
    if sorted(order.tolist()) != list(range(len(ours))):
        return None
    above = theirs.parents[order]
    wanted = np.where(ours.parents >= 0, order[ours.parents], -1)
    return order if np.array_equal(above, wanted) else None


def _otherwise_at_rest(theirs: Skeleton, ours: Skeleton, order: IntArray) -> int | None:
    """The first joint whose bone points elsewhere at rest.

    Where several bones begin at one joint, as thighs at the hips, they tell how wide a figure is, and
    not how it rests.
    """
    a, b = theirs.offsets[order][1:], ours.offsets[1:]
    sizes = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    apart = (a * b).sum(axis=1) < _SAME_WAY * sizes
    alone = np.bincount(ours.parents[1:], minlength=len(ours)) == 1
    apart &= alone[ours.parents[1:]]
    # a bone of a few millimetres points anywhere
    apart &= sizes > (0.01 * ours.height) ** 2
    return int(np.argmax(apart)) + 1 if apart.any() else None
