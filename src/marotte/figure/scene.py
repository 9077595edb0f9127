"""The scene: what figures stand on and touch.

Objects are named, frozen and in metres, Y up. `Scene.load` reads the YAML of `docs/scenes.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias

import numpy as np

from ..errors import InputError, UnknownNameError
from ._arrays import FloatArray, IntArray, frozen_floats

Vector: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Plane:
    """All points p with normal · p = height."""

    normal: Vector = (0.0, 1.0, 0.0)
    height: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "normal", _unit("plane.normal", self.normal))


@dataclass(frozen=True, slots=True, eq=False)
class HeightGrid:
    """Ground that rises and falls: heights over a grid in x and z."""

    grid: FloatArray
    """(X, Z) heights, metres; the first axis runs along x."""
    spacing: float = 1.0
    """Metres between neighbours."""
    origin: tuple[float, float] = (0.0, 0.0)
    """x and z of the first height."""
    surface: Literal["linear", "nurbs"] = "linear"
    """`linear` joins neighbours straight; `nurbs` is the cubic B-spline with these control heights."""

    def __post_init__(self) -> None:
        grid = frozen_floats("heights.grid", self.grid, (None, None))
        least = 4 if self.surface == "nurbs" else 2
        if min(grid.shape) < least or not np.isfinite(grid).all():
            raise InputError(
                f"heights.grid must be at least {least} × {least} finite numbers for a "
                f"{self.surface} surface, but is {grid.shape[0]} × {grid.shape[1]}"
            )
        if not np.isfinite(self.spacing) or self.spacing <= 0:
            raise InputError(f"heights.spacing must be positive metres, but is {self.spacing}")
        object.__setattr__(self, "grid", grid)

    def height_at(self, x: FloatArray, z: FloatArray) -> FloatArray:
        """Heights at places, held beyond the border."""
        rows, columns = self.grid.shape
        u = np.clip((x - self.origin[0]) / self.spacing, 0, rows - 1)
        v = np.clip((z - self.origin[1]) / self.spacing, 0, columns - 1)
        if self.surface == "linear":
            out = _bilinear(self.grid, u, v)
        else:
            out = np.einsum(
                "...i,ij,...j->...", _bspline_weights(u, rows), self.grid, _bspline_weights(v, columns)
            )
        return np.asarray(out, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Box:
    """A box turned by `rotation` degrees about x, then y, then z of its own (intrinsic XYZ)."""

    center: Vector
    size: Vector
    rotation: Vector = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if min(self.size) <= 0:
            raise InputError(f"box.size must be three positive lengths, but is {self.size}")


@dataclass(frozen=True, slots=True)
class Sphere:
    """A ball."""

    center: Vector
    radius: float

    def __post_init__(self) -> None:
        _positive("sphere.radius", self.radius)


@dataclass(frozen=True, slots=True)
class Capsule:
    """All points within `radius` of the line from `start` to `end`: a rope, a pole."""

    start: Vector
    end: Vector
    radius: float

    def __post_init__(self) -> None:
        _positive("capsule.radius", self.radius)


@dataclass(frozen=True, slots=True)
class Doorway:
    """An opening that a figure passes through, ducking where it must."""

    position: Vector  # the middle of the sill
    facing: Vector = (0.0, 0.0, 1.0)
    width: float = 1.0
    height: float = 2.0

    def __post_init__(self) -> None:
        _positive("doorway.width", self.width)
        _positive("doorway.height", self.height)
        object.__setattr__(self, "facing", _unit("doorway.facing", self.facing))


Shape: TypeAlias = Plane | HeightGrid | Box | Sphere | Capsule | Doorway

# How each kind is written: its word, its class, and the fields whose written names differ.
_KINDS: dict[str, tuple[type[Any], dict[str, str]]] = {
    "plane": (Plane, {}),
    "heights": (HeightGrid, {}),
    "box": (Box, {}),
    "sphere": (Sphere, {}),
    "capsule": (Capsule, {"from": "start", "to": "end"}),
    "doorway": (Doorway, {}),
}


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Named objects, and how far their influence reaches (SLSG01 eq. 12 and 13)."""

    objects: Mapping[str, Shape] = field(default_factory=dict)
    influence: Mapping[str, Any] = field(default_factory=dict)
    approach: float = 0.15  # seconds: the weight of approaching speed (SLSG01 eq. 12)

    @classmethod
    def ground(cls, height: float = 0.0) -> Self:
        """A level floor and nothing else."""
        return cls({"floor": Plane((0.0, 1.0, 0.0), height)})

    def __getitem__(self, name: str) -> Shape:
        try:
            return self.objects[name]
        except KeyError:
            raise UnknownNameError("object", name, self.objects) from None

    def ground_height(self, points: FloatArray) -> FloatArray:
        """(…) height of the highest ground (planes and height grids) under points (…, 3), metres.

        Minus infinity where there is no ground at all.
        """
        out = np.full(points.shape[:-1], -np.inf)
        for shape in self.objects.values():
            if isinstance(shape, HeightGrid):
                out = np.maximum(out, shape.height_at(points[..., 0], points[..., 2]))
            elif isinstance(shape, Plane) and shape.normal[1] > 0.1:
                nx, ny, nz = shape.normal
                level = (shape.height - nx * points[..., 0] - nz * points[..., 2]) / ny
                out = np.maximum(out, level)
        return out

    def ground_names(self) -> list[str]:
        """Of every object its name, or nothing where it is ground."""
        return ["" if isinstance(s, (Plane, HeightGrid)) else name for name, s in self.objects.items()]

    def nearest(self, points: FloatArray, *, frame: Any = None) -> tuple[FloatArray, IntArray]:
        heights = points[..., 1] - self.ground_height(points)
        return heights, np.zeros(points.shape[:-1], dtype=np.int64)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a scene file; mistakes name the line."""
        from ._scene_file import read_scene

        objects, influence, approach = read_scene(Path(path), _KINDS)
        return cls(objects, influence, approach)


def _bilinear(grid: FloatArray, u: FloatArray, v: FloatArray) -> FloatArray:
    i = np.minimum(u.astype(np.int64), grid.shape[0] - 2)
    k = np.minimum(v.astype(np.int64), grid.shape[1] - 2)
    s, t = u - i, v - k
    near = grid[i, k] * (1 - t) + grid[i, k + 1] * t
    far = grid[i + 1, k] * (1 - t) + grid[i + 1, k + 1] * t
    return np.asarray(near * (1 - s) + far * s)


def _bspline_weights(u: FloatArray, count: int) -> FloatArray:
    """(…, count) weights of a clamped uniform cubic B-spline's control values at 0 ≤ u ≤ count - 1."""
    from scipy.interpolate import BSpline  # here: its import takes longer than `marotte info`

    knots = np.concatenate([[0] * 3, np.linspace(0, count - 1, count - 2), [count - 1] * 3])
    flat = np.asarray(u, dtype=np.float64).reshape(-1)
    design = BSpline.design_matrix(flat, knots.astype(np.float64), 3).toarray()
    return np.asarray(design).reshape(*np.shape(u), count)


def _unit(name: str, v: Vector) -> Vector:
    length = float(np.linalg.norm(v))
    if not np.isfinite(length) or length < 1e-12:
        raise InputError(f"{name} must be a direction of some length, but is {tuple(v)}")
    return v[0] / length, v[1] / length, v[2] / length


def _positive(name: str, value: float) -> None:
    if not np.isfinite(value) or value <= 0:
        raise InputError(f"{name} must be a positive length in metres, but is {value}")
