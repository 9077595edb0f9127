"""Weighted sums of what several takes have: weights by joint, paths of roots, stretched bones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from ..figure import FloatArray, Motion
from ._ground import LEVEL
from .spaces import Signals

NOTHING = 1e-9  # a sum of weights, relative to their sizes, that nothing should be divided by


def weighted_sum(values: Sequence[FloatArray], weights: FloatArray | Sequence[FloatArray]) -> FloatArray:
    """The sum of each weight times its value."""
    out = weights[0] * values[0]
    for value, weight in zip(values[1:], weights[1:], strict=True):
        out = out + weight * value
    return np.asarray(out)


def nonzero_sum(weights: Sequence[FloatArray], names: Sequence[str]) -> FloatArray:
    """(F, C) the sum of weights (F, C), refused where it is nothing. One row may stand for all frames."""
    total = np.sum(weights, axis=0)
    sizes = np.sum([np.abs(w) for w in weights], axis=0)
    gone = np.abs(total) <= NOTHING * np.where(sizes > 0, sizes, 1.0)
    if gone.any():
        f, c = (int(i) for i in np.argwhere(gone)[0])
        raise InputError(
            f"weights and gains that are normalised must not sum to zero, but do at frame {f} for "
            f"{names[c]!r}; change them, or switch normalize off"
        )
    return np.asarray(total)


def by_joint(weights: FloatArray, signals: Signals, *, missing: float = 0.0) -> FloatArray:
    """(F, J) the weight of each joint's rotation, from those of its signals (F, C).

    `missing` is that of joints that no signal moves.
    """
    last = np.zeros(len(signals.motion.skeleton), dtype=np.int64)
    last[signals.joints] = np.arange(len(signals))  # of the root, the rotation comes after the path
    out = weights[:, last]
    out[:, ~np.isin(np.arange(len(last)), signals.joints)] = missing
    return out


def mean_path(roots: Sequence[FloatArray], shares: FloatArray, *, steps: bool) -> FloatArray:
    """(F, 3) the root by shares (N, F) of the takes' roots (F, 3)."""
    each = shares[..., None]
    out = weighted_sum(roots, each)
    return with_steps(out, roots, each) if steps else out


def with_steps(out: FloatArray, roots: Sequence[FloatArray], weights: FloatArray) -> FloatArray:
    """A path (F, 3) that begins as before and goes on, over the ground, by the sum of weighted steps.

    weights (N, F, 3 or 1) act on each step as they are between its two frames.
    """
    each = np.broadcast_to(weights, (len(roots), len(out), weights.shape[2]))
    between = 0.5 * (each[:, 1:] + each[:, :-1])
    steps = weighted_sum([np.diff(root, axis=0) for root in roots], between)
    gone = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    return np.where(LEVEL > 0, out[0] + gone, out)


def stretches(motions: Sequence[Motion], shares: FloatArray) -> FloatArray | None:
    """Translations by shares (N, F, J); None where no take moves its joints."""
    if all(take.translations is None for take in motions):
        return None
    still = np.zeros((*motions[0].rotations.shape[:2], 3))
    each = [still if take.translations is None else take.translations for take in motions]
    return weighted_sum(each, shares[..., None])
