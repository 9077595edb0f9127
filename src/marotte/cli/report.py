"""marotte report"""

from __future__ import annotations

import math
from pathlib import Path

import click

from ._console import print_json, print_table
from ._formats import Reading, reading_options
from ._takes import A_FILE


@click.command()
@click.argument("before", metavar="TAKE", type=A_FILE)
@click.argument("after", metavar="[AFTER]", type=A_FILE, required=False)
@click.option("--scene", metavar="FILE", type=A_FILE, help="Ground to measure against; level if left out.")
@reading_options
@click.option("--json", is_flag=True, help="Print for a script.")
def report(before: Path, after: Path | None, scene: Path | None, reading: Reading, json: bool) -> None:
    """Measure a take, or two side by side: skate, penetration, jerk, bones, limits, pose change.

    Example: marotte report walk.bvh clean.bvh
    """
    from ..formats import load_scene
    from ..quality import report as measured

    ground = None if scene is None else load_scene(scene)
    reading.check([p for p in (before, after) if p is not None])
    first = reading.load(before)
    second = None if after is None else reading.load(after)
    result = (
        measured(after=first, scene=ground)
        if second is None
        else measured(before=first, after=second, scene=ground)
    )
    if json:
        print_json(result.to_dict())
        return

    def cell(value: float | None) -> str:
        return "" if value is None else "–" if math.isnan(value) else f"{value:.4g}"

    rows = [[r.measure.meaning, cell(r.before), cell(r.after), r.measure.unit] for r in result.rows]
    if second is None:
        print_table(
            ["measure", "value", "unit"], [[r[0], r[2], r[3]] for r in rows if r[2] != "–"], right=(1,)
        )
    else:
        print_table(["measure", "before", "after", "unit"], rows, right=(1, 2))
