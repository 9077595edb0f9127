"""Ground and doors to adapt walks to."""

from __future__ import annotations

import numpy as np
import pytest

from marotte import samples
from marotte.errors import InputError
from marotte.figure import Motion, Scene, doorways_along, rough_terrain
from marotte.figure.scene import Doorway, HeightGrid


def test_hills_are_as_high_as_asked_and_begin_at_zero():
    scene = rough_terrain(height=1.75, seed=4, start=(0.3, 1.0))
    hills = scene["terrain"]
    assert isinstance(hills, HeightGrid)
    assert hills.spacing == pytest.approx(0.8 * 1.75)
    assert 0.9 * 1.2 * 1.75 < np.ptp(hills.grid) <= 1.2 * 1.75
    assert scene.ground_height(np.array([0.3, 0.0, 1.0])) == pytest.approx(0.0, abs=1e-12)
    assert np.ptp(scene.ground_height(np.random.default_rng(0).uniform(-3, 6, (200, 3)))) > 0.4
    again, other = rough_terrain(height=1.75, seed=4, start=(0.3, 1.0)), rough_terrain(height=1.75, seed=5)
    place = np.array([1.0, 0.0, 4.0])
    assert scene.ground_height(place) == again.ground_height(place)
    assert scene.ground_height(place) != other.ground_height(place)
    flat = rough_terrain(roughness=0.0)
    assert flat.ground_height(place) == pytest.approx(0.0, abs=1e-12)


def test_doors_stand_on_the_ground_across_the_way():
    walk = samples.walk(seconds=6, turn=20.0)
    hills = rough_terrain(seed=1)
    doors = doorways_along(walk, at=(0.25, 0.75), height=0.8, scene=hills)
    assert list(doors) == ["door_0", "door_1"]
    scene = hills.with_(doors)
    for door in doors.values():
        assert isinstance(door, Doorway)
        x, y, z = door.position
        assert y == pytest.approx(hills.ground_height(np.array([x, 0.0, z])))
        near = np.linalg.norm(walk.root[:, [0, 2]] - [x, z], axis=1)
        k = int(near.argmin())
        assert near[k] < 0.05
        ahead = walk.root[k + 5] - walk.root[k - 5]
        assert np.dot(ahead, door.facing) > 0.95 * np.linalg.norm(ahead * [1, 0, 1])
        assert door.height == pytest.approx(0.8 * walk.skeleton.height)
    # the head would hit the lintel of a door on level ground, the knees would not
    level = Scene(doorways_along(walk, height=0.8))
    head, knee = (walk.positions()[:, [walk.rig[role]]] for role in ("head", "left_lower_leg"))
    assert level.distance(head).min() < 0.1
    assert level.distance(knee).min() > 0.1
    assert set(scene.objects) == {"terrain", "door_0", "door_1"}


def test_mistakes_say_what_to_change():
    stands = samples.sway(seconds=2.0)
    with pytest.raises(InputError, match="take a motion that travels"):
        doorways_along(stands)
    with pytest.raises(InputError, match="0 frames"):
        doorways_along(Motion.at_rest(stands.skeleton, 0))
    with pytest.raises(InputError, match="shares of the way"):
        doorways_along(samples.walk(), at=[40])
    with pytest.raises(InputError, match="height must be"):
        rough_terrain(height=0)
    with pytest.raises(InputError, match="extent must be"):
        rough_terrain(extent=(1, 0, 0, 1))
    with pytest.raises(InputError, match="greater spacing"):
        rough_terrain(spacing=1e-4)
    with pytest.raises(InputError, match="roughness"):
        rough_terrain(roughness=float("nan"))
