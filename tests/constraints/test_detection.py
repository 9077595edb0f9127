"""Detection: what is found is what a person finds who looks at every frame."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import marotte as mt
from marotte import samples
from marotte.constraints import (
    Angle,
    Comparison,
    Distance,
    Extremum,
    LinearRule,
    LockRule,
    NonlinearRule,
    Orientation,
    Place,
    Position,
    find_violations,
    measure,
)
from marotte.constraints.extrema import extrema
from marotte.errors import InputError, UnknownNameError
from marotte.figure import Motion, Skeleton
from marotte.figure.rotations import exp
from tests.naive import violations as naive

FRAMES = 40
JOINTS = 4


def waving(seed: int) -> Motion:
    """A chain of four joints that swings smoothly, each about three axes."""
    generator = np.random.default_rng(seed)
    skeleton = Skeleton(
        names=("a", "b", "c", "d"),
        parents=np.array([-1, 0, 1, 1]),
        offsets=np.array([[0, 1, 0], [0, 0.5, 0.1], [0.3, 0.2, 0], [-0.3, 0.1, 0.2]]),
        channels=("xyzZXY", "ZYX", "XYZ", "YXZ"),
    )
    t = np.arange(FRAMES)[:, None, None] / FRAMES
    turns = np.sin(generator.uniform(4, 20, (JOINTS, 3)) * t + generator.uniform(0, 6, (JOINTS, 3)))
    root = np.sin(generator.uniform(4, 20, 3) * t[:, 0] + generator.uniform(0, 6, 3))
    return Motion(skeleton, root, exp(turns), 30.0)


axes = st.sampled_from("xyz")
offsets = st.sampled_from([(0.0, 0.0, 0.0), (0.1, -0.2, 0.3)])
points = st.builds(Place, joint=st.integers(0, JOINTS), offset=offsets)
anywhere = st.one_of(points, st.builds(Place, offset=st.just((0.2, 0.9, -0.1))))
quantities = {
    "angle": st.builds(Angle, joint=st.integers(0, JOINTS), axis=axes),
    "orientation": st.builds(Orientation, joint=st.integers(0, JOINTS - 1), axis=axes),
    "position": st.builds(Position, point=points, axis=axes),
    "distance": st.builds(Distance, point=points, to=anywhere),
}
kinds = st.sampled_from(sorted(quantities))


def amounts(kind):
    return st.floats(-40, 40) if kind in ("angle", "orientation") else st.floats(-1, 1.5)


@st.composite
def comparisons(draw):
    kind = draw(kinds)
    another = draw(st.booleans())
    return Comparison(
        type=draw(st.sampled_from(["ABOVE", "BELOW", "EQUAL"])) + ("_ANOTHER" if another else "_GIVEN"),
        data=draw(quantities[kind]),
        reference=draw(quantities[kind]) if another else None,
        given_value=draw(amounts(kind)),
        ignored_error=draw(st.sampled_from([0.0, 0.05])),
    )


@st.composite
def extremes(draw):
    local = draw(st.booleans())
    return Extremum(
        type=draw(st.sampled_from(["LOCAL_MIN", "LOCAL_MAX"] if local else ["GLOBAL_MIN", "GLOBAL_MAX"])),
        data=draw(kinds.flatmap(quantities.__getitem__)),
        ignored_error=draw(st.sampled_from([0.0, 0.02])),
        noise_width=draw(st.integers(0, 12)) if local else 0,
    )


conditions = st.lists(st.one_of(comparisons(), extremes()), max_size=2).map(tuple)
spans = st.one_of(st.none(), st.tuples(st.integers(0, 15), st.integers(20, FRAMES - 1)))
nonlinear = st.builds(NonlinearRule, body=comparisons(), when=conditions, frames=spans)
linear = st.builds(
    LinearRule,
    angle=quantities["angle"],
    compare=st.sampled_from("<>="),
    coefficient=st.sampled_from([1.0, 0.5]),
    other=quantities["angle"],
    constant=st.floats(-40, 40),
    frames=spans,
)
locks = st.builds(
    LockRule,
    point=points,
    to=st.one_of(st.none(), anywhere),
    axes=st.sampled_from(["xyz", "y", "xz"]),
    when=conditions,
    ignored_error=st.sampled_from([0.0, 0.2]),
    frames=spans,
)


@given(st.integers(0, 5), st.one_of(nonlinear, linear, locks))
def test_stretches_are_those_that_a_look_at_every_frame_finds(seed, rule):
    others = [rule] if rule.kind == "linear" else []
    units = [
        u for u in (*getattr(rule, "when", ()), getattr(rule, "body", None)) if u and u.data.kind == "angle"
    ]
    pairs = [(r.angle, r.other) for r in others] + [(u.data, getattr(u, "reference", None)) for u in units]
    assume(all(b is None or (a.joint == JOINTS) == (b.joint == JOINTS) for a, b in pairs))  # metres, degrees
    motion = waving(seed)
    channels = motion.channels()
    angles = {
        (j, axis): channels[f"{name}.{axis}"]
        for j, name in enumerate(motion.skeleton.names)
        for axis in "xyz"
    }
    skeleton = motion.skeleton
    figure = naive.Figure(skeleton.parents, skeleton.offsets, motion.root, motion.rotations, angles)
    for unit in getattr(rule, "when", ()):
        if isinstance(unit, Extremum):  # a bone's length has no extrema but rounding
            assume(np.ptp([figure.value(unit.data, f) for f in range(FRAMES)]) > 1e-6)
    wanted = naive.violations(rule, figure)
    found = sorted(find_violations(motion, rule), key=lambda v: v.begin)
    assert [(v.begin, v.end) for v in found] == [(w[0], w[1]) for w in wanted]
    for one, (begin, _, excess, *cuts) in zip(found, wanted, strict=True):
        assert one.amount == pytest.approx(max(excess), abs=1e-7)
        assert excess[one.frame - begin] == pytest.approx(max(excess), abs=1e-7)
        assert [one.cut_begin, one.cut_end] == cuts


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=60), st.integers(0, 9), st.sampled_from([0.0, 0.3]))
def test_local_extrema_are_those_of_the_definition(values, width, error):
    assume(all(abs(a - b) > 1e-6 for a, b in itertools.pairwise(values)))
    found = extrema(np.array(values), greatest=True, local=True, noise_width=width, ignored_error=error)
    assert np.flatnonzero(found).tolist() == naive.local_maxima(values, width, error, 0.1)
    lowest = extrema(-np.array(values), greatest=False, local=True, noise_width=width, ignored_error=error)
    assert (found == lowest).all()


def step(values: list[float]) -> Motion:
    """One joint whose height is given frame by frame."""
    skeleton = Skeleton(names=("a",), parents=np.array([-1]), offsets=np.zeros((1, 3)), channels=("xyzZXY",))
    root = np.zeros((len(values), 3))
    root[:, 1] = values
    rotations = np.zeros((len(values), 1, 4))
    rotations[..., 0] = 1.0
    return Motion(skeleton, root, rotations, 30.0)


DIP = [0.3, 0.1, -0.1, -0.3, -0.4, -0.2, -0.1, 0.2, 0.3]


def test_without_a_condition_the_stretch_is_where_the_body_is_broken():  # L97 fig. 5.12
    (found,) = find_violations(step(DIP), "a.y >= 0")
    assert (found.begin, found.end, found.frame) == (2, 6, 4)
    assert found.amount == pytest.approx(0.4)
    assert not found.conditional


@pytest.mark.parametrize(
    ("frames", "begin", "end", "worst", "cuts"),
    [
        ((3, 5), 3, 5, 4, (True, True)),  # L97 fig. 5.13 (a): both ends are cut
        ((0, 5), 2, 5, 4, (False, True)),  # (b): one
        ((5, 8), 5, 6, 5, (True, False)),
        ((4, 4), 4, 4, 4, (True, True)),  # (c): a single frame
        ((2, 6), 2, 6, 4, (False, False)),  # nothing is cut where the body is broken no further
    ],
)
def test_frames_that_are_asked_for_cut_stretches(frames, begin, end, worst, cuts):
    (found,) = find_violations(step(DIP), f"a.y >= 0 frames {frames[0]}..{frames[1]}")
    assert (found.begin, found.end, found.frame) == (begin, end, worst)
    assert (found.cut_begin, found.cut_end) == cuts


def test_an_extremum_as_condition_gives_one_frame():
    (found,) = find_violations(step(DIP), "when global_min a.y: a.y = 0")
    assert (found.begin, found.end, found.cut_begin, found.cut_end) == (4, 4, True, True)
    twice = step(DIP + DIP)
    assert [v.frame for v in find_violations(twice, "when local_min a.y: a.y = 0")] == [4, 13]
    assert [v.frame for v in find_violations(twice, "when global_min a.y: a.y = 0")] == [4]
    assert [v.frame for v in find_violations(twice, "when global_min a.y: a.y = 0 frames 9..17")] == [13]


def test_the_take_that_ends_in_a_violation_is_not_cut_there():
    (found,) = find_violations(step(DIP[3:]), "a.y >= 0")
    assert (found.begin, found.cut_begin) == (0, False)


def test_violations_come_in_the_order_of_their_worst_frames():
    found = find_violations(step(DIP + DIP), "a.y <= 0.25\na.y >= 0")
    assert [v.frame for v in found] == sorted(v.frame for v in found)
    assert {v.index for v in found} == {0, 1}


def test_noise_is_no_extremum():
    t = np.linspace(0, 4 * np.pi, 200)
    clean = np.sin(t)
    noisy = clean.copy()
    noisy[65] += 0.15  # a spike, three frames wide
    peaks = np.flatnonzero(extrema(clean, greatest=True, local=True))
    assert len(peaks) == 2
    assert len(np.flatnonzero(extrema(noisy, greatest=True, local=True))) == 3
    assert (np.flatnonzero(extrema(noisy, greatest=True, local=True, noise_width=6)) == peaks).all()
    assert (np.flatnonzero(extrema(noisy, greatest=True, local=True, ignored_error=0.2)) == peaks).all()


def test_a_ripple_on_what_is_level_is_no_extremum():
    values = np.concatenate([np.linspace(0, 1, 30), 1 + 0.001 * np.sin(np.arange(20)), np.linspace(1, 0, 30)])
    all_of_them = extrema(values, greatest=False, local=True, slope_share=0.0)
    assert all_of_them.any()
    assert not extrema(values, greatest=False, local=True).any()


def test_a_turn_past_half_a_circle_is_compared_the_short_way():
    motion = step([0.0] * 3)
    half = np.radians([170.0, 180.0, 190.0]) / 2
    rotations = np.zeros((3, 1, 4))
    rotations[:, 0, 0], rotations[:, 0, 2] = np.cos(half), np.sin(half)
    motion = motion.with_(rotations=rotations)
    assert not find_violations(motion, "orientation(a, y) = 180 within 10 deg")
    (found,) = find_violations(motion, "orientation(a, y) = -170 within 1 deg")
    assert (found.begin, found.end) == (0, 1)
    assert found.amount == pytest.approx(20.0)


def test_a_lock_with_turn_also_holds_the_orientation():
    motion = step([0.0] * 3)
    half = np.radians([0.0, 1.0, 5.0]) / 2
    rotations = np.zeros((3, 1, 4))
    rotations[:, 0, 0], rotations[:, 0, 1] = np.cos(half), np.sin(half)
    (found,) = find_violations(motion.with_(rotations=rotations), "lock a with turn within 2 deg")
    assert (found.begin, found.end, found.unit) == (2, 2, "deg")
    assert found.amount == pytest.approx(5.0)


def test_a_lock_on_a_path_asks_for_the_path_at_every_frame():
    motion = step([0.0, 0.0, 0.0, 0.0, 0.0])
    readings = measure(motion, "lock a at path 1 (0, 0, 0), 3 (0, 1, 0)")
    assert readings[0].excess.tolist() == pytest.approx([0.0, 0.0, 0.5, 1.0, 1.0])


def test_a_take_without_frames_breaks_nothing():
    walk = samples.walk(seconds=1)[0:0]
    rules = "left_toes.y >= 0; when local_min left_foot.y: left_foot.y = 0; LeftLeg.x < 90; lock left_foot"
    assert len(find_violations(walk, rules)) == 0
    assert len(find_violations(walk, "use walking")) == 0


def test_rules_that_do_not_fit_the_figure_say_why():
    walk = samples.walk(seconds=1)
    with pytest.raises(UnknownNameError, match=r"'left_tow'.*did you mean 'left_toes'.*in the rule"):
        find_violations(walk, "left_tow.y >= 0")
    with pytest.raises(InputError, match="has no angle y; it turns about x"):
        find_violations(walk, "angle(LeftLeg, y) < 10")
    with pytest.raises(InputError, match="from 0 to 21, or 22 for the phantom, but is 28"):
        find_violations(walk, "(28, x) < 10")
    with pytest.raises(InputError, match="must lie in the take"):
        find_violations(walk, "left_toes.y > 0 frames 500..600")
    with pytest.raises(InputError, match="orientation needs a joint"):
        find_violations(walk, "orientation(left_heel, y) > 0")


def test_joints_by_name_index_role_word_and_pattern_are_the_same():
    walk = samples.walk(seconds=1)
    index = walk.skeleton.index("LeftFoot")
    said = ["LeftFoot", f"joint({index})", "left_foot", "'left ankle'", "LeftF*t", "left_ankle"]
    found = [find_violations(walk, f"{name}.y <= 0.1") for name in said]
    assert len(found[0]) > 0
    for other in found[1:]:
        assert [(v.begin, v.end, v.amount) for v in other] == [(v.begin, v.end, v.amount) for v in found[0]]


def test_a_pattern_gives_a_rule_for_each_joint_and_binds_alike():
    walk = samples.walk(seconds=2)
    assert {v.where for v in find_violations(walk, "*ToeBase.y >= 0.05")} == {
        "LeftToeBase.y >= 0.05 m",
        "RightToeBase.y >= 0.05 m",
    }
    assert len(find_violations(walk, "*ToeBase.y >= *ToeBase.y")) == 0
    with pytest.raises(UnknownNameError, match="pattern"):
        find_violations(walk, "*Wing*.y >= 0")


def test_the_phantom_is_the_place_of_the_figure():
    walk = samples.walk(seconds=1)
    by_name = find_violations(walk, "phantom.y >= 2")
    by_index = find_violations(walk, f"null --> (ABOVE_GIVEN, CMP_POS, ({len(walk.skeleton)}, y), 0, 2)")
    assert by_name[0].amount == by_index[0].amount == pytest.approx(2 - walk.root[:, 1].min())
    (linear_one,) = find_violations(walk, "(phantom, y) > 2")
    assert (linear_one.amount, linear_one.unit) == (by_name[0].amount, "m")


def test_rules_are_given_as_text_models_lists_and_files(tmp_path):
    walk = samples.walk(seconds=1)
    (tmp_path / "high.rules").write_text("head.y >= 2\n")
    rule = mt.constraints.parse_rule("head.y >= 2")
    file = tmp_path / "high.rules"
    for given_as in ("head.y >= 2", rule, [rule], ["head.y >= 2"], file, str(file)):
        assert [v.label for v in find_violations(walk, given_as)] == ["head.y >= 2 m"]
    assert not find_violations(walk, [])


def test_a_real_jump_leaves_the_ground_once(shared_data):
    take = next(iter(sorted(shared_data.rglob("13_11.bvh"))), None)
    if take is None:
        pytest.skip("this take is not there")
    jump = mt.load(take)
    found = find_violations(jump, "use walking")
    assert sorted(v.label for v in found) == [
        "left foot down while right is up",
        "right foot down while left is up",
    ]
    highest = int(np.argmax(jump.root[:, 1]))
    for one in found:
        assert one.begin < highest < one.end
        assert abs(one.frame - highest) < 15


def test_rules_stand_beside_takes(tmp_path):
    mt.save(samples.walk(seconds=1), tmp_path / "walk.bvh")
    walk = mt.load(tmp_path / "walk.bvh")
    with pytest.raises(InputError, match="no file of rules stands beside"):
        mt.find_violations(walk)
    (tmp_path / "skeleton.rules").write_text("head.y >= 2\n")
    assert [v.label for v in mt.find_violations(walk)] == ["head.y >= 2 m"]
    (tmp_path / "walk.rules").write_text("# mine\nhead.y >= 3\n")
    assert [v.label for v in mt.find_violations(walk)] == ["head.y >= 3 m"]
