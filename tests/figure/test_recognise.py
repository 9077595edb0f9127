"""Any figure in: what joints mean is found whatever they are called and however they lie."""

from __future__ import annotations

import random
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte.figure import Motion, Poses, Skeleton, recognise
from marotte.figure._names import is_helper, split_name
from marotte.figure.rotations import exp, to_matrix
from marotte.figure.skeleton import EndSite

from .bodies import NAMINGS, Body, body


def anonymous(skeleton: Skeleton) -> Skeleton:
    return skeleton.with_(names=[f"joint_{j}" for j in range(len(skeleton))])


def shuffled(skeleton: Skeleton, seed: int) -> tuple[Skeleton, list[int]]:
    """The same figure with children in another order, and where each joint was before."""
    rng = random.Random(seed)
    order: list[int] = []
    stack = [0]
    while stack:
        joint = stack.pop()
        order.append(joint)
        below = list(skeleton.children(joint))
        rng.shuffle(below)
        stack += below
    place = {old: new for new, old in enumerate(order)}
    parents = [-1 if skeleton.parents[j] < 0 else place[int(skeleton.parents[j])] for j in order]
    return Skeleton(
        tuple(skeleton.names[j] for j in order),
        np.array(parents),
        skeleton.offsets[order],
        ends=tuple(EndSite(place[e.joint], e.offset, e.name) for e in skeleton.ends),
    ), order


def wrong(rig, made: Body, skeleton: Skeleton, roles=None) -> dict[str, tuple[str, str]]:
    """Roles that are not what they should be: what was found, what it is."""
    found = {}
    for role, name in made.roles.items():
        if roles is None or any(role.endswith(r) for r in roles):
            joint = rig.get(role)
            got = "nothing" if joint is None else skeleton.names[joint]
            if got != name:
                found[role] = (got, name)
    return found


@pytest.mark.parametrize("name", NAMINGS)
def test_every_exporters_names_are_known(name):
    made = body(NAMINGS[name])
    skeleton = made.skeleton()
    rig = recognise(skeleton)
    assert wrong(rig, made, skeleton) == {}
    assert [skeleton.names[j] for j in rig.spine] == made.spine
    assert rig.confidence > 0.95


@pytest.mark.parametrize(
    "change",
    [str.upper, str.lower, lambda n: "Actor7:" + n, lambda n: "a|b|" + n, lambda n: n + "_jnt"],
    ids=["upper", "lower", "namespace", "path", "suffix"],
)
@pytest.mark.parametrize("name", ["LAFAN1", "SMPL", "Unreal", "VRM humanoid", "Xsens BVH"])
def test_case_namespaces_and_suffixes_do_not_matter(name, change):
    made = body(NAMINGS[name])
    skeleton = made.skeleton()
    if change is str.lower and name == "VRM humanoid":
        pytest.skip("leftupperleg is a spelling of its own, tested below")
    named = skeleton.with_(names=[change(n) for n in skeleton.names])
    rig, plain = recognise(named), recognise(skeleton)
    assert dict(rig.roles) == dict(plain.roles)


@pytest.mark.parametrize(
    ("name", "side", "word"),
    [
        ("leftupperleg", "left", "upperleg"),
        ("J_Bip_L_UpperArm", "left", "upperarm"),
        ("J_Bip_C_Hips", "", "hips"),
        ("ValveBiped.Bip01_R_Calf", "right", "calf"),
        ("CC_Base_L_Thigh", "left", "thigh"),
        ("DEF-thigh.L.001", "left", "thigh"),
        ("右ひじ", "right", "ひじ"),
        ("lThumb", "left", "thumb"),
        ("HipLeft", "left", "hip"),
        ("LHipJoint", "left", "hipjoint"),
        ("lowerback", "", "lowerback"),
        ("root", "", "root"),
        ("rib", "", "rib"),
        ("left", "left", ""),
    ],
)
def test_sides_are_told_from_words_that_begin_like_them(name, side, word):
    assert split_name(name) == (side, word)


@pytest.mark.parametrize(
    "name",
    [
        "upperarm_twist_01_l",
        "LeafLeftUpLegRoll1",
        "ik_foot_l",
        "左足ＩＫ",
        "左腕捩",
        "HeadTop_End",
        "Bip01 L Toe0Nub",
    ],
)
def test_helpers_are_no_limbs(name):
    assert is_helper(name)
    assert not is_helper("LeftUpLeg")
    assert not is_helper("lThighBend")


LIMBS_ONLY = ("hips", "upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot")


@pytest.mark.parametrize("name", NAMINGS)
@pytest.mark.parametrize("arm_down", [0.0, 0.8, 1.5])
def test_shape_alone_finds_limbs_sides_and_spine(name, arm_down):
    """No name at all, children in any order: a file from a tool that nobody knows."""
    made = body(NAMINGS[name], arm_down=arm_down)
    for seed in range(3):
        skeleton, order = shuffled(made.skeleton(), seed)
        rig = recognise(anonymous(skeleton))
        assert wrong(rig, made, skeleton, LIMBS_ONLY) == {}, order
        assert [skeleton.names[j] for j in rig.spine] == made.spine
        assert 0.5 < rig.confidence < 1.0


_builds = st.fixed_dictionaries(
    {
        role: st.floats(0.8, 1.3)
        for role in ("upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot", "toes")
    }
)


@given(
    stretch=_builds,
    arm_down=st.floats(0.0, 1.45),
    turn=st.lists(st.floats(-3, 3), min_size=3, max_size=3),
    twists=st.integers(0, 2),
    name=st.sampled_from(["LAFAN1", "Kinect", "SMPL", "Xsens BVH"]),
    seed=st.integers(0, 99),
)
def test_shape_is_seen_for_any_build_turned_any_way(stretch, arm_down, turn, twists, name, seed):
    """Long arms, twist joints, a figure that lies or stands on its head: left stays left."""
    made = body(NAMINGS[name], arm_down=arm_down, stretch=stretch, twists=twists)
    skeleton, _ = shuffled(made.skeleton(to_matrix(exp(np.array(turn)))), seed)
    rig = recognise(anonymous(skeleton))
    assert wrong(rig, made, skeleton, LIMBS_ONLY) == {}


def test_a_zero_pose_of_parallel_bones_is_settled_by_frames():
    """LAFAN1 lays every bone along X: which side is left only the motion shows."""
    made = body(NAMINGS["LAFAN1"])
    standing = made.skeleton()
    for facing in (1.0, -1.0):
        # the same figure with all limbs laid along X; it faces along Z or against it
        offsets = np.array(standing.offsets) * [1.0, 1.0, facing]
        offsets[:, 0] *= facing
        turns = np.repeat(np.eye(3)[None], len(standing), axis=0)
        lengths = standing.bone_lengths()
        for j in range(1, len(standing)):
            parent = int(standing.parents[j])
            if standing.names[parent] not in ("Hips", "Spine2"):
                turns[parent] = _turn_onto(np.array([1.0, 0, 0]), offsets[j])
        laid = np.array(
            [np.linalg.inv(turns[standing.parents[j]]) @ offsets[j] for j in range(len(standing))]
        )
        assert np.allclose(np.linalg.norm(laid, axis=1)[1:], lengths[1:])
        skeleton = Skeleton(standing.names, standing.parents, laid)
        positions = np.cumsum(np.zeros((1, len(standing), 3)), axis=0)
        for j in range(len(standing)):
            parent = int(standing.parents[j])
            positions[0, j] = offsets[j] + (positions[0, parent] if parent >= 0 else 0)
        poses = Poses(positions, turns[None])
        rig = recognise(anonymous(skeleton), poses=partial(_same, poses))
        assert wrong(rig, made, skeleton, LIMBS_ONLY) == {}


def _same(poses: Poses) -> Poses:
    return poses


def _turn_onto(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    from marotte.figure.rotations import between

    return to_matrix(between(a, b))


def test_sides_by_custom_are_said_to_be_uncertain():
    """A figure without feet that faces who knows where must not be sure of its left hand."""
    naming = NAMINGS["Kinect"]
    made = body(naming, tips=False, stretch={"toes": 0.0})
    straight = made.skeleton()
    flat = straight.with_(offsets=np.array(straight.offsets) * [1, 1, 0])
    rig = recognise(anonymous(flat))
    assert 0 < rig.confidence < 0.75
    assert any("custom" in reason for reason in rig.reasons)


def test_sides_by_name_correct_what_the_shape_leaves_open():
    made = body(NAMINGS["LAFAN1"])
    skeleton = made.skeleton()
    half = [n if n.endswith(("Shoulder", "UpLeg")) else f"bone{j}" for j, n in enumerate(skeleton.names)]
    mirrored = skeleton.with_(offsets=np.array(skeleton.offsets) * [-1, 1, 1], names=half, ends=())
    rig = recognise(mirrored)
    for role in ("left_hand", "right_foot", "left_upper_arm"):
        assert skeleton.names[rig[role]] == made.roles[role]


def test_a_mirrored_file_is_told_from_a_figure_that_faces_away():
    """A left-handed file read as a right-handed one: its left hand is where the right one was."""
    for name in ("LAFAN1", "SMPL", "Unreal"):
        skeleton = body(NAMINGS[name]).skeleton()
        tips = [EndSite(e.joint, (-e.offset[0], e.offset[1], e.offset[2])) for e in skeleton.ends]
        mirrored = recognise(skeleton.with_(offsets=np.array(skeleton.offsets) * [-1, 1, 1], ends=tips))
        assert any("left-handed" in reason for reason in mirrored.reasons)
        assert mirrored.confidence < 0.7
        away = skeleton.with_(offsets=np.array(skeleton.offsets) * [-1, 1, -1])
        assert recognise(away).confidence > 0.95


@pytest.mark.parametrize("names", [True, False])
def test_a_four_legged_animal_gets_no_confident_rig(names):
    """A fox carried by a person's rig walks on its hands."""
    made = body(NAMINGS["LAFAN1"])
    skeleton = made.skeleton()
    offsets = np.array(skeleton.offsets)
    for j, n in enumerate(skeleton.names):
        if n in ("Spine", "Spine1", "Spine2", "Neck", "Head"):
            offsets[j] = np.array([0, 0, 1.0]) * np.linalg.norm(offsets[j])
        elif n.endswith(("ForeArm", "Hand")):
            offsets[j] = np.array([0, -1.5, 0]) * np.linalg.norm(offsets[j])
    fox = skeleton.with_(offsets=offsets)
    rig = recognise(fox if names else anonymous(fox))
    assert rig.confidence < 0.4
    assert any("four-legged" in reason for reason in rig.reasons)


@pytest.mark.parametrize("shape", ["snake", "star", "spider", "ball"])
def test_things_that_are_no_body_get_no_rig_to_speak_of(shape):
    rng = np.random.default_rng(1)
    parents: list[int] = [-1]
    offsets: list[list[float]] = [[0.0, 0.5, 0.0]]
    if shape == "snake":
        parents += range(29)
        offsets += rng.normal([0.2, 0, 0], 0.02, (29, 3)).tolist()
    elif shape == "star":
        parents += [0] * 12
        offsets += rng.normal(0, 0.3, (12, 3)).tolist()
    elif shape == "spider":
        for leg in range(8):
            side, row = (1 if leg % 2 else -1), leg // 2
            for k in range(3):
                parents.append(0 if k == 0 else len(parents) - 1)
                offsets.append([side * 0.2, 0.1 if k == 0 else -0.15, 0.1 * row if k == 0 else 0.0])
    else:
        parents.append(0)
        offsets.append([0.0, 0.2, 0.0])
    skeleton = Skeleton(tuple(f"n{j}" for j in range(len(parents))), np.array(parents), np.array(offsets))
    assert recognise(skeleton).confidence < 0.4


def test_every_role_says_how_sure_it_is_and_why():
    made = body(NAMINGS["SMPL"])
    skeleton = made.skeleton()
    rig = recognise(skeleton)
    assert set(rig.evidence) == set(rig.roles)
    assert {e.why for e in rig.evidence.values()} == {"by name", "on the way from hips to head"}
    blind = recognise(anonymous(skeleton))
    assert all(0 < e.confidence < 1 for e in blind.evidence.values())
    assert any("symmetr" in e.why or "alike" in e.why for e in blind.evidence.values())
    told = recognise(skeleton, {"left_hand": "L_Hand"})
    assert told.evidence["left_hand"].why == "given"
    assert told.evidence["left_hand"].confidence == 1.0


def test_deep_and_wide_trees_are_answered_at_once():
    """A rope of 5,000 joints, and a crown of 3,000, must neither recurse too deep nor take minutes."""
    rope = Skeleton(
        tuple(f"n{j}" for j in range(5000)), np.arange(-1, 4999), np.tile([0.0, 0.01, 0.0], (5000, 1))
    )
    assert recognise(rope).confidence < 0.4
    wide = np.zeros(2500, dtype=int)
    wide[0] = -1
    crown = Skeleton(
        tuple(f"n{j}" for j in range(2500)), wide, np.random.default_rng(0).normal(size=(2500, 3))
    )
    assert recognise(crown).confidence < 0.4


def test_a_motion_lets_its_frames_speak():
    made = body(NAMINGS["LAFAN1"])
    motion = Motion.at_rest(anonymous(made.skeleton()), 3)
    poses = motion.poses()
    assert poses is not None
    assert np.allclose(poses.positions[0], motion.positions()[0])
    assert np.allclose(poses.turns, np.eye(3))
    assert Motion.at_rest(made.skeleton(), 0).poses() is None


@given(st.integers(0, 100_000), st.integers(1, 40), st.sampled_from([0.0, 1e-200, 1e-9, 1.0, 1e9, 1e100]))
def test_whatever_the_skeleton_an_answer_comes_back(seed, joints, size):
    """Files hold anything: no bone of any length, or trees of any kind, may break the reading of one."""
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(int(rng.integers(max(0, j - 4), j)) for j in range(1, joints))])
    offsets = rng.normal(size=(joints, 3)) * size * (rng.random((joints, 1)) > 0.3)
    words = ["Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot", "Head", "x"]
    names = [f"{words[int(rng.integers(len(words)))]}{'' if j < 3 else j}" for j in range(joints)]
    names = [f"{n}_{j}" if names.index(n) != j else n for j, n in enumerate(names)]
    rig = recognise(Skeleton(tuple(names), parents, offsets))
    assert 0.0 <= rig.confidence <= 1.0
    assert all(0 <= j < joints for j in rig.roles.values())
