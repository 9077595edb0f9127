"""Acclaim in and out: places as the definition gives them, real takes, and what is written comes back."""

from __future__ import annotations

import warnings
from pathlib import Path

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
from tests.naive.acclaim import read_plain

from .acclaim_texts import AMC, ASF

INCH_OF_CMU = 0.0254 / 0.45
TAKES = [("05_13.amc", "dance/05_13.bvh"), ("07_05-walk.amc", "walk/07_05.bvh")]
# what the BVH conversion of the CMU library lost: where a bone with several children ends
LOST = ("lowerneck", "lclavicle", "rclavicle", "lhand", "lthumb", "rhand", "rthumb")


@pytest.fixture
def take(tmp_path: Path) -> Path:
    (tmp_path / "small.asf").write_text(ASF)
    (tmp_path / "small.amc").write_text(AMC)
    return tmp_path / "small.amc"


def comes_back(motion: Motion, path: Path, most: float = 1e-6, **options) -> Motion:
    """Save, load, and hold every joint that both have to a share of the figure's height."""
    formats.save(motion, path, **options)
    again = formats.load(path, strict=True)
    assert len(again) == len(motion)
    assert again.frame_rate == motion.frame_rate
    order = [again.skeleton.index(n) for n in motion.skeleton.names]
    height = motion.skeleton.height or 1.0
    assert again.positions()[:, order] == pytest.approx(motion.positions(), abs=most * height)
    assert angle_between(again.orientations()[:, order], motion.orientations()).max(initial=0) < 3e-6
    return again


def test_bones_are_where_the_definition_of_the_format_puts_them(take):
    motion = formats.load(take, strict=True)
    plain = read_plain(ASF, AMC)
    assert motion.skeleton.names == ("root", "lfemur", "ltibia", "lfoot", "spine", "head")
    for j, name in enumerate(motion.skeleton.names):
        assert motion.positions()[:, j] == pytest.approx(plain[name] * INCH_OF_CMU, abs=1e-12)
    assert motion.frame_rate == 120
    assert any("120 frames a second are taken" in note for note in motion.source.notes)
    assert [e.joint for e in motion.skeleton.ends] == [3, 5]


def test_hinges_keep_their_one_angle_and_limits(take):
    """A knee that lies askew in the rest pose still has a single channel, the file's own."""
    motion = formats.load(take)
    assert motion.skeleton.channels == ("xyzZYX", "ZYX", "X", "ZX", "XZ", "")
    channels = motion.channels()
    said = [float(line.split()[1]) for line in AMC.splitlines() if line.startswith("ltibia")]
    assert channels["ltibia.x"] == pytest.approx(said, abs=1e-9)
    assert motion.skeleton.limits is not None
    assert np.degrees(motion.skeleton.limits[2, 0]) == pytest.approx([-10, 170])
    assert np.isinf(motion.skeleton.limits[4]).all()


@pytest.mark.parametrize(("amc", "bvh"), TAKES)
def test_a_real_take_turns_exactly_as_its_bvh_does(shared_data, amc, bvh):
    """Frame 0 of the BVH is an added T-pose. Its numbers have four decimals of degrees and of 5.6 cm."""
    ours = formats.load(shared_data / "formats/acclaim" / amc)
    other = formats.load(shared_data / "cmu" / bvh, unit=INCH_OF_CMU)[1:]
    assert len(ours) == len(other)
    assert ours.skeleton.parents.tolist() == other.skeleton.parents.tolist()
    assert ours.source.metres_per_unit == pytest.approx(INCH_OF_CMU)
    assert angle_between(ours.orientations(), other.orientations()).max() < np.radians(5e-4)
    # the rest poses are one but for the joints whose offsets the conversion to BVH made nothing
    apart = np.linalg.norm(ours.skeleton.offsets - other.skeleton.offsets, axis=1)
    assert {ours.skeleton.names[j] for j in np.flatnonzero(apart > 1e-5)} == set(LOST)
    lost = [ours.skeleton.index(name) for name in LOST]
    assert not other.skeleton.offsets[lost].any()
    assert np.linalg.norm(ours.skeleton.offsets[lost], axis=1).min() > 0.05
    # and without those offsets every joint of every frame is in the same place
    offsets = np.array(ours.skeleton.offsets)
    offsets[lost] = 0
    same = ours.with_(skeleton=ours.skeleton.with_(offsets=offsets))
    assert np.abs(same.positions() - other.positions()).max() < 6e-6
    # what does not hang on them agrees as it stands
    free = [j for j in range(len(apart)) if not {j, *ours.skeleton.ancestors(j)} & set(lost)]
    assert len(free) == 14
    assert np.abs(ours.positions()[:, free] - other.positions()[:, free]).max() < 6e-6


@pytest.mark.parametrize(("amc", "bvh"), TAKES)
def test_a_real_take_comes_back_with_its_own_skeleton(shared_data, tmp_path, amc, bvh):
    take = formats.load(shared_data / "formats/acclaim" / amc)
    assert formats.save(take, tmp_path / "again.amc") == ()
    again = comes_back(take, tmp_path / "again.amc", 1e-8)
    assert again.skeleton.names == take.skeleton.names
    assert again.skeleton.channels == take.skeleton.channels
    assert again.skeleton.offsets == pytest.approx(take.skeleton.offsets, abs=1e-13)
    assert again.skeleton.limits == pytest.approx(take.skeleton.limits, abs=1e-12)
    ends = [[(e.joint, *e.offset) for e in m.skeleton.ends] for m in (take, again)]
    assert np.array(ends[0]) == pytest.approx(np.array(ends[1]), abs=1e-13)
    written = (tmp_path / "again.asf").read_text()
    assert "connectors" not in written
    assert "length 0.45\n" in written
    assert "axis 0 0 20  XYZ" in written
    # and a take of a hinge's one number stays one of one number
    line = next(t for t in (tmp_path / "again.amc").read_text().splitlines() if t.startswith("ltibia"))
    assert len(line.split()) == 2


@pytest.mark.parametrize(
    "name",
    ["skeletons/rokoko_jesse_dance.bvh", "skeletons/pybvh_mixed_orders.bvh", "skeletons/makehuman_walk1.bvh"],
)
def test_a_bvh_becomes_acclaim_and_stays_where_it_was(shared_data, tmp_path, name):
    take = formats.load(shared_data / name)
    comes_back(take, tmp_path / "take.amc", 1e-7)
    plain = read_plain((tmp_path / "take.asf").read_text(), (tmp_path / "take.amc").read_text())
    metres = 0.0254 / 0.45
    assert plain["root"] * metres == pytest.approx(take.root, abs=1e-8)


@pytest.mark.parametrize("up", ["y", "z", "-x"])
@pytest.mark.parametrize("angles", ["deg", "rad"])
@pytest.mark.parametrize("unit", ["cmu", "m", 0.3])
def test_axes_angles_and_units_are_only_a_way_of_writing(tmp_path, up, angles, unit):
    motion = wander(12)
    again = comes_back(motion, tmp_path / "w.amc", 1e-7, up=up, angles=angles, unit=unit)
    assert again.skeleton.names == motion.skeleton.names
    assert again.source.up == up
    assert (":RADIANS" in (tmp_path / "w.amc").read_text()) == (angles == "rad")


def test_other_programs_find_the_root_where_it_is(tmp_path):
    """Many ignore `position`: the numbers of a frame alone must say where the figure is."""
    motion = wander(5)
    formats.save(motion, tmp_path / "w.amc")
    plain = read_plain((tmp_path / "w.asf").read_text(), (tmp_path / "w.amc").read_text())
    places = motion.positions()
    for j, name in enumerate(motion.skeleton.names):
        found = plain["root" if j == 0 else name] * INCH_OF_CMU
        assert found == pytest.approx(places[:, j], abs=1e-7)


def test_joints_that_move_against_their_bones_come_back(take, tmp_path):
    motion = formats.load(take)
    moved = np.random.default_rng(0).normal(0, 0.02, (len(motion), 6, 3))
    moved[:, 0] = 0
    stretched = motion.with_(translations=moved)
    again = comes_back(stretched, tmp_path / "stretched.amc")
    assert again.translations == pytest.approx(moved, abs=1e-7)


def test_bones_that_stretch_and_slide_do_so_along_their_own_axes(take):
    """`l` makes a bone longer; `tx ty tz` move its beginning along the axes that it turns about."""
    still = formats.load(take)
    take.with_suffix(".asf").write_text(
        ASF.replace("dof rz rx", "dof rz rx l").replace("    dof rx\n", "    dof ty rx\n")
        .replace("    limits (-10.0 170.0)\n", "")
    )  # fmt: skip
    lines = [
        f"{t} 2.5" if t.startswith("spine") else t.replace("ltibia ", "ltibia 1.5 ") for t in AMC.split("\n")
    ]
    take.write_text("\n".join(lines))
    moved = formats.load(take, strict=True)
    before, after = still.positions(), moved.positions()
    turns = Rotation.from_quat(moved.orientations().reshape(-1, 4), scalar_first=True).as_matrix()
    turns = turns.reshape(3, 6, 3, 3)
    up = turns[:, 4] @ [0, 1, 0]  # the spine's direction
    assert after[:, 5] - before[:, 5] == pytest.approx(2.5 * INCH_OF_CMU * up, abs=1e-12)
    slide = turns[:, 1] @ Rotation.from_euler("xyz", [0, 0, 20], degrees=True).apply([0, 1, 0])
    assert after[:, 2] - before[:, 2] == pytest.approx(1.5 * INCH_OF_CMU * slide, abs=1e-12)
    assert after[:, 3] - before[:, 3] == pytest.approx(1.5 * INCH_OF_CMU * slide, abs=1e-12)
    assert after[:, [0, 1, 4]] == pytest.approx(before[:, [0, 1, 4]], abs=1e-12)
    assert moved.rotations == pytest.approx(still.rotations, abs=1e-12)


def test_turns_that_the_channels_lack_are_not_lost_in_silence(take, tmp_path):
    motion = formats.load(take)
    rotations = np.array(motion.rotations)
    rotations[:, 2] = from_euler(np.array([0.3, -0.5, 0.9]), "XYZ")
    bent = motion.with_(rotations=rotations)
    [change] = formats.save(bent, tmp_path / "bent.amc")
    assert "'ltibia' (X → X" in change
    comes_back(bent, tmp_path / "other.amc")


def test_orders_with_an_axis_twice_are_written_in_another_order(tmp_path):
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), np.eye(2, 3), channels=("xyzZXZ", "YXY"))
    turns = from_euler(np.random.default_rng(1).uniform(-1, 1, (4, 2, 3)), "ZXZ")
    motion = Motion(skeleton, np.zeros((4, 3)), turns, 24.0)
    changes = formats.save(motion, tmp_path / "t.amc")
    assert any("turns about an axis once" in change for change in changes)
    comes_back_with_root(motion, tmp_path / "t2.amc")


def comes_back_with_root(motion: Motion, path: Path) -> None:
    formats.save(motion, path)
    again = formats.load(path, strict=True)
    assert again.positions() == pytest.approx(motion.positions(), abs=1e-6)
    assert again.skeleton.names == motion.skeleton.names


def test_names_become_words_and_the_change_is_said(tmp_path):
    motion = wander(3)
    names = ["Bip 01", "a b", "#c", "root", "(d)", ":e", *motion.skeleton.names[6:]]
    named = motion.with_(skeleton=motion.skeleton.with_(names=names))
    changes = formats.save(named, tmp_path / "n.amc")
    assert any("'a b' became 'a_b', and 4 more" in change for change in changes)
    again = formats.load(tmp_path / "n.amc")
    assert again.skeleton.names[:6] == ("Bip 01", "a_b", "_c", "root_2", "_d_", "_e")


def test_an_asf_alone_is_a_figure_at_rest(take, tmp_path):
    skeleton = formats.load(take.with_suffix(".asf"))
    assert len(skeleton) == 1
    assert any("holds no motion" in note for note in skeleton.source.notes)
    assert any("as .amc" in change for change in formats.save(formats.load(take), tmp_path / "only.asf"))
    assert formats.save(skeleton, tmp_path / "only.asf") == ()
    again = formats.load(tmp_path / "only.asf", strict=True)
    assert again.positions() == pytest.approx(skeleton.positions(), abs=1e-12)


class TestTheSkeletonBesideAMotion:
    """`x.amc` needs `x.asf`: nothing that other motions need is ever overwritten."""

    def test_one_that_fits_is_left_alone(self, take, tmp_path):
        motion = formats.load(take)
        formats.save(motion.with_(root=motion.root + 1.0), take)
        assert take.with_suffix(".asf").read_text() == ASF
        assert formats.load(take).root == pytest.approx(motion.root + 1.0, abs=1e-8)
        # an edited copy for the same subject
        formats.save(motion, tmp_path / "copy.amc", skeleton=take.with_suffix(".asf"))
        assert not (tmp_path / "copy.asf").exists()
        copy = formats.load(tmp_path / "copy.amc", skeleton=take.with_suffix(".asf"))
        assert copy.positions() == pytest.approx(motion.positions(), abs=1e-8)

    def test_one_in_another_unit_fits_and_what_was_asked_otherwise_is_said(self, tmp_path):
        motion = wander(4)
        formats.save(motion, tmp_path / "w.amc", unit="cm", up="z", angles="rad")
        before = (tmp_path / "w.asf").read_bytes()
        moved = motion.with_(root=motion.root + 1.0)
        said = formats.save(moved, tmp_path / "w.amc", unit="m", up="y", angles="deg")
        assert "w.asf is there already and settles unit and up and angles" in said
        assert (tmp_path / "w.asf").read_bytes() == before
        assert formats.load(tmp_path / "w.amc").positions() == pytest.approx(moved.positions(), abs=1e-7)
        assert not any("settles" in text for text in formats.save(moved, tmp_path / "w.amc", unit="cm"))

    def test_its_own_unit_of_angles_is_kept(self, take):
        """The AMC must be in what the ASF says, whatever we write by default."""
        text = ASF.replace("angle deg", "angle rad")
        for old, new in (("0 0 20 ", f"0 0 {np.radians(20)!r} "),
                         ("-90 5 20", " ".join(repr(v) for v in np.radians([-90, 5, 20]))),
                         ("10 20 30", " ".join(repr(v) for v in np.radians([10, 20, 30])))):  # fmt: skip
            text = text.replace(old, new.replace("np.float64(", "").replace(")", ""))
        motion = formats.load(take)
        take.with_suffix(".asf").write_text(text)
        formats.save(motion, take)
        assert ":RADIANS" in take.read_text()
        assert take.with_suffix(".asf").read_text() == text
        assert formats.load(take).positions() == pytest.approx(motion.positions(), abs=1e-8)

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (lambda t: t.replace("length 7.2", "length 7.3"), "'lfoot' sits"),
            (lambda t: t.replace("ltibia", "shin"), "'ltibia'"),
            (lambda t: t.replace("axis 0 0 20   XYZ", "axis 0 10 20   XYZ"), "other axes"),
            (lambda t: t.replace("length 3", "length 4"), "end elsewhere"),
            (lambda t: t.replace("dof rz rx", "dof rz"), "could not say"),
            (lambda t: t.replace("dof rz rx", "dof rz rx l"), "changes its length"),
        ],
    )
    def test_another_figures_is_refused_and_nothing_is_written(self, take, change, words):
        motion = formats.load(take)
        before = take.read_bytes()
        other = change(ASF)
        assert other != ASF
        take.with_suffix(".asf").write_text(other)
        with pytest.raises(FileError, match="skeleton of another figure") as refused:
            formats.save(motion, take)
        assert words in str(refused.value)
        assert refused.value.path == str(take.with_suffix(".asf"))
        assert take.read_bytes() == before
        assert take.with_suffix(".asf").read_text() == other

    def test_a_broken_one_is_named(self, take):
        motion = formats.load(take)
        take.with_suffix(".asf").write_text("nothing")
        with pytest.raises(FileError, match=r"small\.asf"):
            formats.save(motion, take)


def test_the_rate_is_what_was_asked_else_what_marotte_wrote_else_the_librarys(take, tmp_path):
    assert formats.load(take, frame_rate=60).frame_rate == 60
    assert formats.inspect(take, frame_rate=60).frame_rate == 60
    formats.save(formats.load(take, frame_rate=30.5), tmp_path / "slow.amc")
    assert formats.load(tmp_path / "slow.amc").frame_rate == 30.5
    assert not any("frame rate" in note for note in formats.load(tmp_path / "slow.amc").source.notes)
    for do in (formats.load, formats.inspect):
        with pytest.raises(InputError, match="frame_rate must be"):
            do(take, frame_rate=0)


def test_no_frames_and_a_figure_of_one_joint(tmp_path):
    motion = wander(6)[:0]
    formats.save(motion, tmp_path / "none.amc")
    assert len(formats.load(tmp_path / "none.amc")) == 0
    assert formats.inspect(tmp_path / "none.amc").frames == 0
    one = Motion(
        Skeleton(("thing",), np.array([-1]), np.zeros((1, 3))), np.ones((2, 3)), np.eye(4)[[[0]] * 2], 25
    )
    comes_back(one, tmp_path / "one.amc")


def test_large_takes_are_read_and_counted_whole(take):
    many = 12_000
    rows = AMC.split("\n1\n")[1].split("\n2\n")[0]
    text = ":DEGREES\n" + "".join(f"{n + 1}\n{rows}\n" for n in range(many))
    assert len(text) > 1 << 20
    for newline in ("\n", "\r\n", "\r"):
        take.write_bytes(text.replace("\n", newline).encode())
        motion = formats.load(take, strict=True)
        assert len(motion) == formats.inspect(take).frames == many
        assert np.ptp(motion.positions(), axis=0).max() == 0


@st.composite
def figures(draw) -> Motion:
    count = draw(st.integers(1, 7))
    length = st.sampled_from([0.0, 0.1, -0.35, 1.0, 0.123456789])
    order = st.sampled_from(["", "X", "ZX", "YZ", "ZXY", "XYZ", "ZYX", "xyzZXY"])
    parents = [-1] + [draw(st.integers(0, j - 1)) for j in range(1, count)]
    offsets = [[draw(length) for _ in range(3)] for _ in range(count)]
    channels = ["xyzZXY", *(draw(order) for _ in range(1, count))]
    ends = [EndSite(draw(st.integers(0, count - 1)), tuple(draw(length) for _ in range(3)))
            for _ in range(draw(st.integers(0, 3)))]  # fmt: skip
    axes = None
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    if draw(st.booleans()):
        axes = from_euler(rng.uniform(-3, 3, (count, 3)), "ZYX")
    skeleton = Skeleton(
        tuple(f"j{k}" for k in range(count)), np.array(parents), np.array(offsets), tuple(channels),
        tuple(ends), channel_axes=axes,
    )  # fmt: skip
    frames = draw(st.integers(1, 4))
    turns = from_euler(rng.uniform(-3, 3, (frames, count, 3)), "XYZ")
    return Motion(
        skeleton, rng.uniform(-2, 2, (frames, 3)), turns, draw(st.sampled_from([30.0, 59.94, 120.0]))
    )


@given(figures())
@settings(max_examples=60)
def test_any_figure_comes_back(tmp_path_factory, motion):
    """Branches at any place, joints on joints, tips on anything, hinges askew."""
    path = tmp_path_factory.mktemp("any") / "any.amc"
    again = comes_back(motion, path, 1e-6)
    ends = [
        sorted((m.skeleton.names[e.joint], *(round(v, 9) + 0.0 for v in e.offset)) for e in m.skeleton.ends)
        for m in (motion, again)
    ]
    assert ends[1] == ends[0]


def test_a_thing_of_no_known_kind_keeps_its_size(tmp_path):
    """The unit of a quadruped could not be guessed: the file has to say it."""
    motion = Motion.at_rest(quadruped(), 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        comes_back(motion, tmp_path / "dog.amc")
