"""Animations: their tracks, which of them is meant, and their values at the frames of a motion."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ...errors import FileError, InputError, suggest
from ...figure import FloatArray, IntArray
from .._notes import Notes
from . import _turns
from ._accessors import read_accessor
from ._container import Document
from ._json import Item

Path = Literal["translation", "rotation", "scale"]
PATHS: tuple[Path, ...] = ("translation", "rotation", "scale")
_POINTER = re.compile(r"/nodes/(\d+)/(translation|rotation|scale)")
_WIDTH = {"translation": 3, "rotation": 4, "scale": 3}
_UNIT = 1e-2


@dataclass(frozen=True, slots=True)
class Channel:
    """What one channel of an animation says it moves; its numbers are not read yet."""

    node: int
    path: Path
    sampler: Item


@dataclass(frozen=True, slots=True)
class Clip:
    """One animation of a file."""

    index: int
    name: str
    channels: tuple[Channel, ...]
    """Those that move nodes."""
    others: int
    """How many channels move something else: weights of morph targets, materials, …"""

    def moved(self) -> set[int]:
        """The nodes that it moves or turns."""
        return {c.node for c in self.channels if c.path != "scale"}


@dataclass(slots=True)
class Track:
    """The keys of one channel."""

    node: int
    path: Path
    times: FloatArray
    """(K,) seconds, increasing."""
    values: FloatArray
    """(K, n), or (K, 3, n) with a tangent before and after each value for CUBICSPLINE."""
    kind: str

    def constant(self) -> FloatArray | None:
        """The one value (n,) that it has all along, or None."""
        if self.kind == "CUBICSPLINE":
            if len(self.times) > 1 and (np.any(self.values[:, 0]) or np.any(self.values[:, 2])):
                return None
            values = self.values[:, 1]
        else:
            values = self.values
        return values[0] if (values == values[0]).all() else None

    def at(self, times: FloatArray, *, near: float) -> FloatArray:
        """The values (F, n) at `times` (F,); a key within `near` seconds is met exactly."""
        keys, last = self.times, len(self.times) - 1
        if last == 0:
            only = self.values[0, 1] if self.kind == "CUBICSPLINE" else self.values[0]
            return np.tile(only, (len(times), 1))
        before = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, last - 1)
        gap = keys[before + 1] - keys[before]
        share = np.clip((times - keys[before]) / gap, 0.0, 1.0)
        share = np.where(times - keys[before] <= near, 0.0, share)
        share = np.where(keys[before + 1] - times <= near, 1.0, share)
        if self.kind == "STEP":
            return self.values[np.where(share >= 1.0, before + 1, before)]
        if self.kind == "CUBICSPLINE":
            return self._cubic(before, gap[:, None], share[:, None])
        met = np.where(share >= 1.0, before + 1, before)
        out = self.values[met]
        between = np.flatnonzero((share > 0.0) & (share < 1.0))
        if len(between):
            a, b = self.values[before[between]], self.values[before[between] + 1]
            t = share[between]
            if self.path == "rotation":
                out[between] = _turns.slerp(a, b, t)
            else:
                out[between] = a + (b - a) * t[:, None]
        return out

    def _cubic(self, before: IntArray, gap: FloatArray, t: FloatArray) -> FloatArray:
        """Hermite's cubic between keys whose tangents are values a second."""
        a, leaving = self.values[before, 1], self.values[before, 2] * gap
        b, arriving = self.values[before + 1, 1], self.values[before + 1, 0] * gap
        out = (
            (2 * t**3 - 3 * t**2 + 1) * a
            + (t**3 - 2 * t**2 + t) * leaving
            + (-2 * t**3 + 3 * t**2) * b
            + (t**3 - t**2) * arriving
        )
        return _turns.unit(out) if self.path == "rotation" else np.asarray(out)


def list_clips(document: Document) -> list[Clip]:
    """What animations there are, and what they move."""
    nodes = len(document.items("nodes"))
    clips = []
    for i, animation in enumerate(document.items("animations")):
        samplers = animation.array("samplers")
        channels: list[Channel] = []
        others = 0
        for item in animation.array("channels"):
            found = _channel(item, samplers, nodes)
            if found is None:
                others += 1
            else:
                channels.append(found)
        clips.append(Clip(i, animation.text("name"), tuple(channels), others))
    return clips


def _channel(item: Item, samplers: Sequence[Item], nodes: int) -> Channel | None:
    target = item.member("target")
    path, node = target.text("path"), target.at("node")
    if path == "pointer":
        pointer = target.member("extensions").member("KHR_animation_pointer").text("pointer")
        match = _POINTER.fullmatch(pointer)
        if match is None or int(match[1]) >= nodes:
            return None
        number, path = int(match[1]), match[2]
    elif node.value is None:
        return None  # the specification has such channels ignored
    else:
        number = node.as_whole(below=nodes)
    sampler = samplers[item.at("sampler").as_whole(below=len(samplers))]
    for known in PATHS:
        if path == known:
            return Channel(number, known, sampler)
    return None


def choose_clip(
    clips: Sequence[Clip], wanted: int | str | None, nodes: Iterable[int], notes: Notes
) -> Clip | None:
    """The animation that `wanted` means, or the first that moves one of the nodes; None for none."""
    if wanted is not None:
        return _named_clip(clips, wanted, notes)
    mine = set(nodes)
    able = [clip for clip in clips if clip.moved() & mine]
    if not able:
        for clip in clips[:3]:
            what = "nodes that are no part of the figure" if clip.channels else "no joints"
            also = " (its morph targets are left alone)" if clip.others else ""
            notes.guess(f"animation {shown(clip)} moves {what}{also}")
        return None
    chosen = able[0]
    if len(clips) > 1:
        others = [shown(clip) for clip in clips if clip is not chosen]
        more = f" and {len(others) - 12} more" if len(others) > 12 else ""
        notes.guess(
            f"animation {shown(chosen)} is read; there are also {', '.join(others[:12])}{more} "
            "(choose with animation)"
        )
    return chosen


def shown(clip: Clip) -> str:
    """An animation as a message calls it."""
    return repr(clip.name) if clip.name else str(clip.index)


def _named_clip(clips: Sequence[Clip], wanted: int | str, notes: Notes) -> Clip:
    for clip in clips:
        if clip.name == wanted:
            return clip
    number = wanted if isinstance(wanted, int) else int(wanted) if wanted.strip().isdecimal() else None
    if number is not None and 0 <= number < len(clips):
        return clips[number]
    known = ", ".join(f"{clip.index} {clip.name!r}" if clip.name else str(clip.index) for clip in clips[:20])
    near = suggest(str(wanted), (clip.name for clip in clips if clip.name))
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    there = f"there are: {known}" if clips else "the file has none"
    raise InputError(f"{notes.path}: there is no animation {wanted!r}; {there}{hint}")


def read_tracks(document: Document, channels: Iterable[Channel], notes: Notes) -> list[Track]:
    """The keys of channels. Of two for the same place the first counts."""
    times_read: dict[int, FloatArray] = {}
    found: dict[tuple[int, Path], Track] = {}
    odd: list[str] = []
    for channel in channels:
        if (channel.node, channel.path) in found:
            odd.append(f"nodes[{channel.node}].{channel.path} is moved by two channels; the first counts")
            continue
        sampler = channel.sampler
        key = sampler.whole("input")
        if key not in times_read:
            times_read[key] = read_accessor(document, key, ("SCALAR",))[:, 0]
        track = _track(document, channel, times_read[key], odd)
        if track is not None:
            found[channel.node, channel.path] = track
    for text in odd[:3]:
        notes.warn(text)
    if len(odd) > 3:
        notes.warn(f"and {len(odd) - 3} more of this kind")
    return list(found.values())


def _track(document: Document, channel: Channel, times: FloatArray, odd: list[str]) -> Track | None:
    sampler, path = channel.sampler, channel.path
    kind = sampler.text("interpolation", "LINEAR")
    if kind not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise sampler.at("interpolation").error(f"must be LINEAR, STEP or CUBICSPLINE, but is {kind!r}")
    width = _WIDTH[path]
    values = read_accessor(document, sampler.whole("output"), (f"VEC{width}",))
    each = 3 if kind == "CUBICSPLINE" else 1
    if len(values) != each * len(times):
        odd.append(
            f"{sampler.where}: {len(times)} keys need {each * len(times)} values, but there are {len(values)}"
        )
        whole = min(len(times), len(values) // each)
        times, values = times[:whole], values[: whole * each]
    if not len(times):
        return None
    shaped = values.reshape(len(times), each, width) if each > 1 else values
    steps = np.diff(times)
    if (steps <= 0).any():
        odd.append(
            f"{sampler.where}: key times must increase; keys are sorted, of equal ones the last counts"
        )
        order = np.argsort(times, kind="stable")
        keep = order[np.append(np.diff(times[order]) > 0, True)]
        times, shaped = times[keep], shaped[keep]
    if path == "rotation":
        shaped = shaped[..., [3, 0, 1, 2]]  # the file's are (x, y, z, w)
        main = shaped[:, 1] if each > 1 else shaped
        lengths = np.linalg.norm(main, axis=-1)
        if (np.abs(lengths - 1.0) > _UNIT).any():
            at = int(np.argmax(np.abs(lengths - 1.0)))
            odd.append(
                f"{sampler.where}: rotations must be of unit length, but key {at} has {lengths[at]:.3g}"
            )
        if each > 1:
            shaped = shaped.copy()
            shaped[:, 1] = _turns.unit(main)
        else:
            shaped = _turns.unit(shaped)
    return Track(channel.node, path, times, np.ascontiguousarray(shaped), kind)


# ---- time

DEFAULT_RATE = 30.0
SLOWEST_OWN, FASTEST_OWN = 10.0, 1000.0  # key rates that are taken for frame rates
_NEAR_WHOLE = 2e-5  # relative: what float32 key times blur a rate by
_OFF_GRID = 0.02  # of a frame: keys off the grid by more are no frames
_NTSC = 1000.0 / 1001.0


@dataclass(frozen=True, slots=True)
class Timing:
    """The frames that tracks are read at."""

    start: float
    """Seconds of the first key: frame 0."""
    rate: float
    frames: int

    @property
    def near(self) -> float:
        """Seconds within which a key counts as met."""
        return 1e-3 / self.rate

    def times(self) -> FloatArray:
        """(F,) seconds of the frames, in the file's own time."""
        return np.asarray(self.start + np.arange(self.frames) / self.rate)


def settle_timing(
    tracks: Sequence[Track], rate: float | None, declared: float | None, notes: Notes
) -> Timing:
    """Which frames to read: from the first key to the last, at a rate that is asked for or found."""
    keys = {id(t.times): t.times for t in tracks}
    if not keys:
        return Timing(0.0, rate or declared or DEFAULT_RATE, 1)
    start = min(float(k[0]) for k in keys.values())
    end = max(float(k[-1]) for k in keys.values())
    if rate is None:
        rate = declared
        own = own_rate(list(keys.values()))
        if own is not None and (rate is None or abs(own / rate - 1.0) > 1e-3):
            rate = own
        if rate is None:
            rate = DEFAULT_RATE
            if end > start:
                notes.guess(
                    "keys are not frames of an even rate; read at 30 frames a second (set it with rate)"
                )
    frames = int((end - start) * rate + 1e-3) + 1
    if start > 1e-3 / rate:
        notes.guess(f"the first key is at {start:.4g} s; that is frame 0")
    return Timing(start, rate, frames)


def own_rate(keys: Sequence[FloatArray]) -> float | None:
    """Frames a second of keys (K,) that lie on one even grid, by their usual spacing; else None."""
    steps = np.concatenate([np.diff(k) for k in keys])
    if not len(steps):
        return None
    usual = _mode(steps)
    if usual <= 0:
        return None
    every = np.unique(np.concatenate(list(keys)))
    places = np.round((every - every[0]) / usual)
    if places[-1] <= 0:
        return None
    # the spacing that fits all keys best: single ones are blurred by their float32
    spacing = float(places @ (every - every[0]) / (places @ places))
    blur = 4e-7 * float(np.abs(every).max())
    off = np.abs(every - every[0] - places * spacing)
    if float(off.max()) > _OFF_GRID * spacing + blur:
        return None
    rate = 1.0 / spacing
    if not SLOWEST_OWN * 0.999 <= rate <= FASTEST_OWN * 1.001:
        return None
    tolerance = max(_NEAR_WHOLE, blur / float(every[-1] - every[0]))
    for nominal in (round(rate), round(rate / _NTSC) * _NTSC):
        if abs(rate / nominal - 1.0) < tolerance:
            return float(nominal)
    return rate


def _mode(steps: FloatArray) -> float:
    """The spacing that most neighbours have, give or take a hundredth."""
    ordered = np.sort(steps[steps > 0])
    if not len(ordered):
        return 0.0
    ends = np.searchsorted(ordered, ordered * 1.02, side="right")
    most = int(np.argmax(ends - np.arange(len(ordered))))
    return float(np.median(ordered[most : ends[most]]))


def check_rate(rate: float | None) -> None:
    """Raise InputError unless a rate that was asked for makes sense."""
    if rate is not None and not (np.isfinite(rate) and 0 < rate <= 1e6):
        raise InputError(f"rate must be a positive number of frames a second, but is {rate}")


def check_room(timing: Timing, joints: int, document: Document, rate_given: bool) -> None:
    """Raise FileError where frames and joints would take more memory than a motion may."""
    wanted = timing.frames * joints * 64
    most = (1 << 30) + 40 * document.size
    if wanted > most:
        hint = "ask for a lower rate" if rate_given else "set a lower one with rate"
        raise FileError(
            f"{timing.frames:,} frames of {joints:,} joints, at {timing.rate:g} a second, would take "
            f"{wanted / 1e9:.1f} GB, but may take {most / 1e9:.1f} GB at most; {hint}",
            path=document.path,
        )
