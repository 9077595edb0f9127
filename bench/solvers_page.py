"""Write docs/solvers.md from a run of every solver on the same tasks.

python -m bench.solvers_page
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from bench.run import processor
from marotte import samples as takes
from marotte.figure import Motion
from marotte.figure.rotations import exp, multiply
from marotte.kinematics import SOLVERS, Goal, Place, Position, joint_limits, solve

PAGE = Path(__file__).parent.parent / "docs" / "solvers.md"
ENDS = ("left_hand", "right_hand", "left_foot", "right_foot")
TIMED = 5  # runs, of which the median of processor time counts

WHEN = (
    (
        "solver",
        "when to use it",
        "goals",
        "priorities",
        "where it fails",
    ),
    (
        "`full_body`",
        "the default: any figure, limits that press, goals that contradict each other",
        "all",
        "by weight",
        "many steps far beyond reach",
    ),
    (
        "`hybrid`",
        "hands and feet must be exactly where they are told; to compare with LS99 5.2",
        "all",
        "by weight",
        "limits of shoulders, hips and ends are soft until the end; slow far beyond reach",
    ),
    (
        "`limb`",
        "a hand or a foot goes elsewhere and nothing else may move",
        "places, orientations of hands and feet",
        "none",
        "the trunk should help",
    ),
    (
        "`penalty`",
        "to judge other solvers: it uses gradients only",
        "all",
        "by weight",
        "nowhere but in time",
    ),
    (
        "`damped`",
        "goals of one weight class, poses near singular ones",
        "all",
        "none",
        "stops short far beyond reach",
    ),
    (
        "`prioritized`",
        "what comes first must not suffer from what comes after",
        "all",
        "any number of layers",
        "as `damped`",
    ),
    (
        "`cyclic`",
        "chains",
        "places, orientations",
        "none",
        "changes more than it must",
    ),
    (
        "`transpose`",
        "the plainest check of a Jacobian",
        "all",
        "by weight",
        "runs out of steps",
    ),
)

INTRODUCTION = """# Solvers

<!-- Written by `python -m bench.solvers_page`. Do not edit: change that file and run it again. -->

`marotte.kinematics.solve` finds poses that meet goals, with any of the solvers below. Not to reach
a goal is a result: `Solution` says what every goal is off by, how many steps were taken and why
the search ended.

{when}

All of them keep joint limits; all but `hybrid` and `limb` bend a straight limb a little before they
begin, because no slope tells which way a straight limb should bend. Without limits the ones that go
by slopes may bend it the wrong way. Second derivatives of orientations that are off by much, and of
angles of joints with two axes, are left out; with goals of these kinds that cannot be met
`full_body` takes more steps. `hybrid` solves frames that end with a limb at full stretch by
`full_body` as well, and keeps the better pose.

Goals far beyond reach with limits that press are the weakest point of all: see *Beyond reach* below,
where `full_body` takes many steps, and `damped` and `prioritized` stop short of the best pose. Warm
starts help only where the neighbour's answer is near: no solver leaves a local minimum by itself.

"""


@dataclass(frozen=True, slots=True)
class Task:
    name: str
    about: str
    motion: Motion
    goals: Sequence[Goal]


def goals_of(motion: Motion, amount: float) -> list[Goal]:
    """Hands and feet elsewhere, each by as much at most, and turned a little."""
    draw = np.random.default_rng(1)
    at, orientations = motion.world()
    found: list[Goal] = []
    for role in ENDS:
        j, shift = motion.rig[role], amount * draw.uniform(-1.0, 1.0, 3)
        found.append(Place(role, at[:, j] + shift, multiply(exp(shift), orientations[:, j])))
    return found


def tasks() -> list[Task]:
    walk = takes.walk(seconds=1.0, frame_rate=30)
    at, _ = walk.world()
    hand, head = walk.rig["left_hand"], walk.rig["head"]
    far: list[Goal] = [
        *goals_of(walk, 0.0)[1:],
        Position("left_hand", at[:, hand] + np.array([0.5, 1.0, 1.0])),
    ]
    torn: list[Goal] = [
        Position("head", at[:, head] + np.array([0.1, 0.0, 0.0]), weight=3.0),
        Position("head", at[:, head] - np.array([0.1, 0.0, 0.0])),
        *goals_of(walk, 0.0),
    ]
    return [
        Task(
            "Near",
            "Hands and feet up to 6 cm elsewhere along each axis, and turned by up to 6°.",
            walk,
            goals_of(walk, 0.06),
        ),
        Task("Beyond reach", "One hand 1.5 m away, the other and the feet where they are.", walk, far),
        Task("Torn", "The head 10 cm to both sides at once, three to one; hands and feet stay.", walk, torn),
    ]


def rows(task: Task) -> list[str]:
    limits = joint_limits(task.motion.skeleton)
    height = task.motion.skeleton.height
    results = {}
    for name, solver in SOLVERS.items():
        if name == "limb" and task.name == "Torn":
            continue  # it serves no heads
        times = []
        for run in range(TIMED + 1):
            started = time.process_time()
            done = solve(task.motion, task.goals, solver=name, threads=1)
            if run:  # the first may compile
                times.append(time.process_time() - started)
        beyond = float(limits.excess(np.array(done.motion.rotations)).max())
        results[name] = (done, median(times) / len(done.frames), beyond, solver.least_change)
    best = min(float(done.objective.mean()) for done, _, _, _ in results.values())
    found = []
    for name, (done, seconds, beyond, _) in results.items():
        met = float(np.mean((done.met != 0.0).all(axis=1)))
        worst = np.nanmax(done.errors) / height
        cost = float(done.objective.mean()) / best
        found.append(
            f"| `{name}` | {met:.0%} | {worst:.1e} | {cost:.4g} | {beyond:.0e} | {done.steps.mean():.1f} "
            f"| {done.why.count('steps used up') / len(done.why):.0%} | {seconds * 1e6:.0f} |"
        )
    return found


def main() -> None:
    when = ["| " + " | ".join(row) + " |" for row in WHEN]
    when.insert(1, "|---" * len(WHEN[0]) + "|")
    text = [INTRODUCTION.replace("{when}", "\n".join(when)), "## What a run says\n"]
    text.append(
        f"One thread, {processor()}; processor time, the median of {TIMED} runs, set-up included. 31 frames "
        "of a walk, 57 degrees of freedom, with the figure's own limits. *Cost* is the mean of LS99 "
        "eq. 6, heavy goals and change of pose together, as a multiple of the lowest that any solver "
        "came to: 1 is the best. The *worst* error is a share of the height; *beyond* is the greatest "
        "excess of any joint limit, radians; *used up* is the share of frames whose steps ran out.\n"
    )
    for task in tasks():
        text += [f"### {task.name}", f"{task.about}\n"]
        text += [
            "| solver | frames met | worst | cost | beyond | steps | used up | µs a frame |",
            "|---|---|---|---|---|---|---|---|",
            *rows(task),
            "",
        ]
    PAGE.write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
