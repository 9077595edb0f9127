"""Option models as command-line options: names, help and checks come from the one definition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
import yaml

from .._options import OptionInfo, Options, as_argument, describe
from .._yaml import read_yaml
from ..errors import InputError


def options_of(model: type[Options]) -> list[click.Option]:
    """One command-line option for each option of a model; each gives None or the text it was given."""
    return [_option(info) for info in describe(model)]


def values(model: type[Options], given: Mapping[str, Any]) -> dict[str, Any]:
    """The given options as plain values, read as YAML where the model does not want text."""
    found: dict[str, Any] = {}
    for info in describe(model):
        raw = given.get(info.name)
        if raw is None or raw == ():
            continue
        if isinstance(raw, tuple):
            found[info.name] = [one for text in raw for one in _takes(info, text)]
        else:
            found[info.name] = raw if isinstance(raw, bool) or _wants_text(info) else _parsed(info, raw)
    return found


def _flag(info: OptionInfo) -> str:
    return "--" + info.name.replace("_", "-")


def _option(info: OptionInfo) -> click.Option:
    flag = _flag(info)
    if info.annotation is bool:
        return click.Option([f"{flag}/--no-{flag[2:]}", info.name], default=None, help=_help(info))
    if info.kind == "takes":  # given again and again, or with commas
        return click.Option([flag, info.name], multiple=True, help=_help(info), metavar="FILE[=VALUE],…")
    return click.Option([flag, info.name], default=None, help=_help(info), metavar=_metavar(info))


def _metavar(info: OptionInfo) -> str:
    if info.choices:
        return "|".join(info.choices)
    return (info.unit or info.kind.split(" or ")[0]).upper().replace(" ", "-")


def _help(info: OptionInfo) -> str:
    """Effect, range and default in one readable run."""
    text = info.effect[0].upper() + info.effect[1:].rstrip(".") + "."
    if info.harm:
        text += f" Overdone: {info.harm}."
    facts = [info.range] if info.range else []
    if info.required:
        facts.append("required")
    elif info.default is not None:
        shown = as_argument(info.default)
        if shown:
            facts.append(f"default: {shown}")
    if info.example is not None:
        facts.append(f"for example {as_argument(info.example)}")
    return text + (f" ({'; '.join(facts)})" if facts else "")


def _wants_text(info: OptionInfo) -> bool:
    if info.kind.startswith("one of"):
        return " or " not in info.kind  # words, or something that is read
    return info.kind in ("text", "file", "take")


def _takes(info: OptionInfo, raw: str) -> list[Any]:
    """Takes as they are told: `wave.bvh=0.4,drum.bvh`, or as YAML in brackets or braces."""
    try:
        if raw.lstrip().startswith(("[", "{")):
            value = yaml.safe_load(raw)
            return value if isinstance(value, list) else [value]
        found: list[Any] = []
        for part in filter(None, (part.strip() for part in raw.split(","))):
            name, equals, text = part.rpartition("=")
            found.append({name: yaml.safe_load(text)} if equals else part)
        return found
    except yaml.YAMLError:
        raise InputError(f"{_flag(info)} cannot be read: {raw!r}") from None


def _parsed(info: OptionInfo, raw: str) -> Any:
    if raw.startswith("@"):  # what is long stands in a file
        return read_yaml(raw[1:]).value
    kinds = info.kind.split(" or ")
    try:
        value = yaml.safe_load(raw)
        if not isinstance(value, str):
            return value
        parts = [part.strip() for part in value.split(",")]
        if "map" in kinds and all("=" in part for part in parts):  # middle=2,high=0.5 without braces
            pairs = (part.partition("=") for part in parts)
            return {yaml.safe_load(key): yaml.safe_load(text) for key, _, text in pairs}
        if len(parts) > 1 and any(kind.endswith("s") for kind in kinds):
            return [yaml.safe_load(part) for part in parts]  # 1,2,3 without brackets
    except yaml.YAMLError:
        raise InputError(f"{_flag(info)} cannot be read: {raw!r}") from None
    return value
