"""Draw the pictures of docs/equalizer.md and docs/blending.md into docs/pictures.

    python -m tools.figures.blend [FOLDER]

Needs matplotlib.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from marotte import samples
from marotte.figure import Motion, resample
from marotte.figure.rotations import about, multiply
from marotte.signals import BlendTake, Gains, band_energy, blend, concatenate, equalize
from tools.figures.sticks import FAINT, FOLDER, LEFT, MIDDLE, RIGHT, save, strip

SIDE = np.array([1.0, 0.0, 0.0])


def walk() -> Motion:
    return samples.walk(frame_rate=30, cycles=4)


def tired() -> Motion:
    return samples.walk(frame_rate=30, cycles=4, style="tired")


def waves() -> tuple[Motion, Motion]:
    """A pronounced wave and a neutral one at four fifths of its pace."""
    slow = samples.wave(energy=0.5)
    return samples.wave(energy=1.4), resample(slow, 75.0).with_(frame_rate=60.0, contacts=slow.contacts)


def trembling() -> Motion:
    """A walk whose right hand trembles: 6 Hz, 1.5° to either side."""
    motion = samples.walk()
    rotations = np.array(motion.rotations)
    hand = motion.rig["right_hand"]
    angle = np.radians(1.5) * np.sin(2.0 * np.pi * 6.0 * motion.times)
    rotations[:, hand] = multiply(rotations[:, hand], about(SIDE, angle))
    return motion.with_(rotations=rotations)


def gains() -> Any:
    """BW95 fig. 3: three gain settings."""
    knock = samples.knock(frame_rate=30)
    rows: list[tuple[str, Motion, Gains]] = [
        ("a walk", walk(), 1.0),
        ("middle bands × 1.7: exaggerated", walk(), {"middle": 1.7}),
        ("all but the low bands turned down: constrained", walk(), {"high": 0.5, "middle": 0.6}),
        ("a knock", knock, 1.0),
        ("band 5 negative: anticipation and follow-through", knock, {5: -1.0}),
    ]
    figure, axes = plt.subplots(len(rows), 1, figsize=(9, 9.5))
    for line, (title, motion, given) in zip(axes, rows, strict=True):
        frames = range(4, len(motion) - 4, 9) if motion.name.startswith("walk") else range(4, 106, 8)
        strip(line, equalize(motion, given), frames, apart=0.85)
        line.set_title(title, fontsize=9, loc="left")
    return figure


def knocking() -> Any:
    """The same knock as curves: how far the hand is ahead of the hips."""
    motion = samples.knock(frame_rate=30)
    hand = motion.rig["right_hand"]
    figure, axes = plt.subplots(figsize=(9, 2.8))
    for colour, label, given in ((FAINT, "as it was", 1.0), (RIGHT, "band 5 × −1", {5: -1.0})):
        places = equalize(motion, given).positions()
        axes.plot(motion.times, 100.0 * (places[:, hand, 2] - places[:, 0, 2]), color=colour, label=label)
    axes.set(xlabel="seconds", ylabel="cm ahead of the hips")
    axes.legend(frameon=False)
    return figure


def stretched() -> Any:
    """BW95 fig. 4: places instead of angles, and bones that stretch."""
    figure, axes = plt.subplots(2, 1, figsize=(9, 4.2))
    options: list[tuple[str, Motion]] = [
        ("a walk", walk()),
        (
            "middle bands of joints' places × 1.6",
            equalize(walk(), {"middle": 1.6}, space="position", parts="all"),
        ),
    ]
    for line, (title, motion) in zip(axes, options, strict=True):
        strip(line, motion, range(4, len(motion) - 4, 9), apart=0.95)
        line.set_title(title, fontsize=9, loc="left")
    return figure


def tremor() -> Any:
    """L97 6.1: where a tremor lives."""
    motion = trembling()
    found = band_energy(motion)
    joints = [j for j in np.argsort(-found.total) if found.total[j] > 0.5]
    shown = 20.0 * np.log10(np.maximum(found.rms[joints], 0.01))
    figure, axes = plt.subplots(figsize=(7, 4.4))
    picture = axes.imshow(shown, aspect="auto", cmap="magma", vmin=-30)
    axes.set_yticks(range(len(joints)), [found.joints[j] for j in joints], fontsize=7)
    axes.set_xticks(range(len(found.edges)), [f"{a:.2g}–{b:.2g}" for a, b in found.edges], fontsize=8)
    axes.set(xlabel="Hz")
    hand = joints.index(motion.rig["right_hand"])
    axes.add_patch(Rectangle((0.5, hand - 0.5), 1, 1, fill=False, edgecolor="white"))
    figure.colorbar(picture, label="dB above 1° RMS")
    return figure


def drum_and_sway() -> Any:
    """BW95 fig. 5 and 6: two motions by weights, and by bands."""
    drum, sway = samples.drum(frame_rate=30), samples.sway(frame_rate=30)
    linear = blend(BlendTake(drum, 0.4), [BlendTake(sway, 0.6)])
    bands = blend(
        BlendTake(drum, gains={"low": 0.2}),
        [BlendTake(sway, gains={"high": 0.0, "middle": 0.6})],
        normalize=False,
    )
    figure, axes = plt.subplots(4, 1, figsize=(9, 8.5))
    for line, (title, motion) in zip(
        axes,
        (
            ("drumming", drum),
            ("swaying", sway),
            ("0.4 drumming, 0.6 swaying", linear),
            ("quick bands of the drummer, slow ones of the swayer", bands),
        ),
        strict=True,
    ):
        frames = np.linspace(10, min(len(drum), len(motion)) - 10, 10).astype(int)
        strip(line, motion, frames.tolist(), front=True, apart=1.15)
        line.set_title(title, fontsize=9, loc="left")
    return figure


def two_walks() -> Any:
    """BW95 fig. 7, L97 fig. 5.4: blends of two walks without and with correspondence in time."""
    a, b = walk(), tired()
    options: list[tuple[str, str, Motion]] = [
        ("without warp", FAINT, blend(a, [b], fit="hold")),
        ("with warp by left_leg", RIGHT, blend(a, [b], warp="left_leg")),
    ]
    figure, axes = plt.subplots(3, 1, figsize=(9, 6.5), height_ratios=[1.1, 1, 1])
    top, *lines = axes
    top.plot(a.times, a.channels()["LeftLeg.x"], color=LEFT, linestyle=":", label="the first walk")
    for line, (title, colour, motion) in zip(lines, options, strict=True):
        top.plot(motion.times, motion.channels()["LeftLeg.x"], color=colour, label=title)
        strip(line, motion, range(40, 110, 4))
        line.set_title(title, fontsize=9, loc="left")
    top.set(xlabel="seconds", ylabel="left knee, degrees")
    top.legend(frameon=False, fontsize=8)
    return figure


def two_waves() -> Any:
    """BW95 fig. 8: waves at different rates and intensities."""
    strong, neutral = waves()
    figure, axes = plt.subplots(figsize=(9, 3))
    for label, colour, style, motion in (
        ("pronounced", MIDDLE, ":", strong),
        ("neutral", FAINT, ":", neutral),
        ("half of each, without warp", LEFT, "-", blend(strong, [neutral], fit="hold")),
        ("half of each, with warp", RIGHT, "-", blend(strong, [neutral], warp="right_arm")),
    ):
        axes.plot(motion.times, motion.channels()["RightArm.x"], style, color=colour, label=label)
    axes.set(xlabel="seconds", ylabel="RightArm.x, degrees")
    axes.legend(frameon=False, fontsize=8)
    return figure


def parts() -> Any:
    """L97 fig. 4.7 and 5.2: waving above, walking below, and what absolute angles do to ankles."""
    below, above = walk(), samples.wave(frame_rate=30)
    by_parts = blend(
        BlendTake(below, {"upper_body": 0.0}),
        [BlendTake(above, {"all": 0.0, "upper_body": 1.0})],
        normalize=False,
        fit="hold",
    )
    sums = [
        blend(below, [above], normalize=False, fit="hold", space="euler", offset=offset, start="first")
        for offset in (True, False)
    ]
    figure, axes = plt.subplots(3, 1, figsize=(9, 6.5))
    for line, (title, motion) in zip(
        axes,
        (
            ("the wave above, the walk below", by_parts),
            ("the wave's movement added to the walk: offset data", sums[0]),
            ("both added, absolute angles: heights, trunk and arms count twice", sums[1]),
        ),
        strict=True,
    ):
        strip(line, motion, range(20, 120, 9), apart=0.85)
        line.set_title(title, fontsize=9, loc="left")
    return figure


def tiredness() -> Any:
    """L97 fig. 4.5 and 4.6: half tired, by bands."""
    a, b = walk(), tired()
    got = blend(
        BlendTake(a, gains={"low": 0.0}, dc=0.0),
        [BlendTake(b, gains={"high": 0.0, "middle": 0.0})],
        normalize=True,
        warp="left_leg",
    )
    figure, axes = plt.subplots(3, 1, figsize=(9, 6.5))
    for line, (title, motion) in zip(
        axes,
        (
            ("a walk", a),
            ("a tired walk", b),
            ("the tired posture (low bands) with the lively steps (middle and high bands)", got),
        ),
        strict=True,
    ):
        strip(line, motion, range(4, len(a) - 4, 9), apart=0.85)
        line.set_title(title, fontsize=9, loc="left")
    return figure


def joined() -> Any:
    """A walk that runs into a run."""
    made = concatenate(walk(), [samples.run(frame_rate=30)])
    first, last = made.joins[0].frames
    figure, axes = plt.subplots(figsize=(9, 3))
    strip(axes, made.motion, range(first - 24, last + 30, 4))
    x = made.motion.root[[first, last], 2]
    axes.axvspan(x[0], x[1], color="#fde68a", alpha=0.5, zorder=-1)
    axes.set_title("a walk runs into a run; the overlap is shaded", fontsize=9, loc="left")
    return figure


PICTURES: dict[str, Callable[[], Any]] = {
    "equalizer-gains": gains,
    "equalizer-knock": knocking,
    "equalizer-places": stretched,
    "bands-tremor": tremor,
    "blend-drum-sway": drum_and_sway,
    "blend-walks": two_walks,
    "blend-waves": two_waves,
    "blend-parts": parts,
    "blend-tired": tiredness,
    "concatenate": joined,
}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        save(draw(), name, folder)


if __name__ == "__main__":
    main()
