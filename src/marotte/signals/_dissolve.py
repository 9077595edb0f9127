"""The multiresolution dissolve: slow bands go over in a long time, quick ones in a short one.

BW95 (section 6) concatenates band by band, as images are merged without seams (Burt and Adelson):
a band goes over in about the time of its own waves, which keeps quick movement crisp and lets slow
movement take the whole overlap.
"""

from __future__ import annotations

import numpy as np

from ..figure import FloatArray, Motion, from_rotation_vectors, rotation_vectors
from ..figure.rotations import slerp
from .bands import decompose


def smooth(frames: int) -> FloatArray:
    """(F,) from 0 to 1 with no slope at either end."""
    if frames == 1:
        return np.full(1, 0.5)
    u = np.linspace(0.0, 1.0, frames)
    return np.asarray(u * u * (3.0 - 2.0 * u))


def zones(overlap: int) -> list[int]:
    """Frames in which bands go over, finest first, as long as they are fewer than the overlap."""
    out: list[int] = []
    while 2 ** (len(out) + 2) + 1 < overlap:  # a wave of band k is about 2^(k+2) frames long
        out.append(2 ** (len(out) + 2) + 1)
    return out


def dissolved(
    before: Motion, after: Motion, first: int, begin: int, overlap: int
) -> tuple[FloatArray, FloatArray]:
    """The root (N, 3) and rotations (N, J, 4) of the N frames in which both overlap."""
    short = zones(overlap)
    margin = 2 << len(short)  # what the slowest of these bands reaches beyond a frame
    middle = overlap // 2
    reference = slerp(before.rotations[first + middle], after.rotations[begin + middle], 0.5)
    parts = []
    for motion, at in ((before, first), (after, begin)):
        frames = np.clip(np.arange(at - margin, at + overlap + margin), 0, len(motion) - 1)
        vectors = _about_middle(motion.rotations[frames], reference, margin + middle)
        signals = np.concatenate([motion.root[frames], vectors.reshape(len(frames), -1)], axis=1)
        parts.append(decompose(signals, edges="hold", bands=len(short)))
    inside = slice(margin, margin + overlap)
    x, y = (part.residue[:, inside] for part in parts)
    share = smooth(overlap)
    out = (1.0 - share) * x + share * y
    bands = [part.bands[..., inside] for part in parts]
    for k, zone in enumerate(short):
        share = _within(overlap, zone)
        out += (1.0 - share) * bands[0][k] + share * bands[1][k]
    values = np.ascontiguousarray(out.T)
    vectors = np.ascontiguousarray(values[:, 3:]).reshape(overlap, -1, 3)
    return values[:, :3], from_rotation_vectors(vectors, reference)


def _within(overlap: int, zone: int) -> FloatArray:
    """(F,) from 0 to 1 within a zone about the middle."""
    start = (overlap - zone) // 2
    out = np.zeros(overlap)
    out[start : start + zone] = smooth(zone)
    out[start + zone :] = 1.0
    return out


def _about_middle(rotations: FloatArray, reference: FloatArray, middle: int) -> FloatArray:
    """Rotation vectors (F, J, 3) without jumps, counted from the frame where both takes are alike."""
    ahead = rotation_vectors(rotations[middle:], reference)
    back = rotation_vectors(np.ascontiguousarray(rotations[middle::-1]), reference)[::-1]
    return np.concatenate([back[:-1], ahead])
