"""What every edit is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar, TypeAlias

from .._options import Options
from ..figure import Motion

Progress: TypeAlias = Callable[[float, str], None]
"""Called with the share done (0 to 1) and a word on what is being done."""


class Edit(Options):
    """Options and what they do to a motion. A value: compare it, copy it, put it in a recipe."""

    op: ClassVar[str]
    """The word that names it in recipes and commands."""
    summary: ClassVar[str]
    """One line on what it does."""

    @abstractmethod
    def apply(self, motion: Motion) -> Motion:
        """The edited motion; the given one stays as it is."""
