"""LS99's studies (section 6, table 1), rebuilt with built-in takes: what is asked, and the paper's figures.

The takes differ from the paper's, which were captured; frames, goals and figures are as like as they
can be made. `run` fits one and says what came out, level by level.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..figure import FloatArray, Motion, Rig, Skeleton
from ..figure.scene import HeightGrid
from ..kinematics import Distance, Goal, Place
from ._fit import Fit, Solver, fit

RATE = 30.0  # frames a second of all of them
_FEET = ("left_foot", "right_foot")
_HANDS = ("left_hand", "right_hand")


@dataclass(frozen=True, slots=True)
class Paper:
    """One column of LS99's table 1."""

    parameters: int
    reduced: int
    frames: int
    constraints: int
    errors: tuple[float, ...]
    """The largest error after each level, percent of the height."""
    seconds: tuple[float, ...]
    """On a processor of 195 MHz."""


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """A take and what is asked of it."""

    motion: Motion
    goals: tuple[Goal, ...]
    paper: Paper


class Make(Protocol):
    """Makes a study; its docstring says what of."""

    def __call__(self, *, seed: int = 0) -> Study: ...


def terrain(*, seed: int = 0) -> Study:
    """A walk over rough ground and through two low doorways; both feet are asked for at all frames.

    Control points stand 80 % of the height apart; their heights vary over 120 % of it.
    """
    from .. import samples

    walk = samples.walk(seconds=463 / RATE, frame_rate=RATE).with_(contacts=None)
    positions, turned = walk.world()
    height = walk.skeleton.height
    ground = _rough(positions, height, np.random.default_rng(seed))
    goals: list[Goal] = []
    for role in _FEET:
        j = walk.rig[role]
        there = positions[:, j].copy()
        there[:, 1] += ground.height_at(there[:, 0], there[:, 2])
        goals.append(Place(role, there, turned[:, j]))
    # a trunk that does not bend, as the paper's 20 parameters have it: the legs make it duck
    hips, top = positions[:, walk.rig["hips"]], positions[:, walk.rig["head"]]
    crown = (0.0, float((top - hips)[:, 1].mean()), 0.0)
    for share in (0.35, 0.7):  # of the way
        at = hips[0] + share * (hips[-1] - hips[0])
        inside = np.flatnonzero(np.abs(hips[:, 2] - at[2]) < 0.25 * height)
        below = hips.copy()
        below[:, 1] = ground.height_at(hips[:, 0], hips[:, 2]) - _FAR
        ceiling = _FAR + 0.95 * float(top[inside, 1].mean())
        goals.append(
            Distance(
                ("hips", crown), below, ceiling, relation="at_most", frames=(int(inside[0]), int(inside[-1]))
            )
        )
    return Study(
        walk,
        tuple(goals),
        Paper(20, 8, 464, 5568, (14.31, 9.24, 3.48, 1.06), (2.50, 1.67, 1.31, 1.10)),
    )


_FAR = 1000.0  # metres; the sphere about a place so far below is a ceiling


def _rough(positions: FloatArray, height: float, draw: np.random.Generator) -> HeightGrid:
    """Ground under a whole take (LS99 section 6)."""
    spacing = 0.8 * height
    places = positions[..., [0, 2]].reshape(-1, 2)
    low, high = places.min(axis=0) - 2 * spacing, places.max(axis=0) + 2 * spacing
    count = np.ceil((high - low) / spacing).astype(int) + 1
    heights = draw.uniform(-0.6, 0.6, count) * height
    return HeightGrid(heights, spacing, (float(low[0]), float(low[1])), "nurbs")


def rope(*, seed: int = 0) -> Study:
    """A climb on a rope by a figure with longer legs, a shorter body and shorter arms; hands and feet go
    where the first climber's went, from each hand's first grip on."""
    from .. import samples

    climb = samples.make("rope_climb", frame_rate=RATE, speed=0.173)[:275]
    other = _grown(climb.skeleton, climb.rig, {"leg": 1.15, "spine": 0.85, "arm": 0.85})
    positions, turned = climb.world()
    first = {c.role: c.first for c in reversed(climb.contacts or ())}
    goals = [
        Place(
            role, positions[:, climb.rig[role]], turned[:, climb.rig[role]],
            frames=(first.get(role, 0) if role in _HANDS else 0, len(climb) - 1),
        )
        for role in (*_HANDS, *_FEET)
    ]  # fmt: skip
    figure = climb.with_(skeleton=other, rig=climb.rig, contacts=None)
    return Study(
        figure,
        tuple(goals),
        Paper(37, 13, 275, 5898, (11.09, 7.51, 3.57, 1.11), (6.50, 3.51, 1.32, 0.70)),
    )


def _grown(skeleton: Skeleton, rig: Rig, factors: Mapping[str, float]) -> Skeleton:
    """The skeleton with bones of limbs and trunk longer or shorter."""
    offsets = np.array(skeleton.offsets)
    kind = {"leg": ("leg", "foot"), "arm": ("arm", "hand")}
    for role, joint in rig.roles.items():
        for part, words in kind.items():
            ends = role.endswith(words) and not role.endswith(f"upper_{part}")
            if ends:
                offsets[joint] *= factors[part]
    for joint in rig.spine:
        offsets[joint] *= factors["spine"]
    return skeleton.with_(offsets=offsets)


STUDIES: dict[str, Make] = {"terrain": terrain, "rope": rope}
"""Studies by name, in the order of the table."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a fit of a study came to."""

    name: str
    solver: Solver
    exact: bool
    study: Study
    done: Fit
    seconds: float
    jerk: float
    """Root of the mean square of all joints' third derivatives, as a multiple of the take's own."""


def run(name: str, *, solver: Solver = "hierarchy", exact: bool = False, seed: int = 0) -> Outcome:
    """Fit a study, four levels from 16 frames a knot to 2."""
    study = STUDIES[name](seed=seed)
    began = time.perf_counter()
    done = fit(study.motion, study.goals, solver=solver, exact=exact)
    seconds = time.perf_counter() - began
    return Outcome(name, solver, exact, study, done, seconds, _jerk(done.motion) / _jerk(study.motion))


def _jerk(motion: Motion) -> float:
    return float(np.sqrt((np.diff(motion.positions(), 3, axis=0) ** 2).sum(axis=-1).mean()))
