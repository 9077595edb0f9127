"""From one take to another, or from many to many: what `convert`, `edit` and `apply` share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import click

from .. import formats
from ..errors import FileError, InputError, MarotteError
from ..figure import Motion
from ._console import complain, note, progress, say
from ._formats import Reading, Writing

A_FILE = click.Path(path_type=Path)

inputs_argument = click.argument("inputs", metavar="IN…", type=A_FILE, nargs=-1, required=True)
output_option = click.option(
    "--output", "-o", metavar="OUT", type=A_FILE, required=True,
    help="File to write; a folder when there are several inputs.",
)  # fmt: skip


def extensions(able_to: Literal["reader", "writer", "inspector"]) -> tuple[str, ...]:
    """Extensions of the takes that can be read, written or inspected."""
    return tuple(e for f in formats.FORMATS if f.is_take and getattr(f, able_to) for e in f.extensions)


def expand(inputs: Sequence[Path], known: Sequence[str]) -> list[tuple[Path, Path]]:
    """Every file that is meant, with its place relative to where it was named."""
    found: list[tuple[Path, Path]] = []
    for path in inputs:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.suffix.lower() in known and p.is_file())
            if not inside:
                raise FileError(f"holds no file that can be read ({', '.join(known)})", path=path)
            found += [(p, p.relative_to(path)) for p in inside]
        else:
            found.append((path, Path(path.name)))
    return found


def run(
    inputs: Sequence[Path],
    output: Path,
    work: Callable[[Motion], Motion],
    *,
    reading: Reading,
    writing: Writing,
    suffix: str | None = None,
    told: list[dict[str, object]] | None = None,
) -> None:
    """Read, work, write; one failing take never stops the others. Exit code 1 if any failed.

    What there is to say about each take is put into `told` where there is one, else printed.
    """
    several = len(inputs) > 1 or any(p.is_dir() for p in inputs)
    takes = expand(inputs, extensions("reader"))
    reading.check([path for path, _ in takes])
    into_folder = several or output.is_dir() or str(output).endswith("/")
    if several and output.suffix and output.suffix.lower() in extensions("writer"):
        raise InputError(f"-o must name a folder when there are several inputs, but is {str(output)!r}")
    if not several and not into_folder:
        writing.check([output])
        _one(takes[0][0], output, work, reading, writing, None, told)
        return
    writing.check([relative.with_suffix(suffix) if suffix else relative for _, relative in takes])
    failed = 0
    written: set[Path] = set()
    with progress("takes") as tell:
        for i, (path, relative) in enumerate(takes):
            tell(i / len(takes), path.name)
            target = output / (relative.with_suffix(suffix) if suffix else relative)
            if target in written:
                complain(f"{path}: skipped, because another input is written to {target} already")
                failed += 1
                continue
            written.add(target)
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                _one(path, target, work, reading, writing, str(path), told)
            except OSError as problem:
                complain(f"{target.parent}: cannot be made: {problem.strerror}")
                failed += 1
            except MarotteError as problem:
                complain(str(problem) if str(path) in str(problem) else f"{path}: {problem}")
                failed += 1
    say(f"{len(takes) - failed} of {len(takes)} takes written to {output}")
    if failed:
        raise click.exceptions.Exit(1)


def _one(
    path: Path,
    target: Path,
    work: Callable[[Motion], Motion],
    reading: Reading,
    writing: Writing,
    prefix: str | None,
    told: list[dict[str, object]] | None,
) -> None:
    with progress(path.name) as tell:
        motion = reading.load(path, lambda s: tell(0.8 * s, "reading"))
        for text in motion.source.notes:
            note(f"{prefix}: {text}" if prefix else text)
        tell(0.8, "working")
        result = work(motion)
        found = result.source.notes[len(motion.source.notes) :]
        if told is not None:
            told.append({"input": str(path), "output": str(target), "notes": list(found)})
        else:
            for text in found:
                note(f"{prefix}: {text}" if prefix else text)
        tell(0.9, "writing")
        for text in writing.save(result, target):
            note(f"{target}: {text}")
