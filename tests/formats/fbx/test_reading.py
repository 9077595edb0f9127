"""FBX: files that are made with every oddity, against plain matrices."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from marotte import formats
from marotte.errors import InputError
from marotte.figure import Motion
from tests.naive.fbx import ORDERS, PlainNode, positions, worlds

from .texts import fbx_text

CM = 0.01
FRAMES = 5


def vectors(rng: np.random.Generator, size: float, count: int) -> list[tuple[float, float, float]]:
    """Numbers that single precision holds, as the format keeps keys in it."""
    rows = rng.uniform(-size, size, (count, 3)).astype(np.float32).tolist()
    return [(x, y, z) for x, y, z in rows]


def figure(seed: int = 0, **oddities) -> list[PlainNode]:
    """A null, a hip, a leg of three bones and an arm; the thigh gets the oddities."""
    rng = np.random.default_rng(seed)

    def one(size: float) -> tuple[float, float, float]:
        return vectors(rng, size, 1)[0]

    def turning(size: float) -> dict[str, list[tuple[float, float, float]]]:
        return {"R": vectors(rng, size, FRAMES)}

    return [
        PlainNode("Reference", -1, "Null", translation=one(5), rotation=one(60), scale=(2.0, 2.0, 2.0)),
        PlainNode("mixamorig:Hips", 0, translation=one(5),
                  keys={"T": vectors(rng, 5, FRAMES), **turning(90)}),
        PlainNode("Up Leg", 1, translation=one(40), rotation=one(40), keys=turning(50), **oddities),
        PlainNode("Leg", 2, translation=one(40), rotation=one(40), order="ZXY", pre=one(90),
                  keys=turning(50)),
        PlainNode("Foot", 3, translation=one(40), rotation=one(40)),
        PlainNode("Arm", 1, translation=one(40), rotation=one(40), order="YZX", keys=turning(50)),
    ]  # fmt: skip


@pytest.fixture
def file(tmp_path: Path):
    """Writes a text to a file."""

    def write(text: str, name: str = "take.fbx") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def stands_as(motion: Motion, nodes: list[PlainNode], frames: int = FRAMES, unit: float = CM) -> None:
    """Every joint stands in every frame where plain matrices put its node."""
    plain = positions(nodes, frames)
    names = [node.name for node in nodes]
    columns = [names.index(name) for name in motion.skeleton.names]
    assert len(motion) == frames
    assert motion.positions() == pytest.approx(plain[:, columns] * unit, abs=1e-9)


V = (11.0, -7.0, 23.0)
ODDITIES: dict[str, dict[str, Any]] = {
    "plain": {},
    **{f"order {order}": {"order": order} for order in ORDERS},
    "pre-rotation": {"pre": (40.0, -20.0, 70.0)},
    "post-rotation": {"post": (40.0, -20.0, 70.0)},
    "both and an order": {"pre": (40.0, -20.0, 70.0), "post": (10.0, 30.0, -50.0), "order": "YXZ"},
    "rotation pivot": {"rotation_pivot": V},
    "rotation offset": {"rotation_offset": V},
    "scaling pivot": {"scaling_pivot": V, "scale": (1.5, 1.5, 1.5)},
    "scaling offset": {"scaling_offset": V, "scale": (1.5, 1.5, 1.5)},
    "stretched": {"scale": (1.5, 0.5, 2.0)},
    "mirrored": {"scale": (-1.0, 1.0, 1.0)},
    "all pivots": {
        "rotation_pivot": V, "rotation_offset": (1.0, 2.0, 3.0), "scaling_pivot": (3.0, 1.0, 2.0),
        "scaling_offset": (-2.0, 1.0, 0.5), "scale": (1.5, 1.5, 1.5), "pre": (40.0, -20.0, 70.0),
        "post": (10.0, 30.0, -50.0), "order": "ZXY",
    },
}  # fmt: skip


@pytest.mark.parametrize("oddity", ODDITIES)
def test_joints_stand_where_plain_matrices_put_them(file, oddity):
    nodes = figure(**ODDITIES[oddity])
    motion = formats.load(file(fbx_text(nodes, frames=FRAMES)))
    stands_as(motion, nodes)
    assert motion.frame_rate == 30
    assert motion.skeleton.names == ("mixamorig:Hips", "Up Leg", "Leg", "Foot", "Arm")


@pytest.mark.parametrize(("parent", "child"), [*itertools.product((0, 1, 2), repeat=2)])
@pytest.mark.parametrize("moving", [False, True])
def test_every_way_of_taking_on_a_parents_scale_is_followed(file, parent, child, moving):
    """Maya's segment scale compensate and its relatives."""
    nodes = figure(seed=3, inherit=parent, scale=(1.5, 1.5, 1.5))
    nodes[3] = replace(nodes[3], inherit=child)
    if moving:
        nodes[2].keys["S"] = [(1.0 + 0.25 * f,) * 3 for f in range(FRAMES)]
    stands_as(formats.load(file(fbx_text(nodes, frames=FRAMES))), nodes)


def test_rest_is_the_pose_that_a_skin_was_bound_in(file):
    """Zero rotations draw the bind pose, although the file's frames are turned in it."""
    nodes = figure(seed=1)
    motion = formats.load(file(fbx_text(nodes, frames=FRAMES, bind=True)))
    bound = np.array([world[:3, 3] for world in worlds(nodes, None)])[1:] * CM
    assert motion.skeleton.rest_positions() == pytest.approx(bound, abs=1e-9)
    stands_as(motion, nodes)
    assert any("bound" in note for note in motion.source.notes)


def test_orientations_of_joints_are_the_rest_pose_where_nothing_is_bound(file):
    """Maya's joint orients: the angles on top of them are only the pose at the export."""
    nodes = [replace(node, pre=(30.0, 20.0 * j, -50.0)) for j, node in enumerate(figure(seed=2))]
    motion = formats.load(file(fbx_text(nodes, frames=FRAMES)))
    still = [replace(node, rotation=(0.0, 0.0, 0.0)) if j else node for j, node in enumerate(nodes)]
    rest = np.array([world[:3, 3] for world in worlds(still, None)])[1:] * CM
    assert motion.skeleton.rest_positions() == pytest.approx(rest, abs=1e-9)
    stands_as(motion, nodes)


def test_without_either_the_figure_rests_as_it_stands_in_the_file(file):
    nodes = figure(seed=4)
    motion = formats.load(file(fbx_text(nodes, frames=FRAMES)))
    rest = np.array([world[:3, 3] for world in worlds(nodes, None)])[1:] * CM
    assert motion.skeleton.rest_positions() == pytest.approx(rest, abs=1e-9)


@pytest.mark.parametrize("order", ORDERS)
def test_channels_are_the_files_own_angles_where_it_rests_without_any(file, order):
    """An animator who scales a knee's curve scales the curve that the file has."""
    rng = np.random.default_rng(5)
    bends = [(float(x), float(y), float(z)) for x, y, z in rng.uniform(-40, 40, (FRAMES, 3)).astype("f4")]
    nodes = [
        PlainNode("Hips", translation=(0.0, 90.0, 0.0)),
        PlainNode("Leg", 0, translation=(9.0, 0.0, 0.0), order=order, pre=(30.0, 50.0, 70.0),
                  keys={"R": bends}),
        PlainNode("Foot", 1, translation=(0.0, -40.0, 5.0), pre=(10.0, 0.0, 0.0)),
    ]  # fmt: skip
    motion = formats.load(file(fbx_text(nodes, frames=FRAMES)))
    assert motion.skeleton.order("Leg") == order[::-1]
    signals = motion.channels()
    for k, axis in enumerate("xyz"):
        assert signals[f"Leg.{axis}"] == pytest.approx(np.array(bends)[:, k], abs=1e-9)


AXES = {
    "Y up": ((1, 1, 2, 1, 0, 1), np.eye(3), "y"),
    "Z up, as 3ds Max": ((2, 1, 1, -1, 0, 1), np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]), "z"),
    "X up": ((0, 1, 2, 1, 1, -1), np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), "x"),
    "left-handed": ((1, 1, 2, -1, 0, 1), np.diag([1, 1, -1]), "y"),
}


@pytest.mark.parametrize("case", AXES)
@pytest.mark.parametrize("unit", [1.0, 100.0, 2.54])
def test_axes_and_unit_of_the_file_are_turned_exactly(file, case, unit):
    axes, ours_from_file, up = AXES[case]
    nodes = figure(seed=6)
    motion = formats.load(file(fbx_text(nodes, frames=FRAMES, axes=axes, unit=unit)))
    plain = positions(nodes, FRAMES)[:, 1:] @ ours_from_file.T * unit * CM
    assert motion.positions() == pytest.approx(plain, abs=1e-9 * unit)
    assert motion.source.up == up
    assert motion.source.metres_per_unit == pytest.approx(unit * CM)
    rest = np.array([world[:3, 3] for world in worlds(nodes, None)])[1:] @ ours_from_file.T * unit * CM
    assert motion.skeleton.rest_positions() == pytest.approx(rest, abs=1e-9 * unit)


def test_unit_and_up_can_be_set(file):
    path = file(fbx_text(figure(), frames=FRAMES))
    plain = positions(figure(), FRAMES)[:, 1:]
    assert formats.load(path, unit="m").positions() == pytest.approx(plain, abs=1e-9)
    turned = formats.load(path, up="z").positions()
    assert turned[..., 1] == pytest.approx(plain[..., 2] * CM, abs=1e-9)
    assert formats.inspect(path, unit="inch").metres_per_unit == 0.0254


def test_a_unit_that_makes_a_giant_is_worth_a_word(file):
    summary = formats.inspect(file(fbx_text(figure(), frames=FRAMES, unit=10_000.0)))
    assert any("set it with unit" in guess for guess in summary.guesses)


def test_clips_are_chosen_by_name_number_or_the_end_of_a_name(file):
    nodes = figure(seed=7)
    path = file(fbx_text(nodes, frames=FRAMES, stacks=("Armature|Wave", "Armature|Idle")))
    first = formats.load(path)
    assert any("'Armature|Wave' is read; there are also 'Armature|Idle'" in n for n in first.source.notes)
    for clip in ("Armature|Wave", "Wave", 0, "0"):
        assert (formats.load(path, clip=clip).positions() == first.positions()).all()
    idle = formats.load(path, clip="Idle")
    assert idle.positions() == pytest.approx(np.repeat(first.positions()[:1], len(idle), axis=0), abs=1e-9)
    with pytest.raises(InputError, match=r"no clip 'Armature\|Wav'; .*did you mean 'Armature\|Wave'"):
        formats.load(path, clip="Armature|Wav")
    with pytest.raises(InputError, match="no clip 2"):
        formats.inspect(path, clip=2)


def test_an_empty_clip_before_the_one_that_moves_is_passed_over(file):
    """Exporters of some programs put a clip that holds nothing first."""
    nodes = figure(seed=7)
    text = (
        fbx_text(nodes, frames=FRAMES, stacks=("Moves",))
        .replace(
            "Objects: {",
            'Objects: {\nAnimationStack: 5, "AnimStack::Nothing", "" { Properties70: { } }\n'
            'AnimationLayer: 6, "AnimLayer::L", "" { }',
            1,
        )
        .replace("Connections: {", 'Connections: {\nC: "OO",6,5', 1)
    )
    motion = formats.load(file(text))
    stands_as(motion, nodes)


def test_frames_are_sampled_at_the_rate_that_is_asked_for(file):
    nodes = figure(seed=8)
    path = file(fbx_text(nodes, frames=FRAMES, rate=30.0))
    motion = formats.load(path, frame_rate=60)
    assert len(motion) == 2 * FRAMES - 1
    assert motion.frame_rate == 60
    plain = positions(nodes, FRAMES)[:, 1:] * CM
    assert motion.positions()[::2] == pytest.approx(plain, abs=1e-9)
    with pytest.raises(InputError, match="frame_rate"):
        formats.load(path, frame_rate=0)


@pytest.mark.parametrize(("rate", "nominal"), [(120.00047922325778, 120.0), (29.97002997, 29.97002997)])
def test_a_rate_that_was_cut_off_somewhere_is_the_whole_number(file, rate, nominal):
    """Frames are still taken at the file's own keys."""
    nodes = figure(seed=9)
    motion = formats.load(file(fbx_text(nodes, frames=FRAMES, rate=rate)))
    assert motion.frame_rate == pytest.approx(nominal, rel=1e-12)
    assert np.abs(motion.positions() - positions(nodes, FRAMES)[:, 1:] * CM).max() < 1e-5


def test_a_clip_that_begins_later_is_read_from_there(file):
    nodes = figure(seed=10)
    stands_as(formats.load(file(fbx_text(nodes, frames=FRAMES, begin=24, rate=24.0))), nodes)


def test_a_figure_of_nulls_is_a_figure(file):
    nodes = [replace(node, kind="Null") for node in figure(seed=11)]
    motion = formats.load(file(fbx_text(nodes, frames=FRAMES)))
    stands_as(motion, nodes)
    assert motion.skeleton.names[0] == "Reference"


def test_nulls_between_bones_are_joints(file):
    nodes = figure(seed=12)
    nodes[2] = replace(nodes[2], kind="Null")
    motion = formats.load(file(fbx_text(nodes, frames=FRAMES)))
    stands_as(motion, nodes)
    assert "Up Leg" in motion.skeleton


def test_a_root_that_moves_outside_the_bones_moves_the_figure(file):
    """Root motion on the armature's own object."""
    nodes = figure(seed=13)
    nodes[0].keys["T"] = [(10.0 * f, 0.0, 3.0 * f) for f in range(FRAMES)]
    stands_as(formats.load(file(fbx_text(nodes, frames=FRAMES))), nodes)


def test_the_larger_of_two_figures_is_read_and_the_other_named(file):
    nodes = figure(seed=14)
    nodes += [PlainNode("Sword", translation=(1.0, 2.0, 3.0))]
    motion = formats.load(file(fbx_text(nodes, frames=FRAMES)))
    assert "Sword" not in motion.skeleton
    assert any("not those of 'Sword'" in note for note in motion.source.notes)


def test_names_that_come_again_are_numbered(file):
    nodes = figure(seed=15)
    nodes[3], nodes[4] = replace(nodes[3], name="Bone"), replace(nodes[4], name="Bone")
    motion = formats.load(file(fbx_text(nodes, frames=FRAMES)))
    assert motion.skeleton.names[2:4] == ("Bone", "Bone_2")


def test_info_says_what_load_reads(file):
    path = file(fbx_text(figure(), frames=FRAMES))
    motion, summary = formats.load(path), formats.inspect(path)
    assert summary.frames == len(motion)
    assert summary.frame_rate == motion.frame_rate
    assert summary.skeleton.names == motion.skeleton.names
    assert summary.guesses == motion.source.notes
    assert (summary.skeleton.offsets == motion.skeleton.offsets).all()


def test_a_motion_from_fbx_is_saved_as_bvh(file, tmp_path):
    motion = formats.load(file(fbx_text(figure(seed=16), frames=FRAMES)))
    formats.save(motion, tmp_path / "again.bvh")
    again = formats.load(tmp_path / "again.bvh", unit="cm")
    assert again.positions() == pytest.approx(motion.positions(), abs=1e-6)
