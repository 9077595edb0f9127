"""marotte shapes: the shaping functions of waveshape, and a person's own among them."""

from __future__ import annotations

from typing import Any

import click
import numpy as np
import yaml

from ..errors import InputError, MarotteError
from ._console import print_json, print_table, say


@click.group(invoke_without_command=True, subcommand_metavar="[add NAME POINTS | remove NAME]")
@click.option("--json", is_flag=True, help="List them for a script, with their points.")
@click.pass_context
def shapes(context: click.Context, json: bool) -> None:
    """List the shapes that `marotte edit waveshape` knows by name, keep one of your own, forget it.

    Example: marotte shapes add warm "[[-1, -1], [0, 0.3], [1, 1]]"
    """
    if context.invoked_subcommand is not None:
        return
    from ..signals import SHAPES, shape_folder, shape_names

    found = [(name, _read(name)) for name in shape_names()]
    if json:
        print_json([_listed(name, shape, name not in SHAPES) for name, shape in found])
        return
    rows = [[name, shape if isinstance(shape, str) else shape.about] for name, shape in found]
    print_table(["shape", "what it does"], rows)
    print(f"\nyour own are kept in {shape_folder()}")


@shapes.command()
@click.argument("name")
@click.argument("points")
@click.option("--interpolation", default="kochanek", metavar="NAME",
              help="kochanek, cubic, monotone, linear or steps (default: kochanek).")  # fmt: skip
@click.option("--tension", type=float, default=0.0, help="Of kochanek at every point, -1 to 1.")
@click.option("--continuity", type=float, default=0.0, help="Of kochanek at every point, -1 to 1.")
@click.option("--bias", type=float, default=0.0, help="Of kochanek at every point, -1 to 1.")
@click.option("--about", default="", help="What it does, for people.")
@click.option("--replace", is_flag=True, help="Replace a shape of yours that has the name.")
def add(name: str, points: str, interpolation: Any, about: str, replace: bool, **bends: float) -> None:
    """Keep a shape under NAME: POINTS are pairs [x, y], x from -1 to 1."""
    from ..signals import Shape, add_shape

    try:
        listed = yaml.safe_load(points)
    except yaml.YAMLError:
        raise InputError(f"points cannot be read: {points!r}; write [[-1, -1], [0, 0.3], [1, 1]]") from None
    path = add_shape(name, Shape(listed, interpolation, about=about, **bends), replace=replace)
    say(f"shape saved to {path}")


@shapes.command()
@click.argument("name")
def remove(name: str) -> None:
    """Forget the shape of yours that is called NAME."""
    from ..signals import remove_shape

    remove_shape(name)
    say(f"shape {name} is gone")


def _listed(name: str, shape: Any, own: bool) -> dict[str, Any]:
    """What a script is told of a shape."""
    if isinstance(shape, str):
        return {"name": name, "own": own, "error": shape}
    return {"name": name, "own": own, "about": shape.about, "points": np.asarray(shape.points).tolist()}


def _read(name: str) -> Any:
    """A shape, or what is wrong with its file: one that cannot be read hides no other."""
    from ..signals import shape_of

    try:
        return shape_of(name)
    except MarotteError as problem:
        return str(problem)
