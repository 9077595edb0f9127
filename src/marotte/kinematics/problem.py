"""A problem as the kernels take it: the figure's degrees of freedom, the goals as tables, what a
change of pose costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..figure import FloatArray, Motion, Rig, Skeleton
from ..figure._arrays import IntArray, check_finite, owned
from ..figure.mass import body_mass
from ..figure.rotations import rotate
from ..figure.signals import PointLike, resolve_joint, resolve_point
from .goals import Angle, Balance, Distance, Goal, Look, Orientation, Place, Position

if TYPE_CHECKING:
    from ..kernels.goals import Goals, Tree

# Goals weigh this much more than changes of the pose: 1 is a radian of every joint against being
# off by the whole height of the figure.
HARD = 1e6
# Moving the root by this share of the height changes the pose as much as a radian of a joint does.
ROOT_SHARE = 0.25
# A radian off a goal's orientation counts as much as being off its place by this share of the height.
TURN_SHARE = 0.15
# No degree of freedom is quite free, or nothing would say where it should be.
_LEAST_RIGIDITY = 1e-6
_RELATIONS = {"equal": 0, "at_least": 1, "at_most": -1}


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Everything that a solver needs besides the reference."""

    tree: Tree
    goals: Goals
    given: tuple[Goal, ...]
    rows_of: tuple[tuple[int, ...], ...]
    """For every given goal, the goals of the table that it became."""
    rigidity: FloatArray
    """(D,) what a metre of the root, a radian of a joint, costs (LS99 eq. 4)."""
    height: float
    """Of the figure, metres."""
    frames: IntArray
    """(N,) those at which any goal holds."""

    @property
    def place_unit(self) -> float:
        """What being off by a metre weighs."""
        return HARD / self.height**2

    @property
    def turn_unit(self) -> float:
        """What being off by a radian weighs."""
        return HARD * TURN_SHARE**2

    @property
    def scale(self) -> FloatArray:
        """(R,) metres that a unit of each row stands for: 1, or of turns a share of the height."""
        out = np.ones(self.goals.rows)
        for g in range(len(self.goals.kind)):
            if self.goals.kind[g] in (1, 2, 5):
                first = self.goals.row[g]
                out[first : first + (1 if self.goals.kind[g] == 5 else 3)] = TURN_SHARE * self.height
        return out


def freedoms(skeleton: Skeleton, rig: Rig, *, root_moves: bool = True) -> Tree:
    """A figure's degrees of freedom: those of its channels."""
    from ..kernels.goals import Tree

    count = len(skeleton)
    first, number = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    axes = np.zeros((count, 2, 3))
    at = place = 3 if root_moves else 0
    for j in range(count):
        letters = list(dict.fromkeys(skeleton.order(j)))
        first[j], number[j] = at, len(letters)
        at += len(letters)
        if len(letters) < 3:
            for k, letter in enumerate(letters):
                axis = np.eye(3)["XYZ".index(letter)]
                if skeleton.channel_axes is not None:
                    axis = rotate(skeleton.channel_axes[j], axis)
                axes[j, k] = axis
    mass = body_mass(skeleton, rig)
    parents = skeleton.parents
    return Tree(
        parents, skeleton.offsets, _whole(first), _whole(number), owned(axes), mass.shares, mass.centres,
        place, at,
    )  # fmt: skip


def rigidities(
    skeleton: Skeleton, tree: Tree, given: Mapping[str | int, float] | ArrayLike | None, motion: Motion
) -> FloatArray:
    """(D,) of `given`: by joint or role, with "root" for the root's place; 1 where nothing is said."""
    joints = np.ones(len(skeleton))
    root = 1.0
    if isinstance(given, Mapping):
        for name, value in given.items():
            if name == "root":
                root = float(value)
            else:
                joints[resolve_joint(motion, name)] = float(value)
    elif given is not None:
        joints = np.array(given, dtype=np.float64)
        if joints.shape != (len(skeleton),):
            raise InputError(f"rigidity must be one number a joint ({len(skeleton)}), but is {joints.shape}")
    if not (np.isfinite(joints).all() and np.isfinite(root) and joints.min() >= 0 and root >= 0):
        raise InputError("rigidity must be finite numbers from 0 up")
    out = np.empty(tree.total)
    out[: tree.place] = root / (ROOT_SHARE * skeleton.height) ** 2
    for j in range(len(skeleton)):
        out[tree.first[j] : tree.first[j] + tree.count[j]] = joints[j]
    return owned(np.maximum(out, _LEAST_RIGIDITY))


def pose_problem(
    motion: Motion,
    goals: Sequence[Goal],
    *,
    rigidity: Mapping[str | int, float] | ArrayLike | None = None,
    root_moves: bool = True,
) -> Problem:
    """Goals on a motion as a problem; bad input is an error that says which goal it is of."""
    tree = freedoms(motion.skeleton, motion.rig, root_moves=root_moves)
    height = motion.skeleton.height
    if height <= 0.0:
        raise InputError("the figure must have a size, but all its joints lie in one point")
    table = _Table(motion)
    rows_of = []
    for number, goal in enumerate(goals):
        before = len(table.kind)
        try:
            table.add(goal)
        except InputError as problem:
            raise InputError(f"goal {number} ({type(goal).__name__}): {problem}") from None
        rows_of.append(tuple(range(before, len(table.kind))))
    built = table.build()
    active = np.flatnonzero((built.weight > 0).any(axis=1)) if len(built.kind) else np.zeros(0)
    return Problem(
        tree=tree,
        goals=built,
        given=tuple(goals),
        rows_of=tuple(rows_of),
        rigidity=rigidities(motion.skeleton, tree, rigidity, motion),
        height=height,
        frames=_whole(active),
    )


class _Table:
    """Collects goals row by row."""

    def __init__(self, motion: Motion) -> None:
        self.motion = motion
        self.kind: list[int] = []
        self.joint: list[int] = []
        self.other: list[int] = []
        self.relation: list[int] = []
        self.offset: list[FloatArray] = []
        self.aim: list[FloatArray] = []
        self.target: list[FloatArray] = []
        self.anchor: list[FloatArray] = []
        self.weight: list[FloatArray] = []
        self.support: FloatArray | None = None

    def add(self, goal: Goal) -> None:
        if isinstance(goal, Position):
            self._row(0, goal, goal.point, self._vectors("to", goal.to, 3))
        elif isinstance(goal, Orientation):
            self._row(1, goal, goal.joint, self._turns("to", goal.to))
        elif isinstance(goal, Place):
            self._row(0, goal, goal.point, self._vectors("to", goal.to, 3))
            joint = resolve_point(self.motion, goal.point).joint
            self._row(1, goal, joint, self._turns("turned", goal.turned))
        elif isinstance(goal, Look):
            along = self._unit("along", goal.along)
            self._row(2, goal, goal.point, self._vectors("at", goal.at, 3), aim=along)
        elif isinstance(goal, Distance):
            self._distance(goal)
        elif isinstance(goal, Balance):
            self._balance(goal)
        elif isinstance(goal, Angle):
            radians = self._vectors("radians", np.asarray(goal.radians, dtype=np.float64)[..., None], 1)
            aim = self._unit("axis", goal.axis)
            self._row(5, goal, goal.joint, radians, aim=aim, relation=goal.relation)
        else:
            raise InputError(f"a goal must be one of this room's, but is {goal!r}")

    def _distance(self, goal: Distance) -> None:
        metres = self._vectors("metres", np.asarray(goal.metres, dtype=np.float64)[..., None], 1)
        if (metres < 0).any():
            raise InputError("metres must be 0 or more")
        anchor, aim, other = np.zeros((1, 3)), np.zeros(3), -1
        if isinstance(goal.b, np.ndarray):
            anchor = self._vectors("b", goal.b, 3)
        else:
            point = resolve_point(self.motion, goal.b)
            other, aim = point.joint, np.array(point.offset)
        self._row(3, goal, goal.a, metres, aim=aim, other=other, anchor=anchor, relation=goal.relation)

    def _balance(self, goal: Balance) -> None:
        if self.support is not None:
            raise InputError("there may be one goal of balance, but this is the second")
        if goal.support is None:
            self.support = _standing_area(self.motion)
        else:
            self.support = np.asarray(goal.support, dtype=np.float64)
        if self.support.ndim not in (2, 3) or self.support.shape[-1] != 2 or self.support.shape[-2] < 1:
            raise InputError(f"support must be corners (K, 2) or (F, K, 2), but is {self.support.shape}")
        check_finite("support", self.support)
        self._row(4, goal, 0, np.zeros((1, 1)))

    def _row(
        self,
        kind: int,
        goal: Goal,
        point: PointLike,
        target: FloatArray,
        *,
        aim: FloatArray | None = None,
        other: int = -1,
        anchor: FloatArray | None = None,
        relation: str = "equal",
    ) -> None:
        frames = len(self.motion)
        at = resolve_point(self.motion, point)
        check_finite("the point's offset", np.array(at.offset))
        if relation not in _RELATIONS:
            raise InputError(f"relation must be one of {', '.join(_RELATIONS)}, but is {relation!r}")
        wide = np.zeros((frames, 4))
        wide[:, : target.shape[1]] = target
        weight = np.array(goal.weight, dtype=np.float64)
        if weight.ndim and len(weight) != frames:
            raise InputError(
                f"weight must be one number or one a frame ({frames}), but there are {len(weight)}"
            )
        weight = np.broadcast_to(weight, (frames,)).copy()
        if goal.frames is not None:
            first, last = goal.frames
            if last >= frames:
                raise InputError(f"frames must lie in 0 to {frames - 1}, but are {first} to {last}")
            weight[:first] = 0.0
            weight[last + 1 :] = 0.0
        self.kind.append(kind)
        self.joint.append(at.joint)
        self.other.append(other)
        self.relation.append(_RELATIONS[relation])
        self.offset.append(np.array(at.offset))
        self.aim.append(np.zeros(3) if aim is None else aim)
        self.target.append(wide)
        self.anchor.append(np.broadcast_to(np.zeros((1, 3)) if anchor is None else anchor, (frames, 3)))
        self.weight.append(weight)

    def _vectors(self, name: str, value: Any, size: int) -> FloatArray:
        frames = len(self.motion)
        array = np.asarray(value, dtype=np.float64)
        if array.shape not in ((size,), (frames, size)):
            raise InputError(
                f"{name} must have shape ({size},) or ({frames}, {size}), but has {array.shape}"
                if size > 1
                else f"{name} must be one number or one a frame ({frames}), but has shape {array.shape[:-1]}"
            )
        check_finite(name, array)
        return array.reshape(-1, size)

    def _turns(self, name: str, value: Any) -> FloatArray:
        array = self._vectors(name, value, 4)
        off = np.abs(np.linalg.norm(array, axis=1) - 1.0)
        if (off > 1e-6).any():
            worst = int(np.argmax(off))
            raise InputError(
                f"{name} must be unit quaternions (w, x, y, z), but that of frame {worst} has length "
                f"{np.linalg.norm(array[worst]):.6g}"
            )
        return array

    def _unit(self, name: str, value: Any) -> FloatArray:
        array = np.asarray(value, dtype=np.float64)
        if array.shape != (3,):
            raise InputError(f"{name} must have shape (3,), but has {array.shape}")
        check_finite(name, array)
        length = float(np.linalg.norm(array))
        if length < 1e-9:
            raise InputError(f"{name} must be a direction, but has no length")
        return np.asarray(array / length)

    def build(self) -> Goals:
        from ..kernels.goals import ROWS, Goals

        frames, count = len(self.motion), len(self.kind)
        sizes = [ROWS[k] for k in self.kind]
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64) if count else np.zeros(1)
        support, corners = _areas(self.support, frames)
        return Goals(
            kind=_whole(self.kind), joint=_whole(self.joint), other=_whole(self.other),
            row=_whole(starts[:count]), relation=_whole(self.relation),
            offset=_floats(self.offset, (count, 3)), aim=_floats(self.aim, (count, 3)),
            target=_by_frame(self.target, (frames, count, 4)),
            anchor=_by_frame(self.anchor, (frames, count, 3)),
            weight=_by_frame(self.weight, (frames, count)),
            support=support, corners=corners, rows=int(starts[-1]),
        )  # fmt: skip


def _standing_area(motion: Motion) -> FloatArray:
    """(F, K, 2) corners under the soles that rest, at every frame; the lower foot's at least."""
    soles = motion.rig.soles
    if not soles:
        raise InputError("support must be given, since this figure has no feet that are known")
    positions, orientations = motion.world()
    half = 0.025 * motion.skeleton.height  # of a foot's breadth
    points = []
    for sole in soles:
        joints, offsets = list(sole.joints), np.array(sole.points)
        at = positions[:, joints] + rotate(orientations[:, joints], offsets)
        along = at[:, -1] - at[:, 0]
        across = np.stack([along[:, 2], np.zeros(len(motion)), -along[:, 0]], axis=1)
        across *= half / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
        points += [at + across[:, None], at - across[:, None]]
    every = np.concatenate(points, axis=1)
    low = every[..., 1].min(axis=1, keepdims=True)
    resting = every[..., 1] < low + 0.03 * motion.skeleton.height
    # corners that do not rest fall onto one that does, and add nothing to the area
    lowest = np.take_along_axis(every, every[..., 1].argmin(axis=1)[:, None, None], axis=1)
    return np.asarray(np.where(resting[..., None], every, lowest)[..., [0, 2]])


def _areas(support: FloatArray | None, frames: int) -> tuple[FloatArray, IntArray]:
    """Convex hulls (F, K, 2), counterclockwise in (x, z), and how many corners each has."""
    if support is None:
        return owned(np.zeros((frames, 1, 2))), _whole(np.zeros(frames))
    hulls = [_hull(points) for points in (support if support.ndim == 3 else support[None])]
    if support.ndim == 2:
        hulls = hulls * frames
    if len(hulls) != frames:
        raise InputError(f"support must be (K, 2) or ({frames}, K, 2), but is {support.shape}")
    most = max((len(h) for h in hulls), default=1)
    out = np.zeros((frames, most, 2))
    for f, hull in enumerate(hulls):
        out[f, : len(hull)] = hull
    return owned(out), _whole([len(h) for h in hulls])


def _hull(points: FloatArray) -> FloatArray:
    """The convex hull by Andrew's monotone chain, which takes points on a line and single ones too."""
    ordered = sorted(set(map(tuple, points.tolist())))
    if len(ordered) < 3:
        return np.array(ordered)

    def half(sequence: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
        chain: list[tuple[float, ...]] = []
        for p in sequence:
            while len(chain) > 1 and _left(chain[-2], chain[-1], p) <= 1e-15:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return np.array(half(ordered) + half(ordered[::-1]))


def _left(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _whole(values: Any) -> IntArray:
    array = np.array(values, dtype=np.int64)
    array.flags.writeable = False
    return array


def _floats(values: list[FloatArray], shape: tuple[int, ...]) -> FloatArray:
    return owned(np.array(values, dtype=np.float64).reshape(shape))


def _by_frame(values: list[FloatArray], shape: tuple[int, ...]) -> FloatArray:
    if not values:
        return owned(np.zeros(shape))
    return owned(np.ascontiguousarray(np.stack(values, axis=1)))
