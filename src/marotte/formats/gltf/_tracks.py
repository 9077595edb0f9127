"""Tracks: the keys of what an animation moves, and their values at the frames of a motion."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...figure import FloatArray, IntArray
from .._notes import Notes
from . import _turns
from ._accessors import read_accessor
from ._clips import Channel, Path
from ._container import Document
from ._timing import Timing

_WIDTH = {"translation": 3, "rotation": 4, "scale": 3}
_UNIT = 1e-2


@dataclass(frozen=True, slots=True)
class _Places:
    """Where frames lie among keys: the same for all tracks that share their times."""

    before: IntArray
    """(F,) the key before each frame, never the last one."""
    gap: FloatArray
    """(F,) seconds from that key to the next."""
    share: FloatArray
    """(F,) of the gap that has passed, from 0 to 1."""
    met: IntArray
    """(F,) the last key that has been reached."""
    between: IntArray
    """The frames that meet no key."""


class Frames:
    """The frames to read, and where they lie among the keys of tracks."""

    def __init__(self, timing: Timing) -> None:
        self.times = timing.times()
        self.near = timing.near
        self._known: dict[int, tuple[FloatArray, _Places]] = {}

    def among(self, keys: FloatArray) -> _Places:
        """The places among keys (K,), two of them at least; one within `near` seconds is met."""
        known = self._known.get(id(keys))
        if known is None:  # the keys are kept with it, so that no others can get their id
            known = self._known[id(keys)] = (keys, self._look(keys))
        return known[1]

    def _look(self, keys: FloatArray) -> _Places:
        times = self.times
        before = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, len(keys) - 2)
        gap = keys[before + 1] - keys[before]
        share = np.clip((times - keys[before]) / gap, 0.0, 1.0)
        share = np.where(times - keys[before] <= self.near, 0.0, share)
        share = np.where(keys[before + 1] - times <= self.near, 1.0, share)
        met = np.where(share >= 1.0, before + 1, before)
        return _Places(before, gap, share, met, np.flatnonzero((share > 0.0) & (share < 1.0)))


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

    def at(self, frames: Frames) -> FloatArray:
        """The values (F, n) at the frames."""
        if len(self.times) == 1:
            only = self.values[0, 1] if self.kind == "CUBICSPLINE" else self.values[0]
            return np.tile(only, (len(frames.times), 1))
        where = frames.among(self.times)
        if self.kind == "STEP":
            return self.values[where.met]
        if self.kind == "CUBICSPLINE":
            return self._cubic(where.before, where.gap[:, None], where.share[:, None])
        out = self.values[where.met]
        between = where.between
        if len(between):
            a, b = self.values[where.before[between]], self.values[where.before[between] + 1]
            t = where.share[between]
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
