"""Masks: choosing joints by part of the body, by role, by name or by pattern."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable

import numpy as np

from ..errors import InputError, UnknownNameError
from ._arrays import BoolArray
from .rig import ROLES, SIDES, Rig
from .skeleton import Skeleton

PARTS: dict[str, str] = {
    "all": "every joint, the root included",
    "body": "every joint except the root",
    "root": "the root joint alone: its path and orientation",
    "upper_body": "spine, neck, head and arms",
    "lower_body": "hips and legs",
    "spine": "from above the hips to below the neck",
    "head": "neck and head",
    "arms": "both arms, collar bones and hands",
    "legs": "both legs, feet and toes",
    "left_arm": "collar bone, arm and hand",
    "right_arm": "collar bone, arm and hand",
    "left_leg": "leg, foot and toes",
    "right_leg": "leg, foot and toes",
    "hands": "both hands with their fingers",
    "feet": "both feet with their toes",
    "fingers": "all fingers",
    "left": "everything on the left side",
    "right": "everything on the right side",
}
"""Names of body parts, with what they hold. They need a rig, but for all, body and root."""


def select_joints(skeleton: Skeleton, rig: Rig, parts: str | Iterable[str]) -> BoolArray:
    """(J,) which joints the words name together.

    A word is a part (`left_arm`), a role (`left_hand`), a joint's name, or a pattern with `*` or
    `?` over names. A leading `!` takes away instead; words count from left to right, and a list
    that begins with `!` begins from every joint.

    >>> mask = select_joints(skeleton, rig, ["arms", "!hands"])  # doctest: +SKIP
    """
    words = [parts] if isinstance(parts, str) else list(parts)
    if not words:
        raise InputError("parts must name at least one joint, role, part or pattern, but is empty")
    mask = np.full(len(skeleton), words[0].startswith("!"), dtype=np.bool_)
    for word in words:
        chosen = _one(skeleton, rig, word.removeprefix("!").strip())
        if word.startswith("!"):
            mask &= ~chosen
        else:
            mask |= chosen
    return mask


def _one(skeleton: Skeleton, rig: Rig, word: str) -> BoolArray:
    mask = np.zeros(len(skeleton), dtype=np.bool_)
    if word in skeleton:
        mask[skeleton.index(word)] = True
        return mask
    if word == "all":
        return ~mask
    if word in ("body", "root"):
        mask[0] = True
        return mask if word == "root" else ~mask
    if word in PARTS:
        joints = _part(skeleton, rig, word)
        if joints or word == "fingers":
            mask[sorted(joints)] = True
            return mask
        if word != "head" or "head" not in rig:
            raise InputError(
                f"part {word!r} needs joints whose roles are known, but this figure has "
                f"{'no roles' if rig.is_empty else 'none of them'}; name joints or patterns instead"
            )
    if word in rig:
        mask[rig[word]] = True
        return mask
    if "*" in word or "?" in word or "[" in word:
        hits = [j for j, name in enumerate(skeleton.names) if fnmatch.fnmatchcase(name, word)]
        if not hits:
            raise UnknownNameError("pattern", word, skeleton.names)
        mask[hits] = True
        return mask
    raise UnknownNameError("joint, role or part", word, (*PARTS, *rig.roles, *skeleton.names, *ROLES))


def _part(skeleton: Skeleton, rig: Rig, part: str) -> set[int]:
    if part == "left" or part == "right":
        return _limb(skeleton, rig, f"{part}_arm") | _limb(skeleton, rig, f"{part}_leg")
    if part in ("arms", "legs"):
        return set().union(*(_limb(skeleton, rig, f"{side}_{part[:-1]}") for side in SIDES))
    if part in ("left_arm", "right_arm", "left_leg", "right_leg"):
        return _limb(skeleton, rig, part)
    if part == "hands":
        return set().union(*(_below(skeleton, rig, f"{side}_hand") for side in SIDES))
    if part == "feet":
        return set().union(*(_below(skeleton, rig, f"{side}_foot") for side in SIDES))
    if part == "fingers":
        hands = {rig[f"{side}_hand"] for side in SIDES if f"{side}_hand" in rig}
        return _part(skeleton, rig, "hands") - hands
    if part == "spine":
        return set(rig.spine)
    if part == "head":
        return _below(skeleton, rig, "neck" if "neck" in rig else "head")
    if part == "upper_body":
        return _part(skeleton, rig, "spine") | _part(skeleton, rig, "arms") | _part(skeleton, rig, "head")
    hips = {rig["hips"]} if "hips" in rig else set()
    return hips | _part(skeleton, rig, "legs")  # lower_body


def _limb(skeleton: Skeleton, rig: Rig, name: str) -> set[int]:
    """A limb with everything that hangs on it and what leads to it from the trunk."""
    side, kind = name.split("_")
    roles = ("shoulder", "upper_arm") if kind == "arm" else ("upper_leg",)
    top = next((rig[f"{side}_{r}"] for r in roles if f"{side}_{r}" in rig), None)
    return set(skeleton.descendants(top)) if top is not None else set()


def _below(skeleton: Skeleton, rig: Rig, role: str) -> set[int]:
    return set(skeleton.descendants(rig[role])) if role in rig else set()
