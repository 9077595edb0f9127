"""Figures that solvers are tried on: a person, one of whom joints lack freedoms, a beast, a chain."""

from __future__ import annotations

from functools import cache

import numpy as np

from marotte import samples
from marotte.figure import EndSite, Motion, Rig, Skeleton
from marotte.figure.rotations import exp, multiply


@cache
def person() -> Motion:
    """A second of walking, 57 degrees of freedom, hinges for knees and elbows."""
    return samples.walk(seconds=1.0, frame_rate=30)


@cache
def stiff_person() -> Motion:
    """The same with wrists of two axes, a fixed neck and a collar bone of one axis that lies askew."""
    walk = person()
    skeleton = walk.skeleton
    channels = list(skeleton.channels)
    for role, letters in (("left_hand", "ZX"), ("right_hand", "YZ"), ("neck", ""), ("left_shoulder", "Y")):
        channels[walk.rig[role]] = letters
    axes = np.tile([1.0, 0.0, 0.0, 0.0], (len(skeleton), 1))
    axes[walk.rig["left_shoulder"]] = exp(np.array([0.3, 0.2, -0.4]))
    axes[walk.rig["left_hand"]] = exp(np.array([0.0, 0.5, 0.1]))
    return walk.with_(skeleton=skeleton.with_(channels=channels, channel_axes=axes), rig=walk.rig)


@cache
def beast() -> Motion:
    """Four legs, a tail, no rig at all; every joint a ball."""
    names, parents, offsets, ends = ["body"], [-1], [[0.0, 0.6, 0.0]], []

    def chain(name: str, parent: int, steps: list[list[float]]) -> None:
        for k, step in enumerate(steps):
            names.append(f"{name}{k}")
            parents.append(parent)
            offsets.append(step)
            parent = len(names) - 1
        ends.append(EndSite(parent, (0.0, -0.05, 0.05)))

    chain("neck", 0, [[0, 0.1, 0.5], [0, 0.2, 0.1]])
    chain("tail", 0, [[0, 0, -0.5], [0, 0, -0.2], [0, 0, -0.2], [0, 0, -0.2]])
    for x, side in ((0.15, "left"), (-0.15, "right")):
        for z, end in ((0.4, "fore"), (-0.4, "hind")):
            chain(f"{side}_{end}", 0, [[x, -0.05, z], [0, -0.27, 0.03], [0, -0.25, -0.03]])
    skeleton = Skeleton(tuple(names), np.array(parents), np.array(offsets), ends=tuple(ends))
    draw = np.random.default_rng(3)
    rotations = exp(0.2 * draw.normal(size=(4, len(names), 3)))
    return Motion(skeleton, np.tile([0.0, 0.6, 0.0], (4, 1)), rotations, 30.0, rig=Rig({}))


@cache
def arm() -> Motion:
    """Three joints in a line that hang on a fixed root: small enough for any optimiser."""
    skeleton = Skeleton(
        ("base", "upper", "lower", "tip"),
        np.array([-1, 0, 1, 2]),
        np.array([[0.0, 1.0, 0.0], [0.0, 0.1, 0.0], [0.4, 0.0, 0.0], [0.35, 0.0, 0.0]]),
        channels=("xyzZXY", "ZXY", "Y", "ZXY"),
    )
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (1, 4, 1))
    rotations[0, 2] = exp(np.array([0.0, -0.4, 0.0]))
    return Motion(skeleton, np.array([[0.0, 1.0, 0.0]]), rotations, 30.0)


def shaken(motion: Motion, amount: float, seed: int = 0) -> Motion:
    """The motion with every free joint turned at random; joints keep to their degrees of freedom."""
    from marotte import kernels
    from marotte.kinematics.problem import freedoms

    tree = freedoms(motion.skeleton, motion.rig)
    draw = np.random.default_rng(seed)
    root, rotations = np.array(motion.root), np.array(motion.rotations)
    for f in range(len(motion)):
        step = amount * draw.normal(size=tree.total)
        kernels.goals.move_one(tree, root[f], rotations[f], step, 1.0)
    return motion.with_(root=root, rotations=rotations, contacts=None)


def turned(q: np.ndarray, by: tuple[float, float, float]) -> np.ndarray:
    """World orientations turned on a little, in the world."""
    return multiply(exp(np.array(by)), q)
