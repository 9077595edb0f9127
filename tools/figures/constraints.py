"""Draw the pictures of mending in docs/constraints.md into docs/pictures.

    python -m tools.figures.constraints [FOLDER]

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

from marotte.constraints import METHODS, bounded, curve_of, pull
from marotte.figure import Motion
from marotte.figure.signals import path
from tools.figures.experiments import Experiment, all_experiments, handstands, jump
from tools.figures.shape import stick

BEFORE, AFTER, ORIGINAL = "#dc2626", "#1d4ed8", "#9aa5b1"
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"


def bounds() -> Any:
    """L97 fig. 5.5 to 5.8: one signal brought under a bound in three ways."""
    t = np.linspace(0.0, 4.0 * np.pi, 240)
    signal = 60.0 * np.cos(t - 0.6) + 14.0 * np.sin(3.0 * t)
    figure, axes = plt.subplots(figsize=(9, 3.2))
    axes.axhline(45.0, color="k", lw=0.8, ls=":")
    axes.plot(signal, color=ORIGINAL, lw=2.5, label="as it was")
    for method, colour in zip(METHODS, (AFTER, BEFORE, "#15803d"), strict=True):
        axes.plot(bounded(signal, high=45.0, method=method), color=colour, lw=1.2, label=method)
    axes.set(xlabel="frame", title="an angle that may be 45° at most")
    axes.legend(frameon=False, ncol=4)
    return figure


def jumps() -> Any:
    """L97 fig. 6.1: a knee that bends too far, limited to 150 degrees."""
    take, broken, mended = jump()
    knee = [m.channels()["RightLeg.x"] for m in (take, broken, mended)]
    at = int(knee[1].argmax())
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), width_ratios=[1, 2])
    for motion, angle, colour, label in (
        (take, knee[0], ORIGINAL, "the jump"),
        (broken, knee[1], BEFORE, "middle bands emphasised"),
        (mended, knee[2], AFTER, "and limited"),
    ):
        stick(left, motion, at, colour, side=True)
        right.plot(motion.times, angle, color=colour, label=label)
    left.set(aspect="equal", xticks=[], yticks=[])
    right.axhline(150.0, color="k", lw=0.8, ls=":")
    right.set(title="right knee, degrees", xlabel="seconds")
    right.legend(frameon=False)
    return figure


def drinks() -> Any:
    """L97 fig. 5.17: the cup comes to the mouth, from beyond it and from short of it."""
    figure, grid = plt.subplots(2, 2, figsize=(9, 5.2), width_ratios=[1, 2.2])
    for (left, right), key in zip(grid, ("5.17 a", "5.17 b"), strict=True):
        experiment = all_experiments()[key]
        mended = experiment.mended().motion
        gap = [np.linalg.norm(path(m, "cup") - path(m, "mouth"), axis=1) for m in (experiment.broken, mended)]
        at = int(gap[1].argmin())
        for motion, colour in ((experiment.broken, BEFORE), (mended, AFTER)):
            stick(left, motion, at, colour, side=True)
            left.plot(*path(motion, "cup")[at, [2, 1]], "o", color=colour, ms=5)
        left.plot(*path(mended, "mouth")[at, [2, 1]], "kx", ms=6)
        left.set(aspect="equal", xticks=[], yticks=[], xlim=(-0.3, 0.6), ylim=(0.9, 1.85))
        for values, colour, label in ((gap[0], BEFORE, "before"), (gap[1], AFTER, "mended")):
            right.plot(values * 100.0, color=colour, label=label)
        right.set(title=f"{experiment.about}: cup to mouth, cm", ylim=(0, 45))
        right.legend(frameon=False)
    return figure


def strides() -> Any:
    """L97 fig. 6.2: five ways to let a foot hit the floor."""
    found = [all_experiments()[f"6.2 {letter}"] for letter in "bcdef"]
    frames = (28, 78, 96, 141)
    figure, grid = plt.subplots(len(found), len(frames) + 1, figsize=(9, 11), width_ratios=[1] * 4 + [1.7])
    for row, experiment in zip(grid, found, strict=True):
        mended = experiment.mended().motion
        strip(row[:-1], (experiment.broken, mended), frames)
        row[0].set_ylabel(experiment.figure)
        for motion, colour in ((experiment.broken, BEFORE), (mended, AFTER)):
            row[-1].plot(path(motion, "right_toes")[:, 1] * 100.0, color=colour)
        row[-1].axhline(2.0, color="k", lw=0.8, ls=":")
        row[-1].set_title("right toes, cm", fontsize=8)
    return figure


def strip(row: Sequence[Any], motions: Sequence[Motion], frames: Sequence[int]) -> None:
    """Figures at some frames from their left, about where the first of them stands."""
    for axes, frame in zip(row, frames, strict=True):
        for motion, colour in zip(motions, (BEFORE, AFTER), strict=True):
            stick(axes, motion, frame, colour, side=True)
        centre = motions[0].root[frame, 2]
        axes.axhline(0.0, color="k", lw=0.8)
        axes.set(aspect="equal", xticks=[], yticks=[], xlim=(centre - 0.6, centre + 0.6), ylim=(-0.15, 1.85))
        axes.set_title(f"frame {frame}", fontsize=8)


def held() -> Any:
    """L97 fig. 6.3, 6.4 and 6.6: feet above the floor, toes that stay, a foot that is set down."""
    figure, axes = plt.subplots(1, 3, figsize=(9, 3))
    sides: tuple[tuple[str, str, str], ...] = (
        ("6.3", "left_foot", "a walk's lowest point of the left foot, cm"),
        ("6.4", "left_toes", "sway: left toes, cm beside their place"),
        ("6.6 b", "right_toes", "shot-put: right toes, cm"),
    )
    for place, (key, point, title) in zip(axes, sides, strict=True):
        experiment = all_experiments()[key]
        for motion, colour, label in (
            (experiment.original, ORIGINAL, "original"),
            (experiment.broken, BEFORE, "broken"),
            (experiment.mended().motion, AFTER, "mended"),
        ):
            place.plot(_shown(motion, key, point) * 100.0, color=colour, label=label, lw=1.2)
        place.set_title(title, fontsize=8)
    axes[0].axhline(0.0, color="k", lw=0.8, ls=":")
    axes[0].legend(frameon=False, fontsize=7)
    return figure


def _shown(motion: Motion, key: str, point: str) -> Any:
    if key == "6.3":
        return np.min([curve_of(motion, f"left_{part}.y").values for part in ("heel", "ball", "tip")], axis=0)
    where = path(motion, point)
    return np.linalg.norm(where - where[0], axis=1) if key == "6.4" else where[:, 1]


def masked() -> Any:
    """L97 fig. 6.7: what becomes of a gymnast whose orientation is emphasised with the rest."""
    take, broken, kept = handstands()
    figure, grid = plt.subplots(1, 5, figsize=(9, 2.6))
    for axes, frame in zip(grid, (60, 110, 240, 380, 450), strict=True):
        for motion, colour in ((take, ORIGINAL), (broken, BEFORE), (kept, AFTER)):
            stick(axes, motion, frame, colour, side=True)
        axes.axhline(0.0, color="k", lw=0.8)
        axes.set(aspect="equal", xticks=[], yticks=[])
    return figure


def pulled() -> Any:
    """L97 fig. 5.18: a curve with points that were pulled, and the poses that follow."""
    experiment = all_experiments()["5.17 b"]
    take = experiment.original
    points = {215: 1.25, 260: 1.32}
    made = pull(take, "left_hand.y", points, hold=[120], smooth=60)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), width_ratios=[1, 2.4])
    for motion, colour in ((take, ORIGINAL), (made, AFTER)):
        stick(left, motion, 240, colour)
        right.plot(curve_of(motion, "left_hand.y").values, color=colour)
    right.plot(list(points), list(points.values()), "ko", ms=5)
    right.plot([120], curve_of(take, "left_hand.y").values[[120]], "o", color=ORIGINAL, ms=5)
    left.set(aspect="equal", xticks=[], yticks=[])
    right.set(title="left_hand.y, metres", xlabel="frame")
    return figure


def ratios(experiments: dict[str, Experiment]) -> list[tuple[str, float]]:
    """RMS jerk after mending over that before, by the thesis's figure."""
    from marotte.quality.measures import jerk

    return [
        (key, jerk(e.mended().motion).rms / jerk(e.broken).rms)  #
        for key, e in experiments.items()
    ]


PICTURES = {
    "mend_bounds": bounds,
    "mend_jump": jumps,
    "mend_drink": drinks,
    "mend_strides": strides,
    "mend_held": held,
    "mend_masked": masked,
    "mend_curve": pulled,
}


def draw_all(folder: Path = FOLDER) -> None:
    """Write every picture."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        figure = draw()
        figure.tight_layout()
        figure.savefig(folder / f"{name}.png", dpi=80, metadata={"Software": None})
        plt.close(figure)


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
