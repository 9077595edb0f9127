"""The recipe: a list of edits that can be read, written, compared and applied."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import yaml

from .._files import atomic_write_text
from .._yaml import Key, Marked, Place, parse_yaml, read_yaml
from ..edits import EDITS, Edit
from ..errors import InputError, MarotteError, RecipeError, UnknownNameError
from ..figure import Motion

VERSION = 1


@dataclass(frozen=True, slots=True)
class Recipe:
    """Edits, applied one after another."""

    steps: tuple[Edit, ...] = ()

    def __init__(self, steps: Iterable[Edit] = ()) -> None:
        steps = tuple(steps)
        for step in steps:
            if not isinstance(step, Edit):
                raise InputError(f"a recipe is made of edits, but one step is {step!r}")
        object.__setattr__(self, "steps", steps)

    def apply(self, motion: Motion, *, progress: Callable[[float, str], None] | None = None) -> Motion:
        """The motion after all steps; a step that fails says which it was."""
        for i, step in enumerate(self.steps):
            if progress is not None:
                progress(i / len(self.steps), step.op)
            try:
                motion = step.apply(motion)
            except InputError as problem:
                raise InputError(f"step {i + 1} ({step.op}): {problem}") from problem
        if progress is not None:
            progress(1.0, "done")
        return motion

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a recipe file; mistakes name line and field, all of them at once.

        Files that steps name are relative to the recipe's folder.
        """
        return cls._from(read_yaml(path, RecipeError), Path(path).parent)

    @classmethod
    def parse(cls, text: str, *, path: str | Path = "recipe", folder: str | Path | None = None) -> Self:
        """A recipe from its text; `path` is what errors call it, `folder` where files that it names are."""
        return cls._from(parse_yaml(text, path, RecipeError), None if folder is None else Path(folder))

    def to_yaml(self, *, folder: str | Path | None = None) -> str:
        """The recipe as text; options at their defaults are left out, files are seen from `folder`."""
        steps: list[Any] = []
        for step in self.steps:
            options = step.changed(folder=None if folder is None else Path(folder))
            steps.append({step.op: options} if options else step.op)
        return str(
            yaml.safe_dump(
                {"marotte": VERSION, "steps": steps}, sort_keys=False, allow_unicode=True, width=100
            )
        )

    def save(self, path: str | Path) -> None:
        """Write the recipe, all at once or not at all."""
        atomic_write_text(path, self.to_yaml(folder=Path(path).parent))

    @classmethod
    def _from(cls, marked: Marked, folder: Path | None) -> Self:
        problems: list[tuple[Place, str]] = []
        steps = list(_steps(marked, folder, problems))
        if problems:
            raise _error(marked, problems)
        return cls(steps)


def _steps(marked: Marked, folder: Path | None, problems: list[tuple[Place, str]]) -> Iterable[Edit]:
    top = marked.value
    if not isinstance(top, dict) or "marotte" not in top:
        problems.append(((), f"a recipe must begin with 'marotte: {VERSION}' and list its steps"))
        return
    if top["marotte"] != VERSION:
        problems.append(
            (("marotte",), f"this version reads recipes of version {VERSION}, but it is {top['marotte']!r}")
        )
    for key in top:
        if key not in ("marotte", "steps"):
            problems.append(((key,), str(UnknownNameError("field", str(key), ("marotte", "steps")))))
    entries = top.get("steps")
    if not isinstance(entries, list):
        problems.append((("steps",), "steps must be a list, such as [crop: {start: 10}, reverse]"))
        return
    for i, entry in enumerate(entries):
        edit = _step(entry, ("steps", i), folder, problems)
        if edit is not None:
            yield edit


def _step(
    entry: Any, place: tuple[Key, ...], folder: Path | None, problems: list[tuple[Place, str]]
) -> Edit | None:
    if isinstance(entry, str):
        entry = {entry: None}
    if not isinstance(entry, dict) or len(entry) != 1:
        problems.append((place, "a step must be one edit with its options, such as crop: {start: 10}"))
        return None
    op, options = next(iter(entry.items()))
    kind = EDITS.get(op) if isinstance(op, str) else None
    if kind is None:
        problems.append(((*place, str(op)), str(UnknownNameError("edit", str(op), EDITS))))
        return None
    if options is None:
        options = {}
    if not isinstance(options, dict):
        problems.append(((*place, op), f"{op} must have a map of options, but has {options!r}"))
        return None
    try:
        edit, found = kind.read({str(k): v for k, v in options.items()}, folder=folder)
    except MarotteError as problem:
        edit, found = None, [((), str(problem))]
    problems += [((*place, op, *inner), f"{op}: {text}") for inner, text in found]
    return edit


def _error(marked: Marked, problems: list[tuple[Place, str]]) -> RecipeError:
    (place, text), *more = problems
    for other, words in more:
        line = marked.line(other)
        text += f"\n  {marked.path}{f':{line}' if line else ''}: {words}"
    return RecipeError(text, path=marked.path, line=marked.line(place))
