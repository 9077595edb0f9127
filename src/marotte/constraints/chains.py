"""Which joints give way for a point: those between it and its anchor (L97 5.3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from ..figure import Motion


def chain(motion: Motion, joint: int, *, itself: bool) -> tuple[int, ...]:
    """The joints that move a joint, up to and without its anchor, from the joint upwards.

    The anchor is the nearest ancestor with several children, but none inside an arm or a leg: a
    foot whose heel and toes both hang on it would have no joint left to move it. `itself` says
    whether turning the joint counts: it does where a point sits beside it, or where it must turn.
    Empty where only the root's place can move it.
    """
    parents, inside = motion.skeleton.parents, _limbs(motion)
    found = [joint] if itself and joint != 0 else []
    at = int(parents[joint])
    while at > 0 and (at in inside or len(motion.skeleton.children(at)) < 2):
        found.append(at)
        at = int(parents[at])
    return tuple(found)


def widened(motion: Motion, joints: Sequence[int], joint: int) -> tuple[int, ...]:
    """The chain up to the next anchor, which turns as well; the same where there is none but the root."""
    above = int(motion.skeleton.parents[joints[-1] if joints else joint])
    if above <= 0:
        return tuple(joints)
    return (*joints, above, *chain(motion, above, itself=False))


def _limbs(motion: Motion) -> set[int]:
    """All joints from the root of a limb to its end and beyond."""
    skeleton = motion.skeleton
    found: set[int] = set()
    for limb in motion.rig.limbs:
        found |= {limb.root, *skeleton.descendants(limb.root)}
    return found
