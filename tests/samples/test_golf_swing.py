"""The golf swing: the ball is hit, both hands keep the grip, and the body turns in its order."""

from __future__ import annotations

import math

import numpy as np
import pytest

from marotte import samples
from marotte.figure import FloatArray, Motion
from marotte.figure.rotations import inverse, log, multiply, rotate

from .cases import hillside

LIES = [{"slope": 0.0}, {"slope": 5.0}, {"slope": 8.0}, {"slope": -8.0}, {"slope": 7.0, "across": -2.0}]
EVERY_LIE = pytest.mark.parametrize("lie", LIES, ids=str)


def _way(motion: Motion, name: str) -> FloatArray:
    """(F, 3) where a named point goes."""
    point = next(p for p in motion.points if p.name == name)
    places, turned = motion.world()
    return np.asarray(places[:, point.joint] + rotate(turned[:, point.joint], np.array(point.offset)))


def _hit(motion: Motion) -> int:
    """The frame in which the club's head comes nearest to the ball on its way down."""
    head = _way(motion, "club_head")
    top = int(head[: int(1.45 * motion.frame_rate), 1].argmax())
    return top + int(np.linalg.norm(head - _way(motion, "ball"), axis=-1)[top:].argmin())


def _turning(turned: FloatArray, rate: float) -> FloatArray:
    """Degrees a second."""
    step = log(multiply(turned[1:], inverse(turned[:-1])))
    return np.asarray(np.degrees(np.linalg.norm(step, axis=-1)) * rate)


@EVERY_LIE
def test_the_club_hits_the_ball_and_nothing_else(lie: dict[str, float]) -> None:
    motion = samples.make("golf_swing", frame_rate=120.0, **lie)
    head, ball = _way(motion, "club_head"), _way(motion, "ball")
    assert np.linalg.norm(head - ball, axis=-1)[_hit(motion)] < 1e-3
    assert np.ptp(ball, axis=0).max() < 1e-6  # it lies where it lay
    ground = hillside(lie)
    assert (head[:, 1] - ground(head)).min() > 0.0
    assert ball[0, 1] - ground(ball)[0] == pytest.approx(0.0213 / math.cos(math.radians(8.0)), abs=1e-3)


@EVERY_LIE
def test_both_hands_keep_hold_of_the_grip(lie: dict[str, float]) -> None:
    motion = samples.make("golf_swing", **lie)
    apart = np.linalg.norm(_way(motion, "left_grip") - _way(motion, "right_grip"), axis=-1)
    assert apart.max() < 1e-3


def test_the_swing_lasts_as_long_on_every_slope() -> None:
    """Swings of one rhythm can be learned from without being aligned first."""
    swings = [samples.golf_swing(slope=s) for s in (0.5, 5.0, 7.0)]
    assert len({len(m) for m in swings}) == 1
    assert {_hit(m) for m in swings} == {94}  # as in the study of CBT09


def test_hips_shoulders_arms_and_club_follow_one_another() -> None:
    """Hips turn back before shoulders do, so that the trunk is wound up most early in the downswing
    (Meister and others 2011); speeds grow and peak later from hips to club (Cheetham)."""
    motion = samples.golf_swing(frame_rate=240.0)
    rate, hit = motion.frame_rate, _hit(motion)
    places, turned = motion.world()
    rig = motion.rig
    headings = []
    for joint in (rig["hips"], rig["upper_chest"]):
        ahead = rotate(turned[:, joint], np.array([1.0, 0.0, 0.0]))
        headings.append(np.unwrap(np.arctan2(-ahead[:, 2], ahead[:, 0])))
    hips, chest = headings
    assert hips[:hit].argmin() < chest[:hit].argmin()
    wound = np.degrees(hips - chest)[:hit]
    assert hips[:hit].argmin() <= wound.argmax() < hit
    assert 40.0 < wound.max() < 65.0

    arm = places[:, rig["left_hand"]] - places[:, rig["left_upper_arm"]]
    shaft = _way(motion, "club_head") - _way(motion, "grip_end")
    speeds = [_turning(turned[:, j], rate)[: hit + 5] for j in (rig["hips"], rig["upper_chest"])]
    for line in (arm, shaft):
        line = line / np.linalg.norm(line, axis=-1, keepdims=True)
        angle = np.arccos(np.clip((line[1:] * line[:-1]).sum(-1), -1.0, 1.0))
        speeds.append(np.degrees(angle)[: hit + 5] * rate)
    assert np.all(np.diff([s.argmax() for s in speeds]) > 0)
    assert np.all(np.diff([s.max() for s in speeds]) > 0)
    head = np.linalg.norm(np.diff(_way(motion, "club_head"), axis=0), axis=-1)[hit] * rate
    assert 30.0 < head < 45.0  # metres a second, an iron


def test_the_right_heel_comes_up_and_the_left_foot_stays() -> None:
    motion = samples.golf_swing()
    places, _ = motion.world()
    left, right = (places[:, motion.rig[f"{s}_foot"]] for s in ("left", "right"))
    assert np.ptp(left, axis=0).max() < 1e-6
    assert right[-1, 1] - right[0, 1] > 0.08
