"""Joint limits: measured as the plainest formulas say, with exact slopes, and kept."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from marotte import kernels
from marotte.errors import InputError
from marotte.figure import Skeleton
from marotte.figure._arrays import owned
from marotte.figure.rotations import exp, rotate
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


def free_person():
    """A person in the rest pose whose file says nothing of limits and all of whose joints are balls."""
    walk = person()
    known = walk.skeleton
    skeleton = Skeleton(known.names, known.parents, known.offsets, ends=known.ends)
    return walk.with_(skeleton=skeleton, rig=walk.rig, contacts=None)


@pytest.mark.parametrize(
    ("role", "turn", "beyond"),
    [
        ("left_lower_leg", (90.0, 0.0, 0.0), 0.0),  # a knee bends back,
        ("left_lower_leg", (-45.0, 0.0, 0.0), 40.0),  # not forward,
        ("right_lower_leg", (0.0, 0.0, 25.0), 20.0),  # and not sideways
        ("left_upper_leg", (-110.0, 0.0, 0.0), 0.0),  # a thigh lifts forward,
        ("left_upper_leg", (60.0, 0.0, 0.0), 30.0),  # hardly back,
        ("left_upper_leg", (0.0, 0.0, 40.0), 0.0),  # and out more than
        ("left_upper_leg", (0.0, 0.0, -40.0), 10.0),  # in; the right one likewise
        ("right_upper_leg", (0.0, 0.0, -40.0), 0.0),
        ("right_upper_leg", (0.0, 0.0, 40.0), 10.0),
        ("head", (0.0, 60.0, 0.0), 20.0),  # half of what neck and head turn
        ("head", (0.0, -35.0, 0.0), 0.0),
    ],
)
def test_human_joints_stop_where_those_of_people_do(role, turn, beyond) -> None:
    motion = free_person()
    limits = joint_limits(motion.skeleton, "human", motion.rig)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (1, len(motion.skeleton), 1))
    assert limits.excess(rotations).max() < 1e-9, "the rest pose is one"
    j = motion.rig[role]
    rotations[0, j] = quaternion(Rotation.from_rotvec(turn, degrees=True))
    assert np.isclose(np.degrees(limits.excess(rotations)[0, j]), beyond, atol=1e-6)


def test_limits_of_a_file_win_over_those_of_people() -> None:
    motion = person()
    own, human = joint_limits(motion.skeleton), joint_limits(motion.skeleton, "human", motion.rig)
    has = own.kind != 0
    assert has.any()
    assert (human.kind[has] == own.kind[has]).all()
    assert np.array_equal(human.bounds[has], own.bounds[has])
    with pytest.raises(InputError, match="rig"):
        joint_limits(motion.skeleton, "human")


@pytest.mark.parametrize(
    ("role", "letters", "turn", "beyond"),
    [
        ("left_lower_leg", "X", (-45.0, 0.0, 0.0), 40.0),  # a knee that is a hinge does not bend forward,
        ("right_lower_leg", "X", (130.0, 0.0, 0.0), 0.0),  # but far back,
        ("right_lower_leg", "X", (170.0, 0.0, 0.0), 30.0),  # until flesh meets
        ("left_upper_leg", "XZ", (60.0, 0.0, 0.0), 30.0),  # hips of two axes, each for itself
        ("left_upper_leg", "XZ", (0.0, 0.0, 60.0), 15.0),
        ("left_upper_leg", "XZ", (-60.0, 0.0, 0.0), 0.0),
    ],
)
@pytest.mark.parametrize("askew", [False, True])
def test_joints_of_fewer_axes_stop_there_too(role, letters, turn, beyond, askew) -> None:
    """Files cut knees and elbows down to hinges: without limits they would bend either way."""
    motion = free_person()
    skeleton = motion.skeleton
    j = motion.rig[role]
    channels = list(skeleton.channels)
    channels[j] = letters
    about = np.array(turn)
    axes = None
    if askew and len(letters) == 1:  # the same turn, written about an axis that leans by 8 degrees
        lean = exp(np.radians([0.0, 8.0, 0.0]))
        axes = np.tile([1.0, 0.0, 0.0, 0.0], (len(skeleton), 1))
        axes[j] = lean
        about = rotate(lean, about)
    skeleton = skeleton.with_(channels=channels, channel_axes=axes)
    limits = joint_limits(skeleton, "human", motion.rig)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (1, len(skeleton), 1))
    assert limits.excess(rotations).max() < 1e-9, "the rest pose is one"
    rotations[0, j] = quaternion(Rotation.from_rotvec(about, degrees=True))
    # a hinge that leans bends a little less for each degree; ranges are found to a quarter of one
    assert np.isclose(np.degrees(limits.excess(rotations)[0, j]), beyond, atol=2.0 if askew else 0.3)
