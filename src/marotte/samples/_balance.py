"""Carrying the hips so that the centre of mass goes where it must.

On the ground it stays over the feet, or the figure would fall; in the air it follows the parabola
that it left the ground on. The hips' path is what makes it so: found by moving them by what the
centre of mass is off, which converges in a few rounds because legs weigh less than what they carry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..figure import FloatArray
from ._body import Body
from ._mass import centre_of_mass

NODES = 60.0  # a second: the hips' correction is found at these times, whatever the frame rate


@dataclass(frozen=True, slots=True, eq=False)
class PathCurve:
    """A natural cubic spline through places at even times from `start`."""

    start: float
    spacing: float
    places: FloatArray  # (N, 3)
    bends: FloatArray  # (N, 3) second derivatives

    def __call__(self, t: FloatArray) -> FloatArray:
        """(F, 3) the place at times t, held beyond the ends."""
        last = len(self.places) - 1
        u = np.clip((t - self.start) / self.spacing, 0.0, last)
        i = np.minimum(u.astype(np.int64), last - 1)
        b = (u - i)[:, None]
        a = 1.0 - b
        bent = (a**3 - a) * self.bends[i] + (b**3 - b) * self.bends[i + 1]
        return np.asarray(a * self.places[i] + b * self.places[i + 1] + bent * self.spacing**2 / 6.0)


def path_curve(start: float, spacing: float, places: FloatArray) -> PathCurve:
    """The spline through places (N, 3)."""
    n = len(places)
    bends = np.zeros_like(places)
    if n > 2:
        right = 6.0 * (places[2:] - 2.0 * places[1:-1] + places[:-2]) / spacing**2
        upper = np.empty(n - 2)
        upper[0] = 0.25
        right[0] = right[0] / 4.0
        for k in range(1, n - 2):
            pivot = 4.0 - upper[k - 1]
            upper[k] = 1.0 / pivot
            right[k] = (right[k] - right[k - 1]) / pivot
        for k in range(n - 4, -1, -1):
            right[k] -= upper[k] * right[k + 1]
        bends[1:-1] = right
    return PathCurve(start, spacing, places, bends)


Guess = FloatArray | Callable[[FloatArray], FloatArray]
"""Where the hips are about, seen from the centre of mass: (3,), or for times (F,) what (F, 3)."""


def hips_from(curve: PathCurve, target: Callable[[FloatArray], FloatArray]) -> Guess:
    """A guess from a path that was found for a similar target."""

    def away(t: FloatArray) -> FloatArray:
        return np.asarray(curve(t) - target(t))

    return away


Poser = Callable[[PathCurve, FloatArray], Body]
"""The whole body posed at times (F,) over a path of its hips."""


def balanced(
    pose: Poser, target: Callable[[FloatArray], FloatArray], seconds: float,
    guess: Guess, rounds: int = 24, level: bool = False,
) -> PathCurve:  # fmt: skip
    """The hips' path that carries the centre of mass along `target`, times (F,) to (F, 3).

    `guess` is (3,), where the hips are about when the centre of mass is at the origin of its path, or
    tells it for times (F,). A `level` path moves sideways and ahead only: the height is the poser's
    own.
    """
    count = max(3, int(np.ceil(seconds * NODES)) + 1)
    spacing = seconds / (count - 1)
    t: FloatArray = np.arange(count, dtype=np.float64) * spacing
    wanted = target(t)
    places = wanted + (guess(t) if callable(guess) else guess)
    curve = path_curve(0.0, spacing, places)
    for _ in range(rounds):
        off: FloatArray = wanted - centre_of_mass(pose(curve, t))
        if level:
            off[:, 1] = 0.0
        places = places + off
        curve = path_curve(0.0, spacing, places)
        if float(np.abs(off).max()) < 2e-5:
            break
    return curve
