"""Takes that rest on hands do what their options say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from marotte import samples
from marotte.errors import InputError
from marotte.figure import Motion


def _landings(motion: Motion, role: str) -> np.ndarray:
    """Seconds at which a role comes down, after the first frame."""
    return (
        np.array([c.first for c in motion.contacts or () if c.role == role and c.first]) / motion.frame_rate
    )


@pytest.mark.parametrize(("gait", "after"), [("diagonal", 0.47), ("lateral", 0.25)])
def test_crawlers_move_their_limbs_in_the_order_of_the_gait(gait: str, after: float) -> None:
    """Diagonal: the right hand comes down just before the left knee, half a stride after the left
    hand. Lateral: each hand a quarter of a stride after the knee of its own side."""
    motion = samples.crawl(gait=gait, seconds=8.0, frame_rate=240.0)
    for side in ("left", "right"):
        knees, hands = _landings(motion, f"{side}_lower_leg"), _landings(motion, f"{side}_hand")
        stride = float(np.diff(knees).mean())
        lag = (hands[-1] - knees[0]) / stride % 1.0
        assert lag == pytest.approx(after, abs=0.02)
    left, right = _landings(motion, "left_lower_leg"), _landings(motion, "right_lower_leg")
    assert abs(right[0] - left[0]) / stride % 1.0 == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("speed", [0.15, 0.45, 0.8])
def test_crawlers_are_as_fast_as_told(speed: float) -> None:
    motion = samples.crawl(speed=speed, cycles=2)
    assert motion.root[-1, 2] - motion.root[0, 2] == pytest.approx(speed * motion.seconds, rel=1e-3)
    # two strides later the pose is the same
    same = np.abs((motion.rotations[0] * motion.rotations[-1]).sum(-1))
    assert np.degrees(2.0 * np.arccos(np.minimum(same, 1.0))).max() < 0.1


def test_crawlers_refuse_arcs_on_which_hands_and_knees_would_cross() -> None:
    with pytest.raises(InputError, match=r"at most 9 deg/s at 0\.2 m/s"):
        samples.crawl(speed=0.2, turn=30.0)


def test_some_limb_always_carries_a_crawler() -> None:
    motion = samples.crawl(speed=0.8, frame_rate=120.0)
    bearing = np.zeros(len(motion), dtype=int)
    for contact in motion.contacts or ():
        if contact.role.endswith(("hand", "lower_leg")):
            bearing[contact.first : contact.last + 1] += 1
    assert bearing.min() >= 2


@pytest.mark.parametrize("pulls", [1, 3])
def test_every_pull_gains_its_height_at_its_speed(pulls: int) -> None:
    motion = samples.rope_climb(pulls=pulls, speed=0.2)
    assert motion.root[-1, 1] - motion.root[0, 1] == pytest.approx(0.4 * pulls, abs=0.01)
    clamps = [c for c in motion.contacts or () if c.role == "left_foot" and c.on == "rope"]
    assert len(clamps) == pulls
    if pulls > 1:
        between = (clamps[1].first - clamps[0].first) / motion.frame_rate
        assert between == pytest.approx(0.4 / 0.2, abs=0.02)


def test_climbing_hands_go_over_each_other() -> None:
    motion = samples.rope_climb(pulls=2)
    places = motion.positions()
    left, right = places[:, motion.rig["left_hand"], 1], places[:, motion.rig["right_hand"], 1]
    climbing = np.flatnonzero(places[:, motion.rig["left_foot"], 1] > 0.3)
    higher = left[climbing] > right[climbing]
    assert np.count_nonzero(np.diff(higher.astype(int))) == 4  # over and back, twice


def test_the_handstand_is_held_as_long_as_told() -> None:
    short, long = (samples.handstand(hold=hold) for hold in (1.0, 4.0))
    assert long.seconds - short.seconds == pytest.approx(3.0, abs=0.02)
    hips = long.rotations[:, 0]
    down = 1.0 - 2.0 * (hips[:, 1] ** 2 + hips[:, 3] ** 2)  # y of the hips' up, world
    assert float((down < math.cos(math.radians(170.0))).sum()) / long.frame_rate > 4.0


def test_a_handstand_without_sway_stands_still() -> None:
    motion = samples.handstand(hold=3.0, sway=0.0)
    middle = slice(int(3.2 * motion.frame_rate), int(5.5 * motion.frame_rate))
    assert np.ptp(motion.root[middle], axis=0).max() < 1e-6
    swaying = samples.handstand(hold=3.0, sway=2.0)
    assert np.ptp(swaying.root[middle], axis=0).max() > 0.01
