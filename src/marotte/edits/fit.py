"""Make a take meet goals."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, model_validator

from .._options import Options, option
from ..errors import InputError
from ..figure import Motion
from ..figure.rotations import from_euler
from ._base import Edit
from .lock_feet import noted

_ASKS = ("position", "move", "orientation", "look", "distance", "stay")
_WORDS = {"at": "position", "move": "move", "turned": "orientation", "look": "look", "from": "distance"}
_HINT = (
    "must be goals, such as {joint: RightHand, frames: [40, 40], position: [0.3, 1.4, 0.5]}, or text, such "
    "as '40 RightHand at 0.3 1.4 0.5; 10-30 LeftFoot stay; all Head look 0 1.6 3'"
)


def _frames(value: Any) -> Any:
    if value is None or value == "all":
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return (value, value)
    fine = isinstance(value, (list, tuple)) and len(value) == 2
    if not (fine and all(isinstance(n, int) for n in value)):
        raise ValueError("must be a frame, the first and the last frame, or 'all'")
    return value


def _numbers(*counts: int) -> Any:
    words = " or ".join({3: "three", 4: "four"}[n] for n in counts)

    def check(value: Any) -> Any:
        fine = isinstance(value, (list, tuple)) and len(value) in counts
        if value is not None and not (
            fine and all(isinstance(n, (int, float)) and not isinstance(n, bool) for n in value)
        ):
            raise ValueError(f"must be {words} numbers")
        return value

    return BeforeValidator(check)


Three = Annotated[tuple[float, float, float] | None, _numbers(3)]


class FitGoal(Options):
    """What is wanted at some frames of one point of the figure."""

    KIND: ClassVar[str] = "goal"

    joint: str = option(..., "joint, role or named point")
    frames: Annotated[tuple[int, int] | None, BeforeValidator(_frames)] = option(
        None, "a frame, the first and the last, or all; negative ones count from the end"
    )
    offset: tuple[float, float, float] = option((0.0, 0.0, 0.0), "the point on that joint", unit="m")
    position: Three = option(None, "its place in the world", unit="m")
    move: Three = option(None, "its place as it was, and this way from there", unit="m")
    orientation: Annotated[list[float] | None, _numbers(3, 4)] = option(
        None, "how the joint is turned in the world: degrees about x, y, z, or a quaternion w, x, y, z"
    )
    look: Three = option(None, "a place that it looks at", unit="m")
    along: tuple[float, float, float] = option(
        (0.0, 0.0, 1.0), "for look, the direction of the joint's frame that looks"
    )
    distance: float | None = option(None, "how far it is from what `of` names", unit="m", least=0)
    of: Annotated[str | tuple[float, float, float] | None, BeforeValidator(lambda v: v)] = option(
        None, "for distance, another joint, role or point, or a place in the world"
    )
    relation: Literal["equal", "at_least", "at_most"] = option("equal", "for distance")
    stay: bool = option(False, "it stays where it is over these frames, wherever that is")
    weight: float = option(1.0, "how much it counts against other goals", least=0)

    @model_validator(mode="after")
    def _one_thing(self) -> FitGoal:
        given = [name for name in _ASKS if getattr(self, name) not in (None, False)]
        allowed = [set(given)] if len(given) == 1 else [{"position", "orientation"}, {"move", "orientation"}]
        if not given or set(given) not in allowed:
            raise ValueError(
                f"must say one of {', '.join(_ASKS)}, or a place with an orientation, but says "
                f"{' and '.join(given) or 'none'}"
            )
        if (self.distance is None) != (self.of is None):
            raise ValueError("distance needs `of`, what it is measured from, and `of` a distance")
        if self.stay and self.frames is None:
            raise ValueError("stay needs frames, the first and the last")
        return self


def _goals(value: Any) -> Any:
    """Goals as a list, from one goal or from text."""
    if isinstance(value, dict):
        return value["goals"] if set(value) == {"goals"} else [value]
    if isinstance(value, list) and value and all(isinstance(k, (str, int, float)) for k in value):
        value = " ".join(str(k) for k in value)  # commas between numbers
    if isinstance(value, str):
        return [_read(text) for text in value.replace(",", " ").split(";") if text.strip()]
    if not isinstance(value, list) or not all(isinstance(k, (dict, FitGoal)) for k in value):
        raise ValueError(_HINT)
    return value


def _read(text: str) -> dict[str, Any]:
    """One goal from words: `40 RightHand at 0.3 1.4 0.5`, `10-30 LeftFoot stay`."""
    words = text.split()
    try:
        when, joint, does, *rest = words
        first, dash, last = when.partition("-")
        frames = "all" if when == "all" else [int(first), int(last)] if dash and first else int(when)
        goal: dict[str, Any] = {"frames": frames, "joint": joint}
        if does == "stay" and not rest:
            return {**goal, "stay": True}
        if does == "from":
            *other, metres = rest
            of = other[0] if len(other) == 1 else [float(word) for word in other]
            return {**goal, "distance": float(metres), "of": of}
        return {**goal, _WORDS[does]: [float(word) for word in rest]}
    except (ValueError, KeyError, IndexError):
        raise ValueError(f"{_HINT} ({text.strip()!r} is none)") from None


class Fit(Edit):
    """Make a take meet goals at some frames, changed as little and as smoothly as that needs."""

    op: ClassVar[str] = "fit"
    summary: ClassVar[str] = "meet goals: places, orientations, looks, distances"

    goals: Annotated[list[FitGoal], BeforeValidator(_goals)] = option(
        ...,
        "what is wanted when and of what: a position or a move (metres), an orientation (degrees), a place "
        "to look at, a distance of something, or to stay; on the command line also as text, "
        "'40 RightHand at 0.3 1.4 0.5; 10-30 LeftFoot stay', or as @file",
        example=[{"joint": "RightHand", "frames": [40, 40], "position": [0.3, 1.4, 0.5]}],
        harm="goals that are far from the motion and close in time make it hasty",
    )
    spacing: float = option(
        16.0,
        "frames between knots of the first level: a goal reaches up to nearly four times as far",
        unit="frames",
        least=1,
        most=10000,
        example=8,
        harm="small, and only the frame itself moves; large, and half the take does",
    )
    levels: int = option(
        4, "how often knots are doubled, each time nearer to the goals", least=1, most=12, example=2
    )
    exact: bool = option(
        True, "meet goals exactly in the end, where limbs reach", example=False,
        harm="without, a rest of some millimetres is left",
    )  # fmt: skip
    solver: Literal["auto", "hierarchy", "spacetime"] = option(
        "auto",
        "level by level, or all frames at once; auto takes the first, and the second where something stays",
        example="spacetime",
    )
    limits: Literal["own", "human", "none"] = option(
        "own", "how far joints may turn: as the file says, as people's, or without limits", example="human"
    )
    rigidity: dict[str, float] = option(
        {},
        "what turning a joint costs, by joint or role, 1 where nothing is said; root is the root's place",
        example={"spine": 10, "root": 4},
        harm="what costs too much is not moved at all, and goals are missed",
    )

    def apply(self, motion: Motion) -> Motion:
        """The fitted motion; its notes say how well goals are met."""
        from ..fitting import fit

        if not self.goals:
            raise InputError("goals must name at least one goal")
        goals, stays = _made(self.goals, motion)
        rigidity: dict[str | int, float] = dict(self.rigidity.items())
        chosen: Literal["hierarchy", "spacetime"] | None = None if self.solver == "auto" else self.solver
        done = fit(
            motion,
            goals,
            stays=stays,
            solver=chosen,
            spacing=self.spacing,
            levels=self.levels,
            exact=self.exact,
            limits=self.limits,
            rigidity=rigidity or None,
        )
        report = done.report
        return noted(
            done.motion,
            f"{len(self.goals)} goal{'s' * (len(self.goals) != 1)} ({report.constraints} numbers): off by "
            f"{report.before:.2f} % of the height before, by {report.worst:.3f} % now",
            *report.unmet,
        )


def _made(goals: list[FitGoal], motion: Motion) -> tuple[list[Any], list[Any]]:
    """The goals of the option model as those of kinematics and fitting."""
    from ..figure.signals import path
    from ..fitting import Stay
    from ..kinematics import Distance, Look, Orientation, Place, Position

    made: list[Any] = []
    stays: list[Any] = []
    for goal in goals:
        point: Any = (goal.joint, goal.offset) if any(goal.offset) else goal.joint
        frames = _span(goal.frames, len(motion))
        common: dict[str, Any] = {"weight": goal.weight, "frames": frames}
        turned: Any = None
        if goal.orientation is not None:
            numbers = np.array(goal.orientation, dtype=np.float64)
            turned = from_euler(np.radians(numbers), "XYZ") if len(numbers) == 3 else _unit(numbers)
        to: Any = None
        if goal.position is not None:
            to = np.array(goal.position)
        elif goal.move is not None:
            to = path(motion, point) + np.array(goal.move)
        if goal.stay:
            assert frames is not None
            stays.append(Stay(point=point, frames=frames, weight=goal.weight))
        elif goal.look is not None:
            made.append(Look(point=point, at=np.array(goal.look), along=goal.along, **common))
        elif goal.distance is not None:
            other: Any = goal.of if isinstance(goal.of, str) else np.array(goal.of)
            made.append(Distance(a=point, b=other, metres=goal.distance, relation=goal.relation, **common))
        elif to is None:
            made.append(Orientation(joint=goal.joint, to=turned, **common))
        elif turned is None:
            made.append(Position(point=point, to=to, **common))
        else:
            made.append(Place(point=point, to=to, turned=turned, **common))
    return made, stays


def _unit(numbers: Any) -> Any:
    length = float(np.linalg.norm(numbers))
    if length < 1e-9:
        raise InputError("orientation must be a quaternion of some length, but is 0 0 0 0")
    return numbers / length


def _span(frames: tuple[int, int] | None, count: int) -> tuple[int, int] | None:
    if frames is None:
        return None
    first, last = (f + count if f < 0 else f for f in frames)
    if not 0 <= first <= last < count:
        raise InputError(
            f"a goal's frames must lie in 0 to {count - 1}, first before last, but are {frames[0]} to "
            f"{frames[1]}"
        )
    return first, last
