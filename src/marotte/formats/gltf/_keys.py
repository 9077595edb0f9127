"""An animation from a motion: who gets a channel, and with how many keys.

What never changes gets one key, and none where it is what the node has anyway.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...figure import FloatArray
from ._build import Builder, Json
from ._clips import Path

# Rotations (quaternions) that differ by less than float32 keeps are one.
_SAME_TURN = 3e-8


def add_animation(
    builder: Builder,
    name: str,
    rate: float,
    nodes: Sequence[int],
    rotations: FloatArray,
    translations: FloatArray,
    still: tuple[FloatArray, FloatArray],
    near: float,
) -> Json:
    """The animation that gives nodes (J) their rotations (F, J, 4) and translations (F, J, 3).

    `still` is what they have without it, (J, 4) and (J, 3); translations that stay within `near`
    are one. The first node's translation has all its keys, so that the number of frames is kept.
    """
    count = len(rotations)
    times = (np.arange(count) / rate).astype(np.float32)
    keys = builder.rows(times, "SCALAR", bounds=True)
    first = keys if count == 1 else -1
    animation: Json = {
        "name": name,
        "channels": [],
        "samplers": [],
        "extras": {"marotte": {"frame_rate": rate}},
    }
    turns = _unrolled(rotations)
    turning, turned = _sorted(turns, _aligned(still[0], turns[0]), _SAME_TURN)
    moving, moved = _sorted(translations, still[1], near)
    if 0 not in moving:
        moving, moved = [0, *moving], [j for j in moved if j != 0]
    xyzw = turns[..., [1, 2, 3, 0]]
    if (turned or moved) and first < 0:
        first = builder.rows(times[:1], "SCALAR", bounds=True)
    tracks: tuple[tuple[Path, str, FloatArray, int, list[int]], ...] = (
        ("rotation", "VEC4", xyzw, keys, turning),
        ("translation", "VEC3", translations, keys, moving),
        ("rotation", "VEC4", xyzw[:1], first, turned),
        ("translation", "VEC3", translations[:1], first, moved),
    )
    for path, kind, values, times_of, joints in tracks:
        if not joints:
            continue
        block: NDArray[np.float32] = np.ascontiguousarray(
            values[:, joints].transpose(1, 0, 2), dtype=np.float32
        )
        view = builder.view(block.data.cast("B"))
        for at, joint in enumerate(joints):
            output = builder.accessor(view, block[at], kind, offset=at * block[at].nbytes)
            animation["channels"].append(
                {"sampler": len(animation["samplers"]), "target": {"node": nodes[joint], "path": path}}
            )
            animation["samplers"].append({"input": times_of, "output": output, "interpolation": "LINEAR"})
    return animation


def _unrolled(rotations: FloatArray) -> FloatArray:
    """The same rotations with signs by which neighbours in time lie close.

    Programs that mix numbers between keys, one by one, would spin a joint the long way else.
    """
    opposed = np.einsum("fjk,fjk->fj", rotations[1:], rotations[:-1]) < 0
    if not opposed.any():
        return rotations
    signs = np.ones(rotations.shape[:2])
    signs[1:] = np.where(np.cumsum(opposed, axis=0) % 2, -1.0, 1.0)
    return rotations * signs[..., None]


def _aligned(still: FloatArray, first: FloatArray) -> FloatArray:
    """Quaternions (J, 4) with the signs that lie nearer to others."""
    return np.where((still * first).sum(-1, keepdims=True) < 0, -still, still)


def _sorted(values: FloatArray, still: FloatArray, near: float) -> tuple[list[int], list[int]]:
    """Which of (F, J, n) change, and which stay at what is not the still one."""
    changes = np.abs(values - values[:1]).max(axis=(0, 2)) > near
    differs = np.abs(values[0] - still).max(axis=-1) > near
    return np.flatnonzero(changes).tolist(), np.flatnonzero(~changes & differs).tolist()
