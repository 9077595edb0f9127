"""One layer of mending: poses at a few frames that meet demands, and the change faded out around them.

See mending.py for how layers follow each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from ..figure import FloatArray, Motion
from ..figure._arrays import BoolArray, IntArray
from ..figure.rotations import slerp
from .adjusting import Adjuster, chosen, local_extremes
from .chains import chain, widened
from .demands import EQUAL, Bent, Demand, Wanted, World, joint_turns, wanted
from .fading import PATH, Faded, runs

Poses: TypeAlias = tuple[FloatArray, FloatArray]
"""Root (N, 3) and rotations (N, J, 4)."""
_ROUNDS = 8  # of one pattern's search, each from the places that the last one came to
DENSE_AFTER = 6  # layers; then every frame that is still missed is solved for


@dataclass(slots=True, eq=False)
class Layer:
    """One layer of change on a motion."""

    original: Motion
    """What it changes."""
    demands: list[Demand]
    tolerances: list[float]
    adjuster: Adjuster
    smooth: int
    neighbour: bool
    keys: list[BoolArray] = field(default_factory=list)
    """(F,) for each demand, the frames that are solved for it."""
    needed: list[BoolArray] = field(default_factory=list)
    """(F,) for each demand, the stretches that are missed."""
    chains: list[list[tuple[int, ...]]] = field(default_factory=list)
    """For each demand the joints that give way, and those that do where these do not reach, and so on."""
    reach: list[int] = field(default_factory=list)
    """How far along those each demand had to go."""
    moves: list[bool] = field(default_factory=list)
    """Whether the root's place moves for a demand."""
    solved: int = 0
    faded: Faded = field(init=False)

    def __post_init__(self) -> None:
        self.faded = Faded(self.original, self.smooth)
        frames = len(self.original)
        for demand in self.demands:
            self.keys.append(np.zeros(frames, dtype=np.bool_))
            self.needed.append(np.zeros(frames, dtype=np.bool_))
            self.chains.append(self._chains(demand))
            self.reach.append(0)
            self.moves.append(not self.chains[-1][0])

    def mended(self, misses: Sequence[FloatArray], number: int, ever: Sequence[BoolArray]) -> Motion:
        """The motion with this layer on it; `misses` (F,) is what it misses each demand by, `ever` (F,)
        where it, or what was there before the first layer, missed it."""
        fresh = self._choose(number, misses)
        if number:
            self._keep(fresh, ever, everywhere=number >= DENSE_AFTER)
        at = np.flatnonzero(fresh)
        patterns, which = np.unique(np.array(self.keys)[:, at], axis=1, return_inverse=True)
        for p in range(patterns.shape[1]):
            rules = np.flatnonzero(patterns[:, p]).tolist()
            self.solve(at[which.reshape(-1) == p], rules, number == 0)
        return self.faded.motion(self.groups())

    def _chains(self, demand: Demand) -> list[tuple[int, ...]]:
        joint = demand.point.joint
        if isinstance(demand, Bent):
            return [(joint,) if demand.unit == "deg" else ()]
        first = chain(self.original, joint, itself=demand.turns or demand.point.offset != (0.0, 0.0, 0.0))
        if demand.turns:  # what must turn turns itself; only where its limits forbid that, the others
            first = first[:1] or (joint,)
        found = [first]
        while first and (wider := widened(self.original, found[-1], joint)) != found[-1]:
            found.append(wider)
        return found

    def _turning(self, r: int, level: int) -> tuple[int, ...]:
        return self.chains[r][min(level, len(self.chains[r]) - 1)]

    @property
    def touched(self) -> BoolArray:
        """(F,) frames that lie in a mended stretch or where it fades out."""
        out = np.zeros(len(self.original), dtype=np.bool_)
        for needed in self.needed:
            for begin, end in runs(needed):
                out[max(0, begin - self.smooth + 1) : end + self.smooth] = True
        return out

    def _choose(self, number: int, misses: Sequence[FloatArray]) -> BoolArray:
        """(F,) frames to solve; they are made keys of the demands that are missed there."""
        fresh = np.zeros(len(self.original), dtype=np.bool_)
        for r, (demand, miss) in enumerate(zip(self.demands, misses, strict=True)):
            bad = miss > self.tolerances[r]
            if not bad.any():
                continue
            equal = demand.relation == EQUAL
            if equal and number == 0:
                bad = _whole_runs(demand.held, bad)
            self.needed[r] |= bad
            frames = np.array(bad)
            if not equal and number < DENSE_AFTER:
                frames[:] = False
                for begin, end in runs(bad):
                    inside = miss[begin : end + 1]
                    frames[begin + int(inside.argmax())] = True
                    frames[begin : end + 1] |= local_extremes(inside)
                    # where a condition or the take's end cuts the stretch, it ends abruptly (fig. 5.13)
                    frames[begin] |= begin == 0 or not demand.held[begin - 1]
                    frames[end] |= end == len(miss) - 1 or not demand.held[end + 1]
            self.keys[r] |= frames
            fresh |= frames
        return fresh

    def _keep(self, fresh: BoolArray, ever: Sequence[BoolArray], *, everywhere: bool) -> None:
        """Let demands that were mended stay keys where this layer moves their joints, or one would undo the
        other: equalities wherever it reaches, others at the frames that are solved anyway, and at last
        wherever it reaches as well."""
        moving = {j for r in range(len(self.demands)) if self.keys[r].any() for j in self._giving(r)}
        around = self.touched
        for r, missed in enumerate(ever):
            if moving & set(self._giving(r)):
                equal = self.demands[r].relation == EQUAL
                frames = (
                    self.demands[r].held & around if equal else missed & (around if everywhere else fresh)
                )
                self.keys[r] |= frames
                fresh |= frames

    def groups(self) -> dict[tuple[int, ...], tuple[BoolArray, BoolArray]]:
        """Joints that have their keys in common, with those and with what must be mended."""
        users: dict[int, list[int]] = {}
        for r in range(len(self.demands)):
            for j in self._giving(r):
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

    def _giving(self, r: int) -> tuple[int, ...]:
        """All joints, and PATH, that have keys for a demand."""
        return (*self._turning(r, self.reach[r]), *((PATH,) if self.moves[r] else ()))

    def solve(self, frames: IntArray, rules: list[int], first: bool) -> None:
        """Poses at frames (N,) at which these demands are keys."""
        root, rotations = (np.array(a) for a in chosen(self.original, frames))
        bent = [r for r in rules if isinstance(self.demands[r], Bent)]
        placed = [r for r in rules if r not in bent]
        if bent:
            root, rotations = self._bend(frames, bent, root, rotations)
        if placed:
            fixed = {j for r in bent if not self._held(r) for j in self._turning(r, 0)}
            self._place(frames, placed, root, rotations, fixed, first)
        giving = {j for r in rules for j in self._giving(r)}
        self.faded.put(frames, giving, rotations, root)
        self.solved += len(frames)

    def _bend(
        self, frames: IntArray, bent: list[int], root: FloatArray, rotations: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Channels at the values that are asked for; angles need no solver."""
        world = World(self.original)
        angles: dict[int, FloatArray] = {}
        for r in bent:
            demand = self.demands[r]
            assert isinstance(demand, Bent)
            j, value = demand.point.joint, demand.value(world, frames)
            if demand.unit == "m":
                root[:, demand.index] = value
            else:
                angles.setdefault(j, world.angles(j)[frames].copy())[:, demand.index] = value
        for j, values in angles.items():
            rotations[:, j] = joint_turns(self.original, j, values)
        return root, rotations

    def _place(
        self,
        frames: IntArray,
        rules: list[int],
        root: FloatArray,
        rotations: FloatArray,
        fixed: set[int],
        first: bool,
    ) -> None:
        """Places and orientations, written into root and rotations: by the chains alone, then by wider
        ones, then by the root. Each takes over from where the one before it stopped, so that frames
        that are just within reach and just beyond it agree."""
        base = (np.array(root), np.array(rotations))
        pending, level, moving = np.arange(len(frames)), 0, False
        while True:
            joints = frozenset(j for r in rules for j in self._turning(r, level)) - fixed
            moving = moving or not joints
            some = frames[pending]
            here = base[0][pending], base[1][pending]
            start = root[pending], rotations[pending]
            if first and level == 0 and not moving and self.neighbour:
                start = start[0], self._near(some, joints, start[1])
            root[pending], rotations[pending], missed = self._solved(
                rules, some, here, start, joints, moving, first
            )
            for r in rules:
                self.moves[r] |= moving
            if moving or not missed.any():
                return
            behind = [rules[k] for k in np.flatnonzero(missed.any(axis=0))]
            pending = pending[missed.any(axis=1)]
            level += 1
            moving = all(level >= len(self.chains[r]) for r in behind)
            if not moving:
                for r in behind:
                    self.reach[r] = max(self.reach[r], min(level, len(self.chains[r]) - 1))

    def _solved(
        self,
        rules: list[int],
        frames: IntArray,
        base: Poses,
        start: Poses,
        joints: frozenset[int],
        moving: bool,
        first: bool,
    ) -> tuple[FloatArray, FloatArray, BoolArray]:
        """Root, rotations, and which demands (N, len(rules)) are missed all the same.

        Places are asked for as changes of the base poses, so that a point keeps its other coordinates.
        Points that one bone holds together cannot all keep them: where demands are missed the search
        goes on from the places that it came to, so that only what is asked counts.
        """
        made_root, made = np.array(start[0]), np.array(start[1])
        missed = np.zeros((len(frames), len(rules)), dtype=np.bool_)
        left = np.arange(len(frames))
        exact = any(self.demands[r].relation == EQUAL for r in rules)
        for _ in range(_ROUNDS):
            asked = self._asked(rules, frames[left], base)
            begin = made_root[left], made[left]
            made_root[left], made[left] = self.adjuster(
                (start[0][left], start[1][left]), begin, asked, joints, root=moving, exact=exact, first=first
            )
            world = self._world(frames[left], (made_root[left], made[left]))
            off = [np.abs(self.demands[r].off(world)) > self.tolerances[r] for r in rules]
            missed[left] = np.stack(off, axis=1)
            left = left[missed[left].any(axis=1)]
            if not len(left) or (len(asked) < 2 and not moving):
                break
            base = made_root[left], made[left]
        return made_root, made, missed

    def _near(self, frames: IntArray, joints: frozenset[int], rotations: FloatArray) -> FloatArray:
        """(N, J, 4) poses whose joints are turned as at the smoothing frames."""
        turned = sorted(joints)
        near = rotations.copy()
        before, after, share = self._neighbours(frames)
        at = self.original.rotations[:, turned]
        near[:, turned] = slerp(at[before], at[after], share[:, None])
        return near

    def _neighbours(self, frames: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
        """(N,) the smoothing frames before and after each frame, and how far between them it lies, 0 to 1.

        The thesis takes one of them; frames that follow each other must not change over at once.
        """
        needed = np.any(self.needed, axis=0)
        before, after = frames.copy(), frames.copy()
        for begin, end in runs(needed):
            here = (frames >= begin) & (frames <= end)
            before[here] = max(0, begin - self.smooth)
            after[here] = min(len(needed) - 1, end + self.smooth)
        return before, after, (frames - before) / np.maximum(after - before, 1)

    def _asked(self, rules: list[int], frames: IntArray, poses: Poses) -> list[Wanted]:
        """What the demands want at frames (N,), as changes of poses."""
        return wanted({r: self.demands[r] for r in rules}, self._world(frames, poses))

    def _world(self, frames: IntArray, poses: Poses) -> World:
        still = self.original.with_(root=poses[0], rotations=poses[1], contacts=None, translations=None)
        return World(still, frames)


def _whole_runs(held: BoolArray, bad: BoolArray) -> BoolArray:
    """(F,) all of each stretch at which a demand must hold, where it is missed anywhere in it."""
    out = np.zeros_like(bad)
    for begin, end in runs(held):
        out[begin : end + 1] = bad[begin : end + 1].any()
    return out
