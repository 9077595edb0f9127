"""Files that an edit names beside the take it works on: other takes, saved correspondences.

An option of the type `OtherTake` is given as a file's name, or in Python as a motion at hand:

    to: OtherTake = option(..., "the take whose timing is taken", example="march.bvh")
    self.to.motion()       # read with the reader of `marotte.load`, once for all takes of a batch

Names in a recipe are relative to the recipe's file, all others to the current folder.
"""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import Any, ClassVar, Self

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, SerializationInfo, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from .._options import FOLDER
from ..errors import InputError
from ..figure import Motion


class OtherFile:
    """A file that an option names. A value: equal to others that name the same file."""

    KIND: ClassVar[str] = "file"
    __slots__ = ("moves", "path")

    def __init__(self, path: Path | None, *, moves: bool = False) -> None:
        self.path = path
        """Where it is, from the current folder; None for what has no file."""
        self.moves = moves
        """Whether it was named as seen from a folder, and goes along when that folder is moved."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return repr(str(self.path))

    def __str__(self) -> str:
        return str(self.path)

    def _key(self) -> object:
        return self.path

    @classmethod
    def made(cls, value: Any, folder: Path | None) -> Self:
        """The option's value from what was given for it."""
        if isinstance(value, cls):
            return value
        if isinstance(value, (str, PurePath)) and str(value):
            return cls((folder or Path()) / value, moves=not Path(value).is_absolute())
        raise ValueError(f"must be {cls._wanted()}")

    @classmethod
    def _wanted(cls) -> str:
        return "the name of a file"

    def written(self, folder: Path | None) -> str:
        """How a recipe in the folder names it; with no folder, as seen from the current one."""
        assert self.path is not None
        if folder is None or not self.moves:
            return self.path.as_posix()
        try:
            return Path(os.path.relpath(self.path, folder)).as_posix()
        except ValueError:  # on another drive
            return self.path.absolute().as_posix()

    # ---- what option models ask of a type

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(value: Any, info: ValidationInfo) -> OtherFile:
            return cls.made(value, (info.context or {}).get(FOLDER))

        def write(value: OtherFile, info: SerializationInfo) -> Any:
            return value.written((info.context or {}).get(FOLDER))

        return core_schema.with_info_plain_validator_function(
            read,
            serialization=core_schema.plain_serializer_function_ser_schema(
                write, info_arg=True, when_used="json"
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, _: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"type": "string", "format": "path"}


class OtherTake(OtherFile):
    """Another take: a file of any format that can be read, or a motion at hand."""

    KIND: ClassVar[str] = "take"
    __slots__ = ("_given", "_read")

    def __init__(self, path: Path | None, motion: Motion | None = None, *, moves: bool = False) -> None:
        super().__init__(path, moves=moves)
        self._given = motion
        self._read: tuple[object, Motion] | None = None

    def _key(self) -> object:
        return (self.path, id(self._given) if self._given is not None else None)

    def __repr__(self) -> str:
        return repr(self._given) if self._given is not None else super().__repr__()

    def __str__(self) -> str:
        return (self._given.name or "a motion") if self._given is not None else str(self.path)

    @classmethod
    def made(cls, value: Any, folder: Path | None) -> Self:
        """The option's value from a file's name or a motion."""
        if isinstance(value, Motion):
            return cls(None, value)
        return super().made(value, folder)

    @classmethod
    def _wanted(cls) -> str:
        return "the name of a take's file, or a Motion"

    def written(self, folder: Path | None) -> str:
        """How a recipe names it; a motion that only memory holds has no name."""
        if self.path is None:
            raise InputError(
                f"a recipe names other takes by their files, but {self._given!r} was given as a Motion; "
                "save it with marotte.save and give the file's name instead"
            )
        return super().written(folder)

    def motion(self) -> Motion:
        """The take. A file is read when it is first asked for, and again only when it has changed."""
        if self._given is not None:
            return self._given
        from ..formats import load

        assert self.path is not None
        state = _state(self.path)
        if self._read is None or state is None or self._read[0] != state:
            self._read = (state, load(self.path))
        return self._read[1]


def _state(path: Path) -> object:
    """What tells a changed file from an unchanged one."""
    try:
        found = path.stat()
    except OSError:  # the reader says it better
        return None
    return (found.st_mtime_ns, found.st_size)
