"""Holding feet and walking on terrain: whole takes, closed form against fitting all frames together.

The terrain row of LS99's table 1: 464 frames at 30 Hz, both feet constrained at all frames. The rival is
our own `fit` with the same goals: the hierarchy of four levels, and all frames at once. We first show
that planted feet are where they should be: to a tenth of a millimetre for ours.
"""

from __future__ import annotations

import runpy
from pathlib import Path

from bench._measure import Row, compare, samples
from marotte.fitting import fit, lock_feet, terrain, terrain_goals
from marotte.quality import jerk

NAME = "Feet: held, and on rough ground"

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def run(rounds: int) -> list[Row]:
    given = runpy.run_path(str(EXAMPLES / "01_rough_terrain.py"))
    walk = given["walk"]()
    scene = given["ground"](walk.skeleton.height)
    done = terrain(walk, scene, doorways=False)
    if done.worst > 1e-4 or done.unmet:
        raise SystemExit(f"planted feet are {1000 * done.worst:.2f} mm off")
    goals = terrain_goals(walk, scene)
    errors = {s: fit(walk, goals, solver=s) for s in ("hierarchy", "spacetime")}
    found = samples(
        {
            "terrain": lambda: terrain(walk, scene, doorways=False),
            "hierarchy": lambda: fit(walk, terrain_goals(walk, scene), solver="hierarchy"),
            "spacetime": lambda: fit(walk, terrain_goals(walk, scene), solver="spacetime"),
            "held": lambda: lock_feet(walk),
        },
        rounds=rounds,
    )
    before = jerk(walk).rms
    rows: list[Row] = []
    for solver, fitted in errors.items():
        note = (
            f"off by {100 * done.worst / walk.skeleton.height:.4f} % and {fitted.report.worst:.2f} % of the "
            f"height, jerk x{jerk(done.motion).rms / before:.2f} and x{jerk(fitted.motion).rms / before:.2f}"
        )
        rows.append(
            compare(
                "464 frames of walking on rough ground, 5,568 constraints", unit="take",
                rival=f"fit, {solver}", ours=found["terrain"], theirs=found[solver], note=note,
            )
        )  # fmt: skip
    rows.append(
        compare("464 frames, feet held where they are", unit="take", rival="terrain, as above",
                ours=found["held"], theirs=found["terrain"])
    )  # fmt: skip
    return rows
