"""Mending: adjust where demands are missed, fade the change out around, look again (L97 5.3.3, 5.3.4).

Only a few frames of a missed stretch are solved first: where it is missed most, where it turns, and
where it is cut off. What lies between them follows. Then all frames are looked at again, and what
is still missed is mended on top, so that no long stretch leaks and none freezes (L97 7.1). Each
layer of change is smooth over the whole width that was asked for, and so is their sum; a key more
in one and the same curve would be a kink.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..figure import FloatArray, Motion
from ..figure._arrays import BoolArray
from .adjusting import Adjuster
from .demands import EQUAL, Along, Demand, Reading, World
from .layers import DENSE_AFTER, Layer

_ROUNDING = {"m": 5e-7, "deg": 5e-7, "rad": 5e-7 * np.pi / 180.0}
"""What does not count whatever a rule ignores: half of what detection leaves (detection.ROUNDING)."""
_LAYERS = 24
_WORSE = 0.9  # what is left must become this much less in _STUCK layers, or they end
_STUCK = 4
_GUARDED = 8  # layers in which points are kept from going where nobody sent them
_PLAY = 1e-2  # of the height: so far beyond a bound, or beyond where it was, a point may be pushed
_PLAY_SHARE = 0.25  # and so much more, of what it was off by


@dataclass(slots=True, eq=False)
class Mending:
    """Mends a motion for some demands, layer upon layer."""

    demands: list[Demand]
    adjuster: Adjuster
    smooth: int
    """Frames between a missed stretch and the nearest frame that is not touched, at least 1."""
    neighbour: bool
    """Whether a search begins at the pose of the smoothing frames."""
    solved: int = 0
    """Poses that were solved for."""
    layers: int = 0

    def run(self, motion: Motion, tell: Callable[[float, str], None]) -> tuple[Motion, BoolArray]:
        """The motion mended as far as it goes, and the frames (F,) that may have changed."""
        demands = list(self.demands)
        tolerances = [d.ignored + _ROUNDING[d.unit] for d in demands]
        asked = len(demands)
        ever = [np.zeros(len(motion), dtype=np.bool_) for _ in demands]
        touched = np.zeros(len(motion), dtype=np.bool_)
        best, best_touched, best_left, since = motion, touched, np.inf, 0
        for number in range(_LAYERS):
            world = World(motion)
            misses = [d.misses(world) for d in demands]
            off = [
                float(m.max()) / t if m.max() > t else 0.0 for m, t in zip(misses, tolerances, strict=True)
            ]
            left = max(off[:asked])
            if number == 0:
                guards = _guards(demands, world, misses)
            since = 0 if left < _WORSE * best_left else since + 1
            if left <= best_left:
                best, best_touched, best_left = motion, touched, left
            if number == _GUARDED:  # nobody asked for these
                del demands[asked:], tolerances[asked:], misses[asked:], off[asked:]
            if max(off) == 0.0 or (since > _STUCK and number > DENSE_AFTER + _STUCK):
                break
            tell(number / _LAYERS, f"mending, layer {number + 1}")
            for r in range(asked):
                ever[r] |= misses[r] > tolerances[r]
            layer = Layer(
                motion, demands, tolerances, self.adjuster, self.smooth, self.neighbour and number == 0
            )
            motion = layer.mended(misses, number, ever)
            touched = touched | layer.touched
            if number == 0:
                demands += guards
                tolerances += [d.ignored for d in guards]
            self.solved += layer.solved
            self.layers = number + 1
        return best, best_touched


def _guards(demands: Sequence[Demand], world: World, misses: Sequence[FloatArray]) -> list[Demand]:
    """Demands that keep what is brought under a bound from going far beyond it.

    A foot that is brought down to the floor for some frames must not be pushed through it while the
    change fades out: a coordinate stays above the lower of its bound and of where it was, or, brought
    up, below the higher.
    """
    found: list[Demand] = []
    play = _PLAY * world.motion.skeleton.height
    for demand, miss in zip(demands, misses, strict=True):
        if not isinstance(demand, Along) or demand.relation == EQUAL or not miss.any():
            continue
        sign, now, bound = demand.relation, demand.value_of(world), demand.bound(world)
        farthest = sign * np.maximum(sign * now, sign * bound) + sign * _PLAY_SHARE * np.abs(now - bound) * (
            sign * now < sign * bound
        )
        held = np.ones(len(now), dtype=np.bool_)
        guard = replace(
            demand, rule=-1, relation=-sign, held=held, ignored=play, inside=0.0, bound=_of_frames(farthest)
        )
        found.append(guard)
    return found


def _of_frames(values: FloatArray) -> Reading:
    return lambda world: values[world.frames]


def pulled(motion: Motion, demand: Demand, adjuster: Adjuster, smooth: int, still: Sequence[int]) -> Motion:
    """The motion that meets a demand where it is held, and is as it was at the frames `still`.

    Between all these frames what changes is interpolated; before the first and after the last it fades.
    """
    layer = Layer(motion, [demand], [demand.ignored + _ROUNDING[demand.unit]], adjuster, smooth, False)
    at = np.flatnonzero(demand.held)
    layer.keys[0][at] = True
    layer.solve(at, [0], True)
    layer.keys[0][list(still)] = True
    before, after = [f for f in still if f < at[0]], [f for f in still if f > at[-1]]
    layer.needed[0][max(before, default=at[0]) : min(after, default=at[-1]) + 1] = True
    return layer.faded.motion(layer.groups())
