"""What the takes of a standing figure promise by name: hands that get where they are sent, in time."""

from __future__ import annotations

import numpy as np
import pytest

from marotte import samples
from marotte.errors import InputError
from marotte.figure import path
from marotte.figure.contacts import contact_mask
from marotte.figure.rotations import rotate
from marotte.signals import band_energy

from . import judge
from .cases import REACHES


@pytest.mark.parametrize("amount", [0.6, 1.2])
def test_swaying_puts_the_weight_on_one_leg_and_bends_the_other(amount: float) -> None:
    motion = samples.sway(seconds=12.0, amount=amount)
    over = judge.centre_of_mass(motion)[:, 0]
    knees = judge.hinge_angles(motion)
    for leg, there in (("left_leg", over < -0.05 * amount), ("right_leg", over > 0.05 * amount)):
        assert there.sum() > 60, "the weight never goes there"
        other = "right_leg" if leg == "left_leg" else "left_leg"
        assert (knees[leg][there] > knees[other][there] + 3.0).all()


@pytest.mark.parametrize("repeats", [1, 3, 6])
@pytest.mark.parametrize("hand", ["left", "right"])
def test_a_wave_goes_to_and_fro_as_often_as_asked(hand: str, repeats: int) -> None:
    motion = samples.wave(hand=hand, repeats=repeats)
    away = path(motion, f"{hand}_hand") - path(motion, f"{hand}_lower_arm")
    up = away[:, 1] > 0.15
    aside = away[up, 0] * (1.0 if hand == "left" else -1.0)
    turns = np.diff(np.sign(np.diff(aside)))
    assert (turns < 0).sum() in (repeats, repeats + 1)


@pytest.mark.parametrize("target", REACHES)
@pytest.mark.parametrize("hand", ["left", "right"])
def test_a_reach_gets_there_and_holds(hand: str, target: tuple[float, float, float]) -> None:
    x, y, z = target
    target = (-x if hand == "left" else x, y, z)
    motion = samples.reach(hand=hand, target=target)
    held = contact_mask(motion.contacts, f"{hand}_hand", len(motion))
    assert held.sum() > 0.1 * len(motion)
    away = np.linalg.norm(path(motion, "palm") - target, axis=1)
    assert away[held].max() < 1e-4
    assert away[[0, -1]].min() > 0.2


def test_reaches_are_one_family_whatever_the_target() -> None:
    takes = [samples.reach(target=t, seconds=49 / 30, frame_rate=30.0) for t in REACHES]
    assert {len(take) for take in takes} == {50}
    assert len({take.contacts for take in takes}) == 1


@pytest.mark.parametrize(
    ("target", "said"),
    [((0.0, 1.2, 2.0), "short of"), ((0.0, 1.2, -0.5), "ahead"), ((-0.2, 0.1, 0.4), "high")],
)
def test_a_reach_says_where_it_cannot_go(target: tuple[float, float, float], said: str) -> None:
    with pytest.raises(InputError, match=said):
        samples.reach(target=target)


@pytest.mark.parametrize("force", [0.4, 1.0, 1.4])
@pytest.mark.parametrize("door", [0.4, 0.44, 0.54])
def test_knocking_meets_the_door_and_nothing_goes_through_it(force: float, door: float) -> None:
    motion = samples.knock(repeats=3, force=force, door=door, frame_rate=240.0)
    hits = [c for c in motion.contacts or () if c.role == "right_hand"]
    assert len(hits) == 3
    ahead = path(motion, "knuckles")[:, 2] - door
    for hit in hits:
        assert np.abs(ahead[hit.first : hit.last + 1]).max() < 1e-4
        assert ahead[hit.first - 24] < -0.04, "the hand does not draw back"
    deepest = max(motion.positions()[..., 2].max(), motion.end_positions()[..., 2].max())
    assert deepest < door + 1e-3


def test_a_knock_is_in_higher_bands_than_the_raising_of_the_arm() -> None:
    """The experiment of BW95 and L97: the knocks can be equalized apart from the rest."""
    knocking, reaching = samples.knock(repeats=8), samples.reach(seconds=5.0)
    shares = []
    for motion in (knocking, reaching):
        found = band_energy(motion)
        quick = (found.edges[:, 1] > 2.0) & (found.edges[:, 0] < 12.0)
        shares.append(found.shares[motion.rig["right_lower_arm"], quick].sum())
    assert shares[0] > 4.0 * shares[1]


@pytest.mark.parametrize(("tempo", "force"), [(70.0, 1.4), (150.0, 1.0), (300.0, 1.4), (300.0, 0.4)])
def test_drumming_alternates_on_the_beat_and_stays_on_the_skin(tempo: float, force: float) -> None:
    motion = samples.drum(tempo=tempo, force=force, seconds=3.0, frame_rate=240.0)
    strokes = [c for c in motion.contacts or () if c.role.endswith("hand")]
    assert [c.role for c in strokes] == [("right_hand", "left_hand")[k % 2] for k in range(len(strokes))]
    beats = np.diff([c.first for c in strokes]) / 240.0
    assert np.abs(beats - 60.0 / tempo).max() < 0.01
    skin = path(motion, "right_palm")[strokes[0].first, 1]
    played = slice(strokes[0].first, strokes[-1].last + 1)
    for side in ("left", "right"):
        tip = motion.end_positions()[
            played, [e.joint for e in motion.skeleton.ends].index(motion.rig[f"{side}_hand"])
        ]
        assert min(tip[:, 1].min(), path(motion, f"{side}_palm")[played, 1].min()) > skin - 1e-3


@pytest.mark.parametrize("hand", ["left", "right"])
@pytest.mark.parametrize("table", [True, False])
@pytest.mark.parametrize(("tilt", "pace", "seed"), [(15.0, 0.7, 0), (50.0, 1.0, 4), (75.0, 1.4, 0)])
def test_the_cup_reaches_the_mouth_and_never_goes_beyond(
    hand: str, table: bool, tilt: float, pace: float, seed: int
) -> None:
    """L97's two rules for drinking, kept by the take that edits are to break."""
    motion = samples.drink(hand=hand, table=table, tilt=tilt, pace=pace, seed=seed)
    away = path(motion, "cup") - path(motion, "mouth")
    near = np.linalg.norm(away, axis=1) < 1e-3
    assert near.sum() > motion.frame_rate, "it is at the mouth for less than a second"
    held = [c for c in motion.contacts or () if c.role == f"{hand}_hand"]
    first, last = (held[0].first, held[-1].last) if table else (0, len(motion))
    assert away[first:last, 2].min() > -1e-3, "the cup in the hand goes behind the lips"
    # the thumb's side of the hand is the cup's upper side: level on its way, tilted at the lips
    up = rotate(motion.world()[1][:, motion.rig[f"{hand}_hand"]], np.array([0.0, 0.0, 1.0]))
    leaning = np.degrees(np.arccos(np.clip(up[:, 1], -1.0, 1.0)))
    carried = (np.linalg.norm(away, axis=1) < 0.35) & ~near
    assert leaning[carried].max() < 20.0
    assert leaning[near].max() > leaning[carried].max() + 0.7 * tilt - 10.0


@pytest.mark.parametrize("hand", ["left", "right"])
def test_taking_the_cup_leaves_the_table_whole(hand: str) -> None:
    motion = samples.drink(hand=hand, frame_rate=120.0)
    everything = np.concatenate([motion.positions(), motion.end_positions()], axis=1)
    over = everything[..., 2] > 0.37
    assert over.any()
    assert everything[over][:, 1].min() > 1.02
