"""Frozen values as plain JSON and back, by the types of their fields.

Doubles come back bit by bit: JSON has the shortest decimals that mean them.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any

Json = Any


def plain(value: Any) -> Json:
    """What JSON can hold of a value: dataclasses and maps become objects, tuples lists."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value) if f.init}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return int(value)
    return float(value)


def value_of(kind: Any, found: Json, place: str) -> Any:
    """The value of a type that JSON holds; a ValueError that names the place where it is not that.

    Fields that a dataclass does not know are passed over, those that are missing get their defaults:
    files of other versions stay readable.
    """
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _record(kind, found, place)
    if origin is tuple:
        if not isinstance(found, list):
            raise ValueError(f"{place} must be a list, but is {type(found).__name__}")
        if len(inside) == 2 and inside[1] is Ellipsis:
            return tuple(value_of(inside[0], item, f"{place}[{k}]") for k, item in enumerate(found))
        if len(found) != len(inside):
            raise ValueError(f"{place} must have {len(inside)} items, but has {len(found)}")
        return tuple(
            value_of(i, item, f"{place}[{k}]") for k, (i, item) in enumerate(zip(inside, found, strict=True))
        )
    if origin in (types.UnionType, typing.Union):
        if found is None:
            return None
        return value_of(next(i for i in inside if i is not type(None)), found, place)
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(found, dict):
            raise ValueError(f"{place} must be a map, but is {type(found).__name__}")
        return {key: value_of(inside[1], item, f"{place}.{key}") for key, item in found.items()}
    allowed = (int, float) if kind is float else kind
    if not isinstance(found, allowed) or (isinstance(found, bool) and kind is not bool):
        raise ValueError(f"{place} must be a {kind.__name__}, but is {type(found).__name__}")
    return kind(found)


def _record(kind: type, found: Json, place: str) -> Any:
    if not isinstance(found, dict):
        raise ValueError(f"{place} must be a map, but is {type(found).__name__}")
    hints = typing.get_type_hints(kind)
    given = {}
    for field in dataclasses.fields(kind):
        if field.init and field.name in found:
            given[field.name] = value_of(hints[field.name], found[field.name], f"{place}.{field.name}")
        elif field.init and field.default is field.default_factory is dataclasses.MISSING:
            raise ValueError(f"{place} must have {field.name!r}")
    return kind(**given)
