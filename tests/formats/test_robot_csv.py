"""Robot CSV: another program finds every joint by the file alone, and nothing is ever guessed."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import warnings
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from marotte import formats
from marotte.errors import FileError, InputError
from marotte.figure import EndSite, Motion, Skeleton
from marotte.figure.rotations import angle_between, from_euler
from tests.figure.figures import quadruped, wander

from .acclaim_texts import AMC, ASF
from .texts import line_of

UP_FROM_Z = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])


def robot(frames: int = 12, seed: int = 0) -> Motion:
    """A walking machine: hinges about single axes, some of them askew, Y up."""
    rng = np.random.default_rng(seed)
    skeleton = Skeleton(
        ("base", "hip_yaw", "hip_roll", "knee", "foot, left"),
        np.array([-1, 0, 1, 2, 3]),
        np.array([[0, 0.8, 0], [0.1, -0.05, 0], [0, -0.02, 0.03], [0.01, -0.35, 0], [0, -0.35, 0]]),
        channels=("xyzZXY", "Y", "Z", "X", "ZX"),
        ends=(EndSite(4, (0, -0.05, 0.15), "toe"),),
        limits=np.array([[[-np.inf, np.inf]] * 3, *[[[-0.5, 1.0], [-2.0, 0.25], [-0.1, np.inf]]] * 4]),
    )
    angles = np.cumsum(rng.normal(0, 0.2, (frames, 6)), axis=0)
    turns = np.zeros((frames, 5, 4))
    turns[:, 0] = from_euler(rng.uniform(-3, 3, (frames, 3)), "XYZ")
    for j, (order, columns) in enumerate([("Y", [0]), ("Z", [1]), ("X", [2]), ("ZX", [3, 4])], 1):
        turns[:, j] = from_euler(angles[:, columns], order)
    return Motion(skeleton, rng.normal(size=(frames, 3)), turns, 50.0, name="robot")


def table(path: Path) -> tuple[dict[str, str], dict[str, np.ndarray]]:
    """Remarks and columns, as any other program gets them."""
    lines = path.read_text().splitlines()
    remarks = dict(line[2:].split(": ", 1) for line in lines if line.startswith("#"))
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    return remarks, {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def places_by_the_file_alone(path: Path) -> np.ndarray:
    """(F, J, 3) in the file's unit and axes, from its remarks and columns."""
    remarks, columns = table(path)
    joints = json.loads(remarks["skeleton"])["joints"]
    degrees = remarks["angles"] == "deg"
    out = np.empty((len(columns["root_pos_x"]), len(joints), 3))
    for f in range(len(out)):
        world: list[Rotation] = []
        for j, joint in enumerate(joints):
            if j == 0:
                turn = Rotation.from_quat([columns[f"root_quat_{c}"][f] for c in "xyzw"])
                out[f, 0] = [columns[f"root_pos_{c}"][f] for c in "xyz"]
                world.append(turn)
                continue
            offset = np.array(joint["offset"], float)
            local = Rotation.identity()
            turns = [c for c in joint["channels"] if c.isupper()]
            for letter in joint["channels"]:
                if letter.islower():
                    offset["xyz".index(letter)] = columns[f"{joint['name']}.t{letter}"][f]
                    continue
                name = joint["name"] if len(turns) == 1 else f"{joint['name']}.{letter.lower()}"
                axis = np.eye(3)["XYZ".index(letter)] * columns[name][f]
                local = local * Rotation.from_rotvec(axis, degrees=degrees)
            w, x, y, z = joint.get("axes", [1, 0, 0, 0])
            frame = Rotation.from_quat([x, y, z, w])
            parent = joint["parent"]
            out[f, j] = out[f, parent] + world[parent].apply(offset)
            world.append(world[parent] * frame * local * frame.inv())
    return out


def comes_back(motion: Motion, path: Path, **options: Any) -> Motion:
    formats.save(motion, path, **options)
    again = formats.load(path, strict=True)
    height = motion.skeleton.height or 1.0
    assert again.positions() == pytest.approx(motion.positions(), abs=1e-6 * height)
    assert angle_between(again.orientations(), motion.orientations()).max(initial=0) < 3e-6
    assert again.frame_rate == motion.frame_rate
    assert formats.inspect(path).frames == len(again) == len(motion)
    return again


@pytest.mark.parametrize("angles", ["rad", "deg"])
@pytest.mark.parametrize("quaternion", ["wxyz", "xyzw"])
def test_another_program_finds_every_joint_by_the_file_alone(tmp_path, angles, quaternion):
    motion = robot()
    formats.save(motion, tmp_path / "r.csv", angles=angles, quaternion=quaternion)
    remarks, columns = table(tmp_path / "r.csv")
    assert list(columns) == [
        "root_pos_x", "root_pos_y", "root_pos_z", *(f"root_quat_{c}" for c in quaternion),
        "hip_yaw", "hip_roll", "knee", "foot, left.y", "foot, left.x",
    ]  # fmt: skip
    assert (remarks["angles"], remarks["quaternion"], remarks["up"]) == (angles, quaternion, "z")
    assert float(remarks["frame_rate"]) == 50
    assert places_by_the_file_alone(tmp_path / "r.csv") @ UP_FROM_Z.T == pytest.approx(
        motion.positions(), abs=1e-6
    )


def test_takes_of_people_too(tmp_path, shared_data):
    for file in ("formats/acclaim/07_05-walk.amc", "skeletons/pybvh_mixed_orders.bvh"):
        take = formats.load(shared_data / file)[:40]
        comes_back(take, tmp_path / "t.csv")
        places = places_by_the_file_alone(tmp_path / "t.csv") @ UP_FROM_Z.T
        assert places == pytest.approx(take.positions(), abs=1e-6)


@pytest.mark.parametrize("up", ["y", "z", "-x"])
@pytest.mark.parametrize("unit", ["m", "cm"])
def test_a_file_of_ours_needs_nothing_else(tmp_path, up, unit):
    motion = robot()
    again = comes_back(motion, tmp_path / "r.csv", up=up, unit=unit)
    assert again.skeleton.names == motion.skeleton.names
    assert again.skeleton.channels == motion.skeleton.channels
    assert again.skeleton.offsets == pytest.approx(motion.skeleton.offsets, abs=1e-15)
    assert again.skeleton.limits == pytest.approx(motion.skeleton.limits)
    assert again.skeleton.ends[0].name == "toe"
    assert again.source.up == up
    # and is written again as it was, in its own unit and axes
    formats.save(again, tmp_path / "again.csv")
    assert table(tmp_path / "again.csv")[0]["up"] == up
    assert table(tmp_path / "again.csv")[0]["metres_per_unit"] == ("0.01" if unit == "cm" else "1.0")


def test_hinges_askew_keep_their_one_angle(tmp_path):
    (tmp_path / "a.asf").write_text(ASF)
    (tmp_path / "a.amc").write_text(AMC)
    motion = formats.load(tmp_path / "a.amc")
    again = comes_back(motion, tmp_path / "a.csv", angles="deg")
    assert again.skeleton.channels == motion.skeleton.channels
    assert again.skeleton.channel_axes == pytest.approx(motion.skeleton.channel_axes)
    assert again.skeleton.limits == pytest.approx(motion.skeleton.limits)
    _, columns = table(tmp_path / "a.csv")
    assert columns["ltibia"] == pytest.approx(motion.channels()["ltibia.x"], abs=1e-6)
    places = places_by_the_file_alone(tmp_path / "a.csv") @ UP_FROM_Z.T
    assert places == pytest.approx(motion.positions(), abs=1e-6)


def test_what_the_channels_lack_is_added_and_said(tmp_path):
    motion = robot()
    turns = np.array(motion.rotations)
    turns[:, 3] = from_euler(np.array([0.2, 0.3, 0.4]), "XYZ")
    changes = formats.save(motion.with_(rotations=turns), tmp_path / "r.csv")
    assert any("'knee' (X → XYZ)" in change for change in changes)
    comes_back(motion.with_(rotations=turns), tmp_path / "r.csv")


def test_a_root_that_turns_freely_needs_no_channels(tmp_path):
    """Its quaternion says it all, whatever channels its skeleton has."""
    motion = robot()
    skeleton = motion.skeleton.with_(channels=("", *motion.skeleton.channels[1:]))
    assert formats.save(motion.with_(skeleton=skeleton), tmp_path / "r.csv") == ()
    comes_back(motion.with_(skeleton=skeleton), tmp_path / "r.csv")


def test_joints_that_slide_come_back(tmp_path):
    motion = robot()
    moved = np.zeros((12, 5, 3))
    moved[:, 2, 1] = np.linspace(0, 0.1, 12)
    sliding = motion.with_(translations=moved)
    again = comes_back(sliding, tmp_path / "r.csv")
    assert again.translations == pytest.approx(moved, abs=1e-8)
    places = places_by_the_file_alone(tmp_path / "r.csv") @ UP_FROM_Z.T
    assert places == pytest.approx(sliding.positions(), abs=1e-6)


def test_the_quaternion_does_not_jump(tmp_path):
    motion = robot(200)
    turns = np.array(motion.rotations)
    turns[:, 0] = from_euler(np.stack([np.linspace(0, 20, 200), np.zeros(200), np.zeros(200)], 1), "YXZ")
    turns[::2, 0] *= -1
    formats.save(motion.with_(rotations=turns), tmp_path / "r.csv")
    _, columns = table(tmp_path / "r.csv")
    found = np.stack([columns[f"root_quat_{c}"] for c in "wxyz"], 1)
    assert np.linalg.norm(np.diff(found, axis=0), axis=1).max() < 0.1


FOREIGN = """\
frame,root_pos_x,root_pos_y,root_pos_z,root_quat_0,root_quat_1,root_quat_2,root_quat_3,knee,hip_yaw,hip_roll
0,0.1,0.2,0.9,0,0,0.6,0.8,0.5,0.25,-0.125
1,0.1,0.2,0.9,0,0,0.6,0.8,0.5,0.25,-0.125
"""
TOLD: dict[str, Any] = {"angles": "rad", "frame_rate": 50, "quaternion": "xyzw", "up": "z"}


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A file of another program, and the robot it is of as BVH with Z up."""
    formats.save(robot(1), tmp_path / "robot.bvh", up="z", unit="m")
    (tmp_path / "motion.csv").write_text(FOREIGN)
    return tmp_path / "motion.csv"


def given_all(path: Path, **more: Any) -> dict[str, Any]:
    return {"skeleton": path.with_name("robot.bvh"), **TOLD, **more}


class TestFilesOfOtherPrograms:
    def test_with_everything_told(self, foreign):
        with pytest.warns(formats.FileWarning, match="no columns for foot, left"):
            motion = formats.load(foreign, **given_all(foreign))
        assert motion.frame_rate == 50
        assert motion.root[0] == pytest.approx([0.1, 0.9, -0.2])
        # about the file's z, which is our Y
        assert angle_between(motion.rotations[0, 0], [0.8, 0, 0.6, 0]) == pytest.approx(0, abs=1e-7)
        channels = motion.channels()
        assert channels["knee.x"] == pytest.approx(np.degrees([0.5, 0.5]))
        assert channels["hip_yaw.y"] == pytest.approx(np.degrees([0.25, 0.25]))
        assert channels["hip_roll.z"] == pytest.approx(np.degrees([0.125, 0.125]))  # its file's -y

    @pytest.mark.parametrize(
        ("left_out", "words"),
        [
            ("angles", "give angles, or add a line '# angles: rad'"),
            ("frame_rate", "give frame_rate, or add a line '# frame_rate: 30'"),
            ("quaternion", "give quaternion \\(wxyz or xyzw\\), or add a line"),
            ("skeleton", "name the file of the robot or figure with skeleton"),
        ],
    )
    def test_what_is_missing_is_asked_for_and_never_guessed(self, foreign, left_out, words):
        told = {k: v for k, v in given_all(foreign).items() if k != left_out}
        for do in (formats.load, formats.inspect):
            with pytest.raises(FileError, match=words) as refused:
                do(foreign, **told)
            assert refused.value.path == str(foreign)
            assert refused.value.line == 1

    def test_remarks_at_the_top_say_it_as_well(self, foreign):
        foreign.write_text("# angles: deg\n# Quaternion: wxyz\n#frame_rate : 25\n" + FOREIGN)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", formats.FileWarning)
            motion = formats.load(foreign, skeleton=foreign.with_name("robot.bvh"), up="z")
        assert motion.frame_rate == 25
        assert motion.channels()["knee.x"] == pytest.approx([0.5, 0.5])
        # 0 0 0.6 0.8 as w x y z: half a turn about an axis between the file's y and z
        assert angle_between(motion.rotations[0, 0], [0, 0, 0.8, -0.6]) == pytest.approx(0, abs=1e-7)

    @pytest.mark.parametrize(
        "header",
        [
            "t,x,y,z,qx,qy,qz,qw,knee_dof,hip_yaw_pos,hip_roll_rad",
            "Frame;root_translateX;root_translateY;root_translateZ;q_x;q_y;q_z;q_w;knee.x;hip_yaw.z;hip_roll",
            'Index\tbase_x\tbase_y\tbase_z\t"base_qx"\tbase_qy\tbase_qz\tbase_qw\tknee\thip_yaw\thip_roll',
        ],
    )
    def test_other_names_and_separators(self, foreign, header):
        mark = max(",;\t", key=header.count)
        rows = FOREIGN.split("\n", 1)[1].replace(",", mark)
        named = FOREIGN.replace("quat_0", "quat_x").replace("quat_1", "quat_y").replace("quat_2", "quat_z")
        expected = named.replace("quat_3", "quat_w")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", formats.FileWarning)
            foreign.write_text(expected)
            options = {k: v for k, v in given_all(foreign).items() if k != "quaternion"}
            plain = formats.load(foreign, **options)
            foreign.write_text(header + "\n" + rows)
            motion = formats.load(foreign, **options)
        assert motion.rotations == pytest.approx(plain.rotations)
        assert motion.root == pytest.approx(plain.root)

    @pytest.mark.parametrize(
        "change",
        [
            lambda t: t.replace("\n", "\r\n"),
            lambda t: t.replace("\n", "\r"),
            lambda t: "\ufeff" + t,
            lambda t: t.rstrip("\n"),
            lambda t: t.replace(",", " , "),
            lambda t: t + "\n\n",
            lambda t: t.replace("\n", ",\n"),
            lambda t: t.replace("\n1,", "\n# by hand\n\n1,"),
            lambda t: t.replace("0.9", "+9.0E-1"),
        ],
    )
    def test_another_way_of_writing_means_the_same(self, foreign, change):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            plain = formats.load(foreign, **given_all(foreign))
            foreign.write_bytes(change(FOREIGN).encode())
            motion = formats.load(foreign, **given_all(foreign))
            frames = formats.inspect(foreign, **given_all(foreign)).frames
        assert motion.positions() == pytest.approx(plain.positions())
        assert frames == len(motion) == 2
        assert len([w for w in said if w.category is formats.FileWarning]) == 2  # of the foot, both times

    def test_a_wrong_option_is_an_input_error(self, foreign):
        for option in ({"angles": "grad"}, {"quaternion": "zyxw"}, {"frame_rate": 0}):
            with pytest.raises(InputError):
                formats.load(foreign, **given_all(foreign, **option))

    def test_a_skeleton_that_is_broken_names_its_own_file(self, foreign):
        foreign.with_name("robot.bvh").write_text("nothing")
        with pytest.raises(FileError) as refused:
            formats.load(foreign, **given_all(foreign))
        assert refused.value.path.endswith("robot.bvh")

    def test_any_file_with_a_skeleton_will_do(self, foreign):
        formats.save(robot(1), foreign.with_name("robot.npz"))
        with pytest.warns(formats.FileWarning):
            motion = formats.load(
                foreign, **given_all(foreign, skeleton=foreign.with_name("robot.npz"), up="z")
            )
        assert motion.skeleton.limits is not None
        assert motion.root[0] == pytest.approx([0.1, 0.9, -0.2])


HEADER, ROW0, ROW1 = FOREIGN.splitlines()
REFUSED: dict[str, tuple[Any, str, str | None]] = {
    "empty": ("", "the file is empty", None),
    "blank": ("\n \n", "the file is empty", None),
    "a BVH": ("HIERARCHY\nROOT", "is a BVH; name it .bvh", None),
    "an archive": (b"PK\x03\x04", "zip archive", None),
    "binary": (b"\x01\0\0\0", "binary", None),
    "nothing but remarks": ("# angles: rad\n", "must have a line that names its columns", None),
    "no header": ("0,1,2\n3,4,5\n", "must name the columns, but has numbers", "0,1"),
    "an unknown column": (FOREIGN.replace("knee", "kne"), "did you mean 'knee'", "kne"),
    "a column twice": (FOREIGN.replace("hip_yaw", "knee"), "two for 'knee'", "knee"),
    "a root column twice": (FOREIGN.replace("root_pos_y", "root_pos_x"), "two like 'root_pos_x'", "frame"),
    "no place": (FOREIGN.replace("root_pos_z", "time"), "the root's place must have", "frame"),
    "angles for the root": (
        FOREIGN.replace("root_quat_0", "root_rot_x").replace("root_quat_1", "root_rot_y")
        .replace("root_quat_2", "root_rot_z").replace("root_quat_3", "time"),
        "none for w", "frame",
    ),
    "an open quote": (FOREIGN.replace("frame", '"frame', 1), "cannot be read", "frame"),
    "a number too few": (f"{HEADER}\n{ROW0}\n{ROW1[:-7]}\n{ROW0}\n", "must have 11 numbers", None),
    "a number too many": (f"{HEADER}\n{ROW0},1\n{ROW1}\n", "must have 11 numbers", ROW0),
    "two frames a line": (f"{HEADER}\n{ROW0},{ROW1}\n", "has 22", ROW0),
    "a frame over two lines": (f"{HEADER}\n{ROW0[:13]}\n{ROW0[14:]}\n{ROW1}\n", "has 4", ROW0[:13]),
    "two numbers in the last cell": (FOREIGN[:-8] + "-0.125\n", "but the last is not", None),
    "an empty cell": (f"{HEADER}\n{ROW0.replace('0.9', '')}\n{ROW1}\n", "must have 11 numbers", None),
    "not a number": (FOREIGN.replace("0.9", "nan", 1), "must be finite", "nan"),
    "infinite": (FOREIGN.replace("0.9", "inf", 1), "must be finite", "inf"),
    "huge": (FOREIGN.replace("0.9", "1e13", 1), "at most 1e+12", "1e13"),
    "a word": (FOREIGN.replace("0.9", "high", 1), "'high'", "high"),
    "decimal commas": (FOREIGN.replace(",", ";").replace("0.9", "0,9"), "decimal comma", "0,9"),
    "no rotation": (FOREIGN.replace("0.6,0.8", "0,0"), "length 1, but in frame 0 it has 0", None),
    "a wrong rate": ("# frame_rate: fast\n" + FOREIGN, "must be a number", "# frame_rate"),
    "no rate": ("# frame_rate: 0\n" + FOREIGN, "frames a second", "# frame_rate"),
    "a wrong unit": ("# angles: grad\n" + FOREIGN, "must be one of rad, deg", "# angles"),
    "a wrong order": ("# quaternion: zyxw\n" + FOREIGN, "must be one of wxyz, xyzw", "# quaternion"),
    "a wrong axis": ("# up: w\n" + FOREIGN, "must be one of y, z", "# up"),
    "a wrong length": ("# metres_per_unit: 0\n" + FOREIGN, "from 1e-9", "# metres"),
    "a newer version": ("# marotte_csv: 2\n" + FOREIGN, "newer Marotte", "# marotte"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_its_place(foreign, case):
    text, part, where = REFUSED[case]
    assert text != FOREIGN
    foreign.write_bytes(text.encode() if isinstance(text, str) else text)
    # what the file itself says must be judged, so that it is not told otherwise
    told = {k: v for k, v in given_all(foreign).items()
            if not (isinstance(text, str) and text.startswith(f"# {k}"))}  # fmt: skip
    with pytest.raises(FileError) as refused:
        formats.load(foreign, **told)
    message = str(refused.value)
    assert any(p in message for p in part.split("|")), message
    assert refused.value.path == str(foreign)
    if where is not None:
        assert refused.value.line == line_of(text, where)


def test_a_table_of_something_else_is_not_asked_for_its_skeleton(tmp_path):
    """Folders of takes hold lists of them, too."""
    (tmp_path / "takes.csv").write_text("file,frames,actor\nwalk.bvh,120,5\n")
    for do in (formats.load, formats.inspect):
        with pytest.raises(FileError, match="is it a table of something else") as refused:
            do(tmp_path / "takes.csv")
        assert refused.value.line == 1


@pytest.mark.parametrize(
    ("skeleton", "words"),
    [
        ("{", "the skeleton is wrong"),
        ("[]", "must be a map"),
        ('{"joints": []}', "at least one joint"),
        ('{"joints": [{"name": "a", "parent": -1, "offset": [0, 1]}]}', "must have 3 items"),
        (
            '{"joints": [{"name": "a", "parent": 3, "offset": [0, 1, 2], "channels": ""}]}',
            "after their parents",
        ),
        ('{"joints": [{"name": "a", "parent": -1, "offset": [0, 1e99, 2], "channels": ""}]}', "at most 1e"),
        ('{"joints": [{"name": "a", "parent": -1, "offset": [0, NaN, 2], "channels": ""}]}', "finite"),
        ('{"joints": [{"name": "a", "parent": -1, "offset": [0, 1, 2], "channels": "Q"}]}', "letters of xyz"),
        ("[" * 100_000, "wrong|deep"),
    ],
)
def test_a_skeleton_in_the_file_that_is_wrong(tmp_path, skeleton, words):
    path = tmp_path / "r.csv"
    formats.save(robot(2), path)
    lines = [
        f"# skeleton: {skeleton}" if t.startswith("# skeleton") else t for t in path.read_text().split("\n")
    ]
    path.write_text("\n".join(lines))
    for do in (formats.load, formats.inspect):
        with pytest.raises(FileError, match=words) as refused:
            do(path)
        assert refused.value.line == 7


def test_a_file_cut_anywhere_keeps_whole_frames_or_is_refused(tmp_path):
    path = tmp_path / "r.csv"
    motion = robot(6)
    formats.save(motion, path)
    whole = path.read_bytes()
    for cut in range(len(whole) - 1, 0, -41):
        path.write_bytes(whole[:cut])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", formats.FileWarning)
            with suppress(FileError):
                found = formats.load(path)
                assert formats.inspect(path).frames == len(found)
                sure = max(0, len(found) - 1)  # the last number of the last frame may be shorter
                assert found.positions()[:sure] == pytest.approx(motion.positions()[:sure], abs=1e-6)


def test_no_frames(tmp_path):
    comes_back(robot(3)[:0], tmp_path / "r.csv")
    comes_back(Motion.at_rest(quadruped(), 1), tmp_path / "q.csv")


def test_names_that_are_no_names_of_columns(tmp_path):
    motion = robot(3)
    names = ["root", 'a "b"; c', "#d", "root_pos_x", "two\nlines"]
    named = motion.with_(skeleton=motion.skeleton.with_(names=names))
    changes = formats.save(named, tmp_path / "r.csv")
    assert any("'root_pos_x' became 'root_pos_x_joint', and 1 more" in change for change in changes)
    again = formats.load(tmp_path / "r.csv", strict=True)
    assert again.skeleton.names == ("root", 'a "b"; c', "#d", "root_pos_x_joint", "two lines")
    assert again.positions() == pytest.approx(named.positions(), abs=1e-6)


@st.composite
def machines(draw) -> Motion:
    count = draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    orders = st.sampled_from(["", "X", "Y", "ZX", "YZ", "ZXY", "XYX", "xyzZXY", "yZ"])
    skeleton = Skeleton(
        tuple(f"joint {k}" for k in range(count)),
        np.array([-1] + [draw(st.integers(0, j - 1)) for j in range(1, count)]),
        rng.uniform(-0.5, 0.5, (count, 3)).round(draw(st.sampled_from([1, 12]))),
        channels=tuple(draw(orders) for _ in range(count)),
    )
    if draw(st.booleans()):
        skeleton = replace(skeleton, channel_axes=from_euler(rng.uniform(-3, 3, (count, 3)), "ZYX"))
    frames = draw(st.integers(0, 3))
    moved = rng.normal(0, 0.1, (frames, count, 3)) * (np.arange(count) > 0)[:, None]
    return Motion(
        skeleton, rng.uniform(-2, 2, (frames, 3)), from_euler(rng.uniform(-3, 3, (frames, count, 3)), "XYZ"),
        draw(st.sampled_from([30.0, 59.94, 1000.0])),
        translations=draw(st.sampled_from([None, moved])),
    )  # fmt: skip


@given(machines(), st.sampled_from(["y", "z", "-y", "x"]), st.sampled_from(["rad", "deg"]))
@settings(max_examples=80)
def test_any_figure_comes_back(tmp_path_factory, motion, up, angles):
    path = tmp_path_factory.mktemp("any") / "any.csv"
    comes_back(motion, path, up=up, angles=angles)
    if len(motion) and motion.skeleton.height > 0:
        turned = formats.load(path).source.up
        assert turned == up


@given(st.data())
@settings(max_examples=150)
def test_no_change_of_a_few_letters_makes_more_than_a_file_error(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("fuzz") / "r.csv"
    formats.save(robot(3), path)
    raw = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 9))] = data.draw(
            st.binary(max_size=4) | st.sampled_from([b"\n", b",", b"#", b"nan", b"\r", b"-", b'"', b"1e9"])
        )
    path.write_bytes(bytes(raw))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", formats.FileWarning)
        for do in (formats.load, formats.inspect):
            with suppress(FileError):
                do(path)


def test_info_starts_no_compiler(tmp_path):
    formats.save(robot(2), tmp_path / "r.csv")
    formats.save(wander(2), tmp_path / "w.amc")
    code = "import sys; from marotte import formats\nfor f in sys.argv[1:]: formats.inspect(f)\n"
    code += "sys.exit('numba' in sys.modules)"
    files = [str(tmp_path / "r.csv"), str(tmp_path / "w.amc")]
    assert subprocess.run([sys.executable, "-c", code, *files], check=False).returncode == 0
