"""Run what the documentation shows, so that it stays true.

    python -m tools.check_docs [FILE ...]        README.md and docs/**/*.md unless files are named

In a file, blocks run in order, in one process and one temporary folder, so that a later block sees the
names and the files of an earlier one:

- ```python       is run; an exception or a failed assertion is a failure. Lines that begin with >>> are
                  compared with the output shown below them.
- ```console, ```sh  each line that begins with `$ marotte` is run, and must exit 0. Other lines are
                  output or somebody else's commands, and are left alone.
- a fence with the word no-run (```python no-run) is not run.

Links between documents, and to headings in them, must lead somewhere.
"""

from __future__ import annotations

import argparse
import doctest
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parent.parent
PYTHON_FENCES = frozenset({"python", "py", "pycon"})
SHELL_FENCES = frozenset({"console", "sh", "shell", "bash"})
COMMAND = "marotte"
SECONDS_FOR_A_FILE = 600
SECONDS_FOR_A_COMMAND = 120


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its words after the fence, its text, and the file's line where the text begins."""

    words: tuple[str, ...]
    text: str
    line: int


def blocks_of(markdown: str) -> list[Block]:
    """All fenced blocks of a document, in order."""
    found = []
    for token in MarkdownIt("commonmark").parse(markdown):
        if token.type == "fence" and token.map is not None:
            words = tuple(token.info.replace(",", " ").split())
            found.append(Block(words=words, text=token.content, line=token.map[0] + 2))
    return found


def commands_of(block: Block) -> Iterator[tuple[int, str]]:
    """The commands to run in a shell block, with their line; a trailing backslash continues a command."""
    lines = block.text.splitlines()
    number = 0
    while number < len(lines):
        first, text = number, lines[number].strip()
        while text.endswith("\\") and number + 1 < len(lines):
            number += 1
            text = text[:-1].rstrip() + " " + lines[number].strip().removeprefix(">").lstrip()
        if re.match(rf"\$\s+{COMMAND}(\s|$)", text):
            yield block.line + first, text[1:].strip()
        number += 1


class BlockFailed(Exception):
    """A block did not do what the document says; the message says where and what."""


def _run_python(block: Block, path: Path, names: dict[str, Any]) -> None:
    if block.text.lstrip().startswith(">>>"):
        example = doctest.DocTestParser().get_doctest(block.text, names, path.name, str(path), block.line - 1)
        said: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        runner.run(example, out=said.append, clear_globs=False)
        names.update(example.globs)
        if runner.failures:
            raise BlockFailed(f"{path}:{block.line}: the output is not as shown\n{''.join(said)}")
        return
    # Blank lines before it give the code the line numbers of the document.
    source = "\n" * (block.line - 1) + block.text
    try:
        exec(compile(source, str(path), "exec"), names)
    except BaseException as problem:  # whatever a document's code raises, SystemExit too, is reported
        steps = traceback.extract_tb(problem.__traceback__)
        frames = [step for step in steps if step.filename == str(path)]
        line = frames[-1].lineno if frames else getattr(problem, "lineno", None) or block.line
        shown = "".join(traceback.format_exception_only(problem)).strip()
        code = source.splitlines()[line - 1].strip() if line and line <= len(source.splitlines()) else ""
        raise BlockFailed(f"{path}:{line}: {shown}\n    {code}") from problem


def _run_command(command: str, line: int, path: Path) -> None:
    try:
        done = subprocess.run(
            command,
            shell=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS_FOR_A_COMMAND,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise BlockFailed(
            f"{path}:{line}: `{command}` had not ended after {SECONDS_FOR_A_COMMAND} s"
        ) from None
    if done.returncode:
        said = "\n".join(f"    {row}" for row in done.stdout.splitlines()[-20:])
        raise BlockFailed(f"{path}:{line}: `{command}` exited {done.returncode}\n{said}")


def run_file(path: Path) -> int:
    """Run the blocks of one document in the current folder and process; the number of things run."""
    names: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    for block in blocks_of(path.read_text(encoding="utf-8")):
        if not block.words or "no-run" in block.words:
            continue
        if block.words[0] in PYTHON_FENCES:
            _run_python(block, path, names)
            count += 1
        elif block.words[0] in SHELL_FENCES:
            for line, command in commands_of(block):
                _run_command(command, line, path)
                count += 1
    return count


def _run_in_child(path: Path) -> str | None:
    """Run one document in a process and a temporary folder of its own; what went wrong, or None."""
    tools = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', '')}",
        "MPLBACKEND": "Agg",
        "NO_COLOR": "1",
        "COLUMNS": "120",
    }
    with tempfile.TemporaryDirectory(prefix="marotte-docs-") as folder:
        try:
            done = subprocess.run(
                [sys.executable, str(Path(__file__).resolve()), "--inside", str(path)],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=SECONDS_FOR_A_FILE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"{path}: its blocks had not ended after {SECONDS_FOR_A_FILE} s"
    if done.returncode == 0:
        return None
    return done.stderr.strip() or f"{path}: ended with exit code {done.returncode}"


def slug(heading: str) -> str:
    """The anchor that a heading gets: lower case, no punctuation, hyphens for blanks."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors_of(markdown: str) -> set[str]:
    tokens = MarkdownIt("commonmark").parse(markdown)
    headings = [
        "".join(child.content for child in (after.children or []) if child.type in ("text", "code_inline"))
        for token, after in pairwise(tokens)
        if token.type == "heading_open"
    ]
    found: set[str] = set()
    for heading in headings:
        base, number = slug(heading), 0
        while (anchor := base if number == 0 else f"{base}-{number}") in found:
            number += 1
        found.add(anchor)
    return found


def dead_links(path: Path) -> Iterator[str]:
    """Relative links and anchors in a document that lead nowhere."""
    text = path.read_text(encoding="utf-8")
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        line = token.map[0] + 1 if token.map else 0
        for child in token.children or []:
            target = child.attrGet("href") or child.attrGet("src")
            if not isinstance(target, str) or re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (path.parent / name).resolve() if name else path
            if not file.exists():
                yield f"{path}:{line}: links to {target}, which is not there"
            elif anchor and file.suffix == ".md" and anchor not in anchors_of(file.read_text("utf-8")):
                yield f"{path}:{line}: links to {target}, and {file.name} has no such heading"


def documents(root: Path) -> list[Path]:
    """README.md, the other documents of the root, and docs/."""
    return [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.check_docs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        try:
            run_file(arguments.files[0])
        except BlockFailed as problem:
            print(problem, file=sys.stderr)
            return 1
        return 0
    paths = [path.resolve() for path in arguments.files] or documents(ROOT)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = list(pool.map(_run_in_child, paths))
    failures = [outcome for outcome in outcomes if outcome is not None]
    failures += [problem for path in paths for problem in dead_links(path)]
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
