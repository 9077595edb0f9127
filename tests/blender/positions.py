"""Where Blender puts the joints of a file: positions.py FILE RATE FRAME…

Frames count from 0 in Blender's time, at RATE a second. Answers the bones and empties by name, for
every frame; the points of meshes; and what kinds of objects the file became.
"""

from __future__ import annotations

import sys

import bpy

from tests.blender import scene


def main(path: str, rate: str, *frames: str) -> None:
    scene.open_file(path, float(rate))
    shown = []
    for frame in frames:
        scene.go_to(float(frame))
        shown.append({"joints": scene.places(), "meshes": scene.vertices()})
    kinds = sorted(item.type for item in bpy.data.objects)
    span = [bpy.context.scene.frame_start, bpy.context.scene.frame_end]
    actions = {action.name: list(action.frame_range) for action in bpy.data.actions}
    scene.answer({"frames": shown, "kinds": kinds, "span": span, "actions": actions})


main(*sys.argv[1:])
