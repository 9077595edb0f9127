"""Which moments of two takes correspond: a value to look at, to edit, to keep and to use again.

The correspondence of two walks is found once, by a key (`correspond`), and then serves both ways,
for every amount, and for other takes of the same lengths.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import yaml
from numpy.typing import ArrayLike

from .._files import atomic_write_text
from .._yaml import Marked, Place, read_yaml
from ..errors import FileError, InputError, UnknownNameError
from ..figure import FloatArray, IntArray, Motion

VERSION = 1
MOST_FRAMES = 10_000_000  # of a take; more than any file holds
Pin = tuple[float, float]

_MOVES = {"d": (1, 1), "a": (1, 0), "b": (0, 1)}
_FIELDS = ("key", "frames", "rates", "cost", "pins", "path")


@dataclass(frozen=True, slots=True, eq=False)
class Correspondence:
    """A path through the pairs of frames of a take and another one.

    Rules that always hold: the path runs from the first frames to the last ones and never back; pins
    lie inside both takes and rise in both.
    """

    steps: IntArray
    """(N, 2) the path as it was found. Where rates differ, one take counts in frames of the other's."""
    frames: tuple[int, int]
    """Of the take and of the other one."""
    rates: tuple[float, float]
    """Frames a second of both."""
    key: str = ""
    """What they were matched by."""
    cost: float = math.nan
    """Of the path, as `signals.dynamic` counts it; nan for paths that were not searched."""
    pins: tuple[Pin, ...] = ()
    """Pairs of frames (of the take, of the other) that the path is bent to pass through."""

    def __post_init__(self) -> None:
        set_ = object.__setattr__
        for name, pair, least in (("frames", self.frames, 1), ("rates", self.rates, 0)):
            ok = len(pair) == 2 and all(math.isfinite(v) and v >= least and v > 0 for v in pair)
            if not ok:
                raise InputError(f"{name} must be two positive numbers, but are {pair}")
        steps = np.array(self.steps, dtype=np.int64)
        moved = np.diff(steps, axis=0) if steps.ndim == 2 and steps.shape[1:] == (2,) else None
        if moved is None or not len(steps) or steps[0].any():
            raise InputError(f"a path must have shape (N, 2) and begin with (0, 0), but has {steps.shape}")
        if not (((moved == 0) | (moved == 1)).all() and moved.any(axis=1).all()):
            raise InputError("a path must go on by one frame in one take or in both, never back")
        ends = np.array(self.frames) - 1
        if not (steps[-1] == ends).any() or ((steps[-1] > 0) != (ends > 0)).any():
            raise InputError(
                f"a path must end with the last frames of the takes, {ends[0]} and {ends[1]}, but ends with "
                f"{steps[-1, 0]} and {steps[-1, 1]}"
            )
        steps.flags.writeable = False
        set_(self, "steps", steps)
        set_(self, "frames", (int(self.frames[0]), int(self.frames[1])))
        set_(self, "rates", (float(self.rates[0]), float(self.rates[1])))
        set_(self, "pins", _checked_pins(self.pins, self.frames))

    def __len__(self) -> int:
        return len(self.steps)

    def __repr__(self) -> str:
        return (
            f"<Correspondence by {self.key!r} of {self.frames[0]} frames at {self.rates[0]:g} Hz and "
            f"{self.frames[1]} at {self.rates[1]:g} Hz, {len(self.pins)} pins>"
        )

    # ---- showing

    @property
    def seconds(self) -> tuple[float, float]:
        """From the first frame to the last, of both takes."""
        (n, m), (r, q) = self.frames, self.rates
        return (n - 1) / r, (m - 1) / q

    @property
    def path(self) -> FloatArray:
        """(P, 2) frames of the take and of the other that correspond, pins obeyed; never falling."""
        grid = self.steps * ((np.array(self.frames) - 1) / np.maximum(self.steps[-1], 1))
        return _bent(grid, self.pins, self.frames)

    def at(self, frames: ArrayLike) -> FloatArray:
        """The frames (…) of the other take that meet frames (…) of the take; the middle where several do."""
        path = self.path
        own, first = np.unique(path[:, 0], return_index=True)
        last = np.append(first[1:], len(path)) - 1
        middle = 0.5 * (path[first, 1] + path[last, 1])
        for frame, other in self.pins:
            middle[own == frame] = other
        return np.asarray(np.interp(np.asarray(frames, dtype=np.float64), own, middle))

    def times(self) -> FloatArray:
        """(P, 2) the path in seconds of both takes: what a plot shows."""
        return np.asarray(self.path / np.array(self.rates))

    def summary(self) -> str:
        """One line for a person."""
        moved = np.diff(self.steps, axis=0)
        both = int((moved == 1).all(axis=1).sum())
        own, other = int((moved[:, 1] == 0).sum()), int((moved[:, 0] == 0).sum())
        a, b = self.seconds
        text = (
            f"{self.frames[0]} frames ({a:.2f} s) and {self.frames[1]} frames ({b:.2f} s) by "
            f"{self.key or 'hand'}: "
            f"{both} steps together, {own} of the take alone, {other} of the other alone"
        )
        return text + (f", {len(self.pins)} pinned" if self.pins else "")

    def text(self, *, width: int = 60, height: int = 20) -> str:
        """The path drawn with characters: the take to the right, the other upwards; o marks pins."""
        times, (a, b) = self.times(), self.seconds
        canvas = [[" "] * width for _ in range(height)]

        def mark(points: FloatArray, sign: str) -> None:
            across = np.rint(points[:, 0] / max(a, 1e-9) * (width - 1)).astype(int)
            up = np.rint(points[:, 1] / max(b, 1e-9) * (height - 1)).astype(int)
            for x, y in zip(across, up, strict=True):
                canvas[height - 1 - y][x] = sign

        mark(times, "*")
        if self.pins:
            mark(np.array(self.pins) / np.array(self.rates), "o")
        lines = [f"|{''.join(row).rstrip()}" for row in canvas]
        return "\n".join([f"{b:.2f} s", *lines, f"+{'-' * (width - 8)} {a:.2f} s", self.summary()])

    # ---- editing

    def pinned(self, frame: float, other: float) -> Self:
        """With a pair of frames that the path passes through; a pin at the same frame is moved.

        Between pins the path keeps its course, stretched to fit.
        """
        kept = [p for p in self.pins if p[0] != frame]
        return replace(self, pins=(*kept, (float(frame), float(other))))

    def unpinned(self, frame: float | None = None) -> Self:
        """Without the pin at that frame of the take; without any when none is named."""
        if frame is None:
            return replace(self, pins=())
        if all(p[0] != frame for p in self.pins):
            there = ", ".join(f"{p[0]:g}" for p in self.pins) or "none"
            raise InputError(f"frame must be a pinned one ({there}), but is {frame:g}")
        return replace(self, pins=tuple(p for p in self.pins if p[0] != frame))

    def reversed(self) -> Correspondence:
        """The other take's correspondence with this one.

        Where pins bend it, the path is laid anew over whole frames.
        """
        swapped = self.steps[:, ::-1]
        if self.pins:
            swapped = _on_grid(self.path[:, ::-1] * np.array([1.0, self.rates[1] / self.rates[0]]))
        return Correspondence(
            np.ascontiguousarray(swapped),
            self.frames[::-1],
            self.rates[::-1],
            self.key,
            self.cost,
            tuple((b, a) for a, b in self.pins),
        )

    def check(self, motion: Motion, to: Motion) -> None:
        """Raise InputError unless the two takes are as long as those it was made for."""
        given = (len(motion), len(to))
        if given != self.frames:
            raise InputError(
                f"the correspondence is of takes of {self.frames[0]} and {self.frames[1]} frames, but these "
                f"have {given[0]} and {given[1]}; find a new one, or crop the takes first"
            )
        rates = (motion.frame_rate, to.frame_rate)
        if any(abs(r / q - 1) > 1e-3 for r, q in zip(rates, self.rates, strict=True)):
            raise InputError(
                f"the correspondence is of takes at {self.rates[0]:g} and {self.rates[1]:g} Hz, but these "
                f"have {rates[0]:g} and {rates[1]:g} Hz"
            )

    # ---- keeping

    def plain(self) -> dict[str, Any]:
        """As plain values for a file: the path as runs of steps, d both, a the take, b the other alone."""
        moved = np.diff(self.steps, axis=0)
        letters = ["d" if x and y else "a" if x else "b" for x, y in moved.tolist()]
        runs = " ".join(f"{letter}{len(list(group))}" for letter, group in itertools.groupby(letters))
        out: dict[str, Any] = {"key": self.key, "frames": list(self.frames), "rates": list(self.rates)}
        if math.isfinite(self.cost):
            out["cost"] = float(self.cost)
        if self.pins:
            out["pins"] = [list(pin) for pin in self.pins]
        return {**out, "path": runs}

    def save(self, path: str | Path) -> None:
        """Write it to a small YAML file, whole or not at all."""
        save_correspondences(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Correspondence:
        """Read what `save` wrote; mistakes name file and line."""
        found = load_correspondences(path)
        if isinstance(found, Correspondence):
            return found
        raise FileError(
            f"holds correspondences of parts ({', '.join(found)}); read it with load_correspondences",
            path=path,
        )


Correspondences = Correspondence | Mapping[str, Correspondence]
"""One for the whole body, or one for each part (L97's consistent warp)."""


def save_correspondences(found: Correspondences, path: str | Path) -> None:
    """Write one correspondence, or those of parts, to a small YAML file, whole or not at all."""
    inside: dict[str, Any] = (
        found.plain()
        if isinstance(found, Correspondence)
        else {"parts": {part: c.plain() for part, c in found.items()}}
    )
    top = {"marotte_correspondence": VERSION, **inside}
    atomic_write_text(
        path, yaml.safe_dump(top, sort_keys=False, allow_unicode=True, width=100, default_flow_style=None)
    )


def load_correspondences(path: str | Path) -> Correspondence | dict[str, Correspondence]:
    """Read what `save_correspondences` wrote; mistakes name file and line."""
    marked = read_yaml(path)
    top = marked.value
    if not isinstance(top, dict) or "marotte_correspondence" not in top:
        raise FileError(
            "must begin with 'marotte_correspondence: 1', as a saved correspondence does", path=path
        )
    if top["marotte_correspondence"] != VERSION:
        raise _at(
            marked,
            ("marotte_correspondence",),
            f"this version reads correspondences of version {VERSION}, but it is "
            f"{top['marotte_correspondence']!r}",
        )
    rest = {k: v for k, v in top.items() if k != "marotte_correspondence"}
    if "parts" not in rest:
        return _read(marked, (), rest)
    for name in rest:
        if name != "parts":
            raise _at(marked, (str(name),), str(UnknownNameError("field", str(name), ("parts",))))
    parts = rest["parts"]
    if not isinstance(parts, dict) or not parts:
        raise _at(marked, ("parts",), "parts must be a map of parts and their correspondences")
    return {str(part): _read(marked, ("parts", str(part)), fields) for part, fields in parts.items()}


def _read(marked: Marked, place: Place, fields: Any) -> Correspondence:
    if not isinstance(fields, dict):
        raise _at(marked, place, "a correspondence must be a map of fields")
    for name in fields:
        if name not in _FIELDS:
            raise _at(marked, (*place, str(name)), str(UnknownNameError("field", str(name), _FIELDS)))
    for name in ("frames", "rates", "path"):
        if name not in fields:
            raise _at(marked, place, f"{name} must be given")

    def pair(name: str, value: Any, whole: bool) -> tuple[Any, Any]:
        kinds = (int,) if whole else (int, float)
        if not (
            isinstance(value, list)
            and len(value) == 2
            and all(isinstance(v, kinds) and not isinstance(v, bool) and abs(v) <= MOST_FRAMES for v in value)
        ):
            what = "whole numbers" if whole else "numbers"
            raise _at(marked, (*place, name), f"{name} must be two {what}, but is {value!r}")
        return value[0], value[1]

    frames, rates = pair("frames", fields["frames"], True), pair("rates", fields["rates"], False)
    pins = fields.get("pins", [])
    if not isinstance(pins, list):
        raise _at(marked, (*place, "pins"), "pins must be a list of pairs of frames, such as [[10, 14]]")
    cost = fields.get("cost", math.nan)
    if not isinstance(cost, (int, float)) or isinstance(cost, bool):
        raise _at(marked, (*place, "cost"), f"cost must be a number, but is {cost!r}")
    try:
        return Correspondence(
            _steps(fields["path"], sum(frames)),
            frames,
            rates,
            str(fields.get("key", "")),
            float(cost),
            tuple(pair("pins", pin, False) for pin in pins),
        )
    except InputError as problem:
        where = "pins" if "pin" in str(problem) else "frames" if "frames must" in str(problem) else "path"
        raise _at(marked, (*place, where), str(problem)) from None


def _steps(text: Any, frames: int) -> IntArray:
    """(N, 2) of runs such as `d12 a3`."""
    runs: list[tuple[str, int]] = []
    for word in str(text).split() if text is not None else []:
        found = re.fullmatch(r"([dab])(\d{1,9})", word)
        if found is None:
            raise InputError(f"path must be runs of steps such as 'd12 a3 b2', but holds {word[:20]!r}")
        runs.append((found[1], int(found[2])))
    # a take of another rate counts in frames of the first one's; nothing else makes it longer
    if sum(count for _, count in runs) > 1000 * max(frames, 1):
        raise InputError("path must not be longer than both takes")
    moves = [np.tile(_MOVES[letter], (count, 1)) for letter, count in runs]
    return np.cumsum(np.concatenate([np.zeros((1, 2), dtype=np.int64), *moves]), axis=0)


def _at(marked: Marked, place: Place, text: str) -> FileError:
    return FileError(text, path=marked.path, line=marked.line(place))


def _checked_pins(pins: Sequence[Pin], frames: tuple[int, int]) -> tuple[Pin, ...]:
    made = sorted((float(a), float(b)) for a, b in pins)
    for a, b in made:
        if not (0 <= a <= frames[0] - 1 and 0 <= b <= frames[1] - 1):
            raise InputError(
                f"a pin must name frames 0 to {frames[0] - 1} and 0 to {frames[1] - 1}, but is ({a:g}, {b:g})"
            )
    ends = [(0.0, 0.0), *made, (frames[0] - 1.0, frames[1] - 1.0)]
    for (a, b), (c, d) in itertools.pairwise(ends):
        corner = (a, b) == (c, d)
        if not corner and (c <= a or d <= b) and max(frames) > 1 and min(frames) > 1:
            raise InputError(
                f"pins must rise in both takes from the first frames to the last, "
                f"but ({c:g}, {d:g}) comes after ({a:g}, {b:g})"
            )
    return tuple(p for p in made if p not in (ends[0], ends[-1]))


def _bent(path: FloatArray, pins: Sequence[Pin], frames: tuple[int, int]) -> FloatArray:
    """The path with every section between pins stretched so that it begins and ends with them."""
    if not pins:
        return path
    along = path.sum(axis=1)
    corners = [(0.0, 0.0), *pins, (frames[0] - 1.0, frames[1] - 1.0)]
    # where on the path each pin's frame of the take is, in the middle where the take stands
    knots = []
    for a, _ in corners:
        on = np.flatnonzero(path[:, 0] == a)
        knots.append(float(along[on].mean()) if len(on) else float(np.interp(a, path[:, 0], along)))
    knots[0], knots[-1] = float(along[0]), float(along[-1])
    out: list[FloatArray] = []
    for (a, b), (c, d), s, t in zip(corners, corners[1:], knots, knots[1:], strict=False):
        inner = path[(along > s) & (along < t)]
        y0, y1 = (float(np.interp(k, along, path[:, 1])) for k in (s, t))
        inner = inner[(inner[:, 0] >= a) & (inner[:, 0] <= c)]
        if y1 > y0:
            other = b + (inner[:, 1] - y0) * ((d - b) / (y1 - y0))
        else:  # the other take stands all along: share its new way evenly
            other = b + (inner[:, 0] - a) * ((d - b) / (c - a))
        out += [np.array([[a, b]]), np.column_stack([inner[:, 0], np.clip(other, b, d)])]
    return np.concatenate([*out, np.array([corners[-1]])])


def _on_grid(path: FloatArray) -> IntArray:
    """(N, 2) whole steps along a path (P, 2) of fractions, corner to corner."""
    along = path.sum(axis=1)
    at = np.arange(0.0, along[-1] + 0.25, 0.25)
    fine = np.column_stack([np.interp(at, along, path[:, k]) for k in (0, 1)])
    nodes = np.rint(np.concatenate([fine, path[-1:]])).astype(np.int64)
    keep = np.ones(len(nodes), dtype=np.bool_)
    keep[1:] = np.diff(nodes, axis=0).any(axis=1)
    return np.asarray(nodes[keep])
