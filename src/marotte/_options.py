"""Options said once: models from which Python, recipes, commands, forms and help are made.

A model is a frozen class of fields, each with its unit, range, default, effect and an example:

    class Crop(Options):
        start: int = option(0, "first frame that stays", unit="frames", example=10)
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import PydanticSerializationError, PydanticUndefined

from .errors import InputError, MarotteError, UnknownNameError

FOLDER = "folder"
"""In Pydantic's context: the folder that names of files are relative to, if not the current one."""


class Options(BaseModel):
    """Base of all option models: frozen, strict about names, finite, clear about mistakes."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        validate_default=True,
        use_attribute_docstrings=False,
    )

    def __init__(self, **options: Any) -> None:
        try:
            super().__init__(**options)
        except ValidationError as problem:
            raise InputError("; ".join(text for _, text in mistakes(type(self), problem))) from None

    # Pydantic shall not call this for models inside others: context and places would be lost there.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # as BaseModel marks its own

    @classmethod
    def read(
        cls, values: Mapping[str, Any], *, folder: Path | None = None
    ) -> tuple[Self | None, list[tuple[tuple[str | int, ...], str]]]:
        """The options from plain values, or all their mistakes with the place of each.

        Names of files are relative to `folder`.
        """
        try:
            return cls.__pydantic_validator__.validate_python(
                dict(values), self_instance=cls.__new__(cls), context={FOLDER: folder}
            ), []
        except ValidationError as problem:
            return None, mistakes(cls, problem)

    def changed(self, *, folder: Path | None = None) -> dict[str, Any]:
        """The options that differ from their defaults, as plain values; files as seen from `folder`."""
        try:
            return self.model_dump(mode="json", exclude_defaults=True, context={FOLDER: folder})
        except PydanticSerializationError as problem:
            if isinstance(problem.__cause__, MarotteError):
                raise problem.__cause__ from None
            raise


def option(
    default: Any,
    effect: str,
    *,
    unit: str = "",
    least: float | None = None,
    most: float | None = None,
    above: float | None = None,
    example: Any = None,
    harm: str = "",
) -> Any:
    """A field of an option model; `...` as default makes it required. `harm`: when overdone."""
    return Field(
        default,
        description=effect,
        ge=least,
        le=most,
        gt=above,
        examples=None if example is None else [example],
        json_schema_extra={k: v for k, v in (("unit", unit), ("harm", harm)) if v},
    )


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """What there is to say about one option."""

    name: str
    kind: str  # number, whole number, text, yes/no, one of …
    effect: str
    unit: str
    range: str
    default: Any
    required: bool
    choices: tuple[str, ...]
    example: Any
    harm: str
    annotation: Any


def describe(model: type[Options]) -> Iterator[OptionInfo]:
    """Every option of a model, in order."""
    for name, field in model.model_fields.items():
        extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        required = field.default is PydanticUndefined and field.default_factory is None
        yield OptionInfo(
            name=name,
            kind=_kind(field.annotation),
            effect=field.description or "",
            unit=str(extra.get("unit", "")),
            range=_range(field),
            default=None if required else field.get_default(call_default_factory=True),
            required=required,
            choices=_choices(field.annotation),
            example=field.examples[0] if field.examples else None,
            harm=str(extra.get("harm", "")),
            annotation=field.annotation,
        )


def as_argument(value: Any) -> str:
    """A value the way the command line takes it: `2`, `1,1,2`, `middle=2,high=0.5`, `[{frame: 40}]`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    inner = (
        value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    )
    if any(isinstance(v, (Mapping, list, tuple)) for v in inner):
        return str(yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10_000).strip())
    if isinstance(value, Mapping):
        return ",".join(f"{key}={as_argument(v)}" for key, v in value.items())
    if isinstance(value, (list, tuple)):
        return ",".join(as_argument(v) for v in value)
    return str(value)


def mistakes(model: type[BaseModel], problem: ValidationError) -> list[tuple[tuple[str | int, ...], str]]:
    """A validation error as places and sentences."""
    found: list[tuple[tuple[str | int, ...], str]] = []
    for error in problem.errors():
        place = tuple(error["loc"])
        name = ".".join(str(p) for p in place)
        if error["type"] == "extra_forbidden":
            known = _model_at(model, place[:-1]).model_fields
            found.append((place, str(UnknownNameError("option", str(place[-1]), known))))
        elif error["type"] == "missing":
            found.append((place[:-1], f"{name} must be given"))
        else:
            text = error["msg"].removeprefix("Value error, ").removeprefix("Input ")
            text = text[0].lower() + text[1:]
            given = error.get("input")
            shown = (
                f", but is {given!r}"
                if name and isinstance(given, (str, int, float, bool, type(None)))
                else ""
            )
            found.append((place, f"{name} {text}{shown}".strip()))
    return found


def _model_at(model: type[BaseModel], place: tuple[str | int, ...]) -> type[BaseModel]:
    """The model that stands at a place inside another."""
    for key in place:
        field = model.model_fields.get(str(key))
        for part in _parts(field.annotation) if field else ():
            for inner in (part, *get_args(part)):
                if isinstance(inner, type) and issubclass(inner, BaseModel):
                    model = inner
    return model


def _parts(annotation: Any) -> tuple[Any, ...]:
    """The alternatives of an annotation, without None."""
    if get_origin(annotation) in (Union, types.UnionType):
        return tuple(a for a in get_args(annotation) if a is not type(None))
    return (annotation,)


def _choices(annotation: Any) -> tuple[str, ...]:
    return tuple(
        str(value) for part in _parts(annotation) if get_origin(part) is Literal for value in get_args(part)
    )


def _kind(annotation: Any) -> str:
    words = {int: "whole number", float: "number", str: "text", bool: "yes or no"}
    found: list[str] = []
    for part in _parts(annotation):
        if get_origin(part) is Literal:
            found.append("one of " + ", ".join(str(v) for v in get_args(part)))
        elif get_origin(part) in (list, tuple):
            inner = [a for a in get_args(part) if a is not Ellipsis]
            count = "" if get_origin(part) is list or Ellipsis in get_args(part) else f"{len(inner)} "
            one = words.get(inner[0], getattr(inner[0], "KIND", "value")) if inner else ""
            found.append(f"{count}{one}s" if inner else "list")
        elif typing.get_origin(part) is dict:
            found.append("map")
        else:
            name = getattr(part, "KIND", getattr(part, "__name__", "value").lower())
            found.append(words.get(part, str(name)))
    return " or ".join(dict.fromkeys(found))


def _range(field: FieldInfo) -> str:
    least = most = ""
    for rule in field.metadata:
        if getattr(rule, "ge", None) is not None:
            least = f"at least {rule.ge:g}"
        if getattr(rule, "gt", None) is not None:
            least = f"above {rule.gt:g}"
        if getattr(rule, "le", None) is not None:
            most = f"at most {rule.le:g}"
        if getattr(rule, "lt", None) is not None:
            most = f"below {rule.lt:g}"
    return ", ".join(part for part in (least, most) if part)
