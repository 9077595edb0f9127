"""A take as a noisy capture of it: white noise of a known size at the soles."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from marotte.figure import Motion
from marotte.figure.contacts import sole_points


def captured(motion: Motion, size: float, seed: int) -> Any:
    """The motion with white noise, a new draw for every frame: half of its power in the place of the
    root, half in the turns of all joints, so that the soles' points are off by `size` metres (RMS) in
    each coordinate. Points farther from the root, as hands, are off by more."""
    rng = np.random.default_rng(seed)
    frames, joints = motion.rotations.shape[:2]
    shift, turn = rng.normal(size=(frames, 3)), rng.normal(size=(frames, joints, 3))
    true = np.concatenate([sole_points(motion, sole) for sole in motion.rig.soles], axis=1)

    def made(radians: float) -> Motion:
        small = Rotation.from_rotvec(radians * turn.reshape(-1, 3))
        was = Rotation.from_quat(np.roll(motion.rotations.reshape(-1, 4), -1, axis=1))
        quaternions = np.roll((was * small).as_quat(), 1, axis=1).reshape(frames, joints, 4)
        return motion.with_(
            root=motion.root + size / np.sqrt(2.0) * shift, rotations=quaternions, contacts=None
        )

    def off(noisy: Motion) -> float:
        places = np.concatenate([sole_points(noisy, sole) for sole in motion.rig.soles], axis=1)
        return float(np.sqrt(np.mean((places - true) ** 2)))

    radians = 0.005
    for _ in range(4):
        radians *= np.sqrt(0.5 * size**2 / max(off(made(radians)) ** 2 - 0.5 * size**2, 1e-12))
    noisy = made(radians)
    assert abs(off(noisy) / size - 1.0) < 0.02
    return noisy
