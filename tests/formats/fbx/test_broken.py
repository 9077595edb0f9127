"""Broken FBX files, and a library that crashes or hangs: an error that says so, and nothing worse."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from marotte import formats
from marotte.errors import FileError, MissingPartError
from marotte.figure import Motion
from marotte.formats import _apart
from marotte.formats.fbx._library import Library

from ..outcomes import outcome
from .test_reading import FRAMES, figure, stands_as
from .texts import fbx_text


@pytest.fixture
def text() -> str:
    return fbx_text(figure(), frames=FRAMES)


def refused_or_said_to_break_off(path: Path) -> None:
    """Nothing that is missing goes unsaid."""
    if isinstance(outcome(path), Motion):
        with pytest.warns(formats.FileWarning, match="does not end as an FBX does"):
            formats.load(path)
        with pytest.raises(FileError):
            formats.load(path, strict=True)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"HIERARCHY\nROOT Hips\n{", "is a BVH; name it .bvh"),
        (b"glTF\2\0\0\0", "is a binary glTF; name it .glb"),
        (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS pointer"),
        (b"once upon a time", "begins like none"),
        (b"Kaydara FBX Bin\0ry", "begins like none"),
        (b"\0" * 4096, "begins like none"),
        (b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0", "breaks off in the middle"),
        (b"Kaydara FBX Binary  \0\x1a\0\xff\xff\xff\xff" + b"\xff" * 64, "of a version that is not read"),
        (b"; FBX 7.4.0 project file\n", "breaks off in the middle"),
    ],
)
def test_what_is_no_fbx_is_told_what_it_is(tmp_path, content, words):
    path = tmp_path / "take.fbx"
    path.write_bytes(content)
    for do in (formats.load, formats.inspect):
        with pytest.raises(FileError, match=words):
            do(path)


def test_folders_and_lost_files_are_errors(tmp_path):
    (tmp_path / "folder.fbx").mkdir()
    with pytest.raises(FileError, match="folder"):
        formats.load(tmp_path / "folder.fbx")
    with pytest.raises(FileError, match="no such file"):
        formats.load(tmp_path / "take.fbx")


def test_a_scene_without_a_figure_says_what_it_lacks(tmp_path):
    path = tmp_path / "take.fbx"
    path.write_text(fbx_text([]))
    with pytest.raises(FileError, match="neither bones nor other nodes"):
        formats.load(path)


def test_a_text_cut_anywhere_is_refused_or_said_to_break_off(tmp_path, text):
    """A text FBX has no end mark, so that its library reads half of one without a word."""
    path = tmp_path / "take.fbx"
    for share in np.linspace(0.02, 0.98, 25):
        path.write_text(text[: int(share * len(text))])
        refused_or_said_to_break_off(path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_bytes_that_were_changed_never_end_in_a_crash(tmp_path, text, seed):
    rng = random.Random(seed)
    path = tmp_path / "take.fbx"
    for _ in range(25):
        data = bytearray(text.encode())
        for _ in range(rng.choice((1, 4, 32))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data)
        outcome(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["fbx/ufbx_max_transformed_skin_7500_binary.fbx", "same_clip_blender/16_05.fbx"]
)
def test_real_files_cut_or_changed_anywhere_are_refused_or_read(tmp_path, shared_data, name):
    data = (shared_data / "formats" / name).read_bytes()
    path = tmp_path / "take.fbx"
    for share in np.linspace(0.001, 0.999, 25):
        path.write_bytes(data[: int(share * len(data))])
        refused_or_said_to_break_off(path)
    rng = random.Random(1)
    for _ in range(25):
        changed = bytearray(data)
        for _ in range(rng.choice((1, 4, 32))):
            changed[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(changed)
        outcome(path)


BREAKS = {
    "crashes at once": "import os; os.abort()",
    "crashes in the middle of an answer": (
        "import sys, os; sys.stdout.buffer.write(bytes(8)[:5]); sys.stdout.flush(); os.abort()"
    ),
    "says nothing": "pass",
    "answers nonsense": "import sys; sys.stdout.buffer.write(b'\\xff' * 64)",
}


@pytest.mark.parametrize("case", BREAKS)
def test_a_library_that_crashes_takes_nothing_with_it(tmp_path, text, monkeypatch, case):
    worker = tmp_path / "worker.py"
    worker.write_text(BREAKS[case])
    monkeypatch.setattr(_apart, "WORKER", worker)
    path = tmp_path / "take.fbx"
    path.write_text(text)
    with pytest.raises(FileError, match="does not survive"):
        formats.load(path)


def test_frames_that_the_library_refuses_are_an_error_of_the_file(tmp_path, text, monkeypatch):
    """The beginning of a file may be sound and its curves not."""
    backend = tmp_path / "backend.py"
    own = Library.backend.read_text(encoding="utf-8")
    backend.write_text(
        f"{own}\ndef frames(scene, told):\n    import ufbx\n    raise ufbx.BadIndexError('x')\n"
    )
    monkeypatch.setattr(Library, "backend", backend)
    path = tmp_path / "take.fbx"
    path.write_text(text)
    assert formats.inspect(path).frames == FRAMES
    with pytest.raises(FileError, match="cannot read its frames"):
        formats.load(path)


def test_a_library_that_hangs_is_stopped(tmp_path, text, monkeypatch):
    worker = tmp_path / "worker.py"
    worker.write_text("import time; time.sleep(600)")
    monkeypatch.setattr(_apart, "WORKER", worker)
    monkeypatch.setattr(_apart, "SECONDS_TO_OPEN", 0.2)
    path = tmp_path / "take.fbx"
    path.write_text(text)
    began = time.monotonic()
    with pytest.raises(FileError, match="was stopped"):
        formats.load(path)
    assert time.monotonic() - began < 300


def test_no_process_is_left_behind(tmp_path, text, monkeypatch):
    """Whether a file was read or refused."""
    started = []

    class Watched(subprocess.Popen[bytes]):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Watched)
    path = tmp_path / "take.fbx"
    path.write_text(text)
    formats.load(path)
    path.write_text(text[:300])
    outcome(path)
    assert len(started) == 2
    assert all(process.poll() is not None for process in started)


def test_without_the_library_it_is_said_what_to_install(tmp_path, text, monkeypatch):
    monkeypatch.setattr(_apart, "find_spec", lambda name: None)
    path = tmp_path / "take.fbx"
    path.write_text(text)
    with pytest.raises(MissingPartError, match="pip install ufbx"):
        formats.load(path)


def test_a_clip_without_end_is_refused_before_it_fills_the_memory(tmp_path, text):
    path = tmp_path / "take.fbx"
    stop = text.index('"LocalStop", "KTime", "Time", "",') + len('"LocalStop", "KTime", "Time", "",')
    end = text.index("\n", stop)
    path.write_text(text[:stop] + str(9 * 10**17) + text[end:])
    with pytest.raises(FileError, match=r"less than|at most"):
        formats.load(path)
    path.write_text(text[:stop] + str(9 * 10**15) + text[end:])
    with pytest.raises(FileError, match="frame_rate"):
        formats.load(path)
    assert len(formats.load(path, frame_rate=0.01)) > 1000


def test_a_place_with_blanks_and_other_alphabets_is_found(tmp_path, text):
    path = tmp_path / "Aufnahme 歩く" / "ta ke.fbx"
    path.parent.mkdir()
    path.write_text(text)
    stands_as(formats.load(path), figure())


def test_bvh_files_need_neither_library(tmp_path):
    """Importing Marotte, or asking for a BVH, must not pay for what reads other formats."""
    (tmp_path / "t.bvh").write_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\nFrame Time: 1\n0\n"
    )
    program = (
        "import sys, marotte\nfrom marotte.formats import inspect\n"
        f"inspect({str(tmp_path / 't.bvh')!r})\n"
        "print([name for name in ('ufbx', 'pxr', 'numba') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_figures_larger_than_anything_are_refused_by_name(tmp_path, text):
    path = tmp_path / "take.fbx"
    path.write_text(text)
    with pytest.raises(FileError, match="or its unit wrong") as refused:
        formats.load(path, unit=1e9)
    assert refused.value.path == str(path)
