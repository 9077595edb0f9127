"""Where the nodes of a glTF are at a moment, by the book: 4 x 4 matrices, one number at a time.

It shares nothing with the reader that it judges. Files are taken to be well formed: no sparse
accessors, float keys.
"""

from __future__ import annotations

import base64
import json
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np

from marotte.figure import FloatArray

WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
LETTERS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}


class PlainGltf:
    """A file's JSON and the numbers in its buffers."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        self.binary = b""
        if data[:4] == b"glTF":
            length = struct.unpack_from("<I", data, 12)[0]
            self.json: dict[str, Any] = json.loads(data[20 : 20 + length])
            if len(data) > 20 + length:
                self.binary = data[28 + length :]
        else:
            self.json = json.loads(data)
        self.folder = path.parent
        self.parents = {c: i for i, n in enumerate(self.nodes) for c in n.get("children", [])}
        self._known: dict[int, list[list[float]]] = {}

    @property
    def nodes(self) -> list[dict[str, Any]]:
        nodes: list[dict[str, Any]] = self.json["nodes"]
        return nodes

    def buffer(self, index: int) -> bytes:
        uri: str | None = self.json["buffers"][index].get("uri")
        if uri is None:
            return self.binary
        if uri.startswith("data:"):
            return base64.b64decode(uri.partition(",")[2])
        return (self.folder / uri).read_bytes()

    def numbers(self, index: int) -> list[list[float]]:
        """The elements of an accessor."""
        if index in self._known:
            return self._known[index]
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        data = self.buffer(view["buffer"])
        form = f"<{WIDTHS[accessor['type']]}{LETTERS[accessor['componentType']]}"
        stride = view.get("byteStride", struct.calcsize(form))
        begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        found = [
            [float(v) for v in struct.unpack_from(form, data, begin + i * stride)]
            for i in range(accessor["count"])
        ]
        if accessor.get("normalized"):
            most = {5120: 127.0, 5121: 255.0, 5122: 32767.0, 5123: 65535.0}[accessor["componentType"]]
            found = [[max(v / most, -1.0) for v in row] for row in found]
        self._known[index] = found
        return found

    def value(self, clip: int, channel: dict[str, Any], time: float) -> list[float]:
        """What a channel says at a time."""
        sampler = self.json["animations"][clip]["samplers"][channel["sampler"]]
        keys = [row[0] for row in self.numbers(sampler["input"])]
        rows = self.numbers(sampler["output"])
        kind = sampler.get("interpolation", "LINEAR")
        turn = channel["target"]["path"] == "rotation"
        value = rows[1::3] if kind == "CUBICSPLINE" else rows
        if time <= keys[0]:
            return value[0]
        if time >= keys[-1]:
            return value[-1]
        k = max(i for i in range(len(keys)) if keys[i] <= time)
        gap = keys[k + 1] - keys[k]
        t = (time - keys[k]) / gap
        a, b = value[k], value[k + 1]
        if kind == "STEP":
            return a
        if kind == "CUBICSPLINE":
            out, into = rows[3 * k + 2], rows[3 * (k + 1)]
            mixed = [
                (2 * t**3 - 3 * t**2 + 1) * p
                + gap * (t**3 - 2 * t**2 + t) * m
                + (3 * t**2 - 2 * t**3) * q
                + gap * (t**3 - t**2) * n
                for p, m, q, n in zip(a, out, b, into, strict=True)
            ]
            return unit(mixed) if turn else mixed
        if not turn:
            return [p + (q - p) * t for p, q in zip(a, b, strict=True)]
        cosine = sum(p * q for p, q in zip(a, b, strict=True))
        if cosine < 0:
            b, cosine = [-q for q in b], -cosine
        angle = math.acos(min(cosine, 1.0))
        if angle < 1e-6:
            return unit([p + (q - p) * t for p, q in zip(a, b, strict=True)])
        u, v = math.sin((1 - t) * angle) / math.sin(angle), math.sin(t * angle) / math.sin(angle)
        return unit([u * p + v * q for p, q in zip(a, b, strict=True)])

    def matrices(self, clip: int | None, time: float) -> list[FloatArray]:
        """The world matrix (4, 4) of every node."""
        told: dict[tuple[int, str], list[float]] = {}
        if clip is not None:
            for channel in self.json["animations"][clip]["channels"]:
                target = channel["target"]
                if target.get("path") in ("translation", "rotation", "scale"):
                    told[target["node"], target["path"]] = self.value(clip, channel, time)
        local = [self._local(i, told) for i in range(len(self.nodes))]
        found = []
        for i, matrix in enumerate(local):
            at = i
            while at in self.parents:
                at = self.parents[at]
                matrix = local[at] @ matrix
            found.append(matrix)
        return found

    def _local(self, node: int, told: dict[tuple[int, str], list[float]]) -> FloatArray:
        own = self.nodes[node]
        if "matrix" in own:
            return np.array(own["matrix"]).reshape(4, 4).T
        x, y, z, w = unit(told.get((node, "rotation"), own.get("rotation", [0, 0, 0, 1])))
        scale = told.get((node, "scale"), own.get("scale", [1, 1, 1]))
        out = np.eye(4)
        out[:3, :3] = [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
        out[:3, :3] *= np.array(scale)
        out[:3, 3] = told.get((node, "translation"), own.get("translation", [0, 0, 0]))
        return out

    def positions(self, clip: int | None, times: list[float], names: tuple[str, ...]) -> FloatArray:
        """(F, J, 3) where the nodes of these names are."""
        index = {n.get("name", f"node_{i}"): i for i, n in enumerate(self.nodes)}
        return np.array(
            [[m[index[name]][:3, 3] for name in names] for m in (self.matrices(clip, t) for t in times)]
        )


def unit(values: list[float]) -> list[float]:
    length = math.sqrt(sum(v * v for v in values))
    return [v / length for v in values]
