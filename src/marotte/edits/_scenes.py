"""Scenes that an edit names: a file of `marotte_scene`, or in Python a scene at hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Self

from ..errors import InputError
from ..figure import Scene
from ._others import OtherFile


class SceneFile(OtherFile):
    """What figures stand on and touch."""

    KIND: ClassVar[str] = "file"
    __slots__ = ("_given",)

    def __init__(self, path: Path | None, scene: Scene | None = None, *, moves: bool = False) -> None:
        super().__init__(path, moves=moves)
        self._given = scene

    def _key(self) -> object:
        return (self.path, id(self._given) if self._given is not None else None)

    def __repr__(self) -> str:
        return "'a scene'" if self._given is not None else super().__repr__()

    @classmethod
    def made(cls, value: Any, folder: Path | None) -> Self:
        """The option's value from a file's name or a scene."""
        if isinstance(value, Scene):
            return cls(None, value)
        return super().made(value, folder)

    @classmethod
    def _wanted(cls) -> str:
        return "the name of a scene's file, or a Scene"

    def written(self, folder: Path | None) -> str:
        """How a recipe names it; a scene that only memory holds has no name."""
        if self.path is None:
            raise InputError("a recipe names scenes by their files, but this one was given as a Scene")
        return super().written(folder)

    def scene(self) -> Scene:
        """The scene, read when it is asked for."""
        if self._given is not None:
            return self._given
        assert self.path is not None
        return Scene.load(self.path)
