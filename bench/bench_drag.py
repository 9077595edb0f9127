"""Dragging a point in a long take: what one movement of the mouse costs.

A take of 3,000 frames and 81 channels, in which a hand is dragged, with and without other pulls around
it. First we show that what comes out is what fitting the whole take gives: for one pull, the same poses
as `fit` with one level. Then both are timed; the rival is our own `fit`, which works the whole take
out again, as the paper's system would.
"""

from __future__ import annotations

import numpy as np

from bench._measure import Row, compare, samples
from marotte import samples as takes
from marotte.figure import EndSite, Motion
from marotte.fitting import Drag, fit
from marotte.kinematics import Position

NAME = "Drag: one movement, all affected frames, one thread"

FRAMES, FRAME = 3000, 1500
UP = np.array([0.0, 0.1, 0.0])


def take() -> Motion:
    """A walker with a thumb and three fingers: 81 channels."""
    walk = takes.walk(seconds=(FRAMES - 1) / 60)
    skeleton = walk.skeleton
    names, parents, offsets = list(skeleton.names), list(skeleton.parents), list(skeleton.offsets)
    channels = list(skeleton.channels)
    for side in ("left", "right"):
        hand = walk.rig[f"{side}_hand"]
        for finger in range(4):
            names.append(f"{side}Finger{finger}")
            parents.append(hand)
            offsets.append(np.array([0.0, -0.1, 0.02 * finger]))
            channels.append("ZYX")
    grown = type(skeleton)(
        names=tuple(names),
        parents=np.array(parents),
        offsets=np.array(offsets),
        channels=tuple(channels),
        ends=tuple(EndSite(joint=j, offset=(0.0, -0.05, 0.0)) for j in range(len(skeleton), len(names))),
    )
    rotations = np.zeros((len(walk), len(names), 4))
    rotations[..., 0] = 1.0
    rotations[:, : len(skeleton)] = walk.rotations
    return Motion(grown, walk.root, rotations, 60.0, contacts=walk.contacts)


def check(motion: Motion, to: np.ndarray) -> None:
    drag = Drag.of(motion, hold=False).pull("right_hand", FRAME, to)
    goal = Position(point="right_hand", to=to, frames=(FRAME, FRAME))
    whole = fit(motion, [goal], levels=1, shift=()).motion
    off = np.abs(drag.motion.positions() - whole.positions()).max()
    if off > 1e-5:
        raise SystemExit(f"dragging and fitting are {1000 * off:.3f} mm apart: different work")


def run(rounds: int) -> list[Row]:
    motion = take()
    places = motion.positions()
    place, left_hand = (places[:, motion.rig[role]] for role in ("right_hand", "left_hand"))
    check(motion, place[FRAME] + [0.1, 0.3, 0.1])
    rows: list[Row] = []
    for spacing, others in ((16, 0), (64, 0), (16, 16)):
        start = Drag.of(motion)
        for k in range(others):
            frame = FRAME - 200 + 25 * k
            left = left_hand[frame]
            start = start.pull("left_hand", frame, left + UP, spacing=8)
        start = start.pull("right_hand", FRAME, place[FRAME], spacing=spacing)
        height = [0.0]

        def ours(start: Drag = start, spacing: int = spacing, height: list[float] = height) -> object:
            height[0] = (height[0] + 0.007) % 0.3
            return start.pull("right_hand", FRAME, place[FRAME] + [0.1, height[0], 0.1], spacing=spacing)

        goals = [Position(point=p.point, to=p.to, frames=(p.frame, p.frame)) for p in start.pulls]

        def whole(goals: list[Position] = goals, spacing: int = spacing) -> object:
            return fit(motion, goals, spacing=spacing, levels=1 if len(goals) == 1 else 4, shift=())

        found = samples({"drag": ours, "fit, the whole take": whole}, rounds=rounds)
        first, last = start.pulls[0].range
        what = f"{FRAMES:,} frames, 81 channels, spacing {spacing}"
        note = f"{last - first + 1} frames in reach" if not others else f"{others} other pulls around it"
        rows.append(
            compare(
                f"{what}: {note}", unit="drag", rival="fit, the whole take", ours=found["drag"],
                theirs=found["fit, the whole take"],
            )
        )  # fmt: skip
    return rows
