"""Blender for the tests: where its environment stands, what is run in it, why there is none.

`make test` sets it up beside the others (`tools/setup.py`), from requirements-blender.txt. Programs
for it stand in tests/blender; `run` calls one there and gives back what it answered.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tools.steps import MAKE, ROOT, clean_environment

VENV = ROOT / ".venv-blender"
REQUIREMENTS = ROOT / "requirements-blender.txt"
PROGRAMS = ROOT / "tests" / "blender"
REFUSAL = MAKE / "no-blender.txt"  # why the set-up did without; gone where it did not
SECONDS = 300  # no program for a test takes longer

# What its library is linked to, by the names of Debian and Ubuntu. A browser brings most of it.
SYSTEM_LIBRARIES = ("libgl1", "libice6", "libsm6", "libxfixes3", "libxi6", "libxkbcommon0", "libxrender1")


class BlenderFailed(Exception):
    """A program did not come to its end in Blender; the message holds what it said last."""


def wanted_python() -> tuple[int, int]:
    """The one Python that the pinned release runs in."""
    found = re.search(r"^# python: (\d+)\.(\d+)$", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise ValueError(f"{REQUIREMENTS.name} must say which Python it is for, as '# python: 3.11'")
    return int(found[1]), int(found[2])


def find_python() -> Path | None:
    """A Python of that version that can make environments."""
    wanted = wanted_python()
    test = f"import sys, ensurepip, venv; sys.exit(sys.version_info[:2] != {wanted})"
    for candidate in _candidates("python{}.{}".format(*wanted)):
        try:
            done = subprocess.run(
                [candidate, "-c", test], capture_output=True, check=False, env=clean_environment()
            )
        except OSError:
            continue
        if done.returncode == 0:
            return Path(candidate)
    return None


def _candidates(name: str) -> Iterator[str]:
    yield sys.executable
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        found = shutil.which(name, path=folder)
        if found:
            yield found


def refusal() -> str | None:
    """Why there is no Blender here, in a line; None where there is one."""
    if (VENV / "packages.stamp").is_file():
        return None
    if REFUSAL.is_file():
        return REFUSAL.read_text(encoding="utf-8").strip()
    return "Blender was not set up; `make test` does it"


def run(program: str, *arguments: str | Path, seconds: float = SECONDS) -> Any:
    """What a program of tests/blender answers when it is run with these arguments.

    The program writes JSON to the file that MAROTTE_ANSWER names (`answer` in tests/blender/scene.py),
    since Blender itself talks on the standard output.
    """
    with tempfile.TemporaryDirectory(prefix="marotte-blender-") as folder:
        answer = Path(folder) / "answer.json"
        command = [str(VENV / "bin" / "python"), str(PROGRAMS / program), *map(str, arguments)]
        try:
            done = subprocess.run(
                command,
                env=clean_environment(MAROTTE_ANSWER=str(answer), PYTHONPATH=str(ROOT)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise BlenderFailed(f"{program} did not end within {seconds:g} s") from None
        if done.returncode or not answer.is_file():
            last = "\n".join(done.stdout.strip().splitlines()[-25:])
            raise BlenderFailed(f"{program} ended with exit code {done.returncode}:\n{last}")
        return json.loads(answer.read_text(encoding="utf-8"))
