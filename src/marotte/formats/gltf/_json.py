"""Values of a file's JSON together with where they stand, so that every complaint names its place."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import FileError

_WORDS = {dict: "an object", list: "an array", str: "a string", bool: "true or false", type(None): "null"}


@dataclass(frozen=True, slots=True)
class Item:
    """One value: what it is, and the way to it, such as `nodes[3].children`."""

    value: Any
    where: str
    path: Path

    def error(self, message: str) -> FileError:
        """What is wrong with this value, ready to be raised."""
        return FileError(f"{self.where}: {message}" if self.where else message, path=self.path)

    def __contains__(self, key: str) -> bool:
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def at(self, key: str) -> Item:
        """A member of an object; its value is None where there is none."""
        if not isinstance(self.value, dict):
            raise self.error(f"must be an object, but is {shown(self.value)}")
        return Item(self.value.get(key), f"{self.where}.{key}" if self.where else key, self.path)

    def member(self, key: str) -> Item:
        """A member that is an object; an empty one where there is none."""
        found = self.at(key)
        if found.value is None:
            return Item({}, found.where, self.path)
        if not isinstance(found.value, dict):
            raise found.error(f"must be an object, but is {shown(found.value)}")
        return found

    def array(self, key: str) -> list[Item]:
        """The elements of a member that is an array; none where there is no such member."""
        found = self.at(key)
        if found.value is None:
            return []
        if not isinstance(found.value, list):
            raise found.error(f"must be an array, but is {shown(found.value)}")
        return [Item(v, f"{found.where}[{i}]", self.path) for i, v in enumerate(found.value)]

    def members(self) -> Iterator[tuple[str, Item]]:
        """The members of an object."""
        for key in self.value if isinstance(self.value, dict) else ():
            yield key, self.at(key)

    def text(self, key: str, default: str = "") -> str:
        """A member that is a string."""
        found = self.at(key)
        if found.value is None:
            return default
        if not isinstance(found.value, str):
            raise found.error(f"must be a string, but is {shown(found.value)}")
        return found.value

    def whole(self, key: str, default: int | None = None, *, below: int | None = None) -> int:
        """A member that is a whole number, 0 or more and less than `below`."""
        found = self.at(key)
        if found.value is None:
            if default is None:
                raise found.error("is missing")
            return default
        return found.as_whole(below=below)

    def as_whole(self, *, below: int | None = None) -> int:
        """This value as a whole number, 0 or more and less than `below`."""
        value = self.value
        if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
            value = int(value)  # some exporters write indices as 3.0
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.error(f"must be a whole number from 0 on, but is {shown(self.value)}")
        if below is not None and value >= below:
            raise self.error(f"must be less than {below}, but is {value}")
        return value

    def index(self, key: str, count: int, what: str, default: int | None = None) -> int:
        """A member that says which of `count` things is meant."""
        value = self.whole(key, default)
        if value != default and value >= count:
            raise self.at(key).error(f"there is no {what} {value}; the file has {count}")
        return value

    def numbers(self, key: str, count: int) -> list[float] | None:
        """A member that is an array of so many finite numbers; None where there is none."""
        found = self.at(key)
        if found.value is None:
            return None
        values = found.value
        if not isinstance(values, list) or len(values) != count:
            raise found.error(f"must be an array of {count} numbers, but is {shown(values)}")
        out = []
        for value in values:
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise found.error(f"must hold numbers only, but holds {shown(value)}")
            try:
                number = float(value)
            except OverflowError:
                number = math.inf
            if not math.isfinite(number):
                raise found.error(f"must hold finite numbers, but holds {shown(value)}")
            out.append(number)
        return out


def shown(value: Any) -> str:
    """A value as an error message shows it: short, whatever it is."""
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if isinstance(value, (dict, type(None))):
        return _WORDS[type(value)]
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:37] + "…")
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**30:
        return "a number of more than thirty digits"
    return str(value).lower() if isinstance(value, bool) else str(value)
