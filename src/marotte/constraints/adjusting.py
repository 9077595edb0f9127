"""Poses at single frames that meet what rules ask (L97 5.3.3), many frames in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..figure import FloatArray, Motion
from ..figure._arrays import BoolArray, IntArray, owned
from ..kinematics import Goal, JointLimits, Orientation, Position, solve
from ..kinematics.problem import TURN_SHARE
from .demands import Wanted

# A point that is missed by less than this share of the height is met, metres; goals of turns as many
# radians as make a tip TURN_SHARE of the height away miss that much.
NEAR = 5e-5
WISH = 1e-4
"""What a wish weighs against what must hold."""
LEAST, EXACT = "full_body", "damped"
"""What finds the least change, and what comes to the last digits of goals that are near."""


@dataclass(slots=True, eq=False)
class Adjuster:
    """Solves for poses in which only chosen joints turn. Keeps what it made for each choice."""

    motion: Motion
    """The take: its skeleton and rig."""
    limits: JointLimits
    solver: str
    """For the first layer; later ones are corrections, and take the least change."""
    _stiff: dict[frozenset[int], tuple[Motion, JointLimits]] = field(default_factory=dict)

    @property
    def near(self) -> float:
        """Metres within which a goal counts as met."""
        return NEAR * self.motion.skeleton.height

    def __call__(
        self,
        reference: tuple[FloatArray, FloatArray],
        start: tuple[FloatArray, FloatArray],
        asked: Sequence[Wanted],
        free: frozenset[int],
        *,
        root: bool,
        exact: bool = False,
        first: bool = True,
    ) -> tuple[FloatArray, FloatArray]:
        """Root (N, 3) and rotations (N, J, 4) that meet what is asked, as far as it goes.

        `reference` is the pose that solvers of least change stay near, `start` where the search begins.
        `exact` goes on to the last digits.
        """
        empty, limits = self._of(free)
        here = empty.with_(root=reference[0], rotations=reference[1])
        begin = here if start is reference else empty.with_(root=start[0], rotations=start[1])
        solver = self.solver if first else LEAST
        threads = None if len(here) > 256 else 1
        several = sum(want.places is not None for want in asked) > 1
        if several and solver == EXACT:
            solver = LEAST  # wishes that weigh little would take the other many steps
        options: dict[str, Any] = {"limits": limits, "root_moves": root, "threads": threads}
        free_places = several and solver == LEAST
        answer = solve(here, self._goals(asked, free_places), solver=solver, start=begin, **options)
        if several and not free_places:
            answer = solve(answer.motion, self._goals(asked, True), solver=LEAST, **options)
        if exact or several:
            # so near to the goals the least change that is left is small, whatever it is measured from
            goals = [g for g in self._goals(asked, several) if g.weight == 1.0]
            answer = solve(answer.motion, goals, solver=EXACT, **options)
        rotations = np.array(reference[1])
        turned = sorted(free)
        rotations[:, turned] = answer.motion.rotations[:, turned]
        return np.array(answer.motion.root if root else reference[0]), rotations

    def _goals(self, asked: Sequence[Wanted], free: bool) -> list[Goal]:
        """As goals. Points of one bone cannot all keep their other coordinates: `free` makes these a wish."""
        goals: list[Goal] = []
        for want in asked:
            if want.places is not None:
                weight = WISH if free else 1.0
                goals.append(Position(point=want.point, to=want.places, tolerance=self.near, weight=weight))
                goals += want.alone if free else []
            else:
                assert want.turns is not None
                goals.append(Orientation(joint=want.point.joint, to=want.turns, tolerance=NEAR / TURN_SHARE))
        return goals

    def _of(self, free: frozenset[int]) -> tuple[Motion, JointLimits]:
        """An empty motion of the figure with all joints stiff but these, and the limits of these."""
        if free not in self._stiff:
            skeleton = self.motion.skeleton
            letters = [
                c if j in free else "".join(x for x in c if x.islower())
                for j, c in enumerate(skeleton.channels)
            ]
            stiff = replace(skeleton, channels=tuple(letters))
            empty = Motion(
                stiff, np.zeros((0, 3)), np.zeros((0, len(skeleton), 4)), self.motion.frame_rate,
                rig=self.motion.rig,
            )  # fmt: skip
            kind = np.array(self.limits.kind)
            kind[[j for j in range(len(skeleton)) if j not in free]] = 0
            kind.flags.writeable = False
            self._stiff[free] = empty, replace(self.limits, kind=kind)
        return self._stiff[free]


def chosen(motion: Motion, frames: IntArray) -> tuple[FloatArray, FloatArray]:
    """Root (N, 3) and rotations (N, J, 4) of some frames."""
    return owned(np.ascontiguousarray(motion.root[frames])), owned(
        np.ascontiguousarray(motion.rotations[frames])
    )


def local_extremes(values: FloatArray, share: float = 0.05) -> BoolArray:
    """(N,) where a signal (N,) turns, by more than a share of its range on the way to the next turn."""
    out = np.zeros(len(values), dtype=np.bool_)
    if len(values) < 3:
        return out
    least = share * float(np.ptp(values))
    last, rising = 0, 0
    for i in range(1, len(values)):
        change = values[i] - values[last]
        if (rising >= 0 and change > 0.0) or (rising <= 0 and change < 0.0):
            if abs(change) > least or rising:
                rising = 1 if change > 0.0 else -1
                last = i
        elif abs(change) > least:
            out[last] = True
            last, rising = i, -rising
    out[0] = out[-1] = False
    return out
