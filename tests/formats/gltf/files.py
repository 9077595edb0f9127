"""glTF files made by hand, from plain lists: what a test wants to be in them, and nothing else."""

from __future__ import annotations

import base64
import json
import struct
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from marotte import formats
from marotte.figure import Motion

COMPONENTS = {"f4": 5126, "i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125}
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Made:
    """A glTF in the making."""

    def __init__(self) -> None:
        self.json: dict[str, Any] = {
            "asset": {"version": "2.0"}, "nodes": [], "animations": [], "accessors": [], "bufferViews": [],
        }  # fmt: skip
        self.binary = b""

    def view(self, data: bytes) -> int:
        self.binary += b"\0" * (-len(self.binary) % 4)
        self.json["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)}
        )
        self.binary += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, rows: Any, form: str = "f4", **more: Any) -> int:
        array = np.asarray(rows, dtype=f"<{form}")
        width = 1 if array.ndim == 1 else array.shape[1]
        self.json["accessors"].append(
            {
                "bufferView": self.view(array.tobytes()),
                "componentType": COMPONENTS[form],
                "count": len(array),
                "type": KINDS[width],
                **more,
            }
        )
        return len(self.json["accessors"]) - 1

    def node(self, name: str, parent: int | None = None, **more: Any) -> int:
        self.json["nodes"].append({"name": name, **more})
        number = len(self.json["nodes"]) - 1
        if parent is not None:
            self.json["nodes"][parent].setdefault("children", []).append(number)
        return number

    def clip(self, name: str, *channels: tuple[int, str, int, int, str]) -> None:
        """Channels are (node, path, accessor of times, accessor of values, interpolation)."""
        self.json["animations"].append(
            {
                "name": name,
                "channels": [
                    {"sampler": i, "target": {"node": node, "path": path}}
                    for i, (node, path, *_) in enumerate(channels)
                ],
                "samplers": [
                    {"input": times, "output": values, "interpolation": kind}
                    for _, _, times, values, kind in channels
                ],
            }
        )

    def finished(self, buffers: list[dict[str, Any]]) -> dict[str, Any]:
        return {**{k: v for k, v in self.json.items() if v}, "buffers": buffers}

    def gltf(self, path: Path, uri: str | None = None) -> Path:
        """As text; with its buffer inside, or where `uri` says that it is."""
        if uri is None:
            uri = "data:application/octet-stream;base64," + base64.b64encode(self.binary).decode()
        document = self.finished([{"byteLength": len(self.binary), "uri": uri}])
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    def glb(self, path: Path) -> Path:
        path.write_bytes(glb_bytes(self.finished([{"byteLength": len(self.binary)}]), self.binary))
        return path


def glb_bytes(document: Any, binary: bytes) -> bytes:
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks) + len(binary)) + chunks + binary


def arm(**scales: Any) -> tuple[Made, list[int]]:
    """An arm of three nodes under a frame that stands askew; no animation yet."""
    made = Made()
    top = made.node("Frame", translation=[0.5, 0, 0], rotation=[0, 0.6, 0, 0.8], **scales)
    shoulder = made.node("Shoulder", top, translation=[0, 1.4, 0], rotation=[0.5, 0.5, 0.5, 0.5])
    elbow = made.node("Elbow", shoulder, translation=[0.3, 0.01, 0], rotation=[0, 0, 0.28, 0.96])
    wrist = made.node("Wrist", elbow, translation=[0.25, 0, 0.02])
    return made, [top, shoulder, elbow, wrist]


def quiet_load(path: Path, **options: Any) -> Motion:
    """The motion in a file that may be odd."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", formats.FileWarning)
        return formats.load(path, **options)


def turns(count: int, seed: int = 0) -> Any:
    """(count, 4) unit quaternions as a file has them."""
    values = np.random.default_rng(seed).normal(size=(count, 4))
    values[:, 3] += 2
    return values / np.linalg.norm(values, axis=1, keepdims=True)
