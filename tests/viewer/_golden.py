"""Numbers that the front end must arrive at as well: a small take, and where its joints are.

python -m tests.viewer._golden      writes web/test/golden.json anew
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from marotte.figure import EndSite, Motion, Point, Skeleton
from marotte.viewer import take_payload

GOLDEN = Path(__file__).resolve().parents[2] / "web" / "test" / "golden.json"


def small_take() -> Motion:
    """A branching tree with stretching bones, turning at random: nothing in it is symmetrical."""
    rng = np.random.default_rng(7)
    parents = np.array([-1, 0, 1, 2, 1, 0, 5])
    frames, joints = 5, len(parents)
    rotations = rng.normal(size=(frames, joints, 4))
    rotations[2] = -rotations[1] + 0.05 * rng.normal(size=(joints, 4))  # the same turns, other signs
    rotations /= np.linalg.norm(rotations, axis=-1, keepdims=True)
    return Motion(
        Skeleton(
            names=tuple("abcdefg"),
            parents=parents,
            offsets=rng.normal(scale=0.3, size=(joints, 3)),
            ends=(EndSite(3, (0.1, 0.0, 0.2)), EndSite(6, (0.0, 0.15, 0.0))),
        ),
        root=rng.normal(size=(frames, 3)),
        rotations=rotations,
        frame_rate=24.0,
        translations=rng.normal(scale=0.05, size=(frames, joints, 3)),
        name="small",
        points=(Point("tip", 3, (0.1, 0.0, 0.2)),),
    )


def golden() -> dict[str, Any]:
    """The payload of that take and what it comes to, as plain values."""
    motion = small_take()
    positions, orientations = motion.world()
    return {
        "payload": take_payload(motion).model_dump(mode="json"),
        "positions": positions.round(7).tolist(),
        "orientations_xyzw": np.roll(orientations, -1, axis=-1).round(7).tolist(),
        "ends": motion.end_positions().round(7).tolist(),
    }


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(golden(), indent=1) + "\n", encoding="utf-8")
