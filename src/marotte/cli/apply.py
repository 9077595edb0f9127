"""marotte apply"""

from __future__ import annotations

from pathlib import Path

import click

from ._formats import Reading, Writing, reading_options, writing_options
from ._takes import A_FILE, inputs_argument, output_option, run


@click.command()
@click.argument("recipe", metavar="RECIPE", type=A_FILE)
@inputs_argument
@output_option
@reading_options
@writing_options
def apply(recipe: Path, inputs: tuple[Path, ...], output: Path, reading: Reading, writing: Writing) -> None:
    """Apply a recipe, a list of edits, to takes (files, or folders of them).

    Example: marotte apply clean.yaml walk.bvh -o clean.bvh
    """
    from ..recipe import Recipe

    run(inputs, output, Recipe.load(recipe).apply, reading=reading, writing=writing)
