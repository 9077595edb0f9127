"""Blends as sums of signals: band by band, channel by channel, with weights that need not be shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..figure import FloatArray, Motion
from ..figure._arrays import owned
from ._sums import by_joint, nonzero_sum, stretches, weighted_sum, with_steps
from .bands import Edges, decompose, equalized
from .spaces import Signals, Space, signals_of
from .sphere import blend_rotations


@dataclass(frozen=True, slots=True, eq=False)
class Added:
    """How signals are to be added."""

    gains: Sequence[tuple[FloatArray, float]]
    """Of each take: (B,) its bands' gains, and that of the smoothest level."""
    normalize: bool
    space: Space
    offset: bool
    on_first: bool
    """Whether movement starts from the first take's first frame, whatever the weights."""
    edges: Edges
    steps: bool
    """Whether the root goes on by the sum of steps."""


def added(motions: Sequence[Motion], weights: Sequence[FloatArray], asked: Added) -> Motion:
    """The blend of takes of one length with weights (F, C)."""
    each = _signals(motions, asked)
    first = each[0]
    # the root's path has weights but no gains: slow bands would send the figure elsewhere
    gained = first.joints != 0
    tables = [np.where(gained[:, None], [*gains, dc], 1.0) for gains, dc in asked.gains]
    values = _moving(each, weights, tables, asked)
    counted = [w * table[:, -1] for w, table in zip(weights, tables, strict=True)]
    if asked.on_first:
        counted = [np.full_like(c, float(n == 0)) for n, c in enumerate(counted)]
    begin = _shares_of_start(counted)
    if asked.offset:
        values += weighted_sum([signals.origin for signals in each], begin)
    root = [f"{first.motion.skeleton.names[0]}.t{axis}" for axis in "xyz"]
    if asked.steps and all(name in first.names for name in root):
        at = [first.names.index(name) for name in root]
        roots = [s.absolute[:, at] for s in each]
        used = np.stack([w[:, at] for w in weights])
        if asked.normalize:
            used /= used.sum(axis=0)
        values[:, at] = with_steps(values[:, at], roots, used)
    blended = first.to_motion(values - first.origin)
    if asked.space == "position":  # bones have been stretched to where they had to be
        return blended
    shares = np.stack([by_joint(b, first, missing=float(n == 0)) for n, b in enumerate(begin)])
    return blended.with_(translations=stretches(motions, shares))


def _signals(motions: Sequence[Motion], asked: Added) -> list[Signals]:
    """Signals of all takes, rotation vectors about what the first frames have in common."""
    reference = None
    if asked.offset and asked.space == "rotvec":
        even = np.full((len(motions), 1, 1), 1.0 / len(motions))
        reference = blend_rotations([take.rotations[:1] for take in motions], even)[0]
    made = [signals_of(take, asked.space, offset=asked.offset, reference=reference) for take in motions]
    if asked.space != "euler":
        return made
    return [made[0], *(_without_turns(signals, made[0], asked.offset) for signals in made[1:])]


def _without_turns(signals: Signals, first: Signals, offset: bool) -> Signals:
    """A take's angles, less the whole turns that they begin apart from those of the first take."""
    degrees = np.array([unit == "deg" for unit in first.motion.channels().units])
    apart = np.where(degrees, signals.absolute[0] - first.absolute[0], 0.0)
    turns = 360.0 * np.round(apart / 360.0)
    absolute = owned(signals.absolute - turns)
    return replace(signals, absolute=absolute, origin=signals.origin - turns if offset else signals.origin)


def _moving(
    each: Sequence[Signals], weights: Sequence[FloatArray], tables: Sequence[FloatArray], asked: Added
) -> FloatArray:
    """(F, C) the sum over takes and bands: weight times gain times band, or their share of it."""
    if not asked.normalize:
        return _products(each, weights, tables, asked)
    if all(np.array_equal(table, tables[0]) for table in tables):  # gains that all have cancel out
        whole = nonzero_sum(weights, each[0].names)
        return _products(each, [w / whole for w in weights], [np.ones_like(t) for t in tables], asked)
    if all((w == w[:1]).all() for w in weights):
        parts = [(w[0][:, None] * table).T for w, table in zip(weights, tables, strict=True)]
        whole = nonzero_sum(parts, each[0].names)
        shares = [np.ascontiguousarray((part / whole).T) for part in parts]
        return _products(each, [np.ones_like(w) for w in weights], shares, asked)
    levels = [decompose(s.values, edges=asked.edges) for s in each]
    out = np.zeros_like(each[0].values)
    for k in range(tables[0].shape[1]):
        parts = [w * table[:, k] for w, table in zip(weights, tables, strict=True)]
        whole = nonzero_sum(parts, each[0].names)
        for part, level in zip(parts, levels, strict=True):
            band = level.residue if k == len(level.levels) - 1 else level.levels[k] - level.levels[k + 1]
            out += part / whole * band.T
    return out


def _products(
    each: Sequence[Signals], weights: Sequence[FloatArray], tables: Sequence[FloatArray], asked: Added
) -> FloatArray:
    made = [
        equalized(s.values, table[:, :-1], dc=table[:, -1], edges=asked.edges)
        for s, table in zip(each, tables, strict=True)
    ]
    return weighted_sum(made, weights)


def _shares_of_start(weights: Sequence[FloatArray]) -> list[FloatArray]:
    """(F, C) each take's share of the pose that movement starts from, by what its smoothest level counts.

    It is the first take's where no take counts.
    """
    counted = [np.maximum(w, 0.0) for w in weights]
    whole = np.sum(counted, axis=0)
    none = whole <= 0.0
    shares = [np.where(none, 0.0, w / np.where(none, 1.0, whole)) for w in counted]
    shares[0] = np.where(none, 1.0, shares[0])
    return shares
