"""Small deterministic differences between takes of one motion, and the unrest of a living body."""

from __future__ import annotations

import zlib

import numpy as np

from ..figure import FloatArray
from ._curves import TAU


class Variation:
    """Draws by name: seed 0 is the plain take, every other seed a slightly different performer.

    A draw depends on its name and the seed alone, so that new draws leave old takes as they were.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def normal(self, name: str, spread: float) -> float:
        """A normally distributed number within two and a half spreads; 0 for seed 0."""
        if self.seed == 0:
            return 0.0
        draw = float(self._generator(name).standard_normal())
        return spread * float(np.clip(draw, -2.5, 2.5))

    def scale(self, name: str, spread: float) -> float:
        """A factor near 1."""
        return float(np.exp(self.normal(name, spread)))

    def unrest(self, name: str, t: FloatArray, seconds: float, closed: bool = False) -> FloatArray:
        """(F,) slow smooth drift of about unit size; when closed it repeats after `seconds`."""
        generator = self._generator(name)
        out = np.zeros_like(t)
        for base, weight in ((0.13, 0.7), (0.31, 0.5), (0.67, 0.25)):
            rate = base * float(generator.uniform(0.85, 1.15))
            shift = float(generator.uniform())
            if closed:  # a loop too short for this slow a drift goes without it
                rate = round(rate * seconds) / max(seconds, 1e-9)
            if rate > 0.0:
                out += weight * np.sin(TAU * (rate * t + shift))
        return out

    def _generator(self, name: str) -> np.random.Generator:
        return np.random.default_rng([self.seed, zlib.crc32(name.encode())])


def breath(t: FloatArray, seconds: float, rate: float = 0.25, closed: bool = False) -> FloatArray:
    """(F,) breathing, −1 to 1, `rate` breaths a second; when closed it repeats after `seconds`."""
    if closed:
        rate = round(rate * seconds) / max(seconds, 1e-9)
    return np.asarray(np.sin(TAU * rate * t))
