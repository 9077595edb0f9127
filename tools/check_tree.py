"""What no checker of a language sees: that the tree is fit to be anybody's.

No host of a package registry, no path of one machine, no large file, LF line ends, no address in the
lock file of the front end.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LARGEST_BYTES = 500_000

GIT_LIST = (
    *("git", "-c", "safe.directory=*"),  # the tree may be somebody else's, as in a container
    *("ls-files", "-z", "--cached", "--others", "--exclude-standard"),
)

# Whoever installs decides from where: a registry's host in the tree would decide for them.
REGISTRY_HOST = re.compile(
    r"\b(pypi\.org|pythonhosted\.org|npmjs\.(org|com)|yarnpkg\.com|anaconda\.org|deb\.debian\.org)\b"
)
HOME_FOLDER = re.compile(r"(?<![\w.])(/home/|/Users/|[A-Z]:\\Users\\)[A-Za-z][\w.-]*")


def machine_paths(root: Path) -> list[str]:
    """Folders that mean something on this machine only."""
    places = {root, root.parent, Path.home()}
    shared = {Path(tempfile.gettempdir()).resolve(), Path("/")}
    return sorted(f"{place}/" for place in places - shared)


def is_git_checkout(root: Path) -> bool:
    return (root / ".git").exists() and shutil.which("git") is not None


def _git_rows(root: Path, *options: str) -> list[str]:
    """Rows of `git ls-files` for what git tracks or would track, whoever owns the folder."""
    told = subprocess.run(
        [*GIT_LIST, *options],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    return [row for row in told.stdout.split("\0") if row]


def listed_files(root: Path) -> list[Path]:
    """Files that git tracks or would track."""
    paths = (root / name for name in _git_rows(root))
    return sorted({path for path in paths if path.is_file()})


def wants_lf(root: Path) -> set[Path]:
    """Files that .gitattributes does not declare binary or exempt from line-end rules."""
    rows = (row.split("\t", 1) for row in _git_rows(root, "--eol"))
    return {root / name for facts, name in rows if "attr/-text" not in facts}


def problems_of_text(text: str, forbidden_paths: list[str]) -> Iterator[tuple[int, str]]:
    """Line numbers and what is wrong there."""
    for number, line in enumerate(text.splitlines(), 1):
        host = REGISTRY_HOST.search(line)
        if host:
            yield number, f"names the package registry {host[0]}"
        home = HOME_FOLDER.search(line)
        if home:
            yield number, f"names a home folder: {home[0]}"
        for path in forbidden_paths:
            if path in line:
                yield number, f"names a folder of this machine: {path}"


def problems(root: Path) -> Iterator[str]:
    """Everything that is wrong, one line each."""
    forbidden = machine_paths(root)
    lf = wants_lf(root)
    for path in listed_files(root):
        name = path.relative_to(root).as_posix()
        content = path.read_bytes()
        if len(content) > LARGEST_BYTES:
            yield f"{name}: {len(content)} bytes; a tracked file has at most {LARGEST_BYTES}"
        if b"\0" in content[:8192]:
            continue
        if path in lf and b"\r\n" in content:
            yield f"{name}: has CRLF line ends; they are LF here (or exempt it in .gitattributes with -text)"
        text = content.decode("utf-8", errors="replace")
        for number, problem in problems_of_text(text, forbidden):
            yield f"{name}:{number}: {problem}"
        if path.name == "package-lock.json" and '"resolved": "http' in text:
            yield f"{name}: holds addresses; web/.npmrc must keep them out (omit-lockfile-registry-resolved)"


def main() -> int:
    if not is_git_checkout(ROOT):
        print("not a git checkout: nothing says which files belong to the tree")
        return 0
    found = list(problems(ROOT))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
