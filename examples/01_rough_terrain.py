"""A walk on level ground becomes a hike over rough ground, through two doorways (LS99 figure 5a and 5b).

    python examples/01_rough_terrain.py [FOLDER]

The ground is a B-spline surface whose control points stand every 80 % of the figure's height, their
heights perturbed within 120 % of it, as in the paper.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import marotte as mt
from marotte.figure.scene import Doorway, HeightGrid


def walk() -> mt.Motion:
    """464 frames at 30 Hz."""
    return mt.samples.walk(seconds=463 / 30, frame_rate=30)


def ground(height: float) -> mt.Scene:
    """Hills and two doorways on the way, for a figure of a height in metres."""
    heights = np.random.default_rng(7).uniform(-0.6, 0.6, (6, 24)) * height
    hills = HeightGrid(heights, spacing=0.8 * height, origin=(-2.0 * height, -1.6 * height), surface="nurbs")
    scene = mt.Scene({"hills": hills})
    doors = {
        name: Doorway((0.0, float(scene.ground_height(np.array([0.0, 0.0, z]))), z), height=high, width=1.2)
        for name, z, high in (("door", 4.0, 1.5), ("hatch", 9.0, 1.3))
    }
    return mt.Scene({"hills": hills, **doors})


def hike() -> tuple[mt.Motion, mt.Motion, mt.Scene]:
    """Before, after, and the ground."""
    before = walk()
    scene = ground(before.skeleton.height)
    return before, mt.Terrain(scene=scene).apply(before), scene


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    folder.mkdir(parents=True, exist_ok=True)
    _, after, _ = hike()
    print(*after.source.notes, sep="\n")
    mt.save(after, folder / "hike.bvh")
