"""A walk with more swing in it slides, until its feet are held.

python examples/03_held_feet.py [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path

import marotte as mt


def takes() -> tuple[mt.Motion, mt.Motion]:
    """A walk with its middle bands turned up, and the same with its feet held."""
    walk = mt.samples.walk(seconds=4)
    lively = mt.Equalize(gains=[1, 1, 1.3, 1.2, 1]).apply(walk)
    return lively, mt.LockFeet().apply(lively)


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    folder.mkdir(parents=True, exist_ok=True)
    lively, held = takes()
    print(*held.source.notes, sep="\n")
    print(mt.report(before=lively, after=held))
    mt.save(held, folder / "held.bvh")
