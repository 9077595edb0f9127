"""Mending: adjust where demands are missed, fade the change out around, look again (L97 5.3.3, 5.3.4).

Only a few frames of a missed stretch are solved first: where it is missed most, where it turns, and
where it is cut off. What lies between them follows. Then all frames are looked at again, and where
a demand is still missed a frame is added, so that no long stretch leaks and none freezes (L97 7.1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from ..figure import FloatArray, Motion
from ..figure._arrays import BoolArray, IntArray
from ..figure.channels import with_channels
from .adjusting import Adjuster, chosen, local_extremes
from .chains import chain, widened
from .demands import EQUAL, Bent, Demand, Wanted, World, wanted
from .fading import PATH, Faded, runs

Poses: TypeAlias = tuple[FloatArray, FloatArray]
"""Root (N, 3) and rotations (N, J, 4)."""
_ROUNDING = {"m": 5e-7, "deg": 5e-7, "rad": 5e-7 * np.pi / 180.0}
"""What does not count whatever a rule ignores: half of what detection leaves (detection.ROUNDING)."""
_ROUNDS = 8  # of one pattern's search, each from the places that the last one came to
_PASSES = 24
_DENSE_AFTER = 5  # passes; then every frame that is still missed is solved for
_SHORT = 12  # frames; of an equality that must hold for no longer, all frames are solved at once
_WORSE = 0.9  # what is left must become this much less in _STUCK passes, or they end
_STUCK = 4


@dataclass(slots=True, eq=False)
class Mending:
    """The state of mending one motion for some demands."""

    original: Motion
    demands: list[Demand]
    adjuster: Adjuster
    smooth: int
    neighbour: bool
    """Whether a search begins at the nearest smoothing frame's pose."""
    tolerances: list[float] = field(default_factory=list)
    keys: list[BoolArray] = field(default_factory=list)
    """(F,) for each demand, the frames that are solved for it."""
    needed: list[BoolArray] = field(default_factory=list)
    """(F,) for each demand, the stretches that were ever missed."""
    chains: list[tuple[int, ...]] = field(default_factory=list)
    moves: list[bool] = field(default_factory=list)
    """Whether the root's place moves for a demand."""
    passes: int = 0
    solved: int = 0
    """Poses that were solved for."""
    faded: Faded = field(init=False)

    def __post_init__(self) -> None:
        self.faded = Faded(self.original, self.smooth)
        given, self.demands = self.demands, []
        for demand in given:
            self._add(demand)

    def _add(self, demand: Demand) -> None:
        frames = len(self.original)
        self.demands.append(demand)
        self.keys.append(np.zeros(frames, dtype=np.bool_))
        self.needed.append(np.zeros(frames, dtype=np.bool_))
        if isinstance(demand, Bent):
            joints: tuple[int, ...] = (demand.point.joint,) if demand.unit == "deg" else ()
        else:
            beside = demand.turns or demand.point.offset != (0.0, 0.0, 0.0)
            joints = chain(self.original, demand.point.joint, itself=beside)
            if demand.turns:  # what must turn turns itself; only where its limits forbid that, the others
                joints = joints[:1] or (demand.point.joint,)
        self.chains.append(joints)
        self.moves.append(not joints)
        self.tolerances.append(demand.ignored + _ROUNDING[demand.unit])

    # ---- the loop

    def run(self, tell: Callable[[float, str], None]) -> Motion:
        """The motion mended as far as it goes."""
        motion = self.original
        best, best_left, since = motion, np.inf, 0
        for number in range(_PASSES):
            world = World(motion)
            misses = [d.misses(world) for d in self.demands]
            left = [
                float(m.max(initial=0.0)) / t if m.max(initial=0.0) > t else 0.0
                for m, t in zip(misses, self.tolerances, strict=True)
            ]
            worst = max(left, default=0.0)
            if worst < best_left:
                since = 0 if worst < _WORSE * best_left else since + 1
                best, best_left = motion, worst
            else:
                since += 1
            if worst == 0.0 or since > _STUCK + (_DENSE_AFTER if number < _DENSE_AFTER else 0):
                break
            tell(number / _PASSES, f"mending, pass {number + 1}")
            self._choose(number, misses, world)
            motion = self._pass(motion, world)
            self.passes = number + 1
        return best

    @property
    def touched(self) -> BoolArray:
        """(F,) frames that lie in a mended stretch or where it fades out."""
        out = np.zeros(len(self.original), dtype=np.bool_)
        for needed in self.needed:
            for begin, end in runs(needed):
                out[max(0, begin - self.smooth + 1) : end + self.smooth] = True
        return out

    def _choose(self, number: int, misses: Sequence[FloatArray], world: World) -> None:
        """New keys where demands are missed."""
        for r, (demand, miss) in enumerate(zip(self.demands, misses, strict=True)):
            bad = miss > self.tolerances[r]
            if not bad.any():
                continue
            if demand.relation == EQUAL and number == 0:
                bad = _whole_runs(demand.held, bad)
            for begin, end in runs(bad):
                self.needed[r][begin : end + 1] = True
                if number >= _DENSE_AFTER or (demand.relation == EQUAL and (number or end - begin < _SHORT)):
                    self.keys[r][begin : end + 1] = True
                    continue
                if demand.relation == EQUAL:
                    self.keys[r][begin : end + 1] = True
                    continue
                inside = miss[begin : end + 1]
                self.keys[r][begin + int(inside.argmax())] = True
                self.keys[r][begin : end + 1] |= local_extremes(inside)
                # where a condition or the take's end cuts the stretch, it ends as abruptly (fig. 5.13)
                if begin == 0 or not demand.held[begin - 1]:
                    self.keys[r][begin] = True
                if end == len(miss) - 1 or not demand.held[end + 1]:
                    self.keys[r][end] = True

    def _pass(self, motion: Motion, world: World) -> Motion:
        """Solve all keys anew from where they are now, and fade."""
        active = np.array(self.keys)
        count = active.sum(axis=0)
        at = np.flatnonzero(count)
        if not len(at):
            return motion
        patterns, which = np.unique(active[:, at], axis=1, return_inverse=True)
        for p in range(patterns.shape[1]):
            self._solve(motion, at[which.reshape(-1) == p], np.flatnonzero(patterns[:, p]).tolist())
        return self.faded.motion(self._groups())

    def _groups(self) -> dict[tuple[int, ...], tuple[BoolArray, BoolArray]]:
        """Joints that have their keys in common, with those and with what must be mended."""
        users: dict[int, list[int]] = {}
        for r, joints in enumerate(self.chains):
            for j in (*joints, *((PATH,) if self.moves[r] else ())):
                users.setdefault(j, []).append(r)
        groups: dict[tuple[int, ...], list[int]] = {}
        for j, rules in users.items():
            groups.setdefault(tuple(rules), []).append(j)
        found = {}
        for shared, joints_ in groups.items():
            keys = np.any([self.keys[r] for r in shared], axis=0)
            needed = np.any([self.needed[r] for r in shared], axis=0)
            found[tuple(joints_)] = keys, needed
        return found

    # ---- one pattern of demands

    def _held(self, r: int) -> bool:
        """Whether the solver itself keeps a demand about an angle, by the limits it is given."""
        demand = self.demands[r]
        return isinstance(demand, Bent) and demand.by_limits

    def _solve(self, motion: Motion, frames: IntArray, rules: list[int]) -> None:
        """Poses at frames (N,) at which these demands are keys."""
        root, rotations = (np.array(a) for a in chosen(motion, frames))
        bent = [r for r in rules if isinstance(self.demands[r], Bent)]
        placed = [r for r in rules if r not in bent]
        turned = {j for r in bent if not self._held(r) for j in self.chains[r]}
        if bent:
            root, rotations = self._bend(motion, frames, bent, root, rotations)
            self.faded.put(frames, [j for r in bent for j in (self.chains[r] or (PATH,))], rotations, root)
        if placed:
            self._place(frames, placed, root, rotations, turned)
        self.solved += len(frames)

    def _bend(
        self, motion: Motion, frames: IntArray, bent: list[int], root: FloatArray, rotations: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Channels at the values that are asked for; angles need no solver."""
        some = motion.with_(root=root, rotations=rotations, translations=None, contacts=None)
        channels = motion.channels()
        values = channels.values[frames].copy()
        for r in bent:
            demand = self.demands[r]
            assert isinstance(demand, Bent)
            world = World(motion)
            values[:, demand.column] = demand.value(world, frames)
        made = with_channels(some, channels.with_values(values))
        return np.array(made.root), np.array(made.rotations)

    def _place(
        self, frames: IntArray, rules: list[int], root: FloatArray, rotations: FloatArray, fixed: set[int]
    ) -> None:
        """Places and orientations by the solver: the chains alone, then wider ones, then with the root."""
        pending, moving = np.arange(len(frames)), False
        if any(self.moves[r] for r in rules):  # only what is out of reach is made up for by the root
            root = np.array(self.original.root[frames])
            self.faded.shifts[frames] = 0.0
        while True:
            joints = frozenset(j for r in rules for j in self.chains[r]) - fixed
            moving = moving or not joints
            some = frames[pending]
            reference, start = self._from(some, joints, root[pending], rotations[pending])
            made_root, made, missed = self._solved(rules, some, reference, start, joints, moving)
            root[pending], rotations[pending] = made_root, made
            self.faded.put(some, [*sorted(joints), *((PATH,) if moving else ())], made, made_root)
            if moving or not missed.any():
                return
            pending = pending[missed.any(axis=1)]
            moving = not self._widen(
                {r for r, some_missed in zip(rules, missed.T, strict=True) if some_missed.any()}
            )

    def _solved(
        self,
        rules: list[int],
        frames: IntArray,
        reference: Poses,
        start: Poses,
        joints: frozenset[int],
        moving: bool,
    ) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Root, rotations, and which demands (N, len(rules)) are missed all the same.

        Points that one bone holds together cannot keep all their other coordinates: where demands are
        missed the search goes on from the places that it came to, so that only what is asked counts.
        """
        made_root, made = np.array(start[0]), np.array(start[1])
        missed = np.zeros((len(frames), len(rules)), dtype=np.bool_)
        left, base = np.arange(len(frames)), reference
        for number in range(_ROUNDS):
            asked = self._asked(rules, frames[left], base)
            begin = start if number == 0 else (made_root[left], made[left])
            here = (reference[0][left], reference[1][left]) if number else reference
            exact = any(self.demands[r].relation == EQUAL for r in rules)
            made_root[left], made[left] = self.adjuster(
                here, begin, asked, joints, root=moving, exact=exact, dense=self._is_dense(frames[left])
            )
            world = self._world(frames[left], (made_root[left], made[left]))
            off = [np.abs(self.demands[r].off(world)) > self.tolerances[r] for r in rules]
            missed[left] = np.stack(off, axis=1)
            left = left[missed[left].any(axis=1)]
            if not len(left) or (len(asked) < 2 and not moving):
                break
            base = made_root[left], made[left]
        return made_root, made, missed

    def _is_dense(self, frames: IntArray) -> bool:
        """Whether most of the frames (N,) have a neighbour among them: then they must agree with it."""
        return len(frames) > _SHORT and float((np.diff(frames) == 1).mean()) > 0.5

    def _widen(self, rules: set[int]) -> bool:
        """Let more joints give way for demands that are out of reach; where there are none, the root."""
        changed = False
        for r in sorted(rules):
            wider = widened(self.original, self.chains[r], self.demands[r].point.joint)
            if wider != self.chains[r]:
                self.chains[r] = wider
                changed = True
        if not changed:
            for r in rules:
                self.moves[r] = True
        return changed

    def _from(
        self, frames: IntArray, joints: frozenset[int], root: FloatArray, rotations: FloatArray
    ) -> tuple[Poses, Poses]:
        """The reference pose, which is the original's where joints may turn, and where to begin."""
        turned = sorted(joints)
        base = rotations.copy()
        source = frames
        if self.neighbour:
            source = self._neighbours(frames)
        base[:, turned] = self.original.rotations[source][:, turned]
        reference = root, base
        return reference, (reference if self.neighbour else (root, rotations))

    def _neighbours(self, frames: IntArray) -> IntArray:
        """(N,) for each frame the nearest smoothing frame."""
        needed = np.any(self.needed, axis=0)
        out = frames.copy()
        for begin, end in runs(needed):
            here = (frames >= begin) & (frames <= end)
            before, after = max(0, begin - self.smooth), min(len(needed) - 1, end + self.smooth)
            out[here] = np.where(frames[here] - before <= after - frames[here], before, after)
        return out

    def _asked(self, rules: list[int], frames: IntArray, reference: Poses) -> list[Wanted]:
        """What the demands want at frames (N,), as changes of the reference poses."""
        return wanted({r: self.demands[r] for r in rules}, self._world(frames, reference))

    def _world(self, frames: IntArray, poses: Poses) -> World:
        still = self.original.with_(root=poses[0], rotations=poses[1], contacts=None, translations=None)
        return World(still, frames)


def _whole_runs(held: BoolArray, bad: BoolArray) -> BoolArray:
    """(F,) all of each stretch at which a demand must hold, where it is missed anywhere in it."""
    out = np.zeros_like(bad)
    for begin, end in runs(held):
        out[begin : end + 1] = bad[begin : end + 1].any()
    return out
