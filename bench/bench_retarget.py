"""Retargeting beside per-frame inverse kinematics, with what each keeps of the take.

The rival is mink (MuJoCo), called frame by frame as GMR (General Motion Retargeting) calls it: every
part of the figure has a frame task, first with orientations, and places for hips and feet, then with
places for all; each stage takes steps of a QP (daqp, damped) until the error changes by less than a
thousandth, ten at most; a frame begins where the one before ended. Its targets are our own carried
poses, raised so that the lowest sole stands on the floor, which is what GMR's scaling and height
correction come to: the figure and its rest pose cost it nothing here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mink
import mujoco
import numpy as np
from numpy.typing import NDArray

import marotte as mt
from bench._measure import Row, compare, samples
from marotte.figure import FloatArray, Motion, detect_contacts
from marotte.figure.contacts import ground_height, sole_points
from marotte.figure.rotations import about, angle_between
from marotte.fitting import retarget
from marotte.quality import foot_skate, jerk, penetration
from marotte.samples import character

NAME = "A take of ten seconds at 120 Hz on another figure, one thread"

PARTS = ("hips", "upper_chest", "chest", "head", *(f"{s}_{p}" for s in ("left", "right") for p in (
    "upper_leg", "lower_leg", "foot", "upper_arm", "lower_arm", "hand")))  # fmt: skip
GROUNDED = ("hips", "left_foot", "right_foot")
STEPS, ENOUGH, DAMPING = 10, 1e-3, 0.5
REAL = ("cmu/walk/07_01", "cmu/walk/82_09", "cmu/walk-run-pca/35_01", "cmu/jump/13_11")

Floats = NDArray[np.float64]


class PerFrame:
    """The figure as a MuJoCo model, and the take as targets for its bodies."""

    def __init__(self, carried: Motion) -> None:
        self.carried, skeleton = carried, carried.skeleton
        self.model = mujoco.MjModel.from_xml_string(_xml(carried))
        self.configuration = mink.Configuration(self.model)
        roles = [r for r in PARTS if r in carried.rig]
        names = [skeleton.names[carried.rig[r]] for r in roles]
        self.joints = [carried.rig[r] for r in roles]
        self.stages = [
            [
                mink.FrameTask(
                    name, "body", position_cost=100.0 if role in GROUNDED else every,
                    orientation_cost=10.0, lm_damping=1.0,
                )
                for role, name in zip(roles, names, strict=True)
            ]
            for every in (0.0, 10.0)
        ]  # fmt: skip
        soles = [sole_points(carried, s) for s in carried.rig.soles]
        self.rise = -ground_height(soles) if soles else 0.0

    def solve(self) -> Motion:
        positions, orientations = self.carried.world()
        positions = positions + np.array([0.0, self.rise, 0.0])
        numbers = np.zeros(self.model.nq)
        numbers[:3], numbers[3:7] = positions[0, 0], orientations[0, 0]
        for k in range(self.model.njnt):
            if self.model.jnt_type[k] == mujoco.mjtJoint.mjJNT_BALL:
                numbers[self.model.jnt_qposadr[k]] = 1.0
        self.configuration.update(numbers)
        found = np.empty((len(positions), self.model.nq))
        for f in range(len(positions)):
            for stage in self.stages:
                for task, j in zip(stage, self.joints, strict=True):
                    turn = mink.SO3(orientations[f, j])
                    task.set_target(mink.SE3.from_rotation_and_translation(turn, positions[f, j]))
                before = np.inf
                for _ in range(STEPS):
                    velocity = mink.solve_ik(self.configuration, stage, 1.0, "daqp", damping=DAMPING)
                    self.configuration.integrate_inplace(velocity, 1.0)
                    error = float(
                        np.linalg.norm(np.concatenate([t.compute_error(self.configuration) for t in stage]))
                    )
                    if before - error < ENOUGH:
                        break
                    before = error
            found[f] = self.configuration.q
        return self._motion(found)

    def _motion(self, found: Floats) -> Motion:
        rotations = np.zeros_like(self.carried.rotations)
        rotations[..., 0] = 1.0
        rotations[:, 0] = found[:, 3:7]
        skeleton = self.carried.skeleton
        for j in range(1, len(skeleton)):
            letters = skeleton.order(j)
            if letters:
                at = int(
                    self.model.jnt_qposadr[mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_JOINT, f"j{j}")]
                )
                if len(letters) == 3:
                    rotations[:, j] = found[:, at : at + 4]
                else:
                    rotations[:, j] = about(np.eye(3)["XYZ".index(letters[0])], found[:, at])
        return self.carried.with_(root=found[:, :3], rotations=rotations, contacts=self.carried.contacts)


def _xml(motion: Motion) -> str:
    skeleton = motion.skeleton
    children: dict[int, list[int]] = {}
    for j, parent in enumerate(skeleton.parents.tolist()):
        children.setdefault(parent, []).append(j)

    def body(j: int) -> str:
        place = "0 0 0" if j == 0 else " ".join(map(str, skeleton.offsets[j]))
        letters = skeleton.order(j)
        joint = '<freejoint name="j0"/>' if j == 0 else ""
        if j and len(letters) == 3:
            joint = f'<joint name="j{j}" type="ball"/>'
        elif j and letters:
            axis = " ".join(map(str, np.eye(3)["XYZ".index(letters[0])]))
            joint = f'<joint name="j{j}" type="hinge" axis="{axis}"/>'
        mass = '<geom type="sphere" size="0.02" mass="1"/>'
        inside = "".join(body(k) for k in children.get(j, []))
        return f'<body name="{skeleton.names[j]}" pos="{place}">{joint}{mass}{inside}</body>'

    return f'<mujoco><compiler angle="radian"/><worldbody>{body(0)}</worldbody></mujoco>'


def takes() -> Iterator[tuple[str, Motion]]:
    """A built-in walk and run, and real takes where they are."""
    for name in ("walk", "run"):
        yield name, mt.samples.make(name)
    folder = Path(os.environ.get("MAROTTE_SHARED_DATA", "shared/data"))
    for name in REAL:
        path = folder / f"{name}.bvh"
        if path.exists():
            taken = mt.load(path)[1:]  # the first frame of such files is no captured one
            yield path.stem, taken.with_(contacts=detect_contacts(taken))


def kept(made: Motion, carried: Motion) -> str:
    """What a result keeps, in the issue's words."""
    turned = np.degrees(angle_between(made.rotations, carried.rotations)).mean()
    return (
        f"skate {1000 * foot_skate(made).mean_speed:.1f} mm/s, "
        f"below ground {1000 * penetration(made).deepest:.1f} mm, "
        f"jerk ×{jerk(made).rms / jerk(carried).rms:.2f}, turned {turned:.1f}°"
    )


def quality(figure: Any = None) -> list[str]:
    """A line for every take: the source's skate, ours, and the rival's."""
    onto = character("sally") if figure is None else figure
    lines = []
    for name, take in takes():
        done = retarget(take, onto)
        theirs = PerFrame(done.carried).solve()
        lines.append(
            f"{name}: source skates {1000 * foot_skate(take).mean_speed:.1f} mm/s; "
            f"retarget: {kept(done.motion, done.carried)}; mink: {kept(theirs, done.carried)}"
        )
    return lines


def run(rounds: int) -> list[Row]:
    walk = mt.samples.walk(seconds=10, frame_rate=120)
    sally = character("sally")
    done = retarget(walk, sally)
    rival = PerFrame(done.carried)
    reached = rival.solve()
    apart: FloatArray = np.linalg.norm(reached.positions() - done.carried.positions(), axis=-1)
    if apart.mean() > 0.05:
        raise SystemExit(f"mink ends {apart.mean():.3f} m from its targets: no fair comparison")
    found = samples(
        {"retarget": lambda: retarget(walk, sally), "mink": rival.solve}, rounds=min(rounds, 5), units=1
    )
    note = f"retarget: {kept(done.motion, done.carried)}; mink: {kept(reached, done.carried)}. On sally, "
    return [
        compare(
            "retarget(walk, sally)", unit="take", rival="mink.solve_ik, frame by frame as GMR does",
            ours=found["retarget"], theirs=found["mink"], note=note + "; ".join(quality()),
        )
    ]  # fmt: skip
