"""Draw the pictures of docs/fitting.md into docs/pictures, from what examples/ make.

    python -m tools.figures.ground [FOLDER]

Needs matplotlib.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from marotte.figure import FloatArray, Motion
from marotte.figure.contacts import sole_points
from marotte.fitting import reach
from tools.figures.sticks import FAINT, FOLDER, LEFT, MIDDLE, RIGHT, save

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GROUND, SHADE = "#65a30d", "#e2e8f0"


@cache
def example(name: str) -> dict[str, Any]:
    """What an example defines."""
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


def figures(
    axes: Any, motion: Motion, frames: Any, *, faint: bool = False, along: FloatArray | None = None
) -> None:
    """Figures where they are, seen from the side: `along` (3,) to the right, +Z where left out."""
    right = np.array([0.0, 0.0, 1.0]) if along is None else along
    places = motion.positions()
    for f in frames:
        x, y = places[f] @ right, places[f, :, 1]
        for j, name in enumerate(motion.skeleton.names):
            p = int(motion.skeleton.parents[j])
            if p >= 0:
                colour = LEFT if "Left" in name else RIGHT if "Right" in name else MIDDLE
                axes.plot([x[p], x[j]], [y[p], y[j]], color=FAINT if faint else colour, linewidth=0.9)
    axes.set_aspect("equal")
    axes.axis("off")


def hike() -> Any:
    """LS99 figure 5a and 5b."""
    before, after, scene = example("01_rough_terrain")["hike"]()
    figure, lines = plt.subplots(4, 1, figsize=(8.2, 7), height_ratios=(2, 2.6, 2.6, 2.6))
    figures(lines[0], before, range(0, 155, 7))
    lines[0].axhline(0.0, color=GROUND)
    lines[0].set_title("the walk on level ground", fontsize=9, loc="left")
    for axes, (first, last) in zip(lines[1:], ((0, 155), (155, 310), (310, 464)), strict=True):
        figures(axes, after, range(first, last, 7))
        z = np.linspace(after.root[first, 2] - 0.5, after.root[last - 1, 2] + 0.5, 300)
        x = np.interp(z, after.root[:, 2], after.root[:, 0])
        axes.plot(z, scene.ground_height(np.stack([x, 0 * x, z], axis=1)), color=GROUND)
        for name in ("door", "hatch"):
            door = scene[name]
            if z[0] < door.position[2] < z[-1]:
                lintel = door.position[1] + door.height
                axes.plot([door.position[2]] * 2, [lintel, lintel + 0.35], color="#7c2d12", linewidth=4)
    lines[1].set_title("on rough ground, through two doorways", fontsize=9, loc="left")
    return figure


def knots() -> Any:
    """LS99 figure 2."""
    given = example("04_knot_spacing")
    frame = given["FRAME"]
    figure, lines = plt.subplots(3, 1, figsize=(7, 5.6))
    for axes, spacing in zip(lines, given["SPACINGS"], strict=True):
        motion = given["bent"](spacing)
        first, last = reach(frame, spacing)
        figures(axes, motion, range(frame - 45, frame + 46, 5))
        z = motion.root[[first, last], 2]
        axes.axvspan(z[0], z[1], color="#fde68a", alpha=0.4, zorder=-2)
        axes.axhline(0.0, color=FAINT, linewidth=0.8)
        axes.set_title(
            f"a knot every {spacing} frames: frames {first - frame} to +{last - frame} may move",
            fontsize=9,
            loc="left",
        )
    return figure


def transitions() -> Any:
    """LS99 figure 5e."""
    motion = example("02_transitions")["sneaking"]()
    figure, lines = plt.subplots(2, 1, figsize=(8.6, 4.4))
    half = len(motion) // 2
    for axes, (first, last) in zip(lines, ((20, half), (half, len(motion) - 10)), strict=True):
        figures(axes, motion, range(first, last, 5))
        axes.axhline(0.0, color=FAINT, linewidth=0.8)
    lines[0].set_title("from walking to sneaking, and back", fontsize=9, loc="left")
    return figure


def held() -> Any:
    """How feet slide, and do not."""
    before, after = example("03_held_feet")["takes"]()
    figure, (heights, speeds) = plt.subplots(2, 1, figsize=(9, 4.2), sharex=True)
    sole = before.rig.soles[0]
    for motion, colour, name in ((before, RIGHT, "before"), (after, LEFT, "held")):
        points = sole_points(motion, sole)
        low = points[..., 1].argmin(axis=1)
        heights.plot(motion.times, 100 * points[..., 1].min(axis=1), color=colour, label=name, linewidth=1.2)
        step = np.diff(points, axis=0)[np.arange(len(motion) - 1), low[:-1]]
        speeds.plot(
            motion.times[:-1],
            np.hypot(step[:, 0], step[:, 2]) * motion.frame_rate,
            color=colour,
            linewidth=1.2,
        )
    for axes, text in ((heights, "lowest of the left sole, cm"), (speeds, "its speed on the ground, m/s")):
        for contact in after.contacts or ():
            if contact.role == sole.foot:
                axes.axvspan(
                    *(f / after.frame_rate for f in (contact.first, contact.last)), color=SHADE, zorder=-2
                )
        axes.set_title(text, fontsize=9, loc="left")
        axes.spines[["top", "right"]].set_visible(False)
    speeds.set_ylim(-0.02, 1.0)
    heights.legend(frameon=False, fontsize=8)
    speeds.set_xlabel("seconds; shaded: the foot is planted", fontsize=8)
    return figure


PICTURES: dict[str, Callable[[], Any]] = {
    "fitting-terrain": hike,
    "fitting-knots": knots,
    "fitting-transitions": transitions,
    "fitting-held-feet": held,
}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        save(draw(), name, folder)


if __name__ == "__main__":
    main()
