"""Draw the pictures of docs/retargeting.md into docs/pictures.

    python -m tools.figures.retarget [FOLDER]

Needs matplotlib.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
import matplotlib.pyplot as plt

from marotte import samples
from marotte.figure import FloatArray, Motion, path
from marotte.figure.contacts import contact_mask, sole_points
from marotte.fitting import Proportions, morph, retarget

from .sticks import FAINT, FOLDER, LEFT, MIDDLE, RIGHT, save

_PARTS = ("shoulder", "upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot", "toes")


def figures() -> Any:
    """One walk on three figures."""
    walk = samples.walk(seconds=3)
    rows = [walk, *(retarget(walk, samples.character(name)).motion for name in ("sally", "blubby"))]
    frames = np.linspace(0, 120, 9).astype(int)
    figure, grid = plt.subplots(3, 1, figsize=(9, 5.6), height_ratios=[1.75, 2.2, 1.1])
    for axes, motion in zip(grid, rows, strict=True):
        draw(axes, motion, frames)
    return figure


def rope() -> Any:
    """LS99 fig. 5c: a climb by the performer, carried only, and with the rope held."""
    climb = samples.rope_climb()
    done = retarget(climb, samples.character("sally"))
    frames = [60, 117, 176, 235, 293, 352, 411, 470]
    figure, grid = plt.subplots(3, 1, figsize=(9, 10.5), sharex=True, height_ratios=[3.1, 4.0, 4.0])
    titles = "the performer", "poses carried to sally: hands and feet beside the rope", "retargeted"
    for axes, motion, title in zip(grid, (climb, done.carried, done.motion), titles, strict=True):
        for n, f in enumerate(frames):
            at = 1.15 * n
            axes.plot([at, at], [0, 3.9 if motion is climb else 4.9], color="#a16207", linewidth=0.8)
            stick(axes, motion, f, lambda p, at=at: at - (p[..., 2] - 0.22))
            held(axes, motion, f, lambda p, at=at: at - (p[..., 2] - 0.22))
        finish(axes, title)
    return figure


def hands() -> Any:
    """A handstand and a crawl onto longer arms."""
    figure, grid = plt.subplots(2, 2, figsize=(9, 4.6), width_ratios=[1, 1])
    frames = {"handstand": [61, 123, 246, 431], "crawl": [0, 30, 60, 90]}
    for column, (name, own) in enumerate(frames.items()):
        motion = samples.make(name)
        made = retarget(motion, samples.character("sally")).motion
        for axes, which in zip(grid[:, column], (motion, made), strict=True):
            draw(axes, which, own, apart=1.75)
    return figure


def skate() -> Any:
    """How fast the planted part of a foot moves, before and after."""
    walk = samples.walk(seconds=4)
    rng = np.random.default_rng(4)
    drift = np.cumsum(rng.normal(size=(len(walk), 3)) * [0.6, 0.0, 0.6], axis=0)
    drift -= np.linspace(0, 1, len(walk))[:, None] * drift[-1]
    slid = walk.with_(root=walk.root + 0.004 * smooth(drift, 15), contacts=walk.contacts)
    done = retarget(slid, samples.character("sally"))
    figure, axes = plt.subplots(figsize=(9, 2.6))
    for motion, colour, label in (
        (slid, FAINT, "the take"),
        (done.carried, LEFT, "carried to sally"),
        (done.motion, RIGHT, "retargeted"),
    ):
        sole = motion.rig.soles[0]
        points = sole_points(motion, sole)
        low = points[..., 1] - points[..., 1].min(axis=1, keepdims=True) < 0.02
        speed = np.hypot(*np.moveaxis(np.diff(points[..., [0, 2]], axis=0), -1, 0)) * motion.frame_rate
        slowest = np.where(low[1:] & low[:-1], speed, np.inf).min(axis=1)
        planted = contact_mask(motion.contacts, sole.foot, len(motion))
        slowest[~(planted[1:] & planted[:-1])] = np.nan
        axes.plot(motion.times[1:], slowest, color=colour, label=label)
    axes.set(xlabel="seconds", title="speed of a planted foot, m/s", ylim=(0, 0.3))
    axes.legend(frameon=False, ncol=3, loc="upper right")
    return figure


def growth() -> Any:
    """LS99 fig. 5d: extremely long legs and a short body, then the other way round."""
    walk = samples.walk(seconds=5)
    keys = [
        Proportions(frame=0, legs=1.0, spine=1.0),
        Proportions(frame=150, legs=1.9, spine=0.65),
        Proportions(frame=300, legs=0.5, spine=1.6),
    ]
    made = morph(walk, keys)
    frames = np.linspace(0, 300, 11).astype(int)
    figure, grid = plt.subplots(2, 1, figsize=(9, 4.6), height_ratios=[1.8, 2.6])
    for axes, motion in zip(grid, (walk, made), strict=True):
        for f in frames:
            stick(axes, motion, int(f), lambda p: p[..., 2])
        for sole in motion.rig.soles:
            for c in motion.contacts or ():
                if c.role == sole.foot:
                    ball = sole_points(motion, sole)[(c.first + c.last) // 2, 1]
                    axes.plot(ball[2], ball[1] - 0.06, "^", color=MIDDLE, markersize=3)
        finish(axes)
    return figure


def draw(axes: Any, motion: Motion, frames: Sequence[int] | FloatArray, apart: float | None = None) -> None:
    """Figures in a row, seen from their right, each a step further; they go to the right."""
    way = apart or 0.52 * motion.skeleton.height
    for n, f in enumerate(frames):
        at = n * way
        stick(axes, motion, int(f), lambda p, f=int(f), at=at: at + p[..., 2] - motion.root[f, 2])
    finish(axes)


def stick(axes: Any, motion: Motion, frame: int, across: Any) -> None:
    """One frame; `across` gives the horizontal place of points."""
    rig, parents = motion.rig, motion.skeleton.parents
    sides = {rig.get(f"{s}_{p}"): c for s, c in (("left", LEFT), ("right", RIGHT)) for p in _PARTS}
    pose, ends = motion.positions()[frame], motion.end_positions()[frame]
    lines = [(pose[int(parents[j])], pose[j], j) for j in range(1, len(parents))]
    lines += [(pose[e.joint], ends[k], e.joint) for k, e in enumerate(motion.skeleton.ends)]
    lines += [
        (points[frame, a], points[frame, b], sole.joints[0])
        for sole in rig.soles
        if (points := sole_points(motion, sole)).shape[1] == 3
        for a, b in ((0, 1), (1, 2))
    ]
    for a, b, j in lines:
        both = np.stack([a, b])
        axes.plot(across(both), both[:, 1], color=sides.get(j, MIDDLE), linewidth=1.0)


def held(axes: Any, motion: Motion, frame: int, across: Any) -> None:
    """Dots where hands and feet hold the rope."""
    for c in motion.contacts or ():
        if c.on == "rope" and c.first <= frame <= c.last:
            joint = motion.rig[c.role]
            side = c.role.partition("_")[0]
            point = next((p for p in motion.points if p.joint == joint and p.name.startswith(side)), joint)
            at = path(motion, point)[frame]
            axes.plot(across(at), at[1], "o", color="k", markersize=2.5)


def finish(axes: Any, title: str = "") -> None:
    axes.axhline(0.0, color="#cbd5e1", linewidth=0.8, zorder=0)
    axes.set_aspect("equal")
    axes.axis("off")
    if title:
        axes.set_title(title, fontsize=9, loc="left")


def smooth(values: FloatArray, count: int) -> FloatArray:
    window = np.hanning(count) / np.hanning(count).sum()
    return np.stack([np.convolve(column, window, mode="same") for column in values.T], axis=1)


PICTURES = {
    "retarget_figures": figures,
    "retarget_rope": rope,
    "retarget_hands": hands,
    "retarget_skate": skate,
    "morph": growth,
}


def draw_all(folder: Path) -> None:
    """Draw every picture into a folder."""
    for name, make in PICTURES.items():
        save(make(), name, folder)


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
