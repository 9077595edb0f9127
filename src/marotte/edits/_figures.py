"""Figures that an edit names: built-in characters, files of anything with a skeleton, or values.

An option of the type `OtherFigure` is given as the name of a built-in character or of a file, or in
Python as a skeleton, or as a motion whose skeleton and rig are meant:

    to: OtherFigure = option(..., "the figure to put the motion on", example="sally")
    self.to.figure()       # a Skeleton, or a Motion with the rig and the body of its file
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Self

from ..errors import InputError
from ..figure import Motion, Skeleton
from ..samples import character, characters
from ._others import OtherTake


class OtherFigure(OtherTake):
    """A character: built in, in a file of any format that can be read, or at hand."""

    KIND: ClassVar[str] = "character or file"
    __slots__ = ("name", "skeleton")

    def __init__(
        self,
        path: Path | None,
        motion: Motion | None = None,
        *,
        moves: bool = False,
        name: str = "",
        skeleton: Skeleton | None = None,
    ) -> None:
        super().__init__(path, motion, moves=moves)
        self.name = name
        """Of a built-in character; empty otherwise."""
        self.skeleton = skeleton

    def _key(self) -> object:
        return (*(super()._key(),), self.name, id(self.skeleton) if self.skeleton is not None else None)

    def __str__(self) -> str:
        return self.name or ("a skeleton" if self.skeleton is not None else super().__str__())

    def __repr__(self) -> str:
        return repr(str(self))

    @classmethod
    def made(cls, value: Any, folder: Path | None) -> Self:
        """The option's value from a character's or a file's name, a skeleton or a motion."""
        if isinstance(value, str) and value in characters():
            return cls(None, name=value)
        if isinstance(value, Skeleton):
            return cls(None, skeleton=value)
        return super().made(value, folder)

    @classmethod
    def _wanted(cls) -> str:
        return f"a character ({', '.join(characters())}), the name of a file, a Skeleton or a Motion"

    def written(self, folder: Path | None) -> str:
        """How a recipe names it; what only memory holds has no name."""
        if self.name:
            return self.name
        if self.skeleton is not None:
            raise InputError(
                "a recipe names figures by their files, but a Skeleton was given; save a motion of it with "
                "marotte.save and give the file's name instead"
            )
        return super().written(folder)

    def figure(self) -> Skeleton | Motion:
        """The figure: a file's with the rig that was found in it."""
        if self.name:
            return character(self.name)
        if self.skeleton is not None:
            return self.skeleton
        if self.path is not None and not self.path.suffix and not self.path.exists():
            raise InputError(
                f"to must be a character ({', '.join(characters())}) or a file, but is {str(self.path)!r}"
            )
        return self.motion()
