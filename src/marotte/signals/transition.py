"""Transitions between takes (LS99 6, after Rose and others): while one fades into the next, the time of
both is warped, so that steps coincide.

What follows is a join as `concatenate` makes it, of takes whose overlap has been brought to one pace:
the first take's own where it begins, the next one's where it ends. Feet may still slide; `fitting`
holds them (the edit `transition` does both).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..errors import InputError
from ..figure import Contact, FloatArray, Motion, detect_contacts
from ..figure.contacts import contact_mask, intervals
from ..figure.time import at_frames
from ._dissolve import smooth
from ._figures import on_figure
from ._lengths import at_rate
from .concatenate import SEARCH, Join, Joined, Next, concatenate
from .matching import correspond

WARP_LEAST = 8
"""Frames; a shorter overlap is not warped."""


def transition(
    motion: Motion,
    takes: Sequence[Motion | Next],
    *,
    warp: bool = True,
    key: str = "legs",
    bandwise: bool = False,
    align: bool = True,
    search: float = SEARCH,
) -> Joined:
    """The motion, and then the takes, each fading into the next while both go at one pace.

    Where they meet is found as in `concatenate`, or said by `Next`; frames of a `Next` count in its
    own take and in the one before it. In the overlap moments that belong together by `key` are brought
    together, unless `warp` is false. Contacts are those of the take that there is more of; takes that
    know none are looked at for them.
    """
    if not takes:
        raise InputError("takes must name at least one take that comes next")
    out, joins = _knowing(motion), []
    shift = begun = 0
    for n, given in enumerate(takes):
        nxt = given if isinstance(given, Next) else Next(given)
        take = _knowing(at_rate(on_figure(nxt.motion, motion, f"take {n + 2}"), motion.frame_rate))
        at = nxt.at
        if at is not None:
            at = (len(out) + at if at < 0 else at + shift) - begun
            if at < 0:
                raise InputError(
                    f"take {n + 2} must begin behind the transition before it, at frame {begun - shift} of "
                    f"its take or later, but is {nxt.at}"
                )
        out, join, length = _passed(
            out, replace(nxt, motion=take, at=at), begun, shift, warp, key, bandwise, align, search
        )
        joins.append(join)
        begun = join.frames[0] + length
        shift = begun - 1 - join.after[1]
    return Joined(out, tuple(joins))


def _passed(
    out: Motion,
    nxt: Next,
    begun: int,
    shift: int,
    warp: bool,
    key: str,
    bandwise: bool,
    align: bool,
    search: float,
) -> tuple[Motion, Join, int]:
    """What there is so far, the next take behind it, and how many frames the overlap has become."""
    rate, take = out.frame_rate, nxt.motion
    rest = out[begun:] if begun else out
    found = concatenate(rest, [nxt], align=align, search=search).joins[0]
    first, last = begun + found.before[0], begun + found.before[1]
    own, other = np.arange(first, last + 1.0), np.arange(found.after[0], found.after[1] + 1.0)
    if warp and len(own) >= WARP_LEAST:
        own, other = _paced(out, take, own, other, key)
    count = len(own)
    before = _read(out, np.concatenate([np.arange(first), own]))
    after = _read(take, np.concatenate([other, np.arange(found.after[1] + 1.0, len(take))]))
    joined = concatenate(
        before, [Next(after, at=first, into=0, overlap=(count - 1) / rate)], bandwise=bandwise, align=align
    )
    contacts = _contacts(before, after, first, count)
    join = replace(
        found,
        frames=(first, first + count - 1),
        before=(first - shift, last - shift),
        distance=joined.joins[0].distance,
        speed=joined.joins[0].speed,
        turn=joined.joins[0].turn,
    )
    return joined.motion.with_(contacts=contacts, source=out.source), join, count


def _paced(
    out: Motion, take: Motion, own: FloatArray, other: FloatArray, key: str
) -> tuple[FloatArray, FloatArray]:
    """Frames of both takes at which the overlap is read: moments that belong together, at a pace that
    goes from the one's to the other's (Rose and others 1996)."""
    a, b = int(own[0]), int(other[0])
    found = correspond(out[a : a + len(own)], take[b : b + len(other)], key=key)
    path = found.path
    share = path.sum(axis=1) / path[-1].sum()
    grid = np.linspace(0.0, 1.0, 4 * len(own))
    line = np.stack([np.interp(grid, share, path[:, k]) for k in (0, 1)], axis=1)
    # a straight line where both ends are, and gentle between them: steps of the search are not seen
    straight = grid[:, None] * line[-1]
    off = line - straight
    width = max(3, len(grid) // 4) | 1
    window = np.hanning(width + 2)[1:-1]
    padded = np.concatenate([-off[1 : width + 1][::-1], off, -off[-width - 1 : -1][::-1]])
    smoothed = np.stack(
        [np.convolve(padded[:, k], window / window.sum(), mode="same")[width:-width] for k in (0, 1)], axis=1
    )
    line = np.maximum.accumulate(straight + smoothed, axis=0)
    fade = grid * grid * (3.0 - 2.0 * grid)
    middle = 0.5 * (fade[1:] + fade[:-1])
    steps = np.diff(line, axis=0)
    time = np.concatenate([[0.0], np.cumsum((1.0 - middle) * steps[:, 0] + middle * steps[:, 1])])
    count = max(2, round(float(time[-1])) + 1)
    when = np.linspace(0.0, float(time[-1]), count)
    return own[0] + np.interp(when, time, line[:, 0]), other[0] + np.interp(when, time, line[:, 1])


def _read(motion: Motion, frames: FloatArray) -> Motion:
    """The motion at fractional frames, with its contacts."""
    nearest = np.clip(np.round(frames).astype(np.int64), 0, len(motion) - 1)
    contacts: list[Contact] = []
    for role, on in sorted({(c.role, c.on) for c in motion.contacts or ()}):
        mask = contact_mask(motion.contacts, role, len(motion), on=on)[nearest]
        contacts += [replace(c, on=on) for c in intervals(role, mask)]
    return at_frames(motion, frames, method="spline").with_(contacts=tuple(contacts))


def _knowing(motion: Motion) -> Motion:
    """The motion with its contacts known."""
    if motion.contacts is not None or not len(motion):
        return motion
    return motion.with_(contacts=detect_contacts(motion))


def _contacts(before: Motion, after: Motion, first: int, overlap: int) -> tuple[Contact, ...]:
    """Contacts of both in the frames of the result; in the overlap of the one that there is more of."""
    more = smooth(overlap) >= 0.5
    out: list[Contact] = []
    for role, on in sorted({(c.role, c.on) for c in (*(before.contacts or ()), *(after.contacts or ()))}):
        x = contact_mask(before.contacts, role, len(before), on=on)
        y = contact_mask(after.contacts, role, len(after), on=on)
        mixed = np.where(more, y[:overlap], x[first : first + overlap])
        mask = np.concatenate([x[:first], mixed, y[overlap:]])
        out += [replace(c, on=on) for c in intervals(role, mask)]
    return tuple(sorted(out, key=lambda c: (c.first, c.role)))
