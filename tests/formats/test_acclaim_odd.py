"""Odd Acclaim files: those whose meaning is clear open and mean it, the others say where they fail."""

from __future__ import annotations

import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marotte import formats
from marotte.errors import FileError

from .acclaim_texts import AMC, ASF, frame
from .reading import read
from .texts import TEXT, line_of


@pytest.fixture
def pair(tmp_path: Path):
    """Writes an ASF and an AMC, and gives the AMC's path."""

    def write(amc: str | bytes = AMC, asf: str | bytes = ASF) -> Path:
        for name, content in (("small.asf", asf), ("small.amc", amc)):
            (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return tmp_path / "small.amc"

    return write


@pytest.fixture(scope="module")
def plain(tmp_path_factory) -> np.ndarray:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "a.asf").write_text(ASF)
    (folder / "a.amc").write_text(AMC)
    return formats.load(folder / "a.amc", strict=True).positions()


SAME = {
    "CRLF": lambda t: t.replace("\n", "\r\n"),
    "CR only": lambda t: t.replace("\n", "\r"),
    "byte order mark": lambda t: "\ufeff" + t,
    "no final newline": lambda t: t.rstrip("\n"),
    "trailing blank lines": lambda t: t + "\n  \n\t\n",
    "tabs and runs of blanks": lambda t: t.replace(" ", " \t  "),
    "blank lines": lambda t: t.replace("\n", "\n\n"),
    "comments": lambda t: t.replace("\n", " # by hand\n"),
}


@pytest.mark.parametrize("change", SAME)
def test_another_way_of_writing_means_the_same(pair, plain, change):
    motion, said = read(pair(SAME[change](AMC), SAME[change](ASF)), strict=True)
    assert said == []
    assert motion.positions() == pytest.approx(plain, abs=1e-12)


@pytest.mark.parametrize(
    "asf",
    [
        ASF.replace(":name small\n", ""),
        ASF.replace("  mass 1.0\n", ""),
        ASF.replace("  begin\n    root", "    begin\nroot"),
        ASF.replace("(-160.0 20.0)\n           (-70.0 70.0)", "-160 20, (-70 70)"),
        ASF.replace("lfemur ltibia\n    ltibia lfoot", "ltibia lfoot\n    lfemur ltibia"),
        ASF.replace("dof", "DOF").replace("begin", "BEGIN"),
        ASF.replace(":hierarchy", ":skin\n  some words\n:hierarchy"),
        ASF.replace("id 1\n", "id 1\n bodymass 3\n cofmass 4\n"),
        ASF.replace("(-10.0 170.0)", "(-inf inf)"),
    ],
)
def test_skeletons_of_other_programs_mean_the_same(pair, plain, asf):
    assert asf != ASF
    motion, said = read(pair(asf=asf), strict=True)
    assert said == []
    assert motion.positions() == pytest.approx(plain, abs=1e-12)


@pytest.mark.parametrize(
    "amc",
    [
        AMC.removeprefix(":FULLY-SPECIFIED\n"),
        AMC.replace(":DEGREES\n", ""),
        "#!OML:ASF F:\\here\\rory3.ASF\n" + AMC,
        AMC.replace("\nltibia", "\nspine 0 0\nltibia").replace("\nspine 0 0\n", "\n"),
    ],
)
def test_motions_of_other_programs_mean_the_same(pair, plain, amc):
    motion, said = read(pair(amc), strict=True)
    assert said == []
    assert motion.positions() == pytest.approx(plain, abs=1e-12)


def test_bones_may_come_in_any_order_in_any_frame(pair, plain):
    """Most files have one order; a frame of another must not be read as if it had."""
    first, *rest = AMC.split("\n2\n")
    lines = rest[0].split("\n")
    lines[0], lines[1], lines[2] = lines[2], lines[0], lines[1]
    motion, said = read(pair(first + "\n2\n" + "\n".join(lines)), strict=True)
    assert said == []
    assert motion.positions() == pytest.approx(plain, abs=1e-12)


def without(amc: str, bone: str, frames=(1, 2, 3)) -> str:
    kept, number = [], 0
    for line in amc.splitlines(keepends=True):
        number = int(line) if line.strip().isdigit() else number
        if not (line.startswith(bone) and number in frames):
            kept.append(line)
    return "".join(kept)


MENDED = {
    "a bone that no frame speaks of": (without(AMC, "ltibia"), ASF, "no frame speaks of ltibia"),
    "a bone that a frame leaves out": (without(AMC, "ltibia", (2,)), ASF, "as in the frame before"),
    "numbers of frames with gaps": (AMC.replace("\n2\n", "\n7\n"), ASF, "do not go up by one in 2"),
    "a last frame cut between bones": (AMC[: AMC.rindex("lfoot")], ASF, "cut short and left out"),
    "a last frame cut in a line": (AMC[: AMC.rindex(" ")], ASF, "cut short in line"),
    "a last frame of its number alone": (AMC + "4\n", ASF, "cut short"),
    "limits that do not match": (AMC, ASF.replace("           (-70.0 20.0)\n", ""), "but 1 limits"),
    "a direction that is no unit vector": (AMC, ASF.replace("0.972214", "0.9"), "must have length 1"),
    "an unknown field": (AMC, ASF.replace("id 2", "colour red"), "'colour'"),
    "no :root": (AMC, ASF[: ASF.index(":root")] + ASF[ASF.index(":bonedata"):], "no :root section"),
    "a bone that hangs on nothing": (AMC, ASF.replace("    spine head\n", ""), "left out: head"),
    "a comment of ours that is wrong": (AMC, "# marotte ends: lfemur\n" + ASF, "no bone that is stiff"),
    "a comment with a wrong unit": (AMC, "# marotte metres_per_unit: big\n" + ASF, "no length"),
    "a comment with a wrong axis": (AMC, "# marotte up: w\n" + ASF, "must be one of"),
    "a comment with a wrong place": (AMC, "# marotte rest: 1 2\n" + ASF, "which is no place"),
}  # fmt: skip


@pytest.mark.parametrize("case", MENDED)
def test_what_is_clear_is_mended_with_a_warning_and_refused_by_strict(pair, case):
    amc, asf, part = MENDED[case]
    assert (amc, asf) != (AMC, ASF)
    path = pair(amc, asf)
    motion, said = read(path)
    assert any(part in text for text in said), said
    assert np.isfinite(motion.positions()).all()
    with pytest.raises(FileError):
        formats.load(path, strict=True)


def test_what_a_frame_leaves_out_stays_as_it_was(pair, plain):
    motion, _ = read(pair(without(AMC, "lfemur", (2,))))
    assert motion.rotations[1, 1] == pytest.approx(motion.rotations[0, 1])
    assert motion.positions()[2] == pytest.approx(plain[2], abs=1e-12)


REFUSED_AMC: dict[str, tuple[Any, str, str | None]] = {
    "empty": ("", "the file is empty", None),
    "blank": ("\n \n", "the file is empty", None),
    "a BVH": (TEXT, "is a BVH; name it .bvh", None),
    "a skeleton": (ASF.removeprefix("# by hand\n"), "an Acclaim skeleton; name it .asf", None),
    "a pickle": (b"\x80\x04\x95", "pickle", None),
    "binary": (b"\x01\x02\0\0\0\0", "binary", None),
    "words": ("it was a dark and stormy night\n", "must begin with lines such as", "it was"),
    "an unknown bone": (AMC.replace("ltibia", "lshin", 1), "unknown bone 'lshin'", "lshin"),
    "an unknown bone at the end": (AMC[: AMC.rindex("spine")] + "spines 1 2\n", "'spines'", "spines"),
    "a bone twice": (AMC.replace("ltibia", "lfemur", 1), "'lfemur'", None),
    "a number too few": (AMC.replace(" -3.125", "", 1), "must have 6 numbers", "root 1.5 17.25 7"),
    "a number too many": (AMC.replace(" -3.125", " 1 2", 1), "has 7", "root 1.5 17.25 1 2"),
    "no number": (AMC.replace("-3.125", "-3,125", 1), "'-3,125'", "-3,125"),
    "not a number": (AMC.replace("-3.125", "nan", 1), "finite", "nan"),
    "infinite": (AMC.replace("-3.125", "1e999", 1), "finite", "1e999"),
    "huge": (AMC.replace("-3.125", "1e13", 1), "at most 1e+12", "1e13"),
    "Python's own way": (AMC.replace("-3.125", "1_0", 1), "'1_0'", "1_0"),
    "a section among the frames": (AMC.replace("\n2\n", "\n:DEGREES\n2\n"), "before the first frame", None),
    "a frame number without end": (AMC.replace("\n2\n", f"\n{'9' * 40}\n"), "at most 15 digits", "9" * 40),
    "a wrong rate": ("# marotte frame_rate: fast\n" + AMC, "'fast'", "fast"),
    "a header without end": ("#\n" * 40_000, "within 64 kB", None),
}


@pytest.mark.parametrize(
    ("case", "far"),
    [
        (case, far)
        for case, (amc, *_) in REFUSED_AMC.items()
        for far in (False, True)
        if not far or (isinstance(amc, str) and amc.startswith(":FULLY"))
    ],
)
def test_a_motion_that_is_not_clear_is_refused_with_its_place(pair, case, far):
    """Also far behind the beginning, where frames are read many at a time."""
    amc, part, where = REFUSED_AMC[case]
    if far:
        head, bad = amc.split(":DEGREES\n", 1)
        amc = head + ":DEGREES\n" + "".join(frame(n) for n in range(1, 6000)) + bad
    path = pair(amc)
    with pytest.raises(FileError) as refused:
        formats.load(path)
    message = str(refused.value)
    assert part in message
    assert refused.value.path == str(path)
    if where is not None:
        assert refused.value.line == line_of(amc, where), message


REFUSED_ASF: dict[str, tuple[Any, str, str | None]] = {
    "empty": ("", "the file is empty", None),
    "a motion": (AMC, "Acclaim motion; name it .amc", None),
    "a BVH": (TEXT, "is a BVH; name it .bvh", None),
    "binary": (b"\x01\x02\0\0", "binary", None),
    "words": ("once upon a time\n", "must begin with a section", "once"),
    "no bones": (ASF[: ASF.index(":bonedata")], "must have :bonedata", None),
    "no hierarchy": (ASF[: ASF.index(":hierarchy")], "must have :hierarchy", None),
    "cut in a bone": (ASF[: ASF.index("name ltibia") + 12], "end is missing", None),
    "a name that is missing": (ASF.replace("name ltibia", "name"), "name is missing", None),
    "a bone without a name": (ASF.replace("     name ltibia\n", ""), "must have a name", None),
    "a name twice": (ASF.replace("name ltibia", "name lfemur"), "stands twice", None),
    "two parents": (ASF.replace("spine head", "spine head ltibia"), "one parent", "spine head"),
    "a loop": (ASF.replace("root lfemur spine", "root spine\n    lfoot lfemur"), "has a loop", None),
    "an unknown bone": (ASF.replace("spine head", "spine haed"), "'haed'", "spine haed"),
    "a short direction": (ASF.replace(" -0.939693 0\n", "\n", 1), "must have 3 numbers", "direction"),
    "a length that is no number": (ASF.replace("7.5", "long"), "but is 'long'", "length long"),
    "a length that is not finite": (ASF.replace("7.5", "nan"), "'nan'", "nan"),
    "a unit of no length": (ASF.replace("length 0.45", "length 0"), "must be positive", "length 0"),
    "an unknown angle": (ASF.replace("angle deg", "angle turns"), "must be deg or rad", "angle"),
    "an unknown order": (ASF.replace("0 0 20  XYZ", "0 0 20  XYX"), "order of axes", "XYX"),
    "an unknown dof": (ASF.replace("dof rz rx", "dof rz rw"), "'rw'", "rw"),
    "a dof twice": (ASF.replace("dof rz rx", "dof rz rz"), "stands twice", "dof rz rz"),
    "a limit alone": (ASF.replace("(-10.0 170.0)", "(-10.0)"), "one is alone", "(-10.0)"),
    "limits the wrong way": (ASF.replace("(-10.0 170.0)", "(170 -10)"), "least limit", "(170"),
    "a limit that is no number": (ASF.replace("(-10.0 170.0)", "(nan 170)"), "'nan'", "(nan"),
    "a section twice": (ASF + ":hierarchy\nbegin\nend\n", "must stand once", None),
    "something between bones": (ASF.replace("  end\n", "  end\n  hi\n", 1), "between begin and end", "hi\n"),
    "begin in a bone": (ASF.replace("     id 2\n", "  begin\n"), "must end first", None),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED_ASF)
def test_a_skeleton_that_is_not_clear_is_refused_with_its_place(pair, case):
    asf, part, where = REFUSED_ASF[case]
    assert asf != ASF
    path = pair(asf=asf)
    for broken in (path, path.with_suffix(".asf")):
        with pytest.raises(FileError) as refused:
            formats.load(broken)
        assert part in str(refused.value)
        assert refused.value.path == str(path.with_suffix(".asf"))
        if where is not None:
            assert isinstance(asf, str)
            assert refused.value.line == line_of(asf, where)
        with pytest.raises(FileError):
            formats.inspect(broken)


class TestFindingTheSkeleton:
    def test_the_subjects(self, tmp_path):
        (tmp_path / "07.asf").write_text(ASF)
        (tmp_path / "08.asf").write_text("nothing")
        (tmp_path / "07_05.amc").write_text(AMC)
        motion, _ = read(tmp_path / "07_05.amc")
        assert any("07.asf, that of subject 07" in note for note in motion.source.notes)

    def test_none_and_too_many(self, tmp_path):
        take = tmp_path / "take.amc"
        take.write_text(AMC)
        with pytest.raises(FileError, match="there is no ASF at all") as refused:
            formats.load(take)
        assert "name it with skeleton" in str(refused.value)
        for name in ("a.asf", "b.asf"):
            (tmp_path / name).write_text(ASF)
        with pytest.raises(FileError, match=r"there are 2 others \(a\.asf, b\.asf\)"):
            formats.inspect(take)
        assert len(formats.load(take, skeleton=tmp_path / "b.asf")) == 3

    def test_one_that_is_not_there(self, pair, tmp_path):
        with pytest.raises(FileError) as refused:
            formats.load(pair(), skeleton=tmp_path / "other.asf")
        assert refused.value.path.endswith("other.asf")


def test_a_motion_of_another_figure_names_the_skeleton_it_was_read_with(pair):
    path = pair(AMC.replace("lfemur", "thigh"))
    with pytest.raises(FileError, match="unknown bone 'thigh'") as refused:
        formats.load(path)
    assert "small.asf" in str(refused.value)


def bones(count: int) -> str:
    """An ASF with so many stiff ones, each on the one before."""
    bone = "begin\nname b{}\ndirection 0 1 0\nlength 1\nend\n"
    tree = "root b0\n" + "".join(f"b{n} b{n + 1}\n" for n in range(count - 1))
    data = "".join(bone.format(n) for n in range(count))
    return f":version 1\n:bonedata\n{data}:hierarchy\nbegin\n{tree}end\n"


def test_a_file_of_nothing_but_numbers_or_newlines_is_answered_at_once(pair):
    """What looks like endless frames, or one endless frame, must cost neither time nor memory."""
    asf = bones(3000)
    with pytest.raises(FileError, match="must say more of their 3,001 bones"):
        formats.load(pair(":DEGREES\n" + "1\n" * 20_000, asf))
    with pytest.raises(FileError, match="shorter than 8 MB"):
        formats.load(pair(b":DEGREES\n1\n" + b"\n" * 12_000_000))


def test_a_bomb_of_bones_is_refused(pair):
    with pytest.raises(FileError, match="more than 10,000 bones"):
        formats.load(pair(asf=bones(10_001)))


@given(st.data())
@settings(max_examples=150)
def test_no_change_of_a_few_letters_makes_more_than_a_file_error(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("fuzz", numbered=True)
    texts = {"a.asf": ASF.encode(), "a.amc": AMC.encode()}
    name = data.draw(st.sampled_from(sorted(texts)))
    raw = bytearray(texts[name])
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 12))] = data.draw(st.binary(max_size=4) | st.sampled_from(
            [b"\n", b"1\n", b":root", b"-", b"e9", b"root ", b"end\n", b"\r", b"#"]))  # fmt: skip
    texts[name] = bytes(raw)
    for file, content in texts.items():
        (folder / file).write_bytes(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", formats.FileWarning)
        for do in (formats.load, formats.inspect):
            with suppress(FileError):
                do(folder / "a.amc")
