"""Scenes: ground under the feet, and mistakes that name their line."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import BSpline

from marotte import formats, samples
from marotte.errors import FileError, UnknownNameError
from marotte.figure import Moving, path
from marotte.figure.scene import Box, Capsule, Doorway, HeightGrid, Plane, Scene

GOOD = """\
marotte_scene: 1
objects:
  - {name: floor, plane: {normal: [0, 1, 0], height: 0}}
  - name: hills
    heights: {grid: [[0, 0.2], [0.1, 0.4]], spacing: 2, origin: [0, 0]}
  - {name: crate, box: {center: [1, 0.3, 0], size: [0.6, 0.6, 0.6], rotation: [0, 30, 0]}}
  - {name: rope, capsule: {from: [0, 0, 0], to: [0, 4, 0], radius: 0.02}}
  - {name: ball, sphere: {center: [0, 1, 0], radius: 0.2}}
  - {name: door, doorway: {position: [0, 0, 3], facing: [0, 0, 2], width: 1, height: 1.5}}
influence: {default: 0.15, left_foot: {floor: 0.25}}
approach: 0.2
"""


def scene_of(tmp_path, text):
    file = tmp_path / "scene.yaml"
    file.write_text(text)
    return Scene.load(file)


def test_a_scene_with_everything(tmp_path):
    scene = scene_of(tmp_path, GOOD)
    assert list(scene.objects) == ["floor", "hills", "crate", "rope", "ball", "door"]
    assert scene["crate"] == Box((1, 0.3, 0), (0.6, 0.6, 0.6), (0, 30, 0))
    assert scene["rope"] == Capsule((0, 0, 0), (0, 4, 0), 0.02)
    door = scene["door"]
    assert isinstance(door, Doorway)
    assert door.facing == (0, 0, 1)  # directions are made unit
    assert scene.approach == 0.2
    with pytest.raises(UnknownNameError, match="'crate'"):
        scene["crat"]


def test_ground_is_the_highest_under_a_point(tmp_path):
    scene = scene_of(tmp_path, GOOD)
    points = np.array([[0, 5, 0], [0, 5, 2], [2, 5, 2], [1, 5, 1], [9, 0, 9]], float)
    assert scene.ground_height(points) == pytest.approx([0, 0.2, 0.4, 0.175, 0.4])


def test_sloped_planes():
    scene = Scene({"slope": Plane((0, 1, -1), 0.0)})
    assert scene.ground_height(np.array([[3.0, 0, 2.0]])) == pytest.approx([2.0])
    slope = scene["slope"]
    assert isinstance(slope, Plane)
    assert slope.normal == pytest.approx((0, np.sqrt(0.5), -np.sqrt(0.5)))


def test_nurbs_ground_is_the_clamped_cubic_b_spline():
    rng = np.random.default_rng(0)
    grid = rng.normal(size=(6, 5))
    ground = HeightGrid(grid, 0.5, (1.0, -1.0), "nurbs")
    x, z = rng.uniform(1, 3.5, 20), rng.uniform(-1, 1, 20)

    def spline(values, u):  # of one row, by SciPy's own evaluation
        n = len(values)
        knots = np.concatenate([[0] * 3, np.linspace(0, n - 1, n - 2), [n - 1] * 3])
        return BSpline(knots, values, 3)(u)

    want = [
        spline(np.array([spline(row, (b + 1) / 0.5) for row in grid]), (a - 1) / 0.5)
        for a, b in zip(x, z, strict=True)
    ]
    assert ground.height_at(x, z) == pytest.approx(np.array(want).ravel())


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("marotte_scene: 1", "marotte_scene: 2", ":1: a scene must begin"),
        ("radius: 0.2}", "radius: -1}", ":8: sphere.radius must be a positive"),
        ("size: [0.6, 0.6, 0.6]", "size: [0.6, 0.6]", ":6: size must be 3 numbers"),
        ("box:", "bx:", ":6: .*did you mean 'box'"),
        ("name: ball", "name: crate", ":8: .*'crate' stands twice"),
        ("from:", "form:", ":7: .*did you mean 'from'"),
        (", radius: 0.02", "", ":7: capsule needs also: radius"),
        ("approach: 0.2", "aproach: 0.2", ":11: .*did you mean 'approach'"),
        ("height: 1.5", "height: .nan", ":9: height must be finite"),
        ("[[0, 0.2], [0.1, 0.4]]", "[[0, 0.2]]", ":5: heights.grid must be at least 2 × 2"),
        ("spacing: 2,", "spacing: 2, surface: cubic,", ":5: surface must be linear or nurbs"),
        ("objects:", "objects: [", "not valid YAML"),
        ("approach: 0.2", "influence: {}", "'influence' stands twice"),
    ],
)
def test_mistakes_name_their_line(tmp_path, old, new, words):
    assert old in GOOD
    with pytest.raises(FileError, match=words):
        scene_of(tmp_path, GOOD.replace(old, new, 1))


def test_missing_and_broken_files(tmp_path):
    with pytest.raises(FileError, match="No such file"):
        Scene.load(tmp_path / "no.yaml")
    (tmp_path / "b.yaml").write_bytes(b"\xff\xfe\x00\x01 \xff")
    with pytest.raises(FileError, match="UTF-8"):
        Scene.load(tmp_path / "b.yaml")
    (tmp_path / "a.yaml").write_text("a: &x [*x]")
    with pytest.raises(FileError):
        Scene.load(tmp_path / "a.yaml")
    (tmp_path / "d.yaml").write_text("[" * 5000)
    with pytest.raises(FileError):
        Scene.load(tmp_path / "d.yaml")


MOVING = GOOD.replace(
    "influence:",
    """\
  - {name: lift, box: {center: [0, 0, 0], size: [1, 0.1, 1]},
     path: {rate: 30, places: [[3, 0, 0], [3, 0.5, 0]], rotations: [[0, 0, 0], [0, 90, 0]]}}
influence:""",
)


def test_a_box_on_a_path(tmp_path):
    scene = scene_of(tmp_path, MOVING)
    lift = scene["lift"]
    assert isinstance(lift, Moving)
    assert lift.frame_rate == 30
    assert scene.distance([3.0, 1.0, 0.0], 0, objects=["lift"]) == pytest.approx(0.95)
    assert scene.distance([3.0, 1.0, 0.0], 1, objects=["lift"]) == pytest.approx(0.45)


def test_a_ball_that_follows_a_take(tmp_path):
    drink = samples.drink()
    formats.save(drink, tmp_path / "drink.npz")
    text = MOVING.replace(
        "path: {rate: 30, places: [[3, 0, 0], [3, 0.5, 0]], rotations: [[0, 0, 0], [0, 90, 0]]}",
        "follows: {take: drink.npz, point: cup}",
    )
    (tmp_path / "scene.yaml").write_text(text)
    scene = formats.load_scene(tmp_path / "scene.yaml")
    lift = scene["lift"]
    assert isinstance(lift, Moving)
    assert lift.places == pytest.approx(path(drink, "cup"))
    with pytest.raises(FileError, match=r":11: .*load_scene"):
        Scene.load(tmp_path / "scene.yaml")
    (tmp_path / "scene.yaml").write_text(text.replace("point: cup", "point: cap"))
    with pytest.raises(FileError, match=r":11: .*'cup'"):
        formats.load_scene(tmp_path / "scene.yaml")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("rate: 30", "rate: 0", ":11: frame_rate must be a positive"),
        ("rate: 30, ", "", ":11: path must have a rate"),
        ("rotations:", "rotation:", ":11: .*did you mean 'rotations'"),
        ("[[0, 0, 0], [0, 90, 0]]", "[[0, 0, 0]]", ":11: .*equally many"),
        ("[[3, 0, 0], [3, 0.5, 0]]", "[[3, 0], [3, 0.5]]", ":11: .*three numbers"),
        ("box: {center: [0, 0, 0], size: [1, 0.1, 1]}", "plane: {}", ":11: .*ground stays"),
        ("     path:", "     follows: 3, path:", ":10: .*not both"),
        ("path: {rate: 30,", "follows: {rate: 30,", ":11: follows must name"),
    ],
)
def test_mistakes_of_moving_things_name_their_line(tmp_path, old, new, words):
    assert old in MOVING
    with pytest.raises(FileError, match=words):
        scene_of(tmp_path, MOVING.replace(old, new, 1))
