"""Any quantity of a motion as a curve, and the motion that follows when its points are pulled (L97 5.4.1).

A quantity is said as in rules: `left_hand.y`, `distance(cup, mouth)`, `orientation(left_foot, x)`,
`angle(left_knee, x)`; or by the name of a channel, `LeftArm.x`, which is an angle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..curves import kochanek_bartels
from ..errors import InputError, UnknownNameError, UnmetRulesError
from ..figure import FloatArray, Motion
from ..figure._arrays import owned
from ..figure.channels import layout
from ..figure.staying import still_in_contact
from ..kinematics import SOLVERS, joint_limits
from ..kinematics.joint_limits import Which
from .adjusting import LEAST, Adjuster
from .asking import column_of, demand_of
from .gathering import Signals
from .language import parse_rule
from .linear import rewritten
from .mending import pulled
from .resolving import resolve
from .rules import Angle, Comparison, LinearRule, LockRule, NonlinearRule, Quantity


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A quantity over time."""

    of: str
    """What it is of."""
    values: FloatArray
    """(F,) metres or degrees; orientations go on past 180 degrees instead of jumping."""
    unit: str
    """`m` or `deg`."""


def curve_of(motion: Motion, of: str | Quantity) -> Curve:
    """A quantity of a motion as a curve."""
    if len(motion) == 0:
        raise InputError("a motion without frames has no curves")
    text, quantity = _quantity(motion, of)
    values = np.array(Signals(motion).value(quantity))
    if quantity.kind == "orientation":
        values = np.unwrap(values, period=360.0)
    unit = "m" if quantity.kind in ("position", "distance") or _of_path(motion, quantity) else "deg"
    return Curve(text, owned(values), unit)


def pull(
    motion: Motion,
    of: str | Quantity,
    points: Mapping[int, float],
    *,
    hold: Sequence[int] = (),
    smooth: int = 16,
    tension: float = 0.0,
    continuity: float = 0.0,
    bias: float = 0.0,
    solver: str = LEAST,
    limits: Which = "own",
    best_effort: bool = False,
) -> Motion:
    """The motion whose curve goes through values at frames, smoothly, and is as it was elsewhere.

    `points` are values by frame: degrees or metres. At the frames of `hold` nothing changes; before the
    first point and after the last the change fades out over `smooth` frames. Between the points the
    change of the curve is interpolated, so that the curve keeps its small movement: of angles directly,
    as Kochanek and Bartels' spline with tension, continuity and bias; of places, orientations and
    distances by the poses that reach the points, without over- or undershoot. Frames beyond stay bit
    by bit. A place out of reach moves the root; what cannot be reached at all is an error, unless
    `best_effort` is asked for. Contacts of parts that moved are dropped.
    """
    if solver not in SOLVERS:
        raise UnknownNameError("solver", solver, SOLVERS)
    if smooth < 1:
        raise InputError(f"smooth must be 1 frame or more, but is {smooth}")
    curve = curve_of(motion, of)
    frames, wanted = _points(points, len(motion))
    still = _still(hold, frames, len(motion))
    _, quantity = _quantity(motion, of)
    if isinstance(quantity, Angle):
        bends = {"tension": tension, "continuity": continuity, "bias": bias}
        made = _pulled_angle(motion, quantity, frames, wanted, still, smooth, bends)
    else:
        made = _pulled_poses(motion, quantity, curve, frames, wanted, still, smooth, solver, limits)
        off = np.abs(_wrapped(curve_of(made, of).values[frames] - wanted, curve.unit))
        worst = int(off.argmax())
        if off[worst] > (1e-3 if curve.unit == "m" else 0.1) and not best_effort:
            raise UnmetRulesError(
                f"{curve.of} at frame {frames[worst]} cannot be {wanted[worst]:g} {curve.unit}: "
                f"{off[worst]:.3g} {curve.unit} are missing; pull it less far, or ask for best_effort"
            )
    return made if made is motion else made.with_(contacts=still_in_contact(motion, made))


def _pulled_angle(
    motion: Motion,
    angle: Angle,
    frames: list[int],
    wanted: FloatArray,
    still: list[int],
    smooth: int,
    bends: dict[str, float],
) -> Motion:
    column = column_of(motion, angle)[0]
    values = np.array(motion.channels().values)
    change = dict(zip(frames, (wanted - values[frames, column]).tolist(), strict=True))
    first, last = min(frames), max(frames)
    before = max([f for f in still if f < first], default=first - smooth)
    after = min([f for f in still if f > last], default=last + smooth)
    change |= dict.fromkeys([before, *still, after], 0.0)
    times = sorted(f for f in change if before <= f <= after)
    shift = kochanek_bartels(times, [change[f] for f in times], ends="still", **bends)
    inside = np.arange(max(0, before + 1), min(len(motion), after))
    moved = np.zeros(values.shape, dtype=np.bool_)
    moved[inside, column] = True
    values[inside, column] += shift(inside)
    return rewritten(motion, values, moved)


def _pulled_poses(
    motion: Motion,
    quantity: Quantity,
    curve: Curve,
    frames: list[int],
    wanted: FloatArray,
    still: list[int],
    smooth: int,
    solver: str,
    limits: Which,
) -> Motion:
    target = np.array(curve.values)
    target[frames] = wanted
    demand = demand_of(motion, _equal(quantity), target, frames)
    adjuster = Adjuster(motion, joint_limits(motion.skeleton, limits, motion.rig), solver)
    return pulled(motion, demand, adjuster, smooth, still)


def _equal(quantity: Quantity) -> LinearRule | NonlinearRule:
    if isinstance(quantity, Angle):
        return LinearRule(angle=quantity, compare="=")
    return NonlinearRule(body=Comparison(type="EQUAL_GIVEN", data=quantity))


def _quantity(motion: Motion, of: str | Quantity) -> tuple[str, Quantity]:
    """A quantity with the joints of the figure, from text or a model."""
    if isinstance(of, str):
        text = " ".join(of.split())
        rule = _of_channel(motion, text) or parse_rule(f"{text} = 0")
    else:
        rule, text = _equal(of), of.kind
    exact = resolve(motion, [rule])
    if len(exact) != 1:
        raise InputError(f"a curve is of one quantity, but {text!r} means {len(exact)}")
    found = exact[0].exact
    if isinstance(found, LockRule) or (isinstance(found, NonlinearRule) and found.body.reference is not None):
        raise InputError(f"a curve is of one quantity, such as 'left_hand.y', but {text!r} is none")
    return text, found.angle if isinstance(found, LinearRule) else found.body.data


def _of_channel(motion: Motion, name: str) -> LinearRule | None:
    """A rule about the channel of that name, or None where there is none."""
    if name not in layout(motion.skeleton).names:
        return None
    joint, _, axis = name.rpartition(".")
    if not axis.startswith("t"):
        return LinearRule(angle=Angle(joint=joint, axis=axis[0]), compare="=") if len(axis) == 1 else None
    if motion.skeleton.index(joint) != 0:
        raise InputError(f"channel {name!r} moves a joint against its bone, and cannot be pulled")
    return LinearRule(angle=Angle(joint=len(motion.skeleton), axis=axis[1]), compare="=")


def _points(points: Mapping[int, float], count: int) -> tuple[list[int], FloatArray]:
    if not points:
        raise InputError("points must hold at least one frame and its value, such as {40: 1.2}")
    found: dict[int, float] = {}
    for frame, value in points.items():
        at = frame + count if frame < 0 else frame
        if not 0 <= at < count:
            raise InputError(f"frames of points must lie in 0 to {count - 1}, but one is {frame}")
        if not np.isfinite(value):
            raise InputError(f"values of points must be finite, but that of frame {frame} is {value}")
        found[at] = float(value)
    frames = sorted(found)
    return frames, np.array([found[f] for f in frames])


def _still(hold: Sequence[int], frames: list[int], count: int) -> list[int]:
    found = sorted({f + count if f < 0 else f for f in hold})
    for f in found:
        if not 0 <= f < count:
            raise InputError(f"frames of hold must lie in 0 to {count - 1}, but one is {f}")
        if f in frames:
            raise InputError(f"frame {f} is to be pulled and held; leave it out of one of them")
    return found


def _of_path(motion: Motion, quantity: Quantity) -> bool:
    return isinstance(quantity, Angle) and quantity.joint == len(motion.skeleton)


def _wrapped(difference: FloatArray, unit: str) -> FloatArray:
    """Differences of degrees to the nearest of equal angles."""
    return difference - 360.0 * np.round(difference / 360.0) if unit == "deg" else difference
