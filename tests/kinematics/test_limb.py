"""The closed form puts hands and feet exactly where they shall be, and changes least."""

from __future__ import annotations

import numpy as np
import pytest

from marotte import kernels
from marotte.errors import InputError
from marotte.figure import Motion
from marotte.figure.rotations import angle_between, exp, multiply, rotate
from marotte.kinematics import Place, Position, solve
from marotte.kinematics.limb import limb_table
from marotte.kinematics.problem import freedoms

from .figures import person, shaken


def put(motion: Motion, i: int, place, offset, turned=None, swivel=0.0, soft=0.0):
    """The motion's first frame with limb i at its goal."""
    tree, table = freedoms(motion.skeleton, motion.rig), limb_table(motion.skeleton, motion.rig, soft=soft)
    at, orientations = motion.world()
    root = int(table.root[i])
    rotations = np.array(motion.rotations[0])
    facts = np.zeros(8)
    kernels.limb.limb_one(
        tree, table, i, rotations, orientations[0, motion.skeleton.parents[root]], at[0, root],
        np.array(place, dtype=float), np.array(offset, dtype=float),
        np.array([1.0, 0, 0, 0] if turned is None else turned), int(turned is not None), swivel, facts,
    )  # fmt: skip
    return motion[:1].with_(rotations=rotations[None], contacts=None)


def figures(shared_data) -> list[Motion]:
    """Built-in and, where there are any, real ones, whose hinges lie askew and off the bones."""
    import marotte as mt

    found = [shaken(person(), 0.1, 4)]
    for name in ("cmu/jump/16_05.bvh", "conventions/cmu_daz_10_03.bvh"):
        found.append(mt.load(shared_data / name)[10:12].with_(translations=None))
    return found


def _check(motion: Motion) -> None:
    draw = np.random.default_rng(1)
    at, _ = motion.world()
    for i, limb in enumerate(motion.rig.limbs):
        most = limb_table(motion.skeleton, motion.rig).most[i]
        for _ in range(20):
            turned, offset = exp(draw.normal(size=3)), 0.05 * draw.normal(size=3)
            way = draw.normal(size=3)
            wrist = at[0, limb.root] + way / np.linalg.norm(way) * most * draw.uniform(0.45, 0.98)
            swivel = draw.uniform(-3.0, 3.0)
            goal = wrist + rotate(turned, offset)
            there, orientations = put(motion, i, goal, offset, turned, swivel).world()
            reached = there[0, limb.end] + rotate(orientations[0, limb.end], offset)
            assert np.linalg.norm(reached - goal) < 1e-12
            assert angle_between(orientations[0, limb.end], turned) < 1e-7
            # a point on the hand, the hand turning with the forearm
            wrist = at[0, limb.root] + 0.9 * (wrist - at[0, limb.root])
            loose = put(motion, i, wrist, offset * 0.2, None, swivel)
            there, orientations = loose.world()
            reached = there[0, limb.end] + rotate(orientations[0, limb.end], offset * 0.2)
            assert np.linalg.norm(reached - wrist) < 1e-9
            # nothing but the limb has moved, and the hinge only about its axis
            same = [j for j in range(len(motion.skeleton)) if j not in (limb.root, limb.hinge, limb.end)]
            assert np.array_equal(loose.rotations[0, same], motion.rotations[0, same])
            back = multiply(motion.rotations[0, limb.hinge] * [1, -1, -1, -1], loose.rotations[0, limb.hinge])
            assert np.linalg.norm(np.cross(back[1:], limb.hinge_axis)) < 1e-9


def test_hands_and_feet_come_exactly_where_they_shall_be() -> None:
    _check(shaken(person(), 0.1, 4))


def test_hands_and_feet_of_real_figures_do_too(shared_data) -> None:
    for motion in figures(shared_data)[1:]:
        _check(motion)


def test_of_the_elbow_s_circle_the_place_is_taken_that_turns_the_shoulder_least() -> None:
    """Against SLSG01 eq. 22, by trying every swivel."""
    motion = shaken(person(), 0.1, 4)
    at, _ = motion.world()
    limb = motion.rig.limbs[0]
    goal = at[0, limb.end] + [0.1, 0.15, -0.05]

    def turn(swivel: float) -> float:
        after = put(motion, 0, goal, (0, 0, 0), None, swivel).rotations[0, limb.root]
        return float(angle_between(after, motion.rotations[0, limb.root]))

    tried = [turn(s) for s in np.radians(np.arange(-180, 180, 1.0))]
    assert turn(0.0) <= min(tried) + 1e-12
    assert turn(0.0) < turn(0.05)
    assert turn(0.0) < turn(-0.05)


def test_out_of_reach_the_limb_points_at_its_goal_and_is_straight() -> None:
    motion = person()
    at, _ = motion.world()
    for i, limb in enumerate(motion.rig.limbs):
        goal = at[0, limb.root] + np.array([1.0, -2.0, 1.5])
        after = put(motion, i, goal, (0, 0, 0))
        there = after.positions()[0]
        line = there[limb.end] - there[limb.root]
        wanted = goal - there[limb.root]
        assert np.linalg.norm(np.cross(line, wanted)) / np.linalg.norm(wanted) < 1e-9
        assert np.linalg.norm(line) == pytest.approx(limb_table(motion.skeleton, motion.rig).most[i])


def test_too_near_the_limb_folds_as_far_as_flesh_lets_it() -> None:
    motion = person()
    at, _ = motion.world()
    limb = motion.rig.limbs[2]
    there = put(motion, 2, at[0, limb.root] + [0.0, -0.01, 0.02], (0, 0, 0)).positions()[0]
    a, b = there[limb.root] - there[limb.hinge], there[limb.end] - there[limb.hinge]
    between = np.degrees(np.arccos(a @ b / np.linalg.norm(a) / np.linalg.norm(b)))
    assert between == pytest.approx(20.0, abs=0.01)


def test_a_soft_limb_never_snaps_straight() -> None:
    """A goal that passes out of reach at an even speed: the knee's speed stays bounded when the
    limb gives way softly, where the plain one jumps."""
    motion = person()
    at, _ = motion.world()
    limb = motion.rig.limbs[2]
    most = float(limb_table(motion.skeleton, motion.rig).most[2])
    ways = np.linspace(0.9, 1.1, 401)

    def knees(soft: float) -> np.ndarray:
        bends = []
        for share in ways:
            goal = at[0, limb.root] + [0.0, -share * most, 0.0]
            q = put(motion, 2, goal, (0, 0, 0), soft=soft).rotations[0, limb.hinge]
            bends.append(2.0 * np.arctan2(np.linalg.norm(q[1:]), q[0]))
        return np.abs(np.diff(bends)) / (np.diff(ways) * most)

    plain, soft = knees(0.0).max(), knees(0.02).max()
    assert soft < 25.0, "radians a metre"
    assert plain > 2.0 * soft


def test_limbs_without_length_do_not_break() -> None:
    motion = person()
    limb = motion.rig.limbs[0]
    offsets = np.array(motion.skeleton.offsets)
    offsets[limb.end] = 0.0
    stump = motion.with_(skeleton=motion.skeleton.with_(offsets=offsets), rig=motion.rig)
    after = put(stump, 0, stump.positions()[0, limb.end] + [0.1, 0.1, 0.1], (0, 0, 0))
    assert np.isfinite(after.rotations).all()


def test_the_limb_solver_moves_hands_and_feet_alone() -> None:
    motion = person()
    at, turned = motion.world()
    hand, foot = motion.rig["left_hand"], motion.rig["right_foot"]
    goals = [
        Place("left_hand", at[:, hand] + [0.05, 0.1, 0.05], turned[:, hand]),
        Position("right_foot", at[:, foot] + [0.0, 0.06, 0.02]),
    ]
    done = solve(motion, goals, solver="limb", limits="none")
    assert done.reached
    assert np.array_equal(done.motion.root, motion.root)
    assert np.array_equal(
        done.motion.rotations[:, motion.rig["head"]], motion.rotations[:, motion.rig["head"]]
    )
    with pytest.raises(InputError, match="hybrid or full_body"):
        solve(motion, [Position("head", (0, 1, 0))], solver="limb")
