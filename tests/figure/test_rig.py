"""Rigs, masks, flesh and contacts: the right foot must be the right foot."""

from __future__ import annotations

import numpy as np
import pytest

from marotte.errors import InputError, UnknownNameError
from marotte.figure import (
    PARTS,
    ROLES,
    Contact,
    ContactThresholds,
    Motion,
    body_shapes,
    detect_contacts,
    recognise,
    select_joints,
)
from marotte.figure._names import split_name
from marotte.figure.contacts import intervals, sole_points, without_short_runs

from .figures import person, quadruped


@pytest.mark.parametrize(
    ("name", "side", "word"),
    [
        ("mixamorig:LeftUpLeg", "left", "upleg"),
        ("mixamorig1:RightForeArm", "right", "forearm"),
        ("Character1_LeftFoot", "left", "foot"),
        ("Bip01 L Thigh", "left", "thigh"),
        ("thigh.R", "right", "thigh"),
        ("DEF-upper_arm.L", "left", "upperarm"),
        ("calf_r", "right", "calf"),
        ("L_upArm_jnt", "left", "uparm"),
        ("lShldr", "left", "shldr"),
        ("rhand", "right", "hand"),
        ("upperarm01.L", "left", "upperarm"),
        ("Hips", "", "hips"),
        ("Reference", "", "reference"),
        ("Lowerback", "", "lowerback"),
        ("LowerBack", "", "lowerback"),
    ],
)
def test_names_of_many_exporters(name, side, word):
    assert split_name(name) == (side, word)


def test_rig_of_a_person():
    skeleton = person()
    rig = recognise(skeleton)
    assert rig.confidence == 1.0
    assert [skeleton.names[j] for j in rig.spine] == ["Spine", "Spine1"]
    assert skeleton.names[rig["left_upper_arm"]] == "LeftArm"
    assert skeleton.names[rig["right_toes"]] == "RightToeBase"
    assert (rig.lateral, rig.up, rig.forward) == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert len(rig.limbs) == 4


def test_hinges_bend_knees_back_and_elbows_forward():
    """With the wrong sign every solver after this one would break the figure's knees."""
    skeleton = person()
    rig = recognise(skeleton)
    from marotte.figure.rotations import about, rotate

    for limb in rig.limbs:
        shin = skeleton.offsets[limb.end]
        bent = rotate(about(limb.hinge_axis, 0.8), shin)
        forward = 1 if "arm" in limb.name else -1
        assert np.sign((bent - shin)[2]) == forward, limb.name


def test_soles_lie_on_the_floor_under_the_foot():
    motion = Motion.at_rest(person(), 1)
    floor = motion.end_positions()[..., 1].min()
    for sole in motion.rig.soles:
        points = sole_points(motion, sole)[0]
        assert points[:, 1] == pytest.approx([floor] * 3)
        heel, ball, tip = points[:, 2]
        ankle = motion.positions()[0, motion.rig[sole.foot], 2]
        assert heel < ankle < ball < tip


def test_collar_and_shoulder_spellings_are_told_apart_by_the_chain():
    """Vicon calls the upper arm a shoulder, Mixamo the collar bone."""
    renames = {
        "LeftShoulder": "LeftCollar",
        "LeftArm": "LeftShoulder",
        "LeftForeArm": "LeftElbow",
        "LeftHand": "LeftWrist",
    }
    skeleton = person()
    skeleton = skeleton.with_(names=[renames.get(n, n) for n in skeleton.names])
    rig = recognise(skeleton)
    assert [skeleton.names[rig[f"left_{r}"]] for r in ("shoulder", "upper_arm", "lower_arm", "hand")] == [
        "LeftCollar",
        "LeftShoulder",
        "LeftElbow",
        "LeftWrist",
    ]


def test_a_figure_without_known_names_has_an_empty_rig_and_still_a_body():
    rig = recognise(quadruped())
    assert rig.is_empty
    assert rig.confidence == 0
    assert "say nothing" in rig.reasons[0]
    assert len(body_shapes(quadruped(), rig)) == 4
    assert detect_contacts(Motion.at_rest(quadruped(), 5)) == ()


def test_overrides_and_unknown_roles():
    rig = recognise(person(), {"left_hand": "Head"})
    assert rig["left_hand"] == person().index("Head")
    with pytest.raises(UnknownNameError, match="left_foot"):
        recognise(person(), {"left_fot": "LeftFoot"})
    with pytest.raises(UnknownNameError, match="no such part"):
        recognise(quadruped())["left_foot"]


def test_real_skeletons_are_recognised(shared_data):
    for file, roles in {
        "cmu/walk/07_01.bvh": {"left_upper_leg": "LeftUpLeg", "right_hand": "RightHand", "head": "Head"},
        "skeletons/mixamo_freebvh.bvh": {"left_lower_arm": "mixamorig:LeftForeArm", "hips": "mixamorig:Hips"},
        "skeletons/dfki_control_rig.bvh": {"right_lower_leg": "R_lowLeg_jnt"},
        "skeletons/makehuman_tpose.bvh": {"left_upper_leg": "upperleg01.L", "right_foot": "foot.R"},
        "conventions/cmu_daz_10_03.bvh": {"left_shoulder": "lCollar", "left_upper_arm": "lShldr"},
    }.items():
        names, parents = _hierarchy(shared_data / file)
        from marotte.figure import Skeleton

        rig = recognise(Skeleton(tuple(names), parents, np.ones((len(names), 3))))
        for role, joint in roles.items():
            assert names[rig[role]] == joint, (file, role)


def _hierarchy(path):
    """Names and parents by the indentation of braces: enough of a reader to need none of ours."""
    names: list[str] = []
    parents: list[int] = []
    stack: list[int | None] = []
    for line in path.read_text(errors="replace").split("MOTION")[0].splitlines():
        words = line.split()
        if words and words[0] in ("ROOT", "JOINT"):
            parents.append(next((j for j in reversed(stack) if j is not None), -1))
            names.append(" ".join(words[1:]))
            stack.append(len(names) - 1)
        elif words and words[0] == "End":
            stack.append(None)
        elif words == ["}"]:
            stack.pop()
    return names, parents


@pytest.mark.parametrize(
    ("parts", "names"),
    [
        ("root", {"Hips"}),
        ("left_arm", {"LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"}),
        ("head", {"Neck", "Head"}),
        ("feet", {"LeftFoot", "LeftToeBase", "RightFoot", "RightToeBase"}),
        ("spine", {"Spine", "Spine1"}),
        (["legs", "!feet"], {"LeftUpLeg", "LeftLeg", "RightUpLeg", "RightLeg"}),
        (["!body"], {"Hips"}),
        ("left_lower_leg", {"LeftLeg"}),
        ("*ForeArm", {"LeftForeArm", "RightForeArm"}),
        (["Head", "hands"], {"Head", "LeftHand", "RightHand"}),
    ],
)
def test_masks(parts, names):
    skeleton = person()
    mask = select_joints(skeleton, recognise(skeleton), parts)
    assert {skeleton.names[j] for j in np.flatnonzero(mask)} == names


def test_every_part_selects_something_sensible():
    skeleton = person()
    rig = recognise(skeleton)
    for part in PARTS:
        mask = select_joints(skeleton, rig, part)
        assert mask.any() or part == "fingers", part
    both = select_joints(skeleton, rig, ["upper_body", "lower_body"])
    assert both.all()
    assert not (select_joints(skeleton, rig, "left") & select_joints(skeleton, rig, "right")).any()


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ("lef_arm", "did you mean 'left_arm'"),
        ("Tail*", "unknown pattern"),
        ([], "at least one"),
    ],
)
def test_wrong_masks_say_so(parts, words):
    with pytest.raises(InputError, match=words):
        select_joints(person(), recognise(person()), parts)


def test_parts_of_a_figure_without_roles():
    rig = recognise(quadruped())
    with pytest.raises(InputError, match="no roles"):
        select_joints(quadruped(), rig, "left_arm")
    assert select_joints(quadruped(), rig, "body").sum() == 4


def test_body_covers_every_role_and_keeps_a_humans_proportions():
    skeleton = person()
    shapes = body_shapes(skeleton)
    kinds = {s.kind for s in shapes}
    assert kinds == {"torso", "limb", "head", "hand", "foot"}
    by_joint = {skeleton.names[s.joint] for s in shapes}
    assert {"LeftUpLeg", "RightForeArm", "Hips", "Head", "LeftFoot"} <= by_joint
    assert all(min(s.radius_start, s.radius_end) > 0.002 and s.radius_start < 0.2 for s in shapes)
    lowest = min(
        skeleton.rest_positions()[s.joint][1] + p[1] - r
        for s in shapes
        for p, r in ((s.start, s.radius_start), (s.end, s.radius_end))
    )
    floor = skeleton.rest_ends()[:, 1].min()
    assert lowest == pytest.approx(floor, abs=0.02)  # drawn feet stand on the floor


def test_roles_are_unique_and_sided():
    assert len(set(ROLES)) == len(ROLES)
    assert {r.replace("left_", "right_") for r in ROLES if r.startswith("left_")} <= set(ROLES)


def test_contacts_of_a_stamping_foot():
    """A foot that stands, lifts and stands again, seen at two sizes of the figure."""
    for scale in (1.0, 0.1):
        skeleton = person().scaled(scale)
        frames, rate = 90, 30.0
        lift = np.zeros(frames)
        lift[30:60] = 0.2 * np.sin(np.linspace(0, np.pi, 30)) * scale
        motion = Motion.at_rest(skeleton, frames, rate)
        floor = motion.end_positions()[..., 1].min()
        root = np.array(motion.root)
        root[:, 1] += lift - floor
        found = detect_contacts(motion.with_(root=root))
        by_role = {r: [c for c in found if c.role == r] for r in ("left_foot", "right_foot")}
        for contacts in by_role.values():
            assert len(contacts) == 2
            assert contacts[0].first == 0
            assert contacts[0].last == pytest.approx(30, abs=2)
            assert contacts[1].first == pytest.approx(60, abs=2)
            assert contacts[1].last == 89


def test_short_touches_and_gaps_are_noise():
    mask = np.array([1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1], bool)
    clean = without_short_runs(mask, 3)
    assert intervals("f", clean) == [Contact("f", 0, 7), Contact("f", 16, 19)]
    assert ContactThresholds().begin_speed < ContactThresholds().end_speed


def test_wrong_contacts_are_refused():
    with pytest.raises(InputError, match="not before it"):
        Contact("left_foot", 5, 4)
