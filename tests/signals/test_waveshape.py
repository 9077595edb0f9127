"""Waveshaping: identity is identity, limits hold, shapes do what their names say, people add their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte import samples
from marotte.edits import Waveshape
from marotte.errors import FileError, InputError, UnknownNameError
from marotte.figure import Motion, select_joints
from marotte.figure.rotations import angle_between
from marotte.figure.signals import path
from marotte.signals import (
    INTERPOLATIONS,
    SHAPES,
    Limits,
    Shape,
    add_shape,
    remove_shape,
    shape_folder,
    shape_names,
    shape_of,
    shaped,
    soft_limited,
    waveshape,
)
from tests.figure.figures import wander

X = np.linspace(-1, 1, 401)
SPANS: list[Any] = ["own", "first", "mean", (-90.0, 90.0)]
LINE = [(-1.0, -1.0), (-0.3, -0.3), (0.2, 0.2), (1.0, 1.0)]


@pytest.fixture(scope="module")
def wave() -> Motion:
    return samples.wave()


@pytest.fixture
def library(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("MAROTTE_DATA_DIR", str(tmp_path))
    return Path(tmp_path) / "shapes"


# ---- shapes


@pytest.mark.parametrize("interpolation", INTERPOLATIONS)
def test_shapes_meet_their_points(interpolation):
    points = [(-1.0, -0.4), (-0.5, 0.1), (0.0, -0.2), (0.3, 0.9), (1.0, 0.5)]
    shape = Shape(points, interpolation)
    assert shape([x for x, _ in points]) == pytest.approx([y for _, y in points], abs=1e-12)


@pytest.mark.parametrize("interpolation", ["kochanek", "cubic", "monotone", "linear"])
def test_points_on_the_diagonal_are_no_shape_at_all(interpolation):
    far = np.linspace(-3, 3, 50)  # beyond -1 and 1 as well: a given range may be exceeded
    assert np.array_equal(Shape(LINE, interpolation)(far), far)
    bent = Shape([*LINE[:-1], (1.0, 1.0 + 1e-9)], interpolation)  # goes through the interpolation itself
    assert bent(far) == pytest.approx(far, abs=1e-7)


def test_a_shape_goes_straight_on_beyond_its_points():
    for name, shape in SHAPES.items():
        ends = shape([-1.5, -1.25, -1.0, 1.0, 1.25, 1.5])
        assert np.diff(ends[:3], 2) == pytest.approx(0.0, abs=1e-12), name
        assert np.diff(ends[3:], 2) == pytest.approx(0.0, abs=1e-12), name


def test_named_shapes_do_what_their_names_say():
    f = {name: shape(X) for name, shape in SHAPES.items()}
    assert all(shape.about for shape in SHAPES.values())
    assert np.array_equal(f["identity"], X)
    assert np.abs(f["cap"]).max() == pytest.approx(0.6)
    assert f["soft_cap"].max() == pytest.approx(0.7)
    assert (np.diff(f["soft_cap"]) >= 0).all()
    assert np.abs(f["exaggerate"]).max() > 1 > np.abs(f["tone_down"]).max()
    slope = np.diff(f["attenuate_extremes"]) / np.diff(X)  # BW95 4: more in the middle, less at the extremes
    assert slope[200] > 1.5
    assert abs(slope[0]) < 0.1
    assert np.abs(f["attenuate_extremes"] - np.sin(np.pi * X / 2)).max() < 2e-3
    assert f["bump"][200] == pytest.approx(0.25)  # BW95 4: what was zero has some bump
    assert f["bump"][[0, -1]] == pytest.approx([-1, 1])
    assert (np.diff(np.sign(np.diff(f["undulate"]))) != 0).sum() == 6  # three times back and forth
    assert f["undulate"][[0, -1]] == pytest.approx([-1, 1])
    assert len(np.unique(f["steps"])) == 5
    assert len(np.unique(f["two_steps"])) == 2
    assert (f["gate"][np.abs(X) < 0.3] == 0).all()
    assert f["mirror"] == pytest.approx(-X)


# ---- limits


@given(st.floats(0, 0.95), st.floats(0.05, 3), st.floats(0.001, 50))
def test_the_soft_limit_rises_stays_below_and_has_no_corner(knee, room, beyond):
    limit, most = knee + room, knee + room + beyond
    x = np.linspace(knee - 1.0, most, 2001)
    y = soft_limited(x, knee=knee, limit=limit, most=most)
    assert (np.diff(y) >= 0).all()
    assert (y <= limit).all()
    assert (y <= x + 1e-12).all()  # the cubic of L97 lifts values where there is little to limit
    assert np.array_equal(y[x <= knee], x[x <= knee])
    assert y[-1] == pytest.approx(limit)
    eps = 1e-6 * min(1.0, room**2 / (room + beyond))
    ahead = soft_limited([knee, knee + eps], knee=knee, limit=limit, most=most)
    assert np.diff(ahead)[0] / eps == pytest.approx(1.0, abs=1e-3)  # slope 1 at the knee


def test_where_l97_s_cubic_fits_the_soft_limit_is_that_cubic():
    """L97 fig. 5.7: slope 1 at (p, p), 0 at (1, nu), with nu a third of the way from p to 1."""
    p, nu = 0.4, 0.6
    x = np.linspace(p, 1, 50)
    u = (x - p) / (1 - p)
    cubic = (2 * u**3 - 3 * u**2 + 1) * p + (u**3 - 2 * u**2 + u) * (1 - p) + (3 * u**2 - 2 * u**3) * nu
    assert soft_limited(x, knee=p, limit=nu, most=1.0) == pytest.approx(cubic, abs=1e-12)


limits = st.builds(
    lambda a, b, kind, knee, sides: Limits(
        min(a, b) - 0.01 if sides != "high" else None, max(a, b) if sides != "low" else None, kind, knee
    ),
    st.floats(-50, 50), st.floats(-50, 50), st.sampled_from(["hard", "soft"]), st.floats(0, 0.99),
    st.sampled_from(["both", "low", "high"]),
)  # fmt: skip


@given(limits, st.integers(0, 10_000), st.floats(0.01, 100), st.floats(-100, 100))
def test_limits_are_never_exceeded_and_order_is_kept(limit, seed, size, middle):
    """A limit that is crossed, or that turns a movement round, would be worse than none."""
    signal = middle + size * np.random.default_rng(seed).normal(size=50)
    out = limit(signal)
    slack = 1e-9 * (1.0 + np.abs(signal).max())
    assert limit.high is None or out.max() <= limit.high + slack
    assert limit.low is None or out.min() >= limit.low - slack
    assert (np.diff(out[np.argsort(signal)]) >= -slack).all()
    kept = (limit.high is None or signal.max() <= limit.high) and (
        limit.low is None or signal.min() >= limit.low
    )
    if kept:
        assert np.array_equal(out, signal)


# ---- motions


@given(
    st.integers(0, 1000),
    st.sampled_from(["euler", "rotvec"]),
    st.sampled_from(["own", "first", "mean", (-90, 90)]),
)
def test_the_identity_changes_nothing_at_all(seed, space, span):
    motion = wander(seed=seed)
    assert waveshape(motion, Shape(LINE), parts="all", space=space, range=span) is motion


@given(st.integers(0, 1000), st.sampled_from(SPANS))
def test_a_straight_shape_scales_about_the_middle_of_the_range(seed, span):
    values = np.random.default_rng(seed).normal(size=(30, 3)) * 40
    out = shaped(values, SHAPES["exaggerate"], range=span)
    middle = {"own": 0.5 * (values.min(axis=0) + values.max(axis=0)), "first": values[0]}
    middle["mean"] = values.mean(axis=0)
    centre = middle[span] if isinstance(span, str) else 0.0
    assert out == pytest.approx(centre + 1.4 * (values - centre), abs=1e-9)


@pytest.mark.parametrize("space", ["euler", "rotvec"])
def test_only_the_chosen_joints_change(wave, space):
    out = waveshape(wave, "undulate", parts=["right_arm", "!right_hand"], space=space)
    chosen = select_joints(wave.skeleton, wave.rig, ["right_arm", "!right_hand"])
    assert np.array_equal(out.rotations[:, ~chosen], wave.rotations[:, ~chosen])
    assert np.array_equal(out.root, wave.root)
    assert np.abs(out.rotations[:, chosen] - wave.rotations[:, chosen]).max() > 0.01
    assert out.contacts == wave.contacts  # the feet did not move


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_capping_the_wave(wave, kind):
    """BW95 fig. 12: the elbow's swing is capped; all else of the wave stays."""
    limit = Limits(high=90, kind=kind)
    out = waveshape(wave, parts="RightForeArm.y", limits=limit)
    before, after = wave.channels()["RightForeArm.y"], out.channels()["RightForeArm.y"]
    assert before.max() > 110
    assert after.max() == pytest.approx(90, abs=1e-6)
    level = np.abs(after - 90) < 0.01
    assert (level.mean() > 0.1) == (kind == "hard")  # hard limits hold still, soft ones let it wave on
    low = before < before.min() + 0.8 * (90 - before.min())
    assert after[low] == pytest.approx(before[low], abs=1e-6)
    others = [j for j, name in enumerate(wave.skeleton.names) if name != "RightForeArm"]
    assert np.array_equal(out.rotations[:, others], wave.rotations[:, others])


def test_undulations_in_drinking():
    """BW95 fig. 13: a reach that only rose goes back and forth on its way."""
    drink = samples.drink()
    out = waveshape(drink, "undulate", parts="right_arm")
    reach = slice(120, 200)  # the cup comes up

    def turns(motion):
        y = path(motion, "RightHand")[reach, 1]
        return (np.diff(np.sign(np.diff(y))) != 0).sum()

    assert turns(out) >= turns(drink) + 3
    assert path(out, "RightHand")[-1] == pytest.approx(path(drink, "RightHand")[-1], abs=0.08)


def test_masks_and_single_channels(wave):
    out = waveshape(wave, parts="left_arm", masks={"RightForeArm.y": "tone_down", "LeftHand": "identity"})
    before, after = wave.channels(), out.channels()
    moved = [n for n in before.names if np.abs(after[n] - before[n]).max() > 1e-6]
    assert moved == ["RightForeArm.y"]
    assert np.ptp(after[moved[0]]) == pytest.approx(0.6 * np.ptp(before[moved[0]]), rel=1e-6)


def test_the_root_s_path_counts_in_metres(wave):
    low = float(wave.root[:, 1].max()) - 0.01
    out = waveshape(wave, parts="Hips.ty", limits=Limits(high=low))
    assert out.root[:, 1].max() == pytest.approx(low)
    assert np.array_equal(out.rotations, wave.rotations)
    assert out.contacts is not None
    feet = [c for c in out.contacts if c.role == "left_foot"]
    sunk = np.abs(out.root - wave.root).max(axis=1) > 2e-3
    assert not any(sunk[c.first : c.last + 1].any() for c in feet)  # where it sinks, no foot is at rest


def test_rotation_vectors_go_through_gimbal_lock():
    """An arm that points straight up in its own order has no angles to shape, but a rotation vector."""
    motion = wander(size=1.2)
    out = waveshape(motion, "exaggerate", space="rotvec", range="first")
    step = np.asarray(angle_between(out.rotations[1:], out.rotations[:-1]))
    usual = np.asarray(angle_between(motion.rotations[1:], motion.rotations[:-1]))
    assert step.max() < 2.5 * usual.max()
    limited = waveshape(motion, limits=Limits(-10, 10), parts="LeftArm", space="rotvec")
    assert np.degrees(np.asarray(angle_between(limited.rotations[0], limited.rotations)[:, 6])).max() < 17.4


def test_a_joint_at_rest_stays_at_rest(wave):
    still = Motion.at_rest(wave.skeleton, 20)
    for name in SHAPES:
        assert waveshape(still, name, parts="all") is still


@pytest.mark.parametrize("frames", [1, 2])
def test_the_shortest_takes(wave, frames):
    assert len(waveshape(wave[:frames], "undulate")) == frames


def test_real_takes_keep_within_limits(shared_data):
    from marotte import load

    files = sorted(shared_data.glob("cmu/**/*.bvh"))[:3]
    assert files
    for file in files:
        take = load(file)[:200]
        name = next(n for n in take.channels().names if n.lower().startswith("rightarm."))
        values = take.channels()[name]
        high = float(values.min() + 0.7 * np.ptp(values))
        out = waveshape(take, parts=name, limits=Limits(high=high, kind="soft"))
        joint = take.skeleton.index(name.partition(".")[0])
        asked = take.channels().with_channel(name, Limits(high=high, kind="soft")(values))
        from marotte.figure.channels import with_channels

        want = with_channels(take, asked).rotations[:, joint]
        assert np.asarray(angle_between(out.rotations[:, joint], want)).max() < 1e-6


# ---- the library


def test_a_person_s_own_shapes(library, wave):
    shape = Shape([(-1, -1), (0, 0.4), (1, 1)], "monotone", about="wärmer")
    file = add_shape("warm", shape)
    assert file.parent == shape_folder() == library
    assert shape_names()[-1] == "warm"
    assert shape_of("warm") == shape
    assert shape_of("warm").about == "wärmer"
    again = Waveshape(curve="warm", parts="Head").apply(wave)
    assert np.array_equal(again.rotations, waveshape(wave, shape, parts="Head").rotations)
    with pytest.raises(InputError, match="there is a shape 'warm' already"):
        add_shape("warm", LINE)
    add_shape("warm", LINE, replace=True)
    assert shape_of("warm").is_identity
    bent = Shape(LINE, tension=0.5, bias=-0.25)
    add_shape("bent", bent)
    assert shape_of("bent") == bent
    remove_shape("warm")
    remove_shape("bent")
    assert shape_names() == tuple(SHAPES)
    with pytest.raises(UnknownNameError, match="unknown shape of your own 'warm'"):
        remove_shape("warm")


def test_without_a_folder_there_are_the_built_in_shapes(library):
    assert not library.exists()
    assert shape_names() == tuple(SHAPES)
    with pytest.raises(UnknownNameError, match="did you mean 'undulate'"):
        shape_of("undulat")


@pytest.mark.parametrize("name", ["", "a b", "../up", "1st", ".hidden", "x" * 65, "a/b"])
def test_names_that_no_file_can_have(library, name):
    with pytest.raises(InputError, match="must begin with a letter"):
        add_shape(name, LINE)


def test_built_in_shapes_cannot_be_changed(library):
    with pytest.raises(InputError, match="always there"):
        add_shape("cap", LINE, replace=True)
    with pytest.raises(InputError, match="always there"):
        remove_shape("cap")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("points: [[-1, -1], [1, 1]]", 1, "must be a map that begins with marotte_shape: 1"),
        ("marotte_shape: 1\nabout: x", None, "two points"),
        ("marotte_shape: 1\npoints: [[1, 1], [0, 0]]", 2, "x increasing"),
        ("marotte_shape: 1\npoints: some", 2, "two points"),
        ("marotte_shape: 1\npoints: [[-1, 0], [1, .nan]]", 2, "finite"),
        ("marotte_shape: 1\npoints: [[-1, 0], [1, 1]]\ntension: tight", 3, "tension must be a number"),
        ("marotte_shape: 1\npoints: [[-1, 0], [1, 1]]\ncolour: red", 3, "unknown field 'colour'"),
        ("marotte_shape: 1\npoints: [[-1, 0], [1, 1]\n", 3, "not valid YAML"),
    ],
)
def test_broken_files_are_named_with_their_line(library, text, line, words):
    library.mkdir()
    (library / "odd.shape.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=words) as problem:
        shape_of("odd")
    assert "odd.shape.yaml" in str(problem.value)
    assert line is None or problem.value.line == line


# ---- mistakes


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"curve": "wobble"}, UnknownNameError, "unknown shape 'wobble'"),
        ({"curve": [[0, 0]]}, InputError, "two points"),
        ({"curve": [[0, 0], [2, 1]]}, InputError, "x increasing from -1 to 1"),
        ({"curve": [[0, 0], [0, 1]]}, InputError, "x increasing from -1 to 1"),
        ({"curve": [[0, 0, 0]]}, InputError, "points \\[x, y\\]"),
        ({"curve": 3}, InputError, "the name of a shape or points"),
        ({"curve": "cap", "parts": "Haed"}, UnknownNameError, "did you mean"),
        ({"curve": "cap", "parts": ["Head", "!Head"]}, InputError, "at least one joint"),
        ({"curve": "cap", "parts": []}, InputError, "at least one joint"),
        ({"curve": "cap", "masks": {"Head.q": "cap"}}, UnknownNameError, "channel, joint or part"),
        ({"limits": {"knee": 0.5}}, InputError, "low, high or both"),
        ({"limits": {"low": 5, "high": 5}}, InputError, "must lie below high"),
        ({"limits": {"high": 5, "knee": 1}}, InputError, "knee must be from 0 to below 1"),
        ({"limits": {"high": 5, "kind": "firm"}}, InputError, "hard or soft"),
        ({"limits": {"hihg": 5}}, InputError, "a map of low, high, kind, knee"),
        ({"limits": {"high": "x"}}, InputError, "a map of low, high, kind, knee"),
        ({"curve": "cap", "range": "all"}, InputError, "must be 'own', 'first' or 'mean'"),
        ({"curve": "cap", "range": [5, -5]}, InputError, "the lower first"),
        ({"curve": "cap", "range": [5]}, InputError, "two numbers"),
    ],
)
def test_mistakes_are_named(wave, options, error, words):
    with pytest.raises(error, match=words):
        Waveshape(**options).apply(wave)


def test_a_take_without_frames(wave):
    with pytest.raises(InputError, match="without frames"):
        waveshape(wave[:0], "cap")
