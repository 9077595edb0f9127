"""Accessors: the typed arrays in a glTF's buffers, as float64 arrays of ours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...figure import FloatArray
from ._container import Document
from ._json import Item

RawArray = NDArray[Any]
"""Elements as they are in the file, of the file's own type."""

COMPONENTS: dict[int, str] = {5120: "i1", 5121: "u1", 5122: "i2", 5123: "u2", 5125: "u4", 5126: "f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
# What a normalized integer's greatest value means 1.0 for; there are no others.
_GREATEST = {"i1": 127.0, "u1": 255.0, "i2": 32767.0, "u2": 65535.0}

COMPRESSED = ("EXT_meshopt_compression", "KHR_meshopt_compression")


def read_accessor(document: Document, index: int, kinds: tuple[str, ...]) -> FloatArray:
    """The elements of an accessor (N, width), finite; its type must be one of `kinds`.

    Sparse accessors are filled in and normalized integers made numbers from -1 to 1.
    """
    item = document.item("accessors", index)
    kind = item.text("type")
    if kind not in kinds:
        raise item.at("type").error(f"must be {' or '.join(kinds)} here, but is {kind!r}")
    width = WIDTHS[kind]
    count = item.whole("count")
    code = _component(item)
    offset = item.whole("byteOffset", 0)
    document.take_room(8 * width * count, item)
    if "bufferView" in item:
        raw = _elements(document, item, item.at("bufferView"), offset, count, width, code)
    else:
        raw = np.zeros((count, width), dtype=np.dtype("<" + code))
    if "sparse" in item:
        raw = _filled(document, item.at("sparse"), raw, code)
    with np.errstate(invalid="ignore"):  # a signalling NaN, which is refused below
        values = raw.astype(np.float64)
    if item.at("normalized").value is True and code in _GREATEST:
        values = np.maximum(values / _GREATEST[code], -1.0)
    good = np.isfinite(values)
    if not good.all():
        at = int(np.argwhere(~good)[0][0])
        raise item.error(f"must hold finite numbers, but element {at} is not")
    return values


def _component(item: Item) -> str:
    code = item.whole("componentType")
    if code not in COMPONENTS:
        raise item.at("componentType").error(
            f"must be one of {', '.join(map(str, COMPONENTS))}, but is {code}"
        )
    return COMPONENTS[code]


def _elements(
    document: Document, item: Item, view_index: Item, offset: int, count: int, width: int, code: str
) -> RawArray:
    """The elements (N, width) as they are in the file."""
    number = view_index.as_whole(below=len(document.items("bufferViews")))
    view = document.item("bufferViews", number)
    extensions = view.member("extensions")
    for name in COMPRESSED:
        if name in extensions:
            raise view.error(
                f"its data is compressed ({name}), which is not read; unpack the file first, "
                f"for example with `gltf-transform copy IN OUT` or gltfpack without -c"
            )
    data = document.buffer(view.whole("buffer"))
    begin = view.whole("byteOffset", 0)
    length = view.whole("byteLength")
    if begin + length > len(data):
        raise view.error(f"reaches to byte {begin + length:,} of a buffer that has {len(data):,}")
    dtype = np.dtype("<" + code)
    size = width * dtype.itemsize
    stride = view.whole("byteStride", 0) or size
    if stride < size:
        raise view.at("byteStride").error(f"must be at least {size} here, but is {stride}")
    if count and offset + (count - 1) * stride + size > length:
        raise item.error(
            f"{count:,} elements reach to byte {offset + (count - 1) * stride + size:,} "
            f"of bufferView {number}, which has {length:,}"
        )
    if count == 0:
        return np.zeros((0, width), dtype=dtype)
    raw = np.frombuffer(data, dtype=np.uint8, count=(count - 1) * stride + size, offset=begin + offset)
    rows = np.lib.stride_tricks.as_strided(raw, shape=(count, size), strides=(stride, 1), writeable=False)
    return np.ascontiguousarray(rows).view(dtype).reshape(count, width)


def _filled(document: Document, sparse: Item, raw: RawArray, code: str) -> RawArray:
    """A sparse accessor's elements put in their places."""
    count = sparse.whole("count")
    if count > len(raw):
        raise sparse.at("count").error(f"must be at most {len(raw)}, but is {count}")
    indices, values = sparse.member("indices"), sparse.member("values")
    kind = _component(indices)
    if kind not in ("u1", "u2", "u4"):
        raise indices.at("componentType").error("must be a type of whole numbers without a sign")
    places = _elements(
        document, indices, indices.at("bufferView"), indices.whole("byteOffset", 0), count, 1, kind
    )[:, 0].astype(np.int64)
    if count and int(places.max()) >= len(raw):
        raise indices.error(f"must be less than {len(raw)}, but one is {int(places.max())}")
    filled = raw.copy()
    filled[places] = _elements(
        document, values, values.at("bufferView"), values.whole("byteOffset", 0), count, raw.shape[1], code
    )
    return filled
