"""Rules imposed on a motion: found, adjusted, smoothed, and looked at again (L97 5.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..errors import InputError, UnknownNameError
from ..figure import Motion
from ..figure._arrays import BoolArray
from ..figure.staying import still_in_contact
from ..kinematics import SOLVERS, JointLimits, joint_limits
from ..kinematics.joint_limits import Which
from .adjusting import LEAST, Adjuster
from .asking import demands_of
from .demands import Bent, Demand
from .detection import Reading, Rules, as_rules, find_violations, measure
from .held import with_rules
from .mending import Mending
from .resolving import resolve
from .rules import LinearRule, LockRule, NonlinearRule
from .violations import Violation, Violations

AnyRule = LinearRule | NonlinearRule | LockRule
Start = Literal["current", "neighbour"]
STARTS: dict[Start, str] = {
    "current": "from the pose that the frame has, which changes it least",
    "neighbour": "from the pose of the nearest frame that is not touched, which is smoother",
}
"""Where the search for an adjusted pose begins (L97 5.3.3)."""
Order = Literal["together", "sequence"]
ORDERS: dict[Order, str] = {
    "together": "all rules are looked at before any is mended",
    "sequence": "each rule is looked at on what mending the one before it made",
}
"""How several rules are applied (L97 5.3.6)."""

_IDLE = 1  # rounds that make nothing better, after which there are no more
_ROUNDS = 6  # of looking again: mending may move the frames at which conditions hold


@dataclass(frozen=True, slots=True, eq=False)
class Mended:
    """What mending came to."""

    motion: Motion
    """The mended take; the take as it was where rules could not be met and no best effort was asked for."""
    before: Violations
    """What was broken."""
    left: Violations
    """What is broken still, after mending as far as it went."""
    touched: BoolArray
    """(F,) frames that mending may have changed; all others are as they were, bit by bit."""
    poses: int
    """How many poses were solved for."""

    @property
    def met(self) -> bool:
        """Whether every rule holds."""
        return len(self.left) == 0

    @property
    def unmet(self) -> tuple[Violation, ...]:
        """Of every rule that does not hold, where it misses most."""
        worst: dict[str, Violation] = {}
        for violation in self.left:
            known = worst.get(violation.label)
            if known is None or violation.amount > known.amount:
                worst[violation.label] = violation
        return tuple(sorted(worst.values(), key=lambda v: -v.amount))

    def in_words(self) -> str:
        """The rules that do not hold, each with what it misses and where."""
        return "; ".join(
            f"{v.label!r} is missed by {v.amount:.4g} {v.unit} at frame {v.frame}" for v in self.unmet
        )


def constrain(
    motion: Motion,
    rules: Rules | None = None,
    *,
    smooth: int = 8,
    start: Start = "current",
    solver: str = LEAST,
    order: Order = "together",
    limits: Which | JointLimits = "own",
    best_effort: bool = False,
    progress: Callable[[float, str], None] | None = None,
) -> Mended:
    """The motion changed as little as it takes for all rules to hold.

    Only the joints between what a rule is about and the nearest place where the figure branches
    give way; where they do not reach, those above, and at last the root's place. `smooth` is how many
    frames before and after a broken stretch run into the change; all others stay bit by bit.
    Contacts of parts that moved are dropped. Rules that cannot hold together leave the take as it was,
    unless `best_effort` is asked for; `Mended.unmet` names them either way.

    Cost: milliseconds for a take of some thousand frames with a few broken stretches, because only the
    worst frames of a stretch are solved for; a third of a millisecond a frame for locks.
    """
    _check(motion, smooth, start, solver, order)
    tell = progress or (lambda share, what: None)
    asked = as_rules(rules, motion)
    before = find_violations(motion, asked)
    given = _settled(motion, asked)
    nothing = np.zeros(len(motion), dtype=np.bool_)
    if not before:
        return Mended(motion, before, before, nothing, 0)
    bounds = limits if isinstance(limits, JointLimits) else joint_limits(motion.skeleton, limits, motion.rig)
    alone = [(rule,) for rule in given]
    held = [given[: k + 1] for k in range(len(given))]
    made, touched, poses, left, idle = motion, nothing, 0, before, 0
    best = _Best(motion, before, nothing)
    for number in range(_ROUNDS):
        # in sequence, rules that come later may break earlier ones a little: those are held from then on
        groups = [given] if order == "together" else held if number else alone
        for at, group in enumerate(groups):
            share = (number + at / len(groups)) / _ROUNDS
            made, more, solved = _once(made, group, bounds, smooth, start, solver, share, tell)
            touched, poses = touched | more, poses + solved
        left = find_violations(made, given)
        idle = 0 if best.better(made, left, touched) else idle + 1
        if not left or idle > _IDLE:
            break
    made, left, touched = best.motion, best.left, best.touched
    if left and not best_effort:
        return Mended(motion, before, left, nothing, poses)
    made = made.with_(contacts=still_in_contact(motion, made))
    return Mended(made, before, left, touched, poses)


def _settled(motion: Motion, rules: Sequence[AnyRule]) -> tuple[AnyRule, ...]:
    """The rules as they are for this take, by their names: the ground is where it was before mending, or it
    would rise with the feet that are lifted out of it."""
    return tuple(
        one.exact.model_copy(update={"name": one.rule.name or one.where}) for one in resolve(motion, rules)
    )


@dataclass(slots=True)
class _Best:
    """The best that rounds of mending came to."""

    motion: Motion
    left: Violations
    touched: BoolArray

    def better(self, motion: Motion, left: Violations, touched: BoolArray) -> bool:
        """Keep it if less is left; whether it was."""
        if _weight(left) >= 0.999 * _weight(self.left):
            return False
        self.motion, self.left, self.touched = motion, left, touched
        return True


def _weight(left: Violations) -> float:
    return sum(v.amount * (1 + v.end - v.begin) for v in left)


def _once(
    motion: Motion,
    rules: Sequence[AnyRule],
    limits: JointLimits,
    smooth: int,
    start: Start,
    solver: str,
    share: float,
    tell: Callable[[float, str], None],
) -> tuple[Motion, BoolArray, int]:
    """Mend once for rules that are looked at together: those about angles first, then the others."""
    readings = measure(motion, rules)
    touched, poses = np.zeros(len(motion), dtype=np.bool_), 0
    linear = [r for r in readings if isinstance(r.resolved.exact, LinearRule)]
    bounds, held = with_rules(motion, limits, [_linear(r) for r in linear])
    stages = [linear, readings] if linear and len(linear) < len(readings) else [readings]
    for stage in stages:
        demands = [_kept(d, held) for d in demands_of(motion, stage)]
        mending = Mending(demands, Adjuster(motion, bounds, solver), max(1, smooth), start == "neighbour")
        motion, more = mending.run(motion, lambda s, what: tell(share + s / _ROUNDS, what))
        touched |= more
        poses += mending.solved
    return motion, touched, poses


def _linear(reading: Reading) -> LinearRule:
    assert isinstance(reading.resolved.exact, LinearRule)
    return reading.resolved.exact


def _kept(demand: Demand, held: set[int]) -> Demand:
    if isinstance(demand, Bent) and demand.point.joint in held and demand.relation != 0:
        return replace(demand, by_limits=True)
    return demand


def _check(motion: Motion, smooth: int, start: str, solver: str, order: str) -> None:
    if len(motion) == 0:
        raise InputError("a motion without frames has nothing to mend")
    if motion.translations is not None:
        raise InputError(
            "joints that move against their bones cannot be mended; leave out their translations "
            "(motion.with_(translations=None)) first"
        )
    if smooth < 0:
        raise InputError(f"smooth must be 0 frames or more, but is {smooth}")
    if start not in STARTS:
        raise InputError(f"start must be one of {', '.join(STARTS)}, but is {start!r}")
    if order not in ORDERS:
        raise InputError(f"order must be one of {', '.join(ORDERS)}, but is {order!r}")
    if solver not in SOLVERS:
        raise UnknownNameError("solver", solver, SOLVERS)
