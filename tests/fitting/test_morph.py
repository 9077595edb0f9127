"""Morphing: the figure changes, its steps do not."""

from __future__ import annotations

import numpy as np
import pytest

from marotte import samples
from marotte.errors import InputError, UnknownNameError
from marotte.figure import FloatArray, Motion
from marotte.fitting import Proportions, morph
from marotte.quality import foot_skate, jerk, penetration


@pytest.fixture(scope="module")
def walk() -> Motion:
    return samples.walk(seconds=4)


def lengths(motion: Motion, limb: str) -> FloatArray:
    """(F,) metres along a limb."""
    known = motion.rig.limb(limb)
    assert known is not None
    at = motion.positions()[:, [known.root, known.hinge, known.end]]
    return np.asarray(np.linalg.norm(np.diff(at, axis=1), axis=-1).sum(axis=1))


STUDY = [
    Proportions(frame=0, legs=1.0, spine=1.0),
    Proportions(frame=120, legs=1.6, spine=0.7),
    Proportions(frame=240, legs=0.6, spine=1.4),
]


def test_limbs_are_as_long_as_was_said_when_it_was_said(walk: Motion) -> None:
    made = morph(walk, STUDY)
    before, after = lengths(walk, "left_leg"), lengths(made, "left_leg")
    assert np.allclose((after / before)[[0, 120, 240]], [1.0, 1.6, 0.6])
    assert np.allclose(lengths(made, "left_arm"), lengths(walk, "left_arm"))


def test_the_stride_is_kept(walk: Motion) -> None:
    made = morph(walk, STUDY)
    for foot in ("left_foot", "right_foot"):
        joint = walk.rig[foot]
        assert np.linalg.norm(made.positions()[:, joint] - walk.positions()[:, joint], axis=1).max() < 0.015
    assert foot_skate(made).mean_speed < 0.01
    assert penetration(made).deepest < 0.003
    assert jerk(made).rms < 1.3 * jerk(walk).rms
    assert made.contacts == walk.contacts


def test_longer_legs_carry_the_hips_higher(walk: Motion) -> None:
    made = morph(walk, {"legs": 1.5})
    assert made.root[0, 1] == pytest.approx(walk.root[0, 1], abs=0.01)
    assert made.root[-1, 1] > 1.35 * walk.root[-1, 1]


def test_a_figure_that_keeps_its_proportions_keeps_its_motion(walk: Motion) -> None:
    made = morph(walk, {"legs": 1.0})
    assert np.linalg.norm(made.positions() - walk.positions(), axis=-1).mean() < 0.002


def test_hands_on_the_floor_stay_there() -> None:
    stand = samples.handstand()
    made = morph(stand, {"arms": 1.3})
    for c in stand.contacts or ():
        if c.role.endswith("hand"):
            joint = stand.rig[c.role]
            moved = (
                made.positions()[c.first : c.last + 1, joint] - stand.positions()[c.first : c.last + 1, joint]
            )
            assert np.abs(moved).max() < 0.01


@pytest.mark.parametrize(
    ("to", "message"),
    [
        ([], "at least one"),
        ([Proportions(frame=900, legs=2.0)], "frames must lie in 0 to"),
        ([Proportions(frame=3, legs=2.0), Proportions(frame=3, legs=1.0)], "twice"),
    ],
)
def test_what_cannot_be_is_named(walk: Motion, to: list[Proportions], message: str) -> None:
    with pytest.raises(InputError, match=message):
        morph(walk, to)


def test_parts_and_factors_are_checked(walk: Motion) -> None:
    with pytest.raises(UnknownNameError, match="tail"):
        morph(walk, {"tail": 2.0})
    with pytest.raises(InputError, match="factor"):
        Proportions(frame=0, legs=-1.0)
    with pytest.raises(InputError, match="drop their translations"):
        morph(morph(walk, {"legs": 1.2}), {"legs": 1.2})
