"""The clip that benchmarks share: the size of a long take of the CMU library, 2,752 frames of 31 joints."""

from __future__ import annotations

import numpy as np

from marotte.figure import EndSite, Motion, Skeleton

FRAMES = 2752
LEGS = [-1, 0, 1, 2, 3, 4, 0, 6, 7, 8, 9]
SPINE = [0, 11, 12, 13, 14, 15]
ARMS = [13, 17, 18, 19, 20, 21, 20, 13, 24, 25, 26, 27, 28, 27]
PARENTS = [*LEGS, *SPINE, *ARMS]


def clip() -> Motion:
    """Every joint swings about three axes; the same at every run."""
    generator = np.random.default_rng(31)
    joints = len(PARENTS)
    leaves = sorted(set(range(joints)) - set(PARENTS))
    skeleton = Skeleton(
        names=tuple(f"joint{j}" for j in range(joints)),
        parents=np.array(PARENTS),
        offsets=generator.normal(size=(joints, 3)) * 0.1,
        ends=tuple(EndSite(joint=leaf, offset=(0.0, 0.1, 0.0)) for leaf in leaves),
    )
    times = np.arange(FRAMES)[:, None, None] / 120.0
    speeds, phases = generator.uniform(0.5, 4.0, (joints, 3)), generator.uniform(0.0, 6.0, (joints, 3))
    turns = 0.6 * np.sin(speeds * times + phases)  # rotation vectors, radians
    angles = np.linalg.norm(turns, axis=-1, keepdims=True)
    axes = turns / np.maximum(angles, 1e-12)
    rotations = np.concatenate([np.cos(angles / 2), np.sin(angles / 2) * axes], axis=-1)
    root = np.cumsum(generator.normal(size=(FRAMES, 3)) * 0.01, axis=0)
    return Motion(skeleton=skeleton, root=root, rotations=rotations, frame_rate=120.0)
