"""Clips become one motion (LS99 figure 5e): walk, sneak and walk; and start, walk, turn left, stop.

    python examples/02_transitions.py [FOLDER]

Where clips meet is found; while both are there, time is warped so that their steps coincide, and
planted feet are held.
"""

from __future__ import annotations

import sys
from pathlib import Path

import marotte as mt


def sneaking() -> mt.Motion:
    """From walking to sneaking and back."""
    walk = mt.samples.walk(seconds=4, frame_rate=30)
    sneak = mt.samples.walk(style="sneak", seconds=4, frame_rate=30)
    return mt.Transition(takes=[sneak, walk]).apply(walk)


def chain() -> mt.Motion:
    """Start, walk, turn left, stop."""
    walk = mt.samples.walk(seconds=4, frame_rate=30)
    left = mt.samples.walk(turn=40, seconds=4, frame_rate=30)
    stand = mt.samples.sway(frame_rate=30)[:60]
    return mt.Transition(takes=[walk, left, stand], search=1.0).apply(stand)


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    folder.mkdir(parents=True, exist_ok=True)
    for name, made in (("sneaking", sneaking()), ("chain", chain())):
        print(name, *made.source.notes, sep="\n  ")
        mt.save(made, folder / f"{name}.bvh")
