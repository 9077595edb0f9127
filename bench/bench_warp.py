"""Dynamic timewarping: the cheapest path through all pairs of frames of two takes, from their signals.

One thread each. First everybody searches with one and the same cost, the squared distance of the values,
and must find paths that cost the same. Then we are timed with our own cost, which is more work: BW95's
stretching and bending with the check of extremes, in two ways: without limits, as the others search, and
as `marotte edit timewarp` does, time running at a third to three times its speed. Peers do what they do:
tslearn's dtw_path, librosa's dtw with backtracking, and for one channel dtaidistance's
warping_path_fast, written in C.
"""

from __future__ import annotations

from collections.abc import Callable

import librosa
import numpy as np
from dtaidistance import dtw
from numpy.typing import NDArray
from tslearn.metrics import dtw_path

from bench._measure import Row, compare, samples
from marotte.signals.dynamic import Limits, Weights, best_path, curves, path_cost

NAME = "Timewarp: the whole path, one thread"

SIZES = ((3000, 1), (1000, 60), (3000, 60))  # frames of both takes, channels
AGREEMENT = 1e-9  # of the costs, relatively

Floats = NDArray[np.float64]


def takes(frames: int, channels: int) -> tuple[Floats, Floats]:
    """The same movement twice, at paces that change, with some noise; the same at every run."""
    generator = np.random.default_rng(19)
    speeds, phases = generator.uniform(0.5, 3.0, channels), generator.uniform(0.0, 6.0, channels)
    t = np.linspace(0.0, frames / 120.0, frames)
    made = []
    for bend in (0.0, 0.4):
        time = (t + bend * np.sin(0.7 * t))[:, None]
        values = np.sin(2.0 * speeds * time + phases) + 0.4 * np.sin(5.0 * speeds * time + 2.0 * phases)
        made.append(values + 0.01 * generator.normal(size=values.shape))
    return made[0], made[1]


def ours(a: Floats, b: Floats, limits: Limits) -> Callable[[], object]:
    return lambda: best_path(*curves(a, b), limits)


def squared(a: Floats, b: Floats, path: list[tuple[int, int]]) -> float:
    """What a path costs, when only values count."""
    i, j = np.array(path).T
    return float(((a[i] - b[j]) ** 2).sum())


def peers(a: Floats, b: Floats) -> dict[str, Callable[[], list[tuple[int, int]]]]:
    """How each finds its path; values as we scale them."""
    left, right = np.ascontiguousarray(a.T), np.ascontiguousarray(b.T)
    found: dict[str, Callable[[], list[tuple[int, int]]]] = {
        "tslearn.metrics.dtw_path": lambda: list(dtw_path(a, b)[0]),
        "librosa.sequence.dtw": lambda: list(librosa.sequence.dtw(left, right, metric="sqeuclidean")[1]),
    }
    if len(left) == 1:
        found["dtaidistance, C"] = lambda: list(dtw.warping_path_fast(left[0], right[0]))
    return found


def check(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The values as everybody gets them, once all have found paths of one cost."""
    left, right = curves(a, b, Weights(stretching=0.0, bending=0.0, value=1.0))
    wanted = path_cost(left, right, best_path(left, right))
    for name, find in peers(left.values, right.values).items():
        got = squared(left.values, right.values, find())
        if abs(got / wanted - 1.0) > AGREEMENT:
            raise SystemExit(
                f"{name} finds a path of cost {got:.9g}, ours costs {wanted:.9g}: different work"
            )
    return left.values, right.values


def run(rounds: int) -> list[Row]:
    rows: list[Row] = []
    for frames, channels in SIZES:
        a, b = check(*takes(frames, channels))
        rivals = peers(a, b)
        found = samples(
            {"any pace": ours(a, b, Limits()), "1/3 to 3": ours(a, b, Limits(most=2)), **rivals},
            rounds=rounds,
        )
        what = f"{frames:,} x {frames:,} frames, {channels} channel{'s' if channels > 1 else ''}"
        for rival in rivals:
            for kind in ("any pace", "1/3 to 3"):
                rows.append(
                    compare(
                        f"{what}, {kind}", unit="path", rival=rival, ours=found[kind], theirs=found[rival]
                    )
                )
    return rows
