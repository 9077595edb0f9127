"""The built-in figures: a performer of adult proportions, long-limbed Sally, and Blubby the ball."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..errors import UnknownNameError
from ..figure import EndSite, Skeleton

Limits = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
Triple = tuple[float, float, float]
FIXED = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Joint:
    """A joint as the tables below give it; `limits` are degrees about x, y and z."""

    name: str
    parent: str
    offset: Triple
    channels: str
    limits: Limits


class _Builder:
    """Collects joints, adds each right one from its left one, and makes the skeleton."""

    def __init__(self) -> None:
        self.joints: list[_Joint] = []
        self.ends: dict[str, Triple] = {}

    def add(self, name: str, parent: str, offset: Triple, channels: str, limits: Limits) -> None:
        self.joints.append(_Joint(name, parent, offset, channels, limits))

    def both(
        self,
        names: Callable[[str], str],
        parents: Callable[[str], str],
        offset: Triple,
        channels: str,
        limits: Limits,
    ) -> None:
        """A left joint and its mirror image: x turns alike on both sides, y and z the other way."""
        x, y, z = offset
        turns, yaw, roll = limits
        self.add(names("left"), parents("left"), offset, channels, limits)
        mirrored = (turns, (-yaw[1], -yaw[0]), (-roll[1], -roll[0]))
        self.add(names("right"), parents("right"), (-x, y, z), channels, mirrored)

    def skeleton(self) -> Skeleton:
        order = self._depth_first()
        index = {joint.name: i for i, joint in enumerate(order)}
        return Skeleton(
            names=tuple(j.name for j in order),
            parents=np.array([index.get(j.parent, -1) for j in order]),
            offsets=np.array([j.offset for j in order]),
            channels=tuple(j.channels for j in order),
            ends=tuple(EndSite(index[name], offset) for name, offset in self.ends.items()),
            limits=np.radians([j.limits for j in order]),
        )

    def _depth_first(self) -> list[_Joint]:
        """Each limb in one run, as people expect to read them."""
        found: list[_Joint] = []

        def visit(name: str) -> None:
            for joint in self.joints:
                if joint.parent == name:
                    found.append(joint)
                    visit(joint.name)

        visit("")
        return found


ANYWAY: Limits = ((-np.inf, np.inf), (-np.inf, np.inf), (-np.inf, np.inf))


_ARM: Limits = ((-190, 130), (-85, 85), (-120, 95))
_THIGH: Limits = ((-135, 45), (-50, 50), (-35, 65))
_ANKLE: Limits = ((-50, 70), (-35, 35), (-35, 35))
_WRIST: Limits = ((-100, 100), (-45, 45), (-85, 85))


def _performer() -> Skeleton:
    """An adult of 1.75 m, 57 degrees of freedom.

    Lengths of the limbs follow the body-segment tables of de Leva (1996) and of Drillis and
    Contini (as in Winter's textbook); knees, elbows and toes are hinges. The toe joints lie on the
    ground, so that a foot that rolls over them leaves both them and the tips of the toes in place.
    """
    b = _Builder()
    b.add("Hips", "", (0.0, 0.966, 0.0), "xyzYZX", ANYWAY)
    b.add("Spine", "Hips", (0.0, 0.070, -0.012), "ZXY", ((-25, 45), (-25, 25), (-25, 25)))
    b.add("Spine1", "Spine", (0.0, 0.115, -0.006), "ZXY", ((-20, 40), (-25, 25), (-20, 20)))
    b.add("Spine2", "Spine1", (0.0, 0.125, -0.002), "ZXY", ((-20, 35), (-30, 30), (-20, 20)))
    b.add("Neck", "Spine2", (0.0, 0.203, -0.008), "ZXY", ((-40, 40), (-45, 45), (-30, 30)))
    b.add("Head", "Neck", (0.0, 0.087, 0.016), "ZXY", ((-45, 45), (-55, 55), (-35, 35)))
    b.ends["Head"] = (0.0, 0.184, 0.0)

    def named(part: str) -> Callable[[str], str]:
        return lambda side: side.capitalize() + part

    b.both(
        named("Shoulder"), lambda s: "Spine2", (0.030, 0.148, 0.014), "ZYX",
        ((-15, 15), (-35, 35), (-15, 50)),
    )  # fmt: skip
    b.both(
        named("Arm"), named("Shoulder"), (0.145, 0.0075, -0.024), "XYZ",
        _ARM,
    )  # fmt: skip
    b.both(
        named("ForeArm"), named("Arm"), (0.280, 0.0, 0.0), "Y",
        (FIXED, (-150, 0), FIXED),
    )  # fmt: skip
    b.both(
        named("Hand"), named("ForeArm"), (0.255, 0.0, 0.0), "XYZ",
        _WRIST,
    )  # fmt: skip
    b.both(
        named("UpLeg"), lambda s: "Hips", (0.088, -0.037, 0.0), "XZY",
        _THIGH,
    )  # fmt: skip
    b.both(named("Leg"), named("UpLeg"), (0.0, -0.4244, 0.0), "X", ((0, 160), FIXED, FIXED))
    b.both(
        named("Foot"), named("Leg"), (0.0, -0.4363, 0.0), "XZY",
        _ANKLE,
    )  # fmt: skip
    b.both(named("ToeBase"), named("Foot"), (0.0, -0.0683, 0.138), "X", ((-75, 40), FIXED, FIXED))
    for side in ("Left", "Right"):
        sign = 1.0 if side == "Left" else -1.0
        b.ends[f"{side}Hand"] = (sign * 0.180, 0.0, 0.0)
        b.ends[f"{side}ToeBase"] = (0.0, 0.0, 0.068)
    return b.skeleton()


def _sally() -> Skeleton:
    """A lanky figure of 2.1 m whose fingers reach her knees, with the names of a game's rig.

    Two joints in the spine and one fewer in all than the performer, so that nothing may rely on
    joints by number.
    """
    b = _Builder()
    b.add("pelvis", "", (0.0, 1.272, 0.0), "xyzYZX", ANYWAY)
    b.add("spine_01", "pelvis", (0.0, 0.085, -0.010), "ZXY", ((-40, 60), (-35, 35), (-35, 35)))
    b.add("spine_02", "spine_01", (0.0, 0.170, -0.006), "ZXY", ((-30, 50), (-45, 45), (-30, 30)))
    b.add("neck_01", "spine_02", (0.0, 0.240, -0.006), "ZXY", ((-40, 40), (-45, 45), (-30, 30)))
    b.add("head", "neck_01", (0.0, 0.120, 0.016), "ZXY", ((-45, 45), (-55, 55), (-35, 35)))
    b.ends["head"] = (0.0, 0.200, 0.0)

    def named(part: str) -> Callable[[str], str]:
        return lambda side: f"{part}_{side[0]}"

    collar: Limits = ((-15, 15), (-35, 35), (-15, 50))
    b.both(named("clavicle"), lambda s: "spine_02", (0.028, 0.175, 0.012), "ZYX", collar)
    b.both(named("upperarm"), named("clavicle"), (0.130, 0.006, -0.020), "XYZ", _ARM)
    b.both(named("lowerarm"), named("upperarm"), (0.450, 0.0, 0.0), "Y", (FIXED, (-150, 0), FIXED))
    b.both(named("hand"), named("lowerarm"), (0.420, 0.0, 0.0), "XYZ", _WRIST)
    b.both(named("thigh"), lambda s: "pelvis", (0.085, -0.040, 0.0), "XZY", _THIGH)
    b.both(named("calf"), named("thigh"), (0.0, -0.575, 0.0), "X", ((0, 160), FIXED, FIXED))
    b.both(named("foot"), named("calf"), (0.0, -0.585, 0.0), "XZY", _ANKLE)
    b.both(named("ball"), named("foot"), (0.0, -0.072, 0.150), "X", ((-75, 40), FIXED, FIXED))
    for side, sign in (("l", 1.0), ("r", -1.0)):
        b.ends[f"hand_{side}"] = (sign * 0.210, 0.0, 0.0)
        b.ends[f"ball_{side}"] = (0.0, 0.0, 0.072)
    return b.skeleton()


def _blubby() -> Skeleton:
    """A ball of a metre on very short legs, with very short arms, no neck, collar bones or toes."""
    b = _Builder()
    b.add("root", "", (0.0, 0.275, 0.0), "xyzYZX", ANYWAY)
    b.add("belly", "root", (0.0, 0.250, 0.0), "ZXY", ((-25, 25), (-25, 25), (-25, 25)))
    b.add("head", "belly", (0.0, 0.330, 0.0), "ZXY", ((-25, 25), (-35, 35), (-20, 20)))
    b.ends["head"] = (0.0, 0.145, 0.0)

    def named(part: str) -> Callable[[str], str]:
        return lambda side: f"{side}_{part}"

    b.both(named("arm"), lambda s: "belly", (0.330, 0.130, 0.0), "XYZ", _ARM)
    b.both(named("forearm"), named("arm"), (0.125, 0.0, 0.0), "Y", (FIXED, (-150, 0), FIXED))
    b.both(named("hand"), named("forearm"), (0.115, 0.0, 0.0), "XYZ", _WRIST)
    b.both(named("thigh"), lambda s: "root", (0.130, -0.020, 0.0), "XZY", _THIGH)
    b.both(named("shin"), named("thigh"), (0.0, -0.105, 0.0), "X", ((0, 160), FIXED, FIXED))
    b.both(named("foot"), named("shin"), (0.0, -0.105, 0.0), "XZY", _ANKLE)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        b.ends[f"{side}_hand"] = (sign * 0.075, 0.0, 0.0)
        b.ends[f"{side}_foot"] = (0.0, -0.045, 0.120)
    return b.skeleton()


_CHARACTERS: Mapping[str, Callable[[], Skeleton]] = {
    "performer": _performer,
    "sally": _sally,
    "blubby": _blubby,
}


def characters() -> tuple[str, ...]:
    """The names that `character` knows."""
    return tuple(_CHARACTERS)


@cache
def character(name: str = "performer") -> Skeleton:
    """A built-in figure at rest: a T-pose, facing +Z, left is +X, soles on y = 0."""
    try:
        build = _CHARACTERS[name]
    except KeyError:
        raise UnknownNameError("character", name, _CHARACTERS) from None
    return build()
