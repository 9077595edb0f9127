"""Rules as plain data: what YAML, JSON and forms hold, both ways."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from .._options import Options
from .._yaml import read_yaml
from ..errors import FileError, InputError, RuleError, UnknownNameError
from .language import parse_rules
from .rules import LinearRule, LockRule, NonlinearRule

AnyRule = LinearRule | NonlinearRule | LockRule
KINDS: dict[str, type[Options]] = {"linear": LinearRule, "nonlinear": NonlinearRule, "lock": LockRule}
DATA_EXTENSIONS = (".yaml", ".yml", ".json")


def rule_to_data(rule: AnyRule) -> dict[str, Any]:
    """A rule as plain values; what is as it always is is left out."""
    data = _plain(rule)
    assert isinstance(data, dict)
    return data


def rules_from_data(data: Any) -> tuple[AnyRule, ...]:
    """Rules from plain values: a list of maps and texts, one of either, or a map {rules: …}."""
    if isinstance(data, dict) and set(data) == {"rules"}:
        data = data["rules"]
    if data is None:
        return ()
    items = data if isinstance(data, (list, tuple)) else [data]
    return tuple(rule for i, item in enumerate(items) for rule in _one(item, i if len(items) > 1 else None))


def load_rules(path: str | Path) -> tuple[AnyRule, ...]:
    """Rules of a file: text, or YAML and JSON by the file's extension."""
    path = Path(path)
    if path.suffix.lower() in DATA_EXTENSIONS:
        marked = read_yaml(path, RuleError)
        try:
            return rules_from_data(marked.value)
        except InputError as problem:
            raise RuleError(str(problem), path=path) from None
    try:
        if path.stat().st_size > 4 * 2**20:
            raise RuleError("must be smaller than 4 MB", path=path)
        text = path.read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise FileError(f"cannot be read: {problem.strerror or problem}", path=path) from None
    except UnicodeDecodeError as problem:
        raise RuleError(f"must be UTF-8 text, but byte {problem.start} is not", path=path) from None
    return parse_rules(text, path=path)


def names_file(said: str) -> bool:
    """Whether a text is the name of a file of rules rather than rules: no rule ends like one."""
    said = said.strip()
    return said.lower().endswith((".rules", *DATA_EXTENSIONS)) and not any(c in said for c in "\n;<>=()#")


def rules_json(rules: Iterable[AnyRule]) -> str:
    """Rules as the text of a .json file, which YAML reads too."""
    data = {"rules": [rule_to_data(rule) for rule in rules]}
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _one(item: Any, at: int | None) -> tuple[AnyRule, ...]:
    place = "" if at is None else f"rule {at + 1}: "
    if isinstance(item, str):
        return parse_rules(item)
    if isinstance(item, (LinearRule, NonlinearRule, LockRule)):
        return (item,)
    if not isinstance(item, dict):
        raise InputError(f"{place}a rule must be a text or a map, but is {item!r:.60}")
    kind = item.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        if kind is None:
            raise InputError(f"{place}kind must be given: {', '.join(KINDS)}")
        raise UnknownNameError(f"{place}kind of rule", str(kind), KINDS)
    made, mistakes = KINDS[kind].read({str(k): v for k, v in item.items()})
    if made is None:
        raise InputError(place + "; ".join(text for _, text in mistakes))
    return (made,)  # type: ignore[return-value]  # KINDS has nothing else


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        return {
            name: _plain(getattr(value, name))
            for name in fields
            if name == "kind" or getattr(value, name) != fields[name].default
        }
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value
