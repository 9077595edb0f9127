"""Weights of takes: one number, a curve through keys, or one of these for each part of the body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from ..errors import InputError
from ..figure import FloatArray
from ..figure._arrays import BoolArray, check_finite
from .spaces import Signals

Weight: TypeAlias = float | Mapping[int, float] | Sequence[float] | FloatArray
"""A number; values at frames, {0: 1, 40: 0}, joined by a smooth curve; or a value a frame (F,)."""
Weights: TypeAlias = Weight | Mapping[str, Weight] | Mapping[str | int, Weight]
"""One weight for everything, or weights by part, joint or channel; `all` is what is not named (1)."""


def weight_curve(given: Weight, frames: int, what: str = "weight") -> FloatArray:
    """(F,) a weight at every frame.

    Between keys the curve is as smooth as it can be without going beyond them; it is level at
    the first and the last key, and stays there before and after. Negative frames count from the end.
    """
    if isinstance(given, Mapping):
        return _through(given, frames, what)
    values = np.asarray(given, dtype=np.float64)
    if values.ndim == 0:
        values = np.full(frames, float(values))
    if values.shape != (frames,):
        raise InputError(f"{what} must be a number or have {frames} values, but has shape {values.shape}")
    check_finite(what, values)
    return values


def by_part(given: Weights) -> bool:
    """Whether weights are told by parts of the body, and not by frames."""
    return isinstance(given, Mapping) and not all(_is_frame(key) for key in given)


def signal_weights(
    given: Weights, signals: Signals, frames: int, what: str = "weight"
) -> tuple[FloatArray, BoolArray]:
    """(F, C) the weight of every signal at every frame, and (C,) which were named one by one."""
    single = np.zeros(len(signals), dtype=np.bool_)
    if not by_part(given):
        curve = weight_curve(given, frames, what)  # type: ignore[arg-type]  # no map by parts
        return np.broadcast_to(curve[:, None], (frames, len(signals))), single
    assert isinstance(given, Mapping)
    parts: Mapping[str, Any] = {str(key): value for key, value in given.items()}
    out = np.tile(weight_curve(parts.get("all", 1.0), frames, what)[:, None], (1, len(signals)))
    for word, weight in parts.items():
        if word == "all":
            continue
        chosen = signals.chosen(word)
        out[:, chosen] = weight_curve(weight, frames, f"{what} of {word}")[:, None]
        single[chosen] = word in signals.names
    return out, single


def _is_frame(key: object) -> bool:
    return isinstance(key, (int, np.integer)) or (isinstance(key, str) and key.lstrip("-").isdigit())


def _through(keys: Mapping[int, float], frames: int, what: str) -> FloatArray:
    at: dict[int, float] = {}
    for key, value in keys.items():
        if not _is_frame(key):
            raise InputError(f"{what} by frames must have frames as keys, but has {key!r}")
        frame = int(key) + frames if int(key) < 0 else int(key)
        at[frame] = float(value)
    if not at:
        raise InputError(f"{what} must have at least one key, such as {{0: 1, 40: 0}}")
    x = np.array(sorted(at), dtype=np.float64)
    y = np.array([at[int(frame)] for frame in x])
    check_finite(what, y)
    f = np.clip(np.arange(frames, dtype=np.float64), x[0], x[-1])
    if len(x) == 1:
        return np.full(frames, y[0])
    slopes = _slopes(x, y)
    i = np.clip(np.searchsorted(x, f, side="right") - 1, 0, len(x) - 2)
    width = x[i + 1] - x[i]
    u = (f - x[i]) / width
    ease = u * u * (3.0 - 2.0 * u)
    bend = u * (1.0 - u) * width
    return np.asarray(
        y[i] * (1.0 - ease) + y[i + 1] * ease + bend * ((1.0 - u) * slopes[i] - u * slopes[i + 1])
    )


def _slopes(x: FloatArray, y: FloatArray) -> FloatArray:
    """Slopes at keys with which cubics between them stay between them (Fritsch and Butland)."""
    steps, rise = np.diff(x), np.diff(y) / np.diff(x)
    out = np.zeros(len(x))
    before, after = rise[:-1], rise[1:]
    same = before * after > 0
    a, b = 2 * steps[1:] + steps[:-1], steps[1:] + 2 * steps[:-1]
    safe_before, safe_after = np.where(same, before, 1.0), np.where(same, after, 1.0)
    out[1:-1] = np.where(same, (a + b) / (a / safe_before + b / safe_after), 0.0)
    return out
