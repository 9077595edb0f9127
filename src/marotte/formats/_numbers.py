"""Numbers in text, and what to say about words that are none."""

from __future__ import annotations

import re

from ._decimals import LARGEST_NUMBER

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)


def no_number(word: str, what: str) -> str:
    """What to say about a word where a number should be."""
    shown = word if len(word) <= 40 else word[:37] + "…"
    bare = word.strip("+-").lower()
    if re.fullmatch(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?", word):
        return f"{what} must be written with decimal points, but {shown!r} has a decimal comma"
    if re.fullmatch(r"[-+]?[\d.]+,", word):
        return f"{what} must be separated by blanks, but a comma follows {shown[:-1]!r}"
    if bare.startswith(("nan", "inf", "1.#", "-1.#")):
        return f"{what} must be finite, but is {shown!r}; the program that wrote it had no value here"
    return f"{what} must be a number, but is {shown!r}"


def too_large(number: str) -> str:
    """What to say about a number beyond all measure."""
    shown = number if len(number) <= 40 else number[:37] + "…"
    return f"numbers must be at most {LARGEST_NUMBER:g} in size, but {shown} is larger"
