"""Splines through rotations: Shoemake's, and one that keeps to the ways between its keys.

Velocities are those of the body: turning at velocity ω for a moment dt multiplies a rotation by
exp(ω dt) from the right. The way from one key to the next is log(q⁻¹ q'), the shorter one; q and
-q are the same key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..figure import FloatArray
from ..figure._arrays import check_finite, owned
from ..figure.rotations import exp, inverse, log, multiply, normalised, unroll
from .splines import STEEPEST, End, checked_times, end_velocity, kochanek_velocities, located

_TINY = 1e-12  # radians; a way that short has no direction


@dataclass(frozen=True, slots=True, eq=False)
class RotationSpline:
    """Shoemake's spline through rotations: smooth, and free to swing beyond its keys."""

    times: FloatArray
    """(K,) strictly increasing."""
    keys: FloatArray
    """(K, …, 4) unit quaternions, neighbours in one hemisphere."""
    arriving: FloatArray
    """(K, …, 3) body velocity with which each key is reached, radians per unit of time."""
    leaving: FloatArray
    """(K, …, 3) body velocity with which it is left."""

    def __call__(self, at: ArrayLike) -> FloatArray:
        """(N, …, 4) rotations at times (N,), held before the first key and after the last."""
        near, u, h, _ = located(self.times, at)
        u, h = _tall(u, self.keys), _tall(h, self.keys)
        if len(self.times) == 1:
            return self.keys[near]
        a, b = self.keys[near], self.keys[near + 1]
        way = log(multiply(inverse(a), b))
        # a velocity of squad is its chord's plus twice the way to the inner control point
        # (Shoemake 1987), so that the points follow from the velocities
        inner_a = multiply(a, exp(0.5 * (h * self.leaving[near] - way)))
        inner_b = multiply(b, exp(0.5 * (way - h * self.arriving[near + 1])))
        outer = multiply(a, exp(u * way))
        made = _arc(outer, _arc(inner_a, inner_b, u), 2.0 * u * (1.0 - u))
        # at the keys, the keys themselves
        return np.asarray(np.where(u == 0.0, a, np.where(u == 1.0, b, normalised(made))))


@dataclass(frozen=True, slots=True, eq=False)
class ShapePreservingRotations:
    """A smooth curve through rotations that never swings beyond them.

    Between two keys the rotation turns away from the one and towards the other all the time: its
    angle to the first only grows, its angle to the second only shrinks, neither ever exceeds the
    angle between the keys.
    """

    times: FloatArray
    """(K,) strictly increasing."""
    keys: FloatArray
    """(K, …, 4) unit quaternions, neighbours in one hemisphere."""
    velocities: FloatArray
    """(K, …, 3) body velocity at each key, radians per unit of time."""

    def __call__(self, at: ArrayLike) -> FloatArray:
        """(N, …, 4) rotations at times (N,), held before the first key and after the last."""
        near, u, h, _ = located(self.times, at)
        u, h = _tall(u, self.keys), _tall(h, self.keys)
        if len(self.times) == 1:
            return self.keys[near]
        a, b = self.keys[near], self.keys[near + 1]
        way = log(multiply(inverse(a), b))
        whole = np.linalg.norm(way, axis=-1, keepdims=True)
        along = way / np.maximum(whole, _TINY)
        first, last = h * self.velocities[near], h * self.velocities[near + 1]
        first_along = (first * along).sum(axis=-1, keepdims=True)
        last_along = (last * along).sum(axis=-1, keepdims=True)
        early, late = u * (1.0 - u) ** 2, u * u * (1.0 - u)
        reach = u * u * (3.0 - 2.0 * u) * whole + early * first_along - late * last_along
        aside = early * (first - first_along * along) - late * (last - last_along * along)
        made = multiply(a, multiply(exp(reach * along), exp(aside)))
        return np.asarray(np.where(u == 0.0, a, np.where(u == 1.0, b, normalised(made))))


def rotation_spline(
    times: ArrayLike,
    keys: ArrayLike,
    *,
    tension: ArrayLike = 0.0,
    continuity: ArrayLike = 0.0,
    bias: ArrayLike = 0.0,
    ends: End | tuple[End, End] = "natural",
) -> RotationSpline:
    """Shoemake's spline (1987) through rotations (K, …, 4) at times (K,), shaped as Kochanek's is.

    Tension, continuity and bias are as in `kochanek_bartels`. The velocity is continuous at keys
    of continuity 0, however they are spaced (L97 3.3.2, 5.3.4). It may swing beyond its keys.
    Costs about 0.5 µs a rotation.
    """
    at, q = _checked(times, keys)
    arriving, leaving = kochanek_velocities(
        _ways(q), np.diff(at), tension=tension, continuity=continuity, bias=bias, ends=ends
    )
    return RotationSpline(at, q, owned(arriving), owned(leaving))


def shape_preserving_rotations(
    times: ArrayLike,
    keys: ArrayLike,
    *,
    start: ArrayLike | Literal["still"] | None = None,
    end: ArrayLike | Literal["still"] | None = None,
) -> ShapePreservingRotations:
    """A curve through rotations (K, …, 4) at times (K,) without over- or undershoot (L97 5.3.4).

    Where the way turns by a right angle or more at a key, the curve rests there for a moment;
    where it goes straight on, its speed is that of PCHIP. `start` and `end` are body velocities
    (…, 3) wanted at the ends, or "still"; what of them would lead away from the next key is left
    out. Keys about one axis give SciPy's PCHIP of their angles.

    Why it holds: with a part along the way from key to key and a part p square to it, the curve
    is q exp(s n) exp(p), and the cosines of half its angles to both keys are cos(s/2) cos(|p|/2)
    and cos((w - s)/2) cos(|p|/2), w being the whole way. Both angles are monotone where s s' + p p'
    and (w - s) s' - p p' keep their signs. A search over all pairs of velocities at both ends shows
    that they do, for every w up to pi, where velocities lie within 45° of the way and their parts
    along and aside add up to at most three times the mean speed: the limit of Fritsch and Carlson,
    for curves with width.
    """
    at, q = _checked(times, keys)
    h = np.diff(at)
    mean = _ways(q) / _tall(h, q) if len(at) > 1 else np.zeros((0, *q.shape[1:-1], 3))
    velocities = np.zeros((*q.shape[:-1], 3))
    if len(at) > 2:
        velocities[1:-1] = _through(mean[:-1], mean[1:], _tall(h[:-1], q), _tall(h[1:], q))
    for key, near, far, given, name in ((0, 0, 1, start, "start"), (-1, -1, -2, end, "end")):
        if len(at) == 1 or (isinstance(given, str) and given == "still"):
            continue
        if isinstance(given, str):
            raise InputError(f"{name} must be a velocity or 'still', but is {given!r}")
        if given is not None:
            wanted = np.broadcast_to(np.asarray(given, np.float64), velocities.shape[1:])
            check_finite(name, wanted)
        elif len(h) == 1:
            wanted = mean[0]
        else:
            wanted = end_velocity(mean[near], mean[far], h[near], h[far])
        velocities[key] = _allowed(wanted, mean[near])
    return ShapePreservingRotations(at, q, owned(velocities))


def _through(left: FloatArray, right: FloatArray, before: FloatArray, after: FloatArray) -> FloatArray:
    """(K, …, 3) velocities at keys between ways of these mean velocities."""
    slow, fast = _length(left), _length(right)
    moving = (slow > 0.0) & (fast > 0.0)
    a, b = left / np.where(moving, slow, 1.0), right / np.where(moving, fast, 1.0)
    turn = np.where(moving, (a * b).sum(axis=-1, keepdims=True), 0.0)  # cosine of how far the way turns
    first, second = 2.0 * after + before, after + 2.0 * before
    speed = (first + second) / (first / np.where(moving, slow, 1.0) + second / np.where(moving, fast, 1.0))
    middle = a + b
    middle = middle / np.maximum(_length(middle), _TINY)
    # straight on with PCHIP's speed, less the more the way turns, and at rest from a right angle on
    wanted = np.where(turn > 0.0, turn * speed, 0.0) * middle
    return _slowed(_slowed(wanted, left), right)


def _allowed(wanted: FloatArray, mean: FloatArray) -> FloatArray:
    """What of a velocity keeps the curve between its keys: ahead, not more aside than ahead, not too fast."""
    along = mean / np.maximum(_length(mean), _TINY)
    ahead = np.maximum((wanted * along).sum(axis=-1, keepdims=True), 0.0)
    ahead = np.where(_length(mean) > 0.0, ahead, 0.0)
    aside = wanted - (wanted * along).sum(axis=-1, keepdims=True) * along
    aside = aside * np.minimum(1.0, ahead / np.maximum(_length(aside), _TINY))
    return _slowed(ahead * along + aside, mean)


def _slowed(velocity: FloatArray, mean: FloatArray) -> FloatArray:
    """Velocity scaled until its parts along and aside add up to at most STEEPEST times the mean."""
    most = STEEPEST * _length(mean)
    along = mean / np.maximum(_length(mean), _TINY)
    ahead = (velocity * along).sum(axis=-1, keepdims=True)
    total = np.abs(ahead) + _length(velocity - ahead * along)
    return np.asarray(velocity * np.where(total > most, most / np.maximum(total, _TINY), 1.0))


def _ways(keys: FloatArray) -> FloatArray:
    """(K - 1, …, 3) rotation vectors from each key to the next."""
    return log(multiply(inverse(keys[:-1]), keys[1:]))


def _checked(times: ArrayLike, keys: ArrayLike) -> tuple[FloatArray, FloatArray]:
    at = checked_times(times)
    q = np.asarray(keys, dtype=np.float64)
    if q.ndim < 2 or q.shape[-1] != 4 or len(q) != len(at):
        raise InputError(f"keys must have shape ({len(at)}, …, 4), one rotation a time, but have {q.shape}")
    check_finite("keys", q)
    if not (np.abs(np.linalg.norm(q, axis=-1) - 1.0) < 1e-6).all():
        raise InputError("keys must be unit quaternions (w, x, y, z)")
    return at, owned(unroll(q))


def _arc(a: FloatArray, b: FloatArray, u: FloatArray) -> FloatArray:
    """From a to b (…, 4) along the arc between just these two, not between -a and b.

    Shoemake's inner points may lie more than half a turn apart; taking the shorter way there
    would make the curve jump.
    """
    d = multiply(inverse(a), b)
    sine = np.linalg.norm(d[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, d[..., :1])
    axis = d[..., 1:] / np.maximum(sine, _TINY)
    return multiply(a, exp(u * angle * axis))


def _length(vectors: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.norm(vectors, axis=-1, keepdims=True))


def _tall(column: FloatArray, like: FloatArray) -> FloatArray:
    """(N,) as (N, 1, …), to multiply arrays (N, …) as `like` has them."""
    return np.asarray(column).reshape(-1, *([1] * (like.ndim - 1)))
