"""Marotte edits the motion you have instead of capturing it again.

    import marotte as mt

    walk = mt.load("walk.bvh")
    brisk = mt.Resample(rate=60).apply(walk)
    mt.save(brisk, "brisk.bvh")

Lengths are metres, angles radians, times seconds; Y is up, quaternions are (w, x, y, z). The
conventions have a page of their own: docs/conventions.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import samples as samples
    from .constraints import find_violations
    from .edits import (
        EDITS,
        Blend,
        Concatenate,
        Constrain,
        Crop,
        Curve,
        Displace,
        Edit,
        Equalize,
        Fit,
        Limit,
        LockFeet,
        Loop,
        Mirror,
        Morph,
        Resample,
        Retarget,
        Reverse,
        Terrain,
        Timewarp,
        Transition,
        Waveshape,
    )
    from .errors import (
        FileError,
        InputError,
        MarotteError,
        MissingPartError,
        RecipeError,
        UnknownNameError,
        UnmetRulesError,
    )
    from .figure import Channels, Contact, Motion, Point, Pose, Rig, Scene, Skeleton
    from .formats import load, save
    from .quality import Report, report
    from .recipe import Recipe

__version__ = "0.1.0"

# Names load on first use: `import marotte` stays quick whatever the package grows to.
_HOMES = {
    "constraints": ("find_violations",),
    "edits": (
        "Blend",
        "Concatenate",
        "Constrain",
        "Crop",
        "Curve",
        "Displace",
        "EDITS",
        "Edit",
        "Equalize",
        "Fit",
        "Limit",
        "LockFeet",
        "Loop",
        "Mirror",
        "Morph",
        "Resample",
        "Retarget",
        "Reverse",
        "Terrain",
        "Timewarp",
        "Transition",
        "Waveshape",
    ),
    "errors": (
        "FileError",
        "InputError",
        "MarotteError",
        "MissingPartError",
        "RecipeError",
        "UnknownNameError",
        "UnmetRulesError",
    ),
    "figure": ("Channels", "Contact", "Motion", "Point", "Pose", "Rig", "Scene", "Skeleton"),
    "formats": ("load", "save"),
    "recipe": ("Recipe",),
    "quality": ("Report", "report"),
}
_ROOMS = ("constraints", "edits", "errors", "figure", "formats", "quality", "recipe", "samples")
_HOME_OF = {name: room for room, names in _HOMES.items() for name in names}

__all__ = [
    "EDITS",
    "Blend",
    "Channels",
    "Concatenate",
    "Constrain",
    "Contact",
    "Crop",
    "Curve",
    "Displace",
    "Edit",
    "Equalize",
    "FileError",
    "Fit",
    "InputError",
    "Limit",
    "LockFeet",
    "Loop",
    "MarotteError",
    "Mirror",
    "MissingPartError",
    "Morph",
    "Motion",
    "Point",
    "Pose",
    "Recipe",
    "RecipeError",
    "Report",
    "Resample",
    "Retarget",
    "Reverse",
    "Rig",
    "Scene",
    "Skeleton",
    "Terrain",
    "Timewarp",
    "Transition",
    "UnknownNameError",
    "UnmetRulesError",
    "Waveshape",
    "__version__",
    "find_violations",
    "load",
    "report",
    "samples",
    "save",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        return getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *globals()})
