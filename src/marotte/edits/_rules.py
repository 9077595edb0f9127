"""Rules as an option: text, a file of them, or models, kept as text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator

from ..errors import MarotteError


def _text(value: Any) -> Any:
    """Rules as one text, from text, from a file (its path, or @path), or from a list of texts and maps."""
    from ..constraints import load_rules, parse_rules, rules_from_data, rules_text

    if value in ("", None):
        return ""
    try:
        if isinstance(value, str):
            path = Path(value.removeprefix("@").strip())
            if value.startswith("@") or (len(value) < 4096 and "\n" not in value and _is_file(path)):
                return rules_text(load_rules(path))
            parse_rules(value)
            return value
        return rules_text(rules_from_data(value))
    except MarotteError as problem:
        raise ValueError(str(problem)) from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


RulesText: TypeAlias = Annotated[str, BeforeValidator(_text)]
