"""The angles that limits bound, there and back; angles a whole turn apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte import kernels
from marotte.figure.rotations import angle_between, exp
from marotte.kernels.limits import same_turn
from tests.naive import rotations as naive

UNIT = np.array([1.0, 0.0, 0.0, 0.0])
vectors = st.tuples(*[st.floats(-2, 2)] * 3).map(np.array)


@given(vectors, vectors, vectors, st.sampled_from([1, 2]), st.permutations([0, 1, 2]))
def test_angles_give_back_the_rotations_that_they_were_read_from(turn, before, after, kind, order):
    q, pre, post = exp(turn)[None], exp(before), exp(after)
    angles, back = np.empty((1, 3)), np.empty((1, 4))
    axes = np.array(order, dtype=np.int64)
    kernels.limit_angles.angles_each(kind, axes, pre, post, q, angles)
    kernels.limit_angles.rotations_each(kind, axes, pre, post, angles, back)
    assert np.asarray(angle_between(q, back)) == pytest.approx(0.0, abs=1e-6)


def test_angles_are_turns_about_the_axes_one_after_another():
    """What the names of the bounds promise: z by 10, then x by 20, then y by 30 degrees."""
    axes = np.array([2, 0, 1], dtype=np.int64)
    wanted = np.radians([[10.0, 20.0, 30.0]])
    back, angles = np.empty((1, 4)), np.empty((1, 3))
    kernels.limit_angles.rotations_each(1, axes, UNIT, UNIT, wanted, back)
    assert naive.matrix_of_quaternion(back[0]) == pytest.approx(naive.matrix_of_euler([*wanted[0]], "ZXY"))
    kernels.limit_angles.angles_each(1, axes, UNIT, UNIT, back, angles)
    assert angles == pytest.approx(wanted)


def test_a_swing_is_a_shortest_turn_and_the_twist_comes_before_it():
    wanted = np.array([[0.4, -0.3, 0.7]])
    back = np.empty((1, 4))
    kernels.limit_angles.rotations_each(2, np.arange(3), UNIT, UNIT, wanted, back)
    swing = naive.matrix_of_vector(np.array([0.4, -0.3, 0.0]))
    twist = naive.matrix_of_vector(np.array([0.0, 0.0, 0.7]))
    assert naive.matrix_of_quaternion(back[0]) == pytest.approx(swing @ twist)


@pytest.mark.parametrize(
    ("angle", "low", "high", "wanted"),
    [
        (175, -190, 130, -185),  # held by the range, a turn away
        (-175, -130, 190, 185),
        (20, -190, 130, 20),
        (140, -190, 130, 140),  # beyond either end, and nearer to the upper one
        (160, -190, 130, -200),
        (-20, 0, np.inf, -20),  # a range without an end says nothing of whole turns
        (20, -np.inf, 0, 20),
    ],
)
def test_of_angles_a_whole_turn_apart_the_one_in_the_range_counts(angle, low, high, wanted):
    inner = getattr(same_turn, "py_func", same_turn)
    assert np.degrees(inner(*np.radians([angle, low, high]))) == pytest.approx(wanted)
