"""Ten rules mended in a take of 3,000 frames: found, solved for, faded, looked at again.

The rival is what the thesis decided against (L97 5.3) and what per-frame scripts do: a solver at every
frame that breaks a rule, with nothing to smooth between them. It starts from the same measurements
and knows the bounds already.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench._measure import Row, compare, samples
from bench.bench_constraints import long_walk
from marotte.constraints import constrain, find_violations, measure, parse_rules
from marotte.edits import Equalize
from marotte.figure.signals import path
from marotte.kinematics import Position, solve

NAME = "Ten rules mended in 3,000 frames"
SOLES = [f"{side}_{part}" for side in ("left", "right") for part in ("heel", "ball", "tip")]
TEXT = "\n".join(
    [f"{point}.y >= 0" for point in SOLES]
    + ["left_knee.x <= 75 deg", "right_knee.x <= 75 deg", "left_hand.y <= 1.2", "right_hand.y <= 1.2"]
)


def run(rounds: int) -> list[Row]:
    take = Equalize(gains={"low": 0.8, "middle": 1.2}).apply(long_walk())
    rules = parse_rules(TEXT)
    broken = len(find_violations(take, rules))
    made = constrain(take, rules)
    if not made.met:
        raise SystemExit(f"rules are left: {made.in_words()}")
    feet = {"left": "left_toes", "right": "right_toes"}

    def frame_by_frame() -> Any:
        readings = measure(take, rules)
        motion = take
        for side, toes in feet.items():
            bad = np.flatnonzero(
                np.any([r.broken for r in readings if r.resolved.where.startswith(side)], axis=0)
            )
            some = motion.with_(root=motion.root[bad], rotations=motion.rotations[bad], contacts=None)
            goal = path(some, toes) + np.array([0.0, 0.01, 0.0])
            solve(some, [Position(point=toes, to=goal)], root_moves=False, threads=1)
        return motion

    found = samples(
        {"ours": lambda: constrain(take, rules), "frames": frame_by_frame}, rounds=rounds, units=1
    )
    return [
        compare(
            "ten rules mended", unit="take", rival="a solver at every broken frame, unsmoothed",
            ours=found["ours"], theirs=found["frames"],
            note=f"{broken} stretches, {made.poses} poses, {int(made.touched.sum())} frames touched",
        )
    ]  # fmt: skip
