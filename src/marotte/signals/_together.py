"""Contacts of several takes that become one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..figure import Contact, Motion
from ..figure._arrays import BoolArray
from ..figure.contacts import contact_mask, intervals


def contacts_of_all(takes: Sequence[Motion], counts: Sequence[BoolArray]) -> tuple[Contact, ...] | None:
    """A contact where all takes that count there have it.

    counts[n] (F, J) says where take n has a say. A foot that one take lifts does not rest in the
    blend. None where the contacts of a take with a say are not known.
    """
    frames = len(takes[0])
    heard = [bool(c.any()) for c in counts]
    if any(said and take.contacts is None for said, take in zip(heard, takes, strict=True)):
        return None
    kinds = sorted({(c.role, c.on) for take in takes for c in take.contacts or ()})
    out: list[Contact] = []
    for role, on in kinds:
        joint = takes[0].rig.get(role)
        if joint is None:
            continue
        mask, said = np.ones(frames, dtype=np.bool_), np.zeros(frames, dtype=np.bool_)
        for take, count in zip(takes, counts, strict=True):
            has = contact_mask(take.contacts, role, frames, on=on)
            mask &= has | ~count[:, joint]
            said |= count[:, joint]
        out += [replace(c, on=on) for c in intervals(role, mask & said)]
    return tuple(sorted(out, key=lambda c: (c.first, c.role)))
