"""What the programs here share. They run in Blender's own Python (`tools/blender.py` calls them)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import bpy
from mathutils import Vector

IMPORTS = {
    ".glb": lambda path: bpy.ops.import_scene.gltf(filepath=path),
    ".gltf": lambda path: bpy.ops.import_scene.gltf(filepath=path),
    ".fbx": lambda path: bpy.ops.import_scene.fbx(filepath=path),
    ".bvh": lambda path: bpy.ops.import_anim.bvh(filepath=path, update_scene_fps=True),
    ".usda": lambda path: bpy.ops.wm.usd_import(filepath=path),
    ".usdc": lambda path: bpy.ops.wm.usd_import(filepath=path),
}


def _export_bvh(path: str, **options: Any) -> set[str]:
    frames = bpy.context.scene.frame_start, bpy.context.scene.frame_end
    bpy.context.view_layer.objects.active = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    return set(bpy.ops.export_anim.bvh(filepath=path, frame_start=frames[0], frame_end=frames[1], **options))


EXPORTS = {
    ".bvh": _export_bvh,
    ".glb": lambda path, **options: bpy.ops.export_scene.gltf(filepath=path, **options),
    ".gltf": lambda path, **options: bpy.ops.export_scene.gltf(
        filepath=path, export_format="GLTF_SEPARATE", **options
    ),
    ".fbx": lambda path, **options: bpy.ops.export_scene.fbx(filepath=path, **options),
    ".usda": lambda path, **options: bpy.ops.wm.usd_export(filepath=path, **options),
    ".usdc": lambda path, **options: bpy.ops.wm.usd_export(filepath=path, **options),
}


def open_file(path: str, rate: float) -> None:
    """An empty scene of so many frames a second, with what a file holds in it."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    set_rate(rate)
    if not Path(path).is_file():
        raise SystemExit(f"there is no file {path}")
    done = IMPORTS[Path(path).suffix.lower()](path)
    if done != {"FINISHED"}:
        raise SystemExit(f"Blender did not import {path}: {done}")


def set_rate(rate: float) -> None:
    """Blender holds whole rates and a divisor."""
    whole = max(1, round(rate))
    bpy.context.scene.render.fps = whole
    bpy.context.scene.render.fps_base = whole / rate


def save_as(path: str, **options: Any) -> None:
    """Export the scene in the format that the name says."""
    done = EXPORTS[Path(path).suffix.lower()](path, **options)
    if done != {"FINISHED"}:
        raise SystemExit(f"Blender did not export {path}: {done}")


def go_to(frame: float) -> None:
    """Show a frame, or a place between two."""
    bpy.context.scene.frame_set(int(frame // 1), subframe=frame % 1)


def places() -> dict[str, list[float]]:
    """Where every bone's head and every empty stands in the frame that is shown, Y up."""
    found = {}
    for item in bpy.data.objects:
        if item.type == "ARMATURE":
            for bone in item.pose.bones:
                found[bone.name] = y_up(item.matrix_world @ bone.head)
        elif item.type == "EMPTY":
            found[item.name] = y_up(item.matrix_world.translation)
    return found


def vertices() -> dict[str, list[list[float]]]:
    """The points of every mesh as its bones have bent it in the frame that is shown, Y up."""
    graph = bpy.context.evaluated_depsgraph_get()
    found = {}
    for item in bpy.data.objects:
        if item.type == "MESH":
            shown = item.evaluated_get(graph)
            mesh = shown.to_mesh()
            found[item.name] = [y_up(shown.matrix_world @ v.co) for v in mesh.vertices]
            shown.to_mesh_clear()
    return found


def y_up(point: Vector) -> list[float]:
    """Blender's Z is up; ours and glTF's Y is."""
    return [point.x, point.z, -point.y]


def answer(value: Any) -> None:
    """Hand a result to whoever called (`tools.blender.run`)."""
    Path(os.environ["MAROTTE_ANSWER"]).write_text(json.dumps(value), encoding="utf-8")
