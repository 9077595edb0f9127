"""Small figures for tests: a person in a T-pose, a four-legged thing without names, motions."""

from __future__ import annotations

import numpy as np

from marotte.figure import Contact, EndSite, Motion, Point, Skeleton
from marotte.figure.contacts import sliced
from marotte.figure.rotations import exp

PERSON = [  # name, parent, offset (metres)
    ("Hips", None, (0, 0.95, 0)),
    ("Spine", "Hips", (0, 0.1, 0)),
    ("Spine1", "Spine", (0, 0.15, 0)),
    ("Neck", "Spine1", (0, 0.22, 0)),
    ("Head", "Neck", (0, 0.1, 0.01)),
    ("LeftShoulder", "Spine1", (0.03, 0.2, 0)),
    ("LeftArm", "LeftShoulder", (0.14, 0, 0)),
    ("LeftForeArm", "LeftArm", (0.28, 0, 0)),
    ("LeftHand", "LeftForeArm", (0.26, 0, 0)),
    ("RightShoulder", "Spine1", (-0.03, 0.2, 0)),
    ("RightArm", "RightShoulder", (-0.14, 0, 0)),
    ("RightForeArm", "RightArm", (-0.28, 0, 0)),
    ("RightHand", "RightForeArm", (-0.26, 0, 0)),
    ("LeftUpLeg", "Hips", (0.09, -0.04, 0)),
    ("LeftLeg", "LeftUpLeg", (0, -0.43, 0)),
    ("LeftFoot", "LeftLeg", (0, -0.41, 0)),
    ("LeftToeBase", "LeftFoot", (0, -0.06, 0.14)),
    ("RightUpLeg", "Hips", (-0.09, -0.04, 0)),
    ("RightLeg", "RightUpLeg", (0, -0.43, 0)),
    ("RightFoot", "RightLeg", (0, -0.41, 0)),
    ("RightToeBase", "RightFoot", (0, -0.06, 0.14)),
]
TIPS = {
    "Head": (0, 0.2, 0),
    "LeftHand": (0.18, 0, 0),
    "RightHand": (-0.18, 0, 0),
    "LeftToeBase": (0, 0, 0.07),
    "RightToeBase": (0, 0, 0.07),
}


def person() -> Skeleton:
    names = [n for n, _, _ in PERSON]
    return Skeleton(
        names=tuple(names),
        parents=np.array([-1 if p is None else names.index(p) for _, p, _ in PERSON]),
        offsets=np.array([o for _, _, o in PERSON], dtype=float),
        channels=("xyzZXY", *["ZXY"] * (len(names) - 1)),
        ends=tuple(EndSite(names.index(n), o) for n, o in TIPS.items()),
    )


def wander(frames: int = 40, seed: int = 0, rate: float = 30.0, size: float = 0.4) -> Motion:
    """A person whose joints all sway smoothly, walking about; every joint differs from the next."""
    rng = np.random.default_rng(seed)
    skeleton = person()
    t = np.linspace(0, 1, frames)[:, None, None]
    vectors = sum(
        rng.normal(size=(1, len(skeleton), 3))
        * np.sin(2 * np.pi * k * t + rng.uniform(0, 6, (1, len(skeleton), 3)))
        for k in (1, 2)
    )
    root = np.array([0.3, 0.95, -0.2]) + np.linspace(0, 1, frames)[:, None] * np.array([0.4, 0.03, 1.5])
    return Motion(
        skeleton,
        root,
        exp(size * vectors),
        rate,
        name="wander",
        contacts=sliced(
            (Contact("left_foot", 2, 9), Contact("right_foot", 8, 20), Contact("left_foot", 19, 1000)),
            0,
            frames - 1,
        ),
        points=(Point("cup", skeleton.index("RightHand"), (-0.1, 0.02, 0.05)),),
    )


def quadruped() -> Skeleton:
    """Names that say nothing, and no human shape."""
    return Skeleton(
        names=("joint_0", "joint_1", "joint_2", "joint_3", "joint_4"),
        parents=np.array([-1, 0, 0, 1, 1]),
        offsets=np.array([[0, 0.6, 0], [0, 0, 0.7], [0, -0.5, 0], [0, -0.5, 0], [0, 0.2, 0.3]], dtype=float),
    )
