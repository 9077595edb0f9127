"""Distances, compiled and as plain Python, on scenes of every kind of object.

tests/figure/test_distances.py judges them against what can be found by looking; here every kernel runs
over the tables of one scene, and the answers of the three must fit together.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marotte import kernels
from marotte.figure import Moving, Scene
from marotte.figure._scene_tables import tables
from marotte.figure.rotations import exp
from marotte.figure.scene import Box, Capsule, Doorway, HeightGrid, Plane, Sphere


def scene_of(rng) -> Scene:
    grid = 0.5 * rng.normal(size=(5, 6))
    places, turns = rng.normal(size=(4, 3)), exp(rng.normal(size=(4, 3)))
    return Scene(
        {
            "floor": Plane((0.0, 1.0, 0.0), -2.0),
            "squares": HeightGrid(grid[:, :4], 0.8, (-1.0, -1.0), "linear"),
            "hills": HeightGrid(grid, 0.7, (-1.5, -1.0), "nurbs"),
            "crate": Box((1.0, 1.0, 0.0), (0.5, 0.4, 0.6), (10.0, 20.0, 30.0)),
            "ball": Sphere((-1.0, 1.5, 0.0), 0.3),
            "pole": Capsule((0.0, 1.0, 1.0), (0.0, 3.0, 1.2), 0.1),
            "door": Doorway((0.0, 0.5, -1.0), (0.3, 0.0, 1.0), 0.8, 1.5),
            "cup": Moving(Sphere((0.0, 0.1, 0.0), 0.1), places, turns, 30.0),
            "hatch": Doorway((2.0, 2.0, 2.0), (0.0, 1.0, 0.0), 0.5, 0.5),
        }
    )  # fmt: skip


@given(st.integers(0, 10_000))
def test_the_three_kernels_agree(seed):
    rng = np.random.default_rng(seed)
    t = tables(scene_of(rng).objects.values())
    points = np.concatenate(
        [rng.normal(size=(20, 3)) * 2.0, [[0.0, 2.0, 1.1], [-1.0, 1.5, 0.0], [9.0, 1.0, 9.0]]]
    )
    count = len(points)
    frames = rng.integers(-1, 6, count)
    near, out = np.empty(count), np.empty(count)
    which, same = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    places, normals = np.empty((count, 3)), np.empty((count, 3))
    layout = (t.kinds, t.numbers, t.balls, t.first, t.count, t.poses, t.cells)
    kernels.surfaces.distances(points, frames, t.order, *layout, near, which)
    kernels.surfaces.closest(points, frames, t.order, *layout, out, places, normals, same)
    assert np.array_equal(near, out)
    assert np.array_equal(which, same)
    assert np.linalg.norm(points - places, axis=1) == pytest.approx(np.abs(out), abs=1e-9)
    # the closest points lie on their objects
    for k in range(count):
        only = np.array([which[k]])
        frame = frames[k : k + 1]
        kernels.surfaces.distances(places[k : k + 1], frame, only, *layout, near[:1], which[:1].copy())
        assert abs(near[0]) < 1e-7
    heights, ups = np.empty(count), np.empty((count, 3))
    kernels.surfaces.ground(points, t.order, t.kinds, t.numbers, t.cells, heights, ups, same)
    assert (heights >= -2.0).all()
    assert (ups[:, 1] > 0.0).all()
    under = np.stack([points[:, 0], heights, points[:, 2]], axis=1)
    for k in range(count):
        kernels.surfaces.distances(
            under[k : k + 1], frames[:1], same[k : k + 1].copy(), *layout, near[:1], which[:1].copy()
        )
        assert abs(near[0]) < 1e-9
