"""marotte retarget"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..edits.retarget import Retarget
from ._formats import Reading, Writing, reading_options, writing_options
from ._models import options_of, values
from ._takes import inputs_argument, output_option, run


@click.command()
@inputs_argument
@output_option
@reading_options
@writing_options
def retarget(
    inputs: tuple[Path, ...], output: Path, reading: Reading, writing: Writing, **given: Any
) -> None:
    """Put takes onto another figure: files, or folders of them.

    Example: marotte retarget walk.bvh --to sally -o sally.bvh
    """
    chosen = Retarget(**values(Retarget, given))
    run(inputs, output, chosen.apply, reading=reading, writing=writing)


retarget.params[2:2] = options_of(Retarget)
