"""How far points are from the things of a scene, where they would touch them, and which way is out.

A foot that is pushed out of the ground, a hand that is kept on a rope, a head that ducks below a lintel
all go where these say.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from marotte import samples
from marotte.errors import InputError, UnknownNameError
from marotte.figure import Moving, Scene
from marotte.figure.rotations import exp, from_euler, inverse, rotate
from marotte.figure.scene import Box, Capsule, Doorway, HeightGrid, Plane, Shape, Sphere
from tests.naive import surfaces as naive

SEED = st.integers(0, 10_000)
KINDS = ("plane", "linear", "nurbs", "box", "sphere", "capsule", "doorway")


def numbers(rng, *shape, scale=1.0):
    return tuple(float(v) for v in scale * rng.normal(size=shape or (3,)))


def shape_of(kind: Any, rng) -> Any:
    """Some shape of a kind."""
    if kind == "plane":
        return Plane(numbers(rng), float(rng.normal()))
    if kind in ("linear", "nurbs"):
        grid = 0.3 * rng.normal(size=tuple(rng.integers(4, 8, 2)))
        return HeightGrid(
            grid, float(rng.uniform(0.3, 1.5)), (float(rng.normal()), float(rng.normal())), kind
        )
    if kind == "box":
        return Box(numbers(rng), tuple(rng.uniform(0.05, 2.0, 3)), numbers(rng, scale=90.0))
    if kind == "sphere":
        return Sphere(numbers(rng), float(rng.uniform(0.05, 1.0)))
    if kind == "capsule":
        a = numbers(rng)
        return Capsule(a, a if rng.random() < 0.1 else numbers(rng), float(rng.uniform(0.01, 0.5)))
    return Doorway(
        numbers(rng), (float(rng.normal()), 0.0, float(rng.normal())), float(rng.uniform(0.3, 1.5)),
        float(rng.uniform(0.5, 2.0)), float(rng.uniform(0.05, 0.4)), float(rng.uniform(0.02, 0.5)),
    )  # fmt: skip


def by_looking(shape: Shape, p) -> tuple[float, np.ndarray]:
    """Distance and closest point, by the naive oracle."""
    if isinstance(shape, Plane):
        n = np.array(shape.normal)
        d = float(n @ p - shape.height)
        return d, p - d * n
    if isinstance(shape, Sphere):
        way = p - np.array(shape.center)
        size = float(np.linalg.norm(way))
        return size - shape.radius, np.array(shape.center) + shape.radius * way / size
    if isinstance(shape, Capsule):
        middle = naive.on_segment(p, np.array(shape.start), np.array(shape.end))
        way = p - middle
        size = float(np.linalg.norm(way))
        return size - shape.radius, middle + shape.radius * way / size
    if isinstance(shape, Box):
        turn, middle = from_euler(np.radians(shape.rotation), "XYZ"), np.array(shape.center)
        d, c = naive.box(rotate(inverse(turn), p - middle), 0.5 * np.array(shape.size))
        return d, middle + rotate(turn, c)
    if isinstance(shape, Doorway):
        ahead = np.array(shape.facing)
        across = np.cross([0.0, 1.0, 0.0], ahead)
        axes = np.stack([across, [0.0, 1.0, 0.0], ahead])
        sill = np.array(shape.position)
        d, c = naive.door_frame(axes @ (p - sill), shape.width, shape.height, shape.frame, shape.thickness)
        return d, sill + c @ axes
    heights = naive.Heights(shape.grid, shape.spacing, shape.origin, shape.surface)
    return heights.closest(p)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(seed=SEED)
@example(seed=1008)  # a piece of ground with two nearest points, the worse one at its border
def test_distances_are_those_of_the_closest_point_that_can_be_found(kind, seed):
    rng = np.random.default_rng(seed)
    shape = shape_of(kind, rng)
    points = rng.normal(size=(3 if kind in ("linear", "nurbs") else 12, 3))
    touch = Scene({"it": shape}).closest(points)
    for p, d, c in zip(points, touch.distance, touch.place, strict=True):
        want, where = by_looking(shape, p)
        assert np.linalg.norm(p - c) == pytest.approx(abs(d), abs=1e-9)
        assert by_looking(shape, c + 1e-9)[0] == pytest.approx(0.0, abs=1e-5), "it is not on the surface"
        if kind in ("linear", "nurbs"):  # looking may end in a hollow that is not the nearest
            assert np.sign(d) == np.sign(want)
            assert abs(d) <= abs(want) + 2e-6
        else:
            assert d == pytest.approx(want, abs=2e-6)
        # two places may be equally near; where they are not, it is the same place
        if np.linalg.norm(where - c) < 1e-3:
            assert where == pytest.approx(c, abs=1e-4)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=SEED)
def test_normals_are_the_way_in_which_distances_grow(kind, seed):
    """What pushes a foot out of the ground must push it out, and not along."""
    rng = np.random.default_rng(seed)
    scene = Scene({"it": shape_of(kind, rng)})
    points = rng.normal(size=(20, 3))
    touch = scene.closest(points)
    assert np.linalg.norm(touch.normal, axis=-1) == pytest.approx(1.0)
    assert scene.distance(points) == pytest.approx(touch.distance, abs=1e-12)
    assert np.sum((points - touch.place) * touch.normal, axis=-1) == pytest.approx(touch.distance, abs=1e-9)
    step = 1e-6
    slopes = np.stack(
        [
            (scene.distance(points + step * e) - scene.distance(points - step * e)) / (2 * step)
            for e in np.eye(3)
        ],
        axis=-1,
    )
    smooth = np.abs(np.linalg.norm(slopes, axis=-1) - 1.0) < 1e-6  # not where two places are equally near
    assert smooth.mean() > 0.5
    assert slopes[smooth] == pytest.approx(touch.normal[smooth], abs=1e-5)


@given(seed=SEED)
def test_a_scene_is_as_near_as_its_nearest_object(seed):
    """Objects that are left out early, because they are far, would else be walked through."""
    rng = np.random.default_rng(seed)
    objects = {f"{kind} {k}": shape_of(kind, rng) for k, kind in enumerate(rng.choice(KINDS, 8))}
    points = rng.normal(size=(15, 3)) * 2.0
    scene = Scene(objects)
    each = np.stack([Scene({name: shape}).distance(points) for name, shape in objects.items()])
    distance, which = scene.nearest(points)
    assert distance == pytest.approx(each.min(axis=0), abs=1e-9)
    assert each[which, np.arange(15)] == pytest.approx(distance, abs=1e-9)
    some = [name for name in objects if rng.random() < 0.5]
    of_some = [each[k] for k, name in enumerate(objects) if name in some]
    want = np.min(of_some, axis=0) if of_some else np.full(15, np.inf)
    assert scene.distance(points, objects=some) == pytest.approx(want, abs=1e-9)


@pytest.mark.parametrize("kind", ["linear", "nurbs"])
@given(seed=SEED)
def test_ground_is_where_the_splines_say_and_its_normals_are_their_slopes(kind, seed):
    rng = np.random.default_rng(seed)
    heights = shape_of(kind, rng)
    assert isinstance(heights, HeightGrid)
    slow = naive.Heights(heights.grid, heights.spacing, heights.origin, kind)
    points = rng.normal(size=(10, 3)) * 3.0
    ground = Scene({"hills": heights}).ground(points)
    step = 1e-6
    for p, h, n in zip(points, ground.height, ground.normal, strict=True):
        assert h == pytest.approx(slow(p[0], p[2]), abs=1e-10)
        east = (slow(p[0] + step, p[2]) - slow(p[0] - step, p[2])) / (2 * step)
        north = (slow(p[0], p[2] + step) - slow(p[0], p[2] - step)) / (2 * step)
        want = np.array([-east, 1.0, -north])
        assert n == pytest.approx(want / np.linalg.norm(want), abs=1e-4)


def test_ground_of_planes_and_of_nothing():
    slope = Scene({"slope": Plane((0, 1, -1), 0.0), "wall": Plane((1, 0, 0), 5.0)})
    ground = slope.ground(np.array([[0.0, 9.0, 2.0]]))
    assert ground.height == pytest.approx([2.0])
    assert ground.normal[0] == pytest.approx([0, np.sqrt(0.5), -np.sqrt(0.5)])
    nothing = Scene().ground([0.0, 0.0, 0.0])
    assert nothing.height == -np.inf
    assert nothing.normal == pytest.approx([0, 1, 0])
    assert Scene().distance([[0.0, 0.0, 0.0]]) == pytest.approx([np.inf])
    assert Scene().nearest([[0.0, 0.0, 0.0]])[1].tolist() == [-1]


@pytest.mark.parametrize("kind", ["box", "sphere", "capsule", "doorway"])
@given(seed=SEED)
def test_what_moves_is_as_far_as_if_the_world_moved_around_it(kind, seed):
    """A rope that swings would else be grasped where it hung at first."""
    rng = np.random.default_rng(seed)
    shape = shape_of(kind, rng)
    places, turns = rng.normal(size=(5, 3)), exp(rng.normal(size=(5, 3)))
    scene = Scene({"thing": Moving(shape, places, turns, 30.0)})
    still = Scene({"thing": shape})
    points = rng.normal(size=(5, 4, 3))
    local = rotate(inverse(turns)[:, None], points - places[:, None])
    touch, want = scene.closest(points, np.arange(5)[:, None]), still.closest(local)
    assert touch.distance == pytest.approx(want.distance, abs=1e-9)
    back = rotate(turns[:, None], want.place) + places[:, None]
    assert touch.place == pytest.approx(back, abs=1e-8)
    assert touch.normal == pytest.approx(rotate(turns[:, None], want.normal), abs=1e-8)
    assert scene.distance(points[2], 2) == pytest.approx(touch.distance[2], abs=1e-9)
    assert scene.distance(points[4], 99) == pytest.approx(touch.distance[4], abs=1e-9)  # it stays
    assert scene.distance(points[0]) == pytest.approx(touch.distance[0], abs=1e-9)


def test_a_cup_follows_the_hand_that_holds_it():
    drink = samples.drink()
    cup = Moving.following(Sphere((0, 0, 0), 0.04), drink, "cup")
    scene = Scene({"cup": cup})
    hand = drink.positions()[:, [drink.rig["right_hand"]]]
    away = scene.distance(hand, np.arange(len(drink))[:, None])
    assert away == pytest.approx(away[0, 0], abs=1e-9)
    slow = scene.at_rate(30.0)["cup"]
    assert isinstance(slow, Moving)
    assert len(slow) == (len(drink) + 1) // 2
    assert slow.places[7] == pytest.approx(cup.places[14], abs=1e-9)


def test_points_on_the_middle_of_things_have_a_way_out():
    scene = Scene({"pole": Capsule((0, 0, 0), (0, 2, 0), 0.1), "ball": Sphere((5, 1, 0), 0.3)})
    touch = scene.closest([[0, 1, 0], [5, 1, 0], [0, 0, 0]])
    assert touch.distance == pytest.approx([-0.1, -0.3, -0.1])
    assert np.linalg.norm(touch.normal, axis=-1) == pytest.approx(1.0)
    assert touch.normal[0, 1] == pytest.approx(0.0)


def test_a_head_that_passes_a_door_meets_its_lintel():
    scene = Scene({"door": Doorway((0, 0, 3), (0, 0, 1), 1.0, 1.5)})
    assert scene.distance([[0, 0.7, 3.0], [0, 1.4, 3.0], [0, 1.55, 3.0]]) == pytest.approx([0.5, 0.1, -0.05])
    assert scene.closest([0.1, 1.4, 3.0]).normal == pytest.approx([0, -1, 0])


def test_mistakes_say_what_to_write():
    scene = Scene.level()
    with pytest.raises(InputError, match="must have shape"):
        scene.distance(np.zeros((3, 2)))
    with pytest.raises(InputError, match="finite"):
        scene.distance([[0, np.nan, 0]])
    with pytest.raises(InputError, match=r"np\.arange\(F\)"):
        scene.distance(np.zeros((4, 2, 3)), np.arange(4))
    with pytest.raises(InputError, match="whole number"):
        scene.distance(np.zeros((4, 3)), 0.5)
    with pytest.raises(UnknownNameError, match="'floor'"):
        scene.distance(np.zeros(3), objects=["flor"])
    ground: Any = Plane()
    with pytest.raises(InputError, match="ground stays"):
        Moving.along(ground, np.zeros((2, 3)), frame_rate=30)
    with pytest.raises(InputError, match="at least one frame"):
        Moving.along(Sphere((0, 0, 0), 1), np.zeros((0, 3)), frame_rate=30)
