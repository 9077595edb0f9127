"""Play backwards."""

from __future__ import annotations

from typing import ClassVar

from ..figure import Motion, reverse
from ._base import Edit


class Reverse(Edit):
    """The motion played backwards; contacts and points go along."""

    op: ClassVar[str] = "reverse"
    summary: ClassVar[str] = "play backwards"

    def apply(self, motion: Motion) -> Motion:
        """The motion from its last frame to its first."""
        return reverse(motion)
