"""marotte convert"""

from __future__ import annotations

from pathlib import Path

import click

from ..figure import Motion, resample
from ._formats import Reading, Writing, reading_options, writing_options
from ._takes import A_FILE, run


@click.command()
@click.argument("source", metavar="IN", type=A_FILE)
@click.argument("output", metavar="OUT", type=A_FILE)
@click.option("--rate", metavar="HZ", type=float, help="Write at this frame rate instead.")
@click.option("--to", metavar="EXTENSION", help="Format to write when OUT is a folder, such as bvh.")
@reading_options
@writing_options
def convert(
    source: Path, output: Path, rate: float | None, to: str | None, reading: Reading, writing: Writing
) -> None:
    """Read any supported file and write another, by extension; IN may be a folder, then OUT is one.

    Example: marotte convert walk.bvh walk30.bvh --rate 30
    """

    def work(motion: Motion) -> Motion:
        return motion if rate is None else resample(motion, rate)

    suffix = None if to is None else "." + to.lstrip(".").lower()
    run([source], output, work, reading=reading, writing=writing, suffix=suffix)
