"""Loading and saving a BVH file: all of it, from the path to the motion and back.

Both read the same file. Marotte's motion is in quaternions and metres, checked, with a rig recognised;
pymotion keeps the file's Euler angles until it is asked for quaternions, so that each task has two rows:
without that work, and with it. Marotte's file is forced to disk before it takes its name; pymotion's is
not.
"""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import numpy as np
from pymotion.io.bvh import BVH
from pymotion.ops import skeleton as pymotion_skeleton

import marotte
from bench._clip import FRAMES, clip
from bench._measure import Row, compare, samples

NAME = "BVH files, 2,752 frames of 31 joints, one thread"
ROUNDS = 7  # at most: a turn of pymotion takes seconds
AGREEMENT = 1e-5  # of the figure's size; the file has six decimals


def _pymotion_load(path: Path) -> BVH:
    file = BVH()
    file.load(str(path))
    return file


def _check_agreement(path: Path) -> None:
    ours = marotte.load(path, unit="cm").positions()
    turns, positions, parents, offsets, *_ = _pymotion_load(path).get_data()
    placed, _ = pymotion_skeleton.fk(turns, positions[:, 0], offsets, parents)
    worst = float(np.abs(placed * 0.01 - ours).max() / np.ptp(ours[0], axis=0).max())
    if worst > AGREEMENT:
        raise SystemExit(
            f"pymotion reads positions {worst:.3g} of the figure's size from ours: not the same work"
        )


def run(rounds: int) -> list[Row]:
    rounds = min(rounds, ROUNDS)
    with tempfile.TemporaryDirectory(prefix="marotte-bench-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", marotte.formats.FileWarning)
        path, ours_out, theirs_out = (Path(folder) / name for name in ("clip.bvh", "ours.bvh", "theirs.bvh"))
        marotte.save(clip(), path, unit="cm")
        _check_agreement(path)
        motion, file = marotte.load(path, unit="cm"), _pymotion_load(path)
        rotations, positions, *_ = file.get_data()
        other = _pymotion_load(path)

        def save_quaternions() -> None:
            other.set_data(rotations, positions)
            other.save(str(theirs_out))

        megabytes = path.stat().st_size / 1e6

        loaded = samples(
            {
                "ours": lambda: marotte.load(path, unit="cm"),
                "angles": lambda: _pymotion_load(path),
                "quaternions": lambda: _pymotion_load(path).get_data(),
            },
            rounds=rounds,
        )
        saved = samples(
            {
                "ours": lambda: marotte.save(motion, ours_out),
                "angles": lambda: file.save(str(theirs_out)),
                "quaternions": save_quaternions,
            },
            rounds=rounds,
        )

    def row(task: str, rival: str, ours: list[float], theirs: list[float]) -> Row:
        note = f"the file: {megabytes:.1f} MB, {FRAMES} frames"
        return compare(task, unit="file", rival=rival, ours=ours, theirs=theirs, note=note)

    return [
        row("load", "pymotion BVH.load, angles", loaded["ours"], loaded["angles"]),
        row("load", "pymotion BVH.load and get_data, quaternions", loaded["ours"], loaded["quaternions"]),
        row("save", "pymotion BVH.save, angles", saved["ours"], saved["angles"]),
        row("save", "pymotion BVH.set_data and save, quaternions", saved["ours"], saved["quaternions"]),
    ]
