"""What is asked of ufbx. It runs in a process of its own (formats/_worker.py) and is never imported here.

Besides files that the library may not survive, there is a second reason for that. Its wrappers of
nodes, clips and curves (ufbx 0.0.5) are handed out without a reference of one's own, so that
dropping one that was fetched twice frees what others still hold: here all of them are kept until
the process ends without tidying up.
"""

from __future__ import annotations

import array
import sys
from collections.abc import Iterator
from typing import Any

FRAMES_AT_ONCE = 64

_kept: list[Any] = []


def keep(thing: Any) -> Any:
    """The same thing, held until the process ends."""
    _kept.append(thing)
    return thing


def open_file(path: str) -> tuple[Any, dict[str, Any]]:
    """The scene and what is in it; meshes' corners and whatever is embedded are left alone."""
    import ufbx

    scene = keep(
        ufbx.load_file(
            path,
            file_format=ufbx.FileFormat.FBX,
            ignore_geometry=True,
            ignore_embedded=True,
            load_external_files=False,
        )
    )
    return scene, describe(scene)


def refusals() -> tuple[type[Exception], ...]:
    """What the library raises."""
    import ufbx

    return (ufbx.UfbxError,)


def reason(problem: Exception) -> tuple[str, str]:
    """Its name for what is wrong with a file, and its words."""
    return type(problem).__name__, str(problem)


def describe(scene: Any) -> dict[str, Any]:
    """What is in the scene, without any frames."""
    nodes = [keep(node) for node in scene.nodes]
    parents = [-1] * len(nodes)
    for i, node in enumerate(nodes):
        for child in node.children:
            parents[keep(child).typed_id] = i
    settings, axes = scene.settings, scene.settings.axes
    return {
        "version": scene.metadata.version,
        "creator": scene.metadata.creator,
        "warnings": [warning.description for warning in scene.metadata.warnings],
        "axes": [int(axes.right), int(axes.up), int(axes.front)],
        "unit": settings.unit_meters,
        "rate": settings.frames_per_second,
        "names": [node.name for node in nodes],
        "parents": parents,
        "kinds": [int(node.attrib_type) for node in nodes],
        "inherit": [int(node.inherit_mode) for node in nodes],
        "orders": [node.rotation_order.name for node in nodes],
        "angles": [list(node.euler_rotation) for node in nodes],
        "before": [vector(node, "PreRotation") for node in nodes],
        "behind": [vector(node, "PostRotation") for node in nodes],
        "places": [numbers(node.local_transform) for node in nodes],
        "binds": binds(scene),
        "stacks": [describe_stack(keep(stack)) for stack in scene.anim_stacks],
    }


def vector(node: Any, name: str) -> list[float]:
    """A property of three numbers; zeros where the node has none of that name."""
    found = node.props.find_prop(name)
    return [0.0, 0.0, 0.0] if found is None else list(found.value_vec4)[:3]


def binds(scene: Any) -> list[list[Any]]:
    """Nodes that something is bound to, each with its matrix there (column after column) and whether
    that is a skin's. Of several the first counts."""
    skins: dict[int, list[float]] = {}
    poses: dict[int, list[float]] = {}
    for cluster in scene.skin_clusters:
        bone = keep(keep(cluster).bone_node)
        if bone is not None:
            skins.setdefault(bone.typed_id, columns(cluster.bind_to_world))
    for pose in scene.poses:
        if keep(pose).is_bind_pose:
            for entry in keep(pose.bone_poses):
                bone = keep(keep(entry).bone_node)
                if bone is not None:
                    poses.setdefault(bone.typed_id, columns(entry.bone_to_world))
    found = [[node, values, True] for node, values in skins.items()]
    return found + [[node, values, False] for node, values in poses.items() if node not in skins]


def columns(matrix: Any) -> list[float]:
    """The twelve numbers of a matrix."""
    return [number for column in matrix for number in column]


def describe_stack(stack: Any) -> dict[str, Any]:
    """A clip's name, its span, and how many of its curves move anything."""
    first, last, moving = float("inf"), float("-inf"), 0
    for layer in stack.layers:
        for value in keep(layer).anim_values:
            for curve in keep(value).curves:
                if keep(curve) is not None and len(curve.keyframes):
                    first, last = min(first, curve.min_time), max(last, curve.max_time)
                    moving += curve.min_value != curve.max_value
    keys = [first, last] if first <= last else None
    return {
        "name": stack.name,
        "begin": stack.time_begin,
        "end": stack.time_end,
        "keys": keys,
        "moving": moving,
    }


def frames(scene: Any, told: dict[str, Any]) -> Iterator[bytes]:
    """The local transforms of some nodes in every frame: blocks of translation, rotation and scale."""
    import ufbx

    stack = told["stack"]
    animation = keep(scene.anim if stack is None else keep(scene.anim_stacks[stack]).anim)
    everything = [keep(node) for node in scene.nodes]
    nodes = [everything[i] for i in told["nodes"]]
    evaluate = ufbx.evaluate_transform
    for first in range(0, told["frames"], FRAMES_AT_ONCE):
        block = array.array("d")
        for frame in range(first, min(first + FRAMES_AT_ONCE, told["frames"])):
            time = told["begin"] + frame / told["rate"]
            for node in nodes:
                translation, rotation, scale = evaluate(animation, node, time)
                block.extend(translation)
                block.extend(rotation)
                block.extend(scale)
        if sys.byteorder == "big":
            block.byteswap()
        yield block.tobytes()


def numbers(transform: Any) -> list[float]:
    """Translation, rotation (x, y, z, w) and scale."""
    return [*transform.translation, *transform.rotation, *transform.scale]
