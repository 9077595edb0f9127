"""A BVH made a GLB: all of it, from one file to the other.

Blender does the same in its own Python, as a script of a pipeline would have it do: import, export
with its usual settings, which sample every frame as ours do. Marotte's file is forced to disk before
it takes its name; Blender's is not.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

import marotte
from bench._clip import FRAMES, clip
from bench._measure import Row, compare, samples
from tools import blender

NAME = "BVH to GLB, 2,752 frames of 31 joints, one thread"
ROUNDS = 5  # at most: a turn of Blender takes many seconds
AGREEMENT = 1e-4  # of the figure's size


def _check_agreement(ours: Path, theirs: Path) -> None:
    """Both files hold the same motion."""
    mine, other = marotte.load(ours, unit="m"), marotte.load(theirs, unit="m")
    names = [name for name in mine.skeleton.names if name in other.skeleton]
    frames = min(len(mine), len(other))
    if len(names) < 25 or frames < FRAMES - 1:
        raise SystemExit(f"Blender's file has {len(names)} joints and {frames} frames: not the same work")
    a, b = (m.positions()[:frames, [m.skeleton.index(n) for n in names]] for m in (mine, other))
    # a BVH in centimetres is in metres for Blender
    b = b * (np.ptp(a[0], axis=0).max() / np.ptp(b[0], axis=0).max())
    worst = float(np.abs(a - b).max() / np.ptp(a[0], axis=0).max())
    if worst > AGREEMENT:
        raise SystemExit(f"Blender puts joints {worst:.3g} of the figure's size from ours: not the same work")


def run(rounds: int) -> list[Row]:
    rounds = min(rounds, ROUNDS)
    reason = blender.refusal()
    if reason is not None:
        print(f"{NAME}: left out, {reason}", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory(prefix="marotte-bench-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", marotte.formats.FileWarning)
        path, ours, theirs = (Path(folder) / name for name in ("clip.bvh", "ours.glb", "theirs.glb"))
        marotte.save(clip(), path, unit="cm")

        def convert() -> None:
            marotte.save(marotte.load(path, unit="cm"), ours)

        seconds: list[float] = []
        taken: list[float] = []
        for _ in range(rounds):  # they take turns; how long Blender takes to start is not counted
            seconds += blender.run("time_conversion.py", path, theirs, "120", "1")
            taken += samples({"ours": convert}, rounds=1)["ours"]
        _check_agreement(ours, theirs)
        note = (
            f"{ours.stat().st_size / 1e6:.1f} MB of GLB; Blender's has {theirs.stat().st_size / 1e6:.1f} MB"
        )
    return [
        compare(
            "convert a BVH to GLB",
            unit="file",
            rival="Blender import_anim.bvh, export_scene.gltf",
            ours=taken,
            theirs=seconds,
            note=note,
        )
    ]
