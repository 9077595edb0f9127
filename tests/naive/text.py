"""Numbers in text, read and written with Python's own exact arithmetic."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction


def value_of(number: str) -> Fraction:
    """What a decimal number says, exactly."""
    mantissa, _, exponent = number.lower().partition("e")
    sign = -1 if mantissa.startswith("-") else 1
    whole, _, fraction = mantissa.lstrip("+-").partition(".")
    digits = int((whole + fraction) or "0")
    return sign * Fraction(digits) * Fraction(10) ** (int(exponent or "0") - len(fraction))


def split_glued(word: str) -> list[str]:
    """The numbers in a word, in which each sign but an exponent's begins a new one."""
    parts = [""]
    for before, letter in zip(" " + word, word, strict=False):
        if letter in "+-" and before not in "eE" and parts[-1]:
            parts.append("")
        parts[-1] += letter
    return parts


def rounded(value: float, places: int) -> str:
    """The shortest text of a number rounded to so many decimals, halves away from zero."""
    step = Decimal(1).scaleb(-places)
    text = f"{Decimal(value).quantize(step, rounding=ROUND_HALF_UP):f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def blocks_of(lines: list[list[str]], names: list[str], counts: list[int]) -> int:
    """How many blocks these lines of words are: a number alone, then each name with its words; else -1."""
    lines = [words for words in lines if words]
    size = 1 + len(names)
    if len(lines) % size:
        return -1
    for k, words in enumerate(lines):
        at = k % size
        if at == 0 and not (len(words) == 1 and words[0].isdecimal()):
            return -1
        if at and (words[0] != names[at - 1] or len(words) != 1 + counts[at - 1]):
            return -1
    return len(lines) // size
