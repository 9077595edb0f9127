"""Every built-in take is a motion that a body could make, whatever its options.

A user sees feet that slide, knees that turn over and hands that pop before anything else, and later
techniques are judged by what these takes claim to be true of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from marotte import samples
from marotte._options import describe
from marotte.figure import Motion, detect_contacts
from marotte.figure.rotations import angle_between
from marotte.quality import limit_violations

from . import judge
from .cases import CASES, Bound, Variant, case, made, variants

EVERY = pytest.mark.parametrize(
    ("name", "variant"),
    [pytest.param(name, v, id=f"{name}({', '.join(f'{k}={x}' for k, x in v)})") for name, v in variants()],
)
NAMES = pytest.mark.parametrize("name", samples.names())


def _short(name: str) -> dict[str, Any]:
    return dict(case(name).short)


def test_every_take_has_its_line_of_demands() -> None:
    assert set(CASES) == set(samples.names())


@NAMES
def test_options_say_what_they_are(name: str) -> None:
    for info in describe(samples.options(name)):
        assert info.effect, f"{info.name} says nothing of its effect"
        measured = info.kind.startswith("number")
        assert info.range or not measured, f"{info.name} has no range"


# ---- on the ground


@EVERY
def test_resting_feet_and_hands_stay_where_they_are(name: str, variant: Variant) -> None:
    own, motion = case(name), made(name, variant)
    slide = judge.foot_slide(motion, own.ground(dict(variant)))
    assert slide.moved < 1e-3, f"{slide.role} at frame {slide.frame}: {slide.left or slide.moved}"
    touch = judge.hand_slide(motion, own.touch)
    assert touch.moved < 1e-3, f"{touch.role} at frame {touch.frame} slides {touch.moved:.4f} m"
    assert judge.thing_slide(motion, own.meet) < 1e-3
    assert judge.off_ground(motion, own.touch, own.ground(dict(variant))) < 1e-3


@EVERY
def test_kneeling_knees_neither_slide_nor_sink(name: str, variant: Variant) -> None:
    moved, uneven = judge.knee_slide(made(name, variant))
    assert moved < 1e-3, f"a knee slides {moved:.4f} m"
    assert uneven < 1e-3, f"knees rest {uneven:.4f} m higher and lower"


@EVERY
def test_hands_and_feet_hold_the_rope_where_they_grip_it(name: str, variant: Variant) -> None:
    own = case(name)
    if own.hold:
        away, slip = judge.off_rope(made(name, variant), own.hold, own.rope)
        assert away < 1e-3, f"a grip is {away:.4f} m beside the rope"
        assert slip < 1e-3, f"a grip slips {slip:.4f} m along the rope"


@EVERY
def test_nothing_is_below_the_ground(name: str, variant: Variant) -> None:
    assert judge.deepest(made(name, variant), case(name).ground(dict(variant))) < 1e-3


@EVERY
def test_contacts_are_found_where_they_are(name: str, variant: Variant) -> None:
    own, motion = case(name), made(name, variant)
    if own.upright and own.ground(dict(variant)) is judge.level:
        assert judge.agreement(motion, detect_contacts(motion)) >= own.f1


@EVERY
def test_weight_is_carried_or_falls(name: str, variant: Variant) -> None:
    """Above the feet in slow takes, along a parabola when nothing touches the ground."""
    own, motion = case(name), made(name, variant)
    if own.balanced:
        assert judge.off_support(motion, own.ground(dict(variant))) < 0.0
    elif own.upright:
        assert judge.off_parabola(motion) < 0.012
    if own.held:
        assert not judge.flights(motion), "nothing carries the body"


@EVERY
def test_handstands_balance_over_straight_arms(name: str, variant: Variant) -> None:
    if case(name).handstand:
        outside, inverted, bent = judge.on_hands(made(name, variant), apart=1.1)
        assert outside < 0.0, f"the centre of mass is {outside:.3f} m outside the hands"
        assert inverted > 1.0, f"the feet are only {inverted:.2f} m above the head"
        assert bent < 15.0, f"elbows bend by {bent:.1f}°"


# ---- joints


@EVERY
def test_knees_and_elbows_bend_the_way_they_can(name: str, variant: Variant) -> None:
    for limb, angle in judge.hinge_angles(made(name, variant)).items():
        assert angle.min() > -0.01, f"{limb} bends {angle.min():.2f}° the wrong way"
        assert angle.max() < 160.0, f"{limb} bends by {angle.max():.1f}°"


@EVERY
def test_joints_stay_within_their_limits(name: str, variant: Variant) -> None:
    over = limit_violations(made(name, variant))
    assert over.greatest < 0.1, f"{over.joint} by {over.greatest:.1f}°"


def _groups(motion: Motion) -> dict[str, list[int]]:
    rig = motion.rig
    sides = ("left", "right")
    groups = {
        "trunk": [rig["hips"], *rig.spine],
        "head": [rig["neck"], rig["head"]],
        "arm": [rig[f"{s}_{p}"] for s in sides for p in ("shoulder", "upper_arm", "lower_arm", "hand")],
        "leg": [rig[f"{s}_{p}"] for s in sides for p in ("upper_leg", "lower_leg", "foot")],
        "toes": [rig[f"{s}_toes"] for s in sides],
    }
    assert sum(map(len, groups.values())) == len(motion.skeleton)
    return groups


@EVERY
def test_joints_turn_no_faster_than_bodies_can(name: str, variant: Variant) -> None:
    motion = made(name, variant)
    speeds, changes = judge.turning(motion)
    over = []
    for group, joints in _groups(motion).items():
        bound: Bound = case(name).bounds[group]
        for j in joints:
            if speeds[j] > bound[0] or changes[j] > bound[1]:
                over.append(f"{motion.skeleton.names[j]}: {speeds[j]:.0f}°/s, {changes[j]:.0f}°/s²")
    assert not over, "; ".join(over)


@NAMES
def test_joints_never_jump_in_speed(name: str) -> None:
    """Sampled four times as finely, a motion without pops has no greater accelerations; one whose
    speed jumps somewhere has four times greater ones."""
    variant = tuple(sorted(_short(name).items()))
    coarse = judge.turning(made(name, variant))[1]
    fine = judge.turning(made(name, variant, 480.0))[1]
    allowed = 1.8 * coarse + 4_000.0
    worst = int(np.argmax(fine - allowed))
    assert fine[worst] < allowed[worst], (
        f"{made(name, variant).skeleton.names[worst]}: {coarse[worst]:.0f} becomes {fine[worst]:.0f}°/s²"
    )


# ---- the same again


@NAMES
def test_takes_are_the_same_every_time_and_differ_by_seed(name: str) -> None:
    options = _short(name)
    one, again, other = (samples.make(name, seed=s, **options) for s in (5, 5, 6))
    assert np.array_equal(one.root, again.root)
    assert np.array_equal(one.rotations, again.rotations)
    assert one.contacts == again.contacts
    frames = min(len(one), len(other))
    assert not np.allclose(one.rotations[:frames], other.rotations[:frames], atol=1e-3)


@NAMES
@pytest.mark.parametrize("seed", [0, 3])
def test_the_frame_rate_samples_one_and_the_same_motion(name: str, seed: int) -> None:
    options = {**_short(name), "seed": seed}
    slow, fast = (samples.make(name, frame_rate=rate, **options) for rate in (30.0, 120.0))
    frames = min(len(slow), (len(fast) + 3) // 4)
    assert abs(len(slow) - frames) <= 1
    assert np.abs(slow.root[:frames] - fast.root[: 4 * frames : 4]).max() < 2e-4
    apart = angle_between(slow.rotations[:frames], fast.rotations[: 4 * frames : 4])
    assert np.degrees(apart).max() < 0.2


@NAMES
@pytest.mark.parametrize("frame_rate", [10.0, 1000.0])
def test_the_lowest_and_highest_frame_rates_work(name: str, frame_rate: float) -> None:
    motion = samples.make(name, frame_rate=frame_rate, **_short(name))
    assert motion.frame_rate == frame_rate
    assert np.isfinite(motion.rotations).all()
    assert np.isfinite(motion.root).all()
    assert judge.deepest(motion, case(name).ground(_short(name))) < 1e-3


@NAMES
def test_points_and_contacts_name_what_is_there(name: str) -> None:
    motion = samples.make(name, **_short(name))
    assert motion.contacts is not None
    for contact in motion.contacts:
        assert contact.role in motion.rig
        assert contact.last < len(motion)
    assert len({p.name for p in motion.points}) == len(motion.points)
