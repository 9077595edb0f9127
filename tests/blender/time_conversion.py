"""How long Blender takes to turn one file into another: time_conversion.py IN OUT RATE ROUNDS

Each round begins with an empty scene; only importing and exporting are timed. Answers seconds.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import bpy

from tests.blender import scene


def main(path: str, target: str, rate: str, rounds: str) -> None:
    seconds = []
    for _ in range(int(rounds)):
        bpy.ops.wm.read_factory_settings(use_empty=True)
        scene.set_rate(float(rate))
        started = time.perf_counter()
        scene.IMPORTS[Path(path).suffix.lower()](path)
        last = max(action.frame_range[1] for action in bpy.data.actions)
        bpy.context.scene.frame_end = int(last)
        scene.save_as(target)
        seconds.append(time.perf_counter() - started)
    scene.answer(seconds)


main(*sys.argv[1:])
