"""Scenes with objects that follow takes: `figure` reads the scene, this room the takes."""

from __future__ import annotations

import os
from pathlib import Path

from ..figure import Scene
from ._files import load


def load_scene(path: str | os.PathLike[str]) -> Scene:
    """Read a scene file (docs/scenes.md), and the takes that its moving objects follow."""
    return Scene.load(Path(path), takes=load)
