"""Put a take on other ground."""

from __future__ import annotations

import math
from typing import ClassVar

from .._options import option
from ..figure import Motion
from ._base import Edit
from ._scenes import SceneFile
from .lock_feet import noted


class Terrain(Edit):
    """Put a take that was made on level ground on a scene's hills and steps, and through its doorways."""

    op: ClassVar[str] = "terrain"
    summary: ClassVar[str] = "put a take on hills and through doorways"

    scene: SceneFile = option(
        ...,
        "the ground: planes and height grids, with doorways to duck through",
        example="hills.yaml",
        harm="on slopes above 30° it walks as nobody does",
    )
    slopes: bool = option(True, "turn planted feet to the slope of the ground", example=False)
    doorways: bool = option(True, "duck where a doorway is too low", example=False)
    pivot: float = option(
        20.0,
        "a planted foot that turns on the spot by more goes on turning; what is less is held",
        unit="degrees",
        least=0,
        most=360,
        example=45,
    )

    def apply(self, motion: Motion) -> Motion:
        """The motion on its new ground; its notes say what was changed."""
        from ..fitting import terrain

        done = terrain(
            motion,
            self.scene.scene(),
            slopes=self.slopes,
            doorways=self.doorways,
            pivot=math.radians(self.pivot),
        )
        return noted(done.motion, str(done), *done.unmet)
