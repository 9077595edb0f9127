"""Odd BVH files: those whose meaning is clear open and mean it, the others say where they fail."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from marotte import formats
from marotte.errors import FileError
from marotte.figure import Motion
from tests.naive.bvh import read_plain

from .reading import read
from .texts import COLUMNS, HEADER, MOTION, ROWS, TEXT, line_of, rows_text

CM = 0.01


@pytest.fixture
def file(tmp_path: Path):
    """Writes a text or bytes to a file."""

    def write(content: str | bytes, name: str = "take.bvh") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def means_the_same(motion: Motion, text: str = TEXT) -> None:
    """The motion is that of a well-formed text in centimetres."""
    plain = read_plain(text)
    assert list(motion.skeleton.parents) == plain.parents
    assert motion.skeleton.offsets == pytest.approx(np.array(plain.offsets) * CM, abs=1e-15)
    assert motion.positions() == pytest.approx(plain.positions() * CM, abs=1e-9)


def test_a_plain_file_opens_without_a_word(file):
    motion, said = read(file(TEXT), strict=True)
    means_the_same(motion)
    assert said == []
    assert motion.skeleton.names == ("Hips", "Spine", "Head", "LeftUpLeg", "LeftLeg", "LeftFoot")
    assert motion.skeleton.channels == ("xyzZXY", *["ZXY"] * 5)
    assert [(e.joint, e.name) for e in motion.skeleton.ends] == [(2, ""), (5, "")]
    assert motion.frame_rate == 30
    assert motion.name == "take"
    assert motion.translations is None


SAME = {
    "CRLF": lambda t: t.replace("\n", "\r\n"),
    "CR only": lambda t: t.replace("\n", "\r"),
    "CRLF header, LF rows": lambda t: t.replace("\n", "\r\n", 20),
    "byte order mark": lambda t: "\ufeff" + t,
    "no final newline": lambda t: t.rstrip("\n"),
    "trailing blank lines": lambda t: t + "\n  \n\t\n",
    "trailing blanks": lambda t: t.replace("\n", " \t \n"),
    "tabs and runs of blanks": lambda t: t.replace(" ", " \t  "),
    "tabs for every blank": lambda t: t.replace(" ", "\t").replace("End\tSite", "End Site"),
    "lower case": lambda t: t.replace("Hips", "HIPS").lower().replace("\nroot hips", "\nroot Hips"),
    "upper-case channels": lambda t: t.replace("rotation", "ROTATION").replace("position", "POSITION"),
    "brace on the line": lambda t: t.replace("\n  {\n", " {\n").replace("\n{\n", " {\n"),
    "brace glued to the name": lambda t: t.replace("Hips\n{", "Hips{"),
    "comments": lambda t: t.replace("HIERARCHY", "# by hand\nHIERARCHY // yes").replace(
        "MOTION\n", "MOTION\n#\n"
    ),
    "comment among the rows": lambda t: t.replace("0333333\n", "0333333\n# 1 2 3\n"),
    "blank lines": lambda t: t.replace("\n", "\n\n"),
    "no blank after colons": lambda t: t.replace(": ", ":"),
    "blank before colons": lambda t: t.replace(":", " :"),
    "tab after colons": lambda t: t.replace(": ", ":\t"),
    "padded Frames": lambda t: t.replace("Frames: 3", "Frames: 3               "),
    "Frame Time before Frames": lambda t: t.replace(
        "Frames: 3\nFrame Time: 0.0333333", "Frame Time: 0.0333333\nFrames: 3"
    ),
    "exponents": lambda t: t.replace("92.500000", "9.25E+01").replace("42.3", "4230e-2"),
    "leading plus": lambda t: t.replace(" 92.5", " +92.5"),
    "channels before offset": lambda t: t.replace(
        "    OFFSET 0.0 12.1 -1.2\n    CHANNELS 3 Zrotation Xrotation Yrotation\n",
        "    CHANNELS 3 Zrotation Xrotation Yrotation\n    OFFSET 0.0 12.1 -1.2\n",
    ),
    "End_Site": lambda t: t.replace("End Site", "End_Site"),
    "rows wrapped": lambda t: HEADER + MOTION + rows_text().replace(" -25", "\n-25").replace(" 38", "\n38"),
    "all on one line": lambda t: HEADER + MOTION + rows_text().replace("\n", " "),
    "header on one line": lambda t: HEADER.replace("\n", " ") + MOTION.replace("\n", " ") + rows_text(),
    "two frames a line": lambda t: HEADER + MOTION + rows_text().replace("\n", " ", 1),
}  # fmt: skip


@pytest.mark.parametrize("change", SAME)
def test_another_way_of_writing_means_the_same(file, change):
    """None of these is even worth a warning."""
    text = SAME[change](TEXT)
    assert text != TEXT
    motion, said = read(file(text), strict=True)
    means_the_same(motion)
    assert motion.skeleton.names[1].lower() == "spine"
    assert motion.frame_rate == 30
    assert said == []


NAMED = {
    "Bip01 L Thigh": "Bip01 L Thigh",
    "mixamorig:Hips": "mixamorig:Hips",
    "upperleg01.R": "upperleg01.R",
    "End_Bone": "End_Bone",
    "MOTION": "MOTION",
    "JOINT": "JOINT",
    "  padded\t ": "padded",
    "#1 // 2": "#1 // 2",
    "左ひざ": "左ひざ",
    "Hüfte": "Hüfte",
    "\xa0": "\xa0",
}


@pytest.mark.parametrize("written", NAMED)
def test_names_are_the_rest_of_their_line(file, written):
    motion, said = read(file(TEXT.replace("JOINT Spine", f"JOINT {written}")))
    assert motion.skeleton.names[1] == NAMED[written]
    means_the_same(motion)
    assert said == []


@pytest.mark.parametrize(
    ("name", "encoding", "found"),
    [
        ("左ひざ", "cp932", "cp932"),
        ("ボーン", "cp932", "cp932"),  # its bytes hold a brace
        ("Hüfte", "cp1252", "cp1252"),
        ("Grün\x81", "latin-1", "latin-1"),
    ],
)
def test_names_of_old_programs_are_read_and_written_back_as_they_were(file, tmp_path, name, encoding, found):
    data = TEXT.replace("Spine", name).encode(encoding)
    motion, _ = read(file(data))
    assert motion.skeleton.names[1] == name
    assert motion.source.encoding == found
    assert any(found in note for note in motion.source.notes)
    assert formats.save(motion, tmp_path / "again.bvh") == ()
    assert f"JOINT {name}\n".encode(encoding) in (tmp_path / "again.bvh").read_bytes()


def test_end_sites_may_have_names(file):
    motion, _ = read(
        file(TEXT.replace("End Site", "End Site Tip", 1).replace("End Site\n", "End Toe_Nub\n", 1))
    )
    assert [e.name for e in motion.skeleton.ends] == ["Tip", "Toe_Nub"]
    means_the_same(motion)


def test_leaves_need_no_end_site(file):
    start, stop = TEXT.index("      End Site"), TEXT.index("    }\n  }\n  JOINT LeftUpLeg")
    motion, _ = read(file(TEXT[:start] + TEXT[stop:]))
    assert [e.joint for e in motion.skeleton.ends] == [5]
    means_the_same(motion)


# what is mended: what the text becomes, a part of the warning, and where the warning points
MENDED = {
    "blank missing before a sign": (
        TEXT.replace("7.000000 -25.2", "7.000000-25.2"), "read as two numbers", "7.000000-25.2"
    ),
    "blank missing in an offset": (TEXT.replace("12.1 -1.2", "12.1-1.2"), "a blank is missing", "12.1-1.2"),
    "Frames Time": (TEXT.replace("Frame Time", "Frames Time"), "Frames Time", "Frames Time"),
    "more rows than declared": (TEXT.replace("Frames: 3", "Frames: 2"), "declares 2 frames, but has 3", None),
    "fewer rows than declared": (TEXT.replace("Frames: 3", "Frames: 1,000".replace(",", "")),
                                 "declares 1,000 frames, but has 3", None),
    "negative count": (TEXT.replace("Frames: 3", "Frames: -1"), "declares -1 frames", "Frames: -1"),
    "no count": (TEXT.replace("Frames: 3\n", ""), "the rows are counted", "0.000000 92.5"),
    "no HIERARCHY": (TEXT.replace("HIERARCHY\n", ""), "does not begin with HIERARCHY", "ROOT"),
    "text behind the last frame": (TEXT + "the end\n", "what follows the last frame", "the end"),
    "numbers and text behind": (TEXT + "1 2 the end\n", "what follows the last frame", "the end"),
    "zeros behind the last frame": (TEXT + "\0\0\0\0", "bytes that are no text", None),
    "zeros right behind": (TEXT.rstrip("\n") + "\0\0\0\0", "bytes that are no text", None),
    "Ctrl-Z behind the last frame": (TEXT + "\x1a", "bytes that are no text", None),
    "lines that break in the middle of frames": (
        HEADER + MOTION + "\n".join(" ".join(rows_text().split()[k : k + 10]) for k in range(0, 63, 10)),
        "lines break in the middle of frames", None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MENDED)
def test_what_is_clear_is_mended_with_a_warning_and_refused_by_strict(file, case):
    text, part, where = MENDED[case]
    assert text != TEXT
    path = file(text)
    motion, said = read(path)
    means_the_same(motion)
    [warning] = said
    assert part in warning
    with pytest.raises(FileError) as strict:
        formats.load(path, strict=True)
    if where is not None:
        assert strict.value.line == line_of(text, where)
        assert f"line {line_of(text, where)}: " in warning


def test_frame_times_that_say_nothing_become_thirty_a_second(file):
    for text in (TEXT.replace("Frame Time: 0.0333333\n", ""), TEXT.replace("0.0333333", "0"),
                 TEXT.replace("0.0333333", "-0.1")):  # fmt: skip
        motion, said = read(file(text))
        assert motion.frame_rate == 30
        assert "30 frames a second" in said[0]
        assert f"line {line_of(text, 'Frames') + 1}" in said[0]
        means_the_same(motion)


@pytest.mark.parametrize("kept", [0, 1, 2])
@pytest.mark.parametrize("cut", [1, 7, 30])
def test_a_file_cut_inside_a_row_keeps_the_whole_frames(file, kept, cut):
    text = HEADER + MOTION + rows_text(ROWS[:kept]) + rows_text(ROWS)[:cut]
    motion, said = read(file(text))
    assert len(motion) == kept
    numbers = len(rows_text(ROWS)[:cut].split())
    assert f"with {numbers} of its {COLUMNS} numbers" in said[0]
    assert f"declares 3 frames, but has {kept}" in said[1]


def test_a_file_cut_inside_an_exponent_keeps_the_whole_frames(file):
    motion, said = read(file(HEADER + MOTION + rows_text(ROWS[:2]) + "1.0 2.0 3e-"))
    assert len(motion) == 2
    assert len(said) == 2


def test_no_frames_and_one_frame(file):
    for count in (0, 1):
        motion, said = read(file(HEADER + MOTION.replace("3\n", f"{count}\n", 1) + rows_text(ROWS[:count])))
        assert len(motion) == count
        assert motion.positions().shape == (count, 6, 3)
        assert said == []


def test_a_header_alone_is_a_skeleton(file):
    motion, said = read(file(HEADER))
    assert len(motion) == 0
    assert len(motion.skeleton) == 6
    assert "there is no MOTION" in said[0]


def test_duplicate_names_are_numbered(file):
    text = TEXT.replace("JOINT LeftUpLeg", "JOINT Spine").replace("JOINT LeftLeg", "JOINT Spine")
    motion, said = read(file(text))
    assert motion.skeleton.names == ("Hips", "Spine", "Head", "Spine_2", "Spine_3", "LeftFoot")
    assert "'Spine'" in said[0]
    assert "1 more" in said[0]
    means_the_same(motion)


def test_missing_names_are_made(file):
    motion, said = read(file(TEXT.replace("JOINT Spine", "JOINT")))
    assert motion.skeleton.names[1] == "joint_1"
    assert f"line {line_of(TEXT, 'JOINT Spine')}" in said[0]


CHANNELS_6 = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"


@pytest.mark.parametrize(
    ("channels", "letters"),
    [
        ("CHANNELS 6 Zrotation Xrotation Yrotation Xposition Yposition Zposition", "ZXYxyz"),
        ("CHANNELS 6 Xposition Zrotation Yposition Xrotation Zposition Yrotation", "xZyXzY"),
        ("CHANNELS 6 Zposition Xposition Yposition Yrotation Zrotation Yrotation", "zxyYZY"),
        ("CHANNELS 4 Yposition Xrotation Yrotation Zrotation", "yXYZ"),
        ("CHANNELS 3 Zrotation Yrotation Xrotation", "ZYX"),
        ("CHANNELS 2 Xrotation Xposition", "Xx"),
        ("CHANNELS 1 Yrotation", "Y"),
        ("CHANNELS 0", ""),
    ],
)
@pytest.mark.parametrize("joint", ["Hips", "Spine", "LeftFoot"])
def test_channels_come_in_any_number_and_order_on_any_joint(file, tmp_path, channels, letters, joint):
    at = TEXT.index("CHANNELS", TEXT.index(f" {joint}\n"))
    header = HEADER[:at] + channels + HEADER[HEADER.index("\n", at) :]
    columns = sum(int(line.split()[1]) for line in header.splitlines() if "CHANNELS" in line)
    rng = np.random.default_rng(len(letters))
    text = header + MOTION + rows_text(rng.uniform(-170, 170, (3, columns)))
    path = file(text)
    motion, said = read(path, unit="cm")
    index = motion.skeleton.index(joint)
    assert motion.skeleton.channels[index] == letters
    means_the_same(motion, text)
    assert said == []
    # and what is saved has the same channels, and the same places
    assert formats.save(motion, tmp_path / "again.bvh") == ()
    again, _ = read(tmp_path / "again.bvh", unit="cm")
    assert again.skeleton.channels == motion.skeleton.channels
    assert again.positions() == pytest.approx(motion.positions(), abs=1e-6 * motion.skeleton.height)


def test_a_joint_without_a_channels_line_is_stiff(file):
    start = TEXT.index("    CHANNELS 3")
    header = HEADER[:start] + HEADER[HEADER.index("\n", start) + 1 :]
    text = header + MOTION + rows_text([row[:-3] for row in ROWS])
    motion, _ = read(file(text))
    assert motion.skeleton.channels[1] == ""
    means_the_same(motion, text)


def test_a_figure_without_any_channels_stands_still(file):
    header = "\n".join(line for line in HEADER.split("\n") if "CHANNELS" not in line)
    motion, _ = read(file(header + MOTION))
    assert len(motion) == 3
    assert motion.positions()[2] == pytest.approx(motion.skeleton.rest_positions())


# what is refused: the text, a part of the message, and what the error points at
REFUSED = {
    "empty": ("", "the file is empty", ""),
    "blank": (" \n\n", "the file is empty", ""),
    "another format": (
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d\n",
        "Git LFS pointer", "version",
    ),
    "a web page": ("<!DOCTYPE html>\n<html>", "a web page", "<!DOCTYPE"),
    "another text": ("; by hand\n", "must begin with the word HIERARCHY", ";"),
    "binary": ("\x01\x02\0\0\0\0", "binary", "\x01"),
    "two roots": (TEXT.replace("MOTION", HEADER[10:] + "MOTION", 1), "second ROOT 'Hips'", None),
    "no root": ("HIERARCHY\nJOINT Hips\n{\n", "must be followed by ROOT", "JOINT"),
    "short offset": (TEXT.replace("12.1 -1.2", "12.1"), "must be three numbers, but has 2", "CHANNELS 3"),
    "long offset": (TEXT.replace("12.1 -1.2", "12.1 -1.2 5"), "a fourth follows", "5\n    CHANNELS"),
    "no offset": (TEXT.replace("    OFFSET 0.0 12.1 -1.2\n", ""), "must have an OFFSET", None),
    "two offsets": (
        TEXT.replace("    OFFSET 0.0 12.1", "    OFFSET 1 2 3\n    OFFSET 0.0 12.1"),
        "a second", None,
    ),
    "decimal comma in an offset": (TEXT.replace("12.1", "12,1"), "decimal comma", "12,1"),
    "decimal comma in a row": (TEXT.replace("-25.200000", "-25,200000"), "decimal comma", "-25,200000"),
    "commas between numbers": (
        TEXT.replace("-25.200000", "-25.200000,"),
        "separated by blanks", "-25.200000,",
    ),
    "not a number in an offset": (TEXT.replace("12.1", "nan"), "must be finite", "nan"),
    "not a number in a row": (TEXT.replace("-25.200000", "-nan(ind)"), "must be finite", "-nan(ind)"),
    "infinity in a row": (TEXT.replace("-25.200000", "1.#INF"), "must be finite", "1.#INF"),
    "overflow in a row": (TEXT.replace("-25.200000", "1e999"), "at most 1e+12", "1e999"),
    "huge number in a row": (TEXT.replace("-25.200000", "-1e13"), "at most 1e+12", "-1e13"),
    "huge number in an offset": (TEXT.replace("12.1", "1e13"), "at most 1e+12", "1e13"),
    "word in a row": (TEXT.replace("-25.200000", "twelve"), "but is 'twelve'", "twelve"),
    "first word of the rows": (TEXT.replace("0.000000 92", "zero 92", 1), "but is 'zero'", "zero"),
    "more channels declared": (
        TEXT.replace("CHANNELS 3", "CHANNELS 4", 1),
        "declares 4 channels, but 3", "CHANNELS 4",
    ),
    "fewer channels declared": (
        TEXT.replace("CHANNELS 3", "CHANNELS 2", 1),
        "declares 2 channels, but 3", "CHANNELS 2",
    ),
    "unknown channel": (TEXT.replace("Zrotation", "Wrotation", 1), "'Wrotation' is none", "CHANNELS 6"),
    "no channel count": (TEXT.replace("CHANNELS 3", "CHANNELS", 1), "followed by how many", None),
    "channel twice": (TEXT.replace("Yposition", "Xposition", 1), "has Xposition twice", None),
    "axis twice in a row": (TEXT.replace("Xrotation", "Zrotation", 1), "twice in a row", None),
    "four turns": (TEXT.replace("CHANNELS 3 Z", "CHANNELS 4 Yrotation Z", 1), "at most three", None),
    "closing brace missing": (
        TEXT.replace("    }\n  }\n  JOINT", "    }\n  JOINT"),
        "closing brace", "MOTION",
    ),
    "closing brace too many": (TEXT.replace("}\nMOTION", "}\n}\nMOTION"), "no joint is open", "}\nMOTION"),
    "opening brace missing": (TEXT.replace("  JOINT Spine\n  {\n", "  JOINT Spine\n"), "opening brace", None),
    "unknown word": (
        TEXT.replace("    OFFSET 0.0 12", "    LIMITS 1 2\n    OFFSET 0.0 12"),
        "'LIMITS'", "LIMITS",
    ),
    "joint in an end site": (
        TEXT.replace("        OFFSET 0.0 18", "        JOINT x\n OFFSET 0.0 18"),
        "'JOINT'", None,
    ),
    "count that is no number": (TEXT.replace("Frames: 3", "Frames: many"), "a whole number", "many"),
    "count with a fraction": (TEXT.replace("Frames: 3", "Frames: 3.5"), "a whole number", "3.5"),
    "time that is no number": (TEXT.replace("0.0333333", "fast"), "but is 'fast'", "fast"),
    "time with a comma": (TEXT.replace("0.0333333", "0,0333333"), "decimal comma", "0,0333333"),
    "endless frames": (TEXT.replace("0.0333333", "1e9"), "from 1e-6 to 1e6", None),
    "a number too few in a row": (
        HEADER + MOTION + rows_text([ROWS[0], ROWS[1][:-1], ROWS[2]]),
        f"must have {COLUMNS} numbers, one a channel, but the frame that begins here has {COLUMNS - 1}",
        "0.000000 92.500000 0.1",
    ),
    "a number too many in a row": (
        HEADER + MOTION + rows_text([ROWS[0], [*ROWS[1], 5.0], ROWS[2]]),
        f"must have {COLUMNS} numbers, one a channel, but this line has {COLUMNS + 1}",
        "0.000000 92.500000 0.1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_clear_is_refused_with_its_place(file, case):
    text, part, where = REFUSED[case]
    assert text != TEXT
    path = file(text)
    with pytest.raises(FileError) as refused:
        formats.load(path)
    message = str(refused.value)
    assert part in message
    assert message.startswith(f"{path}:{refused.value.line}:")
    if where is not None:
        assert refused.value.line == line_of(text, where)
        if refused.value.column is not None:
            line = text.splitlines()[refused.value.line - 1] if text.strip() else ""
            assert line[refused.value.column - 1 :].startswith(where.split("\n")[0].split(" ")[0])


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_places_are_right_whatever_ends_the_lines(file, newline):
    text = TEXT.replace("-25.200000", "x", 1)
    with pytest.raises(FileError) as refused:
        formats.load(file(text.replace("\n", newline)))
    assert refused.value.line == line_of(text, " x ")
    assert refused.value.column == text.splitlines()[refused.value.line - 1].index("x") + 1


def test_a_place_far_behind_the_first_chunk(file):
    rows = rows_text(ROWS) * 6000  # several megabytes
    bad = rows + rows_text(ROWS[:1]).replace("-25.2", "oops")
    with pytest.raises(FileError) as refused:
        formats.load(file(HEADER + MOTION.replace("3\n", "18001\n", 1) + bad))
    assert refused.value.line == (HEADER + MOTION).count("\n") + 18_001
    assert refused.value.column == bad.splitlines()[-1].index("oops") + 1


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_file_of_many_chunks_is_read_whole(file, newline):
    rows = [[f + c / 1000 for c in range(COLUMNS)] for f in range(12_000)]
    text = HEADER + MOTION.replace("3\n", "12000\n", 1) + rows_text(rows)
    motion, said = read(file(text.replace("\n", newline)))
    assert said == []
    assert motion.root[:, 1] / CM == pytest.approx(np.arange(12_000) + 0.001)
    assert len(motion) == 12_000


@pytest.mark.parametrize("text", [HEADER + MOTION, TEXT])
def test_a_header_cut_anywhere_is_refused_or_a_skeleton(file, text):
    for cut in range(1, len(HEADER + MOTION)):
        path = file(text[:cut])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            outcome: Motion | FileError
            try:
                outcome = formats.load(path)
            except FileError as error:
                outcome = error
        if isinstance(outcome, FileError):
            assert outcome.line is not None
        else:  # only once the hierarchy is whole
            assert len(outcome) == 0
            assert cut >= len(HEADER.rstrip())


def test_deep_figures_need_no_recursion(file):
    depth = 3000
    header = "".join(f"{'ROOT' if k == 0 else 'JOINT'} n{k}\n{{\nOFFSET 0 1 0\n" for k in range(depth))
    motion, _ = read(file(f"HIERARCHY\n{header}{'}' * depth}\nMOTION\nFrames: 0\nFrame Time: 0.1\n"))
    assert len(motion.skeleton) == depth


def test_a_bomb_of_joints_is_refused_at_once(file):
    joint = "JOINT a\n{\nOFFSET 0 0 0\n}\n"
    text = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\n" + joint * 100_000
    with pytest.raises(FileError, match="at most 10,000 joints") as refused:
        formats.load(file(text))
    assert refused.value.line == 5 + 4 * 9_999


def test_declared_frames_reserve_no_memory(file):
    motion, _ = read(file(TEXT.replace("Frames: 3", "Frames: 999999999999999")))
    assert len(motion) == 3
    stiff = "".join(f"JOINT s{k}\n{{\nOFFSET 0 0 0\n}}\n" for k in range(2000))
    still = f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\n{stiff}}}\nMOTION\nFrames: 99999999\nFrame Time: 0.1\n"
    with pytest.raises(FileError, match="GB"):
        formats.load(file(still))
    with pytest.raises(FileError, match="GB"):
        formats.load(file(still.replace("OFFSET", "CHANNELS 1 Xrotation\nOFFSET", 1) + "0 " * 1_000_000))
