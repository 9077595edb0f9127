"""Writing NPZ: our own layout, which loses nothing."""

from __future__ import annotations

import os
from pathlib import Path

from ..._files import atomic_write
from ...errors import InputError
from ...figure import Motion
from .._notes import Progress
from ..units import unit_factor
from ._own import write_members


def write_npz(
    motion: Motion,
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    progress: Progress | None = None,
) -> tuple[str, ...]:
    """Write everything that a motion holds, so that loading gives the very same motion.

    Such files are in metres with Y up; another `unit` or `up` is refused.
    """
    if unit is not None and unit_factor(unit) != 1.0:
        raise InputError(f"an NPZ is written in metres, but unit is {unit}")
    if up is not None and up.strip().lower() != "y":
        raise InputError(f"an NPZ is written with Y up, but up is {up!r}")
    target = Path(path)
    with atomic_write(target.resolve() if target.is_symlink() else target) as stream:
        write_members(motion, stream)
    if progress is not None:
        progress(1.0)
    return ()
