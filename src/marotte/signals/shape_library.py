"""The library of shapes: those that are always there, and those that a person added.

A person's own are files in the user's data folder, one each:

    marotte_shape: 1
    about: a hesitant reach
    points: [[-1, -1], [0.2, 0.4], [0.3, 0.1], [1, 1]]
    interpolation: kochanek
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from .._files import atomic_write_text
from .._yaml import read_yaml
from ..errors import FileError, InputError, UnknownNameError
from .named_shapes import SHAPES
from .shapes import Shape, ShapeLike

VERSION = 1
EXTENSION = ".shape.yaml"
_FIELDS = ("marotte_shape", "about", "points", "interpolation", "tension", "continuity", "bias")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def shape_folder() -> Path:
    """Where a person's own shapes are kept."""
    import platformdirs

    base = os.environ.get("MAROTTE_DATA_DIR") or platformdirs.user_data_dir("marotte", False)
    return Path(base) / "shapes"


def shape_names() -> tuple[str, ...]:
    """Every shape there is: those that are always there, then a person's own by name."""
    return (*SHAPES, *sorted(_own()))


def shape_of(given: ShapeLike) -> Shape:
    """A shape from its name, its points, or itself."""
    if isinstance(given, Shape):
        return given
    if not isinstance(given, str):
        return Shape(given)
    if given in SHAPES:
        return SHAPES[given]
    own = _own()
    if given not in own:
        raise UnknownNameError("shape", given, (*SHAPES, *own))
    return read_shape(own[given])


def add_shape(name: str, shape: ShapeLike, *, replace: bool = False) -> Path:
    """Keep a shape under a name, for all takes to come; says where it is kept."""
    if not _NAME.fullmatch(name):
        raise InputError(
            f"a shape's name must begin with a letter and hold letters, digits, _ and - only, but is {name!r}"
        )
    if name in SHAPES:
        raise InputError(f"{name!r} is a shape that is always there; choose another name")
    if name in _own() and not replace:
        raise InputError(f"there is a shape {name!r} already; choose another name, or replace it")
    made = shape_of(shape)
    folder = shape_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FileError(f"cannot be made: {problem.strerror or problem}", path=folder) from None
    path = folder / (name + EXTENSION)
    atomic_write_text(path, _written(made))
    return path


def remove_shape(name: str) -> None:
    """Forget a person's own shape."""
    if name in SHAPES:
        raise InputError(f"{name!r} is a shape that is always there; it cannot be removed")
    own = _own()
    if name not in own:
        raise UnknownNameError("shape of your own", name, own)
    try:
        own[name].unlink()
    except OSError as problem:
        raise FileError(f"cannot be removed: {problem.strerror or problem}", path=own[name]) from None


def read_shape(path: str | Path) -> Shape:
    """A shape from its file."""
    marked = read_yaml(path)
    document = marked.value
    if not isinstance(document, dict) or document.get("marotte_shape") != VERSION:
        raise FileError(f"must be a map that begins with marotte_shape: {VERSION}", path=path, line=1)
    for key in document:
        if key not in _FIELDS:
            raise FileError(
                str(UnknownNameError("field", str(key), _FIELDS)), path=path, line=marked.line((str(key),))
            )
    fields: dict[str, Any] = {k: v for k, v in document.items() if k != "marotte_shape"}
    for name in ("tension", "continuity", "bias"):
        if name in fields and (isinstance(fields[name], bool) or not isinstance(fields[name], (int, float))):
            raise FileError(
                f"{name} must be a number, but is {fields[name]!r}", path=path, line=marked.line((name,))
            )
    fields["about"] = str(fields.get("about") or "")
    fields["interpolation"] = str(fields.get("interpolation", "kochanek"))
    try:
        return Shape(**{"points": None, **fields})
    except InputError as problem:
        raise FileError(str(problem), path=path, line=marked.line(("points",))) from None


def _written(shape: Shape) -> str:
    document: dict[str, Any] = {"marotte_shape": VERSION}
    if shape.about:
        document["about"] = shape.about
    document["points"] = np.asarray(shape.points).tolist()
    document["interpolation"] = shape.interpolation
    document.update(
        {n: getattr(shape, n) for n in ("tension", "continuity", "bias") if getattr(shape, n) != 0.0}
    )
    return str(yaml.safe_dump(document, sort_keys=False, allow_unicode=True, default_flow_style=None))


def _own() -> dict[str, Path]:
    """A person's own shapes by name."""
    folder = shape_folder()
    if not folder.is_dir():
        return {}
    found = {path.name.removesuffix(EXTENSION): path for path in sorted(folder.glob(f"*{EXTENSION}"))}
    return {name: path for name, path in found.items() if name not in SHAPES and _NAME.fullmatch(name)}
