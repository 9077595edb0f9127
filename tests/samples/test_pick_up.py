"""Picking up: what is held stays in the hand or hands, from the floor to where it is carried."""

from __future__ import annotations

import numpy as np
import pytest

from marotte import samples
from marotte.figure import FloatArray, Motion
from marotte.figure.rotations import rotate


def _way(motion: Motion, name: str) -> FloatArray:
    """(F, 3) where a named point goes."""
    point = next(p for p in motion.points if p.name == name)
    places, turned = motion.world()
    return np.asarray(places[:, point.joint] + rotate(turned[:, point.joint], np.array(point.offset)))


@pytest.mark.parametrize("weight", [0.0, 20.0])
def test_both_hands_keep_hold_of_the_box(weight: float) -> None:
    motion = samples.pick_up(weight=weight, frame_rate=120.0)
    held = next(c for c in motion.contacts or () if c.role == "left_hand")
    apart = np.linalg.norm(_way(motion, "left_grip") - _way(motion, "right_grip"), axis=-1)
    assert np.ptp(apart[held.first :]) < 1e-3


@pytest.mark.parametrize("hands", ["both", "left", "right"])
@pytest.mark.parametrize(("ahead", "aside", "height"), [(0.3, 0.2, 0.08), (0.48, -0.2, 0.6)])
def test_the_thing_is_taken_where_the_options_say_and_lifted(
    hands: str, ahead: float, aside: float, height: float
) -> None:
    motion = samples.make("pick_up", hands=hands, ahead=ahead, aside=aside, height=height)
    way = _way(motion, "object")
    held = next(c for c in motion.contacts or () if c.role.endswith("hand"))
    lying = way[held.first : held.last + 1]
    assert np.abs(lying - [aside, height, ahead]).max() < 1e-3
    for contact in motion.contacts or ():
        if contact.on == "object":
            grip = _way(motion, contact.role.replace("hand", "grip"))[contact.first : contact.last + 1]
            assert np.ptp(grip, axis=0).max() < 1e-3
    assert way[-1, 1] > 0.95
    assert (np.diff(way[held.last :, 1]) > -2e-3).all()  # it never sinks on its way up


def test_heavy_things_are_lifted_slowly_and_carried_close() -> None:
    light, heavy = (samples.pick_up(weight=w) for w in (1.0, 20.0))
    assert len(heavy) > len(light) + 0.5 * light.frame_rate
    ahead = [_way(m, "object")[-1, 2] - m.root[-1, 2] for m in (light, heavy)]
    assert ahead[1] < ahead[0] - 0.03
