"""The shapes that are always there, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from ..curves import soft_limited
from ..figure import FloatArray
from .shapes import Shape


def _soft_cap() -> FloatArray:
    """Level at 0.7 from the extremes on, untouched within 0.4: L97 5.2.3's conditions."""
    x = np.linspace(0.4, 1.0, 9)
    up = np.stack([x, soft_limited(x, knee=0.4, limit=0.7, most=1.0)], axis=1)
    return np.concatenate([-up[::-1], up])


_EVENLY = np.linspace(-1.0, 1.0, 17)

SHAPES: Mapping[str, Shape] = MappingProxyType(
    {
        "identity": Shape([(-1, -1), (1, 1)], "linear", about="changes nothing"),
        "cap": Shape(
            [(-1, -0.6), (-0.6, -0.6), (0.6, 0.6), (1, 0.6)], "linear",
            about="holds what goes beyond six tenths of the range (BW95 fig. 12)",
        ),
        "soft_cap": Shape(
            _soft_cap(), "monotone",
            about="lets extremes approach seven tenths of the range, gradually (BW95 4.1, L97 5.2.3)",
        ),
        "exaggerate": Shape([(-1, -1.4), (1, 1.4)], "linear", about="everything larger by four tenths"),
        "tone_down": Shape([(-1, -0.6), (1, 0.6)], "linear", about="everything smaller by four tenths"),
        "attenuate_extremes": Shape(
            np.stack([_EVENLY, np.sin(0.5 * np.pi * _EVENLY)], axis=1), "monotone",
            about="half a cosine: larger in the middle, gentle at the extremes (BW95 4)",
        ),
        "bump": Shape(
            [(-1, -1), (-0.5, -0.5), (-0.25, -0.2), (0, 0.25), (0.25, 0.35), (0.5, 0.5), (1, 1)],
            about="a bump in the middle of the range (BW95 4)",
        ),
        "undulate": Shape(
            [
                (-1, -1), (-0.75, -0.45), (-0.45, -0.65), (-0.15, 0.1),
                (0.15, -0.1), (0.45, 0.65), (0.75, 0.45), (1, 1),
            ],
            about="goes back a little three times on its way: a wavering reach (BW95 fig. 13)",
        ),
        "steps": Shape(
            [(-1, -1), (-0.6, -0.5), (-0.2, 0), (0.2, 0.5), (0.6, 1)], "steps",
            about="five values and nothing between: a machine",
        ),
        "two_steps": Shape([(-1, -1), (0, 1)], "steps", about="two values and nothing between (BW95 4)"),
        "gate": Shape(
            [(-1, -1), (-0.3, 0), (0.3, 0), (1, 1)], "linear",
            about="nothing of the middle three tenths: small movement is stilled",
        ),
        "mirror": Shape([(-1, 1), (1, -1)], "linear", about="turned round about the middle of the range"),
    }
)  # fmt: skip
"""The shapes that are always there."""
