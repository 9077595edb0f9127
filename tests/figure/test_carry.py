"""Any figure out: a pose means the same on another figure, whatever its rest pose and its joints."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte.errors import InputError
from marotte.figure import EndSite, Motion, Skeleton, align_rest, body_shapes, carry, recognise
from marotte.figure.contacts import sole_points
from marotte.figure.rotations import about, angle_between, exp, from_matrix, inverse, multiply, rotate

from .bodies import NAMINGS, body
from .figures import person, quadruped, wander

SEGMENTS = [
    (f"{side}_{a}", f"{side}_{b}")
    for side in ("left", "right")
    for a, b in (
        ("upper_arm", "lower_arm"),
        ("lower_arm", "hand"),
        ("upper_leg", "lower_leg"),
        ("lower_leg", "foot"),
    )
]
POSES = ["LAFAN1", "SMPL", "Unreal", "Biped", "Xsens BVH", "Acclaim", "MMD", "Kinect"]


def swaying(skeleton: Skeleton, seed: int = 0, frames: int = 12, size: float = 0.5) -> Motion:
    rng = np.random.default_rng(seed)
    turns = exp(rng.normal(size=(frames, len(skeleton), 3)) * size)
    return Motion(skeleton, rng.normal(size=(frames, 3)), turns, 30.0)


def directions(motion: Motion) -> dict[str, np.ndarray]:
    """The world directions (F, 3) of the parts of limbs."""
    at, rig = motion.positions(), motion.rig
    found = {}
    for a, b in SEGMENTS:
        if a in rig and b in rig:
            v = at[:, rig[b]] - at[:, rig[a]]
            found[a] = v / np.linalg.norm(v, axis=1, keepdims=True)
    return found


def apart(a: np.ndarray, b: np.ndarray) -> float:
    """The largest angle between directions (F, 3), radians."""
    return float(np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), (a * b).sum(axis=1)).max())


def reposed(skeleton: Skeleton, turns: dict[int, np.ndarray]) -> Skeleton:
    """The same figure with another rest pose: joints turned against their parents, all below along."""
    rotations = np.zeros((1, len(skeleton), 4))
    rotations[..., 0] = 1.0
    for joint, turn in turns.items():
        rotations[0, joint] = turn
    posed = Motion(skeleton, skeleton.offsets[:1], rotations, 30.0, rig=recognise(skeleton))
    at, ends = posed.positions()[0], posed.end_positions()[0]
    offsets = at.copy()
    offsets[1:] -= at[skeleton.parents[1:]]
    tips = []
    for end, place in zip(skeleton.ends, ends, strict=True):
        x, y, z = (float(v) for v in place - at[end.joint])
        tips.append(EndSite(end.joint, (x, y, z)))
    return skeleton.with_(offsets=offsets, ends=tips)


@given(st.integers(0, 1000), st.sampled_from(sorted(NAMINGS)), st.integers(0, 2))
def test_onto_itself_nothing_changes(seed, name, twists):
    motion = swaying(body(NAMINGS[name], twists=twists).skeleton(), seed)
    again = carry(motion, motion)
    assert angle_between(again.rotations, motion.rotations).max() < 1e-9
    assert again.root == pytest.approx(motion.root, abs=1e-12)


@given(
    st.integers(0, 1000),
    st.sampled_from(POSES),
    st.sampled_from(POSES),
    st.floats(-0.3, 1.3),
    st.floats(-0.3, 1.3),
)
def test_limbs_point_where_they_pointed_whatever_the_rest_pose(seed, source, target, down, other):
    """T-pose onto A-pose: arms that hang on one figure must hang on the other."""
    motion = swaying(body(NAMINGS[source], arm_down=down).skeleton(), seed)
    onto = body(NAMINGS[target], arm_down=other, stretch={"lower_arm": 1.2, "foot": 0.9}).skeleton()
    there = carry(motion, onto)
    ours, theirs = directions(motion), directions(there)
    assert len(ours) == 8
    for part, direction in ours.items():
        assert apart(direction, theirs[part]) < 1e-6, part


@given(st.integers(0, 1000), st.sampled_from(POSES), st.sampled_from(POSES), st.floats(0, 1.3))
def test_there_and_back_is_where_it_began(seed, source, target, down):
    """Roles that both figures have keep their rotations exactly when counts agree."""
    motion = swaying(body(NAMINGS[source]).skeleton(), seed)
    there = carry(motion, body(NAMINGS[target], arm_down=down).skeleton())
    back = carry(there, motion)
    same_spine = len(motion.rig.spine) == len(there.rig.spine)
    for role, joint in motion.rig.roles.items():
        trunk = role in ("spine", "chest", "upper_chest", "neck", "head")
        if role in there.rig and (same_spine or not trunk):
            a, b = motion.orientations()[:, joint], back.orientations()[:, joint]
            assert angle_between(a, b).max() < 1e-9, role


def test_a_spine_of_three_on_five_and_back():
    """The ends of the trunk are exact, and what lies between shares the bend evenly."""
    three = body(NAMINGS["LAFAN1"]).skeleton()
    five = body(
        type(NAMINGS["LAFAN1"])("Hips", "s1 s2 s3 s4 s5", "Neck", "Head", NAMINGS["LAFAN1"].limbs)
    ).skeleton()
    turns = np.zeros((1, len(three), 4))
    turns[..., 0] = 1.0
    rig = recognise(three)
    for joint in rig.spine:
        turns[0, joint] = about([1.0, 0, 0], math.radians(20))
    motion = Motion(three, three.offsets[:1], turns, 30.0)
    there = carry(motion, five)
    ours, theirs = motion.orientations()[0], there.orientations()[0]
    assert angle_between(ours[rig.spine[-1]], theirs[there.rig.spine[-1]]) < 1e-9
    each = [math.degrees(angle_between(there.rotations[0, j], [1, 0, 0, 0])) for j in there.rig.spine]
    assert each == pytest.approx([12.0] * 5, abs=1e-6)
    back = carry(there, three).rotations[0]
    assert [math.degrees(angle_between(back[j], [1, 0, 0, 0])) for j in rig.spine] == pytest.approx(
        [20.0] * 3
    )


def test_missing_necks_collars_toes_and_hands_follow_the_part_above():
    """A figure with more joints than the take has must not come apart or bend where nobody bent."""
    kinect = body(NAMINGS["Kinect"]).skeleton()
    motion = swaying(kinect, 3)
    there = carry(motion, body(NAMINGS["LAFAN1"]).skeleton())
    rig = there.rig
    for side in ("left", "right"):
        collar = there.rotations[:, rig[f"{side}_shoulder"]]
        assert angle_between(collar, [1.0, 0, 0, 0]).max() < 1e-9
        toes = there.rotations[:, rig[f"{side}_toes"]]
        feet = motion.rotations[:, motion.rig[f"{side}_toes"]]
        assert angle_between(toes, feet).max() < 1e-6
    bald = body(replace(NAMINGS["LAFAN1"], neck="", limbs=NAMINGS["LAFAN1"].limbs.replace("{S}Toe", "-")))
    motion = swaying(bald.skeleton(), 3)
    there = carry(motion, body(NAMINGS["LAFAN1"]).skeleton())
    neck, head = (there.rotations[:, there.rig[r]] for r in ("neck", "head"))
    assert angle_between(neck, head).max() < 1e-9  # they share what the head turned
    assert angle_between(there.rotations[:, there.rig["left_toes"]], [1.0, 0, 0, 0]).max() < 1e-9


def test_a_twist_joint_takes_half_of_the_hands_twist():
    """All the twist at the wrist wrings the skin there like a sweet's wrapper."""
    naming = NAMINGS["LAFAN1"]
    motion = swaying(body(naming).skeleton(), size=0.0)
    hand = motion.rig["left_hand"]
    turned = np.array(motion.rotations)
    turned[:, hand] = about([1.0, 0, 0], 1.0)
    motion = motion.with_(rotations=turned)
    onto = body(naming, twists=1).skeleton()
    there = carry(motion, onto)
    bone = onto.offsets[onto.index("LeftHand")]
    twist = there.rotations[0, onto.index("LeftForeArm_twist_1")]
    assert math.degrees(angle_between(twist, [1.0, 0, 0, 0])) == pytest.approx(math.degrees(0.5), abs=1.0)
    assert rotate(twist, bone) == pytest.approx(bone, abs=1e-9)
    before = align_rest(motion.skeleton, motion.rig).role_turns(motion.orientations())["left_hand"][0]
    after = align_rest(onto, there.rig).role_turns(there.orientations())["left_hand"][0]
    assert angle_between(after, before) < 1e-9


@given(st.lists(st.floats(-2.5, 2.5), min_size=12, max_size=12), st.integers(0, 100))
def test_any_rest_pose_of_the_same_body_means_the_same_pose(values, seed):
    """Elbows and knees bent at rest, arms anywhere: one body, one pose, whatever the zero is."""
    skeleton = body(NAMINGS["LAFAN1"]).skeleton()
    rig = recognise(skeleton)
    turns = {}
    for i, side in enumerate(("left", "right")):
        sign = 1.0 if side == "left" else -1.0
        low, out, bend = (abs(v) / 2.5 for v in values[3 * i : 3 * i + 3])
        turns[rig[f"{side}_upper_arm"]] = multiply(
            about([0, 0, 1.0], -sign * 1.2 * low), about([0, 1.0, 0], -sign * 0.4 * out)
        )
        turns[rig[f"{side}_lower_arm"]] = about([0, 1.0, 0], -sign * (0.2 + 0.8 * bend))
    posed = reposed(skeleton, turns)
    motion = swaying(skeleton, seed)
    there = carry(motion, posed)
    for part, direction in directions(motion).items():
        assert apart(direction, directions(there)[part]) < 1e-6


def test_the_reference_pose_is_a_t_pose_for_every_figure():
    """What `human_limits` measures from: arms out, legs down, elbows' axes upright, knees' across."""
    for name in POSES:
        for down in (0.0, 0.7, 1.3):
            skeleton = body(NAMINGS[name], arm_down=down).skeleton()
            rig = recognise(skeleton)
            aligned = align_rest(skeleton, rig)
            pose = Motion(skeleton, skeleton.offsets[:1], aligned.reference_pose()[None], 30.0, rig=rig)
            found = directions(pose)
            for side, x in (("left", 1.0), ("right", -1.0)):
                for part, want in (
                    ("upper_arm", [x, 0, 0]),
                    ("lower_arm", [x, 0, 0]),
                    ("upper_leg", [0, -1, 0]),
                    ("lower_leg", [0, -1, 0]),
                ):
                    assert found[f"{side}_{part}"][0] == pytest.approx(want, abs=1e-9)
                elbow, knee = rig.limb(f"{side}_arm"), rig.limb(f"{side}_leg")
                assert elbow is not None
                assert knee is not None
                turned = pose.orientations()[0]
                assert rotate(turned[elbow.hinge], elbow.hinge_axis) == pytest.approx([0, -x, 0], abs=0.2)
                assert rotate(turned[knee.hinge], knee.hinge_axis) == pytest.approx([1, 0, 0], abs=0.2)
            turns = aligned.role_turns(pose.orientations())
            assert max(angle_between(t, [1.0, 0, 0, 0]).max() for t in turns.values()) < 1e-9


def test_a_bend_of_the_elbow_bends_the_elbow_on_a_figure_that_rests_otherwise():
    naming = NAMINGS["LAFAN1"]
    motion = swaying(body(naming).skeleton(), size=0.0)
    turned = np.array(motion.rotations)
    limb = motion.rig.limb("left_arm")
    assert limb is not None
    turned[:, limb.hinge] = about(limb.hinge_axis, 1.0)
    there = carry(motion.with_(rotations=turned), body(naming, arm_down=1.2).skeleton())
    other = there.rig.limb("left_arm")
    assert other is not None
    local = there.rotations[0, other.hinge]
    assert angle_between(local, about(other.hinge_axis, 1.0)) < math.radians(3)


def test_hips_move_by_the_length_of_the_legs():
    motion = swaying(body(NAMINGS["LAFAN1"]).skeleton(), 1)
    child = body(NAMINGS["SMPL"]).skeleton(scale=0.85)
    there = carry(motion, child)
    assert there.root == pytest.approx(0.5 * motion.root, abs=1e-9)


def test_a_root_above_the_hips_stays_level_under_them():
    """Unreal's root stands on the ground; the hips must still be where the take has them."""
    motion = swaying(body(NAMINGS["LAFAN1"]).skeleton(), 1)
    for name in ("Unreal", "MMD"):
        onto = body(NAMINGS[name]).skeleton()
        there = carry(motion, onto)
        assert there.positions()[:, there.rig["hips"]] == pytest.approx(motion.root, abs=1e-9)
        chest, ours = there.rig.spine[-1], motion.rig.spine[-1]
        turned = angle_between(there.orientations()[:, chest], motion.orientations()[:, ours])
        assert turned.max() < 1e-9


def test_contacts_come_along_and_a_figure_without_roles_is_refused():
    motion = wander()
    there = carry(motion, body(NAMINGS["SMPL"]).skeleton())
    assert there.contacts == motion.contacts
    assert there.points == ()
    with pytest.raises(InputError, match="the target has none"):
        carry(motion, quadruped())


def test_batches_are_what_their_frames_are():
    motion = swaying(person(), 5)
    onto = body(NAMINGS["Unreal"]).skeleton()
    whole = carry(motion, onto).rotations
    for f in (0, 7):
        one = carry(motion[f : f + 1], onto).rotations[0]
        assert angle_between(whole[f], one).max() < 1e-12
    assert len(carry(motion[:0], onto)) == 0
    assert np.allclose(multiply(inverse(whole), whole)[..., 0], 1)


def along_x(motion: Motion) -> Motion:
    """The same motion in frames whose X runs along each bone: its zero pose lays all bones along X.

    LAFAN1's files are of this kind, and those of many a tool that orients joints by their bones.
    """
    skeleton = motion.skeleton
    rest = skeleton.rest_positions()
    frames = np.zeros((len(skeleton), 4))
    for j in range(len(skeleton)):
        below = [rest[k] for k in skeleton.children(j)]
        below += [rest[j] + e.offset for e in skeleton.ends if e.joint == j]
        middle = [rest[k] for k in skeleton.children(j) if skeleton.names[k].startswith(("Spine", "Neck"))]
        bone = np.mean(middle or below or [rest[j] + [1.0, 0, 0]], axis=0) - rest[j]
        x = bone / np.linalg.norm(bone)
        side = np.array([0.0, 0.0, 1.0]) - x * x[2]
        z = side / np.linalg.norm(side) if np.linalg.norm(side) > 0.3 else np.cross(x, [0.0, 1.0, 0.0])
        z = z / np.linalg.norm(z)
        frames[j] = from_matrix(np.stack([x, np.cross(z, x), z], axis=1))
    above = [frames[max(0, int(p))] for p in skeleton.parents]
    offsets = np.array([rotate(inverse(a), o) for a, o in zip(above, skeleton.offsets, strict=True)])
    offsets[0] = skeleton.offsets[0]
    ends = []
    for end in skeleton.ends:
        x, y, z = (float(v) for v in rotate(inverse(frames[end.joint]), end.offset))
        ends.append(EndSite(end.joint, (x, y, z)))
    world = multiply(motion.orientations(), frames)
    local = np.array(world)
    for j, p in enumerate(skeleton.parents):
        if p >= 0:
            local[:, j] = multiply(inverse(world[:, p]), world[:, j])
    return Motion(skeleton.with_(offsets=offsets, ends=ends), motion.root, local, motion.frame_rate)


def walking(skeleton: Skeleton, frames: int = 30) -> Motion:
    """Knees and elbows bend, legs and arms swing: what any walk shows of a body."""
    rig = recognise(skeleton)
    turns = np.zeros((frames, len(skeleton), 4))
    turns[..., 0] = 1.0
    t = np.linspace(0, 4 * np.pi, frames)
    for side, phase in (("left", 0.0), ("right", np.pi)):
        arm, leg = rig.limb(f"{side}_arm"), rig.limb(f"{side}_leg")
        assert arm is not None
        assert leg is not None
        down = about([0, 0, 1.0], -1.3 if side == "left" else 1.3)
        swing = about([1.0, 0, 0], 0.4 * np.sin(t + phase))
        turns[:, leg.root] = about([1.0, 0, 0], -0.2 - 0.4 * np.sin(t + phase))
        turns[:, leg.hinge] = about(leg.hinge_axis, 0.5 + 0.4 * np.cos(t + phase))
        turns[:, arm.root] = multiply(swing, down)
        turns[:, arm.hinge] = about(arm.hinge_axis, 0.5 + 0.2 * np.sin(t + phase))
    return Motion(skeleton, np.tile(skeleton.offsets[0], (frames, 1)), turns, 30.0)


@pytest.mark.parametrize("name", ["LAFAN1", "SMPL", "Xsens BVH"])
def test_bones_along_x_mean_the_same_as_a_t_pose(name):
    """Every part, with its twist: a zero pose that is no pose must cost nothing."""
    posed = walking(body(NAMINGS[name]).skeleton())
    laid = along_x(posed)
    assert "its zero pose is no pose of a body" in laid.rig.reasons
    assert laid.positions() == pytest.approx(posed.positions(), abs=1e-9)
    ours = align_rest(posed.skeleton, posed.rig).role_turns(posed.orientations())
    theirs = align_rest(laid.skeleton, laid.rig, laid.poses).role_turns(laid.orientations())
    off = {r: math.degrees(angle_between(ours[r], theirs[r]).max()) for r in ours}
    # in a zero pose that is none, the slopes of neck (11 degrees), collar bones and feet are no build
    sloping = ("neck", "shoulder", "foot", "toes")
    assert max(v for r, v in off.items() if not r.endswith(sloping)) < 6, off
    assert max(off.values()) < 25, off
    onto = body(NAMINGS["Unreal"]).skeleton()
    there = carry(laid, onto)
    for part, direction in directions(posed).items():
        assert apart(direction, directions(there)[part]) < 1e-6
    back = carry(carry(posed, laid), posed)
    assert max(apart(a, directions(back)[p]) for p, a in directions(posed).items()) < 1e-6


@given(st.integers(0, 1000), st.sampled_from(POSES), st.lists(st.sampled_from(range(22)), max_size=12))
def test_bones_of_no_length_carry_nothing_that_is_no_number(seed, name, flat):
    """CMU's skeletons have ten of them, and broken files more."""
    skeleton = body(NAMINGS[name]).skeleton()
    offsets = np.array(skeleton.offsets)
    for j in flat:
        if j < len(offsets):
            offsets[j] = 0.0
    broken = skeleton.with_(offsets=offsets)
    motion = swaying(skeleton, seed, frames=3)
    for a, b in ((motion, broken), (swaying(broken, seed, frames=3), skeleton)):
        there = carry(a, b)
        assert np.isfinite(there.positions()).all()


def test_a_figure_with_no_pose_at_rest_has_flesh_and_soles_as_any_other():
    """Drawn from a zero pose of parallel bones a body was thin as a stick, its soles beside its feet."""
    posed = walking(body(NAMINGS["LAFAN1"]).skeleton())
    laid = along_x(posed)
    extents = []
    for motion in (posed, laid):
        at, turned = motion.world()
        points = [
            at[0, s.joint] + rotate(turned[0, s.joint], p) + [0.0, side * r, 0.0]
            for s in body_shapes(motion.skeleton, motion.rig)
            for p, r in ((s.start, s.radius_start), (s.end, s.radius_end))
            for side in (-1, 1)
        ]
        extents.append((np.min(points, axis=0), np.max(points, axis=0)))
        widest = max(s.radius_start for s in body_shapes(motion.skeleton, motion.rig))
        assert widest > 0.06
    assert extents[0] == pytest.approx(np.array(extents[1]), abs=0.05)
    for ours, theirs in zip(posed.rig.soles, laid.rig.soles, strict=True):
        a, b = sole_points(posed, ours), sole_points(laid, theirs)
        assert np.linalg.norm(a - b, axis=-1).max() < 0.04
