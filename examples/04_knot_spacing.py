"""One pose of a walk is changed: the hips go down, the body bends; how far around that is felt is
a matter of the knots (LS99 figure 2).

    python examples/04_knot_spacing.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

import marotte as mt
from marotte.fitting import reach

FRAME = 60
SPACINGS = (4, 6, 12)


def bent(spacing: int) -> mt.Motion:
    """The walk with its hips 15 cm lower and its head 30 cm lower and ahead at one frame."""
    walk = mt.samples.walk(seconds=4, frame_rate=30)
    feet = [role for role in ("left_foot", "right_foot") if any(
        c.role == role and c.first <= FRAME <= c.last for c in walk.contacts or ())]  # fmt: skip
    goals = f"{FRAME} hips move 0 -0.15 0; {FRAME} head move 0 -0.3 0.25"
    goals += "".join(f"; {FRAME} {foot} move 0 0 0" for foot in feet)
    fitted = mt.Fit(goals=goals, spacing=spacing, levels=1, exact=False).apply(walk)
    return mt.LockFeet().apply(fitted)  # frames between are told nothing of feet


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    folder.mkdir(parents=True, exist_ok=True)
    for spacing in SPACINGS:
        first, last = reach(FRAME, spacing)
        print(f"a knot every {spacing} frames: frames {first} to {last} may move")
        mt.save(bent(spacing), folder / f"bent_{spacing}.bvh")
