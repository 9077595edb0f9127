"""Poses for goals: hands and feet of a walking figure of 37 degrees of freedom to other places, turned.

One thread each; every solver begins at the same pose. mink is called as its examples do, a QP a step
(daqp), goals as frame tasks and the reference as a posture task, in two ways:

- to the tolerances, a ten-thousandth of the height and a thousandth of a radian: it stops as soon as
  it is within them, wherever the pose has got to by then, where our solvers go on to the least change;
- to the same pose: its tasks weigh what our objective weighs (LS99 eq. 6), the root included, and it
  takes just as many steps as bring it to within a thousandth of the least objective that is known.
  The steps are counted beforehand; looking costs it nothing.
"""

from __future__ import annotations

from typing import Any

import mink
import mujoco
import numpy as np
from numpy.typing import NDArray

from bench._measure import Row, compare, samples
from marotte import samples as takes
from marotte.figure import Motion
from marotte.figure.rotations import exp, multiply
from marotte.kinematics import Goal, Place, solve
from marotte.kinematics.problem import HARD, ROOT_SHARE, TURN_SHARE

NAME = "Four goals of place and orientation, 37 degrees of freedom, one thread"

ENDS = ("left_hand", "right_hand", "left_foot", "right_foot")
SHIFTS = ((0.05, 0.1, 0.1), (0.05, 0.05, 0.05), (0.0, 0.05, 0.0), (0.05, 0.02, 0.0))
STEPS = 30  # that mink may take
POSTURE = 1e-4  # what a radian of change costs it against a metre that a goal is off
DAMPING = 1e-2  # of its tasks; without it a tenth of the frames never come to rest
ENOUGH = 0.9  # of the frames mink must come to within the tolerances
NEAR = 1.001  # of the least objective is the same pose

Floats = NDArray[np.float64]


def figure() -> Motion:
    """A walk whose spine bends in one joint and whose neck, head, collar bones and toes are fixed."""
    walk = takes.walk(seconds=6.0, frame_rate=60)
    rig, channels = walk.rig, list(walk.skeleton.channels)
    parts = ("upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot")
    balls = {rig.spine[0], *(rig[f"{side}_{part}"] for side in ("left", "right") for part in parts)}
    hinges = {limb.hinge for limb in rig.limbs}
    for j in range(1, len(channels)):
        if j not in hinges:
            channels[j] = "ZXY" if j in balls else ""
    return walk.with_(skeleton=walk.skeleton.with_(channels=channels), rig=rig)


def goals_of(motion: Motion) -> list[Goal]:
    at, orientations = motion.world()
    found: list[Goal] = []
    for role, shift in zip(ENDS, SHIFTS, strict=True):
        j = motion.rig[role]
        found.append(Place(role, at[:, j] + np.array(shift), orientations[:, j]))
    return found


class Mink:
    """The same figure as a MuJoCo model, and the same goals as tasks."""

    def __init__(self, motion: Motion, goals: list[Goal]) -> None:
        self.motion, skeleton = motion, motion.skeleton
        self.model = mujoco.MjModel.from_xml_string(self._xml())
        self.configuration = mink.Configuration(self.model)
        self.ends = [skeleton.names[motion.rig[role]] for role in ENDS]
        self.tasks = [
            mink.FrameTask(
                name,
                "body",
                position_cost=1.0,
                orientation_cost=TURN_SHARE * skeleton.height,
                lm_damping=DAMPING,
            )
            for name in self.ends
        ]
        self.posture = mink.PostureTask(self.model, cost=POSTURE)
        radian = skeleton.height / HARD**0.5  # what our objective weighs, against a metre off a goal
        self.root = mink.FrameTask(
            skeleton.names[0], "body", position_cost=radian / (ROOT_SHARE * skeleton.height),
            orientation_cost=radian,
        )  # fmt: skip
        self.steps: list[int] = []
        self.starts = [self._numbers(f) for f in range(len(motion))]
        self.targets = [
            [
                mink.SE3.from_rotation_and_translation(mink.SO3(np.asarray(g.turned)[f]), np.asarray(g.to)[f])
                for g in goals
                if isinstance(g, Place)
            ]
            for f in range(len(motion))
        ]

    def _xml(self) -> str:
        skeleton = self.motion.skeleton
        children: dict[int, list[int]] = {}
        for j, parent in enumerate(skeleton.parents.tolist()):
            children.setdefault(parent, []).append(j)

        def body(j: int) -> str:
            place = "0 0 0" if j == 0 else " ".join(map(str, skeleton.offsets[j]))
            letters = skeleton.order(j)
            if j == 0:
                joint = '<freejoint name="root"/>'
            elif len(letters) == 3:
                joint = f'<joint name="j{j}" type="ball"/>'
            elif letters:
                axis = " ".join(map(str, np.eye(3)["XYZ".index(letters)]))
                joint = f'<joint name="j{j}" type="hinge" axis="{axis}"/>'
            else:
                joint = ""
            inside = "".join(body(k) for k in children.get(j, []))
            mass = '<geom type="sphere" size="0.02" mass="1"/>'
            return f'<body name="{skeleton.names[j]}" pos="{place}">{joint}{mass}{inside}</body>'

        return f'<mujoco><compiler angle="radian"/><worldbody>{body(0)}</worldbody></mujoco>'

    def _numbers(self, f: int) -> Floats:
        """A frame as MuJoCo writes it; joints that are fixed keep their rotations in no number."""
        skeleton, rotations = self.motion.skeleton, self.motion.rotations
        found = [self.motion.root[f], rotations[f, 0]]
        for j in range(1, len(skeleton)):
            letters = skeleton.order(j)
            if len(letters) == 3:
                found.append(rotations[f, j])
            elif letters:
                w, *v = rotations[f, j]
                found.append(np.array([2.0 * np.arctan2(v["XYZ".index(letters)], w)]))
        return np.concatenate(found)

    def _begin(self, f: int) -> None:
        start = self.starts[f]
        self.configuration.update(start)
        self.posture.set_target(start)
        self.root.set_target_from_configuration(self.configuration)
        for task, target in zip(self.tasks, self.targets[f], strict=True):
            task.set_target(target)

    def _step(self, tasks: list[Any]) -> None:
        velocity = mink.solve_ik(self.configuration, tasks, 1.0, "daqp", limits=[])
        self.configuration.integrate_inplace(velocity, 1.0)

    def solve(self) -> float:
        """To the tolerances. The share of the frames that come to within them."""
        height, met = self.motion.skeleton.height, 0
        self.posture.cost = np.full(self.model.nv, POSTURE)
        for f in range(len(self.starts)):
            self._begin(f)
            for _ in range(STEPS):
                errors = [task.compute_error(self.configuration) for task in self.tasks]
                if all(
                    np.linalg.norm(e[:3]) <= 1e-4 * height and np.linalg.norm(e[3:]) <= 1e-3 for e in errors
                ):
                    met += 1
                    break
                self._step([*self.tasks, self.posture])
        return met / len(self.starts)

    def count_steps(self, least: Floats) -> float:
        """How many steps each frame takes to the same pose; the share of the frames that get there."""
        self._weigh_as_we_do()
        self.steps, there = [], 0
        for f in range(len(self.starts)):
            self._begin(f)
            costs = []
            for _ in range(STEPS):
                self._step([*self.tasks, self.posture, self.root])
                costs.append(self._objective(f) / least[f])
                if costs[-1] <= NEAR:
                    there += 1
                    break
            self.steps.append(int(np.argmin(costs)) + 1)  # one that never gets there stops at its best
        return there / len(self.starts)

    def solve_as_far(self) -> None:
        """To the same pose, in the steps that `count_steps` found."""
        self._weigh_as_we_do()
        tasks = [*self.tasks, self.posture, self.root]
        for f, steps in enumerate(self.steps):
            self._begin(f)
            for _ in range(steps):
                self._step(tasks)

    def _weigh_as_we_do(self) -> None:
        self.posture.cost = np.full(self.model.nv, self.motion.skeleton.height / HARD**0.5)

    def _objective(self, f: int) -> float:
        height = self.motion.skeleton.height
        total = 0.0
        for task in self.tasks:
            e = task.compute_error(self.configuration)
            total += HARD / height**2 * (e[:3] @ e[:3]) + HARD * TURN_SHARE**2 * (e[3:] @ e[3:])
        change = np.zeros(self.model.nv)
        mujoco.mj_differentiatePos(self.model, change, 1.0, self.starts[f], self.configuration.q)
        change[:3] /= ROOT_SHARE * height
        return float(0.5 * (total + change @ change))


def run(rounds: int) -> list[Row]:
    motion = figure()
    # joints that are fixed stand as in the rest pose, which is what MuJoCo's model has
    still = np.array(motion.rotations)
    for j in range(1, len(motion.skeleton)):
        if not motion.skeleton.order(j):
            still[:, j] = [1.0, 0.0, 0.0, 0.0]
    motion = motion.with_(rotations=still, contacts=None)
    goals = goals_of(motion)
    goals = [
        Place(g.point, g.to, multiply(exp(np.array([0.1, 0.1, 0.0])), np.asarray(g.turned)))
        for g in goals
        if isinstance(g, Place)
    ]
    rival = Mink(motion, goals)

    def own(solver: str) -> None:
        solve(motion, goals, solver=solver, limits="none", threads=1)

    objective = {}
    for solver in ("hybrid", "full_body", "penalty"):
        done = solve(motion, goals, solver=solver, limits="none", threads=1)
        if not done.reached:
            raise SystemExit(f"{solver} misses a goal: the rows would compare different work")
        objective[solver] = done.objective
    met = rival.solve()
    if met < ENOUGH:
        raise SystemExit(f"mink meets the goals of {met:.0%} of the frames: no fair comparison")
    same = rival.count_steps(np.minimum.reduce(list(objective.values())))
    found = samples(
        {
            "hybrid": lambda: own("hybrid"),
            "full_body": lambda: own("full_body"),
            "penalty": lambda: own("penalty"),
            "mink": rival.solve,
            "mink, same pose": rival.solve_as_far,
        },
        rounds=rounds,
        units=len(motion),
    )
    note = "mean objective (LS99 eq. 6): "
    note += ", ".join(f"{k} {v.mean():.5f}" for k, v in objective.items())
    note += f"; mink meets the goals of {met:.0%} of the frames, and comes to the same pose in {same:.0%}, "
    note += f"by {np.mean(rival.steps):.1f} steps"

    def row(ours: str, name: str, theirs: str) -> Row:
        return compare(
            f"solve(solver={ours!r})", unit="frame", rival=name, ours=found[ours], theirs=found[theirs],
            note=note,
        )  # fmt: skip

    return [
        row(ours, name, theirs)
        for ours in ("full_body", "hybrid")
        for name, theirs in (
            ("mink.solve_ik, to the tolerances", "mink"),
            ("mink.solve_ik, to the same pose", "mink, same pose"),
            ("our own penalties and CG", "penalty"),
        )
    ]
