"""Write web/src/protocol.ts from the Python models that define what a browser is told.

python tools/generate_protocol.py            write it
python tools/generate_protocol.py --check    fail if it is not what the models say
"""

from __future__ import annotations

import argparse
import inspect
import json
import sys
import types
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

ROOT = Path(__file__).resolve().parent.parent
MODULES = ("marotte.viewer._payload",)
TARGET = ROOT / "web" / "src" / "protocol.ts"

WIDTH = 100
SIMPLE: dict[object, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


class CannotTranslate(Exception):
    """A model holds something that has no settled TypeScript counterpart."""


def typescript_type(annotation: object, names: dict[Any, str]) -> str:
    """The TypeScript of a Python annotation; names are those of models and aliases."""
    if annotation in SIMPLE:
        return SIMPLE[annotation]
    if annotation in names:
        return names[annotation]
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " | ".join(json.dumps(value) for value in args)
    if origin in (Union, types.UnionType):
        return " | ".join(typescript_type(arg, names) for arg in args)
    if origin is list or (origin is tuple and len(args) == 2 and args[1] is Ellipsis):
        item = typescript_type(args[0], names)
        return f"({item})[]" if " " in item else f"{item}[]"
    if origin is tuple:
        return f"[{', '.join(typescript_type(arg, names) for arg in args)}]"
    if origin is dict and args[0] is str:
        return f"Record<string, {typescript_type(args[1], names)}>"
    raise CannotTranslate(f"no TypeScript for {annotation!r}")


def _comment(text: str | None, indent: str = "") -> list[str]:
    """A documentation comment of the text, on one line where it fits."""
    if not text:
        return []
    lines = text.replace("*/", "* /").splitlines()
    if len(lines) == 1 and len(lines[0]) + len(indent) + 7 <= WIDTH:
        return [f"{indent}/** {lines[0]} */"]
    body = [f"{indent} * {line}".rstrip() for line in lines]
    return [f"{indent}/**", *body, f"{indent} */"]


def _interface(model: type[BaseModel], names: dict[Any, str]) -> Iterator[str]:
    own_doc = inspect.cleandoc(model.__doc__) if model.__doc__ else None
    yield from _comment(own_doc)
    yield f"export interface {model.__name__} {{"
    for name, field in model.model_fields.items():
        yield from _comment(field.description, "  ")
        yield f"  {name}: {_field_type(model, name, field, names)};"
    yield "}"


def _field_type(model: type[BaseModel], name: str, field: FieldInfo, names: dict[Any, str]) -> str:
    try:
        return typescript_type(field.annotation, names)
    except CannotTranslate as problem:
        raise CannotTranslate(f"{model.__module__}.{model.__name__}.{name}: {problem}") from problem


def _is_constant(value: object) -> bool:
    return isinstance(value, bool | int | float | str)


def _is_own_model(value: object, module: types.ModuleType) -> bool:
    return (
        isinstance(value, type)
        and issubclass(value, BaseModel)
        and value.__module__ == module.__name__
        and not value.__name__.startswith("_")
    )


def _is_alias(value: object) -> bool:
    return get_origin(value) in (tuple, list, dict, Literal, Union, types.UnionType)


def render(modules: Iterable[types.ModuleType]) -> str:
    """The text of the TypeScript file: constants, aliases and models in the order of their definition."""
    modules = list(modules)
    public: dict[str, object] = {}
    for module in modules:
        for name, value in vars(module).items():
            if name.startswith("_"):
                continue
            if _is_alias(value) or _is_own_model(value, module) or (name.isupper() and _is_constant(value)):
                public.setdefault(name, value)
    names: dict[Any, str] = {value: name for name, value in public.items() if not _is_constant(value)}

    sources = ", ".join(f"src/{module.__name__.replace('.', '/')}.py" for module in modules)
    lines = [
        f"// Generated from {sources} by tools/generate_protocol.py.",
        "// Change the models, then run `make format`.",
    ]
    for module in modules:
        lines += ["", *_comment(inspect.getdoc(module))]
    for name, value in public.items():
        if _is_constant(value):
            lines += ["", f"export const {name} = {json.dumps(value)};"]
        elif _is_alias(value):
            others = {key: other for key, other in names.items() if other != name}
            lines += ["", f"export type {name} = {typescript_type(value, others)};"]
        elif isinstance(value, type) and issubclass(value, BaseModel):
            lines += ["", *_interface(value, names)]
    return "\n".join(lines) + "\n"


def main(argv: list[str] | None = None, *, target: Path = TARGET) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing, fail if the file is out of date")
    check = parser.parse_args(argv).check
    text = render(import_module(name) for name in MODULES)
    found = target.read_text(encoding="utf-8") if target.is_file() else None
    if found == text:
        return 0
    if check:
        state = "is missing" if found is None else "is not what the models say"
        print(f"{target.name} {state} ({', '.join(MODULES)}): run `make format`", file=sys.stderr)
        return 1
    target.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
