"""Edits of time: resample, reverse, mirror, loop. (A slice is `motion[10:90]`.)"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np

from .. import kernels
from ..errors import InputError
from ._arrays import FloatArray
from .contact_edits import merged_contacts
from .motion import Motion
from .rig import mirrored_role
from .rotations import about, between, exp, inverse, log, multiply, normalised, rotate, unroll

Interpolation = Literal["slerp", "spline"]


def at_frames(motion: Motion, frames: FloatArray, *, method: Interpolation = "slerp") -> Motion:
    """The motion read at fractional frames (N,), ends held; the frame rate stays as it is.

    `slerp` goes straight from frame to frame; `spline` goes smoothly through them (a cubic
    through the unrolled quaternions, then made unit), which is what slow motion wants.
    """
    if len(motion) == 0:
        raise InputError("a motion without frames has nothing to read between")
    at = np.clip(np.ascontiguousarray(frames, dtype=np.float64), 0.0, len(motion) - 1.0)
    if method == "spline" and len(motion) >= 3:
        from scipy.interpolate import CubicSpline  # here: its import takes longer than `marotte info`

        grid = np.arange(len(motion))
        root = CubicSpline(grid, motion.root)(at)
        rotations = normalised(CubicSpline(grid, unroll(motion.rotations))(at))
        moved = None if motion.translations is None else CubicSpline(grid, motion.translations)(at)
    else:
        rotations = np.empty((len(at), len(motion.skeleton), 4))
        kernels.quaternions.resample_slerp(motion.rotations, at, rotations)
        root = _linear(motion.root, at)
        moved = None if motion.translations is None else _linear(motion.translations, at)
    return motion.with_(root=root, rotations=rotations, translations=moved, contacts=None)


def resample(motion: Motion, frame_rate: float, *, method: Interpolation = "slerp") -> Motion:
    """The same motion at another frame rate; it begins with the same pose and never runs longer."""
    if not math.isfinite(frame_rate) or frame_rate <= 0:
        raise InputError(f"frame_rate must be a positive number, but is {frame_rate}")
    if len(motion) == 0:
        return motion.with_(frame_rate=frame_rate)
    ratio = motion.frame_rate / frame_rate
    # a hair of tolerance keeps the last frame where rates divide evenly up to rounding
    count = int((len(motion) - 1) / ratio * (1 + 1e-12) + 1e-9) + 1
    out = at_frames(motion, np.arange(count, dtype=np.float64) * ratio, method=method)
    contacts = None
    if motion.contacts is not None:
        scaled = (
            (c, math.ceil(c.first / ratio - 1e-9), min(math.floor(c.last / ratio + 1e-9), count - 1))
            for c in motion.contacts
        )
        contacts = tuple(replace(c, first=a, last=b) for c, a, b in scaled if a <= b)
    return out.with_(frame_rate=frame_rate, contacts=contacts)


def reverse(motion: Motion) -> Motion:
    """The motion played backwards."""
    last = len(motion) - 1
    contacts = motion.contacts
    if contacts is not None:
        contacts = tuple(sorted(replace(c, first=last - c.last, last=last - c.first) for c in contacts))
    return motion.with_(
        root=motion.root[::-1],
        rotations=motion.rotations[::-1],
        translations=None if motion.translations is None else motion.translations[::-1],
        contacts=contacts,
    )


def mirror(motion: Motion, *, plane: Literal["start", "world"] = "start") -> Motion:
    """Left and right exchanged, by the rig.

    `start` reflects in the vertical plane through the hips at the first frame, along the way the
    figure faces there, so that it stays in its place and heading; `world` in the world's plane
    x = 0. A joint whose partner's rest bone is no mirror image still points where the mirrored
    partner pointed, so that uneven skeletons mirror well. Mirroring twice gives the original.
    """
    skeleton, rig = motion.skeleton, motion.rig
    partner = _partners(motion)
    normal = np.array([1.0, 0.0, 0.0])
    origin = np.zeros(3)
    if plane == "start" and len(motion):
        facing = rotate(motion.world()[1][0, rig.get("hips") or 0], np.array(rig.lateral))
        facing = facing * np.array([1.0, 0.0, 1.0])
        if np.linalg.norm(facing) > 1e-6:
            normal = facing / np.linalg.norm(facing)
        origin = motion.root[0]
    body_normal = np.array(rig.lateral)
    _, orientations = motion.world()
    # a reflection of the world on the left, of the rest pose on the right: together a rotation
    turned = _reflected(orientations[:, partner], normal, body_normal)
    directions = _bone_directions(motion)
    mirrored = directions[partner] - 2.0 * (directions[partner] @ body_normal)[:, None] * body_normal
    turned = multiply(turned, between(directions, mirrored))
    rotations = np.empty_like(motion.rotations)
    kernels.forward.local_from_world(skeleton.parents, np.ascontiguousarray(turned), rotations)
    arm = motion.root - origin
    root = motion.root - 2.0 * (arm @ normal)[:, None] * normal
    moved = None
    if motion.translations is not None:
        moved = motion.translations[:, partner]
        moved = moved - 2.0 * (moved @ body_normal)[..., None] * body_normal
    contacts = motion.contacts
    if contacts is not None:
        swapped = (replace(c, role=mirrored_role(c.role)) for c in contacts)
        contacts = tuple(sorted(swapped, key=lambda c: (c.first, c.role)))
    points = []
    for point in motion.points:
        offset = np.array(point.offset)
        offset = offset - 2.0 * (offset @ body_normal) * body_normal
        x, y, z = (float(v) for v in offset)
        points.append(type(point)(point.name, int(partner[point.joint]), (x, y, z)))
    return motion.with_(
        root=root,
        rotations=normalised(rotations),
        translations=moved,
        contacts=contacts,
        points=points,
    )


def loop(
    motion: Motion,
    *,
    times: int = 1,
    blend: float = 0.5,
    travel: bool = True,
) -> Motion:
    """A motion whose end runs into its beginning, `times` over.

    The gap between last and first frame, in place and in speed, is shared by both ends and fades
    within `blend` seconds of each, so that the seam has no jump and no kink. With `travel` the
    figure keeps the way it went and the heading it turned to, and each round goes on from there;
    without, it returns to where it began. Fewer frames are touched with a shorter blend, at the
    price of quicker mending.
    """
    if times < 1:
        raise InputError(f"times must be at least 1, but is {times}")
    if not math.isfinite(blend) or blend < 0:
        raise InputError(f"blend must be a time in seconds, but is {blend}")
    if len(motion) < 3:
        raise InputError(f"a loop needs at least 3 frames, but the motion has {len(motion)}")
    base = np.array(motion.root[0]) * np.array([1.0, 0.0, 1.0])
    turn, shift = _round_trip(motion) if travel else (np.array([1.0, 0, 0, 0]), np.zeros(3))
    last = len(motion) - 1
    window = min(max(1, round(blend * motion.frame_rate)), last // 2)
    # the first frames as they are when the last frame is reached, one round on
    next_root = rotate(turn, motion.root[:3] - base) + base + shift
    next_rotations = np.array(motion.rotations[:3])
    next_rotations[:, 0] = multiply(turn, next_rotations[:, 0])
    gap_root = next_root[0] - motion.root[last]
    slip_root = _slip(np.diff(motion.root[-3:], axis=0), np.diff(next_root, axis=0))
    gap = log(multiply(inverse(motion.rotations[last]), next_rotations[0]))
    slip = _slip(_steps(motion.rotations[-3:]), _steps(next_rotations))
    place, speed = _fades(len(motion), window)
    root = np.array(motion.root)
    # at the beginning half of the gap is met from the other side, in that side's own heading
    head, tail = place[0][:, None], place[1][:, None]
    head_speed, tail_speed = speed[0][:, None], speed[1][:, None]
    root += rotate(inverse(turn), -0.5 * gap_root) * head + 0.5 * gap_root * tail
    root += rotate(inverse(turn), -0.5 * slip_root) * head_speed + 0.5 * slip_root * tail_speed
    push = (
        gap[None] * (0.5 * (tail - head))[..., None]
        + slip[None] * (0.5 * (tail_speed - head_speed))[..., None]
    )
    rotations = multiply(motion.rotations, exp(push))
    # both halves meet at the same pose up to the order of two small turns; make it exact
    first = np.array(rotations[0])
    first[0] = multiply(turn, first[0])
    rest = log(multiply(inverse(rotations[last]), first))
    rotations = normalised(multiply(rotations, exp(rest[None] * tail[..., None])))
    root += (rotate(turn, root[0] - base) + base + shift - root[last]) * tail
    return _repeated(motion.with_(root=root, rotations=rotations), times, turn, base, shift)


def _steps(rotations: FloatArray) -> FloatArray:
    """(F - 1, J, 3) rotation vectors from each frame to the next."""
    return log(multiply(inverse(rotations[:-1]), rotations[1:]))


def _slip(before: FloatArray, after: FloatArray) -> FloatArray:
    """How much faster, a frame, things go after the seam than before it.

    Both speeds are extrapolated to the seam from two steps (2, …), so that the bend of a curve
    that closes smoothly is not taken for a kink.
    """
    arriving = before[1] + 0.5 * (before[1] - before[0])
    leaving = after[0] - 0.5 * (after[1] - after[0])
    return np.asarray(leaving - arriving)


def _repeated(motion: Motion, times: int, turn: FloatArray, base: FloatArray, shift: FloatArray) -> Motion:
    if times == 1:
        return motion
    last = len(motion) - 1
    root, turned = motion.root, np.array(motion.rotations)
    roots, rotations = [root], [motion.rotations]
    contacts = list(motion.contacts or ())
    for lap in range(1, times):
        root = rotate(turn, root - base) + base + shift
        turned[:, 0] = multiply(turn, turned[:, 0])
        roots.append(root[1:])  # the seam's frame is the lap's before
        rotations.append(turned[1:].copy())
        contacts += [
            replace(c, first=c.first + lap * last, last=c.last + lap * last) for c in motion.contacts or ()
        ]
    moved = motion.translations
    if moved is not None:
        moved = np.concatenate([moved, *([moved[1:]] * (times - 1))])
    return motion.with_(
        root=np.concatenate(roots),
        rotations=np.concatenate(rotations),
        translations=moved,
        contacts=None if motion.contacts is None else merged_contacts(contacts),
    )


def heading_turn(a: FloatArray, b: FloatArray) -> FloatArray:
    """The turn about the vertical (4,) in the rotation from orientation a to b, both (4,)."""
    d = multiply(b, inverse(a))
    return about(np.array([0.0, 1.0, 0.0]), 2.0 * math.atan2(d[2], d[0]))


def _round_trip(motion: Motion) -> tuple[FloatArray, FloatArray]:
    """How one round moves the figure on: a turn about the vertical and a level shift."""
    turn = heading_turn(motion.rotations[0, 0], motion.rotations[-1, 0])
    shift = (motion.root[-1] - motion.root[0]) * np.array([1.0, 0.0, 1.0])
    return turn, shift


def _fades(frames: int, window: int) -> tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]:
    """Weights (F,) at the beginning and the end: of a gap in place, and of a gap in speed.

    Cubic Hermite bases: the first is 1 with no slope at the end and fades to 0 with no slope;
    the second is 0 there with a slope of 1 a frame.
    """
    f = np.arange(frames)

    def shape(distance: FloatArray) -> tuple[FloatArray, FloatArray]:
        u = np.clip(distance / window, 0.0, 1.0)
        return 1 - u * u * (3 - 2 * u), -u * (1 - u) ** 2 * window

    head, head_speed = shape(f.astype(np.float64))
    tail, tail_speed = shape((frames - 1 - f).astype(np.float64))
    # an offset whose slope is 1 a frame at either end, towards later frames in both
    return (head, tail), (-head_speed, tail_speed)


def _partners(motion: Motion) -> list[int]:
    """For each joint the one on the other side: by role, then along chains, then by position."""
    skeleton, rig = motion.skeleton, motion.rig
    partner: dict[int, int] = {}
    for role, joint in rig.roles.items():
        other = rig.get(mirrored_role(role))
        if other is not None:
            partner[joint] = other
    if not any(a != b for a, b in partner.items()):
        raise InputError(
            "mirroring needs a left and a right side, but the rig of this figure has none; "
            "name the sides in a .rig.yaml beside the file"
        )
    rest = skeleton.rest_positions() - skeleton.offsets[0]
    normal = np.array(rig.lateral)
    for j in range(len(skeleton)):
        if j in partner:
            continue
        parent = int(skeleton.parents[j])
        over = partner.get(parent, parent)
        wanted = rest[j] - 2.0 * (rest[j] @ normal) * normal
        options = (
            [c for c in skeleton.children(over) if c not in partner or partner[c] == j] if over >= 0 else [0]
        )
        near = min(options, key=lambda c: float(np.linalg.norm(rest[c] - wanted)), default=j)
        if over == parent and np.linalg.norm(rest[near] - wanted) > 0.25 * np.linalg.norm(rest[j] - wanted):
            near = j
        partner[j] = near
        partner.setdefault(near, j)
    pairs = [partner[j] for j in range(len(skeleton))]
    if any(pairs[pairs[j]] != j for j in range(len(pairs))):
        odd = next(j for j in range(len(pairs)) if pairs[pairs[j]] != j)
        raise InputError(f"joint {skeleton.names[odd]!r} has no single partner on the other side")
    return pairs


def _bone_directions(motion: Motion) -> FloatArray:
    """(J, 3) where each joint's bone leads in the rest pose: to its child or end site."""
    skeleton = motion.skeleton
    out = np.zeros((len(skeleton), 3))
    main: dict[int, float] = {}
    for j in range(1, len(skeleton)):
        parent = int(skeleton.parents[j])
        size = float(np.linalg.norm(skeleton.offsets[j]))
        alone = len(skeleton.children(parent)) == 1
        if alone and size > 1e-9:
            out[parent] = skeleton.offsets[j]
            main[parent] = size
    for end in skeleton.ends:
        if end.joint not in main and not skeleton.children(end.joint):
            out[end.joint] = end.offset
    return out


def _reflected(q: FloatArray, normal: FloatArray, body_normal: FloatArray) -> FloatArray:
    """Orientations M(normal) · q · M(body_normal), a rotation again.

    A reflection is minus a half turn about its normal, so that two of them make
    half turn · q · half turn, and the signs cancel.
    """
    left = np.concatenate([[0.0], normal])
    right = np.concatenate([[0.0], body_normal])
    return multiply(multiply(left, q), right)


def _linear(values: FloatArray, at: FloatArray) -> FloatArray:
    low = np.minimum(at.astype(np.int64), len(values) - 1)
    high = np.minimum(low + 1, len(values) - 1)
    t = (at - low).reshape(-1, *([1] * (values.ndim - 1)))
    return np.asarray(values[low] * (1 - t) + values[high] * t)
