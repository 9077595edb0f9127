"""Let Blender turn a file into another: convert.py IN OUT RATE [OPTION=VALUE…]

Options are those of Blender's exporter, as JSON. Answers where it had the joints in every frame.
"""

from __future__ import annotations

import json
import sys

import bpy

from tests.blender import scene


def main(path: str, target: str, rate: str, *options: str) -> None:
    scene.open_file(path, float(rate))
    ends = [action.frame_range for action in bpy.data.actions]
    if ends:
        bpy.context.scene.frame_start = int(min(begin for begin, _ in ends))
        bpy.context.scene.frame_end = int(max(end for _, end in ends))
    told = {name: json.loads(value) for name, _, value in (option.partition("=") for option in options)}
    scene.save_as(target, **told)
    span = range(bpy.context.scene.frame_start, bpy.context.scene.frame_end + 1)
    shown = []
    for frame in span:
        scene.go_to(frame)
        shown.append(scene.places())
    scene.answer({"frames": shown, "first": span.start})


main(*sys.argv[1:])
