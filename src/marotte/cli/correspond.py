"""marotte correspond"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import yaml

from ..errors import InputError
from ._console import print_json
from ._formats import Reading, reading_options
from ._takes import A_FILE


@click.command()
@click.argument("take", metavar="TAKE", type=A_FILE)
@click.argument("to", metavar="TO", type=A_FILE)
@click.option(
    "--key",
    metavar="TEXT",
    default="body",
    help="What the takes are matched by, as in `edit timewarp`; PART=KEY,… for parts. (default: body)",
)
@click.option(
    "--pin",
    "pins",
    metavar="A=B",
    multiple=True,
    help="Let frame A of the take meet frame B of the other; may be given several times.",
)
@click.option("--slope", metavar="TIMES", type=int, help="Times faster or slower time may run; 0: any.")
@click.option("--window", metavar="SECONDS", type=float, help="How far apart the takes may drift.")
@click.option(
    "--output", "-o", metavar="FILE", type=A_FILE, help="Save it, for `marotte edit timewarp --path`."
)
@reading_options
@click.option("--json", is_flag=True, help="Print for a script.")
def correspond(
    take: Path,
    to: Path,
    key: str,
    pins: tuple[str, ...],
    slope: int | None,
    window: float | None,
    output: Path | None,
    reading: Reading,
    json: bool,
) -> None:
    """Find which moments of two takes belong together, show it, and save it to be used again.

    Example: marotte correspond walk.bvh march.bvh --key left_lower_leg --pin 30=42 -o pace.yaml
    """
    from ..signals import correspond as found_by
    from ..signals import save_correspondences

    reading.check([take, to])
    found = found_by(
        reading.load(take),
        reading.load(to),
        key=_key(key),
        slope=slope,
        window=window,
        pins=[_pin(text) for text in pins],
    )
    if output is not None:
        save_correspondences(found, output)
    parts = found if isinstance(found, dict) else {"": found}
    if json:
        shown: dict[str, Any] = {
            part: {**one.plain(), "times": one.times().round(6).tolist()} for part, one in parts.items()
        }
        print_json(shown if isinstance(found, dict) else shown[""])
        return
    for part, one in parts.items():
        if part:
            print(part)
        print(one.text())


def _key(text: str) -> str | dict[str, str]:
    parts = [part.strip() for part in text.split(",")]
    if all("=" in part for part in parts):
        return {p.partition("=")[0].strip(): p.partition("=")[2].strip() for p in parts}
    return text


def _pin(text: str) -> tuple[float, float]:
    first, _, second = text.partition("=")
    try:
        a, b = yaml.safe_load(first), yaml.safe_load(second)
    except yaml.YAMLError:
        a = b = None
    if not all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (a, b)):
        raise InputError(f"--pin must be two frames, such as 30=42, but is {text!r}")
    return float(a), float(b)
