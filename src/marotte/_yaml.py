"""YAML whose mistakes can be pointed at: values together with the lines they stand on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from .errors import FileError

LARGEST_FILE = 16 * 2**20  # bytes; far beyond any recipe or scene that a person wrote
Key = str | int
Place = tuple[Key, ...]


@dataclass(slots=True)
class Marked:
    """A parsed document: plain values, and the line of each of them by its place in the tree."""

    path: Path
    value: Any
    lines: dict[Place, int] = field(default_factory=dict)

    def line(self, place: Place) -> int | None:
        """The line (from 1) of a place or of the nearest thing around it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place)


def read_yaml(path: str | Path, error: type[FileError] = FileError) -> Marked:
    """Parse a file of plain values; anything else raises `error` with its line and column."""
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise error(f"must be smaller than {LARGEST_FILE // 2**20} MB", path=path)
        text = path.read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise error(f"cannot be read: {problem.strerror or problem}", path=path) from None
    except UnicodeDecodeError as problem:
        raise error(f"must be UTF-8 text, but byte {problem.start} is not", path=path) from None
    return parse_yaml(text, path, error)


def parse_yaml(text: str, path: str | Path, error: type[FileError] = FileError) -> Marked:
    """As read_yaml, of a text that is at hand."""
    loader: _Loader | None = None
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        marked = Marked(Path(path), None)
        if node is not None:
            for place, line in _walk(node, (), set()):
                marked.lines.setdefault(place, line)
            marked.value = loader.construct_document(node)
        return marked
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        what = " ".join(part for part in (problem.context, problem.problem) if part)
        raise error(
            f"is not valid YAML: {what}",
            path=path,
            line=mark.line + 1 if mark else None,
            column=mark.column + 1 if mark else None,
        ) from None
    except yaml.YAMLError as problem:
        raise error(f"is not valid YAML: {problem}", path=path) from None
    except RecursionError:
        raise error("is nested too deeply", path=path) from None
    finally:
        if loader is not None:
            loader.dispose()


class _Loader(yaml.SafeLoader):
    """Safe values only; a key that stands twice is a mistake, not a silent loss."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, (str, int, float)) and key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"key {key!r} stands twice", key_node.start_mark
                )
            if isinstance(key, (str, int, float)):
                seen.add(key)
        return super().construct_mapping(node, deep)


def _walk(node: yaml.Node, place: Place, above: set[int]) -> Iterator[tuple[Place, int]]:
    if id(node) in above:
        raise yaml.constructor.ConstructorError(None, None, "an alias holds itself", node.start_mark)
    yield place, node.start_mark.line + 1
    below = above | {id(node)}
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            name = key.value if isinstance(key.value, str) else str(key.value)
            here = (*place, name)
            yield here, key.start_mark.line + 1
            yield from _walk(value, here, below)
    elif isinstance(node, yaml.SequenceNode):
        for i, value in enumerate(node.value):
            yield from _walk(value, (*place, i), below)
