"""An animation from a motion: who gets a channel, and with how many keys.

What never changes gets one key, and none where it is what the node has anyway. Rotations get signs by
which neighbours in time lie close: programs that mix the numbers between keys, one by one, would
spin a joint the long way else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...figure import FloatArray, IntArray
from ...figure.rotations import unroll
from ._build import Builder, Json
from ._clips import Path
from ._own import clip_extras

# Rotations (quaternions) that differ by less than float32 keeps are one.
_SAME_TURN = 3e-8


def add_animation(
    builder: Builder,
    name: str,
    rate: float,
    nodes: Sequence[int],
    rotations: FloatArray,
    translations: Mapping[int, FloatArray],
    still: tuple[FloatArray, FloatArray],
    near: float,
    start: float = 0.0,
) -> Json:
    """The animation that gives nodes (J) their rotations (F, J, 4) and some of them translations (F, 3).

    A translation of one row never changes. `still` is what the nodes have without it, (J, 4) and
    (J, 3); translations that stay within `near` are one. Frame 0 is at `start` seconds. The first
    node's translation has all its keys, so that the number of frames is kept.
    """
    count = len(rotations)
    times = (start + np.arange(count) / rate).astype(np.float32)
    keys = builder.rows(times, "SCALAR", bounds=True)
    animation: Json = {
        "name": name,
        "channels": [],
        "samplers": [],
        "extras": clip_extras(rate),
    }
    turns = unroll(rotations)
    changing = np.ptp(turns, axis=0).max(axis=-1) > 2.0 * _SAME_TURN
    turned = ~changing & (np.abs(_aligned(still[0], turns[0]) - turns[0]).max(axis=-1) > _SAME_TURN)
    moving, moved = [], []
    for joint, places in translations.items():
        if joint == 0 or float(np.ptp(places, axis=0).max()) > 2.0 * near:
            moving.append(joint)
        elif float(np.abs(places[0] - still[1][joint]).max()) > near:
            moved.append(joint)
    moves = np.array([translations[joint] for joint in moving])
    stands = np.array([translations[joint][:1] for joint in moved])
    tracks: tuple[tuple[Path, str, FloatArray, list[int]], ...] = (
        ("rotation", "VEC4", _blocks(turns, np.flatnonzero(changing)), np.flatnonzero(changing).tolist()),
        ("translation", "VEC3", moves, moving),
        ("rotation", "VEC4", _blocks(turns[:1], np.flatnonzero(turned)), np.flatnonzero(turned).tolist()),
        ("translation", "VEC3", stands, moved),
    )
    first = keys if count == 1 else -1
    for kind, (path, shape, values, joints) in enumerate(tracks):
        if not joints:
            continue
        if kind >= 2 and first < 0:
            first = builder.rows(times[:1], "SCALAR", bounds=True)
        block: NDArray[np.float32] = np.ascontiguousarray(values, dtype=np.float32)
        view = builder.view(block.data.cast("B"))
        for at, joint in enumerate(joints):
            output = builder.accessor(view, block[at], shape, offset=at * block[at].nbytes)
            animation["channels"].append(
                {"sampler": len(animation["samplers"]), "target": {"node": nodes[joint], "path": path}}
            )
            animation["samplers"].append(
                {"input": first if kind >= 2 else keys, "output": output, "interpolation": "LINEAR"}
            )
    return animation


def _blocks(turns: FloatArray, joints: IntArray) -> FloatArray:
    """(n, F, 4) as x, y, z, w: the turns of some joints, one joint after the other."""
    return np.asarray(turns[:, joints][..., [1, 2, 3, 0]].transpose(1, 0, 2))


def _aligned(still: FloatArray, first: FloatArray) -> FloatArray:
    """Quaternions (J, 4) with the signs that lie nearer to others."""
    return np.where((still * first).sum(-1, keepdims=True) < 0, -still, still)
