"""What contacts are still true after an edit that moves parts of the body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ._arrays import FloatArray
from .contacts import Contact, intervals
from .motion import Motion
from .rotations import angle_between

MOVED = 1e-3
"""Metres; what moved by more does no longer rest where it did."""
SHORTEST = 0.1
"""Seconds; what is left of a contact for a shorter time is a part that passes by its old place."""
_REACH = 0.1  # metres from a joint to what touches, about: a turn counts as the way that it moves that


def still_in_contact(before: Motion, after: Motion) -> tuple[Contact, ...] | None:
    """The contacts of `before` at those frames where the part stays where it was; the rest is dropped.

    A part stays where neither its joint nor any joint that hangs on it moves by more than MOVED.
    """
    if not before.contacts:
        return before.contacts
    old_places, old_turns = before.world()
    places, turns = after.world()
    scale = before.skeleton.height / 1.7
    kept: list[Contact] = []
    moved_by: dict[int, FloatArray] = {}
    for contact in before.contacts:
        joint = before.rig.get(contact.role)
        if joint is None:
            continue  # of a part that the figure lacks nothing can be said
        if joint not in moved_by:
            below = sorted(before.skeleton.descendants(joint))
            way = np.linalg.norm(places[:, below] - old_places[:, below], axis=-1)
            way += _REACH * angle_between(turns[:, below], old_turns[:, below])
            moved_by[joint] = way.max(axis=1)
        rests = moved_by[joint] <= MOVED * scale
        rests[: contact.first] = rests[contact.last + 1 :] = False
        if rests[contact.first : contact.last + 1].all():
            kept.append(contact)
        else:
            runs = intervals(contact.role, rests)
            shortest = SHORTEST * before.frame_rate
            kept += [replace(run, on=contact.on) for run in runs if run.last - run.first >= shortest]
    return tuple(sorted(kept, key=lambda c: (c.first, c.role)))
