"""Distances from ten thousand points to ten objects, one thread.

The rival of distances is the same arithmetic in NumPy, all points at once; there is no uneven ground
among the objects, for which NumPy has no closest point.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bench._measure import Row, compare, samples
from marotte.figure import Scene
from marotte.figure.rotations import from_euler, to_matrix
from marotte.figure.scene import Box, Capsule, Plane, Shape, Sphere

NAME = "Distances to a scene, one thread"
POINTS = 10_000

Floats = NDArray[np.float64]


def _vector(rng: np.random.Generator) -> tuple[float, float, float]:
    x, y, z = (float(v) for v in rng.uniform(-3, 3, 3))
    return x, y, z


def _scene(rng: np.random.Generator) -> Scene:
    objects: dict[str, Shape] = {"floor": Plane()}
    for k in range(3):
        objects[f"box {k}"] = Box(_vector(rng), (0.6, 0.6, 0.6), (0.0, 30.0 * k, 10.0))
        objects[f"ball {k}"] = Sphere(_vector(rng), 0.3)
        objects[f"pole {k}"] = Capsule(_vector(rng), _vector(rng), 0.05)
    return Scene(objects)


def _one(shape: Shape, points: Floats) -> Floats:
    if isinstance(shape, Plane):
        return np.asarray(points @ np.array(shape.normal) - shape.height)
    if isinstance(shape, Sphere):
        return np.asarray(np.linalg.norm(points - np.array(shape.center), axis=1) - shape.radius)
    if isinstance(shape, Capsule):
        a, way = np.array(shape.start), np.array(shape.end) - np.array(shape.start)
        along = np.clip((points - a) @ way / (way @ way), 0.0, 1.0)
        return np.asarray(np.linalg.norm(points - a - along[:, None] * way, axis=1) - shape.radius)
    assert isinstance(shape, Box)
    turn = to_matrix(from_euler(np.radians(shape.rotation), "XYZ"))
    over = np.abs((points - np.array(shape.center)) @ turn) - 0.5 * np.array(shape.size)
    outside = np.linalg.norm(np.maximum(over, 0.0), axis=1)
    return np.asarray(outside + np.minimum(over.max(axis=1), 0.0))


def _in_numpy(scene: Scene, points: Floats) -> Floats:
    shapes: list[Shape] = list(scene.objects.values())  # type: ignore[arg-type]  # nothing moves here
    return np.asarray(np.min([_one(shape, points) for shape in shapes], axis=0))


def run(rounds: int) -> list[Row]:
    rng = np.random.default_rng(0)
    scene = _scene(rng)
    points = rng.uniform((-3.0, 0.0, -3.0), (3.0, 2.0, 3.0), (POINTS, 3))
    if np.abs(scene.distance(points) - _in_numpy(scene, points)).max() > 1e-9:
        raise SystemExit("the two do not find the same distances")
    found = samples(
        {"ours": lambda: scene.distance(points), "numpy": lambda: _in_numpy(scene, points)}, rounds=rounds
    )
    return [
        compare(
            "nearest of 10 objects", unit=f"{POINTS} points", rival="the same in NumPy, all points at once",
            ours=found["ours"], theirs=found["numpy"],
        )
    ]  # fmt: skip
