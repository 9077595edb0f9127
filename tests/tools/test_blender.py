"""Without a Blender its tests skip in words; with one, a program that breaks says where."""

from __future__ import annotations

import pytest

from tools import blender as tool


def test_a_missing_blender_is_explained_and_not_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "VENV", tmp_path / "none")
    monkeypatch.setattr(tool, "REFUSAL", tmp_path / "no-blender.txt")
    assert "make test" in (tool.refusal() or "")
    tool.REFUSAL.write_text("no Blender: it needs Python 3.11\n", encoding="utf-8")
    assert tool.refusal() == "no Blender: it needs Python 3.11"


def test_the_pinned_release_says_which_python_it_wants(tmp_path, monkeypatch):
    assert tool.wanted_python() >= (3, 11)
    monkeypatch.setattr(tool, "REQUIREMENTS", tmp_path / "requirements-blender.txt")
    tool.REQUIREMENTS.write_text("bpy==4.5.15\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"# python: 3\.11"):
        tool.wanted_python()


@pytest.mark.blender
def test_a_program_that_breaks_in_blender_tells_its_last_words(blender):
    with pytest.raises(tool.BlenderFailed, match=r"(?s)positions.py ended with exit code 1.*nothing\.glb"):
        blender("positions.py", "nothing.glb", "30")


@pytest.mark.blender
def test_a_program_that_never_ends_is_stopped(blender, tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "PROGRAMS", tmp_path)
    (tmp_path / "forever.py").write_text("import time; time.sleep(60)", encoding="utf-8")
    with pytest.raises(tool.BlenderFailed, match="did not end"):
        blender("forever.py", seconds=0.5)
