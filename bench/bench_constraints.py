"""Ten rules checked on a take of 3,000 frames: text read, joints found, data gathered, stretches made.

No library that we know checks such rules, so the rival is what one would write: the whole motion's
positions, orientations and channels, then each rule's arithmetic in NumPy for all frames at once.
It finds the same frames; it neither reads text nor forms stretches.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.signal import argrelextrema

from bench._measure import Row, compare, samples
from marotte import samples as takes
from marotte.constraints import find_violations, measure, parse_rules
from marotte.figure import Motion, Skeleton
from marotte.figure.rotations import rotate

NAME = "Ten rules over 3,000 frames"
FRAMES = 3000
FINGERS = 4  # a hand
TEXT = """
left_toes.y >= 0.005
right_toes.y >= 0.005
LeftLeg.x <= 60 deg
RightLeg.x <= 60 deg
(LeftUpLeg, x) < (RightUpLeg, x) + 40
(right_hand + (0, -0.19, 0)).z <= head.z + 0.1
distance(left_hand, right_hand) >= 0.5
when left_foot.y >= 0.12: right_toes.y <= 0.03
when local_max distance(left_foot, right_foot) noise 6: orientation(left_foot, y) <= 5 deg
lock left_foot.y within 5 cm
"""
Bools = NDArray[np.bool_]


def long_walk() -> Motion:
    """3,000 frames of walking with fingers that rest: 30 joints, 81 channels."""
    walk = takes.walk(seconds=51.0)[:FRAMES]
    skeleton, hands = walk.skeleton, [walk.rig["left_hand"], walk.rig["right_hand"]]
    parents = [hand for hand in hands for _ in range(FINGERS)]
    wider = Skeleton(
        names=(*skeleton.names, *(f"Finger{i}" for i in range(len(parents)))),
        parents=np.concatenate([skeleton.parents, parents]),
        offsets=np.concatenate([skeleton.offsets, np.full((len(parents), 3), 0.05)]),
        channels=(*skeleton.channels, *("ZXY" for _ in parents)),
    )
    still = np.zeros((len(walk), len(parents), 4))
    still[..., 0] = 1.0
    rotations = np.concatenate([walk.rotations, still], axis=1)
    return walk.with_(skeleton=wider, rotations=rotations, rig=walk.rig)


def by_hand(motion: Motion) -> list[Bools]:
    """Which frames break each of the rules above, in NumPy."""
    positions, orientations = motion.world()
    channels = motion.channels()
    rig = motion.rig
    left, right = rig["left_foot"], rig["right_foot"]
    cup = positions[:, rig["right_hand"]] + rotate(orientations[:, rig["right_hand"]], (0.0, -0.19, 0.0))
    apart = np.linalg.norm(positions[:, left] - positions[:, right], axis=1)
    peaks = np.zeros(len(motion), bool)
    peaks[argrelextrema(apart, np.greater)[0]] = True
    turned = np.degrees(2 * np.arctan2(orientations[:, left, 2], orientations[:, left, 0]))
    turned = (turned + 180) % 360 - 180
    hands = np.linalg.norm(positions[:, rig["left_hand"]] - positions[:, rig["right_hand"]], axis=1)
    toes, others = positions[:, rig["left_toes"], 1], positions[:, rig["right_toes"], 1]
    return [
        toes < 0.005,
        others < 0.005,
        channels["LeftLeg.x"] > 60,
        channels["RightLeg.x"] > 60,
        channels["LeftUpLeg.x"] > channels["RightUpLeg.x"] + 40,
        cup[:, 2] > positions[:, rig["head"], 2] + 0.1,
        hands < 0.5,
        (positions[:, left, 1] >= 0.12) & (others > 0.03),
        peaks & (turned > 5),
        np.abs(positions[:, left, 1] - positions[0, left, 1]) > 0.05,
    ]


def run(rounds: int) -> list[Row]:
    """The table's lines; first that both find the same frames."""
    motion = long_walk()
    rules = parse_rules(TEXT)
    for reading, wanted in zip(measure(motion, rules), by_hand(motion), strict=True):
        broken = reading.broken & reading.checked
        differ = int(np.count_nonzero(broken != wanted))
        if differ:
            raise SystemExit(f"{reading.resolved.where}: {differ} frames differ")
    seconds = samples(
        {
            "text": lambda: find_violations(motion, TEXT),
            "models": lambda: find_violations(motion, rules),
            "numpy": lambda: by_hand(motion),
        },
        rounds=rounds,
    )
    note = (
        f"{FRAMES} frames, {len(motion.channels())} channels, {len(find_violations(motion, rules))} stretches"
    )
    return [
        compare(
            task, unit="take", rival="NumPy by hand, all channels", ours=seconds[ours],
            theirs=seconds["numpy"], note=note,
        )
        for task, ours in (("10 rules as models", "models"), ("10 rules as text", "text"))
    ]  # fmt: skip
