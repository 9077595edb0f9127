"""Takes one after another (BW95 section 6): each runs into the next while both overlap.

The next take is turned and shifted over the ground to where the last one is going, and over the
overlap every joint goes from the one to the other on the sphere, with no jump and no kink.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..errors import InputError
from ..figure import Contact, FloatArray, Motion
from ..figure._arrays import owned
from ..figure.contacts import contact_mask, intervals
from ._dissolve import dissolved, smooth
from ._figures import on_figure
from ._ground import moved
from ._lengths import at_rate
from .meeting import Footing, best_pair, differences, distances, footing, placing
from .sphere import blend_rotations

SEARCH = 1.5  # seconds from the end of a take, and from the beginning of the next, that are searched
SHORTEST, LONGEST = 0.3, 1.0  # seconds of overlaps that are suggested
PACE = 0.5  # m/s: how fast joints may go from one take to the other on top of their own speed


@dataclass(frozen=True, slots=True)
class Next:
    """A take that comes next, and where it is joined if that should not be found."""

    motion: Motion
    at: int | None = None
    """The frame of the take before at which the overlap begins; negative counts from its end."""
    into: int | None = None
    """The frame of this take that meets it."""
    overlap: float | None = None
    """Seconds in which both overlap."""


@dataclass(frozen=True, slots=True)
class Join:
    """How two takes were joined. Frames are at the rate of the first take, ends included."""

    frames: tuple[int, int]
    """The overlap in the result."""
    before: tuple[int, int]
    """The same in the take before."""
    after: tuple[int, int]
    """The same in the take after."""
    distance: float
    """Metres between the joints of both in the overlap, root of the mean of squares."""
    speed: float
    """Metres a second between their velocities, likewise."""
    turn: float
    """Radians about the vertical by which the take after was turned."""
    found: bool
    """Whether frames were found, or all given."""

    def __str__(self) -> str:
        return (
            f"frames {self.before[0]} to {self.before[1]} run into {self.after[0]} to {self.after[1]}, "
            f"at {self.frames[0]} to {self.frames[1]} of the result; joints are "
            f"{100 * self.distance:.1f} cm and {self.speed:.2f} m/s apart there"
        )


@dataclass(frozen=True, slots=True)
class Joined:
    """Takes that have become one, and how."""

    motion: Motion
    joins: tuple[Join, ...]


def concatenate(
    motion: Motion,
    takes: Sequence[Motion | Next],
    *,
    bandwise: bool = False,
    align: bool = True,
    search: float = SEARCH,
) -> Joined:
    """The motion, and then the takes, each running into the next.

    Where two takes overlap is found: it is the pair of frames, at most `search` seconds from the end
    and the beginning, whose poses and velocities are nearest to one another, whatever the place and
    heading. The overlap is longer where they are further apart. `Next` says any of this by hand.

    With `bandwise` slow bands go over in the whole overlap and quick ones in a shorter time about
    its middle (a multiresolution dissolve), so that quick movement of the two is not mixed. Without
    `align` takes stay where they are in the world.

    Contacts remain outside of overlaps, and inside where both takes have them. Named points come from
    all takes, those of earlier ones first.
    """
    if not (math.isfinite(search) and search >= 0):
        raise InputError(f"search must be a time in seconds, but is {search}")
    if len(motion) == 0:
        raise InputError("takes must have frames, but the first one has none")
    out, joins, begun, shift = motion, [], 0, 0
    for n, given in enumerate(takes):
        nxt = given if isinstance(given, Next) else Next(given)
        take = at_rate(on_figure(nxt.motion, motion, f"take {n + 2}"), motion.frame_rate)
        if len(take) == 0:
            raise InputError(f"takes must have frames, but take {n + 2} has none")
        out, join = _joined(out, replace(nxt, motion=take), shift, begun, bandwise, align, search)
        shift, begun = join.frames[0] - join.after[0], join.frames[1]
        joins.append(join)
    return Joined(out, tuple(joins))


def _joined(
    before: Motion, nxt: Next, shift: int, begun: int, bandwise: bool, align: bool, search: float
) -> tuple[Motion, Join]:
    """What there is so far, and the next take. The last one began at `shift` and is alone from `begun`."""
    after = nxt.motion
    a, b = footing(before), footing(after)
    first, begin, overlap = _meeting(a, b, before, nxt, shift, begun, search)
    place = placing(a, b, first, begin, overlap)
    if align:
        centre, to = (np.array([x, 0.0, z]) for x, z in (place.centre, place.to))
        after = moved(after, place.angle, centre, to)
    distance, speed = differences(a, b, first, begin, overlap)
    join = Join(
        frames=(first, first + overlap - 1),
        before=(first - shift, first - shift + overlap - 1),
        after=(begin, begin + overlap - 1),
        distance=distance,
        speed=speed,
        turn=place.angle if align else 0.0,
        found=nxt.at is None or nxt.into is None or nxt.overlap is None,
    )
    return _put_together(before, after, join, bandwise), join


def _meeting(
    a: Footing, b: Footing, before: Motion, nxt: Next, shift: int, begun: int, search: float
) -> tuple[int, int, int]:
    """The first frames of the overlap in both takes, and its length in frames."""
    rate, rows, columns = before.frame_rate, len(before), len(nxt.motion)
    reach = round(search * rate)
    first = _given("at", nxt.at, rows - shift, shift)
    begin = _given("into", nxt.into, columns, 0)
    if first is not None and first < begun:
        raise InputError(
            f"at must lie behind the join before it, at frame {begun - shift} of its take or later, "
            f"but is {nxt.at}"
        )
    room = min(rows - (begun if first is None else first), columns - (begin or 0))
    if nxt.overlap is not None:
        if not (math.isfinite(nxt.overlap) and nxt.overlap >= 0):
            raise InputError(f"overlap must be a time in seconds, but is {nxt.overlap}")
        overlap = round(nxt.overlap * rate) + 1
        if overlap > room:
            raise InputError(
                f"overlap must fit into both takes, but {nxt.overlap:g} s are {overlap} frames and "
                f"{room} are left"
            )
    else:
        overlap = min(round(SHORTEST * rate) + 1, room)
    longest = max(overlap, round(LONGEST * rate) + 1)
    low = max(begun, rows - longest - reach) if first is None else first
    left = 0 if begin is None else begin
    apart = distances(
        a.part(slice(low, None if first is None else first + longest)),
        b.part(slice(left, longest + (reach if begin is None else begin))),
    )

    def best(frames: int) -> tuple[int, int, float]:
        pair = best_pair(
            apart,
            frames,
            rate,
            first=max(0, rows - frames - reach - low) if first is None else 0,
            last=len(apart) if first is None else 0,
            end=reach if begin is None else 0,
        )
        assert pair is not None  # there is room for the overlap
        return low + pair[0], left + pair[1], pair[2]

    found = best(overlap)
    if nxt.overlap is None:
        longer = round(min(LONGEST, max(SHORTEST, found[2] / PACE)) * rate) + 1
        overlap = max(overlap, min(longer, room))
        found = best(overlap)
    return found[0], found[1], overlap


def _given(name: str, frame: int | None, count: int, shift: int) -> int | None:
    """A frame that was given, in the frames of the result so far."""
    if frame is None:
        return None
    if not -count <= frame < count:
        raise InputError(f"{name} must be a frame of the take, 0 to {count - 1}, but is {frame}")
    return shift + (frame + count if frame < 0 else frame)


def _put_together(before: Motion, after: Motion, join: Join, bandwise: bool) -> Motion:
    first, begin = join.frames[0], join.after[0]
    overlap = join.frames[1] - first + 1
    ours, theirs = slice(first, first + overlap), slice(begin, begin + overlap)
    share = smooth(overlap)
    if bandwise:
        root, rotations = dissolved(before, after, first, begin, overlap)
    else:
        root = _mixed(before.root[ours], after.root[theirs], share)
        shares = np.stack([1.0 - share, share])[..., None]
        rotations = blend_rotations([before.rotations[ours], after.rotations[theirs]], shares)
    translations = None
    if before.translations is not None or after.translations is not None:
        x, y = _translations(before), _translations(after)
        mixed = _mixed(x[ours], y[theirs], share)
        translations = owned(np.concatenate([x[:first], mixed, y[begin + overlap :]]))
    known = {point.name for point in before.points}
    return before.with_(
        root=owned(np.concatenate([before.root[:first], root, after.root[begin + overlap :]])),
        rotations=owned(
            np.concatenate([before.rotations[:first], rotations, after.rotations[begin + overlap :]])
        ),
        translations=translations,
        contacts=_contacts(before, after, first, begin, overlap),
        points=(*before.points, *(point for point in after.points if point.name not in known)),
    )


def _mixed(a: FloatArray, b: FloatArray, share: FloatArray) -> FloatArray:
    s = share.reshape(-1, *([1] * (a.ndim - 1)))
    return np.asarray((1.0 - s) * a + s * b)


def _translations(motion: Motion) -> FloatArray:
    if motion.translations is not None:
        return motion.translations
    return np.zeros((*motion.rotations.shape[:2], 3))


def _contacts(
    before: Motion, after: Motion, first: int, begin: int, overlap: int
) -> tuple[Contact, ...] | None:
    """Contacts of both in the frames of the result; in the overlap those that both have."""
    if before.contacts is None or after.contacts is None:
        return None
    out: list[Contact] = []
    for role, on in sorted({(c.role, c.on) for c in (*before.contacts, *after.contacts)}):
        x = contact_mask(before.contacts, role, len(before), on=on)
        y = contact_mask(after.contacts, role, len(after), on=on)
        both = x[first : first + overlap] & y[begin : begin + overlap]
        mask = np.concatenate([x[:first], both, y[begin + overlap :]])
        out += [replace(c, on=on) for c in intervals(role, mask)]
    return tuple(sorted(out, key=lambda c: (c.first, c.role)))
