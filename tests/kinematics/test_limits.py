"""Joint limits: measured as the plainest formulas say, with exact slopes, and kept."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from marotte import kernels
from marotte.figure._arrays import owned
from marotte.kinematics import JointLimits, joint_limits

from .figures import person, shaken


def quaternion(r: Rotation) -> np.ndarray:
    x, y, z, w = r.as_quat()
    return np.array([w, x, y, z])


def measured(kind, order, pre, post, q):
    angles, slopes = np.zeros(3), np.zeros((3, 3))
    kernels.limits.limit_gradients_one(
        kind, np.array(order), quaternion(pre), quaternion(post), quaternion(q), angles, slopes
    )
    return angles, slopes


SEEDS = st.integers(0, 2**31)


@given(SEEDS, st.sampled_from(list(itertools.permutations(range(3)))))
def test_boxes_measure_intrinsic_angles(seed: int, order: tuple[int, int, int]) -> None:
    pre, post, q = (Rotation.random(random_state=seed + k) for k in range(3))
    angles, _ = measured(1, order, pre, post, q)
    wanted = (pre * q * post).as_euler("".join("XYZ"[k] for k in order))
    assert np.allclose(angles, wanted, atol=1e-6)


@given(SEEDS)
def test_cones_measure_a_swing_and_then_a_twist(seed: int) -> None:
    pre, post, q = (Rotation.random(random_state=seed + k) for k in range(3))
    (a, b, c), _ = measured(2, (0, 1, 2), pre, post, q)
    again = Rotation.from_rotvec([a, b, 0.0]) * Rotation.from_rotvec([0.0, 0.0, c])
    assert ((pre * q * post).inv() * again).magnitude() < 1e-7


@given(SEEDS, st.sampled_from([1, 2]), st.sampled_from(list(itertools.permutations(range(3)))))
def test_slopes_of_limits_are_those_of_finite_differences(seed, kind, order) -> None:
    pre, post, q = (Rotation.random(random_state=seed + k) for k in range(3))
    angles, slopes = measured(kind, order, pre, post, q)
    if kind == 1 and abs(np.cos(angles[1])) < 0.1:
        return  # near the pole two of the angles have no slope
    if kind == 2 and np.hypot(angles[0], angles[1]) > 2.9:
        return  # a bone turned right back has no direction of swing
    h = 1e-6
    for k in range(3):
        v = np.zeros(3)
        v[k] = h
        up = measured(kind, order, pre, post, q * Rotation.from_rotvec(v))[0]
        down = measured(kind, order, pre, post, q * Rotation.from_rotvec(-v))[0]
        found = ((up - down + np.pi) % (2 * np.pi) - np.pi) / (2 * h)
        assert np.allclose(found, slopes[:, k], atol=1e-4 * max(1.0, np.abs(slopes).max()))


def cone(joints: int, bounds: list[list[float]]) -> JointLimits:
    unit = np.tile([1.0, 0.0, 0.0, 0.0], (joints, 1))
    return JointLimits(
        kind=_ints([2] * joints), order=_ints([[0, 1, 2]] * joints),
        bounds=owned(np.tile(np.array(bounds), (joints, 1, 1))), pre=owned(unit), post=owned(unit.copy()),
    )  # fmt: skip


def _ints(values) -> np.ndarray:
    array = np.array(values, dtype=np.int64)
    array.flags.writeable = False
    return array


@given(SEEDS)
def test_what_is_held_is_within_and_what_was_within_is_left_alone(seed: int) -> None:
    limits = cone(6, [[-0.5, 0.9], [-0.3, 0.4], [-0.6, 0.2]])
    turns = np.array([quaternion(Rotation.random(random_state=seed + k)) for k in range(3)])
    small = [quaternion(Rotation.from_rotvec(v)) for v in ([0.1, 0.05, 0.0], [0.0, 0.0, -0.4], [0, 0, 0])]
    rotations = np.concatenate([turns, small])
    before = rotations.copy()
    kernels.limits.hold_one(limits.tables(), rotations, 1e-10)
    assert limits.excess(rotations[None]).max() <= 1e-9
    assert np.array_equal(rotations[3:], before[3:])


def test_a_file_s_limits_are_those_that_its_measure_judges() -> None:
    """Solvers and the report must agree on what is beyond a limit."""
    from marotte.quality import limit_violations

    motion = shaken(person(), 0.3, 5)[:1]
    limits = joint_limits(motion.skeleton)
    worst = np.degrees(limits.excess(np.array(motion.rotations)).max())
    assert worst == pytest.approx(limit_violations(motion).greatest, rel=1e-6)
    assert worst > 5.0
