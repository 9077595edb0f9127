"""Motions on other ground: feet on it and along it, nobody in the air, heads below lintels."""

from __future__ import annotations

import numpy as np
import pytest

import marotte as mt
from marotte.errors import InputError
from marotte.figure import Contact, Scene
from marotte.figure.contacts import sole_points
from marotte.figure.rotations import to_euler
from marotte.figure.scene import Doorway, HeightGrid, Plane
from marotte.fitting import fit, terrain, terrain_goals
from marotte.fitting.ducking import lintels
from marotte.quality import jerk

HEIGHT = 1.78


def rough(doors=(), seed=7):
    """LS99 6: control points every 80 % of the height, heights within 120 % of it."""
    grid = np.random.default_rng(seed).uniform(-0.6, 0.6, (6, 24)) * HEIGHT
    hills = HeightGrid(grid=grid, spacing=0.8 * HEIGHT, origin=(-2 * HEIGHT, -1.6 * HEIGHT), surface="nurbs")
    ground = Scene({"hills": hills})
    sills = [(0.0, float(ground.ground_height(np.array([0.0, 0.0, z]))), z) for z, _ in doors]
    made = {f"door{k}": Doorway(s, height=h) for k, (s, (_, h)) in enumerate(zip(sills, doors, strict=True))}
    return Scene({"hills": hills, **made})


@pytest.fixture(scope="module")
def walk():
    return mt.samples.walk(seconds=463 / 30, frame_rate=30)


@pytest.fixture(scope="module")
def hiked(walk):
    return terrain(walk, rough())


def depths(motion, scene):
    """(F, S) height above the ground of every point of both soles."""
    points = np.concatenate([sole_points(motion, sole) for sole in motion.rig.soles], axis=1)
    return points[..., 1] - scene.ground_height(points)


def test_planted_feet_stand_on_the_ground_and_nothing_of_a_sole_is_below_it(walk, hiked):
    above = depths(hiked.motion, rough())
    assert above.min() > -0.002
    for n, sole in enumerate(walk.rig.soles):
        low = above[:, 3 * n : 3 * n + 3].min(axis=1)
        for c in hiked.motion.contacts:
            if c.role == sole.foot:
                assert low[c.first : c.last + 1].max() < 0.003
    assert hiked.worst < 1e-4
    assert not hiked.unmet


def test_contacts_stay_where_they_were_as_seen_from_above(walk, hiked):
    for sole in walk.rig.soles:
        before, after = sole_points(walk, sole), sole_points(hiked.motion, sole)
        for c in walk.contacts:
            if c.role == sole.foot:
                middle = (c.first + c.last) // 2
                off = (after - before)[middle][:, [0, 2]]
                assert np.linalg.norm(off, axis=1).min() < 0.04


def test_feet_take_on_the_slope(walk, hiked):
    """On a tilted plane a foot that was flat is as steep as the plane."""
    slope = np.radians(12.0)
    ramp = Scene({"ramp": Plane(normal=(0.0, np.cos(slope), -np.sin(slope)))})
    stand = mt.samples.walk(seconds=2)
    up = terrain(stand, ramp).motion
    sole = stand.rig.soles[0]
    contact = next(c for c in stand.contacts or () if c.role == sole.foot)
    flat = sole_points(stand, sole)[contact.first : contact.last + 1]
    frame = contact.first + int(np.ptp(flat[:, :2, 1], axis=1).argmin())
    along = np.diff(sole_points(up, sole)[frame, :2], axis=0)[0]
    assert np.degrees(np.arcsin(along[1] / np.linalg.norm(along))) == pytest.approx(12.0, abs=1.5)
    level = terrain(stand, ramp, slopes=False).motion
    along = np.diff(sole_points(level, sole)[frame, :2], axis=0)[0]
    assert abs(np.degrees(np.arcsin(along[1] / np.linalg.norm(along)))) < 1.5


def test_it_is_smooth_and_knees_bend_their_own_way(walk, hiked):
    assert jerk(hiked.motion).rms < 1.3 * jerk(walk).rms
    for limb in walk.rig.limbs:
        if limb.name.endswith("leg"):
            bend = to_euler(hiked.motion.rotations[:, limb.hinge], "XYZ")[:, 0] * limb.hinge_axis[0]
            assert bend.min() > -1e-6


def test_level_ground_changes_nothing_that_one_sees(walk):
    same = terrain(walk, Scene({"floor": Plane()})).motion
    assert np.abs(same.positions() - walk.positions()).max() < 0.008
    higher = terrain(walk, Scene({"floor": Plane(height=0.75)})).motion
    assert np.abs(higher.positions() - walk.positions() - [0.0, 0.75, 0.0]).max() < 0.008


def test_the_figure_ducks_through_doorways_and_only_there(walk):
    doors = ((4.0, 1.5), (9.0, 1.3))
    scene = rough(doors)
    done = terrain(walk, scene)
    assert done.ducked > 0.2
    shapes = [scene[name] for name in ("door0", "door1")]
    assert lintels(terrain(walk, scene, doorways=False).motion, shapes).max() > 0.2
    assert lintels(done.motion, shapes).max() < 0.01
    assert not [text for text in done.unmet if "doorway" in text]
    plain = terrain(walk, rough()).motion
    z = walk.root[:, 2]
    away = (np.abs(z - 4.0) > 2.5) & (np.abs(z - 9.0) > 2.5)
    assert np.abs(done.motion.positions() - plain.positions())[away].max() < 0.03
    assert jerk(done.motion).rms < 1.3 * jerk(walk).rms


def test_a_doorway_for_dogs_is_named(walk):
    done = terrain(walk, rough(((4.0, 0.4),)))
    assert any("doorway" in text and "too low" in text for text in done.unmet)


def test_the_goals_are_those_of_the_papers_table(walk):
    """464 frames, both feet with place and turn at every frame: 5,568 constraints."""
    goals = terrain_goals(walk, rough())
    done = fit(walk, goals)
    assert done.report.constraints == 5568
    assert done.report.parameters == 20
    assert done.report.worst < 1.06  # percent of the height after four levels (LS99 table 1)


def test_what_touched_things_no_longer_does(walk):
    held = walk.with_(contacts=(*walk.contacts, Contact("left_hand", 10, 20, "rail")))
    assert all(c.on == "" for c in terrain(held, rough()).motion.contacts or ())


def test_there_must_be_ground(walk):
    with pytest.raises(InputError, match=r"must have ground .* at frame 0"):
        terrain(walk, Scene({}))
