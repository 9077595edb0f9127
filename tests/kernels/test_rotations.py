"""Quaternion and Euler kernels against matrices: a wrong sign here would twist every joint."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from marotte.errors import InputError
from marotte.figure import rotations as rot
from marotte.figure import vectors
from tests.naive import rotations as naive

ORDERS = [
    "".join(o) for o in itertools.product("XYZ", repeat=3) if o[0] != o[1] and o[1] != o[2]
]  # 6 Tait-Bryan and 6 proper
unit = st.floats(-1, 1)
angle = st.floats(-3 * math.pi, 3 * math.pi)


@st.composite
def quaternions(draw):
    q = draw(hnp.arrays(np.float64, 4, elements=unit))
    length = np.linalg.norm(q)
    return q / length if length > 1e-3 else np.array([1.0, 0, 0, 0])


vectors3 = hnp.arrays(np.float64, 3, elements=st.floats(-4, 4))


def same_rotation(a, b, tolerance=1e-12):
    """q and -q turn alike."""
    return min(np.abs(a - b).max(), np.abs(a + b).max()) < tolerance


def test_there_are_twelve_orders():
    assert len(ORDERS) == 12


@given(quaternions(), quaternions())
def test_product_is_hamiltons(a, b):
    assert rot.multiply(a, b) == pytest.approx(naive.quaternion_product(a, b), abs=1e-14)


@given(quaternions(), vectors3)
def test_rotate_is_the_sandwich(q, v):
    assert rot.rotate(q, v) == pytest.approx(naive.quaternion_sandwich(q, v), abs=1e-13)


@given(quaternions())
def test_inverse_undoes(q):
    assert rot.multiply(q, rot.inverse(q)) == pytest.approx([1, 0, 0, 0], abs=1e-14)


@given(vectors3)
@example(np.zeros(3))
@example(np.array([0, 0, 1e-9]))
@example(np.array([math.pi, 0, 0]))
@example(np.array([0, 1e-4, 0]))
def test_exp_turns_about_the_vector_by_its_length(v):
    """LS99 eq. 1 as the notes settle it: |v| radians, not 2 |v|."""
    assert rot.to_matrix(rot.exp(v)) == pytest.approx(naive.matrix_of_vector(v), abs=1e-12)


@given(vectors3)
@example(np.array([0, 0, math.pi - 1e-9]))
@example(np.array([1e-5, 0, 0]))
@example(np.array([1e-4 * (1 + 1e-12), 0, 0]))
def test_log_undoes_exp_within_half_a_turn(v):
    length = np.linalg.norm(v)
    if length >= math.pi:
        v = v / length * (length % 3.0)
    assert rot.log(rot.exp(v)) == pytest.approx(v, abs=1e-12)


@given(quaternions())
def test_log_of_both_signs_is_the_shorter_way(q):
    assert np.linalg.norm(rot.log(q)) <= math.pi + 1e-12
    assert same_rotation(rot.exp(rot.log(q)), q)
    assert same_rotation(rot.exp(rot.log(-q)), q)


@given(quaternions(), quaternions(), st.floats(0, 1))
def test_slerp_goes_at_constant_speed_along_the_shorter_arc(a, b, t):
    whole = rot.angle_between(a, b)
    mixed = rot.slerp(a, b, t)
    assert np.linalg.norm(mixed) == pytest.approx(1, abs=1e-14)
    if whole < math.pi - 1e-3:
        assert rot.angle_between(a, mixed) == pytest.approx(t * whole, abs=2e-8)
        assert rot.angle_between(mixed, b) == pytest.approx((1 - t) * whole, abs=2e-8)


def test_slerp_of_almost_equal_rotations_is_exact():
    a = rot.exp([0.3, -0.2, 0.5])
    b = rot.multiply(a, rot.exp([1e-9, 0, 0]))
    step = rot.log(rot.multiply(rot.inverse(a), rot.slerp(a, b, 0.25)))
    assert step == pytest.approx([0.25e-9, 0, 0], abs=1e-15)


@given(quaternions())
def test_matrices_there_and_back(q):
    m = rot.to_matrix(q)
    assert m == pytest.approx(naive.matrix_of_quaternion(q), abs=1e-14)
    assert same_rotation(rot.from_matrix(m), q, 1e-7)
    assert rot.to_matrix(rot.from_matrix(m)) == pytest.approx(m, abs=1e-14)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_half_turns_survive_matrices(axis):
    """Where the trace is -1 the textbook formula divides by zero."""
    q = rot.from_matrix(naive.matrix_about(axis, math.pi))
    assert same_rotation(q, np.eye(4)[axis + 1])


@given(quaternions(), vectors3)
def test_swing_twist_splits_a_rotation(q, v):
    if np.linalg.norm(v) < 1e-3:
        return
    axis = v / np.linalg.norm(v)
    swing, twist = rot.swing_twist(q, axis)
    assert rot.multiply(swing, twist) == pytest.approx(q, abs=1e-13)
    assert np.linalg.norm(np.cross(twist[1:], axis)) < 1e-13  # the twist turns about the axis
    assert abs(swing[1:] @ axis) < 1e-7  # the swing does not


def test_swing_twist_where_the_twist_is_undefined():
    """Half a turn about x has no part about z that could be told from another."""
    swing, twist = rot.swing_twist([0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0])
    assert twist == pytest.approx([1, 0, 0, 0])
    assert rot.multiply(swing, twist) == pytest.approx([0, 1, 0, 0])


@given(st.lists(st.floats(-7, 7), min_size=3, max_size=3))
def test_unroll_leaves_rotations_and_removes_sign_flips(angles):
    path = rot.about([0.0, 0.0, 1.0], np.cumsum(np.array(angles) % 1.5))
    flipped = path * np.array([1, -1, -1])[:, None]
    smooth = rot.unroll(flipped[:, None])[:, 0]
    assert all(same_rotation(a, b) for a, b in zip(smooth, path, strict=True))
    assert ((smooth[1:] * smooth[:-1]).sum(-1) >= 0).all()


@pytest.mark.parametrize("order", ORDERS)
@given(angles=st.lists(angle, min_size=3, max_size=3))
def test_euler_angles_are_intrinsic_turns_in_every_order(order, angles):
    want = naive.matrix_of_euler(angles, order)
    q = rot.from_euler(angles, order)
    assert rot.to_matrix(q) == pytest.approx(want, abs=1e-12)
    back = rot.to_euler(q, order)
    assert naive.matrix_of_euler(list(back), order) == pytest.approx(want, abs=3e-9)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("nudge", [0.0, 1e-12, 1e-9, 1e-8, 1e-6, -1e-7, -1e-10])
def test_euler_angles_keep_the_orientation_in_gimbal_lock(order, nudge):
    """The middle angle where two axes fall together: orientation must survive, whatever is said."""
    proper = order[0] == order[2]
    for lock in (0.0, math.pi) if proper else (math.pi / 2, -math.pi / 2):
        angles = [0.7, lock + nudge, -1.9]
        want = naive.matrix_of_euler(angles, order)
        back = rot.to_euler(rot.from_euler(angles, order), order)
        assert naive.matrix_of_euler(list(back), order) == pytest.approx(want, abs=3e-9)


@pytest.mark.parametrize("order", ORDERS)
def test_euler_angles_go_on_past_half_a_turn(order):
    """A spinning joint's curve must not jump by 360 degrees: filters would ring at the jump."""
    t = np.linspace(0, 4 * math.pi, 200)
    angles = np.stack([t, 0.4 + 0.3 * np.sin(t), -0.5 * t], axis=1)
    back = rot.to_euler(rot.from_euler(angles, order), order)
    assert np.abs(np.diff(back, axis=0)).max() < 0.2
    shift = back - angles
    assert shift == pytest.approx(np.broadcast_to(shift[0], shift.shape), abs=1e-9)


@given(st.floats(-20, 20), st.integers(2, 40))
def test_rotation_vectors_count_whole_turns(total, frames):
    if abs(total) / (frames - 1) > 3.0:
        return  # further apart than half a turn: no reading could tell
    axis = np.array([0.36, -0.48, 0.8])
    spin = rot.about(axis, np.linspace(0, total, frames))[:, None]
    v = vectors.rotation_vectors(spin, [[1.0, 0, 0, 0]])
    assert v[:, 0] == pytest.approx(np.linspace(0, total, frames)[:, None] * axis, abs=1e-9)
    back = vectors.from_rotation_vectors(v, [[1.0, 0, 0, 0]])
    assert all(same_rotation(a, b, 1e-9) for a, b in zip(back[:, 0], spin[:, 0], strict=True))


def test_between_turns_one_direction_onto_the_other():
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(50, 3)), rng.normal(size=(50, 3))
    turned = rot.rotate(rot.between(a, b), a)
    assert np.cross(turned, b) == pytest.approx(np.zeros((50, 3)), abs=1e-12)
    assert ((turned * b).sum(1) > 0).all()
    opposite = rot.between([1.0, 2.0, 3.0], [-2.0, -4.0, -6.0])
    assert rot.rotate(opposite, [1.0, 2.0, 3.0]) == pytest.approx([-1, -2, -3])
    assert rot.between([0.0, 0, 0], [1.0, 0, 0]) == pytest.approx([1, 0, 0, 0])


def test_leading_axes_broadcast():
    q = rot.exp(np.arange(12.0).reshape(4, 1, 3))
    v = np.arange(6.0).reshape(2, 3)
    out = rot.rotate(q, v)
    assert out.shape == (4, 2, 3)
    assert out[2, 1] == pytest.approx(rot.rotate(q[2, 0], v[1]))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rot.multiply([1, 0, 0], [1, 0, 0, 0]), r"a must have shape \(…, 4\)"),
        (lambda: rot.from_euler([1, 2, 3], "XXY"), "no two alike"),
        (lambda: rot.from_euler([1, 2, 3], "XYW"), "one to three of XYZ"),
        (lambda: rot.to_euler([1, 0, 0, 0], "XY"), "three axes"),
        (lambda: rot.from_matrix(np.eye(2)), r"\(…, 3, 3\)"),
    ],
)
def test_wrong_input_says_what_must_hold(call, words):
    with pytest.raises(InputError, match=words):
        call()


def test_fused_sums_are_as_precise_as_plain_ones():
    """What compiling.FUSED allows: rounding once instead of twice, and nothing else."""
    rng = np.random.default_rng(11)
    a, b = rot.exp(rng.normal(size=(2000, 3)) * 2), rot.exp(rng.normal(size=(2000, 3)) * 2)
    exact = a.astype(np.longdouble), b.astype(np.longdouble)
    want = np.array([naive.quaternion_product(x, y) for x, y in zip(*exact, strict=True)])
    plain = np.array([naive.quaternion_product(x, y) for x, y in zip(a, b, strict=True)])
    ours = np.abs(rot.multiply(a, b) - want).max()
    assert ours <= 1.5 * np.abs(plain - want).max()
    assert ours < 4e-16


def test_nan_stays_nan():
    """A NaN that turned into a number would hide a broken take."""
    with np.errstate(invalid="ignore"):
        assert np.isnan(rot.multiply([np.nan, 0, 0, 0], [1, 0, 0, 0])).any()
        assert np.isnan(rot.rotate([1, 0, 0, 0], [np.nan, 0, 0])).any()
        assert not np.isfinite(rot.rotate([1, 0, 0, 0], [np.inf, 1, 1])).all()
