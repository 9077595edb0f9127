"""Scenes to walk through: rough ground, and doors to duck under (LS99 section 6, figure 5)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..errors import InputError
from ._arrays import FloatArray
from .motion import Motion
from .scene import Doorway, HeightGrid, Scene


def rough_terrain(
    *,
    height: float = 1.7,
    roughness: float = 1.2,
    spacing: float = 0.8,
    extent: tuple[float, float, float, float] = (-6.0, 6.0, -3.0, 12.0),
    seed: int = 0,
    start: tuple[float, float] = (0.0, 0.0),
) -> Scene:
    """Hills as a cubic B-spline over a regular grid of control heights drawn at random.

    height     the figure's, metres: the measure of everything else
    roughness  range of the control heights, in figure heights; the surface has about half of it
    spacing    of the control points, in figure heights
    extent     least and greatest x, least and greatest z that the ground covers, metres; beyond, it is level
    seed       another number, other hills
    start      x and z where the ground is at y = 0, so that a take that begins there begins on it

    Roughness 1.2 and spacing 0.8 are those of LS99; slopes are then 14 degrees on average and reach 30 to
    40, more near the border.
    """
    for name, value in (("height", height), ("spacing", spacing)):
        if not math.isfinite(value) or value <= 0:
            raise InputError(f"{name} must be a positive number, but is {value}")
    if not math.isfinite(roughness) or roughness < 0:
        raise InputError(f"roughness must be a number of figure heights, at least 0, but is {roughness}")
    x0, x1, z0, z1 = extent
    if not (np.isfinite(extent).all() and x0 < x1 and z0 < z1):
        raise InputError(f"extent must be least and greatest x, least and greatest z, but is {extent}")
    apart = spacing * height
    counts = [max(4, math.ceil((b - a) / apart) + 1) for a, b in ((x0, x1), (z0, z1))]
    if counts[0] * counts[1] > 1_000_000:
        raise InputError(
            f"a terrain may have a million control points, but extent {extent} with {apart:g} m between "
            f"them has {counts[0]} × {counts[1]}; take a greater spacing"
        )
    drawn = np.random.default_rng(seed).uniform(-0.5, 0.5, size=tuple(counts)) * roughness * height
    ground = HeightGrid(drawn, apart, (x0, z0), "nurbs")
    under = ground.height_at(np.array(start[0]), np.array(start[1]))
    return Scene({"terrain": HeightGrid(drawn - float(under), apart, (x0, z0), "nurbs")})


def doorways_along(
    motion: Motion,
    *,
    at: Sequence[float] = (0.35, 0.7),
    height: float = 0.85,
    width: float = 0.6,
    scene: Scene | None = None,
) -> dict[str, Doorway]:
    """Doors across the way of a motion's root, for `scene.with_(doors)`: `door_0`, `door_1`, …

    at      where on the way, as shares of its length
    height  of the openings, in figure heights; below about 0.95 the figure must duck
    width   in figure heights
    scene   whose ground they stand on; y = 0 if left out
    """
    size = motion.skeleton.height
    way = motion.root[:, [0, 2]]
    if len(way) < 2:
        raise InputError(f"doors stand along a way, but the motion has {len(way)} frames")
    gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))])
    if gone[-1] < 0.5 * size:
        raise InputError(
            f"doors stand along a way, but the root goes only {gone[-1]:.2f} m; take a motion that travels"
        )
    doors = {}
    for k, share in enumerate(at):
        if not 0.0 <= share <= 1.0:
            raise InputError(f"at must be shares of the way, 0 to 1, but holds {share}")
        place = _on(way, gone, share * gone[-1])
        # the way that the root takes about it, without the sway of single steps
        ahead = _on(way, gone, share * gone[-1] + 0.3 * size) - _on(way, gone, share * gone[-1] - 0.3 * size)
        x, z = float(place[0]), float(place[1])
        y = 0.0 if scene is None else float(scene.ground_height(np.array([x, 0.0, z])))
        if not math.isfinite(y):
            y = 0.0
        facing = (float(ahead[0]), 0.0, float(ahead[1]))
        doors[f"door_{k}"] = Doorway((x, y, z), facing, width * size, height * size)
    return doors


def _on(way: FloatArray, gone: FloatArray, distance: float) -> FloatArray:
    """(2,) the place on a way (F, 2) after a distance, held at both ends."""
    return np.array([np.interp(distance, gone, way[:, k]) for k in range(2)])
