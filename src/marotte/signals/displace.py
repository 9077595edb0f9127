"""Displacement mapping: change a few frames, and all others follow smoothly (BW95 5, LS99 3.1).

Keys say what is wanted at frames. What each asks for becomes a displacement of the joints that it
touches; a curve goes through the displacements of each joint and is added to the motion. Channels
are displaced first, then rotations; goals for hands and feet are met last, on top of both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import InputError, UnknownNameError
from ..figure import FloatArray, Motion, select_joints
from ..figure.rotations import inverse, log, multiply, normalised
from ..figure.signals import resolve_joint, resolve_point
from ..figure.staying import still_in_contact
from ._reaching import reached
from .displacement import STRAIGHT, Bend, Displacement, Ends, displacement_curve, unwrapped
from .displacement_keys import ChannelKey, DisplacementKey, MoveKey, PoseKey, ReachKey, TurnKey
from .spaces import signals_of

_UNTOUCHED = 1e-9  # radians; what a solver leaves alone
_Curve = dict[int, tuple[FloatArray, Bend]]


def displace(
    motion: Motion,
    keys: Sequence[DisplacementKey],
    *,
    tension: float = 0.0,
    continuity: float = 0.0,
    bias: float = 0.0,
    ends: Ends = "pin",
    spread: int | None = None,
) -> Motion:
    """The motion displaced so that every key is met, smoothly between them.

    Tension, continuity and bias shape the curves of displacement at keys that do not say their
    own. Joints that no key touches stay bit by bit; each touched joint has keys where a key names
    it, and nowhere else. A key that turns a joint by [0, 0, 0] holds it at that frame. `spread` is
    how many frames before and after its keys a joint is displaced; left out, keys reach to the
    next keys and to the ends. Contacts
    stay where the part that rests did not move, and are dropped elsewhere.
    """
    if len(motion) == 0:
        raise InputError("a motion without frames has nothing to displace")
    if not keys:
        raise InputError("keys must hold at least one key, but there are none")
    if spread is not None and (spread < 1 or ends != "pin"):
        raise InputError(f"spread must be 1 frame or more, with ends pin, but is {spread} with ends {ends}")
    work = _Work(motion, Bend(tension, continuity, bias), ends, spread)
    for key in keys:
        work.add(key)
    made = work.done()
    return made.with_(contacts=still_in_contact(motion, made))


class _Work:
    """Keys sorted by what they touch, on the way to a displaced motion."""

    def __init__(self, motion: Motion, bend: Bend, ends: Ends, spread: int | None) -> None:
        self.motion, self.bend, self.ends, self.spread = motion, bend, ends, spread
        self.channels: dict[str, dict[int, ChannelKey]] = {}
        self.turns: dict[int, dict[int, TurnKey | PoseKey]] = {}
        self.moves: dict[int, MoveKey | PoseKey] = {}
        self.reaches: dict[int, list[ReachKey]] = {}
        self.touched: dict[tuple[int, int | str], str] = {}  # by frame and joint, or "path"

    # ---- sorting

    def add(self, key: DisplacementKey) -> None:
        frame = self._frame(key)
        if isinstance(key, TurnKey):
            joint = resolve_joint(self.motion, key.joint)
            self._claim(frame, joint, "a turn")
            self.turns.setdefault(joint, {})[frame] = key
        elif isinstance(key, MoveKey):
            self._claim(frame, "path", "a move")
            self.moves[frame] = key
        elif isinstance(key, ChannelKey):
            self._add_channel(key, frame)
        elif isinstance(key, PoseKey):
            self._add_pose(key, frame)
        elif isinstance(key, ReachKey):
            point = resolve_point(self.motion, key.point)
            if point.joint == 0:
                raise InputError(
                    f"{key.point!r} rides on the root, which no joint can bring anywhere; use a move instead"
                )
            at_frame = self.reaches.setdefault(frame, [])
            if any(resolve_point(self.motion, other.point) == point for other in at_frame):
                raise InputError(f"{key.point!r} has two places at frame {frame}; keep one of them")
            at_frame.append(key)
        else:
            raise InputError(f"keys must be turns, moves, channels, poses or reaches, but one is {key!r}")

    def _add_channel(self, key: ChannelKey, frame: int) -> None:
        names = self.motion.channels().names
        if key.channel not in names:
            raise UnknownNameError("channel", key.channel, names)
        joint = self.motion.skeleton.index(key.channel.rpartition(".")[0])
        what: int | str = joint
        if self._is_position(key.channel):
            what = "path" if joint == 0 else f"place of {joint}"
        at_frame = self.channels.setdefault(key.channel, {})
        if frame in at_frame:
            raise InputError(f"channel {key.channel!r} has two values at frame {frame}; keep one of them")
        if self.touched.setdefault((frame, what), "a channel") != "a channel":
            self._claim(frame, what, "a channel")
        at_frame[frame] = key

    def _add_pose(self, key: PoseKey, frame: int) -> None:
        motion = self.motion
        if len(key.pose.rotations) != len(motion.skeleton):
            raise InputError(
                f"the pose at frame {frame} must have the figure's {len(motion.skeleton)} joints, "
                f"but has {len(key.pose.rotations)}"
            )
        chosen = select_joints(motion.skeleton, motion.rig, key.parts)
        if not chosen.any():
            raise InputError(f"parts must name at least one joint, but {key.parts!r} name none")
        for joint in np.flatnonzero(chosen).tolist():
            self._claim(frame, joint, "a pose")
            self.turns.setdefault(joint, {})[frame] = key
        if chosen[0] and key.path:
            self._claim(frame, "path", "a pose")
            self.moves[frame] = key

    def _claim(self, frame: int, what: int | str, kind: str) -> None:
        before = self.touched.get((frame, what))
        if before is not None:
            name = self.motion.skeleton.names[what] if isinstance(what, int) else "the root's path"
            raise InputError(f"{name} has {before} and {kind} at frame {frame}; keep one of them")
        self.touched[frame, what] = kind

    def _frame(self, key: DisplacementKey) -> int:
        count = len(self.motion)
        frame = key.frame + count if key.frame < 0 else key.frame
        if not 0 <= frame < count:
            raise InputError(f"a key's frame must be one of the take's, 0 to {count - 1}, but is {key.frame}")
        return frame

    def _is_position(self, channel: str) -> bool:
        return channel.rpartition(".")[2].startswith("t")

    def _bend(self, key: DisplacementKey) -> Bend:
        own = self.bend
        return Bend(
            own.tension if key.tension is None else key.tension,
            own.continuity if key.continuity is None else key.continuity,
            own.bias if key.bias is None else key.bias,
        )

    # ---- working

    def done(self) -> Motion:
        base = self._with_channels()
        vectors, path = self._given_vectors(base), self._given_path(base)
        if self.reaches:
            self._reach(base, self._displaced(base, vectors, path), vectors)
        return self._displaced(base, vectors, path)

    def _with_channels(self) -> Motion:
        """The motion with its channels displaced, each by its own curve."""
        if not self.channels:
            return self.motion
        signals = signals_of(self.motion, "euler", offset=False)
        values, changed = np.array(signals.values), np.zeros(len(signals), dtype=np.bool_)
        for name, at in self.channels.items():
            c = signals.names.index(name)
            turns = not self._is_position(name)
            curve: _Curve = {}
            before: float | None = None
            for frame in sorted(at):
                key = at[frame]
                if key.change is not None:
                    shift = key.change
                else:
                    shift = float(key.set) - float(values[frame, c])  # type: ignore[arg-type]  # one is given
                    if turns:  # the nearest of equal angles; after a key, the nearest to that
                        shift -= 360.0 * round((shift - (before or 0.0)) / 360.0)
                before = shift
                curve[frame] = (np.array([shift]), self._bend(key))
            values[:, c] += self._curve(curve)[:, 0]
            changed[c] = True
        return signals.to_motion(values, changed)

    def _given_vectors(self, base: Motion) -> dict[int, _Curve]:
        """For each joint that turns or poses name, the rotation vectors at their frames."""
        out: dict[int, _Curve] = {}
        for joint, at in self.turns.items():
            wanted: dict[int, FloatArray] = {}
            literal: dict[int, FloatArray] = {}
            for frame, key in at.items():
                if isinstance(key, TurnKey):
                    literal[frame] = np.asarray(key.turn, dtype=np.float64)
                else:
                    wanted[frame] = key.pose.rotations[joint]
            out[joint] = {}
            before: FloatArray | None = None
            for frame in sorted(at):
                if frame in literal:
                    vector = literal[frame]
                else:
                    vector = unwrapped(_difference(base.rotations[frame, joint], wanted[frame]), before)
                out[joint][frame] = (vector, self._bend(at[frame]))
                before = vector
            self._hold_channels(joint, out[joint])
        return out

    def _given_path(self, base: Motion) -> _Curve:
        path: _Curve = {}
        for frame, key in self.moves.items():
            way = key.move if isinstance(key, MoveKey) else key.pose.root - base.root[frame]
            path[frame] = (np.asarray(way, dtype=np.float64), self._bend(key))
        if path:
            self._hold_channels("path", path)
        return path

    def _hold_channels(self, what: int | str, curve: _Curve) -> None:
        """Nothing more is added at frames where a channel's value was asked for."""
        for (frame, other), kind in self.touched.items():
            if other == what and kind == "a channel":
                curve.setdefault(frame, (np.zeros(3), STRAIGHT))

    def _reach(self, base: Motion, now: Motion, vectors: dict[int, _Curve]) -> None:
        """Add to the vectors what brings points to their places, on top of all other keys."""
        above: dict[int, set[int]] = {}
        solved: dict[int, FloatArray] = {}
        for frame, keys in self.reaches.items():
            fixed = {j for (f, j) in self.touched if f == frame and isinstance(j, int)}
            solved[frame], above[frame] = reached(now, frame, keys, fixed)
            turned = np.linalg.norm(_difference(now.rotations[frame], solved[frame]), axis=-1)
            for joint in np.flatnonzero(turned > _UNTOUCHED).tolist():
                if joint not in vectors:
                    vectors[joint] = {}
                    self._hold_channels(joint, vectors[joint])
        # whatever moves at any frame must stand, at a goal's frame, as it was solved there
        for frame, keys in sorted(self.reaches.items()):
            bend = self._bend(keys[0])
            for joint in sorted(above[frame] & vectors.keys()):
                curve = vectors[joint]
                if (frame, joint) in self.touched:
                    continue
                earlier = [f for f in curve if f < frame]
                before = curve[max(earlier)][0] if earlier else None
                vector = _difference(base.rotations[frame, joint], solved[frame][joint])
                curve[frame] = (unwrapped(vector, before), bend)

    def _curve(self, keys: _Curve) -> FloatArray:
        return displacement_curve(keys, len(self.motion), self.ends, self.spread)

    def _displaced(self, base: Motion, vectors: dict[int, _Curve], path: _Curve) -> Motion:
        frames = len(base)
        joints = sorted(vectors)
        curves = np.zeros((frames, len(joints), 3))
        for n, joint in enumerate(joints):
            curves[:, n] = self._curve(vectors[joint])
        root = self._curve(path) if path else None
        return Displacement(np.array(joints, dtype=np.int64), curves, root).apply(base)


def _difference(before: FloatArray, after: FloatArray) -> FloatArray:
    """Rotation vectors (…, 3) of before⁻¹ after: v = log(q0⁻¹ q) (LS99 3.1)."""
    return log(normalised(multiply(inverse(before), after)))
