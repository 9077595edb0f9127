"""Retargeting and morphing as recipes and commands use them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import marotte as mt
from marotte.cli import main
from marotte.errors import InputError
from marotte.figure import Motion
from marotte.fitting import Proportions, morph, retarget


@pytest.fixture(scope="module")
def walk() -> Motion:
    return mt.samples.walk(seconds=2)


def run(*arguments: object) -> int:
    return main([str(a) for a in arguments])


def test_a_character_a_file_and_a_skeleton_may_be_named(tmp_path: Path, walk: Motion) -> None:
    sally = mt.samples.character("sally")
    want = retarget(walk, sally).motion
    assert np.array_equal(mt.Retarget(to="sally").apply(walk).rotations, want.rotations)
    assert np.array_equal(mt.Retarget(to=sally).apply(walk).rotations, want.rotations)
    mt.save(Motion.at_rest(sally), tmp_path / "sally.bvh")
    there = mt.Retarget(to=tmp_path / "sally.bvh").apply(walk)
    assert np.abs(there.positions() - want.positions()).max() < 1e-4


def test_a_recipe_names_figures_beside_it_and_keeps_their_names(tmp_path: Path, walk: Motion) -> None:
    mt.save(Motion.at_rest(mt.samples.character("sally")), tmp_path / "hero.bvh")
    recipe = tmp_path / "cast.yaml"
    recipe.write_text("marotte: 1\nsteps:\n  - retarget: {to: hero.bvh, scale: none}\n")
    made = mt.Recipe.load(recipe).apply(walk)
    assert made.skeleton.names == mt.samples.character("sally").names
    assert "hero.bvh" in mt.Recipe.load(recipe).to_yaml(folder=tmp_path)
    assert "sally" in mt.Recipe([mt.Retarget(to="sally")]).to_yaml()


def test_the_command_takes_one_take_or_a_folder(tmp_path: Path, walk: Motion) -> None:
    (tmp_path / "takes").mkdir()
    for name in ("a", "b"):
        mt.save(walk, tmp_path / "takes" / f"{name}.npz")
    assert run("retarget", tmp_path / "takes" / "a.npz", "--to", "sally", "-o", tmp_path / "one.npz") == 0
    assert mt.load(tmp_path / "one.npz").skeleton.names == mt.samples.character("sally").names
    assert run("retarget", tmp_path / "takes", "--to", "blubby", "--scale", "1", "-o", tmp_path / "out") == 0
    assert len(list((tmp_path / "out").glob("*.npz"))) == 2
    assert run("edit", "retarget", tmp_path / "takes/a.npz", "--to", "sally", "-o", tmp_path / "two.npz") == 0


def test_a_scene_file_is_the_ground(tmp_path: Path, walk: Motion) -> None:
    scene = tmp_path / "high.yaml"
    scene.write_text(
        "marotte_scene: 1\nobjects:\n  - {name: floor, plane: {normal: [0, 1, 0], height: 0.5}}\n"
    )
    made = mt.Retarget(to="sally", scene=scene).apply(walk)
    flat = mt.Retarget(to="sally").apply(walk)
    assert np.allclose(made.root[:, 1] - flat.root[:, 1], 0.5, atol=0.03)


def test_mistakes_are_misuse_and_name_what_there_is(
    tmp_path: Path, walk: Motion, capsys: pytest.CaptureFixture[str]
) -> None:
    mt.save(walk, tmp_path / "walk.npz")
    assert run("retarget", tmp_path / "walk.npz", "--to", "nobody", "-o", tmp_path / "x.npz") == 2
    assert "performer, sally, blubby" in capsys.readouterr().err
    with pytest.raises(InputError, match="above 0"):
        mt.Retarget(to="sally", scale=-2)
    with pytest.raises(InputError, match="Skeleton"):
        mt.Recipe([mt.Retarget(to=mt.samples.character("sally"))]).to_yaml()


def test_the_body_of_a_character_is_kept(tmp_path: Path, walk: Motion, shared_data: Path) -> None:
    body = shared_data / "formats/vrm/sphere_vrm0.vrm"
    out = tmp_path / "puppet.glb"
    mt.save(mt.Retarget(to=body).apply(walk), out)
    assert out.stat().st_size > 0.5 * body.stat().st_size
    assert len(mt.load(out)) == len(walk)


def test_morph_takes_one_map_or_keys_in_frames_and_seconds(walk: Motion) -> None:
    last = len(walk) - 1
    want = morph(walk, {"legs": 1.4}).translations
    assert want is not None
    for to in ({"legs": 1.4}, [{"frame": -1, "legs": 1.4}], [{"at": last / walk.frame_rate, "legs": 1.4}]):
        made = mt.Morph(to=to).apply(walk)
        assert made.translations is not None
        assert np.allclose(made.translations, want)
    with pytest.raises(InputError, match="both"):
        mt.Morph(to=[{"at": 1.0, "frame": 3, "legs": 2}]).apply(walk)
    keys = [Proportions(frame=0, legs=0.8), Proportions(frame=60, legs=1.2)]
    given = mt.Morph(to=[{"frame": 0, "legs": 0.8}, {"frame": 60, "legs": 1.2}]).apply(walk)
    assert np.array_equal(given.rotations, morph(walk, keys).rotations)


def test_a_morph_can_be_saved_and_read_again(tmp_path: Path, walk: Motion) -> None:
    mt.save(walk, tmp_path / "walk.npz")
    out = tmp_path / "grown.npz"
    assert run("edit", "morph", tmp_path / "walk.npz", "--to", "legs=1.5,spine=0.8", "-o", out) == 0
    made = mt.Morph(to={"legs": 1.5, "spine": 0.8}).apply(walk)
    assert np.abs(mt.load(out).positions() - made.positions()).max() < 1e-6
