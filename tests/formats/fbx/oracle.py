"""Where ufbx itself puts the nodes of an FBX: oracle.py FILE CLIP SECONDS… (a process of its own).

It lets the library place the whole scene at each moment, which Marotte never asks it to: what is
compared is how local transforms, scales and inheritance are put together.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np


def library_positions(path: Path, clip: int, times: list[float]) -> dict[str, np.ndarray]:
    """(n, 3) of every node by its name, in the file's unit and axes."""
    command = [sys.executable, __file__, path, clip, *times]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    return {name: np.array(places) for name, places in json.loads(done.stdout).items()}


def main(path: str, clip: str, *times: str) -> None:
    import ufbx

    kept = []  # the library's objects must outlive this program

    def keep(thing):
        kept.append(thing)
        return thing

    scene = keep(ufbx.load_file(path, ignore_geometry=True))
    animation = keep(keep(scene.anim_stacks[int(clip)]).anim)
    names = [keep(node).name for node in scene.nodes]
    found: dict[str, list[list[float]]] = {name: [] for name in names}
    for time in times:
        shown = keep(ufbx.evaluate_scene(scene, animation, float(time)))
        for name, node in zip(names, list(shown.nodes), strict=True):
            found[name].append(list(keep(node).node_to_world.c3))
    print(json.dumps(found))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
