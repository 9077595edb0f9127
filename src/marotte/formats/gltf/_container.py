"""The file around the content: .gltf with buffers beside or inside it, or .glb in one piece."""

from __future__ import annotations

import base64
import binascii
import json
import mmap
import os
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from ...errors import FileError
from .._notes import Notes
from ._json import Item

MAGIC = b"glTF"
JSON_CHUNK = 0x4E4F534A
BIN_CHUNK = 0x004E4942
HEADER = struct.Struct("<4sII")
CHUNK = struct.Struct("<II")
_DATA_URI = ";base64,"

_OTHERS = {
    b"\x1f\x8b": "a gzip archive; unpack it first",
    b"PK\x03\x04": "a zip archive; unpack it first",
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
    b"Kaydara FBX": "an FBX; name it .fbx",
    b"HIERARCHY": "a BVH; name it .bvh",
    b"PXR-USDC": "a USD; name it .usdc",
    b"#usda": "a USD; name it .usda",
    b"version https://git-lfs": "a Git LFS pointer, not the file itself; fetch it with `git lfs pull`",
}

Bytes = bytes | memoryview

# What the numbers of a file may unpack to, in bytes: accessors may overlap without end.
LEAST_ROOM = 1 << 28
ROOM_PER_BYTE = 40


@dataclass(slots=True)
class Document:
    """A glTF: its JSON, and the bytes of its buffers when they are asked for."""

    path: Path
    json: dict[str, Any]
    size: int
    """Of the file, and of those beside it that were read, bytes."""
    is_binary: bool
    binary: Bytes | None = None
    """The GLB's own buffer."""
    _room: int = 0
    _loaded: dict[int, Bytes] = field(default_factory=dict)
    _items: dict[str, list[Item]] = field(default_factory=dict)
    _beside: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._room = self.most_bytes

    @property
    def most_bytes(self) -> int:
        """What this file may become in memory: in bytes."""
        return LEAST_ROOM + ROOM_PER_BYTE * self.size

    def take_room(self, wanted: int, item: Item) -> None:
        """Count bytes that are unpacked; a FileError where a small file would become a large one."""
        self._room -= wanted
        if self._room < 0:
            raise item.error(
                f"with this, the numbers of the file would unpack to more than "
                f"{self.most_bytes / 1e9:.1f} GB, which a file of its size may not"
            )

    @property
    def top(self) -> Item:
        """The whole JSON."""
        return Item(self.json, "", self.path)

    def items(self, key: str) -> list[Item]:
        """The elements of one of the top's arrays: nodes, accessors, …"""
        if key not in self._items:
            self._items[key] = self.top.array(key)
        return self._items[key]

    def item(self, key: str, index: int) -> Item:
        """One element of one of the top's arrays."""
        items = self.items(key)
        if index >= len(items):
            raise self.top.error(f"there is no {key}[{index}]; the file has {len(items)} of them")
        return items[index]

    def close(self) -> None:
        """Let go of the file: its mapping ends with the last view of it."""
        self._loaded.clear()
        self.binary = None

    def buffer(self, index: int) -> Bytes:
        """The bytes of a buffer, as many as it declares at least."""
        if index not in self._loaded:
            item = self.item("buffers", index)
            data = self._buffer_bytes(item, index)
            declared = item.whole("byteLength")
            if isinstance(data, bytes):  # a data URI
                self.take_room(len(data), item)
            if len(data) < declared:
                pointer = bytes(data[:24]) == b"version https://git-lfs."[:24]
                hint = "; it is a Git LFS pointer, fetch it with `git lfs pull`" if pointer else ""
                raise item.error(f"declares {declared:,} bytes, but has {len(data):,}{hint}")
            self._loaded[index] = data[:declared]
        return self._loaded[index]

    def _buffer_bytes(self, item: Item, index: int) -> Bytes:
        if "uri" in item:
            uri = item.text("uri")
            data = read_uri(item.at("uri"), uri)[0]
            if isinstance(data, memoryview) and uri not in self._beside:  # a file, which counts as ours
                self._beside.add(uri)
                self._room += ROOM_PER_BYTE * len(data)
                self.size += len(data)
            return data
        if index == 0 and self.binary is not None:
            return self.binary
        raise item.error("has no uri, and is not the buffer that a .glb carries in itself")


@contextmanager
def open_document(path: Path, notes: Notes) -> Iterator[Document]:
    """A file's JSON, checked to be a glTF 2.0, with its buffers readable inside the block."""
    document = _open(path, notes)
    try:
        yield document
    finally:
        document.close()


def _open(path: Path, notes: Notes) -> Document:
    data = map_file(path)
    start = bytes(data[:32])
    if not start:
        raise FileError("the file is empty; a glTF begins with { and a GLB with 'glTF'", path=path)
    if start.startswith(MAGIC):
        if path.suffix.lower() == ".gltf":
            notes.warn("the file is a binary glTF; its name should end in .glb")
        text, binary = _split_glb(data, path, notes)
        document = Document(path, _parse(text, path, True), len(data), True, binary)
    else:
        for magic, what in _OTHERS.items():
            if start.startswith(magic):
                raise FileError(f"the file must be a glTF, but is {what}", path=path)
        first = start.removeprefix(b"\xef\xbb\xbf").split()
        if not first or not first[0].startswith(b"{"):
            kind = repr(first[0][:20].decode("ascii", "replace")) if first else "blanks"
            raise FileError(
                "a glTF begins with { and a GLB with 'glTF', but this file begins with "
                + ("binary data" if b"\0" in start else kind),
                path=path,
            )
        if path.suffix.lower() != ".gltf":
            notes.warn(f"the file is a glTF in text form; {path.suffix} files are binary")
        document = Document(path, _parse(bytes(data), path, False), len(data), False)
    _check_version(document)
    return document


def map_file(path: Path) -> memoryview:
    """A file's bytes, mapped: nothing is read that is not looked at."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise FileError("must be a file, but is a folder or a device", path=path)
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                return memoryview(b"")
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as problem:
        raise FileError(f"cannot be read: {problem.strerror or problem}", path=path) from None
    except ValueError as problem:  # a NUL in the name
        raise FileError(f"is no name that a file can have: {problem}", path=path) from None
    return memoryview(mapped)


def read_uri(item: Item, uri: str) -> tuple[Bytes, str]:
    """The bytes that a URI means, and their media type if it says one.

    Data URIs and files in the glTF's own folder or below it are read, nothing else.
    """
    if uri[:5].lower() == "data:":
        head, mark, body = uri[5:].partition(_DATA_URI)
        if not mark:
            raise item.error("a data URI must hold base64 data, but has no ';base64,'")
        try:
            return base64.b64decode(body, validate=True), head.split(";")[0]
        except (binascii.Error, ValueError) as problem:
            raise item.error(f"is no base64 data: {problem}") from None
    target = inside_folder(item, uri)
    try:
        return map_file(target), ""
    except FileError as problem:
        raise item.error(f"the file {uri!r} {problem.message}") from None


def inside_folder(item: Item, uri: str) -> Path:
    """The path of a file that a URI names beside the glTF; never one outside of its folder."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        raise item.error(f"is no URI: {uri[:60]!r}") from None
    folder = item.path.parent
    try:
        target = (folder / unquote(parts.path)).resolve()
        inside = target.is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):
        inside = False
    if parts.scheme or parts.netloc or not parts.path or not inside:
        raise item.error(f"only files in the folder of the glTF are read, but it names {uri[:60]!r}")
    return target


def _split_glb(data: memoryview, path: Path, notes: Notes) -> tuple[bytes, memoryview | None]:
    """The JSON and the binary chunk of a GLB."""
    if len(data) < HEADER.size + CHUNK.size:
        raise FileError(f"the file ends after {len(data)} bytes, inside the header of a GLB", path=path)
    _, version, length = HEADER.unpack_from(data)
    if version != 2:
        raise FileError(f"the GLB must have version 2, but has {version}; convert it to glTF 2.0", path=path)
    if length > len(data):
        raise FileError(
            f"the file is cut off: it declares {length:,} bytes, but has {len(data):,}", path=path
        )
    if length < len(data):
        notes.warn(f"{len(data) - length:,} bytes follow the end that the GLB declares; they are ignored")
    chunks: list[tuple[int, memoryview]] = []
    at = HEADER.size
    while at + CHUNK.size <= length:
        size, kind = CHUNK.unpack_from(data, at)
        at += CHUNK.size
        if at + size > length:
            raise FileError(
                f"a chunk at byte {at - CHUNK.size:,} declares {size:,} bytes, but {length - at:,} are left",
                path=path,
            )
        chunks.append((kind, data[at : at + size]))
        at += size
    if not chunks or chunks[0][0] != JSON_CHUNK:
        raise FileError(f"the first chunk of a GLB, at byte {HEADER.size}, must be its JSON", path=path)
    binary = next((part for kind, part in chunks[1:] if kind == BIN_CHUNK), None)
    return bytes(chunks[0][1]).rstrip(b"\0"), binary


def _parse(text: bytes, path: Path, in_glb: bool) -> dict[str, Any]:
    where = "the JSON of the GLB" if in_glb else "the file"

    def no_constant(word: str) -> float:
        raise FileError(f"{where} holds {word}, which is no number in JSON", path=path)

    try:
        parsed = json.loads(text.decode("utf-8-sig"), parse_constant=no_constant)
    except UnicodeDecodeError as problem:
        raise FileError(f"{where} must be UTF-8, but is not at byte {problem.start:,}", path=path) from None
    except json.JSONDecodeError as problem:
        place = {} if in_glb else {"line": problem.lineno, "column": problem.colno}
        at = f" (character {problem.pos:,})" if in_glb else ""
        raise FileError(f"{where} is no JSON: {problem.msg}{at}", path=path, **place) from None
    except (RecursionError, ValueError) as problem:  # nested without end, or numbers of endless digits
        what = "nests too deeply" if isinstance(problem, RecursionError) else str(problem).split(";")[0]
        raise FileError(f"{where} cannot be read: it {what}", path=path) from None
    if not isinstance(parsed, dict):
        raise FileError(f"{where} must hold a JSON object", path=path)
    return parsed


def _check_version(document: Document) -> None:
    asset = document.top.member("asset")
    if "asset" not in document.top:
        raise FileError("there is no 'asset' in it, which every glTF has; is it a glTF?", path=document.path)
    version = asset.at("version").value
    major = str(version).split(".")[0]
    if major != "2":
        said = f"is {version}" if isinstance(version, (str, int, float)) else "is missing"
        raise asset.at("version").error(f"must be 2.0, but {said}; convert the file to glTF 2.0")
