"""The checks, then every test of every kind. A part that fails does not stop the others."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from tools.setup import npm_environment
from tools.steps import MAKE, ROOT, clean_environment, finish

PYTEST = (sys.executable, "-m", "pytest", "-q")
COVERAGE = (sys.executable, "-m", "coverage")
# What judges kernels and is quick without the compiler too.
UNCOMPILED = (
    "tests/kernels",
    "tests/signals/test_dynamic.py",
    *(f"tests/kinematics/test_{name}.py" for name in ("goals", "limits", "limb")),
    "tests/fitting/test_bsplines.py",
    "tests/signals/test_dynamic.py",
)


def _call(command: tuple[str, ...], env: Mapping[str, str], cwd: Path = ROOT) -> bool:
    """Run with its output on the screen. Any exit code but 0 is a failure, pytest's 5 (no tests) too."""
    return subprocess.run(command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, check=False).returncode == 0


def checks(env: dict[str, str]) -> bool:
    return _call((sys.executable, "-m", "tools.check"), env)


def python_tests(env: dict[str, str]) -> bool:
    return _call((*PYTEST, "-m", "not browser and not blender"), env)


def kernels_uncompiled(env: dict[str, str]) -> bool:
    """The same kernels as plain Python: the only way to see which of their lines a test reaches."""
    plain = {**env, "NUMBA_DISABLE_JIT": "1"}
    passed = _call((*COVERAGE, "run", "-m", "pytest", "-q", *UNCOMPILED), plain)
    covered = _call((*COVERAGE, "report"), plain)
    return passed and covered


def front_end_tests(env: dict[str, str]) -> bool:
    return _call(("npm", "test", "--silent"), {**env, **npm_environment()}, ROOT / "web")


def browser_tests(env: dict[str, str]) -> bool:
    return _call((*PYTEST, "-m", "browser"), env)


def blender_tests(env: dict[str, str]) -> bool:
    return _call((*PYTEST, "-m", "blender"), env)


PARTS = {
    "checks": checks,
    "Python tests": python_tests,
    "kernels without the compiler": kernels_uncompiled,
    "front-end tests": front_end_tests,
    "browser tests": browser_tests,
    "Blender tests": blender_tests,
}


def main() -> int:
    env = clean_environment(MAROTTE_CACHE_DIR=str(MAKE / "kernels"), HYPOTHESIS_PROFILE="ci")
    outcomes: list[tuple[str, bool, float]] = []
    for name, part in PARTS.items():
        print(f"\n== {name}", flush=True)
        started = time.perf_counter()
        outcomes.append((name, part(env), time.perf_counter() - started))
    print()
    for name, fine, seconds in outcomes:
        print(f"{name:30} {'ok' if fine else 'FAILED':6} {seconds:5.0f} s")
    failed = [name for name, fine, _ in outcomes if not fine]
    print(f"failed: {', '.join(failed)}" if failed else "all passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    finish(main)
