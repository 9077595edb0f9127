"""Which Python makes the environment, and what is said when there is none."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tools.steps import ROOT

SCRIPT = ROOT / "tools" / "find_python.sh"


@pytest.fixture
def programs(tmp_path):
    """A PATH with nothing but the basic tools and what a test puts there."""
    folder = tmp_path / "a bin"
    folder.mkdir()
    for name in ("sh", "id"):
        os.symlink(f"/bin/{name}" if os.path.exists(f"/bin/{name}") else f"/usr/bin/{name}", folder / name)
    return folder


def put(folder, name, text):
    program = folder / name
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)


def find(folder, **environment):
    return subprocess.run(
        [str(folder / "sh"), str(SCRIPT)],
        env={"PATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


REAL = f'exec "{sys.executable}" "$@"'
# Any question that mentions ensurepip fails, as on a Debian without python3-venv.
WITHOUT_VENV = f'case "$2" in *ensurepip*) exit 1;; esac\n{REAL}'
TOO_OLD = "exit 1"


def test_python3_is_taken_where_it_is_new_enough(programs):
    put(programs, "python3", REAL)
    done = find(programs)
    assert (done.returncode, done.stdout.strip()) == (0, sys.executable)


def test_a_newer_one_beside_an_old_python3_is_found(programs):
    put(programs, "python3", TOO_OLD)
    put(programs, "python3.12", REAL)
    assert find(programs).stdout.strip() == sys.executable


def test_one_that_can_make_environments_is_preferred(programs):
    put(programs, "python3", WITHOUT_VENV)
    put(programs, "python3.13", REAL)
    assert find(programs).returncode == 0


def test_none_is_one_clear_line(programs):
    put(programs, "python3", TOO_OLD)
    done = find(programs)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "needs Python 3.11 or newer" in done.stderr


def test_one_without_venv_names_the_package_to_install(programs):
    put(programs, "python3", WITHOUT_VENV)
    done = find(programs)
    assert done.returncode == 1
    assert "install python3." in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_variable_names_the_only_one_to_try(programs):
    put(programs, "python3", REAL)
    done = find(programs, PYTHON="python9")
    assert done.returncode == 1
    assert "PYTHON=python9" in done.stderr
