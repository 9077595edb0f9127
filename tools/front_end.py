"""Build the browser front end: web/ in, one player page and the Studio's page out.

Both `make` and the package's build hook come here. Only Python's own library is used, and nothing
else of this folder, because the hook runs where there is no checkout around it.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

OUTPUTS = ("src/marotte/viewer/static/player.html", "src/marotte/studio/static/index.html")
NOT_SOURCES = frozenset({"node_modules", "dist", "coverage", "test-results", ".vite", ".built-from"})

# npm neither asks, counts, nor advertises.
QUIET_NPM = {"CI": "1", "NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1"}

Runner = Callable[[str, list[str], Path], None]
"""Runs a command: its title for people, its words, the folder to run it in. Raises when it fails."""


def _sources(web: Path) -> Iterator[Path]:
    for entry in sorted(web.iterdir()):
        if entry.name in NOT_SOURCES:
            continue
        if entry.is_dir():
            yield from _sources(entry)
        else:
            yield entry


def _digest(files: Iterator[Path], base: Path) -> str:
    total = hashlib.sha256()
    for file in files:
        total.update(f"{file.relative_to(base).as_posix()}\0{file.stat().st_size}\0".encode())
        total.update(file.read_bytes())
    return total.hexdigest()


def is_current(root: Path) -> bool:
    """Whether the built pages are there and come from just these sources."""
    stamp = root / "web" / ".built-from"
    return (
        all((root / output).is_file() for output in OUTPUTS)
        and stamp.is_file()
        and stamp.read_text(encoding="utf-8") == _digest(_sources(root / "web"), root)
    )


def node_problem(root: Path, path: str | None = None) -> str | None:
    """Why the Node on this PATH cannot build the front end; None if it can."""
    wanted = json.loads((root / "web" / "package.json").read_text(encoding="utf-8"))["engines"]["node"]
    node, npm = shutil.which("node", path=path), shutil.which("npm", path=path)
    if node is None or npm is None:
        return f"Node ({wanted}, with npm) is not on PATH"
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    except OSError as problem:
        return f"{node} does not start: {problem.strerror}"
    if not _satisfies(said.lstrip("v"), wanted):
        return f"Node {wanted} is needed, and {node} is {said or 'silent about its version'}"
    return None


def _satisfies(version: str, wanted: str) -> bool:
    """Whether a version lies in a range such as "^20.19.0 || >=22.12.0"."""
    found = _numbers(version)
    for choice in wanted.split("||"):
        match = re.fullmatch(r"\s*(\^|>=)\s*([\d.]+)\s*", choice)
        if match is None:
            raise ValueError(f"web/package.json: engines.node must be made of ^x.y.z and >=x.y.z: {wanted!r}")
        least = _numbers(match[2])
        if found >= least and (match[1] == ">=" or found[:1] == least[:1]):
            return True
    return False


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version.split("-")[0])[:3])


def install(root: Path, run: Runner) -> None:
    """Bring node_modules to what the lock file says, unless it is there."""
    web = root / "web"
    stamp = web / "node_modules" / ".marotte-lock"
    locked = _digest(iter((web / "package.json", web / "package-lock.json")), root)
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == locked:
        return
    run("front-end packages", ["npm", "ci", "--no-audit", "--no-fund"], web)
    stamp.write_text(locked, encoding="utf-8")


def build(root: Path, run: Runner) -> None:
    """Build what is not current."""
    if is_current(root):
        return
    web = root / "web"
    stamp = web / ".built-from"
    stamp.unlink(missing_ok=True)
    install(root, run)
    before = _digest(_sources(web), root)
    run("front end", ["npm", "run", "build"], web)
    missing = [output for output in OUTPUTS if not (root / output).is_file()]
    if missing:
        raise FileNotFoundError(f"the front end was built, but {', '.join(missing)} did not come of it")
    # Sources that changed while they were being built are built again next time.
    stamp.write_text(before, encoding="utf-8")
