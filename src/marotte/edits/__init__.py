"""Edits: one frozen model each, nothing but its options and the call into a room below.

Belongs here: options with unit, range, default, effect and example, and `apply`.
Does not belong here: algorithms; they live in figure, signals, constraints, fitting, latent, …

To add one: write the model in a file of its own and name it in EDITS. The command, the recipe
step, the page of the reference and the Studio's form follow from it.
"""

from __future__ import annotations

from ._base import Edit, Progress
from .blend import Blend
from .concatenate import Concatenate
from .constrain import Constrain
from .crop import Crop
from .curve import Curve
from .displace import Displace
from .equalize import Equalize
from .fit import Fit
from .limit import Limit
from .lock_feet import LockFeet
from .loop import Loop
from .mirror import Mirror
from .morph import Morph
from .resample import Resample
from .retarget import Retarget
from .reverse import Reverse
from .terrain import Terrain
from .timewarp import Timewarp
from .transition import Transition
from .waveshape import Waveshape

EDITS: dict[str, type[Edit]] = {
    edit.op: edit
    for edit in (
        Crop,
        Resample,
        Loop,
        Mirror,
        Reverse,
        Equalize,
        Blend,
        Timewarp,
        Waveshape,
        Displace,
        Concatenate,
        Limit,
        Constrain,
        Curve,
        Fit,
        LockFeet,
        Retarget,
        Terrain,
        Morph,
        Transition,
    )
}
"""Every edit by the word that names it in recipes and commands, in the order of help."""

__all__ = [
    "EDITS",
    "Blend",
    "Concatenate",
    "Constrain",
    "Crop",
    "Curve",
    "Displace",
    "Edit",
    "Equalize",
    "Fit",
    "Limit",
    "LockFeet",
    "Loop",
    "Mirror",
    "Morph",
    "Progress",
    "Resample",
    "Retarget",
    "Reverse",
    "Terrain",
    "Timewarp",
    "Transition",
    "Waveshape",
]
