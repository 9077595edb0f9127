"""What a format can be told, said once: its name, what it does, what it takes.

Python's `load` and `save`, the command line and its help, and forms are made from these. They
stand here without pydantic, which alone would cost `marotte info` a fifth of its time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..errors import InputError, UnknownNameError

Kind = Literal["text", "number", "whole number", "yes or no", "file"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One option of a format: a keyword of its functions, a flag of the command line."""

    name: str
    effect: str
    """What it does, as a sentence without its full stop."""
    kind: Kind = "text"
    choices: tuple[str, ...] = ()
    """The values there are, where only some are."""
    example: str = ""

    @property
    def flag(self) -> str:
        """As it is written on the command line."""
        return "--" + self.name.replace("_", "-")

    def value(self, text: str) -> Any:
        """The value that a text means: what a command line or a form gives."""
        if self.choices and text not in self.choices:
            raise InputError(f"{self.flag} must be one of {', '.join(self.choices)}, but is {text!r}")
        if self.kind in ("number", "whole number"):
            try:
                number = float(text) if self.kind == "number" else int(text)
            except ValueError:
                number = math.nan
            if not math.isfinite(number):
                raise InputError(f"{self.flag} must be a {self.kind}, but is {text!r}")
            return number
        return text


FRAME_RATE = Asked(
    "frame_rate",
    "Frames a second of a file that does not say its own, or at which its keys are sampled",
    "number",
    example="120",
)
SKELETON = Asked(
    "skeleton",
    "File with the skeleton that a file without one moves; looked for beside it if left out",
    "file",
    example="07.asf",
)
CLIP = Asked(
    "clip", "Name or number, from 0, of the animation to read from a file of several", example="Walk"
)
BODY = Asked(
    "body",
    "File whose meshes and skeleton are kept and given the motion; that of the input if left out, "
    "`none` for bones alone",
    "file",
    example="hero.glb",
)
QUATERNION = Asked(
    "quaternion",
    "Order of the numbers of a rotation, in a file that does not say it",
    choices=("wxyz", "xyzw"),
)
ANGLES = Asked("angles", "Unit of the angles, in a file that does not say it", choices=("rad", "deg"))
BODY_MODEL = Asked(
    "body_model",
    "Body model (.npz) whose joints SMPL parameters move; a body of average build if left out",
    "file",
    example="SMPLH_MALE.npz",
)
DECIMALS = Asked(
    "decimals", "Places that numbers have at most; as many as matter if left out", "whole number"
)
WRITTEN_ANGLES = Asked(
    "angles",
    "Unit of the angles that are written; deg for Acclaim and rad for CSV if left out",
    choices=("rad", "deg"),
)
WRITTEN_QUATERNION = Asked(
    "quaternion",
    "Order of the numbers of a rotation as it is written; wxyz if left out",
    choices=("wxyz", "xyzw"),
)
WRITTEN_SKELETON = Asked(
    "skeleton",
    "File of the skeleton to write beside a motion, or to use if it is there and fits;"
    " the motion's own name if left out",
    "file",
    example="07.asf",
)


def chosen(asked: Iterable[Asked], given: Mapping[str, Any], form: str) -> dict[str, Any]:
    """The options that were given (None is none), when the format has them all."""
    names = [option.name for option in asked]
    found = {name: value for name, value in given.items() if value is not None}
    for name in found:
        if name not in names:
            if not names:
                raise InputError(f"{form} files have no options of their own, but {name!r} was given")
            raise UnknownNameError(f"option of {form} files", name, names)
    return found
