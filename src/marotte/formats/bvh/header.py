"""The header of a BVH file: its hierarchy, and what its MOTION section declares."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...figure import EndSite
from .._names import unique_names
from .._notes import Notes
from .._numbers import NUMBER, no_number
from ._words import EndOfText, Words, is_finite_rate

MOST_JOINTS = 10_000
DEFAULT_RATE = 30.0  # frames a second, where a file does not say

# Rates that frame times are rounded from, beside whole numbers.
_BROADCAST_RATES = (24000 / 1001, 30000 / 1001, 60000 / 1001, 120000 / 1001)
# A rounded frame time is believed to mean such a rate when they differ by no more than this share.
_NEAR_RATE = 2e-3

_CHANNEL = re.compile(r"([xyz])(position|rotation)", re.IGNORECASE)
_FRAME_TIME = re.compile(r"(frames?)[ \t]*time[ \t]*:?", re.IGNORECASE)
_FRAMES = re.compile(r"frames?[ \t]*:?", re.IGNORECASE)
_KEYWORDS = ("OFFSET", "CHANNELS", "JOINT", "END", "{", "}")


@dataclass(slots=True)
class Header:
    """What stands before the rows of numbers, in the file's own unit and axes."""

    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offsets: list[tuple[float, float, float]] = field(default_factory=list)
    channels: list[str] = field(default_factory=list)
    ends: list[EndSite] = field(default_factory=list)
    declared: int | None = None
    """How many frames the file says it has."""
    frame_rate: float = DEFAULT_RATE
    has_motion: bool = False
    rows_at: int = 0
    """Where in the text the rows begin."""

    @property
    def columns(self) -> int:
        """How many numbers a frame has."""
        return sum(map(len, self.channels))


@dataclass(slots=True)
class _Open:
    """A joint, or an end site, whose closing brace has not come yet."""

    joint: int  # of an end site: the joint that it ends
    what: str
    at: int
    end: bool = False
    name: str = ""
    offset: tuple[float, float, float] | None = None
    channels: str | None = None


def parse_header(words: Words) -> Header:
    """Read up to the first row; raises EndOfText where the text is too short to tell."""
    header = Header()
    word, at = words.next()
    if word.upper() == "HIERARCHY":
        word, at = words.next()
    else:
        words.warn("the file does not begin with HIERARCHY", at)
    if word.upper() != "ROOT":
        raise words.error(f"HIERARCHY must be followed by ROOT, but {word!r} stands here", at)
    _parse_tree(words, header, at)
    header.names = _mended_names(header.names, words.notes)
    return header


def parse_motion(words: Words, header: Header) -> None:
    """Read MOTION and the lines that declare frames and their duration."""
    word = words.peek()
    at = words.at
    if word.upper() == "ROOT":
        words.next()
        raise words.error(
            f"one file must hold one figure, but a second ROOT {words.name()!r} begins here; "
            "split the file, one figure each",
            at,
        )
    if word.upper() != "MOTION":
        if word == "}":
            raise words.error("a closing brace stands here, but no joint is open", at)
        raise words.error(f"the hierarchy must be followed by MOTION, but {_shown(word)} stands here", at)
    words.next()
    header.has_motion = True
    has_count = has_time = False
    while word := words.peek():
        at = words.at
        if found := _FRAME_TIME.match(words.text, at):
            words.at = found.end()
            if found[1].lower() == "frames":
                words.warn('"Frames Time:" is read as "Frame Time:"', at)
            header.frame_rate = _frame_rate(words)
            has_time = True
        elif found := _FRAMES.match(words.text, at):
            words.at = found.end()
            header.declared = _frame_count(words)
            has_count = True
        elif NUMBER.match(word):
            break
        else:
            raise words.error(no_number(word, "the first row's values"), at)
    header.rows_at = words.at
    if not has_count:
        words.warn("there is no line that says how many frames there are; the rows are counted", words.at)
    if not has_time:
        words.warn(f"there is no Frame Time; {DEFAULT_RATE:g} frames a second are taken", words.at)


def _parse_tree(words: Words, header: Header, root_at: int) -> None:
    """The joints from the root on. Depth costs no recursion, so that it has no limit."""
    stack = [_begin_joint(words, header, "ROOT", root_at, -1)]
    while stack:
        top = stack[-1]
        word, at = words.next()
        kind = word.upper()
        if kind == "OFFSET":
            if top.offset is not None:
                raise words.error(f"{top.what} must have one OFFSET, but a second stands here", at)
            top.offset = _offset(words, top)
        elif kind == "CHANNELS":
            if top.channels is not None:
                raise words.error(f"{top.what} must have one CHANNELS line, but a second stands here", at)
            top.channels = _channels(words, top, at)
        elif kind == "JOINT" and not top.end:
            stack.append(_begin_joint(words, header, "JOINT", at, top.joint))
        elif (kind == "END" or re.fullmatch(r"END_?SITE", kind)) and not top.end:
            stack.append(_begin_end(words, top.joint, at, kind != "END"))
        elif word == "}":
            _close(words, header, stack.pop(), at)
        elif kind == "MOTION":
            raise words.error(
                f"MOTION begins while {top.what} (line {words.place(top.at)[0]}) is open: "
                "a closing brace is missing",
                at,
            )
        elif kind == "ROOT":
            raise words.error(
                f"ROOT stands inside {top.what}, where only JOINT may; is a closing brace missing?", at
            )
        else:
            wanted = "OFFSET or }" if top.end else "OFFSET, CHANNELS, JOINT, End Site or }"
            raise words.error(f"{wanted} must stand here, inside {top.what}, but it is {_shown(word)}", at)


def _begin_joint(words: Words, header: Header, word: str, at: int, parent: int) -> _Open:
    index = len(header.names)
    if index == MOST_JOINTS:
        raise words.error(f"a figure must have at most {MOST_JOINTS:,} joints, but this is one more", at)
    name = words.name()
    if not name:
        words.warn(f"{word} has no name; it is called joint_{index}", at)
        name = f"joint_{index}"
    header.names.append(name)
    header.parents.append(parent)
    header.offsets.append((0.0, 0.0, 0.0))
    header.channels.append("")
    _brace(words, f"joint {name!r}")
    return _Open(index, f"joint {name!r}", at)


def _begin_end(words: Words, joint: int, at: int, joined: bool) -> _Open:
    name = words.name()
    if not joined:
        first, _, rest = name.partition(" ")
        if first.lower() == "site":
            name = rest.strip()
    _brace(words, "the end site")
    return _Open(joint, "the end site", at, end=True, name=name)


def _brace(words: Words, what: str) -> None:
    word, at = words.next()
    if word != "{":
        raise words.error(f"{what} must be followed by an opening brace, but {_shown(word)} stands here", at)


def _close(words: Words, header: Header, closed: _Open, at: int) -> None:
    if closed.offset is None:
        raise words.error(f"{closed.what} must have an OFFSET, but ends here without one", at)
    if closed.end:
        if closed.channels:
            raise words.error("an end site must have no channels; make it a JOINT", at)
        header.ends.append(EndSite(closed.joint, closed.offset, closed.name))
    else:
        header.offsets[closed.joint] = closed.offset
        header.channels[closed.joint] = closed.channels or ""


def _offset(words: Words, top: _Open) -> tuple[float, float, float]:
    values = []
    for count in range(3):
        word = words.peek()
        if word.upper() in _KEYWORDS:
            raise words.error(
                f"the OFFSET of {top.what} must be three numbers, but has {count} before {word!r}", words.at
            )
        values.append(words.number(f"the OFFSET of {top.what}"))
    if NUMBER.match(words.peek()):
        raise words.error(f"the OFFSET of {top.what} must be three numbers, but a fourth follows", words.at)
    return values[0], values[1], values[2]


def _channels(words: Words, top: _Open, at: int) -> str:
    word, count_at = words.next()
    if not re.fullmatch(r"\d{1,6}", word, re.ASCII):
        raise words.error(
            f"CHANNELS must be followed by how many there are, but {word!r} stands here", count_at
        )
    count = int(word)
    letters = ""
    while found := _CHANNEL.fullmatch(words.peek()):
        name, name_at = words.next()
        letter = found[1].lower() if found[2].lower() == "position" else found[1].upper()
        if letter.islower() and letter in letters:
            raise words.error(f"{top.what} must have each channel once, but has {name} twice", name_at)
        turns = [c for c in letters if c.isupper()]
        if letter.isupper() and turns[-1:] == [letter]:
            raise words.error(f"{top.what} must not turn about one axis twice in a row ({name})", name_at)
        if letter.isupper() and len(turns) == 3:
            raise words.error(
                f"{top.what} must have at most three rotation channels; {name} is one more", name_at
            )
        letters += letter
    if len(letters) != count:
        following = words.peek()
        tail = f"; {following!r} is none" if following.upper() not in (*_KEYWORDS, "") else ""
        if not following:
            raise EndOfText
        raise words.error(f"{top.what} declares {count} channels, but {len(letters)} are named{tail}", at)
    return letters


def _frame_count(words: Words) -> int | None:
    declared_at = words.at
    text = words.rest_of_line().strip()
    at = words.text.index(text, declared_at)
    first = text.split(maxsplit=1)[0] if text else ""
    if not re.fullmatch(r"[-+]?\d{1,18}(?:\.0*)?", first, re.ASCII):
        if first == "" and not words.peek():
            raise EndOfText
        raise words.error(f"Frames must be followed by a whole number, but {first!r} stands here", at)
    words.at = at + len(first)
    count = int(float(first))
    if count < 0:
        words.warn(f"the file declares {count} frames; the rows are counted instead", at)
        return None
    return count


def _frame_rate(words: Words) -> float:
    start = words.at
    text = words.rest_of_line().strip()
    words.at = start
    if not text:
        if not words.peek():
            raise EndOfText
        raise words.error("Frame Time must be followed by seconds, but the line ends here", start)
    seconds = words.number("Frame Time")
    if seconds <= 0:
        words.warn(f"Frame Time is {seconds:g}; {DEFAULT_RATE:g} frames a second are taken", start)
        return DEFAULT_RATE
    if not is_finite_rate(seconds):
        raise words.error(f"Frame Time must be from 1e-6 to 1e6 seconds, but is {seconds:g}", start)
    return nominal_rate(words.text[start : words.at].strip(), seconds)


def nominal_rate(text: str, seconds: float) -> float:
    """The frame rate that a frame time was rounded from.

    0.0083333 means 120 frames a second, not 120.00048: a whole or a broadcast rate is taken where
    the number as written could be its period, rounded or cut off.
    """
    rate = 1.0 / seconds
    mantissa, _, exponent = text.lower().partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
    last_place = 10.0 ** -min(max(decimals, 0), 300)
    for candidate in (float(round(rate)), *_BROADCAST_RATES):
        if candidate <= 0 or abs(candidate - rate) > _NEAR_RATE * candidate:
            continue
        if abs(1.0 / candidate - seconds) <= last_place * (1.0 + 1e-9) + 1e-15 * seconds:
            return candidate
    return rate


def _mended_names(names: list[str], notes: Notes) -> list[str]:
    """The names, each once: a name that comes again gets a number."""
    mended = unique_names(names)
    changed = [(old, new) for old, new in zip(names, mended, strict=True) if old != new]
    if changed:
        old, new = changed[0]
        more = f", and {len(changed) - 1} more" if len(changed) > 1 else ""
        notes.warn(f"joint names must be unique; another {old!r} is called {new!r}{more}")
    return mended


def _shown(word: str) -> str:
    if not word:
        return "the end of the file"
    return repr(word if len(word) <= 40 else word[:37] + "…")
