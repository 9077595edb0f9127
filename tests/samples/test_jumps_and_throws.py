"""Jumps go as far and high as their options say, throws give their ball its speed, hips lead arms."""

from __future__ import annotations

import numpy as np
import pytest

from marotte import samples
from marotte.figure import FloatArray, Motion
from marotte.figure.rotations import rotate

from . import judge

RATE = 240.0


def _point(motion: Motion, name: str) -> FloatArray:
    """(F, 3) where a named point goes."""
    point = next(p for p in motion.points if p.name == name)
    places, turned = motion.world()
    return np.asarray(places[:, point.joint] + rotate(turned[:, point.joint], np.array(point.offset)))


def _speed(path: FloatArray) -> FloatArray:
    return np.asarray(np.gradient(path, axis=0) * RATE)


def _rise(motion: Motion) -> float:
    """Metres from where the only flight begins to its top."""
    (flight,) = judge.flights(motion)
    height = judge.centre_of_mass(motion)[:, 1]
    return float(height[flight[0] : flight[1] + 1].max() - height[flight[0]])


def _prints(motion: Motion, role: str) -> list[float]:
    """z of a flat foot in the middle of each of its contacts, metres."""
    foot = motion.positions()[:, motion.rig[role]]
    return [float(foot[(c.first + c.last) // 2, 2]) for c in motion.contacts or () if c.role == role]


@pytest.mark.parametrize(("height", "length"), [(0.1, 0.0), (0.3, 0.5), (0.4, 1.2)])
def test_a_jump_is_as_high_and_as_long_as_asked(height: float, length: float) -> None:
    jump = samples.jump(height=height, length=length, frame_rate=RATE)
    # the first frame of the flight is up to a frame after the feet have left
    assert _rise(jump) == pytest.approx(height, abs=0.014)
    for side in ("left", "right"):
        before, after = (
            np.mean([jump.positions()[f, jump.rig[f"{side}_foot"], 2] for f in (c.first, c.last)][k])
            for k, c in zip((0, 1), [c for c in jump.contacts or () if c.role == f"{side}_foot"], strict=True)
        )
        assert after - before == pytest.approx(length, abs=0.04)


@pytest.mark.parametrize(
    ("height", "length", "seed"), [(0.11, 0.6, 1), (0.12, 1.0, 2), (0.19, 0.9, 3), (0.16, 0.8, 4)]
)
def test_walking_jumps_are_one_family(height: float, length: float, seed: int) -> None:
    """The same steps in the same order and one flight, so that each can be cut at the same moments."""
    jump = samples.walking_jump(height=height, length=length, seed=seed, frame_rate=RATE)
    roles = [c.role for c in jump.contacts or ()]
    assert roles == ["right_foot", "left_foot"] * 4
    contacts = jump.contacts or ()
    ((first, last),) = judge.flights(jump)
    assert contacts[3].last == first - 1  # the left foot takes off
    assert contacts[4].first == last + 1  # the right one lands
    assert _rise(jump) == pytest.approx(height, abs=0.010)
    left, right = _prints(jump, "left_foot"), _prints(jump, "right_foot")
    assert right[2] - left[1] == pytest.approx(length, abs=0.02)


@pytest.mark.parametrize("speed", [14.0, 16.0, 19.0])
def test_a_thrown_ball_is_as_fast_as_asked_and_flies_at_its_target(speed: float) -> None:
    for direction, hand in ((0.0, "right"), (15.0, "left")):
        throw = samples.throw(speed=speed, direction=direction, hand=hand, frame_rate=RATE)
        velocity = _speed(_point(throw, "ball"))
        fast = np.linalg.norm(velocity, axis=1)
        leaves = int(fast.argmax())
        assert fast[leaves] == pytest.approx(speed, rel=0.03)
        aim = np.degrees(np.arctan2(velocity[leaves, 0], velocity[leaves, 2]))
        assert aim == pytest.approx(direction, abs=8.0)
        stepping = "left_foot" if hand == "right" else "right_foot"
        assert any(c.role == stepping and c.first < leaves < c.last for c in throw.contacts or ())


def test_a_put_shot_stays_at_the_neck_until_it_is_pushed_out_and_up() -> None:
    put = samples.shot_put(frame_rate=RATE)
    shot, neck = _point(put, "shot"), put.positions()[:, put.rig["neck"]]
    velocity = _speed(shot)
    fast = np.linalg.norm(velocity - _speed(neck), axis=1)
    leaves = int(fast.argmax())
    away = np.linalg.norm(shot - neck, axis=1)
    assert away[: leaves - int(0.2 * RATE)].max() < 0.28
    assert away[leaves + int(0.08 * RATE)] > 0.5
    rising = np.degrees(np.arcsin(velocity[leaves, 1] / np.linalg.norm(velocity[leaves])))
    assert 15.0 < rising < 45.0
    assert velocity[leaves, 0] > 0.9 * np.linalg.norm(velocity[leaves, [0, 2]])  # to the left


@pytest.mark.parametrize(("name", "point"), [("throw", "ball"), ("shot_put", "shot")])
def test_hips_turn_before_the_chest_and_the_chest_before_the_hand(name: str, point: str) -> None:
    motion = samples.make(name, frame_rate=RATE)
    _, turned = motion.world()

    def quickest(joint: int) -> int:
        ahead = rotate(turned[:, joint], np.array([0.0, 0.0, 1.0]))
        return int(np.gradient(np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 2]))).argmax())

    hips, chest = quickest(motion.rig["hips"]), quickest(motion.rig.spine[-1])
    hand = int(np.linalg.norm(_speed(_point(motion, point)), axis=1).argmax())
    assert hips < chest < hand
