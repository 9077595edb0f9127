"""The other way: JSON and one buffer grow together, and become a .glb or a .gltf."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ..._files import atomic_write
from ...errors import InputError
from ._accessors import COMPONENTS
from ._container import BIN_CHUNK, CHUNK, HEADER, JSON_CHUNK, MAGIC, Bytes

GENERATOR = "Marotte"
ARRAY_BUFFER, ELEMENT_BUFFER = 34962, 34963
_CODES = {f"<{name}" if name[1] != "1" else f"|{name}": code for code, name in COMPONENTS.items()}
_MOST = (1 << 32) - 1  # bytes that a GLB can say it has

Json = dict[str, Any]


class Builder:
    """A glTF in the making. Slots that were set free are used again, so that no number changes."""

    def __init__(self, start: Json | None = None) -> None:
        self.json: Json = {"asset": {"version": "2.0", "generator": GENERATOR}} if start is None else start
        self._parts: list[Bytes] = []
        self._length = 0
        self.free_views: list[int] = []
        self.free_accessors: list[int] = []

    def array(self, key: str) -> list[Json]:
        """One of the top's arrays; a new one where there is none."""
        if self.json.get(key) is None:
            self.json[key] = []
        found: list[Json] = self.json[key]
        return found

    def add(self, key: str, value: Json) -> int:
        """Append to one of the top's arrays; the number it has there."""
        array = self.array(key)
        array.append(value)
        return len(array) - 1

    def append(self, data: Bytes) -> int:
        """Append to the buffer, from a multiple of 4 bytes on; where that is."""
        gap = -self._length % 4
        if gap:
            self._parts.append(b"\0" * gap)
        begin = self._length + gap
        self._parts.append(data)
        self._length = begin + len(data)
        return begin

    def view(self, data: Bytes, target: int | None = None) -> int:
        """A buffer view of new bytes."""
        value: Json = {"buffer": 0, "byteOffset": self.append(data), "byteLength": len(data)}
        if target is not None:
            value["target"] = target
        return self._put("bufferViews", value, self.free_views)

    def accessor(
        self,
        view: int,
        array: NDArray[Any],
        kind: str,
        *,
        offset: int = 0,
        bounds: bool = False,
    ) -> int:
        """An accessor of rows (N, …) that lie in a view from a byte on."""
        value: Json = {
            "bufferView": view,
            "byteOffset": offset,
            "componentType": _CODES[array.dtype.newbyteorder("<").str],
            "count": len(array),
            "type": kind,
        }
        if bounds:
            rows = array.reshape(len(array), -1)
            value["min"] = [float(v) for v in rows.min(axis=0)]
            value["max"] = [float(v) for v in rows.max(axis=0)]
        return self._put("accessors", value, self.free_accessors)

    def rows(self, array: NDArray[Any], kind: str, *, target: int | None = None, bounds: bool = False) -> int:
        """An accessor of rows (N, …) in a view of its own."""
        data = np.ascontiguousarray(array)
        return self.accessor(self.view(data.data.cast("B"), target), data, kind, bounds=bounds)

    def _put(self, key: str, value: Json, free: list[int]) -> int:
        if free:
            number = free.pop(0)
            self.json[key][number] = value
            return number
        return self.add(key, value)

    def fill_free_slots(self) -> None:
        """Make what is still free harmless, or drop it where it stands at the end."""
        for key, free in (("accessors", self.free_accessors), ("bufferViews", self.free_views)):
            array = self.array(key) if free else []
            while free and free[-1] == len(array) - 1:
                array.pop()
                free.pop()
        for number in self.free_accessors:
            self.json["accessors"][number] = {"componentType": 5126, "count": 1, "type": "SCALAR"}
        if self.free_views:
            begin = self.append(b"\0\0\0\0")
            for number in self.free_views:
                self.json["bufferViews"][number] = {"buffer": 0, "byteOffset": begin, "byteLength": 4}
        self.free_accessors, self.free_views = [], []

    def write(self, path: str, stream: BinaryIO, *, binary: bool) -> None:
        """The whole file, as .glb or as text that holds its buffer."""
        self.fill_free_slots()
        self.append(b"")
        others = self.json.get("buffers", [])[1:]
        first: Json = {"byteLength": self._length}
        if self._length or others:
            self.json["buffers"] = [first, *others]
        if not binary:
            if self._length:
                data = base64.b64encode(b"".join(self._parts)).decode("ascii")
                first["uri"] = f"data:application/octet-stream;base64,{data}"
            stream.write(_text(self.json, indent=1))
            return
        text = _text(self.json)
        text += b" " * (-len(text) % 4)
        length = HEADER.size + CHUNK.size + len(text)
        if self._length:
            length += CHUNK.size + self._length
        if length > _MOST:
            raise InputError(
                f"{path}: a GLB may have 4 GB at most, but this would have {length / 1e9:.1f} GB"
            )
        stream.write(HEADER.pack(MAGIC, 2, length) + CHUNK.pack(len(text), JSON_CHUNK))
        stream.write(text)
        if self._length:
            stream.write(CHUNK.pack(self._length, BIN_CHUNK))
            for part in self._parts:
                stream.write(part)

    def save(self, path: Any, *, binary: bool) -> None:
        """Write the file, whole or not at all."""
        with atomic_write(path) as stream:
            self.write(str(path), stream, binary=binary)


def _text(value: Json, indent: int | None = None) -> bytes:
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    return text.encode("utf-8", "backslashreplace")  # half of a surrogate pair has no UTF-8


def numbers(values: Iterable[float]) -> list[float]:
    """Numbers as JSON has them: as float32 would keep them, for others read no more."""
    return [float(f"{float(v):.9g}") + 0.0 for v in values]
