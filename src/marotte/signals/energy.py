"""Where the movement of a take lives: in which bands and which joints (L97 6.1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..figure import FloatArray, Motion
from ..figure._arrays import owned
from .bands import Edges, band_edges, decompose
from .spaces import signals_of

LEAST_PEAK = 0.2  # degrees: what is less in a band is not told as a peak
DIP = 1.1  # a peak stands at least this many times above what lies between it and a stronger one


@dataclass(frozen=True, slots=True, eq=False)
class BandEnergy:
    """How much each joint turns in each band."""

    joints: tuple[str, ...]
    edges: FloatArray
    """(B, 2) lowest and highest frequency of each band, Hz."""
    rms: FloatArray
    """(J, B) root of the mean square of each joint's rotation in each band, degrees."""
    times: FloatArray
    """(J, B) when each joint turns furthest in each band, seconds."""

    @property
    def shares(self) -> FloatArray:
        """(J, B) each band's share of its joint's energy; rows sum to 1, or are 0 for still joints."""
        energy = self.rms**2
        total = energy.sum(axis=1, keepdims=True)
        return np.asarray(energy / np.where(total > 0, total, 1.0))

    @property
    def total(self) -> FloatArray:
        """(J,) all bands of each joint together, degrees."""
        return np.asarray(np.sqrt((self.rms**2).sum(axis=1)))

    def peaks(self, joint: int) -> tuple[int, ...]:
        """The bands in which a joint has more than in those beside them, strongest first.

        Movement has one peak, where its rhythm is, and less and less above; another one is
        something else: a tremor, a rattle, noise of the capture.
        """
        row = self.rms[joint]
        beside = np.concatenate([[0.0], row, [0.0]])
        tops = np.flatnonzero((row >= beside[:-2]) & (row > beside[2:]) & (row >= LEAST_PEAK))
        kept: list[int] = []
        for band in sorted(tops.tolist(), key=lambda b: -row[b]):
            if all(row[min(band, k) : max(band, k) + 1].min() * DIP <= row[band] for k in kept):
                kept.append(band)
        return tuple(kept)


def band_energy(motion: Motion, *, edges: Edges = "reflect") -> BandEnergy:
    """How much each joint turns in each band: where a knock or a tremor shows (L97 6.1)."""
    signals = signals_of(motion, "rotvec", offset=True)
    joints, frames = len(motion.skeleton), len(motion)
    bands = decompose(signals.values[:, 3:], edges=edges).bands  # (B, 3J, F)
    square = (bands**2).reshape(len(bands), joints, 3, frames).sum(axis=2)
    rms = np.degrees(np.sqrt(square.mean(axis=2))).T
    times = square.argmax(axis=2).T / motion.frame_rate
    return BandEnergy(
        motion.skeleton.names,
        owned(band_edges(frames, motion.frame_rate)),
        owned(np.ascontiguousarray(rms)),
        owned(np.ascontiguousarray(times)),
    )
