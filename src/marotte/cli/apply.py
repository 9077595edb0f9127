"""marotte apply"""

from __future__ import annotations

from pathlib import Path

import click

from ._takes import A_FILE, inputs_argument, output_option, run, strict_option, unit_option


@click.command()
@click.argument("recipe", metavar="RECIPE", type=A_FILE)
@inputs_argument
@output_option
@unit_option
@strict_option
def apply(recipe: Path, inputs: tuple[Path, ...], output: Path, unit: str | None, strict: bool) -> None:
    """Apply a recipe, a list of edits, to takes (files, or folders of them).

    Example: marotte apply clean.yaml walk.bvh -o clean.bvh
    """
    from ..recipe import Recipe

    run(inputs, output, Recipe.load(recipe).apply, unit=unit, strict=strict)
