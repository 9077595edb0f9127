"""Draw the pictures of docs/shaping.md into docs/pictures.

    python -m tools.figures.shape [FOLDER]

Needs matplotlib.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
import matplotlib.pyplot as plt

from marotte import samples
from marotte.figure import Motion
from marotte.figure.rotations import about, angle_between
from marotte.figure.signals import path
from marotte.signals import (
    SHAPES,
    ChannelKey,
    Limits,
    ReachKey,
    TurnKey,
    displace,
    kochanek_bartels,
    rotation_spline,
    shape_preserving_rotations,
    waveshape,
)

BEFORE, AFTER, SECOND = "#9aa5b1", "#c2410c", "#1d4ed8"
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"


def caps() -> Any:
    """BW95 fig. 12: the angle of an elbow that waves, capped."""
    wave = samples.wave()
    name, limit = "RightForeArm.y", 90.0
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), width_ratios=[1, 2])
    before = wave.channels()[name]
    order = np.argsort(before)
    right.plot(wave.times, before, color=BEFORE, label="as it was")
    left.plot(before[order], before[order], color=BEFORE)
    for kind, colour in (("hard", AFTER), ("soft", SECOND)):
        limits = Limits(high=limit, kind="hard" if kind == "hard" else "soft", knee=0.5)
        after = waveshape(wave, parts=name, limits=limits).channels()[name]
        right.plot(wave.times, after, color=colour, label=kind)
        left.plot(before[order], after[order], color=colour)
    left.set(title="what angles become", xlabel="degrees", ylabel="degrees")
    right.set(title=f"{name}, at most {limit:g}°", xlabel="seconds")
    right.legend(frameon=False)
    return figure


def undulations() -> Any:
    """BW95 fig. 13: undulations in a reach that only rose."""
    drink = samples.drink()
    wavering = waveshape(drink, "undulate", parts="right_arm")
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), width_ratios=[1, 2])
    x = np.linspace(-1, 1, 300)
    left.plot(x, x, color=BEFORE)
    left.plot(x, SHAPES["undulate"](x), color=AFTER)
    left.plot(SHAPES["undulate"].x, SHAPES["undulate"].y, "o", color=AFTER, ms=4)
    left.set(title="undulate", xlabel="value", ylabel="becomes")
    for motion, colour, label in ((drink, BEFORE, "as it was"), (wavering, AFTER, "undulate")):
        right.plot(motion.times, path(motion, "RightHand")[:, 1], color=colour, label=label)
    right.set(title="height of the hand that drinks, metres", xlabel="seconds")
    right.legend(frameon=False)
    return figure


def library() -> Any:
    """Every shape that is always there."""
    figure, grid = plt.subplots(2, 6, figsize=(9, 3.4), sharex=True, sharey=True)
    x = np.linspace(-1, 1, 600)
    for axes, (name, shape) in zip(grid.flat, SHAPES.items(), strict=True):
        axes.plot(x, x, color=BEFORE, lw=0.8)
        axes.plot(x, shape(x), color=AFTER)
        axes.set_title(name, fontsize=8)
        axes.set(xticks=[], yticks=[], ylim=(-1.5, 1.5))
    return figure


def map_of_displacements() -> Any:
    """BW95 fig. 14: keys, the curve through them, and the motion with the curve added."""
    wave = samples.wave()
    name, at = "RightArm.z", {60: 8.0, 120: 30.0, 190: -10.0}
    figure, (upper, lower) = plt.subplots(2, 1, figsize=(9, 4.4), sharex=True, height_ratios=[2, 1])
    before = wave.channels()[name]
    upper.plot(before, color=BEFORE, label="as it was")
    styles = ((0.0, AFTER, "displaced"), (-1.0, SECOND, "with tension -1"))
    for tension, colour, label in styles:
        keys = [ChannelKey(name, change=c, frame=f) for f, c in at.items()]
        after = displace(wave, keys, tension=tension).channels()[name]
        upper.plot(after, color=colour, label=label)
        lower.plot(after - before, color=colour)
    for frame, change in at.items():
        upper.annotate(
            "", (frame, before[frame] + change), (frame, before[frame]), arrowprops={"arrowstyle": "->"}
        )
        lower.plot(frame, change, "ko", ms=4)
    upper.set(title=f"{name}, degrees")
    lower.set(title="what is added", xlabel="frame")
    upper.legend(frameon=False, ncol=3)
    return figure


def higher_knock() -> Any:
    """BW95 fig. 15, bottom: a knock at a higher impact point."""
    knock, higher, hits = knocks()
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), width_ratios=[1, 1.6])
    for motion, colour in ((knock, BEFORE), (higher, AFTER)):
        stick(left, motion, hits[1], colour, side=True)
        right.plot(motion.times, path(motion, "knuckles")[:, 1], color=colour)
    for f in hits:
        right.plot(f / knock.frame_rate, path(higher, "knuckles")[f, 1], "ko", ms=4)
    left.set(aspect="equal", xticks=[], yticks=[], title="as the door is hit")
    right.set(title="height of the knuckles, metres; keys", xlabel="seconds")
    return figure


def knocks() -> tuple[Motion, Motion, list[int]]:
    """The knock, the same 12 cm higher, and the frames at which the door is hit."""
    knock = samples.knock()
    hits = [c.first for c in knock.contacts or () if c.role == "right_hand"]
    where = path(knock, "knuckles")
    keys = [ReachKey("knuckles", where[f] + np.array([0.0, 0.12, 0.0]), frame=f) for f in hits]
    return knock, displace(knock, keys), hits


def gestures() -> Any:
    """BW95 fig. 15, middle: three of 600 frames changed."""
    drink, changed, at = drinks()
    figure, grid = plt.subplots(1, 7, figsize=(9, 2.9))
    for axes, frame in zip(grid, np.linspace(60, 540, 7).astype(int), strict=True):
        stick(axes, drink, int(frame), BEFORE)
        stick(axes, changed, int(frame), AFTER)
        axes.set(aspect="equal", xticks=[], yticks=[], xlim=(-0.75, 0.75), ylim=(-0.05, 2.0))
        axes.set_title(f"{frame}{' · key' if frame in at else ''}", fontsize=8)
    return figure


def drinks() -> tuple[Motion, Motion, list[int]]:
    """A drink of 600 frames, the same with gestures at three of them, and their numbers."""
    drink = samples.drink(frame_rate=84)
    degrees = np.radians
    keys = [
        TurnKey("LeftArm", degrees([0, 0, 75]), frame=220),
        TurnKey("LeftForeArm", degrees([0, -50, 0]), frame=220),
        TurnKey("RightArm", degrees([0, 0, -25]), frame=300),
        TurnKey("LeftUpLeg", degrees([-35, 0, 20]), frame=380),
        TurnKey("LeftLeg", degrees([55, 0, 0]), frame=380),
        TurnKey("Head", degrees([0, 0, 15]), frame=380),
    ]
    return drink, displace(drink, keys), [220, 300, 380]


def three_numbers() -> Any:
    """Tension, continuity and bias of the middle key of a curve in the plane."""
    figure, grid = plt.subplots(1, 3, figsize=(9, 2.8), sharex=True, sharey=True)
    times = np.arange(5.0)
    places = np.array([(0.0, 0.3), (0.9, 0.0), (1.6, 1.0), (3.0, 0.9), (3.3, 0.0)])
    at = np.linspace(0, 4, 400)
    for axes, name in zip(grid, ("tension", "continuity", "bias"), strict=True):
        for size, colour in ((-1.0, SECOND), (0.0, BEFORE), (1.0, AFTER)):
            given: dict[str, Any] = {name: np.where(times == 2, size, 0.0)}
            x, y = kochanek_bartels(times, places, **given)(at).T
            axes.plot(x, y, color=colour, label=f"{size:g}")
        axes.plot(*places.T, "ko", ms=4)
        axes.set(title=name, xticks=[], yticks=[])
        axes.legend(frameon=False, fontsize=7)
    return figure


def no_overshoot() -> Any:
    """L97 5.3.4: keys at uneven times, by Shoemake's spline and by the one that keeps its shape."""
    times = np.array([0.0, 10, 14, 22, 40])
    angles = np.radians([0, 5, 70, 72, 0])
    keys = about(np.array([1.0, 0.0, 0.0]), angles)
    at = np.linspace(0, 40, 400)
    figure, axes = plt.subplots(figsize=(9, 3))
    curves = (
        (rotation_spline(times, keys), SECOND, "rotation_spline"),
        (shape_preserving_rotations(times, keys), AFTER, "shape_preserving_rotations"),
    )
    for curve, colour, label in curves:
        turned = curve(at)
        signed = np.degrees(np.asarray(angle_between(keys[0], turned))) * np.where(turned[:, 1] < 0, -1, 1)
        axes.plot(at, signed, color=colour, label=label)
    axes.plot(times, np.degrees(angles), "ko", ms=4)
    axes.set(xlabel="frame", title="a joint's angle through five keys, degrees")
    axes.legend(frameon=False)
    return figure


def stick(axes: Any, motion: Motion, frame: int, colour: str, *, side: bool = False) -> None:
    """A figure at one frame, from the front or from its left."""
    places = motion.positions()[frame]
    across = 2 if side else 0
    for joint, parent in enumerate(motion.skeleton.parents):
        if parent >= 0:
            axes.plot(places[[parent, joint], across], places[[parent, joint], 1], color=colour, lw=1.6)
    for end in motion.skeleton.ends:
        tip = motion.end_positions()[frame, motion.skeleton.ends.index(end)]
        joint = places[end.joint]
        axes.plot([joint[across], tip[across]], [joint[1], tip[1]], color=colour, lw=1.6)


PICTURES = {
    "shape_caps": caps,
    "shape_undulations": undulations,
    "shape_library": library,
    "displacement_map": map_of_displacements,
    "displacement_knock": higher_knock,
    "displacement_drink": gestures,
    "spline_numbers": three_numbers,
    "spline_overshoot": no_overshoot,
}


def draw_all(folder: Path) -> None:
    """Write every picture into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    mpl.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    for name, draw in PICTURES.items():
        figure = draw()
        figure.tight_layout()
        # nothing in the file says when it was drawn, so that drawing it anew changes nothing
        figure.savefig(folder / f"{name}.png", dpi=100, metadata={"Software": None})
        plt.close(figure)


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
