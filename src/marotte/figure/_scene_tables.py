"""A scene as the tables that kernels/kernels.surfaces.py reads."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from .. import kernels
from ._arrays import FloatArray, IntArray, owned
from .moving import Moving
from .rotations import from_euler, from_matrix, multiply, rotate
from .scene import Box, Capsule, Doorway, HeightGrid, Plane, Shape, Sphere

_IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """N objects; kernels/kernels.surfaces.py says what each table holds."""

    order: IntArray
    kinds: IntArray
    numbers: FloatArray
    balls: FloatArray
    first: IntArray
    count: IntArray
    poses: FloatArray
    cells: FloatArray


@dataclass(slots=True)
class _Row:
    """One object: its measures in its own frame, the radius around it, its place, and its turn there."""

    kind: int
    numbers: list[float]
    middle: FloatArray
    radius: float
    place: FloatArray | None = None  # (3,); None: its frame is the world's
    turn: FloatArray | None = None  # (4,)


def tables(objects: Iterable[Shape | Moving]) -> Tables:
    """Lay the objects out, in their order."""
    rows: list[_Row] = []
    poses: list[FloatArray] = []
    cells: list[FloatArray] = []
    first, count = [], []
    for thing in objects:
        shape = thing.shape if isinstance(thing, Moving) else thing
        row = _row(shape, sum(len(c) for c in cells))
        if isinstance(shape, HeightGrid):
            cells.append(pieces(shape)[0])
        own = np.zeros((0, 7))
        if isinstance(thing, Moving):
            place = np.zeros(3) if row.place is None else row.place
            turn = _IDENTITY if row.turn is None else row.turn
            places = thing.places + rotate(thing.turns, np.broadcast_to(place, thing.places.shape))
            own = np.concatenate([places, multiply(thing.turns, turn)], axis=1)
            if row.place is None:  # the ball is about the frame's origin
                row.radius += float(np.linalg.norm(row.middle))
        elif row.place is not None and row.turn is not None:
            own = np.concatenate([row.place, row.turn])[None]
        first.append(sum(len(p) for p in poses))
        count.append(len(own))
        poses.append(own)
        rows.append(row)
    kinds = np.array([r.kind for r in rows], dtype=np.int64)
    numbers = np.zeros((len(rows), 9))
    for k, r in enumerate(rows):
        numbers[k, : len(r.numbers)] = r.numbers
    return Tables(
        order=_frozen(np.argsort(kinds == kernels.surfaces.HEIGHTS, kind="stable")),
        kinds=_frozen(kinds),
        numbers=owned(numbers),
        balls=owned(np.array([[*r.middle, r.radius] for r in rows]).reshape(-1, 4)),
        first=_frozen(np.array(first, dtype=np.int64)),
        count=_frozen(np.array(count, dtype=np.int64)),
        poses=owned(np.concatenate(poses) if poses else np.zeros((0, 7))),
        cells=owned(np.concatenate(cells) if cells else np.zeros((0, 18))),
    )


def _row(shape: Shape, cells: int) -> _Row:
    if isinstance(shape, Plane):
        return _Row(kernels.surfaces.PLANE, [*shape.normal, shape.height], np.zeros(3), math.inf)
    if isinstance(shape, HeightGrid):
        rows, steepest, (nx, nz), (size_x, size_z) = pieces(shape)
        level = 1.0 / math.sqrt(1.0 + steepest * steepest)
        # nearer than this, the way to the surface bends up everywhere: |∂²h| · distance < 1
        lone = 1.0 / max((1.0 + steepest) * _bending(rows, size_x, size_z), 1e-9)
        numbers = [*shape.origin, size_x, size_z, float(nx), float(nz), float(cells), level, lone]
        return _Row(kernels.surfaces.HEIGHTS, numbers, np.zeros(3), math.inf)
    if isinstance(shape, Sphere):
        return _Row(
            kernels.surfaces.SPHERE, [*shape.center, shape.radius], np.array(shape.center), shape.radius
        )
    if isinstance(shape, Capsule):
        a, b = np.array(shape.start), np.array(shape.end)
        radius = shape.radius + 0.5 * float(np.linalg.norm(b - a))
        return _Row(kernels.surfaces.CAPSULE, [*a, *b, shape.radius], 0.5 * (a + b), radius)
    if isinstance(shape, Box):
        half = 0.5 * np.array(shape.size)
        turn = from_euler(np.radians(shape.rotation), "XYZ")
        radius = float(np.linalg.norm(half))
        return _Row(kernels.surfaces.BOX, [*half], np.zeros(3), radius, np.array(shape.center), turn)
    return _doorway(shape)


def _doorway(door: Doorway) -> _Row:
    """Its frame is in the middle of the opening, upright but for the way that it faces."""
    ahead = np.array(door.facing)
    across = np.cross([0.0, 1.0, 0.0], ahead)
    if np.linalg.norm(across) < 1e-6:  # a hatch in a floor or ceiling
        across = np.array([1.0, 0.0, 0.0])
    across /= np.linalg.norm(across)
    up = np.cross(ahead, across)
    turn = from_matrix(np.stack([across, up, ahead], axis=1))
    middle = 0.5 * (door.height + door.frame)
    half, deep = 0.5 * door.width, 0.5 * door.thickness
    radius = math.sqrt((half + door.frame) ** 2 + middle**2 + deep**2)
    place = np.array(door.position) + middle * up
    return _Row(
        kernels.surfaces.DOORWAY,
        [half, door.height, door.frame, deep, middle],
        np.zeros(3),
        radius,
        place,
        turn,
    )


def pieces(
    heights: HeightGrid,
) -> tuple[FloatArray, float, tuple[int, int], tuple[float, float]]:
    """Heights as polynomials, piece by piece: rows of cells, a slope that none exceeds, how many pieces
    there are in x and z, and their sizes, metres."""
    x = _along(heights.grid.shape[0], heights.spacing, heights.surface)
    z = _along(heights.grid.shape[1], heights.spacing, heights.surface)
    rows = np.zeros((x.basis.shape[0] + 2, z.basis.shape[0] + 2, 18))
    for i in range(rows.shape[0]):
        for k in range(rows.shape[1]):
            # beyond the border the piece is that of the border, without what grows on the way out
            a, left = _piece(x, i)
            b, near = _piece(z, k)
            there = heights.grid[left : left + x.wide, near : near + z.wide]
            part = a.T @ there @ b
            rows[i, k, :16] = part.ravel()
            rows[i, k, 16], rows[i, k, 17] = there.min(), there.max()
    steep = math.hypot(x.steepest(heights.grid), z.steepest(heights.grid.T))
    return rows.reshape(-1, 18), steep, (len(x.basis), len(z.basis)), (x.size, z.size)


def _bending(rows: FloatArray, size_x: float, size_z: float) -> float:
    """The greatest second derivative of heights in any direction, as five by five places of every piece
    show it, and a fifth more."""
    c = rows[:, :16].reshape(-1, 4, 4)
    power = np.arange(4)
    share = np.linspace(0.0, 1.0, 5)[:, None]

    def most(order_x: int, order_z: int) -> float:
        x = _derivative(share * size_x, order_x, power)
        z = _derivative(share * size_z, order_z, power)
        return float(np.abs(np.einsum("nab,ua,vb->nuv", c, x, z)).max())

    return 1.2 * (max(most(2, 0), most(0, 2)) + most(1, 1))


def _derivative(at: FloatArray, order: int, power: IntArray) -> FloatArray:
    """(…, 4) the derivatives of 1, t, t², t³ at places."""
    factor = np.ones(4)
    for k in range(order):
        factor = factor * np.maximum(power - k, 0)
    return np.asarray(factor * at ** np.maximum(power - order, 0))


@dataclass(frozen=True, slots=True, eq=False)
class _Along:
    """One direction of a grid."""

    basis: FloatArray  # (pieces, wide, 4): polynomials of the values that a piece depends on, from t^0
    size: float  # metres of a piece
    wide: int  # how many values a piece depends on
    knots: FloatArray

    def steepest(self, grid: FloatArray) -> float:
        """A slope along the first axis that is not exceeded."""
        steps = np.abs(np.diff(grid, axis=0))
        if self.wide == 2:
            return float(steps.max() / self.size)
        # a spline's slope lies between those of its control polygon
        apart = self.knots[4 : 4 + len(steps)] - self.knots[1 : 1 + len(steps)]
        return float((3.0 * steps / apart[:, None]).max())


def _along(count: int, spacing: float, surface: str) -> _Along:
    if surface == "linear":
        one = np.array([[1.0, -1.0 / spacing, 0.0, 0.0], [0.0, 1.0 / spacing, 0.0, 0.0]])
        return _Along(np.tile(one, (count - 1, 1, 1)), spacing, 2, np.zeros(0))
    from scipy.interpolate import BSpline  # here: its import takes longer than `marotte info`

    # the clamped uniform cubic B-spline
    end = (count - 1) * spacing
    knots = np.concatenate([[0.0] * 3, np.linspace(0.0, end, count - 2), [end] * 3])
    spline, starts = BSpline(knots, np.eye(count), 3), knots[3:-4]
    powers = [spline(starts, nu=k) / math.factorial(k) for k in range(4)]  # Taylor's, at each start
    basis = np.zeros((count - 3, 4, 4))
    for i in range(count - 3):
        basis[i] = np.stack([power[i, i : i + 4] for power in powers], axis=1)
    return _Along(basis, end / (count - 3), 4, knots)


def _piece(along: _Along, i: int) -> tuple[FloatArray, int]:
    """The polynomials (wide, 4) of piece i, counted with the one before the border, and the first value
    that they belong to."""
    last = len(along.basis) - 1
    piece = min(max(i - 1, 0), last)
    basis = along.basis[piece]
    if i != piece + 1:
        at = 0.0 if i == 0 else along.size
        value = basis @ np.array([1.0, at, at**2, at**3])
        basis = np.concatenate([value[:, None], np.zeros((len(value), 3))], axis=1)
    return basis, piece


def _frozen(array: IntArray) -> IntArray:
    array = np.ascontiguousarray(array, dtype=np.int64)
    array.flags.writeable = False
    return array
