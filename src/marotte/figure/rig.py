"""What the joints of a skeleton mean: hips, spine, head, limbs, soles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ..errors import UnknownNameError

SIDES = ("left", "right")
_BODY = ("hips", "spine", "chest", "upper_chest", "neck", "head", "jaw")
_SIDED = (
    "shoulder",
    "upper_arm",
    "lower_arm",
    "hand",
    "upper_leg",
    "lower_leg",
    "foot",
    "toes",
    "eye",
)
FINGERS = ("thumb", "index", "middle", "ring", "little")
PHALANGES = ("proximal", "intermediate", "distal")
_FINGER_ROLES = tuple(
    f"{finger}_{part}"
    for finger in FINGERS
    for part in (("metacarpal", "proximal", "distal") if finger == "thumb" else PHALANGES)
)

ROLES: tuple[str, ...] = (
    *_BODY,
    *(f"{side}_{name}" for side in SIDES for name in (*_SIDED, *_FINGER_ROLES)),
)
"""Every role, in the words of VRM's humanoid, `shoulder` being the collar bone."""

LIMBS = ("left_arm", "right_arm", "left_leg", "right_leg")
Vector = tuple[float, float, float]


def mirrored_role(role: str) -> str:
    """The same role on the other side of the body; roles of the middle are their own."""
    if role.startswith("left_"):
        return "right_" + role[5:]
    if role.startswith("right_"):
        return "left_" + role[6:]
    return role


@dataclass(frozen=True, slots=True)
class Limb:
    """An arm or a leg: the joint it turns at, its hinge, its end, and what follows the end."""

    name: str  # one of LIMBS
    root: int  # upper arm or upper leg
    hinge: int  # elbow or knee
    end: int  # wrist or ankle
    tip: int | None  # toes, where there are any
    hinge_axis: Vector  # unit, in the hinge joint's rest frame; turning positively bends the limb


@dataclass(frozen=True, slots=True)
class Sole:
    """Points under a foot: where it touches the ground."""

    foot: str  # left_foot or right_foot
    joints: tuple[int, ...]  # each point's joint
    points: tuple[Vector, ...]  # metres, in that joint's frame: heel, ball, tip


@dataclass(frozen=True, slots=True)
class Evidence:
    """How sure a role is, and why."""

    confidence: float  # 0 to 1
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class Rig:
    """Roles of a skeleton's joints, and the limbs and soles that follow from them."""

    roles: Mapping[str, int]
    spine: tuple[int, ...] = ()  # joints from the one above the hips to the one below the neck
    limbs: tuple[Limb, ...] = ()
    soles: tuple[Sole, ...] = ()
    lateral: Vector = (1.0, 0.0, 0.0)  # to the figure's left in the rest pose, unit
    up: Vector = (0.0, 1.0, 0.0)
    forward: Vector = (0.0, 0.0, 1.0)
    confidence: float = 0.0  # 0 to 1: how sure the recognition is
    reasons: tuple[str, ...] = ()
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    """By role: how sure it is, and why. Roles that are not in it are taken as given."""

    def __post_init__(self) -> None:
        for role in self.roles:
            if role not in ROLES:
                raise UnknownNameError("role", role, ROLES)
        ordered = {role: int(self.roles[role]) for role in ROLES if role in self.roles}
        object.__setattr__(self, "roles", MappingProxyType(ordered))
        kept = {role: self.evidence[role] for role in ordered if role in self.evidence}
        object.__setattr__(self, "evidence", MappingProxyType(kept))

    def __contains__(self, role: object) -> bool:
        return role in self.roles

    def __getitem__(self, role: str) -> int:
        """The joint of a role."""
        try:
            return self.roles[role]
        except KeyError:
            if role in ROLES:
                raise UnknownNameError(
                    "role of this figure", role, self.roles, "(the rig has no such part)"
                ) from None
            raise UnknownNameError("role", role, ROLES) from None

    def get(self, role: str) -> int | None:
        """The joint of a role, or None."""
        return self.roles.get(role)

    def role_of(self, joint: int) -> str | None:
        """The role of a joint, or None."""
        for role, j in self.roles.items():
            if j == joint:
                return role
        return None

    def limb(self, name: str) -> Limb | None:
        """The limb `left_arm`, `right_arm`, `left_leg` or `right_leg`, or None."""
        return next((limb for limb in self.limbs if limb.name == name), None)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was recognised."""
        return not self.roles

    def __repr__(self) -> str:
        return f"<Rig of {len(self.roles)} roles, {len(self.limbs)} limbs, confidence {self.confidence:.2f}>"
