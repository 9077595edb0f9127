"""Clips: which animation of a file of several is meant, and which frames it has."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from ..errors import FileError, InputError, suggest
from ._notes import Notes

# A rate that is off a whole number by less is that number, cut off somewhere: 1 / 0.0083333 s.
_ROUNDING = 2e-5
# A last frame that the clip's end misses by less, in frames, belongs to it.
_CLOSE = 1e-3
_LONGEST = 1e7  # seconds
_SHOWN = 12


class Named(Protocol):
    """One animation of a file, as far as people call it."""

    @property
    def index(self) -> int: ...
    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=Named)


@dataclass(frozen=True, slots=True)
class Clip:
    """One animation of a file."""

    index: int
    name: str
    begin: float
    """Seconds."""
    end: float
    """Seconds; the last frame stands here."""
    moves: bool
    """Whether anything moves in it."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """The frames at which a clip is read."""

    begin: float
    """Seconds in the file's time of the first frame."""
    rate: float
    """Frames a second, exactly as they are sampled."""
    frames: int
    nominal: float
    """Frames a second of the motion: `rate`, or the whole number that it is meant to be."""


def choose_clip(clips: Sequence[Clip], wanted: int | str | None, notes: Notes) -> Clip | None:
    """The clip that `wanted` means; left out, the first that moves. None where there is none."""
    if wanted is not None:
        return named_clip(clips, wanted, notes.path)
    chosen = next((clip for clip in clips if clip.moves), clips[0] if clips else None)
    if chosen is not None:
        tell_others(chosen, clips, notes)
    return chosen


def tell_others(chosen: Named, clips: Sequence[Named], notes: Notes, what: str = "clip") -> None:
    """Say which one is read, where there are several."""
    if len(clips) > 1:
        others = [shown(clip) for clip in clips if clip is not chosen]
        more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        notes.guess(
            f"{what} {shown(chosen)} is read; there are also {', '.join(others[:_SHOWN])}{more} "
            "(choose with clip)"
        )


def shown(clip: Named) -> str:
    """A clip as a message calls it."""
    return repr(clip.name) if clip.name else str(clip.index)


def named_clip(clips: Sequence[N], wanted: int | str, path: Path, what: str = "clip") -> N:
    """By its name, by the end of a name such as `Armature|Walk`, or by its number."""
    named = [clip for clip in clips if clip.name == wanted]
    ending = [clip for clip in clips if clip.name.rpartition("|")[2] == wanted]
    if named or len(ending) == 1:
        return (named or ending)[0]
    number = wanted if isinstance(wanted, int) else int(wanted) if wanted.strip().isdecimal() else None
    if number is not None and 0 <= number < len(clips):
        return clips[number]
    known = ", ".join(f"{clip.index} {clip.name!r}" if clip.name else str(clip.index) for clip in clips[:20])
    near = suggest(str(wanted), (clip.name for clip in clips if clip.name))
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    there = f"there are: {known}" if clips else "the file has none"
    raise InputError(f"{path}: there is no {what} {wanted!r}; {there}{hint}")


def sample_clip(
    clip: Clip | None, rate: float, asked: float | None, notes: Notes, *, most: int, each: str
) -> Sampling:
    """The frames of a clip at the file's rate, or at the one that was asked for; at most `most`."""
    if asked is not None and not (math.isfinite(asked) and 1e-3 <= asked <= 1e6):
        raise InputError(f"frame_rate must be frames a second from 0.001 to 1e6, but is {asked}")
    exact = rate if asked is None else asked
    if not 1e-3 <= exact <= 1e6:
        raise FileError(
            f"must have from 0.001 to 1e6 frames a second, but has {exact:g} (set frame_rate)",
            path=notes.path,
        )
    nominal = exact
    if round(exact) >= 1 and 0 < abs(exact - round(exact)) <= _ROUNDING * exact:
        nominal = float(round(exact))
        notes.guess(f"{exact:.9g} frames a second are taken as {nominal:g}")
    if clip is None:
        return Sampling(0.0, exact, 1, nominal)
    if not (abs(clip.begin) <= _LONGEST and abs(clip.end) <= _LONGEST):
        raise FileError(
            f"must have clips of less than {_LONGEST:g} s, but {shown(clip)} goes from {clip.begin:g} s to "
            f"{clip.end:g} s",
            path=notes.path,
        )
    frames = math.floor((clip.end - clip.begin) * exact + _CLOSE) + 1
    if frames > most:
        raise FileError(
            f"clip {shown(clip)} has {frames:,} frames, but at most {most:,} of {each} are read; "
            "set a lower frame_rate",
            path=notes.path,
        )
    return Sampling(clip.begin, exact, frames, nominal)
