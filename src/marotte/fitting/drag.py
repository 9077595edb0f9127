"""Direct manipulation: a point of a pose is pulled somewhere, and the frames around follow (LS99 4.4).

What is pulled is a goal at one frame. Its displacement goes through levels of B-splines as in
Algorithm 1, but only at pulled frames poses are solved, and only frames that the knots reach are
worked out again: a drag costs as much as its reach, not as the take.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import kernels
from ..errors import InputError
from ..figure import FloatArray, Motion
from ..figure._arrays import check_finite, owned
from ..figure.rotations import rotate
from ..figure.signals import PointLike, resolve_point
from ..kinematics import Goal, JointLimits, Place, Position, joint_limits, solve
from ..kinematics.joint_limits import Which
from ..kinematics.problem import freedoms
from .bsplines import control_count

SPACINGS = (64, 32, 16, 8, 4, 2, 1)
"""Frames between knots that a pull may have; it uses its own and all finer ones."""
_MET = 1e-4  # of the height: a goal that is off by less is met
_KNEES = ("left_lower_leg", "right_lower_leg")


@dataclass(frozen=True, slots=True, eq=False)
class Pull:
    """A point that is held somewhere at one frame."""

    point: PointLike
    frame: int
    to: FloatArray
    """(3,) world, metres."""
    spacing: int
    """Frames between knots of its coarsest level."""

    @property
    def range(self) -> tuple[int, int]:
        """First and last frame that it can move, the take's ends aside: just under four knots away."""
        return reach(self.frame, self.spacing)


def reach(frame: int, spacing: float) -> tuple[int, int]:
    """First and last frame that a pull at a frame can move at a spacing (LS99 4.4): its four control
    points, three on a knot, reach two knots further on either side."""
    knot = int(np.floor(frame / spacing))
    touched = 3 if frame == knot * spacing else 4
    return int(np.floor((knot - 3) * spacing)) + 1, int(np.ceil((knot + touched) * spacing)) - 1


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """One spacing: what pulled frames are displaced by, and the curve through it."""

    data: FloatArray  # (N, D) of those frames that have pulls of this spacing or a wider one
    control: FloatArray | None  # (K, D); None where nothing is displaced


@dataclass(frozen=True, slots=True, eq=False)
class Drag:
    """A take and what is pulled in it. A value: every pull gives a new one, undo is keeping the old.

        drag = Drag.of(walk)
        drag = drag.pull("right_hand", 40, (0.3, 1.4, 0.5), spacing=16)
        drag.changed, drag.motion

    Parts that rest at a pulled frame, by the take's contacts, stay in their places at that frame.
    """

    base: Motion
    pulls: tuple[Pull, ...]
    """In the order of their frames."""
    changed: tuple[int, int]
    """First and last frame that differ from the drag before; (0, -1) where none does."""
    root: FloatArray
    """(F, 3) as displaced."""
    rotations: FloatArray
    """(F, J, 4) as displaced."""
    _levels: Mapping[int, _Level] = field(repr=False)
    _set: _Settings = field(repr=False)

    @classmethod
    def of(
        cls,
        motion: Motion,
        *,
        limits: Which | JointLimits = "own",
        rigidity: Mapping[str | int, float] | ArrayLike | None = None,
        hold: bool = True,
    ) -> Drag:
        """Nothing pulled yet. `hold` keeps what rests at a pulled frame in its place there."""
        if motion.translations is not None:
            raise InputError("joints that move against their bones cannot be fitted; drop their translations")
        if not len(motion):
            raise InputError("a motion must have frames for something to be pulled")
        bounds = (
            limits if isinstance(limits, JointLimits) else joint_limits(motion.skeleton, limits, motion.rig)
        )
        met = _MET * motion.skeleton.height
        settings = _Settings(freedoms(motion.skeleton, motion.rig), bounds, rigidity, hold, met)
        return cls(motion, (), (0, -1), motion.root, motion.rotations, {}, settings)

    @property
    def motion(self) -> Motion:
        """The displaced motion."""
        return self.base.with_(root=self.root, rotations=self.rotations)

    def pull(self, point: PointLike, frame: int, to: ArrayLike, *, spacing: int = 16) -> Drag:
        """The drag with a point brought to a place (3,), world metres, at one frame.

        Where that point is pulled at that frame already, this replaces it. `spacing` is how far the
        change reaches: nearly four times as many frames (`reach`). A place that cannot be reached is come
        near to.
        """
        if not 0 <= frame < len(self.base):
            raise InputError(f"frame must lie in 0 to {len(self.base) - 1}, but is {frame}")
        if spacing not in SPACINGS:
            raise InputError(f"spacing must be one of {', '.join(map(str, SPACINGS))}, but is {spacing}")
        place = np.array(to, dtype=np.float64)
        if place.shape != (3,):
            raise InputError(f"to must be a place (3,), but has shape {place.shape}")
        check_finite("to", place)
        at = resolve_point(self.base, point)
        kept = [p for p in self.pulls if p.frame != frame or not _same(resolve_point(self.base, p.point), at)]
        new = Pull(point, int(frame), owned(place), int(spacing))
        return self._with(sorted([*kept, new], key=lambda p: p.frame), frame)

    def release(self, point: PointLike, frame: int) -> Drag:
        """The drag without the pull of a point at a frame."""
        at = resolve_point(self.base, point)
        kept = [p for p in self.pulls if p.frame != frame or not _same(resolve_point(self.base, p.point), at)]
        if len(kept) == len(self.pulls):
            pulled = sorted({p.frame for p in self.pulls})
            raise InputError(f"{point!r} is not pulled at frame {frame}; pulls are at frames {pulled}")
        return self._with(kept, frame)

    # ---- levels

    def _with(self, pulls: Sequence[Pull], frame: int) -> Drag:
        """What comes out with these pulls, which differ from those before at one frame."""
        widest = {f: max(p.spacing for p in pulls if p.frame == f) for f in {p.frame for p in pulls}}
        old_widest = {f: max(p.spacing for p in self.pulls if p.frame == f) for f in self._frames()}
        work = _Update(self, pulls)
        levels: dict[int, _Level] = {}
        window: tuple[float, float] | None = None
        for spacing in SPACINGS:
            frames = sorted(f for f, s in widest.items() if s >= spacing)
            before = sorted(f for f, s in old_widest.items() if s >= spacing)
            level, window = work.level(spacing, frames, before, frame, window)
            if level is not None:
                levels[spacing] = level
        root, rotations, changed = work.applied(levels, window)
        return replace(
            self, pulls=tuple(pulls), changed=changed, root=root, rotations=rotations, _levels=levels
        )

    def _frames(self) -> list[int]:
        return sorted({p.frame for p in self.pulls})


@dataclass(frozen=True, slots=True, eq=False)
class _Settings:
    tree: Any
    bounds: JointLimits
    rigidity: Mapping[str | int, float] | ArrayLike | None
    hold: bool
    met: float
    """Metres; what is off by less is met."""


@dataclass(slots=True, eq=False)
class _Update:
    """One change of the pulls, level by level from coarse to fine."""

    drag: Drag
    pulls: Sequence[Pull]
    poses: dict[int, tuple[FloatArray, FloatArray]] = field(default_factory=dict)
    """Root (3,) and rotations (J, 4) of pulled frames after the levels so far."""

    def level(
        self,
        spacing: int,
        frames: list[int],
        before: list[int],
        frame: int,
        window: tuple[float, float] | None,
    ) -> tuple[_Level | None, tuple[float, float] | None]:
        """The level anew, and the frames that differ after it."""
        old = self.drag._levels.get(spacing)
        for f in {p.frame for p in self.pulls}:
            self.poses.setdefault(f, (self.drag.base.root[f], self.drag.base.rotations[f]))
        stale = [
            f
            for f in frames
            if f == frame or f not in before or (window is not None and window[0] < f < window[1])
        ]
        total = self.drag._set.tree.total
        data = np.zeros((len(frames), total))
        if old is not None:
            for n, f in enumerate(frames):
                if f in before and f not in stale:
                    data[n] = old.data[before.index(f)]
        if stale:
            data[[frames.index(f) for f in stale]] = self._solved(stale)
        moved = [*stale, *([frame] if frame in before and frame not in frames else [])]
        control = None if old is None else old.control
        if moved:
            control, window = self._refitted(spacing, frames, data, control, moved, window)
        level = _Level(owned(data), control) if frames and control is not None else None
        if level is not None:
            self._move(spacing, level)
        return level, window

    def _refitted(
        self,
        spacing: int,
        frames: list[int],
        data: FloatArray,
        control: FloatArray | None,
        moved: list[int],
        window: tuple[float, float] | None,
    ) -> tuple[FloatArray | None, tuple[float, float] | None]:
        count, total = control_count(len(self.drag.base), spacing), data.shape[1]
        if control is None and not data.any():
            return None, window
        # control points near the data that changed, and the frames that these reach
        first = max(0, min(moved) // spacing)
        stop = min(count, max(moved) // spacing + (4 if max(moved) % spacing else 3))
        made = np.zeros((count, total)) if control is None else np.array(control)
        times = np.array(frames, dtype=np.float64)
        kernels.bsplines.fit_level(
            times, np.ascontiguousarray(data), float(spacing), first, stop, np.empty(count), made
        )
        reached: tuple[float, float] = ((first - 3) * spacing, stop * spacing)
        if window is not None:
            reached = (min(reached[0], window[0]), max(reached[1], window[1]))
        return owned(made), reached

    def _solved(self, frames: Sequence[int]) -> FloatArray:
        """(N, D) by how much poses at frames must be displaced to meet what is pulled there."""
        base, settings = self.drag.base, self.drag._set
        out = np.zeros((len(frames), settings.tree.total))
        off = [n for n, f in enumerate(frames) if self._off(f)]
        if not off:
            return out
        root = owned(np.stack([self.poses[frames[n]][0] for n in off]))
        rotations = owned(np.stack([self.poses[frames[n]][1] for n in off]))
        few = base.with_(root=root, rotations=rotations, contacts=None)
        goals: list[Goal] = []
        for k, n in enumerate(off):
            own = [p for p in self.pulls if p.frame == frames[n]]
            goals += [Position(point=p.point, to=p.to, frames=(k, k)) for p in own]
            if settings.hold:
                goals += self._held(frames[n], k, {resolve_point(base, p.point).joint for p in own})
        done = solve(
            few, goals, limits=settings.bounds, rigidity=settings.rigidity, tolerance=1e-5, threads=1
        )
        some = np.empty((len(off), settings.tree.total))
        kernels.displacing.displacements(
            settings.tree, done.motion.root, done.motion.rotations, root, rotations, some
        )
        out[off] = some
        return out

    def _off(self, frame: int) -> bool:
        """Whether anything pulled at a frame is not where it is pulled to."""
        base = self.drag.base
        root, rotations = self.poses[frame]
        positions, orientations = np.empty((1, *rotations.shape[:1], 3)), np.empty((1, *rotations.shape))
        kernels.forward.place_frames(
            base.skeleton.parents, base.skeleton.offsets, np.ascontiguousarray(root[None]),
            np.ascontiguousarray(rotations[None]), positions, orientations, 0, 1,
        )  # fmt: skip
        for p in self.pulls:
            if p.frame == frame:
                at = resolve_point(base, p.point)
                place = positions[0, at.joint] + rotate(orientations[0, at.joint], np.array(at.offset))
                if np.linalg.norm(place - p.to) > self.drag._set.met:
                    return True
        return False

    def _held(self, frame: int, n: int, pulled: set[int]) -> list[Goal]:
        """Goals that keep what rests at a frame in its place there, unless it is what is pulled."""
        base = self.drag.base
        resting = [c for c in base.contacts or () if c.first <= frame <= c.last]
        if not resting:
            return []
        positions, orientations = base[frame : frame + 1].world()
        goals: list[Goal] = []
        for c in resting:
            joint = base.rig.get(c.role)
            if joint is None or joint in pulled:
                continue
            if c.role in _KNEES:
                goals.append(Position(point=joint, to=positions[0, joint], frames=(n, n)))
            else:
                goals.append(
                    Place(point=joint, to=positions[0, joint], turned=orientations[0, joint], frames=(n, n))
                )
        return goals

    def _move(self, spacing: int, level: _Level) -> None:
        """The poses of pulled frames after a level."""
        frames = sorted(self.poses)
        root = np.stack([self.poses[f][0] for f in frames])
        rotations = np.stack([self.poses[f][1] for f in frames])
        steps = self._steps(spacing, level, np.array(frames, dtype=np.float64))
        kernels.displacing.move_frames(self.drag._set.tree, steps, root, rotations, 0, len(frames))
        for n, f in enumerate(frames):
            self.poses[f] = (root[n], rotations[n])

    def _steps(self, spacing: int, level: _Level, times: FloatArray) -> FloatArray:
        assert level.control is not None
        out = np.empty((len(times), level.control.shape[1]))
        kernels.bsplines.evaluate(level.control, float(spacing), times, out)
        return out

    def applied(
        self, levels: Mapping[int, _Level], window: tuple[float, float] | None
    ) -> tuple[FloatArray, FloatArray, tuple[int, int]]:
        """The motion's arrays with the frames of the window worked out again."""
        drag = self.drag
        if window is None:
            return drag.root, drag.rotations, (0, -1)
        first = max(0, int(np.floor(window[0])) + 1)
        stop = min(len(drag.base), int(np.ceil(window[1])))
        times = np.arange(first, stop, dtype=np.float64)
        root, rotations = np.array(drag.base.root[first:stop]), np.array(drag.base.rotations[first:stop])
        for spacing in SPACINGS:
            if spacing in levels:
                steps = self._steps(spacing, levels[spacing], times)
                kernels.displacing.move_frames(drag._set.tree, steps, root, rotations, 0, len(times))
        whole, turned = np.array(drag.root), np.array(drag.rotations)
        whole[first:stop], turned[first:stop] = root, rotations
        return owned(whole), owned(turned), (first, stop - 1)


def _same(a: Any, b: Any) -> bool:
    return bool(a.joint == b.joint and np.allclose(a.offset, b.offset))
