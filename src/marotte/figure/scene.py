"""The scene: what figures stand on and touch.

Objects are named, frozen and in metres, Y up. `Scene.load` reads the YAML of `docs/scenes.md`.
Distances to them, closest points, and the ground under feet are compiled (kernels/surfaces.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .. import kernels
from ..errors import InputError, UnknownNameError
from ._arrays import FloatArray, IntArray, check_finite, frozen_floats

if TYPE_CHECKING:
    from ._scene_tables import Tables
    from .motion import Motion
    from .moving import Moving

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
        x, z = np.broadcast_arrays(x, z)
        points = np.stack([x, np.zeros(x.shape), z], axis=-1)
        return Scene({"heights": self}).ground_height(points)


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
    """An opening that a figure passes through, ducking where it must.

    What is solid is its frame: two posts and a lintel.
    """

    position: Vector  # the middle of the sill
    facing: Vector = (0.0, 0.0, 1.0)
    width: float = 1.0
    height: float = 2.0
    frame: float = 0.1  # how broad posts and lintel are
    thickness: float = 0.1  # of the wall that it is in

    def __post_init__(self) -> None:
        for name in ("width", "height", "frame", "thickness"):
            _positive(f"doorway.{name}", getattr(self, name))
        object.__setattr__(self, "facing", _unit("doorway.facing", self.facing))


Shape: TypeAlias = Plane | HeightGrid | Box | Sphere | Capsule | Doorway
Frames: TypeAlias = int | ArrayLike | None
"""A frame, or one for each point (arrays that broadcast to them); None is the first."""

# How each kind is written: its word, its class, and the fields whose written names differ.
_KINDS: dict[str, tuple[type[Any], dict[str, str]]] = {
    "plane": (Plane, {}),
    "heights": (HeightGrid, {}),
    "box": (Box, {}),
    "sphere": (Sphere, {}),
    "capsule": (Capsule, {"from": "start", "to": "end"}),
    "doorway": (Doorway, {}),
}


@dataclass(frozen=True, slots=True)
class Touch:
    """What is nearest to points: arrays whose leading axes are those of the points."""

    distance: FloatArray
    """(…) metres, negative inside; infinite in an empty scene."""
    place: FloatArray
    """(…, 3) the closest point of a surface, world, metres."""
    normal: FloatArray
    """(…, 3) out of the object there, unit."""
    which: IntArray
    """(…) number of the object, in the order of `Scene.objects`; −1 for none."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The ground under points."""

    height: FloatArray
    """(…) metres; minus infinity where there is no ground."""
    normal: FloatArray
    """(…, 3) upwards, unit."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Named objects, and how far their influence reaches (SLSG01 eq. 12 and 13)."""

    objects: Mapping[str, Shape | Moving] = field(default_factory=dict)
    influence: Mapping[str, Any] = field(default_factory=dict)
    approach: float = 0.15  # seconds: the weight of approaching speed (SLSG01 eq. 12)
    _laid_out: dict[str, Tables] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "objects", MappingProxyType(dict(self.objects)))

    @classmethod
    def level(cls, height: float = 0.0) -> Self:
        """A level floor and nothing else."""
        return cls({"floor": Plane((0.0, 1.0, 0.0), height)})

    def __getitem__(self, name: str) -> Shape | Moving:
        try:
            return self.objects[name]
        except KeyError:
            raise UnknownNameError("object", name, self.objects) from None

    def with_(self, objects: Mapping[str, Shape | Moving] | None = None, **more: Shape | Moving) -> Self:
        """A scene with more objects, or others under the same names."""
        together = {**self.objects, **(objects or {}), **more}
        return type(self)(together, self.influence, self.approach)

    def at_rate(self, frame_rate: float) -> Self:
        """The same scene, with moving objects sampled at the frame rate of a take."""
        if not any(hasattr(o, "at_rate") for o in self.objects.values()):
            return self
        moved = {n: o.at_rate(frame_rate) if hasattr(o, "at_rate") else o for n, o in self.objects.items()}
        return type(self)(moved, self.influence, self.approach)

    # ---- what is near

    def distance(
        self, points: ArrayLike, frame: Frames = None, *, objects: Iterable[str] | None = None
    ) -> FloatArray:
        """(…) metres from points (…, 3) to the nearest object, negative inside of it.

        `frame` says where moving objects are: a number, or an array that broadcasts to the points, as
        `np.arange(F)[:, None]` for points (F, J, 3). `objects` names those to look at, all if left out.
        """
        return self.nearest(points, frame, objects=objects)[0]

    def nearest(
        self, points: ArrayLike, frame: Frames = None, *, objects: Iterable[str] | None = None
    ) -> tuple[FloatArray, IntArray]:
        """As distance, with the number (…) of the nearest object in the order of `objects`, or −1."""
        given, flat, frames = _asked(points, frame)
        out, which = np.empty(len(flat)), np.empty(len(flat), dtype=np.int64)
        t = self._tables()
        kernels.surfaces.distances(
            flat, frames, self._order(objects), t.kinds, t.numbers, t.balls, t.first, t.count, t.poses,
            t.cells, out, which,
        )  # fmt: skip
        return out.reshape(given), which.reshape(given)

    def closest(
        self, points: ArrayLike, frame: Frames = None, *, objects: Iterable[str] | None = None
    ) -> Touch:
        """The nearest object to each point (…, 3): distance, closest point of its surface, normal.

        The options are those of `distance`. Inside two objects that overlap, the closest point is that
        of the one that the point is deepest in, and may lie inside of the other.
        """
        given, flat, frames = _asked(points, frame)
        out, which = np.empty(len(flat)), np.empty(len(flat), dtype=np.int64)
        places, normals = np.empty(flat.shape), np.empty(flat.shape)
        t = self._tables()
        kernels.surfaces.closest(
            flat, frames, self._order(objects), t.kinds, t.numbers, t.balls, t.first, t.count, t.poses,
            t.cells, out, places, normals, which,
        )  # fmt: skip
        shape = (*given, 3)
        return Touch(out.reshape(given), places.reshape(shape), normals.reshape(shape), which.reshape(given))

    def ground(self, points: ArrayLike) -> Ground:
        """Height and normal of the highest ground, planes and height grids, under points (…, 3)."""
        given, flat, _ = _asked(points, None)
        heights, normals = np.empty(len(flat)), np.empty(flat.shape)
        t = self._tables()
        kernels.surfaces.ground(
            flat, t.order, t.kinds, t.numbers, t.cells, heights, normals,
            np.empty(len(flat), dtype=np.int64),
        )  # fmt: skip
        return Ground(heights.reshape(given), normals.reshape(*given, 3))

    def ground_height(self, points: ArrayLike) -> FloatArray:
        """(…) height of the highest ground (planes and height grids) under points (…, 3), metres.

        Minus infinity where there is no ground at all.
        """
        return self.ground(points).height

    def ground_names(self) -> list[str]:
        """Of every object its name, or nothing where it is ground: what `Contact.on` says."""
        return ["" if isinstance(o, (Plane, HeightGrid)) else name for name, o in self.objects.items()]

    def _tables(self) -> Tables:
        """The objects as kernels want them; laid out once."""
        from ._scene_tables import tables

        if "tables" not in self._laid_out:
            self._laid_out["tables"] = tables(self.objects.values())
        return self._laid_out["tables"]

    def _order(self, names: Iterable[str] | None) -> IntArray:
        order = self._tables().order
        if names is None:
            return order
        for name in (wanted := set(names)):
            self[name]
        chosen = {k for k, name in enumerate(self.objects) if name in wanted}
        return np.array([k for k in order if k in chosen], dtype=np.int64)

    @classmethod
    def load(cls, path: str | Path, *, takes: Callable[[Path], Motion] | None = None) -> Self:
        """Read a scene file; mistakes name the line.

        `takes` reads the takes that moving objects follow: `marotte.formats.load_scene` brings one.
        """
        from ._scene_file import read_scene

        objects, influence, approach = read_scene(Path(path), _KINDS, takes)
        return cls(objects, influence, approach)


def _asked(points: ArrayLike, frame: Frames) -> tuple[tuple[int, ...], FloatArray, IntArray]:
    """The leading axes of points, the points (N, 3), and their frames (N,) or (1,)."""
    array = np.asarray(points, dtype=np.float64)
    if array.ndim == 0 or array.shape[-1] != 3:
        raise InputError(f"points must have shape (…, 3), but have {array.shape}")
    check_finite("points", array)
    given = array.shape[:-1]
    flat = np.ascontiguousarray(array.reshape(-1, 3))
    frames = np.asarray(0 if frame is None else frame)
    if frames.dtype.kind not in "iu":
        raise InputError(f"frame must be a whole number or an array of them, but is {frame!r}")
    if frames.ndim:
        try:
            frames = np.broadcast_to(frames, given)
        except ValueError:
            raise InputError(
                f"frame must broadcast to the points' axes {given}, but has shape {frames.shape}; "
                f"write np.arange(F)[:, None] for points (F, J, 3)"
            ) from None
    return given, flat, np.ascontiguousarray(frames, dtype=np.int64).reshape(-1)


def _unit(name: str, v: Vector) -> Vector:
    length = float(np.linalg.norm(v))
    if not np.isfinite(length) or length < 1e-12:
        raise InputError(f"{name} must be a direction of some length, but is {tuple(v)}")
    return v[0] / length, v[1] / length, v[2] / length


def _positive(name: str, value: float) -> None:
    if not np.isfinite(value) or value <= 0:
        raise InputError(f"{name} must be a positive length in metres, but is {value}")
