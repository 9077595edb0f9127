"""Forward kinematics of a whole clip: world positions and orientations of every joint of every frame.

One thread each. Every rival's positions must agree with ours before anything is timed.

Pinocchio places one configuration a call, from Python. Its row leaves the price of the call out: the time
of the same number of calls on a figure of one joint is taken off, so that what remains is its C++ at
work on the other joints. It writes into arrays that it keeps, as our kernel does in the row below.
"""

from __future__ import annotations

import numpy as np
import pinocchio
from numpy.typing import NDArray
from pymotion.ops import skeleton as pymotion_skeleton

from bench._clip import FRAMES, PARENTS, clip
from bench._measure import Row, compare, samples
from marotte import kernels
from marotte.figure import Motion

NAME = "Forward kinematics, 2,752 frames of 31 joints, one thread"

AGREEMENT = 1e-6  # metres; pymotion adds 1e-8 to the length of each quaternion, which deep chains add up

Floats = NDArray[np.float64]


def pinocchio_model(parents: list[int], offsets: Floats) -> pinocchio.Model:
    """A free-flying root and a ball joint for every other joint; no inertia, which kinematics ignores."""
    model = pinocchio.Model()
    for j, parent in enumerate(parents):
        kind = pinocchio.JointModelFreeFlyer() if parent < 0 else pinocchio.JointModelSpherical()
        place = np.zeros(3) if parent < 0 else offsets[j]
        model.addJoint(parent + 1, kind, pinocchio.SE3(np.eye(3), place), f"joint{j}")
    return model


def configurations(motion: Motion) -> list[Floats]:
    """A frame each, as Pinocchio writes it: root position, then every quaternion as x, y, z, w."""
    turns = motion.rotations[..., [1, 2, 3, 0]].reshape(len(motion), -1)
    return list(np.ascontiguousarray(np.concatenate([motion.root, turns], axis=1)))


class Pinocchio:
    """The clip in Pinocchio's terms, for the first joints of the figure."""

    def __init__(self, motion: Motion, joints: int) -> None:
        self.model = pinocchio_model(PARENTS[:joints], motion.skeleton.offsets)
        self.data = self.model.createData()
        self.frames = [frame[: 3 + 4 * joints].copy() for frame in configurations(motion)]

    def place(self) -> None:
        forward, model, data = pinocchio.forwardKinematics, self.model, self.data
        for frame in self.frames:
            forward(model, data, frame)

    def positions(self) -> Floats:
        found = []
        for frame in self.frames:
            pinocchio.forwardKinematics(self.model, self.data, frame)
            found.append([placement.translation.copy() for placement in list(self.data.oMi)[1:]])
        return np.array(found)


def agree(rival: str, theirs: Floats, ours: Floats) -> None:
    worst = float(np.abs(theirs - ours).max())
    if worst > AGREEMENT:
        raise SystemExit(
            f"{rival} places joints {worst:.3g} m from ours: the rows would compare different work"
        )


def run(rounds: int) -> list[Row]:
    motion = clip()
    skeleton = motion.skeleton
    joints = len(skeleton)
    parents = np.array([0, *PARENTS[1:]])  # pymotion's root is its own parent
    whole, single = Pinocchio(motion, joints), Pinocchio(motion, 1)

    def pymotion() -> tuple[Floats, Floats]:
        placed: tuple[Floats, Floats] = pymotion_skeleton.fk(
            motion.rotations, motion.root, skeleton.offsets, parents
        )
        return placed

    ours = motion.positions()
    agree("pymotion", pymotion()[0], ours)
    agree("pinocchio", whole.positions(), ours)

    positions, orientations = motion.world()

    def kernel() -> None:
        kernels.forward.place_frames(
            skeleton.parents,
            skeleton.offsets,
            motion.root,
            motion.rotations,
            positions,
            orientations,
            0,
            FRAMES,
        )

    found = samples(
        {
            "world": motion.world,
            "kernel": kernel,
            "pymotion": pymotion,
            "pinocchio": whole.place,
            "one joint": single.place,
        },
        rounds=rounds,
        units=FRAMES,
    )
    each = {name: [seconds / joints for seconds in found[name]] for name in ("world", "kernel", "pymotion")}
    each["pinocchio"] = [
        (all_joints - one_joint) / (joints - 1)
        for all_joints, one_joint in zip(found["pinocchio"], found["one joint"], strict=True)
    ]

    def row(task: str, ours: str, rival: str, theirs: str, note: str = "") -> Row:
        return compare(task, unit="joint", rival=rival, ours=each[ours], theirs=each[theirs], note=note)

    world, reused = "Motion.world(), new arrays", "its kernel, arrays reused"
    cpp, note = "pinocchio.forwardKinematics, C++ (*)", "(*) without the price of the calls from Python"
    return [
        row(world, "world", "pymotion.ops.skeleton.fk", "pymotion"),
        row(world, "world", cpp, "pinocchio", note),
        row(reused, "kernel", cpp, "pinocchio", note),
    ]
