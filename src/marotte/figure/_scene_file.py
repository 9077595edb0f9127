"""Scene files: YAML to shapes, with the line of every mistake."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from .._yaml import Marked, Place, read_yaml
from ..errors import FileError, InputError, UnknownNameError
from .moving import Moving
from .rotations import from_euler

VERSION = 1
_SIZES = {"origin": 2, "normal": 3, "center": 3, "size": 3, "rotation": 3, "start": 3, "end": 3,
          "position": 3, "facing": 3}  # fmt: skip
_TOP = ("marotte_scene", "objects", "influence", "approach")


def read_scene(
    path: Path, kinds: Mapping[str, tuple[type[Any], dict[str, str]]], takes: Any = None
) -> tuple[dict[str, Any], dict[str, Any], float]:
    """Objects by name, influence distances and approach time of a scene file."""
    marked = read_yaml(path)
    top = marked.value
    if not isinstance(top, dict) or top.get("marotte_scene") != VERSION:
        _fail(marked, (), f"a scene must begin with 'marotte_scene: {VERSION}'")
    for key in top:
        if key not in _TOP:
            _fail(marked, (key,), str(UnknownNameError("field", str(key), _TOP)))
    entries = top.get("objects", [])
    if not isinstance(entries, list):
        _fail(marked, ("objects",), "objects must be a list")
    objects: dict[str, Any] = {}
    for i, entry in enumerate(entries):
        place: Place = ("objects", i)
        if not isinstance(entry, dict):
            _fail(marked, place, "an object must be a map such as {name: floor, plane: {height: 0}}")
        words = [str(k) for k in entry if k not in ("name", "follows", "path")]
        if len(words) != 1 or words[0] not in kinds:
            near = str(UnknownNameError("kind of object", words[0], kinds)) if words else "it has none"
            _fail(marked, place, f"an object must have a name and one kind ({', '.join(kinds)}): {near}")
        word = words[0]
        name = str(entry.get("name", f"{word}_{i}"))
        if name in objects:
            _fail(marked, place, f"names of objects must differ, but {name!r} stands twice")
        objects[name] = _shape(marked, (*place, word), word, entry[word], *kinds[word])
        if "follows" in entry and "path" in entry:
            _fail(marked, place, "an object either follows a take or has a path, not both")
        if "follows" in entry:
            objects[name] = _following(marked, (*place, "follows"), entry["follows"], objects[name], takes)
        if "path" in entry:
            objects[name] = _on_path(marked, (*place, "path"), entry["path"], objects[name])
    influence = top.get("influence", {})
    if not isinstance(influence, dict):
        _fail(marked, ("influence",), "influence must be a map of distances in metres")
    approach = top.get("approach", 0.15)
    if not isinstance(approach, (int, float)) or isinstance(approach, bool) or approach < 0:
        _fail(marked, ("approach",), f"approach must be a time in seconds, but is {approach!r}")
    return objects, influence, float(approach)


def _shape(
    marked: Marked, place: Place, word: str, value: Any, kind: type[Any], renamed: dict[str, str]
) -> Any:
    if not isinstance(value, dict):
        _fail(marked, place, f"{word} must be a map of its measures")
    known = {f.name for f in fields(kind)}
    written = {b: a for a, b in renamed.items()}
    taken: dict[str, Any] = {}
    for key, given in value.items():
        field = renamed.get(key, key)
        if field not in known or key in written:
            names = [written.get(k, k) for k in sorted(known)]
            _fail(marked, (*place, str(key)), str(UnknownNameError(f"measure of {word}", str(key), names)))
        taken[field] = _number(marked, (*place, str(key)), field, given)
    try:
        return kind(**taken)
    except (InputError, TypeError) as problem:
        if isinstance(problem, TypeError):
            missing = [written.get(f.name, f.name) for f in fields(kind) if f.name not in taken]
            _fail(marked, place, f"{word} needs also: {', '.join(missing)}")
        _fail(marked, place, str(problem))


def _following(marked: Marked, place: Place, value: Any, shape: Any, takes: Any) -> Any:
    """A shape that hangs on a point of a take: {take: drink.npz, point: cup}."""
    if not isinstance(value, dict) or set(value) != {"take", "point"}:
        _fail(marked, place, "follows must name a take and a point: {take: drink.npz, point: cup}")
    if takes is None:
        _fail(marked, place, "this scene follows takes; read it with marotte.formats.load_scene")
    try:
        return Moving.following(shape, takes(marked.path.parent / str(value["take"])), value["point"])
    except (InputError, UnknownNameError) as problem:
        _fail(marked, place, str(problem))


def _on_path(marked: Marked, place: Place, value: Any, shape: Any) -> Any:
    """A shape with places, and turns where it has any: {rate: 30, places: [...], rotations: [...]}."""
    known = ("rate", "places", "rotations")
    if not isinstance(value, dict) or not {"rate", "places"} <= set(value):
        _fail(marked, place, "path must have a rate and places, as in {rate: 30, places: [[0, 1, 0]]}")
    for key in value:
        if key not in known:
            _fail(marked, (*place, str(key)), str(UnknownNameError("field of a path", str(key), known)))
    rate = _number(marked, (*place, "rate"), "rate", value["rate"])
    places = _number(marked, (*place, "places"), "grid", value["places"])
    degrees = _number(marked, (*place, "rotations"), "grid", value.get("rotations", np.zeros_like(places)))
    if places.ndim != 2 or places.shape[1] != 3 or degrees.shape != places.shape:
        _fail(marked, place, "places and rotations must be lists of three numbers each, equally many")
    try:
        return Moving(shape, places, from_euler(np.radians(degrees), "XYZ"), rate)
    except InputError as problem:
        _fail(marked, place, str(problem))


def _number(marked: Marked, place: Place, field: str, given: Any) -> Any:
    if field == "surface":
        if given not in ("linear", "nurbs"):
            _fail(marked, place, f"surface must be linear or nurbs, but is {given!r}")
        return given
    try:
        array = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        _fail(marked, place, f"{place[-1]} must be made of numbers, but is {given!r}")
    if not np.isfinite(array).all():
        _fail(marked, place, f"{place[-1]} must be finite, but is {given!r}")
    if field == "grid":
        return array
    size = _SIZES.get(field)
    if array.shape != (() if size is None else (size,)):
        wanted = "one number" if size is None else f"{size} numbers"
        _fail(marked, place, f"{place[-1]} must be {wanted}, but is {given!r}")
    return float(array) if size is None else tuple(float(v) for v in array)


def _fail(marked: Marked, place: Place, message: str) -> Any:
    raise FileError(message, path=marked.path, line=marked.line(place))
