"""What the joints of the shared skeletons are, written down by reading their hierarchies.

Facts, not data: names of joints by role. `{S}`, `{s}`, `{L}` and `{l}` stand for Left, left, L and l
of one side and for Right, right, R and r of the other. A `|` parts names that are both right where
shape alone cannot know what an artist called them: the first is what names must give.
"""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from pathlib import PurePosixPath

_LIMBS = ("shoulder", "upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot", "toes")


@dataclass(frozen=True)
class Expected:
    """Roles of one skeleton; `limbs` in the order of `_LIMBS`, `-` where there is none."""

    hips: str
    spine: str
    neck: str
    head: str
    limbs: str
    posed: bool = True  # whether the rest pose is one that a body can hold

    def roles(self) -> dict[str, tuple[str, ...]]:
        """Every role with the names that are right for it."""
        found = {"hips": self.hips, "neck": self.neck, "head": self.head}
        found = {role: name.replace("~", " ") for role, name in found.items()}
        for side, words in (("left", ("Left", "left", "L", "l")), ("right", ("Right", "right", "R", "r"))):
            limbs = self.limbs.split(" / ")  # or one side after the other, where they do not mirror
            for role, name in zip(_LIMBS, limbs[0 if side == "left" else -1].split(), strict=True):
                text = name.replace("~", " ")
                for key, word in zip(("{S}", "{s}", "{L}", "{l}"), words, strict=True):
                    text = text.replace(key, word)
                found[f"{side}_{role}"] = text
        return {r: tuple(n.split("|")) for r, n in found.items() if n != "-"}

    def trunk(self) -> tuple[tuple[str, ...], ...]:
        """The joints of the spine in order, each with the names that are right for it."""
        return tuple(tuple(n.replace("~", " ").split("|")) for n in self.spine.split())


_CMU = Expected(
    "Hips", "LowerBack Spine Spine1", "Neck", "Head",
    "{S}Shoulder {S}Arm {S}ForeArm {S}Hand {S}UpLeg {S}Leg {S}Foot {S}ToeBase",
)  # fmt: skip
_ACCLAIM = Expected(
    "root", "lowerback upperback thorax", "lowerneck", "head",
    "{l}clavicle {l}humerus {l}radius {l}hand|{l}wrist {l}femur {l}tibia {l}foot {l}toes",
)  # fmt: skip
_MIXAMO = Expected(
    "Hips", "Spine Spine1 Spine2", "Neck", "Head",
    "{S}Shoulder {S}Arm {S}ForeArm {S}Hand {S}UpLeg {S}Leg {S}Foot {S}ToeBase",
)  # fmt: skip
_VICON = "{S}Collar {S}Shoulder {S}Elbow {S}Wrist {S}Hip {S}Knee {S}Ankle"
_DAZ = Expected(
    "hip", "abdomen chest", "neck", "head",
    "{l}Collar {l}Shldr {l}ForeArm {l}Hand {l}Thigh {l}Shin {l}Foot -",
)  # fmt: skip
_MAKEHUMAN = Expected(
    "root", "spine05 spine04 spine03 spine02 spine01", "neck01", "head",
    "shoulder01.{L}|clavicle.{L} upperarm01.{L} lowerarm01.{L} wrist.{L} "
    "upperleg01.{L} lowerleg01.{L} foot.{L} -",
)  # fmt: skip
_WALKS = Expected("Hips", "Spine Spine1", "-", "-", "- {S}Arm {S}ForeArm - {S}UpLeg {S}Leg {S}Foot -")


def _prefixed(expected: Expected, prefix: str) -> Expected:
    def each(text: str) -> str:
        words = text.split()
        return " ".join(w if w == "-" else "|".join(prefix + n for n in w.split("|")) for w in words)

    hips, spine, neck, head, limbs = (
        each(t) for t in (expected.hips, expected.spine, expected.neck, expected.head, expected.limbs)
    )
    return Expected(hips, spine, neck, head, limbs, posed=expected.posed)


EXPECTED: dict[str, Expected] = {
    "cmu/*/*.bvh": _CMU,
    "conventions/*.bvh": _DAZ,
    "formats/acclaim/*": _ACCLAIM,
    "formats/same_clip_blender/*": _CMU,
    "formats/fbx/07_01_cmu.fbx": _CMU,
    "formats/fbx/rocketbox_*.fbx": _prefixed(
        Expected(
            "Pelvis|Spine", "Spine Spine1 Spine2", "Neck", "Head",
            "{L}~Clavicle {L}~UpperArm {L}~Forearm {L}~Hand {L}~Thigh {L}~Calf {L}~Foot {L}~Toe0",
        ),
        "Bip01~",
    ),
    "formats/fbx/ufbx_maya_human_ik_7400_binary.fbx": _prefixed(_MIXAMO, "Character1_"),
    "formats/npz/kimodo_soma_01.npz": Expected(
        "Hips", "Spine1 Spine2 Chest", "Neck1", "Head",
        "{S}Shoulder {S}Arm {S}ForeArm {S}Hand {S}Leg {S}Shin {S}Foot {S}ToeBase",
    ),
    "formats/gltf/CesiumMan.glb": Expected(
        "Skeleton_torso_joint_1", "Skeleton_torso_joint_2 torso_joint_3", "Skeleton_neck_joint_1",
        "Skeleton_neck_joint_2",
        "- Skeleton_arm_joint_L__4_ Skeleton_arm_joint_L__3_ Skeleton_arm_joint_L__2_ "
        "leg_joint_L_1 leg_joint_L_2 leg_joint_L_3 leg_joint_L_5 / "
        "- Skeleton_arm_joint_R Skeleton_arm_joint_R__2_ Skeleton_arm_joint_R__3_ "
        "leg_joint_R_1 leg_joint_R_2 leg_joint_R_3 leg_joint_R_5",
    ),
    "formats/gltf/mixamo_default_anims.glb": _prefixed(_MIXAMO, "mixamorig_"),
    "formats/vrm/EmissionMigration*": _prefixed(_MIXAMO, "Character1_"),
    "formats/vrm/mtoon*": Expected(
        "hips", "spine chest", "neck", "head",
        "shoulder.{L} upper_arm.{L} lower_arm.{L} hand.{L} upper_leg.{L} lower_leg.{L} foot.{L} toes.{L}",
    ),
    "formats/vrm/sphere*": Expected(
        "Hips", "Spine Chest UpperChest", "Neck", "Head",
        "Shoulder.{L} UpperArm.{L} LowerArm.{L} Hand.{L} UpperLeg.{L} LowerLeg.{L} Foot.{L} Toes.{L}",
    ),
    "formats/vrm/test.vrma": Expected(
        "hips", "spine chest", "neck", "head",
        "{s}Shoulder {s}UpperArm {s}LowerArm {s}Hand {s}UpperLeg {s}LowerLeg {s}Foot {s}Toes",
    ),
    "odd/real/boxing_toes_extra_row.bvh": Expected(
        "Hips", "Ab Chest", "Neck", "Head", f"{_VICON} {{S}}Toes",
    ),
    "odd/real/bvhio_example.bvh": Expected(
        "Hips", "Chest", "Neck", "Head",
        "{S}Collar {S}UpArm {S}LowArm {S}Hand {S}UpLeg {S}LowLeg {S}Foot -",
    ),
    "odd/real/snu_frames_time_typo.bvh": _WALKS,
    "odd/rocketbox_m_wave_01_blender.bvh": _prefixed(
        Expected(
            "Pelvis", "Spine Spine1 Spine2", "Neck", "Head",
            "{L}~Clavicle {L}~UpperArm {L}~Forearm {L}~Hand {L}~Thigh {L}~Calf {L}~Foot {L}~Toe0",
        ),
        "Bip01~",
    ),
    "skeletons/bvhtoolbox_walk01.bvh": Expected(
        "Hips", "Spine Spine1", "Neck", "Head",
        "{S}Shoulder {S}Arm {S}ForeArm {S}Hand {S}UpLeg {S}Leg {S}Foot -",
    ),
    "skeletons/cmu_jumping_jacks_30fps.bvh": Expected(
        "Hips", "lowerback Chest Chest2 lowerneck|-", "Neck|lowerneck", "Head",
        "{S}Collar {S}Shoulder {S}Elbow {l}hand|{S}Wrist {S}Hip {S}Knee {S}Ankle {S}Toe",
    ),
    "skeletons/dfki_control_rig.bvh": Expected(
        "FK_back1_jnt", "FK_back2_jnt FK_back3_jnt FK_back4_jnt|-", "-|FK_back4_jnt", "head_jnt",
        "{L}_shoulder_jnt {L}_upArm_jnt {L}_lowArm_jnt {L}_hand_jnt "
        "{L}_upLeg_jnt {L}_lowLeg_jnt {L}_foot_jnt {L}_toe_jnt",
        posed=False,
    ),
    "skeletons/geno_stance.bvh": Expected(
        "Hips", "Spine Spine1 Spine2 Spine3", "Neck", "Head",
        "{S}Shoulder {S}Arm {S}ForeArm {S}Hand {S}UpLeg {S}Leg {S}Foot {S}ToeBase",
    ),
    "skeletons/makehuman_run01_pose.bvh": _MAKEHUMAN,
    "skeletons/makehuman_tpose.bvh": _MAKEHUMAN,
    "skeletons/makehuman_[wz]*.bvh": Expected(
        "Hips", "Spine1 Spine2 Spine3", "Neck", "Head",
        "Clavicle_{L} UpArm_{L} LoArm_{L} Hand_{L} UpLeg_{L} LoLeg_{L} Foot_{L} Toe_{L}",
    ),
    "skeletons/mass_motionbuilder/*.bvh": _prefixed(
        Expected(
            "Hips", "Spine Spine1", "Neck", "Head",
            "{S}Shoulder {S}Arm {S}ForeArm {S}Hand {S}UpLeg {S}Leg {S}Foot {S}ToeBase",
        ),
        "Character1_",
    ),
    "skeletons/mixamo_freebvh.bvh": _prefixed(_MIXAMO, "mixamorig:"),
    "skeletons/mocapbank.bvh": Expected("Hips", "Chest Chest2", "Neck", "Head", f"{_VICON} -"),
    "skeletons/pybvh_mixed_orders.bvh": Expected(
        "Hips", "Spine Spine1 Spine2 Spine3", "Neck", "Head",
        "{S}Shoulder {S}Arm {S}ForeArm {S}Hand {S}UpLeg {S}Leg {S}Foot {S}ToeBase",
    ),
    "skeletons/rokoko_jesse_dance.bvh": Expected(
        "Hips", "Spine Spine1 Spine2", "Neck", "Head",
        "{S}Shoulder {S}Arm {S}ForeArm {S}Hand {S}UpLeg {S}Leg {S}Foot {S}ToeBase",
        posed=False,
    ),
    "skeletons/sfu_moda_8walk.bvh": Expected(
        "Hips", "Spine", "-", "Head",
        "{S}Shoulder {S}Arm {S}ForeArm {S}Hand {S}UpLeg {S}Leg {S}Foot {S}ToeBase",
    ),
    "skeletons/snu/woddy2_walk_turn_180.bvh": Expected(
        "Hips", "Spine Spine1", "-", "HEad",
        "{S}Shoulder|LeftShoulder1 {S}Arm {S}ForeArm {S}Hand {S}UpLeg {S}Leg {S}Foot {S}Toes",
    ),
    "skeletons/snu/*.bvh": _WALKS,
}  # fmt: skip
"""By pattern of the path in the shared data; the first that fits."""

NO_FIGURES = (
    "formats/fbx/ufbx_blender_293*",
    "formats/fbx/ufbx_max_*",
    "formats/fbx/ufbx_maya_axes*",
    "formats/fbx/ufbx_maya_rotation*",
    "formats/fbx/ufbx_motionbuilder*",
    "formats/fbx/ufbx_synthetic*",
    "formats/gltf/Fox.glb",
    "formats/gltf/InterpolationTest.glb",
    "formats/gltf/RiggedSimple.glb",
    "formats/gltf/SimpleSkin.gltf",
    "formats/usd/*",
    "odd/real/fairmotion_sinusoidal.bvh",
    "odd/real/momentum_simple.bvh",
    "odd/real/pybvh_full_precision_frame_time.bvh",
    "odd/real/pybvh_rotation_first_root.bvh",
    "odd/real/vrtracker_root_channels_0.bvh",
    "odd/synthetic/*.bvh",
)
"""Files whose skeletons are no whole person: props, parts of a body, animals."""


def expected_of(path: PurePosixPath) -> Expected | None:
    """What a shared file's joints are, or None."""
    return next((e for pattern, e in EXPECTED.items() if fnmatch.fnmatch(str(path), pattern)), None)


def is_no_figure(path: PurePosixPath) -> bool:
    """Whether a shared file holds no whole person."""
    return any(fnmatch.fnmatch(str(path), pattern) for pattern in NO_FIGURES)
