"""What a search for violations finds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .rules import LinearRule, LockRule, NonlinearRule


@dataclass(frozen=True, slots=True)
class Violation:
    """One stretch of frames at which a rule does not hold."""

    rule: LinearRule | NonlinearRule | LockRule
    """The rule as it was given; `where` says for which joints of this figure."""
    where: str
    """The rule as text, with the joints of this figure."""
    index: int
    """Which of the rules, once patterns are spelled out: `resolve(motion, rules)[index]`."""
    begin: int
    """First frame of the stretch."""
    end: int
    """Last frame of the stretch, included."""
    frame: int
    """The adjustment frame: where it is broken most."""
    amount: float
    """How far from holding at that frame, in `unit`; always positive."""
    unit: str
    """`m` or `deg`."""
    cut_begin: bool = False
    """Whether the stretch begins only because a condition (or the frames asked for) begins there:
    the body is broken before it as well (L97 fig. 5.13). Then `begin` needs a goal of its own."""
    cut_end: bool = False
    """The same for the end."""

    @property
    def conditional(self) -> bool:
        """Whether a condition cuts the stretch: fig. 5.13 rather than fig. 5.12."""
        return self.cut_begin or self.cut_end

    @property
    def label(self) -> str:
        """The rule's name, or its text."""
        return self.rule.name or self.where

    def to_data(self) -> dict[str, Any]:
        """As `marotte check --json` prints it."""
        return {
            "rule": self.label,
            "begin": self.begin,
            "end": self.end,
            "frame": self.frame,
            "amount": self.amount,
            "unit": self.unit,
        }


@dataclass(frozen=True, slots=True)
class Violations:
    """All violations of some rules in one motion, ordered by their adjustment frames (L97 5.3.2)."""

    found: tuple[Violation, ...]

    def __iter__(self) -> Iterator[Violation]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, at: int) -> Violation:
        return self.found[at]

    def to_data(self) -> dict[str, Any]:
        """As `marotte check --json` prints it."""
        return {"violations": [v.to_data() for v in self.found]}
