"""Exchange left and right."""

from __future__ import annotations

from typing import ClassVar, Literal

from .._options import option
from ..figure import Motion, mirror
from ._base import Edit


class Mirror(Edit):
    """Left and right exchanged, by the rig; uneven skeletons keep their own bones."""

    op: ClassVar[str] = "mirror"
    summary: ClassVar[str] = "exchange left and right"

    plane: Literal["start", "world"] = option(
        "start",
        "where the mirror stands: through the hips along the way the figure first faces, so that "
        "it keeps its place and heading, or at the world's x = 0",
        example="world",
    )

    def apply(self, motion: Motion) -> Motion:
        """The mirrored motion."""
        return mirror(motion, plane=self.plane)
