"""marotte doctor"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from pathlib import Path

import click

from ._console import print_json

NEEDED = ("numpy", "scipy", "numba", "pydantic", "PyYAML", "click", "rich", "fastapi", "uvicorn")
WANTED = {"ufbx": "FBX files: pip install ufbx", "usd-core": 'USD files: pip install "marotte[usd]"'}
OK, BAD, SO_SO = "ok", "missing", "note"


@click.command()
@click.option("--json", is_flag=True, help="Print for a script.")
def doctor(json: bool) -> None:
    """Say what works on this machine and what does not, and how to mend it.

    The exit code is 1 if something that is needed is missing.
    """
    checks = [*_python(), *_packages(), *_kernels(), *_front_end(), _temporary()]
    if json:
        print_json([{"check": name, "state": state, "detail": detail} for name, state, detail in checks])
    else:
        signs = {OK: "✓", BAD: "✗", SO_SO: "·"}
        for name, state, detail in checks:
            print(f"{signs[state]} {name:14s} {detail}")
    if any(state == BAD for _, state, _ in checks):
        raise click.exceptions.Exit(1)


def _python() -> list[tuple[str, str, str]]:
    from .. import __version__

    version = platform.python_version()
    good = sys.version_info >= (3, 11)
    return [
        ("marotte", OK, f"{__version__} in {Path(__file__).parent.parent}"),
        ("python", OK if good else BAD, version if good else f"{version}: 3.11 or newer is needed"),
    ]


def _packages() -> list[tuple[str, str, str]]:
    from importlib import metadata

    found = []
    for name in NEEDED:
        try:
            found.append((name, OK, metadata.version(name)))
        except metadata.PackageNotFoundError:
            found.append((name, BAD, f"not installed: pip install {name}"))
    for name, use in WANTED.items():
        try:
            found.append((name, OK, metadata.version(name)))
        except metadata.PackageNotFoundError:
            found.append((name, SO_SO, f"not installed; needed for {use}"))
    return found


def _kernels() -> list[tuple[str, str, str]]:
    try:
        from ..kernels import compiling
    except ImportError as problem:
        return [("kernels", BAD, f"the compiler cannot be imported: {problem}")]
    folder = compiling.cache_folder()
    kept = len(list(folder.glob("**/*.nbi"))) if folder.is_dir() else 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        detail = f"{folder} cannot be written: kernels compile again at every start (set MAROTTE_CACHE_DIR)"
        return [("kernels", SO_SO, detail)]
    every = sum(1 for _ in compiling.all_kernels())
    if kept < every:
        return [
            ("kernels", SO_SO, f"{kept} of {every} compiled in {folder}; marotte warmup compiles them all")
        ]
    return [("kernels", OK, f"{every} compiled in {folder}")]


def _front_end() -> list[tuple[str, str, str]]:
    package = Path(__file__).parent.parent
    found = []
    for name, file in (
        ("player page", "viewer/static/player.html"),
        ("studio page", "studio/static/index.html"),
    ):
        built = (package / file).is_file()
        detail = "built" if built else "not built: run make web in a checkout, or install Node and reinstall"
        found.append((name, OK if built else BAD, detail))
    return found


def _temporary() -> tuple[str, str, str]:
    try:
        with tempfile.NamedTemporaryFile():
            return ("temporary", OK, tempfile.gettempdir())
    except OSError as problem:
        return ("temporary", BAD, f"no temporary files can be made: {problem}")
