"""marotte bench: figures that papers give, beside ours, worked out here and now."""

from __future__ import annotations

import sys
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from ..fitting import studies
from ._console import print_json


@click.group()
def bench() -> None:
    """Work out figures on this machine."""


@bench.command()
@click.option("--seed", default=0, show_default=True, help="Other rough ground.")
@click.option("--json", is_flag=True, help="Print for a script.")
def papers(seed: int, json: bool) -> None:
    """Table 1 of Lee and Shin (1999), rebuilt with built-in takes, beside the paper's own.

    Their takes were captured and their processor ran at 195 MHz: errors compare, seconds only tell
    how times have changed.
    """
    outcomes = []
    for name in studies.STUDIES:
        studies.run(name, seed=seed)  # so that no figure holds the compiler's time
        outcomes.append(studies.run(name, seed=seed))
        outcomes.append(studies.run(name, exact=True, seed=seed))
        studies.run(name, solver="spacetime", seed=seed)
        outcomes.append(studies.run(name, solver="spacetime", seed=seed))
    if json:
        print_json([_plain(outcome) for outcome in outcomes])
        return
    table = Table(box=None, pad_edge=False)
    for column in ("study", "", "errors, % of height", "frames", "parameters", "constraints", "ms", "jerk"):
        left = column in ("study", "", "errors, % of height")
        table.add_column(column, justify="left" if left else "right", no_wrap=True)
    shown = set()
    for outcome in outcomes:
        report, paper = outcome.done.report, outcome.study.paper
        if outcome.name not in shown:
            shown.add(outcome.name)
            table.add_row(
                outcome.name, "LS99", " ".join(f"{e:.2f}" for e in paper.errors), str(paper.frames),
                f"{paper.parameters} ({paper.reduced})", f"{paper.constraints:,}",
                f"{1000 * sum(paper.seconds):,.0f}", "",
            )  # fmt: skip
        table.add_row(
            "", _how(outcome), " ".join(f"{level.worst:.2f}" for level in report.levels),
            str(report.frames), str(report.parameters), f"{report.constraints:,}",
            f"{1000 * outcome.seconds:,.0f}", f"x{outcome.jerk:.2f}",
        )  # fmt: skip
    Console(width=110 if not sys.stdout.isatty() else None).print(table)


def _how(outcome: studies.Outcome) -> str:
    return outcome.solver + (", exact" if outcome.exact else "")


def _plain(outcome: studies.Outcome) -> dict[str, Any]:
    report, paper = outcome.done.report, outcome.study.paper
    return {
        "study": outcome.name,
        "how": _how(outcome),
        "frames": report.frames,
        "parameters": report.parameters,
        "constraints": report.constraints,
        "errors_percent": [level.worst for level in report.levels],
        "seconds": outcome.seconds,
        "jerk_ratio": outcome.jerk,
        "paper": {
            "frames": paper.frames,
            "parameters": paper.parameters,
            "constraints": paper.constraints,
            "errors_percent": list(paper.errors),
            "seconds": sum(paper.seconds),
        },
    }
