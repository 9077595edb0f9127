"""The dance keeps its beat, and the weight goes to the foot that has stepped."""

from __future__ import annotations

import numpy as np
import pytest

from marotte import samples

from . import judge

COUNT = 2.0  # beats before the first step


@pytest.mark.parametrize("tempo", [90.0, 112.0, 124.0])
def test_a_foot_lands_on_every_beat(tempo: float) -> None:
    motion = samples.dance(tempo=tempo, bars=4, frame_rate=120.0)
    beat = 60.0 / tempo * motion.frame_rate
    landings = sorted(c.first / beat for c in motion.contacts or () if c.first > 0)
    assert np.abs(np.array(landings) - (COUNT + np.arange(17))).max() < 1.0 / beat


def test_the_weight_goes_to_the_foot_that_has_stepped() -> None:
    """Half a beat after a step that bears, the centre of mass is nearer to that foot than to the
    other one; a foot that only touches does not get it."""
    motion = samples.dance(bars=3)
    beat = 60.0 / 112.0 * motion.frame_rate
    centre = judge.centre_of_mass(motion)
    places, _ = motion.world()
    for k, letter in enumerate("RRLL RLRR LRLL".replace(" ", "")):
        side = {"L": "left", "R": "right"}[letter]
        frame = round((COUNT + k + 0.4) * beat)
        other = "left" if side == "right" else "right"
        near, far = (
            np.linalg.norm((places[frame, motion.rig[f"{s}_foot"]] - centre[frame])[[0, 2]])
            for s in (side, other)
        )
        assert near < far, f"beat {k + 1}: {near:.3f} m from the {side} foot, {far:.3f} m from the other"


def test_four_bars_turn_once_round_to_the_right() -> None:
    motion = samples.dance(bars=4)
    ahead = motion.world()[1][:, 0]
    heading = np.unwrap(2.0 * np.arctan2(ahead[:, 2], ahead[:, 0]))
    assert np.degrees(heading[-1] - heading[0]) == pytest.approx(-360.0, abs=5.0)


def test_energy_makes_everything_larger() -> None:
    calm, wild = (samples.dance(bars=2, energy=e) for e in (0.2, 1.0))
    for way in (lambda m: m.root[:, 0], lambda m: m.positions()[:, m.rig["left_hand"], 1]):
        assert np.ptp(way(wild)) > 1.3 * np.ptp(way(calm))
