"""How edits that work with several takes are told of them, and of their weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator


def _weight(value: Any) -> Any:
    """A weight as it is, or one sentence on what it must be."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    flat = value.values() if isinstance(value, Mapping) else [value]
    if not all(_is_weight(one) for one in flat):
        raise ValueError(
            "must be a number, weights by frame such as {0: 1, 40: 0}, or weights by part such as "
            "{upper_body: 0.3, legs: {0: 1, 40: 0}}"
        )
    return value


def _is_weight(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim == 1
    values = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else [value]
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)


OverTime = float | list[float] | dict[int, float]
WeightOption = Annotated[float | list[float] | dict[str | int, OverTime], BeforeValidator(_weight)]


def listed(short: str) -> Callable[[Any], Any]:
    """Takes in any way of naming them, as a list of maps with `file`; `{name: value}` sets `short`."""

    def read(value: Any) -> Any:
        if isinstance(value, Mapping) and "file" not in value:
            value = [{name: given} for name, given in value.items()]
        entries = value if isinstance(value, (list, tuple)) else [value]
        return [_entry(entry, short) for entry in entries]

    return read


def _entry(entry: Any, short: str) -> Any:
    if isinstance(entry, Mapping):
        if len(entry) == 1 and "file" not in entry:
            ((name, given),) = entry.items()
            return {"file": name, short: given}
        return entry
    return entry if hasattr(entry, "file") else {"file": entry}
