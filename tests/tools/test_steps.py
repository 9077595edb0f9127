"""A step of the set-up is quiet when it succeeds and tells all when it fails."""

from __future__ import annotations

import sys

import pytest

from tools import steps


@pytest.fixture
def logs(tmp_path, monkeypatch):
    monkeypatch.setattr(steps, "ROOT", tmp_path)
    monkeypatch.setattr(steps, "MAKE", tmp_path / ".make")
    return tmp_path / ".make"


def test_a_step_that_succeeds_shows_only_its_title_and_time(logs, capsys, tmp_path):
    steps.run("a step", [sys.executable, "-c", "print('chatter')"], cwd=tmp_path)
    shown = capsys.readouterr().out
    assert shown == "a step ... 0 s\n"
    assert (logs / "a-step.log").read_text() == "chatter\n"


def test_a_step_that_fails_shows_its_last_words_and_where_the_rest_is(logs, capsys, tmp_path):
    code = "import sys; [print('row', i) for i in range(100)]; sys.exit(3)"
    with pytest.raises(steps.StepFailed, match=r"exit code 3.*\.make/a-step\.log"):
        steps.run("a step", [sys.executable, "-c", code], cwd=tmp_path)
    shown = capsys.readouterr().out
    assert "row 99" in shown
    assert "row 0\n" not in shown


def test_a_missing_program_is_one_clear_line(logs, tmp_path):
    with pytest.raises(steps.StepFailed, match=r"cannot run no-such-program: No such file"):
        steps.run("a step", ["no-such-program"], cwd=tmp_path)


def test_work_is_done_once_for_a_fingerprint_and_again_after_a_failure(tmp_path):
    done = []
    stamp = tmp_path / "stamps" / "one"

    def work():
        done.append(1)

    def broken():
        raise steps.StepFailed("no")

    steps.once(stamp, "a", work)
    steps.once(stamp, "a", work)
    assert len(done) == 1
    with pytest.raises(steps.StepFailed):
        steps.once(stamp, "b", broken)
    steps.once(stamp, "a", work)
    assert len(done) == 2


def test_a_fingerprint_sees_contents_and_where_they_part(tmp_path):
    file = tmp_path / "requirements.txt"
    file.write_text("numpy")
    before = steps.digest("3.11", file)
    file.write_text("numpy2")
    assert steps.digest("3.11", file) != before
    assert steps.digest("ab", "c") != steps.digest("a", "bc")
