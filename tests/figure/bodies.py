"""Bodies of any build and naming, made for tests together with what their joints mean."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from marotte.figure import EndSite, Skeleton

LIMBS = ("shoulder", "upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot", "toes")
# Where joints are in a T-pose of a figure 1 m tall, X to its left, Y up, Z forward.
PLACES = {
    "hips": (0.0, 0.53, 0.0), "neck": (0.0, 0.82, -0.01), "head": (0.0, 0.87, 0.0),
    "shoulder": (0.02, 0.80, 0.01), "upper_arm": (0.11, 0.81, -0.01), "lower_arm": (0.29, 0.81, -0.015),
    "hand": (0.435, 0.81, -0.01), "upper_leg": (0.055, 0.515, 0.005), "lower_leg": (0.06, 0.28, 0.01),
    "foot": (0.062, 0.045, -0.01), "toes": (0.068, 0.01, 0.07),
}  # fmt: skip
TIPS = {"head": (0.0, 0.12, 0.0), "hand": (0.1, -0.005, 0.0), "toes": (0.005, -0.002, 0.045)}
PARENTS = {
    "upper_arm": "shoulder", "lower_arm": "upper_arm", "hand": "lower_arm",
    "upper_leg": "hips", "lower_leg": "upper_leg", "foot": "lower_leg", "toes": "foot",
}  # fmt: skip


@dataclass
class Naming:
    """How an exporter calls joints; `{S} {s} {L} {l}` are Left, left, L, l or their right."""

    hips: str
    spine: str
    neck: str
    head: str
    limbs: str
    extra: str = ""
    """More joints as `name>parent`, which mean nothing of their own."""
    root: str = ""
    """Joints above the hips."""
    beside: bool = False
    """Whether the trunk hangs beside the hips, on the last of `root`."""


@dataclass
class Body:
    """A skeleton under construction, in any order of parents first."""

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    places: list[np.ndarray] = field(default_factory=list)
    tips: list[tuple[int, np.ndarray]] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)
    spine: list[str] = field(default_factory=list)

    def add(self, name: str, parent: str | None, place: np.ndarray) -> None:
        self.parents.append(-1 if parent is None else self.names.index(parent))
        self.names.append(name)
        self.places.append(np.asarray(place, dtype=float))

    def skeleton(self, turn: np.ndarray | None = None, scale: float = 1.7) -> Skeleton:
        places = np.array(self.places) * scale
        turn = np.eye(3) if turn is None else turn
        parents = np.array(self.parents)
        offsets = places.copy()
        offsets[1:] -= places[parents[1:]]
        ends = []
        for joint, tip in self.tips:
            x, y, z = (float(v) for v in turn @ (tip * scale))
            ends.append(EndSite(joint, (x, y, z)))
        return Skeleton(tuple(self.names), parents, offsets @ turn.T, ends=tuple(ends))


def body(
    naming: Naming,
    *,
    arm_down: float = 0.0,
    stretch: dict[str, float] | None = None,
    twists: int = 0,
    tips: bool = True,
) -> Body:
    """A figure of a naming: its arms lowered by `arm_down` radians, its bones stretched by role."""
    made = Body()
    stretch = stretch or {}
    above: str | None = None
    for name in naming.root.split():
        made.add(name, above, np.zeros(3))
        above = name
    hips = np.array(PLACES["hips"])
    made.add(naming.hips, above, hips)
    made.roles["hips"] = naming.hips
    above, top = (above if naming.beside else naming.hips), np.array(PLACES["neck"])
    trunk = naming.spine.split()
    for i, name in enumerate(trunk):
        made.add(name, above, hips + (top - hips) * (i + 0.5) / (len(trunk) + 0.3))
        above = name
    made.spine = trunk
    chest = above or naming.hips
    for role, name in (("neck", naming.neck), ("head", naming.head)):
        if name:
            made.add(name, above, np.array(PLACES[role]))
            made.roles[role], above = name, name
            if role == "head" and tips:
                made.tips.append((len(made.names) - 1, np.array(TIPS["head"])))
    for side in ("left", "right"):
        _limbs(made, naming, side, chest, arm_down, stretch, twists, tips)
    for item in naming.extra.split():
        for side in ("left", "right") if "{" in item or "左" in item else ("left",):
            name, parent = (_sided(t, side) for t in item.split(">"))
            at = made.places[made.names.index(parent)]
            on_hand = parent == made.roles.get(f"{side}_hand")  # what is on a hand is a palm away
            away = [0.07 if side == "left" else -0.07, 0.0, 0.0] if on_hand else [0.0, 0.01, 0.0]
            made.add(name, parent, at + np.array(away))
    return made


def _limbs(
    made: Body, naming: Naming, side: str, chest: str, arm_down: float,
    stretch: dict[str, float], twists: int, tips: bool,
) -> None:  # fmt: skip
    mirror = np.array([1.0 if side == "left" else -1.0, 1.0, 1.0])
    names = dict(zip(LIMBS, (_sided(n, side) for n in naming.limbs.split()), strict=True))
    at = {"hips": np.array(PLACES["hips"]), "chest": np.zeros(3)}
    c, s = math.cos(arm_down), math.sin(arm_down)
    for role in LIMBS:
        parent_role = PARENTS.get(role, "chest")
        bone = np.array(PLACES[role])
        if parent_role != "chest":
            bone = bone - np.array(PLACES[parent_role])
        if role in ("lower_arm", "hand"):
            bone = np.array([c * bone[0] + s * bone[1], -s * bone[0] + c * bone[1], bone[2]])
        at[role] = at.get(parent_role, np.zeros(3)) + bone * stretch.get(role, 1.0)
        if names[role] == "-":
            if role == "shoulder":
                at["shoulder"] = np.array(PLACES["shoulder"])
            continue
        parent = {"shoulder": chest, "upper_leg": naming.hips}.get(role) or names[parent_role]
        if parent == "-":
            parent = chest
        for i in range(twists if role in ("lower_arm", "hand") else 0):
            name = f"{parent}_twist_{i + 1}"
            start = at[parent_role]
            made.add(name, parent, mirror * (start + (at[role] - start) * (i + 1) / (twists + 1)))
        made.add(names[role], parent, mirror * at[role])
        made.roles[f"{side}_{role}"] = names[role]
        tip = TIPS.get(role)
        if tip is not None and tips:
            t = np.array(tip)
            if role == "hand":
                t = np.array([c * t[0] + s * t[1], -s * t[0] + c * t[1], t[2]])
            made.tips.append((len(made.names) - 1, mirror * t))


def _sided(text: str, side: str) -> str:
    words = ("Left", "left", "L", "l") if side == "left" else ("Right", "right", "R", "r")
    for key, word in zip(("{S}", "{s}", "{L}", "{l}"), words, strict=True):
        text = text.replace(key, word)
    return text.replace("左", "左" if side == "left" else "右").replace("~", " ")


NAMINGS: dict[str, Naming] = {
    "Mixamo": Naming(
        "mixamorig:Hips", "mixamorig:Spine mixamorig:Spine1 mixamorig:Spine2", "mixamorig:Neck",
        "mixamorig:Head",
        "mixamorig:{S}Shoulder mixamorig:{S}Arm mixamorig:{S}ForeArm mixamorig:{S}Hand "
        "mixamorig:{S}UpLeg mixamorig:{S}Leg mixamorig:{S}Foot mixamorig:{S}ToeBase",
        "mixamorig:HeadTop_End>mixamorig:Head",
    ),
    "LAFAN1": Naming(
        "Hips", "Spine Spine1 Spine2", "Neck", "Head",
        "{S}Shoulder {S}Arm {S}ForeArm {S}Hand {S}UpLeg {S}Leg {S}Foot {S}Toe",
    ),
    "VRM humanoid": Naming(
        "hips", "spine chest upperChest", "neck", "head",
        "{s}Shoulder {s}UpperArm {s}LowerArm {s}Hand {s}UpperLeg {s}LowerLeg {s}Foot {s}Toes",
    ),
    "VRoid": Naming(
        "J_Bip_C_Hips", "J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_UpperChest", "J_Bip_C_Neck", "J_Bip_C_Head",
        "J_Bip_{L}_Shoulder J_Bip_{L}_UpperArm J_Bip_{L}_LowerArm J_Bip_{L}_Hand "
        "J_Bip_{L}_UpperLeg J_Bip_{L}_LowerLeg J_Bip_{L}_Foot J_Bip_{L}_ToeBase",
        "J_Sec_{L}_Bust1>J_Bip_C_UpperChest J_Adj_{L}_FaceEye>J_Bip_C_Head J_Sec_Hair1_01>J_Bip_C_Head",
        root="Root",
    ),
    "Unreal": Naming(
        "pelvis", "spine_01 spine_02 spine_03", "neck_01", "head",
        "clavicle_{l} upperarm_{l} lowerarm_{l} hand_{l} thigh_{l} calf_{l} foot_{l} ball_{l}",
        "upperarm_twist_01_{l}>upperarm_{l} lowerarm_twist_01_{l}>lowerarm_{l} thigh_twist_01_{l}>thigh_{l} "
        "ik_foot_root>root ik_foot_{l}>ik_foot_root ik_hand_root>root ik_hand_{l}>ik_hand_root "
        "weapon_{l}>hand_{l}",
        root="root",
    ),
    "Xsens MVN": Naming(
        "Pelvis", "L5 L3 T12 T8", "Neck", "Head",
        "{S}Shoulder {S}UpperArm {S}ForeArm {S}Hand {S}UpperLeg {S}LowerLeg {S}Foot {S}Toe",
    ),
    "Xsens BVH": Naming(
        "Hips", "Chest Chest2 Chest3 Chest4", "Neck", "Head",
        "{S}Collar {S}Shoulder {S}Elbow {S}Wrist {S}Hip {S}Knee {S}Ankle {S}Toe",
    ),
    "Rokoko": Naming(
        "Hips", "Spine1 Spine2 Spine3 Spine4", "Neck", "Head",
        "{S}Shoulder {S}Arm {S}ForeArm {S}Hand {S}Thigh {S}Shin {S}Foot {S}Toe",
        "{S}ToeTip>{S}Toe",
    ),
    "SMPL": Naming(
        "Pelvis", "Spine1 Spine2 Spine3", "Neck", "Head",
        "{L}_Collar {L}_Shoulder {L}_Elbow {L}_Wrist {L}_Hip {L}_Knee {L}_Ankle {L}_Foot",
        "{L}_Hand>{L}_Wrist",
    ),
    "SMPL-X": Naming(
        "pelvis", "spine1 spine2 spine3", "neck", "head",
        "{s}_collar {s}_shoulder {s}_elbow {s}_wrist {s}_hip {s}_knee {s}_ankle {s}_foot",
        "jaw>head {s}_eye_smplhf>head {s}_index1>{s}_wrist {s}_thumb1>{s}_wrist",
    ),
    "SOMA": Naming(
        "Hips", "Spine1 Spine2 Chest", "Neck1", "Head",
        "{S}Shoulder {S}Arm {S}ForeArm {S}Hand {S}Leg {S}Shin {S}Foot {S}ToeBase",
        "Jaw>Head {S}Eye>Head {S}HandThumbEnd>{S}Hand",
    ),
    "Rigify deform": Naming(
        "DEF-spine", "DEF-spine.001 DEF-spine.002 DEF-spine.003", "DEF-neck", "DEF-head",
        "DEF-shoulder.{L} DEF-upper_arm.{L} DEF-forearm.{L} DEF-hand.{L} "
        "DEF-thigh.{L} DEF-shin.{L} DEF-foot.{L} DEF-toe.{L}",
        "DEF-breast.{L}>DEF-spine.003",
        root="root",
    ),
    "Rigify metarig": Naming(
        "spine", "spine.001 spine.002 spine.003", "spine.004", "spine.006",
        "shoulder.{L} upper_arm.{L} forearm.{L} hand.{L} thigh.{L} shin.{L} foot.{L} toe.{L}",
        "pelvis.{L}>spine heel.02.{L}>foot.{L} breast.{L}>spine.003",
    ),
    "Biped": Naming(
        "Bip01~Pelvis", "Bip01~Spine Bip01~Spine1", "Bip01~Neck", "Bip01~Head",
        "Bip01~{L}~Clavicle Bip01~{L}~UpperArm Bip01~{L}~Forearm Bip01~{L}~Hand "
        "Bip01~{L}~Thigh Bip01~{L}~Calf Bip01~{L}~Foot Bip01~{L}~Toe0",
        root="Bip01",
    ),
    "Valve": Naming(
        "ValveBiped.Bip01_Pelvis", "ValveBiped.Bip01_Spine ValveBiped.Bip01_Spine1 ValveBiped.Bip01_Spine2",
        "ValveBiped.Bip01_Neck1", "ValveBiped.Bip01_Head1",
        "ValveBiped.Bip01_{L}_Clavicle ValveBiped.Bip01_{L}_UpperArm ValveBiped.Bip01_{L}_Forearm "
        "ValveBiped.Bip01_{L}_Hand ValveBiped.Bip01_{L}_Thigh ValveBiped.Bip01_{L}_Calf "
        "ValveBiped.Bip01_{L}_Foot ValveBiped.Bip01_{L}_Toe0",
    ),
    "Character Creator": Naming(
        "CC_Base_Hip", "CC_Base_Waist CC_Base_Spine01 CC_Base_Spine02", "CC_Base_NeckTwist01", "CC_Base_Head",
        "CC_Base_{L}_Clavicle CC_Base_{L}_Upperarm CC_Base_{L}_Forearm CC_Base_{L}_Hand "
        "CC_Base_{L}_Thigh CC_Base_{L}_Calf CC_Base_{L}_Foot CC_Base_{L}_ToeBase",
        "CC_Base_{L}_ThighTwist01>CC_Base_{L}_Thigh CC_Base_{L}_ForearmTwist01>CC_Base_{L}_Forearm",
    ),
    "DAZ Genesis 8": Naming(
        "hip", "abdomenLower abdomenUpper chestLower chestUpper", "neckLower", "head",
        "{l}Collar {l}ShldrBend {l}ForearmBend {l}Hand {l}ThighBend {l}Shin {l}Foot {l}Toe",
    ),
    "Kinect": Naming(
        "SpineBase", "SpineMid SpineShoulder", "Neck", "Head",
        "- Shoulder{S} Elbow{S} Wrist{S} Hip{S} Knee{S} Ankle{S} Foot{S}",
    ),
    "MMD": Naming(
        "下半身", "上半身 上半身2", "首", "頭",
        "左肩 左腕 左ひじ 左手首 左足 左ひざ 左足首 左つま先",
        "左腕捩>左腕 左足ＩＫ>全ての親",
        root="全ての親 センター",
        beside=True,
    ),
    "Acclaim": Naming(
        "root", "lowerback upperback thorax", "lowerneck", "head",
        "{l}clavicle {l}humerus {l}radius {l}hand {l}femur {l}tibia {l}foot {l}toes",
    ),
}  # fmt: skip
