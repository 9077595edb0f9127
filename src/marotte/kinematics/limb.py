"""Limbs in closed form: the table that the kernels need, and a solver that moves nothing else.

LS99 5.3 and eq. 7 (as the notes correct it), SLSG01 5.3 and eq. 21 to 23. See kernels/limb.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .. import kernels
from ..errors import InputError
from ..figure import FloatArray, Rig, Skeleton
from ..figure._arrays import IntArray, owned
from ..figure.rotations import exp
from ._work import Work
from .joint_limits import JointLimits

if TYPE_CHECKING:
    from ..kernels.limb import LimbTable

# No limb folds further than this angle between its bones, unless its limits say so: flesh meets.
LEAST_ANGLE = math.radians(20.0)
STRAIGHT = math.pi
Served = tuple[int, int, int]
"""A limb, the goal of its end's place, the goal of its orientation or -1."""


def limb_table(skeleton: Skeleton, rig: Rig, *, soft: float = 0.0) -> LimbTable:
    """The limbs of a rig. `soft` is the share of a limb's length, from 0 to 0.2, short of full reach
    from where on it gives way softly: it then never snaps straight, and misses what lies there."""
    from ..kernels.limb import LimbTable

    if not 0.0 <= soft <= 0.2:
        raise InputError(f"soft must be a share of the limb's length from 0 to 0.2, but is {soft}")
    lengths = []
    for limb in rig.limbs:
        j, length = limb.end, 0.0
        while j != limb.root:
            length += float(np.linalg.norm(skeleton.offsets[j]))
            j = int(skeleton.parents[j])
        lengths.append(length)
    count, most = len(rig.limbs), np.array(lengths)
    whole = [
        np.array([getattr(limb, k) for limb in rig.limbs], dtype=np.int64) for k in ("root", "hinge", "end")
    ]
    for array in whole:
        array.flags.writeable = False
    axes = np.array([limb.hinge_axis for limb in rig.limbs]).reshape(count, 3)
    cosines = np.tile(np.cos([LEAST_ANGLE, STRAIGHT]), (count, 1))
    return LimbTable(
        whole[0], whole[1], whole[2], owned(axes), owned(cosines), owned(most), owned(soft * most)
    )


def with_limits(table: LimbTable, skeleton: Skeleton, limits: JointLimits) -> LimbTable:
    """The table with the ranges of its hinges as their joints' limits leave them."""
    cosines = np.array(table.cosine)
    turns = np.radians(np.arange(-180.0, 180.0, 0.25))
    for i in range(len(cosines)):
        j = int(table.hinge[i])
        if limits.kind[j] == 0:
            continue
        axis = np.array(table.axis[i])
        alone = limits.of(j)
        fine = alone.excess(exp(turns[:, None] * axis)[:, None])[:, 0] <= 1e-9
        straight = _straight_turn(skeleton, table, i)
        # φ of every turn: straight is π, bending positively lessens it
        phi = math.pi - ((turns - straight + math.pi) % (2.0 * math.pi) - math.pi)
        bent = fine & (phi <= math.pi) & (phi > 0.0)
        if bent.any():
            least = max(LEAST_ANGLE, float(phi[bent].min()))
            cosines[i] = math.cos(least), math.cos(float(phi[bent].max()))
    return table._replace(cosine=owned(cosines))


def _straight_turn(skeleton: Skeleton, table: LimbTable, i: int) -> float:
    """How far the hinge must turn from its rest for the limb to be straight, radians."""
    axis, h, e = np.array(table.axis[i]), int(table.hinge[i]), int(table.end[i])

    def way(joint: int, top: int) -> FloatArray:
        total = np.zeros(3)
        while joint != top:
            total = total + skeleton.offsets[joint]
            joint = int(skeleton.parents[joint])
        return np.asarray(total)

    back, ahead = -way(h, int(table.root[i])), way(e, h)
    back, ahead = back - (back @ axis) * axis, ahead - (ahead @ axis) * axis
    now = math.atan2(float(axis @ np.cross(back, ahead)), float(back @ ahead))
    return -math.pi - now if now < 0 else math.pi - now


def served(work: Work) -> tuple[list[Served], list[int]]:
    """(limb, goal of place, goal of orientation or -1) for the limbs whose ends have goals of place,
    and the other goals, by their numbers in the table."""
    goals = work.problem.goals
    ends = {limb.end: i for i, limb in enumerate(work.rig.limbs)}
    places: dict[int, int] = {}
    turns: dict[int, int] = {}
    for g in range(len(goals.kind)):
        limb = ends.get(int(goals.joint[g]))
        if limb is not None and goals.kind[g] == 0 and limb not in places:
            places[limb] = g
        elif limb is not None and goals.kind[g] == 1 and limb not in turns:
            turns[limb] = g
    found = [(i, g, turns.get(i, -1)) for i, g in sorted(places.items())]
    taken = {g for _, a, b in found for g in (a, b)}
    return found, [g for g in range(len(goals.kind)) if g not in taken]


def limb_only(work: Work) -> None:
    """Each limb reaches as far as it can; the trunk stays as it is."""
    found, others = served(work)
    if others:
        raise InputError(
            "solver 'limb' serves one place and one orientation of each hand and foot, and nothing "
            "else; use hybrid or full_body"
        )
    p = work.problem
    table = with_limits(limb_table(work.skeleton, work.rig), work.skeleton, work.joint_limits)
    kernels.settling.limbs_frames(
        p.tree, work.limits, p.goals, table, whole(found, 3), p.rigidity, p.place_unit, p.turn_unit,
        work.root0, work.rotations0, work.root, work.rotations, work.residuals, work.facts, p.frames,
        work.first, work.stop,
    )  # fmt: skip


def whole(rows: Sequence[Sequence[int]], width: int) -> IntArray:
    """Rows of whole numbers, read-only."""
    array = np.array(rows, dtype=np.int64).reshape(-1, width)
    array.flags.writeable = False
    return array
