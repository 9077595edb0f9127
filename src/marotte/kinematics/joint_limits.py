"""How far each joint of a figure may turn, as the kernels take it: the limits that its file brings,
or those of a human body.

Joints without rotation channels do not turn at all, which is a matter of their degrees of freedom.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..errors import InputError
from ..figure import FloatArray, Rig, Skeleton
from ..figure._arrays import IntArray, owned
from ..figure.human_limits import HumanLimit, Range, SwingCone, human_limits
from ..figure.rest import align_rest
from ..figure.rotations import exp, from_matrix, multiply, rotate
from ..figure.skeleton import AXES

if TYPE_CHECKING:
    from ..kernels.limits import Limits

Which = Literal["own", "human", "none"]
# An elbow or a knee may tilt so far sideways, radians: files cut joints by other axes than anatomy.
_PLAY = math.radians(5.0)


@dataclass(frozen=True, slots=True, eq=False)
class JointLimits:
    """Bounds of three angles a joint, in axes of the limit's own (kernels/limits.py)."""

    kind: IntArray
    """(J,) 0 free, 1 intrinsic angles about axes, 2 a cone for the bone and a range for its twist."""
    order: IntArray
    """(J, 3) axes of the intrinsic angles."""
    bounds: FloatArray
    """(J, 3, 2) least and greatest angle, radians."""
    pre: FloatArray
    """(J, 4) the limit is measured on pre · rotation · post."""
    post: FloatArray
    """(J, 4)"""

    def tables(self) -> Limits:
        """As the kernels take them."""
        from ..kernels.limits import Limits

        return Limits(self.kind, self.order, self.bounds, self.pre, self.post)

    def excess(self, rotations: FloatArray) -> FloatArray:
        """(F, J) how far rotations (F, J, 4) are beyond their limits, radians."""
        from .. import kernels

        out = np.empty(rotations.shape[:2])
        kernels.limits.excess_each(self.tables(), np.ascontiguousarray(rotations), out)
        return out

    def of(self, joint: int) -> JointLimits:
        """Those of one joint alone."""
        only = slice(joint, joint + 1)
        return JointLimits(
            self.kind[only], self.order[only], self.bounds[only], self.pre[only], self.post[only]
        )

    def __len__(self) -> int:
        return int((self.kind != 0).sum())


def no_limits(skeleton: Skeleton) -> JointLimits:
    """Every joint free."""
    count = len(skeleton)
    unit = np.zeros((count, 4))
    unit[:, 0] = 1.0
    bounds = np.zeros((count, 3, 2))
    bounds[..., 0], bounds[..., 1] = -np.inf, np.inf
    return JointLimits(
        kind=_ints(np.zeros(count)),
        order=_ints(np.tile([0, 1, 2], (count, 1))),
        bounds=owned(bounds),
        pre=owned(unit),
        post=owned(unit.copy()),
    )


def joint_limits(skeleton: Skeleton, which: Which = "own", rig: Rig | None = None) -> JointLimits:
    """The limits of a figure: its file's own, or none; or, with a rig, a human body's where the file
    has none. A joint with fewer than three axes has a range for each of them."""
    if which == "human" and rig is None:
        raise InputError("limits of a human body need the figure's rig; give it, or ask for 'own'")
    empty = no_limits(skeleton)
    if which == "none":
        return empty
    kind, order = np.array(empty.kind), np.array(empty.order)
    bounds, pre, post = np.array(empty.bounds), np.array(empty.pre), np.array(empty.post)

    def about_own_axes(j: int, ranges: FloatArray) -> None:
        """Bound joint j about its channels' axes by ranges (3, 2) for x, y and z."""
        axes = _axes(skeleton.order(j))
        kind[j], order[j], bounds[j] = 1, axes, ranges[axes]
        for k in range(3):
            if AXES[axes[k]] not in skeleton.order(j):
                bounds[j, k] = -np.inf, np.inf  # no degree of freedom: nothing to bound
        if skeleton.channel_axes is not None:
            c = skeleton.channel_axes[j]
            pre[j], post[j] = c * [1, -1, -1, -1], c

    if skeleton.limits is not None:
        for j in range(len(skeleton)):
            if np.isfinite(skeleton.limits[j]).any():
                about_own_axes(j, skeleton.limits[j])
    if which == "human" and rig is not None:
        rest = align_rest(skeleton, rig).joints
        for j, limit in human_limits(rig).items():
            letters = set(skeleton.order(j))
            if kind[j] != 0 or j == 0 or not letters:
                continue
            its_kind, its_bounds, before, after = _human(limit)
            # the turn against the part above, in the reference axes: A_parent · q · A⁻¹
            before = multiply(before, rest[skeleton.parents[j]])
            after = multiply(rest[j] * [1, -1, -1, -1], after)
            if len(letters) == 3:
                kind[j], bounds[j], pre[j], post[j] = its_kind, its_bounds, before, after
                continue
            ranges = np.tile([-np.inf, np.inf], (3, 1))
            for letter in letters:
                axis = np.eye(3)[AXES.index(letter)]
                if skeleton.channel_axes is not None:
                    axis = rotate(skeleton.channel_axes[j], axis)
                ranges[AXES.index(letter)] = _about(axis, its_kind, its_bounds, before, after)
            if np.isfinite(ranges).any():
                about_own_axes(j, ranges)
    return JointLimits(_ints(kind), _ints(order), owned(bounds), owned(pre), owned(post))


def _about(
    axis: FloatArray, kind: int, bounds: FloatArray, pre: FloatArray, post: FloatArray
) -> tuple[float, float]:
    """The range of turns about one axis that a limit of three angles allows, all others being 0.

    For joints with fewer than three axes, which cannot be brought back inside a cone: their range is
    that of turns about each axis alone. Of an elbow or a knee whose axis lies mostly along the
    bend (or the twist), only the bend (or the twist) counts; files cut them by slanted axes.
    """
    if kind == 1:
        # seen from the limit's axes a turn about `axis` is one about post⁻¹ axis
        along = np.abs(rotate(post * [1, -1, -1, -1], axis))
        counts = along > math.sqrt(0.5)
        if counts.any():
            bounds = np.where(counts[:, None], bounds, [-np.inf, np.inf])
    one = JointLimits(
        _ints([kind]), _ints([[0, 1, 2]]), owned(bounds[None]), owned(pre[None]), owned(post[None])
    )
    turns = np.radians(np.arange(-180.0, 180.0, 0.25))
    fine = one.excess(exp(turns[:, None] * axis)[:, None])[:, 0] <= 1e-9
    if not fine.any() or fine.all():
        return -math.inf, math.inf
    # the stretch of allowed turns about the one that is nearest to none
    at = int(np.argmin(np.where(fine, np.abs(turns), math.inf)))
    first = last = at
    while fine[(first - 1) % len(turns)] and first > at - len(turns):
        first -= 1
    while fine[(last + 1) % len(turns)] and last < first + len(turns) - 1:
        last += 1
    step = turns[1] - turns[0]
    return float(turns[at] + (first - at) * step), float(turns[at] + (last - at) * step)


def _human(limit: HumanLimit) -> tuple[int, FloatArray, FloatArray, FloatArray]:
    """Kind, bounds (3, 2), and what stands before and after the turn to bring it into the limit's axes."""
    bone = np.array(limit.bone)
    if isinstance(limit, SwingCone):
        x, y = np.array(limit.first_axis), np.array(limit.second_axis)
        ranges = [limit.first, limit.second]
        twist = limit.twist if np.cross(x, y) @ bone > 0.0 else -limit.twist
        kind, centre = 2, exp(np.array(limit.centre))
    else:  # bend, then what play there is sideways, then the twist
        x = np.array(limit.axis)
        y = np.cross(bone, x)
        ranges, twist = [limit.bend, Range(-_PLAY, _PLAY)], limit.twist
        kind, centre = 1, np.array([1.0, 0.0, 0.0, 0.0])
    axes = from_matrix(np.stack([x, y, np.cross(x, y)], axis=1))
    back = np.array([1, -1, -1, -1])
    bounds = np.array([[r.least, r.greatest] for r in (*ranges, twist)])
    return kind, bounds, multiply(axes * back, centre * back), axes


def _axes(order: str) -> list[int]:
    """Three different axes, those of the order first."""
    named = [AXES.index(c) for c in dict.fromkeys(order)]
    return named + [k for k in range(3) if k not in named]


def _ints(values: object) -> IntArray:
    array = np.array(values, dtype=np.int64)
    array.flags.writeable = False
    return array
