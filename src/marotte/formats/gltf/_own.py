"""What Marotte wrote into a file beside what glTF has words for, and how it is read again.

Orders of angles and tips of bones stand in a skin's `extras`, the frame rate in an animation's. Nothing
of it is needed, and none of it is believed where it does not fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import FileError, InputError
from ...figure import FloatArray, Skeleton
from ._build import Json, numbers
from ._container import Document
from ._figure import Figure
from ._json import Item

NAME = "marotte"


def skin_extras(skeleton: Skeleton, reaches: FloatArray) -> Json:
    """What is noted beside a skin; `reaches` (E, 3) are the end sites in the file's unit and axes."""
    own: Json = {"channels": list(skeleton.channels)}
    if skeleton.ends:
        own["ends"] = [
            {"node": end.joint, "reach": numbers(reach), **({"name": end.name} if end.name else {})}
            for end, reach in zip(skeleton.ends, reaches, strict=True)
        ]
    return {NAME: own}


def clip_extras(rate: float) -> Json:
    """What is noted beside an animation."""
    return {NAME: {"frame_rate": rate}}


def own_words(document: Document, figure: Figure) -> Item | None:
    """What is noted beside the figure's skin."""
    for skin in figure.skins:
        found = _noted(document.item("skins", skin))
        if found is not None:
            return found
    return None


def own_channels(own: Item | None, joints: int) -> tuple[str, ...]:
    """Orders of angles; () where there are none."""
    words = None if own is None else own.at("channels").value
    if not isinstance(words, list) or len(words) != joints or not all(isinstance(w, str) for w in words):
        return ()
    names: Sequence[str] = [str(j) for j in range(joints)]
    try:
        Skeleton(tuple(names), np.arange(joints) - 1, np.zeros((joints, 3)), tuple(words))
    except InputError:
        return ()
    return tuple(words)


def own_tips(own: Item | None, figure: Figure) -> list[tuple[int, FloatArray, str]]:
    """Tips of bones: joint, where it is from the joint along the world's axes at rest, name."""
    found: list[tuple[int, FloatArray, str]] = []
    place = {node: j for j, node in enumerate(figure.joints)}
    try:
        for item in [] if own is None else own.array("ends"):
            node, reach = item.at("node").value, item.numbers("reach", 3)
            if isinstance(node, int) and node in place and reach is not None:
                found.append((place[node], np.array(reach), item.text("name")))
    except FileError:
        return []
    return found


def own_rate(animation: Item) -> float | None:
    """The frame rate that is noted beside an animation."""
    own = _noted(animation)
    rate: Any = None if own is None else own.at("frame_rate").value
    if isinstance(rate, bool) or not isinstance(rate, (int, float)) or not 1e-3 <= rate <= 1e6:
        return None
    return float(rate)


def _noted(item: Item) -> Item | None:
    extras = item.at("extras").value
    if not isinstance(extras, dict) or not isinstance(extras.get(NAME), dict):
        return None
    return item.at("extras").at(NAME)
