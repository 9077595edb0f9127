"""Stick figures for pictures: left blue, right red, a figure beside the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

from marotte.figure import FloatArray, Motion

LEFT, RIGHT, MIDDLE, FAINT = "#1d4ed8", "#c2410c", "#334155", "#9aa5b1"
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"


def strip(
    axes: Any, motion: Motion, frames: Sequence[int], *, front: bool = False, apart: float | None = None
) -> None:
    """Figures at some frames, seen from the side (Z to the right) or from the front.

    With `apart` metres between them they stand in a row; without they stand where they are.
    """
    places = motion.positions()
    for n, f in enumerate(frames):
        pose = places[f]
        across = pose[:, 0] if front else pose[:, 2]
        if apart is not None:
            across = across - across[0] + n * apart
        _figure(axes, motion, across, pose[:, 1])
    axes.axhline(0.0, color="#cbd5e1", linewidth=0.8, zorder=0)
    axes.set_aspect("equal")
    axes.axis("off")


def _figure(axes: Any, motion: Motion, across: FloatArray, up: FloatArray) -> None:
    for j, name in enumerate(motion.skeleton.names):
        parent = int(motion.skeleton.parents[j])
        if parent >= 0:
            colour = LEFT if "Left" in name else RIGHT if "Right" in name else MIDDLE
            axes.plot([across[parent], across[j]], [up[parent], up[j]], color=colour, linewidth=1.1)


def save(figure: Any, name: str, folder: Path) -> None:
    """Write the picture as a small PNG."""
    figure.tight_layout()
    figure.savefig(folder / f"{name}.png", dpi=80)
    plt.close(figure)
