"""Limits and relations of angles over a whole take (L97 5.2)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np

from ..errors import InputError, UnmetRulesError
from ..figure import Motion
from ..figure.channels import layout
from ..figure.skeleton import AXES
from ..figure.staying import still_in_contact
from ..kinematics import JointLimits, joint_limits
from ..kinematics.joint_limits import Which
from .bounds import METHODS, Method
from .detection import Rules, as_rules, find_violations
from .linear import limit_channels
from .printing import rule_text
from .resolving import resolve
from .rules import Angle, LinearRule
from .turning import limit_joints

Space = Literal["joint", "euler"]
SPACES: dict[Space, str] = {
    "joint": "joints keep their limits by swing and twist, free of gimbal lock",
    "euler": "each of a file's angles keeps its range by itself, as in the thesis",
}
"""In which numbers the limits of joints are kept; rules about angles are always kept in those angles."""

_ROUNDS = 4  # of rules and limits, each of which may move what the other is about


def limit(
    motion: Motion,
    rules: Rules = "",
    *,
    defaults: Which | JointLimits = "own",
    method: Method = "compress",
    knee: float = 0.8,
    space: Space = "joint",
) -> Motion:
    """The motion within limits: rules about angles, and the limits that joints have anyway.

    `defaults` are the file's own limits, a human body's where the file has none, none, or given
    ones; a rule about an angle takes the place of the default on that side of it. `method` is one of
    METHODS. Joints whose angles keep everything stay bit by bit. Contacts of parts that moved are
    dropped.

    Compression changes all values near a limit, at whatever frame they are; bound mapping changes
    almost all frames, by little where nothing was beyond. To mend a few frames and leave the others
    alone, use `constrain`.
    """
    if len(motion) == 0:
        raise InputError("a motion without frames has nothing to limit")
    if method not in METHODS:
        raise InputError(f"method must be one of {', '.join(METHODS)}, but is {method!r}")
    if space not in SPACES:
        raise InputError(f"space must be one of {', '.join(SPACES)}, but is {space!r}")
    if not 0.0 <= knee < 1.0:
        raise InputError(f"knee must be from 0 to below 1, but is {knee}")
    linear = _linear(motion, rules)
    made = motion
    if space == "euler":
        if defaults not in ("own", "none"):
            raise InputError("space euler keeps a file's own limits; take joint for those of a human body")
        linear = [*linear, *(_of_file(motion, linear) if defaults == "own" else ())]
        limits = joint_limits(motion.skeleton, "none")
    else:
        given = defaults if isinstance(defaults, JointLimits) else None
        limits = given or joint_limits(motion.skeleton, defaults, motion.rig)  # type: ignore[arg-type]
        limits = _without(motion, limits, linear)
    for _ in range(_ROUNDS):
        before = made
        made = limit_joints(made, limits, method=method, knee=knee)
        made = limit_channels(made, linear, method=method, knee=knee)
        if made is before:
            break
    left = find_violations(made, linear)
    if left:
        worst = max(left, key=lambda v: v.amount)
        raise UnmetRulesError(
            f"rules that cannot hold together: {worst.label!r} is missed by {worst.amount:.4g} {worst.unit} "
            f"at frame {worst.frame}; change it or what it is compared with"
        )
    return made if made is motion else made.with_(contacts=still_in_contact(motion, made))


def _linear(motion: Motion, rules: Rules) -> list[LinearRule]:
    found: list[LinearRule] = []
    for one in resolve(motion, as_rules(rules) if rules != "" else ()):
        if not isinstance(one.exact, LinearRule):
            raise InputError(
                f"limit keeps rules about angles, such as 'left_knee.x < 150'; {rule_text(one.rule)!r} is of "
                "another kind: use constrain"
            )
        found.append(one.exact)
    return found


def _of_file(motion: Motion, rules: list[LinearRule]) -> list[LinearRule]:
    """A file's limits as rules, but where a rule says otherwise."""
    skeleton = motion.skeleton
    if skeleton.limits is None:
        return []
    said = {(r.angle.joint, r.angle.axis, r.compare) for r in rules if r.other is None}
    found = []
    names = layout(skeleton).names
    for j in range(len(skeleton)):
        for k, axis in enumerate("xyz"):
            if f"{skeleton.names[j]}.{axis}" not in names:
                continue
            for compare, bound in ((">", skeleton.limits[j, k, 0]), ("<", skeleton.limits[j, k, 1])):
                if np.isfinite(bound) and (j, axis, compare) not in said:
                    degrees = math.degrees(bound)
                    angle = Angle(joint=j, axis=axis)
                    found.append(LinearRule(angle=angle, compare=compare, constant=degrees))
    return found


def _without(motion: Motion, limits: JointLimits, rules: list[LinearRule]) -> JointLimits:
    """Limits without the bounds of angles on which a rule speaks."""
    bounds = np.array(limits.bounds)
    for rule in rules:
        j = rule.angle.joint
        if rule.other is not None or rule.frames is not None or not isinstance(j, int):
            continue
        if j >= len(motion.skeleton) or limits.kind[j] != 1 or rule.compare == "=":
            continue
        axis = AXES.index(rule.angle.axis.upper())
        at = list(limits.order[j]).index(axis)
        side = 1 if rule.compare == "<" else 0
        bounds[j, at, side] = math.inf if side else -math.inf
    bounds.flags.writeable = False
    return replace(limits, bounds=bounds)
