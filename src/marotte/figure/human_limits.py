"""How far the joints of a human body turn: ranges of motion by role.

All angles are measured from the reference T-pose (arms straight to the sides, palms down, legs
straight down, feet forward) about the axes of a figure that stands upright in it: X to its left,
Y up, Z forward. A role's turn is that of its part against the part above it, seen in those axes;
`alignment` brings any figure's joints to them. A knee's hinge axis is thus (1, 0, 0) whatever the
file calls its axes.

The norms are those of the American Academy of Orthopaedic Surgeons (1965, as in Norkin and White)
and, for the neck, of the American Medical Association's guides; both are what healthy adults
reach with a little to spare. They are defaults: limits that a file brings with it win.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from .rig import FINGERS, Rig, Vector

X: Vector = (1.0, 0.0, 0.0)
Y: Vector = (0.0, 1.0, 0.0)
Z: Vector = (0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Range:
    """Least and greatest angle, radians."""

    least: float
    greatest: float

    def __neg__(self) -> Range:
        return Range(-self.greatest, -self.least)

    def shared(self, count: int) -> Range:
        """One part of the range where `count` joints share it."""
        return Range(self.least / count, self.greatest / count)


NONE = Range(0.0, 0.0)
# The swing that takes a left arm from straight out to (0.62, -0.45, 0.64), radians.
_ARM_CENTRE: Vector = (0.0, -0.7363, -0.5178)


@dataclass(frozen=True, slots=True)
class Hinge:
    """A joint that bends about one axis, and may turn about its bone as well."""

    axis: Vector  # unit, in the reference axes; turning positively about it bends the joint
    bend: Range  # radians about `axis`
    bone: Vector  # unit, along the joint's bone in the reference pose
    twist: Range = NONE  # radians about `bone`


@dataclass(frozen=True, slots=True)
class SwingCone:
    """A ball joint: its bone swings inside a cone and turns about itself.

    A turn is exp(centre) · swing · twist. The rotation vector of the swing lies in the plane of
    the two axes; with its parts a and b along them it is inside while (a / ga)² + (b / gb)² ≤ 1,
    where ga is `first.greatest` for a positive a and `first.least` for a negative one, and gb
    likewise: four quarters of ellipses, whose tips are the ranges.
    """

    bone: Vector  # unit, along the joint's bone in the reference pose: the twist's axis
    first_axis: Vector  # of bending forward and back, unit and square to `bone`
    second_axis: Vector  # of bending sideways, unit and square to both
    first: Range  # radians about `first_axis`, from below 0 to above 0
    second: Range  # radians about `second_axis`, likewise
    twist: Range  # radians about `bone`
    centre: Vector = (0.0, 0.0, 0.0)  # rotation vector to the middle of the cone, radians

    def excess(self, about_first: float, about_second: float) -> float:
        """1 on the rim of the cone, less inside, more outside; of a swing's parts in radians."""
        a = about_first / (self.first.greatest if about_first > 0 else self.first.least)
        b = about_second / (self.second.greatest if about_second > 0 else self.second.least)
        return math.hypot(a, b)


HumanLimit = Hinge | SwingCone


def _degrees(least: float, greatest: float) -> Range:
    return Range(math.radians(least), math.radians(greatest))


def _minus(v: Vector) -> Vector:
    return 0.0 - v[0], 0.0 - v[1], 0.0 - v[2]


def _fingers() -> dict[str, HumanLimit]:
    found: dict[str, HumanLimit] = {}
    bend = _minus(Z)  # curling towards a palm that looks down
    for finger in FINGERS[1:]:
        found[f"left_{finger}_proximal"] = SwingCone(
            X, bend, Y, _degrees(-45, 90), _degrees(-20, 20), _degrees(-5, 5)
        )
        found[f"left_{finger}_intermediate"] = Hinge(bend, _degrees(0, 100), X)
        found[f"left_{finger}_distal"] = Hinge(bend, _degrees(-10, 90), X)
    aslant: Vector = (math.sqrt(0.5), 0.0, math.sqrt(0.5))  # the thumb points forward and out
    across: Vector = (math.sqrt(0.5), 0.0, -math.sqrt(0.5))
    found["left_thumb_metacarpal"] = SwingCone(
        aslant, Y, across, _degrees(-20, 50), _degrees(-15, 70), _degrees(-30, 30)
    )
    found["left_thumb_proximal"] = Hinge(Y, _degrees(-10, 55), aslant)
    found["left_thumb_distal"] = Hinge(Y, _degrees(-20, 80), aslant)
    return found


def _one_side() -> dict[str, HumanLimit]:
    """Roles of the middle and of the left."""
    return {
        # the whole trunk, from the hips to the collar bones; `human_limits` shares it
        "spine": SwingCone(Y, X, Z, _degrees(-25, 80), _degrees(-35, 35), _degrees(-45, 45)),
        # the whole neck, to the top; `human_limits` shares it with the head
        "neck": SwingCone(Y, X, Z, _degrees(-60, 50), _degrees(-45, 45), _degrees(-80, 80)),
        "jaw": Hinge(X, _degrees(0, 35), Z),
        # the collar bone: forward and back, up and down, and rolling
        "left_shoulder": SwingCone(X, _minus(Y), Z, _degrees(-30, 30), _degrees(-10, 40), _degrees(-30, 15)),
        # The whole shoulder: many takes never move the collar bone, so that the arm has its share
        # too. The middle of what it reaches lies forward, out and down; the ranges are chosen so
        # that the arm comes straight up, 135 across the chest, 60 back while it hangs, and not
        # behind the trunk.
        "left_upper_arm": SwingCone(
            X, _minus(Y), Z, _degrees(-110, 95), _degrees(-110, 120), _degrees(-90, 70), _ARM_CENTRE
        ),
        "left_lower_arm": Hinge(_minus(Y), _degrees(-5, 150), X, _degrees(-80, 80)),
        # bending to the palm and back, then to the thumb and to the little finger. Files turn the
        # palm in the elbow or in the wrist, so that both may.
        "left_hand": SwingCone(
            X, _minus(Z), _minus(Y), _degrees(-70, 80), _degrees(-30, 20), _degrees(-80, 80)
        ),
        "left_upper_leg": SwingCone(
            _minus(Y), _minus(X), Z, _degrees(-30, 120), _degrees(-30, 45), _degrees(-45, 45)
        ),
        "left_lower_leg": Hinge(X, _degrees(-5, 140), _minus(Y), _degrees(-10, 10)),
        # toes down and up, toes in and out, sole in and out
        "left_foot": SwingCone(Z, X, Y, _degrees(-20, 50), _degrees(-20, 20), _degrees(-35, 15)),
        "left_toes": Hinge(_minus(X), _degrees(-45, 80), Z),
        **_fingers(),
    }


def _mirrored(limit: HumanLimit) -> HumanLimit:
    """The limit of the other side: a reflection in x = 0.

    It keeps what a bend means: its axes are mirrored as those of turns are, so that bending stays
    positive. A twist is given about the mirrored bone and runs the other way.
    """

    def axis(v: Vector) -> Vector:  # of a turn: what lies in the mirror's plane is turned round
        return v[0], 0.0 - v[1], 0.0 - v[2]

    bone: Vector = (0.0 - limit.bone[0], limit.bone[1], limit.bone[2])
    if isinstance(limit, Hinge):
        return replace(limit, axis=axis(limit.axis), bone=bone, twist=-limit.twist)
    return replace(
        limit,
        bone=bone,
        centre=axis(limit.centre),
        first_axis=axis(limit.first_axis),
        second_axis=axis(limit.second_axis),
        twist=-limit.twist,
    )


def _both_sides() -> Mapping[str, HumanLimit]:
    left = _one_side()
    right = {r.replace("left_", "right_"): _mirrored(k) for r, k in left.items() if r.startswith("left_")}
    return MappingProxyType(left | right)


HUMAN_LIMITS: Mapping[str, HumanLimit] = _both_sides()
"""Limits by role. `spine` and `neck` are those of the whole trunk and the whole neck."""


def human_limits(rig: Rig) -> dict[int, HumanLimit]:
    """Limits by joint, for the joints of a rig that have a role or belong to the spine.

    The trunk's range is shared evenly by the joints of the spine, the neck's by neck and head; a
    head without a neck has it all.
    """
    found: dict[int, HumanLimit] = {}
    for role, joint in rig.roles.items():
        if role in HUMAN_LIMITS and role not in ("spine", "neck"):
            found[joint] = HUMAN_LIMITS[role]
    trunk, neck = HUMAN_LIMITS["spine"], HUMAN_LIMITS["neck"]
    for part, joints in (
        (trunk, rig.spine),
        (neck, [rig[r] for r in ("neck", "head") if r in rig]),
    ):
        assert isinstance(part, SwingCone)
        for joint in joints:
            count = len(joints)
            found[joint] = replace(
                part,
                first=part.first.shared(count),
                second=part.second.shared(count),
                twist=part.twist.shared(count),
            )
    return found
