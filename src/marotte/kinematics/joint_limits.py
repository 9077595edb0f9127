"""How far each joint of a figure may turn, as the kernels take it: the limits that its file brings.

Joints without rotation channels do not turn at all, which is a matter of their degrees of freedom.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..figure import FloatArray, Skeleton
from ..figure._arrays import IntArray, owned
from ..figure.skeleton import AXES

if TYPE_CHECKING:
    from ..kernels.limits import Limits

Which = Literal["own", "none"]


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


def joint_limits(skeleton: Skeleton, which: Which = "own") -> JointLimits:
    """The limits of a figure: its file's own, or none."""
    empty = no_limits(skeleton)
    if which == "none":
        return empty
    kind, order = np.array(empty.kind), np.array(empty.order)
    bounds, pre, post = np.array(empty.bounds), np.array(empty.pre), np.array(empty.post)
    if skeleton.limits is not None:
        for j in range(len(skeleton)):
            if np.isfinite(skeleton.limits[j]).any():
                axes = _axes(skeleton.order(j))
                kind[j], order[j] = 1, axes
                bounds[j] = skeleton.limits[j][axes]
                for k in range(3):
                    if AXES[axes[k]] not in skeleton.order(j):
                        bounds[j, k] = -np.inf, np.inf  # no degree of freedom: nothing to bound
                if skeleton.channel_axes is not None:
                    c = skeleton.channel_axes[j]
                    pre[j], post[j] = c * [1, -1, -1, -1], c
    return JointLimits(_ints(kind), _ints(order), owned(bounds), owned(pre), owned(post))


def _axes(order: str) -> list[int]:
    """Three different axes, those of the order first."""
    named = [AXES.index(c) for c in dict.fromkeys(order)]
    return named + [k for k in range(3) if k not in named]


def _ints(values: object) -> IntArray:
    array = np.array(values, dtype=np.int64)
    array.flags.writeable = False
    return array
