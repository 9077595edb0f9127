"""Timewarping: a take at another take's timing, and every mixture (BW95 3.2, L97 5.1.2).

| where, in the output | BW95 | here |
|---|---|---|
| one frame meets one | substitution: copied | read at its moment, which copies where moments are frames |
| many frames fall to one | deletion: their mean | read with a kernel as wide as what falls to a frame |
| one frame falls to many | insertion: spread by a B-spline or a Gaussian | the path is spread (`timelines`) |

Rotations are averaged by their turns from frame to frame about the nearest one, so that nothing
depends on a reference far away, on signs of quaternions or on how far a joint has spun.

The root's positions are carried along in time: the figure goes the same way, and its speed follows.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..figure import FloatArray, IntArray, Motion, carry, select_joints
from ..figure._arrays import check_finite, owned
from ..figure.contacts import Contact
from ..figure.rotations import exp, inverse, log, multiply, normalised, rotate, slerp
from ..figure.time import heading_turn
from ..figure.vectors import rotation_vectors
from .correspondence import Correspondence, Correspondences
from .keys import same_joints
from .matching import Key, correspond
from .timelines import Placed, Spread, Timeline, placed, timeline


def timewarp(
    motion: Motion,
    to: Motion,
    *,
    key: Key = "body",
    amount: float = 1.0,
    amplitude: float = 0.0,
    spread: Spread = "bspline",
    over: float = 0.15,
    slope: int | None = None,
    window: float | None = None,
    correspondence: Correspondences | None = None,
) -> Motion:
    """The take with the timing of another one, wholly or partly, at its own frame rate.

    With `amount` 0 the take keeps its timing and length, with 1 it has the other's, between both are
    mixed; outside it goes further, as long as time runs forward everywhere, else that is an error
    which names the range. `amplitude` mixes in the values of the other take at the corresponding
    moments: 0 keeps the take's own, 1 has the other's, put where this take begins. Both are
    independent. `key`, `slope` and `window` are those of `correspond`, which is not asked where a
    `correspondence` is given; `spread` and `over` (seconds) say how steps of the path are smoothed.

    With a map of parts and keys every part of the body has a timing of its own (L97 5.1.2); joints
    that no part names, and the root's path unless a part holds the root, follow the first part.

    Contacts go along in time; with any amplitude they are dropped, for the feet have other ways then.
    Named points, stretched bones, rig and name stay.
    """
    if not np.isfinite(amount) or not np.isfinite(amplitude):
        raise InputError(f"amount and amplitude must be finite numbers, but are {amount} and {amplitude}")
    found = correspondence
    if found is None:
        found = correspond(motion, to, key=key, slope=slope, window=window)
    lines = _lines(found, motion, to, spread, over)
    seconds = (1.0 - amount) * motion.seconds + amount * to.seconds
    if seconds < 0:
        raise InputError(
            f"amount must leave some time, but with {amount:g} the take would last {seconds:.2f} s"
        )
    count = max(1, round(seconds * motion.frame_rate) + 1)
    return _warped(motion, to, lines, amount, amplitude, count, motion.frame_rate)


def aligned(
    motion: Motion,
    to: Motion,
    correspondence: Correspondences,
    *,
    spread: Spread = "bspline",
    over: float = 0.15,
) -> Motion:
    """The take at the other's timing: as many frames as that one, at its frame rate."""
    lines = _lines(correspondence, motion, to, spread, over)
    return _warped(motion, to, lines, 1.0, 0.0, len(to), to.frame_rate)


def warped(
    signals: ArrayLike, found: Correspondence, *, spread: Spread = "bspline", over: float = 0.15
) -> FloatArray:
    """Signals (F, C) of the take at the other's timing, (G, C): what `aligned` does to positions."""
    values = np.asarray(signals, dtype=np.float64)
    if values.ndim != 2 or len(values) != found.frames[0]:
        raise InputError(f"signals must have shape ({found.frames[0]}, C), but have {values.shape}")
    check_finite("signals", values)
    at = placed(timeline(found, spread=spread, over=over), 1.0, found.frames[1])
    return _weighed(values, *_taps_at(at.own * found.rates[0], len(values))[1:])


def _lines(
    found: Correspondences, motion: Motion, to: Motion, spread: Spread, over: float
) -> list[tuple[IntArray, Timeline]]:
    """Which joints follow which timeline; the first of them leads all that are not named."""
    parts = {"all": found} if isinstance(found, Correspondence) else dict(found)
    if not parts:
        raise InputError("correspondence must hold at least one part, but is empty")
    joints = len(motion.skeleton)
    owner = np.zeros(joints, dtype=np.int64)
    for k, (part, one) in enumerate(parts.items()):
        one.check(motion, to)
        owner[select_joints(motion.skeleton, motion.rig, part)] = k
    return [
        (np.flatnonzero(owner == k), timeline(one, spread=spread, over=over))
        for k, one in enumerate(parts.values())
    ]


def _warped(
    motion: Motion,
    to: Motion,
    lines: list[tuple[IntArray, Timeline]],
    amount: float,
    amplitude: float,
    count: int,
    rate: float,
) -> Motion:
    skeleton = motion.skeleton
    other = _beside(motion, to) if amplitude else None
    root = np.empty((count, 3))
    rotations = np.empty((count, len(skeleton), 4))
    stretched = motion.translations is not None or (other is not None and other.translations is not None)
    moved = np.zeros((count, len(skeleton), 3)) if stretched else None
    times: list[Placed] = []
    for joints, line in lines:
        at = placed(line, amount, count)
        times.append(at)
        own = _read(motion, at.own, joints)
        theirs = _read(other, at.other, joints) if other is not None else None
        rotations[:, joints] = own[1] if theirs is None else _mixed(own[1], theirs[1], amplitude)
        if moved is not None:
            mine = 0.0 if own[2] is None else own[2]
            if theirs is None:
                moved[:, joints] = mine
            else:
                moved[:, joints] = mine + amplitude * ((0.0 if theirs[2] is None else theirs[2]) - mine)
        if 0 in joints:
            root[:] = own[0] if theirs is None else own[0] + amplitude * (theirs[0] - own[0])
    contacts = None
    if motion.contacts is not None and not amplitude:
        contacts = _contacts(motion, lines, amount, count, rate)
    return motion.with_(
        root=owned(root),
        rotations=owned(normalised(rotations)),
        translations=None if moved is None else owned(moved),
        frame_rate=rate,
        contacts=contacts,
    )


def _beside(motion: Motion, to: Motion) -> Motion:
    """The other take on this figure, beginning where this one begins and heading as it does."""
    if not same_joints(motion.skeleton, to.skeleton):
        to = carry(to, motion)
    turn = heading_turn(to.rotations[0, 0], motion.rotations[0, 0])
    level = np.array([1.0, 0.0, 1.0])
    root = rotate(turn, to.root - to.root[0] * level) + motion.root[0] * level
    rotations = np.array(to.rotations)
    rotations[:, 0] = multiply(turn, rotations[:, 0])
    return to.with_(root=root, rotations=rotations, contacts=None)


def _mixed(own: FloatArray, other: FloatArray, amplitude: float) -> FloatArray:
    """From own to other rotations (N, K, 4), on the sphere; nothing jumps where they are opposite."""
    apart = multiply(inverse(own), other)
    still = np.tile([1.0, 0.0, 0.0, 0.0], (own.shape[1], 1))
    return multiply(own, exp(amplitude * rotation_vectors(apart, still)))


# ---- reading between frames


def _read(
    motion: Motion, seconds: FloatArray, joints: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    """Root (N, 3), rotations (N, K, 4) and translations (N, K, 3) at moments of the take."""
    at, index, weight = _taps_at(seconds * motion.frame_rate, len(motion))
    root = _weighed(motion.root, index, weight)
    rotations = _turned(np.ascontiguousarray(motion.rotations[:, joints]), at, index, weight)
    moved = None if motion.translations is None else _weighed(motion.translations[:, joints], index, weight)
    return root, rotations, moved


def _taps_at(frames: FloatArray, count: int) -> tuple[FloatArray, IntArray, FloatArray]:
    """Fractional frames (N,), held at the ends, with their taps."""
    at = np.clip(frames, 0.0, count - 1.0)
    whole = np.rint(at)
    at = np.where(np.abs(at - whole) < 1e-7, whole, at)
    span = np.maximum(1.0, np.gradient(at)) if len(at) > 1 else np.ones(1)
    return at, *taps(at, span, count)


def taps(at: FloatArray, span: FloatArray, frames: int) -> tuple[IntArray, FloatArray]:
    """Which frames (N, K), with which weights (N, K), make the values at fractional frames `at` (N,).

    Where a frame of the output has one frame or less to show, a cubic through the four nearest; where
    it has `span` frames to show, their mean, weighed by the same kernel made as wide. Beyond the ends
    signals go on as they came: the value at -1 is 2 x(0) - x(1).
    """
    reach = int(np.ceil(2.0 * float(span.max())))
    base = np.floor(at).astype(np.int64)
    index = base[:, None] + np.arange(1 - reach, reach + 1)
    x = np.abs(index - at[:, None]) / span[:, None]
    weight = np.where(
        x < 1, (1.5 * x - 2.5) * x * x + 1.0, np.where(x < 2, ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0, 0.0)
    )
    weight /= weight.sum(axis=1, keepdims=True)
    last = frames - 1
    for edge in (0, last):
        beyond = index < edge if edge == 0 else index > edge
        if beyond.any():  # 2 x(edge) - x(mirrored): the weight goes to two frames
            mirrored = np.where(beyond, np.clip(2 * edge - index, 0, last), 0)
            extra = np.where(beyond, -weight, 0.0)
            index = np.concatenate([np.where(beyond, edge, index), mirrored], axis=1)
            weight = np.concatenate([np.where(beyond, 2.0 * weight, weight), extra], axis=1)
            used = (weight != 0).any(axis=0)
            index, weight = index[:, used], weight[:, used]
    return np.clip(index, 0, last), weight


def _weighed(values: FloatArray, index: IntArray, weight: FloatArray) -> FloatArray:
    """(N, …) sums of weighted frames of values (F, …)."""
    shape = (len(index), *([1] * (values.ndim - 1)))
    out = np.zeros((len(index), *values.shape[1:]))
    for k in range(index.shape[1]):
        out += weight[:, k].reshape(shape) * values[index[:, k]]
    return out


def _turned(rotations: FloatArray, at: FloatArray, index: IntArray, weight: FloatArray) -> FloatArray:
    """(N, K, 4) weighted means of rotations (F, K, 4) about the frames before and after `at`, faded."""
    # how far each joint has turned since the first frame, as the sum of its turns from frame to frame
    turned = np.zeros((*rotations.shape[:2], 3))
    if len(rotations) > 1:
        turned[1:] = np.cumsum(log(multiply(inverse(rotations[:-1]), rotations[1:])), axis=0)
    wanted = _weighed(turned, index, weight)
    before = np.floor(at).astype(np.int64)
    share = at - before
    out = multiply(rotations[before], exp(wanted - turned[before]))
    between = np.flatnonzero(share > 0)
    if len(between):
        after = np.minimum(before[between] + 1, len(rotations) - 1)
        late = multiply(rotations[after], exp(wanted[between] - turned[after]))
        fade = share[between] ** 2 * (3.0 - 2.0 * share[between])
        out[between] = slerp(out[between], late, np.broadcast_to(fade[:, None], late.shape[:2]))
    return out


# ---- contacts


def _contacts(
    motion: Motion, lines: list[tuple[IntArray, Timeline]], amount: float, count: int, rate: float
) -> tuple[Contact, ...]:
    """When the output's contacts are: those of the take, each in the time of its own joint."""
    made: list[Contact] = []
    for contact in motion.contacts or ():
        joint = motion.rig.get(contact.role) or 0
        line = next(line for joints, line in lines if joint in joints)
        output = line.output(amount)
        scale = (count - 1) / max(float(output[-1] - output[0]), 1e-12)
        first, last = (
            float(np.interp(f / motion.frame_rate, line.own, output)) * scale
            for f in (contact.first, contact.last)
        )
        begin, end = int(np.ceil(first - 1e-6)), min(int(np.floor(last + 1e-6)), count - 1)
        if begin <= end:
            made.append(replace(contact, first=begin, last=end))
    return tuple(sorted(made, key=lambda c: (c.first, c.role)))
