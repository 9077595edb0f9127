"""FBX files as text, made from plain nodes, so that a test can have any oddity in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.naive.fbx import ORDERS, PlainNode, worlds

SECOND = 46_186_158_000  # the format's ticks
PROPERTY = {"T": "Lcl Translation", "R": "Lcl Rotation", "S": "Lcl Scaling"}
SCENE = 0


def fbx_text(
    nodes: Sequence[PlainNode],
    *,
    rate: float = 30.0,
    frames: int = 0,
    stacks: Sequence[str] = ("Take 001",),
    axes: tuple[int, int, int, int, int, int] = (1, 1, 2, 1, 0, 1),
    unit: float = 1.0,
    bind: bool = False,
    begin: int = 0,
) -> str:
    """A file: up, front and right as pairs of axis and sign, `unit` in centimetres.

    The nodes' keys are those of the first stack; every further one holds them still. `bind` stores
    the nodes as they stand without animation as the pose of a skin, and `begin` is the first frame.
    """
    objects: list[str] = []
    links: list[str] = []
    for i, node in enumerate(nodes):
        objects.append(_model(1000 + i, node))
        links.append(_link(1000 + i, SCENE if node.parent < 0 else 1000 + node.parent))
        objects.append(_attribute(2000 + i, node))
        links.append(_link(2000 + i, 1000 + i))
    for s, name in enumerate(stacks):
        stack, layer = 10_000 * (s + 1), 10_000 * (s + 1) + 1
        stop = round((begin + max(frames, 1) - 1) * SECOND / rate)
        objects.append(
            f'AnimationStack: {stack}, "AnimStack::{name}", "" {{ Properties70: {{\n'
            f'P: "LocalStart", "KTime", "Time", "",{round(begin * SECOND / rate)}\n'
            f'P: "LocalStop", "KTime", "Time", "",{stop}\n}} }}'
        )
        objects.append(f'AnimationLayer: {layer}, "AnimLayer::Base", "" {{ }}')
        links.append(_link(layer, stack))
        number = layer + 1
        for i, node in enumerate(nodes):
            for letter, keys in node.keys.items():
                values = np.array(keys) if s == 0 else np.array(keys[:1] * 2)
                times = [round((begin + f) * SECOND / rate) for f in range(len(values))]
                more, made = _curves(number, layer, 1000 + i, letter, values, times)
                number += 4
                objects += more
                links += made
    if bind:
        objects.append(_bind_pose(nodes))
    up, up_sign, front, front_sign, right, right_sign = axes
    settings: dict[str, Any] = {
        "UpAxis": up, "UpAxisSign": up_sign, "FrontAxis": front, "FrontAxisSign": front_sign,
        "CoordAxis": right, "CoordAxisSign": right_sign, "TimeMode": 14,
    }  # fmt: skip
    rows = [f'P: "{k}", "int", "Integer", "",{v}' for k, v in settings.items()]
    rows += [f'P: "UnitScaleFactor", "double", "Number", "",{unit!r}']
    rows += [f'P: "CustomFrameRate", "double", "Number", "",{rate!r}']
    return "\n".join(
        [
            "; FBX 7.4.0 project file",
            "FBXHeaderExtension: { FBXHeaderVersion: 1003\nFBXVersion: 7400\nCreator: \"tests\" }",
            "GlobalSettings: { Version: 1000\nProperties70: {", *rows, "} }",
            "Objects: {", *objects, "}",
            "Connections: {", *links, "}", "",
        ]
    )  # fmt: skip


def _model(number: int, node: PlainNode) -> str:
    vectors = {
        "Lcl Translation": node.translation, "Lcl Rotation": node.rotation, "Lcl Scaling": node.scale,
        "PreRotation": node.pre, "PostRotation": node.post, "RotationOffset": node.rotation_offset,
        "RotationPivot": node.rotation_pivot, "ScalingOffset": node.scaling_offset,
        "ScalingPivot": node.scaling_pivot,
    }  # fmt: skip
    rows = [f'P: "{k}", "Vector3D", "Vector", "",{_list(v)}' for k, v in vectors.items()]
    rows.append(f'P: "RotationOrder", "enum", "", "",{ORDERS.index(node.order)}')
    rows.append('P: "RotationActive", "bool", "", "",1')
    rows.append(f'P: "InheritType", "enum", "", "",{node.inherit}')
    inside = "\n".join(rows)
    return (
        f'Model: {number}, "Model::{node.name}", "{node.kind}" {{ Version: 232\nProperties70: {{\n'
        f"{inside}\n}} }}"
    )


def _attribute(number: int, node: PlainNode) -> str:
    flags = "Null" if node.kind == "Null" else "Skeleton"
    return f'NodeAttribute: {number}, "NodeAttribute::", "{node.kind}" {{ TypeFlags: "{flags}" }}'


def _curves(
    number: int, layer: int, model: int, letter: str, values: np.ndarray, times: list[int]
) -> tuple[list[str], list[str]]:
    objects = [f'AnimationCurveNode: {number}, "AnimCurveNode::{letter}", "" {{ Properties70: {{ }} }}']
    links = [_link(number, layer), _link(number, model, PROPERTY[letter])]
    for k, axis in enumerate("XYZ"):
        objects.append(
            f'AnimationCurve: {number + 1 + k}, "AnimCurve::", "" {{ Default: 0\nKeyVer: 4008\n'
            f"KeyTime: *{len(times)} {{ a: {','.join(map(str, times))} }}\n"
            f"KeyValueFloat: *{len(times)} {{ a: {_list(values[:, k])} }}\n"
            f"KeyAttrFlags: *1 {{ a: 260 }}\nKeyAttrDataFloat: *4 {{ a: 0,0,0,0 }}\n"
            f"KeyAttrRefCount: *1 {{ a: {len(times)} }} }}"
        )
        links.append(_link(number + 1 + k, number, f"d|{axis}"))
    return objects, links


def _bind_pose(nodes: Sequence[PlainNode]) -> str:
    rows = "\n".join(
        f"PoseNode: {{ Node: {1000 + i}\nMatrix: *16 {{ a: {_list(world.T.ravel())} }} }}"
        for i, world in enumerate(worlds(list(nodes), None))
    )
    return f'Pose: 9000, "Pose::Bind", "BindPose" {{ Type: "BindPose"\nNbPoseNodes: {len(nodes)}\n{rows}\n}}'


def _link(child: int, parent: int, into: str = "") -> str:
    return f'C: "OP",{child},{parent}, "{into}"' if into else f'C: "OO",{child},{parent}'


def _list(values: Any) -> str:
    return ",".join(repr(float(v)) for v in values)
