"""Blends on the sphere against a mean found slowly on matrices, and against what a mean must be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte.errors import InputError
from marotte.figure.rotations import angle_between, exp, inverse, log, multiply, slerp, to_matrix
from marotte.signals import blend_rotations
from tests.naive import blend as naive

seeds = st.integers(0, 10_000)


def spread(seed: int, takes: int, frames: int = 3, joints: int = 2, size: float = 0.8) -> np.ndarray:
    """(N, F, J, 4) rotations within `size` radians or so of one another."""
    rng = np.random.default_rng(seed)
    middle = exp(rng.normal(size=(1, 1, joints, 3)) * 2.0)
    return multiply(middle, exp(rng.uniform(-size, size, (takes, frames, joints, 3))))


def some_shares(seed: int, takes: int, frames: int = 3, joints: int = 2) -> np.ndarray:
    raw = np.random.default_rng(seed + 1).uniform(0.05, 1.0, (takes, frames, joints))
    return np.asarray(raw / raw.sum(axis=0))


@given(seeds, st.integers(2, 4))
def test_the_mean_is_that_of_the_definition(seed, takes):
    q, shares = spread(seed, takes, size=0.45), some_shares(seed, takes)
    got = to_matrix(blend_rotations(q, shares))
    given_matrices = to_matrix(q)
    for f in range(q.shape[1]):
        for j in range(q.shape[2]):
            want = naive.mean(list(given_matrices[:, f, j]), shares[:, f, j].tolist())
            assert got[f, j] == pytest.approx(want, abs=1e-9)


@given(seeds, st.integers(1, 5))
def test_one_take_alone_is_given_bit_by_bit(seed, takes):
    """A weight of 1 must be that take, not something near it."""
    q = spread(seed, takes, size=3.0)
    for n in range(takes):
        shares = np.zeros((takes, 1, 1))
        shares[n] = 1.0
        assert np.array_equal(blend_rotations(q, shares), q[n])


@given(seeds, st.integers(2, 5))
def test_the_order_of_takes_and_the_signs_of_quaternions_do_not_matter(seed, takes):
    q, shares = spread(seed, takes, size=1.2), some_shares(seed, takes)
    want = blend_rotations(q, shares)
    rng = np.random.default_rng(seed)
    order = rng.permutation(takes)
    assert angle_between(blend_rotations(q[order], shares[order]), want).max() < 1e-12
    signs = rng.choice([-1.0, 1.0], q.shape[:3])[..., None]
    assert angle_between(blend_rotations(q * signs, shares), want).max() < 1e-12


@given(seeds)
def test_of_many_takes_of_which_two_count_the_mean_lies_on_their_arc(seed):
    q = spread(seed, 3)
    shares = np.array([0.3, 0.0, 0.7])[:, None, None] * np.ones((3, 3, 2))
    assert angle_between(blend_rotations(q, shares), slerp(q[0], q[2], 0.7)).max() < 1e-12


@given(seeds, st.floats(-1.0, 2.0))
def test_two_takes_blend_along_their_arc_and_beyond_it(seed, t):
    q = spread(seed, 2, size=0.6)
    got = blend_rotations(q, np.array([1.0 - t, t])[:, None, None])
    want = multiply(q[0], exp(t * log(multiply(inverse(q[0]), q[1]))))
    assert angle_between(got, want).max() < 1e-12


@given(seeds, st.integers(2, 4), seeds)
def test_a_turn_of_everything_turns_the_blend(seed, takes, other):
    q, shares = spread(seed, takes), some_shares(seed, takes)
    turn = exp(np.random.default_rng(other).normal(size=3))
    assert (
        angle_between(blend_rotations(multiply(turn, q), shares), multiply(turn, blend_rotations(q, shares)))
    ).max() < 1e-12


@pytest.mark.parametrize("takes", [2, 3])
def test_what_turns_past_half_a_circle_does_not_jump(takes):
    """An arm that circles in one take and hangs in the other would snap from side to side."""
    angle = np.linspace(0.2, 1.7 * np.pi, 200)
    circling = exp(angle[:, None, None] * np.array([0.0, 0.0, 1.0]))
    hanging = np.broadcast_to(exp(np.array([0.1, 0.0, 0.0])), circling.shape)
    q = np.stack([circling, *[hanging] * (takes - 1)])
    made = blend_rotations(q, np.full((takes, 1, 1), 1.0 / takes))
    steps = angle_between(made[1:], made[:-1])
    assert steps.max() < 1.5 * (angle[1] - angle[0])


def test_after_a_take_alone_the_shorter_way_is_found_anew():
    """A fade after whole turns would else unwind them all."""
    angle = np.concatenate([np.linspace(0, 2 * np.pi, 100), np.full(20, 2 * np.pi + 0.2)])
    turning = exp(angle[:, None, None] * np.array([0.0, 1.0, 0.0]))
    still = np.broadcast_to(np.array([1.0, 0.0, 0.0, 0.0]), turning.shape)
    share = np.concatenate([np.full(100, 0.5), [0.0], np.linspace(0, 1, 19)])
    made = blend_rotations([turning, still], np.stack([1 - share, share])[..., None])
    assert angle_between(made[101:], still[101:]).max() < 0.21


@pytest.mark.parametrize(
    ("takes", "shares", "words"),
    [
        ([], np.ones((1, 1, 1)), "at least one take"),
        ([np.ones((2, 1, 4)), np.ones((3, 1, 4))], np.full((2, 1, 1), 0.5), r"shape \(2, 1, 4\)"),
        ([np.ones((2, 1, 4))] * 2, np.full((2, 1, 1), 0.6), "add up to 1"),
        ([np.ones((2, 1, 4))] * 2, np.full((2, 1, 1), np.nan), "finite"),
        ([np.ones((2, 1, 4))] * 3, np.array([-0.5, 0.5, 1.0])[:, None, None], "not be negative"),
    ],
)
def test_bad_input_is_named(takes, shares, words):
    with pytest.raises(InputError, match=words):
        blend_rotations(takes, shares)
