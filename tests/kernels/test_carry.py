"""Carrying poses against matrices, and its blends against slerp."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte import kernels
from marotte.figure import rotations as rot
from tests.naive.carry import carried
from tests.naive.rotations import matrix_of_quaternion


def turns(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rot.exp(rng.normal(size=(*shape, 3)) * 2)


@given(st.integers(0, 10_000), st.integers(1, 7), st.integers(1, 6), st.integers(0, 3))
def test_joints_stand_or_turn_as_the_sources_do(seed, joints, sources, frames):
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(int(rng.integers(0, j)) for j in range(1, joints))])
    first = rng.integers(-1, sources, joints)
    whole = rng.random(joints) < 0.5
    second = np.where(whole, first, -1)
    before, after = turns(rng, joints), turns(rng, joints)
    orientations, rotations = turns(rng, frames, sources), turns(rng, frames, sources)
    out = np.empty((frames, joints, 4))
    kernels.carry.carry_frames(
        parents, first, second, np.zeros(joints), before, after, orientations, rotations, out
    )
    want = carried(parents, np.stack([first, whole], axis=1), before, after, orientations, rotations)
    got = np.array([matrix_of_quaternion(q) for q in out.reshape(-1, 4)]).reshape(want.shape)
    assert got == pytest.approx(want, abs=1e-12)


@given(st.integers(0, 10_000), st.floats(0.01, 0.99))
def test_a_shared_joint_lies_between_its_two_sources(seed, share):
    rng = np.random.default_rng(seed)
    before, after, orientations = turns(rng, 1), turns(rng, 1), turns(rng, 1, 2)
    out = np.empty((1, 1, 4))
    kernels.carry.carry_frames(
        np.array([-1]), np.array([0]), np.array([1]), np.array([share]), before, after,
        orientations, orientations, out,
    )  # fmt: skip
    a, b = rot.multiply(orientations[0, 0], after[0]), rot.multiply(orientations[0, 1], before[0])
    whole = rot.angle_between(a, b)
    assert rot.angle_between(a, out[0, 0]) == pytest.approx(share * whole, abs=1e-7)
    assert rot.angle_between(out[0, 0], b) == pytest.approx((1 - share) * whole, abs=1e-7)
