"""Forward kinematics against 4 × 4 matrices, on random trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte import kernels
from marotte.figure import rotations as rot
from tests.naive.forward import world_matrices
from tests.naive.rotations import matrix_of_quaternion


def random_tree(seed: int, joints: int, frames: int):
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(int(rng.integers(0, j)) for j in range(1, joints))])
    offsets = rng.normal(size=(joints, 3))
    offsets[rng.random(joints) < 0.2] = 0.0  # zero-length bones happen in real files
    root = rng.normal(size=(frames, 3))
    rotations = rot.exp(rng.normal(size=(frames, joints, 3)) * 2)
    return parents, offsets, root, rotations, rng.normal(size=(frames, joints, 3))


@given(st.integers(0, 10_000), st.integers(1, 9), st.integers(0, 4), st.booleans())
def test_positions_and_orientations(seed, joints, frames, stretched):
    parents, offsets, root, rotations, moved = random_tree(seed, joints, frames)
    positions = np.empty((frames, joints, 3))
    orientations = np.empty((frames, joints, 4))
    if stretched:
        kernels.forward.place_frames_stretched(
            parents, offsets, moved, root, rotations, positions, orientations, 0, frames
        )
    else:
        kernels.forward.place_frames(parents, offsets, root, rotations, positions, orientations, 0, frames)
    want = world_matrices(parents, offsets, root, rotations, moved if stretched else None)
    assert positions == pytest.approx(want[..., :3, 3], abs=1e-11)
    got = np.array([[matrix_of_quaternion(q) for q in row] for row in orientations]).reshape(
        want[..., :3, :3].shape
    )
    assert got == pytest.approx(want[..., :3, :3], abs=1e-11)


@given(st.integers(0, 10_000), st.integers(1, 9))
def test_one_frame_is_the_same_as_the_whole_clip(seed, joints):
    parents, offsets, root, rotations, _ = random_tree(seed, joints, 3)
    all_positions, all_orientations = np.empty((3, joints, 3)), np.empty((3, joints, 4))
    kernels.forward.place_frames(parents, offsets, root, rotations, all_positions, all_orientations, 0, 3)
    positions, orientations = np.empty((joints, 3)), np.empty((joints, 4))
    kernels.forward.place_frame(parents, offsets, root[1], rotations[1], positions, orientations)
    assert np.array_equal(positions, all_positions[1])
    assert np.array_equal(orientations, all_orientations[1])


def test_a_range_of_frames_leaves_the_others_alone():
    parents, offsets, root, rotations, _ = random_tree(5, 4, 6)
    positions, orientations = np.full((6, 4, 3), 7.0), np.full((6, 4, 4), 7.0)
    kernels.forward.place_frames(parents, offsets, root, rotations, positions, orientations, 2, 4)
    assert (positions[[0, 1, 4, 5]] == 7.0).all()
    assert (positions[2:4] != 7.0).all()


@given(st.integers(0, 10_000), st.integers(1, 9))
def test_local_from_world_goes_back(seed, joints):
    parents, offsets, root, rotations, _ = random_tree(seed, joints, 2)
    positions, orientations = np.empty((2, joints, 3)), np.empty((2, joints, 4))
    kernels.forward.place_frames(parents, offsets, root, rotations, positions, orientations, 0, 2)
    back = np.empty_like(rotations)
    kernels.forward.local_from_world(parents, orientations, back)
    assert back == pytest.approx(rotations, abs=1e-12)
