"""Options of files, on every command that reads or writes any: made from what formats declare.

A command gets them as `reading` and `writing`; what a file's format does not know is refused
before anything is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

import click

from .. import formats
from ..errors import InputError
from ..figure import Motion
from ..formats import Asked, Progress, Summary

_OUT = "out_"  # before the names of options of writing, so that they never meet those of reading
_UNITS = "m|cm|mm|inch|cmu|NUMBER"
_AXES = "y|z|x|-y|-z|-x"


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are to be read."""

    unit: str | None = None
    up: str | None = None
    strict: bool = False
    rig: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def check(self, paths: Sequence[Path]) -> None:
        """Refuse an option that the formats of none of these files have."""
        for name in self.options:
            option, extensions = formats.options_of("reading")[name]
            if not any(p.suffix.lower() in extensions for p in paths):
                raise InputError(f"{option.flag} is an option of {_list(extensions)} files only")

    def load(self, path: Path, progress: Progress | None = None) -> Motion:
        """The motion in a file."""
        return formats.load(
            path,
            unit=self.unit,
            up=self.up,
            strict=self.strict,
            rig=self.rig,
            progress=progress,
            **self._of(path),
        )

    def inspect(self, path: Path) -> Summary:
        """What is in a file."""
        return formats.inspect(
            path, unit=self.unit, up=self.up, strict=self.strict, rig=self.rig, **self._of(path)
        )

    def _of(self, path: Path) -> dict[str, Any]:
        return _known(self.options, "reading", path)


@dataclass(frozen=True, slots=True)
class Writing:
    """How files are to be written."""

    unit: str | None = None
    up: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def check(self, paths: Sequence[Path]) -> None:
        """Refuse an option that the formats of none of these files have."""
        for name in self.options:
            _, extensions = formats.options_of("writing")[name]
            if not any(p.suffix.lower() in extensions for p in paths):
                raise InputError(f"{_out_flag(name)} is an option of {_list(extensions)} files only")

    def save(self, motion: Motion, path: Path) -> tuple[str, ...]:
        """Write a motion; what had to be changed, in words."""
        return formats.save(motion, path, unit=self.unit, up=self.up, **_known(self.options, "writing", path))


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of reading, and its function one argument `reading` for them."""
    asked = formats.options_of("reading")

    @wraps(command)
    def with_reading(*args: Any, **given: Any) -> Any:
        reading = Reading(
            unit=given.pop("unit"),
            up=given.pop("up"),
            strict=given.pop("strict"),
            rig=given.pop("rig"),
            options=_values({n: option for n, (option, _) in asked.items()}, given, ""),
        )
        return command(*args, reading=reading, **given)

    options = [
        click.option(
            "--unit", metavar=_UNITS,
            help="Length unit of the inputs, or metres in one unit; guessed from the figure if left out.",
        ),
        click.option("--up", metavar=_AXES, help="Axis of the inputs that points up; guessed if left out."),
        click.option(
            "--rig", metavar="FILE|PRESET",
            help="What the joints of the inputs mean, where it is not found by itself (docs/rigs.md).",
        ),
        *(_option(option, extensions, option.flag, name) for name, (option, extensions) in asked.items()),
        click.option("--strict", is_flag=True, help="Treat everything odd in an input as an error."),
    ]  # fmt: skip
    return _with(options, with_reading)


def writing_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of writing, and its function one argument `writing` for them."""
    asked = formats.options_of("writing")

    @wraps(command)
    def with_writing(*args: Any, **given: Any) -> Any:
        writing = Writing(
            unit=given.pop(_OUT + "unit"),
            up=given.pop(_OUT + "up"),
            options=_values({n: option for n, (option, _) in asked.items()}, given, _OUT),
        )
        return command(*args, writing=writing, **given)

    options = [
        click.option(
            _out_flag("unit"), metavar=_UNITS,
            help="Length unit of the outputs; that of the input, or the format's usual one, if left out.",
        ),
        click.option(
            _out_flag("up"), metavar=_AXES,
            help="Axis that points up in the outputs; as in the input, or as usual, if left out.",
        ),
        *(_option(option, extensions, _out_flag(name), _OUT + name)
          for name, (option, extensions) in asked.items()),
    ]  # fmt: skip
    return _with(options, with_writing)


def _out_flag(name: str) -> str:
    return "--" + (_OUT + name).replace("_", "-")


def _option(option: Asked, extensions: tuple[str, ...], flag: str, name: str) -> Callable[..., Any]:
    text = f"{option.effect} ({_list(extensions)}"
    text += f"; for example {option.example})." if option.example else ")."
    metavar = "|".join(option.choices) or option.kind.upper().replace(" ", "-")
    if option.kind == "yes or no":
        return click.option(f"{flag}/--no-{flag[2:]}", name, default=None, help=text)
    return click.option(flag, name, default=None, metavar=metavar, help=text)


def _with(options: list[Callable[..., Any]], command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(options):
        command = option(command)
    return command


def _values(asked: Mapping[str, Asked], given: dict[str, Any], prefix: str) -> dict[str, Any]:
    """What was given of them, taken out of `given`."""
    found: dict[str, Any] = {}
    for name, option in asked.items():
        raw = given.pop(prefix + name)
        if raw is not None:
            found[name] = raw if isinstance(raw, bool) else option.value(raw)
    return found


def _known(options: Mapping[str, Any], kind: str, path: Path) -> dict[str, Any]:
    """The options that a file's format has; a folder may hold several formats."""
    asked = formats.options_of(kind)
    return {n: v for n, v in options.items() if path.suffix.lower() in asked[n][1]}


def _list(extensions: Sequence[str]) -> str:
    return ", ".join(extensions)
