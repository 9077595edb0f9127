"""Draw the pictures of docs/timewarp.md, after BW95 figures 7 to 11 and L97 figure 5.4.

    python -m tools.figures.warp

Everything is drawn from built-in takes, so that the pictures can be drawn anywhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray

from marotte import samples
from marotte.figure import Motion, rotations
from marotte.signals import Correspondence, correspond, timewarp, warped
from marotte.signals.dynamic import best_path, curves
from marotte.signals.timelines import timeline

mpl.use("Agg")
import matplotlib.pyplot as plt

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
BLUE, GREEN, RED, GREY = "#1f6fb2", "#3a9a4b", "#cc3d33", "#9aa0a6"
Floats = NDArray[np.float64]


def knee(motion: Motion) -> Floats:
    """(F,) how far the left knee bends, degrees."""
    turns = motion.rotations[:, motion.rig["left_lower_leg"]]
    return np.asarray(np.degrees(np.linalg.norm(rotations.log(turns), axis=1)))


def strikes(motion: Motion) -> list[float]:
    """Seconds at which a foot comes down."""
    feet = [c for c in motion.contacts or () if c.role.endswith("foot") and c.first > 0]
    return sorted(c.first / motion.frame_rate for c in feet)


def straight(a: Motion, b: Motion) -> Correspondence:
    """Frame meets frame, as where nobody looks for what belongs together."""
    assert len(a) == len(b)
    steps = np.repeat(np.arange(len(a))[:, None], 2, axis=1)
    return Correspondence(steps, (len(a), len(b)), (a.frame_rate, b.frame_rate))


def save(figure: Any, name: str) -> None:
    figure.savefig(PICTURES / f"{name}.webp", dpi=110, pil_kwargs={"quality": 82, "method": 6})
    plt.close(figure)


def plain(axes: Any) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(labelsize=8)


# ---- BW95 fig. 9


def knees() -> None:
    """Two walks' knees; each warped to match the other."""
    walk, tired = samples.walk(seconds=3), samples.walk(style="tired", seconds=4)
    there, back = timewarp(walk, tired, key="left_lower_leg"), timewarp(tired, walk, key="left_lower_leg")
    figure, rows = plt.subplots(3, 1, figsize=(7.5, 5.4), sharex=True, layout="constrained")
    for axes, drawn in zip(
        rows,
        (
            [(walk, BLUE, "a walk"), (tired, GREEN, "a tired walk")],
            [(tired, GREEN, "the tired walk"), (there, RED, "the walk at the tired walk's pace")],
            [(walk, BLUE, "the walk"), (back, RED, "the tired walk at the walk's pace")],
        ),
        strict=True,
    ):
        for motion, colour, label in drawn:
            axes.plot(motion.times, knee(motion), color=colour, label=label, linewidth=1.6)
        axes.legend(fontsize=8, loc="upper right", frameon=False, ncols=2)
        axes.set_ylabel("knee, degrees", fontsize=8)
        axes.set_ylim(0, 85)
        plain(axes)
    rows[-1].set_xlabel("seconds", fontsize=8)
    save(figure, "warp_knees")


# ---- BW95 fig. 7 and 8, L97 fig. 5.4


def stick(axes: Any, motion: Motion, frame: int, shift: float, colour: str) -> None:
    """One pose seen from its left."""
    points = motion.positions()[frame] - motion.root[frame] * np.array([1.0, 0.0, 1.0])
    for j, parent in enumerate(motion.skeleton.parents):
        if parent >= 0:
            pair = points[[int(parent), j]]
            axes.plot(pair[:, 2] + shift, pair[:, 1], color=colour, linewidth=1.3, solid_capstyle="round")


def walks() -> None:
    """Half of one walk and half of another, without and with correspondence in time."""
    walk, tired = samples.walk(cycles=3), samples.walk(style="tired", cycles=3)
    count = min(len(walk), len(tired))
    cut = walk[:count], tired[:count]
    blends = [
        ("half and half, frame by frame", timewarp(*cut, amplitude=0.5, correspondence=straight(*cut))),
        ("half and half, warped first", timewarp(walk, tired, amount=0.0, amplitude=0.5)),
    ]
    figure, rows = plt.subplots(
        4, 1, figsize=(7.5, 6.4), layout="constrained", gridspec_kw={"height_ratios": [2.2, 1, 2.2, 1]}
    )
    frames = range(66, 66 + 8 * 16, 8)
    for (title, motion), top, below in zip(blends, rows[::2], rows[1::2], strict=True):
        for k, frame in enumerate(frames):
            stick(top, motion, frame, 0.8 * k, BLUE)
        top.axhline(0, color=GREY, linewidth=0.8)
        top.set_aspect("equal")
        top.axis("off")
        top.set_title(title, fontsize=9, loc="left")
        feet = [motion.rig[f"{side}_foot"] for side in ("left", "right")]
        heights = motion.positions()[:, feet, 1] * 100
        for column, colour, label in ((0, GREEN, "left"), (1, RED, "right")):
            below.plot(motion.times, heights[:, column], color=colour, label=f"{label} ankle", linewidth=1.3)
        below.set_ylabel("cm", fontsize=8)
        below.set_ylim(0, 35)
        below.set_xlim(frames[0] / 60, frames[-1] / 60)
        plain(below)
    rows[1].legend(fontsize=8, frameon=False, ncols=2, loc="upper right")
    rows[-1].set_xlabel("seconds", fontsize=8)
    save(figure, "warp_walks")


def waves() -> None:
    """A shy and a lively wave, blended without and with correspondence in time."""
    shy, lively = samples.wave(energy=0.4, repeats=5), samples.wave(energy=1.5, repeats=5)
    count = min(len(shy), len(lively))
    a, b = shy[:count], lively[:count]
    without = timewarp(a, b, amplitude=0.5, correspondence=straight(a, b))
    met = timewarp(shy, lively, key="right_lower_arm", amplitude=0.5)
    figure, rows = plt.subplots(2, 1, figsize=(7.5, 3.8), layout="constrained", sharex=True)

    def hand(motion: Motion) -> Floats:
        places = motion.positions()
        return np.asarray(
            (places[:, motion.rig["right_hand"], 0] - places[:, motion.rig["right_shoulder"], 0]) * 100
        )

    for motion, colour, label in ((shy, BLUE, "a shy wave"), (lively, GREEN, "a lively one")):
        rows[0].plot(motion.times, hand(motion), color=colour, label=label, linewidth=1.4)
    rows[1].plot(
        without.times, hand(without), color=GREY, label="half and half, frame by frame", linewidth=1.4
    )
    rows[1].plot(met.times, hand(met), color=RED, label="half and half, warped first", linewidth=1.4)
    for axes in rows:
        axes.legend(fontsize=8, frameon=False, ncols=2, loc="upper right")
        axes.set_ylabel("hand, cm aside", fontsize=8)
        axes.margins(y=0.25)
        plain(axes)
    rows[-1].set_xlabel("seconds", fontsize=8)
    save(figure, "warp_waves")


# ---- BW95 fig. 10 and 11


def bumps(x: Floats) -> Floats:
    """A high bump and a lower one."""
    return np.asarray(np.exp(-(((x - 3.0) / 1.3) ** 2)) + 0.55 * np.exp(-(((x - 7.0) / 0.9) ** 2)))


def path() -> None:
    """Ten samples of each of two signals, the cheapest path, and one signal at the other's timing."""
    t = np.arange(10.0)
    a, b = bumps(t), 0.9 * bumps(np.array([0.0, 1.6, 3.0, 3.6, 4.2, 4.8, 5.6, 6.4, 7.0, 9.0]))
    steps = best_path(*curves(b, a))
    found = Correspondence(steps, (10, 10), (1.0, 1.0), "by hand")
    made = warped(b[:, None], found, over=0.5)[:, 0]
    figure, (left, grid, right) = plt.subplots(1, 3, figsize=(9.5, 3.2), layout="constrained")
    for axes in (left, right):
        axes.plot(t, a, "o-", color=GREEN, label="A", markersize=4)
        axes.set_ylim(-0.1, 1.35)
        plain(axes)
    left.plot(t, b, "o-", color=BLUE, label="B", markersize=4)
    for i, j in steps:
        left.plot([i, j], [b[i], a[j]], color=GREY, linewidth=0.7, zorder=0)
    left.set_title("which samples correspond", fontsize=9, loc="left")
    right.plot(t, made, "o-", color=RED, label="B warped into A", markersize=4)
    right.set_title("B at A's timing", fontsize=9, loc="left")
    for axes in (left, right):
        axes.legend(fontsize=8, frameon=False, loc="upper right")
    grid.set_xticks(range(10))
    grid.set_yticks(range(10))
    grid.grid(color="#e3e5e8")
    grid.plot(steps[:, 0], steps[:, 1], color=RED, linewidth=1.5)
    kinds = {(1, 1): ("o", "substitution"), (1, 0): ("s", "deletion"), (0, 1): ("^", "insertion")}
    named: set[str] = set()
    for (i, j), step in zip(steps[1:], np.diff(steps, axis=0), strict=True):
        mark, label = kinds[(int(step[0]), int(step[1]))]
        grid.plot(i, j, mark, color=RED, markersize=6, label=None if label in named else label)
        named.add(label)
    line = timeline(found, over=0.5)
    grid.plot(line.own, line.other, color="black", linewidth=1.0, linestyle=":", label="spread")
    grid.set_xlabel("samples of B", fontsize=8)
    grid.set_ylabel("samples of A", fontsize=8)
    grid.set_aspect("equal")
    grid.legend(fontsize=7, loc="upper left")
    plain(grid)
    save(figure, "warp_path")


def speeds() -> None:
    """How fast a warped figure goes: the path as it is, and spread."""
    walk, tired = samples.walk(seconds=3), samples.walk(style="tired", seconds=4)
    found = correspond(walk, tired)
    figure, axes = plt.subplots(figsize=(7.5, 2.4), layout="constrained")
    for over, colour, label in ((0.0, GREY, "over 0: step by step"), (0.15, RED, "over 0.15 s")):
        out = timewarp(walk, tired, correspondence=found, over=over)
        speed = np.linalg.norm(np.diff(out.root, axis=0), axis=1) * out.frame_rate
        axes.plot(out.times[1:], speed, color=colour, label=label, linewidth=1.0 if over == 0 else 1.8)
    axes.set_xlim(0, 2.5)
    axes.set_ylim(0, 3.4)
    axes.set_xlabel("seconds", fontsize=8)
    axes.set_ylabel("hips, m/s", fontsize=8)
    axes.legend(fontsize=8, frameon=False, ncols=2, loc="upper right")
    plain(axes)
    save(figure, "warp_speeds")


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    for draw in (knees, walks, waves, path, speeds):
        draw()


if __name__ == "__main__":
    main()
