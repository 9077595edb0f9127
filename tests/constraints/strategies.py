"""Any rule at all, for Hypothesis."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from marotte.constraints import (
    Angle,
    Comparison,
    Distance,
    Extremum,
    LinearRule,
    LockRule,
    NonlinearRule,
    Orientation,
    Path,
    PathKey,
    Place,
    Position,
)

numbers = st.one_of(
    st.sampled_from([0.0, 0.005, -0.19, 1.0, 150.0]),
    st.floats(-1e6, 1e6, allow_subnormal=False).map(lambda v: v + 0.0),
)
errors = st.one_of(st.just(0.0), st.floats(0, 1e3))
axes = st.sampled_from("xyz")
vectors = st.one_of(st.just((0.0, 0.0, 0.0)), st.tuples(numbers, numbers, numbers))
words = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=12)
names = st.one_of(
    st.sampled_from(
        [
            "LeftLeg",
            "left_foot",
            "*Toe*",
            "right wrist",
            "mixamorig:Hips",
            "phantom",
            "lock",
            "x",
            "28",
            "at",
            "a.b",
        ]
    ),
    words.filter(lambda w: w.strip().lower() not in ("non", "none", "world", "phantom")),
)
joints = st.one_of(names, st.integers(0, 200))
on_figure = st.builds(Place, joint=joints, offset=vectors)
anywhere = st.one_of(on_figure, st.builds(Place, offset=vectors))
angles = st.builds(Angle, joint=joints, axis=axes)
frames = st.one_of(
    st.none(),
    st.tuples(st.integers(0, 50), st.integers(50, 999)),
    st.tuples(st.integers(0, 9), st.integers(-9, -1)),
)
labels = st.one_of(
    st.just(""), st.text(st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")), max_size=12)
).filter(str.isprintable)


@st.composite
def quantities(draw, kind, place=on_figure):
    if kind == "angle":
        return draw(angles)
    if kind == "orientation":
        return draw(st.builds(Orientation, joint=joints, axis=axes))
    if kind == "position":
        return draw(st.builds(Position, point=place, axis=axes))
    return draw(st.builds(Distance, point=place, to=anywhere))


kinds = st.sampled_from(["angle", "position", "orientation", "distance"])


def alike(one, other):
    """The phantom's place and an angle are not compared."""
    return (getattr(one, "joint", "") == "phantom") == (getattr(other, "joint", "") == "phantom")


@st.composite
def comparisons(draw):
    kind = draw(kinds)
    another = draw(st.booleans())
    data, reference = draw(quantities(kind)), draw(quantities(kind, anywhere)) if another else None
    assume(not another or alike(data, reference))
    return Comparison(
        type=draw(st.sampled_from(["ABOVE", "BELOW", "EQUAL"])) + ("_ANOTHER" if another else "_GIVEN"),
        data=data,
        reference=reference,
        given_value=draw(numbers),
        ignored_error=draw(errors),
    )


@st.composite
def extrema(draw):
    local = draw(st.booleans())
    return Extremum(
        type=draw(st.sampled_from(["LOCAL_MIN", "LOCAL_MAX"] if local else ["GLOBAL_MIN", "GLOBAL_MAX"])),
        data=draw(quantities(draw(kinds))),
        ignored_error=draw(errors),
        noise_width=draw(st.integers(0, 40)) if local else 0,
    )


conditions = st.lists(st.one_of(comparisons(), extrema()), max_size=3).map(tuple)


@st.composite
def linear(draw):
    angle, other = draw(angles), draw(st.one_of(st.none(), angles))
    assume(other is None or alike(angle, other))
    return LinearRule(
        angle=angle,
        compare=draw(st.sampled_from("<>=")),
        coefficient=1.0 if other is None else draw(numbers),
        other=other,
        constant=draw(numbers),
        ignored_error=draw(errors),
        frames=draw(frames),
        name=draw(labels),
    )


nonlinear = st.builds(NonlinearRule, body=comparisons(), when=conditions, frames=frames, name=labels)
paths = st.lists(st.integers(0, 500), min_size=1, max_size=4, unique=True).flatmap(
    lambda at: st.tuples(*(vectors for _ in at)).map(
        lambda places: Path(
            keys=tuple(PathKey(frame=f, at=p) for f, p in zip(sorted(at), places, strict=True))
        )
    )
)


@st.composite
def locks(draw):
    turn = draw(st.booleans())
    return LockRule(
        point=draw(on_figure),
        to=draw(st.one_of(st.none(), anywhere, paths)),
        axes=draw(st.sampled_from(["xyz", "xz", "y"])),
        turn=turn,
        when=draw(conditions),
        ignored_error=draw(errors),
        ignored_turn=draw(errors) if turn else 0.0,
        frames=draw(frames),
        name=draw(labels),
    )


rules = st.one_of(linear(), nonlinear, locks())
