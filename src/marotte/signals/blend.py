"""Multitarget blending (BW95 3.1, L97 4.2): one motion from any number of takes.

There are two ways, chosen by what is asked for:

- *On the sphere*: where weights count as shares (they are normalised, or add up to 1) every joint
  takes the mean of its rotations on the sphere.
- *As signals*: where bands have gains of their own, where single channels have weights, and where
  weights are not normalised, signals are multiplied and added. Rotations are then rotation vectors
  about the mean of the takes' first frames, so that gains may be negative and sums may be zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..errors import InputError
from ..figure import FloatArray, Motion
from ..figure._arrays import owned
from ._added import Added, added
from ._figures import on_figure
from ._ground import to_start_of
from ._lengths import Fit, Length, at_rate, common_length, fitted
from ._sums import NOTHING, by_joint, mean_path, nonzero_sum, stretches
from ._together import contacts_of_all
from .bands import Edges
from .equalize import Gains, gains_of
from .spaces import Signals, Space, signals_of
from .sphere import blend_rotations
from .weights import Weights, signal_weights

Align = Literal["start", "none"]
Path = Literal["auto", "places", "steps"]
Start = Literal["mean", "first"]
STARTS: dict[Start, str] = {
    "mean": "the mean of the takes' first frames, by weight times dc",
    "first": "the first frame of the first take, on top of which all movement is added",
}
ALIGNS: dict[Align, str] = {
    "start": "every take begins where the first one begins and faces as it does",
    "none": "every take stays where it is in the world",
}
PATHS: dict[Path, str] = {
    "auto": "steps where weights of the root change over time, else places",
    "places": "the root is where the weighted mean of the takes' roots is",
    "steps": "the root moves on by the weighted mean of the takes' steps, so that a change of weights "
    "never slides the figure from one path to another",
}


@dataclass(frozen=True, slots=True, eq=False)
class BlendTake:
    """A take in a blend, with what it counts."""

    motion: Motion
    weight: Weights = 1.0
    """How much of it there is: see `Weights`."""
    gains: Gains = 1.0
    """Gains of its bands, for all joints but the root."""
    dc: float = 1.0
    """Gain of what is slower than all bands."""


def blend(
    motion: Motion | BlendTake,
    takes: Sequence[Motion | BlendTake],
    *,
    normalize: bool = True,
    space: Space = "rotvec",
    offset: bool = True,
    start: Start = "mean",
    edges: Edges = "reflect",
    length: Length = "first",
    fit: Fit = "stretch",
    align: Align = "start",
    path: Path = "auto",
    warp: str | Mapping[str, str] | None = None,
) -> Motion:
    """A motion with something of every take, on the figure and at the rate of the first.

    Weights and gains are per take, see `BlendTake`. With `normalize` they say what share of the
    whole each take has, band by band; without, each take's movement is multiplied and all are
    added (L97 4.2.2). With `offset` only what changes since the first frames is multiplied (L97
    5.1.1), and `start` says what it is added to.

    Takes of other lengths are fitted (`length`, `fit`), or first brought to the first take's timing
    by what `warp` names: see `timewarp`. The root's path follows `align` and `path`.

    A contact remains where all takes that count have it; named points are the first take's.
    """
    given = [t if isinstance(t, BlendTake) else BlendTake(t) for t in (motion, *takes)]
    motions = _prepared([t.motion for t in given], length, fit, align, warp)
    base, frames = motions[0], len(motions[0])
    signals = signals_of(base, space, offset=offset)
    weights, single = [], np.zeros(len(signals), dtype=np.bool_)
    for n, take in enumerate(given):
        weight, named = signal_weights(take.weight, signals, frames, f"weight of take {n + 1}")
        weights.append(weight)
        single |= named
    plain = all(_is_one(take) for take in given) and not single.any() and space == "rotvec"
    if start not in STARTS:
        raise InputError(f"start must be one of {', '.join(STARTS)}, but is {start!r}")
    if path not in PATHS:
        raise InputError(f"path must be one of {', '.join(PATHS)}, but is {path!r}")
    if all((w == w[:1]).all() for w in weights):  # one row does for all frames
        weights = [w[:1] for w in weights]
    roots = [w[:, signals.joints == 0] for w in weights]
    steps = path == "steps" or (path == "auto" and any((w != w[:1]).any() for w in roots))
    shares = weights
    if normalize:
        whole = nonzero_sum(weights, signals.names)
        shares = [weight / whole for weight in weights]
    sums_to_one = normalize or bool(np.abs(np.sum(weights, axis=0) - 1.0).max() < NOTHING)
    if plain and sums_to_one and (len(given) <= 2 or all((w >= 0).all() for w in shares)):
        blended = _on_sphere(motions, shares, signals, steps)
    else:
        frame_rate = base.frame_rate
        gains = [(gains_of(take.gains, frames, frame_rate), take.dc) for take in given]
        asked = Added(gains, normalize, space, offset, start == "first", edges, steps)
        blended = added(motions, weights, asked)
    counts = [by_joint(w, signals) != 0.0 for w in weights]
    return blended.with_(contacts=contacts_of_all(motions, counts))


def _is_one(take: BlendTake) -> bool:
    """Whether no band has a gain of its own."""
    gains = take.gains
    if isinstance(gains, Mapping):
        gains = list(gains.values())
    return take.dc == 1.0 and all(value == 1.0 for value in np.atleast_1d(gains))


def _prepared(
    motions: list[Motion], length: Length, fit: Fit, align: Align, warp: str | Mapping[str, str] | None
) -> list[Motion]:
    """All takes on one figure, at one rate, of one length, from one place."""
    if align not in ALIGNS:
        raise InputError(f"align must be one of {', '.join(ALIGNS)}, but is {align!r}")
    base = motions[0]
    for n, take in enumerate(motions):
        if len(take) == 0:
            raise InputError(f"takes must have frames, but take {n + 1} of the blend has none")
    made = [base]
    for n, take in enumerate(motions[1:]):
        made.append(at_rate(on_figure(take, base, f"take {n + 2} of the blend"), base.frame_rate))
    if warp is not None:
        from .timewarp import timewarp

        made[1:] = [timewarp(take, base, key=warp) for take in made[1:]]
    frames = common_length(made, length)
    made = [fitted(take, frames, fit) for take in made]
    if align == "start":
        made[1:] = [to_start_of(take, made[0]) for take in made[1:]]
    return made


# ---- on the sphere


def _on_sphere(
    motions: Sequence[Motion], shares: Sequence[FloatArray], signals: Signals, steps: bool
) -> Motion:
    each = np.stack([by_joint(share, signals) for share in shares])
    rotations = blend_rotations([take.rotations for take in motions], each)
    root = mean_path([take.root for take in motions], each[:, :, 0], steps=steps)
    return motions[0].with_(
        root=owned(root), rotations=owned(rotations), translations=stretches(motions, each)
    )
