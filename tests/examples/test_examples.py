"""Every example runs from anywhere and writes what it says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import marotte as mt

FOLDER = Path(__file__).resolve().parents[2] / "examples"
SCRIPTS = sorted(FOLDER.glob("[0-9][0-9]_*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_it_runs_and_writes_takes(script, tmp_path):
    done = subprocess.run(
        [sys.executable, str(script), "made here"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    written = sorted((tmp_path / "made here").glob("*.bvh"))
    assert written
    for file in written:
        assert len(mt.load(file)) > 60


def test_every_example_is_listed():
    told = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert SCRIPTS
    for script in SCRIPTS:
        assert f"[{script.name}]({script.name})" in told
        assert script.read_text(encoding="utf-8").startswith('"""')
