"""Compiled arithmetic: arrays and scalars in, arrays out, nothing else.

Belongs here: loops over frames, joints or characters that must be fast, one topic a module.
Does not belong here: validation, allocation, messages, files, or any other room of Marotte.

Modules load on first use (`kernels.forward.place_frames(...)`), so that what needs no compiled
code, such as `marotte info`, never pays for the compiler's import.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import bands as bands
    from . import blend as blend
    from . import carry as carry
    from . import compiling as compiling
    from . import contacts as contacts
    from . import euler as euler
    from . import forward as forward
    from . import quaternions as quaternions
    from . import surfaces as surfaces
    from . import text as text
    from . import warping as warping


def __getattr__(name: str) -> ModuleType:
    if not name.startswith("_") and (Path(__file__).parent / f"{name}.py").is_file():
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
