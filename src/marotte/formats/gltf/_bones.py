"""How nodes are turned at rest, so that each bone lies along its node's own Y axis.

Joints of ours are not turned at rest, and files could say the same. But Blender draws a bone along
the Y axis of its node, whatever hangs on it: an armature of such nodes would be a field of spikes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...figure import FloatArray
from ...figure.rotations import between

_ALONG = np.array([0.0, 1.0, 0.0])


def bone_turns(parents: Sequence[int], offsets: FloatArray, tips: dict[int, FloatArray]) -> FloatArray:
    """(J, 4) orientations in the world that turn Y the shortest way to where each bone leads.

    `offsets` (J, 3) and `tips` (3,), by joint, are along the world's axes. A joint that several hang
    on follows the most upright of them if it is a trunk of a body, and so is not turned far; one
    that nothing hangs on goes on as its parent does.
    """
    children: list[list[int]] = [[] for _ in parents]
    for joint, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(joint)
    leads = np.tile(_ALONG, (len(parents), 1))
    for joint, parent in enumerate(parents):
        ways = [offsets[child] for child in children[joint]]
        if not ways and joint in tips:
            ways = [tips[joint]]
        ways = [way for way in ways if float(np.linalg.norm(way)) > 0.0]
        if ways:
            leads[joint] = max(ways, key=lambda way: float(way[1] / np.linalg.norm(way)))
        elif parent >= 0:
            leads[joint] = leads[parent]
    return between(_ALONG, leads)
